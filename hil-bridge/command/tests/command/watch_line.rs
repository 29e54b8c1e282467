//! `watch-line` shows exactly what crosses a line, with and without faults, live and from
//! files.

use std::path::Path;
use std::process::Command;

use protocol::{
    Button, Deed, Event, FrameDelta, Input, Layout, Light, Lit, Point, Refusal, Reply, Request,
    StampedEvent, ToDevice, ToHost, wire,
};
use serde_json::Value;
use tempfile::TempDir;
use touchboard_host::traffic::{LineDirection, LineRecord, log_line};
use touchboard_host::{Driver, hex};
use touchboard_links::link::begin_record;
use touchboard_links::{At, Where};
use virtual_board::FaultOptions;

use crate::common::{hil_bridge, printed};

/// The frames of `--json`, and the statistics after them.
fn in_json(text: &str) -> (Vec<Value>, Value) {
    let mut lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let figures = lines.pop().unwrap()["figures"].clone();
    assert!(figures.is_object());
    (lines, figures)
}

fn request(number: u32, command: protocol::Command) -> Vec<u8> {
    wire::encoded(&ToDevice::Request(Request {
        number,
        seen: 0,
        command,
    }))
}

fn reply(number: u32, result: Result<protocol::Done, Refusal>) -> Vec<u8> {
    wire::encoded(&ToHost::Reply(Reply {
        number,
        tick: 40,
        events: 2,
        frames: 1,
        result,
    }))
}

/// A wire log of a line with faults.
fn faulty_log() -> String {
    let touch = Input::Touch(Point(31));
    let event = |number, event| {
        wire::encoded(&ToHost::Event(StampedEvent {
            number,
            tick: 25,
            event,
        }))
    };
    let light = Light::default();
    let delta = wire::encoded(&ToHost::Delta {
        number: 7,
        tick: 25,
        delta: FrameDelta {
            lit: [Lit {
                point: Point(31),
                light,
            }]
            .into_iter()
            .collect(),
            ..FrameDelta::default()
        },
    });
    let press = request(
        1,
        protocol::Command::Do(Deed::Input(Input::Press(Button::Start))),
    );
    let mut damaged = reply(1, Ok(protocol::Done::Done));
    damaged[4] ^= 0x40;
    let last = reply(3, Ok(protocol::Done::Done));
    use LineDirection::{FromBoard, ToBoard};
    let pieces = [
        (1_000, ToBoard, press.clone()),
        (1_900, FromBoard, damaged),
        (52_000, ToBoard, press),
        (53_100, FromBoard, reply(1, Ok(protocol::Done::Done))),
        (
            60_000,
            ToBoard,
            request(2, protocol::Command::fingers([touch])),
        ),
        (61_000, FromBoard, reply(2, Err(Refusal::FeelsNoFingers))),
        (
            70_000,
            ToBoard,
            request(3, protocol::Command::fingers([touch])),
        ),
        (77_000, FromBoard, event(0, Event::Taken(touch))),
        (77_100, FromBoard, event(2, Event::Bleep(880))),
        (77_800, FromBoard, delta),
        (78_000, FromBoard, last[..6].to_vec()),
    ];
    let mut log = "0 open\n".to_owned();
    for (at_us, direction, bytes) in pieces {
        log += &log_line(at_us, direction, &bytes);
    }
    log
}

fn log_in(folder: &TempDir) -> String {
    let path = folder.path().join("line.log");
    std::fs::write(&path, faulty_log()).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn a_wire_log_with_faults_is_printed_frame_by_frame() {
    let folder = TempDir::new().unwrap();
    let log = log_in(&folder);
    insta::assert_snapshot!("words", printed(&["watch-line", &log]));
    insta::assert_snapshot!("json", printed(&["watch-line", &log, "--json"]));
    let errors = printed(&["watch-line", &log, "--errors", "--json"]);
    let (frames, _) = in_json(&errors);
    let kinds: Vec<&str> = frames
        .iter()
        .map(|frame| frame["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        ["damaged", "request", "reply", "event", "unfinished"]
    );
}

/// Frames of a real line with faults: none is missing, and the host's reactions to the
/// faults are shown.
#[test]
fn on_a_line_with_faults_the_frames_add_up_to_the_figures() {
    let text = printed(&[
        "watch-line",
        "--at=virtual",
        "--play=3",
        "--steps=60",
        "--json",
        "--fault-seed=5",
        "--fault-drop-ppm=3000",
        "--fault-flip-ppm=3000",
    ]);
    let (frames, figures) = in_json(&text);
    let count = |is: &dyn Fn(&Value) -> bool| frames.iter().filter(|frame| is(frame)).count();
    for (direction, way) in [("to-board", "to_board"), ("from-board", "from_board")] {
        let own = || {
            frames
                .iter()
                .filter(|frame| frame["direction"] == direction)
        };
        let bytes: usize = own()
            .map(|frame| {
                hex::bytes_of(frame["bytes"].as_str().unwrap())
                    .unwrap()
                    .len()
            })
            .sum();
        let flow = &figures[way];
        assert_eq!(flow["frames"], own().count(), "{direction}");
        let told = flow["bytes"].as_u64().unwrap() as usize;
        // Zeros alone are not a frame.
        assert!(
            (bytes..bytes + 4).contains(&told),
            "{direction}: {bytes} {told}"
        );
    }
    let damaged = count(&|frame| frame["error"].is_string());
    let repeated = count(&|frame| frame["repeated"] == true && frame["direction"] == "to-board");
    assert!(damaged > 3 && repeated > 3, "{damaged} {repeated}");
    assert_eq!(figures["no_message"], damaged);
    assert_eq!(figures["repeated_requests"], repeated);
    let answered = count(&|frame| frame["round_trip_us"].is_number());
    assert_eq!(figures["round_trips"]["count"], answered);
    assert!(answered > 60);
    // The repeated requests recovered the lost events: in the end nothing is missing.
    assert_eq!(figures["missing_events"], 0);
    assert!(
        figures["touch_to_light"]["message"]["count"]
            .as_u64()
            .unwrap()
            > 0
    );
}

/// A client has counters of its own.
#[test]
fn a_record_of_a_line_counts_what_the_client_counts() {
    let faults = "seed 5, drop-ppm 2000, flip-ppm 2000".parse().unwrap();
    let mut place = Where::new(At::Virtual);
    place.line.faults = FaultOptions(faults);
    place.line.timeout_ms = 60_000;
    let record = begin_record(LineRecord::new(place.line_medium()));
    place.line.record = Some(record.clone());
    let mut board = place.remote().unwrap();
    for number in 0..200_u8 {
        let point = Point(number % Layout::MALDOO.points() as u8);
        board
            .step(&[Input::Touch(point), Input::Release(point)], 20)
            .unwrap();
    }
    let counted = board.client().view().counters;
    drop(board);
    let figures = record.figures();
    assert!(counted.retries > 0 && counted.damaged > 0, "{counted:?}");
    assert_eq!(figures.repeated_requests, counted.retries);
    assert_eq!(figures.to_board.bytes, counted.sent_bytes);
    // A client does not count the frames before the answer to its hello.
    let uncounted = figures.from_board.frames - counted.received;
    assert!((1..8).contains(&uncounted), "{uncounted}");
    let damaged = figures.no_message - counted.damaged;
    assert!(damaged < uncounted, "{damaged}");
    assert_eq!(figures.missing_events, 0);
}

#[test]
fn a_capture_reads_back_as_its_line() {
    let folder = TempDir::new().unwrap();
    let log = log_in(&folder);
    let capture = folder
        .path()
        .join("line.pcapng")
        .to_string_lossy()
        .into_owned();
    printed(&["watch-line", &log, "--pcapng", &capture]);
    let (of_log, figures) = in_json(&printed(&["watch-line", &log, "--json"]));
    let (of_capture, again) = in_json(&printed(&["watch-line", &capture, "--json"]));
    let bytes = |frames: &[Value]| -> Vec<Value> {
        frames.iter().map(|frame| frame["bytes"].clone()).collect()
    };
    assert_eq!(bytes(&of_log), bytes(&of_capture));
    assert_eq!(figures["round_trips"], again["round_trips"]);
}

#[test]
fn a_cut_file_is_shown_to_its_cut() {
    let folder = TempDir::new().unwrap();
    let log = log_in(&folder);
    let capture = folder.path().join("line.pcapng");
    let to = capture.to_string_lossy().into_owned();
    printed(&["watch-line", &log, "--pcapng", &to]);
    let whole = std::fs::read(&capture).unwrap();
    std::fs::write(&capture, &whole[..whole.len() - 30]).unwrap();
    let output = hil_bridge(&["watch-line", &to, "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("the 10 packets before it are read"), "{told}");
    let (frames, _) = in_json(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(frames.len(), 10);
}

#[test]
fn an_unwatchable_file_or_board_is_refused_with_a_sentence() {
    let folder = TempDir::new().unwrap();
    let nothing = folder.path().join("letter.txt");
    std::fs::write(&nothing, "Dear reader\n").unwrap();
    let nothing = nothing.to_string_lossy().into_owned();
    for (arguments, words) in [
        (&["watch-line"][..], "write --at virtual"),
        (&["watch-line", "no-such-file"], "cannot read no-such-file"),
        (&["watch-line", &nothing], "is not a wire log"),
        (
            &["watch-line", &nothing, "--at", "virtual"],
            "cannot be used with",
        ),
        (
            &["watch-line", &nothing, "--kind", "stepp"],
            "no message is called \"stepp\"",
        ),
        (
            &[
                "watch-line",
                "--at",
                "virtual",
                "--scenario",
                "no-such-file",
            ],
            "cannot read no-such-file",
        ),
        (
            &[
                "watch-line",
                "--at",
                "virtual",
                "--for-ms",
                "1",
                "--pcapng",
                "/no/such/folder",
            ],
            "cannot be written",
        ),
    ] {
        let output = hil_bridge(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
}

/// A free-running board is watched for the requested time, and fingers from a script are
/// shown too.
#[test]
fn watching_shows_a_script_and_a_running_board() {
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("script.txt");
    std::fs::write(&script, "start\ntap d7\nexpect turn red\n").unwrap();
    let script = script.to_string_lossy().into_owned();
    let text = printed(&[
        "watch-line",
        "--at=virtual",
        "--json",
        "--scenario",
        &script,
    ]);
    let (frames, _) = in_json(&text);
    let moved = |frame: &Value| frame["kind"] == "event" && frame["what"] == "move";
    assert!(frames.iter().any(moved));
    std::fs::write(&script, "expect turn red\n").unwrap();
    let output = hil_bridge(&["watch-line", "--at=virtual", "--scenario", &script]);
    assert_eq!(output.status.code(), Some(1));
    let text = printed(&["watch-line", "--at=virtual", "--for-ms=50", "--kind=pace"]);
    assert!(text.contains("free at 1000 per mille"), "{text}");
}

/// Another program drives the board through the one that watches.
#[cfg(unix)]
#[test]
fn a_forwarded_board_is_watched_while_another_program_has_it() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    let folder = TempDir::new().unwrap();
    let script = folder.path().join("script.txt");
    std::fs::write(&script, "start\ntap d7\nexpect turn red\n").unwrap();
    let script = script.to_string_lossy().into_owned();
    let mut watching = crate::common::command()
        .args(["watch-line", "--at=virtual", "--relay=0", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = String::new();
    BufReader::new(watching.stderr.take().unwrap())
        .read_line(&mut told)
        .unwrap();
    let (_, at) = told.trim().split_once("--at ").unwrap();
    for _ in 0..2 {
        printed(&["shell", "--at", at, "--seed", "1", &script]);
    }
    let mut kill = Command::new("kill");
    kill.args(["-s", "INT", &watching.id().to_string()]);
    assert!(kill.status().unwrap().success());
    let mut text = String::new();
    let mut output = watching.stdout.take().unwrap();
    output.read_to_string(&mut text).unwrap();
    assert_eq!(watching.wait().unwrap().code(), Some(0));
    let (frames, figures) = in_json(&text);
    // On a busy machine an event may be sent again.
    let moved = |frame: &&Value| {
        frame["kind"] == "event" && frame["what"] == "move" && frame["repeated"] != true
    };
    assert_eq!(frames.iter().filter(moved).count(), 2);
    assert_eq!(figures["lines"], 2);
    assert_eq!(figures["no_message"], 0);
}

/// If `tshark` is installed, its names for frames, decoded by the dissector, equal ours.
#[test]
fn wireshark_names_messages_as_the_command_does() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let script = path("script.txt");
    let words = "set game=reversi level=1\nstart\ntap d7\nwait 3000\nsave STATE\nload STATE\nlegal\nscore\nposition\n";
    std::fs::write(&script, words.replace("STATE", &path("state"))).unwrap();
    for (name, made_of) in [
        ("script", vec!["--at=virtual", "--scenario", &script]),
        ("play", vec!["--at=virtual", "--play=3", "--steps=40"]),
        (
            "faults",
            vec![
                "--at=virtual",
                "--play=2",
                "--steps=40",
                "--fault-flip-ppm=4000",
                "--fault-drop-ppm=2000",
            ],
        ),
    ] {
        let capture = path(name);
        let text = printed(
            &[
                &["watch-line", "--json", "--pcapng", &capture],
                &made_of[..],
            ]
            .concat(),
        );
        let (frames, _) = in_json(&text);
        assert!(frames.len() > 50, "{name}");
        let Some(named) = named_by_tshark(&capture) else {
            let why = "tshark is not installed: `cargo xtask setup` tries to";
            return law::excuse("what tshark names", why);
        };
        let ours: Vec<String> = frames.iter().map(named_by_us).collect();
        assert_eq!(named, ours, "{name}");
    }
}

/// The direction, name, number and tick of each packet.
fn named_by_tshark(capture: &str) -> Option<Vec<String>> {
    let dissector =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/wireshark/touchboard.lua");
    let script = format!("lua_script:{}", dissector.display());
    let output = Command::new("tshark")
        .args(["-X", &script, "-r", capture, "-T", "fields"])
        .args(["-e", "touchboard.direction", "-e", "touchboard.name"])
        .args(["-e", "touchboard.number", "-e", "touchboard.tick"])
        .output()
        .ok()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("Lua"), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(str::to_owned).collect())
}

fn named_by_us(frame: &Value) -> String {
    let word = |name: &str| frame[name].as_str().unwrap_or_default().to_owned();
    let number = |name: &str| frame[name].as_u64().map(|number| number.to_string());
    let (kind, what) = (word("kind"), word("what"));
    format!(
        "{}\t{}\t{}\t{}",
        word("direction"),
        format!("{kind} {what}").trim_end(),
        number("number").unwrap_or_default(),
        number("tick").unwrap_or_default()
    )
}

/// In a terminal, statistics are at the top and frames below, until `q`.
#[cfg(unix)]
#[test]
fn a_line_is_watched_on_a_screen_until_q() {
    let mut session =
        crate::pty::Session::begin(&["watch-line", "--at=virtual", "--play=1", "--steps=20"]);
    session.sees("watch-line virtual", 1);
    session.sees("trip", 1);
    session.sees("done", 1);
    session.types("e");
    session.sees("only", 1);
    session.types("q");
    assert_eq!(session.ends(), Some(0));
}

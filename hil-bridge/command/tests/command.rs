//! The command's answers to bad input: each kind of it ends with a sentence and exit
//! code 2.

use std::io::Write;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Output};

use firmware_core::games::BUILT;
use protocol::Roster;
use protocol::wire::{self, MAX_FRAME_BYTES};
use touchboard_host::happening::Happening;
use touchboard_host::words::game_name;
use touchboard_links::Where;
use touchboard_links::client::LinkState;
use touchboard_links::qemu::QemuChip;

fn hil_bridge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hil-bridge"))
        .args(arguments)
        .output()
        .unwrap()
}

/// Checks for exit code 2, and a single sentence that contains these words.
fn refused(arguments: &[&str], words: &str) {
    let output = hil_bridge(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(said.contains(words), "{arguments:?}: {said}");
    assert!(!said.contains("panicked at"), "{said}");
}

fn file(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("touchboard-{}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn bad_input_of_each_kind_gets_a_sentence_and_exit_code_2() {
    refused(&["info", "--at", "/dev/no-such-port"], "does not open");
    refused(&["info", "--at", "nowhere"], "write core, virtual, qemu");
    refused(
        &["info", "--at", "qemu:nowhere"],
        "write qemu:lm3s6965evb or qemu:netduinoplus2",
    );
    refused(&["info", "--at", "tcp:localhost:1"], "nothing answers at");
    refused(&["info", "--layout", "17x2"], "17x2");
    refused(
        &["shell", "no-such-file"],
        "cannot read no-such-file: there is no such file or folder: check the name",
    );
    refused(&["replay", "no-such-file"], "cannot be read");
    refused(&["replay", &file("empty", "")], "the file is empty");
    refused(
        &["replay", &file("other", "hello\n")],
        "not a touchboard session",
    );
    refused(&["dance"], "dance");
    refused(
        &["record", "x.session", "--at", "core"],
        "does not run by itself",
    );
}

#[test]
fn a_transcript_is_printed_or_written_beside_its_session() {
    refused(&["transcript", "no-such-file"], "cannot be read");
    refused(&["transcript"], "<FILES>");
    let no_state = r#"{"touchboard":"session","format":1,"firmware":"0.1.0","layout":"9x9","seed":7,"state":"00"}"#;
    refused(
        &["transcript", &file("no-state.session", no_state)],
        "cannot be replayed",
    );
    let session = file("told.session", "");
    let recorded = ["record", &session, "--play", "1", "--steps", "50"];
    assert_eq!(hil_bridge(&recorded).status.code(), Some(0));
    let printed = hil_bridge(&["transcript", &session]).stdout;
    assert!(String::from_utf8_lossy(&printed).contains("   1  0:0"));
    let beside = hil_bridge(&["transcript", "--beside", &session]);
    assert_eq!(
        (beside.status.code(), &beside.stdout[..]),
        (Some(0), &[][..])
    );
    let path = PathBuf::from(&session).with_extension("txt");
    assert_eq!(std::fs::read(path).unwrap(), printed);
}

#[test]
fn an_option_without_effect_is_refused() {
    refused(&["info", "--break-rule"], "--at virtual");
    refused(&["info", "--bytes", "x"], "--bytes is about a line");
    refused(&["check", "--fault-drop-ppm", "5"], "is about a line");
    refused(&["bench", "--baud", "9600"], "--baud is about a line");
    refused(&["ports", "--at", "core", "--break-rule"], "--at virtual");
    refused(&["shell", "--trace"], "--trace is about a line");
    refused(
        &["info", "--at", "tcp:localhost:1", "--layout", "8x8"],
        "leave --layout and --seed out",
    );
    refused(
        &["info", "--tiles", "2x2"],
        "--tiles is only possible with --at pico",
    );
    let tiles = ["info", "--at", "pico", "--tiles"];
    refused(&[&tiles[..], &["5x2"]].concat(), "1x1 to 4x4");
    refused(
        &[&tiles[..], &["2x2", "--layout", "9x9"]].concat(),
        "9x9 does not fit 2x2 tiles",
    );
    refused(&["check", "--session", "x", "--seed", "1"], "--seed");
    refused(&["check", "--session", "x", "--steps", "1"], "--steps");
    let session = file("options", "");
    let recorded = ["record", &session, "--play", "1", "--steps", "1"];
    assert_eq!(hil_bridge(&recorded).status.code(), Some(0));
    refused(&["replay", &session, "--seed", "1"], "leave --layout");
    refused(&["replay", &session, "--layout", "8x8"], "leave --layout");
}

#[test]
fn an_absurd_number_is_refused() {
    refused(&["info", "--at", "virtual", "--baud", "0"], "--baud");
    refused(
        &["info", "--at", "virtual", "--fault-drop-ppm", "2000000"],
        "1000000",
    );
    refused(&["bench", "--count", "0"], "--count");
}

#[test]
fn a_number_out_of_range_is_refused_with_the_range() {
    let most = "from 0 to 18446744073709551615";
    for (arguments, option, range) in [
        (
            &["info", "--seed", "18446744073709551616"][..],
            "--seed",
            most,
        ),
        (&["info", "--seed", "-1"], "--seed", most),
        (&["info", "--seed", "many"], "--seed", most),
        (&["info", "--baud", "0"], "--baud", "from 1 to 4294967295"),
        (
            &["info", "--timeout-ms", "1e9"],
            "--timeout-ms",
            "from 0 to 86400000",
        ),
        (&["info", "--fault-seed", "-3"], "--fault-seed", most),
        (
            &["info", "--fault-drop-ppm", "2000000"],
            "--fault-drop-ppm",
            "from 0 to 1000000",
        ),
        (
            &["info", "--fault-cut-after", "-1"],
            "--fault-cut-after",
            most,
        ),
        (&["check", "--steps", "-1"], "--steps", most),
        (
            &["check", "--shrink-s", "18446744073709551615"],
            "--shrink-s",
            "from 0 to 86400",
        ),
        (&["record", "x", "--play", "0x7"], "--play", most),
        (
            &["record", "x", "--for-ms", "-5"],
            "--for-ms",
            "from 0 to 10000000000",
        ),
        (
            &["bench", "--count", "4294967296"],
            "--count",
            "from 1 to 4294967295",
        ),
    ] {
        refused(arguments, option);
        refused(arguments, &format!("it takes a number {range}"));
    }
}

#[test]
fn a_check_refuses_an_unwritable_file_before_it_begins() {
    let path = std::env::temp_dir()
        .join("no-such-folder")
        .join("x.session");
    let save = path.to_string_lossy();
    let output = hil_bridge(&["check", "--steps", "3", "--save", &save]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("x.session cannot be written"), "{said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    let kept = file("not-needed", "older");
    let output = hil_bridge(&["check", "--steps", "3", "--save", &kept]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "older");
}

#[test]
fn a_session_cut_in_a_line_is_refused_and_one_without_end_not() {
    let path = file("cut", "");
    let record = ["record", &path, "--play", "5", "--steps", "20"];
    assert_eq!(hil_bridge(&record).status.code(), Some(0));
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let some = lines[..10].concat();
    let middle = file("middle", &(some.clone() + &lines[10][..8]));
    let between = file("between", &some);
    for command in [&["replay"][..], &["check", "--session"]] {
        refused(
            &[command, &[middle.as_str()]].concat(),
            "line 11 of the session",
        );
        refused(&[command, &[middle.as_str()]].concat(), "9 entries");
        let output = hil_bridge(&[command, &[between.as_str()]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains("the session has no end"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn endless_input_is_refused() {
    refused(
        &["replay", "/dev/zero"],
        "line 1 of the session /dev/zero: it is longer than",
    );
    refused(&["check", "--session", "/dev/zero"], "it is longer than");
    refused(&["shell", "/dev/zero"], "the line has no end");
    let load = file("load-zero", "load /dev/zero\n");
    refused(&["shell", &load], "/dev/zero is not a saved board");
}

#[test]
fn the_heading_of_the_faults_covers_only_faults() {
    for command in ["info", "check", "record", "replay", "bench", "ports"] {
        let output = hil_bridge(&[command, "--help"]);
        let help = String::from_utf8_lossy(&output.stdout);
        let (_, faults) = help
            .split_once("Faults of the line:")
            .expect("they are there");
        let options = faults.lines().map(str::trim_start);
        for option in options.filter(|line| line.starts_with('-')) {
            assert!(option.starts_with("--fault-"), "{command}: {option}");
        }
    }
}

#[test]
fn the_help_names_every_game_and_every_image() {
    let output = hil_bridge(&["info", "--help"]);
    let help = String::from_utf8_lossy(&output.stdout);
    let words: Vec<&str> = help.split_whitespace().collect();
    let help = words.join(" ");
    for game in BUILT.iter() {
        let named = format!("{} {}", Roster::letter(game), game_name(game));
        assert!(help.contains(&named), "{named} is not in {help}");
    }
    for chip in QemuChip::ALL {
        assert!(
            help.contains(chip.name()),
            "{} is not in {help}",
            chip.name()
        );
    }
}

#[test]
fn a_session_with_an_unknown_point_names_its_line() {
    let header =
        r#"{"touchboard":"session","format":1,"firmware":"0.1.0","layout":"9x9","seed":7}"#;
    let text = format!("{header}\n{{\"tick\":5,\"touch\":\"z9\"}}\n");
    refused(&["replay", &file("point", &text)], "line 2 of the session");
}

#[test]
fn a_missing_image_says_what_to_run() {
    for at in ["qemu", "qemu:netduinoplus2"] {
        let output = Command::new(env!("CARGO_BIN_EXE_hil-bridge"))
            .args(["info", "--at", at])
            .env("TOUCHBOARD_FIRMWARE", "/no/such/image")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("cargo xtask firmware"), "{said}");
    }
}

/// A server that answers a connection with these bytes, and then stays silent.
fn answers_with(bytes: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.write_all(&bytes);
            open.push(stream);
        }
    });
    format!("tcp:{address}")
}

#[test]
fn garbage_on_the_line_is_not_taken_for_a_board() {
    let garbage = (0..5_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8);
    let at = answers_with(garbage.collect());
    refused(
        &["info", "--at", &at, "--timeout-ms", "400"],
        "did not answer within",
    );
}

#[test]
fn a_board_of_another_version_is_refused_with_both_versions() {
    // The first two fields of a hello are the same in all versions.
    let mut buffer = [0; MAX_FRAME_BYTES];
    let hello = wire::encode(&(0_u32, 99_u16, 0x1234_u64, [7_u8; 9]), &mut buffer).unwrap();
    let at = answers_with(hello.to_vec());
    refused(&["info", "--at", &at], "speaks protocol 99");
}

#[test]
fn a_busy_board_names_its_host() {
    let board = virtual_board::spawn(virtual_board::Options {
        no_pty: true,
        tcp: Some("127.0.0.1:0".parse().unwrap()),
        ..virtual_board::Options::default()
    })
    .unwrap();
    let at = format!("tcp:{}", board.tcp.unwrap());
    let first = Where::new(at.parse().unwrap()).client().unwrap();
    for _ in 0..5 {
        refused(&["info", "--at", &at], "is busy: 127.0.0.1:");
        first.request(protocol::Command::Ping).unwrap();
    }
    assert_eq!(first.view().link, LinkState::Connected);
    assert_eq!(first.view().counters.reconnects, 0);
    let lost = |happening| matches!(happening, Happening::Lost(_));
    assert!(!first.happenings().try_iter().any(lost));
    drop(first);
    let output = hil_bridge(&["info", "--at", &at]);
    assert_eq!(output.status.code(), Some(0));
}

/// The answer arrives while the program is suspended, by Ctrl-Z or because the lid was closed.
#[cfg(unix)]
#[test]
fn a_program_suspended_past_its_timeout_finds_the_answer() {
    use std::io::Read;
    use std::net::TcpStream;
    use std::process::Stdio;
    use std::time::Duration;

    let board = virtual_board::spawn(virtual_board::Options {
        no_pty: true,
        tcp: Some("127.0.0.1:0".parse().unwrap()),
        ..virtual_board::Options::default()
    })
    .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = format!("tcp:{}", listener.local_addr().unwrap());
    let child = Command::new(env!("CARGO_BIN_EXE_hil-bridge"))
        .args(["info", "--at", &at, "--timeout-ms", "400"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let signal = |name: &str| {
        let kill = Command::new("kill")
            .args(["-s", name, &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
    };
    let (mut host, _) = listener.accept().unwrap();
    let mut far = TcpStream::connect(board.tcp.unwrap()).unwrap();
    far.set_read_timeout(Some(Duration::from_millis(50)))
        .unwrap();
    let mut buffer = [0; 4096];
    // After each send, the host is suspended for longer than its time limit; the answer is there
    // when it continues.
    for _ in 0..3 {
        let length = host.read(&mut buffer).unwrap();
        signal("STOP");
        far.write_all(&buffer[..length]).unwrap();
        while let Ok(length @ 1..) = far.read(&mut buffer) {
            host.write_all(&buffer[..length]).unwrap();
        }
        std::thread::sleep(Duration::from_millis(600));
        signal("CONT");
    }
    // From here on it is no longer suspended.
    let (mut to_host, mut from_board) = (host.try_clone().unwrap(), far.try_clone().unwrap());
    from_board.set_read_timeout(None).unwrap();
    std::thread::spawn(move || std::io::copy(&mut from_board, &mut to_host));
    std::thread::spawn(move || std::io::copy(&mut host, &mut far));
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
}

#[test]
fn a_failed_check_saves_a_session_that_shows_it() {
    let path = PathBuf::from(file("difference", ""));
    let save = path.to_string_lossy();
    let broken = ["--at", "virtual", "--break-rule"];
    let check = ["check", "--seed", "7", "--steps", "3000", "--save", &save];
    let output = hil_bridge(&[&check[..], &broken[..]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("fingers: "), "{said}");
    // The command that is printed for copying shows the difference.
    let advice = format!("`hil-bridge replay {save} --at virtual --break-rule`");
    assert!(said.contains(&advice), "{said}");
    let counted = |after: &str| -> usize {
        let (_, rest) = said.split_once(after).unwrap();
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    assert!(counted("shows it with ") <= counted("of the "), "{said}");
    let text = std::fs::read_to_string(&path).unwrap();
    let note = "found by check --at virtual --break-rule --seed 7 --layout 9x9";
    assert!(text.contains(note), "{text}");
    let replay = ["replay", &save];
    let wrong = hil_bridge(&[&replay[..], &broken[..]].concat());
    assert_eq!(wrong.status.code(), Some(1));
    // The output names the same tick, field and values as `check`.
    let other = file("difference-again", "");
    let session = [
        "check",
        "--shrink-s",
        "0",
        "--save",
        &other,
        "--session",
        &save,
    ];
    let checked = hil_bridge(&[&session[..], &broken[..]].concat());
    let difference = |output: &Output| {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        said.lines().next().map(str::to_owned)
    };
    assert!(difference(&wrong).unwrap().contains("fingers: "));
    assert_eq!(difference(&wrong), difference(&checked));
    assert_eq!(hil_bridge(&replay).status.code(), Some(0));
    assert_eq!(
        hil_bridge(&["replay", &save, "--at", "virtual"])
            .status
            .code(),
        Some(0)
    );
    let lines = std::fs::read_to_string(&path).unwrap().lines().count();
    assert!(lines <= 16, "{lines} lines");
}

#[test]
fn a_recording_can_be_replayed_elsewhere() {
    let path = file("recording", "");
    let record = [
        "record", &path, "--play", "5", "--steps", "200", "--at", "virtual",
    ];
    assert_eq!(hil_bridge(&record).status.code(), Some(0));
    let output = hil_bridge(&["replay", &path, "--at", "core"]);
    assert_eq!(output.status.code(), Some(0));
    let listened = ["record", &path, "--at", "virtual", "--for-ms", "1300"];
    assert_eq!(hil_bridge(&listened).status.code(), Some(0));
    assert!(std::fs::read_to_string(&path).unwrap().contains("digest"));
    assert_eq!(hil_bridge(&["replay", &path]).status.code(), Some(0));
}

#[test]
fn the_same_commands_at_both_boards_give_the_same_answers() {
    let script = file(
        "script",
        "set game=reversi\nstart\ntap e4\nwait 500\nshow\ndigest\n",
    );
    let core = hil_bridge(&["shell", "--json", &script]);
    let remote = hil_bridge(&["shell", "--json", &script, "--at", "virtual"]);
    assert_eq!(core.status.code(), Some(0));
    assert_eq!(
        String::from_utf8_lossy(&core.stdout),
        String::from_utf8_lossy(&remote.stdout)
    );
}

/// The subcommands with output on a board in this process.
const SPEAKING: [&[&str]; 5] = [
    &["info"],
    &["info", "--json"],
    &["check", "--steps", "3"],
    &["bench", "--count", "3"],
    &["ports", "--at", "core"],
];

#[test]
fn a_closed_output_pipe_ends_the_command_quietly() {
    for arguments in SPEAKING {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_hil-bridge"))
            .args(arguments)
            .stdout(writer)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert_eq!(said, "", "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_is_reported_in_a_sentence() {
    for arguments in SPEAKING {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let output = Command::new(env!("CARGO_BIN_EXE_hil-bridge"))
            .args(arguments)
            .stdout(full.unwrap())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        let sentence = "hil-bridge: the answer cannot be written: ";
        assert!(said.starts_with(sentence), "{arguments:?}: {said}");
    }
}

#[test]
fn a_failed_recording_keeps_the_older_file() {
    let kept = file("kept", "older");
    let garbage = file("garbage", "dance\n");
    for scenario in ["/no/such/scenario", &garbage] {
        refused(&["record", &kept, "--scenario", scenario], "");
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), "older");
    }
    let half = file("half", "start\ndance\n");
    refused(&["record", &kept, "--scenario", &half], "is not complete");
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "older");
    let new = PathBuf::from(&kept).with_extension("new");
    refused(
        &["record", &new.to_string_lossy(), "--scenario", &garbage],
        "nothing was recorded",
    );
    assert!(!new.exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_recording_is_complete() {
    use std::io::Read;
    use std::process::Stdio;
    for signal in ["INT", "TERM"] {
        let path = file("interrupted", "");
        let mut child = Command::new(env!("CARGO_BIN_EXE_hil-bridge"))
            .args(["record", &path, "--at", "virtual"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The program prints when it has started.
        let mut begun = [0; 9];
        child
            .stderr
            .as_mut()
            .unwrap()
            .read_exact(&mut begun)
            .unwrap();
        assert_eq!(&begun, b"recording");
        let kill = Command::new("kill")
            .args(["-s", signal, &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.starts_with("recorded up to tick"), "{said}");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.ends_with("\"end\":true}\n"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_driven_recording_keeps_the_older_file() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let folder = std::env::temp_dir().join(format!("touchboard-{}-driven", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let path = folder.join("kept.session").to_string_lossy().into_owned();
    let files = || std::fs::read_dir(&folder).unwrap().count();
    for (older, words) in [
        (true, "kept.session is as it was"),
        (false, "nothing was recorded"),
    ] {
        if older {
            std::fs::write(&path, "older").unwrap();
        } else {
            std::fs::remove_file(&path).unwrap();
        }
        let begun = files() + 1;
        let child = Command::new(env!("CARGO_BIN_EXE_hil-bridge"))
            .args(["record", &path, "--play", "1", "--steps", "1000000000"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let patience = Instant::now() + Duration::from_secs(60);
        while files() < begun && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        let kill = Command::new("kill")
            .args(["-s", "INT", &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("interrupted: nothing was recorded"), "{said}");
        assert!(said.trim_end().ends_with(words), "{said}");
        assert_eq!(files(), begun - 1);
        if older {
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "older");
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_recording_continues_after_the_board_restarts() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let plug = |address: &str| {
        virtual_board::spawn(virtual_board::Options {
            no_pty: true,
            tcp: Some(address.parse().unwrap()),
            ..virtual_board::Options::default()
        })
        .unwrap()
    };
    let board = plug("127.0.0.1:0");
    let address = board.tcp.unwrap().to_string();
    let path = file("restarted", "");
    std::fs::remove_file(&path).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_hil-bridge"))
        .args(["record", &path, "--at", &format!("tcp:{address}")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut hear = |words: &str| {
        let line = said.next().expect("it goes on").unwrap();
        assert!(line.contains(words), "{line}");
    };
    hear("recording tcp:");
    drop(board);
    hear("was lost");
    let _board = plug(&address);
    hear("the board restarted: its state at tick");
    // Waits until the recording has the state of the new run.
    while !std::fs::read_to_string(&path)
        .unwrap()
        .contains("\"load\":")
    {
        let over = child.try_wait().unwrap();
        assert!(over.is_none(), "it ended: {over:?}");
    }
    let kill = Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches("\"note\":\"the ").count(), 2, "{text}");
    assert_eq!(hil_bridge(&["replay", &path]).status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_not_the_line() {
    let arguments = ["info", "--at", "virtual", "--bytes", "/dev/full"];
    refused(&arguments, "cannot be written to /dev/full");
    let said = String::from_utf8_lossy(&hil_bridge(&arguments).stderr).into_owned();
    assert!(!said.contains("was lost"), "{said}");
}

#[test]
fn in_the_boards_turn_no_point_is_legal_over_a_line_either() {
    let script = file(
        "own-turn",
        "set game=reversi level=1\nstart\ntap d7\nlegal\nexpect legal none\nwait 10000\nlegal\n",
    );
    let said = |at: &str| {
        let output = hil_bridge(&["shell", "--json", "--at", at, &script]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let core = said("core");
    assert!(
        core.contains("\"points\":[],\"boards_turn\":true"),
        "{core}"
    );
    assert_eq!(said("virtual"), core);
}

#[test]
fn an_error_in_a_script_names_the_script() {
    let script = file("named", "start\nexpect turn red\n");
    let output = hil_bridge(&["shell", &script]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        said,
        format!("{script}, line 2: expected turn red, found green\n")
    );
}

#[test]
fn a_pass_is_refused_over_a_line_as_in_process() {
    let script = file(
        "passes",
        "set game=speedgo level=0\nstart\npass\nset game=reversi\npass\nstart\npass\n",
    );
    let said = |at: &str| {
        let output = hil_bridge(&["shell", "--keep-going", "--at", at, &script]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(said("virtual"), said("core"));
    assert!(said("core").contains("line 7: the turn cannot be given away"));
}

//! `signals` and `touches`: sessions as waveforms, and contacts as sessions.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::common::{hil_bridge, printed, refusal};

fn demo(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("tests/demos").join(format!("{name}.session"))
}

/// A recording of Reversi against the board.
fn reversi() -> PathBuf {
    demo("reversi")
}

fn arguments(command: &str, file: &Path, rest: &[&str]) -> Vec<OsString> {
    let first = [command.into(), file.into()].into_iter();
    first.chain(rest.iter().map(OsString::from)).collect()
}

#[test]
fn signals_are_written_as_json_csv_and_vcd() {
    let session = reversi();
    let with = |rest: &[&str]| printed(&arguments("signals", &session, rest));
    let named = ["--signal", "turn", "--signal", "score", "--until", "12000"];
    let csv = with(&[&["--format", "csv"], named.as_slice()].concat());
    insta::assert_snapshot!("csv", csv);
    let json = with(&["--format", "json", "--signal", "beeper"]);
    for line in json.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["signal"], "beeper");
        assert!(line["value"].is_u64() && line["ms"].is_u64());
    }
    let vcd = with(&["--signal", "light.d4"]);
    assert!(
        vcd.contains("$timescale 1 ms $end") && vcd.contains("sgreen "),
        "{vcd}"
    );
    let list = with(&["--list"]);
    assert!(
        list.lines()
            .any(|line| line == "state.panel.settings.level"),
        "{list}"
    );
    assert_eq!(with(&["--list", "--signal", "light"]).lines().count(), 81);
}

#[test]
fn signals_are_measured_over_a_span() {
    let session = demo("ghost");
    let of = |rest: &[&str]| printed(&arguments("signals", &session, rest));
    let both = ["--signal", "beeper", "--signal", "lit.d4", "--measure"];
    insta::assert_snapshot!("measured", of(&both));
    let none = of(&[both.as_slice(), &["--from", "500", "--until", "500"]].concat());
    assert_eq!(none.lines().next(), Some("beeper: 0 changes, 0 pulses"));
}

#[test]
fn the_bytes_of_a_wire_log_are_signals_of_their_own() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("line.log");
    // 18 bytes to the board at 1 ms, in two pieces, and three from it a little later.
    let twelve = "01 ".repeat(12);
    let text = format!("0 open\n1250 > {twelve}\n1900 > 00 01 02 03 04 05\n4000 < 00 01 00\n");
    fs::write(&log, text).unwrap();
    let of = |rest: &[&str]| printed(&arguments("signals", &log, rest));
    insta::assert_snapshot!(of(&["--format", "csv"]), @r"
    ms,line.to-board,line.from-board
    0,0,0
    1,18,0
    2,0,0
    4,0,3
    ");
    insta::assert_snapshot!(of(&["--signal", "line.to-board", "--measure"]), @"line.to-board: 2 changes, 1 pulse, on for 1 of 4 ms (25 %)");
    let told = [
        refusal(&arguments("signals", &log, &["--signal", "turn"])),
        refusal(&arguments("signals", &reversi(), &["--signal", "line"])),
    ];
    let told = told
        .concat()
        .replace(&*folder.path().to_string_lossy(), "FOLDER");
    insta::assert_snapshot!(told, @r"
    hil-bridge: FOLDER/line.log is a wire log, which has no `turn`: it has line.to-board and line.from-board. Give the session of that board
    hil-bridge: `line.to-board`: a board does not know the bytes on its line. The timeline draws them for a board at the end of a line, and `hil-bridge signals line.log` reads them from a wire log
    ");
}

#[test]
fn contacts_exported_from_demos_replay_the_same_games() {
    let folder = TempDir::new().unwrap();
    for game in [
        "reversi",
        "fillit",
        "touchit",
        "visiput",
        "col",
        "countlines",
    ] {
        let session = demo(game);
        if !session.exists() {
            continue;
        }
        let (vcd, back) = (folder.path().join("a.vcd"), folder.path().join("b.session"));
        let to = |file: &Path| file.to_string_lossy().into_owned();
        printed(&arguments("signals", &session, &["--out", &to(&vcd)]));
        let head = fs::read_to_string(&session).unwrap();
        let head: serde_json::Value = serde_json::from_str(head.lines().next().unwrap()).unwrap();
        let (layout, seed) = (head["layout"].as_str().unwrap(), head["seed"].to_string());
        let begin = ["--out", &to(&back), "--layout", layout, "--seed", &seed];
        printed(&arguments("touches", &vcd, &begin));
        let inputs = |file: &Path| {
            let names = ["--format", "csv", "--signal", "point", "--signal", "button"];
            printed(&arguments("signals", file, &names))
        };
        assert_eq!(inputs(&session), inputs(&back), "{game}");
    }
}

#[test]
fn a_third_party_decoder_reads_the_length_of_a_touch() {
    let folder = TempDir::new().unwrap();
    let vcd = folder.path().join("w.vcd");
    let to = vcd.to_string_lossy().into_owned();
    printed(&arguments(
        "signals",
        &reversi(),
        &["--format", "sigrok", "--out", &to],
    ));
    let decoded = Command::new("sigrok-cli")
        .args([
            "-I",
            "vcd",
            "-P",
            "timing:data=point.d2",
            "-A",
            "timing=time",
            "-i",
        ])
        .arg(&vcd)
        .output();
    let Ok(decoded) = decoded else {
        let why = "sigrok-cli is not installed: `cargo xtask setup` tries to";
        return law::excuse("what sigrok-cli decodes", why);
    };
    let text = String::from_utf8_lossy(&decoded.stdout);
    assert!(text.starts_with("timing-1: 90.000 ms"), "{text}");
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    let session = reversi();
    let folder = TempDir::new().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let no_vcd = file("no.vcd", "hello");
    let no_contact = file(
        "clk.vcd",
        "$timescale 1 us $end $var wire 1 ! clk $end $enddefinitions $end\n#0 1!\n",
    );
    let told = [
        refusal(&arguments("signals", &session, &["--signal", "lihgt"])),
        refusal(&arguments(
            "signals",
            &session,
            &["--signal", "turn", "--format", "sigrok"],
        )),
        refusal(&arguments("signals", &session, &["--from", "900000"])),
        refusal(&arguments("touches", &no_contact, &[])),
    ];
    insta::assert_snapshot!(
        told.concat()
            .replace(&*folder.path().to_string_lossy(), "FOLDER")
    );
    assert!(refusal(&arguments("touches", &no_vcd, &[])).contains("not a VCD file"));
    assert!(refusal(&arguments("touches", Path::new("nothing.vcd"), &[])).contains("no such file"));
}

#[test]
fn a_cut_file_is_read_to_its_cut_with_a_warning() {
    let folder = TempDir::new().unwrap();
    let vcd = folder.path().join("cut.vcd");
    let head = "$timescale 1 ms $end $var wire 1 ! d7 $end $enddefinitions $end\n";
    fs::write(&vcd, format!("{head}#40 1!\n#60 0!\n#90 1! $du")).unwrap();
    let output = hil_bridge(&arguments("touches", &vcd, &[]));
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("what follows is left out"));
    let session = String::from_utf8(output.stdout).unwrap();
    assert_eq!(session.matches("touch\"").count(), 2, "{session}");
}

/// A touch in Reversi, on a contact that bounces.
const BOUNCES: &str =
    "set game=reversi\nfault bounce-ms 4\nstart\nwait 80\ntouch d7\nwait 40\nrelease d7\nwait 60\n";

#[test]
fn a_bouncing_touch_has_contact_input_and_light_signals() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("bounces.txt"), BOUNCES).unwrap();
    let [session, scenario] = [path("bounces.session"), path("bounces.txt")];
    printed(&[
        OsStr::new("record"),
        session.as_ref(),
        "--scenario".as_ref(),
        scenario.as_ref(),
        "--at".as_ref(),
        "core".as_ref(),
    ]);
    let agrees = printed(&[OsStr::new("replay"), session.as_ref()]);
    assert!(agrees.contains("agrees"), "{agrees}");
    let signals = ["contact.d7", "point.d7", "light.d7"].map(|name| ["--signal", name]);
    let vcd = printed(&arguments("signals", &session, signals.as_flattened()));
    insta::assert_snapshot!("bounces", vcd);
    let all = printed(&arguments("signals", &session, &["--format", "json"]));
    assert!(
        all.contains("\"signal\":\"contact.start\""),
        "contacts are among all that changes"
    );
    let sentence = refusal(&arguments("signals", &reversi(), &["--signal", "contact"]));
    assert!(
        sentence.contains("this board does not report its contacts"),
        "{sentence}"
    );
}

#[test]
fn a_session_is_drawn_as_a_picture_or_a_film() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let session = reversi();
    let drawn = |name: &str, rest: &[&str]| {
        let file = path(name);
        printed(&arguments(
            "picture",
            &session,
            &[&["--out", file.as_str()], rest].concat(),
        ));
        fs::read(file).unwrap()
    };
    let [early, late] = ["500", "9000"].map(|ms| drawn("a.png", &["--at", ms]));
    assert!(early.starts_with(b"\x89PNG") && early != late);
    assert_eq!(drawn("end.png", &[]), drawn("again.png", &[]));
    let film = drawn(
        "a.gif",
        &["--from", "500", "--until", "9000", "--every", "500"],
    );
    assert!(film.starts_with(b"GIF89a"));
    assert_eq!(
        film,
        drawn(
            "b.gif",
            &["--from", "500", "--until", "9000", "--every", "500"]
        )
    );
    for (name, rest) in [
        ("a.bmp", [].as_slice()),
        ("a.png", &["--from", "5"]),
        ("a.gif", &["--at", "5"]),
        ("a.png", &["--at", "9999999"]),
        ("a.gif", &["--from", "9999999"]),
        ("a.gif", &["--from", "100", "--until", "50"]),
        ("a.gif", &["--until", "9999999"]),
        ("a.gif", &["--speed", "50"]),
    ] {
        let file = path(name);
        refusal(&arguments(
            "picture",
            &session,
            &[&["--out", file.as_str()], rest].concat(),
        ));
    }
}

#[test]
fn a_recorded_dead_lamp_is_dark_in_pictures_and_waveforms() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let sound = fs::read_to_string(reversi()).unwrap();
    let (header, entries) = sound.split_once('\n').unwrap();
    let lamps = ["d4", "d5", "e4", "e5"].map(|lamp| format!("dead-led {lamp}"));
    let note = format!(r#"{{"tick":0,"note":"faults: {}"}}"#, lamps.join(", "));
    let broken = PathBuf::from(path("broken.session"));
    fs::write(&broken, format!("{header}\n{note}\n{entries}")).unwrap();
    let [of_sound, of_broken] = [&reversi(), &broken].map(|session| {
        let file = path("a.png");
        let at = ["--at", "9000", "--out", file.as_str()];
        printed(&arguments("picture", session, &at));
        let lit = ["--format", "csv", "--signal", "lit.d4"];
        let is_ever_lit = printed(&arguments("signals", session, &lit)).contains(",1");
        (fs::read(file).unwrap(), is_ever_lit)
    });
    assert!(
        of_sound.0 != of_broken.0,
        "the lamps are lit in the picture"
    );
    assert_eq!((of_sound.1, of_broken.1), (true, false));
}

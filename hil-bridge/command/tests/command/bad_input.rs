//! Bad input of each kind ends the command with a sentence and exit code 2, and the help
//! names what is possible.

use firmware_core::games::BUILT;
use protocol::Roster;
use touchboard_host::words::game_name;
use touchboard_links::qemu::QemuChip;

use crate::common::{command, file, hil_bridge, printed, refused};

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
    refused(
        &["info", "--layout", "no-such-layout"],
        "nor a file with a drawing: there is no such file or folder: check the name",
    );
    refused(
        &["info", "--layout", "no-such-game.lud"],
        "cannot read no-such-game.lud: there is no such file or folder",
    );
    refused(
        &["info", "--layout", &file("README.md", "# Read this\n")],
        "is neither the text of a game, whose name ends in .lud, nor a drawing",
    );
    refused(
        &["flash", "no-such.uf2"],
        "cannot read no-such.uf2: there is no such file or folder: check the name; a UF2 file is expected",
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
fn a_fault_without_effect_is_refused() {
    for (command, fault, why) in [
        ("bench", "stuck d4", "bench measures a sound board"),
        ("bench --at virtual", "bounce-ms 3", "a sound board"),
        ("bench --at tcp:127.0.0.1:9", "dead d4", "a sound board"),
        ("shell --at virtual --watch", "dead d4", "--watch needs"),
        ("mirror --at virtual --watch", "ghosting", "--watch needs"),
        ("info --at pico", "stuck d4", "in check alone"),
        ("upload --none --at pico", "stuck d4", "in check alone"),
        ("watch-line --at pico", "stuck d4", "in check alone"),
        (
            "watch-line --at pico --relay 0",
            "stuck d4",
            "in check alone",
        ),
        ("record x.session --at pico", "stuck d4", "in check alone"),
        (
            "info --at virtual",
            "dead-led d4",
            "nothing shows the lamps",
        ),
        ("watch-line x.log", "drop-ppm 5", "cannot be used with"),
        ("watch-line x.log", "stuck d4", "cannot be used with"),
    ] {
        let fault = format!("--fault-{fault}");
        let option = fault.split(' ').next().unwrap();
        let words: Vec<&str> = command.split(' ').chain(fault.split(' ')).collect();
        refused(&words, why);
        refused(&words, option);
    }
    let line_alone = ["bench", "--count", "1", "--at", "virtual"];
    printed(&[&line_alone[..], &["--fault-delay-ms", "1"]].concat());
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
            &["bench", "--count", "0"],
            "--count",
            "from 1 to 4294967295",
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
        refused(&[command, &[&*middle]].concat(), "line 11 of the session");
        refused(&[command, &[&*middle]].concat(), "9 entries");
        let output = hil_bridge(&[command, &[&*between]].concat());
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
    refused(&["watch-line", "/dev/zero"], "/dev/zero is too long");
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
        let output = command()
            .args(["info", "--at", at])
            .env("TOUCHBOARD_FIRMWARE", "/no/such/image")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("cargo xtask firmware"), "{said}");
    }
}

#[test]
fn an_error_in_a_script_names_the_script() {
    let script = file("named", "start\nexpect turn red\n");
    let output = hil_bridge(&["shell", &script]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        said,
        format!("{}, line 2: expected turn red, found green\n", &*script)
    );
}

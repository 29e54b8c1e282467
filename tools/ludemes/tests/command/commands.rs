//! The program as its users see it: its output, and its exit codes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::tempdir;

/// The folder of the language, with its games.
const LANGUAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../hil-bridge/ludemes");

fn ludemes(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_ludemes");
    Command::new(program)
        .args(arguments)
        .current_dir(LANGUAGE)
        .output()
        .unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn output_text(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn games() -> Vec<String> {
    let folder = Path::new(LANGUAGE).join("games");
    let mut paths: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().display().to_string())
        .collect();
    paths.sort();
    paths
}

#[test]
fn every_game_of_ours_and_both_programs_of_the_blog_check() {
    let seeds = ["tests/seed-teeko.lud", "tests/seed-hexade.lud"].map(str::to_owned);
    for path in games().into_iter().chain(seeds) {
        let output = ludemes(&["check", "--language", &path]);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{path}: {}",
            output_text(&output)
        );
        assert!(printed(&output).contains("constructs, all known"), "{path}");
        // `check` also reports whether the game can be compiled, as `compile` does.
        let (check, compile) = (ludemes(&["check", &path]), ludemes(&["compile", &path]));
        assert_eq!(check.status, compile.status, "{path}");
        assert_eq!(output_text(&check), output_text(&compile));
        let is_told = printed(&check).contains("constructs, all known; a cartridge of");
        assert_eq!(is_told, check.status.success(), "{path}");
    }
}

#[test]
fn check_refuses_a_game_too_large_for_a_board() {
    let output = ludemes(&["check", "games/go.lud", "--option", "Board Size/19x19"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output_text(&output).contains("361 sites, and 256 is the maximum"));
    let output = ludemes(&["check", "games/go.lud", "--option", "Board Size/9x9"]);
    assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
}

#[test]
fn an_unknown_construct_is_shown_with_its_place() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("game.lud");
    fs::write(&path, "(game \"G\"\n    (rules\n        (end (if (is Lime 3 exactly:True) (result Mover Win)))\n    )\n)\n").unwrap();
    let output = ludemes(&["check", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(output_text(&output).replace(path.to_str().unwrap(), "game.lud"));
}

#[test]
fn bad_input_is_refused_with_exit_code_2() {
    let folder = tempdir().unwrap();
    let binary = folder.path().join("binary.lud");
    fs::write(&binary, [0xff, 0xfe, 0x00]).unwrap();
    let open = folder.path().join("open.lud");
    fs::write(&open, "(game \"G\"").unwrap();
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let [binary, open, empty] =
        [&binary, &open, &empty].map(|path| path.to_str().unwrap().to_owned());
    let bad: &[&[&str]] = &[
        &["check", "no-such-file.lud"],
        &["check", &binary],
        &["check", &open],
        &["check", "games/hex.lud", "--option", "Board Size/12x12"],
        &["fmt", &open],
        &["explain", &open],
        &["coverage", &empty],
        &["coverage", "no-such-folder"],
    ];
    for arguments in bad {
        let output = ludemes(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let sentence = output_text(&output);
        assert!(
            !sentence.is_empty() && !sentence.contains("panicked"),
            "{arguments:?}: {sentence}"
        );
    }
    // A file that cannot be formatted is unchanged.
    assert_eq!(fs::read_to_string(open).unwrap(), "(game \"G\"");
}

#[test]
fn fmt_formats_a_file_once() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("game.lud");
    fs::write(&path, "(game “G”   (players 2)) // end\n").unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(ludemes(&["fmt", "--check", path]).status.code(), Some(2));
    assert_eq!(ludemes(&["fmt", path]).status.code(), Some(0));
    assert_eq!(ludemes(&["fmt", "--check", path]).status.code(), Some(0));
    assert_eq!(
        fs::read_to_string(path).unwrap(),
        "(game \"G\"\n    (players 2)\n) // end\n"
    );
}

#[test]
fn coverage_ranks_missing_constructs() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("a.lud"), "(game \"A\" (players 2))").unwrap();
    for name in ["b", "c", "d"] {
        fs::write(
            folder.path().join(format!("{name}.lud")),
            format!("(game \"{name}\" (dice d:6))"),
        )
        .unwrap();
    }
    fs::write(folder.path().join("e.lud"), "(game \"E\" (dice d:6) (bet))").unwrap();
    fs::write(folder.path().join("f.lud"), "(game").unwrap();
    let output = ludemes(&["coverage", folder.path().to_str().unwrap(), "--next", "2"]);
    assert_eq!(output.status.code(), Some(0));
    let printed = printed(&output);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(
        lines[0],
        "f.lud:1:1: nothing closes this bracket: `)` is expected"
    );
    assert!(
        lines[1].starts_with("6 texts: 5 read, 1 of them with constructs that are all known"),
        "{printed}"
    );
    assert_eq!(lines[2..], ["+ dice: 3 more", "+ bet: 1 more"]);
}

#[test]
fn a_game_is_explained_with_the_options_of_choice() {
    let output = ludemes(&["explain", "games/hex.lud", "--option", "Board Size/5x5"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(printed(&output).contains("5 by 5"));
}

#[test]
fn words_lists_matching_constructs() {
    let output = ludemes(&["words", "is Conn"]);
    insta::assert_snapshot!(printed(&output));
    let output = ludemes(&["words", "is Konnected"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        output_text(&output),
        "no construct and no macro begins with `is Konnected`; did you mean `is Connected`?\n"
    );
}

#[test]
fn report_summarises_a_thousand_random_games() {
    let output = ludemes(&["report", "games/tic-tac-toe.lud"]);
    assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
    let printed = printed(&output);
    let (title, rest) = printed.split_once('\n').unwrap();
    assert!(title.starts_with("Tic-Tac-Toe: 1,000 random games from seed 1, "));
    insta::assert_snapshot!(rest);
}

#[test]
fn a_game_that_fails_is_named_with_its_seed() {
    let failing = ["report", "games/hexade.lud", "--games", "12", "--seed", "7"];
    let output = ludemes(&[&failing[..], &["--fuel", "1"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let printed = printed(&output);
    assert!(printed.starts_with("Hexade: 0 random games from seed 7"));
    assert!(printed.contains("12 failed"), "{printed}");
    assert!(printed.contains("\n  --seed 7\n  --seed 8\n"), "{printed}");
    assert!(printed.contains("\n  and 2 more\n"), "{printed}");
}

/// What `check` reports for typical mistakes of beginners.
#[test]
fn mistakes_of_beginners_are_explained() {
    let folder = Path::new(LANGUAGE).join("tests/mistakes");
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() >= 25, "{names:?}");
    for name in names {
        let path = format!("tests/mistakes/{name}");
        let output = ludemes(&["check", &path]);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{name}: {}",
            printed(&output)
        );
        assert!(printed(&output).is_empty(), "{name}");
        let sentence = output_text(&output);
        // The place, the line, and a mark below it.
        assert!(
            sentence.contains(&format!("--> {path}:")),
            "{name}: {sentence}"
        );
        assert!(sentence.lines().any(|line| line.contains('^')), "{name}");
        insta::with_settings!({ snapshot_suffix => name.trim_end_matches(".lud") }, {
            insta::assert_snapshot!(sentence);
        });
    }
}

/// On a star, the lines that a board's players see differ from those that the text
/// counts.
#[test]
fn points_that_the_board_names_differently_are_listed() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("star.lud");
    let text = r#"(game "Star" (players 2)
        (equipment { (board (hex Star 3)) (piece "Stone" Each) })
        (rules (start (place "Stone1" coord:"J12")) (play (move Add (to (sites Empty))))
            (end (if (is Line 3) (result Mover Win)))))"#;
    fs::write(&file, text).expect("a folder of ours");
    let output = ludemes(&["check", &file.display().to_string()]);
    let told = printed(&output);
    assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
    assert!(told.contains("its “J12” is k12 there."), "{told}");
    fs::write(&file, text.replace("J12", "S13")).expect("a folder of ours");
    let output = ludemes(&["check", &file.display().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    let (told, way) = (output_text(&output), "`ludemes picture FILE --names` draws");
    assert!(
        told.contains("no site is called \"S13\"") && told.contains(way),
        "{told}"
    );
}

#[test]
fn boards_and_walks_are_drawn() {
    for board in ["(hex 3)", "games/hex.lud"] {
        let output = ludemes(&["picture", board]);
        assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
        assert!(printed(&output).starts_with("<svg"));
    }
    let output = ludemes(&["picture", "(square 3)", "--names"]);
    assert!(
        printed(&output).contains(">C3<"),
        "{}",
        output_text(&output)
    );
    let output = ludemes(&["picture", "(hex 3)", "--drawing"]);
    assert_eq!(printed(&output).matches('o').count(), 19);
    let output = ludemes(&[
        "walks",
        "F R F",
        "--board",
        "(hex 3)",
        "--board",
        "(square 4)",
    ]);
    assert_eq!(printed(&output).matches("3 sites").count(), 2);
    for bad in [
        &["walks", "F G"][..],
        &["walks", "--board", "(hexx 3)"],
        &["picture", "(hex"],
    ] {
        let output = ludemes(bad);
        assert_eq!(output.status.code(), Some(2), "{bad:?}");
        assert!(!output_text(&output).contains("panicked"), "{bad:?}");
    }
}

/// A board's program, which is built without the compiler, reads the compiler's
/// output.
#[test]
fn a_compiled_layout_is_read_without_the_compiler() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("hex.layout");
    let path = file.display().to_string();
    let output = ludemes(&["compile", "games/hex.lud", "--layout", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
    let text = fs::read_to_string(&file).expect("it was written");
    assert!(text.starts_with("cell "), "{text}");
    let layout: protocol::KnownLayout = text.parse().expect("it is a drawing");
    assert_eq!(layout.points(), 121);
    let game = layout.drawing().and_then(ludemes::shown::game_of);
    let game = game.expect("it brings its game");
    assert_eq!(game.cartridge.players(), 2);
    let output = ludemes(&["compile", "games/hex.lud", "--layout", "/nowhere/x"]);
    assert_eq!(output.status.code(), Some(2), "{}", output_text(&output));
}

/// As if the disk were full: the program may not write a byte into files.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_older_file_as_it_was() {
    let folder = tempdir().unwrap();
    let text = fs::read_to_string(Path::new(LANGUAGE).join("games/hex.lud")).unwrap();
    let (game, out) = (folder.path().join("hex.lud"), folder.path().join("out"));
    let paths = [&game, &out].map(|path| path.to_string_lossy().into_owned());
    let unformatted = format!("{text}\n\n");
    for arguments in [
        vec!["compile", &paths[0], "-o", &paths[1]],
        vec!["compile", &paths[0], "--layout", &paths[1]],
        vec!["fmt", &paths[0]],
    ] {
        fs::write(&game, &unformatted).unwrap();
        fs::write(&out, "older").unwrap();
        let limited = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", limited, env!("CARGO_BIN_EXE_ludemes")]);
        let output = shell.args(&arguments).output().unwrap();
        let said = output_text(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(
            said.contains(&folder.path().to_string_lossy()[..]),
            "{said}"
        );
        assert_eq!(fs::read_to_string(&game).unwrap(), unformatted);
        assert_eq!(fs::read_to_string(&out).unwrap(), "older");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

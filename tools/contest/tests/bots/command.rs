//! The command itself, used as on the command line.

use std::fs;

use protocol::{Outcome, Side};
use touchboard_host::{CoreDriver, Session};
use touchboard_links::SessionInFile;

use crate::common::{
    self, Folder, contest, failed, first_legal, folder, json, stderr, stdout, text,
};

#[test]
fn a_contest_writes_its_table_in_three_formats() {
    let folder = folder("table");
    let output = contest(&[
        "run",
        &folder.path(""),
        "--seed",
        "1",
        "--out",
        &folder.path("out"),
    ]);
    let table = stdout(&output);
    assert_eq!(stderr(&output), "");
    assert_eq!(table.lines().count(), 4, "{table}");
    assert_eq!(
        fs::read_to_string(folder.path("out/table.txt")).unwrap(),
        table
    );
    let markdown = fs::read_to_string(folder.path("out/table.md")).unwrap();
    assert_eq!(
        markdown
            .lines()
            .filter(|line| line.starts_with("| "))
            .count(),
        5,
        "{markdown}"
    );
    let value = json(&folder, "out/table.json");
    assert_eq!(value["games"].as_array().map(Vec::len), Some(6));
    let sum = |name: &str| -> u64 {
        let bots = value["bots"].as_array().expect("bots");
        bots.iter()
            .map(|bot| bot[name].as_u64().expect("a number"))
            .sum()
    };
    assert_eq!(
        (sum("games"), sum("won") + sum("drawn") + sum("lost")),
        (12, 12)
    );
    let in_games: u64 = value["games"]
        .as_array()
        .expect("games")
        .iter()
        .flat_map(|game| game["points"].as_array().expect("two").iter())
        .map(|points| points.as_u64().expect("points"))
        .sum();
    assert_eq!(sum("points"), in_games);
}

#[test]
fn the_table_does_not_depend_on_the_number_of_threads() {
    let folder = folder("same");
    folder.bot("chance.wasm", &common::by_seed());
    for format in ["round-robin", "swiss"] {
        let run = |out: &str, workers: &str, seed: &str| {
            let out = folder.path(&format!("{format}-{out}"));
            let output = contest(&[
                "run",
                &folder.path(""),
                "--format",
                format,
                "--rounds",
                "2",
                "--seed",
                seed,
                "--threads",
                workers,
                "--out",
                &out,
                "--json",
                "--fuel",
                "1000000",
            ]);
            let mut table: serde_json::Value =
                serde_json::from_str(&stdout(&output)).expect("JSON");
            // The other values are those that were given on the command line.
            ["bots", "games"].map(|part| table[part].take())
        };
        let one = run("1", "1", "7");
        assert_eq!(one, run("3", "3", "7"), "{format}");
        assert_ne!(one, run("other", "3", "8"), "{format}");
    }
}

#[test]
fn every_game_is_a_session_with_the_same_winner() {
    let folder = folder("sessions");
    folder.bot("trap.wasm", &common::bot("", "unreachable"));
    let out = folder.path("out");
    stdout(&contest(&["run", &folder.path(""), "--out", &out]));
    let games = json(&folder, "out/table.json")["games"].clone();
    let games = games.as_array().expect("games");
    assert_eq!(games.len(), 12);
    for game in games {
        let number = game["game"].as_u64().expect("a number");
        let (x, o) = (game["x"].as_str().unwrap(), game["o"].as_str().unwrap());
        let path = folder.path(&format!("out/games/{number:05}-{x}-{o}.session"));
        let session = Session::load(path.as_ref()).expect("it is a session");
        let header = &session.header;
        let board = CoreDriver::with_games(*header.layout, header.roster, header.seed);
        let mut board = board.expect("there is such a board");
        assert_eq!(
            session.replay(&mut board, &mut |_| {}).expect("it can be"),
            None
        );
        let points = [0, 1].map(|side| game["points"][side].as_u64().expect("points") as u32);
        let expected = match points {
            [16, 0] => Outcome::Won(Side::Green),
            [0, 16] => Outcome::Won(Side::Red),
            _ => Outcome::Draw,
        };
        let text = session.to_text();
        // Before the first mark, the clock of a board does not run, so only the note
        // names the loser.
        let is_untouched = text.contains("after 0 moves");
        let (outcome, points) = match is_untouched {
            true => (None, [0, 0]),
            false => (Some(expected), points),
        };
        assert!(
            !is_untouched || text.contains(&format!("{x} (x) loses 16-0")),
            "{text}"
        );
        assert_eq!(board.board().outcome(), outcome, "game {number}");
        assert_eq!(board.board().score(), Some(points), "game {number}");
        assert!(
            text.contains(&format!("x, green: {x}; o, red: {o}")),
            "{text}"
        );
    }
}

#[test]
fn broken_bots_lose_every_game_with_a_reason() {
    let folder = Folder::new("hostile");
    folder.bot("good.wasm", &first_legal("", 3));
    folder.bot(
        "wasi.wasm",
        &common::bot(
            r#"(import "wasi_snapshot_preview1" "random_get" (func (param i32 i32) (result i32)))"#,
            "(i32.const 0)",
        ),
    );
    folder.bot(
        "loop.wasm",
        &common::bot("", "(loop $on (br $on)) (i32.const 0)"),
    );
    folder.bot("thousand.wasm", &common::bot("", "(i32.const 1000)"));
    fs::write(folder.path("text.wasm"), "this is not a module").unwrap();
    let output = contest(&[
        "run",
        &folder.path(""),
        "--out",
        &folder.path("out"),
        "--fuel",
        "10000000",
    ]);
    let (table, told) = (stdout(&output), stderr(&output));
    assert!(
        told.contains("wasi will lose every game: it imports"),
        "{told}"
    );
    assert!(told.contains("text will lose every game"), "{told}");
    for sentence in [
        "it used up the 10000000 units",
        "it answered 1000",
        "a system call",
    ] {
        assert!(table.contains(sentence), "{table}");
    }
    let value = json(&folder, "out/table.json");
    let good = &value["bots"][0];
    assert_eq!(
        (good["bot"].as_str(), good["points"].as_u64()),
        (Some("good"), Some(8 * 16))
    );
    let loops = value["bots"]
        .as_array()
        .unwrap()
        .iter()
        .find(|bot| bot["bot"] == "loop");
    assert_eq!(
        loops.expect("it takes part")["faults"]["fuel"]
            .as_u64()
            .map(|count| count > 0),
        Some(true)
    );
}

#[test]
fn skipped_and_renamed_bots_are_reported() {
    let folder = folder("told");
    fs::write(folder.path("forgotten.py"), "print('0 0')").unwrap();
    folder.bot("low.WASM", &first_legal("", 0));
    folder.bot("low.wasm", &first_legal("", 3));
    let output = contest(&[
        "run",
        &folder.path(""),
        "--out",
        &folder.path("out"),
        "--no-games",
    ]);
    let (table, told) = (stdout(&output), stderr(&output));
    for sentence in [
        "Note: forgotten.py is not a bot: it is not a .wasm file, and nothing that can be executed (chmod +x).",
        "Note: low.wasm is called low-2.",
    ] {
        assert!(told.contains(sentence), "{told}");
    }
    assert!(
        table.contains(" low-2 ") && table.contains(" low "),
        "{table}"
    );
}

/// A name that clears the screen and looks like two lines.
#[cfg(unix)]
const LOUD: &str = "a\u{1b}[2J\nNote: b";

#[cfg(unix)]
#[test]
fn escape_sequences_in_names_are_never_printed() {
    let folder = folder("loud");
    fs::write(folder.path(&format!("{LOUD}.txt")), "").unwrap();
    fs::write(folder.path(&format!("{LOUD}.wasm")), "no module").unwrap();
    let import = r#"(import "x\1b[2J" "y\0az" (func))"#;
    folder.bot("imports.wasm", &common::bot(import, "(i32.const 0)"));
    let log = r#"(import "game" "log" (func $log (param i32 i32)))
        (data (i32.const 8) "\1b[2J\c2\9b!")"#;
    let logs = "(call $log (i32.const 8) (i32.const 7)) (i32.const 999)";
    folder.bot("logs.wasm", &common::bot(log, logs));
    let out = folder.path("out");
    let output = contest(&["run", &folder.path(""), "--out", &out]);
    let (table, told) = (stdout(&output), stderr(&output));
    let check = contest(&["check", &folder.path("logs.wasm")]);
    let missing = contest(&["check", &folder.path(LOUD)]);
    let mut shown = vec![table, told.clone(), text(&check.stdout), stderr(&missing)];
    for name in ["table.txt", "table.md", "table.json", "journal"] {
        shown.push(fs::read_to_string(folder.path(&format!("out/{name}"))).unwrap());
    }
    for text in &shown {
        let is_harmless = |letter: char| letter == '\n' || !letter.is_control();
        assert!(text.chars().all(is_harmless), "{text:?}");
        assert!(
            !text.contains("\nNote: b") && !text.contains("y\nz"),
            "{text:?}"
        );
    }
    let name = r"a\u{1b}[2J\nNote: b.txt is not a bot";
    assert!(told.contains(name), "{told}");
    assert!(
        shown[0].contains(r"it imports x\u{1b}[2J.y\nz"),
        "{}",
        shown[0]
    );
    assert!(
        shown[2].contains(r"It wrote: \u{1b}[2J\u{9b}!"),
        "{}",
        shown[2]
    );
}

/// A sparse file of three gibibytes, which takes no space on the disk.
#[test]
fn a_file_that_is_too_large_is_refused_unread() {
    const BYTES: u64 = 3 << 30;
    let folder = folder("large");
    let make = |name: &str| {
        let file = fs::File::create(folder.path(name)).expect("it is made");
        file.set_len(BYTES).is_ok()
    };
    if !make("large.wasm") {
        return law::excuse(
            "a_file_that_is_too_large_is_refused_unread",
            "this file system has no files with holes",
        );
    }
    let limited = |arguments: &[&str]| {
        #[allow(unused_mut, reason = "a limit is set on Linux alone")]
        let mut command = common::command(arguments);
        #[cfg(target_os = "linux")]
        common::with_memory(&mut command, 512 << 20);
        command.output().expect("it runs")
    };
    let checked = limited(&["check", &folder.path("large.wasm")]);
    let said = text(&checked.stdout);
    let words = "it has 3221225472 bytes, and a bot has at most 8388608";
    assert!(said.contains(words), "{said}{}", stderr(&checked));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        make("large");
        let all = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.path("large"), all).expect("it is executable");
        std::os::unix::fs::symlink("/dev/zero", folder.path("zero.wasm")).expect("a link");
        #[cfg(target_os = "linux")]
        common::make_pipe(&folder.path("pipe.wasm"));
    }
    let run = limited(&[
        "run",
        &folder.path(""),
        "--out",
        &folder.path("out"),
        "--no-games",
    ]);
    let (table, told) = (stdout(&run), stderr(&run));
    assert!(table.contains(words), "{table}");
    #[cfg(unix)]
    for sentence in [
        "large is not a bot: it has 3221225472 bytes, and a program has at most 1073741824",
        "zero.wasm is not a bot",
    ] {
        assert!(told.contains(sentence), "{told}");
    }
    assert!(
        !cfg!(target_os = "linux") || told.contains("pipe.wasm is not a bot"),
        "{told}"
    );
}

#[test]
fn bad_input_ends_with_2_and_keeps_all_files() {
    let folder = folder("bad");
    fs::create_dir(folder.path("empty")).unwrap();
    fs::create_dir(folder.path("one")).unwrap();
    fs::copy(folder.path("low.wasm"), folder.path("one/low.wasm")).unwrap();
    fs::write(folder.path("one/notes.txt"), "no bot").unwrap();
    let out = folder.path("out");
    stdout(&contest(&[
        "run",
        &folder.path(""),
        "--out",
        &out,
        "--seed",
        "1",
    ]));
    let journal = fs::read(folder.path("out/journal")).unwrap();
    let path = |name: &str| folder.path(name);
    let other = "is the journal of another contest, its seed, format or rounds are others";
    for (arguments, sentence) in [
        (
            vec!["run", &path("none")],
            "cannot be read: there is no such file or folder",
        ),
        (vec!["run", &path("low.wasm")], "cannot be read"),
        (
            vec!["run", &path("empty"), "--out", &path("o1")],
            "there are 0 in",
        ),
        (
            vec!["run", &path("one"), "--out", &path("o2")],
            "notes.txt is not a bot",
        ),
        (vec!["run", &path(""), "--out", &out, "--seed", "2"], other),
        (vec!["run", &path(""), "--out", &out, "--once"], other),
        (
            vec!["run", &path(""), "--out", &out, "--fuel", "5"],
            "its limits are others",
        ),
        (
            vec!["run", &path(""), "--out", &out, "--with-levels"],
            "its bots are others",
        ),
        (
            vec!["run", &path(""), "--out", &path("low.wasm")],
            "cannot be made",
        ),
        (vec!["play", "random", "nobody"], "there is no bot nobody"),
        (vec!["play", "random", "level5"], "there is no bot level5"),
        (vec!["play", "random", &path("one")], "is a folder"),
        (
            vec!["play", "random", &path("one/notes.txt")],
            "is not a bot",
        ),
        (
            vec!["play", "random", "random", "--session", &path("one")],
            "is a folder",
        ),
        (vec!["check", &path("nothing.wasm")], "there is no bot"),
        (vec!["game", &path("empty"), "1"], "cannot be read"),
        (vec!["game", &out, "99"], "there is no game 99"),
    ] {
        let output = contest(&arguments);
        failed(&output, sentence);
    }
    for arguments in [
        &["run"][..],
        &["run", "x", "--rounds", "0"],
        &["run", "x", "--threads", "0"],
    ] {
        assert_eq!(contest(arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(fs::read(folder.path("out/journal")).unwrap(), journal);
}

#[test]
fn play_prints_and_saves_a_game_like_a_contest() {
    let folder = folder("play");
    let session = folder.path("game.session");
    let arguments = [
        "play",
        &folder.path("low.wasm"),
        "level1",
        "--seed",
        "3",
        "--session",
        &session,
    ];
    let printed = stdout(&contest(&arguments));
    assert!(
        printed.starts_with("  1  x  a16  row  0, column  0"),
        "{printed}"
    );
    assert!(
        Session::load(session.as_ref())
            .expect("it is a session")
            .is_complete()
    );
    let last = printed.lines().last().expect("it ends");
    assert!(
        last.contains(" wins 16-0 after ") || last.contains("a draw"),
        "{last}"
    );
    // The second run is the same, except for durations.
    let moves = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.contains("  row "));
        lines.map(|line| line.chars().take(30).collect()).collect()
    };
    assert_eq!(moves(&stdout(&contest(&arguments))), moves(&printed));
    stdout(&contest(&[
        "run",
        &folder.path(""),
        "--out",
        &folder.path("out"),
        "--no-games",
    ]));
    assert_eq!(fs::read_dir(folder.path("out/games")).unwrap().count(), 0);
    let saved = folder.path("third.session");
    let game = contest(&["game", &folder.path("out"), "3", "--session", &saved]);
    let value = json(&folder, "out/table.json");
    let count = value["games"][2]["moves"].as_u64().expect("a number");
    assert_eq!(moves(&stdout(&game)).len() as u64, count);
    assert!(
        Session::load(saved.as_ref())
            .expect("it is a session")
            .is_complete()
    );
}

#[test]
fn check_reports_on_a_bot_in_sentences() {
    let folder = folder("check");
    let good = stdout(&contest(&[
        "check",
        &folder.path("low.wasm"),
        "--games",
        "2",
    ]));
    assert!(good.contains("low keeps the interface: it made "), "{good}");
    assert!(good.contains("64 KiB of memory"), "{good}");
    folder.bot(
        "says.wasm",
        &common::bot(
            r#"(import "game" "log" (func $log (param i32 i32))) (data (i32.const 8) "help")"#,
            "(call $log (i32.const 8) (i32.const 4)) (i32.const 999)",
        ),
    );
    let output = contest(&["check", &folder.path("says.wasm")]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(
        said.contains("does not keep the interface. In its move 1 with x, it answered 999"),
        "{said}"
    );
    assert!(said.contains("It wrote: help"), "{said}");
}

#[test]
fn a_swiss_contest_of_odd_size_has_a_bye_per_round() {
    let folder = folder("swiss");
    let output = contest(&[
        "run",
        &folder.path(""),
        "--format",
        "swiss",
        "--rounds",
        "3",
        "--out",
        &folder.path("out"),
        "--once",
        "--json",
        "--no-games",
    ]);
    let value: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let byes: Vec<u64> = value["bots"]
        .as_array()
        .expect("bots")
        .iter()
        .map(|bot| bot["byes"].as_u64().expect("a number"))
        .collect();
    assert_eq!(byes, [1, 1, 1]);
    assert_eq!(value["games"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_higher_level_of_the_board_beats_random_moves() {
    let output = contest(&["play", "level3", "random", "--seed", "2"]);
    let printed = stdout(&output);
    assert!(printed.contains("level3 (x) wins 16-0"), "{printed}");
}

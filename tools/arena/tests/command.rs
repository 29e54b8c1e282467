//! The command itself, used as on the command line.

use std::process::{Command, Output};

fn arena(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(arguments).output().expect("the arena runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn lines_of_json(output: &Output) -> Vec<serde_json::Value> {
    assert!(output.status.success(), "{}", text(&output.stderr));
    let parse = |line: &str| serde_json::from_str(line).expect("one object a line");
    text(&output.stdout).lines().map(parse).collect()
}

#[test]
fn a_match_prints_one_json_object_per_pair() {
    let output = arena(&[
        "match", "--game", "findthem", "--mode", "all", "--games", "10", "--json",
    ]);
    let lines = lines_of_json(&output);
    assert_eq!(lines.len(), 4 * 3);
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    for line in lines {
        let count = |name: &str| line["series"][name].as_u64().expect("a number");
        assert_eq!(count("won") + count("drawn") + count("lost"), 10);
        let share = line["share"].as_f64().expect("a number");
        let between = line["low"].as_f64() <= Some(share) && Some(share) <= line["high"].as_f64();
        assert!(between, "{line}");
    }
}

#[test]
fn shards_of_a_match_print_what_one_machine_prints() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let games = ["--game", "findthem", "--mode", "all", "--games", "7"];
    let play = |more: &[&str]| {
        let output = arena(&[&["match"], &games[..], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        output
    };
    let file = |name: &str| std::fs::read_to_string(path(name)).expect("it is written");
    let whole = play(&["--out", &path("whole"), "--threads", "1"]);
    for shard in ["1/3", "2/3", "3/3"] {
        let out = path(&shard.replace('/', "-"));
        let printed = play(&["--shard", shard, "--out", &out, "--threads", "2"]).stdout;
        assert_eq!(text(&printed), "");
    }
    // Killed in the middle of a line, and begun again.
    let lines = file("2-3");
    std::fs::write(path("2-3"), &lines[..lines.len() / 2]).expect("it is cut");
    let missing = arena(&["merge", &path("1-3"), &path("2-3"), &path("3-3")]);
    assert_eq!(missing.status.code(), Some(2));
    play(&["--shard", "2/3", "--out", &path("2-3")]);
    assert_eq!(file("2-3"), lines);
    let files = ["3-3", "1-3", "2-3"].map(path);
    let files = files.each_ref().map(String::as_str);
    let merged = arena(&[&["merge", "--out", &path("merged")], &files[..]].concat());
    assert_eq!(
        text(&merged.stdout),
        text(&whole.stdout),
        "{}",
        text(&merged.stderr)
    );
    assert_eq!(file("merged"), file("whole"));
    // A heading that somebody changed.
    let more = file("whole").replacen("\"games\":7", "\"games\":9000000000000000000", 1);
    assert_ne!(more, file("whole"));
    std::fs::write(path("more"), more).expect("it is written");
    let refused = arena(&["merge", &path("more")]);
    assert_eq!(refused.status.code(), Some(2));
    let sentence = text(&refused.stderr);
    assert!(sentence.contains("are too many"), "{sentence}");
    for look in ["--json", "--markdown"] {
        let merged = arena(&[&["merge", look], &files[..]].concat());
        assert_eq!(text(&merged.stdout), text(&play(&[look]).stdout));
    }
}

#[test]
fn a_markdown_table_has_a_row_for_each_mode() {
    let output = arena(&[
        "match",
        "--game",
        "ghost",
        "--mode",
        "all",
        "--games",
        "4",
        "--markdown",
    ]);
    let printed = text(&output.stdout);
    assert!(
        printed.contains("| mode | 2 against 1 | 3 against 2 | 4 against 3 |"),
        "{printed}"
    );
    assert_eq!(
        printed
            .lines()
            .filter(|line| line.starts_with("| 3 | "))
            .count(),
        1
    );
}

#[test]
fn bench_measures_every_level_and_every_kernel() {
    let output = arena(&["bench", "--game", "ghost", "--seconds", "0.01", "--json"]);
    let lines = lines_of_json(&output);
    let players = lines.iter().filter(|line| line["player"] == "Ghost");
    assert_eq!(
        players
            .filter(|line| line["calls_per_s"].as_f64() > Some(0.0))
            .count(),
        4
    );
    let kernels = lines.iter().filter(|line| line["kernel"].is_string());
    assert_eq!(
        kernels
            .filter(|line| line["per_s"].as_f64() > Some(0.0))
            .count(),
        8
    );
}

#[test]
fn bad_input_ends_with_2_and_a_sentence() {
    for arguments in [
        &["match", "--game", "symmetry"][..],
        &["match", "--levels", "5,1"],
        &["gtp", "--engine", "there-is-no-such-program"],
        &["gtp", "--engine", "true", "--game", "ghost"],
        &["gtp", "--engine", "true", "--layout", "9x8"],
        &["gtp", "--engine", "\"open"],
    ] {
        let output = arena(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn the_board_plays_an_engine_through_a_pipe() {
    let engine = format!("'{}' serve --level 1", env!("CARGO_BIN_EXE_arena"));
    let output = arena(&[
        "gtp", "--engine", &engine, "--layout", "5x5", "--level", "2", "--games", "4", "--json",
    ]);
    let [line] = &lines_of_json(&output)[..] else {
        panic!("one line")
    };
    let by_side = line["result"]["by_side"].as_array().expect("two sides");
    let count = |name: &str| -> u64 { by_side.iter().filter_map(|side| side[name].as_u64()).sum() };
    assert_eq!(count("won") + count("drawn") + count("lost"), 4);
    assert_eq!(
        line["result"]["broken_off"].as_array().map(Vec::len),
        Some(0)
    );
    assert_eq!(line["result"]["refused"], 0);
}

#[cfg(unix)]
#[test]
fn an_engine_that_ends_or_is_silent_is_reported() {
    let ends = arena(&["gtp", "--engine", "true"]);
    assert!(
        text(&ends.stderr).contains("the engine ended"),
        "{}",
        text(&ends.stderr)
    );
    let silent = arena(&["gtp", "--engine", "sleep 5", "--timeout-s", "0"]);
    assert!(
        text(&silent.stderr).contains("in time"),
        "{}",
        text(&silent.stderr)
    );
}

#[test]
fn solo_prints_one_line_per_player() {
    let output = arena(&[
        "solo",
        "ishido",
        "--games",
        "5",
        "--by",
        "points,neighbours,level3",
        "--json",
    ]);
    let lines = lines_of_json(&output);
    let who: Vec<&str> = lines
        .iter()
        .filter_map(|line| line["who"].as_str())
        .collect();
    assert_eq!(who, ["points", "neighbours", "level 3"]);
    for line in lines {
        assert_eq!(line["games"], 5, "{line}");
        assert!(line["emptied"].as_u64() <= Some(5), "{line}");
        assert!(
            line["left"].as_f64().is_some_and(|left| left <= 66.0),
            "{line}"
        );
    }
    let output = arena(&["solo", "--games", "2", "--by", "chance"]);
    let printed = text(&output.stdout);
    assert!(printed.contains("| chance | "), "{printed}");
}

#[test]
fn solo_refuses_a_mode_for_two() {
    let output = arena(&["solo", "--mode", "2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("modes for one"));
}

//! Reports and replayed records that several machines share.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The folder of the language, with its games.
const LANGUAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../hil-bridge/ludemes");

fn ludemes(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_ludemes");
    let mut command = Command::new(program);
    let command = command.args(arguments).current_dir(LANGUAGE);
    command.output().expect("it runs")
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("a text")
}

/// The record of a game of noughts and crosses that the first player wins.
fn record() -> String {
    let mut text = "game=tic-tac-toe\nnumInitialPlacementMoves=0\n".to_owned();
    for (mover, site) in [(1, 0), (2, 3), (1, 1), (2, 4), (1, 2)] {
        text.push_str(&format!(
            "Move=[Move:mover={mover},from={site},to={site},actions=[Add:to={site},what={mover}]]\n"
        ));
    }
    text + "winner=1\n"
}

/// Does this alone and in shards, one of which is killed within a line. Returns what one
/// machine prints, and what merging prints; the files are compared here.
fn alone_and_shared(folder: &Path, work: &[&str], code: i32) -> [String; 2] {
    let path = |name: &str| folder.join(name).display().to_string();
    let read = |name: &str| fs::read_to_string(path(name)).expect("it is there");
    let alone = ludemes(&[work, &["--out", &path("whole")]].concat());
    assert_eq!(alone.status.code(), Some(code), "{alone:?}");
    for shard in ["1/3", "2/3", "3/3"] {
        let out = path(&shard.replace('/', "-"));
        ludemes(&[work, &["--shard", shard, "--out", &out]].concat());
    }
    let lines = read("1-3");
    fs::write(path("1-3"), &lines[..lines.len() - 2]).expect("it can be cut");
    let files = ["2-3", "3-3", "1-3"].map(path);
    let out = path("merged");
    let merge = ["merge", "--out", &*out];
    let merge = [&merge[..], &files.each_ref().map(String::as_str)].concat();
    assert_eq!(ludemes(&merge).status.code(), Some(2), "a job is missing");
    ludemes(&[work, &["--shard", "1/3", "--out", &path("1-3")]].concat());
    assert_eq!(read("1-3"), lines, "a killed shard goes on");
    let merged = ludemes(&merge);
    assert_eq!(merged.status.code(), Some(code), "{merged:?}");
    assert_eq!(read("merged"), read("whole"));
    [printed(&alone), printed(&merged)]
}

#[test]
fn shards_of_a_report_add_up_to_the_report_of_one_machine() {
    let folder = tempfile::tempdir().expect("a folder");
    let work = ["report", "games/tic-tac-toe.lud", "--games", "333"];
    let [alone, merged] = alone_and_shared(folder.path(), &work, 0);
    let figures = |report: &str| report.split_once('\n').map(|(_, rest)| rest.to_owned());
    assert_eq!(figures(&alone), figures(&merged));
    // Only the machine's own time is missing.
    let title = merged.lines().next().unwrap_or_default();
    assert_eq!(title, "Tic-Tac-Toe: 333 random games from seed 1");
}

#[test]
fn shards_of_replayed_records_print_what_one_machine_prints() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = folder.path().join("records");
    // What was played in one game is not possible in the other.
    for name in ["tic-tac-toe", "teeko"] {
        fs::create_dir_all(records.join(name)).expect("a folder");
        fs::write(records.join(name).join("one.txt"), record()).expect("it can be written");
    }
    let records = records.display().to_string();
    let work = ["replay", "games", &records, "--all", "--threads", "2"];
    let [alone, merged] = alone_and_shared(folder.path(), &work, 1);
    assert_eq!(alone, merged);
    assert!(alone.contains("AGREES\ttic-tac-toe\t1\t5"), "{alone}");
    assert!(alone.contains("1 of 2 games agree"), "{alone}");
}

#[test]
fn files_of_other_work_are_refused_with_exit_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file").display().to_string();
    let report = |games: &str| {
        let work = ["report", "games/hex.lud", "--games", games, "--out", &path];
        ludemes(&work).status.code()
    };
    assert_eq!(report("3"), Some(0));
    assert_eq!(report("4"), Some(2));
    let one = [
        "replay",
        "games/hex.lud",
        "tests/recorded/hex.txt",
        "--out",
        &path,
    ];
    assert_eq!(ludemes(&one).status.code(), Some(2));
    fs::write(&path, "{\"command\":\"bake\"}\n").expect("it can be written");
    let other = ludemes(&["merge", &path]);
    assert_eq!(other.status.code(), Some(2));
    let says = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(says.contains("`bake` wrote these files"), "{says}");
}

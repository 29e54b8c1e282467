//! A contest that was killed, or whose journal was cut, continues to the same table.

use std::fs;
use std::time::{Duration, Instant};

use crate::common::{self, Folder, contest, failed, first_legal, folder, stderr, stdout};

/// Starts a contest, kills it after a few games (on Unix with SIGKILL), and returns the
/// number of games in the journal.
fn kill_in_the_midst(arguments: &[String], journal: &str) -> usize {
    let mut killed = common::command(arguments).spawn().expect("it runs");
    let give_up = Instant::now() + Duration::from_secs(60);
    let lines = || fs::read_to_string(journal).map_or(0, |text| text.lines().count());
    while lines() < 4 {
        assert!(Instant::now() < give_up, "no game was played");
        std::thread::sleep(Duration::from_millis(2));
    }
    killed.kill().expect("it is killed");
    killed.wait().expect("it has ended");
    lines() - 1
}

#[test]
fn a_killed_contest_continues_to_the_same_table() {
    let folder = Folder::new("killed");
    for (name, cell) in [("a", 0), ("b", 50), ("c", 100), ("d", 150)] {
        // The bot is busy for a moment at each move.
        folder.bot(&format!("{name}.wasm"), &first_legal(common::BUSY, cell));
    }
    let arguments = |out: &str| {
        let run = [
            "run",
            &folder.path(""),
            "--threads",
            "2",
            "--out",
            &folder.path(out),
            "--json",
        ];
        run.map(str::to_owned)
    };
    let whole = stdout(&contest(&arguments("whole").each_ref().map(String::as_str)));
    // If the contest finishes before it is killed, the next attempt kills it earlier.
    let is_killed = (0..5).any(|_| {
        let _ = fs::remove_dir_all(folder.path("killed"));
        kill_in_the_midst(&arguments("killed"), &folder.path("killed/journal")) < 12
    });
    assert!(is_killed, "it was faster than the test, five times");
    let output = contest(&arguments("killed").each_ref().map(String::as_str));
    assert_eq!(stdout(&output), whole);
    let told = stderr(&output);
    assert!(
        told.contains("Going on: ") && told.contains(" of 12 games were played before"),
        "{told}"
    );
    let games = |out: &str| {
        let all = fs::read_dir(folder.path(&format!("{out}/games"))).unwrap();
        let mut names: Vec<_> = all.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(games("killed"), games("whole"));
    assert_eq!(games("whole").len(), 12);
    // The third time, no game is left to play.
    let again = contest(&arguments("killed").each_ref().map(String::as_str));
    assert_eq!(stdout(&again), whole);
    assert!(
        stderr(&again).contains("12 of 12 games"),
        "{}",
        stderr(&again)
    );
}

#[test]
fn a_cut_journal_leads_to_the_same_table() {
    let folder = folder("cut");
    let out = folder.path("out");
    let run = || {
        contest(&[
            "run",
            &folder.path(""),
            "--out",
            &out,
            "--json",
            "--no-games",
        ])
    };
    let whole = stdout(&run());
    let journal = fs::read(folder.path("out/journal")).unwrap();
    // A test of the journal itself cuts at every byte; this one cuts in the middle of
    // each line.
    let mut at = 0;
    for line in journal.split_inclusive(|byte| *byte == b'\n') {
        for cut in [at, at + line.len() / 2] {
            fs::write(folder.path("out/journal"), &journal[..cut]).unwrap();
            let output = run();
            assert_eq!(stdout(&output), whole, "cut at {cut}");
            let told = stderr(&output);
            let is_torn = cut > at && at > 0;
            assert_eq!(
                told.contains("was torn: its game is played again"),
                is_torn,
                "{told}"
            );
        }
        at += line.len();
    }
}

#[test]
fn a_changed_bot_does_not_continue_its_contest() {
    let folder = folder("changed");
    let run = || contest(&["run", &folder.path(""), "--out", &folder.path("out")]);
    stdout(&run());
    folder.bot("low.wasm", &first_legal("", 1));
    failed(&run(), "its bots are others, or were changed since");
}

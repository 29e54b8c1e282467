//! A disk that is full while a file is being written: the command says so and ends with
//! code 2, an older file stays as it is, and no part of a new one is left behind.
//!
//! The disk of a test cannot be filled, but a process can be given a limit for its files,
//! which ends a write in the same way.

use std::fs;
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;
use touchboard_files::KeepFile;
use touchboard_host::Session;
use touchboard_links::SessionInFile;

use crate::common::{command, printed};

/// What the older file contains.
const OLDER: &str = "an older file";

/// Runs the command with files of at most so many blocks of 512 bytes.
fn with_room(blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let own = command();
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script]).arg(own.get_program());
    shell.args(arguments).output().unwrap()
}

/// Checks that the command fails in a sentence about this file, and returns it.
fn refusal_with_room(blocks: u32, arguments: &[&str], file: &Path) -> String {
    let output = with_room(blocks, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(!said.contains("panicked at"), "{arguments:?}: {said}");
    let name = file.file_name().unwrap().to_string_lossy();
    assert!(said.contains(&*name), "{arguments:?}: {said}");
    said
}

/// The names of the files in a folder, with their sizes.
fn files(folder: &Path) -> Vec<(String, u64)> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let named = entries.map(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, entry.metadata().unwrap().len())
    });
    let mut named: Vec<_> = named.collect();
    named.sort();
    named
}

/// A folder for what is read, one for what is written, and the names of files in them.
struct Folders {
    read: TempDir,
    written: TempDir,
}

impl Folders {
    fn new() -> Folders {
        let [read, written] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        fs::write(
            read.path().join("script.txt"),
            "start\ntap d7\nexpect turn red\n",
        )
        .unwrap();
        let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sessions");
        fs::copy(
            sessions.join("col-0.session"),
            read.path().join("col.session"),
        )
        .unwrap();
        Folders { read, written }
    }

    /// Replaces `{script}` and `{session}` by the files that are read, and `{out}` by the
    /// file that is written.
    fn arguments(&self, line: &str, out: &Path) -> Vec<String> {
        let read = |name: &str| self.read.path().join(name).to_string_lossy().into_owned();
        let word = |word: &str| {
            word.replace("{script}", &read("script.txt"))
                .replace("{session}", &read("col.session"))
                .replace("{out}", &out.to_string_lossy())
        };
        line.split(' ').map(word).collect()
    }
}

/// The commands that write a file as a whole, and the name of that file.
const WHOLE: [(&str, &str); 6] = [
    ("picture {session} --out {out}", "picture.png"),
    (
        "picture {session} --every 2000 --until 9000 --out {out}",
        "film.gif",
    ),
    ("test {script} --junit {out}", "results.xml"),
    ("signals {session} --out {out}", "signals.vcd"),
    ("signals {session} --format csv --out {out}", "signals.csv"),
    ("trim {session} --out {out}", "cut.session"),
];

#[test]
fn a_full_disk_leaves_the_older_file_and_no_part_of_a_new_one() {
    for (line, name) in WHOLE {
        let folders = Folders::new();
        let out = folders.written.path().join(name);
        let arguments = folders.arguments(line, &out);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        // Whether nothing fits or a beginning does.
        for blocks in [0, 1] {
            refusal_with_room(blocks, &arguments, &out);
            assert_eq!(files(folders.written.path()), [], "{line}");
            fs::write(&out, OLDER).unwrap();
            refusal_with_room(blocks, &arguments, &out);
            let left = [(name.to_owned(), OLDER.len() as u64)];
            assert_eq!(files(folders.written.path()), left, "{line}");
            fs::remove_file(&out).unwrap();
        }
        printed(&arguments);
        assert!(fs::metadata(&out).unwrap().len() > 512, "{line}");
    }
}

#[test]
fn a_recording_on_a_full_disk_has_whole_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.session");
    let name = file.to_string_lossy().into_owned();
    let record = [
        "record", &name, "--at", "core", "--play", "3", "--steps", "200",
    ];
    let said = refusal_with_room(0, &record, &file);
    assert!(said.contains("cannot be written"), "{said}");
    let _ = fs::remove_file(&file);
    // There is room for the beginning.
    let said = refusal_with_room(8, &record, &file);
    assert!(said.contains("what happened up to there is in"), "{said}");
    let begun = Session::load(&file).expect("whole lines");
    assert!(!begun.is_complete() && begun.acts() > 5);

    fs::write(&file, OLDER).unwrap();
    let said = refusal_with_room(8, &record, &file);
    assert_eq!(fs::read_to_string(&file).unwrap(), OLDER);
    let [(other, _), _] = &files(folder.path())[..] else {
        panic!("{:?}", files(folder.path()));
    };
    let other = match *other == "own.session" {
        true => &files(folder.path())[1].0,
        false => other,
    };
    assert!(said.contains(other), "{said}");
    let begun = Session::load(&folder.path().join(other)).expect("whole lines");
    assert!(!begun.is_complete() && begun.acts() > 5);
}

#[test]
fn a_state_that_does_not_fit_the_disk_leaves_the_older_one() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("game.board");
    let script = folder.path().join("script.txt");
    fs::write(&script, format!("start\nsave {}\n", state.display())).unwrap();
    let shell = ["shell", &*script.to_string_lossy()];
    refusal_with_room(0, &shell, &state);
    assert!(!state.exists());
    fs::write(&state, OLDER).unwrap();
    refusal_with_room(0, &shell, &state);
    assert_eq!(fs::read_to_string(&state).unwrap(), OLDER);
    assert_eq!(files(folder.path()).len(), 2);
}

/// What the shell says while nothing fits the disk. Scores are kept beside the game, so it
/// goes on without them.
fn said_on_full_disk(shell: &[&str]) -> String {
    let output = with_room(0, shell);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    said
}

#[test]
fn scores_that_do_not_fit_the_disk_leave_the_older_ones() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().join("scores");
    let name = keep.to_string_lossy().into_owned();
    let script = folder.path().join("script.txt");
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ludemes/games/hex.lud");
    fs::write(&script, format!("reset {}\nstart\n", game.display())).unwrap();
    let shell = ["shell", &*script.to_string_lossy(), "--keep", &name];
    let said = said_on_full_disk(&shell);
    assert!(said.contains("cannot be written"), "{said}");
    assert!(!keep.exists());

    printed(&shell);
    let older = fs::read(&keep).unwrap();
    fs::write(&script, "reset 6x6\nstart\n").unwrap();
    let said = said_on_full_disk(&shell);
    assert!(said.contains("cannot be written"), "{said}");
    assert_eq!(fs::read(&keep).unwrap(), older);
    KeepFile::open(&keep).unwrap();
    assert_eq!(files(folder.path()).len(), 2);
}

#[test]
fn a_log_of_the_line_on_a_full_disk_has_whole_lines() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("line.log");
    let name = log.to_string_lossy().into_owned();
    let check = [
        "check", "--at", "virtual", "--steps", "200", "--bytes", &name,
    ];
    refusal_with_room(4, &check, &log);
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.len() > 1_000 && text.ends_with('\n'), "{text}");
    let shown = printed(&["watch-line", &name]);
    assert!(shown.contains("request ping"), "{shown}");
}

#[test]
fn a_capture_on_a_full_disk_has_whole_packets() {
    let folder = tempfile::tempdir().unwrap();
    let capture = folder.path().join("line.pcapng");
    let name = capture.to_string_lossy().into_owned();
    let watch = [
        "watch-line",
        "--at",
        "virtual",
        "--play",
        "3",
        "--steps",
        "60",
    ];
    let watch = [&watch[..], &["--pcapng", &name]].concat();
    refusal_with_room(4, &watch, &capture);
    let shown = printed(&["watch-line", &name]);
    assert!(shown.contains("request ping"), "{shown}");
}

#[test]
fn a_log_stays_if_no_board_is_found() {
    let folder = tempfile::tempdir().unwrap();
    for (option, name) in [("--bytes", "line.log"), ("--pcapng", "line.pcapng")] {
        let older = folder.path().join(name);
        fs::write(&older, OLDER).unwrap();
        let nowhere = ["watch-line", "--at", "tcp:127.0.0.1:9", option];
        let output = command().args(nowhere).arg(&older).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(fs::read_to_string(&older).unwrap(), OLDER, "{option}");
    }
}

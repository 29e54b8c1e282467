//! Checks where the computer's calendar is read. It may be set back or jump at any moment,
//! so nothing that is waited for, repeated or given up may depend on it: that is what
//! `Instant` is for, which only goes forward.

use std::fs;
use std::path::{Path, PathBuf};

/// The files that read the calendar, each with what it is for.
const READERS: [(&str, &str); 8] = [
    ("emulator/src/source/system/desktop/text_file.rs", CHANGED),
    ("emulator/tests/window/written.rs", CHANGED),
    ("hil-bridge/command/src/command/watch_line.rs", SHOWN),
    ("hil-bridge/links/src/watch/sources.rs", CHANGED),
    ("tools/book/program/serve.rs", CHANGED),
    ("tools/post/src/cli/play/window.rs", CHANGED),
    ("tools/post/src/mail/compose.rs", SHOWN),
    (
        "tools/post/src/server/mod.rs",
        "days and waits that survive a restart of the server, which no other clock does",
    ),
];

/// A time of a file is only compared with an earlier one, for being another.
const CHANGED: &str = "to notice that a file is another one than before";
const SHOWN: &str = "a date that people read";

/// The names by which Rust reads the calendar.
const NAMES: [&str; 2] = ["SystemTime", "UNIX_EPOCH"];

/// The source files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let is_ours = name != "target" && !name.to_string_lossy().starts_with('.');
        if path.is_dir() && is_ours {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn only_dates_and_changed_files_read_the_calendar() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    for part in [
        "emulator",
        "firmware-core",
        "hil-bridge",
        "protocol",
        "tests",
        "tools",
    ] {
        sources(&root.join(part), &mut all);
    }
    assert!(all.len() > 500, "{} files", all.len());
    let mut readers: Vec<String> = all
        .into_iter()
        .filter(|path| !path.ends_with("xtask/src/calendar.rs"))
        .filter(|path| {
            let text = fs::read_to_string(path).unwrap_or_default();
            // A list of names that others must not use is no use of them.
            text.lines()
                .filter(|line| !line.trim_start().starts_with('"'))
                .any(|line| NAMES.iter().any(|name| line.contains(name)))
        })
        .map(|path| {
            let path = path.strip_prefix(&root).expect("it is below the root");
            path.to_string_lossy().replace('\\', "/")
        })
        .collect();
    readers.sort();
    let known = READERS.map(|(path, _)| path.to_owned());
    assert_eq!(
        readers, known,
        "a file reads the calendar, which may go back: use `Instant`, or say here why not"
    );
}

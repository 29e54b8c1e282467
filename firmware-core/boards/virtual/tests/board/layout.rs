//! `virtual-board --layout FILE`: which files are layouts, and the messages about
//! others.

use std::fs;
use std::process::{Command, Output};

fn board(file: &std::path::Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_virtual-board"))
        .args(["--no-pty", "--layout"])
        .arg(file)
        .output()
        .unwrap()
}

#[test]
fn the_text_of_a_game_is_refused_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = "(game \"Mine\" (players 2))";
    for name in ["mine.lud", "mine.LUD", "mine"] {
        let file = folder.join(name);
        fs::write(&file, text).unwrap();
        let output = board(&file);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        let way = format!("`ludemes compile {} --layout FILE`", file.display());
        assert!(said.contains(&way), "{said}");
    }
    // A valid layout is accepted, so that the only error is the missing plug.
    let drawing = folder.join("drawing");
    fs::write(&drawing, "cell 4x4\nways 1,0\no   o\n").unwrap();
    let output = board(&drawing);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("a board without a plug"), "{said}");
}

//! Tests that the reference in the book equals the command's output.

use std::path::Path;
use std::process::Command;

#[test]
fn the_reference_in_the_book_is_up_to_date() {
    let output = Command::new(env!("CARGO_BIN_EXE_ludemes"))
        .args(["words", "--markdown"])
        .output()
        .expect("the command runs");
    let printed = String::from_utf8(output.stdout).expect("it prints a text");
    assert!(printed.contains("`(move Add "), "{printed}");
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let kept = folders.find_map(|folder| {
        std::fs::read_to_string(folder.join("tools/book/src/ludemes/constructs.md")).ok()
    });
    assert!(
        kept.as_ref() == Some(&printed),
        "tools/book/src/ludemes/constructs.md is not that of this build: \
         `cargo xtask book` writes it"
    );
}

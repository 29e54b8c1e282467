//! Tests that the stored page of walks equals the generated one.

use std::path::Path;
use std::process::Command;

#[test]
fn the_picture_of_walks_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/walks.svg");
    let output = Command::new(env!("CARGO_BIN_EXE_ludemes"))
        .arg("walks")
        .output()
        .unwrap();
    let drawn = String::from_utf8(output.stdout).unwrap();
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == drawn,
        "run `cargo run -p ludemes-command -- walks > tools/ludemes/docs/walks.svg` and look at it"
    );
    assert_eq!(drawn.matches("<g transform").count(), 7 * 4);
    assert!(!drawn.contains("does not fit"));
}

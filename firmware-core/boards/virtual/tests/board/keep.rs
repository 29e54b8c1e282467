//! `virtual-board --keep FILE`: the messages about files that cannot be used.

use std::fs;
use std::process::Command;

#[test]
fn a_broken_or_missing_file_is_an_error_with_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let broken = folder.join("best");
    fs::write(&broken, "no scores").unwrap();
    for path in [&broken, folder, &folder.join("none").join("best")] {
        let output = Command::new(env!("CARGO_BIN_EXE_virtual-board"))
            .args(["--no-pty", "--tcp", "127.0.0.1:0", "--keep"])
            .arg(path)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.starts_with("error: ") && said.contains("best scores"),
            "{said}"
        );
        assert!(said.contains(&path.display().to_string()), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    assert_eq!(fs::read(&broken).unwrap(), b"no scores");
}

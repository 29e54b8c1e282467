//! `mcp` starts another program with the arguments that follow.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};
use std::sync::Mutex;

use tempfile::TempDir;

/// The output of the command when it runs in its own folder, with this program next to it.
fn run(program: Option<&str>, words: &[&str]) -> Output {
    // A file that is written while another thread starts a program cannot be started
    // itself.
    static ONE: Mutex<()> = Mutex::new(());
    let _alone = ONE.lock();
    let folder = TempDir::new().unwrap();
    let own = folder.path().join("hil-bridge");
    fs::copy(env!("CARGO_BIN_EXE_hil-bridge"), &own).unwrap();
    if let Some(script) = program {
        let other = folder.path().join("hil-bridge-mcp");
        fs::write(&other, script).unwrap();
        fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut command = Command::new(own);
    command.arg("mcp").args(words).env("PATH", "");
    command.output().unwrap()
}

#[test]
fn arguments_are_passed_to_the_mcp_program() {
    let echo = "#!/bin/sh\necho \"$@\"\nexit 7\n";
    for words in [&["--at", "qemu", "--limit-s", "5"][..], &["--help"]] {
        let output = run(Some(echo), words);
        let told = String::from_utf8(output.stdout).unwrap();
        assert_eq!(told.trim_end(), words.join(" "));
        assert_eq!(output.status.code(), Some(7));
    }
}

#[test]
fn a_missing_mcp_program_says_how_to_build_it() {
    let output = run(None, &[]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("build it with `cargo xtask mcp`"), "{told}");
    assert_eq!(output.status.code(), Some(2));
}

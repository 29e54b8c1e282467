//! Where the command writes: a closed pipe ends it quietly, and a full disk is named.

use crate::common::{command, hil_bridge, refused};

/// The subcommands with output on a board in this process.
const SPEAKING: [&[&str]; 5] = [
    &["info"],
    &["info", "--json"],
    &["check", "--steps", "3"],
    &["bench", "--count", "3"],
    &["ports", "--at", "core"],
];

#[test]
fn a_closed_output_pipe_ends_the_command_quietly() {
    for arguments in SPEAKING {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command().args(arguments).stdout(writer).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert_eq!(said, "", "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_is_reported_in_a_sentence() {
    for arguments in SPEAKING {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let output = command()
            .args(arguments)
            .stdout(full.unwrap())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        let sentence = "hil-bridge: the answer cannot be written: ";
        assert!(said.starts_with(sentence), "{arguments:?}: {said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_not_the_line() {
    let arguments = ["info", "--at", "virtual", "--bytes", "/dev/full"];
    refused(&arguments, "cannot be written to /dev/full");
    let said = String::from_utf8_lossy(&hil_bridge(&arguments).stderr).into_owned();
    assert!(!said.contains("was lost"), "{said}");
}

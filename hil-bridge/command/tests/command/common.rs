//! Shared code of the tests of the command: running it, and boards that it can reach.

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::ops::Deref;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::{TempDir, tempdir};
use virtual_board::{Options, Running, spawn};

/// The command, before it is given arguments.
pub fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_hil-bridge"))
}

/// Runs the command to its end.
pub fn hil_bridge(arguments: &[impl AsRef<OsStr>]) -> Output {
    command().args(arguments).output().unwrap()
}

/// The output of a successful run.
pub fn printed(arguments: &[impl AsRef<OsStr>]) -> String {
    let output = hil_bridge(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The sentence of a refusal, with exit code 2.
pub fn refusal(arguments: &[impl AsRef<OsStr>]) -> String {
    let output = hil_bridge(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(!said.contains("panicked at"), "{said}");
    said
}

/// Checks that these arguments are refused in a sentence that contains these words.
pub fn refused(arguments: &[&str], words: &str) {
    let said = refusal(arguments);
    assert!(said.contains(words), "{arguments:?}: {said}");
}

/// A file that is removed at the end of its test.
pub struct OwnFile {
    _folder: TempDir,
    path: String,
}

impl Deref for OwnFile {
    type Target = str;

    fn deref(&self) -> &str {
        &self.path
    }
}

impl AsRef<Path> for OwnFile {
    fn as_ref(&self) -> &Path {
        Path::new(&self.path)
    }
}

/// A new file with this name and text.
pub fn file(name: &str, text: &str) -> OwnFile {
    let folder = tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    OwnFile {
        path: path.to_string_lossy().into_owned(),
        _folder: folder,
    }
}

/// Starts a board, behind a pseudo-terminal if the system has them, otherwise at a socket.
pub fn switch_on(options: Options) -> Running {
    let pty = cfg!(unix);
    spawn(Options {
        no_pty: !pty,
        tcp: (!pty).then(|| ([127, 0, 0, 1], 0).into()),
        ..options
    })
    .unwrap()
}

/// Starts a board that listens at this address alone.
pub fn switch_on_at(address: SocketAddr) -> Running {
    spawn(Options {
        no_pty: true,
        tcp: Some(address),
        ..Options::default()
    })
    .unwrap()
}

/// The argument of `--at` for this board.
pub fn at(board: &Running) -> String {
    match (&board.path, board.tcp) {
        (Some(path), _) => path.to_string_lossy().into_owned(),
        (None, address) => format!("tcp:{}", address.unwrap()),
    }
}

/// Sends a running program this signal, such as `INT`.
#[cfg(unix)]
pub fn send_signal(name: &str, child: &std::process::Child) {
    let kill = Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
}

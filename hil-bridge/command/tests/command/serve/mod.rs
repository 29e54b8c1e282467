//! A board that `serve` shares: whoever may have it gets it, alone, and whoever may not is
//! told why, at both ends.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::sync::{Arc, Mutex};

use tempfile::TempDir;

use crate::common::{command, file, refused};

mod labgrid;
mod password;
mod rfc2217;
mod ssh;
mod tls;

/// A password, as `openssl rand -hex 16` makes them.
const PASSWORD: &str = "5f1d0a5b7c3e4f60918273645afebdc1";

/// A command that shares a board until this is dropped.
struct Served {
    child: Child,
    /// The place of the board for clients.
    at: String,
    told: Arc<Mutex<String>>,
}

impl Served {
    /// Shares a board with these options, at a free port of this machine.
    fn with(options: &[&str]) -> Served {
        Served::listening("127.0.0.1:0", options)
    }

    /// Shares a board with these options, at this address.
    fn listening(address: &str, options: &[&str]) -> Served {
        let mut child = command()
            .args(["serve", "--listen", address])
            .args(options)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        let (_, at) = first
            .split_once("--at ")
            .unwrap_or_else(|| panic!("{first}"));
        let at = at.to_owned();
        let told = Arc::new(Mutex::new(String::new()));
        let more = Arc::clone(&told);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                *more.lock().unwrap() += &format!("{line}\n");
            }
        });
        Served { child, at, told }
    }

    /// The address at which it listens.
    fn address(&self) -> &str {
        self.at.split_once(':').unwrap().1
    }

    /// Waits until the command has told this.
    fn tells(&self, words: &str) {
        law::wait_until(words, || self.told.lock().unwrap().contains(words));
    }

    /// Waits until a guest has the board.
    fn is_taken(&self) {
        self.tells("has the board");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("serve told:\n{}", self.told.lock().unwrap());
        }
    }
}

/// A folder of files that only their owner can read.
struct Secrets(TempDir);

impl Secrets {
    fn new() -> Secrets {
        Secrets(TempDir::new().unwrap())
    }

    fn write(&self, name: &str, text: &str) -> String {
        use std::os::unix::fs::PermissionsExt;

        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        path.to_string_lossy().into_owned()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// Checks that a command has succeeded.
fn succeeded(output: &Output) {
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
}

/// A program that keeps its board until it is killed, and says nothing else.
fn keeper(arguments: &[impl AsRef<OsStr>]) -> Child {
    command()
        .args(["shell"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The folder of the command.
fn folder_of_command() -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_hil-bridge"));
    path.parent().unwrap().to_owned()
}

#[test]
fn what_would_share_a_board_with_strangers_is_refused() {
    let secrets = Secrets::new();
    let password = secrets.write("password", PASSWORD);
    let short = secrets.write("short", "sesame\n");
    let open = file("open", PASSWORD);
    let listen = ["serve", "--at=virtual", "--listen"];
    for (arguments, words) in [
        (&["0.0.0.0:0"][..], "can be reached from other machines"),
        (&["192.0.2.1:7777"], "can be reached from other machines"),
        (
            &["0.0.0.0:0", "--password-file", &password],
            "can be reached from other machines",
        ),
        (
            &["127.0.0.1:0", "--rfc2217", "--password-file", &password],
            "RFC 2217 knows no password",
        ),
        (
            &["127.0.0.1:0", "--password-file", &short],
            "a password has at least 12 bytes",
        ),
        (
            &["127.0.0.1:0", "--password-file", &open],
            "others can read it too",
        ),
        (
            &["127.0.0.1:0", "--password-file", "no-such-file"],
            "cannot read no-such-file",
        ),
        (
            &["127.0.0.1:0", "--tls-key", &password],
            "TLS needs three files",
        ),
        (&["nowhere"], "is not ADDRESS:PORT"),
        (&["127.0.0.1:0", "--stdio"], "cannot be used with"),
    ] {
        refused(&[&listen[..], arguments].concat(), words);
    }
    refused(&["serve", "--at=core", "--stdio"], "has none");
    refused(&["serve", "--at=virtual"], "--listen");
    refused(
        &["serve", "--at=/dev/no-such-port", "--listen=127.0.0.1:0"],
        "/dev/no-such-port does not open",
    );
    refused(
        &["info", "--at=virtual", "--password-file", &password],
        "--password-file is only possible with",
    );
}

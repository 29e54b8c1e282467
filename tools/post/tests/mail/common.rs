//! Shared code of the server's tests: folders, processes, and a game of two players.

#![allow(dead_code, reason = "not all of it is used on every system")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use post::transcript::{Match, Stage, verify};
use post::transport::lines::RemoteServer;
use tempfile::TempDir;

/// Longer than anything takes on any machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The options with the address of the server.
pub const ADDRESS: [&str; 2] = ["--address", "post@post.test"];

/// The folder of a test, removed at its end if the test passed.
pub struct Folder(TempDir);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let prefix = format!("touchboard-post-{name}-");
        Folder(tempfile::Builder::new().prefix(&prefix).tempdir().unwrap())
    }

    pub fn whole(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.0.disable_cleanup(std::thread::panicking());
    }
}

/// The command `post` on this store, with password hashes of almost no cost.
pub fn program(store: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_post"));
    command.arg("--store").arg(store);
    command.args(["--hash-memory-kib", "8", "--hash-passes", "1"]);
    for name in ["POST_STORE", "POST_ADDRESS", "POST_SEND", "POST_LOG"] {
        command.env_remove(name);
    }
    command
}

/// Runs a program with this input until it ends.
pub fn run(command: &mut Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writing = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let (done, waited) = channel();
    let reading = std::thread::spawn(move || {
        let _ = done.send(child.wait_with_output());
    });
    let output = waited
        .recv_timeout(PATIENCE)
        .expect("the program ends")
        .unwrap();
    writing.join().unwrap();
    reading.join().unwrap();
    output
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A process that is stopped when this is dropped.
pub struct Running {
    pub child: Child,
    pub lines: BufReader<std::process::ChildStdout>,
}

impl Running {
    /// Starts `serve` with these arguments.
    pub fn serve(store: &Path, arguments: &[&str]) -> Running {
        let mut command = program(store);
        command.arg("serve").args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Running { child, lines }
    }

    /// The port that the process prints next.
    pub fn port(&mut self, name: &str) -> SocketAddr {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        let (said, port) = line.trim().split_once(' ').expect("a name and a port");
        assert_eq!(said, name);
        port.parse().unwrap()
    }

    /// Kills the process with SIGKILL.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

pub fn client(port: SocketAddr) -> RemoteServer {
    RemoteServer::connect(&port.to_string(), PATIENCE).unwrap()
}

/// Waits until `look` returns something.
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited for {what} in vain");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The board of a transcript.
pub fn board_of(transcript: &str) -> Match {
    verify(transcript)
        .unwrap_or_else(|sentence| panic!("{sentence}\n{transcript}"))
        .board
}

/// The player to move, and a move; `None` once the game is over.
pub fn next_move(board: &Match) -> Option<(String, String)> {
    let Stage::Move(side) = board.stage else {
        return None;
    };
    let legal = board.standing().unwrap().legal(1);
    Some((board.name(side).to_owned(), legal[0].clone()))
}

/// All files below a folder, with their contents.
pub fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            let mut bytes = Vec::new();
            fs::File::open(&path)
                .unwrap()
                .read_to_end(&mut bytes)
                .unwrap();
            all.push((path, bytes));
        }
    }
    all
}

/// A mail of a person.
pub fn mail(from: &str, id: &str, text: &str) -> String {
    format!(
        "From: {from}\r\nTo: post@post.test\r\nSubject: Our game\r\nMessage-ID: <{id}>\r\n\r\n{text}\r\n"
    )
}

/// A store with two players, whose addresses are confirmed.
pub fn with_players(store: &Path) {
    let lines = "user register alice alice-secret alice@play.test\n\
        user register bob bob-secret bob@play.test\n";
    // Without an address of its own, the server does not ask for confirmation.
    let output = run(program(store).arg("run"), lines.as_bytes());
    assert!(output.status.success(), "{}", text(&output.stderr));
}

//! Shared code of the tests of the command: folders of bots, and bots in a few lines.

#![allow(dead_code, reason = "not all of it is used on every system")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder for a test, removed when the test is over.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = place().join(format!("contest-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        #[cfg(unix)]
        if is_root() {
            // The user who runs the programs also writes the results.
            std::os::unix::fs::chown(&folder, Some(NOBODY), Some(NOBODY)).expect("it is given");
        }
        Folder(folder)
    }

    pub fn path(&self, name: &str) -> String {
        let path = if name.is_empty() {
            self.0.clone()
        } else {
            self.0.join(name)
        };
        path.to_string_lossy().into_owned()
    }

    /// A WebAssembly bot of this text.
    pub fn bot(&self, name: &str, text: &str) {
        let bytes = wat::parse_str(text).expect("it is WebAssembly text");
        fs::write(self.path(name), bytes).expect("it is written");
    }

    /// Writes an executable script.
    #[cfg(unix)]
    pub fn program(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt;
        fs::write(self.path(name), text).expect("it is written");
        let all = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(name), all).expect("it is made executable");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.0);
            // The last test removes the parent folder.
            let _ = self.0.parent().map(fs::remove_dir);
        }
    }
}

/// The parent of the test folders. Programs are not run as root, and the user who runs
/// them instead may not be able to enter the build folder.
fn place() -> PathBuf {
    #[cfg(unix)]
    if is_root() {
        let own = format!("contest-tests-{}", std::process::id());
        let place = std::env::temp_dir().join(own);
        fs::create_dir_all(&place).expect("a folder");
        return fs::canonicalize(place).expect("it is there");
    }
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// The user with the fewest rights on every system.
#[cfg(unix)]
pub const NOBODY: u32 = 65_534;

#[cfg(unix)]
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The command for tests that run programs: under another user, if the tests run as root.
#[cfg(unix)]
pub fn as_user<T: AsRef<std::ffi::OsStr>>(arguments: &[T]) -> Command {
    use std::os::fd::AsRawFd;
    use std::os::unix::process::CommandExt;
    if !cfg!(target_os = "linux") || !is_root() {
        return command(arguments);
    }
    // An open file can be executed, whatever folder it is in, so it stays open.
    static FILE: std::sync::OnceLock<fs::File> = std::sync::OnceLock::new();
    let file = FILE
        .get_or_init(|| fs::File::open(env!("CARGO_BIN_EXE_contest")).expect("it can be opened"));
    let mut command = Command::new(format!("/proc/self/fd/{}", file.as_raw_fd()));
    command.args(arguments).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.uid(NOBODY).gid(NOBODY).current_dir("/");
    // The programs on root's path may not be accessible to others.
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    command
}

/// The same without namespaces, which many containers do not permit.
#[cfg(target_os = "linux")]
pub fn as_user_without_namespaces<T: AsRef<std::ffi::OsStr>>(arguments: &[T]) -> Command {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
    use std::os::unix::process::CommandExt;
    let rules = [(libc::SYS_unshare, Vec::new())].into();
    let machine = std::env::consts::ARCH.try_into().expect("it has filters");
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, machine);
    let filter: BpfProgram = filter
        .and_then(BpfProgram::try_from)
        .expect("it is a filter");
    let mut command = as_user(arguments);
    let put_up = move || seccompiler::apply_filter(&filter).map_err(std::io::Error::other);
    // SAFETY: the closure only makes two system calls.
    unsafe { command.pre_exec(put_up) };
    command
}

/// True if the system has all protections for programs, including namespaces if
/// `namespaces` is set. Otherwise prints that the test has nothing to check.
#[cfg(target_os = "linux")]
pub fn has_walls_or_excuses(test: &str, namespaces: bool) -> bool {
    let probe = |more: &[&str]| contest_of_programs(&[&["inside", "--probe"], more].concat());
    let whole = probe(&[]);
    let has_namespaces = whole.status.success();
    let output = match has_namespaces {
        true => whole,
        false => probe(&["--no-namespaces"]),
    };
    let missing = match has_namespaces || !namespaces {
        true => stdout(&output),
        false => "namespaces".to_owned(),
    };
    if !missing.is_empty() {
        law::excuse(test, &format!("there are no walls to judge: {missing}"));
    }
    missing.is_empty()
}

/// Limits the address space to this many bytes.
#[cfg(target_os = "linux")]
pub fn with_memory(command: &mut Command, bytes: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    use std::os::unix::process::CommandExt;
    let most = Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    let limit = move || Ok(setrlimit(Resource::As, most)?);
    // SAFETY: the closure only makes one system call.
    unsafe { command.pre_exec(limit) };
}

/// Creates a named pipe to which nobody writes.
#[cfg(target_os = "linux")]
pub fn make_pipe(path: &str) {
    let path = std::ffi::CString::new(path).expect("a path");
    // SAFETY: the text ends with a zero.
    let made = unsafe { libc::mkfifo(path.as_ptr(), 0o644) };
    assert_eq!(made, 0);
}

/// The processes whose command line contains `words`.
#[cfg(target_os = "linux")]
pub fn processes_of(words: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("it is there").flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let has_words = |number: &u32| {
        let line = fs::read(format!("/proc/{number}/cmdline"));
        let own = *number == std::process::id();
        !own && line.is_ok_and(|line| text(&line).contains(words))
    };
    numbers.filter(has_words).collect()
}

/// Waits until no process with `words` in its command line is left; the system takes a
/// moment to end killed processes.
#[cfg(target_os = "linux")]
#[track_caller]
pub fn ends(words: &str) {
    let give_up = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !processes_of(words).is_empty() {
        assert!(
            std::time::Instant::now() < give_up,
            "left: {:?}",
            processes_of(words)
        );
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// A Python bot that answers with the first legal cell. It executes `before` first, and
/// `at_move` before each answer.
pub fn python(before: &str, at_move: &str) -> String {
    format!(
        "#!/usr/bin/env python3
import sys
{before}
def legal(cells, is_open):
    for cell in range(256):
        block = cell // 64 * 4 + cell % 16 // 4
        if cells[cell] == '-' and is_open[block] == '+':
            return cell // 16, cell % 16
for line in sys.stdin:
    words = line.split()
    if words[0] == 'move':
        row, column = legal(words[3], words[5])
        {at_move}
        print(row, column, flush=True)
"
    )
}

/// Runs the command for bots that are programs.
#[cfg(unix)]
pub fn contest_of_programs(arguments: &[&str]) -> Output {
    as_user(arguments).output().expect("it runs")
}

pub fn command<T: AsRef<std::ffi::OsStr>>(arguments: &[T]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contest"));
    command.args(arguments).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn contest(arguments: &[&str]) -> Output {
    command(arguments).output().expect("it runs")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The standard output of a command, which must have succeeded.
#[track_caller]
pub fn stdout(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

pub fn stderr(output: &Output) -> String {
    text(&output.stderr)
}

/// Asserts that the command exited with 2 and a sentence with these words.
#[track_caller]
pub fn failed(output: &Output, words: &str) {
    let told = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains(words), "{told}");
    assert!(!told.contains("panicked"), "{told}");
}

pub fn json(folder: &Folder, name: &str) -> serde_json::Value {
    let text = fs::read_to_string(folder.path(name)).expect("it is there");
    serde_json::from_str(&text).expect("it is JSON")
}

/// A bot with these items and this body of `play`.
pub fn bot(items: &str, play: &str) -> String {
    // Imports must precede the memory.
    format!(
        "(module {items}
           (memory (export \"memory\") 1)
           (func (export \"state\") (result i32) (i32.const 64))
           (func (export \"play\") (result i32) {play}))"
    )
}

/// A function that computes for a fraction of a millisecond.
pub const BUSY: &str = "(func $busy (local $n i32)
    (local.set $n (i32.const 60000))
    (loop $on (local.set $n (i32.sub (local.get $n) (i32.const 1))) (br_if $on (local.get $n))))";

/// A folder with three bots that play to the end. Each marks the first legal cell from
/// another place of the board on.
pub fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.bot("low.wasm", &first_legal("", 0));
    folder.bot("high.wasm", &first_legal("", 77));
    folder.bot("mid.wasm", &first_legal("", 140));
    folder
}

/// A bot that marks the first legal cell from `from` on, wrapping around; with [`BUSY`]
/// among its items, it is busy before each move.
pub fn first_legal(items: &str, from: u32) -> String {
    first_legal_from(items, &format!("(i32.const {from})"))
}

/// A bot that starts at a different cell in each game.
pub fn by_seed() -> String {
    first_legal_from("", "(i32.load8_u offset=360 (i32.const 0))")
}

fn first_legal_from(items: &str, from: &str) -> String {
    let busy = if items.is_empty() { "" } else { "(call $busy)" };
    let play = format!(
        "(local $cell i32) {busy}
         (local.set $cell {from})
         (loop $next
           (if (i32.or
                 (i32.load8_u offset=64 (local.get $cell))
                 (i32.eqz (i32.load8_u offset=336
                   (i32.add
                     (i32.mul (i32.div_u (local.get $cell) (i32.const 64)) (i32.const 4))
                     (i32.div_u (i32.rem_u (local.get $cell) (i32.const 16)) (i32.const 4))))))
             (then
               (local.set $cell (i32.rem_u (i32.add (local.get $cell) (i32.const 1)) (i32.const 256)))
               (br $next))))
         (local.get $cell)"
    );
    bot(items, &play)
}

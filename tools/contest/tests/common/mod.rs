//! What tests of the command need: folders of bots, and bots in a few lines.

#![allow(dead_code, reason = "no test program needs all of it")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder of its own, gone when the test is over.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("contest-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
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

    /// A program.
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
        }
    }
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

/// What it printed, and that it succeeded.
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

/// That it ended with 2 and a sentence with these words.
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

/// A bot with these items, and this as the body of its `play`.
pub fn bot(items: &str, play: &str) -> String {
    // Imports stand before the memory.
    format!(
        "(module {items}
           (memory (export \"memory\") 1)
           (func (export \"state\") (result i32) (i32.const 64))
           (func (export \"play\") (result i32) {play}))"
    )
}

/// A function that computes for a part of a millisecond.
pub const BUSY: &str = "(func $busy (local $n i32)
    (local.set $n (i32.const 60000))
    (loop $on (local.set $n (i32.sub (local.get $n) (i32.const 1))) (br_if $on (local.get $n))))";

/// A bot that marks the first legal cell from this one on, around the board; one
/// with [`BUSY`] among its items is busy before.
pub fn first_legal(items: &str, from: u32) -> String {
    first_legal_from(items, &format!("(i32.const {from})"))
}

/// One that begins at another cell in each game.
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

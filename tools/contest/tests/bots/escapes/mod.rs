//! Malicious bots: each tries to escape from the sandbox, and the test checks that it did
//! not succeed.
//!
//! Every bot is tried with namespaces, if the system has them, and without, as in a
//! container that does not permit them. Without them, the list of system calls has to be
//! sufficient.

mod bounds;
mod calls;
mod others;

use std::process::Command;

use crate::common::{self, Folder, python, stderr, stdout};

/// The common beginning of all bots here: `call` makes a system call by its number
/// and reports the result, `tell` writes once for its author.
const CALLS: &str = "
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(name, number, *arguments):
    ctypes.set_errno(0)
    words = [a if isinstance(a, bytes) else ctypes.c_long(a) for a in arguments]
    result = libc.syscall(ctypes.c_long(number), *words)
    return f'{name}:{result}:{ctypes.get_errno()}'
def attempt(name, act):
    try:
        return f'{name}:{act()!r}'
    except Exception as error:
        return f'{name}:{type(error).__name__}'
told = []
def tell(*words):
    if not told:
        told.append(1)
        for word in words:
            print(word, file=sys.stderr, flush=True)
";

/// The values of `namespaces`: with, and without.
const SETTINGS: [bool; 2] = [true, false];

fn command(namespaces: bool, arguments: &[&str]) -> Command {
    match namespaces {
        true => common::as_user(arguments),
        false => common::as_user_without_namespaces(arguments),
    }
}

/// The output of a game of this bot against random moves.
fn play(namespaces: bool, folder: &Folder, name: &str, more: &[&str]) -> String {
    let path = folder.path(name);
    let arguments = [&["play", &path, "random"], more].concat();
    let output = command(namespaces, &arguments).output().expect("it runs");
    stdout(&output)
}

/// A bot that executes this code at its first move.
fn bot(folder: &Folder, name: &str, act: &str) {
    let act = act.trim().replace('\n', "\n        ");
    folder.program(name, &python(CALLS, &act));
}

/// The words that a bot reported, one per line.
fn told(said: &str) -> Vec<&str> {
    let lines = said.lines();
    lines
        .filter_map(|line| line.split_once(" wrote: ").map(|(_, word)| word))
        .collect()
}

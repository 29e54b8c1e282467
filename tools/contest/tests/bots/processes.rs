//! Bots that are programs: the lines that they exchange, and forbidden actions.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::{
    self, Folder, contest_of_programs as contest, json, python, stderr, stdout, text,
};

/// Checks a bot in this folder. Returns whether it follows the interface, and the output.
fn check(folder: &Folder, name: &str, more: &[&str]) -> (bool, String) {
    let path = folder.path(name);
    let arguments = [&["check", &path, "--games", "2"], more].concat();
    let output = contest(&arguments);
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 1)), "{}", stderr(&output));
    (code == Some(0), text(&output.stdout))
}

#[track_caller]
fn is_at_fault(folder: &Folder, name: &str, more: &[&str], words: &str) -> String {
    let (keeps, said) = check(folder, name, more);
    assert!(!keeps && said.contains(words), "{said}");
    said
}

fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

#[test]
fn a_program_that_answers_may_write_to_its_author() {
    let folder = Folder::new("answers");
    folder.program("bot.py", &python("", "print('thinking', file=sys.stderr)"));
    let (keeps, said) = check(&folder, "bot.py", &[]);
    assert!(keeps, "{said}");
    assert!(said.contains("bot keeps the interface: it made "), "{said}");
    let game = stdout(&contest(&["play", &folder.path("bot.py"), "random"]));
    assert!(game.contains("bot wrote: thinking"), "{game}");
}

#[test]
fn the_example_in_python_beats_random_moves() {
    let folder = Folder::new("example");
    fs::copy(own("bots/first.py"), folder.path("first.py")).unwrap();
    let said = stdout(&contest(&[
        "check",
        &folder.path("first.py"),
        "--games",
        "4",
    ]));
    assert!(
        said.contains("first keeps the interface") && said.contains("won 4 of them"),
        "{said}"
    );
}

#[test]
fn faults_of_programs_include_their_output() {
    let folder = Folder::new("faults");
    folder.program("garbage.py", &python("", "print('let me see', flush=True)"));
    is_at_fault(
        &folder,
        "garbage.py",
        &[],
        "it wrote \"let me see\", and an answer is a row",
    );
    folder.program(
        "python2.py",
        &python("", "print((row, column), flush=True)"),
    );
    is_at_fault(&folder, "python2.py", &[], "it wrote \"(0, 0)\"");
    folder.program("invalid.py", &python("", "row = 16"));
    is_at_fault(
        &folder,
        "invalid.py",
        &[],
        "it marked row 16, column 0, which is not on the board",
    );
    folder.program("raises.py", &python("", "row = {}['nothing']"));
    let said = is_at_fault(
        &folder,
        "raises.py",
        &[],
        "it ended in the middle of the game",
    );
    assert!(said.contains("It wrote: KeyError: 'nothing'"), "{said}");
    folder.program("long.py", &python("", "print('9' * 100000, flush=True)"));
    is_at_fault(&folder, "long.py", &[], "a line of more than 64 bytes");
    folder.program("ends.sh", "#!/bin/sh\nexit 0\n");
    is_at_fault(
        &folder,
        "ends.sh",
        &[],
        "it ended in the middle of the game (exit status: 0)",
    );
    folder.program(
        "closes.py",
        &python("", "import os, time; os.close(1); time.sleep(60)"),
    );
    is_at_fault(&folder, "closes.py", &[], "it closed its standard output");
    // A file without a first line that names a program is run by the shell.
    folder.program("nothing.bin", "this is not a program");
    let said = is_at_fault(&folder, "nothing.bin", &[], "(exit status: 127)");
    assert!(said.contains("not found"), "{said}");
    folder.program("lost.py", "#!/usr/bin/no-such-python\n");
    is_at_fault(
        &folder,
        "lost.py",
        &[],
        "its first line names a program that is not there",
    );
}

#[test]
fn a_silent_or_flooding_program_costs_one_move_time() {
    let folder = Folder::new("time");
    folder.program("sleeps.py", &python("import time", "time.sleep(60)"));
    folder.program("spins.py", &python("", "\n        while True: pass"));
    let began = Instant::now();
    for name in ["sleeps.py", "spins.py"] {
        is_at_fault(
            &folder,
            name,
            &["--move-ms", "400"],
            "it did not answer within 400 ms",
        );
    }
    folder.program(
        "floods.py",
        &python("", "\n        while True: print('0 0')"),
    );
    is_at_fault(
        &folder,
        "floods.py",
        // Starting Python may take long on a busy machine.
        &["--move-ms", "30000"],
        "it marked row 0, column 0",
    );
    folder.program(
        "shouts.py",
        &python(
            "",
            "\n        while True: print('!' * 999, file=sys.stderr)",
        ),
    );
    is_at_fault(&folder, "shouts.py", &["--move-ms", "400"], "within 400 ms");
    assert!(
        began.elapsed() < Duration::from_secs(60),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn no_process_or_file_of_a_bot_remains() {
    let folder = Folder::new("left");
    folder.program(
        "waits.py",
        &python(
            "import time; print('begun', file=sys.stderr, flush=True)",
            "time.sleep(60)",
        ),
    );
    // Starting Python may take long on a busy machine.
    let patience = ["--move-ms", "10000"];
    let said = is_at_fault(&folder, "waits.py", &patience, "within 10000 ms");
    assert!(said.contains("It wrote: begun"), "{said}");
    #[cfg(target_os = "linux")]
    common::ends(&folder.path("waits.py"));
}

#[test]
fn a_program_plays_and_its_last_output_is_in_the_journal() {
    let folder = Folder::new("part");
    fs::copy(own("bots/first.py"), folder.path("first.py")).unwrap();
    folder.bot("low.wasm", &common::first_legal("", 0));
    folder.program("raises.py", &python("", "raise ValueError('oh no')"));
    let arguments = [
        "run",
        &folder.path(""),
        "--out",
        &folder.path("out"),
        "--json",
    ];
    let table = stdout(&contest(&arguments));
    let value = json(&folder, "out/table.json");
    assert_eq!(value["bots"][2]["bot"], "raises");
    assert_eq!(value["bots"][2]["faults"]["exit"], 4);
    let journal = fs::read_to_string(folder.path("out/journal")).unwrap();
    assert!(journal.contains("ValueError: oh no"), "{journal}");
    fs::remove_dir_all(folder.path("out")).unwrap();
    assert_eq!(stdout(&contest(&arguments)), table);
}

/// Actions that are forbidden for a bot on Linux. Each is tried at its first move.
#[cfg(target_os = "linux")]
mod walls {
    use super::*;
    use crate::common::has_walls_or_excuses;

    #[test]
    fn a_bot_has_no_threads_no_processes_and_no_network() {
        if !has_walls_or_excuses("a_bot_has_no_threads_no_processes_and_no_network", false) {
            return;
        }
        let folder = Folder::new("walls");
        for (name, before, at_move, words) in [
            (
                "thread",
                "import threading",
                "threading.Thread(target=print).start()",
                "a thread or another process (clone)",
            ),
            ("fork", "import os", "os.fork()", "another process ("),
            (
                "spawn",
                "import subprocess",
                "subprocess.run(['true'])",
                "another process (",
            ),
            ("shell", "import os", "os.system('true')", "process ("),
            (
                "plug",
                "import socket",
                "socket.socket()",
                "the network (socket)",
            ),
            (
                "name",
                "import socket",
                "socket.getaddrinfo('example.org', 80)",
                "the network (",
            ),
        ] {
            let file = format!("{name}.py");
            folder.program(&file, &python(before, at_move));
            let said = is_at_fault(&folder, &file, &[], "it asked the system for ");
            let one_line = said.lines().next().unwrap_or_default();
            assert!(one_line.contains(words), "{said}");
            assert!(!said.contains("contest inside"), "{said}");
        }
        folder.program("runs.sh", "#!/bin/sh\nread line\ntrue | cat\n");
        is_at_fault(&folder, "runs.sh", &[], "another process");
    }

    #[test]
    fn allowing_threads_allows_nothing_else() {
        if !has_walls_or_excuses("allowing_threads_allows_nothing_else", false) {
            return;
        }
        let folder = Folder::new("threads");
        let thread = "t = threading.Thread(target=int); t.start(); t.join()";
        folder.program("thread.py", &python("import threading", thread));
        assert!(check(&folder, "thread.py", &["--allow-threads"]).0);
        folder.program("fork.py", &python("import os", "os.fork()"));
        is_at_fault(&folder, "fork.py", &["--allow-threads"], "another process");
    }

    #[test]
    fn a_bot_can_neither_change_files_nor_send_signals() {
        if !has_walls_or_excuses("a_bot_can_neither_change_files_nor_send_signals", false) {
            return;
        }
        let folder = Folder::new("files");
        fs::write(folder.path("mine"), "precious").unwrap();
        let mine = folder.path("mine");
        let parent = "os.getppid()";
        for (name, act) in [
            ("write", format!("open({mine:?}, 'w')")),
            ("append", format!("open({mine:?}, 'a').write('x')")),
            ("make", format!("open({mine:?} + '2', 'w')")),
            ("remove", format!("os.remove({mine:?})")),
            ("rename", format!("os.rename({mine:?}, {mine:?} + '2')")),
            ("folder", format!("os.mkdir({mine:?} + '3')")),
            ("mode", format!("os.chmod({mine:?}, 0)")),
            ("time", format!("os.utime({mine:?}, (0, 0))")),
            ("cut", format!("os.truncate({mine:?}, 0)")),
            ("link", format!("os.symlink('/', {mine:?} + '4')")),
            ("kill", format!("os.kill({parent}, 9)")),
            ("stop", format!("os.kill({parent}, 19)")),
        ] {
            let file = format!("{name}.py");
            folder.program(&file, &python("import os", &act));
            let said = is_at_fault(&folder, &file, &[], "it ended in the middle of the game");
            assert!(said.contains("Error: [Errno "), "{name}: {said}");
        }
        assert_eq!(fs::read_to_string(&mine).unwrap(), "precious");
        let names = fs::read_dir(folder.path(""))
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let others = names
            .filter(|name| !name.to_string_lossy().ends_with(".py"))
            .count();
        assert_eq!(others, 1);
        // Reading is allowed, and so is writing to `/dev/null`.
        let reads = format!("open({mine:?}).read(); open('/dev/null', 'w').write('x')");
        folder.program("reads.py", &python("", &reads));
        let (keeps, said) = check(&folder, "reads.py", &[]);
        assert!(keeps, "{said}");
    }

    #[test]
    fn a_bot_is_limited_in_memory() {
        if !has_walls_or_excuses("a_bot_is_limited_in_memory", false) {
            return;
        }
        let folder = Folder::new("memory");
        folder.program("grows.py", &python("", "row = len(bytearray(400 << 20))"));
        let said = is_at_fault(&folder, "grows.py", &["--process-mib", "200"], "it ended");
        assert!(said.contains("MemoryError"), "{said}");
    }

    #[test]
    fn a_bot_does_not_inherit_environment_variables() {
        let folder = Folder::new("variables");
        folder.program(
            "tells.py",
            &python("import os", "sys.exit(repr(sorted(os.environ)))"),
        );
        let path = folder.path("tells.py");
        let mut command = common::as_user(&["check", &path]);
        let output = command
            .env("SECRET_TOKEN", "abc")
            .output()
            .expect("it runs");
        let said = text(&output.stdout);
        assert!(
            said.contains("PATH") && !said.contains("SECRET_TOKEN"),
            "{said}"
        );
    }
}

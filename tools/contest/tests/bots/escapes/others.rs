//! Other bots, their files, and the processes and files of the contest.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;

use super::*;
use crate::common::{has_walls_or_excuses, processes_of};

/// A bot that reports at the end of a game whether it was disturbed.
fn victim(folder: &Folder) {
    let text = python(
        "
import os, resource
def state():
    limits = [resource.getrlimit(kind) for kind in (0, 1, 3, 7, 9)]
    return limits, os.sched_getscheduler(0), os.sched_getaffinity(0), os.getpriority(0, 0)
before = state()
",
        "print('harmed' if state() != before else 'unharmed', file=sys.stderr, flush=True)",
    );
    folder.program("victim.py", &text);
}

/// What a bot does that wants to harm every process it can name.
fn attack() -> String {
    format!(
        "
answers = set()
everybody = [int(name) for name in os.listdir('/proc') if name.isdigit()] if os.path.isdir('/proc') else []
others = [number for number in everybody + [1, os.getppid()] if number != os.getpid()]
for other in others:
    for kind in (0, 1, 3, 7, 9):
        answers.add(call('prlimit', {prlimit}, other, kind, b'\\0' * 16, 0))
    answers.add(call('scheduler', {scheduler}, other, 5, b'\\0' * 4))
    answers.add(call('affinity', {affinity}, other, 8, b'\\1' + b'\\0' * 7))
    answers.add(call('priority', {priority}, 0, other, 19))
    answers.add(call('kill', {kill}, other, 9))
    for name in ('mem', 'oom_score_adj', 'clear_refs', 'coredump_filter', 'comm'):
        for path in (f'/proc/{{other}}/{{name}}', f'/proc/self/../{{other}}/{{name}}'):
            answers.add(attempt('open', lambda: open(path, 'r+b').write(b'0')))
answers.add(attempt('own mem', lambda: open('/proc/self/mem', 'r+b')))
tell(' '.join(sorted(answers)))",
        prlimit = libc::SYS_prlimit64,
        scheduler = libc::SYS_sched_setscheduler,
        affinity = libc::SYS_sched_setaffinity,
        priority = libc::SYS_setpriority,
        kill = libc::SYS_kill,
    )
}

#[test]
fn a_bot_harms_neither_its_rival_nor_the_contest() {
    if !has_walls_or_excuses("a_bot_harms_neither_its_rival_nor_the_contest", false) {
        return;
    }
    for namespaces in SETTINGS {
        let folder = Folder::new("rival");
        victim(&folder);
        bot(&folder, "attacker.py", &attack());
        let out = folder.path("out");
        let arguments = ["run", &folder.path(""), "--out", &out, "--threads", "1"];
        let output = command(namespaces, &arguments).output().expect("it runs");
        stdout(&output);
        let value = common::json(&folder, "out/table.json");
        for bot in value["bots"].as_array().expect("bots") {
            assert_eq!(bot["faults"], serde_json::json!({}), "{value}");
        }
        let journal = fs::read_to_string(folder.path("out/journal")).unwrap();
        assert!(
            journal.contains("unharmed") && !journal.contains("\"harmed\""),
            "{journal}"
        );
        for name in ["prlimit", "scheduler", "affinity", "kill"] {
            assert!(journal.contains(&format!("{name}:-1:1")), "{journal}");
        }
        for success in [
            "prlimit:0",
            "scheduler:0",
            "affinity:0",
            "kill:0",
            "priority:0",
            "open:1",
            "mem:<",
        ] {
            assert!(!journal.contains(success), "{success}: {journal}");
        }
    }
}

/// What a bot does that looks for files: its own, those of others, the system's.
fn look(diary: &str) -> String {
    format!(
        "
def read(path):
    return attempt(path.rsplit('/', 1)[-1], lambda: open(path, 'rb').read(6))
paths = ['opening.txt', 'helpers/more.txt', 'looks.py']
paths += ['victim.py', 'module.wasm', 'link.txt', '.secret', 'out/journal', {diary:?}, '/etc/hostname', '/etc/fstab']
tell(' '.join(read(path) for path in paths),
    'folder', *sorted(os.listdir('.')),
    'root', ' '.join(sorted(os.listdir('/'))),
    'processes', *sorted(name for name in attempt('', lambda: os.listdir('/proc')).split(\"'\") if name.isdigit()))"
    )
}

#[test]
fn a_bot_sees_only_its_own_and_system_files() {
    if !has_walls_or_excuses("a_bot_sees_only_its_own_and_system_files", true) {
        return;
    }
    let folder = Folder::new("sees");
    let elsewhere = Folder::new("elsewhere");
    fs::write(elsewhere.path("diary"), "dear diary").unwrap();
    fs::write(folder.path(".secret"), "hidden").unwrap();
    fs::write(folder.path("opening.txt"), "useful").unwrap();
    fs::create_dir(folder.path("helpers")).unwrap();
    fs::write(folder.path("helpers/more.txt"), "useful, too").unwrap();
    std::os::unix::fs::symlink(folder.path("victim.py"), folder.path("link.txt")).unwrap();
    victim(&folder);
    folder.bot("module.wasm", &common::first_legal("", 0));
    let out = folder.path("out");
    bot(&folder, "looks.py", &look(&elsewhere.path("diary")));
    let run = ["run", &folder.path(""), "--out", &out, "--no-games"];
    stdout(&command(true, &run).output().expect("it runs"));
    // The bot meets the others in turn, and reports in each of its games.
    let games = ["1", "2", "3"].map(|game| stdout(&common::contest(&["game", &out, game])));
    let said = games.iter().find(|said| said.contains("looks wrote"));
    let said = said.expect("it plays");
    let lines: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_prefix("looks wrote: "))
        .collect();
    assert_eq!(
        lines[0],
        "opening.txt:b'useful' more.txt:b'useful' looks.py:b'#!/usr' \
         victim.py:FileNotFoundError module.wasm:FileNotFoundError link.txt:FileNotFoundError \
         .secret:FileNotFoundError journal:FileNotFoundError diary:FileNotFoundError \
         hostname:FileNotFoundError fstab:FileNotFoundError",
        "{said}"
    );
    let after = |heading: &str| {
        let place = lines.iter().position(|line| *line == heading);
        place.expect("it is told") + 1
    };
    assert_eq!(
        lines[after("folder")..after("root") - 1],
        ["helpers", "looks.py", "opening.txt"],
        "{said}"
    );
    let root = lines[after("root")];
    assert!(!root.contains("home") && !root.contains("var"), "{said}");
    // The bot itself and its keeper, if they are visible at all.
    let processes = &lines[after("processes")..];
    assert!(
        processes.iter().all(|number| ["1", "2"].contains(number)),
        "{said}"
    );
}

#[test]
fn bots_do_not_inherit_open_files() {
    if !has_walls_or_excuses("bots_do_not_inherit_open_files", false) {
        return;
    }
    for namespaces in SETTINGS {
        let folder = Folder::new("inherited");
        let act = "
import fcntl
def is_open(number):
    try:
        fcntl.fcntl(number, fcntl.F_GETFD)
        return True
    except OSError:
        return False
opened = [number for number in range(3, 4096) if is_open(number)]
tell(f'open:{opened}')";
        bot(&folder, "looks.py", act);
        fs::write(folder.path("secret"), "secret").unwrap();
        let secret = fs::File::open(folder.path("secret")).unwrap();
        let number = secret.as_raw_fd();
        let out = folder.path("out");
        folder.bot("other.wasm", &common::first_legal("", 0));
        let arguments = ["run", &folder.path(""), "--out", &out];
        let mut command = command(namespaces, &arguments);
        // A file that the process which started the contest left open.
        let leave = move || match unsafe { libc::dup2(number, 77) } {
            77 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        };
        // SAFETY: the closure only makes one system call.
        unsafe { command.pre_exec(leave) };
        stdout(&command.output().expect("it runs"));
        let journal = fs::read_to_string(folder.path("out/journal")).unwrap();
        assert!(journal.contains("open:[]"), "{journal}");
    }
}

#[test]
fn killing_a_contest_kills_its_bots() {
    if !has_walls_or_excuses("killing_a_contest_kills_its_bots", false) {
        return;
    }
    for namespaces in SETTINGS {
        let folder = Folder::new("along");
        // The bot answers once, ignores signals, and then sleeps.
        let act = format!(
            "
import signal, time
for number in range(1, 32):
    if number not in (9, 19): signal.signal(number, signal.SIG_IGN)
call('deaf', {prctl}, 1, 0); call('group', {setsid})
print(row, column, flush=True)
while True: time.sleep(1)",
            prctl = libc::SYS_prctl,
            setsid = libc::SYS_setsid
        );
        bot(&folder, "stays.py", &act);
        let path = folder.path("stays.py");
        let arguments = ["play", &path, "random", "--move-ms", "3600000"];
        let mut contest = command(namespaces, &arguments).spawn().expect("it runs");
        let mut printed = BufReader::new(contest.stdout.take().expect("its output"));
        let mut line = String::new();
        printed.read_line(&mut line).expect("it is read");
        assert!(line.starts_with("  1  x"), "{line}");
        // The contest, the two processes that keep the bot, and the bot.
        assert_eq!(processes_of(&path).len(), 4, "{:?}", processes_of(&path));
        contest.kill().expect("it is killed");
        contest.wait().expect("it has ended");
        common::ends(&path);
    }
}

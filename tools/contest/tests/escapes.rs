//! Malicious bots: each tries to escape from the sandbox, and the test checks that it did
//! not succeed.
//!
//! Every bot is tried with namespaces, if the system has them, and without, as in a
//! container that does not permit them. Without them, the list of system calls has to be
//! sufficient.

#![cfg(target_os = "linux")]

mod common;

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};

use common::{Folder, has_walls, processes_of, python, stderr, stdout};

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

/// A system call: its name, its number, and its arguments in Python.
type Call = (&'static str, i64, String);

/// Code for a bot that tries calls which must fail as not permitted, without ending it.
fn refused(mine: &str) -> String {
    let mut all = on_files(mine);
    all.extend(on_open_files());
    all.extend(on_processes());
    all.extend(on_limits());
    all.extend(on_the_system());
    #[cfg(target_arch = "x86_64")]
    all.extend([
        (
            "futimesat",
            libc::SYS_futimesat,
            format!("-100, b'{mine}', 0"),
        ),
        ("chmod", libc::SYS_chmod, format!("b'{mine}', 0")),
        ("utimes", libc::SYS_utimes, format!("b'{mine}', 0")),
        ("unlink", libc::SYS_unlink, format!("b'{mine}'")),
        ("creat", libc::SYS_creat, format!("b'{mine}2', 420")),
    ]);
    let mut act = String::from("answers = []\n");
    for (name, number, arguments) in all {
        let _ = writeln!(act, "answers.append(call({name:?}, {number}, {arguments}))");
    }
    // A line holds 400 bytes, and 20 lines are kept.
    act + "tell(*[' '.join(answers[n:n + 8]) for n in range(0, len(answers), 8)])"
}

/// Calls that would change a file.
fn on_files(mine: &str) -> Vec<Call> {
    vec![
        ("fchmodat2", 452, format!("-100, b'{mine}', 0, 0")),
        (
            "fchmodat",
            libc::SYS_fchmodat,
            format!("-100, b'{mine}', 0"),
        ),
        (
            "utimensat",
            libc::SYS_utimensat,
            format!("-100, b'{mine}', 0, 0"),
        ),
        (
            "setxattr",
            libc::SYS_setxattr,
            format!("b'{mine}', b'user.a', b'b', 1, 0"),
        ),
        (
            "setxattrat",
            463,
            format!("-100, b'{mine}', 0, b'user.a', 0, 0"),
        ),
        (
            "unlinkat",
            libc::SYS_unlinkat,
            format!("-100, b'{mine}', 0"),
        ),
        ("truncate", libc::SYS_truncate, format!("b'{mine}', 0")),
    ]
}

/// Calls that would change what others share through a file that is open.
fn on_open_files() -> Vec<Call> {
    vec![
        ("flock", libc::SYS_flock, "0, 6".into()),
        ("F_SETLK", libc::SYS_fcntl, "0, 6, 0".into()),
        ("F_OFD_SETLK", libc::SYS_fcntl, "0, 37, 0".into()),
        ("F_SETOWN", libc::SYS_fcntl, "0, 8, 1".into()),
        ("F_SETOWN_EX", libc::SYS_fcntl, "0, 15, 0".into()),
        ("F_SETSIG", libc::SYS_fcntl, "0, 10, 9".into()),
        ("F_NOTIFY", libc::SYS_fcntl, "0, 1026, 0".into()),
        ("F_SETPIPE_SZ", libc::SYS_fcntl, "1, 1031, 1048576".into()),
        ("F_SETLEASE", libc::SYS_fcntl, "0, 1024, 0".into()),
        ("TIOCSTI", libc::SYS_ioctl, "0, 0x5412, b'x'".into()),
        ("TIOCLINUX", libc::SYS_ioctl, "0, 0x541c, b'x'".into()),
        ("TIOCSCTTY", libc::SYS_ioctl, "0, 0x540e, 0".into()),
        (
            "FS_IOC_SETFLAGS",
            libc::SYS_ioctl,
            "0, 0x40086602, b'x'".into(),
        ),
    ]
}

/// Calls that would reach another process, or outlive the bot.
fn on_processes() -> Vec<Call> {
    vec![
        ("PR_SET_PDEATHSIG", libc::SYS_prctl, "1, 0".into()),
        ("PR_SET_DUMPABLE", libc::SYS_prctl, "4, 1".into()),
        ("PR_SET_PTRACER", libc::SYS_prctl, "0x59616d61, -1".into()),
        ("PR_SET_CHILD_SUBREAPER", libc::SYS_prctl, "36, 1".into()),
        ("PR_SET_MM", libc::SYS_prctl, "35, 1, 0, 0, 0".into()),
        ("kill group", libc::SYS_kill, "0, 9".into()),
        ("kill all", libc::SYS_kill, "-1, 9".into()),
        ("kill parent", libc::SYS_kill, "os.getppid(), 9".into()),
        (
            "tgkill",
            libc::SYS_tgkill,
            "os.getppid(), os.getppid(), 9".into(),
        ),
        ("tkill", libc::SYS_tkill, "os.getppid(), 9".into()),
        (
            "rt_sigqueueinfo",
            libc::SYS_rt_sigqueueinfo,
            "os.getppid(), 9, 0".into(),
        ),
        ("pidfd_open", libc::SYS_pidfd_open, "os.getppid(), 0".into()),
        (
            "pidfd_send_signal",
            libc::SYS_pidfd_send_signal,
            "0, 9, 0, 0".into(),
        ),
        ("ptrace", libc::SYS_ptrace, "16, os.getppid(), 0, 0".into()),
        (
            "process_vm_readv",
            libc::SYS_process_vm_readv,
            "os.getppid(), 0, 0, 0, 0, 0".into(),
        ),
        (
            "process_vm_writev",
            libc::SYS_process_vm_writev,
            "os.getppid(), 0, 0, 0, 0, 0".into(),
        ),
    ]
}

/// Calls that would take more than a bot gets, or run as somebody else.
fn on_limits() -> Vec<Call> {
    vec![
        (
            "own limit",
            libc::SYS_prlimit64,
            "0, 7, b'\\0' * 16, 0".into(),
        ),
        ("setrlimit", libc::SYS_setrlimit, "7, b'\\0' * 16".into()),
        (
            "sched_setscheduler",
            libc::SYS_sched_setscheduler,
            "0, 5, b'\\0' * 4".into(),
        ),
        ("sched_setattr", libc::SYS_sched_setattr, "0, 0, 0".into()),
        (
            "sched_setaffinity",
            libc::SYS_sched_setaffinity,
            "0, 8, b'\\1' + b'\\0' * 7".into(),
        ),
        ("setpriority", libc::SYS_setpriority, "2, 0, 19".into()),
        (
            "ioprio_set",
            libc::SYS_ioprio_set,
            "3, os.getuid(), 24583".into(),
        ),
        ("setpgid", libc::SYS_setpgid, "0, 0".into()),
        ("setsid", libc::SYS_setsid, String::new()),
        ("setuid", libc::SYS_setuid, "0".into()),
        ("personality", libc::SYS_personality, "0x0040000".into()),
        (
            "execveat",
            libc::SYS_execveat,
            "0, b'', 0, 0, 0x1000".into(),
        ),
    ]
}

/// Calls that would change memory, the kernel or the network.
fn on_the_system() -> Vec<Call> {
    vec![
        (
            "MAP_SHARED",
            libc::SYS_mmap,
            "0, 1 << 20, 3, 0x21, -1, 0".into(),
        ),
        (
            "MAP_SHARED_VALIDATE",
            libc::SYS_mmap,
            "0, 1 << 20, 1, 0x23, -1, 0".into(),
        ),
        (
            "MAP_GROWSDOWN",
            libc::SYS_mmap,
            "0, 1 << 20, 3, 0x122, -1, 0".into(),
        ),
        (
            "MAP_SHARED of a file",
            libc::SYS_mmap,
            "0, 1 << 12, 3, 1, 0, 0".into(),
        ),
        ("mlock", libc::SYS_mlock, "0, 4096".into()),
        ("mlockall", libc::SYS_mlockall, "3".into()),
        ("bpf", libc::SYS_bpf, "0, 0, 0".into()),
        (
            "perf_event_open",
            libc::SYS_perf_event_open,
            "0, 0, 0, 0, 0".into(),
        ),
        ("userfaultfd", libc::SYS_userfaultfd, "0".into()),
        ("keyctl", libc::SYS_keyctl, "0, -3, 1".into()),
        (
            "add_key",
            libc::SYS_add_key,
            "b'user', b'a', b'b', 1, -4".into(),
        ),
        ("unshare", libc::SYS_unshare, "0x10000000".into()),
        ("setns", libc::SYS_setns, "0, 0".into()),
        ("mount", libc::SYS_mount, "0, b'/', 0, 0x1020, 0".into()),
        ("umount2", libc::SYS_umount2, "b'/tmp', 2".into()),
        ("chroot", libc::SYS_chroot, "b'/'".into()),
        ("setsockopt", libc::SYS_setsockopt, "0, 1, 8, 0, 0".into()),
        ("socket", libc::SYS_socket, "1, 1, 0".into()),
    ]
}

#[test]
fn what_would_harm_others_is_not_permitted_and_the_game_goes_on() {
    if !has_walls("what_would_harm_others", false) {
        return;
    }
    for namespaces in SETTINGS {
        let folder = Folder::new("refused");
        let mine = folder.path("mine");
        fs::write(&mine, "precious").unwrap();
        let before = fs::metadata(&mine).unwrap();
        bot(&folder, "tries.py", &refused(&mine).replace(", )", ")"));
        let said = play(namespaces, &folder, "tries.py", &[]);
        assert!(!said.contains(" loses "), "{said}");
        let words = told(&said).join(" ");
        // A name may contain a blank.
        let answers = words.split(":-1:1").count() - 1;
        let all = refused(&mine).matches("answers.append").count();
        assert_eq!(answers, all, "{words}");
        let after = fs::metadata(&mine).unwrap();
        assert_eq!(after.mtime_nsec(), before.mtime_nsec());
        assert_eq!(after.permissions().mode(), before.permissions().mode());
        assert_eq!(fs::read_to_string(&mine).unwrap(), "precious");
        assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 2);
    }
}

#[test]
fn what_libraries_do_without_is_absent() {
    if !has_walls("what_libraries_do_without", false) {
        return;
    }
    let folder = Folder::new("absent");
    let mut act = String::from("answers = []\n");
    for (name, number) in [
        ("clone3", libc::SYS_clone3),
        ("openat2", libc::SYS_openat2),
        ("seccomp", libc::SYS_seccomp),
        ("io_uring_setup", libc::SYS_io_uring_setup),
        ("io_uring_enter", libc::SYS_io_uring_enter),
        ("of the future", 499),
    ] {
        let _ = writeln!(act, "answers.append(call({name:?}, {number}, 0, 0, 0, 0))");
    }
    bot(&folder, "tries.py", &(act + "tell(*answers)"));
    for namespaces in SETTINGS {
        let said = play(namespaces, &folder, "tries.py", &[]);
        assert!(!said.contains(" loses "), "{said}");
        let words = told(&said);
        assert!(
            words.len() == 6 && words.iter().all(|word| word.ends_with(":-1:38")),
            "{words:?}"
        );
    }
}

/// Calls that end the bot: each is one that no bot needs.
fn deadly(key: i64) -> Vec<Call> {
    let mut ways = vec![
        ("shmget", libc::SYS_shmget, format!("{key}, 4096, 0o1600")),
        ("msgget", libc::SYS_msgget, format!("{key}, 0o1600")),
        ("semget", libc::SYS_semget, format!("{key}, 1, 0o1600")),
        ("mq_open", libc::SYS_mq_open, "b'thor', 66, 384, 0".into()),
        ("memfd_create", libc::SYS_memfd_create, "b'a', 0".into()),
        ("sethostname", libc::SYS_sethostname, "b'thor', 4".into()),
        (
            "setdomainname",
            libc::SYS_setdomainname,
            "b'thor', 4".into(),
        ),
        (
            "clock_settime",
            libc::SYS_clock_settime,
            "0, b'\\0' * 16".into(),
        ),
        (
            "clock_adjtime",
            libc::SYS_clock_adjtime,
            "0, b'\\0' * 208".into(),
        ),
        ("fsopen", libc::SYS_fsopen, "b'tmpfs', 0".into()),
        ("open_tree", libc::SYS_open_tree, "-100, b'/', 1".into()),
        (
            "move_mount",
            libc::SYS_move_mount,
            "0, b'', 0, b'', 0".into(),
        ),
        (
            "mount_setattr",
            libc::SYS_mount_setattr,
            "-100, b'/', 0, 0, 0".into(),
        ),
        ("pivot_root", libc::SYS_pivot_root, "b'/', b'/'".into()),
        ("pidfd_getfd", libc::SYS_pidfd_getfd, "0, 0, 0".into()),
        (
            "name_to_handle_at",
            libc::SYS_name_to_handle_at,
            "-100, b'/', 0, 0, 0".into(),
        ),
        (
            "open_by_handle_at",
            libc::SYS_open_by_handle_at,
            "0, 0, 0".into(),
        ),
        ("inotify_init1", libc::SYS_inotify_init1, "0".into()),
        ("fanotify_init", libc::SYS_fanotify_init, "0, 0".into()),
        ("sync", libc::SYS_sync, "0".into()),
        ("reboot", libc::SYS_reboot, "0, 0, 0, 0".into()),
        (
            "remap_file_pages",
            libc::SYS_remap_file_pages,
            "0, 0, 0, 0, 0".into(),
        ),
        (
            "socketpair",
            libc::SYS_socketpair,
            "2, 1, 0, b'\\0' * 8".into(),
        ),
        (
            "connect",
            libc::SYS_connect,
            "0, b'\\1\\0\\0thor', 7".into(),
        ),
        ("bind", libc::SYS_bind, "0, b'\\1\\0\\0thor', 7".into()),
        (
            "sendto",
            libc::SYS_sendto,
            "0, b'a', 1, 0, b'\\1\\0\\0thor', 7".into(),
        ),
        ("sendmsg", libc::SYS_sendmsg, "0, b'\\0' * 56, 0".into()),
        ("clone", libc::SYS_clone, "17, 0, 0, 0, 0".into()),
    ];
    #[cfg(target_arch = "x86_64")]
    ways.extend([
        ("fork", libc::SYS_fork, "0".into()),
        ("vfork", libc::SYS_vfork, "0".into()),
        // The second set of numbers: getpid.
        ("system call 1073741863", 0x4000_0000 + 39, "0".into()),
    ]);
    ways
}

#[test]
fn any_other_call_ends_the_bot_and_is_told_by_its_name() {
    if !has_walls("any_other_call_ends_the_bot", false) {
        return;
    }
    let key = 0x7468_6f72;
    let ways = deadly(key);
    let folder = Folder::new("deadly");
    for (index, (name, number, arguments)) in ways.iter().enumerate() {
        let act = format!("call({name:?}, {number}, {arguments})");
        bot(&folder, &format!("way{index}.py"), &act);
        for namespaces in SETTINGS {
            let said = play(namespaces, &folder, &format!("way{index}.py"), &[]);
            let last = said.lines().last().unwrap_or_default();
            let words = format!("({name}), which no bot may");
            let is_told = last.contains("(x) loses 16-0 after 0 moves: it asked the system for ");
            assert!(is_told && last.contains(&words), "{name}: {said}");
        }
    }
    for kind in ["shm", "msg", "sem"] {
        let list = fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default();
        assert!(!list.contains(&key.to_string()), "{list}");
    }
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    assert_ne!(name.trim(), "thor");
}

/// The system call interface for 32-bit programs has its own numbers.
#[test]
#[cfg(target_arch = "x86_64")]
fn the_gate_for_older_programs_is_shut() {
    if !has_walls("the_gate_for_older_programs", false) {
        return;
    }
    let folder = Folder::new("gate");
    // mov eax, 20 (getpid); int 0x80; ret
    let act = "
libc.mmap.restype = ctypes.c_void_p
place = libc.mmap(None, ctypes.c_long(4096), 7, 0x22, -1, ctypes.c_long(0))
ctypes.memmove(place, bytes([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3]), 8)
number = ctypes.CFUNCTYPE(ctypes.c_int)(place)()
tell(f'number:{number}')";
    bot(&folder, "gate.py", act);
    for namespaces in SETTINGS {
        let said = play(namespaces, &folder, "gate.py", &[]);
        let last = said.lines().last().unwrap_or_default();
        // A kernel without this interface ends the program itself.
        let is_ended = last
            .contains("it asked the system for what is not its own, which no bot may")
            || last.contains("it ended in the midst");
        assert!(is_ended && told(&said).is_empty(), "{said}");
    }
}

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

#[test]
fn a_bot_harms_neither_its_rival_nor_the_contest() {
    if !has_walls("a_bot_harms_neither_its_rival_nor_the_contest", false) {
        return;
    }
    for namespaces in SETTINGS {
        let folder = Folder::new("rival");
        victim(&folder);
        let act = format!(
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
        );
        bot(&folder, "attacker.py", &act);
        let out = folder.path("out");
        let arguments = ["run", &folder.path(""), "--out", &out, "--workers", "1"];
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
        for answer in [
            "prlimit:-1:1",
            "scheduler:-1:1",
            "affinity:-1:1",
            "kill:-1:1",
        ] {
            assert!(journal.contains(answer), "{journal}");
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

#[test]
fn a_bot_sees_its_own_files_and_the_systems_and_no_others() {
    if !has_walls("a_bot_sees_its_own_files", true) {
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
    let act = format!(
        "
def read(path):
    return attempt(path.rsplit('/', 1)[-1], lambda: open(path, 'rb').read(6))
paths = ['opening.txt', 'helpers/more.txt', 'looks.py']
paths += ['victim.py', 'module.wasm', 'link.txt', '.secret', 'out/journal', {diary:?}, '/etc/hostname', '/etc/fstab']
tell(' '.join(read(path) for path in paths),
    'folder', *sorted(os.listdir('.')),
    'root', ' '.join(sorted(os.listdir('/'))),
    'processes', *sorted(name for name in attempt('', lambda: os.listdir('/proc')).split(\"'\") if name.isdigit()))",
        diary = elsewhere.path("diary"),
    );
    bot(&folder, "looks.py", &act);
    let run = ["run", &folder.path(""), "--out", &out, "--no-games"];
    stdout(&command(true, &run).output().expect("it runs"));
    // The bot meets the others in turn, and reports in each of its games.
    let games = ["1", "2", "3"].map(|game| stdout(&common::contest(&["game", &out, game])));
    let said = games
        .iter()
        .find(|said| said.contains("looks wrote"))
        .expect("it plays");
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
    let (folder_at, root_at) = (
        lines
            .iter()
            .position(|line| *line == "folder")
            .expect("it is told"),
        lines
            .iter()
            .position(|line| *line == "root")
            .expect("it is told"),
    );
    assert_eq!(
        lines[folder_at + 1..root_at],
        ["helpers", "looks.py", "opening.txt"],
        "{said}"
    );
    assert!(
        !lines[root_at + 1].contains("home") && !lines[root_at + 1].contains("var"),
        "{said}"
    );
    // The bot itself and its keeper, if they are visible at all.
    let processes = &lines[root_at + 3..];
    assert!(
        processes.iter().all(|number| ["1", "2"].contains(number)),
        "{said}"
    );
}

#[test]
fn files_that_the_contest_has_open_are_not_its_bots() {
    if !has_walls("files_that_the_contest_has_open", false) {
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
fn open_files_and_threads_are_counted() {
    if !has_walls("open_files_and_threads_are_counted", true) {
        return;
    }
    let folder = Folder::new("counted");
    let act = "
import threading, time
files = []
try:
    while len(files) < 10000: files.append(os.open('/dev/null', 0))
except OSError: pass
threads = []
try:
    while len(threads) < 1000:
        threads.append(threading.Thread(target=time.sleep, args=(5,), daemon=True))
        threads[-1].start()
except RuntimeError: pass
tell(f'{len(files)} {len(threads)}')
os.closerange(10, 10000)";
    bot(&folder, "many.py", act);
    let said = play(
        true,
        &folder,
        "many.py",
        &["--allow-threads", "--process-mib", "4096"],
    );
    let words = told(&said);
    let numbers: Vec<u32> = words[0]
        .split(' ')
        .map(|word| word.parse().expect("a number"))
        .collect();
    assert!(numbers[0] > 10 && numbers[0] <= 256, "{said}");
    assert!(numbers[1] > 10 && numbers[1] <= 128, "{said}");
}

#[test]
fn a_killed_contest_takes_its_bots_along() {
    if !has_walls("a_killed_contest_takes_its_bots_along", false) {
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

#[test]
fn shared_memory_does_not_get_around_the_bound() {
    if !has_walls("shared_memory_does_not_get_around_the_bound", false) {
        return;
    }
    let folder = Folder::new("shared");
    let act = format!(
        "
import mmap
zero = lambda: call('mmap', {mmap}, 0, 1 << 20, 1, 1, os.open('/dev/zero', 0), 0)
tell(attempt('nameless', lambda: mmap.mmap(-1, 1 << 20)), attempt('zero', zero))",
        mmap = libc::SYS_mmap
    );
    bot(&folder, "maps.py", &act);
    for (namespaces, zero) in [
        (true, "zero:FileNotFoundError"),
        (false, "zero:'mmap:-1:1'"),
    ] {
        let said = play(namespaces, &folder, "maps.py", &[]);
        // On a system without namespaces, both settings are the second one.
        let zero = match has_walls("shared_memory_does_not_get_around_the_bound", namespaces) {
            true => zero,
            false => "zero:'mmap:-1:1'",
        };
        assert_eq!(told(&said), ["nameless:PermissionError", zero], "{said}");
    }
}

#[test]
fn root_runs_no_programs_and_still_plays_with_modules() {
    if !common::is_root() {
        return law::excuse(
            "root_runs_no_programs_and_still_plays_with_modules",
            "only root can judge",
        );
    }
    let folder = Folder::new("root");
    folder.bot("low.wasm", &common::first_legal("", 0));
    folder.bot("high.wasm", &common::first_legal("", 77));
    let run =
        || -> Output { common::contest(&["run", &folder.path(""), "--out", &folder.path("out")]) };
    stdout(&run());
    folder.program("bot.py", &python("", ""));
    let bot = folder.path("bot.py");
    let words = "are not run as root, whom no wall keeps out: run contest as another user";
    common::failed(&run(), words);
    common::failed(&common::contest(&["check", &bot]), words);
    common::failed(&common::contest(&["play", &bot, "random"]), words);
    let inside = common::contest(&["inside", "--", &bot]);
    assert_eq!(inside.status.code(), Some(125));
    assert!(stderr(&inside).contains("root"), "{}", stderr(&inside));
}

#[test]
fn what_is_missing_is_told_once() {
    if !has_walls("what_is_missing_is_told_once", false) {
        return;
    }
    let folder = Folder::new("missing");
    folder.program("bot.py", &python("", ""));
    folder.program("other.py", &python("", ""));
    let arguments = ["run", &folder.path(""), "--out", &folder.path("out")];
    let output = command(false, &arguments).output().expect("it runs");
    stdout(&output);
    let sentence = "Note: bots see all files that you may read, and your processes: the system does not permit user namespaces.";
    assert_eq!(
        stderr(&output).matches(sentence).count(),
        1,
        "{}",
        stderr(&output)
    );
}

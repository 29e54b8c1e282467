//! System calls that no bot needs: refused, absent, or the end of the bot.
//!
//! The tables are by what a call would do: to files, to processes, to limits, to the
//! system.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use super::*;
use crate::common::has_walls_or_excuses;

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
fn harmful_calls_are_denied_and_the_game_continues() {
    if !has_walls_or_excuses("harmful_calls_are_denied_and_the_game_continues", false) {
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
fn optional_system_calls_are_absent() {
    if !has_walls_or_excuses("optional_system_calls_are_absent", false) {
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

/// Calls that end the bot: each is one that no bot needs. `key` names what is shared.
fn deadly(key: i64) -> Vec<Call> {
    let mut ways = to_share_memory(key);
    ways.extend(to_rule_the_system());
    ways.extend(to_reach_others());
    #[cfg(target_arch = "x86_64")]
    ways.extend([
        ("fork", libc::SYS_fork, "0".into()),
        ("vfork", libc::SYS_vfork, "0".into()),
        // The second set of numbers: getpid.
        ("system call 1073741863", 0x4000_0000 + 39, "0".into()),
    ]);
    ways
}

/// Calls that would leave memory or messages to others.
fn to_share_memory(key: i64) -> Vec<Call> {
    vec![
        ("shmget", libc::SYS_shmget, format!("{key}, 4096, 0o1600")),
        ("msgget", libc::SYS_msgget, format!("{key}, 0o1600")),
        ("semget", libc::SYS_semget, format!("{key}, 1, 0o1600")),
        ("mq_open", libc::SYS_mq_open, "b'thor', 66, 384, 0".into()),
        ("memfd_create", libc::SYS_memfd_create, "b'a', 0".into()),
    ]
}

/// Calls that would change the system or its file systems, or watch them.
fn to_rule_the_system() -> Vec<Call> {
    vec![
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
    ]
}

/// Calls that would talk to other processes, or start one.
fn to_reach_others() -> Vec<Call> {
    vec![
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
    ]
}

#[test]
fn any_other_system_call_kills_the_bot_and_is_named() {
    if !has_walls_or_excuses("any_other_system_call_kills_the_bot_and_is_named", false) {
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
fn the_32_bit_system_call_gate_is_shut() {
    if !has_walls_or_excuses("the_32_bit_system_call_gate_is_shut", false) {
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
            || last.contains("it ended in the middle");
        assert!(is_ended && told(&said).is_empty(), "{said}");
    }
}

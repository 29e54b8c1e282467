//! The system calls available to a bot: an allow list, as data.
//!
//! There are four kinds of rules:
//!
//! - Calls that every runtime needs are allowed.
//! - Some calls are allowed only with certain arguments: a signal to itself, the name
//!   of a thread.
//! - Calls that a program may easily try by accident (changing a file's time or the
//!   priority) fail as not permitted, and calls that libraries try first but can do
//!   without fail as unknown.
//! - Every other call ends the bot, and the contest reports which it was.

use libc::c_long;

/// Calls that every runtime needs, and that cannot harm others.
pub const ALLOWED: &[c_long] = &[
    // Streams and files. Landlock and the view decide which files.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_preadv2,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_openat,
    libc::SYS_getdents64,
    libc::SYS_readlinkat,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_fadvise64,
    libc::SYS_umask,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_signalfd4,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    // Calls that manage memory.
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    // Calls about the process itself.
    libc::SYS_execve,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_futex,
    libc::SYS_futex_waitv,
    libc::SYS_membarrier,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sigaltstack,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_capget,
    libc::SYS_getrusage,
    libc::SYS_getpriority,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    // Calls for time and chance.
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_gettimeofday,
    libc::SYS_getitimer,
    libc::SYS_setitimer,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_delete,
    libc::SYS_times,
    libc::SYS_getrandom,
    // Calls about the machine.
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getcpu,
    // For a socket pair within the bot, by which event loops wake themselves.
    libc::SYS_recvfrom,
    libc::SYS_getsockopt,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_shutdown,
];

/// Older forms of the same calls, which not every architecture has.
#[cfg(target_arch = "x86_64")]
pub const ALLOWED_OLD: &[c_long] = &[
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_getdents,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_signalfd,
    libc::SYS_arch_prctl,
    libc::SYS_time,
    libc::SYS_alarm,
    libc::SYS_pause,
    libc::SYS_getpgrp,
    libc::SYS_getrlimit,
];
#[cfg(not(target_arch = "x86_64"))]
pub const ALLOWED_OLD: &[c_long] = &[];

/// Calls that fail as not permitted without ending the bot.
pub const NOT_PERMITTED: &[c_long] = &[
    // Metadata of files, which Landlock does not protect.
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
    FILE_SETATTR,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_unlinkat,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_renameat2,
    libc::SYS_truncate,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_flock,
    // Other processes, and arbitration between them.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_get_robust_list,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_ioprio_get,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_setpgid,
    libc::SYS_setsid,
    // Calls that change the user.
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setfsuid,
    libc::SYS_setfsgid,
    libc::SYS_setgroups,
    libc::SYS_capset,
    libc::SYS_personality,
    libc::SYS_execveat,
    libc::SYS_setrlimit,
    // Memory that stays allocated, or belongs to another process.
    libc::SYS_mlock,
    libc::SYS_mlock2,
    libc::SYS_mlockall,
    libc::SYS_munlock,
    libc::SYS_munlockall,
    libc::SYS_mincore,
    libc::SYS_mbind,
    libc::SYS_get_mempolicy,
    libc::SYS_set_mempolicy,
    // Calls that change the machine.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_chroot,
    libc::SYS_setsockopt,
];

/// Older forms of the same calls.
#[cfg(target_arch = "x86_64")]
pub const NOT_PERMITTED_OLD: &[c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_mknod,
    libc::SYS_unlink,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_creat,
];
#[cfg(not(target_arch = "x86_64"))]
pub const NOT_PERMITTED_OLD: &[c_long] = &[];

/// Calls that fail as unknown, as on an older system: libraries have an alternative.
pub const ABSENT: &[c_long] = &[
    // Calls whose arguments are in memory, where a filter cannot read them.
    libc::SYS_clone3,
    libc::SYS_openat2,
    libc::SYS_seccomp,
    // A second way to make every other call.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Faster ways to copy, and protection keys for memory.
    libc::SYS_copy_file_range,
    libc::SYS_sendfile,
    libc::SYS_splice,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_mprotect,
    libc::SYS_pkey_free,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
];

/// Calls that are newer than this list: absent.
pub const NEWER: std::ops::Range<c_long> = 470..600;

// Numbers that are the same on every architecture, but are missing in the C library's
// list on some.
const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
const FILE_SETATTR: c_long = 469;

/// Requests of `ioctl` that query a terminal, or concern the bot's own streams.
pub const REQUESTS: &[u64] = &[
    0x5401,      // TCGETS: is it a terminal?
    0x802c_542a, // TCGETS2: the same
    0x5413,      // TIOCGWINSZ
    0x541b,      // FIONREAD
    0x5421,      // FIONBIO
    0x5450,      // FIONCLEX
    0x5451,      // FIOCLEX
];

/// The allowed `fcntl` commands: those for the bot's own file descriptors, without
/// locks and signal owners.
pub const FILE_COMMANDS: &[u64] = &[
    libc::F_DUPFD as u64,
    libc::F_GETFD as u64,
    libc::F_SETFD as u64,
    libc::F_GETFL as u64,
    libc::F_SETFL as u64,
    libc::F_DUPFD_CLOEXEC as u64,
    1032, // F_GETPIPE_SZ
    1034, // F_GET_SEALS
];

/// The allowed `prctl` options; `PR_SET_PDEATHSIG`, which would let a bot outlive the
/// contest, is not among them.
pub const PROCESS_OPTIONS: &[u64] = &[
    libc::PR_SET_NAME as u64,
    libc::PR_GET_NAME as u64,
    libc::PR_GET_DUMPABLE as u64,
    libc::PR_SET_NO_NEW_PRIVS as u64,
    libc::PR_GET_NO_NEW_PRIVS as u64,
    libc::PR_CAPBSET_READ as u64,
    libc::PR_SET_TIMERSLACK as u64,
    libc::PR_GET_TIMERSLACK as u64,
    0x5356_4d41, // PR_SET_VMA: a name for memory
];

macro_rules! named {
    ($($call:ident)*) => {
        &[$((libc::$call, stringify!($call))),*]
    };
}

/// Calls that start a thread or a process.
const BEGINS: &[(c_long, &str)] = named! { SYS_clone };
#[cfg(target_arch = "x86_64")]
const BEGINS_OLD: &[(c_long, &str)] = named! { SYS_fork SYS_vfork };
#[cfg(not(target_arch = "x86_64"))]
const BEGINS_OLD: &[(c_long, &str)] = &[];

/// The calls that reach other processes or machines.
const REACHES: &[(c_long, &str)] = named! {
    SYS_socket SYS_socketpair SYS_connect SYS_bind SYS_listen SYS_accept SYS_accept4
    SYS_sendto SYS_sendmsg SYS_sendmmsg SYS_recvmsg SYS_recvmmsg
};

/// Other calls that messages describe by name.
const OTHERS: &[(c_long, &str)] = named! {
    SYS_shmget SYS_shmat SYS_shmctl SYS_shmdt SYS_msgget SYS_msgsnd SYS_msgrcv SYS_msgctl
    SYS_semget SYS_semop SYS_semtimedop SYS_semctl SYS_mq_open SYS_mq_unlink
    SYS_memfd_create SYS_memfd_secret SYS_pidfd_getfd SYS_process_madvise SYS_process_mrelease SYS_kcmp
    SYS_migrate_pages SYS_move_pages SYS_remap_file_pages
    SYS_pivot_root SYS_fsopen SYS_fsconfig SYS_fsmount SYS_fspick SYS_open_tree
    SYS_move_mount SYS_mount_setattr SYS_quotactl SYS_sync SYS_syncfs SYS_swapon SYS_swapoff
    SYS_sethostname SYS_setdomainname SYS_settimeofday SYS_clock_settime
    SYS_clock_adjtime SYS_adjtimex SYS_reboot SYS_syslog SYS_acct SYS_vhangup
    SYS_init_module SYS_finit_module SYS_delete_module SYS_kexec_load
    SYS_inotify_init1 SYS_inotify_add_watch SYS_fanotify_init SYS_fanotify_mark
    SYS_name_to_handle_at SYS_open_by_handle_at SYS_io_setup SYS_vmsplice SYS_tee
    SYS_pwritev SYS_pwritev2
};

/// The call that ended a bot, for a message: `another process (fork)`.
#[must_use]
pub fn asked_for(call: c_long) -> String {
    let lists = [
        (BEGINS, "a thread or another process"),
        (BEGINS_OLD, "another process"),
        (REACHES, "the network"),
        (OTHERS, "what is not its own"),
    ];
    for (list, what) in lists {
        if let Some((_, name)) = list.iter().find(|(number, _)| *number == call) {
            return format!("{what} ({})", name.trim_start_matches("SYS_"));
        }
    }
    format!("what is not its own (system call {call})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_of_system_calls_are_disjoint() {
        let lists = [
            ALLOWED,
            ALLOWED_OLD,
            NOT_PERMITTED,
            NOT_PERMITTED_OLD,
            ABSENT,
        ];
        let mut all: Vec<c_long> = lists.concat();
        let deadly = [BEGINS_OLD, OTHERS].concat();
        all.extend(deadly.iter().map(|(number, _)| number));
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(all.iter().all(|number| !NEWER.contains(number)));
    }

    #[test]
    fn a_system_call_is_named_or_numbered() {
        assert_eq!(
            asked_for(libc::SYS_clone),
            "a thread or another process (clone)"
        );
        assert_eq!(asked_for(libc::SYS_socket), "the network (socket)");
        assert_eq!(asked_for(libc::SYS_shmget), "what is not its own (shmget)");
        assert_eq!(asked_for(9_999), "what is not its own (system call 9999)");
    }
}

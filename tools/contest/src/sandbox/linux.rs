//! The walls that only Linux has: Landlock for files and the network, seccomp for
//! system calls.
//!
//! What a program may well try by accident (ask for a user's name, change the time
//! of a file) fails quietly. What it does on purpose (a thread, a process, a
//! socket) ends it, so that the contest can say why.

use std::collections::BTreeMap;

use landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, RestrictionStatus, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use rustix::process::{Signal, set_parent_process_death_signal};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

/// The newest Landlock whose rights are asked for; an older one gives fewer.
const LANDLOCK: ABI = ABI::V6;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Shuts this process in, and notes what is not kept out.
pub fn shut_in(allow_threads: bool, missing: &mut Vec<String>) {
    // With the contest's end comes the bot's.
    if set_parent_process_death_signal(Some(Signal::KILL)).is_err() {
        missing.push("bots are not ended with the contest".to_owned());
    }
    match restrict_files_and_network() {
        Ok(status) if status.ruleset == RulesetStatus::FullyEnforced => {}
        Ok(status) if status.ruleset == RulesetStatus::PartiallyEnforced => {
            missing.push(
                "the system's Landlock is an old one: some ways to change files are open to bots"
                    .to_owned(),
            );
        }
        Ok(_) | Err(_) => {
            missing.push(
                "bots are not kept from changing files: the system has no Landlock".to_owned(),
            );
        }
    }
    let is_shut = filter(quiet(), SeccompAction::Errno(libc::EPERM as u32))
        .and_then(|()| filter(absent(), SeccompAction::Errno(libc::ENOSYS as u32)))
        .and_then(|()| filter(deadly(allow_threads)?, SeccompAction::KillProcess));
    if is_shut.is_none() {
        missing.push(
            "bots are not kept from threads, processes and the network: the system has no seccomp"
                .to_owned(),
        );
    }
}

/// Nothing may be written but `/dev/null`, and nobody reached.
fn restrict_files_and_network() -> Result<RestrictionStatus, RulesetError> {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_write(LANDLOCK))?
        .handle_access(AccessNet::from_all(LANDLOCK))?
        .scope(Scope::from_all(LANDLOCK))?
        .create()?;
    let ruleset = match PathFd::new("/dev/null") {
        Ok(null) => ruleset.add_rule(PathBeneath::new(null, AccessFs::WriteFile))?,
        Err(_) => ruleset,
    };
    ruleset.restrict_self()
}

/// Puts up a filter; `None` if the system has none.
fn filter(mut rules: Rules, action: SeccompAction) -> Option<()> {
    // The second set of numbers that an x86-64 may have for the same calls.
    if cfg!(target_arch = "x86_64") {
        let second = rules
            .iter()
            .map(|(call, rules)| (call | 0x4000_0000, rules.clone()));
        let second: Vec<_> = second.collect();
        rules.extend(second);
    }
    let machine = std::env::consts::ARCH.try_into().ok()?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, machine).ok()?;
    let program: BpfProgram = filter.try_into().ok()?;
    seccompiler::apply_filter(&program).ok()
}

/// A rule for an argument's lower half.
fn when(argument: u8, compare: SeccompCmpOp, value: u64) -> Option<SeccompRule> {
    let length = SeccompCmpArgLen::Dword;
    let condition = SeccompCondition::new(argument, length, compare, value).ok()?;
    SeccompRule::new(vec![condition]).ok()
}

/// What fails as if it were not permitted.
fn quiet() -> Rules {
    let calls = [
        // What a file is besides its bytes, which Landlock does not know.
        libc::SYS_fchmod,
        libc::SYS_fchmodat,
        libc::SYS_fchown,
        libc::SYS_fchownat,
        libc::SYS_utimensat,
        libc::SYS_setxattr,
        libc::SYS_lsetxattr,
        libc::SYS_fsetxattr,
        libc::SYS_removexattr,
        libc::SYS_lremovexattr,
        libc::SYS_fremovexattr,
        // Other processes.
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_send_signal,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
        libc::SYS_tkill,
        libc::SYS_setpriority,
        // The machine.
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
        // A second way to every other call.
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
    ];
    let mut rules: Rules = calls.into_iter().map(|call| (call, Vec::new())).collect();
    #[cfg(target_arch = "x86_64")]
    for call in [
        libc::SYS_chmod,
        libc::SYS_chown,
        libc::SYS_lchown,
        libc::SYS_utime,
        libc::SYS_utimes,
    ] {
        rules.insert(call, Vec::new());
    }
    // A signal to itself is how a program aborts.
    let own = u64::from(std::process::id());
    for call in [libc::SYS_kill, libc::SYS_tgkill] {
        let others = when(0, SeccompCmpOp::Ne, own);
        rules.insert(call, others.into_iter().collect());
    }
    // Libraries look for a service of names at such a socket, and do without.
    let local = when(0, SeccompCmpOp::Eq, libc::AF_UNIX as u64);
    rules.insert(libc::SYS_socket, local.into_iter().collect());
    rules
}

/// What fails as if there were no such call, so that an older one is tried whose
/// arguments a filter can see.
fn absent() -> Rules {
    [(libc::SYS_clone3, Vec::new())].into()
}

/// What ends the bot.
fn deadly(allow_threads: bool) -> Option<Rules> {
    let other_sockets = when(0, SeccompCmpOp::Ne, libc::AF_UNIX as u64)?;
    let mut rules: Rules = [(libc::SYS_socket, vec![other_sockets])].into();
    let clones = match allow_threads {
        true => {
            let thread = libc::CLONE_THREAD as u64;
            vec![when(0, SeccompCmpOp::MaskedEq(thread), 0)?]
        }
        false => Vec::new(),
    };
    rules.insert(libc::SYS_clone, clones);
    #[cfg(target_arch = "x86_64")]
    for call in [libc::SYS_fork, libc::SYS_vfork] {
        rules.insert(call, Vec::new());
    }
    Some(rules)
}

//! Seccomp: the lists of [`calls`] as filters that the kernel runs.
//!
//! A filter has one result for the listed calls and one for all others, and the
//! strictest result of all filters counts. So there are three filters: for calls that
//! fail as not permitted, for allowed calls, and for calls that fail as unknown. The
//! last one also forbids installing further filters.

use std::collections::BTreeMap;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

use super::calls;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// The number of the socket over which the listener is sent out of the bot's process. It
/// is closed when the bot starts, and is above the bot's limit of open files.
pub const LEAVES_BY: i32 = 512;

/// Stands for the action that notifies the listener, which the filter compiler does not
/// support.
const ASK: SeccompAction = SeccompAction::Trace(0);

/// Installs the filters. The process at the other end of `keeper` gets the file
/// descriptor that reports calls which are not allowed; if that is not possible, such
/// calls end the bot directly. `sees_devices` is set for a bot that sees all files.
/// `None` if the system has no seccomp.
pub fn put_up(allow_threads: bool, sees_devices: bool, keeper: &UnixStream) -> Option<()> {
    apply(&not_permitted(sees_devices)?)?;
    let allowed = allowed(allow_threads)?;
    match apply_with_listener(&compiled(allowed.clone(), SeccompAction::Allow, ASK)?) {
        Some(listener) => send(keeper, &listener),
        None => apply(&compiled(
            allowed,
            SeccompAction::Allow,
            SeccompAction::KillProcess,
        )?)?,
    }
    apply(&absent()?)
}

/// The calls that do not end the bot.
fn allowed(allow_threads: bool) -> Option<Rules> {
    let lists = [
        calls::ALLOWED,
        calls::ALLOWED_OLD,
        calls::NOT_PERMITTED,
        calls::NOT_PERMITTED_OLD,
        calls::ABSENT,
        // Calls that `not_permitted` lets through are allowed.
        &[
            libc::SYS_kill,
            libc::SYS_tkill,
            libc::SYS_tgkill,
            libc::SYS_prlimit64,
            libc::SYS_prctl,
            libc::SYS_ioctl,
            libc::SYS_fcntl,
            libc::SYS_mmap,
            libc::SYS_socketpair,
        ],
    ];
    let mut rules = of(lists.into_iter().flatten().copied());
    rules.extend(of(calls::NEWER));
    let local = when(0, SeccompCmpOp::Eq, libc::AF_UNIX as u64)?;
    rules.insert(libc::SYS_socket, vec![local.clone()]);
    rules.insert(libc::SYS_socketpair, vec![local]);
    // Only to the peer of a connection, not to a named address.
    let condition = SeccompCondition::new(4, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0).ok()?;
    let nameless = SeccompRule::new(vec![condition]).ok()?;
    rules.insert(libc::SYS_sendto, vec![nameless]);
    let listener = when(0, SeccompCmpOp::Eq, LEAVES_BY as u64)?;
    rules.insert(libc::SYS_sendmsg, vec![listener]);
    if allow_threads {
        let thread = (libc::CLONE_THREAD | libc::CLONE_VM | libc::CLONE_SIGHAND) as u64;
        let thread = when(0, SeccompCmpOp::MaskedEq(thread), thread)?;
        rules.insert(libc::SYS_clone, vec![thread]);
    }
    Some(rules)
}

/// The filter for calls that fail as not permitted.
fn not_permitted(sees_devices: bool) -> Option<BpfProgram> {
    let lists = [calls::NOT_PERMITTED, calls::NOT_PERMITTED_OLD];
    let mut rules = of(lists.into_iter().flatten().copied());
    // A program aborts by sending itself a signal.
    let own = u64::from(std::process::id());
    for call in [libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill] {
        rules.insert(call, vec![when(0, SeccompCmpOp::Ne, own)?]);
    }
    // A bot may only query its own limits.
    let is_other = none_of(0, &[0, own])?;
    let changes = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0).ok()?;
    let changes = SeccompRule::new(vec![changes]).ok()?;
    rules.insert(libc::SYS_prlimit64, vec![is_other, changes]);
    for (call, argument, values) in [
        (libc::SYS_prctl, 0, calls::PROCESS_OPTIONS),
        (libc::SYS_ioctl, 1, calls::REQUESTS),
        (libc::SYS_fcntl, 1, calls::FILE_COMMANDS),
    ] {
        rules.insert(call, vec![none_of(argument, values)?]);
    }
    rules.insert(libc::SYS_mmap, uncounted_memory(sees_devices)?);
    // The C library tries to reach a name service over such a socket, and can do without.
    let local = when(0, SeccompCmpOp::Eq, libc::AF_UNIX as u64)?;
    rules.insert(libc::SYS_socket, vec![local]);
    let not_permitted = SeccompAction::Errno(libc::EPERM as u32);
    compiled(rules, not_permitted, SeccompAction::Allow)
}

/// Rules against memory that is not counted for the bot: shared memory, and mappings that
/// grow like a stack. Shared mappings of files for reading are allowed, unless the bot
/// could see the device that provides memory.
fn uncounted_memory(sees_devices: bool) -> Option<Vec<SeccompRule>> {
    let has = |argument, bits: i32| {
        let bits = bits as u64;
        let length = SeccompCmpArgLen::Dword;
        SeccompCondition::new(argument, length, SeccompCmpOp::MaskedEq(bits), bits).ok()
    };
    let rule = |conditions| SeccompRule::new(conditions).ok();
    let grows = rule(vec![has(3, libc::MAP_GROWSDOWN)?])?;
    let shared = has(3, libc::MAP_SHARED)?;
    if sees_devices {
        return Some(vec![grows, rule(vec![shared])?]);
    }
    let nameless = rule(vec![has(3, libc::MAP_SHARED | libc::MAP_ANONYMOUS)?])?;
    let written = rule(vec![shared, has(2, libc::PROT_WRITE)?])?;
    Some(vec![grows, nameless, written])
}

/// The filter for calls that fail as unknown.
fn absent() -> Option<BpfProgram> {
    let mut rules = of(calls::ABSENT.iter().copied());
    rules.extend(of(calls::NEWER));
    let absent = SeccompAction::Errno(libc::ENOSYS as u32);
    compiled(rules, absent, SeccompAction::Allow)
}

fn of(calls: impl IntoIterator<Item = i64>) -> Rules {
    calls.into_iter().map(|call| (call, Vec::new())).collect()
}

/// A rule for the lower 32 bits of an argument; of an `int`, the kernel reads only these.
fn when(argument: u8, compare: SeccompCmpOp, value: u64) -> Option<SeccompRule> {
    let length = SeccompCmpArgLen::Dword;
    let condition = SeccompCondition::new(argument, length, compare, value).ok()?;
    SeccompRule::new(vec![condition]).ok()
}

/// A rule for an argument that has none of these values.
fn none_of(argument: u8, values: &[u64]) -> Option<SeccompRule> {
    let length = || SeccompCmpArgLen::Dword;
    let other =
        |value: &u64| SeccompCondition::new(argument, length(), SeccompCmpOp::Ne, *value).ok();
    let conditions: Option<Vec<SeccompCondition>> = values.iter().map(other).collect();
    SeccompRule::new(conditions?).ok()
}

/// A filter with one action for listed calls and another for all others.
fn compiled(rules: Rules, listed: SeccompAction, others: SeccompAction) -> Option<BpfProgram> {
    let machine = std::env::consts::ARCH.try_into().ok()?;
    let filter = SeccompFilter::new(rules, others, listed, machine).ok()?;
    let mut program: BpfProgram = filter.try_into().ok()?;
    let ask = u32::from(ASK);
    let is_return = |code: u16| code == (libc::BPF_RET | libc::BPF_K) as u16;
    for instruction in &mut program {
        if is_return(instruction.code) && instruction.k == ask {
            instruction.k = libc::SECCOMP_RET_USER_NOTIF;
        }
    }
    Some(program)
}

fn apply(program: &BpfProgram) -> Option<()> {
    seccompiler::apply_filter(program).ok()
}

/// Installs a filter that may notify a listener. Returns the listener's file descriptor.
fn apply_with_listener(program: &BpfProgram) -> Option<OwnedFd> {
    let filter = libc::sock_fprog {
        len: u16::try_from(program.len()).ok()?,
        // Both types have the same layout, and the kernel only reads it.
        filter: program.as_ptr().cast::<libc::sock_filter>().cast_mut(),
    };
    // SAFETY: the kernel copies the filter, which lives until then, and the number
    // that it returns is a new file of this process.
    unsafe {
        let file = libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &raw const filter,
        );
        let file = i32::try_from(file).ok().filter(|file| *file >= 0)?;
        Some(OwnedFd::from_raw_fd(file))
    }
}

/// Sends the file descriptor to the keeper. If that fails, nobody can answer the bot's
/// calls, so the keeper kills it.
fn send(keeper: &UnixStream, listener: &OwnedFd) {
    use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
    let files = [std::os::fd::AsFd::as_fd(listener)];
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut message = SendAncillaryBuffer::new(&mut space);
    message.push(SendAncillaryMessage::ScmRights(&files));
    let bytes = [std::io::IoSlice::new(&[1])];
    let _ = sendmsg(keeper, &bytes, &mut message, SendFlags::empty());
}

/// Receives the file descriptor; `None` if the bot's process sent none.
#[must_use]
pub fn receive(bot: &UnixStream) -> Option<OwnedFd> {
    use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut message = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let mut bytes = [std::io::IoSliceMut::new(&mut byte)];
    recvmsg(bot, &mut bytes, &mut message, RecvFlags::CMSG_CLOEXEC).ok()?;
    let mut files = message.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(files) => Some(files),
        _ => None,
    });
    files.next()?.next()
}

/// The call that the bot made; `None` if the bot no longer waits for it.
#[must_use]
pub fn asked(listener: BorrowedFd<'_>) -> Option<i64> {
    // SAFETY: the kernel fills this structure, which has to be zero before.
    unsafe {
        let mut asked: libc::seccomp_notif = std::mem::zeroed();
        let file = listener.as_raw_fd();
        let done = libc::ioctl(file, libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut asked);
        (done == 0).then(|| i64::from(asked.data.nr))
    }
}

//! The parts of the sandbox that only Linux has, and the processes that keep a bot
//! inside it.
//!
//! Three processes form a chain. The *outer* process is started by the contest: it
//! enters namespaces of its own, if the system permits it. The *keeper* is the first
//! process in them: it changes which files are visible, and the kernel notifies it
//! when the bot makes a system call that is not allowed. The third process sets up
//! Landlock and seccomp and becomes the bot.
//!
//! Invariants: each process is killed together with its predecessor, so the end of
//! the contest ends the bot; the bot cannot reach the other two, since it may only
//! signal itself.

mod calls;
mod filter;
pub mod groups;
mod landlock;
mod system;
mod view;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitCode, ExitStatus, exit};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, getppid, kill_process, pidfd_open,
    set_parent_process_death_signal, waitpid,
};

pub use calls::asked_for;

use super::{FORBIDDEN, Inside, NOT_STARTED, become_program, interpreter, limit};
use view::View;

/// The exit code of `contest inside` if the system has no namespaces.
pub const NO_NAMESPACES: i32 = 123;

/// The most files that a bot may have open.
const FILES: u64 = 256;
/// The most threads, if a bot may have any.
const THREADS: u64 = 128;
/// The most pending signals and timers.
const SIGNALS: u64 = 128;
/// The interval at which the keeper checks on a bot if it cannot be notified of its end.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 20_000_000,
};

/// The report on how a bot ended.
struct Report {
    /// The wait status, as the system reports it.
    status: i32,
    /// The forbidden system call, or -1.
    call: i64,
}

impl Report {
    const BYTES: usize = 12;

    fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&self.status.to_ne_bytes());
        bytes[4..].copy_from_slice(&self.call.to_ne_bytes());
        bytes
    }

    fn read(from: &mut PipeReader) -> Option<Report> {
        let (mut status, mut call) = ([0; 4], [0; 8]);
        from.read_exact(&mut status).ok()?;
        from.read_exact(&mut call).ok()?;
        Some(Report {
            status: i32::from_ne_bytes(status),
            call: i64::from_ne_bytes(call),
        })
    }
}

/// The outer process. Returns when the bot has ended, with its exit code.
pub fn run(options: &Inside) -> ExitCode {
    match outer(options) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("the walls cannot be put up: {error}");
            ExitCode::from(NOT_STARTED as u8)
        }
    }
}

fn outer(options: &Inside) -> io::Result<ExitCode> {
    // Fails if this process already leads a session.
    let _ = rustix::process::setsid();
    die_with_parent();
    if options.parent.is_some_and(|parent| !is_child_of(parent)) {
        return Ok(ExitCode::from(NOT_STARTED as u8));
    }
    if let Some(group) = &options.cgroup {
        groups::enter(group)?;
    }
    let program = options.program.first().map(Path::new);
    let words = program.and_then(|bot| interpreter::of(bot, std::env::var_os("PATH")));
    let view = program.map(|bot| {
        let program = interpreter::program(bot, words.as_deref());
        View::of(bot, &program, &options.hide)
    });
    let view = view.unwrap_or_else(|| View::of(Path::new("/"), Path::new("/"), &[]));
    let namespaces = !options.no_namespaces;
    if namespaces && enter_namespaces().is_err() {
        return Ok(without_namespaces(options));
    }
    // Opened before the keeper changes the view of the files, which also affects this
    // process: for a while, this file does not exist.
    let null = File::options().read(true).write(true).open("/dev/null")?;
    let (mut reports, report) = io::pipe()?;
    let (outer_lives, lives) = io::pipe()?;
    let Some(keeper) = system::fork()? else {
        drop((reports, lives));
        let view = namespaces.then_some(&view);
        keep(options, view, words, report, &outer_lives, &null);
    };
    drop((report, outer_lives));
    // Otherwise nobody would notice that the bot has closed them.
    if !options.probe {
        release(&null, &[0, 1]);
    }
    system::close_up();
    let ended = waitpid(Some(keeper), WaitOptions::empty())?;
    let Some(report) = Report::read(&mut reports) else {
        let code = ended.and_then(|(_, status)| status.exit_status());
        return Ok(match code {
            Some(NO_NAMESPACES) => without_namespaces(options),
            _ => ExitCode::from(NOT_STARTED as u8),
        });
    };
    Ok(end_as(&report))
}

/// The exit if the system grants no namespaces. A probe reports this; when a bot is
/// started, it means that the system has none left.
fn without_namespaces(options: &Inside) -> ExitCode {
    if options.probe {
        return ExitCode::from(NO_NAMESPACES as u8);
    }
    eprintln!("it was not started: the system has no namespaces left for it");
    ExitCode::from(NOT_STARTED as u8)
}

fn is_child_of(parent: i32) -> bool {
    getppid().map(Pid::as_raw_pid) == Some(parent)
}

/// Has the kernel kill this process when its parent ends.
fn die_with_parent() {
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

/// Enters a new user namespace that contains only this user. In it, the process has all
/// rights over its own namespaces.
fn enter_namespaces() -> io::Result<()> {
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    system::enter_namespaces()?;
    let (user, group) = (user.as_raw(), group.as_raw());
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    // The change of credentials has cleared this setting.
    die_with_parent();
    Ok(())
}

/// Redirects these streams to `/dev/null`.
fn release(null: &File, streams: &[i32]) {
    for stream in streams {
        // SAFETY: the streams of this process are used by nobody else in it.
        unsafe { libc::dup2(null.as_raw_fd(), *stream) };
    }
}

/// Ends this process in the same way as the bot ended.
fn end_as(report: &Report) -> ExitCode {
    if report.call >= 0 {
        // The bot's last line may lack a line break.
        let _ = write!(io::stderr(), "\n{FORBIDDEN}{}\n", report.call);
    }
    let status = ExitStatus::from_raw(report.status);
    let signal = match report.call {
        0.. => Some(libc::SIGSYS),
        _ => status.signal(),
    };
    if let Some(signal) = signal {
        let _ = limit(rustix::process::Resource::Core, 0);
        // SAFETY: no memory is involved; the default is intended.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
    ExitCode::from(status.code().unwrap_or(NOT_STARTED) as u8)
}

/// The keeper: starts the bot, watches it, reports how it ended, and exits.
fn keep(
    options: &Inside,
    view: Option<&View>,
    words: Option<Vec<OsString>>,
    mut report: PipeWriter,
    outer_lives: &PipeReader,
    null: &File,
) -> ! {
    die_with_parent();
    if has_ended(outer_lives) {
        exit(NOT_STARTED);
    }
    let begun = view
        .map_or(Ok(()), View::become_all)
        .map_err(|_| NO_NAMESPACES)
        .and_then(|()| begin(options, view.is_some(), words, null).map_err(|_| NOT_STARTED));
    let (bot, listener) = match begun {
        Ok(begun) => begun,
        Err(code) => exit(code),
    };
    system::close_up();
    let ended = supervise(bot, listener);
    let _ = ended.map(|ended| report.write_all(&ended.to_bytes()));
    exit(0)
}

/// True if the other end of a pipe is gone.
fn has_ended(pipe: &PipeReader) -> bool {
    let mut files = [PollFd::new(pipe, PollFlags::empty())];
    let at_once = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let polled = poll(&mut files, Some(&at_once));
    polled.is_ok() && files[0].revents().contains(PollFlags::HUP)
}

/// Starts the process that becomes the bot, and waits for the file descriptor over
/// which the kernel reports its calls.
fn begin(
    options: &Inside,
    in_namespaces: bool,
    words: Option<Vec<OsString>>,
    null: &File,
) -> io::Result<(Pid, Option<OwnedFd>)> {
    let (own, bots) = UnixStream::pair()?;
    let keeper = getpid();
    let Some(bot) = system::fork()? else {
        drop(own);
        die_with_parent();
        if getppid() != Some(keeper) {
            exit(NOT_STARTED);
        }
        let missing = shut_in(options, in_namespaces, bots);
        if options.probe {
            missing.iter().for_each(|sentence| println!("{sentence}"));
            exit(0);
        }
        system::close_files_from(3);
        eprintln!("{}", become_program(&options.program, words.as_deref()));
        exit(NOT_STARTED);
    };
    drop(bots);
    release(null, &[0, 1, 2]);
    Ok((bot, filter::receive(&own)))
}

/// Waits for the end of the bot, and kills it if it makes a forbidden call.
fn supervise(bot: Pid, mut listener: Option<OwnedFd>) -> io::Result<Report> {
    let handle = pidfd_open(bot, PidfdFlags::empty()).ok();
    let mut call = -1;
    loop {
        let option = match (&handle, &listener) {
            (None, Some(_)) => WaitOptions::NOHANG,
            (Some(_), Some(_)) => WaitOptions::NOHANG,
            (_, None) => WaitOptions::empty(),
        };
        if let Some((_, status)) = waitpid(Some(bot), option)? {
            let status = status.as_raw();
            return Ok(Report { status, call });
        }
        let Some(file) = &listener else { continue };
        let mut files = vec![PollFd::new(file, PollFlags::IN)];
        files.extend(
            handle
                .iter()
                .map(|handle| PollFd::new(handle, PollFlags::IN)),
        );
        let patience = handle.is_none().then_some(&LOOK);
        poll(&mut files, patience)?;
        let revents = files[0].revents();
        if revents.contains(PollFlags::IN) {
            if let Some(asked) = filter::asked(file.as_fd()) {
                call = asked;
                let _ = kill_process(bot, Signal::KILL);
            }
        } else if revents.intersects(PollFlags::HUP | PollFlags::ERR) {
            // No process is left that could make a call.
            listener = None;
        }
    }
}

/// Sets up the sandbox around this process itself, and lists what it does not
/// protect.
fn shut_in(options: &Inside, in_namespaces: bool, keeper: UnixStream) -> Vec<String> {
    use rustix::process::Resource;
    let mut missing = Vec::new();
    // SAFETY: no other file has this number.
    let moved = unsafe {
        let moved = libc::dup3(keeper.as_raw_fd(), filter::LEAVES_BY, libc::O_CLOEXEC);
        (moved >= 0).then(|| OwnedFd::from_raw_fd(moved))
    };
    let keeper = moved.map_or(keeper, UnixStream::from);
    super::put_up_limits(options, &mut missing);
    let mut more = vec![
        (Resource::Nofile, FILES),
        (Resource::Sigpending, SIGNALS),
        (Resource::Msgqueue, 0),
        (Resource::Memlock, 0),
    ];
    if in_namespaces {
        // Outside a namespace, all processes of the user would count.
        more.push((Resource::Nproc, THREADS));
    }
    for (resource, most) in more {
        // If the limit is lower already, it stays.
        let _ = limit(resource, most);
    }
    landlock::put_up(&mut missing);
    if filter::put_up(options.allow_threads, !in_namespaces, &keeper).is_none() {
        missing.push(
            "bots are not kept from threads, processes and the network: the system has no seccomp"
                .to_owned(),
        );
    }
    missing
}

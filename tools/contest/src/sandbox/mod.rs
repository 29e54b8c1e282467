//! The sandbox around a bot that runs as its own process.
//!
//! Nobody has reviewed the code of a bot, so it gets only what it needs. On Linux it
//! has a list of allowed system calls, sees the system's programs, its own file and
//! the files beside it, and is alone in its namespaces; README.md has the details. On
//! every Unix its memory and processor time are limited. Other systems have no
//! sandbox. Protections that a machine lacks are reported once.
//!
//! This program sets up the sandbox itself, restarted as `contest inside`: it
//! confines itself and then becomes the bot. So nothing has to be done between a fork
//! and an exec, where hardly anything is safe to do.

#[cfg(unix)]
mod interpreter;
#[cfg(target_os = "linux")]
mod linux;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::OnceLock;

use clap::Args;
#[cfg(target_os = "linux")]
pub use linux::groups::Group;

use crate::limits::Limits;

/// The exit code of `contest inside` if the bot was not started; the last line of its
/// standard error stream says why.
pub const NOT_STARTED: i32 = 125;

/// Seconds of processor time per second of the time for a move: more than the moves of
/// one side in a game.
#[cfg(unix)]
const MOVES: u64 = 130;

/// Options of `contest inside`.
#[derive(Args, Debug)]
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "only Linux has all walls")
)]
pub struct Inside {
    /// The memory limit, in MiB.
    #[arg(long, default_value_t = 1_024)]
    mib: u32,
    /// The processor time limit, in seconds.
    #[arg(long, default_value_t = 3_600)]
    cpu_s: u64,
    /// Allow threads.
    #[arg(long)]
    allow_threads: bool,
    /// Only print the missing protections, one per line.
    #[arg(long)]
    probe: bool,
    /// Do not use namespaces, because the system does not permit them.
    #[arg(long)]
    no_namespaces: bool,
    /// A file of the bot's folder to hide from it.
    #[arg(long)]
    hide: Vec<PathBuf>,
    /// The control group to enter.
    #[arg(long)]
    cgroup: Option<PathBuf>,
    /// The process id of the parent; if that is not the parent, the bot is not started.
    #[arg(long)]
    parent: Option<i32>,
    /// The program and its arguments; required without `--probe`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    program: Vec<OsString>,
}

/// A program, and the files that are hidden from it.
#[derive(Clone, Debug)]
pub struct BotProgram {
    /// The path of the program.
    pub path: PathBuf,
    /// The files and folders of the contest.
    #[cfg_attr(not(unix), allow(dead_code, reason = "there are no walls"))]
    pub hidden: Vec<PathBuf>,
}

/// The command for a sandboxed program, and the resources to keep while it runs.
pub struct Shut {
    /// The command that starts the program.
    pub command: Command,
    /// The control group of the program.
    #[cfg(target_os = "linux")]
    pub group: Option<Group>,
}

/// The command that starts this program inside the sandbox.
///
/// # Errors
///
/// If this program cannot find its own executable.
#[cfg(unix)]
pub fn shut(program: &BotProgram, limits: &Limits) -> io::Result<Shut> {
    let mut command = itself()?;
    let mib = limits.process_mib.to_string();
    let cpu_s = (limits.move_ms.div_ceil(1_000) * MOVES).to_string();
    let parent = std::process::id().to_string();
    command.args(["--mib", &mib, "--cpu-s", &cpu_s, "--parent", &parent]);
    if limits.allow_threads {
        command.arg("--allow-threads");
    }
    if !found().namespaces {
        command.arg("--no-namespaces");
    }
    for hidden in &program.hidden {
        command.arg("--hide").arg(hidden);
    }
    #[cfg(target_os = "linux")]
    let group = found().groups.as_ref();
    #[cfg(target_os = "linux")]
    let group = group
        .map(|groups| groups.begin(limits.process_mib))
        .transpose()?;
    #[cfg(target_os = "linux")]
    if let Some(group) = &group {
        command.arg("--cgroup").arg(group.path());
    }
    command.arg("--").arg(&program.path);
    Ok(Shut {
        command,
        #[cfg(target_os = "linux")]
        group,
    })
}

/// The command that starts the program; there is no sandbox on this system.
///
/// # Errors
///
/// Never, on this system.
#[cfg(not(unix))]
pub fn shut(program: &BotProgram, _: &Limits) -> io::Result<Shut> {
    let command = Command::new(&program.path);
    Ok(Shut { command })
}

/// The command `contest inside`. On Linux, it is this very executable, even if the file
/// has been replaced or its folder cannot be entered.
fn itself() -> io::Result<Command> {
    let own = Path::new("/proc/self/exe");
    let is_there = cfg!(target_os = "linux") && own.exists();
    let mut command = match is_there {
        true => Command::new(own),
        false => Command::new(std::env::current_exe()?),
    };
    command.arg("inside");
    Ok(command)
}

/// The protections found on this machine.
struct Found {
    /// True if bots can have their own namespaces.
    #[cfg_attr(not(unix), allow(dead_code, reason = "there are no walls"))]
    namespaces: bool,
    /// The place for control groups, if there is one.
    #[cfg(target_os = "linux")]
    groups: Option<linux::groups::Groups>,
    missing: Vec<String>,
}

fn found() -> &'static Found {
    static FOUND: OnceLock<Found> = OnceLock::new();
    FOUND.get_or_init(probe_all)
}

#[cfg(target_os = "linux")]
fn probe_all() -> Found {
    let (namespaces, probed) = match probe(&[]) {
        Ok(missing) => (true, Ok(missing)),
        Err(code) if code == Some(linux::NO_NAMESPACES) => (false, probe(&["--no-namespaces"])),
        Err(code) => (false, Err(code)),
    };
    let mut missing = probed.unwrap_or_else(|_| vec![NO_WALLS.to_owned()]);
    if !namespaces {
        missing.push(
            "bots see all files that you may read, and your processes: the system does not permit \
             user namespaces"
                .to_owned(),
        );
    }
    // A system may permit creating a group but not entering it.
    let can_enter = |groups: &linux::groups::Groups| {
        let group = groups.begin(PROBE_MIB).ok();
        let path = group.as_ref().and_then(|group| group.path().to_str());
        path.is_some_and(|path| probe(&["--no-namespaces", "--cgroup", path]).is_ok())
    };
    let groups = linux::groups::Groups::find().filter(can_enter);
    if groups.is_none() {
        missing.push(
            "the memory of bots is bounded by the limits of a process alone, since no control group \
             can be made here: where systemd runs, start contest with systemd-run --user --scope"
                .to_owned(),
        );
    }
    Found {
        namespaces,
        groups,
        missing,
    }
}

#[cfg(not(target_os = "linux"))]
fn probe_all() -> Found {
    Found {
        namespaces: false,
        missing: probe(&[]).unwrap_or_else(|_| vec![NO_WALLS.to_owned()]),
    }
}

/// The memory of the process that probes for protections, in MiB.
#[cfg(target_os = "linux")]
const PROBE_MIB: u32 = 64;

const NO_WALLS: &str = "the walls around programs cannot be put up here at all";

/// The missing protections, one sentence each; as error, the exit code if the probe
/// failed.
fn probe(options: &[&str]) -> Result<Vec<String>, Option<i32>> {
    let mut command = itself().map_err(|_| None)?;
    command.arg("--probe").args(options).stdin(Stdio::null());
    let output = command.output().map_err(|_| None)?;
    if !output.status.success() {
        return Err(output.status.code());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(str::to_owned).collect())
}

/// Bots that are programs are not run by root, against whom no sandbox helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "bots that are programs are not run as root, whom no wall keeps out: run contest as \
     another user, for example with setpriv --reuid=65534 --regid=65534 --clear-groups, \
     who may read the bots and write to --out; WebAssembly bots and the board's players \
     play as root, too"
)]
#[cfg_attr(not(unix), allow(dead_code, reason = "only Unix has a root"))]
pub struct RunAsRoot;

/// Reports the protections that this system lacks, one sentence each, and refuses to run
/// programs as root.
///
/// # Errors
/// If the user is root.
pub fn prepare() -> Result<(), RunAsRoot> {
    #[cfg(unix)]
    if rustix::process::geteuid().is_root() {
        return Err(RunAsRoot);
    }
    for sentence in &found().missing {
        crate::print_error(&format!("Note: {sentence}."));
    }
    #[cfg(target_os = "linux")]
    if let Some(groups) = &found().groups {
        match groups.remove_left() {
            0 => {}
            count => crate::print_error(&format!(
                "Note: {count} control groups of a contest that was killed are removed."
            )),
        }
    }
    Ok(())
}

/// Sandboxes this process and runs the bot. Returns when the bot has ended, or after a
/// probe.
#[must_use]
#[cfg(target_os = "linux")]
pub fn go_inside(options: &Inside) -> ExitCode {
    let refusal = match () {
        () if options.program.is_empty() && !options.probe => Some("there is no program to start"),
        () if rustix::process::geteuid().is_root() => Some("no program is started as root"),
        () => None,
    };
    if let Some(refusal) = refusal {
        eprintln!("{refusal}");
        return ExitCode::from(NOT_STARTED as u8);
    }
    linux::run(options)
}

/// Sandboxes this process and becomes the bot. Returns only if that fails, or after a
/// probe.
#[must_use]
#[cfg(all(unix, not(target_os = "linux")))]
pub fn go_inside(options: &Inside) -> ExitCode {
    let mut missing = vec![
        "bots that are programs are not kept from the network, from other processes or from files: \
         there is a sandbox on Linux only"
            .to_owned(),
    ];
    // Fails if this process already leads a session.
    let _ = rustix::process::setsid();
    put_up_limits(options, &mut missing);
    if options.probe {
        missing.iter().for_each(|sentence| println!("{sentence}"));
        return ExitCode::SUCCESS;
    }
    let words = options.program.first();
    let words =
        words.and_then(|program| interpreter::of(Path::new(program), std::env::var_os("PATH")));
    eprintln!("{}", become_program(&options.program, words.as_deref()));
    ExitCode::from(NOT_STARTED as u8)
}

/// There is no sandbox on this system, so the command does nothing.
#[must_use]
#[cfg(not(unix))]
pub fn go_inside(options: &Inside) -> ExitCode {
    if options.probe {
        println!("bots that are programs run without any sandbox: there is one on Linux only");
        return ExitCode::SUCCESS;
    }
    eprintln!("there are no walls on this system");
    ExitCode::from(NOT_STARTED as u8)
}

/// Becomes the bot. `words` run it if it is a script for an interpreter on the path.
/// Returns only after an error, with the reason.
#[cfg(unix)]
fn become_program(program: &[OsString], words: Option<&[OsString]>) -> String {
    use std::os::unix::process::CommandExt;
    let [program, arguments @ ..] = program else {
        return "there is no program to start".to_owned();
    };
    let error = match words {
        Some([interpreter, script @ ..]) => Command::new(interpreter).args(script).exec(),
        _ => Command::new(program).args(arguments).exec(),
    };
    let name = Path::new(program).file_name().unwrap_or(program);
    let name = name.to_string_lossy();
    match error.kind() {
        io::ErrorKind::NotFound => format!(
            "{name} cannot be started: its first line names a program that is not there, or it is gone"
        ),
        io::ErrorKind::PermissionDenied => {
            format!("{name} cannot be started: make it executable with chmod +x")
        }
        _ => format!("{name} cannot be started: {error}"),
    }
}

/// Limits a resource irrevocably.
#[cfg(unix)]
fn limit(resource: rustix::process::Resource, most: u64) -> io::Result<()> {
    let most = rustix::process::Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    Ok(rustix::process::setrlimit(resource, most)?)
}

/// Sets the limits that every Unix has, and lists those that could not be set.
#[cfg(unix)]
fn put_up_limits(options: &Inside, missing: &mut Vec<String>) {
    use rustix::process::Resource;
    let bytes = u64::from(options.mib) << 20;
    let limits = [
        (Resource::Core, 0, "leaving a memory dump"),
        (Resource::Fsize, 0, "writing to files"),
        (Resource::Data, bytes, "using more memory than it may"),
        (
            Resource::Cpu,
            options.cpu_s,
            "computing on when nobody waits for it",
        ),
    ];
    for (resource, most, what) in limits {
        if limit(resource, most).is_err() {
            missing.push(format!("bots are not kept from {what}"));
        }
    }
}

/// The beginning of the last line on the standard error stream of a bot that was ended
/// for a system call. The number of the call follows.
pub const FORBIDDEN: &str = "contest inside: no bot may make system call ";

/// The forbidden system call that ended a bot, if any: `status` is the bot's exit
/// status, and `line` its output line that begins with [`FORBIDDEN`], if there is
/// one.
#[must_use]
pub fn forbidden(status: ExitStatus, line: Option<&str>) -> Option<String> {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::ExitStatusExt;
        if status.signal() != Some(libc::SIGSYS) {
            return None;
        }
        let number = line.and_then(|line| line.strip_prefix(FORBIDDEN));
        let call = number.and_then(|number| number.parse().ok());
        Some(call.map_or_else(|| "what is not its own".to_owned(), linux::asked_for))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (status, line);
        None
    }
}

/// Kills a bot and all processes that it started.
pub fn kill(child: &mut Child) {
    #[cfg(unix)]
    if matches!(child.try_wait(), Ok(None)) {
        // The process leads its own group, unless it was killed before it got that far.
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(child),
            rustix::process::Signal::KILL,
        );
    }
    let _ = child.kill();
}

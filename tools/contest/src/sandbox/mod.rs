//! Walls around a bot that is a program of its own.
//!
//! Its author is trusted; the walls keep a mistake, or a clever idea, from doing
//! harm. On Linux a bot cannot write files, reach the network, begin another
//! process or thread, or signal one; on every Unix its memory and its processor time
//! are bounded and it ends with the contest's terminal. Elsewhere there are no
//! walls, and whoever runs a contest is told so, once.
//!
//! The walls are put up by this program itself, started anew as `contest inside`:
//! it shuts itself in and becomes the bot. So nothing has to be done between a
//! fork and the program that follows it, where hardly anything may be.

#[cfg(unix)]
mod interpreter;
#[cfg(target_os = "linux")]
mod linux;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};

use clap::Args;

use crate::limits::Limits;

/// What `contest inside` ends with if the bot was not started; the last line of
/// its standard error stream says why.
pub const NOT_STARTED: i32 = 125;

/// Seconds of processor time for each second of a move's time: more than a game
/// has moves of one side.
#[cfg(unix)]
const MOVES: u64 = 130;

/// Options of `contest inside`.
#[derive(Args, Debug)]
#[cfg_attr(not(unix), allow(dead_code, reason = "there are no walls"))]
pub struct Inside {
    /// Most memory.
    #[arg(long, default_value_t = 1_024)]
    mib: u32,
    /// Most processor time.
    #[arg(long, default_value_t = 3_600)]
    cpu_s: u64,
    /// Let it have threads.
    #[arg(long)]
    allow_threads: bool,
    /// Only print what the system lacks, a line each.
    #[arg(long)]
    probe: bool,
    /// The program; without one, there has to be `--probe`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    program: Vec<OsString>,
}

/// What starts this program inside the walls.
///
/// # Errors
/// If this program does not know where it is.
#[cfg(unix)]
pub fn command(path: &Path, limits: &Limits) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    let mib = limits.process_mib.to_string();
    let cpu_s = (limits.move_ms.div_ceil(1_000) * MOVES).to_string();
    command.args(["inside", "--mib", &mib, "--cpu-s", &cpu_s]);
    if limits.allow_threads {
        command.arg("--allow-threads");
    }
    command.arg("--").arg(path);
    Ok(command)
}

/// What starts this program; there are no walls on this system.
///
/// # Errors
/// None here.
#[cfg(not(unix))]
pub fn command(path: &Path, _: &Limits) -> io::Result<Command> {
    Ok(Command::new(path))
}

/// What the walls of this system do not keep a bot from, a sentence each.
#[must_use]
pub fn missing() -> Vec<String> {
    let probe = || {
        let mut command = Command::new(std::env::current_exe().ok()?);
        command.args(["inside", "--probe"]).stdin(Stdio::null());
        let output = command.output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        output.status.success().then_some(text)
    };
    match probe() {
        Some(text) => text.lines().map(str::to_owned).collect(),
        None => vec!["the walls around processes cannot be put up here at all".to_owned()],
    }
}

/// Shuts this process in and becomes the bot. Returns only if that fails, or for
/// a probe.
#[must_use]
pub fn go_inside(options: &Inside) -> ExitCode {
    let missing = walls(options);
    if options.probe {
        missing.iter().for_each(|sentence| println!("{sentence}"));
        return ExitCode::SUCCESS;
    }
    let why = match options.program.split_first() {
        Some((program, arguments)) => become_program(program, arguments),
        None => "there is no program to start".to_owned(),
    };
    eprintln!("{why}");
    ExitCode::from(NOT_STARTED as u8)
}

#[cfg(unix)]
fn become_program(program: &OsString, arguments: &[OsString]) -> String {
    use std::os::unix::process::CommandExt;
    let error = match interpreter::of(Path::new(program), std::env::var_os("PATH")).as_deref() {
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

#[cfg(not(unix))]
fn become_program(_: &OsString, _: &[OsString]) -> String {
    "there are no walls on this system".to_owned()
}

/// Puts up what walls there are, and says what is not kept out.
#[cfg(unix)]
fn walls(options: &Inside) -> Vec<String> {
    use rustix::process::{Resource, Rlimit, setrlimit, setsid};
    let mut missing = Vec::new();
    // Fails for one who leads a session already.
    let _ = setsid();
    let most = |limit: u64| Rlimit {
        current: Some(limit),
        maximum: Some(limit),
    };
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
    for (resource, limit, what) in limits {
        if setrlimit(resource, most(limit)).is_err() {
            missing.push(format!("bots are not kept from {what}"));
        }
    }
    #[cfg(target_os = "linux")]
    linux::shut_in(options.allow_threads, &mut missing);
    #[cfg(not(target_os = "linux"))]
    missing.push(
        "bots that are programs are not kept from the network, from other processes or from files: \
         there is a sandbox on Linux only"
            .to_owned(),
    );
    missing
}

#[cfg(not(unix))]
fn walls(_: &Inside) -> Vec<String> {
    vec!["bots that are programs run without any sandbox: there is one on Linux only".to_owned()]
}

/// True if the walls ended it.
#[must_use]
pub fn was_forbidden(status: ExitStatus) -> bool {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::ExitStatusExt;
        status.signal() == Some(libc::SIGSYS)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = status;
        false
    }
}

/// Ends a bot at once, and whatever it began.
pub fn kill(child: &mut Child) {
    #[cfg(unix)]
    if matches!(child.try_wait(), Ok(None)) {
        // It leads a group of its own unless it has not come so far.
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(child),
            rustix::process::Signal::KILL,
        );
    }
    let _ = child.kill();
}

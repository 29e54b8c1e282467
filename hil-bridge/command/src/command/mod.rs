//! The subcommands, one file each: their options and their output.

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ::protocol::Tick;
use anyhow::{Context, anyhow, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use touchboard_files::{read_bounded, whole_file, why_no_file};
use touchboard_host::traffic::WireLog;
use touchboard_host::{DriverError, Session};
use touchboard_links::client::HALTS;
use touchboard_links::{LineOptions, SessionFileError, SessionInFile, Where};
pub use touchboard_shell::ExitKind;
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

pub mod bench;
pub mod check;
pub mod drive;
pub mod flash;
pub mod info;
pub mod mcp;
pub mod merge;
pub mod mirror;
pub mod picture;
pub mod play;
pub mod ports;
pub mod protocol;
pub mod record;
mod relay;
pub mod replay;
pub mod scenario;
pub mod serve;
mod sharing;
pub mod shell;
pub mod signals;
pub mod test;
pub mod touches;
pub mod transcript;
pub mod trim;
pub mod upload;
pub mod watch_line;
mod watched_place;

/// The maximum size of a wire log that is read, in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// The first line of a wire log has at most this many bytes: a piece of 64 KiB, and three
/// characters a byte.
const LONGEST_FIRST_LINE: u64 = 256 << 10;

/// The result of a subcommand; an error means exit code 2.
pub type CommandEnd = anyhow::Result<ExitKind>;

/// The output could not be written: the disk is full, or its reader has closed it.
#[derive(Debug, thiserror::Error)]
#[error("the answer cannot be written: {0}")]
pub struct Unwritten(io::Error);

impl Unwritten {
    /// True if the reader of a pipe has closed it, as `head` does when it has enough.
    /// This is not reported.
    pub fn is_closed_pipe(&self) -> bool {
        self.0.kind() == ErrorKind::BrokenPipe
    }
}

/// Writes one line to the standard output.
///
/// # Errors
/// When it cannot be written.
pub fn print(words: impl fmt::Display) -> Result<(), Unwritten> {
    writeln!(io::stdout(), "{words}").map_err(Unwritten)
}

/// Checks that a session, which lasts this long, contains a span.
///
/// # Errors
/// A sentence that says what the session contains.
pub fn check_span(
    from: Tick,
    until: Option<Tick>,
    session: RangeInclusive<Tick>,
) -> anyhow::Result<()> {
    let (begins, ends) = session.into_inner();
    let last = until.unwrap_or(ends);
    ensure!(
        until.is_none_or(|until| from <= until),
        "a span from {from} to {last} ms ends before it begins: swap --from and --until"
    );
    ensure!(
        from <= ends && last <= ends && begins <= last,
        "the span from {from} to {last} ms is not in the session: it lasts from {begins} to {ends} ms"
    );
    Ok(())
}

/// Checks that the output does not replace the file that it is made from, by whatever
/// path.
///
/// # Errors
/// A sentence, if it would.
pub fn spare_input(input: &Path, output: &Path) -> anyhow::Result<()> {
    // A file that does not exist yet has no path like this, and replaces nothing.
    let [input_file, output_file] = [input, output].map(|path| path.canonicalize().ok());
    ensure!(
        input_file.is_none() || input_file != output_file,
        "{} is the file that is read, and would be replaced: write to another one",
        output.display()
    );
    Ok(())
}

/// Writes what was made from the input to this file, or to the standard output.
///
/// # Errors
/// When it cannot be written, or would replace the input.
pub fn out(input: &Path, file: Option<&Path>, bytes: &[u8]) -> CommandEnd {
    if let Some(path) = file {
        spare_input(input, path)?;
    }
    match file {
        None => io::stdout().write_all(bytes).map_err(Unwritten)?,
        Some(path) => whole_file::write(path, bytes).map_err(|error| {
            let why = why_no_file(&error);
            anyhow::anyhow!("{} cannot be written: {why}", path.display())
        })?,
    }
    Ok(ExitKind::Done)
}

/// Writes a sentence to the standard error. If that is closed as well, it cannot be
/// reported.
pub fn print_error(words: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{words}");
}

/// Reads a session, and reports if it was not recorded to its end.
///
/// # Errors
/// When it cannot be read, or is not a session.
pub fn session(file: &Path) -> Result<Session, SessionFileError> {
    let session = Session::load(file)?;
    if let Some(words) = session.unfinished() {
        print_error(format_args!("{}: {words}", file.display()));
    }
    Ok(session)
}

/// Reads a wire log, and reports what is left out of it.
///
/// # Errors
/// A sentence, if the file cannot be read or is no wire log.
pub fn wire_log(file: &Path) -> anyhow::Result<WireLog> {
    let bytes = read_bounded(file, MOST_BYTES).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => anyhow!(
            "{} is too long, a wire log has at most {} MiB: cut a part out of it",
            file.display(),
            MOST_BYTES >> 20
        ),
        _ => anyhow!("cannot read {}: {}", file.display(), why_no_file(&error)),
    })?;
    let log = WireLog::read(&bytes);
    ensure!(
        !log.items.is_empty(),
        "{} is not a wire log: name a file that --bytes wrote, or pcapng with the link type USER0",
        file.display()
    );
    for remark in &log.remarks {
        print_error(format_args!("{}: {remark}", file.display()));
    }
    Ok(log)
}

/// True if a file begins like a wire log. A pipe is not looked into, since nobody could read
/// its beginning again.
pub fn is_wire_log(file: &Path) -> bool {
    let Ok(file) = File::open(file) else {
        return false;
    };
    let is_file = file.metadata().is_ok_and(|known| known.is_file());
    let mut begin = Vec::new();
    is_file
        && file
            .take(LONGEST_FIRST_LINE)
            .read_to_end(&mut begin)
            .is_ok()
        && WireLog::is_one(&begin)
}

/// Sends the log to the standard error: everything if the line is traced, and a
/// debugger's halts if one may connect.
///
/// # Errors
/// When an option has no meaning at this place.
pub fn set_up(place: &Where) -> Result<(), DriverError> {
    place.check()?;
    place.check_keeping()?;
    let logged = match place.line {
        LineOptions { trace: true, .. } => Targets::new().with_default(Level::DEBUG),
        LineOptions { gdb: Some(_), .. } => Targets::new().with_target(HALTS, Level::INFO),
        _ => return Ok(()),
    };
    let log = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .without_time()
        .with_level(place.line.trace)
        .with_target(false);
    // This only fails if a log has already been set up.
    let _ = tracing_subscriber::registry()
        .with(log.with_filter(logged))
        .try_init();
    Ok(())
}

/// A flag that is set when the user or the system wants the program to end.
///
/// # Errors
/// When the system does not support it.
pub fn interruptions() -> anyhow::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&interrupted);
    ctrlc::set_handler(move || set.store(true, Ordering::Relaxed))
        .context("an interruption could not end the program cleanly")?;
    Ok(interrupted)
}

/// A progress bar on the standard error; invisible if that is not a terminal.
pub fn bar(length: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let template = format!("{{bar:40}} {{pos}}/{{len}} {what} {{msg}} ({{eta}} left)");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

//! `trim`: cuts a span out of a session, and adds notes.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use protocol::Tick;
use touchboard_completions::{NumberError, number};
use touchboard_host::session::{LAST_TICK, SessionSpan};

use super::{CommandEnd, out};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The session file
    file: PathBuf,
    /// The session file to write; by default standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The beginning of the span, in ms of the session
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = number(0, LAST_TICK), allow_negative_numbers = true)]
    from: Tick,
    /// The end of the span; by default the end of the session
    #[arg(long, value_name = "MS", value_parser = number(0, LAST_TICK), allow_negative_numbers = true)]
    until: Option<Tick>,
    /// Add a note at a moment, as MS:WORDS; may be given several times
    #[arg(long, value_name = "MS:WORDS", value_parser = note)]
    note: Vec<(Tick, String)>,
}

/// Why a text is not a note at a moment.
#[derive(Debug, thiserror::Error)]
enum NoteError {
    #[error("write the moment in ms, a colon, and the words: 1500:no light here")]
    NoColon,
    #[error(transparent)]
    Moment(#[from] NumberError<Tick>),
}

/// Reads a note: a time in ms, then the words.
fn note(text: &str) -> Result<(Tick, String), NoteError> {
    let (ms, words) = text.split_once(':').ok_or(NoteError::NoColon)?;
    let ms = number(0, LAST_TICK)(ms)?;
    Ok((ms, words.trim().to_owned()))
}

pub fn run(options: &Options) -> CommandEnd {
    let file = &options.file;
    let span = SessionSpan {
        from_ms: options.from,
        until_ms: options.until,
        notes: options.note.clone(),
    };
    let cut = super::session(file)?
        .trimmed(&span)
        .map_err(|error| anyhow!("{error}"))
        .with_context(|| format!("{} cannot be cut", file.display()))?;
    out(file, options.out.as_deref(), cut.to_text().as_bytes())
}

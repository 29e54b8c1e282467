//! `touches`: makes a session from the contacts in a VCD file, which a logic analyser or a
//! simulator has written.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use protocol::{KnownLayout, Layout};
use touchboard_completions::number;
use touchboard_files::why_no_file;
use touchboard_host::session::Header;
use touchboard_host::signals::read_touches;

use super::{CommandEnd, out, print_error};

/// How much of a file is read, in bytes; what follows counts as cut off.
const MOST_BYTES: u64 = 256 << 20;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The VCD file; its wires are called like points and buttons: `d4`, `start`, or
    /// `point.d4`, `button.start`
    file: PathBuf,
    /// The session file to write; by default standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Columns and rows of the board, or a file with a drawing or the text of a game
    #[arg(long, value_name = "COLUMNSxROWS|FILE", value_parser = touchboard_links::games::layout)]
    layout: Option<KnownLayout>,
    /// The seed of the board's random numbers
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = number(0, u64::MAX), allow_negative_numbers = true)]
    seed: u64,
}

pub fn run(options: &Options) -> CommandEnd {
    let path = &options.file;
    let file = File::open(path)
        .map_err(|error| anyhow!("cannot read {}: {}", path.display(), why_no_file(&error)))?;
    let layout = options.layout.clone().unwrap_or(Layout::MALDOO.into());
    let note = format!("contacts of {}", path.display());
    let header = Header::new(layout, options.seed, &note);
    let read = read_touches(header, BufReader::new(file.take(MOST_BYTES)));
    let read = read.with_context(|| path.display().to_string())?;
    if !read.ignored.is_empty() {
        print_error(format_args!(
            "{}: {} signals are not contacts of this board and were left out, such as {}",
            path.display(),
            read.ignored.len(),
            read.ignored[0]
        ));
    }
    if let Some(why) = &read.broken {
        print_error(format_args!("{}: {why}", path.display()));
    }
    let text = read.session.to_text();
    out(path, options.out.as_deref(), text.as_bytes())
}

//! The shell at this process's own standard input and output.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::PathBuf;

use touchboard_files::why_no_file;
use touchboard_host::Driver;
use touchboard_host::palette::Palette;
use touchboard_shell::{
    AnswerColours, Answers, ExitKind, OnTrouble, Reader, ShellOptions, ShellSession,
};

use super::edit::Edited;
use crate::colours::are_colours_wanted;

/// The options of `shell` on the command line.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ShellArguments {
    /// A file of commands; without it they are read from standard input
    pub file: Option<PathBuf>,
    /// Answer with one JSON object per line
    #[arg(long)]
    pub json: bool,
    /// Continue after a line that fails or an expectation that is not met; the first of
    /// them still decides the exit code
    #[arg(long)]
    pub keep_going: bool,
    /// The colours of the sides, for people
    #[arg(long, value_parser = touchboard_links::at::palettes(), value_name = "PALETTE", default_value_t)]
    pub palette: Palette,
}

/// Runs a session at the terminal, pipe or file that the arguments name. `seed` is the
/// board's current seed.
///
/// All errors are written to the standard error.
pub fn run_here(driver: &mut dyn Driver, seed: u64, arguments: &ShellArguments) -> ExitKind {
    let person = arguments.file.is_none() && io::stdin().is_terminal();
    let options = ShellOptions {
        layout: touchboard_links::games::layout,
        answers: answers(arguments),
        reader: if person {
            Reader::Person
        } else {
            Reader::Script
        },
        on_trouble: if arguments.keep_going {
            OnTrouble::GoOn
        } else {
            OnTrouble::Stop
        },
        seed,
    };
    if person && io::stdout().is_terminal() {
        let is_coloured = are_colours_wanted();
        // Without an editor, lines are read as the terminal sends them.
        if let Ok(lines) = Edited::begin(is_coloured) {
            // The editor's thread also writes to the standard output, so it is not locked
            // here.
            let session = ShellSession::new(driver, &options);
            let done = session.converse(lines, io::stdout(), io::stderr());
            return done.unwrap_or_else(|error| unwritten(&error));
        }
    }
    let (output, errors) = (io::stdout().lock(), io::stderr());
    let session = ShellSession {
        file: arguments.file.as_deref(),
        ..ShellSession::new(driver, &options)
    };
    let result = match session.file {
        None => session.run(io::stdin().lock(), output, errors),
        Some(path) => match File::open(path) {
            Ok(file) => session.run(BufReader::new(file), output, errors),
            Err(error) => {
                let why = why_no_file(&error);
                return bad(&format!("cannot read {}: {why}", path.display()));
            }
        },
    };
    result.unwrap_or_else(|error| unwritten(&error))
}

fn unwritten(error: &io::Error) -> ExitKind {
    bad(&format!("the answers cannot be written: {error}"))
}

fn answers(arguments: &ShellArguments) -> Answers {
    let coloured = io::stdout().is_terminal() && are_colours_wanted();
    match (arguments.json, coloured) {
        (true, _) => Answers::Json,
        (false, true) => Answers::Plain(AnswerColours::Ansi(arguments.palette)),
        (false, false) => Answers::Plain(AnswerColours::Letters),
    }
}

fn bad(sentence: &str) -> ExitKind {
    // If this fails too, it cannot be reported.
    let _ = writeln!(io::stderr(), "{sentence}");
    ExitKind::Bad
}

//! The shell: one small language for people, pipes and scenario files, the same at every
//! board.
//!
//! ```text
//! set game=reversi mode=2     # changes these two, the rest stays
//! start
//! tap d3
//! wait 700
//! expect turn red
//! ```
//!
//! There is one command a line; blank lines and `#` comments are skipped. The book has the
//! whole reference, in its chapter on the shell.
//!
//! # Board time
//!
//! Time passes in four commands only, so a script meets the same ticks at every board,
//! however slow the line to it:
//!
//! | command | ms of board time |
//! | --- | --- |
//! | `tap`, `press`, `start` | [`HOLD_MS`]: finger down, 20 ms, finger up |
//! | `wait N` | N |
//! | all others | 0 |
//!
//! Invariants: the same lines at boards with the same state give the same answers; no text
//! panics; the first line that cannot be done ends a script (unless [`OnTrouble::GoOn`])
//! with a sentence that names it.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::path::Path;

use protocol::KnownLayout;
use touchboard_host::Driver;

use lines::{Lines, Plain};

mod answer;
mod command;
pub mod complete;
mod error;
mod fault;
pub mod lines;
mod obey;
mod parse;
mod parse_error;
mod remark;
mod state_file;
mod words;

pub use answer::{AnswerColours, point_list, standing};
pub use command::{
    ENTRIES, Expectation, FaultRequest, HOLD_MS, HelpEntry, LayoutArgument, SettingsChange,
    ShellCommand,
};
pub use error::ShellError;
pub use obey::{Answer, Shell, ShellMemory};
pub use parse::parse;
pub use parse_error::ParseError;
pub use state_file::{StateFile, StateFileError, StateFileProblem};
pub use words::LONGEST_WAIT_MS;

/// The longest line, in bytes; far more than the rows of the largest board.
pub const LONGEST_LINE: u64 = 4_096;

/// The form in which answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Text for people, in these colours.
    Plain(AnswerColours),
    /// One JSON object in each line.
    Json,
}

/// The kind of user that writes the commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A person at a terminal, who is prompted; no error ends the session.
    Person,
    /// A pipe or a file.
    Script,
}

/// What happens if a line of a script fails or an expectation is not met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnTrouble {
    /// The script ends, because the following lines rely on the failed one.
    #[default]
    Stop,
    /// The next line is read; the first error decides the exit code.
    GoOn,
}

/// Options of a session of the shell.
#[derive(Clone, Copy, Debug)]
pub struct ShellOptions {
    /// The form in which answers are written.
    pub answers: Answers,
    /// The kind of user that writes the commands.
    pub reader: Reader,
    /// What happens when a line of a script fails.
    pub on_trouble: OnTrouble,
    /// The board's current seed, to which `reset` returns.
    pub seed: u64,
    /// Reads the layout of a `reset` from a file: a drawing, or the text of a game.
    pub layout: LayoutReader,
}

/// Reads a layout from the file with this name; the error is a sentence why not.
pub type LayoutReader = fn(&str) -> Result<KnownLayout, Box<dyn Error + Send + Sync>>;

/// The remark where a script says `picture NAME` and nothing is compared.
pub const PICTURE_NOT_COMPARED: &str =
    "nothing is compared here: pictures are compared by `hil-bridge test`";

/// Compares the board with a picture where a script says `picture NAME`; the error says
/// what differs.
pub type PictureLook<'a> = dyn FnMut(&str, &dyn Driver) -> Result<(), ShellError> + 'a;

/// Compares the board with the picture that a line named, if it named one.
fn compare_picture(answer: &mut Answer, look: Option<&mut PictureLook<'_>>, driver: &dyn Driver) {
    match (answer.picture(), look) {
        (Some(name), Some(look)) => {
            if let Err(trouble) = look(name, driver) {
                answer.fail_with(trouble);
            }
        }
        (Some(_), None) => answer.remark_on(PICTURE_NOT_COMPARED),
        (None, _) => {}
    }
}

/// The result of a session of the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitKind {
    /// All commands succeeded.
    Done,
    /// An expectation was not met.
    Failed,
    /// A line could not be carried out, or there was no board.
    Bad,
}

impl ExitKind {
    /// The exit code of the program: 0, 1 or 2.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            ExitKind::Done => 0,
            ExitKind::Failed => 1,
            ExitKind::Bad => 2,
        }
    }
}

/// What a session of the shell wrote, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionText {
    /// The answers.
    pub output: String,
    /// The errors, one a line.
    pub errors: String,
    /// How the session ended.
    pub ending: ExitKind,
}

/// A session of the shell at a board.
pub struct ShellSession<'a> {
    /// The board.
    pub driver: &'a mut dyn Driver,
    /// How lines are read and answers written.
    pub options: &'a ShellOptions,
    /// The file of the commands, which the errors of a script name.
    pub file: Option<&'a Path>,
    /// Checks pictures; without it, none is looked at.
    pub look: Option<&'a mut PictureLook<'a>>,
}

impl<'a> ShellSession<'a> {
    /// A session whose commands come from no file, and that looks at no pictures.
    pub fn new(driver: &'a mut dyn Driver, options: &'a ShellOptions) -> ShellSession<'a> {
        ShellSession {
            driver,
            options,
            file: None,
            look: None,
        }
    }

    /// Reads commands until the input ends, `quit`, or an error. Writes answers to `output`
    /// and, for people, errors to `errors`.
    ///
    /// # Errors
    /// When an output cannot be written, for example because the reader of a pipe has
    /// closed it.
    pub fn run(
        self,
        input: impl BufRead,
        output: impl Write,
        errors: impl Write,
    ) -> io::Result<ExitKind> {
        let is_prompted = self.options.reader == Reader::Person;
        self.converse(Plain { input, is_prompted }, output, errors)
    }

    /// [`ShellSession::run`] that keeps what is written.
    pub fn run_to_text(self, input: impl BufRead) -> SessionText {
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let ran = self.run(input, &mut output, &mut errors);
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        SessionText {
            output: text(output),
            errors: text(errors),
            // Writing to memory does not fail.
            ending: ran.unwrap_or(ExitKind::Bad),
        }
    }

    /// [`ShellSession::run`] for any source of lines.
    ///
    /// # Errors
    /// Those of [`ShellSession::run`].
    pub fn converse(
        self,
        mut lines: impl Lines,
        mut output: impl Write,
        mut errors: impl Write,
    ) -> io::Result<ExitKind> {
        let ShellSession {
            driver,
            options,
            file,
            mut look,
        } = self;
        let person = options.reader == Reader::Person;
        let mut shell = Shell::new(driver, options);
        let mut ending = ExitKind::Done;
        if person {
            writeln!(output, "{}", shell.greeting())?;
        }
        for number in 1_u64.. {
            let line = match lines.next(&mut shell, &mut output)? {
                Ok(Some(line)) => Ok(line),
                Ok(None) => break,
                Err(error) => Err(error),
            };
            let fatal = matches!(&line, Err(error) if error.ends);
            let mut answer = match line {
                Ok(line) => shell.line(&line),
                Err(error) => shell.unreadable(error.sentence),
            };
            compare_picture(&mut answer, look.as_deref_mut(), shell.driver());
            if !person {
                // A program knows the name of the file that it wrote.
                let file = file.filter(|_| options.answers != Answers::Json);
                answer.place(&line_of_file(file, number));
            }
            answer.write(&shell, &mut output, &mut errors)?;
            if let Some(trouble) = answer.trouble()
                && !person
            {
                if ending == ExitKind::Done {
                    ending = trouble.ending();
                }
                if options.on_trouble == OnTrouble::Stop {
                    break;
                }
            }
            if answer.is_last() || fatal {
                return Ok(ending);
            }
        }
        if person {
            writeln!(output)?;
        }
        Ok(ending)
    }
}

/// The place of an error in a script.
fn line_of_file(file: Option<&Path>, number: u64) -> String {
    match file {
        Some(file) => format!("{}, line {number}", file.display()),
        None => format!("line {number}"),
    }
}

#[cfg(test)]
mod tests;

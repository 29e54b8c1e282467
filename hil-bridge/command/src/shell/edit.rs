//! A line editor for a person at a terminal: a history over sessions, Ctrl-R, completion,
//! and the board's reports above the line being typed.
//!
//! The editor has a thread of its own, so that the shell can listen to the board
//! meanwhile. Invariants: nothing is done to the board before a line is complete; reports
//! appear above the line and do not change it; the terminal is restored when the process
//! ends, also by a signal.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use protocol::{Layout, Roster};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::{Hint, Hinter};
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{ColorMode, CompletionType, Config, Context, Editor, ExternalPrinter, Helper};
use touchboard_files::shell_history::{self as history, History, MOST_LINES, each_once};
use touchboard_host::wrap::wrapped;
use touchboard_shell::complete::{BoardNames, complete, usage};
use touchboard_shell::lines::{Lines, PROMPT, UnreadableLine};
use touchboard_shell::{LONGEST_LINE, Shell};

/// How often the shell checks for reports of the board during typing.
const LISTEN_EVERY: Duration = Duration::from_millis(100);

/// The width if the terminal does not report one, in columns.
const COLUMNS_UNKNOWN: usize = 80;
/// The maximum length of a line that is easy to read.
const MOST_COLUMNS: usize = 120;
/// The minimum width that is assumed, in columns.
const LEAST_COLUMNS: usize = 20;

/// What the editor's thread returns.
enum Typed {
    Line(String),
    /// The input has ended.
    End,
    Failed(String),
}

/// Lines that a person types.
pub(super) struct Edited {
    /// Requests a line, with the names for completion on the current board.
    names: Sender<BoardNames>,
    typed: Receiver<Typed>,
    printer: Box<dyn ExternalPrinter + Send>,
    history: Option<History>,
    /// Further lines that were pasted together with the last one.
    waiting: VecDeque<String>,
}

impl Edited {
    /// Takes over the terminal of this process.
    ///
    /// # Errors
    /// When the terminal does not support editing.
    pub fn begin(is_coloured: bool) -> Result<Edited, ReadlineError> {
        #[cfg(unix)]
        given_back::watch()?;
        let (history, mut lines) = remembered();
        let person = Person {
            board: BoardNames {
                layout: Layout::MALDOO,
                roster: Roster::of(&[]),
                game: 0,
            },
            is_coloured,
        };
        let (names, asked) = mpsc::channel();
        let (line_sender, typed) = mpsc::channel();
        let (printer_sender, printer) = mpsc::channel();
        let edit = move || {
            // The editor cannot be moved to another thread.
            let (mut editor, printer) = match editor(&lines, person) {
                Ok(both) => both,
                Err(error) => return drop(printer_sender.send(Err(error))),
            };
            if printer_sender.send(Ok(printer)).is_err() {
                return;
            }
            while let Ok(board) = asked.recv() {
                if let Some(person) = editor.helper_mut() {
                    person.board = board;
                }
                if line_sender.send(read(&mut editor, &mut lines)).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("editor".into()).spawn(edit)?;
        let ended = |_| ReadlineError::Io(io::ErrorKind::BrokenPipe.into());
        Ok(Edited {
            names,
            typed,
            printer: printer.recv().map_err(ended)??,
            history,
            waiting: VecDeque::new(),
        })
    }

    /// Waits for the next line; prints news above it.
    fn wait(&mut self, shell: &mut Shell<'_>) -> Typed {
        if self.names.send(shell.board()).is_err() {
            return Typed::End;
        }
        loop {
            match self.typed.recv_timeout(LISTEN_EVERY) {
                Ok(typed) => return typed,
                Err(RecvTimeoutError::Disconnected) => return Typed::End,
                Err(RecvTimeoutError::Timeout) => {}
            }
            for remark in shell.overhear() {
                let lines = wrapped(&remark, columns()).join("\n");
                // If this fails, the command that meets the board reports it again.
                let _ = self.printer.print(format!("{lines}\n"));
            }
        }
    }
}

impl Lines for Edited {
    fn next(
        &mut self,
        shell: &mut Shell<'_>,
        output: &mut dyn Write,
    ) -> io::Result<Result<Option<String>, UnreadableLine>> {
        output.flush()?;
        if self.waiting.is_empty() {
            match self.wait(shell) {
                Typed::Line(text) => self.waiting.extend(text.lines().map(str::to_owned)),
                Typed::End => return Ok(Ok(None)),
                Typed::Failed(error) => return Ok(Err(UnreadableLine::failed(&error))),
            }
        }
        shell.set_columns(columns());
        let line = self.waiting.pop_front().unwrap_or_default();
        if line.len() as u64 > LONGEST_LINE {
            return Ok(Err(UnreadableLine::too_long()));
        }
        let is_kept = !line.trim().is_empty() && !line.starts_with(' ');
        if let Some(history) = self.history.as_ref().filter(|_| is_kept)
            && let Err(error) = history.add(line.trim_end())
        {
            // One warning is enough.
            self.history = None;
            print(&error.to_string());
        }
        Ok(Ok(Some(line)))
    }
}

/// The lines of earlier sessions, and the history that stores new ones.
fn remembered() -> (Option<History>, Vec<String>) {
    let Some(file) = history::file() else {
        return (None, Vec::new());
    };
    let read = History::open(&file).and_then(|history| {
        let lines = history.lines()?;
        Ok((history, lines))
    });
    match read {
        Ok((history, lines)) => (Some(history), lines),
        Err(error) => {
            print(&error.to_string());
            (None, Vec::new())
        }
    }
}

fn print(sentence: &str) {
    // If this fails, there is nowhere to report it.
    let _ = writeln!(io::stderr(), "{sentence}");
}

/// The width of the terminal, limited to what is easy to read.
fn columns() -> usize {
    let size = ratatui::crossterm::terminal::size();
    let columns = size.map_or(0, |(columns, _)| usize::from(columns));
    match columns {
        0 => COLUMNS_UNKNOWN,
        columns => columns.clamp(LEAST_COLUMNS, MOST_COLUMNS),
    }
}

type OfPerson = Editor<Person, MemHistory>;

fn editor(
    lines: &[String],
    person: Person,
) -> Result<(OfPerson, Box<dyn ExternalPrinter + Send>), ReadlineError> {
    let colours = match person.is_coloured {
        true => ColorMode::Enabled,
        false => ColorMode::Disabled,
    };
    let config = Config::builder()
        .max_history_size(MOST_LINES)?
        .history_ignore_space(true)
        .completion_type(CompletionType::List)
        .color_mode(colours)
        .build();
    let mut editor = Editor::with_history(config.clone(), MemHistory::with_config(&config))?;
    editor.set_helper(Some(person));
    remember(&mut editor, lines)?;
    let printer = editor.create_external_printer()?;
    Ok((editor, Box::new(printer)))
}

fn remember(editor: &mut OfPerson, lines: &[String]) -> Result<(), ReadlineError> {
    editor.clear_history()?;
    for line in lines {
        editor.add_history_entry(line.as_str())?;
    }
    Ok(())
}

/// Reads a line, or detects the end of the input; `lines` are the ones that can be
/// recalled. Ctrl-C discards the typed text.
fn read(editor: &mut OfPerson, lines: &mut Vec<String>) -> Typed {
    loop {
        return match editor.readline(PROMPT) {
            Ok(text) => {
                let new = text.lines().filter(|line| !line.starts_with(' '));
                let new = new.map(|line| line.trim_end().to_owned());
                lines.extend(new);
                *lines = each_once(lines.iter().map(String::as_str));
                match remember(editor, lines) {
                    Ok(()) => Typed::Line(text),
                    Err(error) => Typed::Failed(error.to_string()),
                }
            }
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => continue,
            Err(ReadlineError::Eof) => Typed::End,
            Err(error) => Typed::Failed(error.to_string()),
        };
    }
}

/// Completion, hints and colours for the person who types.
struct Person {
    board: BoardNames,
    is_coloured: bool,
}

impl Helper for Person {}
impl Validator for Person {}

impl Completer for Person {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        place: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(complete(&line[..place], &self.board))
    }
}

/// The syntax of the rest of the line, which is shown but not accepted as input.
struct Usage(String);

impl Hint for Usage {
    fn display(&self) -> &str {
        &self.0
    }

    fn completion(&self) -> Option<&str> {
        None
    }
}

impl Hinter for Person {
    type Hint = Usage;

    fn hint(&self, line: &str, place: usize, _: &Context<'_>) -> Option<Usage> {
        // Without colours, the hint would look like typed text.
        let usage = usage(line).filter(|_| self.is_coloured && place == line.len())?;
        let gap = if line.ends_with(' ') { "" } else { " " };
        Some(Usage(format!("{gap}{usage}")))
    }
}

impl Highlighter for Person {
    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        match self.is_coloured {
            true => Cow::Owned(format!("\x1b[2m{hint}\x1b[0m")),
            false => Cow::Borrowed(hint),
        }
    }
}

/// Restores the terminal for the user's shell when a signal ends the process in the
/// middle of a line.
#[cfg(unix)]
mod given_back {
    use std::io;
    use std::thread;

    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    use signal_hook::consts::{SIGHUP, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    /// Restores the terminal before a signal ends the process.
    pub fn watch() -> io::Result<()> {
        let before = tcgetattr(io::stdin())?;
        let mut signals = Signals::new([SIGTERM, SIGHUP])?;
        let wait = move || {
            for signal in &mut signals {
                // If the terminal is closed, it need not be restored.
                let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
                let _ = emulate_default_handler(signal);
            }
        };
        thread::Builder::new().name("signals".into()).spawn(wait)?;
        Ok(())
    }
}

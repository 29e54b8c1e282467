//! Runs scenario files as tests.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use protocol::{Deed, Input, Tick};
use touchboard_files::why_no_file;
use touchboard_host::{Driver, DriverError, RecordingDriver, Session};
use touchboard_shell::{
    AnswerColours, Answers, ExitKind, OnTrouble, PictureLook, Reader, SessionText, ShellOptions,
    ShellSession,
};

/// The extension of scenarios in a folder.
const EXTENSION: &str = "txt";

/// Why there are no scenarios to run.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioFileError {
    /// A file or a folder cannot be read.
    #[error("cannot read {}: {}", path.display(), why_no_file(error))]
    Unreadable {
        /// The path of the file or folder.
        path: PathBuf,
        /// Why it could not be read.
        error: io::Error,
    },
    /// The folder contains no scenarios.
    #[error("there is no scenario in {}: their names end in .{EXTENSION}", .0.display())]
    None(PathBuf),
}

/// All scenarios among these files and in these folders, in order.
///
/// # Errors
/// A [`ScenarioFileError`].
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ScenarioFileError> {
    let mut scenarios = Vec::new();
    for path in paths {
        let unreadable = |error| ScenarioFileError::Unreadable {
            path: path.clone(),
            error,
        };
        if !fs::metadata(path).map_err(unreadable)?.is_dir() {
            scenarios.push(path.clone());
            continue;
        }
        let before = scenarios.len();
        for entry in fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            if file
                .extension()
                .is_some_and(|extension| extension == EXTENSION)
            {
                scenarios.push(file);
            }
        }
        if scenarios.len() == before {
            return Err(ScenarioFileError::None(path.clone()));
        }
        scenarios[before..].sort();
    }
    Ok(scenarios)
}

/// The outcome of a scenario.
pub struct ScenarioRun {
    /// The file's name without its extension.
    pub name: String,
    /// How the scenario ended.
    pub ending: ExitKind,
    /// The output of the shell.
    pub output: String,
    /// The errors, one line each.
    pub errors: String,
    /// The board time that passed, in milliseconds.
    pub board_ms: Tick,
    /// A recording of everything that was done.
    pub session: Session,
}

/// How a scenario is run.
#[derive(Clone, Debug)]
pub struct ScenarioOptions {
    /// The reset before the scenario.
    pub begin: Deed,
    /// The seed of the board.
    pub seed: u64,
    /// The maximum board time, in milliseconds.
    pub within_ms: Tick,
}

/// The name of the scenario in this file.
#[must_use]
pub fn name_of(path: &Path) -> String {
    let name = path.file_stem().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Resets the board and runs the scenario; `look` checks its pictures.
///
/// # Errors
/// When the board cannot be reset. A failing scenario is not an error.
pub fn run_scenario(
    board: &mut dyn Driver,
    path: &Path,
    options: &ScenarioOptions,
    look: &mut PictureLook<'_>,
) -> Result<ScenarioRun, DriverError> {
    let lines = File::open(path).map(BufReader::new);
    run_lines(board, (path, lines), options, look)
}

/// Resets the board and runs the lines of a scenario that were read from this file.
///
/// # Errors
/// When the board cannot be reset. A failing scenario is not an error.
pub fn run_lines(
    board: &mut dyn Driver,
    (path, lines): (&Path, io::Result<impl BufRead>),
    options: &ScenarioOptions,
    look: &mut PictureLook<'_>,
) -> Result<ScenarioRun, DriverError> {
    board.carry_out(&options.begin)?;
    let limited = Limited {
        inner: board,
        left_ms: options.within_ms,
    };
    let note = path.display().to_string();
    let mut recorded = RecordingDriver::from_now(limited, options.seed, &note)?;
    let shell = ShellOptions {
        layout: touchboard_links::games::layout,
        answers: Answers::Plain(AnswerColours::Letters),
        reader: Reader::Script,
        on_trouble: OnTrouble::Stop,
        seed: options.seed,
    };
    let SessionText {
        output,
        errors,
        ending,
    } = match lines {
        Ok(lines) => {
            let session = ShellSession {
                file: Some(path),
                look: Some(look),
                ..ShellSession::new(&mut recorded, &shell)
            };
            session.run_to_text(lines)
        }
        Err(error) => SessionText {
            output: String::new(),
            errors: format!("cannot read {}: {}\n", path.display(), why_no_file(&error)),
            ending: ExitKind::Bad,
        },
    };
    Ok(ScenarioRun {
        name: name_of(path),
        ending,
        output,
        errors,
        board_ms: options.within_ms - recorded.inner().left_ms,
        session: recorded.session(),
    })
}

/// A board with a limit on its board time.
struct Limited<'a> {
    inner: &'a mut dyn Driver,
    /// The remaining time in ticks.
    left_ms: Tick,
}

impl Driver for Limited<'_> {
    touchboard_host::forward!(inner; own: step, step_and_digest);

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        let taken = ticks.min(self.left_ms);
        self.left_ms -= taken;
        self.inner.step(inputs, taken)?;
        match taken == ticks {
            true => Ok(()),
            false => Err(DriverError::Impossible(
                "the scenario takes more board time than --within-ms allows".into(),
            )),
        }
    }
}

//! The server's board, and the operations on it: shell lines, going back, pictures,
//! comparison, scenarios.
//!
//! A board cannot be shared between threads, so one thread owns it and carries out calls
//! in order ([`crate::worker`]).
//!
//! Invariants: every call ends in time, whatever it requests; no file outside of the
//! given folder is accessed; everything done since the board was started can be undone
//! and saved.

use std::path::Path;
use std::time::Duration;

use protocol::{Deed, Layout, Point, Tick};
use touchboard_files::{read_bounded_text, why_no_file};
use touchboard_host::check::{CheckOptions, Verdict, check};
use touchboard_host::{Driver, DriverError, RecordingDriver, scenario};
use touchboard_links::time_limit::time_limit;
use touchboard_links::{SessionInFile, Where};
use touchboard_shell::{
    AnswerColours, Answers, ExitKind, Expectation, LayoutArgument, OnTrouble, PICTURE_NOT_COMPARED,
    Reader, Shell, ShellCommand, ShellMemory, ShellOptions, parse,
};
use touchboard_testing::scenarios::{self, ScenarioOptions, run_lines};

use crate::bounded::{Bounded, CallTime};
use crate::folder::Folder;
use touchboard_picture::BoardPicture;

/// The maximum board time that one line lets pass, in ms.
pub const MOST_WAIT_MS: Tick = 600_000;
/// The maximum number of lines in a call.
pub const MOST_LINES: usize = 200;
/// The maximum number of steps in a comparison.
pub const MOST_STEPS: u64 = 100_000;
/// The maximum number of scenarios in a call.
pub const MOST_SCENARIOS: usize = 500;
/// The maximum size of a scenario, in bytes.
const MOST_SCENARIO_BYTES: u64 = 1 << 20;
/// The sentence about a missing board.
const NO_BOARD: &str = "there is no board: call `reopen`";
/// Shrinking gets one part in this many of a call's time.
const SHRINK_PART: u32 = 4;

/// The answer to a call: the text, and whether everything succeeded.
pub struct Said {
    pub text: String,
    pub is_good: bool,
}

impl Said {
    fn good(text: String) -> Said {
        Said {
            text,
            is_good: true,
        }
    }
}

/// An answer, or a sentence about the failure.
pub type Answered<T> = Result<T, String>;

/// Carries out a line. Returns what the shell wrote, and the points where the board
/// differs from what the line expected.
fn obey(shell: &mut Shell<'_>, line: &str) -> (Said, Vec<Point>) {
    let answer = shell.line(line);
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    // Writing to memory does not fail.
    let _ = answer.write(shell, &mut output, &mut errors);
    output.append(&mut errors);
    if answer.picture().is_some() {
        output.extend_from_slice(PICTURE_NOT_COMPARED.as_bytes());
    }
    let said = Said {
        text: String::from_utf8_lossy(&output).into_owned(),
        is_good: answer.trouble().is_none(),
    };
    (said, answer.differing().to_vec())
}

/// The board, and what is known about it.
pub struct AgentBoard {
    place: Where,
    folder: Folder,
    seed: u64,
    time: CallTime,
    /// `None` while there is no board.
    board: Option<RecordingDriver<Bounded>>,
    memory: Option<ShellMemory>,
}

impl AgentBoard {
    /// Opens the board at this place.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(place: Where, folder: Folder, limit: Duration) -> Result<AgentBoard, DriverError> {
        let mut board = AgentBoard {
            place,
            folder,
            seed: 0,
            time: CallTime::new(limit),
            board: None,
            memory: None,
        };
        // What an agent does never counts as playing.
        board.place.is_test = true;
        board.begin_again()?;
        Ok(board)
    }

    /// Starts the time of a call.
    pub fn begin_call(&self) {
        self.time.begin();
    }

    /// Closes the board and opens it again, so that a rebuilt image is used.
    pub fn reopen(&mut self) -> Answered<Said> {
        (self.board, self.memory) = (None, None);
        self.begin_again().map_err(|error| error.to_string())?;
        self.show()
    }

    fn begin_again(&mut self) -> Result<(), DriverError> {
        self.place.check()?;
        let (inner, seed) = self.place.open_seeded()?;
        self.seed = seed;
        self.hold(inner)
    }

    /// Wraps a board, and records everything done to it from now on.
    fn hold(&mut self, inner: Box<dyn Driver>) -> Result<(), DriverError> {
        let time = self.time.clone();
        let board = Bounded { inner, time };
        let mut board = RecordingDriver::from_now(board, self.seed, "what an agent did")?
            .with_twin_of_a_line()?;
        let options = ShellOptions {
            answers: Answers::Plain(AnswerColours::Letters),
            reader: Reader::Script,
            on_trouble: OnTrouble::Stop,
            seed: self.seed,
            layout: touchboard_links::games::layout,
        };
        self.memory = Some(Shell::new(&mut board, &options).into_memory());
        self.board = Some(board);
        Ok(())
    }

    /// Takes the board back after it was lent, and resets it.
    fn take_back(&mut self, mut inner: Box<dyn Driver>, layout: Layout) -> Answered<()> {
        let seed = self.seed;
        let done = inner.carry_out(&Deed::Reset { seed, layout });
        done.and_then(|()| self.hold(inner))
            .map_err(|error| error.to_string())
    }

    fn with_shell<T>(&mut self, what: impl FnOnce(&mut Shell<'_>) -> T) -> Answered<T> {
        let board = self.board.as_mut().ok_or(NO_BOARD)?;
        let memory = self.memory.take().ok_or(NO_BOARD)?;
        let mut shell = Shell::resume(board, memory);
        let done = what(&mut shell);
        self.memory = Some(shell.into_memory());
        Ok(done)
    }

    fn board(&mut self) -> Answered<&mut RecordingDriver<Bounded>> {
        Ok(self.board.as_mut().ok_or(NO_BOARD)?)
    }

    /// Carries out lines of the shell up to the first that fails, and then shows the board.
    pub fn lines(&mut self, lines: &[String]) -> Answered<Said> {
        if lines.len() > MOST_LINES {
            return Err(format!(
                "{} lines are too many: at most {MOST_LINES}",
                lines.len()
            ));
        }
        let (mut text, mut is_good, mut differing) = (String::new(), true, Vec::new());
        for line in lines {
            let layout = self.board()?.layout();
            if let Ok(Some(command)) = parse(line, layout) {
                self.check_allowed(&command, layout)?;
            }
            let (said, points) = self.with_shell(|shell| obey(shell, line))?;
            if lines.len() > 1 {
                text += &format!("> {line}\n");
            }
            text += &said.text;
            (is_good, differing) = (said.is_good, points);
            if !is_good {
                break;
            }
        }
        if !text.is_empty() {
            text.push('\n');
        }
        match self.with_shell(|shell| shell.diagram(&differing))? {
            Ok(diagram) => text += &diagram,
            Err(error) => text += error.sentence(),
        }
        Ok(Said { text, is_good })
    }

    /// Carries out a line that only asks, without showing the board.
    pub fn answer(&mut self, line: &str) -> Answered<Said> {
        let (said, _) = self.with_shell(|shell| obey(shell, line))?;
        Ok(said)
    }

    /// Shows the board, its status and its place.
    pub fn show(&mut self) -> Answered<Said> {
        let at = self.board()?.at().to_owned();
        let shown = self.answer("show")?;
        Ok(Said {
            text: format!("the board at {at}\n\n{}", shown.text),
            ..shown
        })
    }

    /// Checks that a line only uses files in the folder, and ends in time.
    fn check_allowed(&self, command: &ShellCommand, layout: Layout) -> Answered<()> {
        let is_long =
            |ms: Tick| format!("{ms} ms are too long for one line: at most {MOST_WAIT_MS}");
        match command {
            ShellCommand::Save(file) | ShellCommand::Load(file) => {
                self.folder.inside(file).map(drop)
            }
            ShellCommand::Reset(Some(LayoutArgument::File(name))) => {
                let file = name.split('#').next().unwrap_or_default();
                // An included game has a name but no file.
                let is_file = Path::new(file).components().count() != 1
                    || Path::new(file).symlink_metadata().is_ok();
                match is_file {
                    true => self.folder.inside(file).map(drop),
                    false => Ok(()),
                }
            }
            ShellCommand::Wait(ms) | ShellCommand::RunUntil(_, ms) | ShellCommand::Press(_, ms)
                if *ms > MOST_WAIT_MS =>
            {
                Err(is_long(*ms))
            }
            // The line that should be refused is also carried out.
            ShellCommand::Expect(Expectation::Refused(line)) => match parse(line, layout) {
                Ok(Some(command)) => self.check_allowed(&command, layout),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Goes to a tick, back or forward.
    pub fn go_to(&mut self, tick: Tick) -> Answered<Said> {
        let board = self.board()?;
        // The tick is counted from the last restart of the board.
        let time = board.recorder().time(tick);
        if tick > board.tick().saturating_add(MOST_WAIT_MS) {
            return Err(format!(
                "tick {tick} is too far away: at most {MOST_WAIT_MS} ms after this one"
            ));
        }
        board.go_to(time).map_err(|error| error.to_string())?;
        self.show()
    }

    /// A picture of the board, as a PNG.
    pub fn picture(&mut self) -> Answered<Vec<u8>> {
        let board = self.board()?;
        let picture = BoardPicture::of(board.layout(), board.frame(), board.tick());
        let png = picture.and_then(|picture| picture.to_png());
        png.map_err(|error| error.to_string())
    }

    /// Saves the session since the board began to a file in the folder.
    pub fn save_session(&mut self, name: &str) -> Answered<Said> {
        let file = self.folder.inside(name)?;
        let session = self.board()?.session();
        session.save(&file).map_err(|error| error.to_string())?;
        Ok(Said::good(format!(
            "{} things that were done are in {}",
            session.acts(),
            file.display()
        )))
    }

    /// Drives the board and a twin alike. The board is then reset.
    pub fn check(&mut self, seed: u64, steps: u64) -> Answered<Said> {
        if steps > MOST_STEPS {
            return Err(format!("{steps} steps are too many: at most {MOST_STEPS}"));
        }
        let layout = self.board()?.layout();
        let mut board = self.lend()?;
        let options = CheckOptions {
            shrink_for: time_limit(self.time.left() / SHRINK_PART),
            ..CheckOptions::new(layout, seed, steps)
        };
        let verdict = check(&mut board, &options, &mut |_| {});
        self.take_back(board.inner, layout)?;
        match verdict.map_err(|error| error.to_string())? {
            Verdict::Agrees(summary) => Ok(Said::good(format!(
                "board and twin agree: {} steps, {} inputs, {} events, {} games, {} ms of board time",
                summary.steps, summary.inputs, summary.events, summary.games, summary.ticks
            ))),
            Verdict::Differs(finding) => {
                let shows = scenario::lines(&finding.session);
                let shows = shows.map_or_else(|error| error.to_string(), |lines| lines.join("\n"));
                Ok(Said {
                    text: format!(
                        "{}\n\nthis scenario shows it ({} things done, of {}):\n{shows}",
                        finding.difference,
                        finding.session.acts(),
                        finding.found_after
                    ),
                    is_good: false,
                })
            }
        }
    }

    /// Runs scenarios from the folder, each on a freshly reset board, which is reset
    /// again at the end.
    pub fn test(&mut self, name: &str) -> Answered<Said> {
        let path = self.folder.inside(name)?;
        let files = scenarios::find(&[path]).map_err(|error| error.to_string())?;
        if files.len() > MOST_SCENARIOS {
            return Err(format!(
                "{} scenarios are too many: at most {MOST_SCENARIOS}",
                files.len()
            ));
        }
        let (seed, layout) = (self.seed, self.board()?.layout());
        let options = ScenarioOptions {
            begin: Deed::Reset { seed, layout },
            seed,
            within_ms: MOST_WAIT_MS,
        };
        let mut board = self.lend()?;
        let (mut text, mut passed) = (String::new(), 0);
        let mut ran = Ok(());
        for file in &files {
            let lines = match self.allowed_scenario(file, layout) {
                Ok(lines) => lines,
                Err(sentence) => {
                    text += &format!("refused  {}\n  {sentence}\n", scenarios::name_of(file));
                    continue;
                }
            };
            let lines = (file.as_path(), Ok(lines.as_bytes()));
            match run_lines(&mut board, lines, &options, &mut |_, _| Ok(())) {
                Ok(run) if run.ending == ExitKind::Done => {
                    passed += 1;
                    text += &format!("ok       {}\n", run.name);
                }
                Ok(run) => {
                    text += &format!("FAILED   {}\n", run.name);
                    run.errors
                        .lines()
                        .for_each(|line| text += &format!("  {line}\n"));
                }
                Err(error) => {
                    ran = Err(error.to_string());
                    break;
                }
            }
        }
        self.take_back(board.inner, layout)?;
        ran?;
        text += &format!("{passed} of {} passed", files.len());
        Ok(Said {
            text,
            is_good: passed == files.len(),
        })
    }

    /// The text of a scenario, if all of its lines are allowed. This text is run, not the
    /// file, which somebody may change in the meantime.
    fn allowed_scenario(&self, file: &Path, layout: Layout) -> Answered<String> {
        let text = read_bounded_text(file, MOST_SCENARIO_BYTES).map_err(|why| why_no_file(&why))?;
        for line in text.lines() {
            if let Ok(Some(command)) = parse(line, layout) {
                self.check_allowed(&command, layout)?;
            }
        }
        Ok(text)
    }

    /// Lends the board to code that drives it.
    fn lend(&mut self) -> Answered<Bounded> {
        self.memory = None;
        let board = self.board.take();
        let parts = board
            .ok_or(NO_BOARD)?
            .into_parts()
            .map_err(|error| error.to_string())?;
        Ok(parts.0)
    }
}

//! A board that a test touches and examines.
//!
//! Actions and expectations are carried out as lines of the shell, so a test and a
//! scenario mean the same. A line that fails fails the test at once.
//!
//! Invariants: a board starts at tick 0, untouched and with the same seed on every kind
//! of board; a test that fails in any way leaves its session in a file; a board that was
//! not started for a test is used by one test at a time.

use std::fmt::Display;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::{fs, thread};

use parking_lot::{Mutex, MutexGuard};
use protocol::{Button, Colour, Deed, Outcome, Refusal, Rhythm, Side, StampedEvent, Status, Tick};
use touchboard_host::signals::{EventKind, SignalValue};
use touchboard_host::{Driver, DriverError, RecordingDriver, Session};
use touchboard_links::session_file::SessionInFile;
use touchboard_links::{At, Where};
use touchboard_shell::{
    AnswerColours, Answers, OnTrouble, PICTURE_NOT_COMPARED, Reader, Shell, ShellError,
    ShellMemory, ShellOptions, parse,
};

use crate::failure::Failure;
use crate::place;

/// The tests of a program run in parallel, but a board that was not started for a test
/// exists only once.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A board that a test touches and examines.
///
/// Every method fails the test if the board does not do as requested; the panic points to
/// the line of the test.
pub struct TestBoard {
    driver: RecordingDriver<Box<dyn Driver>>,
    /// `None` while a line is being carried out.
    memory: Option<ShellMemory>,
    /// The lines that were carried out.
    script: Vec<String>,
    /// The events since the last action.
    events: Vec<StampedEvent>,
    session_file: PathBuf,
    /// True once a failure has been reported.
    is_told: bool,
    _alone: Option<MutexGuard<'static, ()>>,
}

impl TestBoard {
    /// The board at the place that the variable [`TOUCHBOARD_AT`](crate::AT) names, by
    /// default one in this process.
    #[must_use]
    #[track_caller]
    pub fn begin() -> TestBoard {
        match place::place() {
            Ok(place) => TestBoard::of(&place),
            Err(error) => panic!("{error}"),
        }
    }

    /// The board at this place, with seed 0 unless the place names one.
    #[must_use]
    #[track_caller]
    pub fn of(place: &Where) -> TestBoard {
        let is_shared = !place.at.is_started_here() && place.at != At::Core;
        // A test that failed leaves nothing behind that affects the next one.
        let alone = is_shared.then(|| ONE_AT_A_TIME.lock());
        let mut place = place.clone();
        place.is_test = true;
        let seed = *place.seed.get_or_insert(0);
        let open = || -> Result<Box<dyn Driver>, DriverError> {
            place.check()?;
            let mut board = place.open()?;
            restart(&mut *board, &place, seed)?;
            Ok(board)
        };
        match open() {
            Ok(board) => TestBoard::held(board, seed, alone),
            Err(error) => panic!("no board at {}: {error}", place.at),
        }
    }

    /// A board that the test created itself, in its current state.
    #[must_use]
    #[track_caller]
    pub fn on(board: impl Driver + 'static, seed: u64) -> TestBoard {
        TestBoard::held(Box::new(board), seed, None)
    }

    #[track_caller]
    fn held(
        board: Box<dyn Driver>,
        seed: u64,
        alone: Option<MutexGuard<'static, ()>>,
    ) -> TestBoard {
        let test = name_of_test(Location::caller());
        let recorded = RecordingDriver::from_now(board, seed, &test)
            .and_then(RecordingDriver::with_twin_of_a_line);
        let mut driver = match recorded {
            Ok(driver) => driver,
            Err(error) => panic!("the state of the board cannot be read: {error}"),
        };
        let options = ShellOptions {
            answers: Answers::Plain(AnswerColours::Letters),
            reader: Reader::Script,
            on_trouble: OnTrouble::Stop,
            seed,
            layout: touchboard_links::games::layout,
        };
        let memory = Shell::new(&mut driver, &options).into_memory();
        TestBoard {
            driver,
            memory: Some(memory),
            script: Vec::new(),
            events: Vec::new(),
            session_file: place::session_file(&test),
            is_told: false,
            _alone: alone,
        }
    }

    /// Carries out a line of the shell: `board.obey("set game=reversi mode=2")`.
    #[track_caller]
    pub fn obey(&mut self, line: &str) -> &mut Self {
        self.script.push(line.to_owned());
        let command = parse(line, self.driver.layout());
        if matches!(command, Ok(Some(command)) if !command.only_looks()) {
            self.events.clear();
        }
        let answer = self.with_shell(|shell| shell.line(line));
        if answer.picture().is_some() {
            self.fail(PICTURE_NOT_COMPARED.to_owned(), &[]);
        }
        self.events.extend(answer.events().copied());
        if let Some(trouble) = answer.trouble() {
            let (sentence, differing) = (trouble.sentence().to_owned(), answer.differing());
            self.fail(sentence, differing);
        }
        self
    }

    /// Presses and releases the Start button.
    #[track_caller]
    pub fn start(&mut self) -> &mut Self {
        self.obey("start")
    }

    /// Presses and releases a button, like a quick finger.
    #[track_caller]
    pub fn press(&mut self, button: Button) -> &mut Self {
        self.obey(&format!("press {}", button.name()))
    }

    /// Touches and releases a point, like a quick finger.
    #[track_caller]
    pub fn tap(&mut self, point: &str) -> &mut Self {
        self.obey(&format!("tap {point}"))
    }

    /// Puts a finger on a point.
    #[track_caller]
    pub fn touch(&mut self, point: &str) -> &mut Self {
        self.obey(&format!("touch {point}"))
    }

    /// Lifts the finger from a point.
    #[track_caller]
    pub fn release(&mut self, point: &str) -> &mut Self {
        self.obey(&format!("release {point}"))
    }

    /// Lets `ms` milliseconds of board time pass.
    #[track_caller]
    pub fn wait(&mut self, ms: Tick) -> &mut Self {
        self.obey(&format!("wait {ms}"))
    }

    /// Lets board time pass until a condition on a signal is met, such as `turn = red`,
    /// for a minute at most. Write `turn = red within 500` for a shorter limit, in
    /// milliseconds.
    #[track_caller]
    pub fn run_until(&mut self, condition: &str) -> &mut Self {
        self.obey(&format!("run until {condition}"))
    }

    /// Compares like `expect` in the shell: `board.expect("legal d3 c4")`.
    #[track_caller]
    pub fn expect(&mut self, expectation: &str) -> &mut Self {
        self.obey(&format!("expect {expectation}"))
    }

    /// Expects that a line is invalid or refused by the board.
    #[track_caller]
    pub fn expect_refused(&mut self, line: &str) -> &mut Self {
        self.expect(&format!("refused {line}"))
    }

    /// Expects the colour that a point shows at this tick.
    #[track_caller]
    pub fn expect_light(&mut self, point: &str, colour: Colour) -> &mut Self {
        self.expect(&format!("{point} {}", colour.name()))
    }

    /// Expects the light of a point: its colour and rhythm, at any tick.
    #[track_caller]
    pub fn expect_rhythm(&mut self, point: &str, colour: Colour, rhythm: Rhythm) -> &mut Self {
        self.expect(&format!("{point} {} {}", colour.name(), rhythm.name()))
    }

    /// Expects the side to move, or neither.
    #[track_caller]
    pub fn expect_turn(&mut self, side: impl Into<Option<Side>>) -> &mut Self {
        let name = side.into().map_or("none", Side::name);
        self.expect(&format!("turn {name}"))
    }

    /// Expects the text on the display; each run of blanks counts as one.
    #[track_caller]
    pub fn expect_text(&mut self, text: &str) -> &mut Self {
        self.expect(&format!("display {text}"))
    }

    /// Expects the score.
    #[track_caller]
    pub fn expect_score(&mut self, [green, red]: [u32; 2]) -> &mut Self {
        self.expect(&format!("score {green} {red}"))
    }

    /// Expects the outcome of the game; `None` if it still runs.
    #[track_caller]
    pub fn expect_winner(&mut self, outcome: impl Into<Option<Outcome>>) -> &mut Self {
        let name = outcome.into().map_or("none", Outcome::name);
        self.expect(&format!("winner {name}"))
    }

    /// Expects the value of a field of the state, given its path:
    /// `board.expect_state("panel.settings.game", 0)`.
    #[track_caller]
    pub fn expect_state(&mut self, path: &str, value: impl Display) -> &mut Self {
        self.expect(&format!("signal state.{path} = {value}"))
    }

    /// Expects an event since the last action.
    #[track_caller]
    pub fn expect_event(&mut self, kind: EventKind) -> &mut Self {
        if !self.happened(kind) {
            let happened = names_of(&self.events);
            self.fail(
                format!("expected the event {}, found {happened}", kind.name()),
                &[],
            );
        }
        self
    }

    /// Expects that there was no such event since the last action.
    #[track_caller]
    pub fn expect_no_event(&mut self, kind: EventKind) -> &mut Self {
        if self.happened(kind) {
            let happened = names_of(&self.events);
            self.fail(
                format!("expected no event {}, found {happened}", kind.name()),
                &[],
            );
        }
        self
    }

    fn happened(&self, kind: EventKind) -> bool {
        let mut kinds = self
            .events
            .iter()
            .filter_map(|event| EventKind::of(&event.event));
        kinds.any(|other| other == kind)
    }

    /// The current value of a signal: `board.signal("state.referee.turn_time_ms")`.
    #[track_caller]
    pub fn signal(&mut self, name: &str) -> SignalValue {
        let read = self.with_shell(|shell| shell.signal(name));
        match read {
            Ok(value) => value,
            Err(error) => self.fail(error.sentence().to_owned(), &[]),
        }
    }

    /// The status of the game.
    #[track_caller]
    pub fn status(&mut self) -> Status {
        match self.driver.status() {
            Ok(status) => status,
            Err(error) => self.fail(error.to_string(), &[]),
        }
    }

    /// The board as `show` in the shell draws it.
    #[track_caller]
    pub fn diagram(&mut self) -> String {
        match self.diagram_of(&[]) {
            Ok(diagram) => diagram,
            Err(error) => self.fail(error.sentence().to_owned(), &[]),
        }
    }

    /// The events since the last action.
    #[must_use]
    pub fn events(&self) -> &[StampedEvent] {
        &self.events
    }

    /// The board itself. What is done to it directly is in the session, but not among the
    /// lines that a failure prints.
    pub fn driver(&mut self) -> &mut dyn Driver {
        &mut self.driver
    }

    /// The session so far.
    #[must_use]
    pub fn session(&self) -> Session {
        self.driver.session()
    }

    fn diagram_of(&mut self, marked: &[protocol::Point]) -> Result<String, ShellError> {
        self.with_shell(|shell| shell.diagram(marked))
    }

    fn with_shell<T>(&mut self, what: impl FnOnce(&mut Shell<'_>) -> T) -> T {
        let memory = self.memory.take().expect("no line is done within another");
        let mut shell = Shell::resume(&mut self.driver, memory);
        let done = what(&mut shell);
        self.memory = Some(shell.into_memory());
        done
    }

    /// Fails the test with this sentence and a diagram of the board.
    #[track_caller]
    fn fail(&mut self, sentence: String, differing: &[protocol::Point]) -> ! {
        let diagram = self.diagram_of(differing).ok();
        let session = self.save();
        self.is_told = true;
        let failure = Failure {
            sentence,
            diagram,
            script: &self.script,
            session,
        };
        panic!("{failure}");
    }

    /// Saves the session. Returns the file, or a sentence that says why it was not saved.
    fn save(&self) -> Result<PathBuf, String> {
        let file = &self.session_file;
        let folder = file.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder)
            .map_err(|error| format!("no session: {} cannot be made: {error}", folder.display()))?;
        match self.session().save(file) {
            Ok(()) => Ok(file.clone()),
            Err(error) => Err(format!("no session: {error}")),
        }
    }
}

impl Drop for TestBoard {
    /// Also covers assertions of the test's own that fail.
    fn drop(&mut self) {
        if thread::panicking() && !self.is_told {
            match self.save() {
                Ok(file) => eprintln!("the session is {}", file.display()),
                Err(why) => eprintln!("{why}"),
            }
        }
    }
}

/// Resets the board to the requested layout, or to the one that its games are made for,
/// whatever the previous test left.
fn restart(board: &mut dyn Driver, place: &Where, seed: u64) -> Result<(), DriverError> {
    let own = board.layout();
    let wanted = place
        .layout()
        .unwrap_or_else(|| touchboard_host::written::without(board.roster()));
    let begin = |layout| Deed::Reset { seed, layout };
    match board.carry_out(&begin(wanted)) {
        // A board of tiles cannot change its number of points.
        Err(DriverError::Refused(Refusal::Layout(_))) if place.layout().is_none() => {
            board.carry_out(&begin(own))
        }
        done => done,
    }
}

/// The name of the running test: that of its thread, or its place if tests run one by one.
fn name_of_test(at: &Location<'_>) -> String {
    match thread::current().name() {
        Some(name) if name != "main" => name.to_owned(),
        _ => {
            let file = Path::new(at.file()).file_stem().unwrap_or_default();
            format!("line_{}_of_{}", at.line(), file.to_string_lossy())
        }
    }
}

/// The names of the events, without those of accepted inputs.
fn names_of(events: &[StampedEvent]) -> String {
    let kinds = events
        .iter()
        .filter_map(|event| EventKind::of(&event.event));
    let names: Vec<&str> = kinds
        .filter(|kind| *kind != EventKind::Input)
        .map(EventKind::name)
        .collect();
    match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(", "),
    }
}

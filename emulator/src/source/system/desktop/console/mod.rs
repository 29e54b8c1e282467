//! The shell's language in the window: carries out a line on the board, and keeps the
//! answer.
//!
//! It runs `touchboard_shell` on the board that is shown, so the answers are those of
//! `hil-bridge shell`. The session records the effects of a line like those of any input:
//! the user can go back to them, and in the past a line starts a branch.
//!
//! The shell waits for its board, so it runs on its own thread, to which the board is
//! [lent](loan). A line that takes long delays no picture, shows its progress, and can be
//! cancelled.

mod loan;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use crossbeam_channel::{Receiver, bounded};
use protocol::{StampedEvent, Tick};
use touchboard_shell::{
    AnswerColours, Answers, OnTrouble, Reader, Shell, ShellMemory, ShellOptions,
};

use super::EventCopies;
use crate::source::{
    CancelWork, ConsoleWork, Happened, LongWork, Reports, ShownBoard, SourceError, SourceSet,
    let_time_pass,
};
use loan::{Loan, Served, lend};

/// The maximum number of lines that are kept.
const MOST: usize = 2_000;

/// The maximum time that a picture spends on the console.
const LONGEST_WORK: Duration = Duration::from_millis(15);

/// A request to carry out this line of the shell's language.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct ConsoleLine(pub String);

/// The source of a line in the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The user, who typed it.
    Person,
    /// The board, which answered.
    Board,
    /// An error or a remark.
    Trouble,
}

/// A line that is being carried out.
struct LineAtWork {
    line: String,
    place: String,
    loan: Loan,
    done: Receiver<LineDone>,
}

/// The result of a line.
struct LineDone {
    output: Vec<u8>,
    errors: Vec<u8>,
    memory: ShellMemory,
}

/// The console: its lines so far, and those that wait.
#[derive(Resource, Default)]
pub struct ShellConsole {
    said: VecDeque<(Speaker, String)>,
    /// The shell's memory of a board, with the name of that board.
    memory: Option<(String, ShellMemory)>,
    waiting: VecDeque<String>,
    at_work: Option<LineAtWork>,
}

impl ShellConsole {
    /// The lines in the console, oldest first.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = &(Speaker, String)> {
        self.said.iter()
    }

    /// The line in progress as work that the user waits for.
    fn work(&self) -> Option<LongWork> {
        let LineAtWork { line, loan, .. } = self.at_work.as_ref()?;
        Some(LongWork {
            words: format!("Doing `{line}`"),
            share: loan.share(),
            can_cancel: true,
        })
    }

    fn add_lines(&mut self, speaker: Speaker, text: &str) {
        for line in text.lines() {
            self.said.push_back((speaker, line.to_owned()));
        }
        let over = self.said.len().saturating_sub(MOST);
        self.said.drain(..over);
    }

    /// Begins the next line that waits. Returns false if there is none.
    fn begin(&mut self, board: &mut ShownBoard) -> bool {
        let Some(line) = self.waiting.pop_front() else {
            return false;
        };
        self.add_lines(Speaker::Person, &line);
        if let Err(error) = self.begin_line(line, board) {
            take_back(board);
            self.add_lines(Speaker::Trouble, &error.to_string());
        }
        true
    }

    fn begin_line(&mut self, line: String, board: &mut ShownBoard) -> Result<(), SourceError> {
        let place = board.0.name();
        // The session is read before the board is lent.
        let seed = self.memory.is_none().then(|| board.0.session());
        let seed = seed.and_then(Result::ok).map(|session| session.header.seed);
        let lent = board.0.lendable().ok_or(SourceError::NotLent)?;
        lent.lend()?;
        let (loan, mut borrowed) = lend(lent.drive()?);
        // The memory of a different board does not apply to this one.
        let known = self.memory.take().filter(|(of, _)| *of == place);
        let (give, done) = bounded(1);
        let typed = line.clone();
        let work = move || {
            let mut shell = match known {
                Some((_, memory)) => Shell::resume(&mut borrowed, memory),
                None => Shell::new(&mut borrowed, &options(seed.unwrap_or_default())),
            };
            let answer = shell.line(&typed);
            let (mut output, mut errors) = (Vec::new(), Vec::new());
            // Writing into memory cannot fail.
            let _ = answer.write(&shell, &mut output, &mut errors);
            let memory = shell.into_memory();
            // The receiver is gone if the line was cancelled.
            let _ = give.send(LineDone {
                output,
                errors,
                memory,
            });
        };
        let thread = std::thread::Builder::new().name("console".into());
        thread.spawn(work).map_err(SourceError::NoThread)?;
        self.at_work = Some(LineAtWork {
            line,
            place,
            loan,
            done,
        });
        Ok(())
    }

    /// Ends the current line, and shows its result.
    fn end(&mut self) {
        let Some(LineAtWork { place, done, .. }) = self.at_work.take() else {
            return;
        };
        // The thread sends this last, after it has given the board back.
        let Ok(done) = done.recv() else {
            return;
        };
        self.memory = Some((place, done.memory));
        self.add_lines(Speaker::Board, &String::from_utf8_lossy(&done.output));
        self.add_lines(Speaker::Trouble, &String::from_utf8_lossy(&done.errors));
    }

    /// Cancels the current line and those that wait.
    fn cancel(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        if self.at_work.take().is_some() {
            self.add_lines(Speaker::Trouble, "cancelled: the board stays as it is now");
        }
        for line in waiting {
            self.add_lines(Speaker::Trouble, &format!("not done any more: {line}"));
        }
    }
}

/// Carries out the lines of the console.
pub struct ConsolePlugin;

impl Plugin for ConsolePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<ShellConsole>()
            .add_message::<ConsoleLine>()
            .add_systems(
                Update,
                obey.after(let_time_pass)
                    .in_set(SourceSet::Exchange)
                    .run_if(resource_exists::<ShownBoard>),
            );
    }
}

fn obey(
    mut board: ResMut<ShownBoard>,
    mut lines: MessageReader<ConsoleLine>,
    mut cancelled: MessageReader<CancelWork>,
    mut console: ResMut<ShellConsole>,
    mut work: ResMut<ConsoleWork>,
    mut reports: Reports,
    mut happened: MessageWriter<Happened>,
) {
    let typed = lines.read().map(|ConsoleLine(line)| line.clone());
    console.waiting.extend(typed);
    let is_meant = |work: &&CancelWork| **work == CancelWork::Console;
    let is_cancelled = cancelled.read().filter(is_meant).count() > 0;
    if console.at_work.is_none() && console.waiting.is_empty() {
        return;
    }
    if is_cancelled {
        console.cancel();
        take_back(&mut board);
    }
    let began = Instant::now();
    while let Some(left) = LONGEST_WORK.checked_sub(began.elapsed()) {
        if console.at_work.is_none() && !console.begin(&mut board) {
            break;
        }
        let Some(work) = &console.at_work else {
            continue;
        };
        match serve(&work.loan, &mut board, left, &mut reports, &mut happened) {
            Ok(Served::All) => {
                take_back(&mut board);
                console.end();
            }
            Ok(Served::One | Served::None) => {}
            Err(error) => {
                // The board was replaced or lost.
                console.cancel();
                take_back(&mut board);
                console.add_lines(Speaker::Trouble, &error.to_string());
            }
        }
    }
    reports.rate.restart();
    work.set_if_neq(ConsoleWork(console.work()));
}

/// Ends the loan of this board, if it is lent.
fn take_back(board: &mut ShownBoard) {
    if let Some(lent) = board.0.lendable() {
        lent.take_back();
    }
}

/// Runs the next errand of the console on the board, if one comes in time, and reports
/// the events at session time.
fn serve(
    loan: &Loan,
    board: &mut ShownBoard,
    within: Duration,
    reports: &mut Reports,
    happened: &mut MessageWriter<Happened>,
) -> Result<Served, SourceError> {
    let driver = board.0.lendable().ok_or(SourceError::NotLent)?.drive()?;
    let before: Tick = driver.tick();
    let mut copying = EventCopies::new(driver);
    let served = loan.serve(&mut copying, within);
    if touchboard_host::Driver::tick(&copying) < before {
        reports.log.restart();
    }
    for event in copying.into_events() {
        let tick = board.0.time_of(event.tick);
        let event = StampedEvent { tick, ..event };
        reports.log.note(event);
        happened.write(Happened(event));
    }
    Ok(served)
}

/// The options of the shell in this window.
fn options(seed: u64) -> ShellOptions {
    ShellOptions {
        answers: Answers::Plain(AnswerColours::Letters),
        reader: Reader::Person,
        on_trouble: OnTrouble::GoOn,
        seed,
        layout: touchboard_links::games::layout,
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Input, Layout, Point};
    use touchboard_host::CoreDriver;

    use super::*;
    use crate::source::core::InProcess;
    use crate::source::remote::Remote;
    use crate::source::{
        Agreement, At, BoardPace, BoardTime, Shown, SourcePlugin, Where, WindowCommand,
    };

    /// An app with a board whose time is frozen.
    fn program() -> App {
        let driver = CoreDriver::new(Layout::MALDOO, 0).unwrap();
        let board = InProcess::new(driver).unwrap();
        let mut app = App::new();
        app.insert_resource(ShownBoard(Box::new(board)))
            .init_resource::<Time<Real>>()
            .add_plugins(SourcePlugin);
        app
    }

    fn type_lines(app: &mut App, lines: &[&str]) -> Vec<(Speaker, String)> {
        for line in lines {
            app.world_mut()
                .write_message(ConsoleLine((*line).to_owned()));
        }
        app.update();
        while !console(app).is_idle() {
            app.update();
        }
        console(app).lines().cloned().collect()
    }

    fn console(app: &App) -> &ShellConsole {
        app.world().resource()
    }

    impl ShellConsole {
        fn is_idle(&self) -> bool {
            self.at_work.is_none() && self.waiting.is_empty()
        }
    }

    /// The answers and the remarks of a shell at a terminal to these lines.
    fn at_a_terminal(lines: &[&str], seed: u64) -> [String; 2] {
        let mut elsewhere = CoreDriver::new(Layout::MALDOO, seed).unwrap();
        let mut shell = Shell::new(&mut elsewhere, &options(seed));
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        for line in lines {
            let answer = shell.line(line);
            answer.write(&shell, &mut output, &mut errors).unwrap();
        }
        [output, errors].map(|bytes| String::from_utf8(bytes).unwrap())
    }

    fn of(said: &[(Speaker, String)], speaker: Speaker) -> Vec<&str> {
        let own = said.iter().filter(|(own, _)| *own == speaker);
        own.map(|(_, text)| text.as_str()).collect()
    }

    const LINES: [&str; 9] = [
        "set game=reversi level=1",
        "start",
        "tap d7",
        "run until turn = green",
        "signal score",
        "expect turn red",
        "tap moon",
        "show",
        "run until event.illegal within 500",
    ];

    #[test]
    fn the_console_answers_like_the_shell() {
        let mut app = program();
        let said = type_lines(&mut app, &LINES);
        assert_eq!(of(&said, Speaker::Person), LINES);
        let [output, errors] = at_a_terminal(&LINES, 0);
        assert_eq!(of(&said, Speaker::Board), Vec::from_iter(output.lines()));
        assert_eq!(of(&said, Speaker::Trouble), Vec::from_iter(errors.lines()));
        assert!(
            errors.contains("expect") && output.contains("score.green"),
            "{output}{errors}"
        );
    }

    #[test]
    fn session_and_log_contain_console_commands_and_resets() {
        let mut app = program();
        type_lines(&mut app, &["start", "tap d7"]);
        let world = app.world();
        let session = world.resource::<ShownBoard>().0.session().unwrap();
        assert_eq!(session.acts(), 4, "{:?}", session.entries);
        let lines = world.resource::<crate::source::Log>().iter().count();
        assert!(lines > 1);
        type_lines(&mut app, &["reset 9x9"]);
        let session = app.world().resource::<ShownBoard>().0.session().unwrap();
        assert_eq!(session.acts(), 5, "{:?}", session.entries);
    }

    /// The session times of the events that were reported.
    #[derive(Resource, Default)]
    struct Reported(Vec<Tick>);

    fn collect(mut happened: MessageReader<Happened>, mut reported: ResMut<Reported>) {
        reported.0.extend(happened.read().map(|event| event.0.tick));
    }

    #[test]
    fn events_after_a_restart_have_session_time() {
        let mut app = program();
        app.init_resource::<Reported>().add_systems(Last, collect);
        type_lines(&mut app, &["start", "tap d7", "wait 5000"]);
        app.world_mut().resource_mut::<Reported>().0.clear();
        type_lines(&mut app, &["reset 9x9", "start", "tap d7", "wait 500"]);
        app.update();
        let world = app.world();
        let now = world.resource::<BoardTime>().0;
        assert!(now >= 5_500, "{now}");
        let reported = world.resource::<Reported>().0.iter().copied();
        let log = world.resource::<crate::source::Log>().iter();
        let times: [Vec<Tick>; 2] = [reported.collect(), log.map(|line| line.tick).collect()];
        for times in times {
            assert!(!times.is_empty());
            let is_after = |time: &Tick| (5_000..=now).contains(time);
            assert!(times.iter().all(is_after), "{times:?} until {now}");
        }
    }

    #[test]
    fn a_long_command_shows_progress_and_can_be_cancelled() {
        const LONG: &str = "wait 86400000";
        let mut app = program();
        let typed = [LONG, "show"].map(|line| ConsoleLine(line.to_owned()));
        for line in typed {
            app.world_mut().write_message(line);
        }
        // A day needs a keyframe for each second, so it takes more than a few pictures.
        let (work, share) = loop {
            app.update();
            let work = app.world().resource::<ConsoleWork>().0.clone().unwrap();
            if let Some(share) = work.share {
                break (work, share);
            }
        };
        assert_eq!(work.words, format!("Doing `{LONG}`"));
        assert!(work.can_cancel && share < 1.0);
        let mut board = app.world_mut().resource_mut::<ShownBoard>();
        let touch = WindowCommand::from(Input::Touch(Point(0)));
        let refused = board.0.obey(&touch);
        assert!(matches!(refused, Err(SourceError::Lent)), "{refused:?}");
        app.world_mut().write_message(CancelWork::Console);
        app.update();
        assert_eq!(app.world().resource::<ConsoleWork>().0, None);
        let said: Vec<_> = console(&app).lines().cloned().collect();
        assert_eq!(
            of(&said, Speaker::Trouble),
            [
                "cancelled: the board stays as it is now",
                "not done any more: show"
            ]
        );
        let mut board = app.world_mut().resource_mut::<ShownBoard>();
        board.0.obey(&touch).unwrap();
        let came_to = board.0.session().unwrap().last_tick();
        assert!((1..86_400_000).contains(&came_to));
        // Board time is frozen, so the finger is only felt once time runs again.
        let mut board = app.world_mut().resource_mut::<ShownBoard>();
        board.0.obey(&WindowCommand::Step(100)).unwrap();
        let said = type_lines(&mut app, &["signal point.a9"]);
        assert_eq!(said.last().unwrap().1, "point.a9  1");
    }

    /// Updates the app until its display meets the condition.
    fn wait(app: &mut App, is_so: impl Fn(&Shown) -> bool) {
        let began = Instant::now();
        while !is_so(app.world().resource::<Shown>()) {
            assert!(began.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(2));
            app.update();
        }
    }

    fn held(app: &mut App, frozen: bool) {
        let pace = BoardPace { frozen, speed: 1.0 };
        app.world_mut().write_message(WindowCommand::Pace(pace));
        app.update();
    }

    #[test]
    fn the_console_drives_a_running_board_and_lets_it_run_on() {
        let mut app = App::new();
        let board = Remote::open(Where::new(At::Virtual));
        app.insert_resource(ShownBoard(Box::new(board)))
            .init_resource::<Time<Real>>()
            .add_plugins(SourcePlugin);
        let agrees = |shown: &Shown| matches!(shown.twin, Agreement::Agrees { compared: 1.. });
        wait(&mut app, agrees);
        held(&mut app, true);
        let seed = app.world().resource::<ShownBoard>().0.session();
        let seed = seed.unwrap().header.seed;
        let lines = [&["reset 9x9"], &LINES[..]].concat();
        let said = type_lines(&mut app, &lines);
        let [output, errors] = at_a_terminal(&lines, seed);
        assert_eq!(of(&said, Speaker::Board), Vec::from_iter(output.lines()));
        assert_eq!(of(&said, Speaker::Trouble), Vec::from_iter(errors.lines()));
        held(&mut app, false);
        let before = app.world().resource::<BoardTime>().0;
        type_lines(&mut app, &["wait 30000"]);
        let began = Instant::now();
        // The board's own timer makes the ticks again.
        while app.world().resource::<BoardTime>().0 < before + 30_100 {
            assert!(began.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(2));
            app.update();
        }
        wait(&mut app, agrees);
        let session = app.world().resource::<ShownBoard>().0.session().unwrap();
        let mut again = CoreDriver::new(Layout::MALDOO, seed).unwrap();
        assert_eq!(session.replay(&mut again, &mut |_| ()).unwrap(), None);
    }
}

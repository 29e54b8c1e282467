//! Time travel in the window: the same commands go to a board in this process and to one
//! at the end of a line.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use emulator::source::core::InProcess;
use emulator::source::remote::Remote;
use emulator::source::{
    Agreement, BoardLink, BoardPace, Shown, Source, StopAction, StopCondition, Watched,
    WindowCommand,
};
use firmware_core::Faults;
use protocol::{Button, Deed, Event, Input, Layout, Settings, Side, Tick};
use touchboard_host::session::{Header, Session, SessionEntry, SessionItem};
use touchboard_host::signals::SignalCondition;
use touchboard_host::{CoreDriver, Driver, RecordingDriver};
use touchboard_links::{At, News, Where};

const PATIENCE: Duration = Duration::from_secs(60);
const SEED: u64 = 5;

/// A window that draws nothing.
pub struct Window {
    pub source: Box<dyn Source>,
    pub shown: Shown,
    tick: Tick,
    told: Vec<(Tick, Event)>,
}

impl Window {
    fn new(source: impl Source + 'static) -> Window {
        Window {
            source: Box::new(source),
            shown: Shown::default(),
            tick: 0,
            told: Vec::new(),
        }
    }

    fn in_process() -> Window {
        let board = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        Window::new(InProcess::new(board).unwrap())
    }

    pub fn on_a_line() -> Window {
        let mut window = Window::new(Remote::open(Where::new(At::Virtual)));
        window.wait(|window| matches!(window.shown.link, BoardLink::Up { .. }));
        window
    }

    /// Advances by one picture, `elapsed` after the previous one.
    fn picture(&mut self, elapsed: Duration) {
        let told = &mut self.told;
        let mut tell = |tick, event| {
            if !matches!(event, Event::Taken(_) | Event::Digest(_)) {
                told.push((tick, event));
            }
        };
        let update = self.source.update(elapsed, &mut self.shown, &mut tell);
        self.tick = update.unwrap();
    }

    /// Draws pictures until the condition is met.
    pub fn wait(&mut self, is_so: impl Fn(&Window) -> bool) {
        let began = Instant::now();
        while !is_so(self) {
            assert!(began.elapsed() < PATIENCE, "{} {:?}", self.tick, self.shown);
            std::thread::sleep(Duration::from_millis(2));
            // The board's own timer runs in real time, so short pictures keep the
            // requests close together.
            self.picture(Duration::from_millis(2));
        }
    }

    pub fn obey(&mut self, command: WindowCommand) {
        self.source.obey(&command).unwrap();
    }

    fn hold(&mut self) {
        self.obey(WindowCommand::Pace(BoardPace {
            frozen: true,
            speed: 1.0,
        }));
    }

    fn let_go(&mut self) {
        self.obey(WindowCommand::Pace(BoardPace::default()));
    }

    pub fn press(&mut self, button: Button) {
        self.obey(WindowCommand::from(Input::Press(button)));
        self.obey(WindowCommand::from(Input::Lift(button)));
    }

    pub fn touch(&mut self, name: &str) {
        let point = Layout::MALDOO.point(name).unwrap();
        self.obey(WindowCommand::from(Input::Touch(point)));
    }

    /// Waits until the board is at this tick.
    fn at(&mut self, tick: Tick) {
        self.wait(|window| window.tick == tick);
    }

    /// The session without contacts, which a board does not report while its time
    /// is held.
    fn session(&self) -> Session {
        let mut session = self.source.session().unwrap();
        let is_told = |entry: &SessionEntry| matches!(entry.item, SessionItem::Contact(_));
        session.entries.retain(|entry| !is_told(entry));
        session
    }
}

/// The content of the window, without the text about the line and without the
/// number of jumps, which only the board in this process makes.
fn seen(window: &Window) -> Shown {
    let mut shown = window.shown.clone();
    shown.past.jumps = 0;
    Shown {
        link: BoardLink::Direct,
        hardware: Default::default(),
        twin: Default::default(),
        injectable: Default::default(),
        ..shown
    }
}

/// Two windows that get the same commands, and must show the same.
struct Both {
    here: Window,
    there: Window,
}

impl Both {
    fn new() -> Both {
        let mut both = Both {
            here: Window::in_process(),
            there: Window::on_a_line(),
        };
        both.each(|window| {
            window.hold();
            window.obey(WindowCommand::Do(Deed::Reset {
                seed: SEED,
                layout: Layout::MALDOO,
            }));
        });
        both.at(0);
        both
    }

    fn each(&mut self, what: impl Fn(&mut Window)) {
        what(&mut self.here);
        what(&mut self.there);
    }

    /// Waits until both are at this tick, and asserts that they show the same.
    fn at(&mut self, tick: Tick) {
        self.here.picture(Duration::ZERO);
        assert_eq!(self.here.tick, tick);
        let expected = seen(&self.here);
        self.there
            .wait(|window| window.tick == tick && seen(window) == expected);
    }

    /// Waits until both have recorded the same: the digest of a tick comes over the line
    /// after the tick itself.
    fn have_same_session(&mut self) {
        let expected = self.here.session();
        self.there.wait(|window| window.session() == expected);
    }

    fn obey(&mut self, command: WindowCommand, then_at: Tick) {
        self.each(|window| window.obey(command.clone()));
        self.at(then_at);
    }
}

#[test]
fn the_same_commands_give_the_same_session_on_any_source() {
    let mut both = Both::new();
    let ghost = Settings {
        game: 1,
        ..Settings::default()
    };
    both.obey(WindowCommand::Do(Deed::Settings(ghost)), 0);
    both.obey(WindowCommand::Step(1_300), 1_300);
    both.each(|window| window.press(Button::Start));
    both.obey(WindowCommand::Step(2_250), 3_550);
    both.each(|window| window.touch("c3"));
    both.obey(WindowCommand::Step(1_000), 4_550);
    assert_eq!(both.there.told, both.here.told);
    // Back, forward, to before the game, and forward to the end.
    for tick in [2_100, 3_600, 700, 4_550] {
        both.obey(WindowCommand::GoTo(tick), tick);
    }
    both.have_same_session();
    // The session has a second branch from here on.
    both.obey(WindowCommand::GoTo(3_000), 3_000);
    assert!(both.there.shown.past.latest > 3_000);
    both.each(|window| window.touch("e5"));
    both.obey(WindowCommand::Step(1_777), 4_777);
    both.obey(WindowCommand::Do(Deed::Choose(0)), 4_777);
    both.each(|window| window.press(Button::Start));
    both.obey(WindowCommand::Step(2_000), 6_777);
    both.obey(WindowCommand::GoTo(5_000), 5_000);
    both.obey(WindowCommand::GoTo(6_000), 6_000);

    both.have_same_session();
    let session = both.there.session();
    let mut board = CoreDriver::new(Layout::MALDOO, 0).unwrap();
    assert_eq!(session.replay(&mut board, &mut |_| ()).unwrap(), None);
    assert_eq!(
        (board.tick(), board.frame()),
        (6_000, &both.there.shown.frame)
    );
    // To the branch that was left, and to its end.
    assert_eq!(both.there.shown.past.branches.len(), 1);
    let branch = 0;
    both.obey(
        WindowCommand::GoToBranch {
            branch,
            tick: 4_000,
        },
        4_000,
    );
    both.have_same_session();
    both.obey(WindowCommand::GoTo(4_550), 4_550);
    both.have_same_session();
}

#[test]
fn a_condition_stops_a_board_on_a_line_at_its_tick() {
    let mut window = Window::on_a_line();
    let condition = SignalCondition::parse("turn = red", Layout::MALDOO).unwrap();
    let stops = ["turn = red", "button.stop", "turn != green"].map(|text| {
        let condition = SignalCondition::parse(text, Layout::MALDOO).unwrap();
        StopCondition {
            is_on: text != "turn != green",
            ..StopCondition::new(condition)
        }
    });
    window.obey(WindowCommand::StopWhen(stops.to_vec()));
    window.press(Button::Start);
    window.wait(|window| window.shown.legal.len() == 4);
    window.touch("e4");
    window.wait(|window| {
        let stopped = window.shown.stops.reached.as_ref();
        stopped.is_some_and(|stopped| stopped.tick == window.tick)
    });
    assert_eq!(window.shown.stops.all, stops);
    let stopped = window.shown.stops.reached.clone().unwrap();
    assert_eq!(stopped.conditions, [condition], "what stopped it");
    assert!(window.shown.pace.frozen);
    // The same session, replayed in this process: until then it was green's turn.
    let session = window.session();
    let mut board = CoreDriver::new(Layout::MALDOO, 0).unwrap();
    session.header.begin(&mut board).unwrap();
    let mut turns = Vec::new();
    for entry in &session.entries {
        while board.tick() < entry.tick {
            turns.push((board.tick(), board.board().turn()));
            board.step(&[], 1).unwrap();
        }
        if entry.item.is_done() {
            entry.item.carry_out(&mut board).unwrap();
        }
    }
    turns.push((board.tick(), board.board().turn()));
    let first = turns.iter().find(|(_, turn)| *turn == Some(Side::Red));
    assert_eq!(first.map(|(tick, _)| *tick), Some(window.tick));
    // Time continues, and does not stop again while it is still red's turn.
    let stopped = window.tick;
    window.let_go();
    window.wait(|window| window.tick > stopped + 300);
    assert_eq!(window.shown.stops.reached, None);
    window.obey(WindowCommand::StopWhen(Vec::new()));
    window.wait(|window| window.shown.stops.all.is_empty());
}

#[test]
fn a_condition_marks_a_board_on_a_line_without_stopping_it() {
    let mut window = Window::on_a_line();
    let condition = SignalCondition::parse("event.move and turn = red", Layout::MALDOO).unwrap();
    let mark = StopCondition {
        action: StopAction::Mark,
        ..StopCondition::new(condition)
    };
    window.obey(WindowCommand::StopWhen(vec![mark]));
    window.press(Button::Start);
    window.wait(|window| window.shown.legal.len() == 4);
    window.touch("e4");
    let then = window.tick + 600;
    window.wait(|window| window.tick >= then);
    assert!(!window.shown.pace.frozen);
    let marks = |session: &Session| -> Vec<(Tick, String)> {
        let entries = session.entries.iter();
        entries
            .filter_map(|entry| match &entry.item {
                SessionItem::Note(words) => Some((entry.tick, words.clone())),
                _ => None,
            })
            .collect()
    };
    let set = marks(&window.session());
    let [(tick, words)] = set.as_slice() else {
        panic!("{set:?}");
    };
    assert_eq!(words, "event.move and turn = red");
    // The board lives through that moment again: it is marked already.
    let before = tick.saturating_sub(5);
    window.obey(WindowCommand::GoTo(before));
    window.wait(|window| window.tick == before);
    window.let_go();
    window.wait(|window| window.tick > tick + 300);
    assert_eq!(marks(&window.session()), set);
}

#[test]
fn changing_faults_of_an_open_line_loses_nothing() {
    let mut window = Window::on_a_line();
    let faults: Faults = "seed 3, drop-ppm 1000, flip-ppm 300".parse().unwrap();
    window.obey(WindowCommand::InjectFaults(Box::new(faults.clone())));
    window.press(Button::Start);
    window.wait(|window| window.shown.legal.len() == 4);
    assert_eq!(window.shown.injectable.faults, faults);
    window.touch("e4");
    window.wait(|window| window.shown.legal.len() == 3);
    window.obey(WindowCommand::InjectFaults(Box::default()));
    let then = window.tick + 1_500;
    window.wait(|window| window.tick >= then);
    let twin = &window.shown.twin;
    assert!(format!("{twin:?}").starts_with("Agrees"), "{twin:?}");
    let session = window.session();
    assert_eq!(touches(&session), 1);
    let notes = session
        .entries
        .iter()
        .filter_map(|entry| match &entry.item {
            SessionItem::Note(words) => Some(words.as_str()),
            _ => None,
        });
    let told: Vec<&str> = notes
        .filter(|words| words.starts_with("faults: "))
        .collect();
    assert_eq!(told.last(), Some(&"faults: none"), "{told:?}");
}

/// A board on a line, with a game that was played while its own timer ran.
fn played() -> Window {
    let mut window = Window::on_a_line();
    window.press(Button::Start);
    window.wait(|window| window.shown.legal.len() == 4);
    window.touch("e4");
    window.wait(|window| window.shown.legal.len() == 3);
    // Long enough for one or two digests, each with a keyframe.
    let then = window.tick + 1_500;
    window.wait(|window| window.tick >= then);
    window
}

fn touches(session: &Session) -> usize {
    let is_touch = |act: &SessionItem| matches!(act, SessionItem::Do(Deed::Input(Input::Touch(_))));
    let touches = session.entries.iter();
    touches.filter(|entry| is_touch(&entry.item)).count()
}

#[test]
fn a_running_board_goes_back_and_repeats_its_recording() {
    let mut window = played();
    let moment = window.tick;
    let earliest = window.shown.past.earliest.unwrap();
    window.obey(WindowCommand::GoTo(earliest));
    window.at(earliest);
    // Start may have been pressed in this very tick, so the touch is made later.
    window.wait(|window| window.shown.legal.len() != 3);
    assert!(window.shown.pace.frozen);
    assert!(window.shown.past.latest > earliest);
    assert_eq!(touches(&window.session()), 0);

    // The recording ahead is repeated in real time; then the board's own timer takes
    // over.
    window.let_go();
    window.wait(|window| window.shown.legal.len() == 3);
    window.wait(|window| window.tick > moment + 1_100);
    assert_eq!(touches(&window.session()), 1);
    let twin = &window.shown.twin;
    assert!(format!("{twin:?}").starts_with("Agrees"), "{twin:?}");
}

#[test]
fn replaying_on_a_line_logs_no_event_twice() {
    let mut window = played();
    window.hold();
    // Three seconds more, which are shown, with a keyframe for each.
    let moment = window.tick + 3_000;
    window.obey(WindowCommand::GoTo(moment));
    window.at(moment);
    window.wait(agreed);
    let frame = window.shown.frame.clone();
    let earliest = window.shown.past.earliest.unwrap();
    window.obey(WindowCommand::GoTo(earliest));
    window.at(earliest);
    let jumps = window.shown.past.jumps;
    window.told.clear();
    window.obey(WindowCommand::GoTo(moment));
    window.at(moment);
    assert_eq!(window.told, [], "what lies between happened before");
    assert_eq!(window.shown.past.jumps, jumps + 1);
    assert_eq!(window.shown.frame, frame);
    window.wait(agreed);
    assert_eq!(touches(&window.session()), 1);
}

fn agreed(window: &Window) -> bool {
    matches!(window.shown.twin, Agreement::Agrees { compared: 1.. })
}

#[test]
fn an_input_in_the_past_of_a_board_on_a_line_branches() {
    let mut window = played();
    let started = window.session().entries;
    let start = SessionItem::from(Input::Press(Button::Start));
    let start = started
        .iter()
        .find(|entry| entry.item == start)
        .unwrap()
        .tick;
    window.obey(WindowCommand::GoTo(start + 1));
    window.at(start + 1);
    window.wait(|window| window.shown.legal.len() == 4);
    window.let_go();
    window.touch("f5");
    window.wait(|window| window.shown.legal.len() == 3);
    let then = window.tick + 1_500;
    window.wait(|window| window.tick >= then);

    let session = window.session();
    assert_eq!(touches(&session), 1);
    let mut board = CoreDriver::new(Layout::MALDOO, 0).unwrap();
    assert_eq!(session.replay(&mut board, &mut |_| ()).unwrap(), None);
    let twin = &window.shown.twin;
    assert!(format!("{twin:?}").starts_with("Agrees"), "{twin:?}");
}

#[test]
fn going_back_logs_no_earlier_events_again() {
    let mut window = played();
    let moment = window.tick;
    let told = window.told.len();
    window.obey(WindowCommand::GoTo(moment - 100));
    window.at(moment - 100);
    let since = &window.told[told..];
    assert!(
        since.iter().all(|(tick, _)| *tick >= moment - 100),
        "{since:?}"
    );
}

/// Uses the executable with which the tests of `hil-bridge` check watching; here only the
/// news must reach the window.
#[test]
fn a_rebuilt_firmware_is_reported_and_the_game_continues() {
    let place = Where::new(At::Virtual);
    let begin = Session::new(Header::new(Layout::MALDOO, SEED, "a test"));
    let board = RecordingDriver::replaying(place.remote().unwrap(), begin).unwrap();
    let mut built = false;
    let watched = Watched::with_check(board, move |board| {
        if board.tick() < 500 || built {
            return Vec::new();
        }
        built = true;
        let rerun = board.rerun(place.remote().unwrap()).unwrap();
        vec![News::GoesOn(Box::new(rerun))]
    });
    let is_building = Arc::new(AtomicBool::new(true));
    let build = is_building.clone();
    let watched = watched.built_while(move || build.load(Ordering::Relaxed));
    let mut window = Window::new(watched.unhurried());
    window.picture(Duration::ZERO);
    let work = window.shown.work.take().unwrap();
    assert!(work.words.starts_with("Rebuilding the board"), "{work:?}");
    is_building.store(false, Ordering::Relaxed);
    window.picture(Duration::ZERO);
    assert_eq!(window.shown.work, None);
    window.press(Button::Start);
    let mut said = Vec::new();
    for _ in 0..60 {
        window.picture(Duration::from_millis(20));
        said.extend(window.source.take_said());
    }
    assert_eq!(window.tick, 1_200);
    let as_it_was = "the board was rebuilt: the game is the same, 0 moves up to tick 500";
    assert_eq!(said, [as_it_was]);
    let rerun = window.source.take_rerun().unwrap();
    assert_eq!((rerun.first, rerun.tick), (None, 500));
    assert_eq!(window.shown.legal.len(), 4);
    assert!(matches!(window.shown.link, BoardLink::Up { .. }));
    window.obey(WindowCommand::GoTo(300));
    window.picture(Duration::ZERO);
    assert_eq!((window.tick, window.shown.past.earliest), (300, Some(0)));
}

#[test]
fn going_back_without_a_board_is_refused() {
    let nowhere = At::Serial("/dev/no-such-port".to_owned());
    let mut window = Window::new(Remote::open(Where::new(nowhere)));
    window.wait(|window| window.shown.link.is_down());
    let sentence = window
        .source
        .obey(&WindowCommand::GoTo(5))
        .unwrap_err()
        .to_string();
    assert!(sentence.contains("does not answer"), "{sentence}");
    assert_eq!(window.shown.past.earliest, None);
}

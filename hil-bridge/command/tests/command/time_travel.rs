//! Going back, and recording it, on a local and on a remote board: the same script on a
//! board in this process and on one at the end of a line.

use firmware_core::Faults;
use firmware_core::faults::LineFaults;
use protocol::{Button, Command, Deed, Frame, Input, Layout, Pace, Settings, Tick};
use touchboard_host::happening::Happening;
use touchboard_host::recorder::To;
use touchboard_host::session::{Header, Session};
use touchboard_host::{CoreDriver, Driver, Recorder, RecordingDriver, Twin};
use touchboard_links::{At, Client, RemoteDriver, Where};

const SEED: u64 = 5;

/// A step of the script.
#[derive(Clone, Debug)]
enum Step {
    Do(Deed),
    On(Tick),
    GoTo(Tick),
}

/// A game in which someone goes back, watches it again, and then plays differently.
fn script() -> Vec<Step> {
    let press = |button| {
        let inputs = [Input::Press(button), Input::Lift(button)];
        inputs.map(|input| Step::Do(Deed::Input(input)))
    };
    let touch = |name| {
        let point = Layout::MALDOO.point(name).unwrap();
        Step::Do(Deed::Input(Input::Touch(point)))
    };
    let ghost = Settings {
        game: 1,
        ..Settings::default()
    };
    let mut script = vec![Step::Do(Deed::Settings(ghost)), Step::On(1_300)];
    script.extend(press(Button::Start));
    script.extend([Step::On(2_250), touch("c3"), Step::On(1_000), touch("d5")]);
    // Back; forward to a recorded moment; back to before the game; and forward to the end.
    script.extend([2_100, 3_600, 700, 4_550].map(Step::GoTo));
    // Back, and then a new move: another branch.
    script.extend([Step::GoTo(3_000), touch("e5"), Step::On(1_777)]);
    script.extend(press(Button::Stop));
    script.extend([Step::Do(Deed::Choose(0)), Step::On(100)]);
    script.extend(press(Button::Start));
    script.extend([Step::On(3_000), Step::GoTo(4_000), Step::GoTo(6_000)]);
    script
}

/// The observations of a board after each step.
type Seen = Vec<(Tick, Frame, u64)>;

fn driven<D: Driver>(mut board: RecordingDriver<D>) -> (Seen, Session) {
    let (seed, layout) = (SEED, Layout::MALDOO);
    board.carry_out(&Deed::Reset { seed, layout }).unwrap();
    let look = |step| {
        match step {
            Step::Do(deed) => board.carry_out(&deed).unwrap(),
            Step::On(ticks) => board.step(&[], ticks).unwrap(),
            Step::GoTo(tick) => board.go_to(tick).unwrap(),
        }
        let digest = board.digest().unwrap();
        (board.tick(), board.frame().clone(), digest)
    };
    let seen = script().into_iter().map(look).collect();
    (seen, board.session())
}

fn in_process() -> (Seen, Session) {
    driven(recorded(CoreDriver::new(Layout::MALDOO, SEED).unwrap()))
}

fn recorded<D: Driver>(board: D) -> RecordingDriver<D> {
    RecordingDriver::from_now(board, SEED, "a test").unwrap()
}

/// A host that only listens to the board, as a window does.
struct Listener {
    client: Client,
    twin: Twin,
    recorder: Option<Recorder>,
    /// The number of complete states that were sent.
    snapshots: usize,
}

impl Listener {
    fn open() -> Listener {
        let client = Where::new(At::Virtual).client().unwrap();
        let mut listener = Listener {
            client,
            twin: Twin::new(),
            recorder: None,
            snapshots: 0,
        };
        listener.request(Command::Pace(Pace::Lockstep));
        listener.client.resync().unwrap();
        listener.record();
        listener
    }

    fn request(&mut self, command: Command) {
        let reply = self.client.request(command).unwrap();
        reply.result.unwrap();
        self.record();
    }

    /// Takes the events that have arrived. All events before an answer arrive before it.
    fn record(&mut self) {
        while let Ok(happening) = self.client.happenings().try_recv() {
            self.snapshots += usize::from(matches!(happening, Happening::Snapshot { .. }));
            let followed = self.twin.follow(&happening);
            let twin = &self.twin;
            match (&mut self.recorder, &happening) {
                (None, Happening::Snapshot { state, .. }) => {
                    let hello = self.client.view().hello;
                    self.recorder = Some(Recorder::of_board(&hello, state, twin, "a test"));
                }
                (Some(recorder), _) => recorder
                    .record_happening(&happening, followed, twin)
                    .unwrap(),
                (None, _) => {}
            }
        }
    }

    fn tick(&self) -> Tick {
        self.client.view().tick
    }

    fn recorder(&mut self) -> &mut Recorder {
        self.recorder.as_mut().unwrap()
    }

    fn does(&mut self, step: Step) {
        let now = self.tick();
        let way = match step {
            Step::Do(deed) => return self.request(Command::Do(deed)),
            Step::On(ticks) => self.recorder().path_on(now, To::On(ticks)),
            Step::GoTo(tick) if self.recorder().jumps_to(now, tick) => {
                self.recorder().path_over_keyframe(tick).unwrap()
            }
            Step::GoTo(tick) => self.recorder().path_on(now, To::At(tick)),
        };
        touchboard_links::go_to::go(&way, &self.client, self.client.run()).unwrap();
        self.record();
        self.recorder().arrived();
    }
}

fn listened() -> (Seen, Session) {
    let mut listener = Listener::open();
    let (seed, layout) = (SEED, Layout::MALDOO);
    listener.does(Step::Do(Deed::Reset { seed, layout }));
    let mut look = |step| {
        listener.does(step);
        let board = listener.twin.board().unwrap();
        let frame = listener.client.view().frame;
        assert_eq!(frame, *board.frame(), "the board shows what its twin does");
        (listener.tick(), frame, board.digest())
    };
    let seen = script().into_iter().map(&mut look).collect();
    let tick = listener.tick();
    (seen, listener.recorder().session(tick))
}

#[test]
fn a_driven_board_on_a_line_goes_back_as_in_process() {
    let place = Where::new(At::Virtual);
    let board = recorded(place.remote().unwrap());
    assert_eq!(driven(board), in_process());
    let with_twin = recorded(place.remote().unwrap()).with_twin().unwrap();
    assert_eq!(driven(with_twin), in_process());
}

#[test]
fn a_differing_board_goes_back_to_its_own_past() {
    let mut place = Where::new(At::Virtual);
    place.line.break_rule = true;
    let mut board = reversi(&place);
    let twin = CoreDriver::new(Layout::MALDOO, SEED).unwrap();
    let session = board.session();
    let right = RecordingDriver::replaying(twin, session.clone());
    let mut right = right.unwrap();
    right.go_to(4_400).unwrap();
    assert!(right.compared().1.is_some(), "it is another board");
    let there = board.digest().unwrap();
    board.go_to(1_500).unwrap();
    board.go_to(4_400).unwrap();
    assert_eq!(board.digest().unwrap(), there);
    assert_eq!(board.session(), session);
}

#[test]
fn a_free_board_on_a_line_goes_back_as_in_process() {
    assert_eq!(listened(), in_process());
}

#[test]
fn a_bad_line_makes_no_difference_to_going_back() {
    let mut place = Where::new(At::Virtual);
    let mut faults: Faults = "seed 3".parse().unwrap();
    faults.line = LineFaults::bad();
    place.line.faults = faults.into();
    place.line.timeout_ms = 20_000;
    assert_eq!(driven(recorded(place.remote().unwrap())), in_process());
}

#[test]
fn no_keyframe_is_read_from_the_board() {
    let mut listener = Listener::open();
    assert_eq!(listener.snapshots, 1, "how it was at first");
    let begin = listener.tick();
    listener.does(Step::On(5_500));
    for moment in [4_200, 3_300, 1_700, 5_100] {
        listener.does(Step::GoTo(begin + moment));
        let keyframe = listener.recorder().keyframe_before(begin + moment);
        assert_eq!(keyframe.unwrap().tick, begin + moment / 1_000 * 1_000);
    }
    assert_eq!(
        listener.snapshots, 5,
        "each way back, and on over others, is a state that is loaded"
    );
}

#[test]
fn a_session_saved_after_time_travel_replays_on_any_board() {
    let (seen, session) = listened();
    let last = seen.last().unwrap();
    let mut board = CoreDriver::new(Layout::MALDOO, 0).unwrap();
    assert_eq!(session.replay(&mut board, &mut |_| ()).unwrap(), None);
    assert_eq!((board.tick(), board.digest().unwrap()), (last.0, last.2));
}

/// A game of Reversi in which only red prefers the middle column.
fn reversi(place: &Where) -> RecordingDriver<RemoteDriver> {
    let (seed, layout) = (SEED, Layout::MALDOO);
    let begin = Session::new(Header::new(layout, seed, "a test"));
    let board = RecordingDriver::replaying(place.remote().unwrap(), begin).unwrap();
    let mut board = board.with_twin().unwrap();
    board.keep_what_is_seen();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 400).unwrap();
    for number in 0..8 {
        let is_red = number % 2 == 1;
        let legal = board.legal().unwrap();
        let wanted = |point: &&_| (layout.column(**point) == 4) == is_red;
        let point = *legal.iter().find(wanted).or(legal.first()).unwrap();
        board.step(&[Input::Touch(point)], 50).unwrap();
        board.step(&[Input::Release(point)], 450).unwrap();
    }
    board
}

#[test]
fn a_rerun_repeats_the_session_on_another_board() {
    let place = Where::new(At::Virtual);
    let mut board = reversi(&place);
    let (before, session) = (board.digest().unwrap(), board.session());
    board.take_events();
    let rerun = board.rerun(place.remote().unwrap()).unwrap();
    assert_eq!((rerun.first, rerun.moves, rerun.tick), (None, 8, 4_400));
    assert_eq!(board.digest().unwrap(), before);
    assert_eq!(board.session(), session);
    assert_eq!(board.take_events(), []);
    board.go_to(1_000).unwrap();
    board.go_to(4_400).unwrap();
    assert_eq!(board.digest().unwrap(), before);
}

#[test]
fn a_rerun_names_the_first_differing_move() {
    let mut place = Where::new(At::Virtual);
    let mut board = reversi(&place);
    place.line.break_rule = true;
    board.take_events();
    let first = board.rerun(place.remote().unwrap()).unwrap().first.unwrap();
    let sentence = first.to_string();
    assert!(sentence.starts_with("move "), "{sentence}");
    assert!(
        sentence.contains(" was ") && sentence.contains(", now "),
        "{sentence}"
    );
    assert!(first.points() > 0);
    // Only events from the first difference on are reported again.
    let told = board.take_events();
    assert!(told.iter().all(|event| event.tick >= first.tick));
    assert!(!told.is_empty());
    // A session saved from now on has the results of the new board.
    let mut same = place.remote().unwrap();
    assert_eq!(
        board.session().replay(&mut same, &mut |_| ()).unwrap(),
        None
    );
    assert_eq!(same.digest().unwrap(), board.digest().unwrap());
}

//! Going back in time, and what is written down of it, wherever the board is:
//! the same script on a board in this process and on one at the end of a line.

use hil_bridge::client::Happening;
use hil_bridge::recorder::To;
use hil_bridge::session::Session;
use hil_bridge::{At, Client, CoreDriver, Driver, Recorder, RecordingDriver, Twin, Where};
use protocol::{Button, Command, Deed, Frame, Input, Layout, Pace, Settings, Tick};

const SEED: u64 = 5;

/// What one does to a board, and to its time.
#[derive(Clone, Debug)]
enum Step {
    Do(Deed),
    On(Tick),
    GoTo(Tick),
}

/// A game that is gone back in, is seen again, and takes another way.
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
    // Back, on to what was done, back to before the game, and on to the end.
    script.extend([2_100, 3_600, 700, 4_550].map(Step::GoTo));
    // Back, and something else: another branch.
    script.extend([Step::GoTo(3_000), touch("e5"), Step::On(1_777)]);
    script.extend(press(Button::Stop));
    script.extend([Step::Do(Deed::Choose(0)), Step::On(100)]);
    script.extend(press(Button::Start));
    script.extend([Step::On(3_000), Step::GoTo(4_000), Step::GoTo(6_000)]);
    script
}

/// What is seen of a board after each step.
type Seen = Vec<(Tick, Frame, u64)>;

fn driven<D: Driver>(board: D) -> (Seen, Session) {
    let mut board = RecordingDriver::from_now(board, SEED, "a test").unwrap();
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
    driven(CoreDriver::new(Layout::MALDOO, SEED).unwrap())
}

/// A host that only listens to what the board tells, as a window does.
struct Listener {
    client: Client,
    twin: Twin,
    recorder: Option<Recorder>,
}

impl Listener {
    fn open() -> Listener {
        let client = Where::new(At::Virtual).client().unwrap();
        let mut listener = Listener {
            client,
            twin: Twin::new(),
            recorder: None,
        };
        listener.ask(Command::Pace(Pace::Lockstep));
        listener.client.resync().unwrap();
        listener.hear();
        listener
    }

    fn ask(&mut self, command: Command) {
        let reply = self.client.request(command).unwrap();
        reply.result.unwrap();
        self.hear();
    }

    /// What happened before an answer was given is there by then.
    fn hear(&mut self) {
        while let Ok(happening) = self.client.happenings().try_recv() {
            let followed = self.twin.follow(&happening);
            let twin = &self.twin;
            match (&mut self.recorder, &happening) {
                (None, Happening::Snapshot { state, .. }) => {
                    let hello = self.client.view().hello;
                    self.recorder = Some(Recorder::of_board(&hello, state, twin, "a test"));
                }
                (Some(recorder), _) => recorder.hear(&happening, followed, twin).unwrap(),
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
            Step::Do(deed) => return self.ask(Command::Do(deed)),
            Step::On(ticks) => self.recorder().way_on(now, To::On(ticks)),
            Step::GoTo(tick) if tick < now => self.recorder().way_back(tick).unwrap(),
            Step::GoTo(tick) => self.recorder().way_on(now, To::At(tick)),
        };
        way.go(&self.client, self.client.run()).unwrap();
        self.hear();
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
fn a_board_on_a_line_that_is_driven_goes_back_as_the_one_in_this_process() {
    let place = Where::new(At::Virtual);
    assert_eq!(driven(place.remote().unwrap()), in_process());
}

#[test]
fn a_board_on_a_line_that_is_listened_to_goes_back_as_the_one_in_this_process() {
    assert_eq!(listened(), in_process());
}

#[test]
fn what_is_saved_after_going_back_and_forth_replays_on_any_board() {
    let (seen, session) = listened();
    let last = seen.last().unwrap();
    let mut board = CoreDriver::new(Layout::MALDOO, 0).unwrap();
    assert_eq!(session.replay(&mut board, &mut |_| ()).unwrap(), None);
    assert_eq!((board.tick(), board.digest().unwrap()), (last.0, last.2));
}

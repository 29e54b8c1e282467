//! A board at the end of a line, whose time goes by itself.
//!
//! The bridge's client keeps the line in threads of its own; here its view is
//! copied once a picture, and a [`Twin`] follows what the board says it took.
//! When the two differ, the board's whole state is fetched, and the first field
//! that is not the same is named.

use std::time::Duration;

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use firmware_core::AnyBoard;
use hil_bridge::client::{Happening, LinkState};
use hil_bridge::compare::{Difference, digest_difference, state_difference};
use hil_bridge::remote::legal_points;
use hil_bridge::session::Session;
use hil_bridge::twin::{Followed, Twin};
use hil_bridge::{BridgeError, Client, Where};
use protocol::{
    Command, Done, Event, Layout, List, Pace as DevicePace, Point, Reply, Status, Tick,
};

use super::scribe::Scribe;
use super::{Agreement, Link, Order, Pace, Shown, Source};

/// Between two questions for how the game stands.
const STATUS_EVERY: Duration = Duration::from_millis(200);

/// Said where time cannot go back.
const NO_WAY_BACK: &str =
    "only the board in this process can go back in time: replay a session on this one";

type Answer = Receiver<Result<Reply, BridgeError>>;

/// How far the line is.
enum Line {
    /// A thread is opening it.
    Opening(Receiver<Result<Client, BridgeError>>),
    /// It is open; the client opens it again by itself when it ends.
    Open(Box<Client>),
    /// It could not be opened, for this reason.
    Failed(String),
}

/// The board at the end of a line.
pub struct Remote {
    name: String,
    line: Line,
    pace: Pace,
    layout: Option<Layout>,
    status: Status,
    status_asked: Option<Answer>,
    status_age: Duration,
    legal: Vec<Point>,
    legal_asked: Option<Answer>,
    answers: Vec<Answer>,
    comparison: Comparison,
    scribe: Scribe,
}

impl Remote {
    /// The board that this client speaks to.
    ///
    /// # Errors
    /// When the client takes no command.
    pub fn over(client: Client) -> Result<Remote, BridgeError> {
        let mut remote = Remote::with(client.name().to_owned(), Line::Failed(String::new()));
        remote.begin(client)?;
        Ok(remote)
    }

    /// The board at this place; the line is opened in the background.
    #[must_use]
    pub fn open(place: Where) -> Remote {
        let (give, take) = bounded(1);
        let name = place.at.to_string();
        let thread = std::thread::Builder::new().name("open-board".into());
        let opening = thread.spawn(move || {
            // Nobody waits any more if another board was chosen meanwhile.
            let _ = give.send(place.client());
        });
        match opening {
            Ok(_) => Remote::with(name, Line::Opening(take)),
            Err(error) => Remote::with(name, Line::Failed(format!("no thread: {error}"))),
        }
    }

    fn with(name: String, line: Line) -> Remote {
        Remote {
            name,
            line,
            pace: Pace::default(),
            layout: None,
            status: Status::default(),
            status_asked: None,
            status_age: STATUS_EVERY,
            legal: Vec::new(),
            legal_asked: None,
            answers: Vec::new(),
            comparison: Comparison::default(),
            scribe: Scribe::default(),
        }
    }

    fn begin(&mut self, client: Client) -> Result<(), BridgeError> {
        self.layout = Some(client.view().hello.layout);
        self.answers.push(client.post(pace_command(self.pace))?);
        self.answers.push(client.post_resync()?);
        self.line = Line::Open(Box::new(client));
        Ok(())
    }

    /// Takes the client over once the background thread has one.
    fn opened(&mut self) -> Result<(), String> {
        let Line::Opening(take) = &self.line else {
            return Ok(());
        };
        let result = match take.try_recv() {
            Err(TryRecvError::Empty) => return Ok(()),
            Ok(Ok(client)) => self.begin(client).map_err(|error| error.to_string()),
            Ok(Err(error)) => Err(error.to_string()),
            Err(TryRecvError::Disconnected) => Err("the line was never opened".to_owned()),
        };
        if let Err(sentence) = &result {
            self.line = Line::Failed(sentence.clone());
        }
        result
    }

    /// Looks at the answers that have come.
    fn hear(&mut self) -> Result<(), String> {
        let mut trouble = Ok(());
        self.answers.retain(|answer| match answer.try_recv() {
            Err(TryRecvError::Empty) => true,
            Err(TryRecvError::Disconnected) => false,
            Ok(reply) => {
                if let Err(sentence) = self.comparison.reply(reply) {
                    trouble = Err(sentence);
                }
                false
            }
        });
        trouble
    }

    /// Asks where one may play, once it may be somewhere else.
    fn hear_status(&mut self, status: Status, client: &Client) {
        let besides_clock = |status: Status| Status {
            clock: None,
            ..status
        };
        if besides_clock(status) != besides_clock(self.status) {
            self.legal_asked = client.post(Command::Legal).ok();
        }
        self.status = status;
    }

    /// Looks at the answer about where one may play.
    fn hear_legal(&mut self, client: &Client) {
        let Some(asked) = &self.legal_asked else {
            return;
        };
        match asked.try_recv() {
            Err(TryRecvError::Empty) => return,
            Ok(Ok(Reply {
                result: Ok(Done::Legal(bits)),
                ..
            })) => self.legal = legal_points(&bits, client.view().hello.layout),
            _ => {}
        }
        self.legal_asked = None;
    }

    /// Asks how the game stands, now and then.
    fn ask_status(&mut self, client: &Client, elapsed: Duration) {
        if let Some(answer) = &self.status_asked {
            match answer.try_recv() {
                Err(TryRecvError::Empty) => return,
                Ok(Ok(Reply {
                    result: Ok(Done::Status(status)),
                    ..
                })) => self.hear_status(status, client),
                _ => {}
            }
            self.status_asked = None;
        }
        self.status_age += elapsed;
        if self.status_age >= STATUS_EVERY {
            self.status_age = Duration::ZERO;
            self.status_asked = client.post(Command::Status).ok();
        }
    }
}

/// The board's words for a pace.
fn pace_command(pace: Pace) -> Command {
    Command::Pace(if pace.paused {
        DevicePace::Lockstep
    } else {
        DevicePace::Free {
            permille: (pace.speed * 1000.0).round() as u32,
        }
    })
}

impl Source for Remote {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn order(&mut self, order: &Order) -> Result<(), String> {
        let command = match order {
            Order::Input(input) => Command::Input(*input),
            Order::Settings(settings) => Command::Settings(*settings),
            Order::Position(position) => Command::Position((**position).clone()),
            Order::Step(ticks) => Command::Step {
                inputs: List::new(),
                ticks: *ticks,
                digest: true,
            },
            Order::GoTo(_) => return Err(NO_WAY_BACK.to_owned()),
            Order::Reset { seed, layout } => {
                self.layout = Some(*layout);
                self.comparison = Comparison::default();
                Command::Reset {
                    seed: *seed,
                    layout: *layout,
                }
            }
            Order::Pace(pace) => {
                self.pace = *pace;
                pace_command(*pace)
            }
        };
        let Line::Open(client) = &self.line else {
            // What was pressed while there was no board is not kept for it.
            return Ok(());
        };
        // What changes the game is to be seen soon.
        self.status_age = STATUS_EVERY;
        let answer = client.post(command).map_err(|error| error.to_string())?;
        self.answers.push(answer);
        Ok(())
    }

    fn session(&self) -> Result<Session, String> {
        let tick = match &self.line {
            Line::Open(client) => client.view().tick,
            _ => 0,
        };
        let session = self.scribe.session(tick);
        session.ok_or_else(|| {
            "the board has not yet said how it is: wait until it is connected".to_owned()
        })
    }

    fn update(
        &mut self,
        elapsed: Duration,
        shown: &mut Shown,
        tell: &mut dyn FnMut(Tick, Event),
    ) -> Result<Tick, String> {
        self.opened()?;
        shown.pace = self.pace;
        shown.earliest = None;
        let client = match std::mem::replace(&mut self.line, Line::Failed(String::new())) {
            Line::Open(client) => client,
            line => {
                shown.link = match &line {
                    Line::Failed(sentence) => Link::Down(sentence.clone()),
                    _ => Link::Searching,
                };
                self.line = line;
                return Ok(0);
            }
        };
        while let Ok(happening) = client.happenings().try_recv() {
            if let Happening::Event(stamped) = &happening {
                tell(stamped.tick, stamped.event);
            }
            if let Happening::Connected { hello, .. } = &happening {
                self.layout = Some(hello.layout);
            }
            self.scribe.hear(&happening, &client.view().hello);
            if self.comparison.follow(&happening) == Wish::Snapshot {
                self.answers.extend(client.post_resync());
            }
        }
        self.ask_status(&client, elapsed);
        self.hear_legal(&client);
        let heard = self.hear();
        let view = client.view();
        shown.layout = self.layout.unwrap_or(view.hello.layout);
        shown.frame = view.frame;
        shown.status = self.status;
        shown.legal.clone_from(&self.legal);
        shown.twin = self.comparison.agreement.clone();
        shown.link = match view.link {
            LinkState::Connected => Link::Up {
                board: view.hello.board.to_string(),
            },
            LinkState::Lost(sentence) => Link::Down(sentence),
        };
        self.line = Line::Open(client);
        heard.map(|()| view.tick)
    }
}

/// What the comparison needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Nothing,
    /// The whole state of the board.
    Snapshot,
}

/// The board's twin, and what came of comparing them.
#[derive(Default)]
struct Comparison {
    twin: Twin,
    agreement: Agreement,
    compared: u64,
    /// The twin that differed, until the board's state is there to name the
    /// field.
    suspect: Option<(Twin, String)>,
}

impl Comparison {
    fn follow(&mut self, happening: &Happening) -> Wish {
        if let Some((suspect, _)) = &mut self.suspect {
            match happening {
                Happening::Snapshot { tick, state } => self.name_difference(*tick, state),
                // It goes on as it is, without being put right.
                Happening::Event(event) if matches!(event.event, Event::Digest(_)) => {}
                other => {
                    suspect.follow(other);
                }
            }
        }
        let is_digest =
            matches!(happening, Happening::Event(event) if matches!(event.event, Event::Digest(_)));
        let before = is_digest.then(|| self.twin.clone());
        let followed = self.twin.follow(happening);
        self.judge(followed, before)
    }

    /// The answer to an order, which may bear a digest.
    fn reply(&mut self, reply: Result<Reply, BridgeError>) -> Result<(), String> {
        let reply = reply.map_err(|error| error.to_string())?;
        let done = reply.result.map_err(|refusal| refusal.to_string())?;
        if let Done::Stepped {
            digest: Some(digest),
            ..
        } = done
        {
            let before = Some(self.twin.clone());
            let followed = self.twin.compare(reply.tick, digest);
            self.judge(followed, before);
        }
        Ok(())
    }

    fn judge(&mut self, followed: Followed, before: Option<Twin>) -> Wish {
        match followed {
            Followed::Along => Wish::Nothing,
            Followed::Lost => Wish::Snapshot,
            Followed::Agreed(_) => {
                self.compared += 1;
                if !matches!(self.agreement, Agreement::Differs(_)) {
                    self.agreement = Agreement::Agrees {
                        compared: self.compared,
                    };
                }
                Wish::Nothing
            }
            Followed::Differs { tick, twin, board } => {
                // The first difference is the one that counts.
                if !matches!(self.agreement, Agreement::Differs(_)) {
                    let sentence = Difference::at(tick, digest_difference(twin, board)).to_string();
                    self.suspect = before.map(|before| (before, sentence.clone()));
                    self.agreement = Agreement::Differs(sentence);
                }
                Wish::Snapshot
            }
        }
    }

    /// Says in which field the suspect differs from the board, now that the
    /// board's state is here.
    fn name_difference(&mut self, tick: Tick, state: &[u8]) {
        let Some((suspect, sentence)) = self.suspect.take() else {
            return;
        };
        let Some(mut twin) = suspect.board().cloned() else {
            return;
        };
        if let Some(ticks) = tick.checked_sub(twin.tick()) {
            twin.advance(ticks, &mut |_, _| ());
        }
        let Ok(mut board) = AnyBoard::new(twin.layout(), 0) else {
            return;
        };
        let found = board
            .load(state)
            .ok()
            .and_then(|()| state_difference(&twin, &board));
        if let Some(named) = found {
            let difference = Difference::at(tick, named);
            self.agreement = Agreement::Differs(format!("{sentence}; {difference}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use hil_bridge::{At, CoreDriver};
    use protocol::{Button, Input};

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    /// Lets the source run until what it shows is so.
    fn wait(source: &mut Remote, shown: &mut Shown, is_so: impl Fn(&Shown) -> bool) {
        let began = Instant::now();
        while !is_so(shown) {
            assert!(began.elapsed() < PATIENCE, "{shown:?}");
            std::thread::sleep(Duration::from_millis(5));
            source
                .update(Duration::from_millis(5), shown, &mut |_, _| ())
                .unwrap();
        }
    }

    fn input(source: &mut Remote, input: Input) {
        source.order(&Order::Input(input)).unwrap();
    }

    fn agrees(shown: &Shown) -> bool {
        matches!(shown.twin, Agreement::Agrees { compared: 1.. })
    }

    #[test]
    fn a_board_at_the_end_of_a_line_is_driven_mirrored_and_compared() {
        let mut source = Remote::open(Where::new(At::Virtual));
        let mut shown = Shown::default();
        wait(
            &mut source,
            &mut shown,
            |shown| matches!(&shown.link, Link::Up { board } if board == "virtual"),
        );
        input(&mut source, Input::Press(Button::Start));
        input(&mut source, Input::Lift(Button::Start));
        wait(&mut source, &mut shown, |shown| {
            shown.status.score.is_some() && shown.frame.turn[0]
        });
        wait(&mut source, &mut shown, agrees);
    }

    #[test]
    fn where_one_may_play_is_known_of_a_board_at_the_end_of_a_line() {
        let mut source = Remote::open(Where::new(At::Virtual));
        let mut shown = Shown::default();
        let up = |shown: &Shown| matches!(shown.link, Link::Up { .. });
        wait(&mut source, &mut shown, up);
        input(&mut source, Input::Press(Button::Start));
        let names = |shown: &Shown| -> Vec<String> {
            let names = shown.legal.iter().map(|point| shown.layout.name(*point));
            names.map(|name| name.to_string()).collect()
        };
        wait(&mut source, &mut shown, |shown| {
            names(shown) == ["d7", "c6", "f5", "e4"]
        });
        let point = Layout::MALDOO.point("e4").unwrap();
        input(&mut source, Input::Touch(point));
        wait(&mut source, &mut shown, |shown| {
            names(shown) == ["f6", "d4", "f4"]
        });
    }

    #[test]
    fn a_paused_board_is_stepped_and_still_compared() {
        let mut source = Remote::open(Where::new(At::Virtual));
        let mut shown = Shown::default();
        let up = |shown: &Shown| matches!(shown.link, Link::Up { .. });
        wait(&mut source, &mut shown, up);
        let pace = Pace {
            paused: true,
            speed: 1.0,
        };
        source.order(&Order::Pace(pace)).unwrap();
        source.order(&Order::Step(100)).unwrap();
        wait(&mut source, &mut shown, agrees);
    }

    #[test]
    fn a_mistake_in_the_firmware_is_named() {
        let mut place = Where::new(At::Virtual);
        place.line.break_rule = true;
        let mut source = Remote::open(place);
        let mut shown = Shown::default();
        let up = |shown: &Shown| matches!(shown.link, Link::Up { .. });
        wait(&mut source, &mut shown, up);
        input(&mut source, Input::Press(Button::Start));
        input(&mut source, Input::Lift(Button::Start));
        for index in 0..81 {
            input(&mut source, Input::Touch(Point(index)));
            input(&mut source, Input::Release(Point(index)));
            let mut some = Shown::default();
            source
                .update(Duration::from_millis(5), &mut some, &mut |_, _| ())
                .unwrap();
            std::thread::sleep(Duration::from_millis(10));
        }
        wait(
            &mut source,
            &mut shown,
            |shown| matches!(&shown.twin, Agreement::Differs(sentence) if sentence.contains("; tick ")),
        );
        let Agreement::Differs(sentence) = &shown.twin else {
            unreachable!();
        };
        assert!(sentence.starts_with("tick "), "{sentence}");
        assert!(sentence.contains("on its twin"), "{sentence}");

        let tick: Tick = sentence[5..].split(':').next().unwrap().parse().unwrap();
        let mut right = CoreDriver::new(Layout::MALDOO, 0).unwrap();
        let session = source.session().unwrap();
        let mismatch = session.replay(&mut right, &mut |_| ()).unwrap();
        assert_eq!(mismatch.map(|mismatch| mismatch.tick), Some(tick));
    }

    #[test]
    fn a_line_that_leads_nowhere_is_said_in_a_sentence() {
        let mut source = Remote::open(Where::new(At::Serial("/dev/no-such-port".into())));
        let began = Instant::now();
        let sentence = loop {
            let mut shown = Shown::default();
            let elapsed = Duration::from_millis(5);
            if let Err(sentence) = source.update(elapsed, &mut shown, &mut |_, _| ()) {
                break sentence;
            }
            assert!(began.elapsed() < PATIENCE);
            std::thread::sleep(elapsed);
        };
        assert!(sentence.contains("no-such-port"), "{sentence}");
    }
}

//! A board at the end of a line, whose time goes by itself.
//!
//! The bridge's client keeps the line in threads of its own; here its view is
//! copied once a picture, and a Twin follows what the board says it took.
//! The twin also knows how the board was when it was lost or began anew.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use firmware_core::board::layout_of_snapshot;
use hil_bridge::client::{Happening, LinkState, Run};
use hil_bridge::remote::{legal_points, write_snapshot};
use hil_bridge::session::Session;
use hil_bridge::{BridgeError, Client, Where};
use protocol::{
    Command, Done, Event, Frame, Hello, Input, Layout, List, Pace as DevicePace, Point, Reply,
    Status, Tick,
};

use super::comparison::{Comparison, Next};
use super::scribe::Scribe;
use super::{Agreement, Kept, Link, Order, Pace, Restarted, Shown, Source};

/// Between two questions for how the game stands.
const STATUS_EVERY: Duration = Duration::from_millis(200);

/// Said where time cannot go back.
const NO_WAY_BACK: &str =
    "only the board in this process can go back in time: replay a session on this one";

type Answer = Receiver<Result<Reply, BridgeError>>;

/// How far the line is.
enum Line {
    /// It is opened with the next picture, once this board's was closed.
    Closed(Box<Where>, Option<Box<dyn Source>>),
    /// A thread is opening it.
    Opening(Receiver<Result<Client, BridgeError>>),
    /// It was opened already; the board goes on with the next picture.
    Ready(Box<Client>),
    /// It is open; the client opens it again by itself when it ends.
    Open(Arc<Client>),
    /// It could not be opened, for this reason.
    Failed(String),
}

/// A game that is being brought back, until the board has it.
struct Return {
    answer: Answer,
    kept: Kept,
    restarted: Restarted,
}

/// The board at the end of a line.
pub struct Remote {
    name: String,
    line: Line,
    pace: Pace,
    layout: Option<Layout>,
    /// The newest tick that was seen of it.
    tick: Tick,
    status: Status,
    status_asked: Option<Answer>,
    status_age: Duration,
    legal: Vec<Point>,
    legal_asked: Option<Answer>,
    answers: Vec<Answer>,
    comparison: Comparison,
    scribe: Scribe,
    /// What lifts the fingers that are on the board.
    lifts: Vec<Input>,
    /// What was lifted while the board did not hear it.
    owed: Vec<Input>,
    /// How it was before it was lost, or began anew.
    kept: Option<Kept>,
    restarted: Option<Restarted>,
    returning: Option<Return>,
    /// What the board said for the log.
    said: Vec<String>,
}

impl Remote {
    /// The board that this client speaks to. If its time is held, it goes on
    /// when [`Source::update`] lets time pass for the first time.
    #[must_use]
    pub fn over(client: Client) -> Remote {
        let name = client.name().to_owned();
        Remote::with(name, Line::Ready(Box::new(client)))
    }

    /// The board at this place; the line is opened in the background.
    #[must_use]
    pub fn open(place: Where) -> Remote {
        Remote::with(place.at.to_string(), Line::Closed(Box::new(place), None))
    }

    fn with(name: String, line: Line) -> Remote {
        Remote {
            name,
            line,
            pace: Pace::default(),
            layout: None,
            tick: 0,
            status: Status::default(),
            status_asked: None,
            status_age: STATUS_EVERY,
            legal: Vec::new(),
            legal_asked: None,
            answers: Vec::new(),
            comparison: Comparison::default(),
            scribe: Scribe::default(),
            lifts: Vec::new(),
            owed: Vec::new(),
            kept: None,
            restarted: None,
            returning: None,
            said: Vec::new(),
        }
    }

    fn begin(&mut self, client: Client) -> Result<(), BridgeError> {
        let hello = client.view().hello;
        self.layout = Some(hello.layout);
        self.answers.push(client.post(pace_command(self.pace))?);
        self.answers.push(client.post_resync()?);
        self.line = Line::Open(Arc::new(client));
        Ok(())
    }

    /// Opens the line, a step further with every picture; the client once it is
    /// open.
    fn client(&mut self) -> Option<Arc<Client>> {
        if let Line::Closed(place, before) = &mut self.line {
            self.line = dial((**place).clone(), before.take());
        }
        let opened = match std::mem::replace(&mut self.line, Line::Failed(String::new())) {
            Line::Ready(client) => self.begin(*client),
            Line::Opening(take) => match take.try_recv() {
                Err(TryRecvError::Empty) => {
                    self.line = Line::Opening(take);
                    Ok(())
                }
                Ok(Ok(client)) => self.begin(client),
                Ok(Err(error)) => Err(error),
                Err(TryRecvError::Disconnected) => {
                    Err(BridgeError::Link("the line was never opened".to_owned()))
                }
            },
            line => {
                self.line = line;
                Ok(())
            }
        };
        if let Err(error) = opened {
            self.line = Line::Failed(error.to_string());
        }
        match &self.line {
            Line::Open(client) => Some(client.clone()),
            _ => None,
        }
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
        self.returned().and(trouble)
    }

    /// Takes in what happened.
    fn follow(&mut self, happening: &Happening, client: &Client) {
        match happening {
            Happening::Event(stamped) => {
                self.tick = self.tick.max(stamped.tick);
                if let Event::Taken(input) = stamped.event {
                    self.note_finger(input);
                }
            }
            Happening::Lost(_) | Happening::Panicked(_) => self.keep(),
            Happening::Connected { hello, run } => self.meet(hello, *run, client),
            Happening::Log(line) => self.said.push(line.clone()),
            _ => {}
        }
        self.scribe.hear(happening, &client.view().hello);
        if self.comparison.follow(happening) == Next::Snapshot {
            self.answers.extend(client.post_resync());
        }
    }

    fn note_finger(&mut self, input: Input) {
        match input {
            Input::Touch(point) => self.lifts.push(Input::Release(point)),
            Input::Press(button) => self.lifts.push(Input::Lift(button)),
            other => self.lifts.retain(|lift| *lift != other),
        }
    }

    /// Keeps how the board was, while that is still known.
    fn keep(&mut self) {
        if self.kept.is_none() {
            self.kept = self.comparison.state_at(self.tick, &self.lifts);
        }
    }

    /// The board answers: the run of it that was lost, or another one.
    fn meet(&mut self, hello: &Hello, run: Run, client: &Client) {
        self.layout = Some(hello.layout);
        let owed = std::mem::take(&mut self.owed);
        match run {
            Run::First => {}
            Run::Known => {
                self.kept = None;
                let lifts = owed.into_iter().map(Command::Input);
                self.answers
                    .extend(lifts.flat_map(|lift| client.post(lift)));
            }
            Run::Anew { before } => {
                self.keep();
                self.restarted = Some(Restarted {
                    was_at: before,
                    can_return_to: self.kept.as_ref().map(|kept| kept.tick),
                });
                self.comparison = Comparison::default();
                self.lifts.clear();
                self.status = Status::default();
                self.legal.clear();
                self.status_age = STATUS_EVERY;
                self.tick = hello.tick;
            }
        }
    }

    /// Gives the board that began anew the game that was on it.
    fn bring_back(&mut self) -> Result<(), String> {
        let Line::Open(client) = &self.line else {
            return Ok(());
        };
        let (Some(kept), Some(restarted)) = (self.kept.take(), self.restarted.take()) else {
            return Ok(());
        };
        let (give, answer) = bounded(1);
        let (client, state) = (client.clone(), kept.state.clone());
        self.returning = Some(Return {
            answer,
            kept,
            restarted,
        });
        let thread = std::thread::Builder::new().name("bring-back".into());
        let spawned = thread.spawn(move || {
            // Nobody waits any more if another board was chosen meanwhile.
            let _ = give.send(write_snapshot(&client, &state));
        });
        spawned
            .map(drop)
            .map_err(|error| format!("no thread: {error}"))
    }

    /// Looks whether the game is back.
    fn returned(&mut self) -> Result<(), String> {
        let Some(returning) = &self.returning else {
            return Ok(());
        };
        let result = match returning.answer.try_recv() {
            Err(TryRecvError::Empty) => return Ok(()),
            Ok(result) => result.map(drop).map_err(|error| error.to_string()),
            Err(TryRecvError::Disconnected) => Err("nobody was there to do it".to_owned()),
        };
        let Some(Return {
            kept, restarted, ..
        }) = self.returning.take()
        else {
            return Ok(());
        };
        result
            .map(|()| {
                self.layout = layout_of_snapshot(&kept.state).or(self.layout);
                self.status_age = STATUS_EVERY;
            })
            .map_err(|sentence| {
                self.kept = Some(kept);
                self.restarted = Some(restarted);
                format!("the game was not brought back: {sentence}")
            })
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
            Order::BringBack => return self.bring_back(),
            Order::LeaveIt => {
                (self.kept, self.restarted) = (None, None);
                return Ok(());
            }
        };
        let Line::Open(client) = &self.line else {
            // What was pressed while there was no board is not kept for it.
            return Ok(());
        };
        if matches!(client.view().link, LinkState::Lost(_)) {
            // But a finger that was lifted meanwhile must not stay on it.
            if let Command::Input(lift @ (Input::Release(_) | Input::Lift(_))) = command {
                self.owed.push(lift);
            }
            return Ok(());
        }
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
        let Some(client) = self.client() else {
            *shown = Shown {
                layout: shown.layout,
                pace: self.pace,
                link: match &self.line {
                    Line::Failed(sentence) => Link::Down(sentence.clone()),
                    _ => Link::Searching,
                },
                twin: Agreement::Unknown,
                ..Shown::default()
            };
            return Ok(self.tick);
        };
        while let Ok(happening) = client.happenings().try_recv() {
            if let Happening::Event(stamped) = &happening {
                tell(stamped.tick, stamped.event);
            }
            self.follow(&happening, &client);
        }
        let view = client.view();
        let link = match view.link {
            LinkState::Connected => Link::Up {
                board: view.hello.board.to_string(),
            },
            LinkState::Lost(sentence) => Link::Down(sentence),
        };
        let heard = self.hear();
        if link.answers() {
            self.ask_status(&client, elapsed);
            self.hear_legal(&client);
            self.tick = view.tick;
        }
        *shown = Shown {
            layout: self.layout.unwrap_or(view.hello.layout),
            // What a board shows that does not answer nobody knows.
            frame: if link.answers() {
                view.frame
            } else {
                Frame::default()
            },
            status: self.status,
            // Nothing can be played on a board that does not answer.
            legal: if link.answers() {
                self.legal.clone()
            } else {
                Vec::new()
            },
            pace: self.pace,
            twin: match self.comparison.agreement() {
                Agreement::Agrees { .. } if !link.answers() => Agreement::Unknown,
                agreement => agreement.clone(),
            },
            kept: self.kept.as_ref().map(|kept| kept.tick),
            restarted: self.restarted,
            link,
            ..Shown::default()
        };
        heard.map(|()| self.tick)
    }

    fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }

    fn come_after(&mut self, before: Box<dyn Source>) {
        match &mut self.line {
            // A port can be opened once it was closed.
            Line::Closed(_, closes_first) => *closes_first = Some(before),
            _ => drop(before),
        }
    }
}

/// Opens the line in the background, once the one of the board before was
/// closed.
fn dial(place: Where, before: Option<Box<dyn Source>>) -> Line {
    let (give, take) = bounded(1);
    let thread = std::thread::Builder::new().name("open-board".into());
    let opening = thread.spawn(move || {
        drop(before);
        // Nobody waits any more if another board was chosen meanwhile.
        let _ = give.send(place.client());
    });
    match opening {
        Ok(_) => Line::Opening(take),
        Err(error) => Line::Failed(format!("no thread: {error}")),
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
        let mut shown = Shown::default();
        wait(&mut source, &mut shown, |shown| shown.link.is_down());
        let Link::Down(sentence) = &shown.link else {
            unreachable!();
        };
        assert!(sentence.contains("no-such-port"), "{sentence}");
    }
}

//! What must never happen: [`Violation`] lists it, and the book's page about the campaign
//! explains each of its kinds.

use firmware_core::board::origin_of_snapshot;
use protocol::{Audience, Command, Deed, Done, Event, Input, Refusal, Reply, StampedEvent, Tick};
use touchboard_host::DriverError;
use touchboard_host::conversation::OrderKind;
use touchboard_host::happening::Happening;
use touchboard_host::session::SessionItem;

use crate::spy::{By, DoneItem, SpyLog, inputs};

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// An end took a message that was never sent.
    #[error("a message was taken that was never sent: {0:02x?}")]
    WrongMessage(Vec<u8>),
    /// The board's history is not what it acknowledged.
    #[error("the board acknowledged {acknowledged:?} of {command}, and did {did:?}")]
    NotOnce {
        /// The command.
        command: String,
        /// What the answer said.
        acknowledged: Vec<String>,
        /// What the board did.
        did: Vec<String>,
    },
    /// An event that was not acknowledged was done more than once, or in part.
    #[error("{command} failed ({why}), and the board did {did:?}")]
    HalfDone {
        /// The command.
        command: String,
        /// Why it failed.
        why: String,
        /// What the board did.
        did: Vec<String>,
    },
    /// An event is missing, and nothing says so.
    #[error("event {next} is missing before event {heard}, and no loss was reported")]
    Skipped {
        /// The number of the missing event.
        next: u32,
        /// The number of the one that was heard.
        heard: u32,
    },
    /// Events were lost although the board's time was held, so that it could wait.
    #[error("events were lost although time was held")]
    LostWhileHeld,
    /// An event was heard that did not happen.
    #[error("the host heard {heard:?} at tick {tick}, and {truth}")]
    Untrue {
        /// The tick of the event.
        tick: Tick,
        /// The event.
        heard: Event,
        /// What happened.
        truth: String,
    },
    /// The twin and the board have different digests.
    #[error("the twin has digest {twin:016x} at tick {tick}, the board {board:016x}")]
    Disagree {
        /// The tick at which both were compared.
        tick: Tick,
        /// The digest of the twin.
        twin: u64,
        /// The digest of the board.
        board: u64,
    },
    /// In lockstep, the host does not show the frame of the moment of an answer.
    #[error("after an answer of tick {tick}, the host shows another frame than the board")]
    WrongFrame {
        /// The tick of the answer.
        tick: Tick,
    },
    /// Both ends do not agree in time.
    #[error("{left_ms} ms after the line was healed, host and board do not agree: {why}")]
    NotHealed {
        /// How long they had.
        left_ms: u64,
        /// What is missing.
        why: String,
    },
    /// The run did not come to an end.
    #[error("nothing more happened at {at_us} us, and the run was not over")]
    Stuck {
        /// The time.
        at_us: u64,
    },
    /// There is no board for this plan, so nothing was simulated.
    #[error("there is no board for this plan: {0}")]
    NoBoard(Refusal),
    /// One of both ends panicked.
    #[error("it panicked: {0}")]
    Panicked(String),
}

impl Violation {
    /// Which rule was broken: two violations of the same kind count as the same.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Violation::WrongMessage(_) => "wrong message",
            Violation::NotOnce { .. } => "input not once",
            Violation::HalfDone { .. } => "input half done",
            Violation::Skipped { .. } => "loss not reported",
            Violation::LostWhileHeld => "loss while time was held",
            Violation::Untrue { .. } => "event not true",
            Violation::Disagree { .. } => "disagreement",
            Violation::WrongFrame { .. } => "wrong frame",
            Violation::NotHealed { .. } => "not healed",
            Violation::Stuck { .. } => "stuck",
            Violation::NoBoard(_) => "no board",
            Violation::Panicked(_) => "panic",
        }
    }
}

/// Judges the answers that a host gets.
#[derive(Debug)]
pub struct AnswerJudge {
    host: usize,
    /// The number of the board's deeds that were judged.
    judged: usize,
    /// What was asked by requests that failed and was not done: it may still be on its way,
    /// and be done later, in this order.
    late: Vec<SessionItem>,
}

fn words(kind: &OrderKind) -> String {
    match kind {
        OrderKind::Command { command, .. } => format!("{command:?}"),
        OrderKind::Snapshot => "a snapshot".to_owned(),
        OrderKind::Load { .. } => "a load".to_owned(),
        OrderKind::Faults => "the faults".to_owned(),
        OrderKind::InjectFaults { faults, .. } => format!("to have {faults}"),
    }
}

impl AnswerJudge {
    /// A judge of this host's answers.
    #[must_use]
    pub fn new(host: usize) -> AnswerJudge {
        AnswerJudge {
            host,
            judged: 0,
            late: Vec::new(),
        }
    }

    /// Leaves out what the board did up to now: a host that gave up never heard of it.
    pub fn forget(&mut self, log: &SpyLog) {
        self.judged = log.done.len();
        self.late.clear();
    }

    /// Compares an answer with what the board did since the last one. Returns the number
    /// of inputs that were acknowledged.
    ///
    /// # Errors
    /// What went wrong.
    pub fn judge(
        &mut self,
        kind: &OrderKind,
        answer: &Result<Reply, DriverError>,
        log: &SpyLog,
    ) -> Result<u64, Violation> {
        let own = log.done[self.judged..].iter();
        let own = own.filter(|done| done.by == By::Host(self.host));
        let did: Vec<DoneItem> = own.cloned().collect();
        self.judged = log.done.len();
        let ways = asked(kind);
        let done: Vec<SessionItem> = did.iter().map(|done| done.item.clone()).collect();
        let late = self.come_late(&done);
        let Ok(Reply { result, .. }) = answer else {
            let why = answer.as_ref().err().map(ToString::to_string);
            let left = ways.iter().find_map(|asked| {
                let is_begun = |late: &usize| asked.starts_with(&done[*late..]);
                let late = (0..=late).rev().find(is_begun)?;
                Some(&asked[done.len() - late..])
            });
            let Some(left) = left else {
                return Err(Violation::HalfDone {
                    command: words(kind),
                    why: why.unwrap_or_default(),
                    did: words_of(&done),
                });
            };
            self.late.extend_from_slice(left);
            return Ok(0);
        };
        let mut acknowledged = ways.iter().map(|asked| match result {
            Ok(Done::Stepped { inputs, .. }) => &asked[..usize::from(*inputs).min(asked.len())],
            Ok(_) => &asked[..],
            Err(_) => &[],
        });
        let is_done = |asked: &[SessionItem]| (0..=late).any(|late| done[late..] == *asked);
        if !acknowledged.clone().any(is_done) {
            return Err(Violation::NotOnce {
                command: words(kind),
                acknowledged: words_of(acknowledged.next().unwrap_or_default()),
                did: words_of(&done),
            });
        }
        // The board has taken a later request, so it refuses earlier ones.
        self.late.clear();
        Ok(inputs(&did).count() as u64)
    }
}

impl AnswerJudge {
    /// How many of these deeds, from the first on, may be late ones.
    fn come_late(&self, done: &[SessionItem]) -> usize {
        let mut late = self.late.iter();
        done.iter()
            .take_while(|deed| late.any(|other| other == *deed))
            .count()
    }
}

/// What an order asks for, in each way in which a host may go about it. Fingers on sensors are
/// not among it, since the sensors decide what is felt of them.
fn asked(kind: &OrderKind) -> Vec<Vec<SessionItem>> {
    let command = match kind {
        OrderKind::Command { command, .. } => command,
        OrderKind::Load { state, .. } => return ways_to_load(state),
        OrderKind::Snapshot | OrderKind::Faults | OrderKind::InjectFaults { .. } => {
            return vec![Vec::new()];
        }
    };
    let asked = match command {
        Command::Do(deed) => vec![deed.clone().into()],
        Command::Step { inputs, .. } => inputs
            .iter()
            .map(|input: &Input| SessionItem::Do(Deed::Input(*input)))
            .collect(),
        _ => Vec::new(),
    };
    vec![asked]
}

/// A board without the drawing of a state is reset to it first.
fn ways_to_load(state: &[u8]) -> Vec<Vec<SessionItem>> {
    let load = SessionItem::Load(state.to_vec());
    let layout = origin_of_snapshot(state).map(|(layout, _)| layout);
    let drawn = layout.filter(|layout| layout.sides().is_none());
    let reset = drawn.map(|layout| Deed::Reset { seed: 0, layout }.into());
    let after_reset = reset.map(|reset| vec![reset, load.clone()]);
    after_reset.into_iter().chain([vec![load]]).collect()
}

/// These items, briefly.
fn words_of(items: &[SessionItem]) -> Vec<String> {
    let words = items.iter().map(|item| match item {
        SessionItem::Do(deed) => format!("{deed:?}"),
        SessionItem::Load(state) => format!("load {} bytes", state.len()),
        other => format!("{other:?}"),
    });
    words.collect()
}

/// Judges the events that a host hears.
#[derive(Debug)]
pub struct EventJudge {
    /// True while no event may be lost: time is held, and neither power nor an answer was
    /// lost.
    pub loses_nothing: bool,
    /// The number of the next event; `None` after a reported loss.
    next: Option<u32>,
    /// The places in the truth at one of which the next event is. There can be several
    /// after a loss, since equal events happen at equal ticks after each restart.
    places: Vec<usize>,
    /// True if it may also be anywhere after the first of them.
    is_anywhere: bool,
    /// The number of reported losses.
    pub losses: u64,
}

impl EventJudge {
    /// Compares what a host was told with what happened.
    ///
    /// # Errors
    /// What went wrong.
    pub fn judge(&mut self, happening: &Happening, log: &SpyLog) -> Result<(), Violation> {
        match happening {
            Happening::Event(event) => return self.event(event, log),
            Happening::Missed if self.loses_nothing => return Err(Violation::LostWhileHeld),
            Happening::Missed => {
                self.goes_on_anywhere();
                self.losses += 1;
            }
            Happening::Connected { run, .. } if run.is_new() => self.goes_on_anywhere(),
            Happening::Carried { deed, .. } if deed.restarts() => self.goes_on_anywhere(),
            _ => {}
        }
        Ok(())
    }

    fn goes_on_anywhere(&mut self) {
        (self.next, self.is_anywhere) = (None, true);
    }

    fn event(&mut self, heard: &StampedEvent, log: &SpyLog) -> Result<(), Violation> {
        let next = self.next.replace(heard.number.wrapping_add(1));
        if let Some(next) = next
            && next != heard.number
        {
            let heard = heard.number;
            return Err(Violation::Skipped { next, heard });
        }
        if heard.event.audience() == Audience::Observers {
            // The board does not know of them; twins compare digests.
            return Ok(());
        }
        let is_it = |(tick, event): &(Tick, Event)| (*tick, *event) == (heard.tick, heard.event);
        let first = self.places.first().copied().unwrap_or(0);
        let followed: Vec<usize> = match self.is_anywhere {
            true => (first..log.events.len()).collect(),
            false => std::mem::take(&mut self.places),
        };
        let found = followed
            .into_iter()
            .filter(|place| log.events.get(*place).is_some_and(is_it));
        self.places = found.map(|place| place + 1).collect();
        if !self.places.is_empty() {
            self.is_anywhere = false;
            return Ok(());
        }
        let truth = match (self.is_anywhere, log.events.get(first)) {
            (true, _) => "that never happened".to_owned(),
            (false, Some((tick, event))) => format!("{event:?} at tick {tick} is next"),
            (false, None) => "nothing is next".to_owned(),
        };
        Err(Violation::Untrue {
            tick: heard.tick,
            heard: heard.event,
            truth,
        })
    }
}

impl Default for EventJudge {
    fn default() -> EventJudge {
        EventJudge {
            loses_nothing: false,
            next: None,
            places: vec![0],
            is_anywhere: true,
            losses: 0,
        }
    }
}

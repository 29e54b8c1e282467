//! Checks: attempts to make a board and its twin disagree.
//!
//! Both get the same inputs, step by step. After each step their digests, ticks, frames,
//! events and refusals are compared, and whether the firmware still runs. If they differ,
//! the first tick and field are located, and the session is shrunk to a few lines that
//! still show the difference.
//!
//! [`Pair`] is the comparison by itself, for steps that come from elsewhere. The steps of
//! a check depend on the board's state, so that games progress; they are shrunk as items
//! of a session, which anybody can repeat.

use std::time::Duration;

use firmware_core::{AnyBoard, Faults};
use protocol::{Deed, Input, KnownLayout, Refusal, StampedEvent, Tick};

use crate::compare::{Difference, compare_with};
use crate::divergence::NamedDifference;
use crate::driver::{CoreDriver, Driver, DriverError};
use crate::session::{Header, Session, SessionEntry, SessionItem, tick_of};

mod fingers;
mod generate;
mod locate;
mod shrink;

use fingers::SensedFingers;
pub use generate::{CheckStep, Generator};

/// A time limit, measured by the caller's clock, because this crate has none.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimit {
    /// The longest time that the work may take.
    pub at_most: Duration,
    /// The current time, from any fixed origin.
    pub now: fn() -> Duration,
}

impl TimeLimit {
    /// A limit that has already passed.
    pub const NONE: TimeLimit = TimeLimit {
        at_most: Duration::ZERO,
        now: || Duration::ZERO,
    };
    /// No limit.
    pub const ENDLESS: TimeLimit = TimeLimit {
        at_most: Duration::MAX,
        now: || Duration::ZERO,
    };
}

/// The options of a check.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The seed of all inputs and of the board's random numbers.
    pub seed: u64,
    /// The number of random steps.
    pub steps: u64,
    /// The layout of the board.
    pub layout: KnownLayout,
    /// The faults of the sensors: board and twin get the inputs that faulty sensors
    /// report.
    pub faults: Faults,
    /// The longest time for shrinking a failure.
    pub shrink_for: TimeLimit,
}

impl CheckOptions {
    /// A check with sound sensors that is not shrunk.
    #[must_use]
    pub fn new(layout: impl Into<KnownLayout>, seed: u64, steps: u64) -> CheckOptions {
        CheckOptions {
            seed,
            steps,
            layout: layout.into(),
            faults: Faults::default(),
            shrink_for: TimeLimit::NONE,
        }
    }
}

/// The statistics of a check that found no difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckSummary {
    /// The number of steps that were carried out.
    pub steps: u64,
    /// The ticks of board time that passed.
    pub ticks: Tick,
    /// The number of inputs that were sent.
    pub inputs: u64,
    /// The number of events, each of which was compared.
    pub events: u64,
    /// The number of games that were started.
    pub games: u64,
}

/// A difference that a check found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The first field that differs, and when.
    pub difference: Difference,
    /// A session that shows it, as short as could be made.
    pub session: Session,
    /// The number of actions until the failure, before shrinking: see
    /// [`Session::acts`].
    pub found_after: usize,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Board and twin were the same all the way.
    Agrees(CheckSummary),
    /// A difference was found.
    Differs(Box<Finding>),
}

/// A board and its twin.
pub struct Pair<'a> {
    twin: CoreDriver,
    board: &'a mut dyn Driver,
    /// The events that the board reported since the last comparison, and that the twin has
    /// followed.
    told: Vec<StampedEvent>,
}

/// Evidence that the two boards differ.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Evidence {
    /// The board's digest, which is not the twin's.
    Digest(u64),
    /// Another visible difference.
    Seen(NamedDifference),
}

impl<'a> Pair<'a> {
    /// Starts both boards as this header describes.
    ///
    /// # Errors
    /// When the board cannot be reached, or refuses the header.
    pub fn begin(board: &'a mut dyn Driver, header: &Header) -> Result<Self, DriverError> {
        let mut twin = CoreDriver::with_games(*header.layout, header.roster, header.seed)?;
        for driver in [&mut twin as &mut dyn Driver, &mut *board] {
            header.begin(driver)?;
            driver.take_events();
        }
        Ok(Pair {
            twin,
            board,
            told: Vec::new(),
        })
    }

    /// The core that serves as the twin.
    #[must_use]
    pub fn twin(&self) -> &AnyBoard {
        self.twin.board()
    }

    /// Does all of this on both boards, lets time pass, and compares. Returns the events
    /// if the boards are the same.
    ///
    /// # Errors
    /// When the board cannot be reached, or its firmware panics.
    pub fn compare_after(
        &mut self,
        items: &[SessionItem],
        ticks: Tick,
    ) -> Result<Result<Vec<StampedEvent>, Difference>, DriverError> {
        Ok(match self.step_both(items, ticks)? {
            Ok(events) => Ok(events),
            Err(evidence) => Err(self.explain(&evidence)?),
        })
    }

    /// Evidence that the boards differ after this step, if there is one. A panic of the
    /// firmware counts as a difference.
    fn step(
        &mut self,
        items: &[SessionItem],
        ticks: Tick,
    ) -> Result<Option<Evidence>, DriverError> {
        match self.step_both(items, ticks) {
            Err(error @ DriverError::Panicked(_)) => {
                let named =
                    NamedDifference::new("whether it continues", "yes", format!("no, {error}"));
                Ok(Some(Evidence::Seen(named)))
            }
            compared => Ok(compared?.err()),
        }
    }

    fn step_both(
        &mut self,
        items: &[SessionItem],
        ticks: Tick,
    ) -> Result<Result<Vec<StampedEvent>, Evidence>, DriverError> {
        let mut inputs: Vec<Input> = Vec::new();
        for item in items {
            match item {
                SessionItem::Do(Deed::Input(input)) => inputs.push(*input),
                SessionItem::Digest(_)
                | SessionItem::Note(_)
                | SessionItem::Contact(_)
                | SessionItem::End => {}
                _ => {
                    self.both_take(&inputs)?;
                    inputs.clear();
                    let twin = carry_out(&mut self.twin, item)?;
                    if matches!(item, SessionItem::Do(deed) if deed.restarts()) {
                        self.told.clear();
                    }
                    let board = carry_out(self.board, item)?;
                    if twin != board {
                        let words = |refusal: Option<Refusal>| {
                            refusal.map_or("no".into(), |refusal| format!("yes: {refusal}"))
                        };
                        let [twin, board] = [twin, board].map(words);
                        let named = NamedDifference::new("whether it refuses", twin, board);
                        return Ok(Err(Evidence::Seen(named)));
                    }
                }
            }
        }
        let digest = self.both_go_on(&inputs, ticks)?;
        let board = [std::mem::take(&mut self.told), self.board.take_events()].concat();
        let events = (self.twin.take_events(), board);
        if digest != self.twin.digest()? {
            return Ok(Err(Evidence::Digest(digest)));
        }
        if self.board.frame() != self.twin.frame() {
            // The digests are equal, so the frame was damaged on the line.
            return Ok(Err(Evidence::Digest(digest)));
        }
        if let Some(evidence) = events_differ(&events.0, &events.1) {
            return Ok(Err(evidence));
        }
        let pins = self.board.read_pins()?;
        let wrong = pins.and_then(|pins| pins.difference(self.twin.board()));
        Ok(match wrong {
            Some(named) => Err(Evidence::Seen(named)),
            None => Ok(events.0),
        })
    }

    /// Gives both boards these inputs at the current tick.
    fn both_take(&mut self, inputs: &[Input]) -> Result<(), DriverError> {
        if self.board.feels_contacts() {
            self.board.step(inputs, 0)?;
            self.follow();
            return Ok(());
        }
        self.twin.step(inputs, 0)?;
        self.board.step(inputs, 0)
    }

    /// Gives both boards these inputs and lets `ticks` pass. Returns the digest of
    /// the board.
    fn both_go_on(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, DriverError> {
        if self.board.feels_contacts() {
            let digest = self.board.step_and_digest(inputs, ticks)?;
            self.follow();
            return Ok(digest);
        }
        self.twin.step(inputs, ticks)?;
        self.board.step_and_digest(inputs, ticks)
    }

    /// Gives the twin the inputs that the board reported.
    fn follow(&mut self) {
        let told = self.board.take_events();
        self.twin.follow(&told, self.board.tick());
        self.told.extend(told);
    }

    fn explain(&mut self, evidence: &Evidence) -> Result<Difference, DriverError> {
        let tick = self.twin.tick();
        let found = match evidence {
            Evidence::Seen(named) => Some(Difference::at(tick, named.clone())),
            Evidence::Digest(digest) => compare_with(self.twin.board(), self.board, *digest)?,
        };
        Ok(found.unwrap_or_else(|| Difference {
            tick,
            field: "none: the boards agreed again before their states were compared".into(),
            twin: String::new(),
            board: String::new(),
        }))
    }
}

/// Carries out an item that is neither an input nor time. A refusal is a valid
/// answer.
fn carry_out(driver: &mut dyn Driver, item: &SessionItem) -> Result<Option<Refusal>, DriverError> {
    let done = item.carry_out(driver);
    match done {
        Ok(()) => Ok(None),
        Err(DriverError::Refused(refusal)) => Ok(Some(refusal)),
        Err(error) => Err(error),
    }
}

fn events_differ(twin: &[StampedEvent], board: &[StampedEvent]) -> Option<Evidence> {
    let words = |event: Option<&StampedEvent>| match event {
        Some(StampedEvent { tick, event, .. }) => format!("{event:?} at tick {tick}"),
        None => "nothing".into(),
    };
    let same = |(twin, board): &(&StampedEvent, &StampedEvent)| {
        (twin.tick, twin.event) == (board.tick, board.event)
    };
    let place = twin.iter().zip(board).take_while(same).count();
    if place == twin.len() && place == board.len() {
        return None;
    }
    let (twin, board) = (words(twin.get(place)), words(board.get(place)));
    Some(Evidence::Seen(NamedDifference::new(
        "its events",
        twin,
        board,
    )))
}

fn inputs(items: &[SessionItem]) -> u64 {
    let inputs = items
        .iter()
        .filter(|item| matches!(item, SessionItem::Do(Deed::Input(_))));
    inputs.count() as u64
}

/// Plays by a seed on the board and its twin. Calls `each` after every step.
///
/// # Errors
/// When the board cannot be reached.
pub fn check(
    board: &mut dyn Driver,
    options: &CheckOptions,
    each: &mut dyn FnMut(&CheckSummary),
) -> Result<Verdict, DriverError> {
    let note = format!(
        "found by check --seed {} --layout {}",
        options.seed, options.layout
    );
    let header = Header::new(&options.layout, options.seed, &note).with_games(board.roster());
    let mut generator = Generator::new(options.seed, *options.layout);
    let mut entries: Vec<SessionEntry> = Vec::new();
    let mut summary = CheckSummary::default();
    let mut pair = Pair::begin(board, &header)?;
    let mut fingers = SensedFingers::new(*options.layout, &options.faults);
    for _ in 0..options.steps {
        summary.steps += 1;
        for CheckStep { items, ticks } in fingers.detect(generator.next(pair.twin())) {
            let tick = pair.twin().tick();
            entries.extend(
                items
                    .iter()
                    .cloned()
                    .map(|item| SessionEntry { tick, item }),
            );
            summary.ticks += ticks;
            summary.inputs += inputs(&items);
            let before = (pair.twin.board().clone(), pair.twin.number());
            let evidence = pair.step(&items, ticks)?;
            summary.events += u64::from(pair.twin.number().wrapping_sub(before.1));
            summary.games += u64::from(pair.twin().turn().is_some() && before.0.turn().is_none());
            if let Some(evidence) = evidence {
                let session = Session::with_entries(header, entries);
                return finding(pair, &before.0, &evidence, session, &items, ticks, options);
            }
        }
        each(&summary);
    }
    Ok(Verdict::Agrees(summary))
}

/// Replays a session on the board and its twin, and compares at every entry.
///
/// # Errors
/// When the board cannot be reached, or refuses the session's header.
pub fn check_session(
    board: &mut dyn Driver,
    session: &Session,
    shrink_for: TimeLimit,
    each: &mut dyn FnMut(&CheckSummary),
) -> Result<Verdict, DriverError> {
    let mut summary = CheckSummary::default();
    let mut pair = Pair::begin(board, &session.header)?;
    let mut done = 0;
    for CheckStep { items, ticks } in steps_of(session) {
        let before = (pair.twin.board().clone(), pair.twin.number());
        let evidence = pair.step(&items, ticks)?;
        done += items.len();
        summary.steps += 1;
        summary.ticks += ticks;
        summary.inputs += inputs(&items);
        summary.events += u64::from(pair.twin.number().wrapping_sub(before.1));
        if let Some(evidence) = evidence {
            let mut session = session.clone();
            session.entries.truncate(done);
            let header = &session.header;
            let options = CheckOptions {
                shrink_for,
                ..CheckOptions::new(header.layout.clone(), header.seed, 0)
            };
            return finding(pair, &before.0, &evidence, session, &items, ticks, &options);
        }
        each(&summary);
    }
    Ok(Verdict::Agrees(summary))
}

/// Splits a session into steps: the items at one tick, and the time until the next.
fn steps_of(session: &Session) -> Vec<CheckStep> {
    let mut steps: Vec<CheckStep> = Vec::new();
    let start = session
        .header
        .state
        .as_deref()
        .and_then(tick_of)
        .unwrap_or(0);
    let mut now = start;
    for entry in &session.entries {
        let ticks = entry.tick.saturating_sub(now);
        match steps.last_mut() {
            Some(last) if ticks == 0 => last.items.push(entry.item.clone()),
            Some(last) => {
                last.ticks = ticks;
                steps.push(CheckStep::at_once(&entry.item));
            }
            None => {
                let items = Vec::new();
                steps.push(CheckStep { items, ticks });
                steps.push(CheckStep::at_once(&entry.item));
            }
        }
        now = match &entry.item {
            SessionItem::Do(deed) if deed.restarts() => 0,
            SessionItem::Load(state) => tick_of(state).unwrap_or(0),
            _ => entry.tick.max(now),
        };
    }
    steps
}

fn finding(
    mut pair: Pair<'_>,
    before: &AnyBoard,
    evidence: &Evidence,
    mut session: Session,
    items: &[SessionItem],
    ticks: Tick,
    options: &CheckOptions,
) -> Result<Verdict, DriverError> {
    let at_the_end = pair.explain(evidence)?;
    let located = locate::first(pair.board, before, items, ticks)?;
    let difference = located.unwrap_or(at_the_end);
    let found_after = session.acts();
    session.push(difference.tick.max(session.last_tick()), SessionItem::End);
    let session = shrink::shrink(pair.board, &session, options.shrink_for)?;
    Ok(Verdict::Differs(Box::new(Finding {
        difference,
        session,
        found_after,
    })))
}

//! The referee: turns, clocks, flashes and the end-of-game signal, which are the same for
//! every game.
//!
//! The referee uses two times: *board time* (the tick) for lights and sounds, and *play
//! time*, which stops while the game is paused, for everything in the game.
//!
//! Invariants: while a game with a clock runs, either the clock of the side to move runs
//! or the game has stopped it; no clock runs before the first touch, so the board plays
//! nothing for a player who has not started; after the end only the signal changes; a
//! paused game is dark and cannot be studied.

mod ending;
mod flash;
mod saved;
mod seconds;
mod seen;
mod turn_clock;
mod wake;

use heapless::Vec;
use postcard::experimental::max_size::MaxSize;
use protocol::{Clock, Event, LastMove, Mover, Outcome, Point, Position, Side, Tick};
use serde::Serialize;

use crate::beeper::{Beeper, Sound};
use crate::event_sink::EventSink;
use crate::game::{Context, EVENTS_OF_A_CALL, Illegal, Service, TimeOut, Touch};
use crate::games::Playing;
use crate::ground::Ground;
use crate::panel::Panel;
use crate::rng::Rng;
use crate::word::Word;

use ending::Ending;
pub use ending::{SIGNAL_BLEEPS, SIGNAL_HEARD_MS, SIGNAL_HZ, SIGNAL_RHYTHM};
use flash::Flash;
pub use seconds::{WARNING_SECONDS, warns};
use turn_clock::TurnClock;

/// The maximum number of touches that the clock makes for a side, one a tick, to complete
/// a move. If the turn has still not ended, the game is faulty and the turn is passed.
pub const CLOCK_TOUCHES: Tick = 256;

/// The maximum number of events of [`Referee::settle`]: the score, and the outcome or the
/// turn.
const EVENTS_OF_SETTLING: usize = 2;

/// The maximum number of events with which a game or a position begins: that it started,
/// those of the game, and those of settling.
pub const EVENTS_OF_A_START: usize = 1 + EVENTS_OF_A_CALL + EVENTS_OF_SETTLING;

/// What the referee borrows from the board for one call.
pub struct BoardAccess<'a, W: Word> {
    /// The geometry of the layout.
    pub ground: &'a Ground<W>,
    /// The source of all random numbers.
    pub rng: &'a mut Rng,
    /// The current board time, in ticks.
    pub tick: Tick,
    /// The settings, and the notices on the display.
    pub panel: &'a mut Panel,
    /// The beeper, on which the referee plays sounds.
    pub beeper: &'a mut Beeper,
    /// The function that receives the events.
    pub tell: EventSink<'a>,
}

impl<W: Word> BoardAccess<'_, W> {
    /// The game and mode of the settings.
    fn game(&self) -> (u8, u8) {
        let settings = self.panel.settings();
        (settings.game, settings.mode)
    }

    fn level(&self) -> u8 {
        self.panel.settings().level
    }

    fn report_all(&mut self, events: &[Event]) {
        for event in events {
            (self.tell)(self.tick, *event);
        }
    }
}

/// A running or finished game, and everything around it.
#[derive(Clone, Debug, PartialEq, Serialize, MaxSize)]
#[serde(bound(serialize = "W: Word"))]
pub struct Referee<W: Word> {
    playing: Playing<W>,
    /// Board time minus play time.
    behind: Tick,
    /// The board time at which the game was paused.
    held_at: Option<Tick>,
    /// The clock of the turn.
    turn_clock: TurnClock,
    /// The time of the current turn in milliseconds, as it was when the clock started; 0
    /// once the time-out was reported.
    turn_time_ms: u32,
    /// True once somebody has touched a point or passed in this game. Clocks wait until
    /// then.
    is_touched: bool,
    /// The last move that was made.
    last_move: Option<LastMove>,
    /// The score as the game reports it, `[green, red]`. Counting can be expensive, so it
    /// is done once after each call to the game.
    score: [u32; 2],
    /// The flash of the legal points, while it lasts.
    flash: Option<Flash>,
    /// The outcome, once the game has ended.
    outcome: Option<Outcome>,
    /// The signal of the end.
    ending: Ending,
}

impl<W: Word> Referee<W> {
    /// Starts the chosen game; `None` if it does not fit the layout.
    pub fn start(access: &mut BoardAccess<'_, W>) -> Option<Self> {
        let (game, mode) = access.game();
        Self::begin(access, |context| Playing::start(game, mode, context))
    }

    /// Sets up a position in the chosen game; `None` if the position is impossible.
    pub fn position(position: &Position, access: &mut BoardAccess<'_, W>) -> Option<Self> {
        let (game, mode) = access.game();
        Self::begin(access, |context| {
            Playing::position(game, mode, position, context)
        })
    }

    fn begin(
        access: &mut BoardAccess<'_, W>,
        make: impl FnOnce(&mut Context<'_, W>) -> Option<Playing<W>>,
    ) -> Option<Self> {
        let mut events = Vec::new();
        let playing = make(&mut Context {
            ground: access.ground,
            rng: &mut *access.rng,
            now: 0,
            speed: access.panel.settings().speed,
            events: &mut events,
        })?;
        let mut referee = Referee::of(playing, access.tick);
        (access.tell)(access.tick, Event::Started(access.panel.settings()));
        access.report_all(&events);
        referee.settle(None, access);
        Some(referee)
    }

    fn of(playing: Playing<W>, tick: Tick) -> Self {
        Referee {
            playing,
            behind: tick,
            held_at: None,
            turn_clock: TurnClock::Off,
            turn_time_ms: 0,
            is_touched: false,
            last_move: None,
            score: [0; 2],
            flash: None,
            outcome: None,
            ending: Ending::Nothing,
        }
    }

    /// The game and its player.
    #[must_use]
    pub fn playing(&self) -> &Playing<W> {
        &self.playing
    }

    /// The score, `[green, red]`.
    #[must_use]
    pub fn score(&self) -> [u32; 2] {
        self.score
    }

    /// The outcome, once the game has ended.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The side whose turn it is; `None` if both sides or neither may act.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        if self.outcome.is_some() {
            None
        } else {
            self.playing.game().turn()
        }
    }

    /// True while the game runs and is not paused.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.outcome.is_none() && self.held_at.is_none()
    }

    /// True while the game is paused.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.held_at.is_some()
    }

    /// Ends the end-of-game signal after a button press.
    pub fn silence(&mut self) {
        self.ending.silence();
    }

    /// Clears the result of a game that is over, because something was chosen for the
    /// next game.
    pub fn put_result_away(&mut self) {
        self.ending = Ending::Nothing;
    }

    /// The last move that was made.
    #[must_use]
    pub fn last_move(&self) -> Option<LastMove> {
        self.last_move
    }

    /// The clock that limits the turn. It stops while the game is paused, and does not
    /// start before a player acts in the game.
    #[must_use]
    pub fn clock(&self, tick: Tick) -> Option<Clock> {
        if self.outcome.is_some() {
            return None;
        }
        let now = self.play_time(tick);
        let of_ms = self.turn_time_ms;
        match self.turn_clock {
            TurnClock::RunsUntil(at) => Some(Clock {
                left_ms: u32::try_from(at.saturating_sub(now)).unwrap_or(u32::MAX),
                of_ms,
                waits: false,
            }),
            TurnClock::Waits => Some(Clock {
                left_ms: of_ms,
                of_ms,
                waits: true,
            }),
            TurnClock::Off | TurnClock::Stands(_) => self.playing.game().clock(now),
        }
    }

    /// True while the game runs and no touch has an effect, for example during a pause or
    /// while a pattern is shown.
    #[must_use]
    pub fn is_idle(&self, ground: &Ground<W>) -> bool {
        self.outcome.is_none() && self.playing.game().legal(ground).is_empty()
    }

    /// True if it is the board's own turn.
    #[must_use]
    pub fn is_boards_turn(&self, level: u8) -> bool {
        let game = self.playing.game();
        let is_its_own = game.turn() != Some(Side::Green) || game.is_for_one();
        level > 0 && self.is_running() && game.about().board_can_play && is_its_own
    }

    /// Pauses the game, or continues it.
    pub fn pause_or_resume(&mut self, access: &mut BoardAccess<'_, W>) {
        if self.outcome.is_some() {
            return;
        }
        match self.held_at.take() {
            None => self.held_at = Some(access.tick),
            Some(since) => self.behind = self.behind.saturating_add(access.tick - since),
        }
        self.flash = None;
        access.panel.clear_notice();
        (access.tell)(access.tick, Event::Paused(self.held_at.is_some()));
    }

    /// Discards the thinking of the board's player, because the level was changed.
    pub fn level_changed(&mut self) {
        self.playing.opponent_mut().reset();
    }

    /// Gives the new time to a clock that waits; a running one keeps its time.
    pub fn time_changed(&mut self, turn_time_ms: u32) {
        if self.turn_clock == TurnClock::Waits {
            self.turn_time_ms = turn_time_ms;
        }
    }

    /// Handles a finger that comes down on a point. Returns false if the touch has no
    /// effect.
    pub fn touch(&mut self, point: Point, access: &mut BoardAccess<'_, W>) -> bool {
        self.let_settle(access);
        if self.outcome.is_some() {
            self.ending.touch(access.tick)
        } else if self.is_paused() || self.blocks_touches(access.level()) {
            false
        } else {
            self.play(point, Mover::Finger, access) != Touch::Ignored
        }
    }

    /// True if a person's touch has no effect because it is the board's turn.
    #[must_use]
    pub fn blocks_touches(&self, level: u8) -> bool {
        let is_for_one = self.playing.game().is_for_one();
        self.is_boards_turn(level) && (self.turn() == Some(Side::Red) || is_for_one)
    }

    /// Handles a player who gives the turn away.
    pub fn pass(&mut self, access: &mut BoardAccess<'_, W>) {
        self.let_settle(access);
        if self.is_running() && !self.blocks_touches(access.level()) {
            // A player who passes is present, like one who touches a point.
            let was_touched = core::mem::replace(&mut self.is_touched, true);
            self.is_touched = self.give_away(access) || was_touched;
        }
    }

    /// Gives the turn away. Returns false, and changes nothing, if the rules do not allow
    /// it.
    fn give_away(&mut self, access: &mut BoardAccess<'_, W>) -> bool {
        let turn = self.turn();
        let (passed, events) =
            self.call(access, |playing, context| playing.game_mut().pass(context));
        if !passed {
            return false;
        }
        self.end_turn();
        if let Some(side) = turn {
            (access.tell)(access.tick, Event::Passed { side });
        }
        access.report_all(&events);
        self.settle(turn, access);
        true
    }

    /// Plays a touch: a move, a part of one, or an illegal touch, which is signalled.
    fn play(&mut self, point: Point, by: Mover, access: &mut BoardAccess<'_, W>) -> Touch {
        let turn = self.turn();
        let side = self.playing.game().side_of(point);
        let side = side.unwrap_or(Side::Green);
        let (touch, events) = self.call(access, |playing, context| {
            playing.game_mut().touch(point, context)
        });
        // Parts of the move are reported before the move itself.
        let is_part = |event: &Event| matches!(event, Event::Part { .. });
        let (put_down, events) =
            events.split_at(events.iter().take_while(|event| is_part(event)).count());
        access.report_all(put_down);
        if by == Mover::Finger && touch != Touch::Ignored {
            self.is_touched = true;
            self.turn_clock = match self.turn_clock {
                TurnClock::Waits => {
                    TurnClock::start(self.play_time(access.tick), self.turn_time_ms.into())
                }
                other => other,
            };
        }
        match touch {
            Touch::Move(changed) => self.moved(side, point, by, changed, access),
            Touch::Part => {
                // The legal points are different now.
                self.flash = None;
                (access.tell)(access.tick, Event::Part { side, point });
            }
            Touch::TakenBack => {
                self.last_move = None;
                self.flash = None;
                self.turn_clock = self.turn_clock.resumed(self.play_time(access.tick));
                (access.tell)(access.tick, Event::TakenBack { side, point });
            }
            Touch::Illegal => {
                (access.tell)(access.tick, Event::Illegal { side, point });
                match self.playing.game().about().illegal {
                    Illegal::FlashLegal => self.flash = Some(Flash::begin(access.tick)),
                    Illegal::Sound => access.beeper.sound(Sound::Illegal, access.tick),
                }
            }
            Touch::Ignored => {}
        }
        access.report_all(events);
        self.settle(turn, access);
        touch
    }

    /// Ends the turn after a move. While the move can be taken back, the clock is stopped.
    fn moved(
        &mut self,
        side: Side,
        point: Point,
        by: Mover,
        changed: u16,
        access: &mut BoardAccess<'_, W>,
    ) {
        let point = self.playing.game().lies(point, access.ground);
        self.last_move = Some(LastMove { side, point, by });
        let stopped = self.turn_clock.stopped(self.play_time(access.tick));
        self.end_turn();
        let game = self.playing.game();
        if !game.service(Service::TakeBack, access.ground).is_empty() {
            self.turn_clock = stopped;
        }
        (access.tell)(
            access.tick,
            Event::Move {
                side,
                point,
                changed,
            },
        );
    }

    /// Ends a turn after a move: the next one has its own clock.
    fn end_turn(&mut self) {
        self.turn_clock = TurnClock::Off;
        self.flash = None;
        self.playing.opponent_mut().reset();
    }

    /// Calls the game with a context. Returns the events of the game, so that their cause
    /// can be reported first.
    fn call<T>(
        &mut self,
        access: &mut BoardAccess<'_, W>,
        what: impl FnOnce(&mut Playing<W>, &mut Context<'_, W>) -> T,
    ) -> (T, Vec<Event, EVENTS_OF_A_CALL>) {
        let mut events = Vec::new();
        let mut context = Context {
            ground: access.ground,
            rng: &mut *access.rng,
            now: self.play_time(access.tick),
            speed: access.panel.settings().speed,
            events: &mut events,
        };
        let result = what(&mut self.playing, &mut context);
        (result, events)
    }

    /// As `call`, for calls without consequences: events are reported at once.
    fn call_and_report<T>(
        &mut self,
        access: &mut BoardAccess<'_, W>,
        what: impl FnOnce(&mut Playing<W>, &mut Context<'_, W>) -> T,
    ) -> T {
        let (result, events) = self.call(access, what);
        access.report_all(&events);
        result
    }

    /// Reports everything that has changed since it was this side's turn, starts the
    /// clock, and detects the end.
    fn settle(&mut self, turn_before: Option<Side>, access: &mut BoardAccess<'_, W>) {
        let game = self.playing.game();
        let (turn, score) = (game.turn(), game.score(access.ground));
        let outcome = game.outcome();
        let clock = game.clock_runs() && game.about().time_out != TimeOut::None;
        if score != core::mem::replace(&mut self.score, score) {
            (access.tell)(access.tick, Event::Score(score));
        }
        if let Some(outcome) = outcome {
            self.outcome = Some(outcome);
            self.turn_clock = TurnClock::Off;
            self.flash = None;
            self.ending = Ending::Signal { since: access.tick };
            *access.beeper = Beeper::default();
            access.panel.clear_notice();
            (access.tell)(access.tick, Event::Over(outcome));
            return;
        }
        if turn != turn_before {
            self.end_turn();
            if let Some(side) = turn {
                (access.tell)(access.tick, Event::Turn(side));
            }
        }
        match self.turn_clock {
            TurnClock::RunsUntil(_) | TurnClock::Waits if !clock => {
                self.turn_clock = TurnClock::Off;
            }
            TurnClock::Off | TurnClock::Stands(_) if clock => {
                self.turn_time_ms = access.panel.turn_time_ms();
                let now = self.play_time(access.tick);
                self.turn_clock = match self.is_touched {
                    true => TurnClock::start(now, self.turn_time_ms.into()),
                    false => TurnClock::Waits,
                };
            }
            _ => {}
        }
    }

    /// Play time at this tick.
    fn play_time(&self, tick: Tick) -> Tick {
        self.held_at.unwrap_or(tick).saturating_sub(self.behind)
    }
}

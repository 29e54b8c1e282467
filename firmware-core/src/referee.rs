//! The referee: turns, clocks, flashes and the end-of-game signal, the same for
//! every game.
//!
//! It works in two times: *board time* (the tick) for what is seen and heard,
//! and *play time* for everything that belongs to the game, which stands still
//! while the game is held.
//!
//! What always holds: while a game goes on that has a clock, either the clock
//! of the side whose turn it is runs or the game said that it must not; after
//! the end nothing changes but the signal.

use heapless::Vec;
use postcard::experimental::max_size::MaxSize;
use protocol::{
    Clock, Colour, Event, LastMove, Mover, Outcome, Point, Position, Settings, Side, Tick,
};
use serde::{Deserialize, Serialize};

use crate::game::{Act, Canvas, Context, Illegal, TimeOut, Touch};
use crate::games::Playing;
use crate::grid::Grid;
use crate::rng::Rng;
use crate::source::Source;
use crate::word::Word;

/// How long the legal points flash after an illegal touch.
pub const FLASH_MS: Tick = 1_000;
/// Half a period of that flash: on, off, on, off, ...
pub const FLASH_HALF_MS: Tick = 125;
/// Half a period of the winner's light at the end: twice a second.
pub const SIGNAL_HALF_MS: Tick = 250;
/// How many times the end is heard; the light goes on blinking.
pub const SIGNAL_BLEEPS: Tick = 6;
/// Pitch of the end signal.
pub const SIGNAL_HZ: u16 = 880;
/// Pitch and length of the sound after an illegal touch.
pub const ILLEGAL_HZ: u16 = 220;
/// See [`ILLEGAL_HZ`].
pub const ILLEGAL_MS: Tick = 150;

/// What the referee borrows from the board for one call.
pub struct Hall<'a, W> {
    /// The layout.
    pub grid: &'a Grid<W>,
    /// All chance.
    pub rng: &'a mut Rng,
    /// Board time.
    pub tick: Tick,
    /// The settings now.
    pub settings: Settings,
    /// Milliseconds for a move, from the next turn on.
    pub turn_time_ms: u32,
    /// Where events go.
    pub tell: &'a mut dyn FnMut(Tick, Event),
}

/// A game that was started, and everything around it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Referee<W: Word> {
    playing: Playing<W>,
    /// Board time minus play time.
    behind: Tick,
    /// Board time at which the game was held.
    held_at: Option<Tick>,
    /// Play time at which the turn is over.
    deadline: Option<Tick>,
    /// Milliseconds that the turn had when its clock was started.
    turn_time_ms: u32,
    /// The last move that was made.
    last_move: Option<LastMove>,
    /// Board time until which the legal points flash.
    flash_until: Option<Tick>,
    /// Board time until which the illegal touch sounds.
    buzz_until: Option<Tick>,
    /// How it ended.
    outcome: Option<Outcome>,
    /// Board time since which the end is signalled.
    signal_since: Option<Tick>,
}

/// What is compared before and after each call of a game.
struct Before {
    turn: Option<Side>,
    score: [u16; 2],
}

impl<W: Word> Referee<W> {
    /// Starts the game of the settings; `None` if it does not fit the layout.
    pub fn start(hall: &mut Hall<'_, W>) -> Option<Self> {
        let (game, mode) = (hall.settings.game, hall.settings.mode);
        Self::begin(hall, |context| Playing::start(game, mode, context))
    }

    /// Sets up a position of the game of the settings; `None` if there is none.
    pub fn position(position: &Position, hall: &mut Hall<'_, W>) -> Option<Self> {
        let (game, mode) = (hall.settings.game, hall.settings.mode);
        Self::begin(hall, |context| {
            Playing::position(game, mode, position, context)
        })
    }

    fn begin(
        hall: &mut Hall<'_, W>,
        make: impl FnOnce(&mut Context<'_, W>) -> Option<Playing<W>>,
    ) -> Option<Self> {
        let mut events = Vec::new();
        let playing = make(&mut Context {
            grid: hall.grid,
            rng: &mut *hall.rng,
            now: 0,
            speed: hall.settings.speed,
            events: &mut events,
        })?;
        let mut referee = Referee::of(playing, hall.tick);
        (hall.tell)(hall.tick, Event::Started(hall.settings));
        for event in events {
            (hall.tell)(hall.tick, event);
        }
        let nothing = Before {
            turn: None,
            score: [0; 2],
        };
        referee.settle(&nothing, hall);
        Some(referee)
    }

    fn of(playing: Playing<W>, tick: Tick) -> Self {
        Referee {
            playing,
            behind: tick,
            held_at: None,
            deadline: None,
            turn_time_ms: 0,
            last_move: None,
            flash_until: None,
            buzz_until: None,
            outcome: None,
            signal_since: None,
        }
    }

    /// Reads the referee that was saved into its place, field by field in the
    /// order in which they are declared.
    ///
    /// # Errors
    /// `None` if the bytes are none.
    pub fn read(place: &mut Option<Self>, source: &mut Source<'_>) -> Option<()> {
        Self::read_game(place, source)?;
        let Referee {
            playing,
            behind,
            held_at,
            deadline,
            turn_time_ms,
            last_move,
            flash_until,
            buzz_until,
            outcome,
            signal_since,
        } = place.as_mut()?;
        playing.read_player(source)?;
        source.read(behind)?;
        source.read(held_at)?;
        source.read(deadline)?;
        source.read(turn_time_ms)?;
        source.read(last_move)?;
        source.read(flash_until)?;
        source.read(buzz_until)?;
        source.read(outcome)?;
        source.read(signal_since)
    }

    #[inline(never)]
    fn read_game(place: &mut Option<Self>, source: &mut Source<'_>) -> Option<()> {
        *place = Some(Referee::of(Playing::read_game(source)?, 0));
        Some(())
    }

    /// The game.
    #[must_use]
    pub fn playing(&self) -> &Playing<W> {
        &self.playing
    }

    /// How it ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Whose turn it is.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        if self.outcome.is_some() {
            None
        } else {
            self.playing.round().turn()
        }
    }

    /// True while the game goes on and is not held.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.outcome.is_none() && self.held_at.is_none()
    }

    /// True while the game is held.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.held_at.is_some()
    }

    /// True while the end is signalled.
    #[must_use]
    pub fn is_signalling(&self) -> bool {
        self.signal_since.is_some()
    }

    /// Ends the end signal.
    pub fn silence(&mut self) {
        self.signal_since = None;
    }

    /// The last move that was made.
    #[must_use]
    pub fn last_move(&self) -> Option<LastMove> {
        self.last_move
    }

    /// The clock that runs out now; it stands still while the game is held.
    #[must_use]
    pub fn clock(&self, tick: Tick) -> Option<Clock> {
        if self.outcome.is_some() {
            return None;
        }
        let now = self.play_time(tick);
        let turn = self.deadline.map(|at| Clock {
            left_ms: u32::try_from(at.saturating_sub(now)).unwrap_or(u32::MAX),
            of_ms: self.turn_time_ms,
        });
        turn.or_else(|| self.playing.round().clock(now))
    }

    /// True while the game goes on and no touch means anything: a pause, a
    /// pattern that is shown.
    #[must_use]
    pub fn is_pausing(&self, grid: &Grid<W>) -> bool {
        self.outcome.is_none() && self.playing.round().legal(grid).is_empty()
    }

    /// True if the board itself has to move.
    #[must_use]
    pub fn board_moves(&self, level: u8) -> bool {
        let round = self.playing.round();
        level > 0 && self.is_running() && round.about().plays && round.turn() != Some(Side::Green)
    }

    /// Holds the game, or lets it go on.
    pub fn hold_or_go_on(&mut self, hall: &mut Hall<'_, W>) {
        if self.outcome.is_some() {
            return;
        }
        match self.held_at.take() {
            None => self.held_at = Some(hall.tick),
            Some(since) => self.behind = self.behind.saturating_add(hall.tick - since),
        }
        self.flash_until = None;
        (hall.tell)(hall.tick, Event::Held(self.held_at.is_some()));
    }

    /// The level was changed: what the board's player thought is void.
    pub fn level_changed(&mut self) {
        self.playing.round_mut().reset_player();
    }

    /// A finger came down on a point.
    pub fn touch(&mut self, point: Point, hall: &mut Hall<'_, W>) {
        if self.is_running() && !self.is_boards_alone(hall.settings.level) {
            self.play(point, Mover::Finger, hall);
        }
    }

    /// True if a person's touch means nothing because it is the board's turn.
    fn is_boards_alone(&self, level: u8) -> bool {
        self.board_moves(level) && self.turn() == Some(Side::Red)
    }

    /// A player gives the turn away.
    pub fn pass(&mut self, hall: &mut Hall<'_, W>) {
        if self.is_running() && !self.is_boards_alone(hall.settings.level) {
            self.give_away(hall);
        }
    }

    fn give_away(&mut self, hall: &mut Hall<'_, W>) {
        let before = self.before(hall.grid);
        let turn = before.turn;
        let passed = self.call(hall, |playing, context| playing.round_mut().pass(context));
        if passed {
            self.end_turn();
            if let Some(side) = turn {
                (hall.tell)(hall.tick, Event::Passed { side });
            }
        } else {
            self.complain(hall);
        }
        self.settle(&before, hall);
    }

    /// Makes a move on a point, or complains.
    fn play(&mut self, point: Point, by: Mover, hall: &mut Hall<'_, W>) {
        let before = self.before(hall.grid);
        let side = self.playing.round().side_of(point);
        let side = side.unwrap_or(Side::Green);
        let touch = self.call(hall, |playing, context| {
            playing.round_mut().touch(point, context)
        });
        match touch {
            Touch::Move(changed) => {
                self.last_move = Some(LastMove { side, point, by });
                self.end_turn();
                (hall.tell)(
                    hall.tick,
                    Event::Move {
                        side,
                        point,
                        changed,
                    },
                );
            }
            Touch::Illegal => {
                (hall.tell)(hall.tick, Event::Illegal { side, point });
                self.complain(hall);
            }
            Touch::Ignored => {}
        }
        self.settle(&before, hall);
    }

    /// Shows or sounds that something is not allowed.
    fn complain(&mut self, hall: &Hall<'_, W>) {
        match self.playing.round().about().illegal {
            Illegal::FlashLegal => self.flash_until = Some(hall.tick + FLASH_MS),
            Illegal::Sound => self.buzz_until = Some(hall.tick + ILLEGAL_MS),
        }
    }

    /// A move was made: the next one has its own clock.
    fn end_turn(&mut self) {
        self.deadline = None;
        self.flash_until = None;
        self.playing.round_mut().reset_player();
    }

    /// Calls the game with a context, and passes on what it tells.
    fn call<T>(
        &mut self,
        hall: &mut Hall<'_, W>,
        what: impl FnOnce(&mut Playing<W>, &mut Context<'_, W>) -> T,
    ) -> T {
        let mut events = Vec::new();
        let mut context = Context {
            grid: hall.grid,
            rng: &mut *hall.rng,
            now: self.play_time(hall.tick),
            speed: hall.settings.speed,
            events: &mut events,
        };
        let result = what(&mut self.playing, &mut context);
        for event in events {
            (hall.tell)(hall.tick, event);
        }
        result
    }

    fn before(&self, grid: &Grid<W>) -> Before {
        Before {
            turn: self.turn(),
            score: self.playing.round().score(grid),
        }
    }

    /// Tells what became different, starts the clock, and notices the end.
    fn settle(&mut self, before: &Before, hall: &mut Hall<'_, W>) {
        let round = self.playing.round();
        let (turn, score) = (round.turn(), round.score(hall.grid));
        let outcome = round.outcome();
        let clock = round.clock_runs() && round.about().time_out != TimeOut::None;
        if score != before.score {
            (hall.tell)(hall.tick, Event::Score(score));
        }
        if let Some(outcome) = outcome {
            self.outcome = Some(outcome);
            self.deadline = None;
            self.flash_until = None;
            self.signal_since = Some(hall.tick);
            (hall.tell)(hall.tick, Event::Over(outcome));
            return;
        }
        if turn != before.turn {
            self.end_turn();
            if let Some(side) = turn {
                (hall.tell)(hall.tick, Event::Turn(side));
            }
        }
        if !clock {
            self.deadline = None;
        } else if self.deadline.is_none() {
            self.deadline = Some(self.play_time(hall.tick) + Tick::from(hall.turn_time_ms));
            self.turn_time_ms = hall.turn_time_ms;
        }
    }

    /// Play time at this tick.
    fn play_time(&self, tick: Tick) -> Tick {
        self.held_at.unwrap_or(tick).saturating_sub(self.behind)
    }

    /// The next tick after `tick` at which [`Referee::wake`] has something to
    /// do.
    #[must_use]
    pub fn wakes_at(&self, tick: Tick, level: u8) -> Option<Tick> {
        let mut next = [
            self.flash_turns_at(tick),
            self.buzz_until,
            self.signal_turns_at(tick),
        ]
        .into_iter()
        .flatten()
        .min();
        if self.is_running() {
            let round = self.playing.round();
            let player = self.board_moves(level).then(|| round.player_wakes_at());
            let play = [self.deadline, round.wakes_at(), player]
                .into_iter()
                .flatten()
                .min();
            let play = play.map(|at| at.saturating_add(self.behind));
            next = next.into_iter().chain(play).min();
        }
        next.map(|at| at.max(tick + 1))
    }

    /// Does what is due at this tick. Returns true if what is seen or heard may
    /// have changed.
    pub fn wake(&mut self, hall: &mut Hall<'_, W>) -> bool {
        let mut seen = self.flash_until.is_some() || self.signal_since.is_some();
        if self.flash_until.is_some_and(|until| until <= hall.tick) {
            self.flash_until = None;
        }
        if self.buzz_until.is_some_and(|until| until <= hall.tick) {
            self.buzz_until = None;
            seen = true;
        }
        seen |= self.wake_game(hall);
        // A move by the clock is work enough for a tick: the player whose turn
        // it is then begins to think in the next one.
        if self.wake_clock(hall) {
            return true;
        }
        seen | self.wake_player(hall)
    }

    fn wake_game(&mut self, hall: &mut Hall<'_, W>) -> bool {
        let now = self.play_time(hall.tick);
        let due = self.playing.round().wakes_at().is_some_and(|at| at <= now);
        if !self.is_running() || !due {
            return false;
        }
        let before = self.before(hall.grid);
        self.call(hall, |playing, context| playing.round_mut().wake(context));
        self.settle(&before, hall);
        true
    }

    fn wake_clock(&mut self, hall: &mut Hall<'_, W>) -> bool {
        let now = self.play_time(hall.tick);
        if !self.is_running() || self.deadline.is_none_or(|at| at > now) {
            return false;
        }
        self.deadline = None;
        let Some(side) = self.turn() else {
            return false;
        };
        (hall.tell)(hall.tick, Event::TimedOut { side });
        if self.is_boards_alone(hall.settings.level) {
            let level = hall.settings.level;
            let act = self.call(hall, |playing, context| {
                playing.round_mut().hurry_player(level, context)
            });
            if self.act(act, hall) {
                return true;
            }
        }
        self.time_out(hall);
        true
    }

    fn time_out(&mut self, hall: &mut Hall<'_, W>) {
        let legal = self.playing.round().legal(hall.grid);
        let random = self.playing.round().about().time_out == TimeOut::RandomMove;
        if let Some(point) = random.then(|| hall.rng.pick(legal)).flatten() {
            self.play(point, Mover::Clock, hall);
            return;
        }
        let before = self.before(hall.grid);
        self.call(hall, |playing, context| {
            playing.round_mut().time_out(context)
        });
        self.end_turn();
        self.settle(&before, hall);
    }

    fn wake_player(&mut self, hall: &mut Hall<'_, W>) -> bool {
        let level = hall.settings.level;
        let now = self.play_time(hall.tick);
        if !self.board_moves(level) || self.playing.round().player_wakes_at() > now {
            return false;
        }
        let act = self.call(hall, |playing, context| {
            playing.round_mut().wake_player(level, context)
        });
        self.act(act, hall)
    }

    /// Does what the board's player wants; false if that is nothing.
    fn act(&mut self, act: Act, hall: &mut Hall<'_, W>) -> bool {
        match act {
            Act::Wait => return false,
            Act::Touch(point) => {
                self.call(hall, |playing, context| {
                    playing.round_mut().announce(point, context);
                });
                self.play(point, Mover::Board, hall);
            }
            Act::Pass => self.give_away(hall),
        }
        true
    }

    /// The next board time at which the flash goes on or off.
    fn flash_turns_at(&self, tick: Tick) -> Option<Tick> {
        let until = self.flash_until?;
        let left = until.saturating_sub(tick);
        Some(until - left.saturating_sub(1) / FLASH_HALF_MS * FLASH_HALF_MS)
    }

    /// The next board time at which the signal goes on or off.
    fn signal_turns_at(&self, tick: Tick) -> Option<Tick> {
        let since = self.signal_since?;
        Some(since + ((tick - since) / SIGNAL_HALF_MS + 1) * SIGNAL_HALF_MS)
    }

    fn signal_is_on(&self, tick: Tick) -> bool {
        self.signal_since
            .is_some_and(|since| ((tick - since) / SIGNAL_HALF_MS).is_multiple_of(2))
    }

    fn signal_hz(&self, tick: Tick) -> u16 {
        let heard = self
            .signal_since
            .is_some_and(|since| tick - since < SIGNAL_BLEEPS * 2 * SIGNAL_HALF_MS);
        if heard && self.signal_is_on(tick) {
            SIGNAL_HZ
        } else {
            0
        }
    }

    /// The beeper's pitch at this tick, 0 when it is silent.
    #[must_use]
    pub fn beep_hz(&self, tick: Tick) -> u16 {
        if self.buzz_until.is_some() {
            ILLEGAL_HZ
        } else {
            self.signal_hz(tick)
        }
    }

    /// The turn lights at this tick, `[green, red]`.
    #[must_use]
    pub fn turn_lights(&self, tick: Tick) -> [bool; 2] {
        Side::BOTH.map(|side| match self.outcome {
            None => self.turn() == Some(side),
            Some(outcome) => {
                let signalled = outcome == Outcome::Draw || outcome == Outcome::Won(side);
                signalled && self.signal_is_on(tick)
            }
        })
    }

    /// Paints the points as they are at this tick.
    pub fn paint(&self, tick: Tick, canvas: &mut Canvas<'_, W>) {
        let round = self.playing.round();
        round.paint(self.play_time(tick), canvas);
        if let (Some(until), Some(side)) = (self.flash_until, round.turn()) {
            let halves_left = until.saturating_sub(tick).div_ceil(FLASH_HALF_MS);
            let on = halves_left.is_multiple_of(2);
            let colour = if on { Colour::from(side) } else { Colour::OFF };
            canvas.fill(round.legal(canvas.grid()), colour);
        }
    }

    /// False if this cannot be a referee's state at this tick.
    #[must_use]
    pub fn is_sound(&self, grid: &Grid<W>, tick: Tick) -> bool {
        let past = |at: Option<Tick>| at.is_none_or(|at| at <= tick);
        let soon = |at: Option<Tick>| at.is_none_or(|at| at <= tick.saturating_add(FLASH_MS));
        let round = self.playing.round();
        self.behind <= self.held_at.unwrap_or(tick)
            && past(self.held_at)
            && past(self.signal_since)
            && soon(self.flash_until)
            && soon(self.buzz_until)
            && self
                .deadline
                .is_none_or(|at| at <= tick.saturating_add(1 << 32))
            && self
                .last_move
                .is_none_or(|last| grid.layout().has(last.point))
            && self.outcome == round.outcome()
            && (self.outcome.is_some() || self.signal_since.is_none())
            && round.is_sound(grid)
    }
}

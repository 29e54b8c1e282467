//! What a game is to the rest of the board, and what a player is to a game.
//!
//! A [`Game`] is a state that only changes when the
//! [referee](crate::referee) says so: by a touch, a pass, a time-out, or a
//! moment that the game asked to be woken at. It knows neither turn clocks nor
//! flashing lights nor the end-of-game signal: those are the same for all games
//! and live in the referee.
//!
//! The referee sees every game as a `dyn Game`. What needs to know which one it
//! is, how it begins and who plays red in it, is [`Rules`]; only the table of
//! [`games`](crate::games) uses that.
//!
//! Invariants of every game (the laws of the test suite):
//! - a touch on a point of [`Game::legal`] is [accepted](Touch::is_accepted); on
//!   any other it is not, and the state is as before;
//! - after a [`Touch::Part`] or a [`Touch::TakenBack`] the game goes on and it is the
//!   same side's turn;
//! - the points of a [`Service`] are legal, and a touch of one is no move: of
//!   [`Service::TakeBack`] a [`Touch::TakenBack`], which nothing else is;
//! - the same calls with the same seed give the same state;
//! - no call panics, whatever the point, the mode or the moment.

use heapless::Vec;
use postcard::experimental::max_size::MaxSize;
use protocol::{
    Clock, Colour, DISPLAY_CHARACTERS, Diagram, Event, Frame, GridSize, Outcome, Point, Rhythm,
    Side, Text, Tick,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::grid::Grid;
use crate::ground::Ground;
use crate::points::Points;
use crate::rng::Rng;
use crate::state_reader::StateReader;
#[cfg(feature = "host")]
use crate::thought::Thought;
use crate::word::Word;

/// The properties of a game that are the same in all its states.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// The name on the display, spelt as in the manual's list; at most 12
    /// characters.
    pub name: &'a str,
    /// The number of modes.
    pub modes: u8,
    /// The effect of running out of time for a move.
    pub time_out: TimeOut,
    /// The reaction to a touch that the rules do not allow.
    pub illegal: Illegal,
    /// True if the board can play red at levels 1-4.
    pub plays: bool,
    /// True if it is played on any layout, and not on rectangles alone.
    pub drawn: bool,
    /// The modes that keep best scores, one bit each; see [`Game::worth`].
    pub keeps_best: u32,
    /// The rectangle that a mode is made for: the board that a user gets who names
    /// this game and no layout. [`of_manual`] for the games of the manual.
    pub made_for: fn(mode: u8) -> GridSize,
}

/// The board that the games of the manual are made for, in all modes.
#[must_use]
pub fn of_manual(_mode: u8) -> GridSize {
    GridSize::MALDOO
}

/// The effect of running out of time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeOut {
    /// The board makes a random legal move.
    RandomMove,
    /// The turn goes to the other side.
    Pass,
    /// Nothing happens: this game has no clock.
    None,
}

/// The reaction to a touch that the rules do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The legal points flash in the colour of the player.
    FlashLegal,
    /// The beeper gives a short, low sound.
    Sound,
}

/// The result of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// The touch was a move, or completed one. The number of other points that
    /// changed with it.
    Move(u16),
    /// The touch was a part of a move that takes several touches, such as picking up
    /// a die or choosing a pile. [`Game::legal`] then contains what may be touched
    /// next. In most games, touching the same point once more takes a part back,
    /// which is a part, too. Any legal touches complete a move before long, because
    /// the board makes random ones when the time is over.
    Part,
    /// The touch took back the last move and all its consequences: the side that made
    /// it moves again.
    TakenBack,
    /// The rules do not allow it; nothing changed.
    Illegal,
    /// The touch has no meaning at present, for example while the ghost is away;
    /// nothing changed.
    Ignored,
}

impl Touch {
    /// True if the rules allow it: a move, a part of one, or what takes one back.
    #[must_use]
    pub const fn is_accepted(self) -> bool {
        matches!(self, Touch::Move(_) | Touch::Part | Touch::TakenBack)
    }
}

/// A legal touch that is neither a move nor a part of one. No turn requires it, and
/// the clock never makes one for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// The game gives a hint, or hides it again.
    Help,
    /// The last move is taken back.
    TakeBack,
}

impl Service {
    /// Every service that a game can offer.
    pub const ALL: [Service; 2] = [Service::Help, Service::TakeBack];
}

/// The resources that a game may use during a call.
pub struct Context<'a, W: Word> {
    /// The board it is played on.
    pub ground: &'a Ground<W>,
    /// The board's source of random numbers.
    pub rng: &'a mut Rng,
    /// Ticks since the game began, without those it was held.
    pub now: Tick,
    /// The Speed setting, from 0 to 9.
    pub speed: u8,
    /// Events for the host besides those that the referee derives by comparing turn,
    /// score and outcome before and after each call.
    pub events: &'a mut Vec<Event, 8>,
}

impl<'a, W: Word> Context<'a, W> {
    /// The board it is played on, in a game that is played on rectangles alone.
    #[inline]
    #[must_use]
    pub fn grid(&self) -> &'a Grid<W> {
        self.ground.grid()
    }

    /// Reports an event. A call has room for eight; a game that reports more is
    /// defective, which the tests detect.
    pub fn tell(&mut self, event: Event) {
        let told = self.events.push(event).is_ok();
        debug_assert!(told, "a game told more than one call has room for");
    }
}

/// How long the legal points flash after an illegal touch: four fast flashes.
pub const FLASH_MS: Tick = 1_000;

/// The places of the display between the two scores.
pub const BETWEEN_CHARACTERS: usize = 4;

/// The contents of the display besides the score: dice, stones left, a hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caption {
    /// Between the two scores, where others have turns to come or seconds.
    Between(Text<BETWEEN_CHARACTERS>),
    /// A text that replaces the scores.
    Instead(Text<DISPLAY_CHARACTERS>),
}

/// A game: a state, and what touches and time do to it.
pub trait Game<W: Word> {
    /// The properties that are the same in all states. They may be stored in the game
    /// itself, since a game that is read from a text brings its name.
    fn about(&self) -> About<'_>;

    /// The side whose turn light is on; `None` if neither side is to move or the game
    /// is over.
    fn turn(&self) -> Option<Side>;

    /// True if green plays it alone: at levels 1-4 the board sits in that place, and
    /// a person watches.
    fn is_for_one(&self) -> bool {
        false
    }

    /// The side that a touch of this point belongs to. If both sides play at the same
    /// time, the point decides.
    fn side_of(&self, point: Point) -> Option<Side> {
        let _ = point;
        self.turn()
    }

    /// True while the game computes over several ticks what a move ended, what may be
    /// touched, or whose turn it is. The referee wakes it until it has settled, and
    /// only then passes on a touch.
    fn is_settling(&self) -> bool {
        false
    }

    /// The point where a piece placed by a touch of `point` ends up: below it, if
    /// pieces fall in this game.
    fn lies(&self, point: Point, ground: &Ground<W>) -> Point {
        let _ = ground;
        point
    }

    /// The board itself is about to touch this point, for its own side or for one
    /// whose time is over: a game in which that cannot be seen shows it.
    fn announce(&mut self, point: Point, context: &mut Context<'_, W>) {
        let _ = (point, context);
    }

    /// The points whose touch is a move now, a part of one, or a [`Service`].
    fn legal(&self, ground: &Ground<W>) -> Points<W>;

    /// The [legal](Game::legal) points whose touch is this service.
    fn service(&self, service: Service, ground: &Ground<W>) -> Points<W> {
        let _ = (service, ground);
        Points::NONE
    }

    /// The points whose touch is a move now, or a part of one.
    fn moves(&self, ground: &Ground<W>) -> Points<W> {
        Service::ALL
            .into_iter()
            .fold(self.legal(ground), |rest, service| {
                rest.without(self.service(service, ground))
            })
    }

    /// A finger came down on a point of the board.
    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch;

    /// The player gives the turn away. Returns false, and changes nothing, if
    /// the rules do not allow it.
    fn pass(&mut self, context: &mut Context<'_, W>) -> bool;

    /// The player's time is over in a game whose [`TimeOut`] is `Pass`, or in one
    /// with nothing to touch. Parts of a move that was not made are its own to
    /// take back.
    fn time_out(&mut self, context: &mut Context<'_, W>) {
        self.pass(context);
    }

    /// True while the clock of the player whose turn it is runs.
    fn clock_runs(&self) -> bool {
        true
    }

    /// The clock of the whole game, in a game that has one.
    fn clock(&self, now: Tick) -> Option<Clock> {
        let _ = now;
        None
    }

    /// The turns left, the current one included, in a game with a fixed number of
    /// turns.
    fn turns_left(&self) -> Option<u16> {
        None
    }

    /// The number of points to be found, in a game for one player that is such a
    /// task; the display shows how many were found.
    fn to_find(&self) -> Option<u16> {
        None
    }

    /// The caption on the display. It is not shown while the game is held; a game
    /// that is over may still have one.
    fn caption(&self) -> Option<Caption> {
        None
    }

    /// The time, as in [`Context::now`], at which [`Game::wake`] is to be called
    /// next.
    fn wakes_at(&self) -> Option<Tick> {
        None
    }

    /// The moment that [`Game::wakes_at`] named has come (or passed).
    fn wake(&mut self, context: &mut Context<'_, W>) {
        let _ = context;
    }

    /// The outcome, once the game has ended.
    fn outcome(&self) -> Option<Outcome>;

    /// `[green, red]`, as the display shows it.
    fn score(&self, ground: &Ground<W>) -> [u32; 2];

    /// The points of a finished game for the best scores of its mode
    /// ([`About::keeps_best`]): more is better, and 0 does not enter. `None` while
    /// the game runs, and in a mode that keeps no scores.
    fn worth(&self) -> Option<u32> {
        None
    }

    /// Paints the points of the board at the tick `now`.
    fn paint(&self, now: Tick, canvas: &mut Canvas<'_, W>);

    /// False for a state that cannot come from play on this grid; asked of
    /// every state that was read from outside, before anything else.
    fn is_sound(&self, ground: &Ground<W>) -> bool;
}

/// How a game is created, and its computer player: what the table of all games needs
/// to know about each of them.
pub trait Rules<W: Word>:
    Game<W> + Clone + PartialEq + Serialize + DeserializeOwned + MaxSize
{
    /// [`Game::about`] before there is a game.
    const ABOUT: About<'static>;
    /// The player of red at levels 1-4.
    type Player: Player<W, Self>;

    /// The start of a game, or `None` if the board is too small for it.
    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self>;

    /// The game with this on the board, or `None` if it cannot be so.
    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let _ = (mode, diagram, context);
        None
    }

    /// The game in a position that is encoded in its own form ([`Position::Own`]);
    /// `None` if the position is impossible, or the game has no such form. The bytes
    /// may be anything.
    ///
    /// [`Position::Own`]: protocol::Position::Own
    fn own_position(mode: u8, bytes: &[u8], context: &mut Context<'_, W>) -> Option<Self> {
        let _ = (mode, bytes, context);
        None
    }
}

/// The board's decision in its own turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardTurn {
    /// No decision yet: ask again at [`Player::wakes_at`].
    Wait,
    /// Touch this point; in a turn of several touches, the next one.
    Touch(Point),
    /// Pass without making a move.
    Pass,
}

/// The board's player: red at levels 1-4, or green in a game for one, a search or a
/// model of a hand.
///
/// One is made (`Default`) whenever red's turn begins and dropped when it ends; one
/// that is asked in the middle of a turn of several touches may find parts that it did
/// not touch. Its work per call is bounded by a node budget, so that the board stays
/// alive; all of its state is in the snapshot, so that a board that is loaded in
/// mid-thought comes to the same move.
pub trait Player<W: Word, G>:
    Clone + Default + PartialEq + Serialize + DeserializeOwned + MaxSize
{
    /// The time, as in [`Context::now`], at which [`Player::wake`] is to be called
    /// next. A time in the past means at once, and then in every tick.
    fn wakes_at(&self) -> Tick;

    /// Thinks on, for at most one tick's budget.
    fn wake(&mut self, game: &G, level: u8, context: &mut Context<'_, W>) -> BoardTurn;

    /// The best move so far; asked when red's time is over, and again each tick
    /// until its touches are a move.
    fn hurry(&mut self, game: &G, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        let _ = (game, level, context);
        BoardTurn::Wait
    }

    /// Becomes the saved player. A large player reads its fields one by one, in the
    /// order of their declaration: see [`StateReader`].
    ///
    /// # Errors
    /// `None` if the bytes are not a valid value.
    fn read(&mut self, source: &mut StateReader<'_>) -> Option<()> {
        source.read(self)
    }

    /// False for a state that cannot come from play; see [`Game::is_sound`].
    fn is_sound(&self, ground: &Ground<W>) -> bool;

    /// What the player has found so far; empty if it does not look ahead.
    #[cfg(feature = "host")]
    fn thought(&self, game: &G, ground: &Ground<W>) -> Thought {
        let _ = (game, ground);
        Thought::default()
    }
}

/// The canvas on which a game paints its points.
pub struct Canvas<'a, W: Word> {
    ground: &'a Ground<W>,
    frame: &'a mut Frame,
    /// Board time minus play time.
    behind: Tick,
}

impl<'a, W: Word> Canvas<'a, W> {
    /// A canvas of this board, on which play time is `behind` board time.
    pub fn new(ground: &'a Ground<W>, frame: &'a mut Frame, behind: Tick) -> Self {
        Canvas {
            ground,
            frame,
            behind,
        }
    }

    /// The geometry of the painted board.
    #[must_use]
    pub fn ground(&self) -> &'a Ground<W> {
        self.ground
    }

    /// Gives all these points one colour.
    pub fn fill(&mut self, points: Points<W>, colour: Colour) {
        let points = points & self.ground.all();
        points
            .0
            .eights(|eight, which| self.frame.points.set_eight(eight, which, colour));
    }

    /// Gives one point a colour: for a board on which each has its own.
    #[inline]
    pub fn put(&mut self, point: Point, colour: Colour) {
        if self.ground.layout().has(point) {
            self.frame.points.set(point, colour);
        }
    }

    /// True if a point is dark so far.
    #[inline]
    #[must_use]
    pub fn is_dark(&self, point: Point) -> bool {
        self.frame.points.get(point) == Colour::OFF
    }

    /// Lets all these points blink, since this moment of play.
    pub fn blink(&mut self, points: Points<W>, rhythm: Rhythm, since: Tick) {
        let points = points & self.ground.all();
        points
            .0
            .eights(|eight, which| self.frame.rhythms.set_eight(eight, which, rhythm));
        self.frame.set_beat(since.saturating_add(self.behind));
    }

    /// Gives one point a colour, and lets it blink since this moment of play: for a
    /// board on which each point has its own.
    pub fn light(&mut self, point: Point, colour: Colour, rhythm: Rhythm, since: Tick) {
        if self.ground.layout().has(point) {
            self.frame.points.set(point, colour);
            self.frame.rhythms.set(point, rhythm);
            self.frame.set_beat(since.saturating_add(self.behind));
        }
    }

    /// Makes these points stand out, in a flash that started at this play time: dark
    /// points in this colour, lit ones in amber, which no player has.
    pub fn flash(&mut self, points: Points<W>, colour: Colour, since: Tick) {
        let points_here = points & self.ground.all();
        let dark: Points<W> = points_here.filter(|point| self.is_dark(*point)).collect();
        self.fill(dark, colour);
        self.blink(dark, Rhythm::Fast, since);
        self.blink(points.without(dark), Rhythm::Marked, since);
    }
}

/// The rule of a mode: the entry of a game's `modes`.
///
/// Until it is validated, a state read from outside may name a mode that does not
/// exist; it is treated as the first mode.
#[must_use]
pub fn rule_of<R: Copy, const MODES: usize>(modes: &[R; MODES], mode: u8) -> R {
    const { assert!(MODES > 0, "a game has a mode") };
    modes.get(usize::from(mode)).copied().unwrap_or(modes[0])
}

/// The green and red points of a diagram; `None` if it uses other colours or a point
/// that is not on the board.
#[must_use]
pub fn stones<W: Word>(diagram: &Diagram, ground: &Ground<W>) -> Option<[Points<W>; 2]> {
    let mut stones = [Points::NONE; 2];
    for index in 0..=u8::MAX {
        let point = Point(index);
        match diagram.points.get(point) {
            Colour::OFF => {}
            colour if colour == Colour::GREEN || colour == Colour::RED => {
                if !ground.layout().has(point) {
                    return None;
                }
                stones[usize::from(colour == Colour::RED)].insert(point);
            }
            _ => return None,
        }
    }
    Some(stones)
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "more than one call has room for")]
    fn a_game_that_tells_more_than_there_is_room_for_is_found_out() {
        let ground: Ground<u64> = Ground::new(protocol::Layout::grid(8, 8).unwrap()).unwrap();
        let mut context = Context {
            ground: &ground,
            rng: &mut Rng::new(1),
            now: 0,
            speed: 5,
            events: &mut Vec::new(),
        };
        for _ in 0..9 {
            context.tell(Event::Turn(Side::Red));
        }
    }
}

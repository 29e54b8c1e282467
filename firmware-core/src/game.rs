//! The interface between a game and the rest of the board, and between a game and its
//! player.
//!
//! A [`Game`] is a state that only changes when the [referee](crate::referee) calls it:
//! for a touch, a pass, a time-out, or at a moment for which the game asked. It knows
//! nothing about turn clocks, flashing lights or the end-of-game signal: they are the
//! same for all games and belong to the referee.
//!
//! The referee sees every game as a `dyn Game`. What depends on the concrete game (how it
//! begins, and who plays red) is in [`Rules`], which only the table of
//! [`games`](crate::games) uses.
//!
//! Invariants of every game (the laws of the test suite):
//! - a touch on a point of [`Game::legal`] is [accepted](Touch::is_accepted); a touch on
//!   any other point is not, and leaves the state unchanged;
//! - after a [`Touch::Part`] or a [`Touch::TakenBack`] the game continues, and it is the
//!   same side's turn;
//! - the points of a [`Service`] are legal, and touching one is not a move. Touching a
//!   point of [`Service::TakeBack`] gives [`Touch::TakenBack`], and no other touch does;
//! - the same calls with the same seed lead to the same state;
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
    pub board_can_play: bool,
    /// True if the game is played on any layout, not only on rectangles.
    pub any_layout: bool,
    /// The modes that keep best scores, one bit each; see [`Game::worth`].
    pub keeps_best: u32,
    /// The rectangle that a mode is made for. A user who chooses this game and no layout
    /// gets this board.
    pub made_for: fn(mode: u8) -> GridSize,
}

impl About<'static> {
    /// What most games of the manual have in common: the board can play them, on
    /// rectangles only, in all modes on the board of the manual, and they keep no best
    /// scores. A game replaces its name, its modes and what is different.
    pub const OF_MANUAL: Self = About {
        name: "",
        modes: 1,
        time_out: TimeOut::RandomMove,
        illegal: Illegal::FlashLegal,
        board_can_play: true,
        any_layout: false,
        keeps_best: 0,
        made_for: |_| GridSize::MALDOO,
    };
}

/// The effect of running out of time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeOut {
    /// The board makes a random legal move.
    RandomMove,
    /// The turn goes to the other side.
    Pass,
    /// Nothing happens: the game has no clock.
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
    /// The touch was a move, or completed one. The value is the number of other points
    /// that changed.
    Move(u16),
    /// The touch was a part of a move that takes several touches, such as picking up a
    /// die or choosing a pile. [`Game::legal`] then contains the points that may be
    /// touched next. In most games, touching the same point again takes the part back,
    /// which is a part, too. Any sequence of legal touches soon completes a move, because
    /// the board makes random ones when the time is over.
    Part,
    /// The touch took back the last move and all its consequences: the side that made
    /// it moves again.
    TakenBack,
    /// The rules do not allow the touch; nothing changed.
    Illegal,
    /// The touch has no effect at present, for example while the ghost is away; nothing
    /// changed.
    Ignored,
}

impl Touch {
    /// True if the rules allow the touch: a move, a part of one, or a take-back.
    #[must_use]
    pub const fn is_accepted(self) -> bool {
        matches!(self, Touch::Move(_) | Touch::Part | Touch::TakenBack)
    }
}

/// A legal touch that is neither a move nor a part of one. No turn requires it, and the
/// clock never makes it for a player.
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
    /// The board that the game is played on.
    pub ground: &'a Ground<W>,
    /// The board's source of random numbers.
    pub rng: &'a mut Rng,
    /// Play time: ticks since the game began, without pauses.
    pub now: Tick,
    /// The Speed setting, from 0 to 9.
    pub speed: u8,
    /// Events for the host, in addition to those that the referee derives by comparing
    /// turn, score and outcome before and after each call.
    pub events: &'a mut Vec<Event, EVENTS_OF_A_CALL>,
}

/// The maximum number of events that a game reports in one call. The games of this tree
/// report the passes that follow a move, or the parts that are put down: two at most. A
/// law counts the events of every game (`tests/tests/events.rs`), so an image need not
/// contain code for the case that there is no room.
pub const EVENTS_OF_A_CALL: usize = 8;

impl<'a, W: Word> Context<'a, W> {
    /// The grid of the board, for a game that is played on rectangles only.
    #[inline]
    #[must_use]
    pub fn grid(&self) -> &'a Grid<W> {
        self.ground.grid()
    }

    /// Reports an event. There is room for [`EVENTS_OF_A_CALL`]; a game that reports more
    /// is faulty, which the tests detect.
    pub fn report(&mut self, event: Event) {
        let has_room = self.events.push(event).is_ok();
        debug_assert!(has_room, "a game reported more than one call has room for");
    }
}

/// How long the legal points flash after an illegal touch, in ticks: four fast flashes.
pub const FLASH_MS: Tick = 1_000;

/// The number of characters of the display between the two scores.
pub const BETWEEN_CHARACTERS: usize = 4;

/// What a game shows on the display besides the score: dice, stones left, a hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caption {
    /// A text between the two scores, where other games show remaining turns or seconds.
    Between(Text<BETWEEN_CHARACTERS>),
    /// A text that replaces the scores.
    Instead(Text<DISPLAY_CHARACTERS>),
}

/// A game: a state, and what touches and time do to it.
pub trait Game<W: Word> {
    /// The properties that are the same in all states of the game. They may be stored in
    /// the game itself, since a game that is read from a text brings its own name.
    fn about(&self) -> About<'_>;

    /// The side whose turn light is on; `None` if neither side is to move or the game is
    /// over.
    fn turn(&self) -> Option<Side>;

    /// True if green plays the game alone. At levels 1-4 the board takes green's place,
    /// and a person watches.
    fn is_for_one(&self) -> bool {
        false
    }

    /// The side that a touch of this point belongs to. If both sides play at the same
    /// time, the point decides.
    fn side_of(&self, point: Point) -> Option<Side> {
        let _ = point;
        self.turn()
    }

    /// True while the game computes over several ticks what a move ended, which points
    /// may be touched, or whose turn it is. The referee wakes it until it has settled,
    /// and only then passes on a touch.
    fn is_settling(&self) -> bool {
        false
    }

    /// The point where a piece placed by a touch of `point` ends up: a point below it, in
    /// a game in which pieces fall.
    fn lies(&self, point: Point, ground: &Ground<W>) -> Point {
        let _ = ground;
        point
    }

    /// Called before the board itself touches this point, for its own side or for one
    /// whose time is over. A game in which the touch would not be visible shows it.
    fn announce(&mut self, point: Point, context: &mut Context<'_, W>) {
        let _ = (point, context);
    }

    /// The points whose touch is a move, a part of one, or a [`Service`] now.
    fn legal(&self, ground: &Ground<W>) -> Points<W>;

    /// The [legal](Game::legal) points whose touch is this service.
    fn service(&self, service: Service, ground: &Ground<W>) -> Points<W> {
        let _ = (service, ground);
        Points::NONE
    }

    /// The points whose touch is a move or a part of one now.
    fn moves(&self, ground: &Ground<W>) -> Points<W> {
        Service::ALL
            .into_iter()
            .fold(self.legal(ground), |rest, service| {
                rest.without(self.service(service, ground))
            })
    }

    /// Handles a finger that comes down on a point of the board.
    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch;

    /// Handles a player who gives the turn away. Returns false, and changes nothing, if
    /// the rules do not allow it.
    fn pass(&mut self, context: &mut Context<'_, W>) -> bool;

    /// Handles a time-out in a game whose [`TimeOut`] is `Pass`, or in which there is
    /// nothing to touch. The game must take back the parts of an incomplete move itself.
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

    /// The number of points to find, in a game for one player that consists of finding
    /// them. The display shows how many were found.
    fn to_find(&self) -> Option<u16> {
        None
    }

    /// The caption on the display. It is not shown while the game is paused; a game that
    /// is over may still have one.
    fn caption(&self) -> Option<Caption> {
        None
    }

    /// The play time (see [`Context::now`]) at which [`Game::wake`] is to be called next.
    fn wakes_at(&self) -> Option<Tick> {
        None
    }

    /// Handles the moment that [`Game::wakes_at`] named, which may have passed.
    fn wake(&mut self, context: &mut Context<'_, W>) {
        let _ = context;
    }

    /// The outcome, once the game has ended.
    fn outcome(&self) -> Option<Outcome>;

    /// The score as the display shows it, `[green, red]`.
    fn score(&self, ground: &Ground<W>) -> [u32; 2];

    /// The points of a finished game for the best scores of its mode
    /// ([`About::keeps_best`]): a larger number is better, and 0 does not enter. `None`
    /// while the game runs, and in a mode that keeps no scores.
    fn worth(&self) -> Option<u32> {
        None
    }

    /// Paints the points of the board at the play time `now`.
    fn paint(&self, now: Tick, canvas: &mut Canvas<'_, W>);

    /// False for a state that cannot come from play on this ground. Every state that was
    /// read from outside is checked before it is used.
    fn is_sound(&self, ground: &Ground<W>) -> bool;
}

/// How a game is created, and its computer player: what the table of all games needs
/// to know about each of them.
pub trait Rules<W: Word>:
    Game<W> + Clone + PartialEq + Serialize + DeserializeOwned + MaxSize
{
    /// The properties of the game, which [`Game::about`] returns once there is a game.
    const ABOUT: About<'static>;
    /// The player of red at levels 1-4.
    type Player: Player<W, Self>;

    /// The start of a game, or `None` if the board is too small for it.
    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self>;

    /// The game with this diagram on the board; `None` if the position is impossible.
    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let _ = (mode, diagram, context);
        None
    }

    /// The game in a position that is encoded in its own form ([`Position::Own`]); `None`
    /// if the position is impossible, or the game has no such form. The bytes are
    /// arbitrary.
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
    /// No decision yet; ask again at [`Player::wakes_at`].
    Wait,
    /// Touch this point; in a turn of several touches, the next one.
    Touch(Point),
    /// Pass without making a move.
    Pass,
}

/// The board's player: red at levels 1-4, or green in a game for one player. It is a
/// search, or a model of a hand.
///
/// A player is created (`Default`) when red's turn begins, and dropped when it ends. It
/// may also be created in the middle of a turn of several touches, and then finds parts
/// that it did not touch. A node budget limits its work per call, so that the board stays
/// responsive. All of its state is in the snapshot, so that a board that is loaded while
/// it thinks comes to the same move.
pub trait Player<W: Word, G>:
    Clone + Default + PartialEq + Serialize + DeserializeOwned + MaxSize
{
    /// The play time (see [`Context::now`]) at which [`Player::wake`] is to be called
    /// next. A time in the past means immediately, and then in every tick.
    fn wakes_at(&self) -> Tick;

    /// Continues thinking, for at most one tick's budget.
    fn wake(&mut self, game: &G, level: u8, context: &mut Context<'_, W>) -> BoardTurn;

    /// The best move so far. Called when red's time is over, and then in each tick until
    /// its touches complete a move.
    fn hurry(&mut self, game: &G, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        let _ = (game, level, context);
        BoardTurn::Wait
    }

    /// Becomes the saved player. A large player reads its fields one by one, in the order
    /// of their declaration; see [`StateReader`].
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

    /// Gives all these points the same colour.
    pub fn fill(&mut self, points: Points<W>, colour: Colour) {
        let points = points & self.ground.all();
        points
            .0
            .eights(|eight, which| self.frame.points.set_eight(eight, which, colour));
    }

    /// Gives one point a colour, for a board on which each point has its own.
    #[inline]
    pub fn put(&mut self, point: Point, colour: Colour) {
        if self.ground.layout().has(point) {
            self.frame.points.set(point, colour);
        }
    }

    /// True if the point has not been painted, or is painted dark.
    #[inline]
    #[must_use]
    pub fn is_dark(&self, point: Point) -> bool {
        self.frame.points.get(point) == Colour::OFF
    }

    /// Makes all these points blink, from this play time on.
    pub fn blink(&mut self, points: Points<W>, rhythm: Rhythm, since: Tick) {
        let points = points & self.ground.all();
        points
            .0
            .eights(|eight, which| self.frame.rhythms.set_eight(eight, which, rhythm));
        self.frame.set_beat(since.saturating_add(self.behind));
    }

    /// Gives one point a colour and makes it blink from this play time on, for a board on
    /// which each point has its own light.
    pub fn light(&mut self, point: Point, colour: Colour, rhythm: Rhythm, since: Tick) {
        if self.ground.layout().has(point) {
            self.frame.points.set(point, colour);
            self.frame.rhythms.set(point, rhythm);
            self.frame.set_beat(since.saturating_add(self.behind));
        }
    }

    /// Highlights these points with a flash that started at this play time: dark points
    /// flash in this colour, lit ones in amber, which neither player has.
    pub fn flash(&mut self, points: Points<W>, colour: Colour, since: Tick) {
        let points_here = points & self.ground.all();
        let dark: Points<W> = points_here.filter(|point| self.is_dark(*point)).collect();
        self.fill(dark, colour);
        self.blink(dark, Rhythm::Fast, since);
        self.blink(points.without(dark), Rhythm::Marked, since);
    }
}

/// The rule of a mode, from a game's table of modes.
///
/// A state read from outside may name a mode that does not exist until it is validated;
/// such a mode is treated as the first one.
#[must_use]
pub fn rule_of<R: Copy, const MODES: usize>(modes: &[R; MODES], mode: u8) -> R {
    const { assert!(MODES > 0, "a game has a mode") };
    modes.get(usize::from(mode)).copied().unwrap_or(modes[0])
}

/// True if a game with these modes has this one, and neither side of the board is shorter
/// than `shortest` points.
#[must_use]
pub fn fits<R, W: Word>(modes: &[R], mode: u8, grid: &Grid<W>, shortest: usize) -> bool {
    usize::from(mode) < modes.len() && grid.columns().min(grid.rows()) >= shortest
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
    fn a_game_with_too_many_events_panics() {
        let ground: Ground<u64> = Ground::new(protocol::Layout::grid(8, 8).unwrap()).unwrap();
        let mut context = Context {
            ground: &ground,
            rng: &mut Rng::new(1),
            now: 0,
            speed: 5,
            events: &mut Vec::new(),
        };
        for _ in 0..=EVENTS_OF_A_CALL {
            context.report(Event::Turn(Side::Red));
        }
    }
}

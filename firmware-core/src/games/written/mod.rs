//! The game of a layout: rules written by a user and compiled to a cartridge, which the
//! [machine](crate::cartridge) plays.
//!
//! A move of the rules is made by touching the point where it starts and the point where
//! it ends, or a single point if both are the same or the piece comes from a hand. If
//! several moves have the same touches, they are offered on points of the board, each
//! shown as the piece that would be there. Moves without a point (passing and swapping
//! colours) are made by a pass.
//!
//! A player who can only pass is passed over. A game that runs by itself makes a move at
//! intervals that Speed determines.
//!
//! Invariants: `next` and `firsts` are results of the machine, as far as its search has
//! proceeded, so a touch on a legal point is a part or a move; if the machine gives up on
//! the rules, the game ends in a draw and reports that.

#[cfg(feature = "host")]
mod ended;
mod picked;
mod player;
mod random_game;
#[cfg(feature = "host")]
mod refused;
mod search;
mod tell;
mod touches;

use postcard::experimental::max_size::MaxSize;
use protocol::{DISPLAY_CHARACTERS, List, Outcome, Point, Side, Text, Tick};
use serde::{Deserialize, Serialize};

use crate::cartridge::bytes::flag;
use crate::cartridge::candidates::Number;
use crate::cartridge::layout_game::Room;
use crate::cartridge::machine::{BOARD_HISTORY, Limits, first_bits};
use crate::cartridge::{LayoutGame, Machine, State, Unended};
use crate::game::{About, Canvas, Caption, Context, Game, Illegal, Rules, TimeOut, Touch};
use crate::ground::Ground;
use crate::points::Points;
use crate::word::Word;

#[cfg(feature = "host")]
pub use ended::WrittenEnd;
use picked::{Aside, OFFERS, Picked};
pub use player::Explorer;
#[cfg(feature = "host")]
pub use refused::Forbidden;
pub use tell::{PieceOnPoint, PiecesInHand, SHADES, VisiblePieces};

/// The maximum number of the machine's steps for one touch, in all the calls that find
/// its consequences.
pub const FUEL: u32 = 4_000_000;

/// The number of the machine's steps in one call, after which the work continues in the
/// next call. On larger boards each step takes longer.
const fn steps_of_a_call<W: Word>() -> u32 {
    match W::BITS {
        0..=64 => 120,
        65..=128 => 90,
        _ => 60,
    }
}

/// The number for a call that evaluates the rules of the end, which repeats the work from
/// the start.
const fn steps_of_an_end<W: Word>() -> u32 {
    steps_of_a_call::<W>() * 3 / 4
}

/// The number of past positions that are recognised, in a game that forbids repetition.
const KNOWN: usize = BOARD_HISTORY;

/// The maximum number of consecutive automatic passes. After that, nobody can move, and
/// the rules do not cover this case.
const PASSES: usize = 4;

/// The time between moves of a game that runs by itself, at each Speed, in milliseconds.
const STEP_MS: [u16; 10] = [3_000, 2_000, 1_500, 1_000, 750, 500, 350, 250, 150, 100];

/// A game played by the rules of the layout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Written<W: Word> {
    name: Text<DISPLAY_CHARACTERS>,
    #[serde(deserialize_with = "State::read")]
    state: State<W>,
    known: List<u64, KNOWN>,
    /// The points of the current move that have been touched.
    picked: Picked,
    /// The points that may be touched to continue the current move.
    next: Points<W>,
    /// The points where a move may start.
    firsts: Points<W>,
    /// The moves on offer, if several have the same touches: the points, and the piece
    /// that each shows.
    offers: List<(Point, u8), OFFERS>,
    /// The effect of a pass.
    aside: Aside,
    /// The move at which the search for legal touches continues; `None` once the
    /// search is finished.
    looks: Option<Number>,
    /// The steps of all calls since the last touch.
    spent: u32,
    /// The number of players passed over since the last move.
    passed: u8,
    /// True if the game cannot continue: the machine gave up, or nobody can move.
    stuck: bool,
    /// The time of the last touch that was a part of a move, or of the last automatic
    /// move.
    since: Tick,
    /// The number of players; 0 for a game that runs by itself.
    players: u8,
    /// The time between moves of a game that runs by itself, in milliseconds.
    step_ms: u16,
    /// The score, `[green, red]`.
    score: [u32; 2],
}

/// A machine with the game of this ground.
fn machine<'g, W: Word>(game: &'g LayoutGame<'_>, ground: &Ground<W>) -> Machine<'g, W> {
    let limits = match ground.room() {
        Room::Every => Limits::of_a_board(FUEL),
        Room::Host => Limits::of_a_host(FUEL),
    };
    Machine::fitting(&game.cartridge, ground.shifts(), limits)
}

impl<W: Word> Written<W> {
    fn new(game: &LayoutGame<'_>, state: State<W>, speed: u8) -> Self {
        let step_ms = STEP_MS.get(usize::from(speed)).copied().unwrap_or(500);
        Written {
            name: Text::clipped(game.cartridge.name()),
            state,
            known: List::default(),
            picked: List::default(),
            next: Points::NONE,
            firsts: Points::NONE,
            offers: List::default(),
            aside: Aside::Nothing,
            looks: None,
            spent: 0,
            passed: 0,
            stuck: false,
            since: 0,
            players: game.cartridge.players(),
            step_ms,
            score: [0; 2],
        }
    }

    /// The position in the form in which it can be set up ([`Rules::own_position`]),
    /// without the touches of an incomplete move; `None` if the game is over, or the
    /// position takes more than `N` bytes.
    #[must_use]
    pub fn laid<const N: usize>(&self, ground: &Ground<W>) -> Option<List<u8, N>> {
        let game = ground.game().filter(|_| !self.is_over())?;
        let mut machine = machine(&game, ground);
        machine.resume(&self.state, &self.known);
        machine.end_move(u32::MAX);
        let state = machine.left();
        (!state.over).then(|| state.laid(&game.cartridge))?
    }

    /// The current side of a player.
    fn side(&self, player: u8) -> Option<Side> {
        match (player, self.state.swapped) {
            (1, false) | (2, true) => Some(Side::Green),
            (2, false) | (1, true) => Some(Side::Red),
            _ => None,
        }
    }

    /// The current player of a side.
    fn player(&self, side: Side) -> u8 {
        match (side, self.state.swapped) {
            (Side::Green, false) | (Side::Red, true) => 1,
            _ => 2,
        }
    }

    /// The scores according to the rules; the numbers of pieces on the board if the rules
    /// have no scores.
    fn count(&self, game: &LayoutGame<'_>) -> [u32; 2] {
        let board = Points(first_bits(game.cartridge.board()));
        Side::BOTH.map(|side| {
            let player = self.player(side);
            if game.cartridge.keeps_scores() {
                let score = self.state.score.get(usize::from(player)).copied();
                return score.unwrap_or(0).max(0) as u32;
            }
            if game.cartridge.is(flag::STACKS) {
                return self.state.stacked(&game.cartridge, player).into();
            }
            (self.state.owned(player.into()) & board).len() as u32
        })
    }

    /// True once the game is over.
    fn is_over(&self) -> bool {
        self.state.over || self.stuck
    }

    /// True if nothing is known yet about which points may be touched, as after a move.
    fn has_just_moved(&self) -> bool {
        self.looks == Some(0) && self.picked.is_empty()
    }

    /// True if the game runs by itself.
    fn is_by_itself(&self) -> bool {
        self.players == 0
    }
}

impl<W: Word> Rules<W> for Written<W> {
    const ABOUT: About<'static> = About {
        name: "Own game",
        modes: 1,
        time_out: TimeOut::RandomMove,
        illegal: Illegal::FlashLegal,
        any_layout: true,
        ..About::OF_MANUAL
    };
    type Player = Explorer<W>;

    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        let game = context.ground.game().filter(|_| mode == 0)?;
        let mut machine = machine(&game, context.ground);
        if game.cartridge.is(flag::CHANCE) {
            machine.seed(context.rng.next().into());
        }
        machine.start();
        let mut written = Written::new(&game, machine.left(), context.speed);
        written.take_over(&machine, &game);
        Some(written)
    }

    // A separate function, because a machine is on its stack for a moment.
    #[inline(never)]
    fn own_position(mode: u8, bytes: &[u8], context: &mut Context<'_, W>) -> Option<Self> {
        let game = context.ground.game().filter(|_| mode == 0)?;
        let mut state = State::of_laid(&game.cartridge, bytes)?;
        if game.cartridge.is(flag::CHANCE) {
            state.chances(context.rng.next().into());
        }
        let mut machine = machine(&game, context.ground);
        machine.resume(&state, &[]);
        machine.remember();
        let mut written = Written::new(&game, state, context.speed);
        written.take_over(&machine, &game);
        Some(written)
    }
}

impl<W: Word> Game<W> for Written<W> {
    fn about(&self) -> About<'_> {
        About {
            name: &self.name,
            ..Self::ABOUT
        }
    }

    fn turn(&self) -> Option<Side> {
        if self.is_over() || self.is_by_itself() || self.is_between_moves() {
            return None;
        }
        self.side(self.state.mover)
    }

    fn is_for_one(&self) -> bool {
        self.players == 1
    }

    fn is_settling(&self) -> bool {
        self.looks.is_some()
    }

    fn lies(&self, point: Point, ground: &Ground<W>) -> Point {
        let game = ground.game().filter(|game| game.levels() > 1);
        let lies = game.and_then(|game| self.standing(game.site(point), &game).last());
        lies.map_or(point, |(point, ..)| point)
    }

    fn legal(&self, _ground: &Ground<W>) -> Points<W> {
        if self.turn().is_none() {
            return Points::NONE;
        }
        self.next | self.firsts
    }

    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        if self.turn().is_none() {
            return Touch::Ignored;
        }
        if !self.legal(context.ground).has(point) {
            return Touch::Illegal;
        }
        self.take(point, context)
    }

    /// Passes, or swaps the colours.
    fn pass(&mut self, context: &mut Context<'_, W>) -> bool {
        if self.turn().is_none() {
            return false;
        }
        self.step_aside(context)
    }

    /// Releases the picked parts.
    fn time_out(&mut self, context: &mut Context<'_, W>) {
        self.pass(context);
    }

    fn clock_runs(&self) -> bool {
        !self.is_by_itself()
    }

    fn caption(&self) -> Option<Caption> {
        self.says()
    }

    fn wakes_at(&self) -> Option<Tick> {
        if self.looks.is_some() {
            return Some(0);
        }
        let goes_on = self.is_by_itself() && !self.is_over();
        goes_on.then(|| self.since.saturating_add(self.step_ms.into()))
    }

    fn wake(&mut self, context: &mut Context<'_, W>) {
        if self.looks.is_some() {
            self.look_on(context);
        } else if self.wakes_at().is_some_and(|at| at <= context.now) {
            self.since = context.now;
            self.play(context, 0);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        let winner = self.side(self.state.winner).filter(|_| !self.stuck);
        Some(winner.map_or(Outcome::Draw, Outcome::Won))
    }

    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        self.score
    }

    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        self.show(canvas);
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let Some(game) = ground.game() else {
            return false;
        };
        *self.name == *Text::<DISPLAY_CHARACTERS>::clipped(game.cartridge.name())
            && self.state.is_sound(&game.cartridge)
            && self.players == game.cartridge.players()
            && usize::from(self.passed) <= PASSES
            && self.spent <= FUEL
            && (self.state.unended == Unended::Nothing || self.stuck || self.has_just_moved())
            && STEP_MS.contains(&self.step_ms)
            && self.is_found(&game, ground)
    }
}

//! The test bench of all games; a new game needs nothing else.
//!
//! - [`TestedGame`]: a game, the board's player and the time, without the referee;
//! - [`laws!`]: the properties that hold in every game whatever is done and when, as
//!   property tests: `testing::laws!(MyGame)` in the tests of a game or, for a game with
//!   strict turns, `testing::laws!(MyGame, testing::in_turns)`;
//! - [`play_out`] and [`Series`]: matches between levels;
//! - [`Whole`]: a game on a whole board, with fingers;
//! - [`parts::Parts`]: a game with turns of several touches, which only exists in these
//!   tests.

// A build with only one game does not use all of it.
#![cfg_attr(not(feature = "default"), allow(dead_code, unused_imports))]

use std::string::String;
use std::vec::Vec as StdVec;

use heapless::Vec;
use protocol::{Colour, Diagram, Event, Frame, Layout, Packed, Point, Side, Tick};

use crate::game::{BoardTurn, Canvas, Context, Player, Rules, Touch};
use crate::ground::Ground;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

mod cases;
mod laws;
mod matches;
pub mod parts;
mod whole;

pub use cases::{
    LawStep, any_mode, boards_of_words, deeds, forgery, hexagon, layouts, layouts_of, lit, wheel,
};
pub(crate) use laws::laws;
pub use laws::{Floors, every_word_plays_the_same, in_turns, is_move};
pub use matches::{Series, play_out};
pub use whole::Whole;

/// A change of a game's state, whether the result is valid, and the function that
/// makes it.
pub type Change<G> = (&'static str, bool, fn(&mut G));

/// A board with a game on it, the hand of a player, the time, and the game's events.
#[derive(Clone, Debug, PartialEq)]
pub struct TestedGame<W: Word, G: Rules<W>> {
    pub ground: Ground<W>,
    pub rng: Rng,
    pub now: Tick,
    pub speed: u8,
    pub game: G,
    pub hand: G::Player,
    pub events: StdVec<Event>,
}

impl<W: Word, G: Rules<W>> TestedGame<W, G> {
    fn make(
        layout: Layout,
        seed: u64,
        speed: u8,
        make: impl FnOnce(&mut Context<'_, W>) -> Option<G>,
    ) -> Option<Self> {
        let ground = Ground::new(layout).expect("the word holds the layout");
        let mut rng = Rng::new(seed);
        let mut events = Vec::new();
        let game = make(&mut Context {
            ground: &ground,
            rng: &mut rng,
            now: 0,
            speed,
            events: &mut events,
        })?;
        Some(TestedGame {
            ground,
            rng,
            now: 0,
            speed,
            game,
            hand: Default::default(),
            events: events.to_vec(),
        })
    }

    /// A game started on this layout at Speed 5; `None` if it does not fit.
    pub fn begin(layout: Layout, mode: u8, seed: u64) -> Option<Self> {
        Self::begin_at_speed(layout, mode, seed, 5)
    }

    /// A game started at this Speed; `None` if it does not fit.
    pub fn begin_at_speed(layout: Layout, mode: u8, seed: u64, speed: u8) -> Option<Self> {
        Self::make(layout, seed, speed, |context| G::start(mode, context))
    }

    /// A game started on the board of the manual.
    pub fn start(mode: u8, seed: u64) -> Self {
        Self::begin(Layout::MALDOO, mode, seed).expect("9x9 holds every game")
    }

    /// A game set up on this layout at Speed 5; `None` if that is impossible.
    pub fn set_up(layout: Layout, mode: u8, diagram: &Diagram) -> Option<Self> {
        Self::make(layout, 7, 5, |context| G::diagram(mode, diagram, context))
    }

    /// A game on the board of the manual with these rows from the top, given as letters
    /// of colours; missing rows and columns are dark.
    pub fn position(mode: u8, turn: Side, rows: &[&str]) -> Option<Self> {
        let points = rows_to_points(Layout::MALDOO, rows);
        Self::set_up(Layout::MALDOO, mode, &Diagram { points, turn })
    }

    /// A game on a board that is as large as these rows from the top.
    pub fn drawn(mode: u8, turn: Side, rows: &[&str]) -> Option<Self> {
        let layout = Layout::grid(rows[0].len() as u8, rows.len() as u8).expect("a layout");
        let points = rows_to_points(layout, rows);
        Self::set_up(layout, mode, &Diagram { points, turn })
    }

    pub fn at(&self, column: u8, row: u8) -> Point {
        let layout = self.ground.layout();
        layout.at(column, row).expect("a point of the board")
    }

    pub fn with<T>(
        &mut self,
        what: impl FnOnce(&mut G, &mut G::Player, &mut Context<'_, W>) -> T,
    ) -> T {
        let mut events = Vec::new();
        let mut context = Context {
            ground: &self.ground,
            rng: &mut self.rng,
            now: self.now,
            speed: self.speed,
            events: &mut events,
        };
        let came = what(&mut self.game, &mut self.hand, &mut context);
        self.events.extend(events);
        came
    }

    pub fn touch(&mut self, point: Point) -> Touch {
        self.with(|game, _, context| game.touch(point, context))
    }

    pub fn tap(&mut self, column: u8, row: u8) -> Touch {
        self.touch(self.at(column, row))
    }

    /// Touches the point of this name.
    pub fn tap_at(&mut self, name: &str) -> Touch {
        let point = self
            .ground
            .layout()
            .point(name)
            .expect("the name of a point");
        self.touch(point)
    }

    pub fn pass(&mut self) -> bool {
        self.with(|game, _, context| game.pass(context))
    }

    pub fn time_out(&mut self) {
        self.with(|game, _, context| game.time_out(context));
    }

    /// Lets time pass, with all wakes on the way, as the referee does.
    pub fn wait(&mut self, ms: Tick) {
        self.wait_checking(ms, |_| {});
    }

    /// As [`TestedGame::wait`], with a check after each wake.
    pub fn wait_checking(&mut self, ms: Tick, check: impl Fn(&Self)) {
        let end = self.now + ms;
        while let Some(at) = self.next_wake().filter(|at| *at <= end) {
            self.now = self.now.max(at);
            self.with(|game, _, context| game.wake(context));
            let next = self.next_wake();
            assert!(next.is_none_or(|next| next > at), "a wake that never ends");
            check(self);
        }
        self.now = end;
    }

    /// Lets time pass until the game next does something without a touch.
    pub fn wait_for_wake(&mut self) {
        let at = self.next_wake().expect("a game that waits for something");
        self.wait(at.saturating_sub(self.now));
    }

    fn next_wake(&self) -> Option<Tick> {
        let goes_on = self.game.outcome().is_none();
        goes_on.then(|| self.game.wakes_at()).flatten()
    }

    pub fn legal(&self) -> Points<W> {
        self.game.legal(&self.ground)
    }

    pub fn score(&self) -> [u32; 2] {
        self.game.score(&self.ground)
    }

    /// The picture at this moment.
    pub fn picture(&self) -> Packed {
        let mut frame = Frame::default();
        let mut canvas = Canvas::new(&self.ground, &mut frame, 0);
        self.game.paint(self.now, &mut canvas);
        frame.points_seen(self.now)
    }

    /// The lights of the points, row by row from the top: `.` is dark, `g` green, `r`
    /// red, `a` amber.
    pub fn drawing(&self) -> StdVec<String> {
        let picture = self.picture();
        let layout = self.ground.layout();
        let letter = |point| match picture.get(point) {
            Colour::OFF => '.',
            Colour::GREEN => 'g',
            Colour::RED => 'r',
            Colour::AMBER => 'a',
            _ => '?',
        };
        let points: StdVec<char> = layout.iter().map(letter).collect();
        let rows = points.chunks(usize::from(layout.columns()));
        rows.map(|row| row.iter().collect()).collect()
    }

    /// The names of the points of a set, in order.
    pub fn names(&self, points: Points<W>) -> StdVec<String> {
        let layout = self.ground.layout();
        points
            .map(|point| std::format!("{}", layout.name(point)))
            .collect()
    }

    /// Lets the board's player think for the side to move until it acts.
    pub fn think(&mut self, level: u8) -> BoardTurn {
        let began = self.now;
        self.hand = Default::default();
        loop {
            let act = self.with(|game, hand, context| hand.wake(game, level, context));
            assert!(
                self.now <= began + 3_000,
                "it thinks for more than three seconds"
            );
            if act != BoardTurn::Wait {
                return act;
            }
            self.now = self.hand.wakes_at().max(self.now + 1);
        }
    }

    /// The point that the board's player touches for the side to move.
    pub fn touch_of_board(&mut self, level: u8) -> Point {
        match self.think(level) {
            BoardTurn::Touch(point) => point,
            turn => panic!("it must move: {turn:?}"),
        }
    }

    /// Plays random moves until the game is over; returns their number.
    pub fn play_at_random(&mut self, most: usize) -> usize {
        for moves in 0..most {
            let Some(point) = self.rng.pick(self.legal()) else {
                assert!(self.game.outcome().is_some(), "{:?}", self.game.turn());
                return moves;
            };
            assert!(self.touch(point).is_accepted());
        }
        most
    }

    /// The points that show this colour now.
    pub fn shown(&self, colour: Colour) -> Points<W> {
        let picture = self.picture();
        let layout = self.ground.layout();
        layout
            .iter()
            .filter(|point| picture.get(*point) == colour)
            .collect()
    }

    pub fn points(&self, rows: &[&str]) -> Points<W> {
        let layout = self.ground.layout();
        let lit = rows_to_points(layout, rows);
        layout
            .iter()
            .filter(|point| lit.get(*point) != Colour::OFF)
            .collect()
    }
}

/// The colours of points, given as letters in rows from the top.
pub fn rows_to_points(layout: Layout, rows: &[&str]) -> Packed {
    let mut points = Packed::default();
    for (row, text) in (0..).zip(rows) {
        for (column, letter) in (0..).zip(text.chars()) {
            let point = layout.at(column, row).expect("a point of the board");
            points.set(point, Colour::from_letter(letter).expect("a colour"));
        }
    }
    points
}

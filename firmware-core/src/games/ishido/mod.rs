//! Ishido (after Martijn Dekker's text for his version for the Atari, and the official
//! rules of the game of 1990).
//!
//! Stones of six colours with six symbols, two of each kind, are drawn from a pouch one
//! by one and placed next to others that they match. The field has 12 x 8 squares and is
//! the bottom left part of a board. A player who empties the pouch has won.
//!
//! | mode | rules | stones are placed by |
//! | --- | --- | --- |
//! | 0 | Dekker's | green alone |
//! | 1 | official | green alone |
//! | 2 | Dekker's | both in turns, with separate points |
//! | 3 | official | both in turns |
//!
//! In a game for one player, the board takes green's place at levels 1-4, and a person
//! watches. `RULES.md` lists the decisions where the sources say nothing.
//!
//! A stone can be taken back until the next one is drawn, after a time set by Speed.
//! Nobody therefore learns what comes next before a stone is final; the order of the
//! pouch is determined when it is filled.
//!
//! Invariants: while the game runs, either the stone in hand fits somewhere, or a stone
//! was just placed and the next one has not been drawn yet; there are at most two stones
//! of each kind on the board, in hand and in the pouch together.

mod caption;
pub mod field;
mod modes;
pub mod outlook;
pub mod player;
mod position;
pub mod pouch;
pub mod scoring;
pub mod stone;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;

use postcard::experimental::max_size::MaxSize;
use protocol::{Colour, GridSize, Outcome, Point, Rhythm, Side, Tick};
use serde::{Deserialize, Serialize};

use self::field::{COLUMNS, Field, PLACES, ROWS, fits, place_of, point_of};
pub use self::modes::{MODES, Players, Rule};
use self::player::IshidoMind;
pub use self::position::{Laid, POSITION_LENGTH, VisibleStones};
use self::pouch::{Pouch, RemainingStones};
use self::scoring::FOUR;
use self::stone::{COLOURS, Stone};
use crate::game::{
    About, Canvas, Caption, Context, Game, Illegal, Rules, Service, TimeOut, Touch, rule_of,
};
use crate::ground::Ground;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

/// How long a stone can be taken back at Speed 0-9, in milliseconds; at Speed 9 not at
/// all (`RULES.md`).
pub const TAKE_BACK_MS: [Tick; 10] = [5_000, 4_000, 3_000, 2_500, 2_000, 1_500, 1_000, 700, 400, 0];

/// The squares of the first stones: "one in every corner and 2 in the center of the
/// board" (Dekker, 1. Introduction); `RULES.md` says which two squares of the centre.
pub const START: [u8; COLOURS as usize] = [
    0,
    COLUMNS - 1,
    PLACES - COLUMNS,
    PLACES - 1,
    4 * COLUMNS + 5,
    3 * COLUMNS + 6,
];

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
enum IshidoPhase {
    /// The stone in hand is to be placed.
    Hand {
        /// True if the stone has been placed before and taken back.
        again: bool,
        /// True while the square that scores the most points is shown.
        help: bool,
    },
    /// A stone was placed, and can be taken back.
    Put {
        /// The tick until which the stone can be taken back.
        until: Tick,
        /// The points that it scored.
        gained: u32,
        /// The place of the stone that was placed before it.
        before: u8,
    },
    /// The game has ended.
    Over,
}

impl IshidoPhase {
    const FRESH: IshidoPhase = IshidoPhase::Hand {
        again: false,
        help: false,
    };
}

/// The state of a game of Ishido.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Ishido<W: Word> {
    /// The index of the mode in [`MODES`].
    mode: u8,
    field: Field,
    pouch: Pouch,
    hand: Option<Stone>,
    /// The points where the stone in hand may be placed.
    open: Points<W>,
    phase: IshidoPhase,
    /// The place of the stone that was placed last.
    last: u8,
    /// The side that places the stone in hand, or placed the last one.
    turn: Side,
    /// The points, `[green, red]`.
    points: [u32; 2],
    /// The number of four-ways made, `[green, red]`.
    four_ways: [u8; 2],
    /// True if the board is about to place the next stone, for itself or for a side whose
    /// time is over: that stone cannot be taken back.
    is_boards: bool,
}

impl<W: Word> Ishido<W> {
    /// The rules of the mode.
    #[must_use]
    pub fn rule(&self) -> Rule {
        rule_of(&MODES, self.mode)
    }

    /// The stones on the board.
    #[must_use]
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The stone on this point of a board of this size.
    #[must_use]
    pub fn stone(&self, point: Point, sides: GridSize) -> Option<Stone> {
        self.field.at(place_of(point, sides)?)
    }

    /// The stone in hand; `None` until the next one is drawn, and when all stones are on
    /// the board. At the end of a lost game it is the one that fits nowhere.
    #[must_use]
    pub fn hand(&self) -> Option<Stone> {
        self.hand
    }

    /// The stones left in the pouch, which anybody who has seen the others knows.
    #[must_use]
    pub fn pouch(&self) -> RemainingStones {
        self.pouch.left()
    }

    /// The number of stones still to be placed, including the one in hand.
    #[must_use]
    pub fn left(&self) -> u8 {
        self.pouch.left().len() + u8::from(self.hand.is_some())
    }

    /// The points of both sides, `[green, red]`.
    #[must_use]
    pub fn points(&self) -> [u32; 2] {
        self.points
    }

    /// The number of four-ways that each side made, `[green, red]`.
    #[must_use]
    pub fn four_ways(&self) -> [u8; 2] {
        self.four_ways
    }

    /// The square that scores the most points now (Dekker, 4. Help option). Among equals
    /// it is the one with the most neighbours, and then the first one.
    #[must_use]
    pub fn best(&self, sides: GridSize) -> Option<Point> {
        let (rule, stone) = (self.rule(), self.hand?);
        let made = self.four_ways[self.turn.index()];
        let worth = |place: &u8| {
            let neighbours = self.field.neighbours(*place);
            let points = rule.scoring.of_stone(*place, neighbours, made);
            (points, neighbours, core::cmp::Reverse(*place))
        };
        let places = self.field.places_for(stone, rule.four);
        point_of(places.max_by_key(worth)?, sides)
    }

    /// The point beyond the field that shows the stone in hand, on a board with such
    /// points: to the right, above the field or otherwise beside it, with a dark line in
    /// between if there is room.
    #[must_use]
    pub fn shelf(sides: GridSize) -> Option<Point> {
        let (columns, rows) = (sides.columns(), sides.rows());
        if rows > ROWS {
            sides.at(COLUMNS - 1, rows - rows.min(ROWS + 2))
        } else if columns > COLUMNS {
            sides.at(columns.min(COLUMNS + 2) - 1, 0)
        } else {
            None
        }
    }

    fn open(&self, sides: GridSize) -> Points<W> {
        let Some(stone) = self.hand else {
            return Points::NONE;
        };
        let places = self.field.places_for(stone, self.rule().four);
        places.filter_map(|place| point_of(place, sides)).collect()
    }

    /// Places the stone in hand, which must fit here.
    fn put(&mut self, place: u8, stone: Stone, again: bool, context: &mut Context<'_, W>) {
        let scoring = self.rule().scoring;
        let neighbours = self.field.neighbours(place);
        let side = self.turn.index();
        let gained = scoring.of_stone(place, neighbours, self.four_ways[side]);
        self.points[side] = self.points[side].saturating_add(gained);
        if neighbours == FOUR {
            self.four_ways[side] = self.four_ways[side].saturating_add(1);
        }
        self.field.put(place, Some(stone));
        self.hand = None;
        self.open = Points::NONE;
        let before = core::mem::replace(&mut self.last, place);
        let time_ms = TAKE_BACK_MS.get(usize::from(context.speed));
        let time_ms = time_ms.copied().unwrap_or(0);
        let is_boards = core::mem::take(&mut self.is_boards);
        if is_boards || again || time_ms == 0 || self.pouch.left().is_empty() {
            self.draw(context.grid().sides());
            return;
        }
        self.phase = IshidoPhase::Put {
            until: context.now.saturating_add(time_ms),
            gained,
            before,
        };
    }

    /// Takes back the stone that was placed last, with all its consequences.
    fn take_back(&mut self, gained: u32, before: u8, sides: GridSize) {
        let place = self.last;
        self.hand = self.field.at(place);
        self.field.put(place, None);
        let side = self.turn.index();
        self.points[side] = self.points[side].saturating_sub(gained);
        if self.field.neighbours(place) == FOUR {
            self.four_ways[side] = self.four_ways[side].saturating_sub(1);
        }
        self.last = before;
        self.phase = IshidoPhase::Hand {
            again: true,
            help: false,
        };
        self.open = self.open(sides);
    }

    /// Draws the next stone; the game is over if there is none, or it fits nowhere.
    fn draw(&mut self, sides: GridSize) {
        let by = self.turn;
        self.hand = self.pouch.draw();
        if self.rule().players == Players::Two {
            self.turn = by.other();
        }
        self.settle(sides);
        if self.phase == IshidoPhase::Over {
            let bonus = self.rule().scoring.of_end(self.left());
            let points = &mut self.points[by.index()];
            *points = points.saturating_add(bonus);
        }
    }

    /// Starts the turn in which the stone in hand is placed, if it fits anywhere.
    fn settle(&mut self, sides: GridSize) {
        self.phase = IshidoPhase::FRESH;
        self.open = self.open(sides);
        if self.open.is_empty() {
            self.phase = IshidoPhase::Over;
        }
    }
}

/// The game is made for 12 x 8 points in all modes.
fn made_for(_mode: u8) -> GridSize {
    const SIDES: GridSize = match GridSize::new(COLUMNS, ROWS) {
        Ok(sides) => sides,
        Err(_) => unreachable!(),
    };
    SIDES
}

/// The modes for one player, one bit each; they keep best scores.
const ALONE: u32 = 0b0011;

/// The six stones at the start: each colour and each symbol once.
fn start(rng: &mut Rng) -> [Stone; COLOURS as usize] {
    let mut symbols: [u8; COLOURS as usize] = core::array::from_fn(|symbol| symbol as u8);
    let mut colours = symbols;
    for order in [&mut symbols, &mut colours] {
        for last in (1..order.len()).rev() {
            order.swap(last, rng.below(last as u32 + 1) as usize);
        }
    }
    core::array::from_fn(|n| Stone::new(colours[n], symbols[n]).unwrap_or(Stone::FIRST))
}

impl<W: Word> Rules<W> for Ishido<W> {
    const ABOUT: About<'static> = About {
        name: "Ishido",
        modes: MODES.len() as u8,
        time_out: TimeOut::RandomMove,
        illegal: Illegal::FlashLegal,
        board_can_play: true,
        any_layout: false,
        keeps_best: ALONE,
        made_for,
    };
    type Player = IshidoMind;

    /// `None` on boards without room for 12 x 8 squares.
    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        let mut laid = Laid {
            pouch: RemainingStones::ALL,
            ..Laid::default()
        };
        for (place, stone) in START.into_iter().zip(start(context.rng)) {
            laid.field.put(place, Some(stone));
            laid.pouch.take(stone)?;
        }
        Self::lay(mode, &laid, context)
    }

    /// Sets up a position from the bytes that [`Laid`] describes.
    fn own_position(mode: u8, bytes: &[u8], context: &mut Context<'_, W>) -> Option<Self> {
        Self::lay(mode, &Laid::read(bytes)?, context)
    }
}

impl<W: Word> Ishido<W> {
    /// A game with this position; `None` if it is impossible.
    fn lay(mode: u8, laid: &Laid, context: &mut Context<'_, W>) -> Option<Self> {
        let rule = *MODES.get(usize::from(mode))?;
        let sides = context.grid().sides();
        let is_alone = laid.turn == Side::Green && laid.points[1] == 0 && laid.four_ways[1] == 0;
        if !fits(sides) || !laid.is_sound() || (rule.players == Players::One && !is_alone) {
            return None;
        }
        let mut game = Ishido {
            mode,
            field: laid.field.clone(),
            pouch: Pouch::new(laid.pouch, context.rng.split()),
            hand: laid.hand,
            open: Points::NONE,
            phase: IshidoPhase::FRESH,
            last: laid.field.stones().last()?.0,
            turn: laid.turn,
            points: laid.points,
            four_ways: laid.four_ways,
            is_boards: false,
        };
        if let Some(centre) = START
            .last()
            .filter(|place| game.field.at(**place).is_some())
        {
            game.last = *centre;
        }
        if game.hand.is_none() {
            game.hand = game.pouch.draw();
        }
        game.settle(sides);
        Some(game)
    }

    /// The visible part of the game on a board of this size.
    #[must_use]
    pub fn seen(&self, sides: GridSize) -> VisibleStones {
        VisibleStones {
            laid: self.laid(),
            sides,
        }
    }

    /// The board and the pouch as a position.
    #[must_use]
    pub fn laid(&self) -> Laid {
        Laid {
            turn: self.turn,
            field: self.field.clone(),
            hand: self.hand,
            pouch: self.pouch.left(),
            points: self.points,
            four_ways: self.four_ways,
        }
    }
}

impl<W: Word> Game<W> for Ishido<W> {
    /// A single player has no clock.
    fn about(&self) -> About<'_> {
        let time_out = match self.rule().players {
            Players::One => TimeOut::None,
            Players::Two => TimeOut::RandomMove,
        };
        About {
            time_out,
            ..Self::ABOUT
        }
    }

    fn is_for_one(&self) -> bool {
        self.rule().players == Players::One
    }

    fn turn(&self) -> Option<Side> {
        (self.phase != IshidoPhase::Over).then_some(self.turn)
    }

    /// A stone that the board places is final, even if it is for a side whose time is
    /// over.
    fn announce(&mut self, _point: Point, _context: &mut Context<'_, W>) {
        self.is_boards = true;
    }

    /// The points where the stone in hand fits, and the last stone: touching it takes it
    /// back or, once the next one is drawn, asks for help.
    fn legal(&self, ground: &Ground<W>) -> Points<W> {
        if self.phase == IshidoPhase::Over {
            return Points::NONE;
        }
        let last = point_of(self.last, ground.grid().sides());
        last.map_or(self.open, |last| self.open | Points::one(last))
    }

    fn service(&self, service: Service, ground: &Ground<W>) -> Points<W> {
        let given = match self.phase {
            IshidoPhase::Hand { .. } => Service::Help,
            IshidoPhase::Put { .. } => Service::TakeBack,
            IshidoPhase::Over => return Points::NONE,
        };
        let last = point_of(self.last, ground.grid().sides());
        last.filter(|_| given == service)
            .map_or(Points::NONE, Points::one)
    }

    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        let sides = context.grid().sides();
        let Some(place) = place_of(point, sides) else {
            return Touch::Ignored;
        };
        let is_last = place == self.last;
        match (self.phase, self.hand) {
            (IshidoPhase::Put { gained, before, .. }, _) if is_last => {
                self.take_back(gained, before, sides);
                Touch::TakenBack
            }
            (IshidoPhase::Hand { again, help }, _) if is_last => {
                self.phase = IshidoPhase::Hand { again, help: !help };
                Touch::Part
            }
            (IshidoPhase::Hand { again, .. }, Some(stone)) if self.open.has(point) => {
                self.put(place, stone, again, context);
                Touch::Move(0)
            }
            (IshidoPhase::Hand { .. }, _) => Touch::Illegal,
            (IshidoPhase::Put { .. } | IshidoPhase::Over, _) => Touch::Ignored,
        }
    }

    /// Passing is impossible, because a stone that fits somewhere must be placed.
    fn pass(&mut self, _context: &mut Context<'_, W>) -> bool {
        false
    }

    /// The clock stops while a stone can be taken back, because the next turn has not
    /// begun.
    fn clock_runs(&self) -> bool {
        matches!(self.phase, IshidoPhase::Hand { .. })
    }

    fn caption(&self) -> Option<Caption> {
        Some(self.text())
    }

    fn wakes_at(&self) -> Option<Tick> {
        match self.phase {
            IshidoPhase::Put { until, .. } => Some(until),
            IshidoPhase::Hand { .. } | IshidoPhase::Over => None,
        }
    }

    fn wake(&mut self, context: &mut Context<'_, W>) {
        if self.wakes_at().is_some_and(|at| at <= context.now) {
            self.draw(context.grid().sides());
        }
    }

    /// A single player has won if the pouch is empty; of two players, the one with more
    /// points wins.
    fn outcome(&self) -> Option<Outcome> {
        if self.phase != IshidoPhase::Over {
            return None;
        }
        let [green, red] = self.points;
        Some(match self.rule().players {
            Players::One if self.left() == 0 => Outcome::Won(Side::Green),
            Players::One => Outcome::Won(Side::Red),
            Players::Two => match green.cmp(&red) {
                core::cmp::Ordering::Greater => Outcome::Won(Side::Green),
                core::cmp::Ordering::Less => Outcome::Won(Side::Red),
                core::cmp::Ordering::Equal => Outcome::Draw,
            },
        })
    }

    /// The points of both players, or the points of the single player and the number of
    /// four-ways.
    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        match self.rule().players {
            Players::One => [self.points[0], self.four_ways[0].into()],
            Players::Two => self.points,
        }
    }

    /// The sum of all points, in a game for one player.
    fn worth(&self) -> Option<u32> {
        let is_alone = self.rule().players == Players::One;
        (self.phase == IshidoPhase::Over && is_alone).then_some(self.points[0])
    }

    /// Paints stones in their colours and rhythms, the stone in hand outside of the field
    /// if there is room, and the suggested square in amber.
    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        let sides = canvas.ground().grid().sides();
        let stones = self.field.stones();
        let stones = stones.filter_map(|(place, stone)| Some((point_of(place, sides)?, stone)));
        let in_hand = Self::shelf(sides).zip(self.hand);
        for (point, stone) in stones.chain(in_hand) {
            canvas.light(point, stone.shown(), stone.rhythm(), 0);
        }
        let help = matches!(self.phase, IshidoPhase::Hand { help: true, .. });
        if let Some(best) = self.best(sides).filter(|_| help) {
            canvas.light(best, Colour::AMBER, Rhythm::Medium, 0);
        }
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let sides = ground.grid().sides();
        let (Some(rule), true) = (MODES.get(usize::from(self.mode)), fits(sides)) else {
            return false;
        };
        let is_alone = self.turn == Side::Green && self.points[1] == 0 && self.four_ways[1] == 0;
        let stones = (rule.players == Players::Two || is_alone)
            && self.laid().is_sound()
            && self.field.at(self.last).is_some();
        let phase = match self.phase {
            IshidoPhase::Hand { .. } => !self.open.is_empty(),
            IshidoPhase::Put {
                until,
                gained,
                before,
            } => {
                self.hand.is_none()
                    && !self.pouch.left().is_empty()
                    && until < Tick::MAX / 2
                    && gained <= self.points[self.turn.index()]
                    && before != self.last
                    && self.field.at(before).is_some()
                    // After it is taken back, it needs a place.
                    && self.field.fits(self.last, rule.four)
                    && (self.field.neighbours(self.last) < FOUR
                        || self.four_ways[self.turn.index()] > 0)
            }
            IshidoPhase::Over => {
                self.open.is_empty() && (self.hand.is_some() || self.pouch.left().is_empty())
            }
        };
        stones && phase && self.open == self.open(sides)
    }
}

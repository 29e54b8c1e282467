//! A game with turns of several touches, which only exists in these tests.
//!
//! A player picks dark points, one with each touch. With the last one of a turn, all of
//! them become stones of that side. Touching a picked point again releases it. When there
//! are not enough dark points left for a turn, the side with more stones wins.
//!
//! Invariants: fewer points are picked than a turn needs, and all of them are dark.

use core::cell::Cell;
use std::format;

use postcard::experimental::max_size::MaxSize;
use protocol::{Colour, Diagram, Event, Outcome, Point, Rhythm, Side, Text, Tick};
use serde::{Deserialize, Serialize};

use crate::game::{
    About, BoardTurn, Canvas, Caption, Context, Game, Illegal, Player, Rules, TimeOut, Touch,
    rule_of,
};
use crate::ground::Ground;
use crate::points::Points;
use crate::two_colours::TwoColours;
use crate::word::Word;

/// The mode in which a turn takes two touches, which the clock makes if the time is over.
pub const TWO: u8 = 0;
/// The mode in which a turn takes three touches, and is passed if the time is over.
pub const THREE: u8 = 1;
/// The mode in which no touch completes a move, which is a defect.
pub const ENDLESS: u8 = 2;

/// How long the board's player thinks about each touch, in ticks.
pub const THINK_MS: Tick = 100;
/// From this level on, the player thinks until its time is over.
pub const SLOW: u8 = 3;
/// How long such a player thinks, in milliseconds; see [`SLOW`].
pub const SLOW_MS: Tick = 3_000;
/// At this level, the player does not act when it is hurried.
pub const STUBBORN: u8 = 4;

/// The pitches of sounds that the game reports when the board's player starts to think,
/// is hurried, and is about to touch a point.
pub const THOUGHT_HZ: u16 = 1;
/// The pitch when the player is hurried; see [`THOUGHT_HZ`].
pub const HURRIED_HZ: u16 = 2;
/// The pitch when a touch is announced; see [`THOUGHT_HZ`].
pub const ANNOUNCED_HZ: u16 = 3;

#[derive(Clone, Copy)]
struct Rule {
    touches: usize,
    time_out: TimeOut,
}

const MODES: [Rule; 3] = [
    Rule {
        touches: 2,
        time_out: TimeOut::RandomMove,
    },
    Rule {
        touches: 3,
        time_out: TimeOut::Pass,
    },
    Rule {
        touches: usize::MAX,
        time_out: TimeOut::RandomMove,
    },
];

std::thread_local! {
    /// How often games have been asked for their score in this thread.
    static SCORES: Cell<u32> = const { Cell::new(0) };
}

/// How often games have been asked for their score since the last call.
pub fn scores_asked() -> u32 {
    SCORES.replace(0)
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Parts<W: Word> {
    mode: u8,
    stones: TwoColours<W>,
    picked: Points<W>,
    turn: Option<Side>,
    /// The time at which the last point was picked.
    since: Tick,
}

impl<W: Word> Parts<W> {
    fn rule(&self) -> Rule {
        rule_of(&MODES, self.mode)
    }

    fn set_up(mode: u8, stones: TwoColours<W>, turn: Side, ground: &Ground<W>) -> Option<Self> {
        let mut game = Parts {
            mode,
            stones,
            picked: Points::NONE,
            turn: None,
            since: 0,
        };
        let is_one = usize::from(mode) < MODES.len() && stones.is_sound(ground.grid());
        game.turn = game.next_turn(turn, ground);
        is_one.then_some(game)
    }

    fn dark(&self, ground: &Ground<W>) -> Points<W> {
        self.stones.dark(ground.grid())
    }

    fn next_turn(&self, side: Side, ground: &Ground<W>) -> Option<Side> {
        let dark = self.dark(ground).len();
        let needed = match self.mode {
            ENDLESS => 1,
            _ => self.rule().touches,
        };
        (dark >= needed).then_some(side)
    }
}

impl<W: Word> Rules<W> for Parts<W> {
    const ABOUT: About<'static> = About {
        name: "Parts",
        modes: MODES.len() as u8,
        time_out: TimeOut::RandomMove,
        illegal: Illegal::FlashLegal,
        ..About::OF_MANUAL
    };
    type Player = Picker;

    fn start(mode: u8, context: &mut Context<'_, W>) -> Option<Self> {
        Self::set_up(mode, TwoColours::NONE, Side::Green, context.ground)
    }

    fn diagram(mode: u8, diagram: &Diagram, context: &mut Context<'_, W>) -> Option<Self> {
        let stones = TwoColours::of(diagram, context.ground)?;
        Self::set_up(mode, stones, diagram.turn, context.ground)
    }

    /// Sets up a board without stones: the side to move, and the points that it has
    /// picked.
    fn own_position(mode: u8, bytes: &[u8], context: &mut Context<'_, W>) -> Option<Self> {
        let (turn, picked) = bytes.split_first()?;
        let turn = Side::BOTH.get(usize::from(*turn))?;
        let mut game = Self::set_up(mode, TwoColours::NONE, *turn, context.ground)?;
        for index in picked {
            let point = Point(*index);
            let is_dark = context.ground.layout().has(point) && !game.picked.has(point);
            is_dark.then(|| game.picked.insert(point))?;
        }
        game.is_sound(context.ground).then_some(game)
    }
}

impl<W: Word> Game<W> for Parts<W> {
    fn about(&self) -> About<'_> {
        About {
            time_out: self.rule().time_out,
            ..Self::ABOUT
        }
    }

    fn turn(&self) -> Option<Side> {
        self.turn
    }

    fn announce(&mut self, _point: Point, context: &mut Context<'_, W>) {
        context.report(Event::Bleep(ANNOUNCED_HZ));
    }

    fn legal(&self, ground: &Ground<W>) -> Points<W> {
        self.turn.map_or(Points::NONE, |_| self.dark(ground))
    }

    fn touch(&mut self, point: Point, context: &mut Context<'_, W>) -> Touch {
        let Some(side) = self.turn else {
            return Touch::Ignored;
        };
        if !self.legal(context.ground).has(point) {
            return Touch::Illegal;
        }
        self.since = context.now;
        if self.picked.has(point) {
            self.picked.remove(point);
            return Touch::Part;
        }
        self.picked.insert(point);
        if self.picked.len() < self.rule().touches {
            return Touch::Part;
        }
        let all = core::mem::replace(&mut self.picked, Points::NONE);
        self.stones[side] |= all;
        self.turn = self.next_turn(side.other(), context.ground);
        Touch::Move(all.without(Points::one(point)).len() as u16)
    }

    /// Releases the picked points.
    fn pass(&mut self, context: &mut Context<'_, W>) -> bool {
        let Some(side) = self.turn else {
            return false;
        };
        self.picked = Points::NONE;
        self.turn = self.next_turn(side.other(), context.ground);
        true
    }

    /// The number of points of a turn that are picked, or that are needed.
    fn caption(&self) -> Option<Caption> {
        let (picked, all) = (self.picked.len(), self.rule().touches);
        match self.mode {
            TWO => Some(Caption::Between(Text::clipped(&format!("{picked}/{all}")))),
            THREE if picked > 0 => {
                let text = format!("Pick {} more", all - picked);
                Some(Caption::Instead(Text::clipped(&text)))
            }
            _ => None,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.turn
            .is_none()
            .then(|| Outcome::by_score(self.stones.count()))
    }

    fn score(&self, _ground: &Ground<W>) -> [u32; 2] {
        SCORES.set(SCORES.get() + 1);
        self.stones.count().map(u32::from)
    }

    fn paint(&self, _now: Tick, canvas: &mut Canvas<'_, W>) {
        self.stones.paint(canvas);
        canvas.fill(self.picked, Colour::AMBER);
        canvas.blink(self.picked, Rhythm::Slow, self.since);
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        usize::from(self.mode) < MODES.len()
            && self.stones.is_sound(ground.grid())
            && self.picked.without(self.legal(ground)).is_empty()
            && self.picked.len() < self.rule().touches
            && self.turn == self.next_turn(self.turn.unwrap_or(Side::Green), ground)
    }
}

/// The board's player, which picks the first dark points one by one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
pub struct Picker {
    /// The tick of the next touch, once the player has started to think.
    next_at: Option<Tick>,
}

impl Picker {
    fn pick<W: Word>(game: &Parts<W>, ground: &Ground<W>) -> BoardTurn {
        let free = game.legal(ground).without(game.picked);
        free.first().map_or(BoardTurn::Wait, BoardTurn::Touch)
    }
}

impl<W: Word> Player<W, Parts<W>> for Picker {
    fn wakes_at(&self) -> Tick {
        self.next_at.unwrap_or(0)
    }

    fn wake(&mut self, game: &Parts<W>, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        let think_ms = if level < SLOW { THINK_MS } else { SLOW_MS };
        if self.next_at.is_none() {
            context.report(Event::Bleep(THOUGHT_HZ));
        }
        let next_at = self.next_at.unwrap_or(context.now.saturating_add(think_ms));
        if next_at > context.now {
            self.next_at = Some(next_at);
            return BoardTurn::Wait;
        }
        self.next_at = Some(next_at.saturating_add(think_ms));
        Self::pick(game, context.ground)
    }

    fn hurry(&mut self, game: &Parts<W>, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        context.report(Event::Bleep(HURRIED_HZ));
        match level {
            STUBBORN => BoardTurn::Wait,
            _ => Self::pick(game, context.ground),
        }
    }

    fn is_sound(&self, _ground: &Ground<W>) -> bool {
        true
    }
}

mod laws {
    use super::*;
    use crate::games::testing;

    testing::laws!(Parts, testing::in_turns);
}

//! The player of red: it repeatedly plays the game to its end at random, and makes the
//! move with the best results.
//!
//! One call of [`Player::wake`] does a bounded amount of work; a random game that takes
//! longer is stored and continued in the next tick. The fast board itself is rebuilt each
//! time: it is several times larger than the stored data, and building it takes less than
//! a fifth of a game.
//!
//! Invariants: it never fills an own eye and never plays where living stones have settled
//! everything; the same seed gives the same move on every machine.

use postcard::experimental::max_size::MaxSize;
use protocol::{Point, Side, Tick};
use serde::{Deserialize, Serialize};

use super::SpeedGo;
use super::area::{are_divided, area, settled};
use super::playout::{
    LARGE, MEDIUM, MOVES_PER_POINT, PlayoutBoard, SMALL, Style, SuspendedPlayout,
};
use super::rollout::InTheHead;
use super::stones::{Stones, beside, spread};
use crate::game::{BoardTurn, Context, Game, Player};
use crate::grid::Grid;
use crate::ground::Ground;
use crate::minds::arena::TreePath;
use crate::minds::at_level;
use crate::minds::pace::{Due, ThinkingTime};
use crate::minds::tree::Tree;
use crate::points::Points;
use crate::rng::Rng;
use crate::state_reader::StateReader;
#[cfg(feature = "host")]
use crate::thought::{Thought, Worth};
use crate::word::Word;

/// The longest thinking time at any level, in ticks: Time 0 leaves 5,000 ms.
const THINK_MS: Tick = 4_600;

/// The work of one call, in steps of [`PlayoutBoard::effort`]. Together with the
/// uncounted work, it is less than the 50,000 instructions that a Cortex-M3 at 50 MHz
/// executes in a tick (measured in QEMU; see `RULES.md`, Cost on a chip).
const EFFORT_PER_WAKE: u32 = 200;

/// The work in a call after which learning from a finished game waits for the next call,
/// because learning is not counted.
const EFFORT_BEFORE_LEARNING: u32 = 90;

/// The share of wins, in 256ths, from which a game is as good as won: all random games
/// were won, including narrow ones.
const AS_GOOD_AS_WON: u32 = 192;
/// The share of wins, in 256ths, up to which a game is as good as lost.
const AS_GOOD_AS_LOST: u32 = 64;

/// If there are at most this many points to choose from, a side in the lead passes
/// instead of placing a stone that can be captured immediately. Such points remain if
/// groups share liberties without eyes.
const FEW: usize = 8;

/// The plan of a level.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// The number of games that it plays before it moves, if there is time.
    playouts: u16,
    /// How the playouts are played.
    style: Style,
    /// True if it first considers points where stones can be captured or saved.
    sees_urgent: bool,
}

/// The plans of levels 1 to 4.
const PLANS: [Plan; 4] = [
    Plan {
        playouts: 40,
        style: Style::Light,
        sees_urgent: false,
    },
    Plan {
        playouts: 120,
        style: Style::Light,
        sees_urgent: true,
    },
    Plan {
        playouts: 280,
        style: Style::Answering,
        sees_urgent: true,
    },
    Plan {
        playouts: 4_000,
        style: Style::Answering,
        sees_urgent: true,
    },
];

/// A random game that was not finished within one tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
struct RunningPlayout {
    left: SuspendedPlayout,
    moves_left: u16,
    path: TreePath,
}

/// The player's decision. It is made in one tick and carried out in the next, because
/// each takes the work of a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
enum Choice {
    Pass,
    Touch(Point),
}

impl From<Choice> for BoardTurn {
    fn from(choice: Choice) -> BoardTurn {
        match choice {
            Choice::Pass => BoardTurn::Pass,
            Choice::Touch(point) => BoardTurn::Touch(point),
        }
    }
}

/// The board's own player of SpeedGo.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Sampler<W: Word> {
    pace: ThinkingTime,
    rng: Option<Rng>,
    /// The first moves that are worth considering.
    candidates: Points<W>,
    /// The number of sides, 0-2, whose settled points have been removed from the
    /// candidates.
    narrowed: u8,
    playouts: u16,
    choice: Option<Choice>,
    tree: Tree,
    going: Option<RunningPlayout>,
}

/// The points where a move of `side` can change nothing because they are settled for
/// `owner`. These are all such points, except for own areas with stones that `side` could
/// capture.
fn futile<W: Word>(grid: &Grid<W>, stones: &Stones<W>, side: Side, owner: Side) -> Points<W> {
    let sure = settled(grid, stones, owner);
    if owner != side {
        return sure;
    }
    let rooms = sure.without(stones.of(side));
    sure.without(spread(grid, stones.of(side.other()), rooms))
}

impl<W: Word> Sampler<W> {
    /// Starts the turn: collects the moves to choose from.
    fn begin(&mut self, game: &SpeedGo<W>, side: Side, context: &mut Context<'_, W>) {
        let grid = context.grid();
        self.rng = Some(context.rng.split());
        self.tree.plant(grid.sides().points());
        let legal = game.legal(context.ground);
        let own = game.stones().of(side);
        let eyes = legal
            .without(beside(grid, grid.all().without(own)))
            .filter(|point| is_own_eye(grid, game.stones(), side, *point));
        self.candidates = legal.without(eyes.collect());
    }

    /// Removes settled points, for one side in each call, which takes the work of a tick.
    /// False if there is nothing more to remove.
    fn narrow(&mut self, game: &SpeedGo<W>, side: Side, grid: &Grid<W>) -> bool {
        let owner = Side::BOTH.get(usize::from(self.narrowed)).copied();
        let Some(owner) = owner.filter(|_| !self.candidates.is_empty()) else {
            return false;
        };
        let futile = futile(grid, game.stones(), side, owner);
        self.candidates = self.candidates.without(futile);
        self.narrowed += 1;
        true
    }

    /// Plays random games for one tick.
    fn think(&mut self, game: &SpeedGo<W>, side: Side, plan: Plan, grid: &Grid<W>) {
        // One variant for each word width, so that an image with one word contains only
        // one.
        match W::BITS {
            ..=64 => self.think_on::<SMALL>(game, side, plan, grid),
            65..=128 => self.think_on::<MEDIUM>(game, side, plan, grid),
            _ => self.think_on::<LARGE>(game, side, plan, grid),
        }
    }

    #[inline(never)] // One board in the stack frame, not one of each size.
    fn think_on<const CELLS: usize>(
        &mut self,
        game: &SpeedGo<W>,
        side: Side,
        plan: Plan,
        grid: &Grid<W>,
    ) {
        let Some(rng) = &mut self.rng else {
            return;
        };
        let (mut board, path, mut moves_left);
        if let Some(going) = &self.going {
            board = PlayoutBoard::<CELLS>::resume(grid, &going.left);
            path = going.path.clone();
            moves_left = going.moves_left;
        } else {
            board = PlayoutBoard::<CELLS>::new(grid, game.stones(), side, game.ko(grid));
            let mut rollout = InTheHead::new(&mut board, grid, plan.sees_urgent);
            path = self.tree.descend(&mut rollout, self.candidates);
            moves_left = MOVES_PER_POINT * grid.sides().points() as u16;
        }
        // If the game was stored when it was already finished, only learning is left.
        let mut may_learn = true;
        loop {
            let is_finished = board.is_over() || board.is_lopsided() || moves_left == 0;
            if is_finished && may_learn {
                self.playouts = self.playouts.saturating_add(1);
                let rollout = InTheHead::new(&mut board, grid, plan.sees_urgent);
                self.tree.learn(&path, side, &rollout);
                self.going = None;
                return;
            }
            if is_finished || board.effort() >= EFFORT_PER_WAKE {
                break;
            }
            board.advance(plan.style, rng);
            moves_left = moves_left.saturating_sub(1);
            may_learn = board.effort() <= EFFORT_BEFORE_LEARNING;
        }
        self.going = Some(RunningPlayout {
            left: board.leave(grid),
            moves_left,
            path,
        });
    }

    /// The move that the player would make now.
    fn decide(&self, game: &SpeedGo<W>, side: Side, grid: &Grid<W>) -> Choice {
        let areas = area(grid, game.stones());
        let leads = areas[side.index()].len() > areas[side.other().index()].len();
        let favourite = self.tree.favourite();
        let is_decided = favourite
            .is_some_and(|(_, mean)| mean <= AS_GOOD_AS_LOST || (mean >= AS_GOOD_AS_WON && leads));
        if is_decided && are_divided(grid, game.stones(), areas) {
            return Choice::Pass;
        }
        let may_stop = leads && self.candidates.len() <= FEW;
        let point = favourite.map(|(point, _)| point);
        point
            .filter(|point| self.candidates.has(*point))
            .or_else(|| self.tree.best_liked(side, self.candidates))
            .filter(|point| {
                let after = game.after(grid, *point);
                after.is_some_and(|(stones, caught)| {
                    !(may_stop && is_in_vain(grid, side, *point, &stones, caught))
                })
            })
            .map_or(Choice::Pass, Choice::Touch)
    }
}

/// True if the stone that was placed here captured nothing and can be captured
/// immediately.
fn is_in_vain<W: Word>(
    grid: &Grid<W>,
    side: Side,
    point: Point,
    stones: &Stones<W>,
    caught: Points<W>,
) -> bool {
    let group = spread(grid, Points::one(point), stones.of(side));
    caught.is_empty() && stones.liberties(grid, group).len() < 2
}

/// True if the point is an eye of one point: its neighbours are own stones, and at most
/// one of its corners has a stone of the other side (none at the edge).
fn is_own_eye<W: Word>(grid: &Grid<W>, stones: &Stones<W>, side: Side, point: Point) -> bool {
    let here = Points::one(point);
    let near = grid.straight_neighbours(here);
    let around = grid.neighbours(here);
    let corners = around.without(near) & stones.of(side.other());
    let at_edge = usize::from(around.len() < 8);
    near.without(stones.of(side)).is_empty() && corners.len() + at_edge < 2
}

impl<W: Word> Player<W, SpeedGo<W>> for Sampler<W> {
    fn read(&mut self, source: &mut StateReader<'_>) -> Option<()> {
        let Sampler {
            pace,
            rng,
            candidates,
            narrowed,
            playouts,
            choice,
            tree,
            going,
        } = self;
        source.read(pace)?;
        source.read(rng)?;
        source.read(candidates)?;
        source.read(narrowed)?;
        source.read(playouts)?;
        source.read(choice)?;
        tree.read(source)?;
        source.read(going)
    }

    fn wakes_at(&self) -> Tick {
        self.pace.wakes_at()
    }

    fn wake(&mut self, game: &SpeedGo<W>, level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        let Some(side) = game.turn() else {
            return BoardTurn::Wait;
        };
        let (grid, now) = (context.grid(), context.now);
        if self.pace.begins(now) {
            self.begin(game, side, context);
            return BoardTurn::Wait;
        }
        if self.narrow(game, side, grid) {
            return BoardTurn::Wait;
        }
        if let Some(choice) = self.choice {
            return choice.into();
        }
        let plan = *at_level(&PLANS, level);
        let knows = self.playouts >= plan.playouts || self.candidates.is_empty();
        match self.pace.due(now, knows, THINK_MS) {
            Due::Think => self.think(game, side, plan, grid),
            Due::Rest => {}
            Due::Answer => self.choice = Some(self.decide(game, side, grid)),
        }
        BoardTurn::Wait
    }

    #[cfg(feature = "host")]
    fn thought(&self, _game: &SpeedGo<W>, _ground: &Ground<W>) -> Thought {
        let favourite = self.tree.favourite();
        let decided = match self.choice {
            Some(Choice::Touch(point)) => Some(point),
            Some(Choice::Pass) | None => None,
        };
        Thought {
            best: decided.or(favourite.map(|(point, _)| point)),
            worth: favourite.map(|(_, mean)| Worth::WonPermille((mean * 1_000 / 256) as u16)),
            playouts: self.playouts.into(),
            began: self.pace.began(),
            ..Thought::default()
        }
    }

    fn hurry(&mut self, game: &SpeedGo<W>, _level: u8, context: &mut Context<'_, W>) -> BoardTurn {
        let Some(side) = game.turn() else {
            return BoardTurn::Wait;
        };
        if self.pace.begins(context.now) {
            self.begin(game, side, context);
        }
        while self.narrow(game, side, context.grid()) {}
        self.decide(game, side, context.grid()).into()
    }

    fn is_sound(&self, ground: &Ground<W>) -> bool {
        let grid = ground.grid();
        let points = grid.sides().points();
        let going_is_sound = self
            .going
            .as_ref()
            .is_none_or(|going| going.left.is_sound(grid) && self.tree.has_path(&going.path));
        let choice_is_sound = match self.choice {
            Some(Choice::Touch(point)) => grid.sides().has(point),
            Some(Choice::Pass) | None => true,
        };
        choice_is_sound
            && self.candidates.without(grid.all()).is_empty()
            && self.tree.is_sound(points)
            && going_is_sound
    }
}

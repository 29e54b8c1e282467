#![doc = include_str!("../README.md")]
//!
//! - [`Plan`]: tables for a game. `make` fills them: `make/asks` from conditions,
//!   `make/plays` from moves. `sets`, `shapes`, `rows`, `leads` and `catches` are one table
//!   each.
//! - [`Playout`]: random games that are played with them.
//!
//! Invariants: a playout draws the same random numbers, and reaches the same positions, as
//! [`Machine::play_random`].

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

use core::cell::Cell;

use firmware_core::cartridge::bytes::{Cartridge, PHASES, PLAYERS, SITES, flag};
use firmware_core::cartridge::inside::Gait;
use firmware_core::cartridge::machine::Machine;
use firmware_core::cartridge::span::Span;
use firmware_core::cartridge::state::State;
use firmware_core::points::Points;
use heapless::Vec;

mod catches;
mod follow;
mod leads;
mod make;
mod maker;
mod rows;
mod sets;
mod shapes;

use catches::Catch;
pub use follow::Playout;
use leads::Leads;
use maker::{Maker, NODES};
use rows::{Levels, Rows, Words};
use sets::Set;
use shapes::Shapes;

/// The maximum number of entries in each table of a plan.
const MOST: usize = 32;
/// The fuel of the machine that evaluates parts of the program while a plan is made.
const STEPS: u32 = 1 << 26;
/// The maximum number of consequences of a move.
const THENS: usize = 2;
/// The maximum number of kinds of moves in a random choice.
const LOTS: usize = 4;
/// The index that stands for no entry.
const NONE: u8 = u8::MAX;

/// The number of players, including nobody.
const MOVERS: usize = PLAYERS + 1;

/// A value for each mover.
type Each<T> = [T; MOVERS];

/// A condition of a plan.
#[derive(Clone, Copy)]
enum Ask {
    /// Always true, or always false.
    Is(bool),
    /// The mover also made the last move.
    SameTurn,
    /// The number of moves, modulo the first number, is the second.
    Rest(i32, i32),
    /// A line of this length on some axes, through the last site or the current one.
    Line {
        axes: u8,
        length: u8,
        is_exact: bool,
        is_last: bool,
        node: u16,
    },
    /// A line of this length on stacks, through the top of the last site: on axes, or on ways if
    /// they have no rows.
    Levels { ways: u32, length: i32, axes: u8 },
    /// One of the walks of a shape from the last site or the current one is complete.
    Shape { shape: u8, is_last: bool, node: u16 },
    /// A player has at most this many pieces.
    Few { who: Who, most: i32 },
    /// A set of sites is empty.
    Vacant(u8),
    /// There is a move of this play.
    Can(u8),
    /// The next player has no move.
    NoMoves,
    /// The condition does not hold.
    Not(u8),
    /// Both conditions hold.
    And(u8, u8),
    /// At least one of the two conditions holds.
    Or(u8, u8),
    /// The machine evaluates this node.
    Node(u16),
}

/// A player, by number or by role.
#[derive(Clone, Copy)]
enum Who {
    Mover,
    Next,
    Previous,
    Number(u8),
}

/// The pieces that may move.
#[derive(Clone, Copy)]
enum Pieces {
    /// The mover's pieces on a set of sites.
    Owned(u8),
    /// The pieces of a kind on a set of sites.
    Kind(Each<u8>, u8),
    /// The piece that moved last.
    Last,
}

/// The ways along which they move.
#[derive(Clone, Copy)]
enum Ways {
    /// A choice of ways for each owner of pieces.
    Of(u16),
    /// The way of the last move, or its opposite, if it is among a choice.
    Last(u16, bool),
}

/// Moves of pieces along ways.
#[derive(Clone, Copy)]
struct Go {
    gait: Gait,
    pieces: Pieces,
    ways: Ways,
    /// The node of the piece's move.
    leaf: u16,
    /// The set of pieces that may be hopped over.
    stop: u8,
    /// True if the pieces that are hopped over are captured.
    takes: bool,
    /// True if rows are used, to find how far a slide goes or the way of the last move.
    by_rows: bool,
    /// The table of steps, if there is one.
    leads: u8,
    /// True if a table has the neighbours along all of its ways.
    is_near: bool,
}

/// Moves, as indices into the tables.
#[derive(Clone, Copy)]
enum Play {
    /// Only the machine can generate these moves.
    Unknown,
    /// If the first condition holds, the second play, otherwise the third.
    If(u8, u8, u8),
    /// Places a piece on a site of a set, or with `below` on a stack of fewer pieces than that.
    Add {
        what: Each<u8>,
        sites: u8,
        below: Option<u8>,
        thens: [u8; THENS],
    },
    /// Moves a piece from a site of one set to a site of another.
    Carry {
        froms: u8,
        tos: u8,
        thens: [u8; THENS],
    },
    /// Moves pieces along ways.
    Go(u8, [u8; THENS]),
    /// Places a piece on a site in sight of the last site.
    Shoot { what: u8, ways: u16 },
    /// Removes a piece of a set if a condition holds.
    Take {
        sites: u8,
        only: u8,
        thens: [u8; THENS],
    },
    /// A random choice between several plays.
    Lots([u8; LOTS]),
    /// The mover passes the turn.
    Pass,
}

/// A consequence of a move.
#[derive(Clone, Copy)]
enum Then {
    /// The mover moves again if a condition holds.
    Again(u8),
    /// The captured pieces are removed.
    Catch,
}

/// A rule of the end: its node, and the condition under which it is evaluated.
#[derive(Clone, Copy)]
struct End {
    when: u8,
    node: u16,
    /// The number of rules in the node.
    rules: u8,
}

/// The phase that follows another.
#[derive(Clone, Copy)]
struct Next {
    phase: u8,
    /// The player that the condition is about; all players if there is none.
    who: Option<Who>,
    when: u8,
    to: u8,
}

/// The neighbours of each site along some ways.
struct Nears<W> {
    ways: u32,
    of: [Points<W>; SITES],
}

/// Tables with which random games are played.
pub struct Plan<'g, W: Span> {
    game: &'g Cartridge<'g>,
    /// The initial position, unless it is random.
    begun: Option<State<W>>,
    phases: [u8; PHASES],
    plays: Vec<Play, MOST>,
    goes: Vec<Go, MOST>,
    thens: Vec<Then, MOST>,
    asks: Vec<Ask, MOST>,
    sets: Vec<Set<W>, MOST>,
    ends: Vec<End, MOST>,
    nexts: Vec<Next, MOST>,
    /// False if the plan cannot play turns of this game.
    fits: bool,
    /// The play of a game in which two players only place pieces in turn.
    dashes: u8,
    /// False if the machine decides which phase follows.
    knows_nexts: bool,
    rows: Rows,
    /// True if a condition needs the rows, or the levels on them.
    keeps_rows: bool,
    keeps_levels: bool,
    /// The height at which a stack is full.
    below: Option<u8>,
    shapes: Shapes<W>,
    nears: Nears<W>,
    leads: Vec<Leads, 2>,
    /// The phases that another phase may follow, as bits.
    followed: u16,
    catches: Vec<Catch, 1>,
}

impl<'g, W: Span> Plan<'g, W> {
    /// Makes the plan of a game; `None` if `W` is too narrow for its sites.
    #[must_use]
    pub fn of(game: &'g Cartridge<'g>) -> Option<Self> {
        let mut machine = Machine::new(game)?;
        machine.refuel(STEPS);
        let mut plan = Plan {
            game,
            begun: None,
            phases: [NONE; PHASES],
            plays: Vec::new(),
            goes: Vec::new(),
            thens: Vec::new(),
            asks: Vec::new(),
            sets: Vec::new(),
            ends: Vec::new(),
            nexts: Vec::new(),
            fits: false,
            dashes: NONE,
            knows_nexts: false,
            rows: Rows::NONE,
            leads: Vec::new(),
            followed: 0,
            keeps_rows: false,
            keeps_levels: false,
            below: None,
            nears: Nears {
                ways: 0,
                of: [Points::NONE; SITES],
            },
            shapes: Shapes::NONE,
            catches: Vec::new(),
        };
        const ODD: u16 = flag::CHANCE | flag::NO_REPEAT | flag::NO_REPEAT_SITUATION;
        if !game.is(ODD) {
            machine.start();
            plan.begun = (!machine.gave_up()).then_some(machine.state);
        }
        let mut maker = Maker {
            game,
            machine: &mut machine,
            plan: &mut plan,
            left: Cell::new(NODES),
        };
        maker.make();
        plan.keeps_levels &= Levels::has_room(&plan.rows, game.stack());
        Some(plan)
    }
}

#![doc = include_str!("../README.md")]
//!
//! - [`Plan`]: what is known of a game. `make` finds it out, part by part: `make/asks`
//!   truths, `make/plays` moves; `sets`, `shapes`, `rows`, `leads` and `catches`
//!   tabulate.
//! - [`Playout`]: random games by it.
//!
//! Invariants: a playout draws the same numbers and comes to the same
//! positions as [`Machine::play_random`].

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

/// The most of each kind of thing that a plan knows.
const MOST: usize = 32;
/// The steps that a machine takes at most to find out what a plan asks it.
const STEPS: u32 = 1 << 26;
/// What comes after a move at most.
const THENS: usize = 2;
/// The kinds of moves among which a lot is drawn, at most.
const LOTS: usize = 4;
/// In the place of one of them: there is none.
const NONE: u8 = u8::MAX;

/// Players, and nobody.
const MOVERS: usize = PLAYERS + 1;

/// A number for each mover.
type Each<T> = [T; MOVERS];

/// A truth.
#[derive(Clone, Copy)]
enum Ask {
    /// Always, or never.
    Is(bool),
    /// The mover made the last move too.
    SameTurn,
    /// The moves, divided by the first number, leave the second.
    Rest(i32, i32),
    /// A line of a given length through the last site, or through the one in question;
    /// on some axes.
    Line {
        axes: u8,
        length: u8,
        is_exact: bool,
        is_last: bool,
        node: u16,
    },
    /// A line of a given length on stacks, through the top of the last site; on axes,
    /// or else on ways.
    Levels {
        ways: u32,
        length: i32,
        axes: u8,
    },
    /// One of the shapes at the last site, or at the one that is asked of.
    Shape {
        shape: u8,
        is_last: bool,
        node: u16,
    },
    /// At most a given number of pieces.
    Few {
        who: Who,
        most: i32,
    },
    /// Nothing stands on a set.
    Vacant(u8),
    /// There is such a move.
    Can(u8),
    /// The next player has none.
    NoMoves,
    /// The contrary.
    Not(u8),
    /// Both, or either.
    And(u8, u8),
    Or(u8, u8),
    /// The program is asked.
    Node(u16),
}

/// A player.
#[derive(Clone, Copy)]
enum Who {
    Mover,
    Next,
    Previous,
    Number(u8),
}

/// Which pieces go.
#[derive(Clone, Copy)]
enum Pieces {
    /// Those of the mover on a set.
    Owned(u8),
    /// Those of a kind, on a set.
    Kind(Each<u8>, u8),
    /// The one that went last.
    Last,
}

/// On which ways.
#[derive(Clone, Copy)]
enum Ways {
    /// These, by who owns the piece.
    Of(u16),
    /// That of the last move, of a choice, or its opposite.
    Last(u16, bool),
}

/// Moves of pieces on ways.
#[derive(Clone, Copy)]
struct Go {
    gait: Gait,
    pieces: Pieces,
    ways: Ways,
    /// The node of the piece's move.
    leaf: u16,
    /// Whose pieces are hopped over: a set.
    stop: u8,
    /// True if they are taken.
    takes: bool,
    /// True if rows tell how far it slides, or what the last way is.
    by_rows: bool,
    /// Where it steps to, if that is known.
    leads: u8,
    /// True if it steps or slides to what is next to it on all of the ways.
    is_near: bool,
}

/// Moves.
#[derive(Clone, Copy)]
enum Play {
    /// Those that the machine alone knows.
    Unknown,
    /// One or the other.
    If(u8, u8, u8),
    /// A piece on a site of a set; with a height, on top of fewer pieces than that.
    Add {
        what: Each<u8>,
        sites: u8,
        below: Option<u8>,
        thens: [u8; THENS],
    },
    /// A piece from a set to another.
    Carry {
        froms: u8,
        tos: u8,
        thens: [u8; THENS],
    },
    /// Pieces on ways.
    Go(u8, [u8; THENS]),
    /// A piece on a site in sight of the last one.
    Shoot { what: u8, ways: u16 },
    /// A piece of a set away, where something is true.
    Take {
        sites: u8,
        only: u8,
        thens: [u8; THENS],
    },
    /// One of several.
    Lots([u8; LOTS]),
    /// Nothing.
    Pass,
}

/// What comes after a move.
#[derive(Clone, Copy)]
enum Then {
    /// The mover goes on, if it is so.
    Again(u8),
    /// What is caught goes.
    Catch,
}

/// A rule of the end: a node, and when it is asked for.
#[derive(Clone, Copy)]
struct End {
    when: u8,
    node: u16,
    /// How many rules it has.
    rules: u8,
}

/// What follows a phase.
#[derive(Clone, Copy)]
struct Next {
    phase: u8,
    /// The player of whom it is asked; all if there is none.
    who: Option<Who>,
    when: u8,
    to: u8,
}

/// The sites next to each site, on some ways.
struct Nears<W> {
    ways: u32,
    of: [Points<W>; SITES],
}

/// A game that was looked at.
pub struct Plan<'g, W: Span> {
    game: &'g Cartridge<'g>,
    /// The first position, if nothing of it is left to chance.
    begun: Option<State<W>>,
    phases: [u8; PHASES],
    plays: Vec<Play, MOST>,
    goes: Vec<Go, MOST>,
    thens: Vec<Then, MOST>,
    asks: Vec<Ask, MOST>,
    sets: Vec<Set<W>, MOST>,
    ends: Vec<End, MOST>,
    nexts: Vec<Next, MOST>,
    /// False if nothing of the turn itself is known.
    fits: bool,
    /// The play, if two players put pieces in turn and nothing else is done.
    dashes: u8,
    /// False if what follows a phase is left to the machine.
    knows_nexts: bool,
    rows: Rows,
    /// True if it is asked what stands on them, and what on their levels.
    keeps_rows: bool,
    keeps_levels: bool,
    /// How high stacks are on which no more pieces are put.
    below: Option<u8>,
    shapes: Shapes<W>,
    nears: Nears<W>,
    leads: Vec<Leads, 2>,
    /// The phases that something follows, a bit each.
    followed: u16,
    catches: Vec<Catch, 1>,
}

impl<'g, W: Span> Plan<'g, W> {
    /// Looks at a game; `None` if the word is too narrow for its sites.
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

    /// True if there is a kind of moves in the game that is known.
    #[must_use]
    pub fn knows_moves(&self) -> bool {
        self.fits
            && self
                .plays
                .iter()
                .any(|play| !matches!(play, Play::Unknown | Play::If(..)))
    }
}

#![doc = include_str!("../README.md")]
//!
//! - [`Plan`]: tables for a game. `recognise` fills them: `recognise/conditions` from
//!   conditions, `recognise/plays` from moves. `sets`, `shapes`, `rows`, `step_table` and
//!   `custodial` are one table each.
//! - [`Playout`]: random games that are played with them.
//!
//! Invariants: a playout draws the same random numbers, and reaches the same positions, as
//! [`Machine::play_random`].

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

use core::cell::Cell;

use firmware_core::cartridge::bytes::{Cartridge, PHASES, PLAYERS, SITES, flag};
use firmware_core::cartridge::inside::{Bearing, Gait};
use firmware_core::cartridge::machine::Machine;
use firmware_core::cartridge::state::State;
use firmware_core::points::Points;
use firmware_core::word::Word;
use heapless::Vec;

mod builder;
mod custodial;
mod playout;
mod recognise;
mod rows;
mod sets;
mod shapes;
mod step_table;
mod tables;

use builder::{NODES, PlanBuilder};
use custodial::Custodial;
pub use playout::Playout;
use rows::{Levels, RowOccupancies, Rows};
use sets::Set;
use shapes::Shapes;
use step_table::StepTable;
use tables::{
    ConditionId, ConsequenceId, PieceMovesId, PlayId, SetId, ShapeId, StepTableId, Table,
};

/// The maximum number of rules of the end, and of changes of phases.
const MAX_RULES: usize = 32;
/// The fuel of the machine that evaluates parts of the program while a plan is made.
const FUEL: u32 = 1 << 26;
/// The maximum number of consequences of a move.
const MAX_CONSEQUENCES: usize = 2;
/// The maximum number of plays among which one move is chosen.
const MAX_CHOICES: usize = 4;

/// The number of players, including nobody.
const MOVERS: usize = PLAYERS + 1;

/// A value for each mover.
type ForEachMover<T> = [T; MOVERS];
/// The consequences of a move, in order.
type Consequences = [Option<ConsequenceId>; MAX_CONSEQUENCES];
/// The consequences of a move that has none.
const NO_CONSEQUENCES: Consequences = [None; MAX_CONSEQUENCES];

/// A condition of a plan.
#[derive(Clone, Copy)]
enum Condition {
    /// Always true, or always false.
    Always(bool),
    /// The mover also made the last move.
    SameTurn,
    /// The number of moves leaves this remainder.
    MovesModulo { divisor: i32, remainder: i32 },
    /// A line of this length on some axes, through the last site or the current one.
    Line {
        axes: u8,
        length: u8,
        is_exact: bool,
        is_last: bool,
        node: u16,
    },
    /// A line of this length on stacks, through the top of the last site: on axes, or on
    /// ways if they have no rows.
    LineOnStacks { ways: u32, length: i32, axes: u8 },
    /// One of the walks of a shape from the last site or the current one is complete.
    Shape {
        shape: ShapeId,
        is_last: bool,
        node: u16,
    },
    /// A player has at most this many pieces.
    AtMostPieces { who: Who, most: i32 },
    /// A set of sites has no pieces.
    Unoccupied(SetId),
    /// There is a move of this play.
    HasMove(PlayId),
    /// The next player has no move.
    NoMoves,
    /// The condition does not hold.
    Not(ConditionId),
    /// Both conditions hold.
    And(ConditionId, ConditionId),
    /// At least one of the two conditions holds.
    Or(ConditionId, ConditionId),
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
    Owned(SetId),
    /// The pieces of a kind on a set of sites.
    Kind(ForEachMover<u8>, SetId),
    /// The piece that moved last.
    Last,
}

/// The ways along which they move.
#[derive(Clone, Copy)]
enum Ways {
    /// A choice of ways for each owner of pieces.
    Of(u16),
    /// The way of the last move, or its opposite, if it is among a choice.
    Last(u16, Bearing),
}

/// Moves of pieces along ways.
#[derive(Clone, Copy)]
struct PieceMoves {
    gait: Gait,
    pieces: Pieces,
    ways: Ways,
    /// The node of the piece's move.
    leaf: u16,
    /// The pieces that a hop may go over.
    hurdles: Option<SetId>,
    /// True if the pieces that are hopped over are captured.
    captures: bool,
    /// True if rows are used, to find how far a slide goes or the way of the last move.
    by_rows: bool,
    step_table: Option<StepTableId>,
    /// True if [`Neighbours`] has those along all of its ways.
    has_neighbours: bool,
}

/// A generator of moves.
#[derive(Clone, Copy)]
enum Play {
    /// Only the machine can generate these moves.
    Unknown,
    /// One play or another.
    If {
        condition: ConditionId,
        then: PlayId,
        otherwise: PlayId,
    },
    /// Places a piece on a site of a set, or with `below` on a stack of fewer pieces than
    /// that.
    Add {
        what: ForEachMover<u8>,
        sites: SetId,
        below: Option<u8>,
        consequences: Consequences,
    },
    /// Moves a piece from a site of one set to a site of another.
    FromTo {
        froms: SetId,
        tos: SetId,
        consequences: Consequences,
    },
    /// Moves pieces along ways.
    Along {
        moves: PieceMovesId,
        consequences: Consequences,
    },
    /// Places a piece on a site in sight of the last site.
    Shoot { what: u8, ways: u16 },
    /// Removes a piece of a set, if a condition holds for its site.
    Remove {
        sites: SetId,
        only_if: Option<ConditionId>,
        consequences: Consequences,
    },
    /// Chooses among the moves of several plays.
    AnyOf([Option<PlayId>; MAX_CHOICES]),
    /// The mover passes the turn.
    Pass,
}

/// A consequence of a move.
#[derive(Clone, Copy)]
enum Consequence {
    /// The mover moves again if a condition holds.
    MoveAgain(ConditionId),
    /// The enclosed pieces are captured, as [`Plan::custodial`] says.
    Custodial,
}

/// A rule of the end: its node, and the condition under which it is evaluated.
#[derive(Clone, Copy)]
struct EndRule {
    when: ConditionId,
    node: u16,
    /// The number of rules in the node.
    rules: u8,
}

/// A rule by which one phase follows another.
#[derive(Clone, Copy)]
struct PhaseChange {
    from: u8,
    /// The player that the condition is about; all players if there is none.
    who: Option<Who>,
    when: ConditionId,
    to: u8,
}

/// The neighbours of each site along some ways.
struct Neighbours<W> {
    ways: u32,
    of: [Points<W>; SITES],
}

/// Tables with which random games are played.
pub struct Plan<'g, W: Word> {
    game: &'g Cartridge<'g>,
    /// The initial position, unless it is random.
    begun: Option<State<W>>,
    /// The play of each phase; none if only the machine can generate its moves.
    phases: [Option<PlayId>; PHASES],
    plays: Table<PlayId, Play>,
    piece_moves: Table<PieceMovesId, PieceMoves>,
    consequences: Table<ConsequenceId, Consequence>,
    conditions: Table<ConditionId, Condition>,
    sets: Table<SetId, Set<W>>,
    ends: Vec<EndRule, MAX_RULES>,
    phase_changes: Vec<PhaseChange, MAX_RULES>,
    /// False if the plan cannot play turns of this game.
    fits: bool,
    /// The play of a game in which two players only place pieces in turn.
    placements: Option<PlayId>,
    /// False if the machine decides which phase follows.
    knows_phase_changes: bool,
    rows: Rows,
    /// True if a condition needs the rows, or the levels on them.
    keeps_rows: bool,
    keeps_levels: bool,
    /// The height at which a stack is full.
    below: Option<u8>,
    shapes: Shapes<W>,
    neighbours: Neighbours<W>,
    step_tables: Table<StepTableId, StepTable, 2>,
    /// The phases that another phase may follow, as bits.
    phases_that_end: u16,
    custodial: Option<Custodial>,
}

impl<'g, W: Word> Plan<'g, W> {
    /// Makes the plan of a game; `None` if `W` is too narrow for its sites.
    #[must_use]
    pub fn of(game: &'g Cartridge<'g>) -> Option<Self> {
        let mut machine = Machine::new(game)?;
        machine.refuel(FUEL);
        let mut plan = Plan {
            game,
            begun: None,
            phases: [None; PHASES],
            plays: Table::NONE,
            piece_moves: Table::NONE,
            consequences: Table::NONE,
            conditions: Table::NONE,
            sets: Table::NONE,
            ends: Vec::new(),
            phase_changes: Vec::new(),
            fits: false,
            placements: None,
            knows_phase_changes: false,
            rows: Rows::NONE,
            keeps_rows: false,
            keeps_levels: false,
            below: None,
            shapes: Shapes::NONE,
            neighbours: Neighbours {
                ways: 0,
                of: [Points::NONE; SITES],
            },
            step_tables: Table::NONE,
            phases_that_end: 0,
            custodial: None,
        };
        const ODD: u16 = flag::CHANCE | flag::NO_REPEAT | flag::NO_REPEAT_SITUATION;
        if !game.is(ODD) {
            machine.start();
            plan.begun = (!machine.gave_up()).then_some(machine.state);
        }
        let mut builder = PlanBuilder {
            game,
            machine: &mut machine,
            plan: &mut plan,
            left: Cell::new(NODES),
        };
        builder.build();
        plan.keeps_levels &= Levels::has_room(&plan.rows, game.stack());
        Some(plan)
    }
}

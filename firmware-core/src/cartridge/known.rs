//! The results that a machine stores about sites, nodes and candidates.
//!
//! Each kind of result is filled and read in its own file. The types are here, so that
//! the machine can store them without importing those files.

use heapless::Vec;

use crate::points::Points;
use crate::word::Word;

use super::action::Draft;
use super::adapter::{Registers, TIES, Tie};
use super::op::NOTHING;
use super::state::QUESTIONS;

/// The number of notes that a machine keeps.
pub const NOTES: usize = 16;

/// The known values of a condition that depends on one site.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note<W> {
    /// The node whose value is stored.
    pub node: u16,
    /// The epoch of the position for which the value holds.
    pub epoch: u64,
    /// The sites for which the value is known.
    pub known: Points<W>,
    /// The sites for which the condition is true.
    pub holds: Points<W>,
}

impl<W: Word> Note<W> {
    /// A note that holds no value.
    pub(super) const NOTHING: Self = Note {
        node: NOTHING,
        epoch: u64::MAX,
        known: Points::NONE,
        holds: Points::NONE,
    };
}

/// How a piece moves along a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gait {
    /// One step to the neighbouring site.
    Step,
    /// A hop over the next site to the one behind it.
    Hop,
    /// A slide as far as the way is open.
    Slide,
}

/// A single move of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Single {
    /// The node that generates the move.
    pub node: u16,
    /// The site where the move starts.
    pub from: u8,
    /// The site where the move ends.
    pub to: u8,
    /// The direction in which it goes.
    pub way: u8,
}

/// The number of analysed nodes that are kept for each player to move.
pub(super) const PLAINS: usize = 4;
/// The largest number of consequences of a plain move.
pub(super) const AFTERS: usize = 2;

/// The analysis of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    /// The node that was analysed.
    pub node: u16,
    /// The player to move.
    pub mover: u8,
    /// The plain moves of the node; `None` if its moves are not plain.
    pub moves: Option<PlainMoves>,
}

/// A description of plain moves, from which they are generated without their node.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainMoves {
    /// The kind of the piece; if it is a node, one of the pieces on these sites.
    pub what: u8,
    pub sites: u16,
    pub gait: Gait,
    pub ways: u32,
    /// The node of the piece's own move.
    pub leaf: u16,
    /// The sites that a hop jumps over.
    pub stop: u16,
    /// True if a move has effects besides the movement.
    pub has_effects: bool,
    /// The consequences of each move, in order; [`NOTHING`] for none.
    pub afters: [u16; AFTERS],
}

impl Plain {
    /// A record about no node.
    pub(super) const UNKNOWN: Plain = Plain {
        node: NOTHING,
        mover: 0,
        moves: None,
    };
}

/// The number of a candidate in a position: its part of the walk times `PART`, plus
/// its place in the part.
pub type Number = u32;

/// The questions that may be interrupted, and their progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asking {
    /// The number of steps in a call after which a question is left open.
    pub steps: u32,
    /// The number of questions asked so far in this call.
    pub many: usize,
    /// The candidates at which the questions continue. They are not part of the position,
    /// because a question may be asked after a move that is tried and taken back.
    pub from: [Number; QUESTIONS],
    /// True if a question was left open: all results since then are invalid.
    pub is_left: bool,
}

/// A candidate with everything that is needed to make it.
#[derive(Debug, Default)]
pub(super) struct Caught {
    pub number: Number,
    pub what: KnownMove,
    /// The ties of the candidate.
    pub ties: Vec<Tie, TIES>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) enum KnownMove {
    /// No candidate, or one with more ties than there is room for.
    #[default]
    Nothing,
    /// A single move of a batch, and the registers.
    Single(Single, Registers),
    /// The move whose actions the machine has kept.
    Kept(Draft),
}

//! What a machine found out and keeps: of sites, of nodes, of candidates.
//!
//! Each kind is filled and read elsewhere; here is what it holds, so that the machine
//! has it without knowing who looks it up.

use heapless::Vec;

use crate::points::Points;

use super::action::Draft;
use super::adapter::{Registers, TIES, Tie};
use super::op::NOTHING;
use super::span::Span;
use super::state::QUESTIONS;

/// How many notes there are.
pub const NOTES: usize = 16;

/// What is known of a condition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note<W> {
    /// The node whose value is stored.
    pub node: u16,
    /// The epoch of the position for which the value holds.
    pub epoch: u64,
    /// The sites for which it is known.
    pub known: Points<W>,
    /// Those where it is so.
    pub holds: Points<W>,
}

impl<W: Span> Note<W> {
    /// A note that holds no value.
    pub(super) const NOTHING: Self = Note {
        node: NOTHING,
        epoch: u64::MAX,
        known: Points::NONE,
        holds: Points::NONE,
    };
}

/// How pieces go on a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gait {
    /// One step to the neighbouring site.
    Step,
    /// Over the next site to the one behind it.
    Hop,
    /// As far as they may.
    Slide,
}

/// One move of a batch.
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

/// How many nodes are known, for each player who moves.
pub(super) const PLAINS: usize = 4;
/// The most that comes after a plain move.
pub(super) const AFTERS: usize = 2;

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    /// The node that was analysed.
    pub node: u16,
    /// The player to move.
    pub mover: u8,
    /// What it comes to; `None` if its moves are not plain.
    pub moves: Option<PlainMoves>,
}

/// A description of plain moves, from which they are generated without their node.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainMoves {
    /// Which kind of piece; of those that stand on these sites, if it is a node.
    pub what: u8,
    pub sites: u16,
    pub gait: Gait,
    pub ways: u32,
    /// The node of the piece's move.
    pub leaf: u16,
    /// What it hops over, if it hops.
    pub stop: u16,
    /// True if more is done than that it moves.
    pub has_effects: bool,
    /// What comes after each of them, the first one first; [`NOTHING`] for none.
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

/// A move of a position: the part of the walk times `PART`, and the place there.
pub type Number = u32;

/// Questions that may be cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asking {
    /// The steps of a call, after which a question is left.
    pub steps: u32,
    /// How many were asked in this call.
    pub many: usize,
    /// The candidates with which they go on. Not in the position: a question may be
    /// asked after a move that is tried and taken back.
    pub from: [Number; QUESTIONS],
    /// True if one was left: what was found since is not to be believed.
    pub is_left: bool,
}

/// A candidate, and all that is needed to make it.
#[derive(Debug, Default)]
pub(super) struct Caught {
    pub number: Number,
    pub what: What,
    /// What is done with it on its way.
    pub ties: Vec<Tie, TIES>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) enum What {
    /// There is none, or more is done with it than there is room for.
    #[default]
    Nothing,
    /// One of a batch, and what is spoken of.
    Single(Single, Registers),
    /// The one whose actions the machine keeps.
    Kept(Draft),
}

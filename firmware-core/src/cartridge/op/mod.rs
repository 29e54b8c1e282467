//! The operations of a cartridge's program: the name, the result and the operands of
//! each.
//!
//! A program is a sequence of 16-bit words. A node starts with a word that contains the
//! number of its [`Op`] in the low byte and a small number `extra` in the high byte. One
//! word for each operand follows: a number, or the position of another node, which must
//! precede this one. Since nodes only refer to earlier ones, every run of a program ends,
//! and the stack that it needs is known in advance.

mod table;

pub use table::{Op, slot};
pub(super) use table::{moves, numbers, rules, sets, truths, ways};

/// The kind of value that a node has, or that an operand must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A number; it may be a site, with -1 for none.
    Number,
    /// A condition: true or false.
    Truth,
    /// A set of sites.
    Sites,
    /// A set of ways: directions from a site.
    Ways,
    /// Moves, or the consequences of moves.
    Moves,
    /// A rule that ends the game.
    End,
}

/// The kind of word that an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// The position of a node of this kind.
    Node(NodeKind),
    /// The position of a node of this kind, or [`NOTHING`].
    Maybe(NodeKind),
    /// A number that is used as it is.
    Raw,
    /// The index of a stored set.
    Set,
    /// The position of a table.
    Table,
    /// The number of a choice of ways.
    Choice,
}

impl Op {
    /// The node that replaces a node of this kind when no steps are left; it has the same
    /// kind and no operands.
    #[cold]
    #[inline(never)]
    pub(super) fn idle(self) -> Op {
        match self.gives() {
            NodeKind::Number => Op::Mover,
            NodeKind::Truth => Op::False,
            NodeKind::Sites => Op::Empty,
            NodeKind::Ways => Op::None,
            NodeKind::Moves | NodeKind::End => Op::None,
        }
    }

    /// The operand slots of a node with this `extra`, and the kind of each.
    pub fn operands(self, extra: u8) -> impl Iterator<Item = (OperandSlot, OperandKind)> + Clone {
        let more = self.each().map_or(0, |_| usize::from(extra));
        let kind = self.each().unwrap_or(NodeKind::Number);
        let takes = self.takes().iter().copied();
        let takes = takes.chain(core::iter::repeat_n(OperandKind::Node(kind), more));
        (1..).map(OperandSlot).zip(takes)
    }

    /// The operand slots whose moves a node passes on unchanged, possibly with added
    /// consequences, if it does nothing else. `extra` is the number in the node's word.
    #[inline]
    #[must_use]
    pub fn hands_on(self, extra: u8) -> Option<impl Iterator<Item = OperandSlot> + Clone> {
        let (first, last) = match self {
            Op::Then | Op::Afterwards => (slot::Then::MOVES.0, slot::Then::MOVES.0),
            Op::Any => (1, u16::from(extra)),
            Op::IfMoves => (slot::IfMoves::YES.0, slot::IfMoves::NO.0),
            _ => return None,
        };
        Some((first..=last).map(OperandSlot))
    }
}

/// The slot of an operand: its distance in words from the node's own word. Only the table
/// of operations below creates slots, so operands are always read by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandSlot(u16);

impl OperandSlot {
    /// The distance from the node's own word, in words.
    #[inline]
    #[must_use]
    pub const fn words(self) -> u16 {
        self.0
    }
}

/// The value of an absent operand.
pub const NOTHING: u16 = 0xFFFF;

/// Bits of `extra`, the number in a node's own word.
pub mod bit {
    /// Moves: the player decides whether to make them.
    pub const DECIDED: u8 = 1;
    /// [`Add`](super::Op::Add): the piece goes on top of the stack.
    pub const TOP: u8 = 2;
    /// [`FromTo`](super::Op::FromTo): the piece is copied, not moved.
    pub const COPY: u8 = 2;
    /// [`Remove`](super::Op::Remove): the pieces are removed when the turn is over.
    pub const LATER: u8 = 2;
    /// [`SetScore`](super::Op::SetScore): the number is added to the score.
    pub const MORE: u8 = 2;
    /// [`Around`](super::Op::Around), [`Along`](super::Op::Along): the start sites
    /// are included.
    pub const WITH_FIRST: u8 = 1;
    /// [`Along`](super::Op::Along): the site that stops the way is included.
    pub const WITH_STOP: u8 = 2;
    /// [`Remember`](super::Op::Remember): a site is stored once at most.
    pub const ONCE: u8 = 1;
    /// [`Reached`](super::Op::Reached): the sites at which moves start, not end.
    pub const STARTS: u8 = 1;
    /// [`LastWay`](super::Op::LastWay): the opposite of the way.
    pub const OPPOSITE: u8 = 1;
    /// [`IsPattern`](super::Op::IsPattern): the table contains next sites, not ways.
    pub const NEXT_SITES: u8 = 1;
    /// [`ForEachPiece`](super::Op::ForEachPiece): the moves for threats.
    pub const THREATS: u8 = 1;
    /// [`Sow`](super::Op::Sow): the starting pit is left out.
    pub const NOT_FIRST: u8 = 1;
}

/// Bits of `extra` in [`IsLine`](Op::IsLine) and [`IsLineAny`](Op::IsLineAny).
pub mod line {
    /// The line has exactly this length.
    pub const EXACT: u8 = 1;
    /// The line extends along one way only, not along its opposite as well.
    pub const ONE_WAY: u8 = 2;
    /// Gaps do not interrupt the line.
    pub const GAPS: u8 = 4;
    /// The line may be on any level of stacks.
    pub const LEVELS: u8 = 8;
    /// Only this way counts, where it continues from the site.
    pub const THIS_WAY: u8 = 16;
}

/// Values of `extra` in [`Sight`](Op::Sight).
pub mod sight {
    /// The first pieces.
    pub const PIECES: u8 = 0;
    /// The empty sites.
    pub const EMPTY: u8 = 1;
    /// The last empty sites.
    pub const FARTHEST: u8 = 2;
}

/// The one site that an [`Everywhere`](Op::Everywhere) depends on, as `extra` selects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum NotedSite {
    /// The register `to`.
    To,
    /// The site between the two ends of a move.
    Between,
    /// The current site of a loop over sites.
    Site,
}

impl NotedSite {
    /// The site that this `extra` selects.
    #[inline]
    #[must_use]
    pub const fn of(extra: u8) -> NotedSite {
        match extra {
            0 => NotedSite::To,
            1 => NotedSite::Between,
            _ => NotedSite::Site,
        }
    }

    /// The operation whose value is this site.
    #[inline]
    #[must_use]
    pub const fn op(self) -> Op {
        match self {
            NotedSite::To => Op::To,
            NotedSite::Between => Op::Between,
            NotedSite::Site => Op::Site,
        }
    }
}

/// How a [`Result`](Op::Result) ends the game for a player.
pub mod ending {
    /// The player has lost.
    pub const LOSS: u16 = 0;
    /// The player has won.
    pub const WIN: u16 = 1;
    /// All players draw, whoever is named.
    pub const DRAW: u16 = 2;
}

/// Numbers that are asked for often, and cost little.
macro_rules! frequent_numbers {
    () => {
        Op::Constant
            | Op::LastTo
            | Op::LastFrom
            | Op::From
            | Op::To
            | Op::Between
            | Op::Site
            | Op::Player
            | Op::Value
            | Op::Mover
            | Op::Next
            | Op::Previous
            | Op::Moves
            | Op::Who
            | Op::What
            | Op::CountAt
            | Op::Entry
            | Op::Modulo
            | Op::Distance
    };
}
pub(super) use frequent_numbers;

/// Conditions that are asked for often.
macro_rules! frequent_truths {
    () => {
        Op::Everywhere
            | Op::True
            | Op::False
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Equal
            | Op::Unequal
            | Op::Less
            | Op::AtMost
            | Op::IsEmpty
            | Op::IsFriend
            | Op::IsLine
            | Op::IsPattern
            | Op::IsConnected
            | Op::NoMoves
            | Op::CanMove
            | Op::AllPassed
    };
}
pub(super) use frequent_truths;

/// Moves that need a loop, or consist of other moves.
macro_rules! composed_moves {
    () => {
        Op::Add
            | Op::FromTo
            | Op::Step
            | Op::Slide
            | Op::Hop
            | Op::Leap
            | Op::Shoot
            | Op::Remove
            | Op::Select
            | Op::Any
            | Op::IfMoves
            | Op::ForEachPiece
            | Op::ForEachSite
            | Op::ForEachPlayer
            | Op::ForEachValue
            | Op::ForEachWay
            | Op::Foremost
            | Op::Afterwards
            | Op::Do
            | Op::Longest
            | Op::MostTaken
            | Op::Together
            | Op::Both
            | Op::Then
            | Op::Apply
            | Op::Custodial
            | Op::Surround
            | Op::Enclose
            | Op::Intervene
            | Op::Directional
            | Op::Scatter
            | Op::Sow
            | Op::Forget
            | Op::None
    };
}
pub(super) use composed_moves;

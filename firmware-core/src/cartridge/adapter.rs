//! The registers of a running program, and the adapters that a move passes on its way
//! to the visitor.

use heapless::Vec;

/// The registers of a running program: the sites, the player and the number that its
/// operations refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The site that a condition starts from; -1 for none.
    pub from: i16,
    /// The site that a condition leads to; -1 for none.
    pub to: i16,
    /// The site between the two ends of a move, such as that of a captured piece.
    pub between: i16,
    /// The current site of a loop over sites.
    pub site: i16,
    /// The current player of a loop over players.
    pub player: i16,
    /// The current number of a loop over numbers.
    pub value: i16,
}

impl Registers {
    /// Registers with their initial values.
    pub const NOTHING: Registers = Registers {
        from: -1,
        to: -1,
        between: -1,
        site: -1,
        player: -1,
        value: -1,
    };
}

/// What is applied to moves on their way to the visitor: a chain of adapters.
pub enum Adapter<'l> {
    /// The end of the chain: moves reach the visitor unchanged.
    End,
    /// Adds the consequences of this node to each move, then applies the next
    /// adapter.
    Then(u16, &'l Adapter<'l>),
    /// Drops the moves after which this condition is false, then applies the next
    /// adapter.
    After(u16, &'l Adapter<'l>),
    /// Applies these ties in order.
    Ties(&'l [Tie]),
}

/// One adapter of a move. It is stored by value, so that it outlives the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// A node that is evaluated as a consequence of the move.
    Then(u16),
    /// A condition: the move is visited only if it is true afterwards.
    After(u16),
}

/// The maximum number of ties of a move that is made later.
pub const TIES: usize = 8;

impl Adapter<'_> {
    /// True if a condition is evaluated after a move.
    #[must_use]
    pub fn asks(&self) -> bool {
        match self {
            Adapter::End => false,
            Adapter::Then(_, up) => up.asks(),
            Adapter::After(..) => true,
            Adapter::Ties(ties) => ties.iter().any(|tie| matches!(tie, Tie::After(_))),
        }
    }

    /// The same chain as a list, if it has at most [`TIES`] members.
    pub(super) fn ties(&self) -> Option<Vec<Tie, TIES>> {
        let mut ties = Vec::new();
        let mut adapter = self;
        loop {
            let (tie, up) = match adapter {
                Adapter::End => return Some(ties),
                Adapter::Then(node, up) => (Tie::Then(*node), up),
                Adapter::After(truth, up) => (Tie::After(*truth), up),
                Adapter::Ties(more) => {
                    ties.extend_from_slice(more).ok()?;
                    return Some(ties);
                }
            };
            ties.push(tie).ok()?;
            adapter = up;
        }
    }
}

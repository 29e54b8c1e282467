//! What a program speaks of while it runs, and what is done with a move on its way to
//! whoever hears of it.

use heapless::Vec;

/// What a program speaks of while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The site from which something is looked at; -1 none.
    pub from: i16,
    /// The site to which something is looked at.
    pub to: i16,
    /// The site between the two ends of a move, as a captured piece's.
    pub between: i16,
    /// The site of a loop.
    pub site: i16,
    /// The player of a loop.
    pub player: i16,
    /// The number of a loop.
    pub value: i16,
}

impl Registers {
    /// Registers of which none is set.
    pub const NOTHING: Registers = Registers {
        from: -1,
        to: -1,
        between: -1,
        site: -1,
        player: -1,
        value: -1,
    };
}

/// What is done to moves on their way to the visitor.
pub enum Adapter<'l> {
    /// The end of the chain: moves reach the visitor unchanged.
    End,
    /// This comes after each of them.
    Then(u16, &'l Adapter<'l>),
    /// Only those after which this is true.
    After(u16, &'l Adapter<'l>),
    /// These, the first one first.
    Ties(&'l [Tie]),
}

/// What is done with a move on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// A node that is evaluated as a consequence of the move.
    Then(u16),
    /// It is told of only if this is true after it.
    After(u16),
}

/// The most things that are done with a move that is made later.
pub const TIES: usize = 8;

impl Adapter<'_> {
    /// True if something is asked after a move.
    #[must_use]
    pub fn asks(&self) -> bool {
        match self {
            Adapter::End => false,
            Adapter::Then(_, up) => up.asks(),
            Adapter::After(..) => true,
            Adapter::Ties(ties) => ties.iter().any(|tie| matches!(tie, Tie::After(_))),
        }
    }

    /// The same as a row, if there is room for it.
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

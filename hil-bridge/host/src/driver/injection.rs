//! Why faults cannot be injected into a board.

use firmware_core::faults::{FaultKind, Lacking};

/// Why a board cannot have faults.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InjectionError {
    /// Nothing of the board at this place is simulated.
    #[error("faults can only be injected into a simulated board, and the one at {0} is not")]
    NotSimulated(String),
    /// This fault, or this option, is about a line, and the board has none.
    #[error(
        "{0} is about a line, and the board in this process has none: write --at virtual for one that does"
    )]
    NoLine(String),
    /// The fault is one of the board, whose contacts are not simulated.
    #[error(
        "`{}` is only possible on a board whose contacts are simulated, and those of the board at {at} are not: write --at core or --at virtual",
        .kind.name()
    )]
    RealContacts {
        /// The kind of the fault.
        kind: FaultKind,
        /// The place of the board.
        at: String,
    },
    /// The fault is one of the clock, and time is told to the board.
    #[error(
        "`clock-permille` needs a board with a clock of its own, and this one's time goes step by step: start `virtual-board --fault-clock-permille ...`"
    )]
    NoClock,
    /// The fault is one of a matrix, and the board at this place has tiles.
    #[error("the board at {0} has tiles: leave the faults of a matrix out, or --tiles")]
    NoMatrix(String),
    /// The fault is one of the lights, the clock or the power, and only the matrix of the
    /// board at this place is simulated.
    #[error(
        "the board at {0} can have a bad matrix (stuck, dead, bounce-ms, ghosting): its lights, its clock and its power are sound"
    )]
    OnlyMatrix(String),
    /// The board lacks a part that is named as faulty.
    #[error(transparent)]
    Lacking(#[from] Lacking),
}

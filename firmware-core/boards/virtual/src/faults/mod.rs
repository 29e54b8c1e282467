//! The faults of the core as options of a board.

use firmware_core::faults::Faults;

#[cfg(feature = "options")]
mod arguments;

/// Faults as options: `--fault-` followed by the name of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultOptions(pub Faults);

impl From<Faults> for FaultOptions {
    fn from(faults: Faults) -> FaultOptions {
        FaultOptions(faults)
    }
}

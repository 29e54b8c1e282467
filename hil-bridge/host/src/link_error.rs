//! Why a board at the end of a line cannot be reached.

use crate::driver::DriverError;

/// Why a board at the end of a line cannot be reached. The text is a sentence that says
/// what to do.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// There is no board at this place.
    #[error("{0}")]
    Open(String),
    /// The line to the board failed or ended.
    #[error("{0}")]
    Lost(String),
    /// The board did not answer.
    #[error("the board at {at} did not answer within {timeout_ms} ms: {}", what_to_check(.faults.as_deref()))]
    Silent {
        /// The place of the board.
        at: String,
        /// How long the host waited, in milliseconds.
        timeout_ms: u64,
        /// The simulated faults of the line, if it has any.
        faults: Option<String>,
    },
    /// Another program is using the board.
    #[error(
        "the board at {at} is busy: {who} has it, and a board has one host at a time: end that one, or start another board"
    )]
    Busy {
        /// The place of the board.
        at: String,
        /// The name of the other program's place, as the board reports it.
        who: String,
    },
    /// The board has a different version of the protocol.
    #[error(
        "the board at {at} speaks protocol {theirs_version} (schema {theirs:016x}), this program speaks {ours_version} (schema {ours:016x}): build firmware and bridge from the same sources"
    )]
    Version {
        /// The place of the board.
        at: String,
        /// The protocol version of the board.
        theirs_version: u16,
        /// The schema hash of the board.
        theirs: u64,
        /// The protocol version of this host.
        ours_version: u16,
        /// The schema hash of this host.
        ours: u64,
    },
}

/// What to do about a board that does not answer, as the end of a sentence. Faults that
/// somebody asked for are the first suspects.
fn what_to_check(faults: Option<&str>) -> String {
    const BOARD: &str = "check that it is switched on, connected, and runs touchboard firmware";
    match faults {
        None => BOARD.to_owned(),
        Some(faults) => format!(
            "its line has simulated faults ({faults}): take them away, or allow more time with --timeout-ms; without them, {BOARD}"
        ),
    }
}

impl LinkError {
    /// The error that there is no board at a place, with this reason.
    pub fn open(sentence: String) -> DriverError {
        LinkError::Open(sentence).into()
    }

    /// The error that a line failed or ended, with this reason.
    pub fn lost(sentence: String) -> DriverError {
        LinkError::Lost(sentence).into()
    }

    /// The error that the line to the board at a place was lost, for this reason.
    pub fn gone(at: &str, why: &str) -> DriverError {
        LinkError::lost(format!("the line to {at} was lost: {why}"))
    }

    /// The [`LinkError`] in a driver's error, if it is one.
    #[must_use]
    pub fn of(error: &DriverError) -> Option<&LinkError> {
        match error {
            DriverError::OutOfReach(error) => error.downcast_ref(),
            _ => None,
        }
    }

    /// True if another attempt may succeed: the line was lost, or another program had
    /// the board.
    #[must_use]
    pub fn may_pass(error: &DriverError) -> bool {
        let of_line = LinkError::of(error);
        matches!(of_line, Some(LinkError::Lost(_) | LinkError::Busy { .. }))
    }
}

impl From<LinkError> for DriverError {
    fn from(error: LinkError) -> DriverError {
        DriverError::OutOfReach(Box::new(error))
    }
}

//! The faults of a board whose contacts are simulated, which a host can read and replace.
//!
//! Their text form is the one that options and the shell use
//! ([`Faults`](crate::Faults)). The device checks and stores it; the port, which owns the
//! contacts, the clock and the power, makes them happen.
//!
//! Invariant: the stored faults are possible on the board's layout, and are none of its
//! line and its lamps, which a host simulates at its own end. Only hosts simulate contacts:
//! without the feature for it, an image contains none of this.

#[cfg(not(feature = "host"))]
use protocol::{Layout, Refusal};

/// The faults of a board; none can be set unless its contacts are simulated.
#[cfg(not(feature = "host"))]
#[derive(Default)]
pub(super) struct OwnFaults;

#[cfg(not(feature = "host"))]
impl OwnFaults {
    pub(super) const fn write(&self, _: &mut [u8]) -> Result<u16, Refusal> {
        Err(Refusal::NotSimulated)
    }

    pub(super) const fn replace(&mut self, _: &[u8], _: Layout) -> Result<(), Refusal> {
        Err(Refusal::NotSimulated)
    }
}

#[cfg(feature = "host")]
pub(super) use simulated::OwnFaults;

#[cfg(feature = "host")]
mod simulated {
    use core::fmt::Write as _;

    use heapless::String;
    use protocol::{FAULT_BYTES, Layout, Refusal};

    use crate::faults::{BoardFaults, Faults, LineFaults};

    /// The faults of a board; none can be set unless its contacts are simulated.
    #[derive(Default)]
    pub(in crate::device) struct OwnFaults {
        /// `None` if the contacts are not simulated.
        now: Option<Faults>,
        /// True if a host has set them and the port has not applied them yet.
        are_new: bool,
    }

    impl OwnFaults {
        /// Stores the faults that the board has.
        pub(in crate::device) fn are(&mut self, board: BoardFaults, seed: u64) {
            self.now = Some(Faults {
                seed,
                line: LineFaults::default(),
                board,
            });
        }

        /// Takes the faults that a host has set.
        pub(in crate::device) fn take(&mut self) -> Option<(BoardFaults, u64)> {
            let are_new = core::mem::take(&mut self.are_new);
            let now = self.now.as_ref().filter(|_| are_new);
            now.map(|now| (now.board.clone(), now.seed))
        }

        /// Writes their text to the start of the buffer, and returns its length.
        pub(in crate::device) fn write(&self, buffer: &mut [u8]) -> Result<u16, Refusal> {
            let faults = self.now.as_ref().ok_or(Refusal::NotSimulated)?;
            let mut text: String<FAULT_BYTES> = String::new();
            write!(text, "{faults}").map_err(|_| Refusal::Faults)?;
            let place = buffer.get_mut(..text.len());
            let place = place.ok_or(Refusal::Chunk { offset: 0 })?;
            place.copy_from_slice(text.as_bytes());
            Ok(text.len() as u16)
        }

        /// Replaces the faults by those of a text, if a board with this layout can have
        /// them.
        pub(in crate::device) fn replace(
            &mut self,
            text: &[u8],
            layout: Layout,
        ) -> Result<(), Refusal> {
            let now = self.now.as_mut().ok_or(Refusal::NotSimulated)?;
            let text = core::str::from_utf8(text).ok();
            let text = text.filter(|text| text.len() <= FAULT_BYTES);
            let faults: Option<Faults> = text.and_then(|text| text.parse().ok());
            let can_be =
                |faults: &Faults| faults.own() == *faults && faults.board.fit(layout).is_ok();
            let faults = faults.filter(can_be);
            *now = faults.ok_or(Refusal::Faults)?;
            self.are_new = true;
            Ok(())
        }
    }
}

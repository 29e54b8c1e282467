//! Puts an answer together that a board sends in chunks.

use protocol::{Done, Refusal};

/// The chunks that have arrived, from the beginning of the answer.
#[derive(Default)]
pub(super) struct Chunks {
    bytes: Vec<u8>,
    is_whole: bool,
}

impl Chunks {
    /// The offset of the next chunk in bytes.
    pub fn offset(&self) -> u16 {
        self.bytes.len() as u16
    }

    /// Adds a chunk. True if no other one is to be requested: the answer is whole, or the
    /// chunk is empty, so the board has no more. Fails with `refusal` if this is no chunk.
    pub fn add(&mut self, done: Done, refusal: Refusal) -> Result<bool, Refusal> {
        let Done::Chunk { total, bytes, .. } = done else {
            return Err(refusal);
        };
        self.bytes.extend_from_slice(&bytes);
        self.is_whole = self.bytes.len() >= total.into();
        Ok(self.is_whole || bytes.is_empty())
    }

    /// The whole answer; `None` if some of it is missing.
    pub fn whole(self) -> Option<Vec<u8>> {
        self.is_whole.then_some(self.bytes)
    }
}

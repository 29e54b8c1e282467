//! The store in which an image keeps a few bytes over a power-off.

/// The error for bytes that were not stored; the earlier ones still are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotWritten;

/// A part of what is stored. Each part is written separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredPart {
    /// The best scores of all games.
    Best,
    /// The drawing of the layout that the board was given, with its game.
    Layout,
    /// The settings, in a store with room for them ([`FlashStore::HAS_SETTINGS`]).
    Settings,
}

impl StoredPart {
    /// The parts that every store has.
    pub const ALL: [StoredPart; 2] = [StoredPart::Best, StoredPart::Layout];
}

/// A store that keeps a few bytes over the board's power-off.
///
/// Invariant, whenever the power fails: reading a part returns what was written last or,
/// if the power failed during that write, what was written before; never a mixture.
pub trait FlashStore {
    /// True if the store has room for [`StoredPart::Settings`].
    const HAS_SETTINGS: bool = false;

    /// Reads a stored part into `buffer`, and returns its length; `None` if nothing
    /// is stored, or it does not fit.
    fn read(&mut self, part: StoredPart, buffer: &mut [u8]) -> Option<usize>;

    /// Replaces the bytes of a part; an empty slice clears it. Nothing is written if the
    /// bytes are the same as before.
    ///
    /// # Errors
    /// [`NotWritten`] if there are too many bytes, or the memory does not accept them.
    fn write(&mut self, part: StoredPart, bytes: &[u8]) -> Result<(), NotWritten>;
}

/// The store of a chip without one; the type has no values.
#[derive(Clone, Copy, Debug)]
pub enum NoStore {}

impl FlashStore for NoStore {
    fn read(&mut self, _part: StoredPart, _buffer: &mut [u8]) -> Option<usize> {
        match *self {}
    }

    fn write(&mut self, _part: StoredPart, _bytes: &[u8]) -> Result<(), NotWritten> {
        match *self {}
    }
}

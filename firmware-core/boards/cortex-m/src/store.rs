//! The store in which an image keeps a few bytes over its power-off.

/// The bytes were not kept: those before them still are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotWritten;

/// A part of what is stored. Each part is written separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredPart {
    /// The best scores of all games.
    Best,
    /// The drawing of the layout that the board became, with its game.
    Layout,
    /// The settings, in a store with room for them ([`FlashStore::HAS_SETTINGS`]).
    Settings,
}

impl StoredPart {
    /// The parts that every store has.
    pub const ALL: [StoredPart; 2] = [StoredPart::Best, StoredPart::Layout];
}

/// Keeps a few bytes over the board's power-off.
///
/// Invariant, whenever the power fails: reading a part returns what was written last,
/// or, if the power failed during that write, what was written before; never a
/// mixture.
pub trait FlashStore {
    /// True if it has room for [`StoredPart::Settings`].
    const HAS_SETTINGS: bool = false;

    /// Reads a stored part into `buffer`, and returns its length; `None` if nothing
    /// is stored, or it does not fit.
    fn read(&mut self, part: StoredPart, buffer: &mut [u8]) -> Option<usize>;

    /// Keeps these instead; none to keep nothing. Where it is the same as before,
    /// nothing is written.
    ///
    /// # Errors
    /// [`NotWritten`] if they are too many, or the memory does not take them.
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

//! Where an image keeps a few bytes over its power-off.

/// The bytes were not kept: those before them still are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotWritten;

/// What is kept. Each is written by itself, and the others stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredPart {
    /// The best scores of all games.
    Best,
    /// The drawing of the layout that the board became, with its game.
    Layout,
    /// What the five buttons were set to; where there is room for it
    /// ([`FlashStore::HAS_SETTINGS`]).
    Settings,
}

impl StoredPart {
    /// Those that every store has.
    pub const ALL: [StoredPart; 2] = [StoredPart::Best, StoredPart::Layout];
}

/// Keeps a few bytes over the board's power-off.
///
/// What always holds, whenever the power fails: what is read of a part is what was
/// written last, or, if the power failed while that was written, what was written
/// before it; never a piece, and never both.
pub trait FlashStore {
    /// True if it has room for [`StoredPart::Settings`].
    const HAS_SETTINGS: bool = false;

    /// Reads a part that is kept into `buffer`, and returns how many bytes that are;
    /// `None` if nothing is kept, or more than there is room for.
    fn read(&mut self, part: StoredPart, buffer: &mut [u8]) -> Option<usize>;

    /// Keeps these instead; none to keep nothing. Where it is the same as before,
    /// nothing is written.
    ///
    /// # Errors
    /// [`NotWritten`] if they are too many, or the memory does not take them.
    fn write(&mut self, part: StoredPart, bytes: &[u8]) -> Result<(), NotWritten>;
}

/// That of a chip that has none: there is no value of it.
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

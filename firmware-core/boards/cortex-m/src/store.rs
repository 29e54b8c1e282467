//! Where an image keeps a few bytes over its power-off.

/// The bytes were not kept: those before them still are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotWritten;

/// Keeps a few bytes over the board's power-off.
///
/// What always holds, whenever the power fails: what is read is what was written
/// last, or, if the power failed while that was written, what was written before
/// it; never a part, and never both.
pub trait Store {
    /// Reads what is kept into `buffer`, and returns how many bytes that are; `None`
    /// if nothing is kept, or more than there is room for.
    fn read(&mut self, buffer: &mut [u8]) -> Option<usize>;

    /// Keeps these instead.
    ///
    /// # Errors
    /// [`NotWritten`] if they are too many, or the memory does not take them.
    fn write(&mut self, bytes: &[u8]) -> Result<(), NotWritten>;
}

/// That of a chip that has none: there is no value of it.
#[derive(Clone, Copy, Debug)]
pub enum NoStore {}

impl Store for NoStore {
    fn read(&mut self, _buffer: &mut [u8]) -> Option<usize> {
        match *self {}
    }

    fn write(&mut self, _bytes: &[u8]) -> Result<(), NotWritten> {
        match *self {}
    }
}

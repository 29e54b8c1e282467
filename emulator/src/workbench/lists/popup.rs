//! What a key opens over the board and closes again.

use bevy::prelude::Resource;

/// A list over the board while it is open, with its state; `None` while it is closed.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct Popup<T: Send + Sync + 'static>(Option<T>);

impl<T: Send + Sync + 'static> Default for Popup<T> {
    fn default() -> Popup<T> {
        Popup(None)
    }
}

impl<T: Default + Send + Sync + 'static> Popup<T> {
    /// Opens the list in its first state, or closes it if it is open.
    pub fn toggle(&mut self) {
        self.0 = match self.0 {
            Some(_) => None,
            None => Some(T::default()),
        };
    }

    /// Opens the list in this state.
    pub fn open(&mut self, state: T) {
        self.0 = Some(state);
    }

    /// True while the list is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// Closes the list without choosing anything.
    pub fn close(&mut self) {
        self.0 = None;
    }

    /// Closes the list, and returns its state if it was open.
    pub fn take(&mut self) -> Option<T> {
        self.0.take()
    }
}

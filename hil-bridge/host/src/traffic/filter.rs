//! A filter for frames.

use super::{LineDirection, LineFrame};

/// The frames that a person wants to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineFilter {
    /// The direction to show; both directions if it is missing.
    pub direction: Option<LineDirection>,
    /// The words of the names to show, like `request` or `step`; all names if it is
    /// empty. Frames without a message are always shown, since they may have been
    /// one.
    pub kinds: Vec<String>,
    /// True to keep only frames that show an error.
    pub errors_only: bool,
}

impl LineFilter {
    /// True if the filter shows this frame.
    #[must_use]
    pub fn shows(&self, frame: &LineFrame) -> bool {
        let is_asked = |name: &super::MessageName| {
            let has = |word: &String| *word == name.kind || Some(word) == name.what.as_ref();
            self.kinds.is_empty() || self.kinds.iter().any(has)
        };
        self.direction
            .is_none_or(|direction| direction == frame.direction)
            && frame.name.as_ref().map_or(true, is_asked)
            && (!self.errors_only || frame.is_trouble())
    }
}

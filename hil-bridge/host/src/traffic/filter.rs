//! A filter for frames.

use super::{LineDirection, LineFrame};

/// The frames that a person wants to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineFilter {
    /// The direction to show; `None` for both.
    pub direction: Option<LineDirection>,
    /// The words of the message names to show, such as `request` or `step`; empty for
    /// all. Frames without a message are always shown, because they may have contained
    /// one.
    pub kinds: Vec<String>,
    /// True to show only frames with an error.
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

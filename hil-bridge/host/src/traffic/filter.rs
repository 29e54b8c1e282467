//! Which frames somebody wants to see.

use super::{LineDirection, LineFrame};

/// Which frames somebody wants to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineFilter {
    /// Only those that go this way.
    pub direction: Option<LineDirection>,
    /// Only those whose name has one of these words, like `request` or `step`; all if there
    /// are none. What is no message is shown in any case, as it may have been one.
    pub kinds: Vec<String>,
    /// True to keep only frames that show an error.
    pub errors_only: bool,
}

impl LineFilter {
    /// True if this frame is one of them.
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

//! A step, and its name.

use super::direction::{Direction, Directions};
use super::graph::SiteType;

/// A step from one element to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardStep {
    /// The type of the site that the step leads to.
    pub to_type: SiteType,
    /// Its number among those of that type.
    pub to: usize,
    /// All that it is called.
    pub directions: Directions,
}

impl BoardStep {
    /// The point of the compass that it leads to, or up or down.
    #[must_use]
    pub fn compass(&self) -> Option<Direction> {
        self.directions
            .iter()
            .find(|direction| direction.is_bearing())
    }
}

//! A step between elements, and its names.

use super::direction::{Direction, Directions};
use super::graph::SiteType;

/// A step from one element to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardStep {
    /// The type of the site that the step leads to.
    pub to_type: SiteType,
    /// The number of the target, among the elements of its type.
    pub to: usize,
    /// All names of the step.
    pub directions: Directions,
}

impl BoardStep {
    /// Its compass point, or its direction up or down.
    #[must_use]
    pub fn compass(&self) -> Option<Direction> {
        self.directions
            .iter()
            .find(|direction| direction.is_bearing())
    }
}

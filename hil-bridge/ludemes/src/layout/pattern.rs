//! Patterns: walks of steps forward and turns to the right or left, over sites with equal
//! contents.
//!
//! A walk turns among the directions that orthogonal steps have anywhere on the board,
//! and all of these count at every site: on a board with twelve such directions, a turn
//! is 30 degrees. It may start in each of them, and is not mirrored.
//!
//! Invariants: a way of a walk stays on the board, and starts at the requested site.

use super::board::Sites;
use super::direction::{Direction, Sideways};

/// An instruction of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// `F`: a step to the next site ahead.
    Forward,
    /// `R`: a turn to the next direction clockwise.
    Right,
    /// `L`: a turn to the next direction anticlockwise.
    Left,
}

impl Walk {
    /// The instructions in letters such as `FRFR`; `None` if a letter is not `F`, `R` or
    /// `L`.
    #[must_use]
    pub fn read(letters: &str) -> Option<Vec<Walk>> {
        let part = |letter| match letter {
            'F' => Some(Walk::Forward),
            'R' => Some(Walk::Right),
            'L' => Some(Walk::Left),
            _ => None,
        };
        letters.chars().map(part).collect()
    }
}

/// The sites of a walk from a site, in order and including the start: a list for each
/// direction in which it can start.
///
/// A site occurs several times if the walk crosses itself.
#[must_use]
pub fn ways(sites: &Sites, from: usize, walk: &[Walk]) -> Vec<(Direction, Vec<usize>)> {
    let directions = sites.directions(Direction::Orthogonal);
    let way = |start: &Direction| {
        let (mut heading, mut here) = (*start, from);
        let mut way = vec![from];
        for part in walk {
            match part {
                Walk::Right => heading = heading.beside(&directions, Sideways::Right),
                Walk::Left => heading = heading.beside(&directions, Sideways::Left),
                Walk::Forward => {
                    here = sites.next(here, heading).last()?;
                    way.push(here);
                }
            }
        }
        Some((*start, way))
    };
    directions.iter().filter_map(way).collect()
}

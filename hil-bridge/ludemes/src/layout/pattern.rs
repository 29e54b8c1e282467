//! Patterns: walks of steps forward and turns right or left, over sites that all
//! hold the same.
//!
//! A walk turns among the directions in which orthogonal steps lead anywhere on
//! the board, all of them for every site: on a board with twelve such directions
//! a turn is 30 degrees. It begins in each of them, and is not mirrored.
//!
//! Invariants: a way of a walk is on the board, and begins at the site
//! that it was asked for.

use super::board::Sites;
use super::direction::Direction;

/// A part of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// `F`: to the next site ahead.
    Forward,
    /// `R`: turn to the next direction clockwise.
    Right,
    /// `L`: turn to the next direction anticlockwise.
    Left,
}

impl Walk {
    /// The parts of a walk such as `FRFR`; `None` if a letter is not `F`, `R` or `L`.
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

/// The sites that a walk goes over from a site, in order with the start first:
/// one list for each direction in which it can begin.
///
/// Sites can come up again, where the walk crosses itself.
#[must_use]
pub fn ways(sites: &Sites, from: usize, walk: &[Walk]) -> Vec<(Direction, Vec<usize>)> {
    let directions = sites.directions(Direction::Orthogonal);
    let way = |start: &Direction| {
        let (mut heading, mut here) = (*start, from);
        let mut way = vec![from];
        for part in walk {
            match part {
                Walk::Right => heading = heading.beside(&directions, true),
                Walk::Left => heading = heading.beside(&directions, false),
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

//! Boards of the language: which sites there are, how they are numbered and
//! named, where they lie, and how they hang together.
//!
//! A text says `(board (hex 5))`; [`BoardGraph::from_node`] reads it. A
//! [generator](shapes) draws a [`Graph`] of vertices, edges and cells with
//! coordinates in floats, [operators] change it, and a [`BoardGraph`] is what players
//! see of it: the steps and lines of every site, with the names that rules use.
//! What a small computer needs of it are integers: [`BoardGraph::drawn`] makes the
//! drawing of a board, and [`Sites`] gives neighbours and lines as numbers of
//! sites. [`picture()`] shows a person what a text says.
//!
//! ```
//! use ludemes::layout::{BoardGraph, Direction};
//!
//! let board = BoardGraph::square(8);
//! let cells = board.sites();
//! assert_eq!(cells.len(), 64);
//! assert_eq!(cells.named("A1"), Some(0));
//! let north = cells.next(0, Direction::N).next();
//! assert_eq!(north.map(|site| cells.name(site)), Some("A2"));
//! ```
//!
//! Numbers, names, steps, lines and regions are those of the recorded games of the
//! language, with three exceptions that its players would call mistakes: sites in
//! a single column are all in column A; on boards of rings a step around leads
//! from any cell to the next; `mesh` strews the same points each time.
//!
//! Invariants: the same text gives the same numbers, on every machine.

mod arguments;
mod board;
mod coordinates;
mod direction;
mod drawn;
mod error;
mod geometry;
mod graph;
pub mod operators;
mod pattern;
mod perimeter;
mod picture;
mod radials;
mod read;
mod regions;
mod rings;
pub mod shapes;
mod step;
mod steps;
#[cfg(test)]
mod tests;
mod walks;

pub use board::{BoardGraph, Sites};
pub use direction::{Direction, Directions};
pub use drawn::{RasterBoard, TooManySites};
pub use error::BoardError;
pub use geometry::{Polygon, Spot};
pub use graph::{Edge, Face, Graph, MOST_EDGES, MOST_VERTICES, SiteType, Vertex};
pub use pattern::{Walk, ways};
pub use picture::{SiteLabel, picture};
pub use radials::{Radial, Radials};
pub use regions::{PHASES, Region};
pub use step::BoardStep;
pub use walks::{Column, TILINGS, WALKS, page, written};

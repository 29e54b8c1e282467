//! Boards of the language: their sites, with numbers, names, coordinates and connections.
//!
//! A text contains `(board (hex 5))`, which [`BoardGraph::from_node`] reads. A
//! [generator](shapes) makes a [`Graph`] of vertices, edges and cells with floating-point
//! coordinates, [operators] change it, and a [`BoardGraph`] is the result as rules see
//! it: the steps and lines of each site, with their names. A microcontroller only needs
//! whole numbers: [`BoardGraph::raster`] makes the drawing of a board, and [`Sites`] has
//! neighbours and lines as numbers of sites. [`picture()`] shows the board of a text to a
//! person.
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
//! Numbers, names, steps, lines and regions are those in the recorded games of the
//! language, with three exceptions where players would expect something else: sites in a
//! single column are all in column A; on boards of rings a step around leads from any
//! cell to the next; `mesh` always places the same points.
//!
//! Invariants: the same text gives the same numbers on every machine.

mod arguments;
mod board;
mod coordinates;
mod direction;
mod error;
mod geometry;
mod graph;
pub mod operators;
mod pattern;
mod perimeter;
mod picture;
mod radials;
mod raster;
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
pub use error::BoardError;
pub use geometry::{Polygon, Spot};
pub use graph::{Edge, Face, Graph, MOST_EDGES, MOST_VERTICES, SiteType, Vertex};
pub use pattern::{Walk, ways};
pub use picture::{SiteLabel, picture};
pub use radials::{Radial, Radials};
pub use raster::{RasterBoard, TooManySites};
pub use regions::{NamedRegion, PHASES};
pub use step::BoardStep;
pub use walks::{Column, TILINGS, WALKS, page, written};

//! The answers of a board, for people and for programs.
//!
//! [`Extra`] and [`HeardEvent`] are the contents of an answer, and a [`Scene`] is the
//! board that it is about. [`json()`] and [`plain()`] write it.

mod board;
mod extra;
mod help;
mod json;
mod plain;
mod scene;

pub use board::board;
pub use extra::{Extra, HeardEvent, SignalGroup};
pub use json::json;
pub use plain::plain;
pub use scene::{AnswerColours, BOARDS_TURN, NO_GAME, Scene, is_boards_turn, point_list, standing};

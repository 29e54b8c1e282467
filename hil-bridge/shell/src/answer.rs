//! What a board answers, for people and for programs.
//!
//! [`Extra`] and [`Heard`] are what is to be told, and a [`Scene`] is the board of which it
//! is; [`json()`] and [`plain()`] tell it.

mod board;
mod extra;
mod help;
mod json;
mod plain;
mod scene;

pub use board::board;
pub use extra::{Extra, Heard};
pub use json::json;
pub use plain::plain;
pub use scene::{AnswerColours, BOARDS_TURN, NO_GAME, Scene, is_boards_turn, point_list, standing};

//! The five settings of the manual.

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

/// Game, Time, Speed, Level and Mode, as the five buttons set them
/// (Maldoo manual, Buttons).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Schema, MaxSize)]
pub struct Settings {
    /// 0-9: which game.
    pub game: u8,
    /// 0-9: how long a player has for a move; larger gives more time.
    pub time: u8,
    /// 0-9: how fast the moving games move; larger is faster.
    pub speed: u8,
    /// 0-4: 0 is two players, at 1-4 the board plays red.
    pub level: u8,
    /// From 0: the variation of the game.
    pub mode: u8,
}

impl Default for Settings {
    /// What a board shows when it is switched on: `055_0`.
    fn default() -> Settings {
        Settings {
            game: 0,
            time: 5,
            speed: 5,
            level: 0,
            mode: 0,
        }
    }
}

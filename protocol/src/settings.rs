//! The five settings of the manual.

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

/// Game, Time, Speed, Level and Mode, as set with the five buttons (Maldoo manual,
/// Buttons).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Schema, MaxSize)]
pub struct Settings {
    /// The number of the game, below `Roster::MOST`: 0-9 are the games of the Maldoo manual.
    pub game: u8,
    /// 0-9: how long a player has for a move; larger gives more time.
    pub time: u8,
    /// 0-9: how fast the moving games move; larger is faster.
    pub speed: u8,
    /// 0-4: at 0 two people play, at 1-4 the board plays red.
    pub level: u8,
    /// The mode of the game, from 0.
    pub mode: u8,
}

impl Settings {
    /// The number of settings.
    pub const COUNT: usize = 5;

    /// One byte for each setting, in the order of the buttons.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; Settings::COUNT] {
        [self.game, self.time, self.speed, self.level, self.mode]
    }

    /// The inverse of [`Settings::to_bytes`]: settings from their bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; Settings::COUNT]) -> Settings {
        let [game, time, speed, level, mode] = bytes;
        Settings {
            game,
            time,
            speed,
            level,
            mode,
        }
    }

    /// The settings with which another game is chosen on a board that was just switched
    /// on. Time and Level, which all games share, are kept; Speed is that of a new board.
    #[must_use]
    pub fn for_game(self, game: u8, mode: u8) -> Settings {
        Settings {
            game,
            mode,
            speed: Settings::default().speed,
            ..self
        }
    }
}

impl Default for Settings {
    /// The settings of a freshly switched-on board: `095_0`.
    fn default() -> Settings {
        Settings {
            game: 0,
            time: 9,
            speed: 5,
            level: 0,
            mode: 0,
        }
    }
}

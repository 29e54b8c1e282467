//! The place of the board that is shown, and the requests for another one.

use bevy::prelude::*;
use firmware_core::games;
use protocol::{GridSize, Layout, Roster, Settings};
use touchboard_host::session::Session;

use super::Source;
use super::system::{At, Where};

/// The place of the current board, and of the next one.
#[derive(Resource, Clone, Debug)]
pub struct BoardPlaces {
    /// The place of the board that is shown, and the options of its line.
    pub current: Where,
    /// The place being chosen in the workbench.
    pub next: At,
}

impl Default for BoardPlaces {
    fn default() -> Self {
        BoardPlaces::at(Where::new(At::Core))
    }
}

impl BoardPlaces {
    /// Places whose current one is this, which is also chosen.
    #[must_use]
    pub fn at(place: Where) -> BoardPlaces {
        BoardPlaces {
            next: place.at.clone(),
            current: place,
        }
    }
}

/// A request to change to the board at this place. If it is the current place, the
/// line is reopened; a board that this program started is restarted.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Connect(pub At);

/// Replaces the board by one at the same place that has this game and its layout, and
/// chooses the game there. The game on the current board is lost.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bring {
    /// The game of this number, in its first mode.
    Game(u8),
    /// The game and mode in these settings.
    Settings(Settings),
}

/// True if a game or mode that the board lacks, or that does not fit its layout, can be
/// [brought](Bring) by replacing the board.
#[must_use]
pub fn can_bring(places: &BoardPlaces) -> bool {
    places.current.at == At::Core
}

/// True if this mode of a game fits on this layout.
#[must_use]
pub fn has_room(layout: Layout, game: u8, mode: u8) -> bool {
    let Some(about) = games::about(game) else {
        return true;
    };
    let Some(sides) = layout.sides() else {
        return about.any_layout;
    };
    let wanted = (about.made_for)(mode);
    // The games of the manual fit boards of any size.
    wanted == GridSize::MALDOO && Roster::has(games::ROSTER, game)
        || sides.columns() >= wanted.columns() && sides.rows() >= wanted.rows()
}

/// A request to replay this session on a board in this process. The game on the current
/// board is lost.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct OpenSession(pub Session);

/// A request to continue in this process with the last known state of the board.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayOn;

/// A board that the program has made itself, such as one at a table. It replaces the current
/// one with the next picture. The game on the current board is left.
#[derive(Resource, Default)]
pub struct NextBoard(pub Option<Box<dyn Source>>);

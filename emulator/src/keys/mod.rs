//! The keys of the window in one table: what each of them does, with a description.
//!
//! Keys are identified by the character that they type, not by their position, so that
//! the table applies to every keyboard. Code that acts on keys reads [`Stroke`] messages;
//! the list of keys in the workbench is generated from the table.

mod chord;
mod input;
mod table;

use bevy::prelude::*;
use protocol::Button;
use touchboard_host::places::Arrow;

use crate::pane::Pane;

pub use chord::Chord;
pub use input::KeysPlugin;
pub use table::{Group, KeyBinding, TABLE, meaning_in_panel};

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Moves the cursor to the next point in this direction.
    Move(Arrow),
    /// Chooses the column of the point to move to, from 0.
    Column(u8),
    /// Adds a digit to the row of the point to move to.
    Digit(u8),
    /// Touches the point under the cursor for as long as the key is held.
    Touch,
    /// Where the cursor is shown, the same as [`Meaning::Touch`]; elsewhere the board's
    /// Start button.
    Enter,
    /// Puts a finger on the point under the cursor and leaves it there, or lifts it.
    Leave,
    /// Presses a button of the board for as long as the key is held.
    Press(Button),
    /// Passes the turn without a move.
    Pass,
    /// Takes back the last move.
    TakeBack,
    /// Freezes board time, or continues it.
    Freeze,
    /// Advances by this many ticks; freezes board time first if it runs.
    Step(u32),
    /// Goes back by this many ticks; freezes board time first if it runs.
    StepBack(u32),
    /// Lets board time go faster.
    Faster,
    /// Lets board time go slower.
    Slower,
    /// Films the board between the cursors, or over the last seconds.
    #[cfg(feature = "desktop")]
    Film,
    /// Switches the camera between above and the seat.
    View,
    /// Shows or hides the pieces.
    Pieces,
    /// Hides the side panel, or shows it.
    SidePanel,
    /// Shows how the game is played, or hides it.
    HowTo,
    /// Shows the list of games, or hides it.
    Games,
    /// Shows the list of all commands, or hides it.
    Commands,
    /// Opens a pane of the dock, or closes it.
    Pane(Pane),
    /// Shows this table, or hides it.
    Keys,
    /// Closes the drawer or list over the board; if none is open, acts as
    /// [`Meaning::Lift`].
    Close,
    /// Lifts all fingers that were left on points.
    Lift,
}

impl Meaning {
    /// True if this opens a list with a search field: the keys that follow are for the
    /// list.
    #[must_use]
    pub fn opens_list(self) -> bool {
        matches!(self, Meaning::Games | Meaning::Commands)
    }

    /// True if this opens a list or a field, to which the next keys belong.
    #[must_use]
    pub fn takes_keyboard(self) -> bool {
        self.opens_list() || self == Meaning::Pane(Pane::Console)
    }
}

/// The systems that read the keyboard.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyReading;

/// The part of the window with the keyboard focus.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keyboard {
    /// The board: keys act as in the table.
    #[default]
    Board,
    /// The workbench: a text field or an open list has the focus.
    Workbench,
}

/// Whether something that Escape closes is open over the board.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlay {
    /// Such an overlay is open.
    Open,
    /// No such overlay is open.
    #[default]
    None,
}

/// The phase of a key stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrokePhase {
    /// The key went down.
    Down,
    /// The key is held and repeats.
    Again,
    /// The key came up.
    Up,
}

/// A key of the table went down, repeats, or came up.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// The meaning of the key.
    pub meaning: Meaning,
    /// Whether the key went down, repeats or came up.
    pub phase: StrokePhase,
}

impl Stroke {
    /// True if a key with this meaning goes down; false for repeats.
    #[must_use]
    pub fn begins(&self, meaning: Meaning) -> bool {
        self.meaning == meaning && self.phase == StrokePhase::Down
    }
}

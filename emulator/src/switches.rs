//! What the user has switched on or off in the window.

use bevy::prelude::Resource;

/// The switches of the window. All are on at first.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowSwitches {
    /// True if legal points are marked, in games in which that gives nothing away.
    pub tracks: bool,
    /// True if pieces are shown; otherwise only the lights are.
    pub pieces: bool,
    /// True if motion is shown; otherwise everything is in its place at once.
    pub motion: bool,
    /// True if the effect of a touch is previewed on the board.
    pub preview: bool,
    /// True if the window plays sounds.
    pub sound: bool,
}

/// One of the switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowSwitch {
    /// Marks on legal points.
    Tracks,
    /// Pieces over the lights.
    Pieces,
    /// Motion of pieces and stones.
    Motion,
    /// The preview of a touch.
    Preview,
    /// Sounds.
    Sound,
}

impl Default for WindowSwitches {
    fn default() -> WindowSwitches {
        WindowSwitches {
            tracks: true,
            pieces: true,
            motion: true,
            preview: true,
            sound: true,
        }
    }
}

impl WindowSwitches {
    /// Turns one of the switches on or off.
    pub fn set(&mut self, switch: WindowSwitch, is_on: bool) {
        let state = match switch {
            WindowSwitch::Tracks => &mut self.tracks,
            WindowSwitch::Pieces => &mut self.pieces,
            WindowSwitch::Motion => &mut self.motion,
            WindowSwitch::Preview => &mut self.preview,
            WindowSwitch::Sound => &mut self.sound,
        };
        *state = is_on;
    }
}

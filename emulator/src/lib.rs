//! The touch board in 3D, and the workbench around it, as Bevy plugins.
//!
//! 1. [`source`]: the connection to the board; everything else is built on this
//!    interface.
//! 2. [`scene`]: the board as an object on a table: case, domes, display, buttons,
//!    light, camera, fingers.
//! 3. [`workbench`]: the panels around it. [`pane`]: the tools that open beside the
//!    board.
//! 4. [`panel`]: a grid controller as the board's keys and lamps. [`keys`]: the keys of
//!    the window. [`sound`]: the board's sounds. [`first_picture`]: the screen before the
//!    first picture; [`leaving`]: the question before a game is left.
//! 5. [`theme`]: the colours of all. [`switches`]: what the user turns on and off.
//! 6. `desktop`: the command `emulator`.
//!
//! # Features
//!
//! `desktop`, on by default, contains everything that needs an operating system: the
//! command, ports, files, threads. Without it the library shows a board in this process,
//! with its games and texts, its past and its panels, or one whose bytes the program
//! carries (`source::carrier`), in an [`App`] that another program runs, such as a browser
//! page: Bevy's plugins, [`WindowPlugins`] and a [`ShownBoard`]. Controls that need more
//! are hidden.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use emulator::WindowPlugins;
//! use emulator::source::{At, ShownBoard, Where, open};
//!
//! let board = open(Where::new(At::Core)).expect("this process has room for a board");
//! App::new()
//!     .insert_resource(ShownBoard(board))
//!     .add_plugins((DefaultPlugins, WindowPlugins))
//!     .run();
//! ```
//!
//! [`App`]: bevy::app::App
//! [`ShownBoard`]: source::ShownBoard

#![deny(missing_docs)]

#[cfg(feature = "desktop")]
pub mod desktop;
pub mod first_picture;
pub mod keys;
pub mod leaving;
pub mod pane;
pub mod panel;
pub mod scene;
pub mod sound;
pub mod source;
pub mod switches;
pub mod theme;
pub mod workbench;

use bevy::app::{PluginGroup, PluginGroupBuilder};

/// All plugins that show a board and its surroundings. The program must add Bevy's own
/// plugins before them.
pub struct WindowPlugins;

impl PluginGroup for WindowPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(source::SourcePlugin)
            .add(workbench::WorkbenchPlugin)
            .add(sound::SoundPlugin)
            .add(scene::camera::EyePlugin)
            .add(scene::lights::LightsPlugin)
            .add(scene::quality::QualityPlugin)
            .add(scene::pace::PacePlugin)
            .add_group(scene::ScenePlugins)
    }
}

//! The `App` of the page: the board in this process, shown on the page's canvas.

use crate::at_table::TablePlugin;
use crate::exchange::ExchangePlugin;
use crate::line::LinePlugin;
use crate::panel::PagePanelPlugin;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use emulator::WindowPlugins;
use emulator::first_picture::OpeningPlugin;
use emulator::source::{At, ShownBoard, Where, open};

/// The canvas of `index.html` on which everything is drawn.
const CANVAS: &str = "#board";

/// Runs the page. Returns at once: the browser calls for each picture.
pub fn run() {
    let board = open(Where::new(At::Core)).expect("a page has room for a board");
    let plugins = DefaultPlugins
        .set(WindowPlugin {
            primary_window: Some(Window {
                title: "touchboard".to_owned(),
                canvas: Some(CANVAS.to_owned()),
                fit_canvas_to_parent: true,
                prevent_default_event_handling: true,
                ..default()
            }),
            ..default()
        })
        .set(LogPlugin {
            filter: "error,emulator=warn".to_owned(),
            ..default()
        });
    App::new()
        .insert_resource(ShownBoard(board))
        .add_plugins((plugins, WindowPlugins, OpeningPlugin, ExchangePlugin))
        .add_plugins(TablePlugin)
        .add_plugins((LinePlugin, PagePanelPlugin))
        .run();
}

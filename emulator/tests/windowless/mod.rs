//! The emulator's plugins in an app that needs neither window nor renderer.

use bevy::asset::AssetPlugin;
use bevy::prelude::*;
use emulator::scene::ScenePlugins;
use emulator::source::{Board, Source, SourcePlugin};

/// The scene with this board on it, two pictures old.
pub fn app(board: impl Source + 'static) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default()))
        .init_asset::<Mesh>()
        .init_asset::<Image>()
        .init_asset::<StandardMaterial>()
        .init_resource::<ButtonInput<KeyCode>>()
        .insert_resource(Board(Box::new(board)))
        .add_plugins((SourcePlugin, ScenePlugins));
    app.update();
    app.update();
    app
}

//! The command `emulator`.
use bevy::prelude::*;
use bevy::render::view::window::screenshot::{Screenshot, save_to_disk};
use bevy::picking::mesh_picking::MeshPickingPlugin;
use emulator::scene::{ScenePlugins, camera::EyePlugin, lights::LightsPlugin};
use emulator::source::{Board, SourcePlugin, demo::Demo};
fn main() {
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(Window { title: "touchboard".into(), resolution: (1280, 720).into(), ..default() }), ..default() }))
        .add_plugins((MeshPickingPlugin, bevy_egui::EguiPlugin::default()))
        .insert_resource(Board(Box::new(Demo::default())))
        .add_plugins(SourcePlugin).add_plugins(ScenePlugins).add_plugins((EyePlugin, LightsPlugin))
        .add_systems(Update, shot)
        .run();
}
fn shot(mut commands: Commands, mut n: Local<u32>, mut exit: MessageWriter<AppExit>) {
    *n += 1;
    if *n == 12 { commands.spawn(Screenshot::primary_window()).observe(save_to_disk("/tmp/shot.png")); }
    if *n == 20 { exit.write(AppExit::Success); }
}

//! The window's plugins in an app that needs neither window nor renderer.

use std::time::Duration;

use bevy::asset::AssetPlugin;
use bevy::camera::{CameraProjection, RenderTargetInfo};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use emulator::scene::ScenePlugins;
use emulator::scene::camera::SceneCamera;
use emulator::source::{ShownBoard, Source, SourcePlugin};

/// Time between two pictures, independent of the machine, unless a test changes it.
const PICTURE: Duration = Duration::from_millis(20);

/// The scene with this board, after two pictures.
pub fn app(board: impl Source + 'static) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default()))
        .init_asset::<Mesh>()
        .init_asset::<Image>()
        .init_asset::<StandardMaterial>()
        .init_resource::<ButtonInput<KeyCode>>()
        .insert_resource(TimeUpdateStrategy::ManualDuration(PICTURE))
        .insert_resource(ShownBoard(Box::new(board)))
        .add_plugins((TransformPlugin, SourcePlugin, ScenePlugins));
    app.world_mut().spawn(eye());
    app.update();
    app.update();
    app
}

/// A camera that sees all of the board in a picture of 1280 by 720 pixels.
fn eye() -> impl Bundle {
    let mut camera = Camera::default();
    camera.computed.target_info = Some(RenderTargetInfo {
        physical_size: UVec2::new(1280, 720),
        scale_factor: 1.0,
    });
    let lens = PerspectiveProjection {
        aspect_ratio: 1280.0 / 720.0,
        ..PerspectiveProjection::default()
    };
    camera.computed.clip_from_view = lens.get_clip_from_view();
    let place = Transform::from_xyz(0.0, 16.0, 8.0).looking_at(Vec3::ZERO, Vec3::Y);
    (SceneCamera, camera, place)
}

//! How finely the scene is drawn.
//!
//! Four samples a point where a graphics card draws; where a processor has to
//! do a card's work, edges are smoothed in the finished picture instead, which
//! makes a picture in half the time. A picture that is kept is always drawn as a
//! card would.

use bevy::anti_alias::fxaa::Fxaa;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use wgpu_types::DeviceType;

use super::camera::{EyeSet, SceneCamera};

/// How finely to draw.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quality {
    /// As what draws can bear in a live window.
    #[default]
    Live,
    /// For a picture that is kept, however long it takes.
    Kept,
}

/// Chooses once, when the renderer is there.
pub struct QualityPlugin;

impl Plugin for QualityPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Quality>()
            .add_systems(Startup, spare_a_processor.after(EyeSet));
    }
}

fn spare_a_processor(
    mut commands: Commands,
    quality: Res<Quality>,
    adapter: Option<Res<RenderAdapterInfo>>,
    eyes: Query<Entity, With<SceneCamera>>,
) {
    let is_processor = adapter.is_some_and(|adapter| adapter.device_type == DeviceType::Cpu);
    if is_processor && *quality == Quality::Live {
        for eye in eyes {
            commands.entity(eye).insert((Msaa::Off, Fxaa::default()));
        }
    }
}

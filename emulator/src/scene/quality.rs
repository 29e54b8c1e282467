//! How finely the scene is drawn.
//!
//! Four samples a point and a fine shadow where a graphics card draws. Where a
//! processor has to do a card's work, edges are smoothed in the finished picture
//! instead and the shadow is coarser, which makes it in less than half the time. A
//! picture that is kept is always drawn as a card would.

use bevy::anti_alias::fxaa::Fxaa;
use bevy::light::DirectionalLightShadowMap;
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

/// Points along a side of the shadow map.
const FINE_SHADOW: usize = 2048;
/// The same where a processor draws.
const COARSE_SHADOW: usize = 1024;

/// Chooses when the renderer is there.
pub struct QualityPlugin;

impl Plugin for QualityPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Quality>()
            .insert_resource(DirectionalLightShadowMap { size: FINE_SHADOW })
            .add_systems(Startup, spare_a_processor.after(EyeSet));
    }
}

fn spare_a_processor(
    mut commands: Commands,
    quality: Res<Quality>,
    adapter: Option<Res<RenderAdapterInfo>>,
    mut shadow: ResMut<DirectionalLightShadowMap>,
    eyes: Query<Entity, With<SceneCamera>>,
) {
    let is_processor = adapter.is_some_and(|adapter| adapter.device_type == DeviceType::Cpu);
    if !is_processor || *quality == Quality::Kept {
        return;
    }
    shadow.size = COARSE_SHADOW;
    for eye in &eyes {
        commands.entity(eye).insert((Msaa::Off, Fxaa::default()));
    }
}

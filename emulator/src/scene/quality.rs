//! How finely the scene is drawn: three settings.
//!
//! - [`Quality::Plain`], where a processor has to do a graphics card's work: edges are
//!   smoothed in the finished picture, shadows are coarser, lights have no halo in the
//!   eye and do not fall on their neighbours.
//! - [`Quality::Standard`], for a graphics card that shares the processor's memory: four
//!   samples a pixel, a halo around what is bright, light on neighbours.
//! - [`Quality::Fine`], for a card of its own, and for a picture that is kept: shadows of
//!   twice the sharpness, softer the farther they fall, as those of a lamp that is no
//!   point are.
//!
//! The setting is what somebody chose, or else what suits what draws.

use bevy::anti_alias::fxaa::{Fxaa, Sensitivity};
use bevy::camera::visibility::RenderLayers;
use bevy::light::{DirectionalLightShadowMap, ShadowFilteringMethod};
use bevy::post_process::bloom::Bloom;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use serde::{Deserialize, Serialize};
use wgpu_types::DeviceType;

use super::camera::{EyeSet, SceneCamera};
use super::lights::KeyLight;

/// How finely to draw.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// The quality that a processor alone can draw.
    Plain,
    /// As any graphics card can.
    #[default]
    Standard,
    /// As a good one can, or as if time did not matter.
    Fine,
}

/// The user's choice; without one, the device decides.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted(pub Option<Quality>);

/// What is seen in all settings but the plain one.
pub const NOT_PLAIN: usize = 1;

/// How strong the halo is that eyes see around a light.
const HALO: f32 = 0.22;

impl Quality {
    /// All settings, from the quickest on.
    pub const ALL: [Quality; 3] = [Quality::Plain, Quality::Standard, Quality::Fine];

    /// Its name on a button.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Quality::Plain => "Plain",
            Quality::Standard => "Standard",
            Quality::Fine => "Fine",
        }
    }

    /// The suitable setting for this kind of device.
    fn of(draws: DeviceType) -> Quality {
        match draws {
            DeviceType::Cpu => Quality::Plain,
            DeviceType::DiscreteGpu => Quality::Fine,
            _ => Quality::Standard,
        }
    }

    /// Points along a side of the shadow map.
    fn shadow(self) -> usize {
        match self {
            Quality::Plain | Quality::Standard => 2048,
            Quality::Fine => 4096,
        }
    }
}

/// Applies the quality that the user chose.
pub struct QualityPlugin;

impl Plugin for QualityPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Quality>()
            .init_resource::<Wanted>()
            .add_systems(Startup, choose.after(EyeSet))
            .add_systems(Update, choose.run_if(resource_changed::<Wanted>))
            .add_systems(
                PostUpdate,
                draw_so.run_if(resource_exists_and_changed::<Quality>),
            );
    }
}

fn choose(
    wanted: Res<Wanted>,
    adapter: Option<Res<RenderAdapterInfo>>,
    mut quality: ResMut<Quality>,
) {
    let suits = adapter.map_or_else(Quality::default, |adapter| Quality::of(adapter.device_type));
    quality.set_if_neq(wanted.0.unwrap_or(suits));
}

fn draw_so(
    mut commands: Commands,
    quality: Res<Quality>,
    mut shadow: ResMut<DirectionalLightShadowMap>,
    mut lamp: ResMut<KeyLight>,
    eyes: Query<Entity, With<SceneCamera>>,
) {
    shadow.size = quality.shadow();
    lamp.set_if_neq(match *quality {
        Quality::Fine => KeyLight::Wide,
        _ => KeyLight::Point,
    });
    for eye in &eyes {
        let mut eye = commands.entity(eye);
        eye.remove::<(Fxaa, Bloom)>();
        if *quality == Quality::Plain {
            let smooth = Fxaa {
                edge_threshold: Sensitivity::Extreme,
                edge_threshold_min: Sensitivity::Extreme,
                ..default()
            };
            let edges = (Msaa::Off, smooth);
            eye.insert((
                edges,
                ShadowFilteringMethod::Hardware2x2,
                RenderLayers::layer(0),
            ));
            continue;
        }
        let bloom = Bloom {
            intensity: HALO,
            ..Bloom::NATURAL
        };
        let seen = RenderLayers::from_layers(&[0, NOT_PLAIN]);
        eye.insert((Msaa::Sample4, bloom, ShadowFilteringMethod::Gaussian, seen));
    }
}

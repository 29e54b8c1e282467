//! Three settings for the quality of the scene.
//!
//! - [`Quality::Plain`], for rendering on the processor. Edges are smoothed in the
//!   finished picture, except in a small window, whose letters this would blur. Shadows
//!   are coarser; lights have no halo and do not fall on their neighbours.
//! - [`Quality::Standard`], for a graphics card that shares the processor's memory: four
//!   samples per pixel, a halo around what is bright, light on neighbours.
//! - [`Quality::Fine`], for a discrete graphics card and for screenshots: shadows of
//!   twice the resolution, which get softer with distance, as from a wide lamp.
//!
//! The user's choice applies; without one, the default for the graphics device, which
//! [`pace`](super::pace) lowers if pictures take too long.

use bevy::anti_alias::fxaa::{Fxaa, Sensitivity};
use bevy::camera::visibility::RenderLayers;
use bevy::core_pipeline::prepass::DepthPrepass;
use bevy::light::{DirectionalLightShadowMap, ShadowFilteringMethod};
use bevy::post_process::bloom::Bloom;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use serde::{Deserialize, Serialize};
use wgpu_types::DeviceType;

use super::camera::{EyeSet, SceneCamera, SceneRect};
use super::lights::KeyLight;

/// The quality of the scene.
#[derive(
    Resource, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// For rendering on the processor.
    Plain,
    /// For any graphics card.
    #[default]
    Standard,
    /// For a discrete graphics card, or if time does not matter.
    Fine,
}

/// The user's choice; without one, the device decides.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WantedQuality(pub Option<Quality>);

/// How often the scene has been drawn in another way since the first picture: with another
/// quality, or with edges that are smoothed in another way. Each time most shaders are
/// missing at first.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Redrawn(pub u32);

/// The render layer of everything that [`Quality::Plain`] leaves out.
pub const NOT_PLAIN: usize = 1;

/// A scene of up to this many pixels is multisampled even on a processor. This takes
/// little more than twice as long, so that no small window takes longer than one of
/// 1280x720.
const SMALL: u32 = 300_000;

/// True if a picture's depths can be copied, which a prepass needs and WebGL 2 cannot.
const HAS_DEPTH_COPIES: bool = cfg!(not(target_arch = "wasm32"));

/// Intensity of the halo around lights.
const HALO: f32 = 0.22;

impl Quality {
    /// All settings, fastest first.
    pub const ALL: [Quality; 3] = [Quality::Plain, Quality::Standard, Quality::Fine];

    /// The name on its button.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Quality::Plain => "Plain",
            Quality::Standard => "Standard",
            Quality::Fine => "Fine",
        }
    }

    /// The next lower setting; `None` below the lowest.
    #[must_use]
    pub fn lower(self) -> Option<Quality> {
        let place = Quality::ALL.iter().position(|quality| *quality == self)?;
        Quality::ALL.get(place.checked_sub(1)?).copied()
    }

    /// The default for this kind of graphics device.
    fn of(draws: DeviceType) -> Quality {
        match draws {
            DeviceType::Cpu => Quality::Plain,
            DeviceType::DiscreteGpu => Quality::Fine,
            _ => Quality::Standard,
        }
    }

    /// The side of the shadow map, in pixels.
    fn shadow(self) -> usize {
        match self {
            Quality::Plain | Quality::Standard => 2048,
            Quality::Fine => 4096,
        }
    }
}

/// Applies the user's choice, or the default for the graphics device.
pub struct QualityPlugin;

impl Plugin for QualityPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Quality>()
            .init_resource::<WantedQuality>()
            .init_resource::<Redrawn>()
            .init_resource::<SceneRect>()
            .add_systems(Startup, choose.after(EyeSet))
            .add_systems(Update, choose.run_if(resource_changed::<WantedQuality>))
            .add_systems(
                PostUpdate,
                draw_so.run_if(resource_changed::<Quality>.or_else(resource_changed::<SceneRect>)),
            );
    }
}

fn choose(
    wanted: Res<WantedQuality>,
    adapter: Option<Res<RenderAdapterInfo>>,
    mut quality: ResMut<Quality>,
) {
    let suits = adapter.map_or_else(Quality::default, |adapter| Quality::of(adapter.device_type));
    quality.set_if_neq(wanted.0.unwrap_or(suits));
}

/// The way in which edges are smoothed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edges {
    /// By several samples per pixel, which keeps letters sharp.
    Sampled,
    /// In the finished picture, which blurs small details.
    Blurred,
}

impl Edges {
    /// The way for a scene of this size in this quality.
    fn of(quality: Quality, scene: &SceneRect) -> Edges {
        let is_small = |rect: URect| rect.width() * rect.height() <= SMALL;
        match quality == Quality::Plain && !scene.0.is_some_and(is_small) {
            true => Edges::Blurred,
            false => Edges::Sampled,
        }
    }
}

fn draw_so(
    mut commands: Commands,
    (quality, scene): (Res<Quality>, Res<SceneRect>),
    mut shadow: ResMut<DirectionalLightShadowMap>,
    mut lamp: ResMut<KeyLight>,
    mut redrawn: ResMut<Redrawn>,
    eyes: Query<Entity, With<SceneCamera>>,
    mut before: Local<Option<(Quality, Edges)>>,
) {
    let edges = Edges::of(*quality, &scene);
    match before.replace((*quality, edges)) {
        Some(same) if same == (*quality, edges) => return,
        Some(_) => redrawn.0 += 1,
        None => {}
    }
    shadow.size = quality.shadow();
    lamp.set_if_neq(match *quality {
        Quality::Fine => KeyLight::Wide,
        _ => KeyLight::Point,
    });
    for eye in &eyes {
        let mut eye = commands.entity(eye);
        eye.remove::<(Fxaa, Bloom, DepthPrepass)>();
        match edges {
            Edges::Sampled => eye.insert(Msaa::Sample4),
            Edges::Blurred => eye.insert((
                Msaa::Off,
                Fxaa {
                    edge_threshold: Sensitivity::Extreme,
                    edge_threshold_min: Sensitivity::Extreme,
                    ..default()
                },
            )),
        };
        if *quality == Quality::Plain {
            // Depths first: on a processor, a pixel's colour takes longer than its depth.
            // This way each colour is computed once, and not again for surfaces that are
            // hidden.
            eye.insert((ShadowFilteringMethod::Hardware2x2, RenderLayers::layer(0)));
            if HAS_DEPTH_COPIES {
                eye.insert(DepthPrepass);
            }
            continue;
        }
        let bloom = Bloom {
            intensity: HALO,
            ..Bloom::NATURAL
        };
        let seen = RenderLayers::from_layers(&[0, NOT_PLAIN]);
        eye.insert((bloom, ShadowFilteringMethod::Gaussian, seen));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_quality_blurs_edges_and_only_in_large_scenes() {
        let scene = |width, height| SceneRect(Some(URect::new(0, 0, width, height)));
        let small = [scene(375, 370), scene(535, 474)];
        let large = [scene(1000, 693), SceneRect(None)];
        for (scenes, edges) in [(small, Edges::Sampled), (large, Edges::Blurred)] {
            for scene in scenes {
                assert_eq!(Edges::of(Quality::Plain, &scene), edges, "{scene:?}");
                assert_eq!(Edges::of(Quality::Fine, &scene), Edges::Sampled);
            }
        }
    }
}

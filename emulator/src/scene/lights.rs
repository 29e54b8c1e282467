//! The light of the room: one lamp that casts a soft shadow, and the reflections of a
//! studio.

use std::f32::consts::TAU;

use bevy::asset::RenderAssetUsages;
use bevy::image::Image;
use bevy::light::{CascadeShadowConfig, CascadeShadowConfigBuilder, EnvironmentMapLight};
use bevy::prelude::*;
use bevy::render::render_resource::{
    Extent3d, TextureDimension, TextureFormat, TextureViewDescriptor, TextureViewDimension,
};
use bevy_panorbit_camera::PanOrbitCamera;

use super::plan::PointPlan;

/// Illuminance of the lamp, in lux.
const KEY_LUX: f32 = 8000.0;
/// Luminance of the studio's brightest surface, in cd/m².
const STUDIO: f32 = 1000.0;
/// Position of the lamp, which shines on the middle of the board.
pub(super) const KEY_AT: Vec3 = Vec3::new(-7.0, 11.0, -6.5);
/// Number of directional lights that make up a wide lamp.
const WIDE_POINTS: u8 = 5;
/// Radius of its disc, in scene units.
const WIDE: f32 = 0.62;
/// Side of the sharpest cube map, in pixels.
const CUBE_SIDE: u32 = 64;

/// Adds the lights of the room.
pub struct LightsPlugin;

impl Plugin for LightsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<KeyLight>()
            .add_systems(PostUpdate, hang_lamps.run_if(resource_changed::<KeyLight>))
            .add_systems(Update, throw_shadows_on_the_board);
    }
}

/// Reach of shadows around the case, in scene units.
const AROUND: f32 = 2.0;
/// Tolerance of the shaded range, in scene units, before the shadow map is moved.
const SLACK: f32 = 0.25;

/// The range of distances from the camera in which shadows are drawn, when the
/// camera is `away` from what it looks at. The range covers only the case, so that the
/// pixels of the shadow map are as small as possible.
fn shaded(away: f32, case: Rect) -> [f32; 2] {
    let reach = case.size().length() / 2.0 + AROUND;
    [(away - reach).max(0.5), away + reach]
}

fn throw_shadows_on_the_board(
    eyes: Query<&PanOrbitCamera>,
    plan: Option<Res<PointPlan>>,
    mut lamps: Query<&mut CascadeShadowConfig, With<KeyLamp>>,
) {
    let away = eyes.iter().find_map(|eye| eye.radius);
    let (Some(away), Some(plan)) = (away, plan) else {
        return;
    };
    let [near, far] = shaded(away, plan.bounds());
    for mut shadows in &mut lamps {
        let is_near = (shadows.minimum_distance - near).abs() < SLACK;
        let is_far = |bound: &f32| (*bound - far).abs() < SLACK;
        if !(is_near && shadows.bounds.iter().all(is_far)) {
            *shadows = cascade(near, far);
        }
    }
}

/// The configuration for shadows in this range of distances from the camera.
fn cascade(near: f32, far: f32) -> CascadeShadowConfig {
    let cascade = CascadeShadowConfigBuilder {
        num_cascades: 1,
        minimum_distance: near,
        maximum_distance: far,
        ..default()
    };
    cascade.build()
}

/// The apparent size of the lamp, which decides how soft shadows are.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyLight {
    /// A point far away: one shadow with a sharp edge.
    #[default]
    Point,
    /// A disc: several lights cast a shadow each, so that edges get softer with distance.
    Wide,
}

/// A part of the key light.
#[derive(Component)]
struct KeyLamp;

fn hang_lamps(mut commands: Commands, key: Res<KeyLight>, old: Query<Entity, With<KeyLamp>>) {
    for lamp in &old {
        commands.entity(lamp).despawn();
    }
    let points = match *key {
        KeyLight::Point => 1,
        KeyLight::Wide => WIDE_POINTS,
    };
    for point in 0..points {
        // On the edge of the disc; a single light is in its middle.
        let angle = TAU * f32::from(point) / f32::from(points);
        let aside = Vec2::from_angle(angle) * if points > 1 { WIDE } else { 0.0 };
        let at = KEY_AT + Vec3::new(aside.x, 0.0, aside.y);
        commands.spawn((
            Name::new("key light"),
            KeyLamp,
            DirectionalLight {
                illuminance: KEY_LUX / f32::from(points),
                color: Color::srgb(1.0, 0.965, 0.92),
                shadow_maps_enabled: true,
                ..default()
            },
            cascade(1.0, 60.0),
            Transform::from_translation(at).looking_at(Vec3::ZERO, Vec3::Y),
        ));
    }
}

/// The reflected surroundings: a dark room with a large window above, to the
/// left, and a narrow strip of light to the right.
#[must_use]
pub fn studio(images: &mut Assets<Image>) -> EnvironmentMapLight {
    EnvironmentMapLight {
        diffuse_map: images.add(cube(8, 1, |_| 1.1)),
        specular_map: images.add(cube(CUBE_SIDE, CUBE_SIDE.ilog2() + 1, |mip| {
            // Smaller maps are for rougher surfaces.
            0.01 + 1.1 * mip / CUBE_SIDE.ilog2() as f32
        })),
        intensity: STUDIO,
        ..default()
    }
}

/// Builds a cube map of the studio. `blur` gives the blur of a mip level, in radians.
fn cube(side: u32, mips: u32, blur: impl Fn(f32) -> f32) -> Image {
    let mut pixels = Vec::new();
    for face in 0..6 {
        for mip in 0..mips {
            let side = side >> mip;
            for row in 0..side {
                for column in 0..side {
                    let u = 2.0 * (column as f32 + 0.5) / side as f32 - 1.0;
                    let v = 2.0 * (row as f32 + 0.5) / side as f32 - 1.0;
                    let way = match face {
                        0 => Vec3::new(1.0, -v, -u),
                        1 => Vec3::new(-1.0, -v, u),
                        2 => Vec3::new(u, 1.0, v),
                        3 => Vec3::new(u, -1.0, -v),
                        4 => Vec3::new(u, -v, 1.0),
                        _ => Vec3::new(-u, -v, -1.0),
                    };
                    let light = radiance(way.normalize(), blur(mip as f32));
                    let srgb = Srgba::from(LinearRgba::rgb(light.x, light.y, light.z));
                    pixels.extend(srgb.to_u8_array());
                }
            }
        }
    }
    let mut image = Image::new_uninit(
        Extent3d {
            width: side,
            height: side,
            depth_or_array_layers: 6,
        },
        TextureDimension::D2,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.data = Some(pixels);
    image.texture_descriptor.mip_level_count = mips;
    image.texture_view_descriptor = Some(TextureViewDescriptor {
        dimension: Some(TextureViewDimension::Cube),
        ..default()
    });
    image
}

/// The light from a direction, 0 to 1, blurred by `blur` radians: dim walls, a
/// window over the table to the left, whose edge crosses the reflection in the display's
/// pane, and a strip of light at the right.
fn radiance(way: Vec3, blur: f32) -> Vec3 {
    let room = Vec3::splat(0.06).lerp(Vec3::new(0.16, 0.165, 0.18), 0.5 + 0.5 * way.y);
    // It is dark low behind the board. Surfaces seen at a glancing angle, such as the far
    // rim of a dome, reflect this part; otherwise they would show a broken bright line.
    let low = 1.0 - smooth(way.y, 0.1, 0.5);
    let room = room * (1.0 - 0.85 * low * smooth(-way.z, 0.0, 0.5));
    // Where the direction meets the ceiling.
    let up = way.y.max(1e-3);
    let ceiling = Vec2::new(way.x / up - 0.5 * (way.z / up + 0.2), way.z / up);
    let window = within(ceiling, Rect::new(-1.7, -1.5, 0.0, 0.5), blur);
    let strip = within(ceiling, Rect::new(0.8, -1.2, 1.1, 0.8), blur);
    // A pale wall behind the player, so that fronts are not dark.
    let fill = Vec3::new(0.46, 0.445, 0.42) * smooth(way.z, -0.1 - 0.3 * blur, 0.9);
    let is_up = smooth(way.y, -0.05 - 0.5 * blur, 0.15 + 0.5 * blur);
    room + fill
        + (Vec3::new(0.84, 0.83, 0.80) * window + Vec3::new(0.45, 0.40, 0.34) * strip) * is_up
}

/// The share of a blurred place on the ceiling that is inside a rectangle.
fn within(place: Vec2, rect: Rect, blur: f32) -> f32 {
    let part = |at: f32, from: f32, to: f32| {
        let soft = 0.02 + blur;
        smooth(at, from - soft, from + soft) * (1.0 - smooth(at, to - soft, to + soft))
    };
    part(place.x, rect.min.x, rect.max.x) * part(place.y, rect.min.y, rect.max.y)
}

fn smooth(value: f32, from: f32, to: f32) -> f32 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

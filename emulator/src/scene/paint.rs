//! The materials and textures, each made once and shared.
//!
//! A light changes by taking another handle, never by a change of a material:
//! so the renderer's work is that of the lights that changed.

use bevy::asset::RenderAssetUsages;
use bevy::image::Image;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use protocol::Colour;

use crate::theme::{self, Chosen};

/// How much brighter than white a lit dome is; bloom makes a halo of it.
const GLOW: f32 = 2.7;
/// How much light falls from a dome on the case around it.
const SPILL: f32 = 0.85;
/// How bright a lit segment of the display is.
const SEGMENT_GLOW: f32 = 2.2;
/// A dark segment is just to be seen behind the glass.
const SEGMENT_GHOST: f32 = 0.020;
/// The window in front of the display is anti-glare.
const GLASS_ROUGHNESS: f32 = 0.45;
/// See [`GLASS_ROUGHNESS`].
const GLASS_REFLECTANCE: f32 = 0.4;
/// From where to where, in parts of a dome's radius, the dark middle of a
/// [`theme::Form::Ring`] goes over into its light. As wide as it has to be to be seen in
/// a small window, in spite of the bloom.
const DARK_MIDDLE: [f32; 2] = [0.34, 0.52];
/// Pixels along a side of the round textures.
const TEXTURE_SIDE: u32 = 128;

/// All materials that the scene shares.
#[derive(Resource, Clone)]
pub struct Paint {
    /// A dome of each colour.
    pub dome: [Handle<StandardMaterial>; Colour::COUNT],
    /// How light comes through a dome that is a disc, and through one that is a
    /// ring.
    through: [Handle<Image>; 2],
    /// The light on the case around a dome of each colour; of no use for the
    /// first, which is dark.
    pub spill: [Handle<StandardMaterial>; Colour::COUNT],
    /// The ring that a dome sits in.
    pub bezel: Handle<StandardMaterial>,
    /// The body of the case.
    pub case: Handle<StandardMaterial>,
    /// The tiles of the field.
    pub field: Handle<StandardMaterial>,
    /// Between the tiles.
    pub groove: Handle<StandardMaterial>,
    /// Lettering on the case.
    pub print: Handle<StandardMaterial>,
    /// Lettering on the caps.
    pub print_cap: Handle<StandardMaterial>,
    /// The caps of the buttons.
    pub cap: Handle<StandardMaterial>,
    /// The cap of Start.
    pub cap_start: Handle<StandardMaterial>,
    /// The display's window.
    pub glass: Handle<StandardMaterial>,
    /// A segment that is dark, and one that is lit.
    pub segment: [Handle<StandardMaterial>; 2],
    /// The ring that shows where the keyboard's finger is.
    pub cursor: Handle<StandardMaterial>,
    /// The shade that the case keeps from the table under and around it.
    pub contact: Handle<StandardMaterial>,
    /// The table.
    pub table: Handle<StandardMaterial>,
}

/// Makes [`Paint`].
pub struct PaintPlugin;

impl Plugin for PaintPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Chosen>()
            .add_systems(PreStartup, mix)
            .add_systems(Update, mix_again.run_if(resource_changed::<Chosen>));
    }
}

fn mix(
    mut commands: Commands,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
    chosen: Res<Chosen>,
) {
    let palette = chosen.0;
    let through = [disc, ring].map(|brightness| images.add(round(brightness)));
    // Light that falls from the rim outwards; the dome hides the middle.
    let around = images.add(round(|away| (1.0 - away).max(0.0).powf(2.2)));

    let colours: [Colour; Colour::COUNT] = std::array::from_fn(|index| Colour::new(index as u8));
    let dome = colours.map(|colour| {
        let lit = colour != Colour::OFF;
        let light = theme::light(palette, colour);
        materials.add(StandardMaterial {
            base_color: if lit {
                through_dome(light).0
            } else {
                theme::MILK
            },
            emissive: if lit {
                through_dome(light).1
            } else {
                LinearRgba::gray(0.022)
            },
            emissive_texture: Some(through[palette.form(colour) as usize].clone()),
            perceptual_roughness: 0.42,
            reflectance: 0.45,
            ..default()
        })
    });
    let spill = colours.map(|colour| {
        materials.add(StandardMaterial {
            base_color: (theme::light(palette, colour) * SPILL).into(),
            base_color_texture: Some(around.clone()),
            unlit: true,
            alpha_mode: AlphaMode::Add,
            ..default()
        })
    });
    // A pool of light on the table, dark where the room is.
    let pool = images.add(round(|away| (-(away * 4.6).powi(2)).exp() * 0.93 + 0.07));
    let table = materials.add(StandardMaterial {
        base_color: theme::TABLE,
        base_color_texture: Some(pool),
        perceptual_roughness: 0.95,
        reflectance: 0.1,
        ..default()
    });
    let under = images.add(shade());
    let contact = materials.add(StandardMaterial {
        base_color: Color::BLACK,
        base_color_texture: Some(under),
        unlit: true,
        alpha_mode: AlphaMode::Blend,
        ..default()
    });
    let mut matte = |base_color: Color, perceptual_roughness: f32, reflectance: f32| {
        materials.add(StandardMaterial {
            base_color,
            perceptual_roughness,
            reflectance,
            ..default()
        })
    };
    let paint = Paint {
        dome,
        through,
        spill,
        bezel: matte(theme::GROOVE, 0.75, 0.3),
        case: matte(theme::CASE, 0.62, 0.4),
        field: matte(theme::FIELD, 0.70, 0.35),
        groove: matte(theme::GROOVE, 0.9, 0.2),
        print: matte(theme::PRINT, 0.8, 0.2),
        print_cap: matte(theme::PRINT_CAP, 0.8, 0.2),
        cap: matte(theme::CAP, 0.50, 0.4),
        cap_start: matte(theme::CAP_START, 0.50, 0.4),
        glass: matte(theme::GLASS, GLASS_ROUGHNESS, GLASS_REFLECTANCE),
        table,
        contact,
        segment: [SEGMENT_GHOST, SEGMENT_GLOW].map(|glow| {
            materials.add(StandardMaterial {
                // Behind the glass: what it reflects lies over the segments too.
                base_color: theme::GLASS,
                emissive: theme::SEGMENT * glow,
                perceptual_roughness: GLASS_ROUGHNESS,
                reflectance: GLASS_REFLECTANCE,
                ..default()
            })
        }),
        cursor: materials.add(StandardMaterial {
            base_color: Color::BLACK,
            emissive: theme::SEGMENT * 0.9,
            ..default()
        }),
    };
    commands.insert_resource(paint);
}

/// How bright a dome is so far away from its middle: brightest above the lamp,
/// dimmer towards the rim.
fn disc(away: f32) -> f32 {
    0.10 + 0.90 * (1.0 - away * away).max(0.0).powf(1.9)
}

/// The same of a dome that is a ring: the light that the middle lacks is in the
/// ring.
fn ring(away: f32) -> f32 {
    let [from, to] = DARK_MIDDLE;
    let lit = ((away - from) / (to - from)).clamp(0.0, 1.0);
    lit * lit * (3.0 - 2.0 * lit) * disc((away - from).max(0.0))
}

/// Base colour and glow of a lit dome: what shines through is stronger than what
/// falls on it.
fn through_dome(light: LinearRgba) -> (Color, LinearRgba) {
    ((light * 0.10).into(), light * GLOW)
}

/// The lights in the colours of another palette; everything else stays.
fn mix_again(
    chosen: Res<Chosen>,
    paint: Res<Paint>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let palette = chosen.0;
    for index in 1..Colour::COUNT {
        let colour = Colour::new(index as u8);
        let light = theme::light(palette, colour);
        if let Some(mut dome) = materials.get_mut(&paint.dome[index]) {
            (dome.base_color, dome.emissive) = through_dome(light);
            dome.emissive_texture = Some(paint.through[palette.form(colour) as usize].clone());
        }
        if let Some(mut spill) = materials.get_mut(&paint.spill[index]) {
            spill.base_color = (light * SPILL).into();
        }
    }
}

/// A white texture whose brightness (and, for additive light, whose weight)
/// depends on the distance from the middle: 0 there, 1 at the middle of an
/// edge.
fn round(brightness: impl Fn(f32) -> f32) -> Image {
    drawn(|place| {
        let value = brightness(place.length());
        [value; 4]
    })
}

/// Black, opaque in the middle of a rounded square and fading to its edge.
fn shade() -> Image {
    drawn(|place| {
        let out = (place.abs() - Vec2::splat(0.55)).max(Vec2::ZERO).length();
        let shade = (1.0 - out / 0.45).max(0.0).powi(2) * 0.85;
        [0.0, 0.0, 0.0, shade]
    })
}

/// A texture; each pixel is asked for by its place, -1 to 1 on both axes.
fn drawn(pixel: impl Fn(Vec2) -> [f32; 4]) -> Image {
    let half = TEXTURE_SIDE as f32 / 2.0;
    let mut pixels = Vec::with_capacity((TEXTURE_SIDE * TEXTURE_SIDE * 4) as usize);
    for row in 0..TEXTURE_SIDE {
        for column in 0..TEXTURE_SIDE {
            let place = Vec2::new(column as f32 + 0.5, row as f32 + 0.5) / half - Vec2::ONE;
            pixels.extend(pixel(place).map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8));
        }
    }
    Image::new(
        Extent3d {
            width: TEXTURE_SIDE,
            height: TEXTURE_SIDE,
            depth_or_array_layers: 1,
        },
        TextureDimension::D2,
        pixels,
        TextureFormat::Rgba8Unorm,
        RenderAssetUsages::RENDER_WORLD,
    )
}

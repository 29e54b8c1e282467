//! Materials and textures, each created once and shared.
//!
//! A light changes colour by switching to another material handle. Its materials stay the
//! same, so the renderer only processes the lights that changed.

use bevy::image::Image;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use protocol::Colour;

use super::{lettering, texture};
use crate::theme::{self, ChosenPalette, MarkShape, Palette};

/// Brightness of the middle of a lit dome, relative to white; bloom makes a halo of it.
const GLOW: f32 = 3.0;
/// How much less a white dome glows than a saturated one: all three colours add up, and a
/// field of white lights would hide its own keys.
const WHITE_GLARE: f32 = 0.62;
/// Share of white in the middle of a lit dome, where the light shows through the milk.
const CORE_WHITE: f32 = 0.20;
/// Radius in which the light shows through, relative to the dome's radius.
const CORE: f32 = 0.50;
/// Brightness of the rim of a lit dome, relative to its middle.
const RIM: f32 = 0.11;
/// Brightness of a dome's light on the case around it.
const SPILL: f32 = 2.4;
/// Brightness of a dome's light on its neighbours.
const VEIL: f32 = 0.12;
/// Brightness of a lit segment of the display. It is hardly brighter than white, because
/// the edges of a brighter one could not be smoothed.
const SEGMENT_GLOW: f32 = 1.05;
/// Brightness of the glow around a character, in the glass.
const SEGMENT_HALO: f32 = 0.16;
/// Brightness of a dark segment, which is barely visible behind the glass.
const SEGMENT_GHOST: f32 = 0.016;
/// The radii, relative to a dome's, between which the dark middle of a
/// [`theme::MarkShape::Ring`] turns into light. The dark part is large enough to be seen
/// in a small window, in spite of the bloom.
const DARK_MIDDLE: [f32; 2] = [0.34, 0.52];

/// All materials that the scene shares.
#[derive(Resource, Clone)]
pub struct Paint {
    /// A dome of each colour.
    pub dome: [Handle<StandardMaterial>; Colour::COUNT],
    /// The light on the case around a dome of each colour. The first is unused, because
    /// that colour is dark.
    pub spill: [Handle<StandardMaterial>; Colour::COUNT],
    /// The light of a dome of each colour on its neighbours.
    pub veil: [Handle<StandardMaterial>; Colour::COUNT],
    /// The ring that a dome sits in.
    pub bezel: Handle<StandardMaterial>,
    /// The body of the case.
    pub wood: Handle<StandardMaterial>,
    /// The plate on it.
    pub plate: Handle<StandardMaterial>,
    /// The edge of the plate, cut after anodising and brushed. Polished metal would
    /// reflect the lamp from one corner.
    pub edge: Handle<StandardMaterial>,
    /// Screws, the plug, and other bright metal.
    pub bright: Handle<StandardMaterial>,
    /// Rubber and plastic.
    pub rubber: Handle<StandardMaterial>,
    /// The tiles of the field.
    pub field: Handle<StandardMaterial>,
    /// The material of the grooves between tiles.
    pub groove: Handle<StandardMaterial>,
    /// The lines of the field.
    pub line: Handle<StandardMaterial>,
    /// Walls and borders between points.
    pub wall: Handle<StandardMaterial>,
    /// The material of lettering on the case.
    pub print: Handle<StandardMaterial>,
    /// The material of lettering on the caps.
    pub print_cap: Handle<StandardMaterial>,
    /// Numbers of piles: dark, for lit surfaces.
    pub print_ink: Handle<StandardMaterial>,
    /// The material of letters and numbers on dark pieces.
    pub print_pale: Handle<StandardMaterial>,
    /// The caps of the buttons.
    pub cap: Handle<StandardMaterial>,
    /// The material of the Start button's cap.
    pub cap_start: Handle<StandardMaterial>,
    /// The ground of the display, behind its window.
    pub glass: Handle<StandardMaterial>,
    /// The reflecting pane over the display.
    pub window: Handle<StandardMaterial>,
    /// Segments of the display: dark, then lit.
    pub segment: [Handle<StandardMaterial>; 2],
    /// The glow around a character with lit segments.
    pub halo: Handle<StandardMaterial>,
    /// The frame that shows where the keyboard's finger is.
    pub cursor: Handle<StandardMaterial>,
    /// The material of the table.
    pub table: Handle<StandardMaterial>,
    /// The texture of turned wood.
    pub grain: Handle<Image>,
    /// The texture of cut stone.
    pub speckles: Handle<Image>,
}

/// Creates [`Paint`] when the window starts.
pub struct PaintPlugin;

impl Plugin for PaintPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<ChosenPalette>()
            .add_systems(PreStartup, create_paint)
            .add_systems(
                Update,
                recreate_paint.run_if(resource_changed::<ChosenPalette>),
            );
    }
}

fn create_paint(
    mut commands: Commands,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
    chosen: Res<ChosenPalette>,
) {
    let mut pot = Pot {
        materials: &mut materials,
        images: &mut images,
    };
    commands.insert_resource(pot.mix(chosen.0));
}

/// The stores in which materials and images are created.
struct Pot<'a> {
    materials: &'a mut Assets<StandardMaterial>,
    images: &'a mut Assets<Image>,
}

impl Pot<'_> {
    fn mix(&mut self, palette: Palette) -> Paint {
        let [print, print_cap, print_ink, print_pale] = self.inks();
        // Light that fades from the rim outwards; the dome hides the middle.
        let around = texture::round(|away| {
            let fade = (1.0 - away).max(0.0);
            fade.powi(2) / (1.0 + 14.0 * (away - 0.24).max(0.0).powi(2)) * (0.4 + 0.6 * fade)
        });
        // The same for neighbours, without the dome itself.
        let beside = texture::round(|away| {
            let fade = (1.0 - away).max(0.0).powf(1.6);
            fade * ((away - 0.20) / 0.10).clamp(0.0, 1.0)
        });
        Paint {
            dome: self.domes(palette),
            spill: self.glow(palette, SPILL, around),
            veil: self.glow(palette, VEIL, beside),
            bezel: self.matte(theme::BEZEL, 0.75, 0.25),
            wood: self.wood(),
            plate: self.plate(),
            edge: self.metal(theme::EDGE, 0.55, 0.85),
            bright: self.metal(theme::BRIGHT, 0.22, 1.0),
            rubber: self.matte(theme::RUBBER, 0.6, 0.35),
            field: self.matte(theme::FIELD, 0.62, 0.35),
            groove: self.matte(theme::GROOVE, 0.9, 0.2),
            line: self.matte(theme::LINE, 0.7, 0.3),
            wall: self.matte(theme::PRINT, 0.8, 0.2),
            print,
            print_cap,
            print_ink,
            print_pale,
            cap: self.matte(theme::CAP, 0.50, 0.4),
            cap_start: self.matte(theme::CAP_START, 0.50, 0.4),
            glass: self.matte(theme::GLASS, 0.6, 0.2),
            window: self.window(),
            table: self.table(),
            grain: self.images.add(texture::turned_wood()),
            speckles: self.images.add(texture::stone()),
            halo: self.halo(),
            segment: [SEGMENT_GHOST, SEGMENT_GLOW].map(|glow| self.segment(glow)),
            cursor: self.materials.add(StandardMaterial {
                base_color: Color::BLACK,
                emissive: theme::SEGMENT * 0.9,
                ..default()
            }),
        }
    }

    fn domes(&mut self, palette: Palette) -> [Handle<StandardMaterial>; Colour::COUNT] {
        colours().map(|colour| match colour {
            Colour::OFF => self.materials.add(StandardMaterial {
                base_color: theme::MILK,
                perceptual_roughness: 0.36,
                reflectance: 0.42,
                ..default()
            }),
            lit => {
                let through = self.images.add(through(palette, lit));
                self.materials.add(StandardMaterial {
                    base_color: (theme::light(palette, lit) * 0.06).into(),
                    emissive: LinearRgba::gray(GLOW * softness(theme::light(palette, lit))),
                    emissive_texture: Some(through),
                    perceptual_roughness: 0.38,
                    reflectance: 0.42,
                    ..default()
                })
            }
        })
    }

    /// The materials of light of each colour that falls on a surface.
    fn glow(
        &mut self,
        palette: Palette,
        strength: f32,
        falls: Image,
    ) -> [Handle<StandardMaterial>; Colour::COUNT] {
        let falls = self.images.add(falls);
        colours().map(|colour| {
            self.materials.add(StandardMaterial {
                base_color: spilt(theme::light(palette, colour), strength).into(),
                base_color_texture: Some(falls.clone()),
                unlit: true,
                alpha_mode: AlphaMode::Add,
                ..default()
            })
        })
    }

    fn wood(&mut self) -> Handle<StandardMaterial> {
        let grain = self.images.add(texture::wood());
        self.materials.add(StandardMaterial {
            base_color: theme::WOOD,
            base_color_texture: Some(grain),
            uv_transform: bevy::math::Affine2::from_scale(Vec2::new(0.11, 0.85)),
            perceptual_roughness: 0.40,
            reflectance: 0.45,
            ..default()
        })
    }

    /// Aluminium that was brushed along x.
    fn plate(&mut self) -> Handle<StandardMaterial> {
        let brushed = self.images.add(texture::brushed());
        self.materials.add(StandardMaterial {
            base_color: theme::PLATE,
            base_color_texture: Some(brushed),
            uv_transform: bevy::math::Affine2::from_scale(Vec2::splat(0.22)),
            perceptual_roughness: 0.46,
            metallic: 0.55,
            ..default()
        })
    }

    fn table(&mut self) -> Handle<StandardMaterial> {
        let felt = self.images.add(texture::felt());
        self.materials.add(StandardMaterial {
            base_color: theme::TABLE.into(),
            base_color_texture: Some(felt),
            // The table fills half of the picture and is flat, so its lighting is baked
            // into texture and vertex colours.
            unlit: true,
            ..default()
        })
    }

    fn metal(
        &mut self,
        base_color: Color,
        perceptual_roughness: f32,
        metallic: f32,
    ) -> Handle<StandardMaterial> {
        self.materials.add(StandardMaterial {
            base_color,
            perceptual_roughness,
            metallic,
            ..default()
        })
    }

    fn matte(
        &mut self,
        base_color: Color,
        perceptual_roughness: f32,
        reflectance: f32,
    ) -> Handle<StandardMaterial> {
        self.materials.add(StandardMaterial {
            base_color,
            perceptual_roughness,
            reflectance,
            ..default()
        })
    }

    /// The reflection of the pane over the display.
    fn window(&mut self) -> Handle<StandardMaterial> {
        self.materials.add(StandardMaterial {
            base_color: Color::BLACK.with_alpha(0.0),
            perceptual_roughness: 0.08,
            reflectance: 0.5,
            alpha_mode: AlphaMode::Premultiplied,
            ..default()
        })
    }

    /// The materials of lettering on the case, the caps, pale pieces and dark ones.
    fn inks(&mut self) -> [Handle<StandardMaterial>; 4] {
        let letters = self.images.add(lettering::atlas());
        [theme::PRINT, theme::PRINT_CAP, theme::GROOVE, theme::INLAY].map(|base_color| {
            self.materials.add(StandardMaterial {
                base_color,
                base_color_texture: Some(letters.clone()),
                perceptual_roughness: 0.8,
                reflectance: 0.2,
                alpha_mode: AlphaMode::Blend,
                // Drawn before the glow of lights, which falls on the lettering.
                depth_bias: -1.0,
                ..default()
            })
        })
    }

    fn halo(&mut self) -> Handle<StandardMaterial> {
        let falls = texture::round(|away| (1.0 - away).max(0.0).powf(1.7));
        let falls = self.images.add(falls);
        self.materials.add(StandardMaterial {
            base_color: (theme::SEGMENT * SEGMENT_HALO).into(),
            base_color_texture: Some(falls),
            unlit: true,
            alpha_mode: AlphaMode::Add,
            ..default()
        })
    }

    fn segment(&mut self, glow: f32) -> Handle<StandardMaterial> {
        self.materials.add(StandardMaterial {
            base_color: theme::GLASS,
            emissive: theme::SEGMENT * glow,
            perceptual_roughness: 0.6,
            reflectance: 0.2,
            ..default()
        })
    }
}

/// The part of its brightness that a light keeps: the less, the whiter it is.
fn softness(light: LinearRgba) -> f32 {
    let [red, green, blue] = [light.red, light.green, light.blue];
    let most = red.max(green).max(blue).max(f32::EPSILON);
    1.0 - WHITE_GLARE * red.min(green).min(blue) / most
}

/// The light of this strength that falls on what is around.
fn spilt(light: LinearRgba, strength: f32) -> LinearRgba {
    light * (strength * softness(light))
}

fn colours() -> [Colour; Colour::COUNT] {
    std::array::from_fn(|index| Colour::new(index as u8))
}

/// The texture of light through a dome: almost white in the middle, where the
/// lamp is, then the colour, deepest at the rim.
fn through(palette: Palette, colour: Colour) -> Image {
    let form = palette.form(colour);
    let light = theme::light(palette, colour);
    texture::over(TextureFormat::Rgba8UnormSrgb, |place| {
        let away = place.length();
        let core = (1.0 - (away / CORE).powi(2)).max(0.0).powi(2);
        let body = RIM + (1.0 - RIM) * (1.0 - away * away).max(0.0).powf(1.9);
        let (core, body) = match form {
            MarkShape::Disc => (core, body),
            MarkShape::Ring => {
                let [from, to] = DARK_MIDDLE;
                let lit = ((away - from) / (to - from)).clamp(0.0, 1.0);
                (0.0, lit * lit * (3.0 - 2.0 * lit) * (0.4 + 0.6 * body))
            }
        };
        let white = LinearRgba::WHITE * (CORE_WHITE * core);
        let through = light * (body * (1.0 - CORE_WHITE * core)) + white;
        let encoded = Srgba::from(through);
        [encoded.red, encoded.green, encoded.blue, 1.0]
    })
}

/// Switches the lights to another palette; everything else stays.
fn recreate_paint(
    chosen: Res<ChosenPalette>,
    paint: Res<Paint>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let palette = chosen.0;
    for index in 1..Colour::COUNT {
        let colour = Colour::new(index as u8);
        let light = theme::light(palette, colour);
        if let Some(mut dome) = materials.get_mut(&paint.dome[index]) {
            dome.base_color = (light * 0.06).into();
            dome.emissive = LinearRgba::gray(GLOW * softness(light));
            // A new image, because a material that was drawn with an image keeps its old
            // contents.
            dome.emissive_texture = Some(images.add(through(palette, colour)));
        }
        for (glow, strength) in [(&paint.spill, SPILL), (&paint.veil, VEIL)] {
            if let Some(mut glow) = materials.get_mut(&glow[index]) {
                glow.base_color = spilt(light, strength).into();
            }
        }
    }
}

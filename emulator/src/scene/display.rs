//! The display of twelve characters behind its window, tilted towards the player.

use bevy::light::NotShadowCaster;
use bevy::prelude::*;
use protocol::DISPLAY_CHARACTERS;
use touchboard_host::case::{DISPLAY, DISPLAY_Y, Outline};

use super::paint::Paint;
use super::segments::{self, SEGMENTS};
use super::shape::Shape;
use super::touch::{DisplayGlass, Solid};
use super::{CasePanelEntity, SceneSet};
use crate::source::Shown;

/// Width, height and depth of the window.
const WINDOW: Vec3 = Vec3::new(DISPLAY.x, 0.6, DISPLAY.y);
/// Width of the frame around it.
const BORDER: f32 = 0.11;
/// Depth of the segments behind the pane.
const DEEP: f32 = 0.075;
/// Tilt of the window, in radians.
const LEAN: f32 = 0.12;
/// The height of a character.
const CHARACTER: f32 = 0.66;
/// Width of a character, relative to its height.
const CHARACTER_WIDTH: f32 = 0.60;
/// Distance from one character to the next.
const CHARACTER_STEP: f32 = 0.555;
/// Slant of characters to the right, relative to their height.
const SLANT: f32 = 0.10;
/// Width and depth of the glow around a character.
const HALO: Vec2 = Vec2::new(1.0, 1.0);

/// A segment of the display, and whether it is lit.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The index of the character, from the left.
    pub character: usize,
    /// The index of the segment within the character.
    pub segment: usize,
    /// True if the segment is lit.
    pub lit: bool,
}

/// The glow around a character while one of its segments is lit.
#[derive(Component, Clone, Copy, Debug)]
struct Halo {
    character: usize,
}

/// Builds the display and shows the frame's text.
pub struct DisplayPlugin;

impl Plugin for DisplayPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, build).add_systems(
            Update,
            show_text
                .in_set(SceneSet::Follow)
                .run_if(resource_changed::<Shown>),
        );
    }
}

fn build(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    paint: Res<Paint>,
    panel: Res<CasePanelEntity>,
) {
    let window = spawn_window(&mut commands, &mut meshes, &paint, panel.0);
    spawn_characters(&mut commands, &mut meshes, &paint, window);
}

/// Spawns the frame, the recessed ground inside it, and the pane over both. Returns the
/// ground, at which the characters are placed.
fn spawn_window(
    commands: &mut Commands,
    meshes: &mut Assets<Mesh>,
    paint: &Paint,
    panel: Entity,
) -> Entity {
    let rise = LEAN.sin() * WINDOW.z / 2.0 + 0.06;
    let lean = Quat::from_rotation_x(LEAN);
    let place = Transform::from_xyz(0.0, rise, DISPLAY_Y).with_rotation(lean);
    let outline = Outline::rectangle(DISPLAY, 0.15);
    let ground = Shape::cut(&outline.grown(-BORDER), &[Vec2::new(0.0, -DEEP)], true);
    let frame = [
        Vec2::new(0.0, -WINDOW.y),
        Vec2::new(0.0, -0.025),
        Vec2::new(0.025, 0.0),
        Vec2::new(BORDER, 0.0),
        Vec2::new(BORDER, -DEEP),
    ];
    let window = commands
        .spawn((
            Name::new("display"),
            DisplayGlass,
            Solid::below(WINDOW),
            ChildOf(panel),
            Mesh3d(meshes.add(ground.mesh())),
            MeshMaterial3d(paint.glass.clone()),
            place,
        ))
        .id();
    commands.spawn((
        Name::new("frame of the display"),
        ChildOf(window),
        Mesh3d(meshes.add(Shape::cut(&outline, &frame, false).mesh())),
        MeshMaterial3d(paint.rubber.clone()),
        Transform::default(),
    ));
    let pane = Shape::cut(
        &outline.grown(-BORDER * 0.6),
        &[Vec2::new(0.0, -0.004)],
        true,
    );
    commands.spawn((
        Name::new("pane of the display"),
        ChildOf(window),
        NotShadowCaster,
        Mesh3d(meshes.add(pane.mesh())),
        MeshMaterial3d(paint.window.clone()),
        Transform::default(),
    ));
    window
}

/// Spawns the segments of all characters, with a glow around each character.
fn spawn_characters(
    commands: &mut Commands,
    meshes: &mut Assets<Mesh>,
    paint: &Paint,
    window: Entity,
) {
    let segments: [Handle<Mesh>; SEGMENTS] = std::array::from_fn(|segment| {
        let corners: Vec<Vec2> = segments::outline(segment, CHARACTER_WIDTH)
            .into_iter()
            .map(|corner| Vec2::new(corner.x - SLANT * corner.y, corner.y) * CHARACTER)
            .collect();
        let fan: Vec<u32> = (1..corners.len() as u32 - 1)
            .flat_map(|corner| [0, corner, corner + 1])
            .collect();
        meshes.add(Shape::flat(&corners, &fan).mesh())
    });
    let halo = meshes.add(Shape::plate(HALO.x, HALO.y).mesh());
    for character in 0..DISPLAY_CHARACTERS {
        let middle = (DISPLAY_CHARACTERS - 1) as f32 / 2.0;
        let x = (character as f32 - middle) * CHARACTER_STEP;
        commands.spawn((
            Halo { character },
            ChildOf(window),
            NotShadowCaster,
            Mesh3d(halo.clone()),
            MeshMaterial3d(paint.halo.clone()),
            Transform::from_xyz(x, 0.008 - DEEP, 0.0),
            Visibility::Hidden,
        ));
        for (segment, mesh) in segments.iter().enumerate() {
            commands.spawn((
                Segment {
                    character,
                    segment,
                    lit: false,
                },
                ChildOf(window),
                NotShadowCaster,
                Mesh3d(mesh.clone()),
                MeshMaterial3d(paint.segment[0].clone()),
                Transform::from_xyz(x, 0.004 - DEEP, 0.0),
            ));
        }
    }
}

/// Lights the segments of the text. Only segments that changed are touched.
fn show_text(
    shown: Res<Shown>,
    paint: Res<Paint>,
    mut segments: Query<(&mut Segment, &mut MeshMaterial3d<StandardMaterial>)>,
    mut halos: Query<(&Halo, &mut Visibility)>,
) {
    let mut bits = [0_u16; DISPLAY_CHARACTERS];
    for (place, letter) in bits.iter_mut().zip(shown.frame.display.chars()) {
        *place = segments::lit(letter);
    }
    for (halo, mut visibility) in &mut halos {
        visibility.set_if_neq(match bits[halo.character] {
            0 => Visibility::Hidden,
            _ => Visibility::Inherited,
        });
    }
    for (mut segment, mut material) in &mut segments {
        let lit = bits[segment.character] >> segment.segment & 1 == 1;
        if segment.lit != lit {
            segment.lit = lit;
            material.0 = paint.segment[usize::from(lit)].clone();
        }
    }
}

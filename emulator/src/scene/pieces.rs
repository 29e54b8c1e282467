//! What lies on the points, as things: stones with their symbols, piles, and the
//! walls and borders between.
//!
//! A stone covers its light, whose glow is seen around it; the pieces of a pile
//! are rings around theirs, the pinned one at the bottom, so that what blinks is
//! seen through them. They are the window's, not the board's, and can be taken
//! away to see what a board of lamps shows.

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use hil_bridge::palette::Palette;
use hil_bridge::pieces::{Line, LineKind, Piece, Pieces, Stone};
use protocol::Side;

use super::SceneSet;
use super::case::{FIELD_Y, PRINT_LIFT};
use super::lettering;
use super::paint::Paint;
use super::plan::Plan;
use super::shape::{Shape, Slab};
use crate::source::Shown;
use crate::theme::{self, Chosen};

/// Whether one wants to see the pieces.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShowPieces {
    /// One does.
    #[default]
    On,
    /// One wants to see the lights alone.
    Off,
}

/// Lays the pieces on the board.
pub struct PiecesPlugin;

impl Plugin for PiecesPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<ShowPieces>()
            .init_resource::<Laid>()
            .add_systems(
                Update,
                lay.in_set(SceneSet::Follow).run_if(
                    resource_changed::<Shown>
                        .or_else(resource_changed::<Plan>)
                        .or_else(resource_changed::<Chosen>)
                        .or_else(resource_changed::<ShowPieces>),
                ),
            );
    }
}

/// A part of what lies on the board, in one colour.
#[derive(Component)]
pub struct Thing;

/// What lies there.
#[derive(Resource, Default)]
struct Laid(Option<(Pieces, Palette)>);

/// What a part is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Matter {
    /// The body of a stone of this colour's index.
    Stone(u8),
    /// A ring of a side.
    Ring(Side),
    /// What is printed on a stone.
    Symbol,
    /// How many pieces are in a pile.
    Count,
    Wall,
    Border,
}

#[allow(
    clippy::too_many_arguments,
    reason = "a system asks for what it needs by its arguments"
)]
fn lay(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    shown: Res<Shown>,
    show: Res<ShowPieces>,
    plan: Res<Plan>,
    paint: Res<Paint>,
    chosen: Res<Chosen>,
    mut laid: ResMut<Laid>,
    old: Query<Entity, With<Thing>>,
) {
    let palette = chosen.0;
    let wanted = shown
        .pieces
        .clone()
        .filter(|_| *show == ShowPieces::On)
        .map(|pieces| (pieces, palette));
    if wanted == laid.0 && !plan.is_changed() {
        return;
    }
    for entity in &old {
        commands.entity(entity).despawn();
    }
    if let Some((pieces, _)) = &wanted {
        for (matter, shape) in shapes(pieces, &plan) {
            commands.spawn((
                Name::new("pieces"),
                Thing,
                Pickable::IGNORE,
                Mesh3d(meshes.add(shape.mesh())),
                MeshMaterial3d(material(matter, palette, &paint, &mut materials)),
            ));
        }
    }
    laid.0 = wanted;
}

/// The radius of a stone, in parts of the pitch; the ring of the last move lies
/// around it.
const STONE: f32 = 0.372;
/// Its height: more than that of a light.
const STONE_HEIGHT: f32 = 0.17;
/// The rings of a pile, inside and outside.
const RING: [f32; 2] = [0.325, 0.388];
/// The height of one, and of what is between two.
const RING_HEIGHT: f32 = 0.115;
/// See [`RING_HEIGHT`].
const RING_GAP: f32 = 0.02;
/// More rings than these are told by their number alone.
const MOST_RINGS: u8 = 6;
/// How large the number of a pile is, in parts of the pitch.
const NUMBER: f32 = 0.15;
/// Width and height of a wall.
const WALL: [f32; 2] = [0.13, 0.26];
/// Width of a border.
const BORDER: f32 = 0.035;

/// All that lies there, a shape for each matter.
fn shapes(pieces: &Pieces, plan: &Plan) -> HashMap<Matter, Shape> {
    let pitch = plan.pitch();
    let mut all: HashMap<Matter, Shape> = HashMap::default();
    let stone = stone_body(pitch);
    let ring = ring(pitch);
    let mut symbols: HashMap<char, Shape> = HashMap::default();
    for (point, piece) in &pieces.on {
        let at = plan.place(*point) + Vec3::Y * FIELD_Y;
        let mut add = |matter: Matter, shape: &Shape, lift: f32| {
            let place = Transform::from_translation(at + Vec3::Y * lift);
            all.entry(matter).or_default().add(shape, place);
        };
        match *piece {
            Piece::Stone(Stone { colour, symbol, .. }) => {
                add(Matter::Stone(colour.index()), &stone, 0.0);
                let sign = symbols.entry(symbol).or_insert_with(|| sign(symbol, pitch));
                add(Matter::Symbol, sign, STONE_HEIGHT * pitch + PRINT_LIFT);
            }
            Piece::Pile { side, count, pins } => {
                let pinned = pins.then_some(side.other());
                let own = std::iter::repeat_n(side, usize::from(count.min(MOST_RINGS)));
                for (level, side) in pinned.into_iter().chain(own).enumerate() {
                    let lift = level as f32 * (RING_HEIGHT + RING_GAP) * pitch;
                    add(Matter::Ring(side), &ring, lift);
                }
                if count > 1 {
                    let number = lettering::words(&count.to_string(), NUMBER * pitch);
                    let corner = Vec3::new(0.40, 0.0, 0.38) * pitch;
                    let place = Transform::from_translation(at + corner + Vec3::Y * PRINT_LIFT);
                    all.entry(Matter::Count).or_default().add(&number, place);
                }
            }
        }
    }
    for line in &pieces.lines {
        let (matter, shape, place) = between(line, plan);
        all.entry(matter).or_default().add(&shape, place);
    }
    all
}

/// A round stone with a soft edge.
fn stone_body(pitch: f32) -> Shape {
    let (radius, height) = (STONE * pitch, STONE_HEIGHT * pitch);
    let soft = 0.35 * height;
    let profile = [
        Vec2::new(radius, 0.0),
        Vec2::new(radius, height - soft),
        Vec2::new(radius - 0.3 * soft, height - 0.3 * soft),
        Vec2::new(radius - soft, height),
        Vec2::new(0.0, height),
    ];
    Shape::turned(&profile, 36)
}

/// One ring of a pile.
fn ring(pitch: f32) -> Shape {
    let [inner, outer] = RING.map(|radius| radius * pitch);
    let (height, soft) = (RING_HEIGHT * pitch, 0.02 * pitch);
    let profile = [
        Vec2::new(outer, 0.0),
        Vec2::new(outer, height - soft),
        Vec2::new(outer - soft, height),
        Vec2::new(inner + soft, height),
        Vec2::new(inner, height - soft),
        Vec2::new(inner, 0.0),
    ];
    Shape::turned(&profile, 36)
}

/// What is printed on a stone: drawn, so that each is as bold as the others.
fn sign(symbol: char, pitch: f32) -> Shape {
    let size = 0.40 * pitch;
    let bold = 0.085 * pitch;
    let bar = |length: f32, turn: f32, z: f32| {
        let place = Transform::from_xyz(0.0, 0.0, z).with_rotation(Quat::from_rotation_y(turn));
        (Shape::plate(length, bold), place)
    };
    let mut sign = Shape::default();
    let quarter = std::f32::consts::FRAC_PI_2;
    let bars: Vec<(Shape, Transform)> = match symbol {
        '-' => vec![bar(size, 0.0, 0.0)],
        '=' => vec![bar(size, 0.0, -bold), bar(size, 0.0, bold)],
        '+' => vec![bar(size, 0.0, 0.0), bar(size, quarter, 0.0)],
        'x' => vec![
            bar(size, quarter / 2.0, 0.0),
            bar(size, -quarter / 2.0, 0.0),
        ],
        '*' => (0..3)
            .map(|arm| bar(size, f32::from(arm as u8) * quarter * 2.0 / 3.0, 0.0))
            .collect(),
        'o' => vec![(
            super::marks::arc([size / 2.0 - bold, size / 2.0], 0.0, 4.0 * quarter),
            Transform::IDENTITY,
        )],
        other => vec![(
            lettering::words(&other.to_string(), size),
            Transform::IDENTITY,
        )],
    };
    for (bar, place) in bars {
        sign.add(&bar, place);
    }
    sign
}

/// A wall that stands, or a border that is drawn.
fn between(line: &Line, plan: &Plan) -> (Matter, Shape, Transform) {
    let [from, to] = [line.from, line.to].map(|spot| plan.on_field(spot));
    let middle = (from + to) / 2.0 + Vec3::Y * FIELD_Y;
    let along = (to - from).abs();
    let pitch = plan.pitch();
    match line.kind {
        LineKind::Wall => {
            let [width, height] = WALL.map(|size| size * pitch);
            let size = along + Vec3::new(width, 0.0, width) + Vec3::Y * height;
            let slab = Shape::slab(Slab {
                size,
                corner: width * 0.45,
                fillet: width * 0.2,
            });
            let place = Transform::from_translation(middle + Vec3::Y * height / 2.0);
            (Matter::Wall, slab, place)
        }
        LineKind::Border => {
            let width = BORDER * pitch;
            let plate = Shape::plate(along.x + width, along.z + width);
            let place = Transform::from_translation(middle + Vec3::Y * PRINT_LIFT);
            (Matter::Border, plate, place)
        }
    }
}

fn material(
    matter: Matter,
    palette: Palette,
    paint: &Paint,
    materials: &mut Assets<StandardMaterial>,
) -> Handle<StandardMaterial> {
    let mut matte = |base_color: Color| {
        materials.add(StandardMaterial {
            base_color,
            perceptual_roughness: 0.5,
            reflectance: 0.35,
            ..default()
        })
    };
    match matter {
        Matter::Stone(index) => {
            let light = theme::light(palette, protocol::Colour::new(index));
            let brightest = light.red.max(light.green).max(light.blue).max(1e-3);
            matte((light * (0.78 / brightest)).with_alpha(1.0).into())
        }
        Matter::Ring(side) => {
            let [red, green, blue] = theme::side(palette, side);
            matte(Color::srgb_u8(red, green, blue))
        }
        Matter::Symbol => materials.add(StandardMaterial {
            base_color: theme::GROOVE,
            perceptual_roughness: 0.8,
            reflectance: 0.2,
            ..default()
        }),
        Matter::Count | Matter::Border => paint.print.clone(),
        Matter::Wall => paint.print.clone(),
    }
}

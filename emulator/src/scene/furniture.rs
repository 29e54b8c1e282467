//! The surroundings of the case: the table, feet, screws, and a socket with a cable while
//! there is a line to a board.
//!
//! Invariants: the cable is plugged in while the board answers, pulled out while it does
//! not, and hidden if there is no line.

use bevy::asset::RenderAssetUsages;
use bevy::light::NotShadowCaster;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use touchboard_host::case::{CASE_HEIGHT, Outline, SCREW, flat};

use super::SceneSet;
use super::case::PRINT_LIFT;
use super::lights;
use super::paint::Paint;
use super::plan::{PointPlan, bounds, vec2};
use super::shape::{Shape, Slab};
use super::texture;
use crate::source::{BoardLink, Shown};
use crate::theme::{self, WindowTone};

/// Height of the feet, which leave room for a shadow under the case.
const FEET: f32 = 0.10;
/// Height of the table top.
pub const TABLE_Y: f32 = -CASE_HEIGHT - FEET;
/// Radius of the visible table top.
const TABLE_RADIUS: f32 = 60.0;
/// Radius of the pool of light on the table.
const POOL: f32 = 15.0;
/// x of the socket, at the back of the case.
const SOCKET_X: f32 = 2.6;
/// y of the socket's middle.
const SOCKET_Y: f32 = -0.48;
/// The radius of the cable.
const CABLE: f32 = 0.085;
/// Distance of a pulled plug from the socket.
const PULLED: f32 = 0.9;
/// Reach of the case's shade on the table.
const SHADE: f32 = 2.4;
/// Opacity of the shade at the edge of the case.
const CONTACT: f32 = 0.72;
/// Opacity of the case's shadow.
const SHADOW: f32 = 0.66;
/// Opacity of the cable's shadow.
const CABLE_SHADOW: f32 = 0.40;

/// Marks parts that are rebuilt when the layout changes.
#[derive(Component)]
struct OfCase;

/// The cable and its plug.
#[derive(Component, Clone, Copy, Debug)]
pub struct Cable;

/// Builds the table, feet, screws, socket and cable.
pub struct FurniturePlugin;

impl Plugin for FurniturePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, set_table)
            .add_systems(
                Update,
                build
                    .in_set(SceneSet::Build)
                    .run_if(resource_changed::<PointPlan>),
            )
            .add_systems(
                Update,
                plug.in_set(SceneSet::Follow)
                    .run_if(resource_changed::<Shown>.or_else(resource_changed::<PointPlan>)),
            )
            .init_resource::<WindowTone>()
            .add_systems(
                Update,
                lay_cloth
                    .in_set(SceneSet::Follow)
                    .run_if(resource_changed::<WindowTone>.or_else(resource_changed::<Paint>)),
            );
    }
}

fn set_table(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, paint: Res<Paint>) {
    commands.spawn((
        Name::new("table"),
        NotShadowCaster,
        Mesh3d(meshes.add(table())),
        MeshMaterial3d(paint.table.clone()),
        Transform::from_xyz(0.0, TABLE_Y, 0.0),
    ));
}

/// Lays the cloth that goes with the panels.
fn lay_cloth(
    mut materials: ResMut<Assets<StandardMaterial>>,
    paint: Res<Paint>,
    tone: Res<WindowTone>,
) {
    if let Some(mut table) = materials.get_mut(&paint.table) {
        let cloth = match *tone {
            WindowTone::Dark => theme::TABLE,
            WindowTone::Light => theme::TABLE_LIGHT,
        };
        table.base_color = cloth.into();
    }
}

/// The round table top, lit by a pool of light that fades into the dark.
fn table() -> Mesh {
    const ROUNDS: u32 = 16;
    const STEPS: u32 = 48;
    let (mut places, mut colours, mut uvs) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let away = TABLE_RADIUS * (round as f32 / ROUNDS as f32).powf(1.8);
        let light = (-(away / POOL).powi(2)).exp() * 0.97 + 0.03;
        for step in 0..STEPS {
            let angle = std::f32::consts::TAU * step as f32 / STEPS as f32;
            let place = Vec2::from_angle(angle) * away;
            places.push([place.x, 0.0, place.y]);
            colours.push([light, light, light, 1.0]);
            uvs.push((place / 4.5).to_array());
        }
    }
    let mut indices = Vec::new();
    for round in 0..ROUNDS {
        for step in 0..STEPS {
            let [a, b] = [step, (step + 1) % STEPS].map(|step| round * STEPS + step);
            let [c, d] = [a + STEPS, b + STEPS];
            indices.extend([a, b, c, b, d, c]);
        }
    }
    let count = places.len();
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places)
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 1.0, 0.0]; count])
    .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
    .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
    .with_inserted_indices(Indices::U32(indices))
}

fn build(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    paint: Res<Paint>,
    plan: Res<PointPlan>,
    old: Query<Entity, With<OfCase>>,
) {
    for entity in &old {
        commands.entity(entity).despawn();
    }
    let outline = plan.case();
    let back = bounds(outline).min.y;
    let mut add = |name, shape: Shape, material: &Handle<StandardMaterial>, place: Vec3| {
        let part = (
            Name::new(name),
            OfCase,
            Mesh3d(meshes.add(shape.mesh())),
            MeshMaterial3d(material.clone()),
            Transform::from_translation(place),
        );
        commands.spawn(part).id()
    };
    let (heads, sockets) = screws(&plan);
    add("screws", heads, &paint.bright, Vec3::ZERO);
    add("sockets of screws", sockets, &paint.groove, Vec3::ZERO);
    add("feet", feet(outline), &paint.rubber, Vec3::ZERO);
    let socket = Slab {
        size: Vec3::new(0.62, 0.22, 0.05),
        corner: 0.02,
        fillet: 0.01,
    };
    let at = Vec3::new(SOCKET_X, SOCKET_Y + 0.11, back);
    add("socket", Shape::slab(socket), &paint.groove, at);
    let at = Vec3::new(SOCKET_X, SOCKET_Y, back);
    let plug = add("plug", plug_body(), &paint.bright, at);
    let cable = add("cable", cable(), &paint.rubber, at);
    // The shadow of the cable, as flat as the table.
    let by = -lights::KEY_AT.xz() / lights::KEY_AT.y * CABLE;
    let on_table = TABLE_Y + 0.012 - SOCKET_Y;
    let flat = |place: Vec3| Vec3::new(place.x + by.x, on_table, place.z + by.y);
    let dark = materials.add(StandardMaterial {
        base_color: Color::BLACK.with_alpha(CABLE_SHADOW),
        unlit: true,
        alpha_mode: AlphaMode::Blend,
        ..default()
    });
    let under = add("shadow of the cable", self::cable().bent(flat), &dark, at);
    let shade = shade(outline, &mut materials, &mut images);
    let place = bounds(outline).center().extend(TABLE_Y + 0.01).xzy();
    let size = bounds(outline).size() + 2.0 * SHADE;
    let shade = add("contact shade", Shape::plate(size.x, size.y), &shade, place);
    commands.entity(shade).insert(NotShadowCaster);
    for part in [plug, cable, under] {
        commands.entity(part).insert((Cable, Visibility::Hidden));
    }
}

/// The heads of the four screws at the corners of the plate, and the dark sockets in
/// them.
fn screws(plan: &PointPlan) -> (Shape, Shape) {
    let head = Shape::turned(
        &[
            Vec2::new(SCREW, -0.02),
            Vec2::new(SCREW, 0.018),
            Vec2::new(SCREW * 0.86, 0.036),
            Vec2::new(0.0, 0.036),
        ],
        24,
    );
    // A hexagonal socket.
    let socket = Shape::turned(&[Vec2::new(SCREW * 0.5, 0.0), Vec2::new(0.0, 0.0)], 6);
    let (mut heads, mut sockets) = (Shape::default(), Shape::default());
    for (index, place) in plan.screws().into_iter().enumerate() {
        let turned = Quat::from_rotation_y(0.7 * index as f32);
        let place = Transform::from_translation(place).with_rotation(turned);
        heads.add(&head, place);
        let place = place.with_translation(place.translation + Vec3::Y * (0.036 + PRINT_LIFT));
        sockets.add(&socket, place);
    }
    (heads, sockets)
}

fn feet(outline: &Outline) -> Shape {
    let inner = outline.grown(-0.55);
    let foot = Shape::turned(
        &[
            Vec2::new(0.40, TABLE_Y),
            Vec2::new(0.42, -CASE_HEIGHT + 0.01),
        ],
        24,
    );
    let mut feet = Shape::default();
    for way in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
        let place = vec2(inner.farthest(way.into())).extend(0.0).xzy();
        feet.add(&foot, Transform::from_translation(place));
    }
    feet
}

/// The metal of the plug, along -z.
fn plug_body() -> Shape {
    Shape::tube(&[Vec3::Z * 0.05, Vec3::Z * -0.12], 0.15, 16)
}

/// The cable from the socket down to the table and away across it, with the grip of the
/// plug.
fn cable() -> Shape {
    let table = TABLE_Y - SOCKET_Y + CABLE;
    let ways = [
        [
            Vec3::new(0.0, 0.0, -0.10),
            Vec3::new(0.0, 0.0, -0.9),
            Vec3::new(0.0, table, -0.9),
            Vec3::new(0.1, table, -1.7),
        ],
        [
            Vec3::new(0.1, table, -1.7),
            Vec3::new(0.3, table, -3.4),
            Vec3::new(2.4, table, -1.4),
            Vec3::new(4.6, table, -3.0),
        ],
        [
            Vec3::new(4.6, table, -3.0),
            Vec3::new(6.8, table, -4.6),
            Vec3::new(9.0, table, -2.0),
            Vec3::new(16.0, table, -7.0),
        ],
    ];
    let curve = CubicBezier::new(ways).to_curve();
    let way: Vec<Vec3> = curve
        .map(|curve| curve.iter_positions(72).collect())
        .unwrap_or_default();
    let mut all = Shape::tube(&way, CABLE, 10);
    // The grip of the plug.
    let grip = [
        Vec3::Z * -0.10,
        Vec3::Z * -0.14,
        Vec3::Z * -0.62,
        Vec3::Z * -0.72,
    ];
    all.add(&Shape::tube(&grip, 0.19, 12), Transform::IDENTITY);
    all
}

/// How much of the lamp's light the case blocks at a place on the table, 0 to 1.
/// The higher the edge that throws the shadow, the softer it is.
fn shadow(outline: &Outline, place: Vec2) -> f32 {
    const STEPS: u8 = 10;
    let by = -lights::KEY_AT.xz() / lights::KEY_AT.y;
    let kept = (0..=STEPS).map(|step| {
        let height = -TABLE_Y * f32::from(step) / f32::from(STEPS);
        let edge = place - by * height;
        let soft = 0.05 + 0.28 * height;
        let part = outline.distance(flat(edge.x, edge.y)) / soft;
        let part = (0.5 - 0.5 * part).clamp(0.0, 1.0);
        part * part * (3.0 - 2.0 * part)
    });
    kept.fold(0.0, f32::max)
}

/// The material of the shade and the shadow around the case.
fn shade(
    outline: &Outline,
    materials: &mut Assets<StandardMaterial>,
    images: &mut Assets<Image>,
) -> Handle<StandardMaterial> {
    let half = bounds(outline).half_size() + SHADE;
    let middle = bounds(outline).center();
    let image = texture::over(TextureFormat::Rgba8Unorm, |place| {
        let place = middle + place * half;
        let away = outline.distance(flat(place.x, place.y)).max(0.0);
        let contact = (1.0 - away / SHADE).max(0.0).powi(3) * CONTACT;
        let kept = 1.0 - SHADOW * shadow(outline, place);
        [0.0, 0.0, 0.0, 1.0 - kept * (1.0 - contact)]
    });
    materials.add(StandardMaterial {
        base_color: Color::BLACK,
        base_color_texture: Some(images.add(image)),
        unlit: true,
        alpha_mode: AlphaMode::Blend,
        ..default()
    })
}

/// Plugs in, pulls out or hides the cable, depending on the line.
fn plug(
    shown: Res<Shown>,
    plan: Res<PointPlan>,
    mut cable: Query<(&mut Visibility, &mut Transform), With<Cable>>,
) {
    let back = plan.bounds().min.y;
    for (mut visibility, mut transform) in &mut cable {
        let (is_there, pulled) = match &shown.link {
            BoardLink::Direct => (false, 0.0),
            BoardLink::Up { .. } => (true, 0.0),
            BoardLink::Searching | BoardLink::Down(_) => (true, PULLED),
        };
        visibility.set_if_neq(match is_there {
            true => Visibility::Inherited,
            false => Visibility::Hidden,
        });
        let z = back - pulled;
        if transform.translation.z != z {
            transform.translation.z = z;
        }
    }
}

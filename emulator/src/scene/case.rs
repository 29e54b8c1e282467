//! The case: a low box with rounded edges, the engraved field, the coordinates,
//! the table it stands on.

use bevy::light::NotShadowCaster;
use bevy::prelude::*;

use hil_bridge::places::{self, Edge};
use protocol::{Point, Sides};

use super::SceneSet;
use super::ground;
use super::lettering;
use super::paint::Paint;
use super::plan::{
    CASE_DEPTH, CASE_HEIGHT, CASE_MIDDLE, CASE_WIDTH, FIELD_SIDE, FRONT, MARGIN, Plan,
};
use super::shape::{Shape, Slab, rounded};

/// Radius of the four upright edges of the case.
const CASE_CORNER: f32 = 0.62;
/// Radius of the edge around its top.
const CASE_FILLET: f32 = 0.16;
/// The feet lift the case off the table, so that it has a shadow under it.
const FEET: f32 = 0.10;
/// Width of an engraved line, in parts of the distance of points.
const LINE: f32 = 0.035;
/// How high the tiles between the lines stand over the ground of the lines.
const TILE_HEIGHT: f32 = 0.035;
/// Radius of their upper edges.
const TILE_FILLET: f32 = 0.022;
/// The ground of the lines between tiles.
const GROUND_Y: f32 = 0.002;
/// How far the lines of a drawn board lie over its ground.
const LINE_LIFT: f32 = 0.0015;
/// Height of the letters and numbers beside the field.
const COORDINATE_HEIGHT: f32 = 0.26;
/// How far from the field a letter stands on a slanted line, in its own height.
const BESIDE: f32 = 0.9;
/// A line that rises less than this of its length is level.
const LEVEL: f32 = 0.1;
/// Lettering lies this far over what it is printed on.
pub const PRINT_LIFT: f32 = 0.003;
/// Radius of the table top that is in view.
const TABLE_RADIUS: f32 = 60.0;

/// What is built anew for another layout.
#[derive(Component)]
struct Field;

/// Builds the case.
pub struct CasePlugin;

impl Plugin for CasePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, build_body).add_systems(
            Update,
            build_field
                .in_set(SceneSet::Build)
                .run_if(resource_changed::<Plan>),
        );
    }
}

fn build_body(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, paint: Res<Paint>) {
    let body = Shape::slab(Slab {
        size: Vec3::new(CASE_WIDTH, CASE_HEIGHT, CASE_DEPTH),
        corner: CASE_CORNER,
        fillet: CASE_FILLET,
    });
    commands.spawn((
        Name::new("case"),
        Mesh3d(meshes.add(body.mesh())),
        MeshMaterial3d(paint.case.clone()),
        Transform::from_translation(CASE_MIDDLE),
    ));
    let table = Shape::plate(2.0 * TABLE_RADIUS, 2.0 * TABLE_RADIUS);
    commands.spawn((
        Name::new("table"),
        Mesh3d(meshes.add(table.mesh())),
        MeshMaterial3d(paint.table.clone()),
        Transform::from_xyz(0.0, -CASE_HEIGHT - FEET, 0.0),
    ));
    let shade = Shape::plate(CASE_WIDTH * 1.42, CASE_DEPTH * 1.42);
    commands.spawn((
        Name::new("contact shade"),
        NotShadowCaster,
        Mesh3d(meshes.add(shade.mesh())),
        MeshMaterial3d(paint.contact.clone()),
        Transform::from_translation(CASE_MIDDLE - Vec3::Y * (CASE_HEIGHT + FEET - 0.01)),
    ));
    let foot = Shape::turned(
        &[
            Vec2::new(0.42, -CASE_HEIGHT - FEET),
            Vec2::new(0.42, -CASE_HEIGHT),
        ],
        24,
    );
    let mut feet = Shape::default();
    for (x, z) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
        let corner = Vec3::new(
            x * (CASE_WIDTH / 2.0 - 1.0),
            0.0,
            CASE_MIDDLE.z + z * (CASE_DEPTH / 2.0 - 1.0),
        );
        feet.add(&foot, Transform::from_translation(corner));
    }
    commands.spawn((
        Name::new("feet"),
        Mesh3d(meshes.add(feet.mesh())),
        MeshMaterial3d(paint.groove.clone()),
    ));
    let maker = lettering::words("touchboard", 0.14);
    commands.spawn((
        Name::new("name"),
        Mesh3d(meshes.add(maker.mesh())),
        MeshMaterial3d(paint.print.clone()),
        Transform::from_xyz(
            CASE_WIDTH / 2.0 - 1.25,
            PRINT_LIFT,
            FIELD_SIDE / 2.0 + FRONT * 0.76,
        ),
    ));
}

fn build_field(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    paint: Res<Paint>,
    plan: Res<Plan>,
    old: Query<Entity, With<Field>>,
) {
    for entity in &old {
        commands.entity(entity).despawn();
    }
    let (ground, lines) = match plan.layout().sides() {
        Some(sides) => {
            let lines = Shape::plate(plan.field().x, plan.field().y);
            (tiles(&plan, sides), Some((lines, GROUND_Y)))
        }
        None if ground::has_lines(&plan) => {
            (plateau(&plan), Some((ways(&plan), FIELD_Y + LINE_LIFT)))
        }
        None => (ground::tray(&plan).unwrap_or_else(|| plateau(&plan)), None),
    };
    if let Some((lines, lines_y)) = lines {
        commands.spawn((
            Name::new("lines"),
            Field,
            Mesh3d(meshes.add(lines.mesh())),
            MeshMaterial3d(paint.groove.clone()),
            Transform::from_xyz(0.0, lines_y, 0.0),
        ));
    }
    commands.spawn((
        Name::new("tiles"),
        Field,
        Mesh3d(meshes.add(ground.mesh())),
        MeshMaterial3d(paint.field.clone()),
    ));
    commands.spawn((
        Name::new("coordinates"),
        Field,
        Mesh3d(meshes.add(coordinates(&plan).mesh())),
        MeshMaterial3d(paint.print.clone()),
    ));
}

/// The tiles of a rectangle, which leave the engraved lines between them.
fn tiles(plan: &Plan, sides: Sides) -> Shape {
    let line = LINE * plan.pitch();
    let cuts = |side: f32, middles: Vec<f32>| {
        let half = side / 2.0;
        let mut edges = vec![-half - line / 2.0];
        edges.extend(middles);
        edges.push(half + line / 2.0);
        edges
    };
    let middles = |points: u8, at: &dyn Fn(u8) -> Option<Point>| {
        let points = (0..points).filter_map(at);
        points.map(|point| plan.place(point)).collect::<Vec<_>>()
    };
    let columns = middles(sides.columns(), &|column| sides.at(column, 0));
    let rows = middles(sides.rows(), &|row| sides.at(0, row));
    let xs = cuts(plan.field().x, columns.iter().map(|at| at.x).collect());
    let zs = cuts(plan.field().y, rows.iter().map(|at| at.z).collect());
    let mut all = Shape::default();
    for z in zs.windows(2) {
        for x in xs.windows(2) {
            let size = Vec3::new(x[1] - x[0] - line, TILE_HEIGHT, z[1] - z[0] - line);
            let tile = Shape::slab(Slab {
                size,
                corner: 0.028,
                fillet: TILE_FILLET,
            });
            let middle = Vec3::new((x[0] + x[1]) / 2.0, TILE_HEIGHT, (z[0] + z[1]) / 2.0);
            all.add(&tile, Transform::from_translation(middle));
        }
    }
    all
}

/// The corners of what the points of a drawn board fill.
fn corners(plan: &Plan) -> Vec<Vec2> {
    let outline = plan.places().outline().into_iter();
    outline.map(|spot| plan.on_field(spot).xz()).collect()
}

/// The ground of a drawn board: half a pitch around all points.
fn plateau(plan: &Plan) -> Shape {
    let edge = plan.pitch() / 2.0;
    let ground = Shape::plateau(&corners(plan), TILE_HEIGHT, edge, TILE_FILLET);
    let mut all = Shape::default();
    all.add(&ground, Transform::from_xyz(0.0, TILE_HEIGHT, 0.0));
    all
}

/// The lines of a drawn board: its ways from point to point, as wide as the groove
/// between two tiles with the edges of both.
fn ways(plan: &Plan) -> Shape {
    let wide = LINE * plan.pitch() + TILE_FILLET;
    let mut all = Shape::default();
    for ends in plan.places().lines() {
        let [from, to] = ends.map(|point| plan.place(point));
        let along = to - from;
        let line = Shape::plate(along.length(), wide);
        let turned = Quat::from_rotation_y(-along.xz().to_angle());
        let place = Transform::from_translation((from + to) / 2.0).with_rotation(turned);
        all.add(&line, place);
    }
    all
}

/// The top of the tiles.
pub const FIELD_Y: f32 = TILE_HEIGHT;

/// 1, 2, 3 ... from the front at the left ends of rows, a, b, c ... in front of columns
/// or at their ends: where a line leaves the field aslant, on that line. One that
/// has no room is left out.
fn coordinates(plan: &Plan) -> Shape {
    let height = COORDINATE_HEIGHT.min(0.42 * plan.pitch());
    let rim = Rim::of(plan);
    let mut all = Shape::default();
    let mut taken: Vec<Vec3> = Vec::new();
    for name in places::edge_names(plan.layout()) {
        let at = plan.place(name.point);
        let (left, right) = rim.at(at.z);
        let is_level = name.out.y.abs() < LEVEL;
        let place = match name.edge {
            Edge::Left if is_level => Vec3::new(left - MARGIN * 0.40, PRINT_LIFT, at.z),
            Edge::Right if is_level => Vec3::new(right + MARGIN * 0.40, PRINT_LIFT, at.z),
            Edge::Left | Edge::Right => {
                let far = plan.pitch() / 2.0 + BESIDE * height;
                Vec3::new(at.x + far * name.out.x, PRINT_LIFT, at.z + far * name.out.y)
            }
            Edge::Below => Vec3::new(at.x, PRINT_LIFT, plan.field().y / 2.0 + FRONT * 0.34),
        };
        let room = Vec2::new(1.6, 1.2) * height;
        let is_free = |other: &Vec3| (place - *other).xz().abs().cmpge(room).any();
        if taken.iter().all(is_free) {
            taken.push(place);
            let words = lettering::words(&name.text.to_uppercase(), height);
            all.add(&words, Transform::from_translation(place));
        }
    }
    all
}

/// The edge of the field, seen from above.
struct Rim(Vec<Vec2>);

impl Rim {
    fn of(plan: &Plan) -> Rim {
        let half = plan.field() / 2.0;
        match plan.layout().sides() {
            Some(_) => Rim(vec![
                -half,
                Vec2::new(half.x, -half.y),
                half,
                Vec2::new(-half.x, half.y),
            ]),
            None => {
                let edge = rounded(&corners(plan)).into_iter();
                Rim(edge
                    .map(|(corner, out)| corner + out * plan.pitch() / 2.0)
                    .collect())
            }
        }
    }

    /// From where to where the field reaches here.
    fn at(&self, z: f32) -> (f32, f32) {
        let next = self.0.iter().cycle().skip(1);
        let crossings = self.0.iter().zip(next).filter_map(|(one, other)| {
            let part = (z - one.y) / (other.y - one.y);
            (0.0..=1.0)
                .contains(&part)
                .then_some(one.x + part * (other.x - one.x))
        });
        crossings.fold((f32::MAX, f32::MIN), |(left, right), x| {
            (left.min(x), right.max(x))
        })
    }
}

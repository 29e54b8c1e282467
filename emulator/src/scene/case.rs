//! The case: a low box with rounded edges, the engraved field, the coordinates,
//! the table it stands on.

use bevy::light::NotShadowCaster;
use bevy::prelude::*;

use super::SceneSet;
use super::lettering;
use super::paint::Paint;
use super::plan::{
    CASE_DEPTH, CASE_HEIGHT, CASE_MIDDLE, CASE_WIDTH, FIELD_SIDE, FRONT, MARGIN, Plan,
};
use super::shape::{Shape, Slab};

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
/// Height of the letters and numbers beside the field.
const COORDINATE_HEIGHT: f32 = 0.26;
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
    commands.spawn((
        Name::new("lines"),
        Field,
        Mesh3d(meshes.add(Shape::plate(plan.field().x, plan.field().y).mesh())),
        MeshMaterial3d(paint.groove.clone()),
        Transform::from_xyz(0.0, 0.002, 0.0),
    ));
    commands.spawn((
        Name::new("tiles"),
        Field,
        Mesh3d(meshes.add(tiles(&plan).mesh())),
        MeshMaterial3d(paint.field.clone()),
    ));
    commands.spawn((
        Name::new("coordinates"),
        Field,
        Mesh3d(meshes.add(coordinates(&plan).mesh())),
        MeshMaterial3d(paint.print.clone()),
    ));
}

/// The tiles that leave the engraved lines between them.
fn tiles(plan: &Plan) -> Shape {
    let line = LINE * plan.pitch();
    let cuts = |side: f32, middles: Vec<f32>| {
        let half = side / 2.0;
        let mut edges = vec![-half - line / 2.0];
        edges.extend(middles);
        edges.push(half + line / 2.0);
        edges
    };
    let layout = plan.layout();
    let xs = cuts(
        plan.field().x,
        (0..layout.columns()).map(|column| plan.x(column)).collect(),
    );
    let zs = cuts(
        plan.field().y,
        (0..layout.rows()).map(|row| plan.z(row)).collect(),
    );
    let mut all = Shape::default();
    for z in zs.windows(2) {
        for x in xs.windows(2) {
            let size = Vec3::new(x[1] - x[0] - line, TILE_HEIGHT, z[1] - z[0] - line);
            let tile = Shape::slab(Slab {
                size,
                corner: 0.028,
                fillet: 0.022,
            });
            let middle = Vec3::new((x[0] + x[1]) / 2.0, TILE_HEIGHT, (z[0] + z[1]) / 2.0);
            all.add(&tile, Transform::from_translation(middle));
        }
    }
    all
}

/// The top of the tiles.
pub const FIELD_Y: f32 = TILE_HEIGHT;

/// a, b, c ... in front of the field, 1, 2, 3 ... from the front on its left.
fn coordinates(plan: &Plan) -> Shape {
    let layout = plan.layout();
    let half = plan.field() / 2.0;
    let height = COORDINATE_HEIGHT.min(0.42 * plan.pitch());
    let mut all = Shape::default();
    for column in 0..layout.columns() {
        let letter = char::from(b'A' + column).to_string();
        let place = Vec3::new(plan.x(column), PRINT_LIFT, half.y + FRONT * 0.34);
        all.add(
            &lettering::words(&letter, height),
            Transform::from_translation(place),
        );
    }
    for row in 0..layout.rows() {
        let number = (layout.rows() - row).to_string();
        let place = Vec3::new(-half.x - MARGIN * 0.40, PRINT_LIFT, plan.z(row));
        all.add(
            &lettering::words(&number, height),
            Transform::from_translation(place),
        );
    }
    all
}

//! The case: a walnut body, an aluminium plate whose edge was cut after anodising, the
//! engraved field in the plate, and the print around the field.

use bevy::light::NotShadowCaster;
use bevy::prelude::*;

use protocol::{GridSize, Layout, Point};
use touchboard_host::case::{CASE_HEIGHT, DISPLAY, FRAME, NAME_Y, Outline};
use touchboard_host::places::{self, NameSide};

use super::SceneSet;
use super::ground;
use super::lettering;
use super::paint::Paint;
use super::plan::PointPlan;
use super::shape::{Shape, Slab};

/// Height of the plate above the body.
const PLATE_RISE: f32 = 0.05;
/// Width of the plate's bright edge, seen from above.
const PLATE_CUT: f32 = 0.055;
/// Width of the seam between plate and body.
const SEAM: f32 = 0.022;
/// Brightness of the middle of the plate.
const SHEEN: f32 = 1.05;
/// How much it falls per scene unit away from the lamp, which is at the back left.
const SHEEN_FALL: f32 = 0.045;
/// Width of the body's edge, seen from above.
const BODY_CUT: f32 = 0.20;
/// Height of the maker's name.
const NAME: f32 = 0.19;
/// Width of an engraved line, relative to the pitch.
const LINE: f32 = 0.035;
/// Height of the tiles.
const TILE_HEIGHT: f32 = 0.035;
/// Radius of their upper edges.
const TILE_FILLET: f32 = 0.022;
/// Height of the ground of the lines between tiles.
const GROUND_Y: f32 = 0.002;
/// Height of the lines of a drawn board above its ground.
const LINE_LIFT: f32 = 0.0015;
/// Height of the letters and numbers beside the field.
const COORDINATE_HEIGHT: f32 = 0.26;
/// Distance of letters and numbers from the field.
const COORDINATE_AWAY: f32 = 0.42;
/// Distance of a letter on a slanted line from its bar, relative to the letter's height.
const BESIDE: f32 = 0.9;
/// Distance of the outer edge of a bar along a side from the points, on a slanted line that
/// meets the side at 60 degrees, relative to the pitch.
const BEYOND_BAR: f32 = 1.155 * BAR_REACH;
/// Distance of the outer edge of a bar along a side from the middle of the side's points,
/// relative to the pitch.
pub const BAR_REACH: f32 = 0.575;
/// A line counts as level if it rises by less than this part of its length.
const LEVEL: f32 = 0.1;
/// Height of lettering above the surface that it is printed on.
pub const PRINT_LIFT: f32 = 0.003;
/// Height of the top of the tiles.
pub const FIELD_Y: f32 = TILE_HEIGHT;

/// Marks parts that are rebuilt when the layout changes.
#[derive(Component)]
struct Field;

/// Builds the case of the panel.
pub struct CasePlugin;

impl Plugin for CasePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Update,
            (take_down, (build_body, build_field))
                .chain()
                .in_set(SceneSet::Build)
                .run_if(resource_changed::<PointPlan>),
        );
    }
}

fn take_down(mut commands: Commands, old: Query<Entity, With<Field>>) {
    for entity in &old {
        commands.entity(entity).despawn();
    }
}

/// The bundle of a part of the case.
fn part(
    name: &'static str,
    mesh: Handle<Mesh>,
    material: &Handle<StandardMaterial>,
    place: Transform,
) -> impl Bundle {
    (
        Name::new(name),
        Field,
        Mesh3d(mesh),
        MeshMaterial3d(material.clone()),
        place,
    )
}

fn build_body(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    paint: Res<Paint>,
    plan: Res<PointPlan>,
) {
    // Their shadow on the table is the soft one that is painted there.
    let mut add = |name, shape: Shape, material, y: f32| {
        let mesh = meshes.add(shape.mesh());
        let place = Transform::from_xyz(0.0, y, 0.0);
        commands.spawn((part(name, mesh, material, place), NotShadowCaster));
    };
    let outline = plan.case();
    let plate = plan.plate();
    let seam = Shape::cut(&plate.grown(SEAM), &[Vec2::ZERO], true);
    add("body", body(outline), &paint.wood, 0.0);
    add("seam", seam, &paint.groove, PRINT_LIFT - PLATE_RISE);
    let cut = [
        Vec2::new(0.0, -PLATE_RISE),
        Vec2::new(0.0, -PLATE_CUT * 0.8),
        Vec2::new(PLATE_CUT, 0.0),
    ];
    add("edge", Shape::cut(&plate, &cut, false), &paint.edge, 0.0);
    let top = Shape::cut(&plate.grown(-PLATE_CUT), &[Vec2::ZERO], true);
    let mesh = meshes.add(shaded(top.mesh()));
    let top = part("plate", mesh, &paint.plate, Transform::default());
    commands.spawn((top, NotShadowCaster));
    let mesh = meshes.add(names(plan.layout()).mesh());
    let place = plan.panel() + Vec3::new(0.0, PRINT_LIFT, NAME_Y);
    let place = Transform::from_translation(place);
    commands.spawn(part("names", mesh, &paint.print, place));
}

/// Makes a flat mesh brighter towards the lamp.
fn shaded(mesh: Mesh) -> Mesh {
    let places = mesh.attribute(Mesh::ATTRIBUTE_POSITION);
    let places = places.and_then(|places| places.as_float3()).unwrap_or(&[]);
    let sheen = |[x, _, z]: &[f32; 3]| {
        let light = (SHEEN - SHEEN_FALL * (x + z)).clamp(0.5, 1.5);
        [light, light, light, 1.0]
    };
    let colours: Vec<[f32; 4]> = places.iter().map(sheen).collect();
    mesh.with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
}

/// Prints the maker's name behind the left end of the display and the number of keys
/// behind the right end. Their places are the same on every case.
fn names(layout: Layout) -> Shape {
    let model = format!("{} keys", layout.points());
    let mut all = Shape::default();
    for (text, side) in [("touchboard", -1.0), (model.as_str(), 1.0)] {
        let x = side * (DISPLAY.x - lettering::width(text, NAME)) / 2.0;
        let words = lettering::words(text, NAME);
        all.add(&words, Transform::from_xyz(x, 0.0, 0.0));
    }
    all
}

/// The body: vertical walls below a wide chamfer that catches the light, with a level rim
/// around the plate, tapered slightly at the foot.
fn body(outline: &Outline) -> Shape {
    let foot = 0.10;
    let profile = [
        Vec2::new(foot, -CASE_HEIGHT),
        Vec2::new(0.0, foot - CASE_HEIGHT),
        Vec2::new(0.0, -PLATE_RISE - BODY_CUT),
        Vec2::new(BODY_CUT, -PLATE_RISE),
        Vec2::new(FRAME + SEAM, -PLATE_RISE),
    ];
    Shape::cut(outline, &profile, true)
}

fn build_field(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    paint: Res<Paint>,
    plan: Res<PointPlan>,
) {
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
    let lines = lines.map(|(lines, y)| ("lines", lines, &paint.line, y));
    let parts = [
        ("tiles", ground, &paint.field, 0.0),
        ("coordinates", coordinates(&plan), &paint.print, 0.0),
    ];
    for (name, shape, material, y) in parts.into_iter().chain(lines) {
        let mesh = meshes.add(shape.mesh());
        let part = part(name, mesh, material, Transform::from_xyz(0.0, y, 0.0));
        // Parts this low would cast jagged, one-pixel shadows.
        commands.spawn(part).insert(NotShadowCaster);
    }
}

/// The tiles of a rectangle. The gaps between them are the engraved lines.
fn tiles(plan: &PointPlan, sides: GridSize) -> Shape {
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

/// The ground of a drawn board: half a pitch around all points.
fn plateau(plan: &PointPlan) -> Shape {
    let profile = [
        Vec2::ZERO,
        Vec2::new(0.0, TILE_HEIGHT - TILE_FILLET),
        Vec2::new(TILE_FILLET, TILE_HEIGHT),
    ];
    Shape::cut(&plan.rim(), &profile, true)
}

/// The lines of a drawn board, from point to point. They are as wide as the groove
/// between two tiles including both edges.
fn ways(plan: &PointPlan) -> Shape {
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

/// The coordinates: 1, 2, 3 ... from the front at the left ends of rows; a, b, c ... in
/// front of columns or at their ends. Where a line leaves the field aslant, its name
/// stands on that line. A name without room is left out.
fn coordinates(plan: &PointPlan) -> Shape {
    let mut all = Shape::default();
    let height = coordinate_height(plan);
    for (text, place) in coordinate_places(plan) {
        let words = lettering::words(&text, height);
        all.add(&words, Transform::from_translation(place));
    }
    all
}

/// The height of letters and numbers beside the field.
pub(super) fn coordinate_height(plan: &PointPlan) -> f32 {
    COORDINATE_HEIGHT.min(0.42 * plan.pitch())
}

/// The letters and numbers beside the field, each with the place of its middle.
pub(super) fn coordinate_places(plan: &PointPlan) -> Vec<(String, Vec3)> {
    let height = coordinate_height(plan);
    let rim = plan.rim();
    let half = plan.field().x / 2.0;
    let mut all: Vec<(String, Vec3)> = Vec::new();
    for name in places::edge_names(plan.layout()) {
        let at = plan.place(name.point);
        let (left, right) = match plan.layout().sides() {
            Some(_) => (-half, half),
            None => rim.across(at.z).unwrap_or((-half, half)),
        };
        let is_level = name.out.y.abs() < LEVEL;
        let place = match name.edge {
            NameSide::Left if is_level => Vec3::new(left - COORDINATE_AWAY, PRINT_LIFT, at.z),
            NameSide::Right if is_level => Vec3::new(right + COORDINATE_AWAY, PRINT_LIFT, at.z),
            NameSide::Left | NameSide::Right => {
                let far = plan.pitch() * BEYOND_BAR + BESIDE * height;
                Vec3::new(at.x + far * name.out.x, PRINT_LIFT, at.z + far * name.out.y)
            }
            NameSide::Below => Vec3::new(at.x, PRINT_LIFT, plan.field().y / 2.0 + COORDINATE_AWAY),
        };
        let room = Vec2::new(1.6, 1.2) * height;
        let is_free = |(_, other): &(String, Vec3)| (place - *other).xz().abs().cmpge(room).any();
        if all.iter().all(is_free) {
            all.push((name.text.to_uppercase(), place));
        }
    }
    all
}

//! The painted cells of a board with squares or hexagons.
//!
//! On other boards, the [case](super::case) engraves or draws lines instead. Invariants:
//! each point lies in the middle of its cell, and cells do not overlap.

use bevy::light::NotShadowCaster;
use bevy::prelude::*;
use protocol::Point;
use touchboard_host::background::{Background, background};

use super::SceneSet;
use super::plan::PointPlan;
use super::shape::{Shape, Slab};
use crate::theme;

/// Height of the field, as in [`case`](super::case).
const FIELD_Y: f32 = 0.035;
/// Height of paint above the surface under it.
const PAINT_LIFT: f32 = 0.0012;
/// Difference in size between the ground and its squares.
const RIM: f32 = 0.08;
/// Size of a hexagon, relative to its place: its corners have to lie on the ground.
const HEXAGON: f32 = 0.90;
/// Size of a cell that is separate from the next, relative to its place.
const APART: f32 = 0.955;

/// A part of the painted field.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Painted;

/// Paints the cells of the field.
pub struct GroundPlugin;

impl Plugin for GroundPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Update,
            paint
                .in_set(SceneSet::Build)
                .run_if(resource_changed::<PointPlan>),
        );
    }
}

/// True if lines lead from point to point and cells are not painted.
#[must_use]
pub fn has_lines(plan: &PointPlan) -> bool {
    background(plan.layout()) == Background::Lines
}

/// The ground of a field of squares, which has corners. `None` for other fields,
/// whose ground is rounded around the points.
#[must_use]
pub fn tray(plan: &PointPlan) -> Option<Shape> {
    let is_square = matches!(
        background(plan.layout()),
        Background::Squares | Background::Chequered
    );
    let size = plan.field().extend(FIELD_Y).xzy() + Vec3::new(RIM, 0.0, RIM);
    let slab = Shape::slab(Slab {
        size,
        corner: RIM / 2.0,
        fillet: RIM / 4.0,
    });
    let mut tray = Shape::default();
    tray.add(&slab, Transform::from_xyz(0.0, FIELD_Y, 0.0));
    is_square.then_some(tray)
}

fn paint(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    plan: Res<PointPlan>,
    old: Query<Entity, With<Painted>>,
) {
    for entity in &old {
        commands.entity(entity).despawn();
    }
    let background = background(plan.layout());
    let cells = cells(&plan, background);
    if cells.is_empty() {
        return;
    }
    let mut all = Shape::default();
    for (_, cell) in &cells {
        all.add(&Shape::filled(cell), Transform::IDENTITY);
    }
    let base_color = match background {
        Background::Chequered => theme::SQUARE,
        _ => theme::CELL,
    };
    let ink = materials.add(StandardMaterial {
        base_color,
        perceptual_roughness: 0.75,
        reflectance: 0.3,
        ..default()
    });
    commands.spawn((
        Name::new("cells"),
        Painted,
        NotShadowCaster,
        Mesh3d(meshes.add(all.mesh())),
        MeshMaterial3d(ink),
        Transform::from_xyz(0.0, FIELD_Y + PAINT_LIFT, 0.0),
    ));
}

/// The painted cells with their corners in x and -z: all cells, or only the light
/// ones of a chequered field.
fn cells(plan: &PointPlan, background: Background) -> Vec<(Point, Vec<Vec2>)> {
    let half = plan.pitch() / 2.0;
    let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(Vec2::from);
    let corners: Vec<Vec2> = match background {
        Background::Lines => return Vec::new(),
        Background::Chequered => square.map(|corner| corner * half).to_vec(),
        Background::Squares => square.map(|corner| corner * half * APART).to_vec(),
        Background::Hexagons => hexagon(plan),
    };
    let is_painted = |point: &Point| match background {
        Background::Chequered => is_light(plan, *point),
        _ => true,
    };
    let points = plan.layout().iter().filter(is_painted);
    let cell = |point: Point| {
        let place = plan.place(point);
        let middle = Vec2::new(place.x, -place.z);
        (
            point,
            corners.iter().map(|corner| middle + *corner).collect(),
        )
    };
    points.map(cell).collect()
}

/// True for every other square, and not for the one at the lower left.
fn is_light(plan: &PointPlan, point: Point) -> bool {
    let spot = plan.places().spot(point);
    let below = plan.places().corner().y - spot.y;
    (spot.x.round() + below.round()) as u32 % 2 == 1
}

/// The corners of the hexagon around a point, from the directions of its
/// neighbours.
fn hexagon(plan: &PointPlan) -> Vec<Vec2> {
    let Some(known) = plan.layout().drawing() else {
        return Vec::new();
    };
    let drawing = known.as_drawing();
    let mut ways: Vec<Vec2> = (0..drawing.ways())
        .filter_map(|way| {
            let mut all = plan.layout().iter();
            all.find_map(|from| Some([from, drawing.step(from, way)?]))
        })
        .map(|[from, to]| {
            let along = plan.place(to) - plan.place(from);
            Vec2::new(along.x, -along.z)
        })
        .collect();
    ways.sort_by(|one, other| one.to_angle().total_cmp(&other.to_angle()));
    let next = ways.iter().cycle().skip(1);
    let corners = ways.iter().zip(next);
    corners
        .map(|(one, other)| (*one + *other) / 3.0 * HEXAGON)
        .collect()
}

#[cfg(test)]
mod tests {

    use super::*;

    fn plan(name: &str) -> PointPlan {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../hil-bridge/ludemes/games");
        let known = touchboard_links::games::layout(&format!("{folder}/{name}.lud")).unwrap();
        PointPlan::new(*known)
    }

    fn painted(name: &str) -> Vec<(Point, Vec<Vec2>)> {
        let plan = plan(name);
        cells(&plan, background(plan.layout()))
    }

    #[test]
    fn a_board_of_chess_has_32_light_squares_and_a1_is_dark() {
        let plan = plan("chess");
        let layout = plan.layout();
        let light: Vec<String> = painted("chess")
            .iter()
            .map(|(point, _)| layout.name(*point).to_string())
            .collect();
        assert_eq!(light.len(), 32);
        for (name, is_light) in [("a1", false), ("h1", true), ("d1", true), ("e8", true)] {
            assert_eq!(light.contains(&name.to_owned()), is_light, "{name}");
        }
    }

    #[test]
    fn every_cell_contains_its_point_and_no_other() {
        for name in [
            "chess",
            "tablut",
            "hex",
            "havannah",
            "halma",
            "connect-four",
        ] {
            let plan = plan(name);
            let cells = painted(name);
            assert!(!cells.is_empty(), "{name}");
            for (point, corners) in cells {
                let middle = corners.iter().sum::<Vec2>() / corners.len() as f32;
                let place = plan.place(point);
                let own = Vec2::new(place.x, -place.z);
                assert!(middle.distance(own) < 0.01 * plan.pitch(), "{name}");
                for other in plan.layout().iter().filter(|other| *other != point) {
                    let there = plan.place(other);
                    let there = Vec2::new(there.x, -there.z);
                    let is_nearer =
                        |corner: &Vec2| corner.distance(own) <= corner.distance(there) + 0.02;
                    assert!(corners.iter().all(is_nearer), "{name} {point:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn boards_with_lines_have_no_painted_cells() {
        for name in ["go", "gomoku", "nine-mens-morris"] {
            assert!(painted(name).is_empty(), "{name}");
            assert!(has_lines(&plan(name)), "{name}");
        }
    }
}

//! The sides of the board that a player has to connect, as in Hex: a bar in the player's
//! colour along each, printed on the case.
//!
//! The text of a game defines these sides, so only a game whose text this window has read
//! has bars.

use std::sync::{Arc, Weak};

use bevy::light::NotShadowCaster;
use bevy::prelude::*;
use firmware_core::cartridge::LayoutGame;
use protocol::{Point, Side};
use touchboard_host::written::TextGame;

use super::SceneSet;
use super::case::{BAR_REACH, FIELD_Y, PRINT_LIFT};
use super::plan::PointPlan;
use super::shape::Shape;
use crate::source::written::OpenText;
use crate::theme::{self, ChosenPalette};

/// Width of a bar, relative to the pitch.
const WIDTH: f32 = 0.09;
/// Distance of a bar from the middle of its points, relative to the pitch.
const AWAY: f32 = BAR_REACH - WIDTH / 2.0;
/// Brightness of the print, relative to a light of its colour.
const DULL: f32 = 0.42;

/// A bar along a side.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// The side that has to connect it with another.
    pub of: Side,
}

/// Draws the bars of both sides.
pub struct SidesPlugin;

impl Plugin for SidesPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<OpenText>().add_systems(
            Update,
            print.in_set(SceneSet::Build).run_if(
                resource_changed::<PointPlan>
                    .or_else(resource_changed::<OpenText>)
                    .or_else(resource_changed::<ChosenPalette>),
            ),
        );
    }
}

/// The sides of the game on this board, each as its points.
fn sides(text: &OpenText, plan: &PointPlan) -> Vec<(Side, Vec<Point>)> {
    let game = text.game.as_deref();
    let game = game.filter(|game| game.layout == plan.layout());
    let drawing = game.and_then(|game| game.layout.drawing());
    let (Some(game), Some(known)) = (game, drawing) else {
        return Vec::new();
    };
    let Some(on_board) = LayoutGame::looked_through(known.as_drawing()) else {
        return Vec::new();
    };
    let joins = game.compiled.joins.iter();
    let sides = joins.filter_map(|(player, sites)| {
        let side = Side::BOTH.get(usize::from(player.checked_sub(1)?))?;
        let points = sites.iter();
        let points = points.filter_map(|site| on_board.point(i16::try_from(*site).ok()?));
        Some((*side, points.collect()))
    });
    sides.collect()
}

/// The bar along these points, on the side away from the middle of the board.
/// `None` for points that do not form a side.
fn bar(points: &[Point], plan: &PointPlan) -> Option<Shape> {
    let middle = plan
        .layout()
        .iter()
        .map(|point| plan.place(point))
        .sum::<Vec3>()
        / plan.layout().points() as f32;
    let mut places: Vec<Vec3> = points.iter().map(|point| plan.place(*point)).collect();
    let first = *places.first()?;
    let last = *places.last()?;
    let along = (last - first).normalize_or_zero();
    let own_middle = places.iter().sum::<Vec3>() / places.len() as f32;
    let across = Vec3::new(-along.z, 0.0, along.x);
    let out = across * (own_middle - middle).dot(across).signum();
    if along == Vec3::ZERO {
        return None;
    }
    places.sort_by(|one, other| one.dot(along).total_cmp(&other.dot(along)));
    let pitch = plan.pitch();
    let mut all = Shape::default();
    for pair in places.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|place| place + out * AWAY * pitch);
        let way = to - from;
        let plate = Shape::plate(way.length() + WIDTH * pitch, WIDTH * pitch);
        let turned = Quat::from_rotation_y(-way.z.atan2(way.x));
        let place = Transform::from_translation((from + to) / 2.0).with_rotation(turned);
        all.add(&plate, place);
    }
    Some(all)
}

fn print(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    (text, plan, chosen): (Res<OpenText>, Res<PointPlan>, Res<ChosenPalette>),
    mut drawn: Local<Weak<TextGame>>,
    old: Query<Entity, With<Bar>>,
) {
    // The text's other information changes with every touch, its game rarely.
    let game = text.game.as_ref().map(Arc::downgrade).unwrap_or_default();
    if drawn.ptr_eq(&game) && !plan.is_changed() && !chosen.is_changed() {
        return;
    }
    *drawn = game;
    let sides = sides(&text, &plan);
    for entity in &old {
        commands.entity(entity).despawn();
    }
    for (of, points) in sides {
        let Some(bar) = bar(&points, &plan) else {
            continue;
        };
        let light = theme::light(chosen.0, of.into());
        commands.spawn((
            Name::new("side"),
            Bar { of },
            NotShadowCaster,
            Mesh3d(meshes.add(bar.mesh())),
            MeshMaterial3d(materials.add(StandardMaterial {
                base_color: (light * DULL).into(),
                unlit: true,
                ..default()
            })),
            Transform::from_xyz(0.0, FIELD_Y + PRINT_LIFT, 0.0),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::case::{coordinate_height, coordinate_places};
    use super::*;

    #[test]
    fn the_bars_of_hex_do_not_cut_the_printed_names() {
        let text = touchboard_host::written::library::text("hex").unwrap();
        for chosen in [&[][..], &["5x5".to_owned()]] {
            let game = touchboard_host::written::of_text("hex", text, chosen).unwrap();
            let plan = PointPlan::new(*game.layout);
            let half = coordinate_height(&plan) / 2.0;
            let mut open = OpenText::default();
            open.game = Some(Arc::new(game));
            let bars = sides(&open, &plan);
            let names = coordinate_places(&plan);
            assert!(bars.len() == 4 && names.len() >= 10);
            let middle = Vec3::ZERO;
            for (_, points) in &bars {
                let [first, last] =
                    [points.first(), points.last()].map(|at| plan.place(*at.unwrap()));
                let along = (last - first).normalize();
                let across = Vec3::new(-along.z, 0.0, along.x);
                let out = across * (first - middle).dot(across).signum();
                for (name, place) in &names {
                    let beyond = (*place - first).dot(out);
                    let is_along =
                        (0.0..=(last - first).length()).contains(&(*place - first).dot(along));
                    let is_cut =
                        beyond > 0.0 && is_along && beyond - half < BAR_REACH * plan.pitch();
                    assert!(!is_cut, "{name}: {beyond}");
                }
            }
        }
    }

    fn shown(name: &str) -> Vec<(Side, usize)> {
        let text = touchboard_host::written::library::text(name).unwrap();
        let game = touchboard_host::written::of_text(name, text, &[]).unwrap();
        let plan = PointPlan::new(*game.layout);
        let mut text = OpenText::default();
        text.game = Some(Arc::new(game));
        let sides = sides(&text, &plan);
        assert!(sides.iter().all(|(_, points)| bar(points, &plan).is_some()));
        sides
            .iter()
            .map(|(side, points)| (*side, points.len()))
            .collect()
    }

    #[test]
    fn hex_marks_two_sides_per_player_and_breakthrough_marks_none() {
        let two = [Side::Green, Side::Green, Side::Red, Side::Red].map(|side| (side, 11));
        assert_eq!(shown("hex"), two);
        assert_eq!(shown("breakthrough"), []);
    }
}

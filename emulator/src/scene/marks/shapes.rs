//! How marks are drawn: their meshes, at the size of the board, and their materials.
//!
//! The outline of a mark is part of its mesh: its corners have a dark colour, by which that
//! of the material is multiplied.

use std::f32::consts::TAU;

use bevy::prelude::*;
use protocol::Side;
use touchboard_host::case::DOME;

use super::super::domes;
use super::super::plan::PointPlan;
use super::super::shape::Shape;
use super::links::band;
use super::{MarkMeaning, PointMark};
use crate::theme::{self, ChosenPalette};

/// The materials of the marks.
#[derive(Resource)]
pub(super) struct Ink {
    last: Handle<StandardMaterial>,
    track: Handle<StandardMaterial>,
    /// The material of marks on lit domes.
    on_lit: Handle<StandardMaterial>,
    /// The colours of the sides.
    sides: [Handle<StandardMaterial>; 2],
    /// The same, paler: for marks on many points at once.
    pale_sides: [Handle<StandardMaterial>; 2],
}

pub(super) fn create_materials(
    mut commands: Commands,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut ink = |base_color| {
        materials.add(StandardMaterial {
            base_color,
            unlit: true,
            ..default()
        })
    };
    commands.insert_resource(Ink {
        last: ink(theme::MARK_LAST),
        track: ink(theme::MARK_TRACK),
        on_lit: ink(theme::GROOVE),
        sides: [ink(theme::MARK_TRACK), ink(theme::MARK_TRACK)],
        pale_sides: [ink(theme::MARK_TRACK), ink(theme::MARK_TRACK)],
    });
}

/// Gives the marks of the sides the colours of the palette.
pub(super) fn recolour_sides(
    chosen: Res<ChosenPalette>,
    ink: Res<Ink>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    for side in Side::BOTH {
        let [red, green, blue] = theme::side(chosen.0, side);
        let colour = Color::srgb_u8(red, green, blue);
        if let Some(mut material) = materials.get_mut(&ink.sides[side.index()]) {
            material.base_color = colour;
        }
        if let Some(mut material) = materials.get_mut(&ink.pale_sides[side.index()]) {
            material.base_color = colour.mix(&theme::MARK_LAST, PALER);
        }
    }
}

/// The meshes of the marks, at the size of the current pitch.
#[derive(Resource)]
pub(super) struct Stencils {
    ring: Handle<Mesh>,
    wide_ring: Handle<Mesh>,
    broken_ring: Handle<Mesh>,
    brackets: Handle<Mesh>,
    ticks: Handle<Mesh>,
    wide_brackets: Handle<Mesh>,
    /// Around the foot of a dome.
    pub(super) collar: Handle<Mesh>,
    dome_disc: Handle<Mesh>,
    dot: Handle<Mesh>,
    small_dot: Handle<Mesh>,
    small_ring: Handle<Mesh>,
    /// Between two neighbours, of length 1.
    pub(super) link: Handle<Mesh>,
    broken_wide_ring: Handle<Mesh>,
    strike: Handle<Mesh>,
}

/// Inner and outer radius of a ring, around the dome's own ring. It is wide enough that a
/// whole ring is not mistaken for a broken one in a small window.
const RING: [f32; 2] = [0.390, 0.450];
/// The radii of a ring around a piece that decided the game.
const WIDE_RING: [f32; 2] = [0.388, 0.475];
/// Number of pieces of a broken ring.
const PIECES: u8 = 8;
/// The share of each piece that is drawn.
const PIECE: f32 = 0.6;
/// Inner and outer radius of the brackets.
const BRACKET: [f32; 2] = [0.390, 0.445];
/// The share of the circle that each of the four brackets covers.
const BRACKET_PART: f32 = 0.13;
/// Inner and outer radius of the ticks around a point that a piece has left, their number,
/// and the share of the circle that each of them covers.
const TICK: [f32; 2] = [0.385, 0.460];
const TICKS: u8 = 12;
const TICK_PART: f32 = 0.028;
/// The radii of the brackets around a lit point that may be touched. They are wide and long,
/// to be seen beside the light and below the piece.
const WIDE_BRACKET: [f32; 2] = [0.388, 0.472];
/// The share of the circle that each of them covers.
const WIDE_BRACKET_PART: f32 = 0.17;
/// Inner and outer radius of a ring around the foot of a dome, relative to the dome's
/// radius: wide enough to be seen in a small window, and inside the ring of the last move.
const COLLAR: [f32; 2] = [1.01, 1.17];
/// The ring's height above the field, relative to the dome's radius: it lies on the rim
/// around the dome.
pub(super) const COLLAR_Y: f32 = 0.03;
/// The radius of a disc on a dome, relative to the dome's radius: inside the ring.
const DOME_DISC: f32 = 0.46;
/// The radii of a dot and a small dot on a dome, and those of a small ring, relative to the dome's
/// radius.
const DOT: f32 = 0.34;
const SMALL_DOT: f32 = 0.17;
const SMALL_RING: [f32; 2] = [0.19, 0.30];
/// The width of the outline of a mark, relative to the pitch.
const OUTLINE: f32 = 0.020;
/// The colour of an outline, as a factor of the mark's own.
const OUTLINE_SHADE: f32 = 0.015;
/// How much paler than the side's colour the marks are of which there are many.
const PALER: f32 = 0.45;
/// Height of marks above a dome, relative to its radius.
const OVER_DOME: f32 = 0.03;
/// Length of each arm of the cross on a forbidden point.
const STRIKE: f32 = 0.25;
/// Half the width of an arm: in a small window it is still a pixel wide.
const STRIKE_WIDTH: f32 = 0.026;

pub(super) fn create_meshes(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    plan: Res<PointPlan>,
) {
    let pitch = plan.pitch();
    let ring = |radii: [f32; 2]| arcs(radii.map(|radius| radius * pitch), pitch, 1, 1.0);
    let pieces = |radii: [f32; 2], count: u8, length: f32| {
        arcs(radii.map(|radius| radius * pitch), pitch, count, length)
    };
    let on_dome = |[inner, outer]: [f32; 2]| {
        let wider = outer + OUTLINE / DOME;
        let narrower = (inner - OUTLINE / DOME).max(0.0);
        let mut edge = on_dome([outer, wider], pitch);
        if inner > 0.0 {
            edge.add(&on_dome([narrower, inner], pitch), Transform::IDENTITY);
        }
        outlined(on_dome([inner, outer], pitch), edge)
    };
    let mut strike = Shape::default();
    for turn in [1.0, 3.0] {
        let turned = Quat::from_rotation_y(turn * TAU / 8.0);
        strike.add(&bar_on_dome(pitch), Transform::from_rotation(turned));
    }
    let mut add = |mesh: Mesh| meshes.add(mesh);
    commands.insert_resource(Stencils {
        ring: add(ring(RING)),
        wide_ring: add(ring(WIDE_RING)),
        broken_ring: add(pieces(RING, PIECES, PIECE / f32::from(PIECES))),
        brackets: add(pieces(BRACKET, 4, BRACKET_PART)),
        ticks: add(pieces(TICK, TICKS, TICK_PART)),
        wide_brackets: add(pieces(WIDE_BRACKET, 4, WIDE_BRACKET_PART)),
        collar: add(ring(COLLAR.map(|reach| reach * DOME))),
        dome_disc: add(on_dome([0.0, DOME_DISC])),
        dot: add(on_dome([0.0, DOT])),
        small_dot: add(on_dome([0.0, SMALL_DOT])),
        small_ring: add(on_dome(SMALL_RING)),
        link: add(outlined(band(pitch), Shape::default())),
        broken_wide_ring: add(pieces(WIDE_RING, PIECES, PIECE / f32::from(PIECES))),
        strike: add(outlined(strike, Shape::default())),
    });
}

/// Flat pieces of a ring with an outline, this many around the circle, each `length` of it
/// long.
fn arcs([inner, outer]: [f32; 2], pitch: f32, count: u8, length: f32) -> Mesh {
    let line = OUTLINE * pitch;
    let all = |radii: [f32; 2]| {
        let mut all = Shape::default();
        for piece in 0..count {
            let middle = TAU * (f32::from(piece) + 0.5) / f32::from(count);
            let half = TAU * length / 2.0;
            all.add(
                &Shape::arc(radii, middle - half, middle + half),
                Transform::IDENTITY,
            );
        }
        all
    };
    let mut edge = all([inner - line, inner]);
    edge.add(&all([outer, outer + line]), Transform::IDENTITY);
    outlined(all([inner, outer]), edge)
}

/// The mesh of a mark with an outline, which does not overlap it.
fn outlined(mark: Shape, edge: Shape) -> Mesh {
    let shades = [(&mark, 1.0), (&edge, OUTLINE_SHADE)];
    let colours = shades.into_iter().flat_map(|(shape, shade)| {
        let count = shape.clone().mesh().count_vertices();
        std::iter::repeat_n([shade, shade, shade, 1.0_f32], count)
    });
    let colours: Vec<[f32; 4]> = colours.collect();
    let mut all = mark;
    all.add(&edge, Transform::IDENTITY);
    all.mesh()
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
}

/// A ring or disc that follows the surface of a dome, so that it looks centred from every
/// direction.
fn on_dome([inner, outer]: [f32; 2], pitch: f32) -> Shape {
    const STEPS: u8 = 4;
    let profile = (0..=STEPS).map(|step| {
        let part = f32::from(step) / f32::from(STEPS);
        let reach = outer + (inner - outer) * part;
        Vec2::new(reach, domes::height_at(reach) + OVER_DOME) * DOME * pitch
    });
    Shape::turned(&profile.collect::<Vec<Vec2>>(), 40)
}

/// A bar over the top of a dome, which bends with it.
fn bar_on_dome(pitch: f32) -> Shape {
    const STEPS: u8 = 8;
    let along = |step: u8| STRIKE * (2.0 * f32::from(step) / f32::from(STEPS) - 1.0);
    let ends: Vec<[Vec3; 2]> = (0..=STEPS)
        .map(|step| {
            [-STRIKE_WIDTH, STRIKE_WIDTH].map(|aside| {
                let at = Vec2::new(along(step), aside);
                let height = domes::height_at(at.length() / DOME) + OVER_DOME;
                Vec3::new(at.x, height * DOME, at.y) * pitch
            })
        })
        .collect();
    Shape::strip(&ends)
}

impl Stencils {
    /// The shape of a mark.
    pub(super) fn of(&self, mark: &PointMark) -> &Handle<Mesh> {
        match mark.meaning {
            MarkMeaning::Last => &self.ring,
            MarkMeaning::Decided | MarkMeaning::Held | MarkMeaning::GoesOnto => &self.wide_ring,
            MarkMeaning::Goes => &self.dot,
            MarkMeaning::LegalOfMany => &self.small_dot,
            MarkMeaning::WouldGo if !mark.is_lit => &self.small_ring,
            MarkMeaning::LastByClock => &self.broken_ring,
            MarkMeaning::CameFrom => &self.ticks,
            MarkMeaning::Legal if mark.is_lit => &self.wide_brackets,
            MarkMeaning::WouldGo if mark.is_lit => &self.brackets,
            MarkMeaning::Legal | MarkMeaning::WouldGo | MarkMeaning::WouldTurn => &self.collar,
            MarkMeaning::WouldPlace => &self.dome_disc,
            MarkMeaning::WouldTake => &self.broken_wide_ring,
            MarkMeaning::Forbidden => &self.strike,
        }
    }
}

impl Ink {
    /// The colour of marks of the last move, and of what decided a game.
    pub(super) fn last(&self) -> &Handle<StandardMaterial> {
        &self.last
    }

    /// The colour of a mark.
    pub(super) fn of(&self, mark: &PointMark) -> &Handle<StandardMaterial> {
        match (mark.of, mark.meaning) {
            (Some(side), MarkMeaning::Goes | MarkMeaning::LegalOfMany | MarkMeaning::WouldGo) => {
                &self.pale_sides[side.index()]
            }
            // A side's own colour would be lost on its own lights.
            (Some(_), MarkMeaning::Legal) if mark.is_lit => &self.last,
            (Some(side), _) => &self.sides[side.index()],
            (None, MarkMeaning::Forbidden) if mark.is_lit => &self.on_lit,
            (
                None,
                MarkMeaning::Last
                | MarkMeaning::LastByClock
                | MarkMeaning::CameFrom
                | MarkMeaning::Decided,
            ) => &self.last,
            (None, _) => &self.track,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crosses_follow_their_domes_and_rings_are_concentric() {
        let (low, high) = bar_on_dome(1.0).extent();
        let at_top = (domes::height_at(STRIKE_WIDTH / DOME) + OVER_DOME) * DOME;
        assert!((high.y - at_top).abs() < 1e-4, "{high} {at_top}");
        let edge = Vec2::new(STRIKE, STRIKE_WIDTH).length() / DOME;
        let at_edge = (domes::height_at(edge) + OVER_DOME) * DOME;
        assert!((low.y - at_edge).abs() < 1e-4, "{low} {at_edge}");
        assert!(at_edge < 0.9 * at_top);
        // The mark stays on its dome, so it does not reach the next point's marks.
        assert!(edge < 1.0);
        const { assert!(COLLAR[0] >= 1.0 && COLLAR[1] * DOME <= RING[0] + 0.01) };
        let reaches = [RING, WIDE_RING, BRACKET, WIDE_BRACKET].map(|radii| radii[1] + OUTLINE);
        assert!(reaches.into_iter().all(|reach| reach < 0.5));
        const { assert!(DOT + OUTLINE / DOME < DOME_DISC) };
    }
}

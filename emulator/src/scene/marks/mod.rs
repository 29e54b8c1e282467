//! Marks around the points: the last move, and where a player may move.
//!
//! They are not the board's but the window's: thin and flat, so that nobody takes one for
//! a light. A pale ring shows the last move, and pale brackets where its piece came from;
//! the ring is broken if the board made the move because a player's time was up, and once a
//! row or a chain has won, each of its pieces has one. If the board moved, the ring shrinks
//! onto the point, so that a quick answer is not missed. In the colour of the side to move,
//! a dark point that may be touched has a ring around its cap, a lit one four brackets.
//! While a piece is picked up, there is a ring around it and around each point where it may
//! go. A point that may not be touched has a cross on its cap, pale on a dark one and dark
//! on a lit one.
//!
//! The effect of a touch where the mouse rests is marked, too: a disc where a touch would
//! place something that is not shown as a [ghost](super::ghosts), a ring around each
//! stone that would turn, a broken ring around a piece that would be taken.
//!
//! Invariants: every mark lies on its cap or on the face around it, so that it does not
//! shift with the camera; no two meanings have the same shape in the same colour.

mod shapes;
mod wanted;

use std::time::Duration;

use bevy::light::NotShadowCaster;
use bevy::prelude::*;
use protocol::{Mover, Point, Side};
use touchboard_host::case::DOME;

use super::SceneSet;
use super::case::{FIELD_Y, PRINT_LIFT};
use super::hover::Hover;
use super::motion::{Continuity, MotionInputs, MotionSet, Tempo};
use super::plan::PointPlan;
use crate::source::written::OpenText;
use crate::source::{Log, Shown};
use crate::switches::WindowSwitches;
use crate::theme::Chosen;
use shapes::{COLLAR_Y, Ink, Stencils, create_materials, create_meshes, recolour_sides};
use wanted::{MarkInputs, wanted};

pub use wanted::{is_dark, marked};

/// A mark on a point.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The point that is marked.
    pub point: Point,
    /// The meaning of the mark, which decides its shape.
    pub meaning: MarkMeaning,
    /// True if the point is lit: a pale mark would be invisible on its cap.
    pub is_lit: bool,
    /// The side whose colour the mark has; `None` for a pale or dark mark.
    pub of: Option<Side>,
}

/// The meaning of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkMeaning {
    /// The last move was made here.
    Last,
    /// The last move was made here, by the board, because time was up.
    LastByClock,
    /// The piece of the last move came from here.
    CameFrom,
    /// The piece here decided the game.
    Decided,
    /// The point is a legal move.
    Legal,
    /// The point is not a legal move.
    Forbidden,
    /// The piece here is picked up.
    Held,
    /// The piece that is picked up may go here.
    Goes,
    /// A touch under the mouse would put something here.
    WouldPlace,
    /// A touch under the mouse would turn this stone.
    WouldTurn,
    /// A touch under the mouse would take what is here.
    WouldTake,
    /// The piece under the mouse may go here, once it is picked up.
    WouldGo,
}

impl Mark {
    /// The explanation for a person who points at the mark.
    #[must_use]
    pub fn words(&self) -> &'static str {
        match self.meaning {
            MarkMeaning::Last => "Pale ring: the last move.",
            MarkMeaning::LastByClock => {
                "Broken pale ring: the last move, made because time was up."
            }
            MarkMeaning::CameFrom => "Pale brackets: the last move came from here.",
            MarkMeaning::Decided => "Wide pale ring: this decided the game.",
            MarkMeaning::Legal if self.is_lit => "Brackets: you may touch it.",
            MarkMeaning::Legal => "Ring: you may touch it.",
            MarkMeaning::Forbidden => "Cross: you may not touch it now.",
            MarkMeaning::Held => "Wide ring: the piece that is picked up.",
            MarkMeaning::Goes => "Wide ring: the piece that is picked up may go here.",
            MarkMeaning::WouldPlace => "Disc: what a touch would put here.",
            MarkMeaning::WouldTurn => "Ring: a touch would turn it.",
            MarkMeaning::WouldTake => "Broken ring: a touch would take it.",
            MarkMeaning::WouldGo => "Ring: the piece may go here, once it is picked up.",
        }
    }
}

/// Draws the marks on points.
pub struct MarksPlugin;

impl Plugin for MarksPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<WindowSwitches>()
            .init_resource::<OpenText>()
            .init_resource::<Log>()
            .init_resource::<MarksOnBoard>()
            .init_resource::<Continuity>()
            .init_resource::<Tempo>()
            .init_resource::<Chosen>()
            .init_resource::<Hover>()
            .add_systems(Startup, create_materials)
            .add_systems(
                Update,
                recolour_sides
                    .in_set(SceneSet::Build)
                    .run_if(resource_changed::<Chosen>),
            )
            .add_systems(
                Update,
                create_meshes
                    .in_set(SceneSet::Build)
                    .run_if(resource_changed::<PointPlan>),
            )
            .add_systems(
                Update,
                (
                    draw.run_if(
                        resource_changed::<Shown>
                            .or_else(resource_changed::<PointPlan>)
                            .or_else(resource_changed::<WindowSwitches>)
                            .or_else(resource_changed::<Hover>)
                            .or_else(resource_changed::<OpenText>),
                    ),
                    close_in,
                )
                    .chain()
                    .in_set(SceneSet::Follow)
                    .after(MotionSet::Begin),
            );
    }
}

/// The marks that are drawn.
#[derive(Resource, Default)]
pub struct MarksOnBoard {
    /// The marks, one or more for a point.
    pub marks: Vec<Mark>,
    /// When the ring of the last move began to close in, if the board made the move in
    /// running time.
    closing_since: Option<Duration>,
}

/// Marks a ring that closes in on its point, since this time.
#[derive(Component, Clone, Copy, Debug)]
struct ClosingRing(Duration);

/// Duration of closing in, in ms of board time.
const CLOSES_MS: u64 = 600;
/// Size of a ring when it begins to close in, relative to its final size.
const CLOSES_FROM: f32 = 1.6;

/// The relative size of a ring after this part of the duration.
fn closing_scale(part: f32) -> f32 {
    let left = 1.0 - part.clamp(0.0, 1.0);
    1.0 + (CLOSES_FROM - 1.0) * left * left
}

fn close_in(
    mut commands: Commands,
    tempo: Res<Tempo>,
    mut rings: Query<(Entity, &ClosingRing, &mut Transform)>,
) {
    let lasts = tempo.lasts(CLOSES_MS).as_secs_f32();
    for (ring, closes, mut place) in &mut rings {
        let part = tempo.now.saturating_sub(closes.0).as_secs_f32() / lasts;
        place.scale = Vec3::splat(closing_scale(part));
        if part >= 1.0 {
            commands.entity(ring).remove::<ClosingRing>();
        }
    }
}

/// The mark of the last move.
fn last_of(marks: &[Mark]) -> Option<&Mark> {
    let is_last =
        |mark: &&Mark| matches!(mark.meaning, MarkMeaning::Last | MarkMeaning::LastByClock);
    marks.iter().find(is_last)
}

#[allow(
    clippy::too_many_arguments,
    reason = "the parameters of a Bevy system are its queries"
)]
fn draw(
    mut commands: Commands,
    shown: Res<Shown>,
    looks: MarkInputs,
    plan: Res<PointPlan>,
    ink: Res<Ink>,
    stencils: Res<Stencils>,
    motion: MotionInputs,
    mut drawn: ResMut<MarksOnBoard>,
    old: Query<Entity, With<Mark>>,
) {
    let marks = wanted(&shown, &looks);
    if marks == drawn.marks && !plan.is_changed() {
        return;
    }
    let [before, now] = [&drawn.marks, &marks].map(|marks| last_of(marks).map(|last| last.point));
    if before != now {
        let by = shown.status.last_move.map(|last| last.by);
        let is_boards = matches!(by, Some(Mover::Board | Mover::Clock));
        drawn.closing_since =
            (is_boards && *motion.flow == Continuity::Goes).then_some(motion.tempo.now);
    }
    for entity in &old {
        commands.entity(entity).despawn();
    }
    for mark in &marks {
        let mesh = stencils.of(mark);
        let ink = ink.of(mark);
        let lift = match *mesh == stencils.collar {
            true => COLLAR_Y * DOME * plan.pitch(),
            false => PRINT_LIFT,
        };
        let over = Vec3::Y * (FIELD_Y + lift);
        let mut drawn_mark = commands.spawn((
            Name::new("mark"),
            *mark,
            NotShadowCaster,
            Mesh3d(mesh.clone()),
            MeshMaterial3d(ink.clone()),
            Transform::from_translation(plan.place(mark.point) + over),
        ));
        if let (MarkMeaning::Last | MarkMeaning::LastByClock, Some(since)) =
            (mark.meaning, drawn.closing_since)
        {
            drawn_mark.insert(ClosingRing(since));
        }
    }
    drawn.marks = marks;
}

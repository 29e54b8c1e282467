//! Marks around the points: the last move, and where a player may move.
//!
//! They are not the board's but the window's: thin and flat, so that nobody takes one for
//! a light, and with a dark outline, so that each is seen on lights of its own colour. A
//! pale ring shows the last move, and ticks in the colour of its side show where its piece
//! came from; the ring is broken if the board made the move because a player's time was
//! up. If the board moved, the ring shrinks onto the point, so that a quick answer is not
//! missed.
//!
//! A dark point that may be touched has a ring around its dome, in the colour of the side
//! to move; a lit one has four wide pale brackets, which are seen on the lights of either
//! side. In a game that usually has many legal points, a small dot marks each of them
//! instead. While a piece is picked up, there is a ring around it and around each piece
//! onto which it may go, and a dot on each free point. A point that may not be touched has
//! a cross on its dome, pale on a dark one and dark on a lit one.
//!
//! Once a row or a chain has won, each of its pieces has a wide pale ring, and a band joins
//! it to the next one; the rings close in one after the other. A king that is mated has
//! such a ring, too.
//!
//! The effect of a touch where the mouse rests is marked, too: a disc where a touch would
//! place something that is not shown as a [ghost](super::ghosts), a ring around each
//! stone that would turn, a broken ring around a piece that would be taken.
//!
//! Invariants: every mark lies on its dome or on the face around it, so that it does not
//! shift with the camera; no two meanings have the same shape in the same colour.

mod links;
mod shapes;
mod wanted;

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;
use protocol::{Mover, Point, Side};
use touchboard_host::case::DOME;
use touchboard_host::written::Decision;

use super::SceneSet;
use super::case::FIELD_Y;
use super::domes::SPILL_Y;
use super::hover::Hover;
use super::motion::{Continuity, MotionInputs, MotionSet, Tempo};
use super::plan::PointPlan;
use crate::source::written::OpenText;
use crate::source::{Log, Shown};
use crate::switches::WindowSwitches;
use crate::theme::ChosenPalette;
use links::LINK_LIFT;
use shapes::{COLLAR_Y, Ink, Stencils, create_materials, create_meshes, recolour_sides};
use wanted::{MarkInputs, decision, wanted};

pub use links::DecidingLink;
pub use wanted::{is_dark, marked};

/// A mark on a point.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointMark {
    /// The point that is marked.
    pub point: Point,
    /// The meaning of the mark, which decides its shape.
    pub meaning: MarkMeaning,
    /// True if the point is lit: a pale mark would be invisible on its dome.
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
    /// The point is a legal move, in a game that usually has many.
    LegalOfMany,
    /// The point is not a legal move.
    Forbidden,
    /// The piece here is picked up.
    Held,
    /// The piece that is picked up may go to this free point.
    Goes,
    /// The piece that is picked up may go onto the piece here.
    GoesOnto,
    /// A touch under the mouse would put something here.
    WouldPlace,
    /// A touch under the mouse would turn this stone.
    WouldTurn,
    /// A touch under the mouse would take what is here.
    WouldTake,
    /// The piece under the mouse may go here, once it is picked up.
    WouldGo,
}

impl PointMark {
    /// The explanation for a person who points at the mark.
    #[must_use]
    pub fn words(&self) -> &'static str {
        match self.meaning {
            MarkMeaning::Last => "Pale ring: the last move.",
            MarkMeaning::LastByClock => {
                "Broken pale ring: the last move, made because time was up."
            }
            MarkMeaning::CameFrom => "Ticks: the last move came from here.",
            MarkMeaning::Decided => "Wide pale ring: this decided the game.",
            MarkMeaning::Legal if self.is_lit => "Wide pale brackets: you may touch it.",
            MarkMeaning::Legal => "Ring: you may touch it.",
            MarkMeaning::LegalOfMany => "Small dot: you may touch it.",
            MarkMeaning::Forbidden => "Cross: you may not touch it now.",
            MarkMeaning::Held => "Wide ring: the piece that is picked up.",
            MarkMeaning::Goes => "Dot: the piece that is picked up may go here.",
            MarkMeaning::GoesOnto => "Wide ring: the piece that is picked up may go here.",
            MarkMeaning::WouldPlace => "Disc: what a touch would put here.",
            MarkMeaning::WouldTurn => "Ring: a touch would turn it.",
            MarkMeaning::WouldTake => "Broken ring: a touch would take it.",
            MarkMeaning::WouldGo => "Small ring: the piece may go here, once it is picked up.",
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
            .init_resource::<ChosenPalette>()
            .init_resource::<Hover>()
            .add_systems(Startup, create_materials)
            .add_systems(
                Update,
                recolour_sides
                    .in_set(SceneSet::Build)
                    .run_if(resource_changed::<ChosenPalette>),
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
    pub marks: Vec<PointMark>,
    /// What decided the game, if it was won by a row, a chain, or a blocked player.
    pub decision: Option<Decision>,
    /// When the ring of the last move began to close in, if the board made the move in
    /// running time.
    closing_since: Option<Duration>,
}

/// Marks a ring that closes in on its point, from this time on; before, it is not seen.
#[derive(Component, Clone, Copy, Debug)]
struct ClosingRing(Duration);

/// The height of a mark on the face of the board: above the light that lit domes throw on
/// it, which would drown a mark of its colour.
const LIFT: f32 = SPILL_Y + 0.003;

/// The time between two rings of a row that won, in ms of board time.
const NEXT_RING_MS: u64 = 90;

/// Duration of closing in, in ms of board time.
const CLOSES_MS: u64 = 300;
/// Size of a ring when it begins to close in, relative to its final size: it stays off the
/// points beside its own.
const CLOSES_FROM: f32 = 1.3;

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
        let Some(since) = tempo.now.checked_sub(closes.0) else {
            place.scale = Vec3::ZERO;
            continue;
        };
        let part = since.as_secs_f32() / lasts;
        place.scale = Vec3::splat(closing_scale(part));
        if part >= 1.0 {
            commands.entity(ring).remove::<ClosingRing>();
        }
    }
}

/// The mark of the last move.
fn last_of(marks: &[PointMark]) -> Option<&PointMark> {
    let is_last =
        |mark: &&PointMark| matches!(mark.meaning, MarkMeaning::Last | MarkMeaning::LastByClock);
    marks.iter().find(is_last)
}

/// What marks are made of, and where their points are.
#[derive(SystemParam)]
struct MarkKit<'w> {
    plan: Res<'w, PointPlan>,
    ink: Res<'w, Ink>,
    stencils: Res<'w, Stencils>,
}

impl MarkKit<'_> {
    /// Adds the links of the chain that decided the game.
    fn spawn_links(&self, commands: &mut Commands, decision: &Decision) {
        for link in &decision.links {
            let ends = link.map(|point| self.plan.place(point));
            commands.spawn((
                Name::new("link"),
                DecidingLink,
                NotShadowCaster,
                Mesh3d(self.stencils.link.clone()),
                MeshMaterial3d(self.ink.last().clone()),
                links::between(ends, FIELD_Y + LINK_LIFT),
            ));
        }
    }

    /// Adds a mark.
    fn spawn<'c>(&self, commands: &'c mut Commands, mark: &PointMark) -> EntityCommands<'c> {
        let mesh = self.stencils.of(mark);
        let lift = match *mesh == self.stencils.collar {
            true => COLLAR_Y * DOME * self.plan.pitch(),
            false => LIFT,
        };
        let over = Vec3::Y * (FIELD_Y + lift);
        commands.spawn((
            Name::new("mark"),
            *mark,
            NotShadowCaster,
            Mesh3d(mesh.clone()),
            MeshMaterial3d(self.ink.of(mark).clone()),
            Transform::from_translation(self.plan.place(mark.point) + over),
        ))
    }
}

/// Everything that is drawn for marks.
type OfMarks = Or<(With<PointMark>, With<DecidingLink>)>;

/// Draws the marks again if they have changed.
fn draw(
    mut commands: Commands,
    shown: Res<Shown>,
    looks: MarkInputs,
    kit: MarkKit,
    motion: MotionInputs,
    mut drawn: ResMut<MarksOnBoard>,
    old: Query<Entity, OfMarks>,
) {
    let decision = decision(&shown, looks.text());
    let marks = wanted(&shown, &looks, decision.as_ref());
    if marks == drawn.marks && decision == drawn.decision && !kit.plan.is_changed() {
        return;
    }
    let is_decided_now = drawn.decision.is_none() && *motion.flow == Continuity::Goes;
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
    if let Some(decision) = &decision {
        kit.spawn_links(&mut commands, decision);
    }
    let mut rings = 0;
    for mark in &marks {
        let mut drawn_mark = kit.spawn(&mut commands, mark);
        if let (MarkMeaning::Last | MarkMeaning::LastByClock, Some(since)) =
            (mark.meaning, drawn.closing_since)
        {
            drawn_mark.insert(ClosingRing(since));
        }
        if mark.meaning == MarkMeaning::Decided && is_decided_now {
            let after = motion.tempo.lasts(rings * NEXT_RING_MS);
            drawn_mark.insert(ClosingRing(motion.tempo.now + after));
            rings += 1;
        }
    }
    drawn.marks = marks;
    drawn.decision = decision;
}

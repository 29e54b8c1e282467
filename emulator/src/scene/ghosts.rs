//! Ghosts: the piece or stone that a touch would place where the mouse rests, half
//! transparent.
//!
//! Invariants: a ghost never overlaps a piece that is there; it casts no shadow, and
//! disappears as soon as the mouse moves.

use bevy::ecs::system::SystemParam;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;
use protocol::{Colour, Point, Side};
use touchboard_host::pieces::figures::{Figure, Tint};
use touchboard_host::preview::Preview;
use touchboard_host::standing;

use super::SceneSet;
use super::camera::Viewpoint;
use super::coins;
use super::hover::Hover;
use super::kit::{Kit, PieceMaker, Presence};
use super::pieces;
use super::plan::PointPlan;
use crate::source::Shown;
use crate::switches::WindowSwitches;
use crate::theme::{self, ChosenPalette};

/// Opacity of a stone's ghost.
const STONE_ALPHA: f32 = 0.28;
/// Emitted light of a stone's ghost, relative to its colour.
const STONE_GLOW: f32 = 0.12;

/// A piece or stone that a touch would place.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct PieceGhost {
    /// The point where it would be placed.
    pub point: Point,
    /// What would be placed there.
    pub of: GhostOf,
}

/// What a ghost shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GhostOf {
    /// A piece, and the number of levels already on the point.
    Piece(Figure, usize),
    /// A light that is a stone.
    Stone(Side),
}

/// Shows what a touch would place on the board.
pub struct GhostsPlugin;

impl Plugin for GhostsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hover>()
            .init_resource::<WindowSwitches>()
            .init_resource::<Viewpoint>()
            .init_resource::<Kit>()
            .init_resource::<ChosenPalette>()
            .add_systems(
                Update,
                draw_ghosts.in_set(SceneSet::Follow).run_if(
                    resource_changed::<Hover>
                        .or_else(resource_changed::<Shown>)
                        .or_else(resource_changed::<WindowSwitches>)
                        .or_else(resource_changed::<Viewpoint>)
                        .or_else(resource_changed::<PointPlan>),
                ),
            );
    }
}

/// The ghosts of what this touch would place.
#[must_use]
pub fn of(shown: &Shown, preview: &Preview, switches: WindowSwitches) -> Vec<PieceGhost> {
    if !switches.pieces {
        return Vec::new();
    }
    let standing = shown.pieces.as_ref().map_or(&[][..], |all| &all.figures);
    if !preview.figures.is_empty() {
        let ghost = |(point, figure): &(Point, Figure)| {
            let mut there = standing.iter().filter(|(at, _)| at == point);
            let before = there
                .next()
                .map_or(0, |(_, there)| usize::from(there.levels()));
            let of = GhostOf::Piece(*figure, before);
            (usize::from(figure.levels()) > before).then_some(PieceGhost { point: *point, of })
        };
        return preview.figures.iter().filter_map(ghost).collect();
    }
    let settings = &shown.status.settings;
    let side = preview
        .side
        .filter(|_| standing::lights_are_stones(settings));
    let is_dark = |point: &&Point| shown.frame.points.get(**point) == Colour::OFF;
    let placed = preview.placed.iter().filter(is_dark);
    let stones = placed.filter_map(|point| {
        let of = GhostOf::Stone(side?);
        Some(PieceGhost { point: *point, of })
    });
    stones.collect()
}

/// What ghosts are made of.
#[derive(SystemParam)]
struct GhostKit<'w, 's> {
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<StandardMaterial>>,
    kit: ResMut<'w, Kit>,
    stone: Local<'s, Option<Handle<Mesh>>>,
}

impl GhostKit<'_, '_> {
    fn maker(&mut self) -> PieceMaker<'_> {
        PieceMaker {
            kit: &mut self.kit,
            meshes: &mut self.meshes,
            materials: &mut self.materials,
        }
    }

    /// The ghost of a stone of this colour.
    fn stone(&mut self, colour: Color) -> impl Bundle + use<> {
        let meshes = &mut self.meshes;
        let mesh = self
            .stone
            .get_or_insert_with(|| meshes.add(coins::coin().mesh()));
        let material = self.materials.add(StandardMaterial {
            base_color: colour.with_alpha(STONE_ALPHA),
            emissive: colour.to_linear() * STONE_GLOW,
            alpha_mode: AlphaMode::Blend,
            ..default()
        });
        (
            Name::new("ghost"),
            NotShadowCaster,
            Mesh3d(mesh.clone()),
            MeshMaterial3d(material),
        )
    }
}

/// What decides which ghosts there are, and how they look.
#[derive(SystemParam)]
struct GhostInputs<'w> {
    shown: Res<'w, Shown>,
    hover: Res<'w, Hover>,
    switches: Res<'w, WindowSwitches>,
    view: Res<'w, Viewpoint>,
    chosen: Res<'w, ChosenPalette>,
}

fn draw_ghosts(
    mut commands: Commands,
    mut kit: GhostKit,
    inputs: GhostInputs,
    plan: Res<PointPlan>,
    old: Query<(Entity, &PieceGhost)>,
) {
    let GhostInputs {
        shown,
        hover,
        switches,
        view,
        chosen,
    } = inputs;
    let preview = hover.0.as_ref().and_then(|at| at.preview.as_ref());
    let mut wanted = preview.map_or_else(Vec::new, |preview| of(&shown, preview, *switches));
    wanted.retain(|ghost| plan.layout().has(ghost.point));
    let is_there = |ghost: &PieceGhost| old.iter().any(|(_, there)| there == ghost);
    let is_same =
        old.iter().all(|(_, ghost)| wanted.contains(ghost)) && wanted.iter().all(is_there);
    if is_same && !plan.is_changed() && !view.is_changed() {
        return;
    }
    for (entity, _) in &old {
        commands.entity(entity).despawn();
    }
    kit.maker().follow(chosen.0);
    for ghost in wanted {
        match ghost.of {
            GhostOf::Piece(figure, before) => {
                let mut maker = kit.maker();
                let levels = maker.levels(pieces::from(*view, figure));
                for level in levels.iter().skip(before) {
                    let place = pieces::place(&plan, ghost.point, level.lift);
                    let piece = maker.spawn_as(Presence::Ghost, &mut commands, level, place);
                    commands.entity(piece).insert(ghost);
                }
            }
            GhostOf::Stone(side) => {
                let colour = theme::figure(chosen.0, Tint::Side(side));
                let place = pieces::place(&plan, ghost.point, coins::LIES);
                commands.spawn((ghost, kit.stone(colour), place));
            }
        }
    }
}

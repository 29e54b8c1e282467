//! Pieces on the points: chessmen, stones, piles, and the walls and borders between
//! points.
//!
//! A figure stands on its light or lies over it, and the glow is visible around its foot.
//! Pieces belong to the window, not the board. One key hides them, to show what a board
//! with only lights shows.
//!
//! Invariants: the pieces on the points are those that the board says, even while
//! stand-ins move.

use std::collections::BTreeMap;
use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use protocol::{Event, Outcome, Point};
use touchboard_host::case::FIELD_SIDE;
use touchboard_host::palette::Palette;
use touchboard_host::pieces::figures::{Figure, PieceShape, PieceStyle, Tint};
use touchboard_host::pieces::{GapLine, LineKind};

use super::camera::Viewpoint;
use super::case::{FIELD_Y, PRINT_LIFT};
use super::domes::{self, Hushed};
use super::kit::{Kit, PieceMaker, StackLevel};
use super::motion::{self, Actor, Continuity, MotionPath, MotionSet, Tempo};
use super::moves::{self, PieceMotion, PlacedPiece, Stacks};
use super::paint::Paint;
use super::plan::PointPlan;
use super::shape::{Shape, Slab};
use crate::keys::{Meaning, Stroke};
use crate::source::{Happened, Shown};
use crate::switches::WindowSwitches;
use crate::theme::ChosenPalette;

/// Places the pieces on the board.
pub struct PiecesPlugin;

impl Plugin for PiecesPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<WindowSwitches>()
            .init_resource::<Viewpoint>()
            .init_resource::<Kit>()
            .init_resource::<PlacedPieces>()
            .add_message::<Stroke>()
            .add_systems(Startup, take_letters)
            .add_systems(Update, change_by_key.before(MotionSet::Begin))
            .add_systems(
                Update,
                (
                    (place_pieces, draw_lines).run_if(
                        resource_changed::<Shown>
                            .or_else(resource_changed::<PointPlan>)
                            .or_else(resource_changed::<ChosenPalette>)
                            .or_else(resource_changed::<WindowSwitches>)
                            .or_else(resource_changed::<Viewpoint>),
                    ),
                    animate_winners,
                )
                    .chain()
                    .in_set(MotionSet::Lay),
            );
    }
}

fn take_letters(paint: Res<Paint>, mut kit: ResMut<Kit>) {
    kit.print_letters_with(paint.print_ink.clone(), paint.print_pale.clone());
    kit.set_wood_texture(paint.grain.clone());
    kit.set_stone_texture(paint.speckles.clone());
}

fn change_by_key(mut strokes: MessageReader<Stroke>, mut switches: ResMut<WindowSwitches>) {
    for _ in strokes
        .read()
        .filter(|stroke| stroke.begins(Meaning::Pieces))
    {
        switches.pieces = !switches.pieces;
    }
}

/// A piece that stands on a point.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Stands {
    /// The point on which it stands.
    pub point: Point,
    /// The piece that stands there.
    pub piece: StackLevel,
}

/// A wall or a border.
#[derive(Component)]
struct Between;

/// The pieces on the board.
#[derive(Resource, Default)]
pub struct PlacedPieces {
    figures: BTreeMap<Point, Figure>,
    stacks: Stacks,
    /// The pieces on each point, from the lowest up.
    entities: HashMap<Point, Vec<Entity>>,
    numbers: HashMap<Point, Entity>,
    palette: Palette,
    lines: Vec<GapLine>,
}

/// Duration of a piece's move, in ms of board time.
const WALK_MS: u64 = 240;
/// Duration of a piece's arrival or removal, in ms of board time.
pub(super) const COME_MS: u64 = 190;
/// Duration of a stone's turn, in ms of board time.
pub(super) const TURN_MS: u64 = 220;
/// Duration of a leap of a winner's piece, in ms of board time.
pub(super) const CHEER_MS: u64 = 260;
/// The delay between the first and the last leap of a winner's pieces, in ms.
const CHEER_SPREAD_MS: f32 = 420.0;

/// The place of figures: drawings on the face are below them.
pub(super) fn place(plan: &PointPlan, point: Point, lift: f32) -> Transform {
    let at = plan.place(point) + Vec3::Y * (FIELD_Y + lift * plan.pitch());
    Transform::from_translation(at).with_scale(Vec3::splat(plan.pitch()))
}

/// The resources for creating figures and their motions.
#[derive(SystemParam)]
struct Stage<'w, 's> {
    commands: Commands<'w, 's>,
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<StandardMaterial>>,
    kit: ResMut<'w, Kit>,
    plan: Res<'w, PointPlan>,
    flow: Res<'w, Continuity>,
    tempo: Res<'w, Tempo>,
    actors: Query<'w, 's, (Entity, &'static Actor)>,
    seen: Query<'w, 's, &'static mut Visibility>,
}

impl Stage<'_, '_> {
    fn spawn(&mut self, level: &StackLevel, place: Transform) -> Entity {
        let mut maker = PieceMaker {
            kit: &mut self.kit,
            meshes: &mut self.meshes,
            materials: &mut self.materials,
        };
        maker.spawn(&mut self.commands, level, place)
    }

    /// The visible pieces of this figure, from the lowest up.
    fn stack(&mut self, figure: Figure) -> Vec<StackLevel> {
        let mut maker = PieceMaker {
            kit: &mut self.kit,
            meshes: &mut self.meshes,
            materials: &mut self.materials,
        };
        maker.levels(figure)
    }

    /// Spawns a stand-in for a piece, and hides the entity that it stands for.
    fn act(&mut self, piece: &StackLevel, mut actor: Actor, becomes: Option<Tint>) {
        if let Some(tint) = becomes {
            let mut maker = PieceMaker {
                kit: &mut self.kit,
                meshes: &mut self.meshes,
                materials: &mut self.materials,
            };
            actor.becomes = Some(maker.tint(tint));
        }
        if let Some(hidden) = actor.hides {
            // The entity was spawned in this picture.
            self.commands.entity(hidden).insert(Visibility::Hidden);
        }
        let entity = self.spawn(piece, actor.place(self.tempo.now));
        self.commands.entity(entity).insert(actor);
    }

    fn end_all(&mut self) {
        for (entity, actor) in &self.actors {
            motion::end(&mut self.commands, entity, actor.hides, &mut self.seen);
        }
    }

    fn foot(&self, placed: &PlacedPiece) -> Vec3 {
        place(&self.plan, placed.point, placed.piece.lift).translation
    }
}

/// The figure as it is laid for this view: from above, chessmen are distinguished by
/// their letters.
pub(super) fn from(view: Viewpoint, figure: Figure) -> Figure {
    match (view, figure.look.form.letter()) {
        (Viewpoint::Top, Some(letter)) => Figure {
            look: PieceStyle {
                form: PieceShape::Token(letter),
                ..figure.look
            },
            ..figure
        },
        _ => figure,
    }
}

/// True for a chessman and for a token with a letter: the shape identifies the piece, so
/// its light need not.
fn says_what_it_is(figure: &Figure) -> bool {
    let form = figure.look.form;
    form.letter().is_some() || matches!(form, PieceShape::Token(_))
}

fn place_pieces(
    mut stage: Stage,
    shown: Res<Shown>,
    switches: Res<WindowSwitches>,
    looks: (Res<ChosenPalette>, Res<Viewpoint>),
    (mut standing, mut hushed): (ResMut<PlacedPieces>, ResMut<Hushed>),
) {
    let (chosen, view) = looks;
    let seen = shown.pieces.as_ref().filter(|_| switches.pieces);
    let seen_from = |(point, figure): &(Point, Figure)| (*point, from(*view, *figure));
    let figures = seen.map(|pieces| pieces.figures.iter().map(seen_from).collect());
    let figures: BTreeMap<Point, Figure> = figures.unwrap_or_default();
    let is_new = stage.plan.is_changed() || standing.palette != chosen.0;
    if figures == standing.figures && !is_new {
        return;
    }
    stage.end_all();
    let mut maker = PieceMaker {
        kit: &mut stage.kit,
        meshes: &mut stage.meshes,
        materials: &mut stage.materials,
    };
    maker.follow(chosen.0);
    let before = std::mem::take(&mut standing.stacks);
    let mut stacks = Stacks::new();
    for (point, figure) in &figures {
        stacks.insert(*point, stage.stack(*figure));
    }
    let all: Vec<Point> = before.keys().chain(stacks.keys()).copied().collect();
    for point in all {
        if is_new || standing.figures.get(&point) != figures.get(&point) {
            put(&mut stage, &mut standing, point, &figures, &stacks);
        }
    }
    if *stage.flow == Continuity::Goes && !is_new && !switches.is_changed() && !view.is_changed() {
        let plan = stage.plan.clone();
        let far = |one, other| plan.place(one).distance(plan.place(other));
        for deed in moves::deeds(&before, &stacks, far) {
            enact(&mut stage, &standing, &deed);
        }
    }
    let seen = figures.iter().filter(|(_, figure)| says_what_it_is(figure));
    let side = |figure: &Figure| match figure.tint {
        Tint::Side(side) => Some(side),
        Tint::Nobody | Tint::Light(_) => None,
    };
    let seen = seen.map(|(point, figure)| (*point, side(figure)));
    hushed.set_if_neq(Hushed(seen.collect()));
    standing.stacks = stacks;
    standing.figures = figures;
    standing.palette = chosen.0;
}

/// Replaces the pieces on a point by those that stand there now.
fn put(
    stage: &mut Stage,
    standing: &mut PlacedPieces,
    point: Point,
    figures: &BTreeMap<Point, Figure>,
    stacks: &Stacks,
) {
    let old = standing.entities.remove(&point).unwrap_or_default();
    let old = old.into_iter().chain(standing.numbers.remove(&point));
    for entity in old {
        stage.commands.entity(entity).try_despawn();
    }
    let Some(stack) = stacks.get(&point) else {
        return;
    };
    let pieces = stack.iter().map(|piece| {
        let place = place(&stage.plan, point, piece.lift);
        let entity = stage.spawn(piece, place);
        let stands = Stands {
            point,
            piece: *piece,
        };
        stage.commands.entity(entity).insert(stands);
        entity
    });
    let pieces: Vec<Entity> = pieces.collect();
    standing.entities.insert(point, pieces);
    // The number belongs to a whole pile, not to a single piece that is lifted off it.
    let whole = figures.get(&point).filter(|figure| !figure.is_held);
    let count = whole.map_or(1, |figure| figure.count);
    if count > 1 {
        let mut maker = PieceMaker {
            kit: &mut stage.kit,
            meshes: &mut stage.meshes,
            materials: &mut stage.materials,
        };
        // On top of the pile, or of the light inside it.
        let top = stack.last().map_or(0.0, |level| maker.top(level));
        let tint = stack.last().map_or(Tint::Nobody, |level| level.tint);
        let mut at = place(&stage.plan, point, top.max(domes::TOP));
        at.translation.y += 4.0 * PRINT_LIFT;
        let number = maker.number(&mut stage.commands, count, tint, at);
        standing.numbers.insert(point, number);
    }
}

/// Animates the motion of a piece.
fn enact(stage: &mut Stage, standing: &PlacedPieces, deed: &PieceMotion) {
    let pitch = stage.plan.pitch();
    let entity = |placed: &PlacedPiece| {
        let all = standing.entities.get(&placed.point)?;
        all.get(placed.level).copied()
    };
    let (piece, path, hides, ms, becomes) = match *deed {
        PieceMotion::Went(from, to) => {
            let path = MotionPath::Walk {
                from: stage.foot(&from),
                to: stage.foot(&to),
                leap: LEAP * pitch,
            };
            (to.piece, path, entity(&to), WALK_MS, None)
        }
        PieceMotion::Came(at) => {
            let path = MotionPath::Land {
                at: stage.foot(&at),
                from: DROP * pitch,
            };
            (at.piece, path, entity(&at), COME_MS, None)
        }
        PieceMotion::Left(at) => {
            let path = MotionPath::Leave {
                at: stage.foot(&at),
                sinks: SINK * pitch,
            };
            (at.piece, path, None, COME_MS, None)
        }
        PieceMotion::Turned(from, to) => {
            let path = MotionPath::Turn {
                at: stage.foot(&to),
                leap: LEAP * pitch,
            };
            let becomes = Some(to.piece.tint);
            (from.piece, path, entity(&to), TURN_MS, becomes)
        }
    };
    let actor = Actor {
        path,
        scale: pitch,
        begins: stage.tempo.now,
        lasts: stage.tempo.lasts(ms),
        hides,
        becomes: None,
    };
    stage.act(&piece, actor, becomes);
}

/// Lets the winner's pieces leap, one after the other, starting at the last move.
fn animate_winners(
    mut stage: Stage,
    shown: Res<Shown>,
    standing: Res<PlacedPieces>,
    mut happened: MessageReader<Happened>,
) {
    let won = happened.read().filter_map(|event| match event.0.event {
        Event::Over(Outcome::Won(side)) => Some(side),
        _ => None,
    });
    let Some(side) = won.last().filter(|_| *stage.flow == Continuity::Goes) else {
        return;
    };
    let winners = standing.stacks.iter().filter_map(|(point, stack)| {
        let level = stack.len().checked_sub(1)?;
        let piece = stack[level];
        let entity = *standing.entities.get(point)?.get(level)?;
        let placed = PlacedPiece {
            point: *point,
            level,
            piece,
        };
        (piece.tint == Tint::Side(side)).then_some((placed, entity))
    });
    let winners: Vec<(PlacedPiece, Entity)> = winners.collect();
    let last = shown.status.last_move.map(|last| last.point);
    let from = last.map_or(Vec3::ZERO, |point| stage.plan.place(point));
    let pitch = stage.plan.pitch();
    for (placed, entity) in winners {
        let at = stage.foot(&placed);
        let actor = Actor {
            path: MotionPath::Hop {
                at,
                leap: LEAP * pitch,
            },
            scale: pitch,
            begins: stage.tempo.now + cheer_delay(at.distance(from)),
            lasts: stage.tempo.lasts(CHEER_MS),
            hides: Some(entity),
            becomes: None,
        };
        // A piece that is still arriving is visible twice at its place for a moment.
        stage.act(&placed.piece, actor, None);
    }
}

/// The delay of a piece's leap at this distance from the last move.
pub(super) fn cheer_delay(far: f32) -> Duration {
    let part = (far / (1.4 * FIELD_SIDE)).min(1.0);
    Duration::from_millis(WALK_MS) + Duration::from_secs_f32(part * CHEER_SPREAD_MS / 1_000.0)
}

/// Height of a moving piece's arc, relative to the pitch.
pub(super) const LEAP: f32 = 0.32;
/// Height from which a piece comes down, relative to the pitch.
const DROP: f32 = 0.75;
/// Depth to which a taken piece sinks, relative to the pitch.
const SINK: f32 = 0.25;
/// Width and height of a wall, relative to the pitch.
const WALL: [f32; 2] = [0.13, 0.26];
/// Width of a border, relative to the pitch.
const BORDER: f32 = 0.06;

/// Draws all walls and borders as one mesh.
fn draw_lines(
    mut stage: Stage,
    shown: Res<Shown>,
    switches: Res<WindowSwitches>,
    paint: Res<Paint>,
    mut standing: ResMut<PlacedPieces>,
    old: Query<Entity, With<Between>>,
) {
    let seen = shown.pieces.as_ref().filter(|_| switches.pieces);
    let lines = seen.map_or(&[][..], |pieces| &pieces.lines);
    if standing.lines == lines && !stage.plan.is_changed() {
        return;
    }
    for entity in &old {
        stage.commands.entity(entity).despawn();
    }
    let mut all = Shape::default();
    for line in lines {
        let (shape, place) = between(line, &stage.plan);
        all.add(&shape, place);
    }
    if !lines.is_empty() {
        stage.commands.spawn((
            Name::new("walls"),
            Between,
            Mesh3d(stage.meshes.add(all.mesh())),
            MeshMaterial3d(paint.wall.clone()),
        ));
    }
    standing.lines = lines.to_vec();
}

/// A standing wall or a flat border, and its transform.
fn between(line: &GapLine, plan: &PointPlan) -> (Shape, Transform) {
    let [from, to] = [line.from, line.to].map(|spot| plan.on_field(spot));
    let middle = (from + to) / 2.0 + Vec3::Y * FIELD_Y;
    let along = (to - from).abs();
    let pitch = plan.pitch();
    match line.kind {
        LineKind::Wall => {
            let [width, height] = WALL.map(|size| size * pitch);
            let size = along + Vec3::new(width, 0.0, width) + Vec3::Y * height;
            let slab = Shape::slab(Slab {
                size,
                corner: width * 0.45,
                fillet: width * 0.2,
            });
            let place = Transform::from_translation(middle + Vec3::Y * height / 2.0);
            (slab, place)
        }
        LineKind::Border => {
            let width = BORDER * pitch;
            let plate = Shape::plate(along.x + width, along.z + width);
            let place = Transform::from_translation(middle + Vec3::Y * PRINT_LIFT);
            (plate, place)
        }
    }
}

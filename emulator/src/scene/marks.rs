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

use std::f32::consts::TAU;
use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;
use protocol::{Colour, Mover, Outcome, Point, Side};
use touchboard_host::case::DOME;
use touchboard_host::games::{Guide, find};
use touchboard_host::preview::{Preview, destinations_among};
use touchboard_host::standing::{self, Among, Tracks};
use touchboard_host::written::deciding_points;

use super::SceneSet;
use super::came_from::came_from;
use super::case::{FIELD_Y, PRINT_LIFT};
use super::domes;
use super::ghosts;
use super::hover::Hover;
use super::motion::{Continuity, MotionSet, Tempo};
use super::plan::PointPlan;
use super::shape::Shape;
use crate::source::written::OpenText;
use crate::source::{Log, Shown};
use crate::switches::WindowSwitches;
use crate::theme::{self, Chosen};

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

/// The materials of the marks.
#[derive(Resource)]
struct Ink {
    last: Handle<StandardMaterial>,
    track: Handle<StandardMaterial>,
    /// The material of marks on lit caps.
    on_lit: Handle<StandardMaterial>,
    /// The colours of the sides.
    sides: [Handle<StandardMaterial>; 2],
}

fn create_materials(mut commands: Commands, mut materials: ResMut<Assets<StandardMaterial>>) {
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
    });
}

/// Gives the marks of the sides the colours of the palette.
fn recolour_sides(
    chosen: Res<Chosen>,
    ink: Res<Ink>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    for side in Side::BOTH {
        if let Some(mut material) = materials.get_mut(&ink.sides[side.index()]) {
            let [red, green, blue] = theme::side(chosen.0, side);
            material.base_color = Color::srgb_u8(red, green, blue);
        }
    }
}

/// The meshes of the marks, at the size of the current pitch.
#[derive(Resource)]
struct Stencils {
    ring: Handle<Mesh>,
    wide_ring: Handle<Mesh>,
    broken_ring: Handle<Mesh>,
    brackets: Handle<Mesh>,
    /// Around the foot of a cap.
    collar: Handle<Mesh>,
    cap_disc: Handle<Mesh>,
    broken_wide_ring: Handle<Mesh>,
    strike: Handle<Mesh>,
}

/// Inner and outer radius of a ring, around the dome's own ring. It is wide enough that a
/// whole ring is not mistaken for a broken one in a small window.
const RING: [f32; 2] = [0.388, 0.438];
/// The radii of a ring around a piece that decided the game.
const WIDE_RING: [f32; 2] = [0.388, 0.475];
/// Number of pieces of a broken ring.
const PIECES: u8 = 8;
/// The share of each piece that is drawn.
const PIECE: f32 = 0.6;
/// Inner and outer radius of the brackets.
const BRACKET: [f32; 2] = [0.396, 0.436];
/// The share of the circle that each of the four brackets covers.
const BRACKET_PART: f32 = 0.11;
/// Inner and outer radius of a ring around the foot of a cap, relative to the cap's
/// radius: wide enough to be seen in a small window, and inside the ring of the last move.
const COLLAR: [f32; 2] = [1.01, 1.17];
/// The ring's height above the field, relative to the cap's radius: it lies on the rim
/// around the cap.
const COLLAR_Y: f32 = 0.03;
/// The radius of a disc on a cap, relative to the cap's radius: inside the ring.
const CAP_DISC: f32 = 0.42;
/// Height of marks above a cap, relative to its radius.
const OVER_CAP: f32 = 0.03;
/// Length of each arm of the cross on a forbidden point.
const STRIKE: f32 = 0.25;
/// Half the width of an arm: in a small window it is still a pixel wide.
const STRIKE_WIDTH: f32 = 0.026;

fn create_meshes(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, plan: Res<PointPlan>) {
    let pitch = plan.pitch();
    let radii = RING.map(|radius| radius * pitch);
    let pieces = |radii, count: u8, length: f32| {
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
    let mut strike = Shape::default();
    for turn in [1.0, 3.0] {
        let turned = Quat::from_rotation_y(turn * TAU / 8.0);
        strike.add(&bar_on_cap(pitch), Transform::from_rotation(turned));
    }
    let mut add = |shape: Shape| meshes.add(shape.mesh());
    commands.insert_resource(Stencils {
        ring: add(Shape::arc(radii, 0.0, TAU)),
        wide_ring: add(Shape::arc(WIDE_RING.map(|radius| radius * pitch), 0.0, TAU)),
        broken_ring: add(pieces(radii, PIECES, PIECE / f32::from(PIECES))),
        brackets: add(pieces(
            BRACKET.map(|radius| radius * pitch),
            4,
            BRACKET_PART,
        )),
        collar: add(Shape::arc(
            COLLAR.map(|reach| reach * DOME * pitch),
            0.0,
            TAU,
        )),
        cap_disc: add(on_cap([0.0, CAP_DISC], pitch)),
        broken_wide_ring: add(pieces(
            WIDE_RING.map(|radius| radius * pitch),
            PIECES,
            PIECE / f32::from(PIECES),
        )),
        strike: add(strike),
    });
}

/// A ring or disc that follows the surface of a cap, so that it looks centred from every
/// direction.
fn on_cap([inner, outer]: [f32; 2], pitch: f32) -> Shape {
    const STEPS: u8 = 4;
    let profile = (0..=STEPS).map(|step| {
        let part = f32::from(step) / f32::from(STEPS);
        let reach = outer + (inner - outer) * part;
        Vec2::new(reach, domes::height_at(reach) + OVER_CAP) * DOME * pitch
    });
    Shape::turned(&profile.collect::<Vec<Vec2>>(), 40)
}

/// A bar over the top of a cap, which bends with it.
fn bar_on_cap(pitch: f32) -> Shape {
    const STEPS: u8 = 8;
    let along = |step: u8| STRIKE * (2.0 * f32::from(step) / f32::from(STEPS) - 1.0);
    let ends: Vec<[Vec3; 2]> = (0..=STEPS)
        .map(|step| {
            [-STRIKE_WIDTH, STRIKE_WIDTH].map(|aside| {
                let at = Vec2::new(along(step), aside);
                let height = domes::height_at(at.length() / DOME) + OVER_CAP;
                Vec3::new(at.x, height * DOME, at.y) * pitch
            })
        })
        .collect();
    Shape::strip(&ends)
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

/// Up to this many legal points are marked, even if fewer points are illegal.
const FEW: usize = 10;

/// What the marks depend on, besides what the board shows.
#[derive(SystemParam)]
struct MarkInputs<'w> {
    switches: Res<'w, WindowSwitches>,
    text: Res<'w, OpenText>,
    hover: Res<'w, Hover>,
    log: Res<'w, Log>,
}

/// The marks that should be drawn.
fn wanted(shown: &Shown, looks: &MarkInputs) -> Vec<Mark> {
    let MarkInputs {
        switches,
        text,
        hover,
        log,
    } = looks;
    let status = &shown.status;
    let is_dark = |point: &Point| is_dark(shown, *point);
    // While a piece is held, only its destinations count.
    let held = held_at(shown);
    let goals = held.map(|_| {
        let (frame, game) = (&shown.frame, status.settings.game);
        destinations_among(&shown.legal, frame, shown.pieces.as_ref(), game)
    });
    let is_legal = |point: &Point| match &goals {
        Some(goals) => goals.contains(point),
        None => shown.legal.binary_search(point).is_ok(),
    };
    // No points are marked while the board is to move.
    let is_wanted = switches.tracks && !shown.legal.is_empty() && !standing::is_boards_turn(status);
    let all = || shown.layout.iter().filter(|_| is_wanted);
    let forbidden = |among| {
        all().filter(move |point| !is_legal(point) && (among == Among::All || is_dark(point)))
    };
    let tracks = match held {
        Some(_) => Tracks::Legal,
        None => marked(shown),
    };
    let mark = |meaning| move |point| mark_at(shown, point, meaning);
    let allowed = match held {
        Some(_) => MarkMeaning::Goes,
        None => MarkMeaning::Legal,
    };
    let mut marks: Vec<Mark> = match tracks {
        Tracks::Legal | Tracks::Fewer => all().filter(is_legal).map(mark(allowed)).collect(),
        Tracks::Forbidden(among) => forbidden(among).map(mark(MarkMeaning::Forbidden)).collect(),
        Tracks::None(_) => Vec::new(),
    };
    let last = last_move(shown);
    let decided = last.map_or_else(Vec::new, |last| decided(shown, text, last.point));
    let way = last.map_or_else(Vec::new, |_| way_of_last_move(shown, log));
    marks.extend(
        way.into_iter()
            .filter(|mark| !decided.contains(&mark.point)),
    );
    marks.extend(last.filter(|last| !decided.contains(&last.point)));
    marks.extend(decided.into_iter().map(mark(MarkMeaning::Decided)));
    marks.extend(held.filter(|_| is_wanted).map(mark(MarkMeaning::Held)));
    if let Some(preview) = hover.0.as_ref().and_then(|at| at.preview.as_ref()) {
        marks.extend(preview_marks(shown, preview, **switches));
    }
    marks
}

/// The kind of points that are marked while no piece is held. Resolves
/// [`Tracks::Fewer`] to legal or illegal points, whichever are fewer.
pub fn marked(shown: &Shown) -> Tracks {
    let legal = shown.legal.len();
    let is_illegal = |point: &Point| shown.legal.binary_search(point).is_err();
    let dark = shown.layout.iter().filter(|point| is_dark(shown, *point));
    match standing::tracks(&shown.status.settings) {
        Tracks::Fewer if legal > FEW && legal > dark.filter(is_illegal).count() => {
            Tracks::Forbidden(Among::Dark)
        }
        Tracks::Fewer => Tracks::Legal,
        tracks => tracks,
    }
}

/// True if a point is not lit.
pub fn is_dark(shown: &Shown, point: Point) -> bool {
    shown.frame.points.get(point) == Colour::OFF
}

/// A mark with this meaning.
fn mark_at(shown: &Shown, point: Point, meaning: MarkMeaning) -> Mark {
    let turn = shown.status.turn;
    Mark {
        point,
        meaning,
        is_lit: !is_dark(shown, point),
        of: turn.filter(|_| !matches!(meaning, MarkMeaning::Forbidden | MarkMeaning::Decided)),
    }
}

/// The mark of the last move. While the game is paused, its points are dark, and
/// a ring would surround nothing.
fn last_move(shown: &Shown) -> Option<Mark> {
    let status = &shown.status;
    let last = status.last_move.filter(|_| !status.paused);
    let last = last.filter(|last| shown.layout.has(last.point))?;
    Some(Mark {
        point: last.point,
        is_lit: !is_dark(shown, last.point),
        of: None,
        meaning: match last.by {
            Mover::Clock => MarkMeaning::LastByClock,
            Mover::Finger | Mover::Board => MarkMeaning::Last,
        },
    })
}

/// The marks of the points over which the last move came. A touch that asks for help
/// is none of them.
fn way_of_last_move(shown: &Shown, log: &Log) -> Vec<Mark> {
    let status = &shown.status;
    let has_help = find(status.settings.game).is_some_and(Guide::has_help);
    let last = status.last_move.filter(|_| !has_help);
    let way = last.map_or_else(Vec::new, |last| came_from(log, last));
    let way = way.into_iter().filter(|point| shown.layout.has(*point));
    way.map(|point| Mark {
        of: None,
        ..mark_at(shown, point, MarkMeaning::CameFrom)
    })
    .collect()
}

/// The marks for the effect of a touch under the mouse. A piece that would be
/// placed has none if its ghost is drawn.
fn preview_marks(shown: &Shown, preview: &Preview, switches: WindowSwitches) -> Vec<Mark> {
    let ghosts = ghosts::of(shown, preview, switches);
    let has_ghost = |point: &Point| ghosts.iter().any(|ghost| ghost.point == *point);
    let mut placed = preview.placed.clone();
    placed.retain(|point| !has_ghost(point));
    let all = [
        (&placed, MarkMeaning::WouldPlace),
        (&preview.turned, MarkMeaning::WouldTurn),
        (&preview.taken, MarkMeaning::WouldTake),
        (&preview.goes_to, MarkMeaning::WouldGo),
    ];
    let marks = all.into_iter().flat_map(|(points, meaning)| {
        let points = points.iter().copied();
        let points = points.filter(|point| shown.layout.has(*point));
        points.map(move |point| Mark {
            of: preview.side,
            ..mark_at(shown, point, meaning)
        })
    });
    marks.collect()
}

/// The point of the piece that a person holds.
fn held_at(shown: &Shown) -> Option<Point> {
    let figures = shown.pieces.as_ref().map_or(&[][..], |all| &all.figures);
    let held = figures.iter().find(|(_, figure)| figure.is_held);
    held.map(|(point, _)| *point)
}

/// The points that decided the game, if it is won and its text defines them.
fn decided(shown: &Shown, text: &OpenText, last: Point) -> Vec<Point> {
    let is_won = matches!(shown.status.outcome, Some(Outcome::Won(_)));
    let game = text.game.as_deref().filter(|_| is_won);
    game.filter(|game| *game.layout == shown.layout)
        .map_or_else(Vec::new, |game| deciding_points(game, &shown.frame, last))
}

impl Stencils {
    /// The shape of a mark.
    fn of(&self, mark: &Mark) -> &Handle<Mesh> {
        match mark.meaning {
            MarkMeaning::Last => &self.ring,
            MarkMeaning::Decided | MarkMeaning::Held | MarkMeaning::Goes => &self.wide_ring,
            MarkMeaning::LastByClock => &self.broken_ring,
            MarkMeaning::CameFrom => &self.brackets,
            MarkMeaning::Legal | MarkMeaning::WouldGo if mark.is_lit => &self.brackets,
            MarkMeaning::Legal | MarkMeaning::WouldGo | MarkMeaning::WouldTurn => &self.collar,
            MarkMeaning::WouldPlace => &self.cap_disc,
            MarkMeaning::WouldTake => &self.broken_wide_ring,
            MarkMeaning::Forbidden => &self.strike,
        }
    }
}

impl Ink {
    /// The colour of a mark.
    fn of(&self, mark: &Mark) -> &Handle<StandardMaterial> {
        match (mark.of, mark.meaning) {
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
    (flow, tempo): (Res<Continuity>, Res<Tempo>),
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
        drawn.closing_since = (is_boards && *flow == Continuity::Goes).then_some(tempo.now);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crosses_follow_their_caps_and_rings_are_concentric() {
        let (low, high) = bar_on_cap(1.0).extent();
        let at_top = (domes::height_at(STRIKE_WIDTH / DOME) + OVER_CAP) * DOME;
        assert!((high.y - at_top).abs() < 1e-4, "{high} {at_top}");
        let edge = Vec2::new(STRIKE, STRIKE_WIDTH).length() / DOME;
        let at_edge = (domes::height_at(edge) + OVER_CAP) * DOME;
        assert!((low.y - at_edge).abs() < 1e-4, "{low} {at_edge}");
        assert!(at_edge < 0.9 * at_top);
        // The mark stays on its cap, so it does not reach the next point's marks.
        assert!(edge < 1.0);
        assert!(COLLAR[0] >= 1.0 && COLLAR[1] * DOME <= RING[0] + 0.01);
        let reaches = [RING, WIDE_RING, BRACKET].map(|radii| radii[1]);
        assert!(reaches.into_iter().all(|reach| reach < 0.5));
    }
}

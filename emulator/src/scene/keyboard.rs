//! The keyboard's finger: keys move a cursor and touch the point under it, so that a board
//! can be played without a mouse, and with several fingers at once.
//!
//! Invariants: while the cursor is shown, Enter and Space touch the point under it, and no
//! button; while it is not, Enter is the board's Start.
//!
//! A touch lasts as long as its key is held, and slides when the cursor moves. The cursor
//! disappears when the mouse is used or a game begins; the first arrow key brings it back
//! where it was. Fingers can be left on points and lifted again. [`keys`](crate::keys)
//! lists the keys.

use bevy::ecs::system::SystemParam;
use bevy::light::NotShadowCaster;
use bevy::picking::pointer::{PointerAction, PointerInput};
use bevy::prelude::*;
use protocol::{Button, Deed, Event, Input, Point};
use touchboard_host::keys::Spelling;
use touchboard_host::places::Places;

use super::SceneSet;
use super::case::FIELD_Y;
use super::paint::Paint;
use super::plan::PointPlan;
use super::shape::Shape;
use super::touch::{Finger, FingerTarget, FingersDown};
use crate::keys::{KeysPlugin, Meaning, Stroke, StrokePhase};
use crate::leaving::{AskBeforeStart, Leaving};
use crate::source::{Happened, SourceSet, WindowCommand};

/// The point under the keyboard's finger; `None` while the cursor is hidden.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor(pub Option<Point>);

/// The cursor's point when it was hidden.
#[derive(Resource, Clone, Copy, Debug, Default)]
struct Rested(Option<Point>);

/// The frame that shows the cursor: square, so that it is not confused with a mark of the
/// game.
#[derive(Component)]
struct CursorFrame;

/// Half of the frame's inner and outer side, relative to the pitch.
const FRAME: [f32; 2] = [0.445, 0.49];
/// Its height above the field, relative to the pitch.
const FRAME_HEIGHT: f32 = 0.02;

/// Plays on the board with the keyboard.
pub struct KeyboardPlugin;

impl Plugin for KeyboardPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<KeysPlugin>() {
            app.add_plugins(KeysPlugin);
        }
        app.init_resource::<Cursor>()
            .init_resource::<Leaving>()
            .init_resource::<Rested>()
            .add_message::<PointerInput>()
            .add_message::<Happened>()
            .add_systems(Update, play.before(SourceSet::Exchange))
            .add_systems(Update, rest.after(play))
            .add_systems(
                Update,
                draw_frame
                    .in_set(SceneSet::Build)
                    .run_if(resource_changed::<Cursor>.or_else(resource_changed::<PointPlan>)),
            );
    }
}

/// Resolves Enter. Its release means the same as its press, even if the cursor has changed
/// in between.
fn meant(stroke: &Stroke, cursor: Cursor, enter: &mut Option<Meaning>) -> Meaning {
    if stroke.meaning != Meaning::Enter {
        return stroke.meaning;
    }
    if stroke.phase == StrokePhase::Down {
        *enter = Some(match cursor.0 {
            Some(_) => Meaning::Touch,
            None => Meaning::Press(Button::Start),
        });
    }
    enter.unwrap_or(Meaning::Enter)
}

/// The cursor, and what earlier strokes mean for the next one.
#[derive(SystemParam)]
struct CursorState<'w, 's> {
    cursor: ResMut<'w, Cursor>,
    rested: ResMut<'w, Rested>,
    spelling: Local<'s, Spelling>,
    /// What Enter meant when it was pressed last.
    enter: Local<'s, Option<Meaning>>,
}

/// Executes the strokes, in their order.
fn play(
    mut strokes: MessageReader<Stroke>,
    plan: Res<PointPlan>,
    cursor: CursorState,
    mut fingers: ResMut<FingersDown>,
    mut commands: MessageWriter<WindowCommand>,
    mut start: AskBeforeStart,
) {
    let CursorState {
        mut cursor,
        mut rested,
        mut spelling,
        mut enter,
    } = cursor;
    let layout = plan.layout();
    for stroke in strokes.read() {
        let stroke = Stroke {
            meaning: meant(stroke, *cursor, &mut enter),
            ..*stroke
        };
        if stroke.begins(Meaning::Press(Button::Start)) && !start.is_sure() {
            continue;
        }
        let at = cursor.0.filter(|point| layout.has(*point));
        let is_down = stroke.phase != StrokePhase::Up;
        let repeats = matches!(stroke.meaning, Meaning::Move(..));
        if (stroke.phase == StrokePhase::Down || repeats && is_down)
            && let Some(next) = moved(plan.places(), at, stroke.meaning, &mut spelling)
        {
            let before = rested.0.take().filter(|point| layout.has(*point));
            let comes_back = at.is_none() && !matches!(stroke.meaning, Meaning::Column(_));
            let next = before.filter(|_| comes_back).unwrap_or(next);
            cursor.set_if_neq(Cursor(Some(next)));
        }
        let under = cursor.0.map(FingerTarget::Point);
        let (finger, target) = match stroke.meaning {
            Meaning::Touch => (
                Finger::Cursor,
                at.filter(|_| is_down).map(FingerTarget::Point),
            ),
            Meaning::Press(button) => {
                let target = is_down.then_some(FingerTarget::Button(button));
                (Finger::Key(button), target)
            }
            // The finger that is down slides with the cursor.
            _ => match fingers.target(Finger::Cursor) {
                Some(_) => (Finger::Cursor, under),
                None => (Finger::Cursor, None),
            },
        };
        commands.write_batch(fingers.put(finger, target).map(WindowCommand::from));
        if stroke.phase == StrokePhase::Down {
            let leaving = &mut start.leaving;
            once(stroke.meaning, at, &mut fingers, leaving, &mut commands);
        }
    }
}

/// Hides the cursor when the mouse is used and when a game begins. A finger whose key is
/// held stays on its point.
fn rest(
    mut inputs: MessageReader<PointerInput>,
    mut happened: MessageReader<Happened>,
    fingers: Res<FingersDown>,
    mut cursor: ResMut<Cursor>,
    mut rested: ResMut<Rested>,
) {
    let is_used = |input: &PointerInput| match input.action {
        PointerAction::Move { delta } => delta != Vec2::ZERO,
        PointerAction::Press(_) => true,
        _ => false,
    };
    let is_mouse_used = inputs.read().filter(|input| is_used(input)).count() > 0;
    let begins = |event: &&Happened| matches!(event.0.event, Event::Started(_));
    let is_game_new = happened.read().filter(begins).count() > 0;
    let is_down = fingers.target(Finger::Cursor).is_some();
    if (is_mouse_used || is_game_new) && !is_down && cursor.0.is_some() {
        rested.0 = cursor.0.take().filter(|_| !is_game_new);
    }
}

/// Executes a key that acts once per press.
fn once(
    deed: Meaning,
    at: Option<Point>,
    fingers: &mut FingersDown,
    leaving: &mut Leaving,
    commands: &mut MessageWriter<WindowCommand>,
) {
    match deed {
        Meaning::Leave => {
            let Some(point) = at else { return };
            let latch = Finger::Latch(point);
            let is_there = fingers.target(latch).is_some();
            let target = (!is_there).then_some(FingerTarget::Point(point));
            commands.write_batch(fingers.put(latch, target).map(WindowCommand::from));
        }
        Meaning::Lift => {
            leaving.close();
            for latch in fingers.latched() {
                commands.write_batch(fingers.put(latch, None).map(WindowCommand::from));
            }
        }
        Meaning::Pass => {
            commands.write(WindowCommand::Do(Deed::Input(Input::Pass)));
        }
        _ => {}
    }
}

/// The new point of the cursor, if the key moves it. A cursor without a point
/// first goes to the middle of the board.
fn moved(
    places: &Places,
    at: Option<Point>,
    deed: Meaning,
    spelling: &mut Spelling,
) -> Option<Point> {
    let (layout, from) = (places.layout(), at.unwrap_or_else(|| places.middle()));
    let spelt = std::mem::take(spelling);
    match deed {
        Meaning::Move(_) | Meaning::Touch | Meaning::Leave if at.is_none() => Some(from),
        Meaning::Move(arrow) => places.next(from, arrow),
        Meaning::Column(column) => spelling.letter(layout, from, column),
        Meaning::Digit(digit) => {
            *spelling = spelt;
            spelling.digit(layout, from, digit)
        }
        _ => None,
    }
}

/// The shape of the frame around a point.
fn frame(pitch: f32) -> Shape {
    let corners = [
        [-1.0, -1.0],
        [1.0, -1.0],
        [1.0, 1.0],
        [-1.0, 1.0],
        [-1.0, -1.0],
    ];
    // The inner corner first, so that the upper side faces up.
    let pairs = corners.map(|[x, z]| {
        let place = |half: f32| Vec3::new(x * half, FRAME_HEIGHT, z * half) * pitch;
        [place(FRAME[0]), place(FRAME[1])]
    });
    Shape::strip(&pairs)
}

fn draw_frame(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    paint: Res<Paint>,
    plan: Res<PointPlan>,
    cursor: Res<Cursor>,
    old: Query<Entity, With<CursorFrame>>,
) {
    for entity in &old {
        commands.entity(entity).despawn();
    }
    let Some(point) = cursor.0.filter(|point| plan.layout().has(*point)) else {
        return;
    };
    commands.spawn((
        Name::new("cursor"),
        CursorFrame,
        NotShadowCaster,
        Mesh3d(meshes.add(frame(plan.pitch()).mesh())),
        MeshMaterial3d(paint.cursor.clone()),
        Transform::from_translation(plan.place(point) + Vec3::Y * FIELD_Y),
    ));
}

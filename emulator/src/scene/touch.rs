//! Fingers: the mouse, a touch screen and the keyboard press points and
//! buttons.
//!
//! Each pointer is a finger of its own: it comes down on a point, slides over others, and
//! leaves. Invariants: the board gets a touch when the first finger reaches a point, and
//! a release when the last one leaves it, so that fingers never get mixed up. A press
//! counts at the place where it was made, however late it is processed.

use bevy::ecs::system::SystemParam;
use bevy::math::primitives::InfinitePlane3d;
use bevy::picking::pointer::{PointerAction, PointerButton, PointerId, PointerInput};
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;
use protocol::{Button, Input, Point, Side};

use super::camera::SceneCamera;
use super::case::FIELD_Y;
use super::plan::PointPlan;
use crate::leaving::{AskBeforeStart, Leaving};
use crate::source::{Shown, SourceSet, WindowCommand};

/// A button of the board that a finger can press.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PushButton(pub Button);

/// The source of a touch or press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finger {
    /// The mouse, or a finger on a touch screen.
    Pointer(PointerId),
    /// The cursor of the keyboard.
    Cursor,
    /// A key of the keyboard that stands for a button of the board.
    Key(Button),
    /// A finger that was left on a point, to hold several points at once.
    Latch(Point),
}

/// The part of the board that a finger is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FingerTarget {
    /// A point of the board.
    Point(Point),
    /// A button of the panel.
    Button(Button),
    /// None: the finger is down between two points and may still slide to one.
    Between,
}

/// All fingers that are down.
#[derive(Resource, Debug, Default)]
pub struct FingersDown {
    down: HashMap<Finger, FingerTarget>,
    /// The targets of fingers that came down since the last picture, even if they
    /// have left since.
    came: HashSet<FingerTarget>,
}

impl FingersDown {
    /// True while a finger is on this point.
    #[must_use]
    pub fn touch(&self, point: Point) -> bool {
        self.on(FingerTarget::Point(point))
    }

    /// True while a finger is on this button.
    #[must_use]
    pub fn press(&self, button: Button) -> bool {
        self.on(FingerTarget::Button(button))
    }

    /// True if this target is drawn pressed: a finger is on it, or was since the last
    /// picture.
    #[must_use]
    pub fn shows(&self, target: FingerTarget) -> bool {
        self.on(target) || self.came.contains(&target)
    }

    /// Forgets the fingers that came down since the last picture, once they were drawn.
    pub fn forget_seen(&mut self) {
        self.came.clear();
    }

    /// The target of this finger, if it is down.
    #[must_use]
    pub fn target(&self, finger: Finger) -> Option<FingerTarget> {
        self.down.get(&finger).copied()
    }

    /// Moves a finger, puts it down, or lifts it (`None`). Returns the resulting inputs
    /// of the board, the release before the touch.
    pub fn put(
        &mut self,
        finger: Finger,
        target: Option<FingerTarget>,
    ) -> impl Iterator<Item = Input> {
        let before = match target {
            Some(target) => self.down.insert(finger, target),
            None => self.down.remove(&finger),
        };
        let moved = before != target;
        self.came.extend(target);
        let left = before.filter(|before| moved && !self.on(*before));
        let count = |target| self.down.values().filter(|other| **other == target).count();
        let came = target.filter(|target| moved && count(*target) == 1);
        let left = left.and_then(|target| match target {
            FingerTarget::Point(point) => Some(Input::Release(point)),
            FingerTarget::Button(button) => Some(Input::Lift(button)),
            FingerTarget::Between => None,
        });
        let came = came.and_then(|target| match target {
            FingerTarget::Point(point) => Some(Input::Touch(point)),
            FingerTarget::Button(button) => Some(Input::Press(button)),
            FingerTarget::Between => None,
        });
        left.into_iter().chain(came)
    }

    /// True while any finger is on the board.
    #[must_use]
    pub fn any(&self) -> bool {
        !self.down.is_empty()
    }

    /// All latched fingers.
    pub fn latched(&self) -> Vec<Finger> {
        let latched = |finger: &&Finger| matches!(finger, Finger::Latch(_));
        self.down.keys().filter(latched).copied().collect()
    }

    fn on(&self, target: FingerTarget) -> bool {
        target != FingerTarget::Between && self.down.values().any(|other| *other == target)
    }
}

/// A part outside the field that a finger or the mouse can be on: a box around this
/// middle, in the part's own coordinates.
#[derive(Component, Clone, Copy, Debug)]
pub struct Solid {
    middle: Vec3,
    half: Vec3,
}

impl Solid {
    /// A box of this size whose upper face is at the part's origin.
    #[must_use]
    pub fn below(size: Vec3) -> Solid {
        Solid {
            middle: Vec3::NEG_Y * size.y / 2.0,
            half: size / 2.0,
        }
    }

    /// A box of this size whose middle is at the part's origin.
    #[must_use]
    pub fn around(size: Vec3) -> Solid {
        Solid {
            middle: Vec3::ZERO,
            half: size / 2.0,
        }
    }

    /// The distance along the ray at which the ray enters the box.
    fn hit(&self, place: &GlobalTransform, ray: Ray3d) -> Option<f32> {
        let back = place.affine().inverse();
        let from = back.transform_point3(ray.origin) - self.middle;
        let along = back.transform_vector3(*ray.direction);
        let one = (-self.half - from) / along;
        let other = (self.half - from) / along;
        let enters = one.min(other).max_element();
        let leaves = one.max(other).min_element();
        (enters <= leaves && leaves >= 0.0).then_some(enters.max(0.0))
    }
}

/// Marks the display, which the mouse can point at.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct DisplayGlass;

/// Marks the turn light of a side, which the mouse can point at.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnLight(pub Side);

/// The part of the board at a place in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardPart {
    /// The field, at this point or between two.
    Field(Option<Point>),
    /// A button of the panel.
    Button(Button),
    /// The display between the scores.
    Display,
    /// The turn light of a side.
    TurnLight(Side),
}

impl BoardPart {
    /// The target of a finger on this part.
    fn target(self) -> Option<FingerTarget> {
        match self {
            BoardPart::Field(Some(point)) => Some(FingerTarget::Point(point)),
            BoardPart::Field(None) => Some(FingerTarget::Between),
            BoardPart::Button(button) => Some(FingerTarget::Button(button)),
            BoardPart::Display | BoardPart::TurnLight(_) => None,
        }
    }
}

/// The parts of the picture that the workbench covers, in logical pixels. The mouse does
/// not reach the board there.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Covered(pub Vec<Rect>);

/// The part of the board under the mouse, and the mouse's place in the picture.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Pointed(pub Option<(BoardPart, Vec2)>);

/// The height at which a pointer's ray meets the field. It is half way up the domes, so
/// that the dome under the pointer is touched even from a low camera.
const FEELS_Y: f32 = FIELD_Y + 0.06;

/// Finds the part of the board at a place in the picture.
#[derive(SystemParam)]
struct PartFinder<'w, 's> {
    plan: Res<'w, PointPlan>,
    covered: Res<'w, Covered>,
    eyes: Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<SceneCamera>>,
    solids: Query<'w, 's, SolidPart<'static>>,
}

/// A solid, its transform, and the part that it is.
type SolidPart<'a> = (
    &'a Solid,
    &'a GlobalTransform,
    Option<&'a PushButton>,
    Option<&'a TurnLight>,
    Has<DisplayGlass>,
);

impl PartFinder<'_, '_> {
    /// The part at this place in the picture, in logical pixels.
    fn part(&self, at: Vec2) -> Option<BoardPart> {
        if self.covered.0.iter().any(|cover| cover.contains(at)) {
            return None;
        }
        let (camera, place) = self.eyes.iter().next()?;
        if !camera.logical_viewport_rect()?.contains(at) {
            return None;
        }
        let ray = camera.viewport_to_world(place, at).ok()?;
        let mut nearest = self.field(ray);
        for (solid, place, button, turn, is_display) in &self.solids {
            let part = match (button, turn) {
                (Some(button), _) => BoardPart::Button(button.0),
                (None, Some(turn)) => BoardPart::TurnLight(turn.0),
                (None, None) if is_display => BoardPart::Display,
                (None, None) => continue,
            };
            if let Some(far) = solid.hit(place, ray)
                && nearest.is_none_or(|(least, _)| far < least)
            {
                nearest = Some((far, part));
            }
        }
        nearest.map(|(_, part)| part)
    }

    /// The distance along the ray at which it meets the field, and the part
    /// there.
    fn field(&self, ray: Ray3d) -> Option<(f32, BoardPart)> {
        let plane = InfinitePlane3d::new(Vec3::Y);
        let far = ray.intersect_plane(Vec3::Y * FEELS_Y, plane)?;
        let hit = ray.get_point(far);
        let is_on_it = hit.xz().abs().cmple(self.plan.field() / 2.0).all();
        is_on_it.then(|| (far, BoardPart::Field(self.plan.under(hit))))
    }
}

/// Converts pointer actions over the board to inputs.
pub struct TouchPlugin;

impl Plugin for TouchPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<FingersDown>()
            .init_resource::<Leaving>()
            .init_resource::<Covered>()
            .init_resource::<Pointed>()
            .add_message::<PointerInput>()
            .add_message::<WindowCommand>()
            .add_systems(
                Update,
                (
                    handle_pointer.before(SourceSet::Exchange),
                    forget_on_new_layout.run_if(resource_changed::<PointPlan>),
                    turn_by_free_fingers.run_if(resource_changed::<FingersDown>),
                ),
            );
    }
}

/// Where fingers and the mouse are.
#[derive(SystemParam)]
struct PointerPlaces<'w, 's> {
    fingers: ResMut<'w, FingersDown>,
    pointed: ResMut<'w, Pointed>,
    mouse: Local<'s, Option<Vec2>>,
}

/// Processes the pointer actions since the last picture in their order, each at the place
/// where it happened: by now the pointer may be elsewhere. A press of Start that would
/// leave a game asks first.
fn handle_pointer(
    mut inputs: MessageReader<PointerInput>,
    finder: PartFinder,
    mut start: AskBeforeStart,
    keys: Option<Res<ButtonInput<KeyCode>>>,
    pointers: PointerPlaces,
    mut commands: MessageWriter<WindowCommand>,
) {
    let PointerPlaces {
        mut fingers,
        mut pointed,
        mut mouse,
    } = pointers;
    let shift =
        keys.is_some_and(|keys| keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]));
    for input in inputs.read() {
        let at = input.location.position;
        if input.pointer_id == PointerId::Mouse {
            *mouse = Some(at);
        }
        let finger = Finger::Pointer(input.pointer_id);
        let change = match input.action {
            PointerAction::Press(PointerButton::Primary) => {
                let part = finder.part(at);
                let is_start = part == Some(BoardPart::Button(Button::Start));
                match is_start && !start.is_sure() {
                    true => None,
                    false => comes_down(&fingers, finger, part, shift),
                }
            }
            // A finger that pressed a button stays on it.
            PointerAction::Move { .. } => match fingers.target(finger) {
                Some(FingerTarget::Point(_) | FingerTarget::Between) => {
                    Some((finger, Some(slid_to(finder.part(at)))))
                }
                _ => None,
            },
            PointerAction::Release(PointerButton::Primary) | PointerAction::Cancel => {
                Some((finger, None))
            }
            _ => None,
        };
        if let Some((finger, target)) = change {
            commands.write_batch(fingers.put(finger, target).map(WindowCommand::from));
        }
    }
    let is_down = fingers.target(Finger::Pointer(PointerId::Mouse)).is_some();
    let part = mouse.filter(|_| !is_down);
    let part = part.and_then(|at| Some((finder.part(at)?, at)));
    pointed.set_if_neq(Pointed(part));
}

/// The finger that a press here affects, and its new target.
fn comes_down(
    fingers: &FingersDown,
    finger: Finger,
    part: Option<BoardPart>,
    shift: bool,
) -> Option<(Finger, Option<FingerTarget>)> {
    let target = part.and_then(BoardPart::target)?;
    Some(match target {
        FingerTarget::Point(point) if shift => {
            let latch = Finger::Latch(point);
            (latch, fingers.target(latch).is_none().then_some(target))
        }
        _ => (finger, Some(target)),
    })
}

/// The target of a finger that slid over the field.
fn slid_to(part: Option<BoardPart>) -> FingerTarget {
    match part {
        Some(BoardPart::Field(Some(point))) => FingerTarget::Point(point),
        _ => FingerTarget::Between,
    }
}

/// Lifts the fingers from points that a new layout does not have.
fn forget_on_new_layout(
    shown: Res<Shown>,
    mut fingers: ResMut<FingersDown>,
    mut commands: MessageWriter<WindowCommand>,
) {
    let gone: Vec<Finger> = fingers
        .down
        .iter()
        .filter(
            |(_, target)| matches!(target, FingerTarget::Point(point) if !shown.layout.has(*point)),
        )
        .map(|(finger, _)| *finger)
        .collect();
    for finger in gone {
        commands.write_batch(fingers.put(finger, None).map(WindowCommand::from));
    }
}

/// Lets fingers on a touch screen turn and zoom the picture only if none of them is on
/// the board, where they play.
fn turn_by_free_fingers(
    fingers: Res<FingersDown>,
    mut cameras: Query<&mut PanOrbitCamera, With<SceneCamera>>,
) {
    for mut camera in &mut cameras {
        let turns = !fingers.any();
        if camera.touch_enabled != turns {
            camera.touch_enabled = turns;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Finger = Finger::Cursor;
    const TWO: Finger = Finger::Key(Button::Game);

    fn put(fingers: &mut FingersDown, finger: Finger, target: Option<FingerTarget>) -> Vec<Input> {
        fingers.put(finger, target).collect()
    }

    #[test]
    fn a_sliding_finger_releases_a_point_before_the_next_touch() {
        let mut fingers = FingersDown::default();
        let [a, b] = [Point(3), Point(4)];
        assert_eq!(
            put(&mut fingers, ONE, Some(FingerTarget::Point(a))),
            [Input::Touch(a)]
        );
        assert_eq!(
            put(&mut fingers, ONE, Some(FingerTarget::Point(b))),
            [Input::Release(a), Input::Touch(b)]
        );
        assert_eq!(
            put(&mut fingers, ONE, Some(FingerTarget::Between)),
            [Input::Release(b)]
        );
        assert_eq!(put(&mut fingers, ONE, None), []);
    }

    #[test]
    fn two_fingers_on_one_point_are_one_touch() {
        let mut fingers = FingersDown::default();
        let target = Some(FingerTarget::Point(Point(7)));
        assert_eq!(put(&mut fingers, ONE, target).len(), 1);
        assert_eq!(put(&mut fingers, TWO, target), []);
        assert_eq!(put(&mut fingers, ONE, None), []);
        assert_eq!(put(&mut fingers, TWO, None), [Input::Release(Point(7))]);
    }

    #[test]
    fn a_resting_finger_sends_no_input() {
        let mut fingers = FingersDown::default();
        let target = Some(FingerTarget::Button(Button::Mode));
        assert_eq!(put(&mut fingers, ONE, target), [Input::Press(Button::Mode)]);
        assert_eq!(put(&mut fingers, ONE, target), []);
        assert!(fingers.press(Button::Mode));
        assert_eq!(put(&mut fingers, ONE, None), [Input::Lift(Button::Mode)]);
        assert!(!fingers.press(Button::Mode));
    }
}

//! Fingers: the mouse, a touch screen and the keyboard press points and
//! buttons.
//!
//! Each pointer is a finger of its own: it comes down on a point, slides over
//! others, and leaves. What always holds: the board hears of a touch when the
//! first finger comes to a point and of a release when the last one leaves it,
//! so fingers never get mixed up.

use bevy::picking::pointer::{PointerAction, PointerButton, PointerId, PointerInput};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use protocol::{Button, Input, Point};

use super::case::FIELD_Y;
use super::plan::Plan;
use super::shape::Shape;
use crate::source::{Order, Shown};

/// A button that can be clicked.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PushButton(pub Button);

/// Who presses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finger {
    /// The mouse, or a finger on a touch screen.
    Pointer(PointerId),
    /// The keyboard's cursor.
    Cursor,
    /// The key of the keyboard that stands for a button of the board.
    Key(Button),
    /// A finger that was left on a point, to hold several at once.
    Latch(Point),
}

/// What a finger is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A point.
    Point(Point),
    /// A button.
    Button(Button),
    /// Nothing, but it is still down and may slide on to a point.
    Between,
}

/// All fingers that are down.
#[derive(Resource, Debug, Default)]
pub struct Fingers(HashMap<Finger, Target>);

impl Fingers {
    /// True while a finger is on this point.
    #[must_use]
    pub fn touch(&self, point: Point) -> bool {
        self.on(Target::Point(point))
    }

    /// True while a finger is on this button.
    #[must_use]
    pub fn press(&self, button: Button) -> bool {
        self.on(Target::Button(button))
    }

    /// Where this finger is, if it is down.
    #[must_use]
    pub fn target(&self, finger: Finger) -> Option<Target> {
        self.0.get(&finger).copied()
    }

    /// Moves a finger, puts it down, or (`None`) lifts it; returns what the
    /// board feels of it, the release before the touch.
    pub fn put(&mut self, finger: Finger, target: Option<Target>) -> impl Iterator<Item = Input> {
        let before = match target {
            Some(target) => self.0.insert(finger, target),
            None => self.0.remove(&finger),
        };
        let moved = before != target;
        let left = before.filter(|before| moved && !self.on(*before));
        let count = |target| self.0.values().filter(|other| **other == target).count();
        let came = target.filter(|target| moved && count(*target) == 1);
        let left = left.and_then(|target| match target {
            Target::Point(point) => Some(Input::Release(point)),
            Target::Button(button) => Some(Input::Lift(button)),
            Target::Between => None,
        });
        let came = came.and_then(|target| match target {
            Target::Point(point) => Some(Input::Touch(point)),
            Target::Button(button) => Some(Input::Press(button)),
            Target::Between => None,
        });
        left.into_iter().chain(came)
    }

    /// All fingers that are latched.
    pub fn latched(&self) -> Vec<Finger> {
        let latched = |finger: &&Finger| matches!(finger, Finger::Latch(_));
        self.0.keys().filter(latched).copied().collect()
    }

    fn on(&self, target: Target) -> bool {
        target != Target::Between && self.0.values().any(|other| *other == target)
    }
}

/// The surface that feels fingers: a pane over the domes.
#[derive(Component)]
pub struct TouchSurface;

/// Turns what pointers do over the board into inputs.
pub struct TouchPlugin;

impl Plugin for TouchPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Fingers>()
            .add_message::<PointerInput>()
            .add_message::<Order>()
            .add_systems(Startup, build_surface)
            .add_systems(
                Update,
                (
                    lift_pointers,
                    (forget_on_new_layout, fit_surface).run_if(resource_changed::<Plan>),
                ),
            )
            .add_observer(pointer_presses)
            .add_observer(pointer_slides)
            .add_observer(pointer_leaves);
    }
}

fn build_surface(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>) {
    // Half way up the domes, so that what one points at is what one touches
    // also from a low camera.
    commands.spawn((
        Name::new("touch surface"),
        TouchSurface,
        Pickable::default(),
        Mesh3d(meshes.add(Shape::plate(1.0, 1.0).mesh())),
        Transform::from_xyz(0.0, FIELD_Y + 0.06, 0.0),
        Visibility::Hidden,
    ));
}

fn fit_surface(plan: Res<Plan>, mut surface: Query<&mut Transform, With<TouchSurface>>) {
    for mut transform in &mut surface {
        transform.scale = plan.field().extend(1.0).xzy();
    }
}

/// What is under a pointer.
fn target(
    entity: Entity,
    hit: Option<Vec3>,
    plan: &Plan,
    surface: &Query<(), With<TouchSurface>>,
    buttons: &Query<&PushButton>,
) -> Option<Target> {
    if let Ok(button) = buttons.get(entity) {
        return Some(Target::Button(button.0));
    }
    surface.get(entity).ok()?;
    Some(match hit.and_then(|hit| plan.under(hit)) {
        Some(point) => Target::Point(point),
        None => Target::Between,
    })
}

fn pointer_presses(
    press: On<Pointer<Press>>,
    plan: Res<Plan>,
    keys: Option<Res<ButtonInput<KeyCode>>>,
    surface: Query<(), With<TouchSurface>>,
    buttons: Query<&PushButton>,
    mut fingers: ResMut<Fingers>,
    mut orders: MessageWriter<Order>,
) {
    if press.button != PointerButton::Primary {
        return;
    }
    let Some(target) = target(press.entity, press.hit.position, &plan, &surface, &buttons) else {
        return;
    };
    let shift =
        keys.is_some_and(|keys| keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]));
    let (finger, target) = match target {
        Target::Point(point) if shift => {
            let latch = Finger::Latch(point);
            (latch, fingers.target(latch).is_none().then_some(target))
        }
        _ => (Finger::Pointer(press.pointer_id), Some(target)),
    };
    orders.write_batch(fingers.put(finger, target).map(Order::from));
}

fn pointer_slides(
    moved: On<Pointer<Move>>,
    plan: Res<Plan>,
    surface: Query<(), With<TouchSurface>>,
    buttons: Query<&PushButton>,
    mut fingers: ResMut<Fingers>,
    mut orders: MessageWriter<Order>,
) {
    let finger = Finger::Pointer(moved.pointer_id);
    // A finger that pressed a button stays on it.
    let Some(Target::Point(_) | Target::Between) = fingers.target(finger) else {
        return;
    };
    let Some(target @ (Target::Point(_) | Target::Between)) =
        target(moved.entity, moved.hit.position, &plan, &surface, &buttons)
    else {
        return;
    };
    orders.write_batch(fingers.put(finger, Some(target)).map(Order::from));
}

fn pointer_leaves(
    out: On<Pointer<Out>>,
    surface: Query<(), With<TouchSurface>>,
    mut fingers: ResMut<Fingers>,
    mut orders: MessageWriter<Order>,
) {
    let finger = Finger::Pointer(out.pointer_id);
    if surface.contains(out.entity) && matches!(fingers.target(finger), Some(Target::Point(_))) {
        orders.write_batch(fingers.put(finger, Some(Target::Between)).map(Order::from));
    }
}

/// A pointer is lifted wherever it is by then.
fn lift_pointers(
    mut inputs: MessageReader<PointerInput>,
    mut fingers: ResMut<Fingers>,
    mut orders: MessageWriter<Order>,
) {
    for input in inputs.read() {
        if matches!(
            input.action,
            PointerAction::Release(PointerButton::Primary) | PointerAction::Cancel
        ) {
            let finger = Finger::Pointer(input.pointer_id);
            orders.write_batch(fingers.put(finger, None).map(Order::from));
        }
    }
}

/// Points of another layout are other points.
fn forget_on_new_layout(
    shown: Res<Shown>,
    mut fingers: ResMut<Fingers>,
    mut orders: MessageWriter<Order>,
) {
    let gone: Vec<Finger> = fingers
        .0
        .iter()
        .filter(|(_, target)| matches!(target, Target::Point(point) if !shown.layout.has(*point)))
        .map(|(finger, _)| *finger)
        .collect();
    for finger in gone {
        orders.write_batch(fingers.put(finger, None).map(Order::from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Finger = Finger::Cursor;
    const TWO: Finger = Finger::Key(Button::Game);

    fn put(fingers: &mut Fingers, finger: Finger, target: Option<Target>) -> Vec<Input> {
        fingers.put(finger, target).collect()
    }

    #[test]
    fn a_sliding_finger_leaves_one_point_before_it_comes_to_the_next() {
        let mut fingers = Fingers::default();
        let [a, b] = [Point(3), Point(4)];
        assert_eq!(
            put(&mut fingers, ONE, Some(Target::Point(a))),
            [Input::Touch(a)]
        );
        assert_eq!(
            put(&mut fingers, ONE, Some(Target::Point(b))),
            [Input::Release(a), Input::Touch(b)]
        );
        assert_eq!(
            put(&mut fingers, ONE, Some(Target::Between)),
            [Input::Release(b)]
        );
        assert_eq!(put(&mut fingers, ONE, None), []);
    }

    #[test]
    fn two_fingers_on_one_point_are_one_touch() {
        let mut fingers = Fingers::default();
        let target = Some(Target::Point(Point(7)));
        assert_eq!(put(&mut fingers, ONE, target).len(), 1);
        assert_eq!(put(&mut fingers, TWO, target), []);
        assert_eq!(put(&mut fingers, ONE, None), []);
        assert_eq!(put(&mut fingers, TWO, None), [Input::Release(Point(7))]);
    }

    #[test]
    fn a_finger_that_stays_says_nothing() {
        let mut fingers = Fingers::default();
        let target = Some(Target::Button(Button::Mode));
        assert_eq!(put(&mut fingers, ONE, target), [Input::Press(Button::Mode)]);
        assert_eq!(put(&mut fingers, ONE, target), []);
        assert!(fingers.press(Button::Mode));
        assert_eq!(put(&mut fingers, ONE, None), [Input::Lift(Button::Mode)]);
        assert!(!fingers.press(Button::Mode));
    }
}

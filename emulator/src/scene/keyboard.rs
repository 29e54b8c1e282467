//! The keyboard's finger: a cursor that the arrows move and the space bar
//! presses, so that a board can be played without a mouse, and with several
//! fingers at once.
//!
//! The space bar touches the point under the cursor for as long as it is held,
//! and slides when the arrows move it. Enter leaves a finger there, and a
//! second Enter lifts it; Escape lifts all of these. The function keys are the
//! seven buttons.

use bevy::light::NotShadowCaster;
use bevy::prelude::*;
use protocol::{Button, Point};

use super::SceneSet;
use super::case::FIELD_Y;
use super::paint::Paint;
use super::plan::Plan;
use super::shape::Shape;
use super::touch::{Finger, Fingers, Target};
use crate::source::Order;

/// The keys that stand for the buttons, in the buttons' order.
pub const BUTTON_KEYS: [KeyCode; Button::ALL.len()] = [
    KeyCode::F1,
    KeyCode::F2,
    KeyCode::F3,
    KeyCode::F4,
    KeyCode::F5,
    KeyCode::F6,
    KeyCode::F7,
];

/// The arrows, with the step in columns and rows.
const ARROWS: [(KeyCode, i8, i8); 4] = [
    (KeyCode::ArrowLeft, -1, 0),
    (KeyCode::ArrowRight, 1, 0),
    (KeyCode::ArrowUp, 0, -1),
    (KeyCode::ArrowDown, 0, 1),
];

/// Whether somebody else (a text field of the workbench) has the keyboard.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keyboard {
    /// The board has it.
    #[default]
    Board,
    /// The workbench has it.
    Workbench,
}

/// True while there is a keyboard and its keys are for the board.
#[must_use]
pub fn board_has_keyboard(
    keyboard: Option<Res<Keyboard>>,
    keys: Option<Res<ButtonInput<KeyCode>>>,
) -> bool {
    keys.is_some() && keyboard.is_none_or(|keyboard| *keyboard == Keyboard::Board)
}

/// Where the keyboard's finger is; nowhere until an arrow was pressed.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor(pub Option<Point>);

/// The ring that shows the cursor.
#[derive(Component)]
struct Ring;

/// Plays by keyboard.
pub struct KeyboardPlugin;

impl Plugin for KeyboardPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Cursor>()
            .init_resource::<Keyboard>()
            .add_systems(
                Update,
                (move_cursor, press_keys)
                    .chain()
                    .run_if(resource_exists::<ButtonInput<KeyCode>>),
            )
            .add_systems(
                Update,
                draw_ring
                    .in_set(SceneSet::Build)
                    .run_if(resource_changed::<Cursor>.or_else(resource_changed::<Plan>)),
            );
    }
}

fn move_cursor(
    keys: Res<ButtonInput<KeyCode>>,
    keyboard: Res<Keyboard>,
    plan: Res<Plan>,
    mut cursor: ResMut<Cursor>,
) {
    if *keyboard == Keyboard::Workbench {
        return;
    }
    let layout = plan.layout();
    for (key, columns, rows) in ARROWS {
        if !keys.just_pressed(key) {
            continue;
        }
        let next = match cursor.0.filter(|point| layout.has(*point)) {
            None => layout.at(layout.columns() / 2, layout.rows() / 2),
            Some(point) => {
                let column = layout.column(point).checked_add_signed(columns);
                let row = layout.row(point).checked_add_signed(rows);
                column
                    .zip(row)
                    .and_then(|(column, row)| layout.at(column, row))
            }
        };
        if next.is_some() {
            cursor.set_if_neq(Cursor(next));
        }
    }
}

fn press_keys(
    keys: Res<ButtonInput<KeyCode>>,
    keyboard: Res<Keyboard>,
    cursor: Res<Cursor>,
    mut fingers: ResMut<Fingers>,
    mut orders: MessageWriter<Order>,
) {
    let has = *keyboard == Keyboard::Board;
    let mut put = |finger, target: Option<Target>| {
        if fingers.target(finger) != target {
            orders.write_batch(fingers.put(finger, target).map(Order::Input));
        }
    };
    let under = cursor.0.map(Target::Point);
    put(
        Finger::Cursor,
        under.filter(|_| has && keys.pressed(KeyCode::Space)),
    );
    for (key, button) in BUTTON_KEYS.into_iter().zip(Button::ALL) {
        let down = has && keys.pressed(key);
        put(Finger::Key(key), down.then_some(Target::Button(button)));
    }
    if !has {
        return;
    }
    if let Some(point) = cursor.0.filter(|_| keys.just_pressed(KeyCode::Enter)) {
        let latch = Finger::Latch(point);
        let target = fingers
            .target(latch)
            .is_none()
            .then_some(Target::Point(point));
        orders.write_batch(fingers.put(latch, target).map(Order::Input));
    }
    if keys.just_pressed(KeyCode::Escape) {
        for latch in fingers.latched() {
            orders.write_batch(fingers.put(latch, None).map(Order::Input));
        }
    }
}

fn draw_ring(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    paint: Res<Paint>,
    plan: Res<Plan>,
    cursor: Res<Cursor>,
    old: Query<Entity, With<Ring>>,
) {
    for entity in &old {
        commands.entity(entity).despawn();
    }
    let Some(point) = cursor.0.filter(|point| plan.layout().has(*point)) else {
        return;
    };
    let profile = [(0.455, 0.0), (0.450, 0.02), (0.420, 0.02), (0.415, 0.0)]
        .map(|(radius, y)| Vec2::new(radius, y) * plan.pitch());
    commands.spawn((
        Name::new("cursor"),
        Ring,
        NotShadowCaster,
        Mesh3d(meshes.add(Shape::turned(&profile, 48).mesh())),
        MeshMaterial3d(paint.cursor.clone()),
        Transform::from_translation(plan.place(point) + Vec3::Y * FIELD_Y),
    ));
}

//! What goes down under a finger: domes and buttons.

use bevy::prelude::*;
use protocol::{Button, Point};

use super::SceneSet;
use super::plan::{DIP, Plan};
use super::touch::Fingers;

/// How fast a dome or button follows the finger: the part of the way left
/// shrinks by e in this many seconds.
const FOLLOW_S: f32 = 0.028;
/// How far a button goes down.
const BUTTON_TRAVEL: f32 = 0.085;
/// Nearer than this, it is there.
const CLOSE: f32 = 0.0005;

/// Something that a finger can press down.
#[derive(Component, Clone, Copy, Debug)]
pub struct Pressed {
    what: What,
    rest_y: Option<f32>,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Dome(Point),
    Button(Button),
}

impl Pressed {
    /// The dome of a point.
    #[must_use]
    pub fn dome(point: Point) -> Pressed {
        Pressed {
            what: What::Dome(point),
            rest_y: None,
        }
    }

    /// A push button.
    #[must_use]
    pub fn button(button: Button) -> Pressed {
        Pressed {
            what: What::Button(button),
            rest_y: None,
        }
    }
}

/// Moves what is pressed.
pub struct PressPlugin;

impl Plugin for PressPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, follow_fingers.in_set(SceneSet::Follow));
    }
}

fn follow_fingers(
    time: Res<Time>,
    plan: Res<Plan>,
    fingers: Res<Fingers>,
    mut parts: Query<(&mut Pressed, &mut Transform)>,
) {
    let remaining = (-time.delta_secs() / FOLLOW_S).exp();
    for (mut part, mut transform) in &mut parts {
        let rest_y = match part.rest_y {
            Some(rest_y) => rest_y,
            None => *part.rest_y.insert(transform.translation.y),
        };
        let depth = match part.what {
            What::Dome(point) if fingers.touch(point) => DIP * plan.pitch(),
            What::Button(button) if fingers.press(button) => BUTTON_TRAVEL,
            _ => 0.0,
        };
        let away = transform.translation.y - (rest_y - depth);
        if away == 0.0 {
            continue;
        }
        let left = if away.abs() < CLOSE {
            0.0
        } else {
            away * remaining
        };
        transform.translation.y = rest_y - depth + left;
    }
}

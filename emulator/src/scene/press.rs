//! Motion of pressed domes and buttons.
//!
//! Invariants: a pressed part is fully down in the next picture, even if the finger has
//! left it by then.

use bevy::prelude::*;
use protocol::{Button, Point};

use super::SceneSet;
use super::plan::{DIP, PointPlan};
use super::touch::{FingerTarget, FingersDown};

/// Time constant of a dome or button that comes up again, in seconds.
const FOLLOW_S: f32 = 0.028;
/// How far a button goes down.
const BUTTON_TRAVEL: f32 = 0.085;
/// The distance below which a part counts as back in its place.
const CLOSE: f32 = 0.0005;

/// A part that a finger can press down.
#[derive(Component, Clone, Copy, Debug)]
pub struct Pressed {
    what: Pressable,
    rest_y: Option<f32>,
}

#[derive(Clone, Copy, Debug)]
enum Pressable {
    Dome(Point),
    Button(Button),
}

impl Pressed {
    /// The component for the dome of a point.
    #[must_use]
    pub fn dome(point: Point) -> Pressed {
        Pressed {
            what: Pressable::Dome(point),
            rest_y: None,
        }
    }

    /// The component for the cap of a button.
    #[must_use]
    pub fn button(button: Button) -> Pressed {
        Pressed {
            what: Pressable::Button(button),
            rest_y: None,
        }
    }
}

/// Moves domes and the caps of buttons down and up.
pub struct PressPlugin;

impl Plugin for PressPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, follow_fingers.in_set(SceneSet::Follow));
    }
}

fn follow_fingers(
    time: Res<Time>,
    plan: Res<PointPlan>,
    mut fingers: ResMut<FingersDown>,
    mut parts: Query<(&mut Pressed, &mut Transform)>,
) {
    let remaining = (-time.delta_secs() / FOLLOW_S).exp();
    for (mut part, mut transform) in &mut parts {
        let rest_y = match part.rest_y {
            Some(rest_y) => rest_y,
            None => *part.rest_y.insert(transform.translation.y),
        };
        let depth = match part.what {
            Pressable::Dome(point) if fingers.shows(FingerTarget::Point(point)) => {
                DIP * plan.pitch()
            }
            Pressable::Button(button) if fingers.shows(FingerTarget::Button(button)) => {
                BUTTON_TRAVEL
            }
            _ => 0.0,
        };
        let away = transform.translation.y - (rest_y - depth);
        if away == 0.0 {
            continue;
        }
        let is_on_its_way_up = away < -CLOSE;
        let left = if is_on_its_way_up {
            away * remaining
        } else {
            0.0
        };
        transform.translation.y = rest_y - depth + left;
    }
    fingers.bypass_change_detection().forget_seen();
}

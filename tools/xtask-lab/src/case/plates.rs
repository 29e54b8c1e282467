//! The plates: the visible front, and below it the carrier of switches and lights.

use protocol::Button;
use touchboard_host::case::{BUTTON_CAP, CasePlan, DISPLAY, DOME, Flat, MARGIN, TURN_LIGHT, flat};
use touchboard_host::places::{NameSide, edge_names};

use super::drawing::{Cut, Drawing, Words};

/// The dimensions of the plates, in millimetres.
#[derive(Clone, Copy, Debug)]
pub struct Measures {
    /// The length of a unit of the case.
    pub unit: f32,
    /// The height of the front plate's upper side above the bottom of the box.
    pub depth: f32,
}

impl Measures {
    /// The dimensions for this distance between points.
    pub fn new(plan: &CasePlan, pitch_mm: f32, depth_mm: f32) -> Measures {
        Measures {
            unit: pitch_mm / plan.pitch(),
            depth: depth_mm,
        }
    }
}

/// The thickness of both plates.
pub const PLATE_MM: f32 = 3.0;
/// The gap between a plate and what surrounds it.
const PLAY_MM: f32 = 0.2;
/// The radius of the hole for an M3 screw.
pub const SCREW_MM: f32 = 1.6;
/// The side of the hole for a tactile switch, and for a light, with clearance.
const SWITCH_MM: f32 = 6.2;
const LIGHT_MM: f32 = 5.4;
/// How far the switch is behind the centre of its cap, and the light in front of it.
const ASIDE_MM: f32 = 3.4;
/// The height of letters, in units of the case.
const LETTER: f32 = 0.26;
/// The distance from the centre of a point at the edge to the name of its line, in units
/// of the case.
const NAME_AWAY: f32 = 0.40;
const _: () = assert!(NAME_AWAY < MARGIN);

/// Draws both plates.
pub fn all(plan: &CasePlan, measures: &Measures) -> [Drawing; 2] {
    [front(plan, measures), carrier(plan, measures)]
}

/// The front plate, with holes for the caps, the display and the turn lights.
fn front(plan: &CasePlan, measures: &Measures) -> Drawing {
    let unit = measures.unit;
    let mut cuts = vec![outline(plan, measures)];
    let round = |middle: Flat, radius: f32| Cut::Circle {
        middle: middle * unit,
        radius,
    };
    let cap = DOME * plan.pitch() * unit + PLAY_MM;
    let points = plan.layout().iter();
    cuts.extend(points.map(|point| round(plan.point(point), cap)));
    cuts.extend(Button::ALL.map(|button| {
        let size = BUTTON_CAP * unit + Flat::splat(2.0 * PLAY_MM);
        Cut::rectangle(plan.button(button) * unit, size)
    }));
    cuts.push(Cut::rectangle(plan.display() * unit, DISPLAY * unit));
    cuts.extend(
        plan.turn_lights()
            .map(|lamp| round(lamp, TURN_LIGHT * unit)),
    );
    cuts.extend(plan.screws().map(|screw| round(screw, SCREW_MM)));
    Drawing {
        name: "front",
        cuts,
        words: words(plan, unit),
    }
}

/// The carrier plate, with a square hole for each switch and each light.
fn carrier(plan: &CasePlan, measures: &Measures) -> Drawing {
    let unit = measures.unit;
    let mut cuts = vec![outline(plan, measures)];
    let square = |middle: Flat, side: f32| Cut::rectangle(middle, Flat::splat(side));
    for point in plan.layout().iter() {
        let middle = plan.point(point) * unit;
        cuts.push(square(middle - flat(0.0, ASIDE_MM), SWITCH_MM));
        cuts.push(square(middle + flat(0.0, ASIDE_MM), LIGHT_MM));
    }
    let buttons = Button::ALL.map(|button| plan.button(button) * unit);
    cuts.extend(buttons.map(|middle| square(middle, SWITCH_MM)));
    cuts.extend(plan.turn_lights().map(|lamp| square(lamp * unit, LIGHT_MM)));
    cuts.push(Cut::rectangle(plan.display() * unit, DISPLAY * unit));
    let screws = plan.screws().map(|screw| Cut::Circle {
        middle: screw * unit,
        radius: SCREW_MM,
    });
    cuts.extend(screws);
    Drawing {
        name: "carrier",
        cuts,
        words: Vec::new(),
    }
}

/// The outer line of a plate, which fits within the wall of the box.
fn outline(plan: &CasePlan, measures: &Measures) -> Cut {
    Cut::outline(&plan.plate().grown(-PLAY_MM / measures.unit), measures.unit)
}

/// The names of lines and buttons.
fn words(plan: &CasePlan, unit: f32) -> Vec<Words> {
    let names = edge_names(plan.layout()).into_iter();
    let lines = names.map(|name| {
        let away = NAME_AWAY + plan.pitch() / 2.0;
        let way = match name.edge {
            NameSide::Left => flat(-1.0, 0.0),
            _ => flat(name.out.x, name.out.y),
        };
        Words {
            middle: (plan.point(name.point) + way * away) * unit,
            height: LETTER * unit,
            text: name.text.to_uppercase(),
        }
    });
    let buttons = Button::ALL.map(|button| {
        // Between the cap and the display.
        let away = BUTTON_CAP.y / 2.0 + 0.19;
        Words {
            middle: (plan.button(button) - flat(0.0, away)) * unit,
            height: LETTER / 2.0 * unit,
            text: button.name().to_uppercase(),
        }
    });
    lines.chain(buttons).collect()
}

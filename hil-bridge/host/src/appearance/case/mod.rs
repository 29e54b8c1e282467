//! The geometry of a board's case: the places of its points, buttons and lamps, and the
//! cutouts of each plate.
//!
//! The window and the drawings of a real case both use it. The unit of length is the
//! distance between points on a nine-by-nine board; x points right, y towards the player,
//! and the origin is the centre of the playing field. On a board with more points they
//! are closer together, but not in proportion, so a board with more points is a larger
//! object. The front edge follows the points; behind the field is the panel with the
//! display and buttons, which is the same for all boards.
//!
//! Invariants: all parts lie within the plate, and no two parts overlap.

mod outline;

use protocol::{Button, KnownLayout, Layout, Point};

pub use outline::Outline;

use crate::places::{PitchSpot, Places};

/// A place on the case, seen from above, or the vector between two places.
pub type Flat = euclid::default::Vector2D<f32>;

/// The place at these coordinates.
#[must_use]
pub const fn flat(x: f32, y: f32) -> Flat {
    Flat::new(x, y)
}

/// The side of a square of nine by nine points.
pub const FIELD_SIDE: f32 = 9.0;
/// The distance from the field to the left and right edge of the case, where the row
/// numbers are.
pub const MARGIN: f32 = 1.22;
/// The distance from the field to the front edge of the case, where the column
/// letters are.
pub const FRONT: f32 = 1.50;
/// The depth of the part of the case behind the field, with buttons, display and the
/// maker's name.
pub const PANEL: f32 = 4.00;
/// The minimum width of the panel: its display and buttons.
pub const PANEL_WIDTH: f32 = 11.2;
/// The height of the case.
pub const CASE_HEIGHT: f32 = 0.85;
/// Radius of the upright edges of the case.
pub const CASE_CORNER: f32 = 0.86;
/// Width of the frame around the plate.
pub const FRAME: f32 = 0.40;
/// The largest pitch, for boards with few points: a hand needs no more.
const WIDEST_PITCH: f32 = 1.7;
/// How much the pitch shrinks as the number of points along a side grows: at 1 the case
/// would never grow, at 0 it would grow in proportion.
const CROWDING: f32 = 0.72;
/// A finger touches a point if it is within this distance of its middle, as a fraction of
/// the pitch.
const REACH: f32 = 0.46;

/// Radius of the cap of a point, as a fraction of the pitch.
pub const DOME: f32 = 0.335;
/// Radius of a turn light.
pub const TURN_LIGHT: f32 = 0.37;
/// The distance of the turn lights from the centre of the panel: their recesses end
/// where the row of buttons ends.
pub const TURN_LIGHT_X: f32 = 4.19;
/// The y of the row of buttons on the panel, where pieces on the last row of points do
/// not hide them.
pub const BUTTONS_Y: f32 = -0.92;
/// The y of the display and the turn lights on the panel.
pub const DISPLAY_Y: f32 = -2.12;
/// The y of the maker's name, behind the display.
pub const NAME_Y: f32 = -3.13;
/// Width and depth of the cap of a button.
pub const BUTTON_CAP: Flat = flat(1.10, 0.52);
/// The gap between two caps.
const BUTTON_GAP: f32 = 0.20;
/// The wider gap between the five settings buttons and Start and Stop.
const GROUP_GAP: f32 = 0.56;
/// The number of buttons that change settings.
const SETTINGS: usize = 5;
/// Width and depth of the window of the display.
pub const DISPLAY: Flat = flat(6.94, 1.16);
/// Radius of a screw's head.
pub const SCREW: f32 = 0.11;
/// The distance of a screw from the plate's edge.
pub const SCREW_INSET: f32 = 0.30;

/// The places of all parts of one board's case.
#[derive(Clone, Debug)]
pub struct CasePlan {
    places: Places,
    pitch: f32,
    /// The middle of the field, in pitches, in the coordinates of `places`.
    middle: Flat,
    outline: Outline,
}

impl CasePlan {
    /// The case for a board of this layout.
    #[must_use]
    pub fn new(layout: impl Into<KnownLayout>) -> CasePlan {
        let places = Places::new(layout);
        let PitchSpot { x, y } = places.corner();
        let side = (x.max(y) + 1.0) / FIELD_SIDE;
        let mut plan = CasePlan {
            places,
            pitch: side.powf(-CROWDING).min(WIDEST_PITCH),
            middle: flat(x, y) / 2.0,
            outline: Outline::rectangle(flat(1.0, 1.0), 0.1),
        };
        plan.outline = plan.around();
        plan
    }

    /// An outline of the case that leaves a margin around the points.
    fn around(&self) -> Outline {
        let field = self.field();
        let width = PANEL_WIDTH.max(field.x + 2.0 * MARGIN);
        let half = width / 2.0 - CASE_CORNER;
        let back = -field.y / 2.0;
        let panel = [
            flat(-half, back - PANEL + CASE_CORNER),
            flat(half, back - PANEL + CASE_CORNER),
            flat(half, back - CASE_CORNER),
            flat(-half, back - CASE_CORNER),
        ];
        let front = |place: Flat, out: Flat| {
            place + out * (MARGIN - CASE_CORNER) + flat(0.0, out.y.max(0.0) * (FRONT - MARGIN))
        };
        let points: Vec<Flat> = match self.layout().sides() {
            Some(_) => {
                let corners = [flat(-1.0, 1.0), flat(1.0, 1.0)];
                let corner = |side: Flat| front(side.component_mul(field) / 2.0, side);
                corners.map(corner).to_vec()
            }
            None => self
                .rim()
                .edge()
                .into_iter()
                .map(|(middle, out)| front(middle + out * self.pitch / 2.0, out))
                .collect(),
        };
        Outline::around(points.into_iter().chain(panel), CASE_CORNER)
    }

    /// The edge of the field: half a pitch around all points.
    #[must_use]
    pub fn rim(&self) -> Outline {
        let corners = self.places.outline().into_iter();
        let corners = corners.map(|spot| self.on_field(spot));
        Outline::around(corners, self.pitch / 2.0)
    }

    /// The outline of the case.
    #[must_use]
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The outline of the plate, which lies within the frame.
    #[must_use]
    pub fn plate(&self) -> Outline {
        self.outline.grown(-FRAME)
    }

    /// The start of the panel: the centre of the back edge of the field.
    #[must_use]
    pub fn panel(&self) -> Flat {
        flat(0.0, -self.field().y / 2.0)
    }

    /// The layout that the case is for.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.places.layout()
    }

    /// The places of the points, as all views use them.
    #[must_use]
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The distance between neighbouring points.
    #[must_use]
    pub fn pitch(&self) -> f32 {
        self.pitch
    }

    /// Width and depth of the field that the points fill.
    #[must_use]
    pub fn field(&self) -> Flat {
        (self.middle * 2.0 + flat(1.0, 1.0)) * self.pitch
    }

    /// The middle of a point.
    #[must_use]
    pub fn point(&self, point: Point) -> Flat {
        self.on_field(self.places.spot(point))
    }

    /// The place of a spot on the field.
    #[must_use]
    pub fn on_field(&self, spot: PitchSpot) -> Flat {
        (flat(spot.x, spot.y) - self.middle) * self.pitch
    }

    /// The point that a finger at this place touches, if it is near enough to
    /// one.
    #[must_use]
    pub fn under(&self, finger: Flat) -> Option<Point> {
        let Flat { x, y, .. } = finger / self.pitch + self.middle;
        let (point, away) = self.places.near(PitchSpot { x, y })?;
        (away.x.abs().max(away.y.abs()) <= REACH).then_some(point)
    }

    /// The middle of a button.
    #[must_use]
    pub fn button(&self, button: Button) -> Flat {
        self.panel() + flat(button_x(button), BUTTONS_Y)
    }

    /// The middle of the display's window.
    #[must_use]
    pub fn display(&self) -> Flat {
        self.panel() + flat(0.0, DISPLAY_Y)
    }

    /// The middles of the turn lights, green and red.
    #[must_use]
    pub fn turn_lights(&self) -> [Flat; 2] {
        [-1.0, 1.0].map(|sign| self.display() + flat(sign * TURN_LIGHT_X, 0.0))
    }

    /// The middles of the four screws: back left and right, front left and right.
    #[must_use]
    pub fn screws(&self) -> [Flat; 4] {
        let inner = self.plate().grown(-SCREW_INSET);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
        corners.map(|(x, y)| inner.farthest(flat(x, y)))
    }
}

/// The middle of a button along its row.
#[must_use]
pub fn button_x(button: Button) -> f32 {
    let place = Button::ALL.iter().position(|one| *one == button);
    let index = place.unwrap_or_default();
    let groups = match index >= SETTINGS {
        true => GROUP_GAP - BUTTON_GAP,
        false => 0.0,
    };
    let width = 7.0 * BUTTON_CAP.x + 5.0 * BUTTON_GAP + GROUP_GAP;
    index as f32 * (BUTTON_CAP.x + BUTTON_GAP) + groups + (BUTTON_CAP.x - width) / 2.0
}

/// The ends of a segment of a display character, by its name in
/// [`segments`](firmware_core::segments), in fractions of the character from its
/// upper left corner.
#[must_use]
pub const fn segment_ends(name: u8) -> [Flat; 2] {
    const MIDDLE: Flat = flat(0.5, 0.5);
    match name {
        b'a' => [flat(0.0, 0.0), flat(1.0, 0.0)],
        b'b' => [flat(1.0, 0.0), flat(1.0, 0.5)],
        b'c' => [flat(1.0, 0.5), flat(1.0, 1.0)],
        b'd' => [flat(0.0, 1.0), flat(1.0, 1.0)],
        b'e' => [flat(0.0, 0.5), flat(0.0, 1.0)],
        b'f' => [flat(0.0, 0.0), flat(0.0, 0.5)],
        b'g' => [flat(0.0, 0.5), MIDDLE],
        b'h' => [MIDDLE, flat(1.0, 0.5)],
        b'i' => [flat(0.0, 0.0), MIDDLE],
        b'j' => [flat(0.5, 0.0), MIDDLE],
        b'k' => [flat(1.0, 0.0), MIDDLE],
        b'l' => [MIDDLE, flat(1.0, 1.0)],
        b'm' => [MIDDLE, flat(0.5, 1.0)],
        b'n' => [MIDDLE, flat(0.0, 1.0)],
        _ => [flat(1.3, 1.0), flat(1.3, 1.0)],
    }
}

#[cfg(test)]
mod tests;

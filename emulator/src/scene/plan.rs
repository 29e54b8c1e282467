//! Where everything lies on the case.
//!
//! x goes right, y up, z towards the player; the middle of the playing field's
//! surface is the origin. The case is made for its board: the points lie closer on
//! a board of more points, but not in proportion, so that a larger board is a larger
//! thing; its front follows the points, and behind them is the console with display
//! and buttons, which is always the same.

use bevy::prelude::*;
use protocol::{Layout, Point};
use touchboard_host::places::{PitchSpot, Places};

use super::outline::Outline;

/// The side of a square of nine by nine points.
pub const FIELD_SIDE: f32 = 9.0;
/// From the field to the edge of the case, left and right; the row numbers
/// stand here.
pub const MARGIN: f32 = 0.98;
/// From the field to the front edge of the case; the column letters stand here.
pub const FRONT: f32 = 1.46;
/// The part of the case behind the field, where buttons and display are.
pub const CONSOLE: f32 = 3.36;
/// What display and buttons need from left to right.
const CONSOLE_WIDTH: f32 = 10.6;
/// How high the case is.
pub const CASE_HEIGHT: f32 = 0.85;
/// Radius of the upright edges of the case.
pub const CASE_CORNER: f32 = 0.70;
/// How far a fully pressed dome goes down, in parts of the distance of points.
pub const DIP: f32 = 0.085;
/// The points of a board of few points are not larger than a hand wants.
const WIDEST_PITCH: f32 = 1.7;
/// How fast points come closer with their number along a side: 1 would be a case
/// that never grows, 0 one that grows as the number does.
const CROWDING: f32 = 0.72;
/// A finger has to be this near to the middle of a point to touch it, in parts
/// of the distance of points.
const REACH: f32 = 0.46;

/// Where the row of buttons lies on the console: the men of the last row do not hide it.
pub const BUTTONS_Z: f32 = -0.92;
/// Where the display and the turn lights lie on it.
pub const DISPLAY_Z: f32 = -2.16;

/// Where the points of a layout lie. Changed when the board's layout changes;
/// what depends on it is then built anew.
#[derive(Resource, Clone, Debug)]
pub struct PointPlan {
    places: Places,
    pitch: f32,
    /// The middle of the field, in parts of the pitch from its first place.
    middle: Vec2,
    case: Outline,
}

impl PointPlan {
    /// The places of this layout's points.
    #[must_use]
    pub fn new(layout: Layout) -> PointPlan {
        let places = Places::new(layout);
        let PitchSpot { x, y } = places.corner();
        let side = (x.max(y) + 1.0) / FIELD_SIDE;
        let mut plan = PointPlan {
            places,
            pitch: side.powf(-CROWDING).min(WIDEST_PITCH),
            middle: Vec2::new(x, y) / 2.0,
            case: Outline::rectangle(Vec2::ONE, 0.1),
        };
        plan.case = plan.around();
        plan
    }

    /// The outline of a case for these points.
    fn around(&self) -> Outline {
        let field = self.field();
        let width = CONSOLE_WIDTH.max(field.x + 2.0 * MARGIN);
        let half = width / 2.0 - CASE_CORNER;
        let back = -field.y / 2.0;
        let console = [
            Vec2::new(-half, back - CONSOLE + CASE_CORNER),
            Vec2::new(half, back - CONSOLE + CASE_CORNER),
            Vec2::new(half, back - CASE_CORNER),
            Vec2::new(-half, back - CASE_CORNER),
        ];
        let front = |place: Vec2, out: Vec2| {
            place + out * (MARGIN - CASE_CORNER) + Vec2::Y * out.y.max(0.0) * (FRONT - MARGIN)
        };
        let points: Vec<Vec2> = match self.layout().sides() {
            Some(_) => {
                let corners = [(-1.0, 1.0), (1.0, 1.0)].map(|(x, y)| Vec2::new(x, y));
                let corner = |side: Vec2| front(side * field / 2.0, side);
                corners.map(corner).to_vec()
            }
            None => self
                .rim()
                .edge()
                .into_iter()
                .map(|(middle, out)| front(middle + out * self.pitch / 2.0, out))
                .collect(),
        };
        Outline::around(points.into_iter().chain(console), CASE_CORNER)
    }

    /// The edge of the field: half a pitch around all points.
    #[must_use]
    pub fn rim(&self) -> Outline {
        let corners = self.places.outline().into_iter();
        let corners = corners.map(|spot| self.on_field(spot).xz());
        Outline::around(corners, self.pitch / 2.0)
    }

    /// The outline of the case.
    #[must_use]
    pub fn case(&self) -> &Outline {
        &self.case
    }

    /// Where the console begins: the back edge of the field, in the middle.
    #[must_use]
    pub fn console(&self) -> Vec3 {
        Vec3::new(0.0, 0.0, -self.field().y / 2.0)
    }

    /// The layout.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.places.layout()
    }

    /// The places of its points, as every view has them.
    #[must_use]
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// From one point to the nearest.
    #[must_use]
    pub fn pitch(&self) -> f32 {
        self.pitch
    }

    /// Width (x) and depth (y) of the field that the points fill.
    #[must_use]
    pub fn field(&self) -> Vec2 {
        (2.0 * self.middle + 1.0) * self.pitch
    }

    /// The middle of a point.
    #[must_use]
    pub fn place(&self, point: Point) -> Vec3 {
        self.on_field(self.places.spot(point))
    }

    /// Where this is on the field.
    #[must_use]
    pub fn on_field(&self, spot: PitchSpot) -> Vec3 {
        let Vec2 { x, y } = (Vec2::new(spot.x, spot.y) - self.middle) * self.pitch;
        Vec3::new(x, 0.0, y)
    }

    /// The point that a finger at this place touches, if it is near enough to
    /// one.
    #[must_use]
    pub fn under(&self, finger: Vec3) -> Option<Point> {
        let Vec2 { x, y } = finger.xz() / self.pitch + self.middle;
        let (point, away) = self.places.near(PitchSpot { x, y })?;
        (away.x.abs().max(away.y.abs()) <= REACH).then_some(point)
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Sides, Sketch};

    use super::*;

    const HEXAGON: &str = include_str!("../../../tests/drawings/hexagon.txt");
    const RING: &str = include_str!("../../../tests/drawings/ring.txt");

    #[test]
    fn every_point_of_every_layout_lies_on_the_field_and_is_found_again() {
        for columns in 1..=Sides::MAX {
            for rows in 1..=Sides::MAX {
                let plan = PointPlan::new(Layout::grid(columns, rows).unwrap());
                for point in plan.layout().iter() {
                    let place = plan.place(point);
                    assert!(place.xz().abs().cmplt(plan.field() / 2.0).all());
                    assert!(plan.case().distance(place.xz()) < -MARGIN);
                    assert_eq!(plan.under(place), Some(point));
                    let nudge = Vec3::new(0.3, 0.1, -0.3) * plan.pitch();
                    assert_eq!(plan.under(place + nudge), Some(point));
                }
            }
        }
    }

    #[test]
    fn every_point_of_a_drawn_layout_lies_on_the_field_apart_from_others_and_is_found_again() {
        for text in [HEXAGON, RING] {
            let layout = text.parse::<Sketch>().unwrap().keep().unwrap();
            let plan = PointPlan::new(*layout);
            let half = plan.field() / 2.0;
            for point in layout.iter() {
                let place = plan.place(point);
                assert!(
                    place
                        .xz()
                        .abs()
                        .cmple(half - plan.pitch() / 2.0 + 1e-4)
                        .all()
                );
                let nudge = Vec3::new(0.25, 0.1, -0.25) * plan.pitch();
                assert_eq!(plan.under(place + nudge), Some(point));
                for other in layout.iter().filter(|other| *other != point) {
                    let away = place.distance(plan.place(other));
                    assert!(away > 0.999 * plan.pitch(), "{point:?} {other:?}");
                }
            }
            for point in layout.iter() {
                let place = plan.place(point).xz();
                assert!(plan.case().distance(place) < -MARGIN - plan.pitch() / 2.0 + 1e-3);
            }
        }
    }

    #[test]
    fn a_finger_beside_a_hexagon_touches_nothing_where_a_rectangle_would_have_a_point() {
        let layout = HEXAGON.parse::<Sketch>().unwrap().keep().unwrap();
        let plan = PointPlan::new(*layout);
        let corner = plan.place(layout.point("a5").unwrap()).x;
        let row = plan.place(layout.point("e9").unwrap()).z;
        assert_eq!(plan.under(Vec3::new(corner, 0.0, row)), None);
    }

    #[test]
    fn a_finger_between_four_points_or_off_the_field_touches_none() {
        let plan = PointPlan::new(Layout::MALDOO);
        assert_eq!(plan.under(Vec3::new(0.5, 0.0, 0.5)), None);
        assert_eq!(plan.under(Vec3::new(5.2, 0.0, 0.0)), None);
        assert_eq!(plan.under(Vec3::new(0.0, 0.0, -6.0)), None);
    }

    #[test]
    fn every_board_has_a_case_of_its_own_proportions_and_room_for_the_console() {
        let grid = |columns, rows| PointPlan::new(Layout::grid(columns, rows).unwrap());
        let hexagon = PointPlan::new(*HEXAGON.parse::<Sketch>().unwrap().keep().unwrap());
        let plans = [grid(9, 9), grid(12, 8), grid(16, 16), grid(3, 3), hexagon];
        let sizes = plans.each_ref().map(|plan| plan.case().bounds().size());
        for (index, one) in sizes.iter().enumerate() {
            assert!(one.x >= CONSOLE_WIDTH - 1e-3);
            for other in &sizes[..index] {
                assert!((*one - *other).abs().max_element() > 0.2, "{one} {other}");
            }
        }
        // A board of few points tapers towards the player, and a hexagon has its corners.
        let front = |plan: &PointPlan| {
            let half = plan.case().middles().iter().filter(|middle| middle.y > 0.0);
            half.map(|middle| middle.x.abs()).fold(0.0, f32::max)
        };
        assert!(front(&plans[3]) < front(&plans[0]) - 1.0);
        assert!(plans[4].case().middles().len() > 8);
    }

    #[test]
    fn the_first_point_is_the_far_left_one() {
        let plan = PointPlan::new(Layout::MALDOO);
        let place = plan.place(Point(0));
        assert!(place.x < 0.0 && place.z < 0.0);
    }
}

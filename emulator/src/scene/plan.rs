//! Where everything lies on the case.
//!
//! x goes right, y up, z towards the player; the middle of the playing field's
//! surface is the origin. The case is always the same size: a board of more
//! points has smaller ones, so that it stays one product in one set of
//! proportions.

use bevy::prelude::*;
use protocol::{Layout, Point};

/// The side of the square that the points fill.
pub const FIELD_SIDE: f32 = 9.0;
/// From the field to the edge of the case, left and right; the row numbers
/// stand here.
pub const MARGIN: f32 = 0.82;
/// From the field to the front edge of the case; the column letters stand here.
pub const FRONT: f32 = 1.02;
/// The part of the case behind the field, where buttons and display are.
pub const CONSOLE: f32 = 3.0;
/// How high the case is.
pub const CASE_HEIGHT: f32 = 0.85;
/// How far a fully pressed dome goes down, in parts of the distance of points.
pub const DIP: f32 = 0.085;
/// The points of a board of few points are not larger than a hand wants.
const WIDEST_PITCH: f32 = FIELD_SIDE / 6.0;
/// A finger has to be this near to the middle of a point to touch it, in parts
/// of the distance of points.
const REACH: f32 = 0.46;

/// Width of the case.
pub const CASE_WIDTH: f32 = FIELD_SIDE + 2.0 * MARGIN;
/// Depth of the case.
pub const CASE_DEPTH: f32 = FIELD_SIDE + FRONT + CONSOLE;
/// The middle of the case.
pub const CASE_MIDDLE: Vec3 = Vec3::new(0.0, 0.0, (FRONT - CONSOLE) / 2.0);
/// Where the row of buttons lies.
pub const BUTTONS_Z: f32 = -FIELD_SIDE / 2.0 - 0.68;
/// Where the display and the turn lights lie.
pub const DISPLAY_Z: f32 = -FIELD_SIDE / 2.0 - 1.92;

/// Where the points of a layout lie. Changed when the board's layout changes;
/// what depends on it is then built anew.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    layout: Layout,
}

impl Plan {
    /// The places of this layout's points.
    #[must_use]
    pub fn new(layout: Layout) -> Plan {
        Plan { layout }
    }

    /// The layout.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// From one point to the next.
    #[must_use]
    pub fn pitch(&self) -> f32 {
        let longer = self.layout.columns().max(self.layout.rows());
        (FIELD_SIDE / f32::from(longer)).min(WIDEST_PITCH)
    }

    /// Width (x) and depth (y) of the field that the points fill.
    #[must_use]
    pub fn field(&self) -> Vec2 {
        let sides = [self.layout.columns(), self.layout.rows()];
        Vec2::from(sides.map(|points| f32::from(points) * self.pitch()))
    }

    /// The middle of a column.
    #[must_use]
    pub fn x(&self, column: u8) -> f32 {
        (f32::from(column) - f32::from(self.layout.columns() - 1) / 2.0) * self.pitch()
    }

    /// The middle of a row, counted from the top.
    #[must_use]
    pub fn z(&self, row: u8) -> f32 {
        (f32::from(row) - f32::from(self.layout.rows() - 1) / 2.0) * self.pitch()
    }

    /// The middle of a point.
    #[must_use]
    pub fn place(&self, point: Point) -> Vec3 {
        Vec3::new(
            self.x(self.layout.column(point)),
            0.0,
            self.z(self.layout.row(point)),
        )
    }

    /// The point that a finger at this place touches, if it is near enough to
    /// one.
    #[must_use]
    pub fn under(&self, finger: Vec3) -> Option<Point> {
        let index = |along: f32, count: u8| {
            let step = (along / self.pitch() + f32::from(count - 1) / 2.0).round();
            (step >= 0.0 && step < f32::from(count)).then_some(step as u8)
        };
        let column = index(finger.x, self.layout.columns())?;
        let row = index(finger.z, self.layout.rows())?;
        let point = self.layout.at(column, row)?;
        let away = self.place(point) - Vec3::new(finger.x, 0.0, finger.z);
        (away.abs().max_element() <= REACH * self.pitch()).then_some(point)
    }
}

#[cfg(test)]
mod tests {
    use protocol::Sides;

    use super::*;

    #[test]
    fn every_point_of_every_layout_lies_on_the_field_and_is_found_again() {
        for columns in 1..=Sides::MAX {
            for rows in 1..=Sides::MAX {
                let plan = Plan::new(Layout::grid(columns, rows).unwrap());
                for point in plan.layout().iter() {
                    let place = plan.place(point);
                    assert!(place.abs().max_element() < FIELD_SIDE / 2.0);
                    assert_eq!(plan.under(place), Some(point));
                    let nudge = Vec3::new(0.3, 0.1, -0.3) * plan.pitch();
                    assert_eq!(plan.under(place + nudge), Some(point));
                }
            }
        }
    }

    #[test]
    fn a_finger_between_four_points_or_off_the_field_touches_none() {
        let plan = Plan::new(Layout::MALDOO);
        assert_eq!(plan.under(Vec3::new(0.5, 0.0, 0.5)), None);
        assert_eq!(plan.under(Vec3::new(5.2, 0.0, 0.0)), None);
        assert_eq!(plan.under(Vec3::new(0.0, 0.0, -6.0)), None);
    }

    #[test]
    fn the_first_point_is_the_far_left_one() {
        let plan = Plan::new(Layout::MALDOO);
        let place = plan.place(Point(0));
        assert!(place.x < 0.0 && place.z < 0.0);
    }
}

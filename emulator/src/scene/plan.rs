//! The places of everything on the case, in the scene: the coordinates of
//! [`touchboard_host::case`], with heights.
//!
//! x goes right, y up, z towards the player. The origin is the middle of the playing
//! field's surface.

use bevy::prelude::*;
use protocol::{Layout, Point};
use touchboard_host::case::{CasePlan, Flat, Outline, flat};
use touchboard_host::places::{PitchSpot, Places};

/// How far a fully pressed dome goes down, relative to the pitch.
pub const DIP: f32 = 0.085;

/// The places of a layout's points. It changes when the board's layout changes, and
/// everything that depends on it is then rebuilt.
#[derive(Resource, Clone, Debug)]
pub struct PointPlan(CasePlan);

impl PointPlan {
    /// The plan of a layout.
    #[must_use]
    pub fn new(layout: Layout) -> PointPlan {
        PointPlan(CasePlan::new(layout))
    }

    /// The edge of the field: half a pitch around all points.
    #[must_use]
    pub fn rim(&self) -> Outline {
        self.0.rim()
    }

    /// The outline of the case.
    #[must_use]
    pub fn case(&self) -> &Outline {
        self.0.outline()
    }

    /// The outline of the plate, which lies within the frame.
    #[must_use]
    pub fn plate(&self) -> Outline {
        self.0.plate()
    }

    /// The rectangle around the case.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        bounds(self.case())
    }

    /// The origin of the panel: the middle of the field's back edge.
    #[must_use]
    pub fn panel(&self) -> Vec3 {
        on_table(self.0.panel())
    }

    /// The layout of the board.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.0.layout()
    }

    /// The places of its points, as shared by all views.
    #[must_use]
    pub fn places(&self) -> &Places {
        self.0.places()
    }

    /// The distance from a point to its nearest neighbour.
    #[must_use]
    pub fn pitch(&self) -> f32 {
        self.0.pitch()
    }

    /// Width (x) and depth (y) of the field that the points fill.
    #[must_use]
    pub fn field(&self) -> Vec2 {
        vec2(self.0.field())
    }

    /// The middle of a point.
    #[must_use]
    pub fn place(&self, point: Point) -> Vec3 {
        on_table(self.0.point(point))
    }

    /// The position of this spot on the field.
    #[must_use]
    pub fn on_field(&self, spot: PitchSpot) -> Vec3 {
        on_table(self.0.on_field(spot))
    }

    /// The middles of the four screws.
    #[must_use]
    pub fn screws(&self) -> [Vec3; 4] {
        self.0.screws().map(on_table)
    }

    /// The point that a finger at this place touches, if it is near enough to
    /// one.
    #[must_use]
    pub fn under(&self, finger: Vec3) -> Option<Point> {
        self.0.under(flat(finger.x, finger.z))
    }
}

fn on_table(place: Flat) -> Vec3 {
    Vec3::new(place.x, 0.0, place.y)
}

/// Converts a place to the engine's vector.
#[must_use]
pub fn vec2(place: Flat) -> Vec2 {
    Vec2::new(place.x, place.y)
}

/// The rectangle around an outline.
#[must_use]
pub fn bounds(outline: &Outline) -> Rect {
    let [min, max] = outline.extent().map(vec2);
    Rect { min, max }
}

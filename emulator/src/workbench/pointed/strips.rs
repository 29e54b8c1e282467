//! Where an explanation has room: in a strip beside the field, or else at an edge of the
//! scene.
//!
//! Invariants: it hides no point of the field; that of a point does not hide the console's
//! display and buttons if there is room beside the field.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui;

use crate::scene::camera::SceneCamera;
use crate::scene::case::FIELD_Y;
use crate::scene::plan::PointPlan;
use crate::scene::touch::BoardPart;

/// The maximum width of a hint.
const WIDTH: f32 = 270.0;
/// The least width of a strip beside the field in which hints stand.
const NARROWEST: f32 = 140.0;
/// The distance of a hint from the field, which leaves the names of its rows readable.
const FROM_FIELD: f32 = 26.0;
/// The distance of a hint from the edges of the scene.
const AWAY: f32 = 8.0;

/// Where the field of the board is in the picture.
#[derive(SystemParam)]
pub(super) struct BoardOutline<'w, 's> {
    plan: Option<Res<'w, PointPlan>>,
    eyes: Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<SceneCamera>>,
}

impl BoardOutline<'_, '_> {
    /// The part of the picture that the field covers, in logical pixels.
    pub(super) fn field(&self) -> Option<Rect> {
        let (camera, place) = self.eyes.iter().next()?;
        let half = self.plan.as_ref()?.field() / 2.0;
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let corners = corners.map(|(x, z)| Vec3::new(x * half.x, FIELD_Y, z * half.y));
        let seen = corners.map(|corner| camera.world_to_viewport(place, corner).ok());
        let seen = seen.into_iter().flatten();
        Some(seen.fold(Rect::EMPTY, |all, at| all.union_point(at))).filter(|all| !all.is_empty())
    }
}

/// How many pixels a point of the panels has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scales {
    pub(super) physical: f32,
    pub(super) logical: f32,
}

/// The part of the window that the scene has, and the field in it, in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strips {
    scene: egui::Rect,
    field: egui::Rect,
}

/// Where an explanation stands, and how wide it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StripPlace {
    pub(super) pivot: egui::Align2,
    pub(super) at: egui::Pos2,
    pub(super) width: f32,
}

impl Strips {
    /// `scene` is in physical pixels, `field` in logical ones.
    pub(super) fn of(scene: Rect, field: Option<Rect>, points: Scales) -> Strips {
        let rect = |rect: Rect, scale: f32| {
            let at = |place: Vec2| egui::pos2(place.x, place.y) / scale;
            egui::Rect::from_min_max(at(rect.min), at(rect.max))
        };
        let scene = rect(scene, points.physical);
        let field = field.map_or(scene, |field| rect(field, points.logical));
        Strips { scene, field }
    }

    /// The place beside the field for an explanation of something here: on the side nearer
    /// to it, next to the field, if both have room.
    pub(super) fn place(self, part: BoardPart, here: egui::Pos2) -> StripPlace {
        let Strips { scene, field } = self;
        let sides = [field.left() - scene.left(), scene.right() - field.right()];
        let [left, right] = sides.map(|side| side - AWAY - FROM_FIELD);
        let is_left = match left.min(right) >= NARROWEST {
            true => here.x < field.center().x,
            false => left >= right,
        };
        let room = if is_left { left } else { right };
        let is_point = matches!(part, BoardPart::Field(_));
        let (pivot, at) = match (room >= NARROWEST, is_left, is_point) {
            (true, true, _) => (
                egui::Align2::RIGHT_CENTER,
                egui::pos2(field.left() - FROM_FIELD, here.y),
            ),
            (true, false, _) => (
                egui::Align2::LEFT_CENTER,
                egui::pos2(field.right() + FROM_FIELD, here.y),
            ),
            (false, _, true) => (
                egui::Align2::CENTER_TOP,
                egui::pos2(scene.center().x, scene.top() + AWAY),
            ),
            (false, _, false) => (
                egui::Align2::CENTER_BOTTOM,
                egui::pos2(scene.center().x, scene.bottom() - AWAY),
            ),
        };
        let width = match room >= NARROWEST {
            true => room.min(WIDTH),
            false => scene.width() - 4.0 * AWAY,
        };
        StripPlace { pivot, at, width }
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Point, Side};

    use super::*;

    #[test]
    fn a_hint_hides_neither_its_point_nor_the_console() {
        let field = Rect::new(300.0, 180.0, 700.0, 560.0);
        let parts = [
            BoardPart::Field(Some(Point(3))),
            BoardPart::Display,
            BoardPart::TurnLight(Side::Red),
        ];
        for (scene, has_strip) in [
            (Rect::new(0.0, 0.0, 1000.0, 700.0), true),
            (Rect::new(200.0, 0.0, 1000.0, 700.0), true),
            (Rect::new(240.0, 0.0, 760.0, 700.0), false),
        ] {
            let points = Scales {
                physical: 1.0,
                logical: 1.0,
            };
            let strips = Strips::of(scene, Some(field), points);
            let everywhere = parts
                .into_iter()
                .flat_map(|part| [(part, 320.0), (part, 680.0)]);
            for (part, x) in everywhere {
                let here = egui::pos2(x, 300.0);
                let StripPlace { pivot, at, width } = strips.place(part, here);
                let place = pivot.anchor_size(at, egui::vec2(width, 60.0));
                assert!(!place.intersects(strips.field), "{scene:?} {part:?}");
                assert!(strips.scene.contains_rect(place), "{scene:?} {part:?}");
                let is_beside = pivot.y() == egui::Align::Center;
                assert_eq!(is_beside, has_strip);
                // With room on both sides, it is on the nearer one.
                let has_both = scene == Rect::new(0.0, 0.0, 1000.0, 700.0);
                let is_left = place.right() <= strips.field.left();
                assert!(!has_both || is_left == (x < 500.0));
            }
        }
    }
}

//! Where an explanation has room: in a strip beside the field, at an edge of the scene, or
//! else over the lower end of the side panel.
//!
//! Invariants: while the side panel is shown, it hides no point of the field. It hides
//! neither the part that it explains nor, if any other place has room, the display, the
//! dice, the pieces in hand or the card that begins a game.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui;

use touchboard_host::case::{DISPLAY, DISPLAY_Y};

use crate::scene::camera::SceneCamera;
use crate::scene::case::FIELD_Y;
use crate::scene::dice::Die;
use crate::scene::plan::PointPlan;
use crate::scene::touch::BoardPart;

/// The maximum width of a hint.
const WIDTH: f32 = 270.0;
/// The least width of a strip beside the field in which hints stand.
const NARROWEST: f32 = 140.0;
/// The distance of a hint from the field, which leaves the names of its rows readable.
const FROM_FIELD: f32 = 26.0;
/// The distance of a die's corner from its middle, with a margin.
const DIE: f32 = 0.7;
/// The distance of a hint from the mouse, if no strip has room.
const FROM_MOUSE: f32 = 24.0;
/// The distance of a hint from the edges of the scene.
const AWAY: f32 = 8.0;

/// Where the field of the board is in the picture.
#[derive(SystemParam)]
pub(super) struct BoardOutline<'w, 's> {
    plan: Option<Res<'w, PointPlan>>,
    eyes: Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<SceneCamera>>,
    dice: Query<'w, 's, &'static GlobalTransform, With<Die>>,
}

impl BoardOutline<'_, '_> {
    /// The part of the picture that the field covers, in logical pixels.
    pub(super) fn field(&self) -> Option<Rect> {
        let half = self.plan.as_ref()?.field() / 2.0;
        self.seen(Vec3::Y * FIELD_Y, half)
    }

    /// The parts of the picture with the display and the dice, in logical pixels.
    pub(super) fn instruments(&self) -> Vec<Rect> {
        let origin = self.plan.as_ref().map(|plan| plan.panel());
        let display = origin.map(|origin| origin + Vec3::new(0.0, FIELD_Y, DISPLAY_Y));
        let half = Vec2::new(DISPLAY.x, DISPLAY.y) / 2.0;
        let display = display.and_then(|middle| self.seen(middle, half));
        let dice = self.dice.iter().map(GlobalTransform::translation);
        let dice = dice.filter_map(|middle| self.seen(middle, Vec2::splat(DIE)));
        display.into_iter().chain(dice).collect()
    }

    /// The part of the picture that a level rectangle covers, in logical pixels.
    fn seen(&self, middle: Vec3, half: Vec2) -> Option<Rect> {
        let (camera, place) = self.eyes.iter().next()?;
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let corners = corners.map(|(x, z)| middle + Vec3::new(x * half.x, 0.0, z * half.y));
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

/// The part of the window that the scene has, the field in it, and what else is to be seen,
/// in points.
#[derive(Clone, Debug)]
pub(super) struct Strips {
    scene: egui::Rect,
    field: egui::Rect,
    kept: Vec<egui::Rect>,
    /// The part of the window that the side panel covers, if it is there.
    panel: Option<egui::Rect>,
}

/// Where an explanation stands, and how wide it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StripPlace {
    pub(super) pivot: egui::Align2,
    pub(super) at: egui::Pos2,
    pub(super) width: f32,
}

impl StripPlace {
    /// The part of the window that an explanation of this height covers here.
    fn covers(self, height: f32) -> egui::Rect {
        let size = egui::vec2(self.width, height);
        self.pivot.anchor_size(self.at, size)
    }
}

impl Strips {
    /// `scene` is in physical pixels, `field` and `instruments` in logical ones, and `cards`
    /// in points.
    pub(super) fn of(
        scene: Rect,
        field: Option<Rect>,
        (instruments, cards): (&[Rect], &[egui::Rect]),
        points: Scales,
    ) -> Strips {
        let rect = |rect: Rect, scale: f32| {
            let at = |place: Vec2| egui::pos2(place.x, place.y) / scale;
            egui::Rect::from_min_max(at(rect.min), at(rect.max))
        };
        let instruments = instruments.iter().map(|part| rect(*part, points.logical));
        let scene = rect(scene, points.physical);
        let field = field.map_or(scene, |field| rect(field, points.logical));
        let kept = instruments.chain(cards.iter().copied()).collect();
        Strips {
            scene,
            field,
            kept,
            panel: None,
        }
    }

    /// With the part of the window that the side panel covers.
    pub(super) fn with_panel(self, panel: Option<egui::Rect>) -> Strips {
        Strips { panel, ..self }
    }

    /// The place for an explanation of something here, `height` high: the first that hides
    /// nothing, or else the one that hides least.
    pub(super) fn place(&self, part: BoardPart, here: egui::Pos2, height: f32) -> StripPlace {
        let strips = self.beside(here, height);
        let edges = self.at_edges(part);
        let hidden = |place: &StripPlace| self.hidden(place.covers(height), here);
        let all = strips.into_iter().chain(edges).chain(self.over_panel());
        // Of equal ones, the first.
        let least = all.min_by(|one, other| hidden(one).total_cmp(&hidden(other)));
        least.unwrap_or(StripPlace {
            pivot: egui::Align2::CENTER_BOTTOM,
            at: self.scene.center_bottom(),
            width: WIDTH,
        })
    }

    /// How much an explanation here would hide; what is to be seen counts more than points,
    /// and the part that is explained counts most.
    fn hidden(&self, place: egui::Rect, here: egui::Pos2) -> f32 {
        let area = |other: &egui::Rect| match place.intersects(*other) {
            true => place.intersect(*other).area(),
            false => 0.0,
        };
        let kept: f32 = self.kept.iter().map(area).sum();
        let hides_it = place.expand(FROM_MOUSE).contains(here);
        let own = if hides_it { f32::MAX / 4.0 } else { 0.0 };
        own + 8.0 * kept + area(&self.field)
    }

    /// The places in strips beside the field that have room: next to what is explained, on
    /// the nearer side first, and then below it.
    fn beside(&self, here: egui::Pos2, height: f32) -> Vec<StripPlace> {
        let Strips { scene, field, .. } = self;
        let left = StripPlace {
            pivot: egui::Align2::RIGHT_CENTER,
            at: egui::pos2(field.left() - FROM_FIELD, here.y),
            width: (field.left() - scene.left() - AWAY - FROM_FIELD).min(WIDTH),
        };
        let right = StripPlace {
            pivot: egui::Align2::LEFT_CENTER,
            at: egui::pos2(field.right() + FROM_FIELD, here.y),
            width: (scene.right() - field.right() - AWAY - FROM_FIELD).min(WIDTH),
        };
        let both = match here.x < field.center().x {
            true => [left, right],
            false => [right, left],
        };
        let lowest = scene.bottom() - AWAY - height / 2.0;
        let highest = (scene.top() + AWAY + height / 2.0).min(lowest);
        let at = |y: f32| {
            both.map(|place| StripPlace {
                at: egui::pos2(place.at.x, y.clamp(highest, lowest)),
                ..place
            })
        };
        let heights = [here.y, field.center().y, lowest, highest];
        let all = heights.into_iter().flat_map(at);
        all.filter(|place| place.width >= NARROWEST).collect()
    }

    /// The place at the lower end of the side panel.
    fn over_panel(&self) -> Option<StripPlace> {
        let panel = self.panel?.shrink(AWAY);
        Some(StripPlace {
            pivot: egui::Align2::RIGHT_BOTTOM,
            at: panel.right_bottom(),
            width: panel.width().min(WIDTH),
        })
    }

    /// The places at the edges of the scene, and in its corners.
    fn at_edges(&self, part: BoardPart) -> Vec<StripPlace> {
        use egui::Align2;
        let whole = self.scene.shrink(AWAY);
        let place = |pivot: Align2, width: f32| StripPlace {
            pivot,
            at: pivot.pos_in_rect(&whole),
            width,
        };
        let wide = self.scene.width() - 4.0 * AWAY;
        let [top, bottom] = [Align2::CENTER_TOP, Align2::CENTER_BOTTOM];
        let edges = match part {
            BoardPart::Field(_) => [top, bottom],
            _ => [bottom, top],
        };
        let corners = [
            Align2::LEFT_BOTTOM,
            Align2::RIGHT_BOTTOM,
            Align2::LEFT_TOP,
            Align2::RIGHT_TOP,
        ];
        let edges = edges.map(|pivot| place(pivot, wide));
        let corners = corners.map(|pivot| place(pivot, WIDTH.min(wide / 2.0)));
        edges.into_iter().chain(corners).collect()
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
            let strips = Strips::of(scene, Some(field), (&[], &[]), points);
            let everywhere = parts
                .into_iter()
                .flat_map(|part| [(part, 320.0), (part, 680.0)]);
            for (part, x) in everywhere {
                let here = egui::pos2(x, 300.0);
                let found = strips.place(part, here, 60.0);
                let (place, pivot) = (found.covers(60.0), found.pivot);
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

    #[test]
    fn without_room_a_hint_stands_over_the_side_panel() {
        let points = Scales {
            physical: 1.0,
            logical: 1.0,
        };
        // 640x400: the field leaves no room beside it.
        let scene = Rect::new(0.0, 0.0, 436.0, 376.0);
        let field = Rect::new(62.0, 112.0, 384.0, 296.0);
        let panel = egui::Rect::from_min_max(egui::pos2(436.0, 0.0), egui::pos2(640.0, 376.0));
        let strips = Strips::of(scene, Some(field), (&[], &[]), points);
        let part = BoardPart::Field(Some(Point(3)));
        let here = egui::pos2(200.0, 250.0);
        let over = |strips: &Strips| strips.place(part, here, 110.0).covers(110.0);
        assert!(over(&strips).intersects(strips.field));
        let strips = strips.with_panel(Some(panel));
        assert!(panel.contains_rect(over(&strips)), "{:?}", over(&strips));
        // With room below the field, the panel stays free.
        let low = strips.place(part, here, 60.0).covers(60.0);
        assert!(!panel.intersects(low), "{low:?}");
    }

    #[test]
    fn a_hint_hides_neither_display_nor_dice_nor_card() {
        let points = Scales {
            physical: 1.0,
            logical: 1.0,
        };
        // A small window, whose field leaves no strip; and one with dice in the left strip.
        let small = Rect::new(0.0, 0.0, 400.0, 380.0);
        let large = Rect::new(0.0, 0.0, 1000.0, 700.0);
        let display = Rect::new(120.0, 10.0, 280.0, 60.0);
        let dice = Rect::new(200.0, 180.0, 260.0, 340.0);
        let card = egui::Rect::from_min_max(egui::pos2(720.0, 250.0), egui::pos2(990.0, 480.0));
        for (scene, field, instruments, cards) in [
            (
                small,
                Rect::new(60.0, 100.0, 340.0, 370.0),
                vec![display],
                vec![],
            ),
            (
                large,
                Rect::new(300.0, 180.0, 700.0, 560.0),
                vec![dice],
                vec![card],
            ),
        ] {
            let strips = Strips::of(scene, Some(field), (&instruments, &cards), points);
            for (x, y) in [(0.1, 0.1), (0.9, 0.1), (0.5, 0.5), (0.1, 0.9), (0.9, 0.9)] {
                let at = field.min + field.size() * Vec2::new(x, y);
                let here = egui::pos2(at.x, at.y);
                let part = BoardPart::Field(Some(Point(3)));
                let place = strips.place(part, here, 70.0).covers(70.0);
                let hides = |kept: &egui::Rect| kept.intersects(place);
                assert!(!strips.kept.iter().any(hides), "{here:?}: {place:?}");
                assert!(!place.contains(here), "{here:?}: {place:?}");
                assert!(strips.scene.contains_rect(place), "{here:?}: {place:?}");
            }
        }
    }
}

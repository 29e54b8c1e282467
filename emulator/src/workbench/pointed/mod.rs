//! Explains what the mouse points at on the board: the text on the display, the function
//! and state of a button, whose turn a light beside the display shows, and, after a longer
//! rest, the meaning of a point's light in the current game and the effect of a touch.
//!
//! An explanation stands beside the board, where it hides none of the points. Without room
//! there, it stands over the side panel; without that, at an edge where it hides neither
//! the display nor a card. There is none before the mouse has moved.

mod explanation;
mod strips;

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};
use protocol::Point;
use touchboard_host::palette::Palette;

use super::panes::inspected::Inspected;
use super::{beside, held, style, waiting};
use crate::keys::Overlay;
use crate::scene::camera::SceneRect;
use crate::scene::hover::Hover;
use crate::scene::keyboard::Cursor;
use crate::scene::marks::{MarksOnBoard, PointMark};
use crate::scene::resting::Resting;
use crate::scene::touch::{BoardPart, Pointed};
use crate::source::Shown;
use crate::theme::ChosenPalette;
use explanation::{Explanation, explanation_of};
use strips::{BoardOutline, Scales, StripPlace, Strips};

/// How long the mouse rests before a hint appears.
const RESTS: Duration = Duration::from_millis(350);
/// How long it rests on a point before a hint appears: longer, because a player usually
/// touches the point at once.
const RESTS_ON_POINT: Duration = Duration::from_millis(800);
/// Explains the part of the board under the pointer.
pub struct PointedPlugin;

impl Plugin for PointedPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Pointed>()
            .init_resource::<Hover>()
            .add_systems(EguiPrimaryContextPass, draw.after(super::draw));
    }
}

/// What the mouse has done over the board.
#[derive(Debug, Default)]
struct MouseWatch {
    resting: Resting<BoardPart>,
    rest: Option<Rest>,
    /// Where the mouse was when the window opened; `None` before it was there at all.
    began_at: Option<Vec2>,
    /// True once it has moved.
    has_moved: bool,
}

impl MouseWatch {
    /// Notes where the mouse is, if it is over the board. Returns true once it has moved: a
    /// window that opens under a resting mouse explains nothing.
    fn moves_to(&mut self, at: Option<Vec2>) -> bool {
        let began_at = match self.began_at {
            None => *self.began_at.insert(match at {
                Some(at) => at,
                None => return false,
            }),
            Some(began_at) => began_at,
        };
        self.has_moved |= at != Some(began_at);
        self.has_moved
    }
}

/// The part under the mouse, and whether it was played while the mouse rested.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rest {
    part: BoardPart,
    /// True if the last move was made here.
    is_last_move: bool,
    /// True if the point may be touched.
    is_legal: bool,
    /// True if this point was played while the mouse was on it, until the mouse leaves it:
    /// the board's answer is then more interesting than the meaning of the point, and that
    /// it is taken now is no news.
    has_played: bool,
}

impl Rest {
    /// The rest in the next picture. Between two pictures of a slow machine, the board may
    /// have answered a move; then it shows only in that its point is no longer legal.
    fn next(before: Option<Rest>, part: BoardPart, known: PlayAt) -> Rest {
        let PlayAt {
            is_last_move,
            is_legal,
        } = known;
        let before = before.filter(|rest| rest.part == part);
        let has_played = before.is_some_and(|rest| {
            let was_played = is_last_move && !rest.is_last_move || rest.is_legal && !is_legal;
            rest.has_played || was_played
        });
        Rest {
            part,
            is_last_move,
            is_legal,
            has_played,
        }
    }
}

/// What the game says of the point under the mouse.
#[derive(Clone, Copy, Debug)]
struct PlayAt {
    /// True if the last move was made here.
    is_last_move: bool,
    /// True if the point may be touched.
    is_legal: bool,
}

/// What is known of the board under the mouse.
#[derive(SystemParam)]
struct KnownBoard<'w> {
    shown: Res<'w, Shown>,
    inspected: Res<'w, Inspected>,
    hover: Res<'w, Hover>,
    marks: Option<Res<'w, MarksOnBoard>>,
    cursor: Option<Res<'w, Cursor>>,
}

/// Where the mouse is, and where an explanation has room.
#[derive(SystemParam)]
struct PointedPlace<'w, 's> {
    pointed: Res<'w, Pointed>,
    overlay: Res<'w, Overlay>,
    rect: Res<'w, SceneRect>,
    scene: BoardOutline<'w, 's>,
}

impl PointedPlace<'_, '_> {
    /// Where the explanation of a part has room, if this place of the picture is pointed
    /// at; `None` before the first picture.
    fn strip(&self, context: &egui::Context, part: BoardPart, at: Vec2) -> Option<StripPlace> {
        let rect = self.rect.0?;
        let zoom = context.zoom_factor();
        let points = Scales {
            physical: context.pixels_per_point(),
            logical: zoom,
        };
        let cards = [waiting::card(context), held::pieces_in_hand(context)];
        let cards: Vec<egui::Rect> = cards.into_iter().flatten().collect();
        let instruments = self.scene.instruments();
        let strips = Strips::of(
            rect.as_rect(),
            self.scene.field(),
            (&instruments, &cards),
            points,
        )
        .with_panel(beside::panel(context));
        let height = context.memory(|memory| memory.area_rect(area()));
        let height = height.map_or(USUAL_HEIGHT, |before| before.height());
        Some(strips.place(part, egui::pos2(at.x, at.y) / zoom, height))
    }
}

fn draw(
    mut contexts: EguiContexts,
    place: PointedPlace,
    board: KnownBoard,
    palette: Res<ChosenPalette>,
    time: Res<Time<Real>>,
    mut watch: Local<MouseWatch>,
) -> Result {
    let has_moved = watch.moves_to(place.pointed.0.map(|(_, at)| at));
    let pointed = place.pointed.0.filter(|_| *place.overlay == Overlay::None);
    let rested = watch
        .resting
        .on(pointed.map(|(part, _)| part), time.elapsed());
    let (Some((part, at)), Some(rested)) = (pointed, rested) else {
        watch.rest = None;
        return Ok(());
    };
    let last_move = board.shown.status.last_move.map(|last| last.point);
    let is_here = |point: &Point| part == BoardPart::Field(Some(*point));
    let known = PlayAt {
        is_last_move: last_move.as_ref().is_some_and(is_here),
        is_legal: board.shown.legal.iter().any(is_here),
    };
    let now = Rest::next(watch.rest, part, known);
    watch.rest = Some(now);
    let rests = match part {
        BoardPart::Field(_) if board.inspected.board().is_none() => RESTS_ON_POINT,
        _ => RESTS,
    };
    if !has_moved || rested < rests || now.has_played || !board.shown.link.answers() {
        return Ok(());
    }
    let Some(mut explanation) =
        explanation_of(part, &board.shown, board.inspected.board(), &board.hover)
    else {
        return Ok(());
    };
    if let BoardPart::Field(Some(point)) = part {
        let marks = board.marks.as_ref().map_or(&[][..], |drawn| &drawn.marks);
        let cursor = board.cursor.as_ref().and_then(|cursor| cursor.0);
        explanation.sentences.extend(marks_at(point, marks, cursor));
    }
    let context = contexts.ctx_mut()?.clone();
    if let Some(place) = place.strip(&context, part, at) {
        show(&context, place, &explanation, palette.0);
    }
    Ok(())
}

/// The area of the explanation.
fn area() -> egui::Id {
    egui::Id::new("pointed")
}

/// The height of an explanation before the first one was drawn, in points.
const USUAL_HEIGHT: f32 = 80.0;

/// Shows an explanation at this place.
fn show(context: &egui::Context, place: StripPlace, explanation: &Explanation, palette: Palette) {
    let StripPlace { pivot, at, width } = place;
    egui::Area::new(area())
        .order(egui::Order::Tooltip)
        .fade_in(false)
        .interactable(false)
        .pivot(pivot)
        .fixed_pos(at)
        .constrain_to(context.content_rect())
        .show(context, |ui| {
            egui::Frame::new()
                .fill(style::panel())
                .stroke(egui::Stroke::new(1.0, style::widget_hovered()))
                .corner_radius(8)
                .inner_margin(egui::Margin::symmetric(12, 9))
                .show(ui, |ui| {
                    ui.set_max_width(width - 2.0 * 12.0);
                    draw_explanation(ui, explanation, palette);
                });
        });
}

/// The meanings of the marks on a point.
fn marks_at(point: Point, marks: &[PointMark], cursor: Option<Point>) -> Vec<String> {
    let on_it = marks.iter().filter(|mark| mark.point == point);
    let words = on_it.map(PointMark::words);
    let cursor = (cursor == Some(point)).then_some(CURSOR);
    words.chain(cursor).map(str::to_owned).collect()
}

/// The meaning of the frame around a point.
const CURSOR: &str = "Square frame: the cursor. Space or Enter touches it.";

fn draw_explanation(ui: &mut egui::Ui, explanation: &Explanation, palette: Palette) {
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.horizontal(|ui| {
        let title = palette.words(&explanation.title).into_owned();
        ui.label(RichText::new(title).color(style::strong()));
        if let Some(key) = explanation.key {
            let key = format!("key {key}");
            ui.label(RichText::new(key).small().color(style::accent()));
        }
    });
    for sentence in &explanation.sentences {
        let sentence = palette.words(sentence).into_owned();
        ui.label(RichText::new(sentence).small());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tooltip_covers_the_answer_until_the_mouse_leaves_the_point() {
        let [here, there] = [3, 4].map(|point| BoardPart::Field(Some(Point(point))));
        let known = |is_last_move| PlayAt {
            is_last_move,
            is_legal: false,
        };
        let mut rest = Rest::next(None, here, known(false));
        let mut quiet = |at, is_last_move| {
            rest = Rest::next(Some(rest), at, known(is_last_move));
            rest.has_played
        };
        assert!(!quiet(here, false));
        assert!(quiet(here, true));
        // The board answers.
        assert!(quiet(here, false));
        assert!(!quiet(there, false));
        assert!(!quiet(here, false));
        // A last move made before the mouse arrived is explained.
        let came = Rest::next(None, there, known(true));
        assert!(!Rest::next(Some(came), there, known(true)).has_played);
    }

    #[test]
    fn no_tooltip_covers_an_answer_within_one_picture() {
        let part = BoardPart::Field(Some(Point(3)));
        let known = |is_legal| PlayAt {
            is_last_move: false,
            is_legal,
        };
        let rest = Rest::next(None, part, known(true));
        let answered = Rest::next(Some(rest), part, known(false));
        assert!(answered.has_played);
        let other = BoardPart::Field(Some(Point(4)));
        assert!(!Rest::next(Some(answered), other, known(false)).has_played);
        // A point that was never legal is explained.
        let rest = Rest::next(None, part, known(false));
        assert!(!Rest::next(Some(rest), part, known(false)).has_played);
    }

    #[test]
    fn a_window_that_opens_under_the_mouse_explains_nothing() {
        let mut watch = MouseWatch::default();
        let seen = [
            None,
            Some(Vec2::X),
            Some(Vec2::X),
            Some(Vec2::Y),
            Some(Vec2::X),
        ];
        let has_moved = seen.map(|at| watch.moves_to(at));
        assert_eq!(has_moved, [false, false, false, true, true]);
    }

    #[test]
    fn tooltips_explain_each_mark_and_the_cursor() {
        use crate::scene::marks::MarkMeaning;
        let mark = |point, meaning| PointMark {
            point,
            meaning,
            is_lit: false,
            of: None,
        };
        let [here, there] = [Point(3), Point(4)];
        let marks = [
            mark(here, MarkMeaning::Legal),
            mark(there, MarkMeaning::Last),
        ];
        assert_eq!(
            marks_at(here, &marks, Some(here)),
            ["Ring: you may touch it.", CURSOR]
        );
        assert_eq!(
            marks_at(there, &marks, Some(here)),
            ["Pale ring: the last move."]
        );
        assert_eq!(marks_at(Point(5), &marks, None), [""; 0]);
    }
}

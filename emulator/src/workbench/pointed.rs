//! Explains what the mouse points at on the board: the text on the display, the function
//! and state of a button, whose turn a lamp beside the display shows, and, after a longer
//! rest, the meaning of a point's lamp in the current game and the effect of a touch.
//!
//! An explanation stands beside the board, where it hides none of the points. Without room
//! there, that of a point stands above the field, over the console, and that of the console
//! at the lower edge.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};
use firmware_core::AnyBoard;
use firmware_core::panel::TURN_TIME_MS;
use protocol::{Button, Layout, Point, Settings, Side, Status};
use touchboard_host::games::how_to;
use touchboard_host::palette::Palette;
use touchboard_host::standing::{Situation, kind, phase, why_no_effect};
use touchboard_host::{display, touches, words, written};

use super::first_touch::HELD;
use super::panes::inspected::Inspected;
use super::style;
use crate::keys::Overlay;
use crate::scene::camera::{SceneCamera, SceneRect};
use crate::scene::case::FIELD_Y;
use crate::scene::hover::{Hover, PointedAt};
use crate::scene::keyboard::Cursor;
use crate::scene::marks::{Mark, MarksOnBoard};
use crate::scene::plan::PointPlan;
use crate::scene::resting::Resting;
use crate::scene::touch::{BoardPart, Pointed};
use crate::source::Shown;
use crate::theme::Chosen;

/// How long the mouse rests before a hint appears.
const RESTS: Duration = Duration::from_millis(350);
/// How long it rests on a point before a hint appears: longer, because a player usually
/// touches the point at once.
const RESTS_ON_POINT: Duration = Duration::from_millis(800);
/// The maximum width of a hint.
const WIDTH: f32 = 270.0;
/// The least width of a strip beside the field in which hints stand.
const NARROWEST: f32 = 140.0;
/// The distance of a hint from the field, which leaves the names of its rows readable.
const FROM_FIELD: f32 = 26.0;
/// The distance of a hint from the edges of the scene.
const AWAY: f32 = 8.0;

/// Explains the part of the board under the pointer.
pub struct PointedPlugin;

impl Plugin for PointedPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Pointed>()
            .init_resource::<Hover>()
            .add_systems(EguiPrimaryContextPass, draw.after(super::draw));
    }
}

/// The part under the mouse, and whether it was played while the mouse rested.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rest {
    part: BoardPart,
    at: Vec2,
    /// True if the last move was made here.
    is_last_move: bool,
    /// True if this point was played while the mouse rested on it, until the mouse moves:
    /// the board's answer is then more interesting than the meaning of the point.
    has_played: bool,
}

impl Rest {
    fn next(before: Option<Rest>, (part, at): (BoardPart, Vec2), is_last_move: bool) -> Rest {
        match before.filter(|rest| rest.part == part) {
            Some(rest) => Rest {
                at,
                is_last_move,
                has_played: rest.at == at
                    && (rest.has_played || is_last_move && !rest.is_last_move),
                part,
            },
            None => Rest {
                part,
                at,
                is_last_move,
                has_played: false,
            },
        }
    }
}

/// An explanation: a title, sentences, and the key with the same effect.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Explanation {
    title: String,
    sentences: Vec<String>,
    key: Option<&'static str>,
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

fn draw(
    mut contexts: EguiContexts,
    place: PointedPlace,
    board: KnownBoard,
    palette: Res<Chosen>,
    time: Res<Time<Real>>,
    mut resting: Local<Resting<BoardPart>>,
    mut rest: Local<Option<Rest>>,
) -> Result {
    let pointed = place.pointed.0.filter(|_| *place.overlay == Overlay::None);
    let rested = resting.on(pointed.map(|(part, _)| part), time.elapsed());
    let (Some((part, at)), Some(rested)) = (pointed, rested) else {
        *rest = None;
        return Ok(());
    };
    let last_move = board.shown.status.last_move.map(|last| last.point);
    let is_last_move = last_move.is_some_and(|point| part == BoardPart::Field(Some(point)));
    let now = Rest::next(*rest, (part, at), is_last_move);
    *rest = Some(now);
    let rests = match part {
        BoardPart::Field(_) if board.inspected.board().is_none() => RESTS_ON_POINT,
        _ => RESTS,
    };
    if rested < rests || now.has_played || !board.shown.link.answers() {
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
    let Some(rect) = place.rect.0 else {
        return Ok(());
    };
    let zoom = context.zoom_factor();
    let points = Scales {
        physical: context.pixels_per_point(),
        logical: zoom,
    };
    let strips = Strips::of(rect.as_rect(), place.scene.field(), points);
    show(
        &context,
        strips.place(part, egui::pos2(at.x, at.y) / zoom),
        &explanation,
        palette.0,
    );
    Ok(())
}

/// Where the field of the board is in the picture.
#[derive(SystemParam)]
struct BoardOutline<'w, 's> {
    plan: Option<Res<'w, PointPlan>>,
    eyes: Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<SceneCamera>>,
}

impl BoardOutline<'_, '_> {
    /// The part of the picture that the field covers, in logical pixels.
    fn field(&self) -> Option<Rect> {
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
struct Scales {
    physical: f32,
    logical: f32,
}

/// The part of the window that the scene has, and the field in it, in points.
#[derive(Clone, Copy, Debug)]
struct Strips {
    scene: egui::Rect,
    field: egui::Rect,
}

/// Where an explanation stands, and how wide it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
struct StripPlace {
    pivot: egui::Align2,
    at: egui::Pos2,
    width: f32,
}

impl Strips {
    /// `scene` is in physical pixels, `field` in logical ones.
    fn of(scene: Rect, field: Option<Rect>, points: Scales) -> Strips {
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
    fn place(self, part: BoardPart, here: egui::Pos2) -> StripPlace {
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

/// Shows an explanation at this place.
fn show(context: &egui::Context, place: StripPlace, explanation: &Explanation, palette: Palette) {
    let StripPlace { pivot, at, width } = place;
    egui::Area::new(egui::Id::new("pointed"))
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
fn marks_at(point: Point, marks: &[Mark], cursor: Option<Point>) -> Vec<String> {
    let on_it = marks.iter().filter(|mark| mark.point == point);
    let words = on_it.map(Mark::words);
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

/// The explanation of a part of the board.
fn explanation_of(
    part: BoardPart,
    shown: &Shown,
    looked_into: Option<&AnyBoard>,
    hover: &Hover,
) -> Option<Explanation> {
    let status = &shown.status;
    match part {
        BoardPart::Field(point) => match (point?, looked_into, &hover.0) {
            (point, Some(board), _) => Some(of_point(point, shown, board)),
            (point, None, Some(at)) if at.point == point => Some(of_lamp(at, shown)),
            _ => None,
        },
        BoardPart::Button(button) => Some(of_button(button, status, shown.layout)),
        BoardPart::Display => Some(Explanation {
            title: "Display".to_owned(),
            sentences: of_display(shown),
            key: None,
        }),
        BoardPart::TurnLight(side) => Some(of_turn_light(side, status)),
    }
}

/// Explains what a lamp means in the current game, and what a touch of it would do.
fn of_lamp(at: &PointedAt, shown: &Shown) -> Explanation {
    let layout = shown.layout;
    let names = |points: &[Point]| {
        let names = points.iter().map(|point| layout.name(*point).to_string());
        names.collect::<Vec<_>>().join(", ")
    };
    let mut effects = Vec::new();
    if let Some(preview) = &at.preview {
        let says = [
            ("turns", &preview.turned),
            ("takes", &preview.taken),
            ("may go to", &preview.goes_to),
        ];
        let some = says.into_iter().filter(|(_, points)| !points.is_empty());
        effects.extend(some.map(|(does, points)| format!("{does} {}", names(points))));
    }
    let touch = match (&at.why_not, effects.is_empty()) {
        (None, _) if is_held_at(shown, at.point) => HELD.to_owned(),
        (Some(why), _) => format!("No move: {why}."),
        (None, false) => format!("A touch {}.", effects.join(" and ")),
        (None, true) if shown.legal.contains(&at.point) => "A touch is a move.".to_owned(),
        (None, true) => "A touch is not a move now.".to_owned(),
    };
    let mut lamp = at.lamp.clone();
    if let Some(first) = lamp.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Explanation {
        title: layout.name(at.point).to_string(),
        sentences: vec![format!("{lamp}."), touch],
        key: None,
    }
}

/// True if the piece on this point is picked up.
fn is_held_at(shown: &Shown, point: Point) -> bool {
    let figures = shown.pieces.iter().flat_map(|all| &all.figures);
    let mut here = figures.filter(|(at, _)| *at == point);
    here.any(|(_, figure)| figure.is_held)
}

/// Explains how a point is lit, and whether it may be touched, or why not.
fn of_point(point: Point, shown: &Shown, board: &AnyBoard) -> Explanation {
    let layout = shown.layout;
    let light = words::light(shown.frame.light(point));
    let touch = match shown.legal.contains(&point) {
        true => "A touch of it is a move.".to_owned(),
        false => match touches::why(board, point) {
            Some(why) => format!("A touch of it is not a move: {why}."),
            None => "A touch of it is not a move now.".to_owned(),
        },
    };
    Explanation {
        title: layout.name(point).to_string(),
        sentences: vec![format!("Its light is {light}."), touch],
        key: None,
    }
}

/// Explains the lamp of a side beside the display.
fn of_turn_light(side: Side, status: &Status) -> Explanation {
    let name = side.name();
    let now = match (phase(status), status.turn == Some(side)) {
        (Situation::NoGame, _) => "No game is on.".to_owned(),
        (Situation::Over, _) => "The game is over.".to_owned(),
        (_, true) => format!("It is {name}'s turn."),
        (_, false) => format!("It is not {name}'s turn."),
    };
    Explanation {
        title: format!("Turn light of {name}"),
        sentences: vec![
            format!("Lit while {name} is to move."),
            now,
            "F1 tells what the lights on the board mean.".to_owned(),
        ],
        key: None,
    }
}

/// Explains the text on the display.
fn of_display(shown: &Shown) -> Vec<String> {
    let text = &shown.frame.display;
    if text.trim().is_empty() {
        return vec!["It is dark.".to_owned()];
    }
    vec![display::words(text, &shown.status, shown.layout)]
}

/// The setting of a button in words.
fn value(button: Button, settings: &Settings, layout: Layout) -> String {
    match button {
        Button::Game => written::game_name(settings.game, layout),
        Button::Time => {
            let ms = TURN_TIME_MS.get(usize::from(settings.time));
            let seconds = ms.copied().unwrap_or_default() / 1_000;
            format!("{}, which is {seconds} s for a turn", settings.time)
        }
        Button::Speed => format!("{} of 9", settings.speed),
        Button::Level if settings.level == 0 => "0, people alone play".to_owned(),
        Button::Level => format!("{} of 4", settings.level),
        Button::Mode => {
            let modes = how_to(settings.game).map_or(&[][..], |text| text.modes);
            let name = modes.get(usize::from(settings.mode));
            let name = name.map_or("", |mode| mode.name);
            format!("{}, {name}", protocol::Roster::letter(settings.mode))
        }
        Button::Start | Button::Stop => String::new(),
    }
}

/// Explains the function of a button, and its current setting.
fn of_button(button: Button, status: &Status, layout: Layout) -> Explanation {
    let settings = &status.settings;
    let (does, key) = match button {
        Button::Game => ("Chooses the next game; the game that is on ends.", "g"),
        Button::Time => ("Sets how long a turn may take.", "t"),
        Button::Speed => ("Sets how fast the lights go.", "s"),
        Button::Level => ("Sets how well the board plays.", "l"),
        Button::Mode => ("Chooses the next mode; the game that is on ends.", "m"),
        Button::Start => ("Begins a new game.", "n"),
        Button::Stop => (
            "Pauses the game, or resumes it. Clocks stop during a pause.",
            "h",
        ),
    };
    let mut sentences = vec![does.to_owned()];
    let now = match button {
        Button::Start
            if matches!(
                phase(status),
                Situation::Play | Situation::Idle | Situation::Paused
            ) =>
        {
            "A game is on: it would end.".to_owned()
        }
        Button::Start => format!(
            "It would be {}, {}.",
            written::game_name(settings.game, layout),
            kind(settings, layout)
        ),
        Button::Stop => match phase(status) {
            Situation::Paused => "The game is paused.".to_owned(),
            Situation::NoGame | Situation::Over => "No game is on.".to_owned(),
            Situation::Play | Situation::Idle => "The game is on.".to_owned(),
        },
        button => format!("Now {}.", value(button, settings, layout)),
    };
    sentences.push(now);
    sentences.extend(why_no_effect(settings, button).map(str::to_owned));
    Explanation {
        title: button.name().to_uppercase(),
        sentences,
        key: Some(key),
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Deed, Input, Text};
    use touchboard_host::{lamp, preview};

    use super::*;

    #[test]
    fn no_tooltip_covers_the_answer_until_the_mouse_moves() {
        let part = BoardPart::Field(Some(Point(3)));
        let [here, there] = [Vec2::ZERO, Vec2::X];
        let mut rest = Rest::next(None, (part, here), false);
        let mut quiet = |at, is_last_move| {
            rest = Rest::next(Some(rest), (part, at), is_last_move);
            rest.has_played
        };
        assert!(!quiet(here, false));
        assert!(quiet(here, true));
        // The board answers.
        assert!(quiet(here, false));
        assert!(!quiet(there, false));
        // A last move made before the mouse arrived is explained.
        let came = Rest::next(None, (part, there), true);
        assert!(!Rest::next(Some(came), (part, there), true).has_played);
    }

    #[test]
    fn every_button_explains_its_effect_setting_and_key() {
        let shown = Shown::default();
        for button in Button::ALL {
            let explanation =
                explanation_of(BoardPart::Button(button), &shown, None, &Hover(None)).unwrap();
            assert!(explanation.sentences.len() >= 2, "{explanation:?}");
            assert!(
                explanation.sentences.iter().all(|text| text.ends_with('.')),
                "{explanation:?}"
            );
            let key = explanation.key.unwrap();
            let mut lines = crate::keys::TABLE.iter().flat_map(|group| group.lines);
            let is_its_key = |line: &&crate::keys::KeyBinding| {
                line.caps.split(' ').any(|cap| cap == key)
                    && line
                        .chords
                        .iter()
                        .any(|(_, meaning)| *meaning == crate::keys::Meaning::Press(button))
            };
            assert!(lines.any(|line| is_its_key(&line)), "{button:?}");
        }
    }

    #[test]
    fn an_illegal_point_gives_its_reason_if_the_board_is_known() {
        let layout = Layout::MALDOO;
        let mut board = AnyBoard::new(layout, 1).unwrap();
        let start = Deed::Input(Input::Press(Button::Start));
        board.carry_out(&start, &mut |_, _| ()).unwrap();
        let mut shown = Shown::default();
        board.legal(|point| shown.legal.push(point));
        let [dark, legal] = ["a1", "d7"].map(|name| layout.point(name).unwrap());
        let none = Hover(None);
        let told = |point| {
            explanation_of(BoardPart::Field(Some(point)), &shown, Some(&board), &none).unwrap()
        };
        assert_eq!(told(legal).sentences[1], "A touch of it is a move.");
        let why = &told(dark).sentences[1];
        assert!(why.contains("a1 would turn nothing"), "{why}");
        let of = |part, looked_into| explanation_of(part, &shown, looked_into, &none);
        assert_eq!(of(BoardPart::Field(Some(dark)), None), None);
        assert_eq!(of(BoardPart::Field(None), Some(&board)), None);
        let pointed = Hover(Some(PointedAt {
            point: legal,
            lamp: lamp::meaning(&board, legal),
            why_not: None,
            preview: preview::of(&board, legal),
        }));
        let explanation =
            explanation_of(BoardPart::Field(Some(legal)), &shown, None, &pointed).unwrap();
        assert_eq!(explanation.title, "d7");
        assert!(
            explanation.sentences[1].starts_with("A touch turns "),
            "{explanation:?}"
        );
    }

    #[test]
    fn tooltips_explain_each_mark_and_the_cursor() {
        use crate::scene::marks::MarkMeaning;
        let mark = |point, meaning| Mark {
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

    #[test]
    fn the_tooltip_of_a_turn_light_explains_the_turn() {
        let mut shown = Shown::default();
        shown.status.score = Some([2, 2]);
        shown.status.turn = Some(Side::Green);
        let told = |side| {
            let part = BoardPart::TurnLight(side);
            explanation_of(part, &shown, None, &Hover(None))
                .unwrap()
                .sentences
        };
        assert!(told(Side::Green)[1].contains("is green's turn"));
        assert!(told(Side::Red)[1].contains("not red's turn"));
    }

    #[test]
    fn the_tooltip_of_the_display_explains_its_text() {
        let mut shown = Shown::default();
        shown.frame.display = Text::clipped("095_0");
        let [settings] = &of_display(&shown)[..] else {
            panic!("one sentence")
        };
        assert!(
            settings.contains("Reversi") && settings.contains("120 s"),
            "{settings}"
        );
        shown.frame.display = Text::default();
        assert!(!of_display(&shown)[0].is_empty());
    }
}

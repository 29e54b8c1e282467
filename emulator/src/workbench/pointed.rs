//! Explains what the mouse points at on the board: the text on the display, the
//! function and state of a button.

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};
use firmware_core::AnyBoard;
use firmware_core::panel::TURN_TIME_MS;
use protocol::{Button, Layout, Point, Settings, Status};
use touchboard_host::games::how_to;
use touchboard_host::standing::{Situation, kind, phase, why_no_effect};
use touchboard_host::{display, touches, words, written};

use super::panes::inspected::Inspected;
use super::style;
use crate::keys::Overlay;
use crate::scene::touch::{BoardPart, Pointed};
use crate::source::Shown;
use crate::theme::Chosen;

/// How long the mouse rests before a hint appears.
const RESTS_S: f32 = 0.35;
/// The most width of a hint.
const WIDTH: f32 = 270.0;

/// Explains the part of the board under the pointer.
pub struct PointedPlugin;

impl Plugin for PointedPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Pointed>()
            .add_systems(EguiPrimaryContextPass, draw.after(super::draw));
    }
}

/// The explanation: a title, sentences, and the key that does the same.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    title: String,
    sentences: Vec<String>,
    key: Option<&'static str>,
}

fn draw(
    mut contexts: EguiContexts,
    pointed: Res<Pointed>,
    (shown, inspected): (Res<Shown>, Res<Inspected>),
    (palette, overlay): (Res<Chosen>, Res<Overlay>),
    time: Res<Time<Real>>,
    mut since: Local<Option<(BoardPart, f32)>>,
) -> Result {
    let pointed = pointed.0.filter(|_| *overlay == Overlay::None);
    let Some((part, at)) = pointed else {
        *since = None;
        return Ok(());
    };
    let now = time.elapsed_secs();
    let began = match *since {
        Some((before, began)) if before == part => began,
        _ => now,
    };
    *since = Some((part, began));
    if now - began < RESTS_S || !shown.link.answers() {
        return Ok(());
    }
    // Players do not want an explanation of every point, but firmware authors do.
    let Some(said) = said(part, &shown, inspected.board()) else {
        return Ok(());
    };
    let context = contexts.ctx_mut()?.clone();
    // Above the mouse, below which the rest of the board lies; below it on the console,
    // whose display must not be hidden.
    let (pivot, aside) = match part {
        BoardPart::Field(_) => (egui::Align2::LEFT_BOTTOM, egui::vec2(14.0, -14.0)),
        BoardPart::Button(_) | BoardPart::Display => {
            (egui::Align2::LEFT_TOP, egui::vec2(14.0, 22.0))
        }
    };
    let at = egui::pos2(at.x, at.y) / context.zoom_factor() + aside;
    egui::Area::new(egui::Id::new("pointed"))
        .order(egui::Order::Tooltip)
        .fade_in(false)
        .interactable(false)
        .pivot(pivot)
        .fixed_pos(at)
        .constrain_to(context.content_rect())
        .show(&context, |ui| {
            egui::Frame::new()
                .fill(style::panel())
                .stroke(egui::Stroke::new(1.0, style::widget_hovered()))
                .corner_radius(8)
                .inner_margin(egui::Margin::symmetric(12, 9))
                .show(ui, |ui| {
                    ui.set_max_width(WIDTH);
                    tell(ui, &said, palette.0);
                });
        });
    Ok(())
}

fn tell(ui: &mut egui::Ui, said: &Said, palette: touchboard_host::palette::Palette) {
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.horizontal(|ui| {
        let title = palette.words(&said.title).into_owned();
        ui.label(RichText::new(title).color(style::strong()));
        if let Some(key) = said.key {
            let key = format!("key {key}");
            ui.label(RichText::new(key).small().color(style::accent()));
        }
    });
    for sentence in &said.sentences {
        let sentence = palette.words(sentence).into_owned();
        ui.label(RichText::new(sentence).small());
    }
}

/// The explanation of a part of the board.
fn said(part: BoardPart, shown: &Shown, looked_into: Option<&AnyBoard>) -> Option<Said> {
    let status = &shown.status;
    match part {
        BoardPart::Field(point) => Some(of_point(point?, shown, looked_into?)),
        BoardPart::Button(button) => Some(of_button(button, status, shown.layout)),
        BoardPart::Display => Some(Said {
            title: "Display".to_owned(),
            sentences: of_display(shown),
            key: None,
        }),
    }
}

/// How a point is lit, and whether it may be touched, or why not.
fn of_point(point: Point, shown: &Shown, board: &AnyBoard) -> Said {
    let layout = shown.layout;
    let light = words::light(shown.frame.light(point));
    let touch = match shown.legal.contains(&point) {
        true => "A touch of it is a move.".to_owned(),
        false => match touches::why(board, point) {
            Some(why) => format!("A touch of it is no move: {why}."),
            None => "A touch of it is no move now.".to_owned(),
        },
    };
    Said {
        title: layout.name(point).to_string(),
        sentences: vec![format!("Its light is {light}."), touch],
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

/// How a button is set.
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

/// The function of a button, and its current setting.
fn of_button(button: Button, status: &Status, layout: Layout) -> Said {
    let settings = &status.settings;
    let (does, key) = match button {
        Button::Game => ("Chooses the next game; the game that is on ends.", "g"),
        Button::Time => ("Sets how long a turn may take.", "t"),
        Button::Speed => ("Sets how fast the lights go.", "s"),
        Button::Level => ("Sets how well the board plays.", "l"),
        Button::Mode => ("Chooses the next mode; the game that is on ends.", "m"),
        Button::Start => ("Begins a new game.", "Enter"),
        Button::Stop => (
            "Pauses the game, or resumes it. Clocks stand meanwhile.",
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
    Said {
        title: button.name().to_uppercase(),
        sentences,
        key: Some(key),
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Deed, Input, Text};

    use super::*;

    #[test]
    fn every_button_says_what_it_does_how_it_is_set_and_its_key() {
        let shown = Shown::default();
        for button in Button::ALL {
            let said = said(BoardPart::Button(button), &shown, None).unwrap();
            assert!(said.sentences.len() >= 2, "{said:?}");
            assert!(
                said.sentences.iter().all(|text| text.ends_with('.')),
                "{said:?}"
            );
            let key = said.key.unwrap();
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
    fn a_point_says_why_it_is_no_move_to_who_looks_into_the_board_alone() {
        let layout = Layout::MALDOO;
        let mut board = AnyBoard::new(layout, 1).unwrap();
        let start = Deed::Input(Input::Press(Button::Start));
        board.carry_out(&start, &mut |_, _| ()).unwrap();
        let mut shown = Shown::default();
        board.legal(|point| shown.legal.push(point));
        let [dark, legal] = ["a1", "d7"].map(|name| layout.point(name).unwrap());
        let told = |point| said(BoardPart::Field(Some(point)), &shown, Some(&board)).unwrap();
        assert_eq!(told(legal).sentences[1], "A touch of it is a move.");
        let why = &told(dark).sentences[1];
        assert!(why.contains("a1 would turn none"), "{why}");
        assert_eq!(said(BoardPart::Field(Some(dark)), &shown, None), None);
        assert_eq!(said(BoardPart::Field(None), &shown, Some(&board)), None);
    }

    #[test]
    fn the_display_is_read_out() {
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

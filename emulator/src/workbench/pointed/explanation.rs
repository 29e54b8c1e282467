//! The explanation of each part of the board, in words.

use firmware_core::AnyBoard;
use firmware_core::game::Service;
use protocol::{Button, Layout, Point, Settings, Side, Status};
use touchboard_host::games::how_to;
use touchboard_host::standing::{Situation, kind, phase, turn_time, why_no_effect};
use touchboard_host::{display, touches, words, written};

use crate::scene::hover::{Hover, PointedAt};
use crate::scene::touch::BoardPart;
use crate::source::Shown;
use crate::workbench::first_touch::HELD;

/// An explanation: a title, sentences, and the key with the same effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Explanation {
    pub(super) title: String,
    pub(super) sentences: Vec<String>,
    pub(super) key: Option<&'static str>,
}

/// The explanation of a part of the board.
pub(super) fn explanation_of(
    part: BoardPart,
    shown: &Shown,
    looked_into: Option<&AnyBoard>,
    hover: &Hover,
) -> Option<Explanation> {
    let status = &shown.status;
    match part {
        BoardPart::Field(point) => match (point?, looked_into, &hover.0) {
            (point, Some(board), _) => Some(of_point(point, shown, board)),
            (point, None, Some(at)) if at.point == point => Some(of_light(at, shown)),
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

/// Explains what a light means in the current game, and what a touch of it would do.
fn of_light(at: &PointedAt, shown: &Shown) -> Explanation {
    let layout = shown.layout;
    let names = |points: &[Point]| {
        let names = points.iter().map(|point| layout.name(*point).to_string());
        names.collect::<Vec<_>>().join(", ")
    };
    let mut effects = Vec::new();
    if let Some(preview) = &at.preview {
        // Where a touch chooses a column, for example, the piece falls to its lowest point.
        let elsewhere: Vec<Point> = match preview.placed.contains(&at.point) {
            true => Vec::new(),
            false => preview.placed.clone(),
        };
        let says = [
            ("puts a piece on", &elsewhere),
            ("turns", &preview.turned),
            ("takes", &preview.taken),
            ("may go to", &preview.goes_to),
        ];
        let some = says.into_iter().filter(|(_, points)| !points.is_empty());
        effects.extend(some.map(|(does, points)| format!("{does} {}", names(points))));
        effects.extend(preview.leads_to.clone());
    }
    let touch = match (&at.why_not, effects.is_empty()) {
        (None, _) if is_held_at(shown, at.point) => HELD.to_owned(),
        (Some(why), _) => format!("No move: {why}."),
        (None, _) if at.service == Some(Service::Help) => ASKS_FOR_HELP.to_owned(),
        (None, _) if at.service == Some(Service::TakeBack) => TAKES_BACK.to_owned(),
        (None, false) => format!("A touch {}.", effects.join(" and ")),
        (None, true) if shown.legal.contains(&at.point) => "A touch is a move.".to_owned(),
        (None, true) => "A touch is not a move now.".to_owned(),
    };
    let mut meaning = at.meaning.clone();
    if let Some(first) = meaning.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Explanation {
        title: layout.name(at.point).to_string(),
        sentences: vec![format!("{meaning}."), touch],
        key: None,
    }
}

/// What a touch does that asks the game for help.
const ASKS_FOR_HELP: &str =
    "A touch asks for help: it shows a place for the stone in hand, or hides it.";
/// What a touch of the last piece does while it can be taken back.
const TAKES_BACK: &str = "A touch takes it back.";

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

/// Explains the turn light of a side.
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
            let limit = turn_time(settings.time);
            format!("{}, which is {limit} for a turn", settings.time)
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
    use touchboard_host::{light_meaning, preview};

    use super::*;

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
        let shown = Shown {
            legal: board.legal_points(),
            ..Shown::default()
        };
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
            meaning: light_meaning::of(&board, legal),
            why_not: None,
            service: None,
            preview: preview::of(&board, legal),
        }));
        let explanation =
            explanation_of(BoardPart::Field(Some(legal)), &shown, None, &pointed).unwrap();
        assert_eq!(explanation.title, "d7");
        assert!(
            explanation.sentences[1].starts_with("A touch turns "),
            "{explanation:?}"
        );
        let Hover(Some(mut serving)) = pointed else {
            panic!("{pointed:?}");
        };
        serving.service = Some(Service::Help);
        let serving = Hover(Some(serving));
        let help = explanation_of(BoardPart::Field(Some(legal)), &shown, None, &serving);
        assert_eq!(help.unwrap().sentences[1], ASKS_FOR_HELP);
    }

    #[test]
    fn the_tooltip_says_where_a_dropped_disc_lands() {
        let text = written::library::text("connect-four").expect("it is bundled");
        let game = written::of_text("connect-four", text, &[]).unwrap();
        let layout = game.layout.layout();
        let mut board = AnyBoard::new(layout, 1).unwrap();
        let start = Deed::Input(Input::Press(Button::Start));
        board.carry_out(&start, &mut |_, _| ()).unwrap();
        // The legal touches of a text are known after a few ticks.
        board.advance(100, &mut |_, _| ());
        let point = layout.point("e6").unwrap();
        let mut shown = Shown::default();
        (shown.layout, shown.legal) = (layout, board.legal_points());
        let pointed = Hover(Some(PointedAt {
            point,
            meaning: light_meaning::of(&board, point),
            why_not: None,
            service: None,
            preview: preview::of(&board, point),
        }));
        let told = explanation_of(BoardPart::Field(Some(point)), &shown, None, &pointed).unwrap();
        assert_eq!(told.sentences[1], "A touch puts a piece on e1.");
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
            settings.contains("Reversi") && settings.contains("2:00"),
            "{settings}"
        );
        shown.frame.display = Text::default();
        assert!(!of_display(&shown)[0].is_empty());
    }
}

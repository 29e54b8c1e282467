//! A board at one moment, and the words that all kinds of answers use for it.

use core::fmt::Write;
use std::borrow::Cow;

use protocol::{Colour, Frame, Layout, Point, Rhythm, Settings, Status, Tick};
use touchboard_host::palette::Palette;
use touchboard_host::wrap::wrapped;
use touchboard_host::{Driver, event_words, games, words, written};

/// The sentence for a board without a game.
pub const NO_GAME: &str = "no game is on the board: press Start (`start`)";
/// The answer if a person asks for legal points on the board's own turn.
pub const BOARDS_TURN: &str =
    "it is the board's own turn, no touch is a move: `wait` until it has moved";

/// True on the turn of the board's own player. While both sides play at once, it is
/// nobody's turn.
#[must_use]
pub fn is_boards_turn(status: &Status) -> bool {
    status.thinking && status.turn.is_some()
}

/// A board at one moment, for writing an answer.
pub struct Scene<'a> {
    pub(super) layout: Layout,
    pub(super) tick: Tick,
    pub(super) frame: &'a Frame,
    pub(super) status: &'a Status,
    /// The width of the terminal, if the answer is for one.
    pub(super) columns: Option<usize>,
    /// The points to be shown in brackets.
    pub(super) marked: &'a [Point],
}

impl<'a> Scene<'a> {
    /// The current frame of this board, with its latest status.
    #[must_use]
    pub fn new(driver: &'a dyn Driver, status: &'a Status) -> Scene<'a> {
        Scene {
            layout: driver.layout(),
            tick: driver.tick(),
            frame: driver.frame(),
            status,
            columns: None,
            marked: &[],
        }
    }

    /// The same for a terminal of this width.
    #[must_use]
    pub fn on(self, columns: Option<usize>) -> Scene<'a> {
        Scene { columns, ..self }
    }

    /// The same with these points in brackets.
    #[must_use]
    pub fn marking(self, marked: &'a [Point]) -> Scene<'a> {
        Scene { marked, ..self }
    }

    /// A sentence for a person, with the names of colours as they look, and wrapped.
    #[must_use]
    pub fn for_a_person<'t>(&self, sentence: &'t str, paint: AnswerColours) -> Cow<'t, str> {
        let said = paint.words(sentence);
        match self.columns {
            Some(columns) if said.chars().count() > columns => {
                Cow::Owned(wrapped(&said, columns).join("\n"))
            }
            _ => said,
        }
    }

    /// The letters of the lights, row by row.
    pub(super) fn rows(&self) -> Vec<String> {
        words::letters(&self.frame.points_seen(self.tick), self.layout)
    }
}

/// The colours of a person's answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswerColours {
    /// The colours of a terminal, in this palette.
    Ansi(Palette),
    /// Letters instead of colours, for a file or a pipe.
    #[default]
    Letters,
}

impl AnswerColours {
    /// A sentence with the names that colours have in this palette.
    #[must_use]
    pub fn words(self, sentence: &str) -> Cow<'_, str> {
        match self {
            AnswerColours::Ansi(palette) => palette.words(sentence),
            AnswerColours::Letters => Cow::Borrowed(sentence),
        }
    }
}

/// The names of points, in their order.
pub(super) fn names(points: &[Point], layout: Layout) -> Vec<String> {
    points
        .iter()
        .map(|point| layout.name(*point).to_string())
        .collect()
}

/// The name of the point on which a picked-up piece may be put down again, if it is among
/// these.
pub(super) fn picked(scene: &Scene<'_>, points: &[Point]) -> Option<String> {
    let rhythm = games::guide(scene.status.settings.game).rhythm_of_picked()?;
    let is_picked = |point: &&Point| scene.frame.light(**point).rhythm() == rhythm;
    let picked = points.iter().find(is_picked)?;
    Some(scene.layout.name(*picked).to_string())
}

/// Points for a person: their names, or `none`.
#[must_use]
pub fn point_list(points: &[Point], layout: Layout) -> String {
    if points.is_empty() {
        return "none".to_owned();
    }
    names(points, layout).join(" ")
}

/// A digest as it is written.
pub(super) fn digest_name(digest: u64) -> String {
    format!("{digest:016x}")
}

/// The rules of the chosen game and mode, line by line.
pub(super) fn rules(status: &Status, layout: Layout) -> Vec<String> {
    let Settings { game, mode, .. } = status.settings;
    let text = written::how_to(game, layout);
    let lines = text.iter().flat_map(|text| text.lines(mode));
    lines.map(str::to_owned).collect()
}

/// The score, and how the game ended, if it is over.
pub(super) fn score(status: &Status) -> String {
    let Some(score) = status.score else {
        return "no game on the board".to_owned();
    };
    let score = event_words::score(&status.settings, score);
    let end = status
        .outcome
        .map_or(String::new(), |end| format!(", {}", words::outcome(end)));
    format!("{score}{end}")
}

/// The names of the lights that blink in this rhythm: points, then turn lights.
pub(super) fn blinking(scene: &Scene<'_>, rhythm: Rhythm) -> Vec<String> {
    let Scene { layout, frame, .. } = scene;
    let lit = layout.iter().filter(|point| {
        let light = frame.light(*point);
        light.rhythm() == rhythm && light.colour() != Colour::OFF
    });
    let mut names: Vec<String> = lit.map(|point| layout.name(point).to_string()).collect();
    if frame.turn_rhythm == rhythm && frame.turn.contains(&true) {
        names.push("the turn light".to_owned());
    }
    names
}

/// The status of the game in one line.
#[must_use]
pub fn standing(status: &Status, layout: Layout) -> String {
    let mut text = event_words::settings(&status.settings, layout);
    if status.score.is_some() {
        text += ": ";
        text += &score(status);
    }
    if let Some(side) = status.turn {
        let _ = write!(text, ", {} to move", side.name());
    }
    if status.paused {
        text += ", paused";
    }
    if status.thinking {
        text += ", the board is thinking";
    }
    text
}

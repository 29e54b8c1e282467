//! The preview of a game before it is chosen: a picture of its board, the number of
//! players, its length, and its aim.
//!
//! Pictures and lengths are in files, which tests create from played games
//! (`tests/games.rs`); this module only reads them.

use std::fmt;
use std::sync::OnceLock;

use bevy_egui::egui::{
    Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Rgba, Stroke, pos2, vec2,
};
use firmware_core::games;
use protocol::{Colour, Frame, KnownLayout, Layout, Point, Settings, Tick};
use touchboard_host::games::{self as guides, Guide};
use touchboard_host::palette::{MarkShape, Palette};
use touchboard_host::pieces::figures::{Figure, Tint};
use touchboard_host::places::Places;
use touchboard_host::standing::{Situation, phase};
use touchboard_host::written::{self, GameRules};

use crate::source::Shown;

/// The file of recorded games, one per line.
pub const LIST: &str = include_str!("games.txt");

/// The built-in texts, one per line, each with the number of moves in a game between two of
/// the board's players; without those whose games such players do not end.
pub const TEXT_MOVES: &str = include_str!("texts.txt");

/// The colour of the field in a picture.
const FIELD: Color32 = Color32::from_rgb(0x0F, 0x11, 0x13);
/// The colour of a light that is off.
const DARK: Color32 = Color32::from_rgb(0x33, 0x37, 0x3D);
/// The colour of a ring around a point.
const RING: Color32 = Color32::from_rgb(0xE6, 0xEA, 0xEE);
/// The size of a piece's letter, relative to the pitch.
const LETTER: f32 = 0.62;

/// The record of a game that was played for its preview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The number of the game.
    pub game: u8,
    /// The layout of the board it was played on.
    pub layout: KnownLayout,
    /// The number of moves of both sides together.
    pub moves: u32,
    /// The length of the game in seconds of board time.
    pub seconds: u64,
    /// The lights in the middle of the game, one for each point.
    pub lights: Vec<Colour>,
}

impl Played {
    /// Records a game whose frame in the middle was this one.
    #[must_use]
    pub fn new(game: u8, layout: Layout, moves: u32, seconds: Tick, frame: &Frame) -> Played {
        let lights = layout.iter().map(|point| frame.points.get(point));
        Played {
            game,
            layout: layout.into(),
            moves,
            seconds,
            lights: lights.collect(),
        }
    }

    /// Reads a line of the file.
    fn read(line: &str) -> Option<Played> {
        let mut words = line.split(' ');
        Some(Played {
            game: words.next()?.parse().ok()?,
            layout: words.next()?.parse().ok()?,
            moves: words.next()?.parse().ok()?,
            seconds: words.next()?.parse().ok()?,
            lights: words
                .next()?
                .chars()
                .map(Colour::from_letter)
                .collect::<Option<_>>()?,
        })
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lights: String = self.lights.iter().map(|light| light.letter()).collect();
        writeln!(
            f,
            "{} {} {} {} {lights}",
            self.game,
            self.layout.to_text(),
            self.moves,
            self.seconds
        )
    }
}

/// The recorded game of this number, if there is one.
#[must_use]
pub fn played(game: u8) -> Option<&'static Played> {
    static GAMES: OnceLock<Vec<Played>> = OnceLock::new();
    let games = GAMES.get_or_init(|| LIST.lines().filter_map(Played::read).collect());
    games.iter().find(|played| played.game == game)
}

/// A game that can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The number of the game.
    pub game: u8,
    /// The name of the game.
    pub name: String,
    /// Other names of the game, or the game that it is a form of.
    pub other_names: Vec<String>,
    /// The number of players, and the length.
    pub kind: String,
    /// The aim of the game, in a sentence.
    pub aim: String,
    /// How the game is played, in sentences.
    pub play: Vec<String>,
    /// The picture of its board, if there is one.
    pub picture: Option<Picture>,
}

/// A picture of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    layout: KnownLayout,
    lights: Vec<Colour>,
    /// The letters of pieces that have one.
    letters: Vec<(Point, char)>,
    /// The points with a ring.
    ringed: Vec<Point>,
}

impl Picture {
    /// A picture of this frame; a blinking light is drawn lit.
    #[must_use]
    pub fn of(layout: Layout, frame: &Frame) -> Picture {
        let lights = layout.iter().map(|point| frame.points.get(point));
        Picture::of_lights(layout, lights.collect())
    }

    /// A picture of these lights, one for each point.
    fn of_lights(layout: Layout, lights: Vec<Colour>) -> Picture {
        Picture {
            layout: layout.into(),
            lights,
            letters: Vec::new(),
            ringed: Vec::new(),
        }
    }

    /// The same picture with these pieces, each in the colour of its side, and with rings
    /// around these points.
    #[must_use]
    pub fn with(mut self, figures: &[(Point, Figure)], ringed: &[Point]) -> Picture {
        for (point, figure) in figures {
            let place = self.layout.iter().position(|at| at == *point);
            let light = place.and_then(|place| self.lights.get_mut(place));
            if let (Tint::Side(side), Some(light)) = (figure.tint, light) {
                *light = side.into();
            }
            let letter = figure.look.form.letter();
            self.letters.extend(letter.map(|letter| (*point, letter)));
        }
        self.ringed.extend_from_slice(ringed);
        self
    }

    /// A picture of the board that is shown, with the pieces that are on it
    /// before the first game.
    #[must_use]
    pub fn of_board(shown: &Shown) -> Picture {
        let mut frame = shown.frame.clone();
        let waits = phase(&shown.status) == Situation::NoGame;
        for (point, figure) in shown.pieces.iter().flat_map(|pieces| &pieces.figures) {
            if let (true, Tint::Side(side)) = (waits, figure.tint) {
                frame.points.set(*point, side.into());
            }
        }
        Picture::of(shown.layout, &frame)
    }

    /// True if no light is lit.
    #[must_use]
    pub fn is_dark(&self) -> bool {
        self.lights.iter().all(|light| *light == Colour::OFF)
    }
}

impl Entry {
    /// The preview of this game on a board with this layout.
    #[must_use]
    pub fn of(game: u8, layout: Layout) -> Entry {
        let picture = match played(game) {
            Some(Played { layout, lights, .. }) => Some((layout.layout(), lights.clone())),
            None if game == games::LAYOUTS_OWN => {
                Some((layout, vec![Colour::OFF; layout.points()]))
            }
            None => None,
        };
        let kind = [players(game, layout), length(game)];
        let how_to = written::how_to(game, layout);
        Entry {
            game,
            name: written::game_name(game, layout),
            other_names: written::other_names(game, layout),
            kind: kind.into_iter().flatten().collect::<Vec<_>>().join(BETWEEN),
            aim: how_to.as_ref().map_or("", GameRules::aim).to_owned(),
            play: how_to
                .iter()
                .flat_map(GameRules::play)
                .map(str::to_owned)
                .collect(),
            picture: picture.map(|(layout, lights)| Picture::of_lights(layout, lights)),
        }
    }

    /// Adds the length of the built-in text of this name, if it is known.
    pub fn add_length_of_text(&mut self, name: &str) {
        let mut known = TEXT_MOVES.lines().filter_map(|line| line.split_once(' '));
        if let Some((_, moves)) = known.find(|(known, _)| *known == name) {
            self.kind += BETWEEN;
            self.kind += &in_moves(moves);
        }
    }
}

/// The characters between the number of players and the length.
const BETWEEN: &str = "  ·  ";

/// A length in moves.
fn in_moves(moves: impl fmt::Display) -> String {
    format!("about {moves} moves")
}

/// The number of players, and whether the board can be one of them.
fn players(game: u8, layout: Layout) -> Option<String> {
    let about = games::about(game)?;
    let guide = guides::find(game)?;
    let in_mode = |mode| {
        let settings = Settings::default();
        guide.players(&Settings { mode, ..settings }, layout)
    };
    let least = (0..about.modes).map(in_mode).min()?;
    let most = (0..about.modes).map(in_mode).max()?;
    Some(match (least, most) {
        (0, _) => "plays by itself".to_owned(),
        (1, 1) => "1 player".to_owned(),
        (1, 2) => "1 or 2 players".to_owned(),
        // The board can play red.
        (_, 2) if about.board_can_play => "1 or 2 players".to_owned(),
        (_, most) => format!("{most} players"),
    })
}

/// The length of the recorded game: in moves if players take turns, in minutes if
/// lights change by themselves.
fn length(game: u8) -> Option<String> {
    let played = played(game)?;
    Some(
        match (
            guides::find(game).is_some_and(Guide::is_in_real_time),
            played.seconds,
        ) {
            (false, _) => in_moves(played.moves),
            (true, seconds @ ..90) => format!("about {} s", seconds.div_ceil(10) * 10),
            (true, seconds) => format!("about {} min", seconds.div_ceil(60)),
        },
    )
}

impl Picture {
    /// The height of the field, relative to the greater of its sides.
    #[must_use]
    pub fn height(&self) -> f32 {
        let corner = Places::new(&self.layout).corner();
        (corner.y + 1.0) / (corner.x.max(corner.y) + 1.0)
    }

    /// Paints the picture into this square.
    pub fn paint(&self, painter: &Painter, square: Rect, palette: Palette) {
        let places = Places::new(&self.layout);
        let corner = places.corner();
        let pitch = square.width() / (corner.x.max(corner.y) + 1.0);
        let size = vec2(corner.x + 1.0, corner.y + 1.0) * pitch;
        let field = Rect::from_center_size(square.center(), size);
        painter.rect_filled(field.expand(3.0), CornerRadius::same(5), FIELD);
        for (point, light) in self.layout.iter().zip(&self.lights) {
            self.paint_point(painter, &places, point, *light, field, palette);
        }
        for (point, letter) in &self.letters {
            let font = FontId::proportional(pitch * LETTER);
            let at = middle(&places, *point, field);
            painter.text(at, Align2::CENTER_CENTER, letter, font, FIELD);
        }
        for point in &self.ringed {
            let ring = Stroke::new((0.09 * pitch).max(1.5), RING);
            painter.circle_stroke(middle(&places, *point, field), 0.46 * pitch, ring);
        }
    }

    fn paint_point(
        &self,
        painter: &Painter,
        places: &Places,
        point: Point,
        light: Colour,
        field: Rect,
        palette: Palette,
    ) {
        let pitch = field.width() / (places.corner().x + 1.0);
        let middle = middle(places, point, field);
        let colour = match light {
            Colour::OFF => DARK,
            light => {
                let [red, green, blue] = palette.shade(light).light;
                Rgba::from_rgb(red, green, blue).into()
            }
        };
        let radius = pitch * if light == Colour::OFF { 0.2 } else { 0.38 };
        painter.circle_filled(middle, radius, colour);
        if palette.form(light) == MarkShape::Ring && light != Colour::OFF {
            painter.circle_filled(middle, radius * 0.45, FIELD);
        }
    }
}

/// The middle of a point in a picture of this field.
fn middle(places: &Places, point: Point, field: Rect) -> Pos2 {
    let pitch = field.width() / (places.corner().x + 1.0);
    let spot = places.spot(point);
    let middle = field.min + vec2(spot.x + 0.5, spot.y + 0.5) * pitch;
    pos2(middle.x, middle.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_picture_players_length_and_aim() {
        for game in games::BUILT.iter() {
            let entry = Entry::of(game, Layout::MALDOO);
            let picture = entry.picture.as_ref().expect("a picture");
            assert_eq!(picture.lights.len(), picture.layout.points(), "{game}");
            assert!(picture.lights.iter().any(|light| *light != Colour::OFF));
            let is_counted = |word| entry.kind.contains(word);
            assert!(is_counted("player"), "{entry:?}");
            assert!(
                [" moves", " s", " min"].into_iter().any(is_counted),
                "{entry:?}"
            );
            assert!(entry.aim.ends_with('.'), "{entry:?}");
        }
    }

    #[test]
    fn a_line_of_the_list_of_games_reads_back() {
        for line in LIST.lines() {
            let played = Played::read(line).expect("a line");
            assert_eq!(played.to_string(), format!("{line}\n"));
        }
    }
}

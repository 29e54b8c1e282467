//! The preview of a game before it is chosen: a picture of its board, the number of
//! players, its length, and its aim.
//!
//! Pictures and lengths are in a file, which a test creates from played games
//! (`tests/games.rs`); this module only reads it.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use bevy_egui::egui::{Color32, CornerRadius, Painter, Rect, Rgba, pos2, vec2};
use firmware_core::games;
use protocol::{Colour, Frame, KnownLayout, Layout, Point, Settings, Tick};
use touchboard_host::game_names::letters;
use touchboard_host::games::{self as guides, Guide, how_to};
use touchboard_host::palette::{MarkShape, Palette};
use touchboard_host::pieces::figures::Tint;
use touchboard_host::places::Places;
use touchboard_host::standing::{Situation, phase};
use touchboard_host::written::{self, GameRules};

use crate::source::Shown;

/// The file of recorded games, one per line.
pub const LIST: &str = include_str!("games.txt");

/// The colour of the field in a picture.
const FIELD: Color32 = Color32::from_rgb(0x0F, 0x11, 0x13);
/// The colour of a light that is off.
const DARK: Color32 = Color32::from_rgb(0x33, 0x37, 0x3D);

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
}

impl Picture {
    /// A picture of this frame; a blinking light is drawn lit.
    #[must_use]
    pub fn of(layout: Layout, frame: &Frame) -> Picture {
        let lights = layout.iter().map(|point| frame.points.get(point));
        Picture {
            layout: layout.into(),
            lights: lights.collect(),
        }
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
            kind: kind.into_iter().flatten().collect::<Vec<_>>().join("  ·  "),
            aim: how_to.as_ref().map_or("", GameRules::aim).to_owned(),
            play: how_to
                .iter()
                .flat_map(GameRules::play)
                .map(str::to_owned)
                .collect(),
            picture: picture.map(|(layout, lights)| Picture {
                layout: layout.into(),
                lights,
            }),
        }
    }

    /// True if one of its names, its summary or its rules match the search. The words of
    /// the search may be anywhere, in any order.
    #[must_use]
    pub fn has(&self, search: &str) -> bool {
        self.rank(search) != Rank::Other
    }

    /// True if the description contains all words of the search.
    fn tells_of(&self, search: &str) -> bool {
        let search = search.to_lowercase();
        let mut words = search.split_whitespace();
        let modes = how_to(self.game).map_or(&[][..], |text| text.modes);
        let mut told = format!("{} {} {}", self.name, self.kind, self.aim);
        for name in &self.other_names {
            told.push(' ');
            told.push_str(name);
        }
        let modes = modes.iter().map(|mode| mode.name);
        for sentence in modes.chain(self.play.iter().map(String::as_str)) {
            told.push(' ');
            told.push_str(sentence);
        }
        let told = told.to_lowercase();
        words.all(|word| has_word(&told, word))
    }

    /// Where in the entry the search text was found.
    #[must_use]
    pub fn found(&self, search: &str) -> FoundIn {
        if letters(search).is_empty() {
            return FoundIn::default();
        }
        if let Some(in_name) = place_in(&self.name, search) {
            return FoundIn {
                in_name: Some(in_name),
                ..FoundIn::default()
            };
        }
        let mut others = self.other_names.iter();
        if let Some(name) = others.find(|name| place_in(name, search).is_some()) {
            return FoundIn {
                why: Some(format!("Also called {name}. {}", self.aim)),
                ..FoundIn::default()
            };
        }
        FoundIn {
            in_name: None,
            is_told: true,
            why: self.why(search),
        }
    }

    /// Explains a match that the entry does not show: the other name, mode or rule that
    /// contains the word.
    fn why(&self, search: &str) -> Option<String> {
        let shown = format!("{} {} {}", self.name, self.kind, self.aim).to_lowercase();
        let search = search.to_lowercase();
        let is_hidden = |word: &&str| !has_word(&shown, word);
        let word = search.split_whitespace().find(is_hidden)?;
        let has = |text: &str| has_word(&text.to_lowercase(), word);
        let name = self.other_names.iter().find(|name| has(name));
        let name = name.map(|name| format!("Also called {name}."));
        let modes = how_to(self.game).map_or(&[][..], |text| text.modes);
        let mode = || {
            let mode = modes.iter().find(|mode| has(mode.name))?;
            Some(format!("A mode of it: {}.", mode.name))
        };
        let rule = || {
            let rule = self.play.iter().find(|rule| has(rule))?;
            Some(format!("In its rules: {}", around(rule, word)))
        };
        name.or_else(mode).or_else(rule)
    }

    /// How well the game matches the search text.
    #[must_use]
    pub fn rank(&self, search: &str) -> Rank {
        let wanted = letters(search);
        let own = std::iter::once((&self.name, NameOf::Own));
        let others = self.other_names.iter().map(|name| (name, NameOf::Other));
        let places = own.chain(others).filter_map(|(name, of)| {
            let name = letters(name);
            Some(match name.find(&wanted)? {
                _ if name == wanted => Rank::Called(of),
                0 => Rank::Begins(of),
                _ => Rank::Named(of),
            })
        });
        let told = || match self.tells_of(search) {
            true => Rank::Told,
            false => Rank::Other,
        };
        places.min().unwrap_or_else(told)
    }
}

/// True if a word of the text begins with these letters: `go` matches "a goal", but not
/// "diagonal".
fn has_word(text: &str, beginning: &str) -> bool {
    let mut places = text.match_indices(beginning);
    places.any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(char::is_alphanumeric)
    })
}

/// The quality of a match with the search text, the best one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// A name of the game equals the text.
    Called(NameOf),
    /// One of its names begins with the text.
    Begins(NameOf),
    /// One of its names contains the text.
    Named(NameOf),
    /// Its description contains all words of the text.
    Told,
    /// Nothing about the game matches.
    Other,
}

/// The kind of a game's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameOf {
    /// The game's own name.
    Own,
    /// Another name, which may be that of a game that it is a form of.
    Other,
}

/// Where a search text was found in an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundIn {
    /// Its place in the name, in bytes.
    pub in_name: Option<Range<usize>>,
    /// True if its words are spread over the description.
    pub is_told: bool,
    /// The sentence with the match, if the list does not show it already.
    pub why: Option<String>,
}

/// The place of these letters in a name, ignoring other characters between them.
fn place_in(name: &str, search: &str) -> Option<Range<usize>> {
    let wanted = letters(search);
    let kept = name.char_indices().flat_map(|(at, letter)| {
        let small = letters(letter.encode_utf8(&mut [0; 4]));
        let place = at..at + letter.len_utf8();
        let each = small.chars().map(|small| (small.len_utf8(), place.clone()));
        each.collect::<Vec<_>>()
    });
    // The place in the name of each byte of its letters.
    let bytes = kept.flat_map(|(length, place)| std::iter::repeat_n(place, length));
    let bytes: Vec<Range<usize>> = bytes.collect();
    let from = letters(name).find(&wanted)?;
    let last = from + wanted.len().checked_sub(1)?;
    Some(bytes.get(from)?.start..bytes.get(last)?.end)
}

/// The part of a sentence around this word.
fn around(sentence: &str, word: &str) -> String {
    /// The most words before it, and the most in total.
    const BEFORE: usize = 3;
    const ALL: usize = 14;
    let words: Vec<&str> = sentence.split(' ').collect();
    let has = |part: &&str| part.to_lowercase().contains(word);
    let at = words.iter().position(has).unwrap_or_default();
    let from = at.saturating_sub(BEFORE);
    let to = (from + ALL).min(words.len());
    let begins = if from > 0 { "… " } else { "" };
    let ends = if to < words.len() { " …" } else { "" };
    format!("{begins}{}{ends}", words[from..to].join(" "))
}

/// The number of players, and whether the board can be one of them.
fn players(game: u8, layout: Layout) -> Option<String> {
    let about = games::about(game)?;
    let guide = guides::find(game)?;
    let own = written::players(layout).filter(|_| game == games::LAYOUTS_OWN);
    let in_mode = |mode| {
        let settings = Settings::default();
        guide.players(&Settings { mode, ..settings })
    };
    let (least, most) = match own {
        Some(own) => [own; 2].into(),
        None => (
            (0..about.modes).map(in_mode).min()?,
            (0..about.modes).map(in_mode).max()?,
        ),
    };
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
            (false, _) => format!("about {} moves", played.moves),
            (true, seconds @ ..90) => format!("about {} s", seconds.div_ceil(10) * 10),
            (true, seconds) => format!("about {} min", seconds.div_ceil(60)),
        },
    )
}

impl Picture {
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
        let spot = places.spot(point);
        let middle = field.min + vec2(spot.x + 0.5, spot.y + 0.5) * pitch;
        let middle = pos2(middle.x, middle.y);
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
    fn a_game_is_found_by_its_name_and_description() {
        let go = Entry::of(9, Layout::MALDOO);
        for search in ["", "speed", "GO", "surround board", " or 2 players "] {
            assert!(go.has(search), "{search}");
        }
        assert!(!go.has("ghost"));
        let with_dice = games::BUILT.iter().filter(|game| {
            let entry = Entry::of(*game, Layout::MALDOO);
            entry.has("dice")
        });
        assert_eq!(with_dice.collect::<Vec<_>>(), [10]);
    }

    #[test]
    fn a_game_is_found_by_other_names_in_any_spelling() {
        let [reversi, tic_dab_toe] = [0, 12].map(|game| Entry::of(game, Layout::MALDOO));
        assert_eq!(reversi.rank("Othello"), Rank::Called(NameOf::Other));
        assert_eq!(reversi.rank("othel"), Rank::Begins(NameOf::Other));
        assert_eq!(reversi.rank("versi"), Rank::Named(NameOf::Own));
        assert!(reversi.rank("reversi") < reversi.rank("othello"));
        for spelt in ["tic tac toe", "tictactoe", "Tic-Tac-Toe"] {
            assert_eq!(
                tic_dab_toe.rank(spelt),
                Rank::Called(NameOf::Other),
                "{spelt}"
            );
        }
        assert_eq!(tic_dab_toe.rank("blocks chessboard"), Rank::Told);
        // In the rules, only the beginning of a word matches.
        assert_eq!(tic_dab_toe.rank("hessboard"), Rank::Other);
        assert_eq!(tic_dab_toe.rank("othello"), Rank::Other);
    }

    #[test]
    fn a_match_outside_the_name_is_explained() {
        let of = |game| Entry::of(game, Layout::MALDOO);
        let part = |game, search: &str| {
            let entry = of(game);
            let found = entry.found(search);
            found.in_name.map(|place| entry.name[place].to_owned())
        };
        assert_eq!(part(0, "VERS").as_deref(), Some("vers"));
        assert_eq!(part(12, "dab toe").as_deref(), Some("DabToe"));
        let why = |game, search: &str| of(game).found(search).why;
        assert!(
            why(0, "othello")
                .unwrap()
                .starts_with("Also called Othello.")
        );
        assert_eq!(of(9).found("surround board").why, None, "its aim says so");
        for game in games::BUILT.iter() {
            let entry = of(game);
            for rule in &entry.play {
                let word = rule.split(' ').next_back().unwrap();
                let found = entry.found(word);
                if found.in_name.is_some() {
                    continue;
                }
                let shown = format!("{} {} {}", entry.name, entry.kind, entry.aim);
                let told = found.why.unwrap_or(shown).to_lowercase();
                assert!(told.contains(&word.to_lowercase()), "{word}: {told}");
            }
        }
        assert_eq!(of(0).found(""), FoundIn::default());
    }

    #[test]
    fn a_line_of_the_list_of_games_reads_back() {
        for line in LIST.lines() {
            let played = Played::read(line).expect("a line");
            assert_eq!(played.to_string(), format!("{line}\n"));
        }
    }
}

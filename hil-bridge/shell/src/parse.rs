//! Parses a line of text into a [`ShellCommand`].
//!
//! Lines are words between blanks without nesting or quotes, so they are split by hand,
//! which is simpler than a parser. A `#` at the start of a word begins a comment.
//!
//! Invariants: no text panics; every refusal is a sentence that names the word and says
//! what is possible.

use core::ops::RangeInclusive;

use firmware_core::games;
use firmware_core::panel::LEVELS;
use protocol::{Diagram, Layout, Light, Outcome, Packed, Point, Position, Rhythm, Side, Tick};
use touchboard_host::game_names::{self, NamedGame};
use touchboard_host::signals::SignalCondition;
use touchboard_host::{position, words};

use super::command::{
    ENTRIES, Expectation, HOLD_MS, HelpEntry, LayoutArgument, SettingsChange, ShellCommand, find,
};
use super::parse_error::ParseError;
use super::words::{LONGEST_WAIT_MS, Words, number, one_of, point, split};

/// The maximum length of a picture's name.
const LONGEST_NAME: usize = 64;

/// The names of the settings.
pub(crate) const SETTINGS: [&str; 5] = ["game", "mode", "level", "time", "speed"];

/// The numbers of the levels.
const LEVEL_NUMBERS: RangeInclusive<u64> = 0..=LEVELS as u64 - 1;

/// The default time limit of `run until`, in milliseconds.
const RUN_MS: Tick = 60_000;

/// Parses one line; `None` if it contains no command.
///
/// # Errors
/// If the line is not a command.
pub fn parse(line: &str, layout: Layout) -> Result<Option<ShellCommand>, ParseError> {
    let line = without_comment(line).trim();
    if line.is_empty() {
        return Ok(None);
    }
    let (word, rest) = split(line);
    let entry = command(word)?;
    let mut words = Words {
        usage: entry.usage,
        rest,
        layout,
    };
    let command = (entry.parse)(&mut words)?;
    words.end()?;
    Ok(Some(command))
}

/// The first word of a line, as `cmd` of a JSON answer names it.
#[must_use]
pub fn first_word(line: &str) -> &str {
    split(without_comment(line).trim()).0
}

fn command(word: &str) -> Result<&'static HelpEntry, ParseError> {
    let names = ENTRIES.iter().map(|entry| entry.word);
    find(word).ok_or_else(|| ParseError::unknown("a command", word, names))
}

fn without_comment(line: &str) -> &str {
    let mut before = ' ';
    for (place, letter) in line.char_indices() {
        if letter == '#' && before.is_whitespace() {
            return line.get(..place).unwrap_or_default();
        }
        before = letter;
    }
    line
}

impl Words<'_> {
    /// Parses `until`, a condition, and optionally `within` with milliseconds.
    pub(super) fn run_until(&mut self) -> Result<ShellCommand, ParseError> {
        let until = self.word("`until`")?;
        self.only("until", until)?;
        let text = self.all("a signal, such as `turn`,")?;
        let (condition, within_ms) = match text.rsplit_once(" within ") {
            Some((condition, ms)) => (
                condition,
                number(ms.trim(), "a number of ms", 0..=LONGEST_WAIT_MS)?,
            ),
            None => (text, RUN_MS),
        };
        let condition = SignalCondition::parse(condition, self.layout)?;
        Ok(ShellCommand::RunUntil(Box::new(condition), within_ms))
    }

    /// Checks that this word is the only one that is possible.
    fn only(&self, wanted: &'static str, word: &str) -> Result<(), ParseError> {
        if word.eq_ignore_ascii_case(wanted) {
            return Ok(());
        }
        Err(ParseError::Other {
            word: word.to_owned(),
            wanted,
            usage: self.usage,
        })
    }

    /// The name of a signal or of a group of signals.
    pub(super) fn signal(&mut self) -> Option<String> {
        self.next().map(str::to_owned)
    }

    /// How long to hold a button, in ms.
    pub(super) fn hold(&mut self) -> Result<Tick, ParseError> {
        let Some(word) = self.next() else {
            return Ok(HOLD_MS);
        };
        number(word, "a number of ms", 1..=LONGEST_WAIT_MS)
    }

    /// Takes the name of a picture, which becomes part of a file name.
    pub(super) fn picture(&mut self) -> Result<String, ParseError> {
        let name = self.word("the name of a picture")?;
        let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        let is_name = name.len() <= LONGEST_NAME && name.chars().all(fits);
        let name = name.to_owned();
        match is_name {
            true => Ok(name),
            false => Err(ParseError::PictureName {
                name,
                most: LONGEST_NAME,
            }),
        }
    }

    pub(super) fn file(&mut self) -> Result<String, ParseError> {
        self.all("a file name").map(str::to_owned)
    }

    pub(super) fn cartridge(&mut self) -> Result<LayoutArgument, ParseError> {
        let file = self.file()?;
        Ok(match file.eq_ignore_ascii_case("none") {
            true => LayoutArgument::OfGames,
            false => LayoutArgument::File(file),
        })
    }

    pub(super) fn layout(&mut self) -> Result<Option<LayoutArgument>, ParseError> {
        self.next().map(layout).transpose()
    }

    pub(super) fn entry(&mut self) -> Result<Option<&'static HelpEntry>, ParseError> {
        let Some(word) = self.next() else {
            return Ok(None);
        };
        command(word).map(Some)
    }

    pub(super) fn best(&mut self) -> Result<ShellCommand, ParseError> {
        let Some(word) = self.next() else {
            return Ok(ShellCommand::Best);
        };
        self.only("clear", word)?;
        Ok(ShellCommand::ClearBest)
    }

    pub(super) fn change(&mut self) -> Result<SettingsChange, ParseError> {
        let mut change = SettingsChange::default();
        let mut word = self.word("a setting")?.to_owned();
        loop {
            let is_game = word.to_ascii_lowercase().starts_with("game=");
            let next = self.next();
            // The names of some games are several words.
            if let Some(more) = next.filter(|next| is_game && !next.contains('=')) {
                word = format!("{word} {more}");
                continue;
            }
            named_value(&mut change, &word)?;
            match next {
                Some(next) => next.clone_into(&mut word),
                None => break,
            }
        }
        if let (Some(game), Some(mode)) = (change.game, change.mode) {
            words::check_mode(game, mode)?;
        }
        Ok(change)
    }

    /// The current position is asked for if there is none.
    pub(super) fn position_or_question(&mut self) -> Result<ShellCommand, ParseError> {
        if self.rest.is_empty() {
            return Ok(ShellCommand::TellPosition);
        }
        Ok(ShellCommand::Position(Box::new(self.position()?)))
    }

    fn position(&mut self) -> Result<Position, ParseError> {
        let first = self.word("the text of the rows, from the top, with / between them,")?;
        if let Some(game) = position::game_of(first) {
            self.usage = position::usage(game);
            if let Some(position) = position::in_words(game, self.rest, self.layout) {
                self.rest = "";
                return Ok(position?);
            }
            let digits = self.word("what that position has in bytes")?;
            return Ok(position::own(game, digits)?);
        }
        let points = words::rows(first, self.layout)?;
        let turn = self.word("`turn green` or `turn red`")?;
        self.only("turn", turn)?;
        let side = self.word("the side that moves")?;
        let turn = one_of("a side", side, &SIDES)?;
        Ok(Diagram { points, turn }.into())
    }

    fn rows(&mut self) -> Result<Packed, ParseError> {
        let text = self.word("the text of the rows, from the top, with / between them,")?;
        Ok(words::rows(text, self.layout)?)
    }

    pub(super) fn expectation(&mut self) -> Result<Expectation, ParseError> {
        let word = self.word("something to compare")?;
        if let Some(usage) = EXPECT_USAGES.iter().find(|usage| {
            let known = usage.split(' ').nth(1);
            known.is_some_and(|known| known.eq_ignore_ascii_case(word))
        }) {
            self.usage = usage;
        }
        Ok(match word.to_ascii_lowercase().as_str() {
            "turn" => Expectation::Turn(self.choice("a side", &TURNS)?),
            "winner" => Expectation::Winner(self.choice("a winner", &WINNERS)?),
            "display" => Expectation::Display(collapsed(self.all("the text")?)),
            "score" => Expectation::Score([self.points()?, self.points()?]),
            "legal" => Expectation::Legal(self.legal()?),
            "rows" => Expectation::Rows(Box::new(self.rows()?)),
            "position" => Expectation::Position(Box::new(self.position()?)),
            "count" => Expectation::Count(self.colour()?, self.points_lit()?),
            "lights" => Expectation::Lights(
                self.choice("a light", &LIGHTS)?,
                self.next().map(rhythm).transpose()?,
            ),
            "beep" => Expectation::Beep(self.pitch()?),
            "hash" => Expectation::Hash(self.hash()?),
            "signal" => Expectation::Signal(Box::new(self.condition_now()?)),
            "refused" => Expectation::Refused(self.refused()?),
            "restart" => Expectation::Restart,
            _ => {
                let point =
                    point(word, self.layout).map_err(|_| not_expectable(word, self.layout))?;
                let colour = self.colour()?;
                match self.next() {
                    None => Expectation::Point(point, colour),
                    Some(word) => Expectation::Light(point, Light::new(colour, rhythm(word)?)),
                }
            }
        })
    }

    fn points(&mut self) -> Result<u32, ParseError> {
        self.number("a score", 0..=u32::MAX.into())
    }

    fn points_lit(&mut self) -> Result<usize, ParseError> {
        self.number("a number of points", 0..=self.layout.points() as u64)
    }

    /// Takes a pitch in Hz; `none` is 0.
    fn pitch(&mut self) -> Result<u16, ParseError> {
        let word = self.word("a pitch in hertz, or `none`,")?;
        if word.eq_ignore_ascii_case("none") {
            return Ok(0);
        }
        number(word, "a pitch in hertz", 0..=u16::MAX.into())
    }

    fn hash(&mut self) -> Result<u64, ParseError> {
        let word = self.word("a digest")?;
        let hash = (word.len() == 16).then(|| u64::from_str_radix(word, 16).ok());
        hash.flatten()
            .ok_or_else(|| ParseError::Digest(word.to_owned()))
    }

    /// Takes a condition that the current value of a signal can decide.
    fn condition_now(&mut self) -> Result<SignalCondition, ParseError> {
        let text = self.all("a condition, such as `turn = red`,")?;
        let condition = SignalCondition::parse(text, self.layout)?;
        match condition.is_of_one_tick() {
            true => Ok(condition),
            false => Err(ParseError::OverTime(text.to_owned())),
        }
    }

    /// Takes the line that is expected to be refused; it must not be an expectation itself.
    fn refused(&mut self) -> Result<String, ParseError> {
        let line = self.all("a line")?;
        if first_word(line).eq_ignore_ascii_case("expect") {
            return Err(ParseError::RefusedExpectation);
        }
        Ok(line.to_owned())
    }

    /// Takes points, and returns them in the order of the board, each once.
    fn legal(&mut self) -> Result<Vec<Point>, ParseError> {
        let mut points = Vec::new();
        let mut word = self.word("a point, or `none`,")?;
        if word.eq_ignore_ascii_case("none") {
            return Ok(points);
        }
        loop {
            points.push(point(word, self.layout)?);
            match self.next() {
                Some(next) => word = next,
                None => break,
            }
        }
        points.sort_unstable();
        points.dedup();
        Ok(points)
    }
}

pub(super) const SIDES: [(&str, Side); 2] = [("green", Side::Green), ("red", Side::Red)];

pub(super) const TURNS: [(&str, Option<Side>); 3] = [
    ("green", Some(Side::Green)),
    ("red", Some(Side::Red)),
    ("none", None),
];

pub(super) const LIGHTS: [(&str, [bool; 2]); 4] = [
    ("green", [true, false]),
    ("red", [false, true]),
    ("both", [true, true]),
    ("none", [false, false]),
];

pub(super) const WINNERS: [(&str, Option<Outcome>); 4] = [
    ("green", Some(Outcome::Won(Side::Green))),
    ("red", Some(Outcome::Won(Side::Red))),
    ("draw", Some(Outcome::Draw)),
    ("none", None),
];

/// The syntax of the expectations that do not begin with a point.
pub(super) const EXPECT_USAGES: [&str; 14] = [
    "expect hash 0123456789abcdef",
    "expect turn red",
    "expect lights red",
    "expect beep 880",
    "expect count green 12",
    "expect winner green",
    "expect display TEXT",
    "expect score 2 2",
    "expect legal d3 c4",
    "expect rows ROWS",
    "expect position ROWS turn green",
    "expect signal CONDITION",
    "expect refused set mode=9",
    "expect restart",
];

fn not_expectable(word: &str, layout: Layout) -> ParseError {
    let names = || layout.iter().map(|point| layout.name(point));
    let ends = [names().min(), names().max()].map(Option::unwrap_or_default);
    let points = format!("a point ({} to {})", ends[0], ends[1]);
    let known = EXPECT_USAGES
        .iter()
        .filter_map(|usage| usage.split(' ').nth(1));
    let possible = known.chain([points.as_str()]);
    ParseError::unknown("something to expect", word, possible)
}

fn layout(word: &str) -> Result<LayoutArgument, ParseError> {
    let sides = word.split_once(['x', 'X']).filter(|(columns, rows)| {
        let is_number =
            |side: &str| !side.is_empty() && side.bytes().all(|byte| byte.is_ascii_digit());
        is_number(columns) && is_number(rows)
    });
    let Some((columns, rows)) = sides else {
        return Ok(LayoutArgument::File(word.to_owned()));
    };
    let (Ok(columns), Ok(rows)) = (columns.parse(), rows.parse()) else {
        return Err(ParseError::Side(word.to_owned()));
    };
    Ok(LayoutArgument::Layout(Layout::grid(columns, rows)?))
}

/// Replaces each run of blanks by one.
#[must_use]
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Adds `name=value` to a change.
fn named_value(change: &mut SettingsChange, word: &str) -> Result<(), ParseError> {
    let pair = word.split_once('=');
    let (name, value) = pair.ok_or_else(|| ParseError::NoValue(word.to_owned()))?;
    let (place, value) = match name.to_ascii_lowercase().as_str() {
        "game" => {
            let named = game(value)?;
            if let NamedGame::Text(file) = named {
                change.text = Some(file);
            }
            (&mut change.game, named.number())
        }
        "mode" => (&mut change.mode, words::mode_number(value)?),
        "level" => (&mut change.level, number(value, "a level", LEVEL_NUMBERS)?),
        "time" => (&mut change.time, number(value, "a time", 0..=9)?),
        "speed" => (&mut change.speed, number(value, "a speed", 0..=9)?),
        _ => return Err(ParseError::unknown("a setting", name, SETTINGS.into_iter())),
    };
    if place.replace(value).is_some() {
        return Err(ParseError::Twice(name.to_owned()));
    }
    Ok(())
}

fn rhythm(word: &str) -> Result<Rhythm, ParseError> {
    let names = Rhythm::ALL.into_iter().map(Rhythm::name);
    Rhythm::from_name(word).ok_or_else(|| ParseError::unknown("a rhythm", word, names))
}

fn game(word: &str) -> Result<NamedGame, ParseError> {
    game_names::find(word).ok_or_else(|| no_game(word.to_owned()))
}

/// Why no game has this name or number.
fn no_game(word: String) -> ParseError {
    if is_number(&word) {
        return ParseError::NoGameNumber {
            number: word,
            games: words::games(games::ROSTER),
        };
    }
    if word.ends_with(".lud") {
        return ParseError::NotBundled(word);
    }
    let near = game_names::near(&word);
    if !near.is_empty() {
        let near = near.iter().map(ToString::to_string).collect();
        return ParseError::MisspeltGame { word, near };
    }
    let games = game_names::table().iter().map(|row| row.own.clone());
    ParseError::UnknownGame {
        word,
        games: games.collect(),
    }
}

/// True for a whole number of any length, including negative ones.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

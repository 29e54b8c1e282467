//! Parses a line of text into a [`ShellCommand`].
//!
//! Lines are words between blanks without nesting or quotes, so they are split by hand,
//! which is simpler than a parser. A `#` at the start of a word begins a comment.
//!
//! Invariants: no text panics; every refusal is a sentence that names the word and says
//! what is possible.

use firmware_core::games;
use firmware_core::panel::LEVELS;
use protocol::{Diagram, Layout, Light, Outcome, Packed, Point, Position, Rhythm, Side, Tick};
use touchboard_host::game_names::{self, NamedGame};
use touchboard_host::signals::SignalCondition;
use touchboard_host::{position, words};

use super::command::{
    ENTRIES, Expectation, HOLD_MS, HelpEntry, LayoutArgument, SettingsChange, ShellCommand, find,
};
use super::words::{LONGEST_WAIT_MS, Words, list, number, one_of, point, split, unknown};

/// The maximum length of a picture's name.
const LONGEST_NAME: usize = 64;

/// The names of the settings.
pub(crate) const SETTINGS: [&str; 5] = ["game", "mode", "level", "time", "speed"];

/// The default time limit of `run until`, in milliseconds.
const RUN_MS: Tick = 60_000;

/// Parses one line; `None` if it contains no command.
///
/// # Errors
/// A sentence for a person that names the word and says what is possible.
pub fn parse(line: &str, layout: Layout) -> Result<Option<ShellCommand>, String> {
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

fn command(word: &str) -> Result<&'static HelpEntry, String> {
    let names = ENTRIES.iter().map(|entry| entry.word);
    find(word).ok_or_else(|| unknown("a command", word, names))
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
    pub(super) fn run_until(&mut self) -> Result<ShellCommand, String> {
        let until = self.word("`until`")?;
        if !until.eq_ignore_ascii_case("until") {
            return Err(format!("`{until}` is not `until`: write `{}`", self.usage));
        }
        let text = self.all("a signal, such as `turn`,")?;
        let (condition, within_ms) = match text.rsplit_once(" within ") {
            Some((condition, ms)) => (
                condition,
                number(ms.trim(), "a number of ms", 0, LONGEST_WAIT_MS)?,
            ),
            None => (text, RUN_MS),
        };
        let condition = SignalCondition::parse(condition, self.layout);
        let condition = condition.map_err(|error| error.to_string())?;
        Ok(ShellCommand::RunUntil(Box::new(condition), within_ms))
    }

    /// The name of a signal or of a group of signals.
    pub(super) fn signal(&mut self) -> Option<String> {
        self.next().map(str::to_owned)
    }

    /// How long to hold a button, in ms.
    pub(super) fn hold(&mut self) -> Result<Tick, String> {
        let Some(word) = self.next() else {
            return Ok(HOLD_MS);
        };
        number(word, "a number of ms", 1, LONGEST_WAIT_MS)
    }

    /// Takes the name of a picture, which becomes part of a file name.
    pub(super) fn picture(&mut self) -> Result<String, String> {
        let name = self.word("the name of a picture")?;
        let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        match name.len() <= LONGEST_NAME && name.chars().all(fits) {
            true => Ok(name.to_owned()),
            false => Err(format!(
                "`{name}` cannot be the name of a picture: take letters, digits, `-` and `_`, at most {LONGEST_NAME}"
            )),
        }
    }

    pub(super) fn file(&mut self) -> Result<String, String> {
        self.all("a file name").map(str::to_owned)
    }

    pub(super) fn cartridge(&mut self) -> Result<LayoutArgument, String> {
        let file = self.file()?;
        Ok(match file.eq_ignore_ascii_case("none") {
            true => LayoutArgument::OfGames,
            false => LayoutArgument::File(file),
        })
    }

    pub(super) fn layout(&mut self) -> Result<Option<LayoutArgument>, String> {
        self.next().map(layout).transpose()
    }

    pub(super) fn entry(&mut self) -> Result<Option<&'static HelpEntry>, String> {
        let Some(word) = self.next() else {
            return Ok(None);
        };
        command(word).map(Some)
    }

    pub(super) fn best(&mut self) -> Result<ShellCommand, String> {
        match self.next() {
            None => Ok(ShellCommand::Best),
            Some(word) if word.eq_ignore_ascii_case("clear") => Ok(ShellCommand::ClearBest),
            Some(word) => Err(format!("`{word}` is not `clear`: write `{}`", self.usage)),
        }
    }

    pub(super) fn change(&mut self) -> Result<SettingsChange, String> {
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
            words::check_mode(game, mode).map_err(|error| error.to_string())?;
        }
        Ok(change)
    }

    /// The current position is asked for if there is none.
    pub(super) fn position_or_question(&mut self) -> Result<ShellCommand, String> {
        if self.rest.is_empty() {
            return Ok(ShellCommand::TellPosition);
        }
        Ok(ShellCommand::Position(Box::new(self.position()?)))
    }

    fn position(&mut self) -> Result<Position, String> {
        let first = self.word("the text of the rows, from the top, with / between them,")?;
        if let Some(game) = position::game_of(first) {
            self.usage = position::usage(game);
            if let Some(position) = position::in_words(game, self.rest, self.layout) {
                self.rest = "";
                return position.map_err(|error| error.to_string());
            }
            let position = position::own(game, self.word("what that position has in bytes")?);
            return position.map_err(|error| error.to_string());
        }
        let points = words::rows(first, self.layout).map_err(|error| error.to_string())?;
        let turn = self.word("`turn green` or `turn red`")?;
        if !turn.eq_ignore_ascii_case("turn") {
            return Err(format!("`{turn}` is not `turn`: write `{}`", self.usage));
        }
        let side = self.word("the side that moves")?;
        let turn = one_of("a side", side, &SIDES)?;
        Ok(Diagram { points, turn }.into())
    }

    fn rows(&mut self) -> Result<Packed, String> {
        let text = self.word("the text of the rows, from the top, with / between them,")?;
        words::rows(text, self.layout).map_err(|error| error.to_string())
    }

    pub(super) fn expectation(&mut self) -> Result<Expectation, String> {
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

    fn points(&mut self) -> Result<u32, String> {
        self.number("a score", 0, u32::MAX)
    }

    fn points_lit(&mut self) -> Result<usize, String> {
        self.number("a number of points", 0, self.layout.points())
    }

    /// Takes a pitch in Hz; `none` is 0.
    fn pitch(&mut self) -> Result<u16, String> {
        let word = self.word("a pitch in hertz, or `none`,")?;
        if word.eq_ignore_ascii_case("none") {
            return Ok(0);
        }
        number(word, "a pitch in hertz", 0, u16::MAX)
    }

    fn hash(&mut self) -> Result<u64, String> {
        let word = self.word("a digest")?;
        let hash = (word.len() == 16).then(|| u64::from_str_radix(word, 16).ok());
        hash.flatten()
            .ok_or_else(|| format!("`{word}` is not a digest: it has 16 hexadecimal digits"))
    }

    /// Takes a condition that the current value of a signal can decide.
    fn condition_now(&mut self) -> Result<SignalCondition, String> {
        let text = self.all("a condition, such as `turn = red`,")?;
        let condition = SignalCondition::parse(text, self.layout);
        let condition = condition.map_err(|error| error.to_string())?;
        if !condition.is_of_one_tick() {
            return Err(format!(
                "`{text}` can only be judged over time, but `expect` looks at a single tick: write `run until {text}`"
            ));
        }
        Ok(condition)
    }

    /// Takes the line that is expected to be refused; it must not be an expectation itself.
    fn refused(&mut self) -> Result<String, String> {
        let line = self.all("a line")?;
        if first_word(line).eq_ignore_ascii_case("expect") {
            return Err("`expect refused` wants a line that does something: write `expect refused set mode=9`".to_owned());
        }
        Ok(line.to_owned())
    }

    /// Takes points, and returns them in the order of the board, each once.
    fn legal(&mut self) -> Result<Vec<Point>, String> {
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

fn not_expectable(word: &str, layout: Layout) -> String {
    let names = || layout.iter().map(|point| layout.name(point));
    let ends = [names().min(), names().max()].map(Option::unwrap_or_default);
    let points = format!("a point ({} to {})", ends[0], ends[1]);
    let known = EXPECT_USAGES
        .iter()
        .filter_map(|usage| usage.split(' ').nth(1));
    let possible = known.chain([points.as_str()]);
    unknown("something to expect", word, possible)
}

fn layout(word: &str) -> Result<LayoutArgument, String> {
    let sides = word.split_once(['x', 'X']).filter(|(columns, rows)| {
        let is_number =
            |side: &str| !side.is_empty() && side.bytes().all(|byte| byte.is_ascii_digit());
        is_number(columns) && is_number(rows)
    });
    let Some((columns, rows)) = sides else {
        return Ok(LayoutArgument::File(word.to_owned()));
    };
    let (Ok(columns), Ok(rows)) = (columns.parse(), rows.parse()) else {
        return Err(format!(
            "`{word}` is not a layout: each side goes from 1 to {}",
            protocol::GridSize::MAX
        ));
    };
    let layout = Layout::grid(columns, rows).map_err(|error| error.to_string())?;
    Ok(LayoutArgument::Layout(layout))
}

/// Replaces each run of blanks by one.
#[must_use]
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Adds `name=value` to a change.
fn named_value(change: &mut SettingsChange, word: &str) -> Result<(), String> {
    let (name, value) = word.split_once('=').ok_or_else(|| {
        format!("`{word}` is not a setting: write name=value without blanks, as in `mode=2`")
    })?;
    let (place, value) = match name.to_ascii_lowercase().as_str() {
        "game" => {
            let named = game(value)?;
            if let NamedGame::Text(file) = named {
                change.text = Some(file);
            }
            (&mut change.game, named.number())
        }
        "mode" => {
            let mode = words::mode_number(value).map_err(|error| error.to_string())?;
            (&mut change.mode, mode)
        }
        "level" => (&mut change.level, number(value, "a level", 0, LEVELS - 1)?),
        "time" => (&mut change.time, number(value, "a time", 0, 9)?),
        "speed" => (&mut change.speed, number(value, "a speed", 0, 9)?),
        _ => {
            return Err(unknown("a setting", name, SETTINGS.into_iter()));
        }
    };
    if place.replace(value).is_some() {
        return Err(format!(
            "`{name}` is set twice in one line: say which value you mean"
        ));
    }
    Ok(())
}

fn rhythm(word: &str) -> Result<Rhythm, String> {
    let names = Rhythm::ALL.into_iter().map(Rhythm::name);
    Rhythm::from_name(word).ok_or_else(|| unknown("a rhythm", word, names))
}

fn game(word: &str) -> Result<NamedGame, String> {
    game_names::find(word).ok_or_else(|| {
        if is_number(word) {
            return format!(
                "there is no game {word}: choose {}",
                words::games(games::ROSTER)
            );
        }
        if word.ends_with(".lud") {
            return format!(
                "`{word}` is not a bundled text: `insert {word}` reads it from its file"
            );
        }
        let near = game_names::near(word);
        if !near.is_empty() {
            let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
            let near = list(near.iter().map(String::as_str));
            return format!("`{word}` is not a game: did you mean {near}?");
        }
        let all = game_names::table().iter().map(|row| row.own.as_str());
        let all = list(all);
        format!(
            "`{word}` is not a game: choose {all}; a text of your own is put on the board with `insert FILE`"
        )
    })
}

/// True for a whole number of any length, including negative ones.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

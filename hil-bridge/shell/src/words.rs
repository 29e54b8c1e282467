//! The words of a line, taken one by one, and what any command may have among them:
//! numbers, points, buttons and colours.

use core::ops::RangeInclusive;

use protocol::{Button, Colour, Layout, Point, Tick};
use touchboard_host::words;

use super::parse_error::ParseError;

/// The maximum of `wait`: a day of board time, in ms.
pub const LONGEST_WAIT_MS: Tick = 24 * 60 * 60 * 1_000;

/// The words of a line that have not been parsed yet.
pub(super) struct Words<'a> {
    /// The syntax of the line.
    pub(super) usage: &'static str,
    pub(super) rest: &'a str,
    pub(super) layout: Layout,
}

impl<'a> Words<'a> {
    pub(super) fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (word, rest) = split(self.rest);
        self.rest = rest;
        Some(word)
    }

    /// Takes the next word, which is required.
    pub(super) fn word(&mut self, what: &'static str) -> Result<&'a str, ParseError> {
        let usage = self.usage;
        self.next().ok_or(ParseError::Missing { what, usage })
    }

    /// Takes the rest of the line, which is required.
    pub(super) fn all(&mut self, what: &'static str) -> Result<&'a str, ParseError> {
        let all = self.rest;
        self.word(what)?;
        self.rest = "";
        Ok(all)
    }

    /// Takes the rest of the line, which may be empty.
    pub(super) fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }

    pub(super) fn end(&mut self) -> Result<(), ParseError> {
        let usage = self.usage;
        self.next().map_or(Ok(()), |word| {
            let word = word.to_owned();
            Err(ParseError::TooMany { word, usage })
        })
    }

    pub(super) fn number<T: TryFrom<u64>>(
        &mut self,
        what: &'static str,
        range: RangeInclusive<u64>,
    ) -> Result<T, ParseError> {
        number(self.word(what)?, what, range)
    }

    pub(super) fn ticks(&mut self) -> Result<Tick, ParseError> {
        self.number("a number of ms", 0..=LONGEST_WAIT_MS)
    }

    pub(super) fn point(&mut self) -> Result<Point, ParseError> {
        let word = self.word("a point")?;
        point(word, self.layout)
    }

    /// Takes the next word, which has to be one of these.
    fn word_of(
        &mut self,
        kind: &'static str,
        possible: impl Iterator<Item = &'static str>,
    ) -> Result<&'a str, ParseError> {
        self.next().ok_or_else(|| ParseError::MissingOneOf {
            kind,
            possible: possible.map(str::to_owned).collect(),
        })
    }

    pub(super) fn button(&mut self) -> Result<Button, ParseError> {
        let names = Button::ALL.iter().map(|button| button.name());
        let word = self.word_of("a button", names.clone())?;
        Button::from_name(word).ok_or_else(|| ParseError::unknown("a button", word, names))
    }

    pub(super) fn choice<T: Copy>(
        &mut self,
        kind: &'static str,
        all: &[(&'static str, T)],
    ) -> Result<T, ParseError> {
        let word = self.word_of(kind, all.iter().map(|(name, _)| *name))?;
        one_of(kind, word, all)
    }

    pub(super) fn colour(&mut self) -> Result<Colour, ParseError> {
        let word = self.word("a colour")?;
        colour(word)
    }
}

/// The first word, and what follows it.
pub(super) fn split(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

pub(super) fn one_of<T: Copy>(
    kind: &'static str,
    word: &str,
    all: &[(&'static str, T)],
) -> Result<T, ParseError> {
    all.iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(word))
        .map(|(_, value)| *value)
        .ok_or_else(|| ParseError::unknown(kind, word, all.iter().map(|(name, _)| *name)))
}

pub(super) fn number<T: TryFrom<u64>>(
    word: &str,
    what: &'static str,
    range: RangeInclusive<u64>,
) -> Result<T, ParseError> {
    let number = word.parse().ok().filter(|number| range.contains(number));
    number
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| ParseError::Number {
            word: word.to_owned(),
            what,
            least: *range.start(),
            most: *range.end(),
        })
}

pub(super) fn point(word: &str, layout: Layout) -> Result<Point, ParseError> {
    layout.point(word).map_err(|error| ParseError::Point {
        word: word.to_owned(),
        error,
    })
}

pub(super) fn colour(word: &str) -> Result<Colour, ParseError> {
    words::colour(word)
        .ok_or_else(|| ParseError::unknown("a colour", word, Colour::all().map(Colour::name)))
}

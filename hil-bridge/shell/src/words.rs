//! The words of a line, taken one by one, and what any command may have among them:
//! numbers, points, buttons and colours.

use core::str::FromStr;

use protocol::{Button, Colour, Layout, Point, Tick};
use touchboard_host::words;

/// The maximum of `wait`: a day of board time, in ms.
pub const LONGEST_WAIT_MS: Tick = 24 * 60 * 60 * 1_000;

/// The maximum edit distance at which a word is proposed as a correction.
const NEAR: usize = 2;

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
    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, String> {
        let usage = self.usage;
        self.next()
            .ok_or_else(|| format!("{what} is missing: write `{usage}`"))
    }

    /// Takes the rest of the line, which is required.
    pub(super) fn all(&mut self, what: &str) -> Result<&'a str, String> {
        let all = self.rest;
        self.word(what)?;
        self.rest = "";
        Ok(all)
    }

    /// Takes the rest of the line, which may be empty.
    pub(super) fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }

    pub(super) fn end(&mut self) -> Result<(), String> {
        let usage = self.usage;
        self.next().map_or(Ok(()), |word| {
            Err(format!("`{word}` is one word too many: write `{usage}`"))
        })
    }

    pub(super) fn number<T>(&mut self, what: &str, least: T, most: T) -> Result<T, String>
    where
        T: FromStr + PartialOrd + core::fmt::Display,
    {
        let word = self.word(what)?;
        number(word, what, least, most)
    }

    pub(super) fn ticks(&mut self) -> Result<Tick, String> {
        self.number("a number of ms", 0, LONGEST_WAIT_MS)
    }

    pub(super) fn point(&mut self) -> Result<Point, String> {
        let word = self.word("a point")?;
        point(word, self.layout)
    }

    /// Takes the next word, which has to be one of these.
    fn word_of(
        &mut self,
        kind: &str,
        possible: impl Iterator<Item = &'static str>,
    ) -> Result<&'a str, String> {
        self.next()
            .ok_or_else(|| format!("{kind} is missing: choose {}", list(possible)))
    }

    pub(super) fn button(&mut self) -> Result<Button, String> {
        let names = Button::ALL.iter().map(|button| button.name());
        let word = self.word_of("a button", names.clone())?;
        Button::from_name(word).ok_or_else(|| unknown("a button", word, names))
    }

    pub(super) fn choice<T: Copy>(
        &mut self,
        kind: &str,
        all: &[(&'static str, T)],
    ) -> Result<T, String> {
        let word = self.word_of(kind, all.iter().map(|(name, _)| *name))?;
        one_of(kind, word, all)
    }

    pub(super) fn colour(&mut self) -> Result<Colour, String> {
        let word = self.word("a colour")?;
        colour(word)
    }
}

/// The first word, and what follows it.
pub(super) fn split(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

/// The sentence about an unknown word, with the word that was probably meant.
pub(super) fn unknown<'a>(
    kind: &str,
    word: &str,
    possible: impl Iterator<Item = &'a str> + Clone,
) -> String {
    let lower = word.to_lowercase();
    let near = possible
        .clone()
        .map(|other| {
            (
                strsim::damerau_levenshtein(&lower, &other.to_lowercase()),
                other,
            )
        })
        .filter(|(distance, _)| *distance <= NEAR && *distance * 2 <= word.len())
        .min();
    match near {
        Some((_, other)) => format!("`{word}` is not {kind}: did you mean `{other}`?"),
        None => format!("`{word}` is not {kind}: choose {}", list(possible)),
    }
}

/// Joins words: `a, b or c`.
pub(super) fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

pub(super) fn one_of<T: Copy>(
    kind: &str,
    word: &str,
    all: &[(&'static str, T)],
) -> Result<T, String> {
    all.iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(word))
        .map(|(_, value)| *value)
        .ok_or_else(|| unknown(kind, word, all.iter().map(|(name, _)| *name)))
}

pub(super) fn number<T>(word: &str, what: &str, least: T, most: T) -> Result<T, String>
where
    T: FromStr + PartialOrd + core::fmt::Display,
{
    word.parse()
        .ok()
        .filter(|value| (&least..=&most).contains(&value))
        .ok_or_else(|| format!("`{word}` is not {what}: choose {least} to {most}"))
}

pub(super) fn point(word: &str, layout: Layout) -> Result<Point, String> {
    layout
        .point(word)
        .map_err(|error| format!("`{word}`: {error}"))
}

pub(super) fn colour(word: &str) -> Result<Colour, String> {
    words::colour(word).ok_or_else(|| unknown("a colour", word, Colour::all().map(Colour::name)))
}

//! The errors of a text, and how they are shown: the line of the text, a marker below it,
//! and what was expected.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use thiserror::Error;

use crate::tree::TextSpan;

/// An error in a text, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct TextError {
    /// The bytes of the text that contain the error.
    pub span: TextSpan,
    /// The error in the text.
    pub problem: Problem,
}

/// The kinds of errors.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text has more than this many characters.
    #[error("the text has {0} characters, and {limit} is the maximum", limit = super::LONGEST)]
    TooLong(usize),
    /// A quoted text is not closed.
    #[error("this quoted text never ends: a closing quote is expected")]
    OpenQuote,
    /// A bracket is not closed.
    #[error("nothing closes this bracket: `{0}` is expected")]
    OpenBracket(char),
    /// A bracket closes nothing, or one of a different kind.
    #[error("this `{0}` closes nothing that is open")]
    StrayBracket(char),
    /// A bracket is still open when one of another kind is closed at the given place.
    #[error("nothing closes this bracket: `{0}` is expected before the `{1}` below")]
    NotClosed(char, char, TextSpan),
    /// One bracket too many, or the bracket that closes the one at the given place is
    /// missing.
    #[error("this `{0}` is one too many, or `{1}` is missing before it")]
    OneTooMany(char, char, TextSpan),
    /// A bracket follows the end of the outermost one, which is at the given place.
    #[error("this `{0}` closes nothing that is open: there is one too many, here or above")]
    ClosedBefore(char, TextSpan),
    /// Brackets are nested too deeply.
    #[error("more than {0} brackets stand within each other here")]
    TooDeep(usize),
    /// A call without a word: `()`.
    #[error("an empty pair of brackets says nothing: a word is expected after `(`")]
    EmptyCall,
    /// A call that does not begin with a word.
    #[error("a word is expected after `(`, such as `(move Step)`")]
    NoHead,
    /// A name with a colon but without a value.
    #[error("a value is expected after `{0}:`")]
    NoValue(String),
    /// A named argument within a set.
    #[error("`{0}:` names an argument, which cannot stand within `{{ }}`")]
    NameInSet(String),
    /// A number is out of range.
    #[error("`{0}` is too large a number")]
    Number(String),
    /// A macro is not defined.
    #[error("nothing is defined by the name \"{name}\"{}", nearest(.near.as_deref()))]
    UnknownMacro {
        /// The name of the macro.
        name: String,
        /// The most similar name that is defined.
        near: Option<String>,
    },
    /// A construct does not exist in the language.
    #[error("the language has no `{name}`{}", nearest(.near.as_deref()))]
    UnknownConstruct {
        /// The name of the construct.
        name: String,
        /// The most similar construct.
        near: Option<String>,
    },
    /// A construct does not have an argument with this name.
    #[error("`{construct}` takes no argument `{name}:`{}", nearest_argument(.near.as_deref()))]
    UnknownArgument {
        /// The name of the construct.
        construct: String,
        /// The name of the argument.
        name: String,
        /// The most similar argument, or all arguments of the construct.
        near: Option<String>,
    },
    /// A `define` has an invalid form.
    #[error("a define has the form `(define \"Name\" ...)`")]
    Define,
    /// Macros that use each other endlessly.
    #[error("\"{name}\" is expanded more than {limit} times: it seems to name itself", limit = super::MOST_EXPANSIONS)]
    Endless {
        /// The name of the macro.
        name: String,
    },
    /// Macros whose expansion keeps growing.
    #[error("the text grows beyond {limit} characters when \"{name}\" is expanded", limit = super::LONGEST)]
    Grows {
        /// The name of the macro.
        name: String,
    },
    /// Expanding the macros would take too long.
    #[error("the macros of this text take too much work to expand")]
    TooMuchWork,
    /// An option has an unexpected form.
    #[error(
        "an option has the form `(option \"Heading\" <Tag> args:{{<a> <b>}} {{ (item \"Name\" <value> <value> \"What it does\")* }})`: {0}"
    )]
    Option(&'static str),
    /// The tag of an option that is not in any list.
    #[error("no option has the tag `{0}`")]
    UnknownTag(String),
    /// The text does not offer this choice.
    #[error("the game has no option \"{name}\"{}", nearest(.near.as_deref()))]
    UnknownChoice {
        /// The name of the choice.
        name: String,
        /// The most similar choice.
        near: Option<String>,
    },
    /// A range has too many values.
    #[error("a range has at most {limit} numbers", limit = super::LONGEST_RANGE)]
    Range,
    /// A range has no end.
    #[error("the text grows beyond {limit} characters when its ranges are written out", limit = super::LONGEST)]
    Ranges,
    /// A range of sites is invalid.
    #[error("a range of sites has the form \"A1\"..\"C3\"")]
    SiteRange,
    /// The text contains no game.
    #[error("the text has no game: `(game \"Name\" ...)` is expected")]
    NoGame,
    /// The rules are valid in the language but cannot be compiled.
    #[error("{0}")]
    NotCompiled(String),
    /// The text contains something besides the game.
    #[error(
        "the text has something beside its game: only `(define ...)`, `(option ...)`, `(rulesets ...)` and `(metadata ...)` may stand there"
    )]
    Beside,
}

fn nearest(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

fn nearest_argument(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean `{near}:`?"))
}

impl Problem {
    /// A second place that the error is about, with an explanation.
    #[must_use]
    pub fn also(&self) -> Option<(TextSpan, &'static str)> {
        match self {
            Problem::NotClosed(_, _, at) => Some((*at, "it is still open here")),
            Problem::OneTooMany(_, _, at) => Some((*at, "this one is still open")),
            Problem::ClosedBefore(_, at) => Some((*at, "all was closed here")),
            _ => None,
        }
    }

    /// True if the error is in the request rather than in the text.
    fn is_of_no_place(&self) -> bool {
        matches!(self, Problem::UnknownChoice { .. } | Problem::TooLong(_))
    }
}

/// The most similar of these names, if it is similar enough; never the name itself.
pub fn near<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let lower = name.to_lowercase();
    names
        .filter(|other| *other != name)
        .map(|other| (strsim::jaro_winkler(&lower, &other.to_lowercase()), other))
        .filter(|(score, _)| *score >= 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)))
        .map(|(_, other)| other.to_owned())
}

impl TextError {
    /// The error for people: the line of the text with a marker below it, and the sentence.
    pub fn shown(&self, path: &str, text: &str) -> String {
        let title = self.sentence(text);
        let group = Group::with_title(Level::ERROR.primary_title(&title));
        if self.problem.is_of_no_place() {
            let group = group.element(Origin::path(path));
            return Renderer::plain().render(&[group]);
        }
        let mut snippet = Snippet::source(text).path(path);
        let place = self.place(text);
        snippet = snippet.annotation(AnnotationKind::Primary.span(place.clone()));
        if let Some((at, label)) = self.problem.also() {
            let at = within_a_line(text, at);
            snippet = snippet.annotation(AnnotationKind::Context.span(at).label(label));
        }
        Renderer::plain().render(&[group.element(snippet)])
    }

    /// The bytes to mark. They are on one line, because a marker over many lines would
    /// hide the cause.
    #[must_use]
    pub fn place(&self, text: &str) -> Range<usize> {
        let place = within_a_line(text, self.span);
        let Problem::UnknownArgument { name, .. } = &self.problem else {
            return place;
        };
        // Marks the name of an argument rather than its value.
        let before = text[..place.start].trim_end();
        let named = before.strip_suffix(':').map(str::trim_end);
        match named.filter(|named| named.ends_with(name.as_str())) {
            Some(named) => named.len() - name.len()..before.len(),
            None => place,
        }
    }
}

/// The part of a span that is on its first line.
fn within_a_line(text: &str, span: TextSpan) -> Range<usize> {
    let start = floor(text, span.start as usize);
    let end = floor(text, span.end as usize).max(start);
    start..text[start..end].find('\n').map_or(end, |line| start + line)
}

/// The line and column at which a span begins, both from 1.
pub fn line_and_column(text: &str, place: TextSpan) -> (usize, usize) {
    let before = &text[..floor(text, place.start as usize)];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (line, column)
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

//! The terms of a condition, each about one signal: `turn = red`, `score.green >= 10`,
//! `event.illegal`, `lit.d4 rises`, `button.start for 900`, `point.d4 for < 20`.

use protocol::{Layout, Tick};

use super::possible::PossibleValues;
use super::{Signal, SignalError, SignalValue};

/// Why a text is not a condition on signals. Each error is about one term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConditionError {
    /// The term is empty, or begins with `for`.
    #[error("a signal is missing, such as `turn`, `light.d4` or `event.illegal`")]
    NoSignal,
    /// The first word is not a signal of this board.
    #[error(transparent)]
    Signal(#[from] SignalError),
    /// The word after the signal is not a comparison.
    #[error("`{0}` is not a comparison: choose one of {COMPARISONS}")]
    NotAComparison(String),
    /// A word follows a comparison that takes no value.
    #[error("`{word}` is one word too many after `{comparison}`")]
    TooManyWords {
        /// The word.
        word: String,
        /// The comparison.
        comparison: String,
    },
    /// This comparison needs numbers, but the signal has words or lights.
    #[error("`{0}` compares numbers, and this signal has none: write `=` or `!=`")]
    NoNumbers(String),
    /// No word follows this comparison of numbers, or several do.
    #[error("one number has to follow `{0}`")]
    NotOneNumber(String),
    /// The word after a comparison of numbers is not a number.
    #[error("`{word}` is not a number to compare with `{comparison}`")]
    NotANumber {
        /// The word.
        word: String,
        /// The comparison.
        comparison: String,
    },
    /// Nothing follows this comparison with `=` or `!=`.
    #[error("a value is missing after `{0}`")]
    NoValue(String),
    /// The signal cannot have the value.
    #[error("the signal never has the value `{value}`: {possible}")]
    NeverSo {
        /// The value.
        value: String,
        /// The values that the signal can have.
        possible: PossibleValues,
    },
    /// The word after `for` is not a number.
    #[error("`{0}` is not a number of ms")]
    NotMs(String),
    /// No pulse is shorter than this many ms.
    #[error("a pulse is 1 ms at least: write `for < 2` or more")]
    TooShort(Tick),
    /// `for` follows `changes`.
    #[error("a change has no length: leave `for` out, or write `rises`")]
    ChangeWithLength,
}

/// The test of a signal's value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    /// The signal is on: not 0, `off` or `none`.
    On,
    /// The signal has this value, or (`false`) any other.
    Equals(String, bool),
    /// The signal is a number in this order to another.
    Compares(NumberOrder, u64),
    /// The value of the signal changes.
    Changes,
    /// The signal goes from off to on.
    Rises,
    /// The signal goes from on to off.
    Falls,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberOrder {
    Less,
    AtMost,
    AtLeast,
    More,
}

/// For how long the test has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    /// At least this many ms; the term is met once they have passed.
    AtLeast(Tick),
    /// Fewer ms than this; the term is met when it ends.
    Below(Tick),
}

/// What a condition requires of one signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) signal: Signal,
    test: Test,
    width: Width,
}

/// The comparisons, as they are written.
const COMPARISONS: &str = "=, !=, <, <=, >, >=, changes, rises, falls";

impl Term {
    /// Reads a term on a board of this layout: a signal, optionally a comparison and a
    /// value, optionally `for` and a number of ms, or `for <` and a number of ms.
    ///
    /// # Errors
    /// A [`ConditionError`] about the first wrong word.
    pub(super) fn parse(words: &[&str], layout: Layout) -> Result<Term, ConditionError> {
        let mut words = words.to_vec();
        let width = match words.as_slice() {
            [.., "for", "<", ms] => {
                let ms = number_of_ms(ms)?;
                if ms < 2 {
                    return Err(ConditionError::TooShort(ms));
                }
                words.truncate(words.len() - 3);
                Width::Below(ms)
            }
            [.., "for", ms] => {
                let ms = number_of_ms(ms)?;
                words.truncate(words.len() - 2);
                Width::AtLeast(ms)
            }
            _ => Width::AtLeast(0),
        };
        let (name, rest) = words.split_first().ok_or(ConditionError::NoSignal)?;
        let signal = Signal::parse(name, layout)?;
        let test = test(&signal, rest)?;
        if width != Width::AtLeast(0) && test == Test::Changes {
            return Err(ConditionError::ChangeWithLength);
        }
        Ok(Term {
            signal,
            test,
            width,
        })
    }

    /// True if one look at the signal tells whether the term is met: no change is waited
    /// for, and no time.
    pub(super) fn is_of_one_tick(&self) -> bool {
        let is_level = matches!(self.test, Test::On | Test::Equals(..) | Test::Compares(..));
        is_level && self.width == Width::AtLeast(0)
    }

    /// True if the term is met at one tick only, not while something lasts.
    fn is_momentary(&self) -> bool {
        matches!(self.test, Test::Changes | Test::Rises | Test::Falls)
    }

    /// Whether the test holds for one value.
    fn holds(&self, value: &SignalValue) -> bool {
        match &self.test {
            Test::On | Test::Rises => value.is_on(),
            Test::Falls => !value.is_on(),
            Test::Equals(text, wanted) => is_called(value, text) == *wanted,
            Test::Compares(order, than) => {
                let number = value.as_number();
                number.is_some_and(|number| match order {
                    NumberOrder::Less => number < *than,
                    NumberOrder::AtMost => number <= *than,
                    NumberOrder::AtLeast => number >= *than,
                    NumberOrder::More => number > *than,
                })
            }
            Test::Changes => true,
        }
    }
}

fn number_of_ms(text: &str) -> Result<Tick, ConditionError> {
    let read = text.parse();
    read.map_err(|_| ConditionError::NotMs(text.to_owned()))
}

fn test(signal: &Signal, words: &[&str]) -> Result<Test, ConditionError> {
    let Some((first, value)) = words.split_first() else {
        // A count is on for ever after its first event, which nobody means.
        return Ok(match signal {
            Signal::Event(_) => Test::Changes,
            _ => Test::On,
        });
    };
    let edge = match *first {
        "changes" => Some(Test::Changes),
        "rises" => Some(Test::Rises),
        "falls" => Some(Test::Falls),
        _ => None,
    };
    if let Some(edge) = edge {
        return match value {
            [] => Ok(edge),
            [more, ..] => Err(ConditionError::TooManyWords {
                word: (*more).to_owned(),
                comparison: (*first).to_owned(),
            }),
        };
    }
    let order = match *first {
        "=" => return equals(signal, first, value, true),
        "!=" => return equals(signal, first, value, false),
        "<" => NumberOrder::Less,
        "<=" => NumberOrder::AtMost,
        ">=" => NumberOrder::AtLeast,
        ">" => NumberOrder::More,
        other => return Err(ConditionError::NotAComparison(other.to_owned())),
    };
    if let PossibleValues::Words(_) | PossibleValues::Lights = PossibleValues::of(signal) {
        return Err(ConditionError::NoNumbers((*first).to_owned()));
    }
    match value {
        [number] => match number.parse() {
            Ok(number) => Ok(Test::Compares(order, number)),
            Err(_) => Err(ConditionError::NotANumber {
                word: (*number).to_owned(),
                comparison: (*first).to_owned(),
            }),
        },
        _ => Err(ConditionError::NotOneNumber((*first).to_owned())),
    }
}

fn equals(
    signal: &Signal,
    comparison: &str,
    value: &[&str],
    wanted: bool,
) -> Result<Test, ConditionError> {
    if value.is_empty() {
        return Err(ConditionError::NoValue(comparison.to_owned()));
    }
    let value = value.join(" ");
    let possible = PossibleValues::of(signal);
    match possible.contain(&value) {
        true => Ok(Test::Equals(value, wanted)),
        false => Err(ConditionError::NeverSo { value, possible }),
    }
}

/// Whether this is how a person may write a value: runs of blanks count as one, and case
/// does not matter.
fn is_called(value: &SignalValue, text: &str) -> bool {
    if let SignalValue::Bit(bit) = value {
        let is_on = ["on", "true", "1"].map(|word| word.eq_ignore_ascii_case(text));
        return is_on.contains(&true) == *bit;
    }
    let name = value.to_string();
    let words = name.split_whitespace().collect::<Vec<_>>().join(" ");
    words.eq_ignore_ascii_case(text)
}

/// Watches one signal for a term.
#[derive(Clone, Debug)]
pub(super) struct TermWatch {
    term: Term,
    before: Option<SignalValue>,
    /// Since when the test has held.
    since: Option<Tick>,
}

impl TermWatch {
    /// Watches for this term from now on.
    pub(super) fn new(term: Term) -> TermWatch {
        TermWatch {
            term,
            before: None,
            since: None,
        }
    }

    /// Takes the value of the signal at this tick; true if the term is met. An edge needs a
    /// value before it, so the first look never sees one. A pulse that must be short needs
    /// its beginning, too.
    pub(super) fn update(&mut self, tick: Tick, value: &SignalValue) -> bool {
        let before = self.before.replace(value.clone());
        let holds = self.term.holds(value);
        if let Width::Below(ms) = self.term.width {
            let is_first = before.is_none_or(|before| self.term.holds(&before));
            return match (holds, self.since) {
                (true, None) if !is_first => {
                    self.since = Some(tick);
                    false
                }
                (true, _) => false,
                (false, _) => {
                    let since = self.since.take();
                    since.is_some_and(|since| tick.saturating_sub(since) < ms)
                }
            };
        }
        let begins = match self.term.test {
            Test::Changes => before.is_some_and(|before| before != *value),
            Test::Rises | Test::Falls => {
                holds && before.is_some_and(|before| !self.term.holds(&before))
            }
            Test::On | Test::Equals(..) | Test::Compares(..) => holds,
        };
        match (holds, begins, self.since) {
            (false, ..) => self.since = None,
            (true, true, None) => self.since = Some(tick),
            _ => {}
        }
        let is_met = self.meets_at().is_some_and(|at| tick >= at);
        if is_met && self.term.is_momentary() {
            self.since = None;
        }
        is_met
    }

    /// The tick at which the term will be met if the signal does not change.
    pub(super) fn meets_at(&self) -> Option<Tick> {
        match self.term.width {
            Width::AtLeast(ms) => Some(self.since? + ms),
            Width::Below(_) => None,
        }
    }
}

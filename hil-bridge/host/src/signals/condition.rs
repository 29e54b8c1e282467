//! Conditions on signals, at which a board stops: `turn = red`, or several joined by `and`:
//! `event.illegal and turn = red`.
//!
//! Invariants: a condition is met at a tick at which each of its terms is; edges and events
//! are met only at the tick at which they happen.

use std::fmt;

use firmware_core::AnyBoard;
use protocol::{Layout, Tick};

use super::replayer::next_look;
use super::term::{ConditionError, Term, TermWatch};
use super::{Signal, SignalReader, SignalReading, SignalValue};

/// A condition on signals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalCondition {
    /// One at least.
    terms: Vec<Term>,
    text: String,
}

impl SignalCondition {
    /// Reads a condition on a board of this layout: terms that are joined by `and`. A term
    /// is a signal, optionally a comparison and a value, optionally `for` and a number of
    /// ms, or `for <` and a number of ms.
    ///
    /// # Errors
    /// The [`ConditionError`] of the first term that is wrong.
    pub fn parse(text: &str, layout: Layout) -> Result<SignalCondition, ConditionError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let terms = words.split(|word| *word == "and");
        Ok(SignalCondition {
            terms: terms
                .map(|words| Term::parse(words, layout))
                .collect::<Result<_, _>>()?,
            text: words.join(" "),
        })
    }

    /// The signals of the terms, in order.
    #[must_use]
    pub fn signals(&self) -> Vec<Signal> {
        let signal = |term: &Term| term.signal.clone();
        self.terms.iter().map(signal).collect()
    }

    /// True if one look at the signals tells whether the condition is met: no change is
    /// waited for, and no time.
    #[must_use]
    pub fn is_of_one_tick(&self) -> bool {
        self.terms.iter().all(Term::is_of_one_tick)
    }
}

impl fmt::Display for SignalCondition {
    /// Writes the condition as it was read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Watches the signals of a condition.
pub struct SignalWatch {
    condition: SignalCondition,
    terms: Vec<TermWatch>,
    /// A reader of the signals of the terms, in their order.
    pub(super) reader: SignalReader,
}

impl SignalWatch {
    /// Watches for this condition from now on. Counts of events, contacts and faults are
    /// those of another reader.
    #[must_use]
    pub fn new(condition: SignalCondition, known: &SignalReader) -> SignalWatch {
        let terms = condition.terms.iter().cloned();
        SignalWatch {
            terms: terms.map(TermWatch::new).collect(),
            reader: known.of(condition.signals()),
            condition,
        }
    }

    /// The condition that is watched for.
    #[must_use]
    pub fn condition(&self) -> &SignalCondition {
        &self.condition
    }

    /// Looks at the board; true if the condition is met at this tick.
    pub fn poll(&mut self, board: &AnyBoard) -> bool {
        let values = self.reader.read(board);
        let met = values.map(|(term, value)| self.terms[term].update(board.tick(), &value));
        // Every term has to take in its value, even if one is not met.
        met.filter(|is_met| *is_met).count() == self.terms.len()
    }

    /// The values of the signals at the current tick of this board, by name. Contacts of
    /// which nothing is told have none.
    #[must_use]
    pub fn values(&self, board: &AnyBoard) -> Vec<SignalReading> {
        let named = |(term, value): (usize, SignalValue)| SignalReading {
            name: self.condition.terms[term].signal.name(board.layout()),
            value,
        };
        self.reader.read(board).map(named).collect()
    }

    /// The next tick at which the condition may become true without an input, and `until`
    /// at most.
    #[must_use]
    pub fn next_look(&self, board: &AnyBoard, until: Tick) -> Tick {
        let next = next_look(board, &self.reader, until);
        let times = self.terms.iter().filter_map(TermWatch::meets_at);
        // A term that is met already waits for another one.
        let later = times.filter(|at| *at > board.tick());
        later.min().map_or(next, |at| at.min(next))
    }
}

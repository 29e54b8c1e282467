//! The sentences about failed requests. Each stays until the user has had time to read
//! it.

use std::time::Duration;

use bevy::prelude::*;

/// The minimum time for which a sentence stays.
const LEAST_SHOWN: Duration = Duration::from_secs(4);

/// A request of the user that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// A command to the board.
    Order,
    /// A connection to another board.
    Connect,
    /// Saving to a file.
    Save,
}

/// A sentence, and the time at which it appeared.
#[derive(Clone, Debug)]
struct Failure {
    of: RequestKind,
    sentence: String,
    at: Duration,
}

/// The latest failure of each kind of request. Invariants: a sentence is only
/// replaced by a later request of its kind, and removed by a successful one only
/// after it could be read.
#[derive(Resource, Clone, Debug, Default)]
pub struct Trouble(Vec<Failure>);

impl Trouble {
    /// The sentences to show, oldest first.
    pub fn sentences(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|failure| failure.sentence.as_str())
    }

    /// Records the result of a request at this time since the start.
    pub fn record(&mut self, of: RequestKind, result: Result<(), String>, now: Duration) {
        let is_fresh = |failure: &Failure| now.saturating_sub(failure.at) < LEAST_SHOWN;
        match result {
            Ok(()) => self
                .0
                .retain(|failure| failure.of != of || is_fresh(failure)),
            Err(sentence) => {
                self.0.retain(|failure| failure.of != of);
                let at = now;
                self.0.push(Failure { of, sentence, at });
            }
        }
    }

    /// Removes all sentences, because another board is shown.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(trouble: &Trouble) -> Vec<&str> {
        trouble.sentences().collect()
    }

    #[test]
    fn an_error_stays_until_read_and_its_request_succeeds() {
        let mut trouble = Trouble::default();
        let at = Duration::from_secs;
        trouble.record(
            RequestKind::Connect,
            Err("no board there".to_owned()),
            at(10),
        );
        trouble.record(RequestKind::Order, Ok(()), at(10));
        trouble.record(RequestKind::Connect, Ok(()), at(10));
        assert_eq!(sentences(&trouble), ["no board there"]);
        trouble.record(RequestKind::Save, Ok(()), at(60));
        assert_eq!(sentences(&trouble), ["no board there"]);
        trouble.record(RequestKind::Connect, Ok(()), at(60));
        assert_eq!(sentences(&trouble), [""; 0]);
    }

    #[test]
    fn a_later_error_replaces_one_of_the_same_kind() {
        let mut trouble = Trouble::default();
        for (of, sentence) in [
            (RequestKind::Order, "mode 9 is none"),
            (RequestKind::Save, "the disk is full"),
            (RequestKind::Order, "mode 8 is none"),
        ] {
            trouble.record(of, Err(sentence.to_owned()), Duration::ZERO);
        }
        assert_eq!(sentences(&trouble), ["the disk is full", "mode 8 is none"]);
    }
}

//! The faults of a board, as its session records them.
//!
//! What faulty contacts and a failing supply do to a board are inputs and restarts, which
//! a session contains anyway. A dead lamp changes nothing on the board, only what is seen
//! of it. So whoever looks at a replayed board asks the session which lamps were dead.
//!
//! Faults are notes, so that they need no replay. Invariant: the note of any faults reads
//! back as the same faults.

use firmware_core::Faults;
use protocol::Tick;

use super::{NoteKind, Session, SessionItem};

/// The note that records that a board has these faults from now on.
#[must_use]
pub fn faults_note(faults: &Faults) -> String {
    NoteKind::Faults.note(&faults.to_string())
}

/// The faults that a note records; `None` for any other note.
#[must_use]
pub fn faults_of_note(words: &str) -> Option<Faults> {
    let (kind, faults) = NoteKind::of(words);
    (kind == NoteKind::Faults).then(|| faults.parse().ok())?
}

/// Faults that a session records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedFaults {
    /// The session time in ms from which the board has them.
    pub since_ms: Tick,
    /// The faults.
    pub faults: Faults,
}

impl Session {
    /// The faults that the session records, in order.
    #[must_use]
    pub fn recorded_faults(&self) -> Vec<RecordedFaults> {
        let timed = self.times().into_iter().zip(&self.entries);
        let faults = timed.filter_map(|(time, entry)| match &entry.item {
            SessionItem::Note(words) => Some(RecordedFaults {
                since_ms: time,
                faults: faults_of_note(words)?,
            }),
            _ => None,
        });
        faults.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_of_faults_reads_back_and_no_other_does() {
        for text in ["none", "seed 3, dead-led d6, bounce-ms 4", "drop-ppm 5"] {
            let faults: Faults = text.parse().unwrap();
            assert_eq!(faults_of_note(&faults_note(&faults)), Some(faults));
        }
        for other in ["", "faults", "faults: of the second board", "dead-led d6"] {
            assert_eq!(faults_of_note(other), None, "{other}");
        }
    }
}

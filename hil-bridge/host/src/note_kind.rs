//! What a note in a session is about, for readers that draw it.
//!
//! A note is text, so that a session file can be read by people. What the program itself
//! notes begins with a word for its kind, such as `lost: the line to /dev/ttyACM0 was
//! lost`. Every other note is a mark that somebody set.
//!
//! Invariant: a note that is written with a kind is read back as that kind, with the same
//! words.

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// The faults that the board has from now on; see [`faults_note`](crate::session::faults_note).
    Faults,
    /// The board and its twin differ from here on.
    Differs,
    /// The line to the board was lost.
    Lost,
    /// The board answers again, in the run that was lost.
    Found,
    /// The board restarted, and its state was lost.
    Restarted,
    /// Anything else: a mark of the user, or a remark of the board.
    Mark,
}

impl NoteKind {
    /// The kinds whose notes begin with a word.
    const NAMED: [(NoteKind, &str); 5] = [
        (NoteKind::Faults, "faults: "),
        (NoteKind::Differs, "differs: "),
        (NoteKind::Lost, "lost: "),
        (NoteKind::Found, "found: "),
        (NoteKind::Restarted, "restarted: "),
    ];

    /// The note of this kind with these words.
    #[must_use]
    pub fn note(self, words: &str) -> String {
        let named = NoteKind::NAMED.into_iter().find(|(kind, _)| *kind == self);
        let (_, beginning) = named.unwrap_or((self, ""));
        format!("{beginning}{words}")
    }

    /// The kind of a note, and its words without the word for the kind.
    #[must_use]
    pub fn of(note: &str) -> (NoteKind, &str) {
        let named = NoteKind::NAMED.into_iter();
        let mut found = named.filter_map(|(kind, word)| Some((kind, note.strip_prefix(word)?)));
        found.next().unwrap_or((NoteKind::Mark, note))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_note_is_read_back_with_its_kind(number in 0..NoteKind::NAMED.len(), words in ".*") {
            let (kind, _) = NoteKind::NAMED[number];
            let note = kind.note(&words);
            prop_assert_eq!(NoteKind::of(&note), (kind, words.as_str()));
        }
    }

    #[test]
    fn the_notes_of_people_are_marks() {
        for note in [
            "",
            "mark 1",
            "faults",
            "the line was lost: why?",
            "Lost: a game",
        ] {
            assert_eq!(NoteKind::of(note), (NoteKind::Mark, note));
            assert_eq!(NoteKind::Mark.note(note), note);
        }
    }
}

//! The severity of a line of the log: a word at its beginning, so that all programs
//! recognise it in the same way.

use core::fmt;

/// The severity of a line of [`ToHost::Log`](crate::ToHost::Log).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Information only: a line without such a word.
    Information,
    /// Something is wrong, but the board can still be played.
    Warning,
    /// The board could not continue.
    Error,
}

impl Severity {
    const MARKED: [Severity; 2] = [Severity::Warning, Severity::Error];

    /// The prefix of a line with this severity.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Severity::Information => "",
            Severity::Warning => "warning: ",
            Severity::Error => "error: ",
        }
    }

    /// Splits a line into its severity and its text.
    #[must_use]
    pub fn of(line: &str) -> (Severity, &str) {
        let mut marked = Severity::MARKED.into_iter();
        let found =
            marked.find_map(|severity| Some((severity, line.strip_prefix(severity.mark())?)));
        found.unwrap_or((Severity::Information, line))
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mark())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_much_it_matters_by_its_first_word() {
        let lines = [
            ("the best scores are new", Severity::Information),
            ("warning: a key may be stuck", Severity::Warning),
            ("error: it hung", Severity::Error),
            ("an error: no", Severity::Information),
        ];
        for (line, severity) in lines {
            let (found, rest) = Severity::of(line);
            assert_eq!(found, severity, "{line}");
            assert_eq!(line.strip_prefix(found.mark()), Some(rest));
        }
    }
}

//! The report of a failed test: what is wrong, the board, what was done, and the session
//! file.

use std::fmt;
use std::path::PathBuf;

/// The maximum number of lines printed about what was done.
const MOST_LINES: usize = 12;

/// The report of a failed test.
pub struct Failure<'a> {
    /// A sentence that says what failed.
    pub sentence: String,
    /// The board as `show` draws it; `None` if it cannot be reached.
    pub diagram: Option<String>,
    /// The steps of the test, as lines of the shell.
    pub script: &'a [String],
    /// The file of the session, or a sentence that says why there is none.
    pub session: Result<PathBuf, String>,
}

impl fmt::Display for Failure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.sentence)?;
        if let Some(diagram) = &self.diagram {
            writeln!(f, "{diagram}")?;
        }
        let left_out = self.script.len().saturating_sub(MOST_LINES);
        writeln!(f, "what was done:")?;
        if left_out > 0 {
            writeln!(f, "  ({left_out} lines before)")?;
        }
        for line in &self.script[left_out..] {
            writeln!(f, "  {line}")?;
        }
        match &self.session {
            Ok(file) => write!(
                f,
                "the session is {}: open it in the window, or read it with `hil-bridge transcript`",
                file.display()
            ),
            Err(why) => f.write_str(why),
        }
    }
}

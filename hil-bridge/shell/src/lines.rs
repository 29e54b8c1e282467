//! Where a shell's lines come from: a pipe, a file, or a terminal without an editor.
//! Programs with an editor implement [`Lines`] themselves.

use std::io::{self, BufRead, Read, Write};

use crate::{LONGEST_LINE, Shell};

/// How many bytes of a line that is too long are skipped. If it is even longer, the input
/// is not text.
const LONGEST_PASSED_OVER: u64 = 1 << 20;

/// A source of lines, one at a time.
pub trait Lines {
    /// The next line, or `None` at the end. Text for a person goes to `output`.
    ///
    /// # Errors
    /// When the output cannot be written.
    fn next(
        &mut self,
        shell: &mut Shell<'_>,
        output: &mut dyn Write,
    ) -> io::Result<Result<Option<String>, UnreadableLine>>;
}

/// Why a line could not be read.
pub struct UnreadableLine {
    /// The sentence about it.
    pub sentence: String,
    /// True if no later line can be read either.
    pub ends: bool,
}

impl UnreadableLine {
    /// The input has failed, and no later line can be read.
    #[must_use]
    pub fn failed(error: &dyn std::fmt::Display) -> UnreadableLine {
        UnreadableLine {
            sentence: format!("the commands cannot be read: {error}"),
            ends: true,
        }
    }

    /// The error for a line that is too long.
    #[must_use]
    pub fn too_long() -> UnreadableLine {
        UnreadableLine {
            sentence: format!(
                "the line is longer than {LONGEST_LINE} bytes: write one command a line"
            ),
            ends: false,
        }
    }
}

/// Lines from a stream of bytes, with or without a prompt.
pub struct Plain<R> {
    /// The input from which they are read.
    pub input: R,
    /// True to print a prompt for each line.
    pub is_prompted: bool,
}

/// The prompt before a typed line.
pub const PROMPT: &str = "> ";

impl<R: BufRead> Lines for Plain<R> {
    fn next(
        &mut self,
        _: &mut Shell<'_>,
        output: &mut dyn Write,
    ) -> io::Result<Result<Option<String>, UnreadableLine>> {
        if self.is_prompted {
            write!(output, "{PROMPT}")?;
            output.flush()?;
        }
        Ok(read_line(&mut self.input))
    }
}

/// Reads the next line; `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> Result<Option<String>, UnreadableLine> {
    let failed = |error: io::Error| UnreadableLine::failed(&error);
    let mut bytes = Vec::new();
    let mut short = input.by_ref().take(LONGEST_LINE + 1);
    if short.read_until(b'\n', &mut bytes).map_err(failed)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 > LONGEST_LINE && bytes.last() != Some(&b'\n') {
        let mut rest = input.by_ref().take(LONGEST_PASSED_OVER);
        let passed = rest.skip_until(b'\n').map_err(failed)? as u64;
        if passed == LONGEST_PASSED_OVER {
            return Err(UnreadableLine {
                sentence: "the line has no end: these are not commands".to_owned(),
                ends: true,
            });
        }
        return Err(UnreadableLine::too_long());
    }
    match String::from_utf8(bytes) {
        Ok(line) => Ok(Some(line.trim_start_matches('\u{FEFF}').to_owned())),
        Err(_) => Err(UnreadableLine {
            sentence: "the line is not UTF-8 text: save the script as UTF-8".to_owned(),
            ends: false,
        }),
    }
}

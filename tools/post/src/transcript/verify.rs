//! Verifies a whole transcript, as it is sent to people.

use protocol::Side;

use crate::dice;
use crate::transcript::{EndMark, Match, Stage, TranscriptLine, VerifyError, WrongLine};

/// The result of verifying a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The state of the board after the lines.
    pub board: Match,
    /// How many lines there are.
    pub lines: usize,
    /// True if the end mark was present.
    pub has_end: bool,
}

impl Verified {
    /// Takes the first of these lines; false after the end of the transcript.
    fn take(&mut self, lines: &[&str]) -> Result<bool, WrongLine> {
        let line = lines.first().copied().unwrap_or("");
        if line.is_empty() {
            let goes_on = lines.iter().any(|line| is_of_transcript(line));
            return if goes_on {
                Err(WrongLine::Empty)
            } else {
                Ok(false)
            };
        }
        if let Some(end) = EndMark::read(line) {
            end?.check_match(&self.board)?;
            self.has_end = true;
            return Ok(false);
        }
        self.board.apply(&line.parse::<TranscriptLine>()?)?;
        self.lines += 1;
        Ok(true)
    }

    /// The result in words.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Match { board, rolls, .. } = self.board;
        let dice = match rolls {
            0 => "no dice have fallen yet".to_owned(),
            1 => "the dice of the only roll follow from them".to_owned(),
            rolls => format!("the dice of all {rolls} rolls follow from them"),
        };
        let (lines, end) = if self.has_end {
            (format!("all {} lines", self.lines), "")
        } else {
            let end = " There is no end mark (`end LINES HASH`): what follows may be missing. Compare the hash with that of `malaka show`.";
            (format!("the first {} lines", self.lines), end)
        };
        format!(
            "Board {board}, {} (O) against {} (X), {}: {lines} are right, and {dice}. \
             The hash of all is {}. How it stands: {}.{end}\n",
            self.board.name(Side::Green),
            self.board.name(Side::Red),
            self.board.options,
            dice::hex_of_hash(&self.board.written),
            self.board.expected()
        )
    }
}

/// The words of a line of a transcript, without the time after `#`.
fn words_of(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim()
}

/// Reads the lines of a transcript, alone or within a mail, and checks every one. The
/// text before the line that begins with `board `, the text after the end mark, and in
/// every line the text after `#` are ignored. A transcript without an end mark, as in
/// format 1, ends at an empty line or at the end of the text, unless more of its lines
/// follow.
///
/// # Errors
/// The first invalid line, and what is wrong with it.
pub fn verify(text: &str) -> Result<Verified, VerifyError> {
    let lines: Vec<&str> = text.lines().map(words_of).collect();
    let begin = lines.iter().position(|line| line.starts_with("board "));
    let begin = begin.ok_or(VerifyError::NoTranscript)?;
    let mut verified = Verified {
        board: Match::default(),
        lines: 0,
        has_end: false,
    };
    for place in begin..lines.len() {
        let number = place + 1;
        let goes_on = verified
            .take(&lines[place..])
            .map_err(|why| VerifyError::Line { number, why })?;
        if !goes_on {
            break;
        }
    }
    let board = &verified.board;
    if matches!(board.stage, Stage::Heading(_) | Stage::Decided(_)) {
        return Err(VerifyError::CutOff(board.expected()));
    }
    Ok(verified)
}

/// True for a line that can only belong to a transcript.
fn is_of_transcript(line: &str) -> bool {
    matches!(EndMark::read(line), Some(Ok(_))) || line.parse::<TranscriptLine>().is_ok()
}

//! A game that was left, as a file: the past of its board, what its log said, and the text
//! that it was read from. With it the game continues as if it had never been left.
//!
//! The file begins with [`KeptGame::BEGINS`], a digest of the rest, and the fingerprint of
//! the protocol, whose events it contains. The rest is in postcard.
//!
//! Invariants: [`KeptGame::of_bytes`] takes any bytes and never panics; what
//! [`KeptGame::to_bytes`] writes is read as the same game; reading stops at
//! [`KeptGame::MOST_BYTES`].

use std::path::PathBuf;

use firmware_core::digest::digest_of_bytes;
use protocol::{Event, SCHEMA_HASH, Tick};
use serde::{Deserialize, Serialize};

use crate::recorder::KeptPast;
use crate::session::Session;
use crate::written::Choice;

/// A game that was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptGame {
    /// The past of its board.
    pub past: KeptPast,
    /// The lines of its log, each with its time in the past.
    pub lines: Vec<(Tick, KeptLine)>,
    /// The number of older lines that the log no longer had.
    pub dropped: u64,
    /// The text of the game, if it was read from one.
    pub text: Option<Choice>,
}

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeptLine {
    /// An event of the board.
    Event(Event),
    /// A sentence about the board or its line.
    Said(String),
}

/// Why bytes are not a kept game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoGame {
    /// They are something else.
    #[error("it is not a game that this program kept")]
    Foreign,
    /// They are from another version of this program.
    #[error("it is from another version of this program")]
    Version,
    /// They were changed or cut off.
    #[error("it is damaged")]
    Damaged,
    /// They were written as a game, but do not fit together.
    #[error("{0}")]
    Unsound(String),
}

/// The content of the file after its head.
#[derive(Serialize, Deserialize)]
struct Content {
    session: String,
    states: Vec<(usize, Vec<u8>)>,
    lines: Vec<(Tick, KeptLine)>,
    dropped: u64,
    text: Option<(PathBuf, Vec<String>)>,
}

/// The length of a number in the head.
const NUMBER: usize = size_of::<u64>();

impl KeptGame {
    /// The beginning of each file.
    pub const BEGINS: &[u8] = b"touchboard game 1\n";

    /// The maximum size of a file that is read, in bytes.
    pub const MOST_BYTES: usize = 16 << 20;

    /// A game with this past, of which no log is known.
    #[must_use]
    pub fn without_log(past: KeptPast) -> KeptGame {
        KeptGame {
            past,
            lines: Vec::new(),
            dropped: 0,
            text: None,
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// Those of the encoder.
    pub fn to_bytes(&self) -> postcard::Result<Vec<u8>> {
        let content = Content {
            session: self.past.session().to_text(),
            states: self.past.states().to_vec(),
            lines: self.lines.clone(),
            dropped: self.dropped,
            text: self
                .text
                .clone()
                .map(|Choice { file, options }| (file, options)),
        };
        // Only a path that is no text cannot be written; the game is then kept without it.
        let written = postcard::to_extend(&content, Vec::new()).or_else(|_| {
            let text = None;
            postcard::to_extend(&Content { text, ..content }, Vec::new())
        });
        let content = written?;
        let mut bytes = KeptGame::BEGINS.to_vec();
        bytes.extend(digest_of_bytes(&content).to_le_bytes());
        bytes.extend(SCHEMA_HASH.to_le_bytes());
        bytes.extend(content);
        Ok(bytes)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Why they are not a kept game.
    pub fn of_bytes(bytes: &[u8]) -> Result<KeptGame, NoGame> {
        let rest = bytes
            .strip_prefix(KeptGame::BEGINS)
            .ok_or(NoGame::Foreign)?;
        let (digest, rest) = rest.split_first_chunk::<NUMBER>().ok_or(NoGame::Damaged)?;
        let (schema, rest) = rest.split_first_chunk::<NUMBER>().ok_or(NoGame::Damaged)?;
        if u64::from_le_bytes(*schema) != SCHEMA_HASH {
            return Err(NoGame::Version);
        }
        let is_whole = bytes.len() <= KeptGame::MOST_BYTES
            && u64::from_le_bytes(*digest) == digest_of_bytes(rest);
        if !is_whole {
            return Err(NoGame::Damaged);
        }
        let content: Content = postcard::from_bytes(rest).map_err(|_| NoGame::Damaged)?;
        let unsound = |why: &dyn std::fmt::Display| NoGame::Unsound(why.to_string());
        let session = Session::parse(content.session.as_bytes()).map_err(|why| unsound(&why))?;
        let past = KeptPast::of_parts(session, content.states).map_err(|why| unsound(&why))?;
        Ok(KeptGame {
            past,
            lines: content.lines,
            dropped: content.dropped,
            text: content.text.map(|(file, options)| Choice { file, options }),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use protocol::{Button, Input, Layout, Side};

    use super::*;
    use crate::driver::{CoreDriver, Driver};
    use crate::recorder::RecordingDriver;

    /// A board on which a game was played for this many turns, with its recorder.
    fn played(turns: usize) -> RecordingDriver<CoreDriver> {
        let board = CoreDriver::new(Layout::MALDOO, 5).unwrap();
        let mut board = RecordingDriver::from_now(board, 5, "a test").unwrap();
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            board.step(&[input], 300).unwrap();
        }
        for turn in 0..turns {
            let legal = board.legal().unwrap();
            let Some(point) = legal.get(turn % legal.len().max(1)) else {
                break;
            };
            board.step(&[Input::Touch(*point)], 70).unwrap();
            board.step(&[Input::Release(*point)], 2_500).unwrap();
        }
        board
    }

    fn game() -> KeptGame {
        KeptGame {
            past: played(6).kept(0).unwrap(),
            lines: vec![
                (300, KeptLine::Event(Event::Turn(Side::Green))),
                (400, KeptLine::Said("a sentence".to_owned())),
            ],
            dropped: 3,
            text: Choice::written("hex.lud#5x5"),
        }
    }

    #[test]
    fn a_kept_game_is_read_as_it_was_written() {
        let game = game();
        let bytes = game.to_bytes().unwrap();
        assert_eq!(KeptGame::of_bytes(&bytes), Ok(game));
    }

    #[test]
    fn foreign_bytes_and_other_versions_are_told_apart() {
        let bytes = game().to_bytes().unwrap();
        assert_eq!(KeptGame::of_bytes(b"").unwrap_err(), NoGame::Foreign);
        assert_eq!(KeptGame::of_bytes(b"no game").unwrap_err(), NoGame::Foreign);
        let head = KeptGame::BEGINS.len();
        for (place, why) in [(head, NoGame::Damaged), (head + NUMBER, NoGame::Version)] {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            assert_eq!(KeptGame::of_bytes(&changed), Err(why));
        }
    }

    #[test]
    fn states_that_do_not_fit_the_session_are_refused() {
        let past = game().past;
        let states = past.states().to_vec();
        assert!(states.len() > 3);
        type States = Vec<(usize, Vec<u8>)>;
        let refused = |change: &dyn Fn(&mut States)| {
            let mut states = states.clone();
            change(&mut states);
            KeptPast::of_parts(past.session().clone(), states).is_err()
        };
        assert!(!refused(&|_| ()));
        assert!(refused(&|states| states.clear()));
        assert!(refused(&|states| states.truncate(1)));
        assert!(refused(&|states| states[1].0 = usize::MAX));
        assert!(refused(&|states| states[1].1.truncate(9)));
        assert!(refused(&|states| {
            let state = states[2].1.clone();
            states[1].1 = state;
            states.swap(1, 2);
        }));
    }

    proptest! {
        #[test]
        fn damaged_bytes_are_refused_without_a_panic(
            cut in any::<prop::sample::Index>(),
            flipped in any::<prop::sample::Index>(),
            bit in 0..8_u32,
        ) {
            let bytes = game().to_bytes().unwrap();
            prop_assert!(KeptGame::of_bytes(&bytes[..cut.index(bytes.len())]).is_err());
            let mut changed = bytes.clone();
            changed[flipped.index(bytes.len())] ^= 1 << bit;
            prop_assert!(KeptGame::of_bytes(&changed).is_err());
        }
    }
}

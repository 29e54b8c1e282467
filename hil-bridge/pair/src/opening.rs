//! The board with which a table begins: the first line of a session, which says its layout,
//! games, seed and settings.
//!
//! Invariants: whatever the bytes are, a board comes out or an error; the relay adds its
//! part to the seed, so that who opens a table does not choose the dice.

use protocol::{KnownLayout, Roster, Settings};
use touchboard_host::session::{Header, Session, SessionError};
use touchboard_host::{CoreDriver, Driver, DriverError};

use crate::message::OPENING_BYTES;

/// The note in the line.
const NOTE: &str = "a table for two";
/// The version of the board that a table begins with.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Why a table does not begin with a board. The text is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The opening takes this many bytes, because the text of its game is long.
    #[error(
        "this game takes {0} bytes, and a table has room for {OPENING_BYTES}: make its text shorter"
    )]
    TooLong(usize),
    /// The line is not the first line of a session.
    #[error(transparent)]
    NoSession(#[from] SessionError),
    /// The other side has this version of the board.
    #[error("the other page has version {0} of the board, and this one {VERSION}: reload both")]
    OtherVersion(String),
    /// The session has gone on already.
    #[error("the table does not begin with a new board: open another one")]
    NotNew,
    /// There is no such board, or it refuses its settings.
    #[error(transparent)]
    NoBoard(#[from] DriverError),
}

/// The opening of a table with this board. Two people play, so the level is 0.
///
/// # Errors
/// [`OpeningError::TooLong`].
pub fn of_board(
    layout: KnownLayout,
    roster: Roster,
    settings: Settings,
) -> Result<Vec<u8>, OpeningError> {
    let header = Header {
        settings: Some(Settings {
            level: 0,
            ..settings
        }),
        ..Header::new(layout, 0, NOTE).with_games(roster)
    };
    let line = header.to_line().into_bytes();
    if line.len() > OPENING_BYTES {
        return Err(OpeningError::TooLong(line.len()));
    }
    Ok(line)
}

/// The board of an opening, with the relay's part of the seed.
///
/// # Errors
/// If no table begins in this way.
pub fn board(opening: &[u8], seed: u64) -> Result<CoreDriver, OpeningError> {
    let session = Session::parse(opening)?;
    let mut header = session.header;
    if header.firmware != VERSION {
        return Err(OpeningError::OtherVersion(header.firmware));
    }
    if !session.entries.is_empty() || header.state.is_some() {
        return Err(OpeningError::NotNew);
    }
    header.seed ^= seed;
    let board = CoreDriver::with_games(*header.layout, header.roster, header.seed);
    let mut board = board?;
    header.begin(&mut board)?;
    board.take_events();
    Ok(board)
}

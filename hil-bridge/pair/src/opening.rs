//! The board with which a table begins: the first line of a session, which says its layout,
//! games, seed and settings.
//!
//! Invariants: whatever the bytes are, a board comes out or a sentence; the relay adds its
//! part to the seed, so that who opens a table does not choose the dice.

use protocol::{KnownLayout, Roster, Settings};
use touchboard_host::session::{Header, Session};
use touchboard_host::{CoreDriver, Driver};

use crate::message::OPENING_BYTES;

/// The note in the line.
const NOTE: &str = "a table for two";

/// The opening of a table with this board. Two people play, so the level is 0.
///
/// # Errors
/// A sentence, if the text of a game is too long.
pub fn of_board(
    layout: KnownLayout,
    roster: Roster,
    settings: Settings,
) -> Result<Vec<u8>, String> {
    let header = Header {
        settings: Some(Settings {
            level: 0,
            ..settings
        }),
        ..Header::new(layout, 0, NOTE).with_games(roster)
    };
    let line = header.to_line().into_bytes();
    match line.len() <= OPENING_BYTES {
        true => Ok(line),
        false => Err(format!(
            "this game takes {} bytes, and a table has room for {OPENING_BYTES}: make its text shorter",
            line.len()
        )),
    }
}

/// The board of an opening, with the relay's part of the seed.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn board(opening: &[u8], seed: u64) -> Result<CoreDriver, String> {
    let session = Session::parse(opening).map_err(|error| error.to_string())?;
    let mut header = session.header;
    let own = env!("CARGO_PKG_VERSION");
    if header.firmware != own {
        return Err(format!(
            "the other page has version {} of the board, and this one {own}: reload both",
            header.firmware
        ));
    }
    if !session.entries.is_empty() || header.state.is_some() {
        return Err("the table does not begin with a new board: open another one".to_owned());
    }
    header.seed ^= seed;
    let board = CoreDriver::with_games(*header.layout, header.roster, header.seed);
    let mut board = board.map_err(|error| error.to_string())?;
    header
        .begin(&mut board)
        .map_err(|error| error.to_string())?;
    board.take_events();
    Ok(board)
}

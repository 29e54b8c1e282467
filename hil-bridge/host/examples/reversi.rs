//! A game of Reversi on a board in this program: played, recorded, rewound, written as a
//! text, and replayed from that text on another board.
//!
//! `cargo run -p touchboard-host --example reversi`

use protocol::{Button, Deed, Input, Layout, Point, Settings, Tick};
use touchboard_host::session::{Replay, SessionItem};
use touchboard_host::{
    CoreDriver, Driver, DriverError, RecordingDriver, Session, standing, transcript,
};

const SEED: u64 = 7;
/// The number of Reversi in the table of games.
const REVERSI: u8 = 0;
/// How long a finger stays down, in ms.
const HELD_MS: Tick = 20;
/// The pause after each touch, in ms.
const REST_MS: Tick = 700;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in play()? {
        println!("{line}");
    }
    Ok(())
}

/// Plays, goes back and replays. Returns a line for each thing that happened.
pub fn play() -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut lines = Vec::new();
    // The board, wrapped in a driver that records everything done to it.
    let board = CoreDriver::new(Layout::MALDOO, SEED)?;
    let mut board = RecordingDriver::from_now(board, SEED, "a game of Reversi")?;
    board.carry_out(&Deed::Settings(Settings {
        game: REVERSI,
        ..Settings::default()
    }))?;
    press(&mut board, Button::Start)?;

    // Both players touch the first legal point, for twelve moves.
    for _ in 0..12 {
        let Some(point) = board.legal()?.first().copied() else {
            break;
        };
        tap(&mut board, point)?;
    }
    let (tick, digest) = (board.tick(), board.digest()?);
    let standing = standing::state(&board.status()?, board.frame());
    lines.push(format!("after {tick} ms: {standing}"));

    // Back to the beginning of the game and forward again: the same digest.
    board.go_to(REST_MS)?;
    let standing = standing::state(&board.status()?, board.frame());
    lines.push(format!("back at {} ms: {standing}", board.tick()));
    board.go_to(tick)?;
    assert_eq!(board.digest()?, digest, "it happened again as it had");

    // The text contains the whole session. Another board replays it and reaches every
    // digest.
    let text = board.session().to_text();
    let session = Session::parse(text.as_bytes())?;
    let mut other = CoreDriver::new(Layout::MALDOO, 0)?;
    let replayed = replay(&mut other, &session)?;
    assert_eq!(other.digest()?, digest, "every board does the same");
    lines.push(format!("replayed: {replayed} digests agree"));
    lines.extend(transcript::lines(&session)?);
    Ok(lines)
}

/// Replays a session on a board. Returns the number of digests compared.
fn replay(board: &mut CoreDriver, session: &Session) -> Result<u64, DriverError> {
    let mut compared = 0;
    let mut replay = Replay::begin(board, &session.header)?;
    for entry in &session.entries {
        let found = replay.act(entry.tick, &entry.item)?;
        if let (SessionItem::Digest(recorded), Some(found)) = (&entry.item, found) {
            assert_eq!(found, *recorded, "at {} ms", entry.tick);
            compared += 1;
        }
    }
    Ok(compared)
}

fn press(board: &mut impl Driver, button: Button) -> Result<(), DriverError> {
    board.step(&[Input::Press(button)], HELD_MS)?;
    board.step(&[Input::Lift(button)], REST_MS)
}

fn tap(board: &mut impl Driver, point: Point) -> Result<(), DriverError> {
    board.step(&[Input::Touch(point)], HELD_MS)?;
    board.step(&[Input::Release(point)], REST_MS)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_plays_rewinds_and_replays_a_game() {
        let lines = super::play().expect("nothing is refused");
        insta::assert_snapshot!(lines.join("\n"));
    }
}

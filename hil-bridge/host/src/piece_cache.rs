//! Caches the pieces of a board. They are read from its state when its lights have
//! changed, so that a board at the end of a line is not asked more often.

use firmware_core::AnyBoard;
use protocol::{Button, Frame, Input, Layout, Settings, Status};

use crate::games::{self, Guide};
use crate::pieces::{Pieces, board_of_state};
use crate::{Driver, DriverError};

/// A cache of the pieces of one board.
#[derive(Clone, Debug, Default)]
pub struct PieceCache {
    sets_up: bool,
    seen: Option<Seen>,
    pieces: Option<Pieces>,
}

/// The condition under which the cached pieces stay valid.
#[derive(Clone, Debug, PartialEq)]
enum Seen {
    /// The settings and frame of a game that is running or over.
    Game(Settings, Box<Frame>),
    /// No game yet: the settings and layout that determine the initial pieces.
    SetUp(Settings, Layout),
}

impl PieceCache {
    /// A cache that shows the initial pieces before START is pressed, unless they are
    /// random.
    #[must_use]
    pub fn setting_up() -> PieceCache {
        PieceCache {
            sets_up: true,
            ..PieceCache::default()
        }
    }

    /// The pieces at the last call of [`PieceCache::at`].
    #[must_use]
    pub fn pieces(&self) -> Option<&Pieces> {
        self.pieces.as_ref()
    }

    /// The note on what the player holds, or where the next move has to be.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        let Pieces { note, open, .. } = self.pieces.as_ref()?;
        [note, open]
            .into_iter()
            .map(String::as_str)
            .find(|words| !words.is_empty())
    }

    /// The pieces on this board now.
    ///
    /// # Errors
    /// When the board cannot be reached; the cache is then empty.
    pub fn at(
        &mut self,
        driver: &mut (impl Driver + ?Sized),
        status: &Status,
    ) -> Result<Option<&Pieces>, DriverError> {
        let is_on = status.score.is_some();
        let has_pieces = games::find(status.settings.game).is_some_and(Guide::has_pieces);
        if !has_pieces || !(is_on || self.sets_up) {
            self.forget();
            return Ok(None);
        }
        let seen = match is_on {
            true => Seen::Game(status.settings, Box::new(driver.frame().clone())),
            false => Seen::SetUp(status.settings, driver.layout()),
        };
        if self.seen.as_ref() != Some(&seen) {
            self.forget();
            let board = board_of_state(&driver.save()?);
            self.pieces = match is_on {
                true => board.and_then(|board| games::pieces(&board)),
                false => board.and_then(|board| set_up(&board)),
            };
            self.seen = Some(seen);
        }
        Ok(self.pieces.as_ref())
    }

    fn forget(&mut self) {
        (self.seen, self.pieces) = (None, None);
    }
}

/// The pieces with which the layout's own game begins; `None` without such a game, and if
/// chance decides them.
#[must_use]
pub fn opening(layout: Layout) -> Option<Pieces> {
    let board = AnyBoard::new(layout, 0).ok()?;
    let has_own = games::is_layouts_own(board.status().settings.game);
    has_own.then(|| set_up(&board)).flatten()
}

/// The pieces that this board would have after START; `None` if they depend on when it is
/// pressed.
fn set_up(board: &AnyBoard) -> Option<Pieces> {
    let after = |ticks| {
        let mut board = board.clone();
        board.advance(ticks, &mut |_, _| ());
        board.input(Input::Press(Button::Start), &mut |_, _| ());
        let pieces = games::pieces(&board)?;
        // Before the start, hands are empty and no side is to move.
        Some(Pieces {
            held: Vec::new(),
            note: String::new(),
            open: String::new(),
            ..pieces
        })
    };
    let now = after(0);
    now.filter(|pieces| (1..4).all(|ticks| after(ticks).as_ref() == Some(pieces)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CoreDriver, written};

    fn read(cache: &mut PieceCache, driver: &mut CoreDriver) -> Option<Pieces> {
        let status = driver.status().unwrap();
        cache.at(driver, &status).unwrap().cloned()
    }

    #[test]
    fn pieces_before_start_equal_those_after_it() {
        let text = written::library::text("chess").unwrap();
        let game = written::of_text("chess", text, &[]).unwrap();
        let mut driver = CoreDriver::new(*game.layout, 3).unwrap();
        let (mut plain, mut ready) = (PieceCache::default(), PieceCache::setting_up());
        assert_eq!(read(&mut plain, &mut driver), None);
        let before = read(&mut ready, &mut driver).expect("a set");
        assert_eq!(before.figures.len(), 32);
        let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
        driver.step(&start, 100).unwrap();
        assert_eq!(read(&mut ready, &mut driver).as_ref(), Some(&before));
        assert_eq!(read(&mut plain, &mut driver), Some(before));
    }

    #[test]
    fn the_opening_is_what_a_text_begins_with() {
        let chess = written::texts::layout("chess");
        assert_eq!(opening(*chess).expect("a set").figures.len(), 32);
        assert_eq!(opening(Layout::MALDOO), None);
        let hex = written::texts::layout("hex");
        assert_eq!(opening(*hex).map(|pieces| pieces.figures.len()), Some(0));
    }

    #[test]
    fn dice_and_drawn_stones_appear_only_after_start() {
        let games = firmware_core::games::BUILT;
        let mut driver = CoreDriver::with_games(Layout::MALDOO, games, 3).unwrap();
        let malaka = crate::words::game_number("malaka").unwrap();
        driver.carry_out(&protocol::Deed::Choose(malaka)).unwrap();
        let mut ready = PieceCache::setting_up();
        let before = read(&mut ready, &mut driver).expect("a set");
        assert!(before.held.is_empty() && !before.figures.is_empty());
        let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
        driver.step(&start, 100).unwrap();
        let after = read(&mut ready, &mut driver).expect("a game");
        assert!(!after.held.is_empty());
        assert_eq!(after.figures, before.figures);
    }
}

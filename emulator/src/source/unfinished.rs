//! The game that was on the board when the program ended, which the next window offers to
//! continue.
//!
//! Invariants: the offer stands until it is answered, or until another game begins; the
//! continued board has the layout, the games and the state that it had. Its past is not
//! known.

use bevy::prelude::*;
use firmware_core::board::origin_of_snapshot;
use firmware_core::{AnyBoard, SNAPSHOT_BYTES};
use touchboard_host::pieces::board_of_state;
use touchboard_host::standing::phase;
use touchboard_host::written::game_name;

use super::system::{Where, open};
use super::{At, NOT_LENT, Opened, Shown};

/// A game that was not finished.
#[derive(Resource, Clone, Debug, PartialEq, Eq)]
pub struct UnfinishedGame {
    /// The name of the game.
    pub name: String,
    /// The board's state, as bytes of a snapshot.
    state: Vec<u8>,
}

/// The answer to the offer of an [`UnfinishedGame`].
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnfinishedAnswer {
    /// Continue the game in this process, instead of the current board.
    Continue,
    /// Forget the game.
    Forget,
}

impl UnfinishedGame {
    /// The game in these bytes; `None` if they are damaged or of another version of the
    /// firmware, or if no game is on in them.
    #[must_use]
    pub fn of_snapshot(state: Vec<u8>) -> Option<UnfinishedGame> {
        UnfinishedGame::named(&board_of_state(&state)?, state)
    }

    /// The game on this board; `None` if none is on.
    #[must_use]
    pub fn of_board(board: &AnyBoard) -> Option<UnfinishedGame> {
        let mut buffer = vec![0; SNAPSHOT_BYTES];
        UnfinishedGame::named(board, board.save(&mut buffer)?.to_vec())
    }

    /// The game on this board, whose state is this; `None` if none is on.
    fn named(board: &AnyBoard, state: Vec<u8>) -> Option<UnfinishedGame> {
        let is_on = board.outcome().is_none() && board.status().last_move.is_some();
        is_on.then(|| UnfinishedGame {
            name: game_name(board.settings().game, board.layout()),
            state,
        })
    }

    /// The bytes that [`UnfinishedGame::of_snapshot`] reads.
    #[must_use]
    pub fn snapshot(&self) -> &[u8] {
        &self.state
    }

    /// A board with this game, and with the best scores of this place.
    pub(super) fn resume(&self, place: &Where) -> Result<Opened, String> {
        let (layout, roster) = origin_of_snapshot(&self.state).ok_or(DAMAGED)?;
        let place = Where {
            at: At::Core,
            layout: Some(layout.into()),
            games: Some(roster),
            ..place.clone()
        };
        let mut source = open(place.clone())?;
        let board = source.lendable().ok_or(NOT_LENT)?;
        board.lend()?;
        let loaded = board.drive()?.load(&self.state);
        board.take_back();
        loaded.map_err(|error| error.to_string())?;
        Ok((source, place))
    }
}

/// The message if the bytes do not begin with a layout.
const DAMAGED: &str = "the unfinished game cannot be read";

/// Withdraws the offer once it was answered, or another game is on.
pub(super) fn withdraw(
    shown: Res<Shown>,
    mut answers: MessageReader<UnfinishedAnswer>,
    mut commands: Commands,
) {
    let is_answered = answers.read().count() > 0;
    if is_answered || phase(&shown.status).is_on() {
        commands.remove_resource::<UnfinishedGame>();
    }
}

#[cfg(test)]
mod tests {
    use firmware_core::games::number;
    use protocol::{Button, Deed, Input, Layout, Roster, Settings, Tick};
    use touchboard_host::{CoreDriver, Driver};

    use super::*;

    /// The state of a board after a game began, and after its first legal touch.
    fn begun(layout: Layout, game: u8) -> [Vec<u8>; 2] {
        let roster = Roster::of(&[game]);
        let mut board = CoreDriver::with_games(layout, roster, 5).unwrap();
        let settings = Settings {
            game,
            level: 0,
            ..Settings::default()
        };
        board.carry_out(&Deed::Settings(settings)).unwrap();
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            board.step(&[input], 300).unwrap();
        }
        let before = board.save().unwrap();
        for _ in 0..4 {
            let point = board.legal().unwrap()[0];
            board.step(&[Input::Touch(point)], 60).unwrap();
            board.step(&[Input::Release(point)], 600).unwrap();
        }
        [before, board.save().unwrap()]
    }

    #[test]
    fn only_a_game_with_a_move_is_offered() {
        let [before, after] = begun(Layout::MALDOO, number::REVERSI);
        assert_eq!(UnfinishedGame::of_snapshot(before), None);
        assert_eq!(UnfinishedGame::of_snapshot(Vec::new()), None);
        let mut damaged = after.clone();
        damaged[20] ^= 1;
        assert_eq!(UnfinishedGame::of_snapshot(damaged), None);
        let game = UnfinishedGame::of_snapshot(after).unwrap();
        assert_eq!(game.name, "Reversi");
    }

    #[test]
    fn a_game_continues_on_the_board_that_it_was_on() {
        for (layout, game) in [
            (Layout::MALDOO, number::REVERSI),
            (Layout::grid(12, 8).unwrap(), number::ISHIDO),
        ] {
            let [_, state] = begun(layout, game);
            let unfinished = UnfinishedGame::of_snapshot(state.clone()).unwrap();
            let (mut source, place) = unfinished.resume(&Where::new(At::Core)).unwrap();
            assert_eq!(place.layout(), Some(layout));
            let now = source.copy().unwrap();
            assert_eq!(now.digest(), board_of_state(&state).unwrap().digest());
            let mut shown = Shown::default();
            let mut tell = |_: Tick, _: protocol::Event| ();
            let passes = std::time::Duration::from_millis(20);
            source.update(passes, &mut shown, &mut tell).unwrap();
            assert!(phase(&shown.status).is_on());
            assert!(!shown.legal.is_empty());
        }
    }
}

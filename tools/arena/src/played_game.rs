//! A game between two of the board's own players.

use firmware_core::{Wide, Word, games};
use protocol::Outcome;
use serde::{Deserialize, Serialize};

use crate::person::Person;
pub use crate::seats::MatchSetup;
use crate::seats::Seats;

/// The result of a game that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The outcome; `None` if the game was stopped because it was too long.
    pub outcome: Option<Outcome>,
    /// The score, `[green, red]`.
    pub score: [u32; 2],
    /// The number of moves of both sides.
    pub moves: u32,
    /// How often both players were called, in total.
    pub wakes: u64,
}

impl MatchSetup {
    /// Plays one game between these levels, `[green, red]`. `None` if the layout is too
    /// small for the game.
    #[must_use]
    pub fn play(&self, seed: u64, levels: [u8; 2]) -> Option<PlayedGame> {
        self.play_by(seed, levels, None)
    }

    /// Plays one game of a simulated person as green against the board at this level.
    /// `None` if the layout is too small for the game.
    #[must_use]
    pub fn play_with(&self, person: Person, seed: u64, level: u8) -> Option<PlayedGame> {
        self.play_by(seed, [level; 2], Some(person))
    }

    fn play_by(&self, seed: u64, levels: [u8; 2], person: Option<Person>) -> Option<PlayedGame> {
        match self.layout.points() {
            0..=64 => self.play_on::<u64>(seed, levels, person),
            65..=128 => self.play_on::<u128>(seed, levels, person),
            _ => self.play_on::<Wide>(seed, levels, person),
        }
    }

    fn play_on<W: Word>(
        &self,
        seed: u64,
        levels: [u8; 2],
        person: Option<Person>,
    ) -> Option<PlayedGame> {
        let mut seats = Seats::<W>::new(self, seed)?;
        if let Some(person) = person {
            seats.seat(person, self);
        }
        seats.open(self.random_moves.into());
        while seats.is_going_on() {
            seats.go_on(levels);
        }
        Some(PlayedGame {
            outcome: seats.outcome(),
            score: seats.score(),
            moves: seats.moves(),
            wakes: seats.wakes(),
        })
    }
}

/// The number of random moves at the beginning of a game between two of the board's
/// players: a few where the start is always the same, or two good players would always
/// play the same game; none where the game itself brings randomness.
#[must_use]
pub fn usual_random_moves(game: u8) -> u8 {
    match games::about(game).map_or("", |about| about.name) {
        "Reversi" | "CountLines" | "FillIt" | "Visiput" | "TicDabToe" => 4,
        "SpeedGo" => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use protocol::Layout;

    use super::*;

    fn setup(game: u8, mode: u8) -> MatchSetup {
        MatchSetup {
            game,
            mode,
            speed: 5,
            layout: Layout::MALDOO,
            random_moves: usual_random_moves(game),
        }
    }

    #[test]
    fn every_game_of_the_board_ends_in_every_mode() {
        for game in games::NUMBERS {
            let about = games::about(*game).unwrap();
            for mode in 0..about.modes {
                if about.board_can_play {
                    let played = setup(*game, mode).play(1, [1, 2]).unwrap();
                    assert!(played.outcome.is_some(), "{} mode {mode}", about.name);
                    assert!(played.wakes > 0 && played.moves > 0, "{played:?}");
                }
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_game() {
        let played = || format!("{:?}", setup(0, 3).play(7, [3, 4]));
        assert_eq!(played(), played());
    }

    #[test]
    fn the_better_hand_scores_more_in_touchit() {
        let [green, red] = setup(3, 0).play(1, [2, 1]).unwrap().score;
        assert!(green > red && red > 0, "{green} : {red}");
        let [green, red] = setup(3, 0).play(1, [1, 2]).unwrap().score;
        assert!(red > green && green > 0, "{green} : {red}");
    }

    #[test]
    fn a_game_that_does_not_fit_is_not_played() {
        let small = Layout::grid(3, 3).unwrap();
        let setup = MatchSetup {
            layout: small,
            ..setup(8, 0)
        };
        assert!(setup.play(1, [1, 1]).is_none());
    }
}

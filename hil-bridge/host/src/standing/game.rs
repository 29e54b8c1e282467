//! The games by name, for what is said of one game only.

/// A game of the manual's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Game {
    Reversi,
    Ghost,
    Life,
    TouchIt,
    Symmetry,
    CountLines,
    FillIt,
    FindThem,
    Visiput,
    SpeedGo,
}

impl Game {
    const ALL: [Game; 10] = [
        Game::Reversi,
        Game::Ghost,
        Game::Life,
        Game::TouchIt,
        Game::Symmetry,
        Game::CountLines,
        Game::FillIt,
        Game::FindThem,
        Game::Visiput,
        Game::SpeedGo,
    ];

    /// The game with this number.
    pub(super) fn of(number: u8) -> Option<Game> {
        Game::ALL.get(usize::from(number)).copied()
    }
}

#[cfg(test)]
mod tests {
    use firmware_core::games;

    use super::Game;

    #[test]
    fn every_game_of_the_table_has_its_number_here() {
        for number in games::NUMBERS {
            let game = Game::of(*number).expect("it is here");
            let about = games::about(*number).expect("it is in the table");
            assert_eq!(format!("{game:?}"), about.name);
        }
        assert_eq!(Game::ALL.len(), games::NUMBERS.len());
    }
}

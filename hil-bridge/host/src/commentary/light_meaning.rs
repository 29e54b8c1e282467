//! The meaning of a light in the current game: whose light it is, which piece is there,
//! what its colour or rhythm means.
//!
//! ```text
//! Reversi    d5: green's light
//! Symmetry   c3: touched, and not in the picture
//! Chess      g1: green's knight
//! ```
//!
//! Invariants: nothing is said that a player cannot see; while a game is paused its lights
//! are dark, and nothing else is said.

use firmware_core::AnyBoard;
use protocol::{Colour, Point, Rhythm};

use crate::standing::{self, Situation};
use crate::{games, words};

/// The meaning of this point's light now, in a few words.
#[must_use]
pub fn of(board: &AnyBoard, point: Point) -> String {
    let status = board.status();
    let guide = games::guide(status.settings.game);
    let light = board.frame().light(point);
    let said = match standing::phase(&status) {
        Situation::NoGame => return "dark, no game is on".to_owned(),
        Situation::Paused => return "dark, the game is paused".to_owned(),
        _ => guide.light_meaning(board, point),
    };
    let mut said = said.unwrap_or_else(|| {
        games::side_of(light.colour()).map_or_else(
            || match light.colour() {
                Colour::OFF => "dark".to_owned(),
                _ => words::light(light),
            },
            |side| format!("{}'s light", side.name()),
        )
    });
    let is_of_rhythm = light.colour() != Colour::OFF && light.rhythm() != Rhythm::Steady;
    if let Some(rhythm) = guide.rhythm(light.rhythm()).filter(|_| is_of_rhythm) {
        said = format!("{said}: {rhythm}");
    }
    if status.last_move.is_some_and(|last| last.point == point) {
        said += ", the last move";
    }
    said
}

#[cfg(test)]
mod tests {
    use firmware_core::games::{BUILT, number};
    use protocol::{Button, Deed, Input, Layout, Settings};

    use super::*;

    fn started(game: u8) -> AnyBoard {
        let about = firmware_core::games::about(game).expect("it is in the table");
        let layout = Layout::Grid((about.made_for)(0));
        let mut board = AnyBoard::with_games(layout, BUILT, 3).expect("a board");
        let settings = Settings {
            game,
            speed: 5,
            ..Settings::default()
        };
        let tell = &mut |_, _| ();
        board
            .carry_out(&Deed::Settings(settings), tell)
            .expect("settings");
        board.input(Input::Press(Button::Start), tell);
        board.input(Input::Lift(Button::Start), tell);
        board.advance(900, tell);
        board
    }

    fn meaning_of(board: &AnyBoard, name: &str) -> String {
        of(board, board.layout().point(name).expect("a point"))
    }

    #[test]
    fn every_lamp_of_every_new_game_has_a_meaning() {
        for game in BUILT.iter() {
            let board = started(game);
            for point in board.layout().iter() {
                let said = of(&board, point);
                assert!(
                    !said.is_empty() && !said.contains("colour "),
                    "{game}: {said}"
                );
            }
        }
    }

    #[test]
    fn a_lamp_has_its_meaning_in_each_game() {
        let reversi = started(number::REVERSI);
        assert_eq!(meaning_of(&reversi, "e5"), "red's light");
        let ticdabtoe = started(number::TICDABTOE);
        assert_eq!(
            meaning_of(&ticdabtoe, "a1"),
            "free, in block a1, which is open"
        );
        let malaka = started(number::MALAKA);
        assert!(
            meaning_of(&malaka, "a9").contains("pieces of green"),
            "{}",
            meaning_of(&malaka, "a9")
        );
        let symmetry = started(number::SYMMETRY);
        let layout = symmetry.layout();
        let lit = layout
            .iter()
            .find(|point| symmetry.frame().points.get(*point) != Colour::OFF);
        let lit = lit.expect("a pattern");
        assert_eq!(of(&symmetry, lit), "a part of the picture");
    }
}

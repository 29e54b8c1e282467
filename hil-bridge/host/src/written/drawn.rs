//! What ended a game where no row or chain shows it: a full board, stalemate, a count, a
//! limit.
//!
//! Invariants: the words need no knowledge of the text, and fit on a line of a card where
//! the text's own conditions are short.

use firmware_core::games::written::WrittenEnd;
use ludemes::compile::EndRule;
use ludemes::explain;
use ludemes::tree::{Kind, Node};
use protocol::{Colour, Frame, Outcome};

use super::decided::Decision;
use super::{TextGame, game_of};

/// What ended a game with this outcome and score; `None` where only the text could tell, and
/// its words are about the side to move.
#[must_use]
pub fn other_decision(
    game: &TextGame,
    frame: &Frame,
    (outcome, score): (Outcome, [u32; 2]),
    end: WrittenEnd,
) -> Option<Decision> {
    let layout = *game.layout;
    let is_full = || {
        layout
            .iter()
            .all(|point| frame.points.get(point) != Colour::OFF)
    };
    let counted = || counted(outcome, score);
    let words = match end {
        WrittenEnd::Rule(node) => {
            let mut rules = game.compiled.endings.iter();
            let rule = rules.find(|rule| rule.at == node);
            return by_rule(game, rule, outcome, &counted).map(Decision::in_words);
        }
        WrittenEnd::Passes | WrittenEnd::NoMoves if is_full() => "the board is full".to_owned(),
        WrittenEnd::NoMoves => "nobody can move".to_owned(),
        WrittenEnd::Passes => match has_word(&game.node, "Pass") {
            true => "both sides passed".to_owned(),
            false => "nobody can move".to_owned(),
        },
        WrittenEnd::Turns | WrittenEnd::Moves => {
            let cartridge = game.layout.drawing().and_then(game_of)?.cartridge;
            match end {
                WrittenEnd::Turns => format!("no winner after {} turns", cartridge.most_turns()),
                _ => format!("no winner after {} moves", cartridge.most_moves()),
            }
        }
        WrittenEnd::GaveUp => "its rules take more work than a board can do".to_owned(),
    };
    Some(Decision::in_words(words))
}

/// Why a rule of the end gave this outcome.
fn by_rule(
    game: &TextGame,
    rule: Option<&EndRule>,
    outcome: Outcome,
    counted: &dyn Fn() -> String,
) -> Option<String> {
    let endings = &game.compiled.endings;
    let rule = &rule?.rule;
    // The rule itself, and the rules that it is a part of.
    let around: Vec<&Node> = endings
        .iter()
        .map(|ending| &ending.rule)
        .filter(|other| other.all().any(|node| node == rule))
        .collect();
    let has = |word: &str| around.iter().any(|rule| has_word(rule, word));
    if has("byScore") {
        return Some(counted());
    }
    if outcome != Outcome::Draw {
        return None;
    }
    if has("counter") {
        return Some("too many moves in a row without progress".to_owned());
    }
    if has("no") && has("Moves") {
        let knows_check = endings.iter().any(|end| has_word(&end.rule, "Threatened"));
        return Some(match knows_check {
            true => "stalemate: no move is left, and no check".to_owned(),
            false => "no move is left".to_owned(),
        });
    }
    Some(explain::condition(&game.node, condition_of(rule)?))
}

/// The score that decided a game, the winner's first.
fn counted(outcome: Outcome, score: [u32; 2]) -> String {
    match outcome {
        Outcome::Won(side) => {
            let [own, other] = [side, side.other()].map(|side| score[side.index()]);
            format!("{own} to {other}")
        }
        Outcome::Draw => format!("{} all", score[0]),
    }
}

/// The condition of a rule `(if CONDITION ...)`.
fn condition_of(rule: &Node) -> Option<&Node> {
    let Kind::Call(arguments) = &rule.kind else {
        return None;
    };
    match arguments.first() {
        Some(head) if is_word(&head.node, "if") => Some(&arguments.get(1)?.node),
        _ => None,
    }
}

fn has_word(rule: &Node, word: &str) -> bool {
    rule.all().any(|node| is_word(node, word))
}

fn is_word(node: &Node, word: &str) -> bool {
    matches!(&node.kind, Kind::Word(own) if own == word)
}

#[cfg(test)]
mod tests {
    use firmware_core::AnyBoard;
    use protocol::{Button, Input};

    use super::super::{library, of_text};
    use super::*;

    /// Why a game of a text ended that was played with these touches.
    fn reason(name: &str, touches: &[&str]) -> String {
        let game = of_text(name, library::text(name).unwrap(), &[]).unwrap();
        let layout = *game.layout;
        let mut board = AnyBoard::new(layout, 1).unwrap();
        let take = |input, board: &mut AnyBoard| {
            board.input(input, &mut |_, _| ());
            board.advance(50, &mut |_, _| ());
            while board.is_settling() {
                board.advance(1, &mut |_, _| ());
            }
        };
        take(Input::Press(Button::Start), &mut board);
        take(Input::Lift(Button::Start), &mut board);
        for touch in touches {
            assert_eq!(board.written_end(), None);
            let point = layout.point(touch).unwrap();
            assert!(board.legal_points().contains(&point), "{name}: {touch}");
            take(Input::Touch(point), &mut board);
            take(Input::Release(point), &mut board);
        }
        let end = board.written_end().expect("it is over");
        let result = (board.outcome().unwrap(), board.score().unwrap());
        let decision = other_decision(&game, board.frame(), result, end);
        decision.map_or_else(String::new, |decision| decision.reason.words("red"))
    }

    #[test]
    fn a_full_board_is_named() {
        let touches = ["a3", "b3", "c3", "b2", "b1", "c2", "a2", "a1", "c1"];
        assert_eq!(reason("tic-tac-toe", &touches), "the board is full");
    }

    /// The shortest known stalemate (Sam Loyd).
    #[test]
    fn a_stalemate_is_told_from_other_draws() {
        let touches = [
            "e2", "e3", "a7", "a5", "d1", "h5", "a8", "a6", "h5", "a5", "h7", "h5", "h2", "h4",
            "a6", "h6", "a5", "c7", "f7", "f6", "c7", "d7", "e8", "f7", "d7", "b7", "d8", "d3",
            "b7", "b8", "d3", "h7", "b8", "c8", "f7", "g6", "c8", "e6",
        ];
        let words = "stalemate: no move is left, and no check";
        assert_eq!(reason("chess", &touches), words);
    }

    /// Random games of Reversi end by a count, whoever wins.
    #[test]
    fn a_count_decides_with_its_numbers() {
        let game = of_text("reversi", library::text("reversi").unwrap(), &[]).unwrap();
        let mut board = AnyBoard::new(*game.layout, 1).unwrap();
        let mut rng = firmware_core::Rng::new(3);
        let quiet = &mut |_, _| ();
        board.input(Input::Press(Button::Start), quiet);
        while board.outcome().is_none() {
            board.advance(50, quiet);
            let legal = board.legal_points();
            if let Some(point) = legal.get(rng.below(legal.len().max(1) as u32) as usize) {
                board.input(Input::Touch(*point), quiet);
                board.input(Input::Release(*point), quiet);
            }
        }
        let (outcome, score) = (board.outcome().unwrap(), board.score().unwrap());
        let end = board.written_end().unwrap();
        let decision = other_decision(&game, board.frame(), (outcome, score), end).unwrap();
        let mut numbers = score;
        numbers.sort_unstable();
        let [less, more] = numbers;
        let expected = match less == more {
            true => format!("{less} all"),
            false => format!("{more} to {less}"),
        };
        assert_eq!(decision.reason.words("red"), expected);
    }
}

//! Diagrams for the rules of a game: how it begins, and an example of a move. They are
//! pictures of a board on which the game is played for them, by the core.
//!
//! Invariants: each touch of the example is legal, and a diagram shows the lights and pieces
//! of the board at that moment.

use firmware_core::{AnyBoard, games as core_games};
use protocol::{Button, Deed, Event, Input, Layout, Point, Roster, Settings, Side, Tick};
use touchboard_host::games::{self, Guide};
use touchboard_host::preview;

use crate::workbench::games::Picture;

/// Board time after each input, in which its consequences take effect.
const AFTER_INPUT_MS: Tick = 60;
/// Board time before the diagram of a game whose lights change without a touch.
const WATCHED_MS: Tick = 5_000;
/// How often the first turn is waited for, this long each time.
const MOST_WAITS: u32 = 300;
/// The most touches of one move.
const MOST_TOUCHES: usize = 6;
/// The seed of the board, for games that begin with chance.
const SEED: u64 = 1;

/// A diagram with the words below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    /// What it shows: `The beginning`.
    pub caption: String,
    /// The board.
    pub picture: Picture,
}

/// The diagrams of this game; empty if it cannot be played on this layout.
#[must_use]
pub fn of(settings: Settings, layout: Layout) -> Vec<Diagram> {
    let roster = match settings.game {
        core_games::LAYOUTS_OWN => core_games::ROSTER,
        game => Roster::of(&[game]),
    };
    let Ok(mut board) = AnyBoard::with_games(layout, roster, SEED) else {
        return Vec::new();
    };
    let for_two = Settings {
        level: 0,
        ..settings
    };
    let chosen = board.carry_out(&Deed::Settings(for_two), &mut |_, _| ());
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    let _ = put_in(&mut board, &start);
    if chosen.is_err() || board.score().is_none() {
        return Vec::new();
    }
    if games::find(settings.game).is_some_and(Guide::is_in_real_time) {
        board.advance(WATCHED_MS, &mut |_, _| ());
        return vec![diagram("In the game".to_owned(), &board, &[])];
    }
    let begins = diagram("The beginning".to_owned(), &board, &[]);
    let after = example(&mut board);
    [Some(begins), after].into_iter().flatten().collect()
}

/// Plays a move from the middle of the legal ones, with all touches that it takes. `None` if
/// there is none.
fn example(board: &mut AnyBoard) -> Option<Diagram> {
    // Some games show something first.
    for _ in 0..MOST_WAITS {
        if board.turn().is_some() && !board.legal_points().is_empty() {
            break;
        }
        board.advance(AFTER_INPUT_MS, &mut |_, _| ());
    }
    let side = board.turn()?;
    let mut touched: Vec<Point> = Vec::new();
    for _ in 0..MOST_TOUCHES {
        // With a piece picked up, other pieces could still be picked up instead.
        let mut points = match touched.is_empty() {
            true => Vec::new(),
            false => preview::destinations(board),
        };
        if points.is_empty() {
            points = board.legal_points();
        }
        points.retain(|point| !touched.contains(point));
        let point = *points.get(points.len() / 2)?;
        touched.push(point);
        let events = put_in(board, &[Input::Touch(point), Input::Release(point)]);
        let is_part = |event: &Event| matches!(event, Event::Part { .. });
        if !events.iter().any(is_part) {
            let caption = caption(side, &touched, board.layout());
            return Some(diagram(caption, board, &touched));
        }
    }
    None
}

/// The words for an example: `Green touches e2, then e4`.
fn caption(side: Side, touched: &[Point], layout: Layout) -> String {
    let names: Vec<String> = touched
        .iter()
        .map(|point| layout.name(*point).to_string())
        .collect();
    let who = match side {
        Side::Green => "Green",
        Side::Red => "Red",
    };
    format!("{who} touches {}", names.join(", then "))
}

fn put_in(board: &mut AnyBoard, inputs: &[Input]) -> Vec<Event> {
    let mut events = Vec::new();
    for input in inputs {
        board.input(*input, &mut |_, event| events.push(event));
        board.advance(AFTER_INPUT_MS, &mut |_, event| events.push(event));
    }
    events
}

fn diagram(caption: String, board: &AnyBoard, touched: &[Point]) -> Diagram {
    let pieces = games::pieces(board);
    let figures = pieces.as_ref().map_or(&[][..], |pieces| &pieces.figures);
    let picture = Picture::of(board.layout(), board.frame());
    Diagram {
        caption,
        picture: picture.with(figures, touched),
    }
}

#[cfg(test)]
mod tests {
    use touchboard_host::written::{self, library};

    use super::*;

    fn of_game(game: u8) -> Vec<Diagram> {
        let layout = core_games::layout_for(Roster::of(&[game]));
        of(
            Settings {
                game,
                ..Settings::default()
            },
            layout,
        )
    }

    #[test]
    fn every_game_has_a_diagram_and_games_in_turns_an_example() {
        for game in core_games::BUILT.iter() {
            let diagrams = of_game(game);
            let is_in_turns = !games::find(game).is_some_and(Guide::is_in_real_time);
            let [first, second] = [diagrams.first(), diagrams.get(1)];
            assert!(first.is_some(), "{game}");
            assert!(second.is_some() || !is_in_turns, "{game}");
            if let (Some(first), Some(second)) = (first, second) {
                assert_ne!(first.picture, second.picture, "{game}");
            }
        }
    }

    #[test]
    fn every_text_has_a_diagram() {
        for (name, text) in library::TEXTS.iter() {
            let game = written::of_text(name, text, &[]).unwrap();
            let settings = Settings {
                game: core_games::LAYOUTS_OWN,
                ..Settings::default()
            };
            let diagrams = of(settings, *game.layout);
            assert!(!diagrams.is_empty(), "{name}");
            let plays_by_itself = written::players(*game.layout) == Some(0);
            assert!(plays_by_itself || diagrams.len() == 2, "{name}");
        }
    }

    #[test]
    fn an_example_names_the_touches_of_the_move() {
        let captions: Vec<String> = of_game(0).into_iter().map(|of| of.caption).collect();
        assert_eq!(captions[0], "The beginning");
        assert!(captions[1].starts_with("Green touches "), "{captions:?}");
        let of = |points: &[u8]| {
            let points: Vec<Point> = points.iter().map(|point| Point(*point)).collect();
            caption(Side::Red, &points, Layout::MALDOO)
        };
        assert_eq!(of(&[0, 9]), "Red touches a9, then a8");
    }
}

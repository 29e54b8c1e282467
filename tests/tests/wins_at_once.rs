//! The board does not overlook the end of a game, at whatever level: it makes a move that
//! wins at once, and in games that are texts none to which an answer wins at once, if
//! another move prevents it.
//!
//! Positions come from random games. Which moves win is found out on copies of the board,
//! by touching each of its points.

use firmware_core::games::{self, number};
use firmware_core::{AnyBoard, Rng};
use protocol::{
    Button, Deed, Event, Input, KnownLayout, Layout, Outcome, Point, Roster, Settings, Side, Tick,
};

/// The maximum number of touches of a move.
const MOST_TOUCHES: usize = 3;
/// The maximum number of touches of a random game.
const LONGEST: usize = 2_000;
/// The longest turn of the board, with the touches of its move, in ticks.
const LONGEST_TURN_MS: Tick = 12_000;
/// The time after which a game has computed what a touch did, in ticks.
const LONGEST_WAIT_MS: Tick = 3_000;

fn quiet(_: Tick, _: Event) {}

/// What came of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Came {
    /// The game is over.
    Over(Outcome),
    /// It is another side's turn, or the same side's again after a whole move.
    Moved,
    /// The move needs more touches.
    Part,
}

/// Touches a point, and waits until the game has computed what that did.
fn touch(board: &mut AnyBoard, point: Point) -> Came {
    let mut is_part = false;
    let mut tell = |_, event| is_part |= matches!(event, Event::Part { .. });
    board.input(Input::Touch(point), &mut tell);
    board.input(Input::Release(point), &mut tell);
    settle(board, &mut tell);
    match board.outcome() {
        Some(outcome) => Came::Over(outcome),
        None if is_part => Came::Part,
        None => Came::Moved,
    }
}

fn settle(board: &mut AnyBoard, tell: &mut dyn FnMut(Tick, Event)) {
    let until = board.tick() + LONGEST_WAIT_MS;
    board.advance(1, tell);
    while board.is_settling() && board.tick() < until {
        board.advance(1, tell);
    }
}

fn is_over(board: &AnyBoard) -> bool {
    board.outcome().is_some()
}

/// A game between two people.
fn started(layout: Layout, game: u8, mode: u8, seed: u64) -> Option<AnyBoard> {
    let mut board = match game {
        games::LAYOUTS_OWN => AnyBoard::new(layout, seed),
        game => AnyBoard::with_games(layout, Roster::of(&[game]), seed),
    }
    .expect("a layout");
    let settings = Settings {
        game,
        mode,
        level: 0,
        ..board.settings()
    };
    board
        .carry_out(&Deed::Settings(settings), &mut quiet)
        .ok()?;
    board.input(Input::Press(Button::Start), &mut quiet);
    board.input(Input::Lift(Button::Start), &mut quiet);
    settle(&mut board, &mut quiet);
    board.turn().map(|_| board)
}

/// The whole moves of a position: the board after each of them, with its touches.
fn moves(board: &AnyBoard) -> Vec<(Vec<Point>, AnyBoard, Came)> {
    fn go_on(
        board: &AnyBoard,
        path: &mut Vec<Point>,
        found: &mut Vec<(Vec<Point>, AnyBoard, Came)>,
    ) {
        for point in board.legal_points() {
            if path.contains(&point) {
                continue;
            }
            let mut next = board.clone();
            path.push(point);
            match touch(&mut next, point) {
                Came::Part if path.len() < MOST_TOUCHES => go_on(&next, path, found),
                Came::Part => {}
                came => found.push((path.clone(), next, came)),
            }
            path.pop();
        }
    }
    let mut found = Vec::new();
    go_on(board, &mut Vec::new(), &mut found);
    found
}

/// The moves with which this side wins at once.
fn wins(board: &AnyBoard, side: Side) -> Vec<Vec<Point>> {
    let all = moves(board).into_iter();
    let won = all.filter(|(_, _, came)| *came == Came::Over(Outcome::Won(side)));
    won.map(|(path, ..)| path).collect()
}

/// The board after its own turn at this level.
fn after_own_turn(board: &AnyBoard, level: u8) -> AnyBoard {
    let mut board = board.clone();
    let settings = Settings {
        level,
        ..board.settings()
    };
    let deed = Deed::Settings(settings);
    board.carry_out(&deed, &mut quiet).expect("only the level");
    let until = board.tick() + LONGEST_TURN_MS;
    while !is_over(&board) && board.turn() != Some(Side::Green) {
        assert!(board.tick() < until, "a turn that does not end");
        board.advance(1, &mut quiet);
    }
    board
}

/// Plays random games and calls a function in each turn of red, until it has been of
/// interest this many times. Returns how often it was.
fn search(
    start: impl Fn(u64) -> Option<AnyBoard>,
    seeds: u64,
    enough: usize,
    mut is_of_interest: impl FnMut(&AnyBoard) -> bool,
) -> usize {
    let mut found = 0;
    for seed in 0..seeds {
        let mut rng = Rng::new(seed);
        let Some(mut board) = start(seed) else {
            continue;
        };
        let mut is_new = true;
        for _ in 0..LONGEST {
            if found >= enough || is_over(&board) {
                break;
            }
            if is_new && board.turn() == Some(Side::Red) {
                found += usize::from(is_of_interest(&board));
            }
            let legal = board.legal_points();
            if legal.is_empty() {
                board.input(Input::Pass, &mut quiet);
                settle(&mut board, &mut quiet);
                continue;
            }
            let point = legal[rng.below(legal.len() as u32) as usize];
            is_new = touch(&mut board, point) != Came::Part;
        }
    }
    found
}

/// Checks that the board wins at each of these levels if it can; true if it can.
fn wins_if_it_can(name: &str, board: &AnyBoard, levels: &[u8]) -> bool {
    let winning = wins(board, Side::Red);
    if winning.is_empty() {
        return false;
    }
    for level in levels {
        let after = after_own_turn(board, *level);
        let won = after.outcome() == Some(Outcome::Won(Side::Red));
        assert!(won, "{name}, level {level}: {winning:?} would have won");
    }
    true
}

fn text(name: &str) -> KnownLayout {
    let all = touchboard_tests::texts::layouts();
    let found = all.into_iter().find(|(other, _)| other == name);
    found.expect("a text of the tree").1
}

#[test]
fn every_level_wins_at_once_in_games_that_are_texts() {
    let names = [
        ("tic-tac-toe", 6),
        ("connect-four", 4),
        ("yavalath", 3),
        ("teeko", 2),
        ("hexade", 2),
        ("breakthrough", 2),
        ("nine-mens-morris", 1),
        ("hex", 2),
    ];
    for (name, enough) in names {
        let layout = text(name);
        let start = |seed| started(*layout, games::LAYOUTS_OWN, 0, seed);
        let is_won = |board: &AnyBoard| wins_if_it_can(name, board, &[1, 2, 3, 4]);
        let found = search(start, 200, enough, is_won);
        assert_eq!(found, enough, "{name}: so few positions");
    }
}

/// Where a move prevents the loss and another one does not, the board prevents it.
#[test]
fn every_level_prevents_a_loss_at_once_in_games_that_are_texts() {
    let names = [("tic-tac-toe", 8), ("connect-four", 4), ("yavalath", 2)];
    for (name, enough) in names {
        let layout = text(name);
        let start = |seed| started(*layout, games::LAYOUTS_OWN, 0, seed);
        let is_saved = |board: &AnyBoard| {
            let loses = |next: &AnyBoard| !wins(next, Side::Green).is_empty();
            let all = moves(board);
            if all.iter().any(|(.., came)| *came != Came::Moved) {
                return false;
            }
            let losing = all.iter().filter(|(_, next, _)| loses(next)).count();
            // Few moves are safe, so that a random one is not.
            if losing == all.len() || 3 * losing < 2 * all.len() {
                return false;
            }
            for level in 1..=4 {
                let after = after_own_turn(board, level);
                assert!(!loses(&after), "{name}, level {level}: {losing} moves lose");
            }
            true
        };
        let found = search(start, 200, enough, is_saved);
        assert_eq!(found, enough, "{name}: so few positions");
    }
}

/// Two fours, one of which each side has to see among 217 points.
#[test]
fn a_four_is_completed_and_blocked_on_the_largest_board() {
    let layout = text("gomoku");
    let play = |names: &[&str]| {
        let mut board = started(*layout, games::LAYOUTS_OWN, 0, 1).expect("it starts");
        for name in names {
            let point = layout.point(name).expect("a point");
            assert_eq!(touch(&mut board, point), Came::Moved, "{name}");
        }
        board
    };
    let own = play(&["a1", "e5", "a3", "f5", "a5", "g5", "a7", "h5", "c9"]);
    let other = play(&["e5", "d5", "f5", "a3", "g5", "a5", "h5"]);
    for level in 1..=4 {
        let won = after_own_turn(&own, level).outcome();
        assert_eq!(won, Some(Outcome::Won(Side::Red)), "level {level}");
        let after = after_own_turn(&other, level);
        let lost = wins(&after, Side::Green);
        assert!(lost.is_empty(), "level {level}: {lost:?}");
    }
}

/// Fool's mate: one of thirty moves.
#[test]
fn every_level_mates_in_one_in_chess() {
    let layout = text("chess");
    let mut board = started(*layout, games::LAYOUTS_OWN, 0, 1).expect("it starts");
    for name in ["f2", "f3", "e7", "e5", "g2", "g4"] {
        touch(&mut board, layout.point(name).expect("a square"));
    }
    for level in 1..=4 {
        let won = after_own_turn(&board, level).outcome();
        assert_eq!(won, Some(Outcome::Won(Side::Red)), "level {level}");
    }
}

/// The games of thought in which a random game reaches such positions, with their boards. In
/// the games of reaction and memory a slip is what makes a level; SpeedGo ends by two
/// passes, and Ishido with the last stone, whoever places it.
#[test]
fn level_1_wins_at_once_in_the_games_of_the_board() {
    let games = [
        (number::REVERSI, 6, 8),
        (number::COUNTLINES, 5, 6),
        (number::FILLIT, 5, 6),
        (number::VISIPUT, 8, 9),
        (number::MALAKA, 2, 9),
        (number::TICDABTOE, 2, 16),
    ];
    for (game, modes, side) in games {
        for mode in 0..modes {
            let layout = Layout::grid(side, side).expect("a layout");
            let start = |seed| started(layout, game, mode, seed);
            let name = format!("game {game}, mode {mode}");
            let is_won = |board: &AnyBoard| wins_if_it_can(&name, board, &[1]);
            let found = search(start, 40, 3, is_won);
            assert_eq!(found, 3, "{name}: so few positions");
        }
    }
}

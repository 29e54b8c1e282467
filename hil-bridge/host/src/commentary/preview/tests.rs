//! The effect of a touch is what its preview said.

use firmware_core::games::number;
use protocol::{Button, Deed, Settings};

use super::*;
use crate::written::texts;
use crate::{Driver, words};

fn started(layout: protocol::Layout, settings: Settings) -> AnyBoard {
    let mut board = AnyBoard::with_games(layout, firmware_core::games::BUILT, 5).unwrap();
    let tell = &mut |_, _| ();
    if settings.game != firmware_core::games::LAYOUTS_OWN {
        board.carry_out(&Deed::Settings(settings), tell).unwrap();
    }
    board.input(Input::Press(Button::Start), tell);
    board.input(Input::Lift(Button::Start), tell);
    board.advance(1_000, tell);
    board
}

fn of_text(name: &str) -> (AnyBoard, protocol::KnownLayout) {
    let layout = texts::layout(name);
    let mut driver = crate::CoreDriver::new(*layout, 3).unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    driver.step(&start, 500).unwrap();
    (driver.board().clone(), layout)
}

fn tap(board: &mut AnyBoard, name: &str) {
    let point = board.layout().point(name).unwrap();
    board.input(Input::Touch(point), &mut |_, _| ());
    board.input(Input::Release(point), &mut |_, _| ());
    board.advance(300, &mut |_, _| ());
}

fn names(board: &AnyBoard, points: &[Point]) -> String {
    let names = points
        .iter()
        .map(|point| board.layout().name(*point).to_string());
    names.collect::<Vec<_>>().join(" ")
}

fn at(board: &AnyBoard, name: &str) -> Option<Preview> {
    of(board, board.layout().point(name).unwrap())
}

#[test]
fn a_preview_of_reversi_has_the_stone_and_turned_ones() {
    let game = words::game_number("reversi").unwrap();
    let settings = Settings {
        game,
        ..Settings::default()
    };
    let board = started(protocol::Layout::MALDOO, settings);
    let digest = board.digest();
    let seen = at(&board, "d7").unwrap();
    assert_eq!(names(&board, &seen.placed), "d7");
    assert!(!seen.turned.is_empty() && seen.taken.is_empty());
    assert_eq!(at(&board, "a1"), None, "it is not a move");
    assert_eq!(board.digest(), digest);
}

#[test]
fn a_preview_of_a_pick_shows_the_destinations() {
    let (mut board, _layout) = of_text("chess");
    let seen = at(&board, "e2").unwrap();
    assert_eq!(names(&board, &seen.goes_to), "e4 e3");
    tap(&mut board, "e2");
    let seen = at(&board, "e4").unwrap();
    assert_eq!(names(&board, &seen.placed), "e4");
    assert!(seen.taken.is_empty() && seen.turned.is_empty(), "{seen:?}");
}

#[test]
fn destinations_stay_the_same_during_a_flash() {
    let (mut board, _layout) = of_text("chess");
    tap(&mut board, "e2");
    let goals = destinations(&board);
    assert_eq!(names(&board, &goals), "e4 e3");
    let h6 = board.layout().point("h6").unwrap();
    board.input(Input::Touch(h6), &mut |_, _| ());
    assert_eq!(destinations(&board), goals);
}

#[test]
fn a_preview_shows_the_captured_piece() {
    let (mut board, _layout) = of_text("chess");
    for name in ["e2", "e4", "d7", "d5", "e4"] {
        tap(&mut board, name);
    }
    let seen = at(&board, "d5").unwrap();
    assert_eq!(names(&board, &seen.taken), "d5");
}

#[test]
fn a_preview_does_not_reveal_hidden_points() {
    for game in [number::FINDTHEM, number::SYMMETRY, number::GHOST] {
        let settings = Settings {
            game,
            ..Settings::default()
        };
        let mut board = started(protocol::Layout::MALDOO, settings);
        board.advance(40_000, &mut |_, _| ());
        for point in board.layout().iter() {
            assert_eq!(of(&board, point), None, "{game}");
        }
    }
}

/// In every game, what a preview shows as placed, turned over and captured is what the
/// touch does to the lights.
#[test]
fn a_preview_equals_the_effect_of_the_touch() {
    let mut seen = 0;
    for game in [
        number::REVERSI,
        number::COUNTLINES,
        number::FILLIT,
        number::VISIPUT,
        number::SPEEDGO,
    ] {
        let settings = Settings {
            game,
            speed: 5,
            ..Settings::default()
        };
        let mut board = started(protocol::Layout::MALDOO, settings);
        for step in 0..12_usize {
            let legal = board.legal_points();
            let Some(point) = legal.get(step * 7 % legal.len().max(1)).copied() else {
                break;
            };
            let before = board.frame().clone();
            let preview = of(&board, point).expect("a legal point");
            board.input(Input::Touch(point), &mut |_, _| ());
            board.input(Input::Release(point), &mut |_, _| ());
            let lit = |frame: &Frame, point| frame.points.get(point) != Colour::OFF;
            for other in board.layout().iter() {
                let (was, is) = (lit(&before, other), lit(board.frame(), other));
                assert_eq!(preview.placed.contains(&other), !was && is, "{game}");
                let own = preview.side.map(Colour::from);
                let is_gone = was && !is && Some(before.points.get(other)) != own;
                assert_eq!(preview.taken.contains(&other), is_gone, "{game}");
            }
            seen += preview.placed.len();
            board.advance(400, &mut |_, _| ());
        }
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn a_mark_in_ticdabtoe_takes_nothing_and_says_where_it_leads() {
    let settings = Settings {
        game: number::TICDABTOE,
        ..Settings::default()
    };
    let sides = protocol::GridSize::new(16, 16).unwrap();
    let board = started(protocol::Layout::Grid(sides), settings);
    // All blocks are open before the first mark, and one is after it.
    let seen = at(&board, "b11").unwrap();
    assert_eq!(names(&board, &seen.placed), "b11");
    assert!(seen.taken.is_empty() && seen.turned.is_empty(), "{seen:?}");
    let leads_to = "sends red to block b3 (e9 to h12)";
    assert_eq!(seen.leads_to.as_deref(), Some(leads_to));
}

//! The clock of a two-player game of Ishido: the effect of running out of time, and the
//! cost of taking a stone back.

use std::vec::Vec;

use protocol::Roster;

use super::*;
use crate::game::Service;
use crate::games::ishido::TAKE_BACK_MS;
use crate::games::number;

/// Time 0: the duration of a turn.
const TURN_MS: Tick = TURN_TIME_MS[0] as Tick;
/// The mode with Dekker's rules for two players.
const MODE: u8 = 2;

/// A game with Time 0 in which a touch was just made.
fn start(seed: u64, speed: u8) -> Board<u128> {
    let layout = Layout::grid(12, 8).expect("a layout");
    let roster = Roster::of(&[number::ISHIDO]);
    let mut board = Board::with_games(layout, roster, seed).expect("it fits 128 bits");
    let settings = Settings {
        game: number::ISHIDO,
        mode: MODE,
        level: 0,
        time: 0,
        speed,
    };
    board
        .carry_out(&Deed::Settings(settings), &mut |_, _| {})
        .expect("it is there");
    press(&mut board, Button::Start);
    begin(&mut board);
    board
}

fn tap(board: &mut Board<u128>, point: Point) -> Vec<Event> {
    let mut events = Vec::new();
    let mut tell = |_, event| events.push(event);
    board.input(Input::Touch(point), &mut tell);
    board.input(Input::Release(point), &mut tell);
    events
}

/// The events of the next `ticks`, without sounds.
fn wait(board: &mut Board<u128>, ticks: Tick) -> Vec<Event> {
    let mut events = Vec::new();
    board.advance(ticks, &mut |_, event| events.push(event));
    events.retain(|event| !matches!(event, Event::Bleep(_)));
    events
}

/// Puts the stone in hand on the first square on which it fits.
fn put(board: &mut Board<u128>) -> Point {
    let moves = board.legal().without(board.service(Service::Help));
    let point = moves.first().expect("it fits somewhere");
    tap(board, point);
    assert!(board.service(Service::TakeBack).has(point));
    point
}

fn clock(board: &Board<u128>) -> Option<(u32, u32)> {
    let clock = board.status().clock?;
    Some((clock.left_ms, clock.of_ms))
}

#[test]
fn a_stone_placed_by_the_clock_cannot_be_taken_back() {
    for seed in 0..20 {
        let mut board = start(seed, 0);
        wait(&mut board, TURN_MS);
        let last = board.status().last_move.expect("a stone was put");
        assert_eq!((last.side, last.by), (Side::Green, Mover::Clock));
        assert_eq!(board.turn(), Some(Side::Red), "the next stone is drawn");
        assert_eq!(board.service(Service::TakeBack), Points::NONE);
        let told = tap(&mut board, last.point);
        let (side, point) = (Side::Red, last.point);
        assert_eq!(told, [Event::Part { side, point }], "help for red");
        assert_eq!(clock(&board), Some((5_000, 5_000)));
    }
}

#[test]
fn a_time_out_places_a_stone_and_gives_no_help() {
    for seed in 0..100 {
        let mut board = start(seed, 9);
        for side in [Side::Green, Side::Red] {
            let told = wait(&mut board, TURN_MS);
            let (first, then) = told.split_first().expect("something happened");
            assert_eq!(*first, Event::TimedOut { side }, "seed {seed}");
            let is_part = |event: &Event| matches!(event, Event::Part { .. });
            assert!(!then.iter().any(is_part), "seed {seed}: {told:?}");
            assert!(
                matches!(then[0], Event::Move { .. }),
                "seed {seed}: {told:?}"
            );
        }
    }
}

#[test]
fn taking_a_stone_back_restores_the_time_left() {
    let mut board = start(5, 0);
    wait(&mut board, 3_000);
    let point = put(&mut board);
    assert_eq!(clock(&board), None, "it stands");
    wait(&mut board, 4_000);
    // A new setting applies from the next turn.
    press(&mut board, Button::Time);
    assert_eq!(
        tap(&mut board, point)[0],
        Event::TakenBack {
            side: Side::Green,
            point
        }
    );
    assert_eq!(clock(&board), Some((2_000, 5_000)));
    wait(&mut board, 1_999);
    assert_eq!(
        (clock(&board), board.turn()),
        (Some((1, 5_000)), Some(Side::Green))
    );
    let told = wait(&mut board, 1);
    assert_eq!(told[0], Event::TimedOut { side: Side::Green });
    assert_eq!(
        clock(&board),
        Some((8_000, 8_000)),
        "red's turn has all of its own"
    );
}

#[test]
fn a_pause_takes_no_time_from_a_stopped_clock() {
    let mut board = start(5, 0);
    wait(&mut board, 3_000);
    let point = put(&mut board);
    press(&mut board, Button::Stop);
    wait(&mut board, 60_000);
    press(&mut board, Button::Stop);
    tap(&mut board, point);
    assert_eq!(clock(&board), Some((2_000, 5_000)));
}

#[test]
fn a_kept_stone_gives_the_other_side_its_full_time() {
    let mut board = start(5, 0);
    wait(&mut board, 3_000);
    put(&mut board);
    wait(&mut board, TAKE_BACK_MS[0]);
    assert_eq!(
        (board.turn(), clock(&board)),
        (Some(Side::Red), Some((5_000, 5_000)))
    );
}

#[test]
fn a_board_loaded_during_the_take_back_continues_the_same() {
    let mut board = start(5, 0);
    wait(&mut board, 3_000);
    let point = put(&mut board);
    let mut buffer = [0; SNAPSHOT_BYTES];
    let saved = board.save(&mut buffer).expect("there is room");
    let mut loaded = start(6, 3);
    loaded.load(saved).expect("it was saved");
    for board in [&mut board, &mut loaded] {
        wait(board, 1_000);
        tap(board, point);
        assert_eq!(clock(board), Some((2_000, 5_000)));
        for _ in 0..2_500 {
            wait(board, 1);
        }
    }
    assert_eq!(board.digest(), loaded.digest());
}

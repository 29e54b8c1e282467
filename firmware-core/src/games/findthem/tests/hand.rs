//! The board's player.

use super::*;

#[test]
fn the_hand_waits_for_the_dark_and_then_takes_its_time() {
    for level in 1..=4 {
        let mut table = TestedGame::position(0, Side::Red, &HALVES).unwrap();
        let act = table.with(|game, hand, context| hand.wake(game, level, context));
        assert_eq!(act, BoardTurn::Wait);
        let shown_until = table.game.wakes_at().unwrap();
        assert_eq!(
            Player::<u128, FindThem<u128>>::wakes_at(&table.hand),
            shown_until
        );
        table.wait_for_wake();
        let act = table.with(|game, hand, context| hand.wake(game, level, context));
        assert_eq!(act, BoardTurn::Wait);
        let presses_at = Player::<u128, FindThem<u128>>::wakes_at(&table.hand);
        assert!((800..4_000).contains(&(presses_at - table.now)));
        table.now = presses_at;
        let act = table.with(|game, hand, context| hand.wake(game, level, context));
        assert!(matches!(act, BoardTurn::Touch(point) if table.legal().has(point)));
    }
}

#[test]
fn a_hand_in_a_hurry_presses_at_once() {
    let mut table = hidden(0, Side::Red);
    let act = table.with(|game, hand, context| hand.hurry(game, 4, context));
    assert!(matches!(act, BoardTurn::Touch(_)));
}

/// Plays a game of a match; the first turn ends long after a hand has touched a point.
fn play(mode: u8, seed: u64, levels: [u8; 2]) -> Outcome {
    let table: TestedGame = TestedGame::start(mode, seed);
    let table = play_out(table, levels, 10_000_000).expect("it ends");
    table.game.outcome().expect("it has ended")
}

#[test]
fn every_level_beats_the_one_below_in_every_mode() {
    let mut doubtful = StdVec::new();
    for mode in 0..4 {
        for higher in 2..=4 {
            let series = Series::of(400, higher, |seed, levels| play(mode, seed, levels));
            eprintln!(
                "mode {mode}: level {higher} against {}: {series:?}",
                higher - 1
            );
            if !series.is_beyond_chance() {
                doubtful.push((mode, higher));
            }
        }
    }
    assert!(doubtful.is_empty(), "(mode, level): {doubtful:?}");
}

#[test]
fn only_a_press_of_the_board_flashes() {
    let mut whole = Whole::with(7, 0, 4, Side::Green, &HALVES);
    whole.wait(10_000);
    whole.tap(Point(0));
    assert_eq!(whole.shows(Point(0)), Colour::GREEN);
    whole.wait(5_000);
    let pressed = whole.events.iter().find_map(|told| match *told {
        (
            tick,
            Event::Move {
                side: Side::Red,
                point,
                ..
            },
        ) => Some((tick, point)),
        _ => None,
    });
    let (at, point) = pressed.expect("the board has pressed");
    let mut whole = Whole::with(7, 0, 4, Side::Green, &HALVES);
    whole.wait(10_000);
    whole.tap(Point(0));
    whole.wait(at - 10_000 - 1);
    assert_eq!(whole.shows(point), Colour::OFF);
    whole.wait(1);
    assert_eq!(whole.shows(point), Colour::AMBER);
    whole.wait(125);
    assert_eq!(whole.shows(point), Colour::OFF);
    whole.wait(125);
    assert_eq!(whole.shows(point), Colour::AMBER);
}

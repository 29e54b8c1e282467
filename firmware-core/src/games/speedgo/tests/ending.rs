//! Passing, time-outs, the end and the final count.

use super::*;

#[test]
fn two_passes_in_a_row_end_the_game() {
    let (mut table, mut game) = board("..... .g.r. ..... .....", Side::Green);
    table.play(&mut game, "pass");
    assert_eq!(game.turn(), Some(Side::Red));
    table.play(&mut game, "c1 pass pass");
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Red)));
    assert_eq!(game.turn(), None);
    assert!(game.legal(&table.ground).is_empty());
    assert!(!game.pass(&mut table.context()));
    assert_eq!(game.touch(Point(0), &mut table.context()), Touch::Ignored);
}

#[test]
fn two_time_outs_do_not_end_a_game_with_open_borders() {
    // Green leads, and nobody is at the board.
    let (mut table, mut game) = board("....g .g.r. ..... .....", Side::Green);
    for turn in [Side::Red, Side::Green, Side::Red, Side::Green] {
        game.time_out(&mut table.context());
        assert_eq!(game.turn(), Some(turn));
    }
    // Nor does it answer a player who agreed to the end.
    table.play(&mut game, "pass");
    game.time_out(&mut table.context());
    table.play(&mut game, "pass");
    assert_eq!(game.outcome(), None);
    table.play(&mut game, "pass");
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn two_time_outs_end_a_game_with_closed_borders() {
    let (mut table, mut game) = board("..gr. ..gr. ..gr. ..gr.", Side::Green);
    game.time_out(&mut table.context());
    assert_eq!(game.turn(), Some(Side::Red));
    game.time_out(&mut table.context());
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
    game.time_out(&mut table.context());
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn a_single_stone_closes_no_border() {
    let (mut table, mut game) = board("..... .g... ..... .....", Side::Red);
    game.time_out(&mut table.context());
    game.time_out(&mut table.context());
    assert_eq!(game.outcome(), None);
}

#[test]
fn an_unplayed_game_ends_after_eight_turns_per_point() {
    let mut table = TestedGame::<u128>::new(9, 9, 1);
    let mut game = SpeedGo::start(0, &mut table.context()).unwrap();
    for _ in 0..8 * 81 {
        assert_eq!(game.outcome(), None);
        game.time_out(&mut table.context());
    }
    assert_eq!(game.outcome(), Some(Outcome::Draw));
}

#[test]
fn two_passes_on_an_empty_board_are_a_draw() {
    let mut table = TestedGame::<u128>::new(9, 9, 1);
    let mut game = SpeedGo::start(1, &mut table.context()).unwrap();
    table.play(&mut game, "pass pass");
    assert_eq!(game.outcome(), Some(Outcome::Draw));
    assert_eq!(game.score(&table.ground), [0, 0]);
}

#[test]
fn the_board_passes_for_a_side_without_a_move() {
    // Red may fill neither its only eye nor the eyes of green.
    let (mut table, mut game) = board(".rg.g rrg..", Side::Green);
    table.play(&mut game, "d1");
    assert_eq!(table.events.as_slice(), [Event::Passed { side: Side::Red }]);
    assert_eq!(game.turn(), Some(Side::Green));
    table.play(&mut game, "pass");
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn the_score_is_stones_and_solely_surrounded_points() {
    let (table, game) = board("..g.r g.g.r .gg.r rrrrr .....", Side::Green);
    // Green: 5 stones, a5, b5 and b4; red: 8 stones and the five points of line 1.
    assert_eq!(game.score(&table.ground), [8, 13]);
    let [green, red] = area(table.ground.grid(), game.stones());
    let neutral = table.points("d5 d4 d3 a3");
    assert!(!(green | red).meets(neutral), "next to both: nobody's");
}

#[test]
fn the_only_side_on_the_board_surrounds_it_only_at_the_end() {
    let (mut table, mut game) = board("... .g. ...", Side::Red);
    assert_eq!(game.score(&table.ground), [1, 0]);
    assert_eq!(game.outcome(), None, "it can still be invaded");
    table.play(&mut game, "pass pass");
    assert_eq!(game.score(&table.ground), [9, 0]);
}

#[test]
fn taken_stones_are_not_counted() {
    let (mut table, mut game) = board(".r.. rgr. .... ....", Side::Red);
    assert_eq!(game.score(&table.ground), [1, 4]);
    table.play(&mut game, "b2");
    assert_eq!(game.score(&table.ground), [0, 4]);
}

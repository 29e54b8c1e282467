//! States from outside.

use super::*;

#[test]
fn an_impossible_state_is_not_sound() {
    let (mut table, game) = board(".r.. rgr. .... ....", Side::Red);
    assert!(game.is_sound(&table.ground));
    let broken: [fn(&mut SpeedGo<u128>); 7] = [
        |game| game.positions[0].0[0] = game.positions[0].0[1],
        |game| game.positions[REMEMBERED - 1].0[0] = Points(1 << 100),
        |game| game.passes = 2,
        |game| game.passes = 1,
        |game| game.turns = 16 * 8,
        |game| game.outcome = Some(Outcome::Draw),
        |game| game.positions[0].0 = [Points(0xFFFF), Points::NONE],
    ];
    for breaks in broken {
        let mut wrong = game.clone();
        breaks(&mut wrong);
        assert!(!wrong.is_sound(&table.ground), "{wrong:?}");
    }
    // Neither two passes nor a stone has ended the game, and nothing is clear.
    let mut ended = game.clone();
    ended.outcome = Some(Outcome::by_score(game.score(&table.ground)));
    assert!(!ended.is_sound(&table.ground));
    let mut over = game;
    table.play(&mut over, "pass pass");
    assert!(over.is_sound(&table.ground));
    over.outcome = Some(Outcome::Draw);
    assert!(!over.is_sound(&table.ground));
}

#[test]
fn a_side_without_a_move_is_not_left_with_the_turn() {
    let (mut table, mut game) = board(".rg.g rrg..", Side::Green);
    table.play(&mut game, "d1");
    assert!(game.is_sound(&table.ground));
    game.turn = Side::Red;
    assert!(game.moves(table.ground.grid()).is_empty());
    assert!(!game.is_sound(&table.ground));
}

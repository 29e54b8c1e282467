//! Unconditional life (Benson's algorithm), and the end that the board detects by it.

use super::*;

fn living(rows: &str, side: Side) -> usize {
    let (table, game) = board(rows, Side::Green);
    alive(table.ground.grid(), game.stones(), side).len()
}

#[test]
fn two_small_eyes_live_and_one_dies() {
    assert_eq!(living(".g.g. ggggg ..... .....", Side::Green), 7);
    assert_eq!(living(".gg.. ggg.. ..... .....", Side::Green), 0);
}

#[test]
fn two_groups_live_by_two_eyes_that_they_share() {
    assert_eq!(living("g.gr. .ggr. gg.r. rrrr. .....", Side::Green), 6);
}

#[test]
fn an_eye_shared_with_a_dying_group_does_not_count() {
    assert_eq!(living(".g.gr gggrr rrrr. .....", Side::Green), 0);
    assert_eq!(living(".g.gr ggggr rrrrr .....", Side::Green), 6);
}

#[test]
fn a_large_eye_counts_only_if_each_of_its_points_is_a_liberty() {
    assert_eq!(living("..g. gggg rrrr ....", Side::Green), 5);
    assert_eq!(living("..g.g ..ggg ggg.. ..... .....", Side::Green), 0);
}

#[test]
fn a_stone_of_the_other_side_in_an_eye_does_not_matter() {
    assert_eq!(living(".rg. gggg rrrr ....", Side::Green), 5);
}

#[test]
fn areas_too_small_for_two_eyes_are_settled() {
    let (table, game) = board(".rg. gggg rrrr ....", Side::Green);
    let mine = settled(table.ground.grid(), game.stones(), Side::Green);
    assert_eq!(mine, table.points("a4 b4 c4 d4 a3 b3 c3 d3"));
    assert!(settled(table.ground.grid(), game.stones(), Side::Red).is_empty());
}

#[test]
fn a_game_ends_when_all_ownership_is_clear() {
    let (mut table, mut game) = board(".ggr. ggrrr .gr.. gggrr", Side::Red);
    table.play(&mut game, "d2");
    assert_eq!(game.outcome(), Some(Outcome::Draw));
    assert_eq!(game.score(&table.ground), [10, 10]);
}

#[test]
fn a_neutral_point_is_not_clear() {
    let (mut table, mut game) = board(".gg.r. gggrrr .ggr.. gggrrr", Side::Red);
    table.play(&mut game, "e2");
    assert_eq!(game.outcome(), None);
    table.play(&mut game, "d4");
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn an_area_where_the_opponent_could_live_is_not_clear() {
    let (mut table, mut game) = board("...g.g ...ggg ...g.g ggggg.", Side::Green);
    table.play(&mut game, "f1");
    assert_eq!(game.outcome(), None);
    let (mut table, mut game) = board("..gg.g ..gggg gggg.g ggggg.", Side::Green);
    table.play(&mut game, "f1");
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
}

/// `RULES.md`, about clear ownership: the inside of an area has at most one point, or two
/// neighbouring points.
#[test]
fn an_area_with_two_inner_neighbours_is_clear() {
    let (mut table, mut game) = board("...g.g ...ggg gggg.g ggggg.", Side::Green);
    table.play(&mut game, "f1");
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
    // The two corners of one area.
    let (mut table, mut game) = board("..g.gg .ggggg ..g.g.", Side::Green);
    table.play(&mut game, "f1");
    assert_eq!(game.outcome(), None);
}

#[test]
fn stones_that_can_be_captured_are_not_clear() {
    // Green has only one eye.
    let (mut table, mut game) = board("gggr. ggrrr .gr.. gggrr", Side::Red);
    table.play(&mut game, "d2");
    assert_eq!(game.outcome(), None);
}

#[test]
fn groups_that_live_together_without_eyes_do_not_end_the_game() {
    // The groups on e and g share the two points between them. A side that fills one of
    // them is captured, so both pass.
    let (mut table, mut game) = board(".g.gr.gr.r. ggggr.grrrr", Side::Green);
    assert_eq!(
        alive(table.ground.grid(), game.stones(), Side::Red).len(),
        6
    );
    assert!(!is_clear(table.ground.grid(), game.stones()));
    table.play(&mut game, "pass pass");
    assert_eq!(game.score(&table.ground), [10, 10]);
    assert_eq!(game.outcome(), Some(Outcome::Draw));
}

#[test]
fn ownership_is_checked_only_after_stones() {
    let (mut table, mut game) = board(".ggr. ggrrr .grr. gggrr", Side::Red);
    assert!(is_clear(table.ground.grid(), game.stones()));
    assert_eq!(game.outcome(), None);
    table.play(&mut game, "pass");
    assert_eq!(game.outcome(), None);
}

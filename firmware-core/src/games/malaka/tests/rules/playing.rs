//! How the dice are played: as many pips as can be, and who passes.

use super::*;

/// "O starts with a single die roll, thereafter players roll two dice each
/// turn."
#[test]
fn o_starts_with_one_die() {
    let mut position = Position::start(Variant::USUAL);
    assert_eq!((position.turn(), position.dice_to_roll()), (O, 1));
    assert!(position.steps().is_empty());
    assert_eq!(position.apply(step("a1-a4")), Err(StepError::NotRolled));
    assert_eq!(position.roll(Dice::two(1, 2)), Err(RollError::Count(1)));
    assert_eq!(position.roll(Dice::one(5)), Err(RollError::Sides(4)));
    assert_eq!(position.roll(Dice::one(3)), Ok(()));
    assert_eq!(position.roll(Dice::one(3)), Err(RollError::NotPlayed));
    assert_eq!(play(&mut position, "a1-a4"), After::Turn);
    assert_eq!((position.turn(), position.dice_to_roll()), (X, 2));
    assert_eq!(position.roll(Dice::one(3)), Err(RollError::Count(2)));
    assert_eq!(
        position.roll(Dice::of(&[2, 2]).unwrap()),
        Err(RollError::Count(2))
    );
    assert_eq!(position.roll(Dice::two(2, 2)), Ok(()));
    assert_eq!(position.dice().len(), 4);
}

/// "The player must move one or more of their pieces": one piece may play both
/// dice, or two pieces one each.
#[test]
fn dice_are_played_by_one_piece_or_by_several() {
    let position = small("a1 b1x2", "i9x2", O, &[1, 2]);
    assert_eq!(
        turn_names(&position),
        [
            "a1-a2,b1-b3",
            "a1-a2,a2-a4",
            "a1-a3,b1-b2",
            "b1-b2,b1-b3",
            "b1-b2,b2-b4"
        ]
    );
}

/// "If a double is rolled, then the player moves four times using the pip value
/// shown."
#[test]
fn a_double_is_played_four_times() {
    let mut position = small("a1x2 c1", "i9x2", O, &[2, 2, 2, 2]);
    assert_eq!(play(&mut position, "a1-a3,a3-a5,a1-a3,c1-c3"), After::Turn);
    assert_eq!(pile(&position, "a3"), Some((O, 1, false)));
    let position = small("a1", "i9x2", O, &[2, 2, 2, 2]);
    // a9 is in the third subarea, which leads to the right.
    assert_eq!(turn_names(&position), ["a1-a3,a3-a5,a5-a7,a7-c7"]);
}

/// "The player must make the move that uses the maximum number of pips."
#[test]
fn both_dice_are_played_if_possible() {
    // If the 1 were played first, the 3 could not be played: g6 and g9 are blocked.
    let position = small("g5 h8 a1", "a4x2 a2x2 i9", O, &[1, 3]);
    let all = names(&position);
    assert!(
        all.contains(&"h8-h9".into()) && all.contains(&"g5-g8".into()),
        "{all:?}"
    );
    // With no other piece on the board, only the order in which both dice can be played
    // is legal.
    let position = small("a5", "a6x2 i9", O, &[1, 2]);
    assert_eq!(turn_names(&position), ["a5-a7,a7-b7"]);
    let position = small("a5", "a7x2 i9", O, &[1, 2]);
    assert_eq!(turn_names(&position), ["a5-a6,a6-a8"]);
}

#[test]
fn the_larger_die_is_played_if_only_one_can() {
    // h6-h8 and h6-h9 are possible, but not both.
    let position = small("h6", "a2x2", O, &[2, 3]);
    assert_eq!(turn_names(&position), ["h6-h9"]);
    // Only the smaller die can be played.
    let position = small("h6", "h9x2", O, &[2, 3]);
    assert_eq!(turn_names(&position), ["h6-h8"]);
}

#[test]
fn a_double_is_played_as_far_as_possible() {
    let position = small("g4 h8", "i9", O, &[2, 2, 2, 2]);
    assert_eq!(turn_names(&position), ["g4-g6,g6-g8"]);
}

#[test]
fn a_double_is_played_as_far_as_possible_over_walls() {
    // Forwards, c3 gets no further than c5; over the wall it kills a piece and continues.
    for (red, dice, steps) in [
        ("e3 c7x2 i9x2", &[2, 2, 2, 2][..], &["c3-e3"][..]),
        ("e3 c7x2 i9x2", &[2, 2], &["c3-e3"]),
        // Behind the wall exactly one more step is possible.
        ("e3 c7x2 g5x2", &[2, 2, 2, 2], &["c3-e3"]),
        // Both ways have four steps, because c5 can also go over the wall.
        ("e3 e5 c7x2", &[2, 2, 2, 2], &["c3-e3", "c3-c5"]),
    ] {
        let position = small("c3", red, O, dice);
        assert_eq!(names(&position), steps, "{red}");
    }
    // h6 may go first, and c3 after it.
    let position = small("c3 h6", "e3 c7x2 i9x2", O, &[2, 2, 2, 2]);
    assert_eq!(names(&position), ["c3-e3", "h6-h8"]);
}

/// "The player must make the move that uses the maximum number of pips."
#[test]
fn a_jump_that_wastes_pips_is_illegal() {
    // Around the wall, c3 has four steps; behind it, a block is in the way of the second
    // step.
    let position = small("c3", "e3 g3x2", O, &[2, 2, 2, 2]);
    assert_eq!(names(&position), ["c3-c5"]);
    assert_eq!(turn_names(&position), ["c3-c5,c5-c7,c7-e7,e7-e5"]);
}

/// "The player must make the move that uses the maximum number of pips."
#[test]
fn steps_enabled_by_another_piece_count_as_possible() {
    // c5 kills a piece on e5 once the pinning piece there has left. So c3-e3 can also be
    // followed by as many steps as the others.
    let position = small("c3 c5 e5+", "c7x2 g3x2 e3", O, &[2, 2, 2, 2]);
    assert_eq!(names(&position), ["c3-e3", "c3-c5", "e5-e3"]);
    assert!(turn_names(&position).contains(&"c3-e3,e5-e3,c5-e5,e5-e3".into()));
}

#[test]
fn turns_with_the_same_result_are_listed_once() {
    let position = small("a1 b1 c1 a3", "i9x2", O, &[1, 1, 1, 1]);
    let turns = turns(&position);
    assert!(turns.len() > 20, "{}", turns.len());
    for (n, (turn, next)) in turns.iter().enumerate() {
        let again = turns[..n].iter().find(|(_, other)| other == next);
        assert_eq!(again.map(|(other, _)| other), None, "{turn:?}");
    }
}

#[test]
fn only_a_player_without_moves_passes() {
    let mut position = small("h8", "a3x2", O, &[2, 3]);
    assert!(position.steps().is_empty());
    assert_eq!(turns(&position), []);
    assert_eq!(position.apply(step("h8-h9")), Err(StepError::NotLegal));
    assert!(position.pass());
    assert_eq!((position.turn(), position.dice_to_roll()), (X, 2));
    assert!(!position.pass(), "before the roll");
    position.roll(Dice::two(1, 2)).unwrap();
    assert!(!position.pass(), "where a step can be taken");
}

#[test]
fn playing_the_last_die_leaves_no_dice() {
    assert_eq!(Dice::one(3).without(3), Some(Dice::NONE));
    assert_eq!(Dice::one(3).without(2), None);
    let two = Dice::two(4, 2);
    assert_eq!(two.without(2), Some(Dice::one(4)));
    assert_eq!(two.without(4), Some(Dice::one(2)));
    let mut left = Some(Dice::two(3, 3));
    for count in (0..4).rev() {
        left = left.and_then(|dice| dice.without(3));
        assert_eq!(left.map(Dice::len), Some(count));
    }
    assert_eq!(left, Some(Dice::NONE));
}

#[test]
fn looking_ahead_gives_the_given_dice_to_the_other_side() {
    let mut position = small("a1x2 c1", "i9x2", Side::Green, &[1, 2]);
    position.look_ahead(step("a1-a2"));
    assert_eq!(position.dice(), Dice::one(2));
    assert_eq!(pile(&position, "a2"), Some((Side::Green, 1, false)));
    position.look_at_reply(Dice::two(3, 3));
    assert_eq!(position.turn(), Side::Red);
    assert_eq!(position.dice(), Dice::two(3, 3));
}

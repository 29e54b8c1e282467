//! Who has won, and which positions there are.

use super::*;

/// "For instance, a win for X is shown below (note that the distance to
/// connection is zero). Pinned pieces, and pieces that pin others, may be
/// counted in a winning connection."
#[test]
fn the_winning_example_of_the_help_is_a_win() {
    let position = small("a3+", "a1 a2 a4 b4+ c1 c2x2", O, &[1, 2]);
    assert_eq!(position.pieces(X), 8);
    assert_eq!(position.distance(X), 0);
    assert_eq!(position.winner(), Some(X));
    assert!(position.dice().is_empty() && position.steps().is_empty());
    // If they were not connected, they would be eleven steps away.
    let apart: u16 = position
        .piles()
        .map(|(place, pile)| u16::from(pile.count_of(X)) * Variant::USUAL.distance(X, place))
        .sum();
    assert_eq!(apart, 11);
}

#[test]
fn a_piece_between_two_that_are_connected_is_connected() {
    let position = small("g9 i9 g8 h8 i8", "a5x2", X, &[]);
    assert_eq!(position.distance(O), 0);
    assert_eq!(position.winner(), Some(O));
}

#[test]
fn walls_separate_the_places_beside_them() {
    let position = small("a9", "c1 d1", O, &[1, 2]);
    assert_eq!(position.winner(), None);
    assert_eq!(
        position.distance(X),
        Variant::USUAL.distance(X, place("d1"))
    );
}

#[test]
fn the_step_that_connects_wins_at_once() {
    // The 2 is left, and could be played with g7-g9.
    let mut position = small("g9 g8 g7 i8", "a5x2", O, &[1, 2]);
    assert_eq!(play(&mut position, "i8-i9"), After::Won(O));
    assert!(position.dice().is_empty());
    let mut both = small("h9 h7 g1", "a5x2", O, &[1, 2]);
    assert_eq!(play(&mut both, "h7-h8"), After::Part);
    assert_eq!(both.winner(), None);
}

/// "A player also wins if an enemy piece is pinned on its home edge."
#[test]
fn a_pin_on_the_home_edge_wins() {
    let mut position = small("b1 a9x3", "b3 i9x2", X, &[2, 4]);
    assert_eq!(play(&mut position, "b3-b1"), After::Won(X));
    let mut position = small("h7 a1x2", "h9 d5x2", O, &[2, 4]);
    assert_eq!(play(&mut position, "h7-h9"), After::Won(O));
    // Elsewhere in the same row it does not win.
    let mut position = small("e1 a9x2", "d1 i9x2", O, &[1]);
    assert_eq!(play(&mut position, "a9-b9"), After::Turn);
}

/// "the opponent's task easier as they have one less piece to connect".
#[test]
fn a_kill_may_connect_the_other_side() {
    let mut position = small("c4 a9x2", "a1 b1 d4", O, &[1]);
    assert_eq!(play(&mut position, "c4-d4"), After::Won(X));
}

#[test]
fn the_mover_wins_if_both_sides_connect() {
    let mut position = small("c9 g8 h9", "a1 g9", O, &[4]);
    assert_eq!(position.meets(step("c9-g9")), Meets::Kills);
    assert_eq!(play(&mut position, "c9-g9"), After::Won(O));
    assert_eq!([O, X].map(|side| position.distance(side)), [0, 0]);
    assert_eq!(position.apply(step("g8-g9")), Err(StepError::Over));
    assert_eq!(position.roll(Dice::two(1, 2)), Err(RollError::Over));
    assert!(!position.pass());
}

#[test]
fn an_impossible_position_gives_its_reason() {
    let set = |piles: &[(&str, Side, u8)], dice| {
        let pile = |(name, side, count): &(&str, Side, u8)| {
            (
                place(name),
                Pile {
                    side: *side,
                    count: *count,
                    pins: false,
                },
            )
        };
        Position::set_up(Variant::USUAL, piles.iter().map(pile), O, dice)
    };
    assert_eq!(
        set(&[("k1", O, 1)], Dice::NONE),
        Err(PositionError::Place(place("k1")))
    );
    assert_eq!(
        set(&[("a1", O, 1), ("a1", X, 1)], Dice::NONE),
        Err(PositionError::Twice(place("a1")))
    );
    assert_eq!(
        set(&[("a1", O, 13)], Dice::NONE),
        Err(PositionError::Count {
            place: place("a1"),
            count: 13,
            most: 12
        })
    );
    assert_eq!(
        set(&[("a1", O, 0)], Dice::NONE),
        Err(PositionError::Count {
            place: place("a1"),
            count: 0,
            most: 12
        })
    );
    assert_eq!(
        set(&[("a1", O, 7), ("a2", O, 6)], Dice::NONE),
        Err(PositionError::Pieces {
            side: O,
            count: 13,
            most: 12
        })
    );
    assert_eq!(
        set(&[("a1", O, 7)], Dice::one(5)),
        Err(PositionError::Die { pips: 5, sides: 4 })
    );
    let first = |turn, dice| {
        let position = Position::set_up(Variant::USUAL, [], turn, dice);
        position.and_then(Position::as_first_turn)
    };
    assert_eq!(first(X, Dice::NONE), Err(PositionError::FirstOfRed));
    let pile = |side| Pile {
        side,
        count: 1,
        pins: false,
    };
    let piles = [(place("a1"), pile(O)), (place("i9"), pile(X))];
    let position = Position::set_up(Variant::USUAL, piles, O, Dice::two(1, 2)).unwrap();
    assert_eq!(position.as_first_turn(), Err(PositionError::FirstDice(2)));
}

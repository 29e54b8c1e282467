//! What happens where pieces meet, and what a step over a wall does.

use super::*;

/// "If a player moves onto a single enemy piece, then that enemy piece is pinned
/// until the player moves off."
#[test]
fn a_single_piece_is_pinned_until_the_other_moves_off() {
    let mut position = small("a1 b1", "a3 g5", O, &[1, 2]);
    assert_eq!(position.meets(step("a1-a3")), Meets::Pins);
    play(&mut position, "a1-a3,b1-b2");
    assert_eq!(pile(&position, "a3"), Some((O, 1, true)));
    position.roll(Dice::two(1, 2)).unwrap();
    assert!(position.steps().iter().all(|step| step.from != place("a3")));
    play(&mut position, "g5-g4,g4-g2");
    position.roll(Dice::two(1, 2)).unwrap();
    play(&mut position, "a3-a4,b2-b4");
    assert_eq!(pile(&position, "a3"), Some((X, 1, false)));
}

/// "Players may stack as many pieces as they like onto any point, but cannot
/// move to any point at which the enemy controls a block (a pile of two or more
/// pieces)."
#[test]
fn a_block_keeps_the_enemy_away_and_own_pieces_stack() {
    let position = small("a1x10 a2x2", "a3x2 b3", O, &[1, 2]);
    assert_eq!(names(&position), ["a1-a2", "a2-a4"]);
    // A piece together with one that it pins is a pile of two.
    let pins = small("a1 c1", "a3+", O, &[2]);
    assert_eq!(names(&pins), ["c1-c3"]);
}

/// "O has rolled {2,3} and may therefore both move E5-E3 which pins the X piece
/// at E3, and jump E5-H5 which kills the X piece at H5."
#[test]
fn the_example_of_pinning_and_killing() {
    let position = small(
        "a1x2 b1x2 c1x2 a2x2 c2x2 e5x2",
        "g9x2 h9x2 i9x2 g8x2 i8x2 e3 h5",
        O,
        &[2, 3],
    );
    assert_eq!([O, X].map(|side| position.distance(side)), [226, 235]);
    let mut pinned = position.clone();
    assert_eq!(position.meets(step("e5-e3")), Meets::Pins);
    assert_eq!(position.meets(step("e5-h5")), Meets::Kills);
    assert_eq!(play(&mut pinned, "e5-e3,e5-h5"), After::Turn);
    assert_eq!(pile(&pinned, "e3"), Some((O, 1, true)));
    assert_eq!(pile(&pinned, "h5"), Some((O, 1, false)));
    assert_eq!((pinned.pieces(O), pinned.pieces(X)), (12, 11));
}

/// "Players cannot jump backwards and cannot jump both walls with the same
/// step."
#[test]
fn a_jump_crosses_one_wall_and_never_backwards() {
    // O at e5 jumps over the right wall, not over the left one.
    let position = small("e5", "h5 b5", O, &[3]);
    assert_eq!(names(&position), ["e5-e2", "e5-h5"]);
    // X at e5 jumps in the other direction.
    let position = small("h5 b5", "e5", X, &[3]);
    assert_eq!(names(&position), ["e5-b5", "e5-e8"]);
    // Six points to the right of d7 is behind one wall; six points to the right of d6 is
    // behind both.
    let position = large("d9 d6", "j9 j6", O, &[6]);
    assert_eq!(names(&position), ["d6-d12", "d9-j9"]);
    // No jump over a wall to an empty point, an own piece, a block or a pin.
    for (green, red) in [
        ("e5", "a9"),
        ("e5 h5", "a9"),
        ("e5", "h5x2"),
        ("e5 h1", "h5+"),
    ] {
        let position = small(green, red, O, &[3]);
        assert!(!names(&position).contains(&"e5-h5".into()), "{green}/{red}");
    }
    // Nor with both dice together.
    let position = small("e5", "h5 a9x2", O, &[1, 2]);
    assert!(names(&position).iter().all(|step| step != "e5-h5"));
}

/// A step forwards over a wall is also a jump: c9-g9 crosses one.
#[test]
fn a_step_forwards_does_not_go_through_a_wall() {
    let position = small("c9", "a2x2", O, &[4]);
    assert!(position.steps().is_empty());
    let position = small("c9", "g9 a5x2", O, &[4]);
    assert_eq!(names(&position), ["c9-g9"]);
    assert_eq!(position.meets(step("c9-g9")), Meets::Kills);
}

/// "move C3 to C6 then C6 to C8": a step is straight, even into a subarea that
/// leads elsewhere.
#[test]
fn a_step_follows_the_direction_of_its_first_subarea() {
    let position = small("c6", "i9x2", O, &[2]);
    assert_eq!(names(&position), ["c6-c8"]);
    let mut position = small("c3", "i9x2", O, &[2, 3]);
    assert_eq!(play(&mut position, "c3-c6,c6-c8"), After::Turn);
}

//! The rules of the help page (August 2004), sentence by sentence, and properties that
//! always hold.

use core::ops::ControlFlow;
use std::collections::BTreeSet;
use std::string::{String, ToString};
use std::vec::Vec;

use law::{Judged, Weight, law};
use postcard::experimental::max_size::MaxSize;
use proptest::prelude::*;
use protocol::Side;

use super::reference::{Slow, map_of, written};
use super::*;

fn place(name: &str) -> MalakaPoint {
    name.parse().expect("the name of a place")
}

fn step(text: &str) -> Step {
    let (from, to) = text.split_once('-').expect("a step");
    Step {
        from: place(from),
        to: place(to),
    }
}

/// `a1x2` is two pieces, `a1+` one that pins, `a1x2+` two that pin.
fn piles<'a>(side: Side, text: &'a str) -> impl Iterator<Item = (MalakaPoint, Pile)> + 'a {
    text.split_whitespace().map(move |word| {
        let (word, pins) = match word.strip_suffix('+') {
            Some(word) => (word, true),
            None => (word, false),
        };
        let (name, count) = word.split_once('x').unwrap_or((word, "1"));
        let count = count.parse().unwrap();
        (place(name), Pile { side, count, pins })
    })
}

fn of(variant: Variant, green: &str, red: &str, turn: Side, dice: &[u8]) -> Position {
    let piles = piles(Side::Green, green).chain(piles(Side::Red, red));
    Position::set_up(variant, piles, turn, Dice::of(dice).unwrap()).unwrap()
}

fn small(green: &str, red: &str, turn: Side, dice: &[u8]) -> Position {
    of(Variant::USUAL, green, red, turn, dice)
}

fn large(green: &str, red: &str, turn: Side, dice: &[u8]) -> Position {
    of(Variant::of_mode(8).unwrap(), green, red, turn, dice)
}

fn names(position: &Position) -> Vec<String> {
    position.steps().iter().map(ToString::to_string).collect()
}

fn turns(position: &Position) -> Vec<(Vec<Step>, Position)> {
    let mut turns = Vec::new();
    let told = position.each_turn(|turn, next| {
        turns.push((turn.to_vec(), next.clone()));
        ControlFlow::Continue(())
    });
    assert!(told.is_continue());
    turns
}

fn turn_names(position: &Position) -> Vec<String> {
    let name = |(turn, _): (Vec<Step>, Position)| {
        let steps: Vec<String> = turn.iter().map(ToString::to_string).collect();
        steps.join(",")
    };
    turns(position).into_iter().map(name).collect()
}

fn play(position: &mut Position, steps: &str) -> After {
    let mut last = After::Part;
    for text in steps.split(',') {
        assert_eq!(last, After::Part, "before {text}");
        last = position.apply(step(text)).expect(text);
    }
    last
}

fn pile(position: &Position, name: &str) -> Option<(Side, u8, bool)> {
    let pile = position.pile(place(name));
    pile.map(|pile| (pile.side, pile.count, pile.pins))
}

const O: Side = Side::Green;
const X: Side = Side::Red;

/// "O = 228" and "X = 228" are for the staggered start of the later page; the block drawn
/// on the older page gives 246.
#[test]
fn the_distance_to_connection_is_what_the_help_pages_print() {
    let starts = [
        (Variant::USUAL, 228),
        (
            Variant {
                start: StartShape::Block,
                ..Variant::USUAL
            },
            246,
        ),
        (
            Variant {
                start: StartShape::Block,
                rows: StartRows::Three,
                ..Variant::USUAL
            },
            360,
        ),
        (Variant::of_mode(8).unwrap(), 400),
        (Variant::of_mode(8 + 2).unwrap(), 432),
        (Variant::of_mode(8 + 2 + 1).unwrap(), 636),
    ];
    for (variant, distance) in starts {
        let start = Position::start(variant);
        assert_eq!(
            Side::BOTH.map(|side| start.distance(side)),
            [distance; 2],
            "{variant:?}"
        );
        assert_eq!(
            Side::BOTH.map(|side| start.pieces(side)),
            [variant.pieces().into(); 2]
        );
        assert_eq!(start.winner(), None);
    }
}

#[test]
fn the_later_pages_start_is_staggered() {
    let start = Position::start(Variant::USUAL);
    let of = |side| -> BTreeSet<MalakaPoint> {
        let own = start.piles().filter(|(_, pile)| pile.side == side);
        own.map(|(place, pile)| {
            assert_eq!((pile.count, pile.pins), (2, false));
            place
        })
        .collect()
    };
    let named = |text: &str| text.split(' ').map(place).collect::<BTreeSet<_>>();
    assert_eq!(of(O), named("a7 a8 a9 a1 b1 c1"));
    assert_eq!(of(X), named("g9 h9 i9 i3 i2 i1"));
}

#[test]
fn a_third_row_is_staggered_between_the_two() {
    let start = Position::start(Variant::of_mode(1).unwrap());
    assert_eq!(start.pieces(O), 18);
    for name in ["a4", "b4", "c4"] {
        assert_eq!(pile(&start, name), Some((O, 2, false)));
    }
    for name in ["i6", "h6", "g6"] {
        assert_eq!(pile(&start, name), Some((X, 2, false)));
    }
}

#[test]
fn each_mode_is_a_variant_of_its_own() {
    let variants: Vec<Variant> = (0..VARIANTS)
        .map(|mode| Variant::of_mode(mode).unwrap())
        .collect();
    for (mode, variant) in variants.iter().enumerate() {
        assert_eq!(usize::from(variant.mode()), mode);
        assert_eq!(variants.iter().filter(|other| *other == variant).count(), 1);
    }
    assert_eq!(Variant::of_mode(VARIANTS), None);
    assert_eq!(variants[0], Variant::USUAL);
    assert_eq!((variants[0].die_sides(), variants[4].die_sides()), (4, 6));
    assert_eq!((variants[8].die_sides(), variants[12].die_sides()), (6, 4));
    assert_eq!((variants[0].side(), variants[8].side()), (9, 12));
}

/// The table that belongs to "228", row by row from the top.
#[test]
fn the_way_of_o_is_so_long() {
    let rows = [
        [18, 17, 16, 15, 14, 13, 0, 0, 0],
        [17, 16, 15, 14, 13, 12, 1, 1, 1],
        [16, 15, 14, 13, 12, 11, 2, 2, 2],
        [17, 16, 15, 12, 11, 10, 3, 3, 3],
        [18, 17, 16, 11, 10, 9, 4, 4, 4],
        [19, 18, 17, 10, 9, 8, 5, 5, 5],
        [20, 19, 18, 9, 8, 7, 6, 6, 6],
        [21, 20, 19, 10, 9, 8, 7, 7, 7],
        [22, 21, 20, 11, 10, 9, 8, 8, 8],
    ];
    for at in Variant::USUAL.places() {
        let steps = rows[8 - usize::from(at.row())][usize::from(at.column())];
        assert_eq!(Variant::USUAL.distance(O, at), steps, "{at}");
        let turned = Variant::USUAL.turned(at);
        assert_eq!(Variant::USUAL.distance(X, turned), steps, "{turned}");
    }
}

/// The two pictures of directions, and the walls in them.
#[test]
fn ways_and_walls_are_those_of_the_pictures() {
    for mode in [0, 8] {
        let variant = Variant::of_mode(mode).unwrap();
        let slow = Slow::of(&Position::start(variant));
        for at in variant.places() {
            let xy = (i32::from(at.column()), i32::from(at.row()));
            for side in Side::BOTH {
                let way = match variant.way(side, at) {
                    AreaDirection::Up => (0, 1),
                    AreaDirection::Down => (0, -1),
                    AreaDirection::Right => (1, 0),
                    AreaDirection::Left => (-1, 0),
                };
                assert_eq!(way, slow.way(side, xy), "{side:?} {at}");
            }
            for other in variant.places() {
                let there = (i32::from(other.column()), i32::from(other.row()));
                let walls = usize::from(variant.walls_between(at, other));
                assert_eq!(walls, slow.walls(xy, there), "{at} {other}");
            }
        }
        let third = usize::from(variant.third());
        assert_eq!(variant.walls().count(), 4 * third);
        assert!(
            variant
                .walls()
                .all(|(one, other)| variant.walls_between(one, other) == 1)
        );
    }
    let homes = |side| -> Vec<String> {
        let places = Variant::USUAL.home_edge(side);
        let mut names: Vec<String> = places.map(|place| place.to_string()).collect();
        names.sort();
        names
    };
    assert_eq!(homes(O), ["a1", "b1", "c1"]);
    assert_eq!(homes(X), ["g9", "h9", "i9"]);
}

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
fn both_dice_are_played_where_that_can_be() {
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
fn the_larger_die_is_played_where_only_one_can_be() {
    // h6-h8 and h6-h9 are possible, but not both.
    let position = small("h6", "a2x2", O, &[2, 3]);
    assert_eq!(turn_names(&position), ["h6-h9"]);
    // Only the smaller die can be played.
    let position = small("h6", "h9x2", O, &[2, 3]);
    assert_eq!(turn_names(&position), ["h6-h8"]);
}

#[test]
fn of_a_double_as_much_is_played_as_can_be() {
    let position = small("g4 h8", "i9", O, &[2, 2, 2, 2]);
    assert_eq!(turn_names(&position), ["g4-g6,g6-g8"]);
}

#[test]
fn of_a_double_as_much_is_played_as_can_be_over_walls_too() {
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
fn a_step_over_a_wall_that_leads_to_less_than_the_way_around_is_not_legal() {
    // Around the wall, c3 has four steps; behind it, a block is in the way of the second
    // step.
    let position = small("c3", "e3 g3x2", O, &[2, 2, 2, 2]);
    assert_eq!(names(&position), ["c3-c5"]);
    assert_eq!(turn_names(&position), ["c3-c5,c5-c7,c7-e7,e7-e5"]);
}

/// "The player must make the move that uses the maximum number of pips."
#[test]
fn a_piece_that_waits_for_another_one_to_free_its_target_counts() {
    // c5 kills a piece on e5 once the pinning piece there has left. So c3-e3 can also be
    // followed by as many steps as the others.
    let position = small("c3 c5 e5+", "c7x2 g3x2 e3", O, &[2, 2, 2, 2]);
    assert_eq!(names(&position), ["c3-e3", "c3-c5", "e5-e3"]);
    assert!(turn_names(&position).contains(&"c3-e3,e5-e3,c5-e5,e5-e3".into()));
}

#[test]
fn of_turns_from_which_the_same_comes_one_is_told() {
    let position = small("a1 b1 c1 a3", "i9x2", O, &[1, 1, 1, 1]);
    let turns = turns(&position);
    assert!(turns.len() > 20, "{}", turns.len());
    for (n, (turn, next)) in turns.iter().enumerate() {
        let again = turns[..n].iter().find(|(_, other)| other == next);
        assert_eq!(again.map(|(other, _)| other), None, "{turn:?}");
    }
}

#[test]
fn who_cannot_move_passes_and_nobody_else() {
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
fn a_jump_goes_over_one_wall_and_not_backwards() {
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
fn a_step_goes_straight_as_the_subarea_leads_in_which_it_begins() {
    let position = small("c6", "i9x2", O, &[2]);
    assert_eq!(names(&position), ["c6-c8"]);
    let mut position = small("c3", "i9x2", O, &[2, 3]);
    assert_eq!(play(&mut position, "c3-c6,c6-c8"), After::Turn);
}

/// "For instance, a win for X is shown below (note that the distance to
/// connection is zero). Pinned pieces, and pieces that pin others, may be
/// counted in a winning connection."
#[test]
fn the_win_that_is_shown() {
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
fn walls_part_what_lies_beside_them() {
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
fn who_moves_comes_first_where_both_are_connected() {
    let mut position = small("c9 g8 h9", "a1 g9", O, &[4]);
    assert_eq!(position.meets(step("c9-g9")), Meets::Kills);
    assert_eq!(play(&mut position, "c9-g9"), After::Won(O));
    assert_eq!([O, X].map(|side| position.distance(side)), [0, 0]);
    assert_eq!(position.apply(step("g8-g9")), Err(StepError::Over));
    assert_eq!(position.roll(Dice::two(1, 2)), Err(RollError::Over));
    assert!(!position.pass());
}

#[test]
fn what_is_no_position_says_why() {
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

#[test]
fn the_last_of_the_dice_leaves_nothing_to_play() {
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
fn who_looks_ahead_sees_the_other_side_with_these_dice() {
    let mut position = small("a1x2 c1", "i9x2", Side::Green, &[1, 2]);
    position.look_ahead(step("a1-a2"));
    assert_eq!(position.dice(), Dice::one(2));
    assert_eq!(pile(&position, "a2"), Some((Side::Green, 1, false)));
    position.look_at_reply(Dice::two(3, 3));
    assert_eq!(position.turn(), Side::Red);
    assert_eq!(position.dice(), Dice::two(3, 3));
}

#[test]
fn a_board_has_its_places_and_each_home_edge_is_a_third_of_a_row() {
    for mode in 0..VARIANTS {
        let variant = Variant::of_mode(mode).unwrap();
        let side = variant.side();
        let places: Vec<MalakaPoint> = variant.places().collect();
        assert_eq!(places.len(), usize::from(side) * usize::from(side));
        assert!(places.is_sorted_by(|one, next| one < next));
        assert_eq!(
            places.last(),
            Some(&variant.last()),
            "the one at the top right"
        );
        for side in [O, X] {
            let edge: Vec<MalakaPoint> = variant.home_edge(side).collect();
            assert_eq!(edge.len(), usize::from(variant.third()));
            for place in &places {
                let is_on = variant.is_home_edge(side, *place);
                assert_eq!(is_on, edge.contains(place), "{side:?} {place}");
            }
        }
    }
    let around = |name: &str| -> BTreeSet<String> {
        let places = Variant::USUAL.around(place(name), 2);
        places.map(|place| place.to_string()).collect()
    };
    assert_eq!(
        around("e5"),
        ["c5", "e3", "e7", "g5"].map(String::from).into()
    );
    assert_eq!(around("a1"), ["a3", "c1"].map(String::from).into());
}

#[test]
fn places_and_dice_are_read_as_they_are_written() {
    for at in Variant::of_mode(8).unwrap().places() {
        assert_eq!(at.to_string().parse(), Ok(at));
        assert_eq!(at.to_string().to_uppercase().parse(), Ok(at));
        assert_eq!(MalakaPoint::try_from(u8::from(at)), Ok(at));
    }
    for text in [
        "", "a", "1", "m1", "a0", "a13", "a01", "a+1", "aa", "é1", "a 1",
    ] {
        let refused = text.parse::<MalakaPoint>().unwrap_err();
        assert!(refused.to_string().contains("from a to l"), "{text}");
    }
    for (pips, text) in [
        (&[3, 2][..], "2 3"),
        (&[2; 4], "2 2 2 2"),
        (&[1], "1"),
        (&[], ""),
    ] {
        assert_eq!(Dice::of(pips).unwrap().to_string(), text);
    }
    for pips in [&[1, 2, 3][..], &[2, 2, 3], &[2; 5], &[0], &[0, 1]] {
        assert_eq!(Dice::of(pips), None, "{pips:?}");
    }
    assert_eq!(Dice::two(3, 1).without(1), Some(Dice::one(3)));
    assert_eq!(Dice::two(3, 1).without(2), None);
    assert_eq!(Dice::two(3, 3).without(3).map(Dice::len), Some(3));
    assert_eq!(Dice::NONE.without(0), None);
    assert_eq!(Dice::two(3, 3).sum(), 12);
}

/// Positions whose pieces are close together, so that they meet.
fn position() -> impl Strategy<Value = Option<Position>> {
    let pile = (0..12_u8, 0..12_u8, any::<bool>(), 1..4_u8, 0..5_u8);
    let near = (0..9_u8, 0..9_u8, any::<bool>(), 1..3_u8, 0..4_u8);
    let piles = prop_oneof![
        proptest::collection::vec(pile, 1..20),
        proptest::collection::vec(near, 1..12),
    ];
    let dice = (1..7_u8, 1..7_u8, any::<bool>());
    let of = |(mode, piles, turn, (one, other, is_double)): (u8, Vec<_>, bool, _)| {
        let variant = Variant::of_mode(mode)?;
        let side = |is_red: bool| Side::BOTH[usize::from(is_red)];
        let mut places = BTreeSet::new();
        let pile = |(column, row, is_red, count, pins): (u8, u8, bool, u8, u8)| {
            let place = MalakaPoint::new(column % variant.side(), row % variant.side())?;
            let pins = pins == 0;
            places.insert(place).then_some((
                place,
                Pile {
                    side: side(is_red),
                    count,
                    pins,
                },
            ))
        };
        let piles: Vec<_> = piles.into_iter().filter_map(pile).collect();
        let most = variant.die_sides();
        let (one, other) = ((one - 1) % most + 1, (other - 1) % most + 1);
        let dice = Dice::two(one, if is_double { one } else { other });
        Position::set_up(variant, piles, side(turn), dice).ok()
    };
    let mode = prop_oneof![3 => Just(0_u8), 1 => 0..VARIANTS];
    (mode, piles, any::<bool>(), dice).prop_map(of)
}

fn turns_are_those_of_the_reference(position: &Position) -> usize {
    let slow = Slow::of(position);
    let (first, ends) = slow.turns(position.dice());
    let steps: Vec<Step> = position.steps().to_vec();
    assert!(steps.is_sorted(), "{steps:?}");
    assert_eq!(steps.iter().copied().collect::<BTreeSet<_>>(), first);
    assert_eq!(steps.len(), first.len(), "a step twice");
    let told = turns(position);
    let came: BTreeSet<_> = told
        .iter()
        .map(|(_, next)| written(&map_of(next)))
        .collect();
    assert_eq!(
        came.len(),
        told.len(),
        "two turns from which the same comes"
    );
    assert!(told.is_sorted_by(|(one, _), (next, _)| one < next));
    let is_won_early = told.iter().any(|(_, next)| next.winner().is_some());
    if !is_won_early {
        assert_eq!(came, ends);
    }
    for (turn, next) in &told {
        let mut played = position.clone();
        for step in turn {
            assert_ne!(played.apply(*step), Err(StepError::NotLegal));
        }
        assert_eq!(played, *next);
    }
    first.len()
}

#[test]
fn turns_are_those_of_a_slow_search() {
    law(Weight::of(400, 60), position(), |position| {
        let Some(position) = position.filter(|position| position.winner().is_none()) else {
            return Ok(Judged::Nothing);
        };
        let steps = turns_are_those_of_the_reference(&position);
        Ok(Judged::if_any(steps > 0))
    });
}

#[test]
fn distances_are_those_of_a_slow_walk() {
    law(Weight::of(400, 70), position(), |position| {
        let Some(position) = position else {
            return Ok(Judged::Nothing);
        };
        let slow = Slow::of(&position);
        for side in Side::BOTH {
            prop_assert_eq!(u32::from(position.distance(side)), slow.distance(side));
        }
        Ok(Judged::Something)
    });
}

/// Therefore no game is endless; see `RULES.md`.
#[test]
fn until_somebody_has_won_one_side_can_move_with_some_die() {
    law(Weight::of(1_000, 60), position(), |position| {
        let Some(position) = position.filter(|position| position.winner().is_none()) else {
            return Ok(Judged::Nothing);
        };
        let moves = |side: Side, pips: u8| {
            let piles: Vec<_> = position.piles().collect();
            let set = Position::set_up(position.variant(), piles, side, Dice::one(pips));
            set.is_ok_and(|set| !set.steps().is_empty())
        };
        let sides = position.variant().die_sides();
        let any = Side::BOTH
            .into_iter()
            .any(|side| (1..=sides).any(|pips| moves(side, pips)));
        prop_assert!(any, "{position:?}");
        Ok(Judged::Something)
    });
}

/// Plays random steps, and checks properties that always hold.
fn play_out(mode: u8, seed: u64) -> (Position, usize) {
    let mut rng = crate::rng::Rng::new(seed);
    let variant = Variant::of_mode(mode).unwrap();
    let mut position = Position::start(variant);
    let mut count = 0;
    while position.winner().is_none() {
        assert!(position.is_sound());
        let mut die = || rng.below(variant.die_sides().into()) as u8 + 1;
        match position.dice_to_roll() {
            0 => {}
            1 => position.roll(Dice::one(die())).unwrap(),
            _ => position.roll(Dice::two(die(), die())).unwrap(),
        }
        let steps = position.steps();
        if steps.is_empty() {
            assert!(position.pass());
            continue;
        }
        let before = position.clone();
        let step = steps[rng.below(steps.len() as u32) as usize];
        position.apply(step).unwrap();
        let killed = before.meets(step) == Meets::Kills;
        let all = |position: &Position| position.pieces(O) + position.pieces(X);
        assert_eq!(all(&before), all(&position) + u16::from(killed));
        count += 1;
        assert!(count < 1_500, "a game without an end");
    }
    assert!(position.is_sound());
    (position, count)
}

#[test]
fn every_game_has_exactly_one_winner_and_an_end() {
    law(
        Weight::of(64, 100),
        (0..VARIANTS, any::<u64>()),
        |(mode, seed)| {
            let (position, _) = play_out(mode, seed);
            let mut bytes = [0; Position::POSTCARD_MAX_SIZE];
            let written = postcard::to_slice(&position, &mut bytes).unwrap();
            prop_assert_eq!(postcard::from_bytes::<Position>(written), Ok(position));
            Ok(Judged::Something)
        },
    );
}

#[test]
fn in_games_turns_are_those_of_a_slow_search() {
    law(
        Weight::of(60, 50),
        (any::<u64>(), 0..120_usize, 0..2_u8),
        |(seed, when, bits)| {
            let mut rng = crate::rng::Rng::new(seed);
            let mode = bits * 2;
            let mut position = Position::start(Variant::of_mode(mode).unwrap());
            for _ in 0..when {
                let mut die = || rng.below(4) as u8 + 1;
                match position.dice_to_roll() {
                    0 => {}
                    1 => position.roll(Dice::one(die())).unwrap(),
                    _ => position.roll(Dice::two(die(), die())).unwrap(),
                }
                let steps = position.steps();
                match steps.get(rng.below(steps.len() as u32) as usize) {
                    Some(step) => {
                        position.apply(*step).unwrap();
                    }
                    None => {
                        position.pass();
                    }
                }
                if position.winner().is_some() {
                    return Ok(Judged::Nothing);
                }
            }
            if position.dice().is_empty() {
                return Ok(Judged::Nothing);
            }
            let steps = turns_are_those_of_the_reference(&position);
            Ok(Judged::if_any(steps > 0))
        },
    );
}

#[test]
fn a_position_fits_in_what_the_protocol_has_room_for() {
    const { assert!(Position::POSTCARD_MAX_SIZE <= protocol::POSITION_BYTES) };
    let pile = Pile {
        side: O,
        count: 1,
        pins: false,
    };
    let places = (0..12).flat_map(|row| (0..4).map(move |column| (column, row)));
    let longest = Own {
        turn: O,
        is_first: false,
        dice: Dice::two(3, 3),
        piles: places
            .map(|(column, row)| (MalakaPoint::new(column, row).unwrap(), pile))
            .collect(),
    };
    assert_eq!(longest.piles.len(), MOST_PILES);
    // Two bytes, four pips, and two bytes for each pile, all of which are present.
    assert_eq!(longest.bytes().len(), 2 + 4 + 2 * MOST_PILES);
}

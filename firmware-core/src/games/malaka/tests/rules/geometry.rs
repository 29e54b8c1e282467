//! The board: distances, starts, ways, walls and the names of places.

use super::*;

/// "O = 228" and "X = 228" are for the staggered start of the later page; the block drawn
/// on the older page gives 246.
#[test]
fn the_distance_to_connection_equals_the_help_pages() {
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
fn the_path_of_o_equals_the_table_behind_228() {
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
fn paths_and_walls_equal_the_pictures() {
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

#[test]
fn each_home_edge_is_a_third_of_a_row() {
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
fn places_and_dice_read_back_as_written() {
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

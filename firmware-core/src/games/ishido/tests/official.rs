//! Tests of the official rules, and of reports of points that do not fit on the display.

use super::*;

#[test]
fn official_points_are_1_2_4_and_8_and_none_at_the_edge() {
    let inside = place("d4");
    let points = [1, 2, 3, 4].map(|neighbours| Scoring::Official.of_stone(inside, neighbours, 0));
    assert_eq!(points, [1, 2, 4, 8 + 25]);
    let edge = [1, 2, 3].map(|neighbours| Scoring::Official.of_stone(place("a4"), neighbours, 7));
    assert_eq!(edge, [0; 3]);
}

#[test]
fn each_four_way_doubles_what_comes_after_it() {
    let inside = place("d4");
    for made in 0..12 {
        let of = |neighbours| Scoring::Official.of_stone(inside, neighbours, made);
        let bonus = FOUR_WAYS[usize::from(made)];
        assert_eq!(
            [1, 2, 3].map(of),
            [1, 2, 4].map(|points: u32| points << made)
        );
        assert_eq!(of(4), (8 << made) + bonus);
    }
    let mut table = position(OFFICIAL, "d5C- e4C+ d3Po c4Yo d7I=", "Co", "I*");
    table.tap_at("d4");
    assert_eq!(table.game.points(), [33, 0]);
    draw(&mut table);
    table.tap_at("d6");
    // It does not fit next to d5; next to d7 alone, on e7, it scores two points now.
    assert_eq!(table.game.points(), [33, 0]);
    table.tap_at("e7");
    assert_eq!(table.game.points(), [33 + 2 + 1_000, 0]);
}

#[test]
fn four_ways_bring_a_bonus_of_25_to_50000() {
    let expected = [
        25, 50, 100, 200, 400, 600, 800, 1_000, 5_000, 10_000, 25_000, 50_000,
    ];
    assert_eq!(FOUR_WAYS, expected);
    let more = |made| Scoring::Official.of_stone(place("d4"), 4, made) - (8 << made);
    assert_eq!([12, 13].map(more), [50_000; 2]);
    assert_eq!(Scoring::Official.of_stone(place("d4"), 4, 255), u32::MAX);
}

#[test]
fn the_final_bonus_is_1000_500_or_100_by_stones_left() {
    assert_eq!(LEFT, [1_000, 500, 100]);
    for (pouch, expected) in [("", 1_000), ("P+", 500), ("P+ P+", 100), ("P+ P+ Y=", 0)] {
        let mut table = position(OFFICIAL, "a4Co", "C-", pouch);
        table.tap_at("a5");
        while table.game.outcome().is_none() {
            draw(&mut table);
        }
        assert_eq!(table.game.points(), [expected, 0], "{pouch}");
    }
}

#[test]
fn a_position_set_up_as_finished_gets_no_final_bonus() {
    // An empty hand and an empty pouch; a stone in hand that fits nowhere.
    for (hand, expected) in [("", Side::Green), ("P+", Side::Red)] {
        let laid = Laid {
            points: [7, 0],
            ..laid("a4Co", hand, "")
        };
        let table = set_up(OFFICIAL, &laid).unwrap();
        assert_eq!(table.game.outcome(), Some(Outcome::Won(expected)));
        assert_eq!(table.game.points(), [7, 0]);
    }
}

#[test]
fn score_and_display_show_the_same_total() {
    let with = |points| Laid {
        points: [points, 0],
        ..laid("a4Co", "C-", "P+")
    };
    for (points, display) in [
        (0, "0     C- 2 0"),
        (65_535, "65535 C- 2 0"),
        (93_175, "93175 C- 2 0"),
        (1_234_567, "1234k C- 2 0"),
        (u32::MAX, "4294M C- 2 0"),
    ] {
        let table = set_up(OFFICIAL, &with(points)).unwrap();
        assert_eq!(table.score(), [points, 0]);
        assert_eq!(displayed(&table), display);
    }
    for (points, display) in [(9_999, "C- 2"), (93_175, "93175 C- 2 0")] {
        let table = set_up(DEKKER, &with(points)).unwrap();
        assert_eq!(
            (table.score(), displayed(&table)),
            ([points, 0], display.into())
        );
    }
    for (points, display) in [
        ([12_345, 7], "12k C- 2   7"),
        ([2_345_678, u32::MAX], "2M  C- 2  4G"),
    ] {
        let two = Laid {
            points,
            ..laid("a4Co", "C-", "P+")
        };
        let table = set_up(OFFICIAL_IN_TURNS, &two).unwrap();
        assert_eq!((table.score(), displayed(&table)), (points, display.into()));
    }
}

//! Positions that are set up, and states from outside.

use super::*;

#[test]
fn altered_pairs_of_chains_are_refused_or_playable() {
    let point = (any::<u8>(), 0..4_u8);
    let like = (
        layouts(1),
        0..4_u8,
        any::<u64>(),
        collection::vec(point, 0..2),
        deeds(60),
    );
    law(
        Weight::of(256, 30),
        like,
        |(layout, mode, seed, points, deeds)| {
            type Any = testing::TestedGame<Wide, TouchIt<Wide>>;
            let Some(drawn) = Any::begin(layout, mode, seed) else {
                return Ok(Judged::Nothing);
            };
            let mut lit = Packed::default();
            for (chain, colour) in drawn.game.chains.iter().zip([Colour::GREEN, Colour::RED]) {
                chain.0.iter().for_each(|point| lit.set(*point, colour));
            }
            for (point, colour) in points.iter().filter(|(point, _)| layout.has(Point(*point))) {
                lit.set(Point(*point), Colour::new(*colour));
            }
            let position = Diagram {
                points: lit,
                turn: Side::Green,
            };
            let Some(mut table) = Any::set_up(layout, mode, &position) else {
                return Ok(Judged::Nothing);
            };
            table.holds();
            table.plays(&deeds);
            Ok(Judged::Something)
        },
    );
}

#[test]
fn a_position_without_a_pair_of_chains_is_refused() {
    let straight: &[&str] = &["ggg", "rrr"];
    let corner: &[&str] = &["gg.rr", ".g.r."];
    let three_points: &[&str] = &["gg.g", "rrr"];
    let diagonal: &[&str] = &["g", ".g", "..g", "rrr"];
    let more: &[&str] = &["gggg", "rrr"];
    let amber: &[&str] = &["ggg", "rrr", "a"];
    let one: &[&str] = &["ggg"];
    for (mode, rows, possible) in [
        (0, straight, true),
        (3, straight, true),
        (1, straight, false),
        (0, corner, false),
        (1, corner, true),
        (2, corner, true),
        (3, corner, true),
        (4, straight, false),
        (0, three_points, false),
        (0, diagonal, false),
        (0, more, false),
        (0, amber, false),
        (0, one, false),
    ] {
        let table = TestedGame::position(mode, Side::Green, rows);
        assert_eq!(table.is_some(), possible, "mode {mode}: {rows:?}");
    }
}

#[test]
fn a_board_without_room_for_two_chains_is_refused() {
    for (mode, columns, rows, fits) in [
        (0, 6, 1, true),
        (0, 5, 1, false),
        (0, 1, 6, true),
        (1, 16, 1, false),
        (1, 3, 2, true),
        (1, 2, 2, false),
        (2, 2, 3, true),
        (3, 6, 1, true),
        (0, 3, 2, true),
        (0, 3, 3, true),
        (4, 8, 8, false),
    ] {
        let layout = Layout::grid(columns, rows).unwrap();
        for seed in 0..20 {
            let table = testing::TestedGame::<u64, TouchIt<u64>>::begin(layout, mode, seed);
            assert_eq!(table.is_some(), fits, "mode {mode} on {layout}");
            if let Some(table) = table {
                table.holds();
            }
        }
    }
}

#[test]
fn impossible_states_are_refused() {
    type Game = TouchIt<u128>;
    let changes: &[testing::Change<Game>] = &[
        ("nothing", true, |_| {}),
        ("as many points as displays", true, |game| {
            (game.displays, game.score) = (7, [3, 4]);
        }),
        ("more points than displays", false, |game| {
            (game.displays, game.score) = (7, [4, 4]);
        }),
        ("no time between points", false, |game| game.gap_ms = 0),
        ("a pause before the last display", true, |game| {
            game.displays = DISPLAYS - 1;
            game.phase = TouchItPhase::Pause { until: 9 };
        }),
        ("a pause after the last display", false, |game| {
            game.displays = DISPLAYS;
            game.phase = TouchItPhase::Pause { until: 9 };
        }),
        ("the last display", true, |game| {
            game.displays = DISPLAYS - 1;
            game.phase = TouchItPhase::Show {
                shown: 3,
                next_at: 9,
            };
        }),
        ("a display after the last one", false, |game| {
            game.displays = DISPLAYS;
            game.phase = TouchItPhase::Show {
                shown: 1,
                next_at: 9,
            };
        }),
    ];
    let table = straight();
    for (what, expected, change) in changes {
        let mut game = table.game.clone();
        change(&mut game);
        assert_eq!(game.is_sound(&table.ground), *expected, "{what}");
    }
}

#[test]
fn room_for_two_chains_does_not_depend_on_chance() {
    for (columns, rows) in
        (1..=16).flat_map(|side| (1..=6).flat_map(move |other| [(side, other), (other, side)]))
    {
        let layout = Layout::grid(columns, rows).unwrap();
        for mode in 0..4 {
            type Any = testing::TestedGame<Wide, TouchIt<Wide>>;
            let has_room = Any::begin(layout, mode, 0).is_some();
            for seed in 1..24 {
                let other = Any::begin(layout, mode, seed).is_some();
                assert_eq!(other, has_room, "{layout}, mode {mode}, seed {seed}");
            }
        }
    }
}

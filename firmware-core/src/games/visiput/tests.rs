//! The sentences of the manual and the choices of `RULES.md`, one by
//! one.

use std::vec::Vec;

use protocol::{Event, Layout, Outcome, Side};

use super::*;
use crate::games::testing;
use crate::minds::pace::EARLIEST_MS;

type TestedGame = testing::TestedGame<u128, Visiput<u128>>;

fn at(mode: u8, turn: Side, rows: &[&str]) -> TestedGame {
    TestedGame::drawn(mode, turn, rows).unwrap()
}

fn start(mode: u8, seed: u64) -> TestedGame {
    TestedGame::begin(Layout::MALDOO, mode, seed).unwrap()
}

/// True if green may play there in this mode.
fn may(mode: u8, rows: &[&str], name: &str) -> bool {
    let table = at(mode, Side::Green, rows);
    let point = table.ground.layout().point(name).unwrap();
    table.game.open_to(table.ground.grid())[0].has(point)
}

/// A board that is dark except for these rows at the top.
fn board(rows: &[&'static str]) -> Vec<&'static str> {
    let mut all = rows.to_vec();
    all.resize(8, "........");
    all
}

// Maldoo manual, Visiput: "The point must be such that it is 'visible' by at
// least as many points of the same colour as by points of the other colour."

#[test]
fn a_point_is_legal_unless_the_opponent_sees_it_more_often() {
    // a8 green and c8 red: b8 between them is seen by both, d8 by red only.
    let rows = board(&["g.r....."]);
    assert!(may(0, &rows, "b8"));
    assert!(!may(0, &rows, "d8"));
    // Neither side sees it, so both see it equally often.
    assert!(may(0, &rows, "h5"));
}

#[test]
fn each_mode_requires_its_margin() {
    // Differences of green minus red: b8 -1, b7 0, b6 1, b5 2.
    let cases: [(&[&str], i8); 5] = [
        (&["r.g.....", ".r......"], -1),
        (&["r.g....."], 0),
        (&["r.g.....", ".g......"], 1),
        (&["g.g....."], 2),
        (&["r.r....."], -2),
    ];
    for (top, margin) in cases {
        let mut rows = board(top);
        // Far enough away that the game continues whatever is near b8.
        rows[7] = "g..r..gr";
        let seen = at(0, Side::Green, &rows);
        let [green, red] = seen.game.stones.0;
        let sum = SightRules::new(seen.ground.grid(), 0).margins(green, red);
        let point = Points::one(seen.ground.layout().point("b8").unwrap());
        assert_eq!(sum.sum(point), i32::from(margin), "{top:?}");
        let legal = |least: i8| margin >= least;
        // Modes 0 and 1: "at least as many".
        assert_eq!(may(0, &rows, "b8"), legal(0));
        assert_eq!(may(1, &rows, "b8"), legal(0));
        // Modes 2 and 3: "it must be more 'visible' by points of the same colour".
        assert_eq!(may(2, &rows, "b8"), legal(1));
        assert_eq!(may(3, &rows, "b8"), legal(1));
        // Modes 4 and 5: "a difference of 2 or more".
        assert_eq!(may(4, &rows, "b8"), legal(2));
        assert_eq!(may(5, &rows, "b8"), legal(2));
        // Modes 6 and 7: "more 'visible' by the other player's colour by one
        // is a legal move, in addition to ... modes 0 and 1".
        assert_eq!(may(6, &rows, "b8"), legal(-1));
        assert_eq!(may(7, &rows, "b8"), legal(-1));
    }
}

#[test]
fn the_margin_is_that_of_the_side_to_move() {
    let rows = board(&["g.g....."]);
    let table = at(4, Side::Red, &board(&["r.r...g.", ".......g"]));
    assert!(table.names(table.legal()).contains(&"b8".into()));
    let table = at(0, Side::Red, &rows);
    assert!(!table.names(table.legal()).contains(&"b8".into()));
}

// "'Visible' means connected by a straight line (horizontal, vertical or
// diagonal) without any intervening stones."

#[test]
fn points_are_seen_along_lines_from_any_distance() {
    let rows = board(
        &["g......g", "", "", "", "", "", "", "g......g"].map(|row| match row {
            "" => "........",
            row => row,
        }),
    );
    for (name, seen) in [
        ("d8", 2),
        ("a5", 2),
        ("d5", 2),
        ("e5", 2),
        ("c4", 0),
        ("b7", 2),
    ] {
        let table = at(0, Side::Green, &rows);
        let [green, red] = table.game.stones.0;
        let margins = SightRules::new(table.ground.grid(), 0).margins(green, red);
        let point = Points::one(table.ground.layout().point(name).unwrap());
        assert_eq!(margins.sum(point), seen, "{name}");
    }
}

#[test]
fn a_stone_of_either_colour_hides_the_points_behind_it() {
    // Along the row, only the red point is visible from h8, not the three green ones
    // behind it.
    assert!(!may(0, &board(&["ggg.r..."]), "h8"));
    assert!(may(0, &board(&["rrr.g..."]), "h8"));
    assert!(!may(2, &board(&["rrr.r..."]), "h8"));
}

#[test]
fn lines_end_at_the_edge() {
    // Lines do not wrap around the edges: neither from a8 to h7 nor from h8 to a7.
    assert!(!may(2, &board(&["g......."]), "h6"));
    assert!(!may(2, &board(&[".......g"]), "a6"));
}

// "When a player presses an illegal point, the board flashes all the legal
// moves for this player."

#[test]
fn an_illegal_touch_flashes_and_changes_nothing() {
    let mut table = start(0, 1);
    let before = table.game.clone();
    let lit = table.names(table.game.stones[Side::Green])[0].clone();
    assert_eq!(table.tap_at(&lit), Touch::Illegal);
    let red = table.game.open_to(table.ground.grid())[1];
    let only_reds = red.without(table.legal()).first().unwrap();
    assert_eq!(table.touch(only_reds), Touch::Illegal);
    assert_eq!(table.game, before);
    assert_eq!(
        <Visiput<u128> as Rules<u128>>::ABOUT.illegal,
        Illegal::FlashLegal
    );
}

// "Each player in his turn presses a point."

#[test]
fn green_begins_and_a_touch_lights_one_point() {
    let mut table = start(0, 1);
    assert_eq!(table.game.turn(), Some(Side::Green));
    let [green, red] = table.game.stones.0;
    let point = table.legal().first().unwrap();
    assert_eq!(table.touch(point), Touch::Move(0));
    assert_eq!(table.game.stones.0, [green | Points::one(point), red]);
    assert_eq!(table.game.turn(), Some(Side::Red));
}

// "After some moves, the game reaches a state when all the empty points are
// controlled by one of the players. At that point, the board finishes the game
// and gives each point to the player that control it."

/// Two dark points: only green sees a8, and only red sees h1.
const CONTROLLED: [&str; 8] = [
    ".ggggggg", "gggggggg", "gggggggg", "gggggggg", "rrrrrrrr", "rrrrrrrr", "rrrrrrrr", "rrrrrrr.",
];

#[test]
fn controlled_points_are_given_to_their_owners_at_the_end() {
    for mode in 0..8 {
        for turn in Side::BOTH {
            let table = at(mode, turn, &CONTROLLED);
            assert_eq!(table.game.turn(), None, "mode {mode}");
            assert_eq!(table.score(), [32, 32]);
            assert_eq!(table.game.outcome(), Some(Outcome::Draw));
            assert_eq!(table.drawing()[0], "gggggggg");
            assert_eq!(table.drawing()[7], "rrrrrrrr");
        }
    }
}

#[test]
fn the_points_given_count_as_changed_by_the_last_move() {
    // Both sides may light two dark points; a move on one decides the other.
    let mut table = start(0, 5);
    while table.game.turn().is_some() {
        let before = table.score();
        let side = table.game.turn().unwrap();
        let point = table.legal().first().unwrap();
        let Touch::Move(given) = table.touch(point) else {
            panic!("{point:?} was legal")
        };
        let after = table.score();
        assert_eq!(
            after[0] + after[1],
            before[0] + before[1] + 1 + u32::from(given)
        );
        assert!(table.game.turn().is_none() || given == 0);
        assert!(after[side.index()] > before[side.index()]);
    }
    assert_eq!(table.score().iter().sum::<u32>(), 81);
}

#[test]
fn final_points_are_judged_before_any_is_given() {
    // b8 is green's by 3 to 2. c8 sees the red a8 beyond it, so it is red's by 3 to 2. If
    // b8 were lit first, it would hide a8, and c8 would be green's.
    let mut rows = ["gggrrrrr"; 8];
    rows[0] = "r..rrrrr";
    for mode in [0, 1, 2, 3] {
        let table = at(mode, Side::Green, &rows);
        assert_eq!(table.game.turn(), None);
        assert_eq!(table.drawing()[0], "rgrrrrrr");
    }
}

#[test]
fn a_random_game_leaves_no_dark_point_in_modes_0_1_6_and_7() {
    for mode in [0, 1, 6, 7] {
        for seed in 0..50 {
            let mut table = start(mode, seed);
            table.play_at_random(81);
            assert_eq!(table.score().iter().sum::<u32>(), 81);
            let score = table.score();
            assert_eq!(table.game.outcome(), Some(Outcome::by_score(score)));
        }
    }
}

// "Note that in modes 2,3,4 and 5 there will be points where both players
// cannot play."

#[test]
fn in_modes_2_to_5_neutral_points_stay_dark() {
    // Each side sees c6 along four lines.
    let rows = [
        "gggggggg", "ggggrrrr", "gr.grrrr", "grrrrrrr", "ggrrrrrr", "gggrrrrr", "gggrrrrr",
        "gggrrrrr",
    ];
    let [green, red] = at(0, Side::Green, &rows).game.stones.0;
    for mode in 2..6 {
        let table = at(mode, Side::Green, &rows);
        assert_eq!(
            table.game.outcome(),
            Some(Outcome::Won(Side::Red)),
            "mode {mode}"
        );
        assert_eq!(table.score(), [green.len() as u32, red.len() as u32]);
        assert_eq!(table.drawing()[2], rows[2]);
    }
}

#[test]
fn in_modes_4_and_5_a_margin_of_one_leaves_a_point_dark() {
    // b8 sees green a8, a7, b7 and red c8, c7.
    let rows = [
        "g.rrrrrr", "ggrrrrrr", "ggrrrrrr", "ggrrrrrr", "ggrrrrrr", "ggrrrrrr", "ggrrrrrr",
        "ggrrrrrr",
    ];
    assert_eq!(at(2, Side::Red, &rows).score(), [16, 48]);
    for mode in [4, 5] {
        assert_eq!(at(mode, Side::Red, &rows).score(), [15, 48]);
    }
}

#[test]
fn in_modes_2_to_5_a_side_without_a_move_is_skipped() {
    // Only red has a legal move.
    for mode in 2..6 {
        let table = at(mode, Side::Green, &board(&["r.r....."]));
        assert_eq!(table.game.turn(), Some(Side::Red), "mode {mode}");
        assert_eq!(table.events, [Event::Passed { side: Side::Green }]);
    }
}

#[test]
fn random_games_of_modes_2_to_5_skip_turns_and_end() {
    for mode in 2..6 {
        let mut skipped = 0;
        for seed in 0..50 {
            let mut table = start(mode, seed);
            table.play_at_random(81);
            assert!(table.game.outcome().is_some());
            skipped += table.events.len();
        }
        assert!(skipped > 0, "mode {mode}");
    }
}

// "In odd modes (1,3,5,7) the starting position is random. In even modes the
// starting position is a standard one."

#[test]
fn the_standard_start_exchanges_the_colours_in_either_mirror() {
    for mode in [0, 2, 4, 6] {
        let table = start(mode, 1);
        let picture = table.drawing();
        assert_eq!(picture[1], "...g.r...");
        assert_eq!(picture[3], "..g...r..");
        assert_eq!(picture[5], "..r...g..");
        assert_eq!(picture[7], "...r.g...");
        assert_eq!(table.score(), [4, 4]);
        let [green, red] = table.game.open_to(table.ground.grid());
        assert_eq!(green.len(), red.len());
    }
}

#[test]
fn the_standard_start_gives_both_twelve_moves_in_mode_4() {
    let table = start(4, 1);
    assert_eq!(
        table.game.open_to(table.ground.grid()).map(Points::len),
        [12, 12]
    );
}

#[test]
fn every_standard_start_has_moves_for_both_sides() {
    for columns in 8..=16 {
        for rows in 8..=16 {
            let layout = Layout::grid(columns, rows).unwrap();
            for mode in [0, 2, 4, 6] {
                let table = testing::TestedGame::<crate::Wide, Visiput<crate::Wide>>::begin(
                    layout, mode, 1,
                )
                .unwrap();
                assert_eq!(table.score(), [4, 4]);
                let open = table.game.open_to(table.ground.grid()).map(Points::len);
                assert!(
                    open[0] > 0 && open[0] == open[1],
                    "{columns}x{rows}: {open:?}"
                );
            }
        }
    }
    for (columns, rows) in [(7, 8), (8, 7), (1, 16)] {
        for mode in 0..8 {
            assert!(TestedGame::begin(Layout::grid(columns, rows).unwrap(), mode, 1).is_none());
        }
    }
}

#[test]
fn random_starts_are_balanced_with_moves_for_both() {
    for mode in [1, 3, 5, 7] {
        let mut pictures = Vec::new();
        for seed in 0..100 {
            let table = start(mode, seed);
            assert_eq!(table.score(), [4, 4]);
            assert!(
                table
                    .game
                    .open_to(table.ground.grid())
                    .into_iter()
                    .all(|open| !open.is_empty())
            );
            assert_eq!(table.game.turn(), Some(Side::Green));
            pictures.push(table.drawing());
        }
        pictures.sort();
        pictures.dedup();
        assert!(pictures.len() > 95);
    }
}

// "Then the player with more points wins."

#[test]
fn stones_and_given_points_count_together() {
    let mut rows = CONTROLLED;
    rows[4] = "ggrrrrrr";
    let table = at(0, Side::Green, &rows);
    assert_eq!(table.score(), [34, 30]);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn a_missed_turn_is_lost() {
    let mut table = start(0, 1);
    let picture = table.drawing();
    table.time_out();
    assert_eq!(table.game.turn(), Some(Side::Red));
    table.time_out();
    assert_eq!(table.game.turn(), Some(Side::Green));
    assert_eq!(table.drawing(), picture);
    assert_eq!(
        <Visiput<u128> as Rules<u128>>::ABOUT.time_out,
        TimeOut::Pass
    );
}

#[test]
fn a_missed_turn_comes_back_if_the_opponent_has_no_move() {
    let mut table = at(2, Side::Red, &board(&["r.r....."]));
    table.time_out();
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert_eq!(table.events, [Event::Passed { side: Side::Green }]);
}

#[test]
fn a_position_with_another_colour_is_refused() {
    assert!(TestedGame::drawn(0, Side::Green, &board(&["g.a....."])).is_none());
    assert!(TestedGame::drawn(8, Side::Green, &board(&["g.r....."])).is_none());
}

// The levels: Maldoo manual, "Buttons", Level.

#[test]
fn every_level_answers_in_time_with_a_legal_point() {
    for mode in [0, 5] {
        for level in 1..=4 {
            let mut table = start(mode, 3);
            let point = table.touch_of_board(level);
            assert!(table.now >= EARLIEST_MS);
            assert!(table.legal().has(point));
        }
    }
}

// Tests of states that cannot come from play.

#[test]
fn impossible_states_are_refused() {
    let begun = start(0, 1);
    let over = at(0, Side::Green, &CONTROLLED);
    let red_alone = at(2, Side::Green, &board(&["r.r....."]));
    let changes: &[(&TestedGame, testing::Change<Visiput<u128>>)] = &[
        (&begun, ("nothing", true, |_| {})),
        (
            &begun,
            ("a mode that there is not", false, |game| game.mode = 8),
        ),
        (
            &begun,
            ("a point off the board", false, |game| {
                game.stones[Side::Green].insert(Point(100));
            }),
        ),
        (
            &begun,
            ("a point of both colours", false, |game| {
                game.stones.0 = [game.stones.0[0] | game.stones.0[1]; 2];
            }),
        ),
        (
            &begun,
            ("the turn of the other side", true, |game| {
                game.turn = Some(Side::Red);
            }),
        ),
        (
            &begun,
            ("a point that is given while it goes on", false, |game| {
                game.given[Side::Red].insert(Point(0));
            }),
        ),
        (
            &begun,
            ("nobody's turn while it goes on", false, |game| {
                game.turn = None;
                game.given = TwoColours([!game.stones.lit(), Points::NONE]);
            }),
        ),
        (&over, ("the end", true, |_| {})),
        (
            &over,
            ("an end at which nothing is given", false, |game| {
                game.given = TwoColours::NONE;
            }),
        ),
        (
            &over,
            ("a turn after the end", false, |game| {
                game.turn = Some(Side::Green);
                game.given = TwoColours::NONE;
            }),
        ),
        (&red_alone, ("the turn of who has a move", true, |_| {})),
        (
            &red_alone,
            ("the turn of who has none", false, |game| {
                game.turn = Some(Side::Green);
            }),
        ),
    ];
    for (table, (what, expected, change)) in changes {
        let mut game = table.game.clone();
        change(&mut game);
        assert_eq!(game.is_sound(&table.ground), *expected, "{what}");
    }
    let mut game = begun.game.clone();
    game.stones = TwoColours([0, 1].map(|point| Points::one(Point(point))));
    for (columns, rows, expected) in [(8, 8, true), (7, 9, false), (9, 7, false)] {
        let layout = Layout::grid(columns, rows).unwrap();
        let ground = Ground::new(layout).unwrap();
        assert_eq!(game.is_sound(&ground), expected, "{layout}");
    }
}

//! The sentences of the manual and the choices of `RULES.md`, one by one; the laws; and
//! matches between levels.

use std::collections::HashSet;
use std::eprintln;
use std::vec::Vec as List;

use law::{Judged, Weight, law};
use proptest::collection;
use proptest::prelude::*;
use protocol::{Colour, Event, Layout, Packed};

use super::*;
use crate::game::{BoardTurn, Player};
use crate::games::testing::{self, Series, Whole, deeds, layouts};
use crate::word::Wide;

type Table = testing::Table<u128, TouchIt<u128>>;

// Its picture rarely consists of two whole chains, which have a law of their own.
testing::laws!(
    TouchIt,
    |_| {},
    Floors {
        positions: 0,
        ..Floors::USUAL
    }
);

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
            type Any = testing::Table<Wide, TouchIt<Wide>>;
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

/// The time between points at speed 5.
const GAP: Tick = 600;

/// Green b9-c9-d9 and red f5-g5-h5, whose first points have just lit up.
fn rows(mode: u8, rows: &[&str]) -> Table {
    Table::position(mode, Side::Green, rows).unwrap()
}

fn straight() -> Table {
    rows(0, &[".ggg", "", "", "", ".....rrr"])
}

fn begin_next_display(table: &mut Table) {
    while !matches!(table.game.phase, Phase::Show { .. }) {
        table.wait_for_wake();
    }
}

/// The step from the first to the second point and from there to the third.
fn steps(chain: Chain, table: &Table) -> [(i8, i8); 2] {
    let layout = table.ground.layout();
    let place = |point| (layout.column(point) as i8, layout.row(point) as i8);
    let [a, b, c] = chain.0.map(place);
    [(b.0 - a.0, b.1 - a.1), (c.0 - b.0, c.1 - b.1)]
}

// "the board displays few neighboring points"

#[test]
fn two_chains_grow_point_by_point_and_go_off_together() {
    let mut table = straight();
    for shown in 1..=3 {
        for (colour, first) in [(Colour::GREEN, (1, 0)), (Colour::RED, (5, 4))] {
            let points = (0..shown).map(|step| table.at(first.0 + step, first.1));
            assert_eq!(table.shown(colour), points.collect());
        }
        table.wait(GAP - 1);
        assert_eq!(table.shown(Colour::GREEN).len(), usize::from(shown));
        table.wait(1);
    }
    assert_eq!(table.shown(Colour::OFF).len(), 81);
    assert_eq!(table.score(), [0, 0]);
}

#[test]
fn neither_side_has_a_turn_or_a_clock() {
    let table = straight();
    assert_eq!(table.game.turn(), None);
    assert_eq!(
        <TouchIt<u128> as Rules<u128>>::ABOUT.time_out,
        TimeOut::None
    );
    assert!(!table.clone().pass());
}

#[test]
fn between_displays_all_is_dark_for_one_to_two_seconds() {
    let mut pauses = List::new();
    for seed in 0..50 {
        let table = Table::start(0, seed);
        assert_eq!(table.shown(Colour::OFF).len(), 81);
        assert!(table.legal().is_empty());
        pauses.push(table.game.wakes_at().unwrap());
    }
    assert!(
        pauses.iter().all(|pause| (1_000..2_000).contains(pause)),
        "{pauses:?}"
    );
    assert!(pauses.iter().max().unwrap() - pauses.iter().min().unwrap() > 700);
}

#[test]
fn the_two_chains_are_mirrored_and_never_meet() {
    for mode in 0..4 {
        let mut table = Table::start(mode, 5);
        for _ in 0..30 {
            begin_next_display(&mut table);
            let [green, red] = table.game.chains;
            assert_eq!(red, Chain(green.0.map(|point| Point(80 - point.0))));
            let points: Points<u128> = green.0.into_iter().chain(red.0).collect();
            assert_eq!(points.len(), 6);
            table.wait(3 * GAP);
        }
    }
}

// "Modes: [...] the third point appears with respect to the first two points"

#[test]
fn the_mode_determines_the_third_point() {
    for mode in 0..4 {
        let mut seen = [0; 3];
        for seed in 0..300 {
            let table = Table::start(mode, seed);
            for chain in table.game.chains {
                let [(x, y), next] = steps(chain, &table);
                assert_eq!(x.abs() + y.abs(), 1, "neighbours along a row or column");
                // Rows are counted downwards, so this is the turn to the right.
                let turns = [(x, y), (-y, x), (y, -x)];
                let turn = turns.iter().position(|turn| *turn == next);
                seen[turn.expect("straight, right or left")] += 1;
            }
        }
        match mode {
            0 => assert_eq!(seen, [600, 0, 0]),
            1 => assert_eq!(seen, [0, 600, 0]),
            2 => assert_eq!(seen, [0, 0, 600]),
            _ => assert!(
                seen.iter().all(|count| (140..260).contains(count)),
                "{seen:?}"
            ),
        }
    }
}

#[test]
fn turning_right_is_clockwise_on_the_picture() {
    let picture = ["gg", ".g", "", "", "", "", "", ".......r", ".......rr"];
    let table = rows(1, &picture);
    let [green, red] = table.game.chains;
    assert_eq!(
        green.0,
        [(0, 0), (1, 0), (1, 1)].map(|(x, y)| table.at(x, y))
    );
    assert_eq!(red.0, [(8, 8), (7, 8), (7, 7)].map(|(x, y)| table.at(x, y)));
    let table = rows(2, &picture);
    let [green, red] = table.game.chains;
    assert_eq!(
        green.0,
        [(1, 1), (1, 0), (0, 0)].map(|(x, y)| table.at(x, y))
    );
    assert_eq!(red.0, [(7, 7), (7, 8), (8, 8)].map(|(x, y)| table.at(x, y)));
}

#[test]
fn chains_appear_everywhere_and_in_every_direction() {
    let mut starts = HashSet::new();
    let mut headings = HashSet::new();
    for seed in 0..3_000 {
        let table = Table::start(3, seed);
        starts.insert(table.game.chains[0].0[0]);
        headings.insert(steps(table.game.chains[0], &table)[0]);
    }
    assert_eq!(headings.len(), 4);
    assert!(starts.len() >= 79, "{} first points", starts.len());
}

// "touch any of the points before the next point is turned on, or the last
// point before they all disappear, this player wins the turn"

#[test]
fn a_touch_of_the_newest_point_wins_the_turn_for_its_colour() {
    for (side, first) in [(Side::Green, (1, 0)), (Side::Red, (5, 4))] {
        for shown in 0..3 {
            let mut table = straight();
            table.wait(u64::from(shown) * GAP + GAP - 1);
            let point = table.at(first.0 + shown, first.1);
            assert!(table.legal().has(point));
            assert_eq!(table.game.side_of(point), Some(side));
            assert_eq!(table.touch(point), Touch::Move(0));
            assert_eq!(table.score()[side.index()], 1);
            assert_eq!(table.score()[side.other().index()], 0);
        }
    }
}

#[test]
fn touching_older_or_dark_points_is_ignored() {
    let mut table = straight();
    table.wait(GAP);
    assert_eq!(table.legal().len(), 2);
    for (column, row) in [(1, 0), (5, 4), (3, 0), (0, 8)] {
        assert_eq!(table.tap(column, row), Touch::Ignored);
    }
    table.wait(2 * GAP);
    assert_eq!(table.tap(3, 0), Touch::Ignored, "they have disappeared");
    assert_eq!(table.score(), [0, 0]);
}

#[test]
fn the_first_touch_wins_and_the_second_one_comes_too_late() {
    let mut table = straight();
    table.tap(5, 4);
    assert_eq!(table.tap(1, 0), Touch::Ignored);
    assert_eq!(table.score(), [0, 1]);
}

// "The player gets a point, and the board display a pattern in the player's
// colour"

#[test]
fn a_won_turn_shows_a_pattern_in_the_winners_colour() {
    let mut table = straight();
    table.tap(1, 0);
    let mut pictures = HashSet::new();
    for _ in 0..8 {
        assert!(matches!(table.game.phase, Phase::Won(_)));
        assert!(!table.shown(Colour::GREEN).is_empty());
        assert!(table.shown(Colour::RED).is_empty());
        assert!(table.legal().is_empty());
        pictures.insert(table.shown(Colour::GREEN));
        table.wait(125);
    }
    assert_eq!(pictures.len(), 8);
    assert!(matches!(table.game.phase, Phase::Pause { .. }));
    begin_next_display(&mut table);
    assert_eq!(table.legal().len(), 2);
}

// "The time between displaying the points is determined by the Speed"

#[test]
fn a_higher_speed_shortens_the_time_between_points() {
    let gaps: List<u16> = (0..10).map(gap_ms).collect();
    assert!(gaps.is_sorted_by(|long, short| long > short));
    assert_eq!(u64::from(gap_ms(5)), GAP);
    assert_eq!(gap_ms(200), gap_ms(9));
}

#[test]
fn a_change_of_speed_counts_from_the_next_display_on() {
    let mut table = straight();
    table.speed = 9;
    table.wait(GAP);
    assert_eq!(table.game.wakes_at(), Some(2 * GAP));
    table.wait(2 * GAP);
    begin_next_display(&mut table);
    assert_eq!(table.game.wakes_at(), Some(table.now + 245));
}

// "The game ends after 40 turns."

#[test]
fn the_game_ends_after_40_displays_won_or_not() {
    let mut table = straight();
    for display in 0..40 {
        assert_eq!(table.game.outcome(), None);
        begin_next_display(&mut table);
        let newest = table.game.newest().unwrap();
        match display % 4 {
            0 | 1 => assert_eq!(table.touch(newest[0]), Touch::Move(0)),
            2 => assert_eq!(table.touch(newest[1]), Touch::Move(0)),
            _ => table.wait(3 * GAP),
        }
    }
    assert_eq!(table.score(), [20, 10]);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!(table.game.wakes_at(), None);
    assert!(table.legal().is_empty());
}

#[test]
fn the_last_won_turn_shows_its_pattern_before_the_end() {
    let mut table = straight();
    for _ in 1..40 {
        begin_next_display(&mut table);
        table.wait(3 * GAP);
    }
    begin_next_display(&mut table);
    let newest = table.game.newest().unwrap();
    assert_eq!(table.touch(newest[1]), Touch::Move(0));
    for _ in 0..8 {
        assert_eq!(table.game.outcome(), None);
        assert!(!table.shown(Colour::RED).is_empty());
        table.holds();
        table.wait(125);
    }
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
}

#[test]
fn an_untouched_game_ends_in_a_draw() {
    let mut table = Table::start(2, 1);
    table.wait(40 * (2_000 + 3 * GAP));
    assert_eq!(table.game.outcome(), Some(Outcome::Draw));
}

// Tests of positions that are set up.

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
        let table = Table::position(mode, Side::Green, rows);
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
            let table = testing::Table::<u64, TouchIt<u64>>::begin(layout, mode, seed);
            assert_eq!(table.is_some(), fits, "mode {mode} on {layout}");
            if let Some(table) = table {
                table.holds();
            }
        }
    }
}

// Tests of the board's simulated hand.

#[test]
fn the_hand_touches_only_reds_newest_point() {
    for level in 1..=4 {
        let mut table = Table::start(3, 2);
        let mut touched = 0;
        while table.now < 120_000 {
            table.wait(1);
            if Player::<u128, TouchIt<u128>>::wakes_at(&table.hand) > table.now {
                continue;
            }
            let act = table.with(|game, hand, context| hand.wake(game, level, context));
            if let BoardTurn::Touch(point) = act {
                assert_eq!(table.game.side_of(point), Some(Side::Red));
                table.touch(point);
                table.hand = TouchItHand::default();
                touched += 1;
            }
        }
        assert!(touched > 3, "level {level}: {touched}");
    }
}

/// The shortest and the longest of many random delays of a hand of this level, and how
/// many different ones there were. The place of the third point is known in mode 0.
fn delays(level: u8, shown: u8) -> (Tick, Tick, usize) {
    let mut delays = HashSet::new();
    for seed in 0..4_000 {
        let mut table = straight();
        table.rng = crate::rng::Rng::new(seed);
        table.game.phase = Phase::Show {
            shown,
            next_at: 10_000,
        };
        let act = table.with(|game, hand, context| hand.wake(game, level, context));
        assert_eq!(act, BoardTurn::Wait);
        delays.insert(Player::<u128, TouchIt<u128>>::wakes_at(&table.hand));
    }
    let ends = (delays.iter().min(), delays.iter().max());
    (*ends.0.unwrap(), *ends.1.unwrap(), delays.len())
}

#[test]
fn a_known_point_takes_three_fifths_of_the_reaction_time() {
    for (level, [least, most]) in (1..).zip(player::REACTION_MS) {
        let (least, most) = (Tick::from(least), Tick::from(most));
        let close = |found: Tick, expected: Tick| found.abs_diff(expected) <= 3;
        let (shortest, longest, _) = delays(level, 1);
        assert!(shortest >= least && longest <= most, "level {level}");
        assert!(close(shortest, least) && close(longest, most));
        let (shortest, longest, different) = delays(level, 3);
        let (least, most) = (least * 3 / 5, most * 3 / 5);
        assert!(shortest >= least && longest <= most, "level {level}");
        assert!(close(shortest, least) && close(longest, most));
        // One for each millisecond, except for some that were not drawn.
        assert!(different as Tick > (most - least) * 9 / 10, "{different}");
    }
}

/// Plays a game between hands of these levels, `[green, red]`.
fn play(mode: u8, speed: u8, seed: u64, levels: [u8; 2]) -> Outcome {
    let mut table = Table::begin_at_speed(Layout::MALDOO, mode, seed, speed).unwrap();
    let mut hands = [TouchItHand::default(), TouchItHand::default()];
    while let Some(game_at) = table.game.wakes_at() {
        let wakes_at = Player::<u128, TouchIt<u128>>::wakes_at;
        let next = hands.iter().map(wakes_at).min().unwrap().min(game_at);
        table.now = next.max(table.now);
        if game_at <= table.now {
            table.with(|game, _, context| game.wake(context));
            if table.game.outcome().is_some() {
                break;
            }
        }
        // If both touch in the same tick, they take turns to be first.
        let order = if table.now.is_multiple_of(2) {
            [0, 1]
        } else {
            [1, 0]
        };
        for side in order {
            let hand = &mut hands[side];
            if wakes_at(hand) > table.now {
                continue;
            }
            let act = table.with(|game, _, context| {
                let game = if side == 0 {
                    game.exchanged()
                } else {
                    game.clone()
                };
                hand.wake(&game, levels[side], context)
            });
            if let BoardTurn::Touch(_) = act {
                if let Some(newest) = table.game.newest() {
                    table.touch(newest[side]);
                    hands = [TouchItHand::default(), TouchItHand::default()];
                }
                break;
            }
        }
    }
    table.game.outcome().unwrap()
}

#[test]
fn every_level_beats_the_one_below_in_modes_and_speeds() {
    let mut doubtful = List::new();
    for speed in [0, 5, 8] {
        for mode in 0..4 {
            for higher in 2..=4 {
                let series =
                    Series::of(200, higher, |seed, levels| play(mode, speed, seed, levels));
                eprintln!(
                    "speed {speed} mode {mode}: level {higher} against {}: {series:?}",
                    higher - 1
                );
                if !series.is_beyond_chance() {
                    doubtful.push((speed, mode, higher));
                }
            }
        }
    }
    assert!(doubtful.is_empty(), "(speed, mode, level): {doubtful:?}");
}

#[test]
fn a_move_belongs_to_the_colour_of_its_point() {
    for (side, point) in [(Side::Green, Point(1)), (Side::Red, Point(41))] {
        let rows = [".ggg", "", "", "", ".....rrr"];
        let mut whole = Whole::with(3, 0, 0, Side::Green, &rows);
        assert_eq!(whole.board.frame().turn, [false, false]);
        whole.tap(point);
        let changed = 0;
        let told = Event::Move {
            side,
            point,
            changed,
        };
        assert!(whole.events.contains(&(0, told)), "{:?}", whole.events);
    }
}

#[test]
fn at_level_4_the_board_scores_for_red_by_itself() {
    let rows = [".ggg", "", "", "", ".....rrr"];
    let mut whole = Whole::with(3, 0, 4, Side::Green, &rows);
    whole.wait(20_000);
    let [green, red] = whole.board.score().unwrap();
    assert_eq!(green, 0);
    assert!(red >= 3, "{red}");
}

/// Maldoo manual, TouchIt: a game has 40 turns; the number left is reported.
#[test]
fn the_displays_left_are_reported() {
    let mut table = straight();
    assert_eq!(table.game.turns_left(), Some(40));
    for shown in 1..=40 {
        let before = table.game.displays;
        while table.game.displays == before {
            table.wait_for_wake();
        }
        assert_eq!(table.game.turns_left(), Some(40 - shown));
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
            game.phase = Phase::Pause { until: 9 };
        }),
        ("a pause after the last display", false, |game| {
            game.displays = DISPLAYS;
            game.phase = Phase::Pause { until: 9 };
        }),
        ("the last display", true, |game| {
            game.displays = DISPLAYS - 1;
            game.phase = Phase::Show {
                shown: 3,
                next_at: 9,
            };
        }),
        ("a display after the last one", false, |game| {
            game.displays = DISPLAYS;
            game.phase = Phase::Show {
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
            type Any = testing::Table<Wide, TouchIt<Wide>>;
            let has_room = Any::begin(layout, mode, 0).is_some();
            for seed in 1..24 {
                let other = Any::begin(layout, mode, seed).is_some();
                assert_eq!(other, has_room, "{layout}, mode {mode}, seed {seed}");
            }
        }
    }
}

//! The starting position, and positions that are set up.

use super::*;

#[test]
fn mode_1_starts_with_an_empty_board_and_green() {
    let mut table = TestedGame::<u128>::new(9, 9, 7);
    let game = SpeedGo::start(1, &mut table.context()).unwrap();
    assert!(game.stones().all().is_empty());
    assert_eq!(game.turn(), Some(Side::Green));
    assert_eq!(game.legal(&table.ground), table.ground.all());
    assert_eq!(game.score(&table.ground), [0, 0]);
}

fn starts_are_fair<W: Word>(columns: u8, rows: u8, mode: u8, stones_each: usize) {
    for seed in 0..200 {
        let mut table = TestedGame::<W>::new(columns, rows, seed);
        let game = SpeedGo::start(mode, &mut table.context()).unwrap();
        let stones = game.stones();
        assert!(stones.is_sound(table.ground.grid()));
        let last = (table.ground.layout().points() - 1) as u8;
        let image = |set: Points<W>| set.map(|p| Point(last - p.0)).collect::<Points<W>>();
        for side in Side::BOTH {
            assert_eq!(stones.of(side).len(), stones_each);
            assert_eq!(image(stones.of(side)), stones.of(side.other()));
        }
        assert!(game.outcome().is_none());
    }
}

#[test]
fn mode_0_starts_with_18_mirrored_points_of_each_colour() {
    starts_are_fair::<u128>(9, 9, 0, 18);
    starts_are_fair::<u64>(8, 8, 0, 18);
    starts_are_fair::<Wide>(16, 16, 0, 18);
}

#[test]
fn mode_2_starts_with_9_mirrored_points_of_each_colour() {
    starts_are_fair::<u128>(9, 9, 2, 9);
    starts_are_fair::<u64>(6, 5, 2, 9);
    starts_are_fair::<u64>(2, 16, 2, 9);
    starts_are_fair::<Wide>(13, 13, 2, 9);
}

#[test]
fn on_a_9x9_board_no_stone_can_be_taken_by_the_first_move() {
    for (mode, seed) in [0, 2]
        .into_iter()
        .flat_map(|mode| (0..300).map(move |seed| (mode, seed)))
    {
        let mut table = TestedGame::<u128>::new(9, 9, seed);
        let game = SpeedGo::start(mode, &mut table.context()).unwrap();
        for point in game.legal(&table.ground) {
            let (_, caught) = game
                .stones()
                .place(table.ground.grid(), Side::Green, point)
                .unwrap();
            assert!(caught.is_empty());
        }
    }
}

/// `RULES.md`, about the start: no group has only one liberty; two are enough, even if no
/// stone of the group has both.
#[test]
fn two_liberties_are_enough_for_a_group_of_a_start() {
    let has_a_narrow_group = |seed| {
        let mut table = TestedGame::<u128>::new(9, 9, seed);
        let game = SpeedGo::start(0, &mut table.context()).unwrap();
        let (grid, stones) = (table.ground.grid(), game.stones());
        let liberties = |of| stones.liberties(grid, of).len();
        stones.all().any(|point| {
            let mut group = stones.group(grid, point);
            liberties(group) == 2 && group.all(|stone| liberties(Points::one(stone)) < 2)
        })
    };
    assert!((0..200).any(has_a_narrow_group));
}

#[test]
fn starts_differ_from_game_to_game() {
    let mut table = TestedGame::<u128>::new(9, 9, 7);
    let first = SpeedGo::start(0, &mut table.context()).unwrap();
    let second = SpeedGo::start(0, &mut table.context()).unwrap();
    assert_ne!(first.stones(), second.stones());
}

#[test]
fn exactly_the_boards_with_enough_points_start() {
    for (columns, rows) in (1..=16).flat_map(|c| (1..=16).map(move |r| (c, r))) {
        let points = usize::from(columns) * usize::from(rows);
        for (mode, least) in [(0, 54), (1, 4), (2, 27)] {
            let wide = columns >= 2 && rows >= 2 && points >= least;
            for seed in 0..3 {
                let mut table = TestedGame::<Wide>::new(columns, rows, seed);
                let game = SpeedGo::start(mode, &mut table.context());
                assert_eq!(
                    game.is_some(),
                    wide,
                    "{columns}x{rows} mode {mode} seed {seed}"
                );
            }
        }
    }
    let mut table = TestedGame::<u128>::new(9, 9, 0);
    assert!(SpeedGo::start(3, &mut table.context()).is_none());
}

fn legal_positions(side: u8) -> usize {
    let points = u32::from(side) * u32::from(side);
    (0..3_u32.pow(points))
        .filter(|number| {
            let mut stones = Stones::<u64>::default();
            let mut rest = *number;
            for index in 0..points {
                if let colour @ 1..=2 = rest % 3 {
                    stones.0[colour as usize - 1].insert(Point(index as u8));
                }
                rest /= 3;
            }
            stones.is_sound(TestedGame::new(side, side, 0).ground.grid())
        })
        .count()
}

#[test]
fn a_2x2_board_has_57_legal_positions_and_a_3x3_board_12675() {
    // OEIS A094777 (John Tromp, Gunnar Farneback: Combinatorics of Go).
    assert_eq!(legal_positions(2), 57);
    assert_eq!(legal_positions(3), 12_675);
}

#[test]
fn a_position_with_a_group_that_has_no_liberty_is_refused() {
    assert!(try_board("gr. r.. ...", Side::Green).1.is_none());
    assert!(try_board("gr. .r. ...", Side::Green).1.is_some());
    assert!(try_board("gg gg", Side::Green).1.is_none());
}

#[test]
fn a_position_keeps_its_stones_and_its_turn() {
    let (table, game) = board("g.r .g. r..", Side::Red);
    assert_eq!(game.turn(), Some(Side::Red));
    assert_eq!(rows(&game, &table), "g.r .g. r..");
}

/// `RULES.md`, boards that are too small: a side of one point is refused.
#[test]
fn a_position_on_a_board_with_a_side_of_one_point_is_refused() {
    for narrow in ["g.r.", "g . r ."] {
        assert!(try_board(narrow, Side::Green).1.is_none(), "{narrow}");
    }
    assert!(try_board("g. .r", Side::Green).1.is_some());
}

/// "The mode determine the number of points on startup": there are three.
#[test]
fn a_position_of_an_unknown_mode_is_refused() {
    let (columns, rows, position) = drawn("g.. .r. ...", Side::Green);
    for (mode, is_one) in [(2, true), (3, false), (4, false)] {
        let mut table = TestedGame::<u128>::new(columns, rows, 1);
        let game = SpeedGo::diagram(mode, &position, &mut table.context());
        assert_eq!(game.is_some(), is_one, "mode {mode}");
    }
}

#[test]
fn a_position_with_another_colour_is_refused() {
    assert!(try_board("ga. ... ...", Side::Green).1.is_none());
}

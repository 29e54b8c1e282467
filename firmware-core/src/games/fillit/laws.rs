//! Laws of FillIt in arbitrary games; its moves are compared with a point-by-point
//! computation.

use std::vec::Vec;

use law::{Judged, Ruling, Weight, law};
use proptest::collection::vec;
use proptest::prelude::*;
use protocol::{Layout, Point, Side};

use super::moves::{Fate, FillItView, Moves, knight, long_knight, two_away};
use super::{FillIt, MODES, Task};
use crate::game::{Game, Touch};
use crate::games::testing::{self, TestedGame, layouts};
use crate::grid::Grid;
use crate::points::Points;
use crate::word::{Wide, Word};

testing::laws!(FillIt, testing::in_turns);

/// The distances of two points along both axes, the larger one first.
fn apart(layout: Layout, one: Point, other: Point) -> (u8, u8) {
    let columns = layout.column(one).abs_diff(layout.column(other));
    let rows = layout.row(one).abs_diff(layout.row(other));
    (columns.max(rows), columns.min(rows))
}

/// The cells after a touch by the side of cells 1 against that of cells 2, according to
/// the manual, and whether the touch is legal.
fn touch(task: Task, layout: Layout, cells: &[u8], at: Point, spared: bool) -> (Vec<u8>, bool) {
    let mut after = cells.to_vec();
    let (mut legal, mut goes_off) = (true, false);
    for point in layout.iter() {
        let cell = &mut after[point.index()];
        let far = apart(layout, point, at);
        match task {
            Task::Fill => {
                if matches!(far, (2, 0 | 2)) || point == at {
                    *cell = 1;
                } else if far.0 == 1 && *cell == 1 && !spared {
                    *cell = 2;
                }
            }
            Task::Clear(clearing) => {
                let fate = match (far, *cell) {
                    ((2, 1), 2) => clearing.knight,
                    ((3, 2), 1) => clearing.long_knight,
                    _ => continue,
                };
                goes_off |= fate == Fate::GoesOff;
                *cell = if fate == Fate::GoesOff { 0 } else { 3 - *cell };
            }
        }
    }
    match task {
        Task::Fill => legal = cells[at.index()] == 0,
        Task::Clear(clearing) if clearing.must_go_off => legal = goes_off,
        Task::Clear(_) => {}
    }
    (after, legal)
}

fn check<W: Word>(layout: Layout, mode: usize, cells: &[u8], spared: bool) -> Ruling {
    let Some(grid) = Grid::<W>::new(layout) else {
        return Ok(Judged::Nothing);
    };
    let sets = |cells: &[u8]| -> [Points<W>; 2] {
        [1, 2].map(|cell| {
            layout
                .iter()
                .filter(|point| cells[point.index()] == cell)
                .collect()
        })
    };
    let [own, other] = sets(cells);
    let view = FillItView {
        own,
        other,
        own_spared: spared,
        other_spared: !spared,
        side: Side::Red,
    };
    let moves = Moves::new(&grid, MODES[mode].task);
    let mut is_legal = false;
    for at in layout.iter() {
        let (cells, legal) = touch(MODES[mode].task, layout, cells, at, spared);
        prop_assert_eq!(moves.legal(&view).has(at), legal);
        if legal {
            is_legal = true;
            let after = moves.after(&view, at);
            prop_assert_eq!([after.other, after.own], sets(&cells));
            prop_assert_eq!(after.side, Side::Green);
            prop_assert_eq!((after.own_spared, after.other_spared), (!spared, false));
        }
    }
    Ok(Judged::if_any(is_legal))
}

fn cells(dark: u32) -> impl Strategy<Value = Vec<u8>> {
    vec(
        prop_oneof![dark => Just(0_u8), 1 => Just(1), 1 => Just(2)],
        256,
    )
}

#[test]
fn moves_equal_those_walked_point_by_point() {
    let filled = prop_oneof![cells(0), cells(1), cells(10)];
    let like = (layouts(1), 0..5_usize, filled, any::<bool>());
    law(
        Weight::of(256, 70),
        like,
        |(layout, mode, cells, spared)| {
            check::<u64>(layout, mode, &cells, spared)?;
            check::<u128>(layout, mode, &cells, spared)?;
            check::<Wide>(layout, mode, &cells, spared)
        },
    );
}

#[test]
fn effects_on_a_set_are_the_union_over_its_points() {
    let like = (layouts(1), vec(any::<u8>(), 0..9));
    law(Weight::of(256, 45), like, |(layout, chosen)| {
        let grid = Grid::<Wide>::new(layout).unwrap();
        let chosen = chosen.into_iter().map(Point);
        let chosen: Points<Wide> = chosen.filter(|point| layout.has(*point)).collect();
        let mut all = Points::NONE;
        for (step, far) in [
            (two_away as fn(_, &Grid<Wide>) -> _, [(2, 0), (2, 2)]),
            (knight, [(2, 1); 2]),
            (long_knight, [(3, 2); 2]),
        ] {
            let hit = |point: &Point| {
                let mut chosen = chosen.into_iter();
                chosen.any(|one| far.contains(&apart(layout, one, *point)))
            };
            let expected: Points<Wide> = layout.iter().filter(hit).collect();
            prop_assert_eq!(step(chosen, &grid), expected);
            all |= expected;
        }
        Ok(Judged::if_any(!all.is_empty()))
    });
}

#[test]
fn the_filling_game_grows_with_every_move_until_full() {
    let like = (layouts(6), 0..2_u8, any::<u64>());
    law(Weight::of(256, 95), like, |(layout, mode, seed)| {
        let mut table = TestedGame::<Wide, FillIt<Wide>>::begin(layout, mode, seed).unwrap();
        let mut moves = 0;
        while let Some(point) = table.rng.pick(table.legal()) {
            let before: u32 = table.score().iter().sum();
            table.touch(point);
            prop_assert!(table.score().iter().sum::<u32>() > before);
            moves += 1;
        }
        prop_assert_eq!(table.score().iter().sum::<u32>(), layout.points() as u32);
        prop_assert!(table.game.outcome().is_some());
        Ok(Judged::if_any(moves > 1))
    });
}

#[test]
fn random_games_of_mode_2_end() {
    for seed in 0..100 {
        let mut table = TestedGame::<u128, FillIt<u128>>::begin(Layout::MALDOO, 2, seed).unwrap();
        assert!(table.play_at_random(2_000) < 2_000);
    }
}

#[test]
fn in_mode_2_a_touch_that_changes_nothing_is_legal() {
    let rows = ["g.....", "......", "......", "......", "......", ".....r"];
    let mut table = TestedGame::<u64, FillIt<u64>>::drawn(2, Side::Green, &rows).unwrap();
    assert_eq!(table.tap_at("a6"), Touch::Move(0));
    assert_eq!(table.drawing(), rows);
    assert_eq!(table.game.turn(), Some(Side::Red));
}

//! Laws of CountLines on arbitrary games, and its lines compared with a
//! point-by-point search.

use std::vec::Vec;

use law::{Judged, Ruling, Weight, law};
use proptest::collection::vec;
use proptest::prelude::*;
use protocol::{Layout, Point};

use super::lines::{chances, completing, lines};
use super::{CountLines, LINE, MODES, too_close};
use crate::game::Game;
use crate::games::testing::{self, TestedGame, layouts};
use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::word::{Wide, Word};

testing::laws!(CountLines, testing::in_turns);

/// Every place for a line, as its four points.
fn places<W: Word>(grid: &Grid<W>) -> Vec<[Point; LINE]> {
    let axes = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    let all = grid.sides().iter();
    let place = |from: Point, (columns, rows): (i8, i8)| {
        let mut place = [from; LINE];
        for (far, point) in place.iter_mut().enumerate() {
            *point = grid.offset(from, columns * far as i8, rows * far as i8)?;
        }
        Some(place)
    };
    all.flat_map(|from| axes.into_iter().filter_map(move |axis| place(from, axis)))
        .collect()
}

fn check<W: Word>(layout: Layout, cells: &[u8]) -> Ruling {
    let Some(grid) = Grid::<W>::new(layout) else {
        return Ok(Judged::Nothing);
    };
    let of = |cell| -> Points<W> { layout.iter().filter(|p| cells[p.index()] == cell).collect() };
    let (dark, own, other) = (of(0), of(1), of(2));
    let (mut made, mut counts, mut open) = (0, [0; LINE], Points::NONE);
    for place in places(&grid) {
        let points: Points<W> = place.into_iter().collect();
        let stones = (points & own).len();
        made += u16::from(stones == LINE);
        if !points.meets(other) && stones > 0 {
            counts[stones - 1] += 1;
        }
        if stones == LINE - 1 {
            open |= points & dark;
        }
    }
    prop_assert_eq!(lines(own, &grid), made);
    prop_assert_eq!(chances(own, other, &grid), counts);
    prop_assert_eq!(completing(own, dark, &grid), open);
    Ok(Judged::if_any(made > 0 || counts != [0; LINE]))
}

fn cells(dark: u32) -> impl Strategy<Value = Vec<u8>> {
    vec(
        prop_oneof![dark => Just(0_u8), 6 => Just(1), 1 => Just(2)],
        256,
    )
}

#[test]
fn lines_equal_those_found_point_by_point() {
    let like = (layouts(1), prop_oneof![cells(1), cells(4), cells(20)]);
    law(Weight::of(256, 80), like, |(layout, cells)| {
        check::<u64>(layout, &cells)?;
        check::<u128>(layout, &cells)?;
        check::<Wide>(layout, &cells)
    });
}

#[test]
fn too_close_is_less_than_three_points_away() {
    law(
        Weight::of(256, 80),
        (layouts(1), any::<u8>()),
        |(layout, last)| {
            let grid = Grid::<Wide>::new(layout).unwrap();
            let last = Point((usize::from(last) % layout.points()) as u8);
            let apart = |point: Point| {
                let columns = layout.column(point).abs_diff(layout.column(last));
                let rows = layout.row(point).abs_diff(layout.row(last));
                u32::from(columns).pow(2) + u32::from(rows).pow(2)
            };
            let near: Points<Wide> = layout.iter().filter(|point| apart(*point) < 9).collect();
            prop_assert_eq!(too_close(Some(last), &grid), near);
            Ok(Judged::if_any(near.len() < layout.points()))
        },
    );
}

#[test]
fn every_game_ends_with_the_board_full_or_a_line() {
    let like = (layouts(4), 0..5_u8, any::<u64>());
    law(Weight::of(256, 95), like, |(layout, mode, seed)| {
        let mut table = TestedGame::<Wide, CountLines<Wide>>::begin(layout, mode, seed).unwrap();
        let moves = table.play_at_random(256);
        prop_assert!(table.game.outcome().is_some());
        let first_line = MODES[usize::from(mode)].end == super::End::FirstLine;
        prop_assert!(moves == layout.points() || (first_line && table.score() != [0, 0]));
        Ok(Judged::if_any(moves > 1))
    });
}

#[test]
fn a_direction_back_undoes_the_step() {
    for direction in Direction::ALL {
        let ((columns, rows), back) = (direction.step(), super::lines::opposite(direction).step());
        assert_eq!(back, (-columns, -rows));
    }
}

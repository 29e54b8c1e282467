//! Laws of Visiput; the visibility of whole sets is compared with a point-by-point
//! computation.

use std::vec::Vec;

use law::{Judged, Ruling, Weight, law};
use proptest::collection::vec;
use proptest::prelude::*;
use protocol::{Layout, Point};

use super::sight::SightRules;
use super::{MODES, Visiput};
use crate::game::Game;
use crate::games::testing::{self, TestedGame, layouts};
use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::word::{Wide, Word};

// Half of the boards are too small for the game.
testing::laws!(
    Visiput,
    testing::in_turns,
    Floors {
        moves: 38,
        ..Floors::USUAL
    }
);

/// The first lit point that is visible from here, at most one for each direction.
fn walk<W: Word>(grid: &Grid<W>, lit: Points<W>, from: Point) -> impl Iterator<Item = Point> {
    Direction::ALL.into_iter().filter_map(move |direction| {
        let (columns, rows) = direction.step();
        let mut at = grid.offset(from, columns, rows);
        while let Some(point) = at.filter(|point| !lit.has(*point)) {
            at = grid.offset(point, columns, rows);
        }
        at
    })
}

fn check<W: Word>(layout: Layout, margin: i8, cells: &[u8]) -> Ruling {
    let Some(grid) = Grid::<W>::new(layout) else {
        return Ok(Judged::Nothing);
    };
    let of = |cell| -> Points<W> { layout.iter().filter(|p| cells[p.index()] == cell).collect() };
    let (own, other) = (of(1), of(2));
    let sight = SightRules::new(&grid, margin);
    let [open, open_to_other] = sight.open_to(own, other);
    let margins = sight.margins(own, other);
    let (mut sum, mut sees) = (0, false);
    for point in layout.iter() {
        let seen = walk(&grid, own | other, point);
        let difference = seen
            .map(|lit| if own.has(lit) { 1 } else { -1 })
            .sum::<i8>();
        let dark = !(own | other).has(point);
        sees |= dark && difference != 0;
        prop_assert_eq!(open.has(point), dark && difference >= margin);
        prop_assert_eq!(open_to_other.has(point), dark && -difference >= margin);
        sum += if dark { i32::from(difference) } else { 0 };
    }
    prop_assert_eq!(margins.sum(sight.dark(own, other)), sum);
    prop_assert!((open | open_to_other).without(grid.all()).is_empty());
    Ok(Judged::if_any(sees))
}

fn cells(dark: u32) -> impl Strategy<Value = Vec<u8>> {
    vec(
        prop_oneof![dark => Just(0_u8), 1 => Just(1), 1 => Just(2)],
        256,
    )
}

#[test]
fn sight_agrees_with_a_walk_from_point_to_point() {
    let lit = prop_oneof![cells(1), cells(6), cells(30)];
    let like = (layouts(1), -1..=2_i8, lit);
    law(Weight::of(256, 80), like, |(layout, margin, cells)| {
        check::<u64>(layout, margin, &cells)?;
        check::<u128>(layout, margin, &cells)?;
        check::<Wide>(layout, margin, &cells)
    });
}

#[test]
fn every_game_ends() {
    let like = (layouts(8), 0..8_u8, any::<u64>());
    law(Weight::of(256, 95), like, |(layout, mode, seed)| {
        let mut table = TestedGame::<Wide, Visiput<Wide>>::begin(layout, mode, seed).unwrap();
        let lit = table.score().iter().sum::<u32>();
        let moves = table.play_at_random(256);
        prop_assert!(moves + lit as usize <= layout.points());
        prop_assert!(table.game.outcome().is_some());
        Ok(Judged::if_any(moves > 1))
    });
}

#[test]
fn in_modes_0_1_6_and_7_a_turn_is_never_skipped() {
    // "visible by at least as many": at every dark point, this is true for at least one
    // side.
    for mode in [0, 1, 6, 7] {
        assert!(MODES[usize::from(mode)].margin <= 0);
        for seed in 0..100 {
            let mut table =
                TestedGame::<u128, Visiput<u128>>::begin(Layout::MALDOO, mode, seed).unwrap();
            table.play_at_random(81);
            assert!(table.events.is_empty());
        }
    }
}

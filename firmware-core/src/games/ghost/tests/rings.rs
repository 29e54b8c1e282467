//! The pattern that follows a catch.

use std::vec::Vec as StdVec;

use protocol::Colour;

use super::*;
use crate::game::{Game, Touch};
use crate::rng::Rng;

// "The board also signals it by drawing a moving pattern for a short interval."

#[test]
fn after_a_catch_rings_spread_for_1_2_seconds() {
    let mut table = TestedGame::middle(0);
    table.tap(4, 4);
    let mut pictures = StdVec::new();
    assert_eq!(u64::from(RINGS) * RING_MS, 1200);
    for ring in 0..RINGS {
        let picture = table.picture();
        assert_ne!(
            pictures.last(),
            Some(&picture),
            "picture {ring} does not move"
        );
        for point in table.ground.layout().iter() {
            let (column, row) = (
                table.ground.layout().column(point),
                table.ground.layout().row(point),
            );
            let away = column.abs_diff(4).max(row.abs_diff(4));
            let lit = away <= ring && (ring - away) % 3 == 0;
            assert_eq!(
                picture.get(point),
                if lit { Colour::GREEN } else { Colour::OFF }
            );
        }
        pictures.push(picture);
        assert!(!table.game.clock_runs());
        table.wait(150);
    }
    assert!(table.game.clock_runs());
    assert_eq!(table.ghost().len(), 4);
}

#[test]
fn touches_and_passes_are_ignored_during_the_rings() {
    let mut table = TestedGame::middle(0);
    table.tap(4, 4);
    assert!(table.legal().is_empty());
    for point in table.ground.layout().iter() {
        let before = table.game.clone();
        assert_eq!(table.touch(point), Touch::Ignored);
        assert!(!table.pass());
        assert_eq!(table.game, before);
    }
}

#[test]
fn after_the_rings_the_ghost_reappears_far_from_the_touch() {
    for seed in 0..50 {
        let rows = [
            "g.......r",
            "",
            "..r...g..",
            "",
            "....aa...",
            "....aa...",
            "..g...r",
        ];
        let mut table = TestedGame::position(0, Side::Green, &rows).unwrap();
        table.rng = Rng::new(seed);
        table.tap(4, 4);
        table.wait(1200);
        let touched = Points::one(table.at(4, 4));
        assert!(
            !table
                .ghost()
                .meets(touched | table.ground.neighbours(touched))
        );
        assert!(!table.ghost().meets(table.game.lit()));
        assert_eq!(
            table.walk().steps_at,
            1700,
            "a whole step time until it goes on"
        );
    }
}

#[test]
fn a_catch_by_the_board_shows_only_rings() {
    let mut table = TestedGame::middle(2);
    table.tap(8, 8);
    table.wait(DEAF_MS);
    let on = table.at(4, 4);
    table.with(|game, _, context| game.announce(on, context));
    assert_eq!(table.touch(on), Touch::Move(0));
    assert_eq!(table.score(), [0, 1]);
    assert!(table.shown(Colour::AMBER).is_empty());
}

#[test]
fn rings_grow_exactly_on_time() {
    let mut table = TestedGame::middle(0);
    let pattern = Pattern {
        centre: Point(40),
        side: Side::Red,
        ring: 1,
        next_at: table.now + 50,
    };
    table.game.phase = GhostPhase::Pattern(pattern);
    let before = table.game.clone();
    table.with(|game, _, context| Game::<u128>::wake(game, context));
    assert_eq!(table.game, before);
    table.wait(50);
    assert_ne!(table.game, before);
}

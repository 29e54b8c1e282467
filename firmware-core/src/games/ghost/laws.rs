//! Laws of every game, for any touches at any times.

use law::{Judged, Weight, law};
use proptest::collection::vec;
use proptest::prelude::*;
use protocol::{Colour, Diagram, Layout, Packed, Point, Side, Tick};

use super::{Ghost, GhostPhase, GhostWalk, TURNS, block};
use crate::game::{Game, Player, Touch};
use crate::games::testing::{self, LawStep, deeds, forgery, layouts};
use crate::grid::Grid;
use crate::points::Points;
use crate::word::{Wide, Word};

type TestedGame = testing::TestedGame<u128, Ghost<u128>>;

testing::laws!(Ghost, haunts);

/// The laws of this game that hold at every moment.
fn haunts<W: Word>(table: &testing::TestedGame<W, Ghost<W>>) {
    let game = &table.game;
    let last_was_played = game.turns == TURNS;
    assert_eq!(
        game.outcome().is_some() || last_was_played,
        game.turn().is_none()
    );
    assert_eq!(game.outcome().is_none(), game.wakes_at().is_some());
    assert!(game.turns <= TURNS);
    assert_eq!(game.clock_runs(), matches!(game.phase, GhostPhase::Walk(_)));
    if let GhostPhase::Walk(GhostWalk { corner, .. }) | GhostPhase::Over(Some(corner)) = game.phase
    {
        let ghost = block(corner, table.ground.grid());
        assert_eq!(ghost.len(), 4);
        assert!(!ghost.meets(game.lit()));
    }
}

#[test]
fn a_game_of_time_outs_ends_within_32_turns() {
    let like = (0..4_u8, any::<u64>(), deeds(120));
    law(Weight::of(256, 60), like, |(mode, seed, deeds)| {
        let mut table = TestedGame::start(mode, seed);
        table.plays(&deeds);
        let mut time_outs = 0;
        for _ in 0..TURNS {
            // The pattern, during which the clock is stopped, is the longest wait.
            table.wait(1500);
            if table.game.turn().is_some() {
                prop_assert!(table.game.clock_runs());
                table.does(LawStep::TimeOut);
                time_outs += 1;
            }
        }
        prop_assert!(table.game.outcome().is_some());
        Ok(Judged::if_any(time_outs > 1))
    });
}

#[test]
fn lit_points_only_come_from_wrong_touches_in_modes_0_and_1() {
    let like = (0..4_u8, any::<u64>(), deeds(120));
    law(Weight::of(256, 60), like, |(mode, seed, deeds)| {
        let mut table = TestedGame::start(mode, seed);
        table.plays(&deeds);
        let wrong = usize::from(table.game.wrong);
        prop_assert_eq!(table.game.lit().len(), if mode < 2 { wrong } else { 0 });
        let score: u32 = table.score().iter().sum();
        prop_assert!(score as usize + wrong <= usize::from(table.game.turns));
        Ok(Judged::if_any(wrong > 0))
    });
}

#[test]
fn each_touch_is_a_turn_and_passes_it() {
    let like = (layouts(4), 0..4_u8, any::<u64>(), deeds(120));
    law(Weight::of(256, 70), like, |(layout, mode, seed, deeds)| {
        let mut table =
            testing::TestedGame::<Wide, Ghost<Wide>>::begin(layout, mode, seed).unwrap();
        let mut moves = 0;
        for deed in deeds {
            let before = table.game.clone();
            let came = table.does(deed);
            // While a hand thinks, time passes as well, and the ghost moves.
            if !matches!(deed, LawStep::Think(..))
                && let Some(Touch::Move(changed)) = came
            {
                moves += 1;
                prop_assert_eq!(changed, 0);
                prop_assert_eq!(table.game.turns, before.turns + 1);
                prop_assert_eq!(table.game.turn, before.turn.other());
            }
        }
        Ok(Judged::if_any(moves > 0))
    });
}

#[test]
fn every_call_on_a_sound_state_is_safe() {
    let start = (layouts(4), 0..4_u8, any::<u64>());
    let then = vec((0..8_u8, any::<u8>(), any::<Tick>()), 0..60);
    let like = (start, deeds(120), forgery(), then);
    law(
        Weight::of(256, 10),
        like,
        |(start, deeds, forgery, then)| {
            let (layout, mode, seed) = start;
            let mut table =
                testing::TestedGame::<Wide, Ghost<Wide>>::begin(layout, mode, seed).unwrap();
            table.plays(&deeds);
            let Some(mut forged) = table.forged(&forgery) else {
                return Ok(Judged::Nothing);
            };
            // A forged state may be asked for legal points before it is refused.
            forged.legal();
            if !forged.is_sound() || forged == table {
                return Ok(Judged::Nothing);
            }
            let table = &mut forged;
            for (kind, value, tick) in then {
                match kind {
                    0 | 1 => {
                        table.does(LawStep::Touch(value));
                    }
                    // Time may also skip wakes.
                    2 => table.now = table.now.saturating_add(tick),
                    3 => table.time_out(),
                    4 => {
                        table.with(|game, hand, context| hand.wake(game, value, context));
                    }
                    _ => table.with(|game, _, context| game.wake(context)),
                }
                table.holds();
                haunts(table);
            }
            Ok(Judged::Something)
        },
    );
}

#[test]
fn any_position_with_a_ghost_is_refused_or_played() {
    // Mostly dark, sometimes lit, rarely another colour.
    let colour = prop_oneof![40 => Just(0_u8), 4 => 1..3_u8, 1 => 3..5_u8];
    let like = (0..5_u8, vec(colour, 81), 0..90_u8, deeds(120));
    law(Weight::of(256, 5), like, |(mode, colours, ghost, deeds)| {
        let grid: Grid<u128> = Grid::new(Layout::MALDOO).unwrap();
        let mut points = Packed::default();
        for (point, colour) in grid.sides().iter().zip(colours) {
            points.set(point, Colour::new(colour));
        }
        let ghost = if ghost < 81 {
            block(Point(ghost), &grid)
        } else {
            Points::NONE
        };
        for point in ghost {
            points.set(point, Colour::AMBER);
        }
        let position = Diagram {
            points,
            turn: Side::Red,
        };
        let Some(mut table) = TestedGame::set_up(Layout::MALDOO, mode, &position) else {
            return Ok(Judged::Nothing);
        };
        let holds = |table: &TestedGame| {
            table.holds();
            haunts(table);
        };
        holds(&table);
        table.plays_checking(&deeds, holds);
        Ok(Judged::Something)
    });
}

//! The effects of touches are reported in the terms of the rules.

use firmware_core::games::malaka::Meets;
use firmware_core::games::{self, number};
use protocol::{Button, Event, Input, Layout, Point, Roster, Settings};

use super::tale::{Did, Tale};
use super::*;
use crate::{CoreDriver, Driver};

/// Starts a game, and lets a tale follow it.
fn begun(mode: u8, seed: u64) -> (CoreDriver, Tale) {
    let layout = Layout::Grid((games::about(number::MALAKA).unwrap().made_for)(mode));
    let mut board = CoreDriver::with_games(layout, Roster::of(&[number::MALAKA]), seed).unwrap();
    let settings = Settings {
        game: number::MALAKA,
        mode,
        level: 0,
        ..board.status().unwrap().settings
    };
    board
        .carry_out(&protocol::Deed::Settings(settings))
        .unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 0).unwrap();
    let mut tale = Tale::new(layout, &settings);
    for event in board.take_events() {
        tale.follow(&event.event);
    }
    (board, tale)
}

fn on(board: &CoreDriver) -> Position {
    board.board().malaka().unwrap().clone()
}

/// Compares every touch of a whole random game with the piles before and after it.
#[test]
fn the_described_touch_equals_the_change_of_piles() {
    let like = (0..16_u8, any::<u64>(), 60..500_usize);
    law(Weight::of(24, 60), like, |(mode, seed, touches)| {
        let (mut board, mut tale) = begun(mode, seed);
        let mut rng = Rng::new(seed);
        let (mut kills, mut pins) = (0, 0);
        for _ in 0..touches {
            let before = on(&board);
            let legal = board.legal().unwrap();
            if legal.is_empty() {
                board.step(&[], 2_100).unwrap();
            } else {
                let point: Point = legal[rng.below(legal.len() as u32) as usize];
                board
                    .step(&[Input::Touch(point), Input::Release(point)], 100)
                    .unwrap();
            }
            let after = on(&board);
            let pieces = |of: &Position| Side::BOTH.map(|side| of.pieces(side));
            for event in board.take_events() {
                let is_touch = matches!(event.event, Event::Part { .. } | Event::Move { .. });
                let did = tale.follow(&event.event);
                prop_assert_eq!(is_touch, did.is_some());
                let Some(did) = did else { continue };
                let Did::Step(step, meets) = did else {
                    prop_assert!(before.piles().eq(after.piles()), "{:?}", did);
                    continue;
                };
                prop_assert_eq!(meets, before.meets(step));
                prop_assert!(before.dice().iter().any(|pips| pips == step.pips()));
                let has_fewer = pieces(&before) != pieces(&after);
                prop_assert_eq!(has_fewer, meets == Meets::Kills);
                kills += u32::from(meets == Meets::Kills);
                pins += u32::from(meets == Meets::Pins);
            }
            if after.winner().is_some() {
                break;
            }
        }
        Ok(Judged::if_any(kills + pins > 0))
    });
}

/// A host that joins a game reports nothing before it knows which piece is picked up.
#[test]
fn a_joined_game_is_described_from_its_next_turn_on() {
    let settings = Settings {
        game: number::MALAKA,
        ..Settings::default()
    };
    let layout = Layout::MALDOO;
    let mut tale = Tale::new(layout, &settings);
    let part = |name| Event::Part {
        side: Side::Green,
        point: layout.point(name).unwrap(),
    };
    assert_eq!(tale.follow(&part("a1")), None);
    tale.follow(&Event::Turn(Side::Green));
    let told: Vec<String> = ["e5", "e5", "e5", "e3", "e5", "h5"]
        .iter()
        .filter_map(|name| tale.follow(&part(name)))
        .map(|did| did.to_string())
        .collect();
    // Nothing is known about pins.
    let expected = [
        "picks e5 up",
        "puts e5 down",
        "picks e5 up",
        "e5-e3 (2)",
        "picks e5 up",
        "e5-h5 (3, kills)",
    ];
    assert_eq!(told, expected);
}

//! The rules of the help page (August 2004), sentence by sentence, and, in this file,
//! properties that always hold.

mod geometry;
mod meeting;
mod playing;
mod winning;

use core::ops::ControlFlow;
use std::collections::BTreeSet;
use std::string::{String, ToString};
use std::vec::Vec;

use law::{Judged, Weight, law};
use postcard::experimental::max_size::MaxSize;
use proptest::prelude::*;
use protocol::Side;

use super::*;
use crate::games::malaka::reference::{Slow, map_of, written};

fn place(name: &str) -> MalakaPoint {
    name.parse().expect("the name of a place")
}

fn step(text: &str) -> Step {
    let (from, to) = text.split_once('-').expect("a step");
    Step {
        from: place(from),
        to: place(to),
    }
}

/// `a1x2` is two pieces, `a1+` one that pins, `a1x2+` two that pin.
fn piles<'a>(side: Side, text: &'a str) -> impl Iterator<Item = (MalakaPoint, Pile)> + 'a {
    text.split_whitespace().map(move |word| {
        let (word, pins) = match word.strip_suffix('+') {
            Some(word) => (word, true),
            None => (word, false),
        };
        let (name, count) = word.split_once('x').unwrap_or((word, "1"));
        let count = count.parse().unwrap();
        (place(name), Pile { side, count, pins })
    })
}

fn of(variant: Variant, green: &str, red: &str, turn: Side, dice: &[u8]) -> Position {
    let piles = piles(Side::Green, green).chain(piles(Side::Red, red));
    Position::set_up(variant, piles, turn, Dice::of(dice).unwrap()).unwrap()
}

fn small(green: &str, red: &str, turn: Side, dice: &[u8]) -> Position {
    of(Variant::USUAL, green, red, turn, dice)
}

fn large(green: &str, red: &str, turn: Side, dice: &[u8]) -> Position {
    of(Variant::of_mode(8).unwrap(), green, red, turn, dice)
}

fn names(position: &Position) -> Vec<String> {
    position.steps().iter().map(ToString::to_string).collect()
}

fn turns(position: &Position) -> Vec<(Vec<Step>, Position)> {
    let mut turns = Vec::new();
    let told = position.each_turn(|turn, next| {
        turns.push((turn.to_vec(), next.clone()));
        ControlFlow::Continue(())
    });
    assert!(told.is_continue());
    turns
}

fn turn_names(position: &Position) -> Vec<String> {
    let name = |(turn, _): (Vec<Step>, Position)| {
        let steps: Vec<String> = turn.iter().map(ToString::to_string).collect();
        steps.join(",")
    };
    turns(position).into_iter().map(name).collect()
}

fn play(position: &mut Position, steps: &str) -> After {
    let mut last = After::Part;
    for text in steps.split(',') {
        assert_eq!(last, After::Part, "before {text}");
        last = position.apply(step(text)).expect(text);
    }
    last
}

fn pile(position: &Position, name: &str) -> Option<(Side, u8, bool)> {
    let pile = position.pile(place(name));
    pile.map(|pile| (pile.side, pile.count, pile.pins))
}

const O: Side = Side::Green;
const X: Side = Side::Red;

/// Positions whose pieces are close together, so that they meet.
fn position() -> impl Strategy<Value = Option<Position>> {
    let pile = (0..12_u8, 0..12_u8, any::<bool>(), 1..4_u8, 0..5_u8);
    let near = (0..9_u8, 0..9_u8, any::<bool>(), 1..3_u8, 0..4_u8);
    let piles = prop_oneof![
        proptest::collection::vec(pile, 1..20),
        proptest::collection::vec(near, 1..12),
    ];
    let dice = (1..7_u8, 1..7_u8, any::<bool>());
    let of = |(mode, piles, turn, (one, other, is_double)): (u8, Vec<_>, bool, _)| {
        let variant = Variant::of_mode(mode)?;
        let side = |is_red: bool| Side::BOTH[usize::from(is_red)];
        let mut places = BTreeSet::new();
        let pile = |(column, row, is_red, count, pins): (u8, u8, bool, u8, u8)| {
            let place = MalakaPoint::new(column % variant.side(), row % variant.side())?;
            let pins = pins == 0;
            places.insert(place).then_some((
                place,
                Pile {
                    side: side(is_red),
                    count,
                    pins,
                },
            ))
        };
        let piles: Vec<_> = piles.into_iter().filter_map(pile).collect();
        let most = variant.die_sides();
        let (one, other) = ((one - 1) % most + 1, (other - 1) % most + 1);
        let dice = Dice::two(one, if is_double { one } else { other });
        Position::set_up(variant, piles, side(turn), dice).ok()
    };
    let mode = prop_oneof![3 => Just(0_u8), 1 => 0..VARIANTS];
    (mode, piles, any::<bool>(), dice).prop_map(of)
}

fn turns_are_those_of_the_reference(position: &Position) -> usize {
    let slow = Slow::of(position);
    let (first, ends) = slow.turns(position.dice());
    let steps: Vec<Step> = position.steps().to_vec();
    assert!(steps.is_sorted(), "{steps:?}");
    assert_eq!(steps.iter().copied().collect::<BTreeSet<_>>(), first);
    assert_eq!(steps.len(), first.len(), "a step twice");
    let told = turns(position);
    let came: BTreeSet<_> = told
        .iter()
        .map(|(_, next)| written(&map_of(next)))
        .collect();
    assert_eq!(
        came.len(),
        told.len(),
        "two turns from which the same comes"
    );
    assert!(told.is_sorted_by(|(one, _), (next, _)| one < next));
    let is_won_early = told.iter().any(|(_, next)| next.winner().is_some());
    if !is_won_early {
        assert_eq!(came, ends);
    }
    for (turn, next) in &told {
        let mut played = position.clone();
        for step in turn {
            assert_ne!(played.apply(*step), Err(StepError::NotLegal));
        }
        assert_eq!(played, *next);
    }
    first.len()
}

#[test]
fn turns_equal_those_of_a_slow_search() {
    law(Weight::of(400, 50), position(), |position| {
        let Some(position) = position.filter(|position| position.winner().is_none()) else {
            return Ok(Judged::Nothing);
        };
        let steps = turns_are_those_of_the_reference(&position);
        Ok(Judged::if_any(steps > 0))
    });
}

#[test]
fn distances_equal_those_of_a_slow_walk() {
    law(Weight::of(400, 70), position(), |position| {
        let Some(position) = position else {
            return Ok(Judged::Nothing);
        };
        let slow = Slow::of(&position);
        for side in Side::BOTH {
            prop_assert_eq!(u32::from(position.distance(side)), slow.distance(side));
        }
        Ok(Judged::Something)
    });
}

/// Therefore no game is endless; see `RULES.md`.
#[test]
fn an_unfinished_position_has_a_move_with_some_die() {
    law(Weight::of(1_000, 60), position(), |position| {
        let Some(position) = position.filter(|position| position.winner().is_none()) else {
            return Ok(Judged::Nothing);
        };
        let moves = |side: Side, pips: u8| {
            let piles: Vec<_> = position.piles().collect();
            let set = Position::set_up(position.variant(), piles, side, Dice::one(pips));
            set.is_ok_and(|set| !set.steps().is_empty())
        };
        let sides = position.variant().die_sides();
        let any = Side::BOTH
            .into_iter()
            .any(|side| (1..=sides).any(|pips| moves(side, pips)));
        prop_assert!(any, "{position:?}");
        Ok(Judged::Something)
    });
}

/// Plays random steps, and checks properties that always hold.
fn play_out(mode: u8, seed: u64) -> (Position, usize) {
    let mut rng = crate::rng::Rng::new(seed);
    let variant = Variant::of_mode(mode).unwrap();
    let mut position = Position::start(variant);
    let mut count = 0;
    while position.winner().is_none() {
        assert!(position.is_sound());
        let mut die = || rng.below(variant.die_sides().into()) as u8 + 1;
        match position.dice_to_roll() {
            0 => {}
            1 => position.roll(Dice::one(die())).unwrap(),
            _ => position.roll(Dice::two(die(), die())).unwrap(),
        }
        let steps = position.steps();
        if steps.is_empty() {
            assert!(position.pass());
            continue;
        }
        let before = position.clone();
        let step = steps[rng.below(steps.len() as u32) as usize];
        position.apply(step).unwrap();
        let killed = before.meets(step) == Meets::Kills;
        let all = |position: &Position| position.pieces(O) + position.pieces(X);
        assert_eq!(all(&before), all(&position) + u16::from(killed));
        count += 1;
        assert!(count < 1_500, "a game without an end");
    }
    assert!(position.is_sound());
    (position, count)
}

#[test]
fn every_game_has_exactly_one_winner_and_an_end() {
    law(
        Weight::of(64, 100),
        (0..VARIANTS, any::<u64>()),
        |(mode, seed)| {
            let (position, _) = play_out(mode, seed);
            let mut bytes = [0; Position::POSTCARD_MAX_SIZE];
            let written = postcard::to_slice(&position, &mut bytes).unwrap();
            prop_assert_eq!(postcard::from_bytes::<Position>(written), Ok(position));
            Ok(Judged::Something)
        },
    );
}

#[test]
fn turns_in_games_equal_those_of_a_slow_search() {
    law(
        Weight::of(60, 50),
        (any::<u64>(), 0..120_usize, 0..2_u8),
        |(seed, when, bits)| {
            let mut rng = crate::rng::Rng::new(seed);
            let mode = bits * 2;
            let mut position = Position::start(Variant::of_mode(mode).unwrap());
            for _ in 0..when {
                let mut die = || rng.below(4) as u8 + 1;
                match position.dice_to_roll() {
                    0 => {}
                    1 => position.roll(Dice::one(die())).unwrap(),
                    _ => position.roll(Dice::two(die(), die())).unwrap(),
                }
                let steps = position.steps();
                match steps.get(rng.below(steps.len() as u32) as usize) {
                    Some(step) => {
                        position.apply(*step).unwrap();
                    }
                    None => {
                        position.pass();
                    }
                }
                if position.winner().is_some() {
                    return Ok(Judged::Nothing);
                }
            }
            if position.dice().is_empty() {
                return Ok(Judged::Nothing);
            }
            let steps = turns_are_those_of_the_reference(&position);
            Ok(Judged::if_any(steps > 0))
        },
    );
}

#[test]
fn a_position_fits_the_bytes_of_the_protocol() {
    const { assert!(Position::POSTCARD_MAX_SIZE <= protocol::POSITION_BYTES) };
    let pile = Pile {
        side: O,
        count: 1,
        pins: false,
    };
    let places = (0..12).flat_map(|row| (0..4).map(move |column| (column, row)));
    let longest = Own {
        turn: O,
        is_first: false,
        dice: Dice::two(3, 3),
        piles: places
            .map(|(column, row)| (MalakaPoint::new(column, row).unwrap(), pile))
            .collect(),
    };
    assert_eq!(longest.piles.len(), MOST_PILES);
    // Two bytes, four pips, and two bytes for each pile, all of which are present.
    assert_eq!(longest.bytes().len(), 2 + 4 + 2 * MOST_PILES);
}

//! The notation and pictures of the help page, and laws about them.

use std::ops::ControlFlow;

use firmware_core::Rng;
use firmware_core::games::malaka::{Dice, Own, Pile, Position, Step, Variant};
use law::{Judged, Weight, law};
use proptest::prelude::*;
use protocol::Side;

use super::*;

mod meant;
mod told;

fn position(mode: u8, words: &str) -> Position {
    let own = own::read(words).expect(words);
    own.position(Variant::of_mode(mode).unwrap()).expect(words)
}

fn small(words: &str) -> Position {
    position(0, words)
}

/// The parsed turn, or the error message.
fn turn(text: &str, position: &Position) -> String {
    match read(text, position) {
        Ok(turn) => written(&turn),
        Err(error) => error.to_string(),
    }
}

/// "c3-c6,c6-c8 (move C3 to C6 then C6 to C8)", "c3-c6-c8 (move C3 to C8 via
/// C6)", "c3-c8 (move C3 to C8 - not necessarily via C6)".
#[test]
fn the_notation_of_the_help_page_is_read() {
    let at = small("O c3 a1x2 X i9x2 dice 2 3 turn green");
    for text in ["c3-c6,c6-c8", "c3-c6-c8", " C3 - C6 , C6-C8 "] {
        assert_eq!(turn(text, &at), "c3-c6-c8");
    }
    // The ways over c5 and c6 have the same result.
    assert_eq!(turn("c3-c8", &at), "c3-c5-c8");
    assert_eq!(turn("c3-c5,a1-a4", &at), "c3-c5,a1-a4");
}

/// "3xc3-c6,c1-c4 (move C3 to C6 three times, then C1 to C4)".
#[test]
fn a_repeated_step_is_read() {
    let at = small("O c3x3 c1 a1x2 X i9x2 dice 3 3 3 3 turn green");
    assert_eq!(turn("3xc3-c6,c1-c4", &at), "3xc3-c6,c1-c4");
    assert_eq!(turn("c3-c6,c3-c6,c3-c6,c1-c4", &at), "3xc3-c6,c1-c4");
    assert_eq!(turn("2xc3-c6, C3-C6, 1 x c1-c4", &at), "3xc3-c6,c1-c4");
    let told = turn("4xc3-c6", &at);
    assert!(told.starts_with("there is no O on c3"), "{told}");
}

/// The starting position in blocks, with its own distance; the page prints that of the
/// staggered start, 228.
#[test]
fn the_first_picture_of_the_help_page_is_drawn() {
    let mut at = Position::start(Variant::of_mode(2).unwrap());
    at.roll(Dice::one(3)).unwrap();
    let page = include_str!("pictures/start.txt");
    assert_eq!(diagram(&at), page.replace("228", "246"));
}

/// The example of pinning and killing; the page prints no distances for it.
#[test]
fn the_picture_of_pinning_and_killing_is_drawn() {
    let at = small(
        "O a1x2 b1x2 c1x2 a2x2 c2x2 e5x2 X g9x2 h9x2 i9x2 g8x2 i8x2 e3 h5 dice 2 3 turn green",
    );
    let picture = diagram(&at);
    let without: String = picture
        .lines()
        .skip(2)
        .map(|line| {
            line.replace("     X = 235", "            ")
                .trim_end()
                .to_owned()
                + "\n"
        })
        .collect();
    // One cell on the page has a blank too many, which makes its row longer than the
    // others.
    let page = include_str!("pictures/kill.txt").replace("/ X   /", "/ X  /");
    assert_eq!(without, page);
    assert!(
        picture.starts_with(&format!("{:54}O = 226\n\n", "")),
        "{picture}"
    );
}

/// A win, of which the page shows only the lower part.
#[test]
fn the_picture_of_a_win_is_drawn() {
    let at = small("O a3+ X a1 a2 a4 b4+ c1 c2x2 turn red");
    let picture = diagram(&at);
    let from = picture.find("        5 /").unwrap();
    assert_eq!(
        picture[from..].replace("     X = 0", "X = 0"),
        include_str!("pictures/win.txt")
    );
}

#[test]
fn the_picture_of_the_large_board_is_drawn() {
    let at = position(
        9 + 2,
        "O a1x12 b12x3+ c10 X l12x5 a10+ d4x2 dice 6 5 turn red",
    );
    insta::assert_snapshot!(diagram(&at));
}

#[test]
fn the_faces_of_the_dice_are_drawn() {
    let faces = |mode, dice: &[u8]| {
        let words: Vec<String> = dice.iter().map(u8::to_string).collect();
        let at = position(
            mode,
            &format!("O a1x2 X i9 dice {} turn green", words.join(" ")),
        );
        let lines: Vec<String> = diagram(&at)
            .lines()
            .rev()
            .take(6)
            .map(|line| line.get(51..).unwrap_or("").to_owned())
            .collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    };
    let all = [
        (0, &[1, 4][..]),
        (0, &[2, 2, 2, 2]),
        (0, &[3]),
        (4, &[1, 2]),
        (4, &[3, 4]),
        (4, &[5, 6]),
    ];
    let all: Vec<String> = all
        .into_iter()
        .map(|(mode, dice)| faces(mode, dice))
        .collect();
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn a_wrong_turn_is_refused_with_the_possible_ones() {
    let at = small("O c3 a3 X i9x2 a4x2 a6 dice 2 3 turn green");
    let pinned = small("O c3 X a2+ i9x2 dice 2 3 turn green");
    let free = small("O a1x2 b1x2 c1x2 a2x2 b2x2 X i9x2 dice 2 3 turn green");
    let over = small("O g9 X i9x2 turn green");
    let stuck = small("O h8 X i9x2 a5 dice 2 3 turn green");
    let rolled = Position::start(Variant::USUAL);
    let cases = [
        ("", &at),
        ("c3", &at),
        ("0xc3-c6", &at),
        ("c3x3", &at),
        ("c3-c6 c6-c8", &at),
        ("c3-k9", &at),
        ("pass", &at),
        ("b3-b6", &at),
        ("c3-c4", &at),
        ("c3-c6", &at),
        ("c3-c6,c6-c9", &at),
        ("c3-c6-c8,a3-a5", &at),
        ("9xc3-c6", &at),
        ("a2-a4", &pinned),
        ("a1-a9", &free),
        ("c3-c6", &over),
        ("h8-h9", &stuck),
        ("a1-a2", &rolled),
    ];
    let told = cases.map(|(text, at)| format!("{text:?}: {}", turn(text, at)));
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_winning_turn_is_complete() {
    let at = small("O g9 g8 g7 i8 X a5x2 dice 1 2 turn green");
    assert_eq!(turn("i8-i9", &at), "i8-i9");
    assert_eq!(
        turn("i8-i9,g7-g9", &at),
        "the game is over before g7-g9, O has won with i8-i9: write no more than that"
    );
}

/// A single step would win, but the text contains other steps.
#[test]
fn an_unwritten_win_is_not_read_into_a_turn() {
    let at = small("O g5 e7 a1 X g9 i9x2 dice 2 4 turn green");
    assert_eq!(turn("g5-g7,e7-e3", &at), "g5-g7,e7-e3");
    assert_eq!(turn("g5-g9", &at), "g5-g9");
    let at = small("O i5x2 X b3x2 b1 dice 1 2 turn red");
    assert_eq!(turn("b3-b1,b3-b2", &at), "b3-b1,b3-b2");
    assert_eq!(turn("b3-b2", &at), "b3-b2");
}

/// Regressions: each text was once read as a step that ends the game and is not in the
/// text.
#[test]
fn a_final_step_is_read_only_if_written() {
    let loses = small("O c4 g9x2 X d4 a9 dice 1 2 turn red");
    let wins = small("O a9 X b1 b2 b4x3 dice 1 3 turn red");
    let cases = [
        ("d4-c1", &loses),
        ("d4-c4", &loses),
        ("d4-c4,a9-a7", &loses),
        ("b4-b1", &wins),
        ("b4-b1,b4-b1", &wins),
        ("b4-b1,b4-b3", &wins),
        ("b4-b3", &wins),
        ("b4-b2", &wins),
    ];
    let told = cases.map(|(text, at)| format!("{text:?}: {}", turn(text, at)));
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn the_obstacle_of_a_wrong_step_is_named() {
    let at = |words| small(words);
    let cases = [
        ("c3-c3", at("O c3 a1x2 X i9x2 dice 2 3 turn green")),
        ("c3-b3", at("O c3 X i9x2 dice 1 3 turn green")),
        ("c3-c1", at("O c3 X i9x2 dice 2 3 turn green")),
        ("c3-c4", at("O c3 X i9x2 dice 2 3 turn green")),
        ("c3-c9", at("O c3 X i9x2 dice 2 3 turn green")),
        ("c3-d5", at("O c3 X i9x2 dice 2 3 turn green")),
        ("c3-c5", at("O c3 b3 X i9x2 c5x2 dice 2 3 turn green")),
        ("c3-d3", at("O c3 b3 X i9x2 dice 1 3 turn green")),
        ("c3-d3", at("O c3 b3 X i9x2 d3x2 dice 1 3 turn green")),
        ("c5-g5", at("O c5 b3 X i9x2 g5 dice 4 3 turn green")),
        ("b4-b2", at("O a9 X b1 b2 b4x3 dice 1 1 1 1 turn red")),
        ("h7-h8", at("O h7 X a1 h8x2 i9x2 dice 1 2 turn green")),
        ("h7-h8", at("O h7 X a1 g9x2 i9x2 dice 1 2 turn green")),
    ];
    let told = cases.map(|(text, at)| format!("{text:?}: {}", turn(text, &at)));
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_wrong_position_says_what_is_wrong() {
    let cases = [
        "a1",
        "O a1x2",
        "O a1 X a1 turn green",
        "O a1x0 turn green",
        "O z1 turn green",
        "O a1 dice 7 turn green",
        "O a1 dice 2 3 4 turn green",
        "O a1 turn blue",
        "O a1 turn green b2",
    ];
    let told = cases.map(|words| format!("{words}: {}", own::read(words).unwrap_err()));
    insta::assert_snapshot!(told.join("\n"));
}

/// A position from a random game.
fn played(mode: u8, seed: u64, steps: usize) -> Option<Position> {
    let mut rng = Rng::new(seed);
    let variant = Variant::of_mode(mode)?;
    let mut position = Position::start(variant);
    for _ in 0..=steps {
        let mut die = || rng.below(variant.die_sides().into()) as u8 + 1;
        match position.dice_to_roll() {
            0 => {}
            1 => position.roll(Dice::one(die())).unwrap(),
            _ => position.roll(Dice::two(die(), die())).unwrap(),
        }
        let legal = position.steps();
        match legal.get(rng.below(legal.len() as u32) as usize) {
            Some(step) => {
                position.apply(*step).unwrap();
            }
            None => {
                position.pass();
            }
        }
        if position.winner().is_some() {
            return None;
        }
    }
    (!position.dice().is_empty()).then_some(position)
}

fn some() -> impl Strategy<Value = Option<Position>> {
    let mode = prop_oneof![2 => Just(0_u8), 1 => 0..16_u8];
    (mode, any::<u64>(), 0..160_usize).prop_map(|(mode, seed, steps)| played(mode, seed, steps))
}

#[test]
fn every_turn_reads_back_as_written() {
    law(Weight::of(64, 30), some(), |position| {
        let Some(position) = position else {
            return Ok(Judged::Nothing);
        };
        let mut turns: Vec<(Vec<Step>, Position)> = Vec::new();
        let _ = position.each_turn(|turn, next| {
            turns.push((turn.to_vec(), next.clone()));
            if turns.len() < 60 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        for (turn, next) in &turns {
            let text = written(turn);
            let mut played = position.clone();
            match read(&text, &position) {
                Ok(read) => {
                    for step in &read {
                        prop_assert!(played.apply(*step).is_ok(), "{}", text);
                    }
                    prop_assert_eq!(&played, next, "{}", text);
                }
                Err(error) => prop_assert!(false, "{}: {}", text, error),
            }
        }
        Ok(Judged::if_any(!turns.is_empty()))
    });
}

/// The intermediate points of one piece's hop may be omitted.
#[test]
fn intermediate_points_of_a_hop_may_be_omitted() {
    law(Weight::of(256, 10), some(), |position| {
        let Some(position) = position else {
            return Ok(Judged::Nothing);
        };
        let mut short = Vec::new();
        let _ = position.each_turn(|turn, next| {
            let ways: Vec<Step> = turn.to_vec();
            let is_one_piece = ways.windows(2).all(|pair| pair[0].to == pair[1].from);
            if is_one_piece && ways.len() > 1 {
                let (first, last) = (ways[0], ways[ways.len() - 1]);
                short.push((format!("{}-{}", first.from, last.to), next.clone()));
            }
            if short.len() < 20 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        for (text, next) in &short {
            match read(text, &position) {
                Ok(read) => {
                    let mut played = position.clone();
                    for step in &read {
                        prop_assert!(played.apply(*step).is_ok(), "{}", text);
                    }
                    prop_assert_eq!(&played, next, "{}", text);
                }
                Err(error) => prop_assert!(false, "{}: {}", text, error),
            }
        }
        Ok(Judged::if_any(!short.is_empty()))
    });
}

#[test]
fn any_text_is_read_as_a_turn_or_refused() {
    let part = "[1-4]?x?[a-lA-M][0-9]{1,2}(-[a-i][1-9]){0,3}";
    let text = prop_oneof![
        proptest::collection::vec(part, 0..4).prop_map(|parts| parts.join(",")),
        "\\PC{0,20}",
    ];
    law(Weight::of(256, 30), (some(), text), |(position, text)| {
        let Some(position) = position else {
            return Ok(Judged::Nothing);
        };
        match read(&text, &position) {
            Ok(turn) => {
                let mut played = position.clone();
                for step in &turn {
                    prop_assert!(played.apply(*step).is_ok());
                }
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
        Ok(Judged::Something)
    });
}

#[test]
fn a_position_in_words_reads_back_as_written() {
    law(Weight::of(128, 30), some(), |position| {
        let Some(position) = position else {
            return Ok(Judged::Nothing);
        };
        let own = Own::of(&position);
        let words = own::written(&own);
        prop_assert_eq!(own::read(&words), Ok(own.clone()), "{}", words);
        let variant = position.variant();
        prop_assert_eq!(own.position(variant), Ok(position));
        Ok(Judged::Something)
    });
}

/// A picture shows everything except whose turn it is.
#[test]
fn different_piles_look_different() {
    let pile = |side, count, pins| Pile { side, count, pins };
    let mut seen = std::collections::BTreeSet::new();
    for side in Side::BOTH {
        for count in 1..=12 {
            for pins in [false, true] {
                let place = "e5".parse().unwrap();
                let at = Position::set_up(
                    Variant::of_mode(1).unwrap(),
                    [(place, pile(side, count, pins))],
                    Side::Green,
                    Dice::NONE,
                );
                assert!(
                    seen.insert(diagram(&at.unwrap())),
                    "{side:?} {count} {pins}"
                );
            }
        }
    }
}

/// Two turns lead from e6 via h6 to h9: straight across the wall, or around it in four
/// steps.
#[test]
fn a_turn_written_step_by_step_is_read_exactly() {
    let words = "O d9 e9 a8x2 a7x2 e6 a5 b2x2 c2x2 X h9 g8 h6 i5 f3 g3 i3x2 i2x2 i1x2 dice 3 3 3 3 turn green";
    let own = own::read(words).unwrap();
    let variant = Variant::of_mode(0).unwrap();
    let position = own.position(variant).unwrap();
    for (text, steps) in [("e6-h6-h9", 2), ("e6-e3-h3-h6-h9", 4)] {
        let turn = read(text, &position).unwrap();
        assert_eq!(turn.len(), steps, "{text}");
        assert_eq!(written(&turn), text);
    }
}

//! Distances, layers and listed positions, each compared with an independent computation:
//! a search site by site, the geometry of a pyramid, and a list.

use std::collections::BTreeSet;

use firmware_core::Wide;
use firmware_core::cartridge::{Machine, Scratch, verify};
use law::{Judged, Weight, law};
use ludemes::compile::Compiled;
use ludemes::explain::explain;
use ludemes::layout::{Direction, Sites};
use ludemes::replay::{compiled, legal_moves};
use proptest::prelude::*;

/// The sites at which the first moves of a text start; `None` for a pass.
fn begin_at(compiled: &Compiled) -> BTreeSet<i16> {
    let mut scratch = Box::new(Scratch::new());
    let game = verify(&compiled.bytes, &mut scratch).unwrap();
    let mut machine = Box::new(Machine::<Wide>::new(&game).unwrap());
    machine.start();
    let moves = legal_moves(&mut machine);
    moves.iter().map(|one| one.sites[0]).collect()
}

/// A game on a board, with two kinds of pieces for each player and this play.
fn game(board: &str, start: &[(&str, BTreeSet<usize>)], play: &str) -> String {
    let start: String = start
        .iter()
        .filter(|(_, sites)| !sites.is_empty())
        .map(|(piece, sites)| {
            let sites: Vec<String> = sites.iter().map(usize::to_string).collect();
            format!("(place \"{piece}\" (sites {{{}}}))", sites.join(" "))
        })
        .collect();
    let start = match start.is_empty() {
        true => String::new(),
        false => format!("(start {{{start}}})"),
    };
    format!(
        r#"(game "Where" (players 2)
            (equipment {{(board {board}) (piece "Disc" Each) (piece "Cross" Each)}})
            (rules {start} (play {play}) (end (if (no Moves Next) (result Mover Win)))))"#
    )
}

fn boards() -> impl Strategy<Value = String> {
    prop_oneof![
        (2..8_u32, 3..8_u32).prop_map(|(rows, columns)| format!("(rectangle {rows} {columns})")),
        (3..6_u32).prop_map(|side| format!("(hex {side})")),
        (3..7_u32).prop_map(|side| format!("(hex Triangle {side})")),
        (3..6_u32).prop_map(|side| format!("(tri {side})")),
        (4..8_u32).prop_map(|side| format!("(square {side}) use:Vertex")),
        (2..4_u32).prop_map(|side| format!("(tiling T488 {side})")),
    ]
}

/// The number of steps from one site to each site over open sites; `None` if no steps
/// lead there.
fn steps_from(
    board: &Sites,
    from: usize,
    relation: Direction,
    is_open: impl Fn(usize) -> bool,
) -> Vec<Option<i64>> {
    let mut far = vec![None; board.len()];
    far[from] = Some(0);
    let mut edge = vec![from];
    for steps in 1.. {
        let next: BTreeSet<usize> = edge
            .iter()
            .flat_map(|site| board.next(*site, relation))
            .filter(|site| far[*site].is_none() && is_open(*site))
            .collect();
        if next.is_empty() {
            break;
        }
        edge = next.into_iter().collect();
        edge.iter().for_each(|site| far[*site] = Some(steps));
    }
    far
}

/// A number as a constant, or as an expression whose value is only known in a game.
fn number(number: i64, is_known: bool) -> String {
    match is_known {
        true => number.to_string(),
        false => format!("(+ {number} (count Moves))"),
    }
}

fn relations() -> impl Strategy<Value = Direction> {
    prop::sample::select(&[Direction::Adjacent, Direction::Orthogonal, Direction::All][..])
}

#[test]
fn sites_at_a_distance_equal_a_search_site_by_site() {
    let numbers = (0..64_usize, -1..4_i64, -1..4_i64);
    let known = (any::<bool>(), any::<bool>(), any::<bool>());
    let cases = (boards(), relations(), numbers, known);
    law(
        Weight::of(150, 60),
        cases,
        |(board, relation, numbers, known)| {
            let (site, least, more) = numbers;
            let whole = compiled(&game(&board, &[], "(move Add (to (sites Board)))"), &[]).unwrap();
            let from = site % whole.board.len();
            let most = least + more;
            let range = match more {
                0 => format!("(exact {})", number(least, known.1)),
                _ => format!(
                    "(range {} {})",
                    number(least, known.1),
                    number(most, known.2)
                ),
            };
            let sites = format!(
                "(sites Distance {} from:{} {range})",
                relation.name(),
                number(from as i64, known.0)
            );
            let text = game(&board, &[], &format!("(move Select (from {sites}))"));
            let found = begin_at(&compiled(&text, &[]).unwrap());
            let far = steps_from(&whole.board, from, relation, |_| true);
            let is_there = |steps: Option<i64>| {
                steps.is_some_and(|steps| least >= 0 && (least..=most).contains(&steps))
            };
            let there = far.iter().zip(0_i16..).filter(|(far, _)| is_there(**far));
            let mut expected: BTreeSet<i16> = there.map(|(_, site)| site).collect();
            let some = expected.len();
            if expected.is_empty() {
                expected.insert(-1);
            }
            prop_assert_eq!(found, expected, "{}", text);
            Ok(Judged::if_any(some > 0))
        },
    );
}

#[test]
fn described_steps_go_around_obstacles() {
    let pieces = prop::collection::btree_set(0..64_usize, 0..12);
    let more = prop_oneof![3 => (0..4_i64).prop_map(Some), 1 => Just(None)];
    let numbers = (0..64_usize, 0..4_i64, more);
    let cases = (boards(), relations(), numbers, any::<bool>(), pieces);
    law(
        Weight::of(150, 40),
        cases,
        |(board, relation, numbers, is_known, pieces)| {
            let (site, least, more) = numbers;
            let whole = compiled(&game(&board, &[], "(move Add (to (sites Board)))"), &[]).unwrap();
            let from = site % whole.board.len();
            let most = more.map_or(i64::MAX, |more| least + more);
            let range = match more {
                Some(_) => format!("(range {least} {most})"),
                None => format!("(min {least})"),
            };
            let pieces: BTreeSet<usize> = pieces
                .into_iter()
                .filter(|site| *site < whole.board.len())
                .collect();
            let play = format!(
                "(move Select (from (sites Distance (step {} (to if:(is Empty (to)))) from:{} {range})))",
                relation.name(),
                number(from as i64, is_known)
            );
            let text = game(&board, &[("Disc1", pieces.clone())], &play);
            let found = begin_at(&compiled(&text, &[]).unwrap());
            let far = steps_from(&whole.board, from, relation, |site| !pieces.contains(&site));
            let is_there = |steps: i64| steps > 0 && (least..=most).contains(&steps);
            let there = far.iter().zip(0_i16..);
            let there = there.filter(|(far, _)| far.is_some_and(is_there));
            let mut expected: BTreeSet<i16> = there.map(|(_, site)| site).collect();
            let some = expected.len();
            if expected.is_empty() {
                expected.insert(-1);
            }
            prop_assert_eq!(found, expected, "{}", text);
            Ok(Judged::if_any(some > 0 && !pieces.is_empty()))
        },
    );
}

#[test]
fn a_ball_lies_flat_on_four_others_or_on_the_ground() {
    let cases = (2..5_usize, prop::collection::vec(any::<bool>(), 30));
    law(Weight::of(100, 90), cases, |(side, balls)| {
        let board = format!("(square {side} pyramidal:True) use:Vertex");
        let sites: usize = (1..=side).map(|side| side * side).sum();
        let balls: BTreeSet<usize> = (0..sites).filter(|site| balls[*site]).collect();
        let play = "(move Add (to (sites Empty) if:(is Flat)))";
        let compiled = compiled(&game(&board, &[("Disc1", balls.clone())], play), &[]).unwrap();
        prop_assert_eq!(compiled.board.len(), sites);
        let lies_flat = |site: usize| {
            let here = compiled.board.spot(site);
            // Half a side away in each direction, on the layer directly below.
            let below = |other: usize| {
                let there = compiled.board.spot(other);
                let [dx, dy] = [here.x - there.x, here.y - there.y].map(f64::abs);
                let is_beside = (dx - 0.5).abs() < 0.1 && (dy - 0.5).abs() < 0.1;
                is_beside && compiled.board.layer(other) + 1 == compiled.board.layer(site)
            };
            let below: Vec<usize> = (0..sites).filter(|other| below(*other)).collect();
            let is_ground = compiled.board.layer(site) == 0;
            assert_eq!(below.len(), if is_ground { 0 } else { 4 });
            below.iter().all(|other| balls.contains(other))
        };
        let open = (0..sites).filter(|site| !balls.contains(site));
        let mut expected: BTreeSet<i16> = open
            .filter(|site| lies_flat(*site))
            .map(|site| site as i16)
            .collect();
        let some = expected.len();
        if expected.is_empty() {
            expected.insert(-1);
        }
        prop_assert_eq!(begin_at(&compiled), expected);
        Ok(Judged::if_any(0 < some && some < sites))
    });
}

#[test]
fn a_target_is_met_if_each_listed_piece_matches() {
    let pieces = prop::collection::vec(0..5_u8, 12);
    // Sometimes a different piece is listed at one site.
    let other = prop::option::of((0..12_usize, 0..5_u8));
    let listed = prop::option::of(prop::collection::vec(0..12_usize, 1..8));
    law(
        Weight::of(200, 95),
        (pieces, other, listed),
        |(stand, other, listed)| {
            let names = ["", "Disc1", "Cross1", "Disc2", "Cross2"];
            let on = |piece: u8| -> BTreeSet<usize> {
                (0..12).filter(|site| stand[*site] == piece).collect()
            };
            // Pieces are numbered in the order of the equipment.
            let board = "(rectangle 3 4)";
            let whole = compiled(&game(board, &[], "(move Add (to (sites Board)))"), &[]).unwrap();
            let place = |name: &str| whole.pieces.iter().position(|known| known == name).unwrap();
            let numbers: Vec<usize> = (0..5)
                .map(|kind| if kind == 0 { 0 } else { place(names[kind]) })
                .collect();
            let mut wanted = stand.clone();
            if let Some((site, piece)) = other {
                wanted[site] = piece;
            }
            let sites: Vec<usize> = listed.clone().unwrap_or_else(|| (0..12).collect());
            let list: Vec<String> = sites
                .iter()
                .map(|site| numbers[usize::from(wanted[*site])].to_string())
                .collect();
            let of = match &listed {
                Some(sites) => {
                    let sites: Vec<String> = sites.iter().map(usize::to_string).collect();
                    format!("{{{}}}", sites.join(" "))
                }
                None => String::new(),
            };
            let start: Vec<(&str, BTreeSet<usize>)> = (1..5)
                .map(|piece| (names[usize::from(piece)], on(piece)))
                .collect();
            let play = format!(
                "(if (is Target {{{}}} {of}) (move Select (from (sites {{0}}))) (move Select (from (sites {{1}}))))",
                list.join(" ")
            );
            let text = game(board, &start, &play);
            let found = begin_at(&compiled(&text, &[]).unwrap());
            let is_target = sites.iter().all(|site| wanted[*site] == stand[*site]);
            let expected = BTreeSet::from([i16::from(!is_target)]);
            prop_assert_eq!(found, expected, "{}", text);
            Ok(Judged::Something)
        },
    );
}

#[test]
fn a_wrong_distance_or_target_is_refused_with_a_sentence() {
    let hand = r#"(game "Hand" (players 2)
        (equipment {(board (square 3)) (hand Each) (piece "Disc" Each)})
        (rules (play (move Add (to (sites Empty)))) (end (if (is Target 1 {1}) (result Mover Win)))))"#;
    let stacks = r#"(game "Stacks" (players 2)
        (equipment {(board (square 3)) (piece "Disc" Each)})
        (rules (play (move Add (to (sites Board)) stack:True))
            (end (if (is Target {1} 2) (result Mover Win)))))"#;
    let with = |play: &str| game("(square 3)", &[], play);
    let select = |sites: &str| with(&format!("(move Select (from {sites}))"));
    for (text, why) in [
        (hand.to_owned(), "what stands in a hand is not known"),
        (stacks.to_owned(), "targets of stacks"),
        (
            with("(if (is Target {1 0}) (move Pass))"),
            "there are 2 pieces here for 9 sites",
        ),
        (
            with("(if (is Target {9} 0) (move Pass))"),
            "there is no piece 9",
        ),
        (
            with("(if (is Target {1} 9) (move Pass))"),
            "there is no site of the board 9",
        ),
        (select("(sites Distance from:4 3)"), "write how far"),
        (
            select(
                "(sites Distance (step SameDirection (to if:(is Empty (to)))) from:4 (exact 1))",
            ),
            "not always the same",
        ),
        (
            select("(sites Distance (step (to if:(!= (from) (to)))) from:4 (exact 1))"),
            "where they begin",
        ),
        (
            select("(sites Distance (step (to if:(is Empty (to)))) from:4 (exact 99))"),
            "16 steps",
        ),
    ] {
        let refused = compiled(&text, &[]).map(drop).expect_err(why);
        assert!(refused.contains(why), "{refused}");
    }
}

#[test]
fn distances_layers_and_targets_are_explained() {
    let select = |sites: &str| format!("(move Select (from {sites}))");
    for (play, words) in [
        (
            select("(sites Distance from:(centrePoint) (exact 2))"),
            "a cell two steps from the middle cell",
        ),
        (
            select("(sites Distance Orthogonal from:(last To) (range 1 3))"),
            "a cell one to three steps, orthogonally, from the cell of the last move",
        ),
        (
            select(
                "(sites Distance (step Diagonal (to if:(is Empty (to)))) from:(last To) (range 1 Infinity))",
            ),
            "a cell at least one step from the cell of the last move, each step diagonally to an empty cell",
        ),
        (
            "(move Add (to (sites Empty) if:(is Flat)))".to_owned(),
            "every cell below the target is occupied",
        ),
        (
            "(if (is Target {1 1 0 2} {0 1 2 3}) (move Pass))".to_owned(),
            "cells 0, 1, 2 and 3 hold in this order: two of piece 1, nothing and piece 2",
        ),
        (
            "(if (is Target {0 0 0 0 0 0 0 0 2}) (move Pass))".to_owned(),
            "the cells of the board hold in this order: nothing eight times and piece 2",
        ),
    ] {
        let game = ludemes::text::read(&game("(square 3)", &[], &play)).unwrap();
        let text = explain(&game);
        assert!(text.contains(words), "{text}");
    }
}

//! The page of walks shows the walks that games use, with the shapes that people expect.

use std::collections::BTreeSet;

use firmware_core::Wide;
use firmware_core::cartridge::state::Here;
use firmware_core::cartridge::{Action, Machine, Scratch, verify};

use super::*;
use crate::compile::compile;

/// The numbers of the columns.
const SIDES: usize = 0;
const CORNERS: usize = 1;
const SQUARES: usize = 2;
const HEXAGONS: usize = 3;

fn columns() -> Vec<Column> {
    let read = |(name, text, first): (&str, &str, Option<Direction>)| Column {
        name: name.to_owned(),
        board: board(text),
        first,
    };
    TILINGS.into_iter().map(read).collect()
}

fn way(column: usize, walk: &str) -> Vec<usize> {
    let walk = Walk::read(walk).unwrap();
    columns()[column].central(&walk).unwrap()
}

/// The sites of a picture.
fn shape(column: usize, walk: &str) -> (BoardGraph, BTreeSet<usize>) {
    let way = way(column, walk).into_iter().collect();
    (columns().swap_remove(column).board, way)
}

fn has_neighbours(board: &BoardGraph, site: usize, shape: &BTreeSet<usize>) -> usize {
    let next = board.sites().next(site, Direction::Orthogonal);
    next.filter(|next| shape.contains(next)).count()
}

/// For each site of the shape, in ascending order, the number of its neighbours in the
/// shape.
fn neighbours(board: &BoardGraph, shape: &BTreeSet<usize>) -> Vec<usize> {
    let each = shape.iter().map(|site| has_neighbours(board, *site, shape));
    let mut all: Vec<usize> = each.collect();
    all.sort_unstable();
    all
}

/// The corners that all cells of a shape have in common.
fn common_corners(board: &BoardGraph, shape: &BTreeSet<usize>) -> usize {
    let faces = &board.graph().faces;
    let is_common = |vertex: &usize| {
        shape
            .iter()
            .all(|face| faces[*face].corners.contains(vertex))
    };
    (0..board.graph().vertices.len()).filter(is_common).count()
}

/// True if a line of the board contains all of these sites.
fn is_straight(board: &BoardGraph, shape: &BTreeSet<usize>) -> bool {
    let spots: Vec<Spot> = shape.iter().map(|site| board.sites().spot(*site)).collect();
    let (first, along) = (spots[0], spots[spots.len() - 1].minus(spots[0]));
    spots.iter().all(|spot| {
        let way = spot.minus(first);
        (way.x * along.y - way.y * along.x).abs() < 0.6
    })
}

#[test]
fn two_steps_ahead_are_a_line_of_three_and_five_a_line_of_six() {
    for column in [SIDES, CORNERS, SQUARES, HEXAGONS] {
        for (walk, length) in [("FF", 3), ("FFFFF", 6)] {
            let (board, shape) = shape(column, walk);
            assert_eq!(shape.len(), length, "{column} {walk}");
            assert!(is_straight(&board, &shape), "{column} {walk}: {shape:?}");
        }
    }
}

#[test]
fn on_squares_turning_right_makes_a_block_of_four() {
    for walk in ["FRFRF", "FRFRFRF", "FRFRFRFRF"] {
        let (board, block) = shape(SQUARES, walk);
        assert_eq!((block.len(), common_corners(&board, &block)), (4, 1));
        assert_eq!(neighbours(&board, &block), [2; 4]);
    }
}

#[test]
fn on_hexagons_turning_right_goes_around_a_cell() {
    for (walk, length) in [("FRFRF", 4), ("FRFRFRF", 5), ("FRFRFRFRF", 6)] {
        let (board, ring) = shape(HEXAGONS, walk);
        assert_eq!(ring.len(), length);
        let mut outside = (0..board.sites().len()).filter(|site| !ring.contains(site));
        assert!(outside.any(|site| has_neighbours(&board, site, &ring) == length));
        let next = neighbours(&board, &ring);
        let ends = next.iter().filter(|many| **many == 1).count();
        assert_eq!(ends, if length == 6 { 0 } else { 2 }, "{next:?}");
    }
}

#[test]
fn on_triangles_turning_right_goes_around_a_corner() {
    for (walk, length) in [("FRFRF", 4), ("FRFRFRF", 5), ("FRFRFRFRF", 6)] {
        let (board, tight) = shape(SIDES, walk);
        assert_eq!((tight.len(), common_corners(&board, &tight)), (length, 1));
        // Across corners, no cell has a neighbour, and all are as far from a centre as
        // the corners of a hexagon.
        let (board, wide) = shape(CORNERS, walk);
        assert_eq!(neighbours(&board, &wide), vec![0; length]);
        let (_, whole) = shape(CORNERS, "FRFRFRFRF");
        let spots: Vec<Spot> = whole.iter().map(|s| board.sites().spot(*s)).collect();
        let middle = mean(&spots);
        let far = spots[0].distance(middle);
        assert!(
            spots
                .iter()
                .all(|s| (s.distance(middle) - far).abs() < 0.01)
        );
    }
}

fn mean(spots: &[Spot]) -> Spot {
    let sum = spots.iter().fold(Spot::default(), |sum, s| sum.plus(*s));
    sum.times(1.0 / spots.len() as f64)
}

/// True if a third of a turn maps the shape to itself.
fn has_thirds(board: &BoardGraph, shape: &BTreeSet<usize>) -> bool {
    let spots: Vec<Spot> = shape.iter().map(|s| board.sites().spot(*s)).collect();
    let middle = mean(&spots);
    spots.iter().all(|spot| {
        let turned = spot.minus(middle).turned(std::f64::consts::TAU / 3.0);
        let turned = middle.plus(turned);
        spots.iter().any(|other| other.distance(turned) < 0.01)
    })
}

#[test]
fn turning_back_twice_makes_lines_triangles_and_stars() {
    for walk in ["FFRRFFRRF", "FRRFFRRFF"] {
        let (squares, line) = shape(SQUARES, walk);
        assert_eq!((line.len(), is_straight(&squares, &line)), (3, true));
        // Corners have two neighbours each, the middles of the sides four.
        let (hexagons, triangle) = shape(HEXAGONS, walk);
        assert_eq!(neighbours(&hexagons, &triangle), [2, 2, 2, 4, 4, 4]);
        for column in [SIDES, CORNERS] {
            // Three pairs of triangles around a centre.
            let (triangles, star) = shape(column, walk);
            assert_eq!(neighbours(&triangles, &star), [1; 6], "{walk} {star:?}");
            assert!(has_thirds(&triangles, &star), "{column} {walk}");
        }
    }
}

/// True if a game with this pattern ends when the last piece is placed on `last`, with
/// pieces of the same player on the others.
fn wins(column: usize, walk: &str, last: usize, others: &BTreeSet<usize>) -> Option<bool> {
    let pattern = written(&Walk::read(walk).unwrap());
    let text = format!(
        "(game \"Walk\" (players 2) (equipment {{(board {}) (piece \"Stone\" Each)}}) (rules (play (move Add (to (sites Empty)))) (end (if (is Pattern {pattern}) (result Mover Win)))))",
        TILINGS[column].1
    );
    let compiled = compile(&crate::text::read(&text).unwrap()).ok()?;
    let mut scratch = Box::new(Scratch::new());
    let game = verify(&compiled.bytes, &mut scratch).unwrap();
    let mut machine = Box::new(Machine::<Wide>::new(&game).unwrap());
    machine.start();
    let stone = Here {
        what: 1,
        count: 1,
        ..Here::default()
    };
    for site in others.iter().filter(|site| **site != last) {
        machine.state.set(&game, *site as u8, stone);
    }
    let add = Action::Add {
        site: last as u8,
        what: 1,
        state: -1,
        top: false,
    };
    machine.play([last as i16; 2], &[add]);
    Some(machine.state.over && machine.state.winner == 1)
}

#[test]
fn a_pattern_game_ends_with_all_sites_and_not_before() {
    let mut played = 0;
    for column in [SIDES, CORNERS, SQUARES, HEXAGONS] {
        for walk in WALKS {
            let way = way(column, walk);
            let shape: BTreeSet<usize> = way.iter().copied().collect();
            let Some(is_won) = wins(column, walk, way[0], &shape) else {
                // Cells of triangles may not be compiled; the others are.
                assert!(matches!(column, SIDES | CORNERS), "{column} {walk}");
                continue;
            };
            assert!(is_won, "{column} {walk}");
            played += 1;
            for missing in shape.iter().filter(|site| **site != way[0]) {
                let mut fewer = shape.clone();
                fewer.remove(missing);
                assert_eq!(wins(column, walk, way[0], &fewer), Some(false));
            }
        }
    }
    assert!(played >= 14, "{played}");
}

//! How often patterns fit on boards of several tilings. The counts and ways are those of
//! the language's reference games.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::*;

const BOARDS: [&str; 9] = [
    "(square 8)",
    "(hex 5)",
    "(tri 8)",
    "(tri Hexagon 5)",
    "(tri Hexagon 5) use:Vertex",
    "(tiling T33434 4)",
    "(tiling T33434 4) use:Vertex",
    "(tiling T3464 3)",
    "(tiling T488 4)",
];

const WALKS: [&str; 6] = [
    "FRFRF",
    "FRFRFRF",
    "FRFRFRFRF",
    "FFRRFFRRF",
    "FRRFFRRFF",
    "FF",
];

/// In how many ways a walk fits, how many sets of sites these cover, how large the sets
/// are, and where the walk leads from the centre of the board.
fn count(sites: &Sites, walk: &str) -> String {
    let walk_parts = Walk::read(walk).unwrap();
    let (mut placements, mut sets, mut sizes) = (0, BTreeSet::new(), BTreeMap::new());
    let mut samples = String::new();
    for from in 0..sites.len() {
        for (direction, way) in ways(sites, from, &walk_parts) {
            let set: BTreeSet<usize> = way.iter().copied().collect();
            placements += 1;
            let end = if way.first() == way.last() {
                "closed"
            } else {
                "open"
            };
            *sizes.entry((set.len(), end)).or_insert(0) += 1;
            if from == sites.len() / 2 {
                writeln!(samples, "    {from} {direction}: {set:?}").unwrap();
            }
            sets.insert(set);
        }
    }
    let mut text = format!("  {walk}: {placements} ways over {} sets", sets.len());
    for ((size, end), many) in sizes {
        write!(text, ", {many} {end} of {size}").unwrap();
    }
    text + "\n" + &samples
}

#[test]
fn patterns_match_as_often_as_the_reference_counts() {
    let mut text = String::new();
    for name in BOARDS {
        let board = board(name);
        let sites = board.sites();
        let directions = sites.directions(Direction::Orthogonal);
        let names: Vec<&str> = directions
            .iter()
            .map(|direction| direction.name())
            .collect();
        writeln!(text, "{name}: {} sites, {}", sites.len(), names.join(" ")).unwrap();
        for walk in WALKS {
            text += &count(sites, walk);
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_pattern_begins_at_its_site_and_is_not_mirrored() {
    let board = BoardGraph::square(3);
    let walk = Walk::read("FFR").unwrap();
    let found = ways(board.sites(), 0, &walk);
    assert_eq!(
        found,
        [(Direction::N, vec![0, 3, 6]), (Direction::E, vec![0, 1, 2])]
    );
    let hook = |letters| {
        let found = ways(board.sites(), 1, &Walk::read(letters).unwrap());
        found.into_iter().map(|(_, way)| way).collect::<Vec<_>>()
    };
    assert_eq!(hook("FFRF"), [[1, 4, 7, 8]]);
    assert_eq!(hook("FFLF"), [[1, 4, 7, 6]]);
    assert_eq!(Walk::read("FX"), None);
}

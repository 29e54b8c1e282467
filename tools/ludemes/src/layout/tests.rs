//! Laws and counts of layouts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::shapes::{self, Tiling, Triangles};
use super::*;

fn tri(shape: Triangles, used: SiteType) -> Board {
    Board::new(shapes::tri(&shape, used), used)
}

fn tiling(tiling: Tiling, used: SiteType) -> Board {
    Board::new(shapes::tiling(&tiling), used)
}

/// Boards on which patterns are counted.
fn pattern_boards() -> Vec<(&'static str, Board)> {
    use SiteType::{Cell, Vertex};
    vec![
        ("square 8", Board::square(8)),
        ("hex 5", Board::hex(5)),
        ("tri 8", tri(Triangles::Triangle(8), Cell)),
        ("tri Hexagon 5", tri(Triangles::Hexagon(5), Cell)),
        (
            "tri Hexagon 5 use:Vertex",
            tri(Triangles::Hexagon(5), Vertex),
        ),
        ("tiling T33434 4", tiling(Tiling::T33434(4), Cell)),
        (
            "tiling T33434 4 use:Vertex",
            tiling(Tiling::T33434(4), Vertex),
        ),
        ("tiling T3464 3", tiling(Tiling::T3464(3), Cell)),
        ("tiling T488 4", tiling(Tiling::T488(4, 4), Cell)),
    ]
}

const WALKS: [&str; 6] = [
    "FRFRF",
    "FRFRFRF",
    "FRFRFRFRF",
    "FFRRFFRRF",
    "FRRFFRRFF",
    "FF",
];

/// How often a walk fits, over how many sets of sites, how many it has, and
/// where it leads from the middle of the board.
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
fn patterns_fit_as_often_as_players_of_the_language_count() {
    let mut text = String::new();
    for (name, board) in pattern_boards() {
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

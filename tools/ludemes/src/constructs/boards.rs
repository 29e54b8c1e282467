//! Boards: tilings and what is done to them.
use super::{Construct, row};

pub(super) const TABLE: &[Construct] = &[
    row(
        "square",
        "[SHAPE] SIZE|{SIZE}|POLYGON [diagonals:DIAGONALS] [pyramidal:TRUTH]",
        "a square of squares",
    ),
    row(
        "rectangle",
        "SIZE [SIZE] [diagonals:DIAGONALS]",
        "rows and columns of squares",
    ),
    row(
        "hex",
        "[SHAPE] SIZE [SIZE]|{SIZE}|POLYGON",
        "hexagons, in the shape of a hexagon or another",
    ),
    row(
        "tri",
        "[SHAPE] SIZE [SIZE]|{SIZE}|POLYGON",
        "triangles, in the shape of a triangle or another",
    ),
    row(
        "concentric",
        "SHAPE|{NUMBER} [sides:SIZE] [rings:SIZE] [steps:SIZE] [midpoints:TRUTH] [joinMidpoints:TRUTH] [joinCorners:TRUTH] [stagger:TRUTH]",
        "rings within each other",
    ),
    row("wedge", "SIZE [SIZE]", "a triangle of rows of three points"),
    row(
        "graph",
        "vertices:{POINT} [edges:{PAIR}]",
        "points and the edges between them, one by one",
    ),
    row(
        "merge",
        "{GRAPH}|GRAPH GRAPH [connect:TRUTH]",
        "several boards as one, with points at the same place joined",
    ),
    row(
        "union",
        "{GRAPH}|GRAPH GRAPH|{SITES}|SITES SITES [connect:TRUTH]",
        "several boards beside each other, or all sites of several regions",
    ),
    row("shift", "NUMBER NUMBER [NUMBER] GRAPH", "a board moved"),
    row(
        "scale",
        "NUMBER [NUMBER] [NUMBER] GRAPH",
        "a board made larger or smaller",
    ),
    row("rotate", "NUMBER GRAPH", "a board turned by degrees"),
    row(
        "remove",
        "GRAPH|SITE|SITES [KIND] [cells:{NUMBER}] [edges:{PAIR}] [vertices:{NUMBER}] [trimEdges:TRUTH] [level:NUMBER] [at:WHEN] [count:NUMBER] [THEN]",
        "a piece goes off the board, or a board loses a part",
    ),
    row(
        "add",
        "[PIECE] TO [count:NUMBER] [stack:TRUTH] [THEN]|[GRAPH] [vertices:{POINT}] [edges:{PAIR}] [edgesCurved:{POINT}] [cells:{NUMBER}] [connect:TRUTH]",
        "a piece comes onto the board, or a board gets more parts",
    ),
];

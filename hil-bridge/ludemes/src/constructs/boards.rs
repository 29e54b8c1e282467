//! Boards: tilings and operations on them.
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
    row(
        "tiling",
        "TILING SIZE [SIZE]|{SIZE}|POLYGON",
        "tiles of several shapes, by the numbers of their sides around a corner: T3636",
    ),
    row(
        "brick",
        "[SHAPE] SIZE [SIZE] [trim:TRUTH]",
        "bricks, two squares wide",
    ),
    row("celtic", "SIZE [SIZE]", "squares that lie like a knot"),
    row(
        "quadhex",
        "SIZE [thirds:TRUTH]",
        "a hexagon of quadrangles, in three parts",
    ),
    row(
        "spiral",
        "turns:SIZE sites:SIZE [clockwise:TRUTH]",
        "points on a spiral",
    ),
    row(
        "regular",
        "[Star] SIZE",
        "a polygon of this many sides, or a star",
    ),
    row(
        "repeat",
        "SIZE SIZE step:{POINT} POLYGON|{POLYGON}",
        "a tile again and again, at steps",
    ),
    row("mesh", "{POINT}", "points, and the triangles between them"),
    row("poly", "{POINT}", "a polygon by its corners"),
    row(
        "layers",
        "SIZE GRAPH",
        "a board several times, one above the other",
    ),
    row("skew", "NUMBER GRAPH", "a board that leans"),
    row(
        "intersect",
        "{GRAPH}|GRAPH GRAPH",
        "what several boards have in common",
    ),
    row(
        "keep",
        "GRAPH POLYGON",
        "what of a board lies within a polygon",
    ),
    row(
        "clip",
        "GRAPH POLYGON",
        "a board without what lies within a polygon",
    ),
    row("hole", "GRAPH POLYGON", "a board with a hole in it"),
    row(
        "complete",
        "GRAPH [eachCell:TRUTH]",
        "a board whose points are all joined, or those of each cell",
    ),
    row("dual", "GRAPH", "a board with a point for each cell"),
    row("makeFaces", "GRAPH", "a board whose cells are recomputed"),
    row(
        "splitCrossings",
        "GRAPH",
        "a board with a point wherever edges cross",
    ),
    row(
        "subdivide",
        "GRAPH [min:NUMBER]",
        "a board whose larger cells are cut into triangles from their middle",
    ),
    row("trim", "GRAPH", "a board without edges that lead nowhere"),
    row(
        "renumber",
        "[KIND] [KIND] [KIND] GRAPH",
        "a board whose sites are renumbered, row by row",
    ),
    row(
        "recoordinate",
        "[KIND] [KIND] [KIND] GRAPH",
        "a board whose sites are renamed",
    ),
];

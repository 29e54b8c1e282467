//! Laws that hold for every board.

use std::collections::BTreeSet;

use law::{Judged, Weight, law};
use proptest::prelude::*;
use protocol::{Drawing, KnownLayout, Layout};

use super::*;

/// Boards that are one piece of a regular tiling, without holes.
fn regular() -> impl Strategy<Value = String> {
    let square = (1..9_usize, 1..9_usize)
        .prop_map(|(rows, columns)| format!("(rectangle {rows} {columns})"));
    let of_one = |name: &'static str, most: usize| {
        (1..most).prop_map(move |side| format!("({name} {side})"))
    };
    prop_oneof![
        square,
        of_one("hex", 6),
        of_one("hex Triangle", 7),
        of_one("hex Diamond", 7),
        of_one("hex Star", 3),
        of_one("hex Limping", 5),
        of_one("tri", 7),
        of_one("tri Hexagon", 5),
        of_one("tri Diamond", 6),
        (1..6_usize, 2..6_usize).prop_map(|(one, two)| format!("(hex Rectangle {one} {two})")),
        (2..6_usize, 2..6_usize).prop_map(|(one, two)| format!("(tri Prism {one} {two})")),
    ]
}

/// Boards with established names for their points.
fn played_on() -> impl Strategy<Value = String> {
    let rectangle = (1..16_usize, 1..16_usize)
        .prop_map(|(rows, columns)| format!("(rectangle {rows} {columns})"));
    let of_sides = |name: &'static str, sides: std::ops::Range<usize>| {
        sides.prop_map(move |side| name.replace('N', &side.to_string()))
    };
    prop_oneof![
        rectangle,
        of_sides("(hex N)", 2..9),
        of_sides("(rotate 90 (hex N))", 2..9),
        of_sides("(hex Triangle N)", 3..20),
        of_sides("(hex Diamond N)", 3..16),
        of_sides("(rotate 45 (square N))", 3..12),
        of_sides("(square Diamond N)", 2..8),
        of_sides("(concentric Square rings:N) use:Vertex", 2..6),
    ]
}

/// Generates boards of other tilings.
fn tilings() -> impl Strategy<Value = String> {
    let names = [
        "tiling T31212",
        "tiling T4612",
        "tiling T333333_33434",
        "tiling T33336",
        "tiling T33434",
        "tiling T33344",
        "tiling T3636",
        "tiling T488",
        "tiling T3464",
        "celtic",
        "quadhex",
        "brick",
    ];
    (prop::sample::select(names.to_vec()), 1..4_usize)
        .prop_map(|(name, size)| format!("({name} {size})"))
}

/// Boards made by operators.
fn composed() -> impl Strategy<Value = String> {
    let shift = (-3..4_i32, -3..4_i32);
    prop_oneof![
        (regular(), shift.clone(), regular())
            .prop_map(|(one, (x, y), other)| format!("(merge {one} (shift {x} {y} {other}))")),
        (regular(), shift, regular())
            .prop_map(|(one, (x, y), other)| format!("(union {one} (shift {x} {y} {other}))")),
        (tilings(), 0..360_u32).prop_map(|(one, angle)| format!("(rotate {angle} {one})")),
        regular().prop_map(|one| format!("(subdivide {one})")),
        regular().prop_map(|one| format!("(complete {one} eachCell:True)")),
        (2..5_usize, 3..9_usize).prop_map(|(rings, sides)| format!(
            "(concentric sides:{sides} rings:{rings} joinCorners:True)"
        )),
        prop::collection::vec(0..9_u32, 1..5).prop_map(|rings| {
            let rings: Vec<String> = rings.iter().map(u32::to_string).collect();
            format!("(concentric {{8 {}}})", rings.join(" "))
        }),
        (2..5_usize, 2..4_usize)
            .prop_map(|(layers, side)| format!("(layers {layers} (square {side}))")),
        (2..6_usize).prop_map(|side| format!("(square {side} pyramidal:True)")),
        (1..4_usize, 8..60_usize)
            .prop_map(|(turns, sites)| format!("(spiral turns:{turns} sites:{sites})")),
        (3..40_usize).prop_map(|points| format!("(mesh {points})")),
    ]
}

fn used() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", " use:Vertex", " use:Edge"])
}

/// Generates any kind of board.
fn any_board() -> impl Strategy<Value = String> {
    let graph = prop_oneof![regular(), tilings(), composed()];
    (graph, used()).prop_map(|(graph, used)| graph + used)
}

/// The board of a text, unless it has no sites of its type.
fn made(text: &str) -> Option<BoardGraph> {
    match try_board(text) {
        Err(BoardError::Empty { .. }) => None,
        made => Some(made.unwrap_or_else(|error| panic!("{text}: {error}"))),
    }
}

#[test]
fn sites_are_numbered_row_by_row_from_the_bottom() {
    law(Weight::of(32, 80), (regular(), used()), |(text, used)| {
        let Some(board) = made(&(text + used)) else {
            return Ok(Judged::Nothing);
        };
        let score = |spot: &Spot| spot.y * 100.0 + spot.x;
        for of in SiteType::ALL {
            prop_assert!(
                board
                    .of(of)
                    .spots()
                    .is_sorted_by(|one, other| score(one) < score(other))
            );
        }
        Ok(Judged::Something)
    });
}

#[test]
fn steps_that_touch_lead_back() {
    law(Weight::of(32, 80), any_board(), |text| {
        let Some(board) = made(&text) else {
            return Ok(Judged::Nothing);
        };
        let sites = board.sites();
        for site in 0..sites.len() {
            let others: BTreeSet<usize> = sites.steps(site).map(|step| step.to).collect();
            prop_assert_eq!(others.len(), sites.steps(site).count());
            prop_assert!(!others.contains(&site));
            for relation in [Direction::Orthogonal, Direction::Adjacent] {
                for next in sites.next(site, relation) {
                    prop_assert!(
                        sites.next(next, relation).any(|back| back == site),
                        "{} {} {}",
                        relation,
                        site,
                        next
                    );
                }
            }
        }
        Ok(Judged::if_any(sites.len() > 1))
    });
}

#[test]
fn lines_follow_steps_and_visit_no_site_twice() {
    law(Weight::of(32, 80), any_board(), |text| {
        let Some(board) = made(&text) else {
            return Ok(Judged::Nothing);
        };
        let sites = board.sites();
        for site in 0..sites.len() {
            for direction in Direction::ALL
                .iter()
                .filter(|direction| **direction != Direction::Rotational)
            {
                let radials = sites.radials(site, *direction);
                let starts: BTreeSet<usize> =
                    radials.iter().map(|radial| radial.sites[0]).collect();
                prop_assert_eq!(
                    starts,
                    sites.next(site, *direction).collect::<BTreeSet<_>>()
                );
                for radial in radials {
                    let mut here = site;
                    for next in &radial.sites {
                        prop_assert!(sites.next(here, *direction).any(|to| to == *next));
                        here = *next;
                    }
                    let once: BTreeSet<&usize> = radial.sites.iter().chain([&site]).collect();
                    prop_assert_eq!(once.len(), radial.sites.len() + 1);
                }
            }
        }
        Ok(Judged::if_any(sites.len() > 1))
    });
}

#[test]
fn distances_are_symmetric_and_grow_by_one_per_step() {
    law(Weight::of(32, 80), any_board(), |text| {
        let Some(board) = made(&text) else {
            return Ok(Judged::Nothing);
        };
        let sites = board.sites();
        let distances = sites.distances(Direction::Adjacent);
        for (from, row) in distances.iter().enumerate() {
            prop_assert_eq!(row[from], Some(0));
            for (to, distance) in row.iter().enumerate() {
                prop_assert_eq!(*distance, distances[to][from]);
                for next in sites.next(to, Direction::Adjacent) {
                    let is_near = match (distance, row[next]) {
                        (Some(one), Some(other)) => one.abs_diff(other) <= 1,
                        (one, other) => one.is_none() && other.is_none(),
                    };
                    prop_assert!(is_near);
                }
            }
        }
        Ok(Judged::if_any(sites.len() > 1))
    });
}

#[test]
fn every_site_has_one_row_column_layer_and_phase() {
    law(Weight::of(32, 80), any_board(), |text| {
        let Some(board) = made(&text) else {
            return Ok(Judged::Nothing);
        };
        let sites = board.sites();
        for lines in [
            sites.rows(),
            sites.columns(),
            sites.layers(),
            sites.phases(),
        ] {
            let mut all: Vec<usize> = lines.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..sites.len()).collect::<Vec<_>>());
        }
        let (inner, outer) = (
            sites.region(NamedRegion::Inner),
            sites.region(NamedRegion::Outer),
        );
        prop_assert_eq!(inner.len() + outer.len(), sites.len());
        for region in [
            NamedRegion::Top,
            NamedRegion::Bottom,
            NamedRegion::Left,
            NamedRegion::Right,
            NamedRegion::Centre,
        ] {
            prop_assert!(!sites.region(region).is_empty());
            prop_assert!(sites.region(region).is_sorted());
        }
        let [numbers, names] =
            [SiteLabel::Number, SiteLabel::Name].map(|mark| picture(&board, mark));
        for site in 0..sites.len() {
            let number = format!(">{site}<");
            prop_assert!(numbers.contains(&number));
            let name = format!(">{}<", sites.name(site));
            prop_assert!(names.contains(&name));
        }
        Ok(Judged::Something)
    });
}

#[test]
fn identity_operators_keep_every_number() {
    law(
        Weight::of(32, 80),
        (any_board(), -9..10_i32, -9..10_i32),
        |(text, x, y)| {
            let Some(original) = made(&text) else {
                return Ok(Judged::Nothing);
            };
            let (graph, used) = text
                .split_once(" use:")
                .map_or((text.as_str(), String::new()), |(graph, used)| {
                    (graph, format!(" use:{used}"))
                });
            let moved = board(&format!("(shift {x} {y} {graph}){used}"));
            let turned = board(&format!(
                "(rotate 90 (rotate 90 (rotate 90 (rotate 90 {graph})))){used}"
            ));
            let stretched = board(&format!("(scale 2 (scale 0.5 {graph})){used}"));
            for other in [moved, turned, stretched] {
                prop_assert_eq!(
                    original.graph().len(original.used()),
                    other.graph().len(other.used())
                );
                for (one, other) in original.graph().edges.iter().zip(&other.graph().edges) {
                    prop_assert_eq!(one.ends, other.ends);
                }
            }
            Ok(Judged::Something)
        },
    );
}

#[test]
fn merging_or_intersecting_a_board_with_itself_keeps_it() {
    law(
        Weight::of(32, 80),
        (prop_oneof![regular(), tilings()], used()),
        |(text, used)| {
            let Some(original) = made(&format!("{text}{used}")) else {
                return Ok(Judged::Nothing);
            };
            for operator in ["merge", "intersect"] {
                let same = board(&format!("({operator} {text} {text}){used}"));
                let spots =
                    |board: &BoardGraph| board.graph().spots(SiteType::Vertex).collect::<Vec<_>>();
                prop_assert_eq!(spots(&original), spots(&same));
                prop_assert_eq!(original.graph().edges.len(), same.graph().edges.len());
            }
            let kept = board(&format!(
                "(keep {text} (poly {{{{-90 -90}} {{-90 90}} {{90 90}} {{90 -90}}}})){used}"
            ));
            prop_assert_eq!(original.graph().vertices.len(), kept.graph().vertices.len());
            Ok(Judged::Something)
        },
    );
}

#[test]
fn every_board_that_fits_is_drawn_with_its_steps() {
    law(Weight::of(32, 80), any_board(), |text| {
        let Some(board) = made(&text) else {
            return Ok(Judged::Nothing);
        };
        let sites = board.sites();
        let raster = match board.raster() {
            Ok(raster) => raster,
            Err(error) => {
                prop_assert!(error.sites > 256);
                return Ok(Judged::Nothing);
            }
        };
        let bytes = raster.sketch.bytes().unwrap();
        let drawing = Drawing::new(&bytes).unwrap();
        prop_assert_eq!(drawing.points(), sites.len());
        for (site, point) in raster.points.iter().enumerate() {
            prop_assert_eq!(raster.sites[point.index()], site);
            let ways =
                (0..drawing.ways()).filter_map(|way| Some((way, drawing.step(*point, way)?)));
            let ways: Vec<(bool, usize)> = ways
                .map(|(way, to)| (drawing.is_straight(way), raster.sites[to.index()]))
                .collect();
            let steps = sites
                .steps(site)
                .map(|step| (step.directions.has(Direction::Orthogonal), step.to));
            let steps: BTreeSet<(bool, usize)> = steps.collect();
            for way in &ways {
                prop_assert!(steps.contains(way));
            }
            let straight: BTreeSet<&(bool, usize)> =
                steps.iter().filter(|(straight, _)| *straight).collect();
            let free = (0..drawing.ways())
                .filter(|way| drawing.is_straight(*way))
                .count();
            let led = ways.iter().filter(|(straight, _)| *straight).count();
            prop_assert_eq!(led, straight.len().min(free));
        }
        let layout: KnownLayout = raster.sketch.to_string().parse().unwrap();
        prop_assert_eq!(layout, drawing.layout());
        Ok(Judged::Something)
    });
}

/// Words that make or change a board, followed by numbers.
const HEADS: [&str; 21] = [
    "square",
    "rectangle",
    "hex",
    "hex Star",
    "hex Prism",
    "tri",
    "tri Hexagon",
    "tiling T33336",
    "tiling T3464",
    "brick",
    "celtic",
    "quadhex",
    "wedge",
    "regular",
    "mesh",
    "layers",
    "rotate",
    "skew",
    "repeat",
    "complete",
    "splitCrossings",
];

/// Half of the numbers make a board; of the others, hardly any does.
#[test]
fn boards_of_any_numbers_are_bounded_or_refused() {
    let one = prop_oneof![1..40_i64, any::<i64>()];
    let two = prop_oneof![1..40_i32, any::<i32>()];
    let cases = (one, two, prop::sample::select(HEADS.to_vec()));
    law(Weight::of(64, 20), cases, |(one, two, name)| {
        let mut made = 0;
        for sizes in [
            format!("{one}"),
            format!("{one} {two}"),
            format!("{} {}", one % 200, two % 200),
            format!("{{{one} {two}}}"),
        ] {
            let node = read(&format!("({name} {sizes})"));
            if let Ok(graph) = BoardGraph::graph_from_node(&node, SiteType::Cell) {
                prop_assert!(graph.vertices.len() <= MOST_VERTICES);
                made += 1;
            }
        }
        Ok(Judged::if_any(made > 0))
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn on_regular_tilings_a_step_back_has_the_opposite_name(text in regular()) {
        let board = board(&text);
        let sites = board.sites();
        for site in 0..sites.len() {
            for step in sites.steps(site) {
                let mut back = sites.steps(step.to).filter(|back| back.to == site);
                let back = back.next().and_then(BoardStep::compass);
                prop_assert_eq!(back, step.compass().map(Direction::opposite));
            }
        }
    }

    #[test]
    fn on_regular_tilings_opposite_lines_are_pairs(text in regular()) {
        let board = board(&text);
        let sites = board.sites();
        for site in 0..sites.len() {
            let radials = sites.all_radials(site);
            for direction in Direction::RELATIONS {
                let all = radials.of(direction);
                let pairs = all.iter().filter(|radial| radials.opposites(radial).next().is_some()).count() / 2;
                for radial in all {
                    for opposite in radials.opposites(radial) {
                        let mut back = radials.opposites(opposite);
                        prop_assert!(back.any(|back| back.sites == radial.sites));
                    }
                }
                let distinct = all.iter().filter(|radial| radial.is_distinct).count();
                prop_assert_eq!(distinct, all.len() - pairs);
            }
        }
    }

    #[test]
    fn neighbours_on_regular_tilings_have_different_phases(text in regular()) {
        let board = board(&text);
        let cells = board.sites();
        for cell in 0..cells.len() {
            for next in cells.next(cell, Direction::Orthogonal) {
                prop_assert_ne!(cells.phase(cell), cells.phase(next));
            }
        }
        let phases = cells.phases();
        prop_assert_eq!(phases.iter().map(Vec::len).sum::<usize>(), cells.len());
    }

    #[test]
    fn connected_tilings_satisfy_eulers_formula(text in prop_oneof![regular(), tilings()]) {
        // Arcs around a knot enclose cells with two corners and a tip.
        let board = board(&text);
        let [vertices, edges, cells] = SiteType::ALL.map(|of| board.of(of).len());
        prop_assert_eq!(vertices + cells, edges + 1, "{}", text);
    }

    #[test]
    fn the_dual_has_a_vertex_for_each_cell(
        text in prop_oneof![regular(), tilings()],
        rows in 3..8_usize,
        columns in 3..8_usize,
    ) {
        let original = board(&text);
        let dual = BoardGraph::graph_from_node(&read(&format!("(dual {text})")), SiteType::Cell).unwrap();
        let dual = BoardGraph::new(dual, SiteType::Vertex);
        prop_assert_eq!(dual.sites().len(), original.sites().len());
        let neighbours = |sites: &Sites| {
            let all = (0..sites.len()).map(|site| sites.next(site, Direction::Orthogonal).count());
            let mut all: Vec<usize> = all.collect();
            all.sort_unstable();
            all
        };
        prop_assert_eq!(neighbours(dual.sites()), neighbours(original.sites()));
        let twice = board(&format!("(dual (dual (rectangle {rows} {columns})))"));
        prop_assert_eq!(twice.sites().len(), (rows - 2) * (columns - 2));
        prop_assert_eq!(twice.sites().grid(), Some((columns as u8 - 2, rows as u8 - 2)));
    }

    #[test]
    fn a_quarter_turn_keeps_the_number_of_each_site(text in regular()) {
        let original = board(&text);
        let turned = board(&format!("(rotate 90 {text})"));
        let middle = |board: &BoardGraph| {
            let spots = board.graph().spots(SiteType::Vertex);
            let [least, most] = geometry::extent(spots).unwrap();
            least.towards(most, 0.5)
        };
        for (one, other) in original.sites().spots().iter().zip(turned.sites().spots()) {
            let expected = one.minus(middle(&original)).turned(std::f64::consts::FRAC_PI_2);
            prop_assert!(other.minus(middle(&turned)).is_at(expected, 1e-6));
        }
    }

    #[test]
    fn points_are_named_like_the_sites_of_the_board(text in played_on()) {
        let board = made(&text).unwrap();
        let cells = board.sites();
        let raster = board.raster().unwrap();
        let layout = raster.sketch.keep().unwrap();
        for (cell, point) in raster.points.iter().enumerate() {
            prop_assert_eq!(layout.name(*point).to_string(), cells.name(cell).to_lowercase());
        }
        if let Some((columns, rows)) = cells.grid() {
            let grid = Layout::grid(columns, rows).unwrap();
            prop_assert!(layout.iter().all(|point| layout.name(point) == grid.name(point)));
        }
    }
}

//! Boards, compared with known facts.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::*;

/// Boards that use each generator and operator with their options.
const BOARDS: &str = include_str!("boards.txt");

/// A hash that differs between different boards.
fn digest(sites: &Sites) -> u32 {
    let mut text = String::new();
    for site in 0..sites.len() {
        writeln!(text, "{} {}", sites.name(site), sites.phase(site)).unwrap();
        for step in sites.steps(site) {
            writeln!(text, "{} {:?}", step.to, step.directions).unwrap();
        }
        for radial in sites.all_radials(site).all() {
            let Radial {
                direction,
                sites,
                opposites,
                is_distinct,
            } = radial;
            writeln!(text, "{direction} {sites:?} {opposites:?} {is_distinct}").unwrap();
        }
    }
    for (side, members) in sites.sides() {
        writeln!(text, "{side} {members:?}").unwrap();
    }
    // The hash is FNV-1a.
    text.bytes().fold(0x811c_9dc5, |sum, byte| {
        (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

#[test]
fn generators_and_operators_make_the_known_boards() {
    let mut text = String::new();
    for name in BOARDS.lines() {
        let board = board(name);
        let [vertices, edges, cells] = SiteType::ALL.map(|of| board.of(of).len());
        let sites = board.sites();
        let region = |region| sites.region(region).len();
        let (corners, rim) = (region(NamedRegion::Corners), region(NamedRegion::Outer));
        let digest = digest(sites);
        writeln!(
            text,
            "{name}: {vertices} vertices, {edges} edges, {cells} cells; corners {corners}, rim {rim}, rows {}, columns {}; {digest:08x}",
            sites.rows().len(),
            sites.columns().len(),
        )
        .unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_triangle_of_triangles_differs_from_a_hexagon() {
    assert_eq!(board("(tri 8)").sites().len(), 64);
    assert_eq!(board("(tri 8)").of(SiteType::Vertex).len(), 45);
    assert_eq!(board("(hex 8)").sites().len(), 169);
    assert_eq!(board("(tri Hexagon 8) use:Vertex").sites().len(), 169);
}

#[test]
fn tilings_have_their_known_sizes() {
    let sizes = [
        ("T33434 4", 120),
        ("T33434 5", 180),
        ("T3464 3", 145),
        ("T488 4", 25),
        ("T3636 3", 55),
        ("T33336 3", 217),
        ("T33344 3", 21),
        ("T31212 3", 55),
        ("T4612 2", 25),
        ("T333333_33434 3", 283),
    ];
    for (tiling, cells) in sizes {
        assert_eq!(
            board(&format!("(tiling {tiling})")).sites().len(),
            cells,
            "{tiling}"
        );
    }
}

#[test]
fn every_built_in_game_has_its_board() {
    let mut text = String::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut games: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    games.sort();
    for game in games {
        let name = game.file_stem().unwrap().to_string_lossy().into_owned();
        let node = crate::text::read(&std::fs::read_to_string(&game).unwrap()).unwrap();
        let board = BoardGraph::from_node(BoardGraph::in_game(&node).unwrap()).unwrap();
        let sites = board.sites();
        let directions = |relation| {
            let all = sites.directions(relation);
            all.iter()
                .map(|direction| direction.name())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let raster = match board.raster() {
            Ok(raster) => format!("{} ways", raster.sketch.ways.len()),
            Err(error) => error.to_string(),
        };
        writeln!(
            text,
            "{name}: {} of {:?}, {} to {}; orthogonal {}; all {}; grid {:?}; {raster}",
            sites.len(),
            board.used(),
            sites.name(0),
            sites.name(sites.len() - 1),
            directions(Direction::Orthogonal),
            directions(Direction::All),
            sites.grid(),
        )
        .unwrap();
    }
    insta::assert_snapshot!(text);
}

/// Stores have the first and the last number; each is next to the pits of both rows.
#[test]
fn a_mancala_board_has_pits_between_two_stores() {
    let board = BoardGraph::from_node(&read("(mancalaBoard 2 6)")).unwrap();
    let pits = board.sites();
    assert_eq!(pits.site_type(), SiteType::Vertex);
    assert_eq!(pits.len(), 14);
    assert_eq!(
        pits.next(0, Direction::Adjacent).collect::<Vec<_>>(),
        [7, 1]
    );
    assert_eq!(
        pits.next(13, Direction::Adjacent).collect::<Vec<_>>(),
        [6, 12]
    );
    let without = BoardGraph::from_node(&read("(mancalaBoard 4 8 store:None)")).unwrap();
    assert_eq!(without.sites().grid(), Some((8, 4)));
    assert!(BoardGraph::from_node(&read("(mancalaBoard 2 6 store:Inner)")).is_err());
}

/// The rings of the game are joined at the midpoints of their sides, not at their corners.
#[test]
fn the_mills_of_a_board_are_sides_and_joins() {
    let board =
        board("(concentric Square rings:3 joinMidpoints:True joinCorners:False) use:Vertex");
    let points = board.sites();
    assert_eq!(points.len(), 24);
    let degrees = (0..24).map(|site| points.next(site, Direction::Orthogonal).count());
    let mut degrees: Vec<usize> = degrees.collect();
    degrees.sort_unstable();
    assert_eq!(degrees, [[2; 12].as_slice(), &[3; 8], &[4; 4]].concat());
    let mut lines = BTreeSet::new();
    for site in 0..24 {
        for radial in points
            .radials(site, Direction::Orthogonal)
            .iter()
            .filter(|radial| radial.is_distinct)
        {
            let back = points.all_radials(site).opposites(radial);
            let mut line: Vec<usize> = back.flat_map(|other| other.sites.clone()).collect();
            line.extend(&radial.sites);
            line.push(site);
            line.sort_unstable();
            lines.insert(line);
        }
    }
    assert_eq!(lines.len(), 16);
    assert!(lines.iter().all(|line| line.len() == 3));
}

#[test]
fn a_wrong_board_is_refused_with_a_sentence() {
    let wrong = [
        "8",
        "(square)",
        "(square 0)",
        "(square 101)",
        "(square 8 9)",
        "(square Star 8)",
        "(square 8 diagonals:Crooked)",
        "(square 8) use:Corner",
        "(rectangle 100 100)",
        "(triangle 8)",
        "(hex Spiral 3)",
        "(tiling T5 3)",
        "(tiling T33434 {3 4})",
        "(concentric Square)",
        "(concentric Target rings:3) use:Vertex",
        "(wedge 1)",
        "(spiral turns:4)",
        "(keep (square 4))",
        "(keep (square 4) (poly {{0 0} {1 1}}))",
        "(remove (square 4) cells:{16})",
        "(remove (square 4) vertices:{{9 9}})",
        "(add (square 2) edges:{{0 9}})",
        "(add (square 2) edges:{{0 0 1}})",
        "(graph vertices:{{0 0} {1 0}} edges:{{0 0}})",
        "(graph vertices:{{0 0} {1 0}} edges:{{0 1}})",
        "(merge {(square 4) 3})",
        "(complete (square 40))",
        "(layers 100 (square 20))",
        "(rotate (square 4))",
        "(rotate 1000000 (square 4))",
        "(square (+ 3 (- 5 9)))",
    ];
    let mut text = String::new();
    for wrong in wrong {
        let node = read(&format!("(board {wrong})"));
        let error = BoardGraph::from_node(&node).expect_err(wrong);
        let span = error.span();
        // `read` puts the text after `(game `.
        let whole = format!("(game (board {wrong})");
        let place = &whole[span.start as usize..span.end as usize];
        writeln!(text, "{wrong}\n  {error}\n  at {place}").unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn boards_have_these_pictures() {
    let boards = [
        "(square 4)",
        "(hex 3)",
        "(hex Diamond 3)",
        "(tri 3)",
        "(tri Hexagon 3) use:Vertex",
        "(tiling T3636 2)",
        "(tiling T488 2)",
        "(tiling T33434 2)",
        "(concentric Square rings:3) use:Vertex",
        "(layers 2 (square 2)) use:Vertex",
        "(merge (rectangle 3 3 diagonals:Alternating) (shift 0 2 (wedge 2))) use:Vertex",
    ];
    let mut text = String::new();
    for name in boards {
        writeln!(text, "{name}\n{}", board(name).raster().unwrap().sketch).unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn overlapping_boards_are_drawn_side_by_side() {
    let raster = board("(union (square 9) (scale 3 (square 3)))").raster();
    let raster = raster.unwrap();
    let place = |site: usize| raster.sketch.places[usize::from(raster.points[site].0)];
    let furthest = (0..81).map(|site| place(site).x).max().unwrap();
    for site in 81..90 {
        assert!(place(site).x > furthest, "{site}");
        // The site is at the height of the centre of the small board that it represents.
        let middle = (site - 81) / 3 * 27 + 9;
        assert_eq!(place(site).y, place(middle).y);
    }
    // Boards that touch or do not meet are not moved.
    let apart = board("(union (square 3) (shift 4 0 (square 3)))").raster();
    let apart = apart.unwrap();
    let columns: BTreeSet<u8> = apart.sketch.places.iter().map(|place| place.x).collect();
    let columns: Vec<u8> = columns.into_iter().collect();
    let step = columns[1];
    let expected: Vec<u8> = [0, 1, 2, 4, 5, 6].map(|column| column * step).to_vec();
    assert_eq!(columns, expected);
}

#[test]
fn a_board_of_more_points_than_lights_is_not_drawn() {
    let error = board("(square 19) use:Vertex").raster().unwrap_err();
    assert_eq!(
        error.to_string(),
        "this board has 361 sites: a board shows at most 256"
    );
}

/// The sites whose point has a different name.
fn otherwise_named(board: &BoardGraph) -> Vec<String> {
    let (sites, raster) = (board.sites(), board.raster().unwrap());
    let layout = raster.sketch.keep().unwrap();
    let both = (0..sites.len()).map(|site| {
        let point = layout.name(raster.points[site]).to_string();
        (sites.name(site), point)
    });
    both.filter(|(site, point)| site.to_lowercase() != *point)
        .map(|(site, point)| format!("{site} is {point}"))
        .collect()
}

#[test]
fn the_points_of_built_in_games_are_named_like_their_sites() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/games")).unwrap() {
        let path = entry.unwrap().path();
        let node = crate::text::read(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let board = BoardGraph::from_node(BoardGraph::in_game(&node).unwrap()).unwrap();
        let different = otherwise_named(&board);
        if path.ends_with("ultimate-tic-tac-toe.lud") {
            // The board of blocks is next to that of cells.
            assert_eq!(different.len(), 9);
            assert!(different.iter().all(|it| it.contains(['j', 'k', 'l'])));
        } else {
            assert_eq!(different, [""; 0], "{}", path.display());
        }
    }
}

#[test]
fn each_generator_and_operator_is_known_to_check() {
    for name in BOARDS.lines() {
        let words = format!("(game \"G\" (equipment {{(board {name})}}))");
        let Ok(node) = crate::text::read(&words) else {
            panic!("{name}");
        };
        assert_eq!(crate::constructs::troubles(&node), [], "{name}");
    }
}

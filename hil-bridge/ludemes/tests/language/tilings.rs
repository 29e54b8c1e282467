//! Lines, patterns and captures on all kinds of boards: what the core finds along a
//! cartridge's ways agrees with the lines of the board.

use std::path::Path;

use firmware_core::cartridge::{Machine, Scratch, verify};
use firmware_core::{Rng, Wide};
use ludemes::layout::{BoardGraph, Direction, Sites, Walk, ways};
use ludemes::replay::compiled;
use ludemes::replay::legal_moves;
use ludemes::text;
use ludemes::tree::{Kind, Node};

fn find_board(node: &Node) -> Option<BoardGraph> {
    if let Kind::Call(arguments) = &node.kind {
        let is_board = arguments
            .first()
            .is_some_and(|first| matches!(&first.node.kind, Kind::Word(word) if word == "board"));
        if is_board {
            return BoardGraph::from_node(node).ok();
        }
        return arguments
            .iter()
            .find_map(|argument| find_board(&argument.node));
    }
    match &node.kind {
        Kind::Set(nodes) => nodes.iter().find_map(find_board),
        _ => None,
    }
}

/// The sites of the board in a text.
fn sites_of(source: &str) -> Sites {
    let game = text::read(source).unwrap();
    find_board(&game).unwrap().sites().clone()
}

/// Hexade as its author published it, but on this board.
fn hexade(board: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seed-hexade.lud");
    let printed = std::fs::read_to_string(path).unwrap();
    assert!(printed.contains("(board (tri 8))"));
    printed.replace("(board (tri 8))", &format!("(board {board})"))
}

/// The winner after the first player has placed stones on these sites, while the second
/// places stones far away and apart from each other.
fn winner(source: &str, stones: &[usize]) -> u8 {
    let compiled = compiled(source, &[]).unwrap();
    let sites = sites_of(source);
    let near = |site: usize| {
        let mut steps = sites.steps(site).map(|step| step.to);
        steps.any(|to| stones.contains(&to)) || stones.contains(&site)
    };
    let apart: Vec<usize> = (0..sites.len()).filter(|site| !near(*site)).collect();
    let apart = apart.iter().step_by(5).copied();
    let mut scratch = Box::new(Scratch::new());
    let game = verify(&compiled.bytes, &mut scratch).unwrap();
    let mut machine = Box::new(Machine::<Wide>::new(&game).unwrap());
    machine.start();
    for (mine, theirs) in stones
        .iter()
        .zip(apart.chain(std::iter::repeat(usize::MAX)))
    {
        for site in [*mine, theirs] {
            if machine.state.over {
                break;
            }
            let legal = legal_moves(&mut machine);
            let found = legal.iter().find(|one| one.sites == [site as i16; 2]);
            let found = found.unwrap_or_else(|| panic!("{site} of {stones:?}"));
            machine.play(found.sites, &found.actions);
        }
    }
    machine.state.winner
}

fn walk_from(sites: &Sites, letters: &str) -> Vec<usize> {
    let walk = Walk::read(letters).unwrap();
    let mut all = (0..sites.len()).flat_map(|site| ways(sites, site, &walk));
    let (_, mut way) = all.next().unwrap();
    // The walk starts at the last stone.
    way.reverse();
    let mut once: Vec<usize> = Vec::new();
    for site in way {
        if !once.contains(&site) {
            once.push(site);
        }
    }
    once
}

/// The lines of adjacent sites from each site of a board.
fn lines(sites: &Sites) -> Vec<Vec<usize>> {
    let lines = (0..sites.len()).flat_map(|site| {
        let radials = sites.radials(site, Direction::Adjacent).iter();
        radials.map(move |radial| [&[site], &radial.sites[..]].concat())
    });
    lines.collect()
}

#[test]
fn hexade_differs_on_triangles_and_hexagons() {
    // As published: a triangle of 64 triangles; as intended: a hexagon of 169 hexagons.
    for (board, cells, orthogonal) in [("(tri 8)", 64, 3), ("(hex 8)", 169, 6)] {
        let source = hexade(board);
        let sites = sites_of(&source);
        assert_eq!(sites.len(), cells);
        let most = |relation: Direction| {
            let steps = (0..cells).map(|site| {
                let steps = sites.steps(site);
                steps
                    .filter(|step| step.directions.iter().any(|d| d == relation))
                    .count()
            });
            steps.max().unwrap()
        };
        assert_eq!(most(Direction::Orthogonal), orthogonal);
        // A ring, a triangle, and six in a line win on both boards.
        assert_eq!(
            winner(&source, &walk_from(&sites, "FRFRFRFRF")),
            1,
            "{board}"
        );
        assert_eq!(
            winner(&source, &walk_from(&sites, "FFRRFFRRF")),
            1,
            "{board}"
        );
        let line = lines(&sites).into_iter().max_by_key(Vec::len).unwrap();
        assert_eq!(winner(&source, &line[..6]), 1, "{board}: {line:?}");
        assert_eq!(winner(&source, &line[..5]), 0, "{board}");
        // On hexagons a line only crosses sides; on triangles it only crosses corners, or
        // sides and corners alternately.
        let is_side = |pair: &[usize]| {
            let mut steps = sites.steps(pair[0]);
            let step = steps.find(|step| step.to == pair[1]).unwrap();
            let mut directions = step.directions.iter();
            directions.any(|d| d == Direction::Orthogonal)
        };
        let mut alternate = 0;
        for line in lines(&sites) {
            let sides: Vec<bool> = line.windows(2).map(is_side).collect();
            let in_turn = sides.windows(2).all(|pair| pair[0] != pair[1]);
            if board == "(hex 8)" {
                assert!(sides.iter().all(|side| *side), "{line:?}");
            } else if sides.contains(&true) {
                assert!(in_turn, "{line:?}");
                alternate += usize::from(sides.len() > 2);
            }
        }
        assert_eq!(alternate > 0, board == "(tri 8)");
    }
}

/// Boards whose lines bend, cross different elements, or merge.
const BOARDS: [&str; 17] = [
    "(square 6)",
    "(square 6) use:Vertex",
    "(hex 4)",
    "(tri 7)",
    "(tri Hexagon 3)",
    "(tri Hexagon 4) use:Vertex",
    "(tiling T33434 3)",
    "(tiling T3464 2)",
    "(tiling T488 4)",
    "(tiling T3636 3)",
    "(tiling T33336 2)",
    "(tiling T33344 3)",
    "(tiling T31212 2)",
    "(tiling T4612 2)",
    "(tiling T333333_33434 2)",
    "(quadhex 3)",
    "(graph vertices:{{0 0} {2 0} {4 0.3} {6 0} {1 2} {3 2} {5 2} {2 4} {4 4}} \
     edges:{{0 1} {1 2} {2 3} {0 4} {1 4} {1 5} {2 5} {2 6} {3 6} {4 5} {5 6} {4 7} {5 7} {5 8} {6 8} {7 8}}) \
     use:Vertex",
];

/// True if, according to the lines of the board, a line of at least `length` equal sites
/// passes through a site.
fn is_line(sites: &Sites, pivot: usize, length: usize, is_like: impl Fn(usize) -> bool) -> bool {
    let radials = sites.all_radials(pivot);
    let run = |sites: &[usize]| sites.iter().take_while(|site| is_like(**site)).count();
    let mut all = radials.of(Direction::Adjacent).iter();
    all.any(|radial| {
        let many = 1 + run(&radial.sites);
        many >= length
            || radials
                .opposites(radial)
                .any(|back| many + run(&back.sites) >= length)
    })
}

#[test]
fn lines_are_found_on_every_tiling_and_drawn_board() {
    for board in BOARDS {
        let source = format!(
            "(game \"Line\" (players 2)
                (equipment {{(board {board}) (piece \"Stone\" Each)}})
                (rules
                    (play (move Add (to (sites Empty))))
                    (end (if (is Line 3) (result Mover Win)))
                )
            )"
        );
        let compiled = compiled(&source, &[]).unwrap_or_else(|what| panic!("{board}: {what}"));
        let sites = sites_of(&source);
        let mut scratch = Box::new(Scratch::new());
        let game = verify(&compiled.bytes, &mut scratch).unwrap();
        let mut machine = Box::new(Machine::<Wide>::new(&game).unwrap());
        let mut rng = Rng::new(3);
        let mut wins = 0;
        for _ in 0..60 {
            machine.start();
            while machine.play_random(&mut rng) {
                let state = &machine.state;
                let Ok(last) = u8::try_from(state.last_to) else {
                    continue;
                };
                let what = state.what(last);
                let line = is_line(&sites, last.into(), 3, |site| {
                    state.what(site as u8) == what
                });
                assert_eq!(line, state.winner > 0, "{board}: {last}");
                wins += usize::from(line);
            }
        }
        assert!(wins > 20, "{board}: {wins}");
    }
}

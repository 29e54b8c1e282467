//! The board of a text, its ways, and the compiler's state once it is known.

use std::collections::{BTreeSet, HashMap};

use firmware_core::cartridge::bytes::{SITES, WAYS};

use super::Compiler;
use super::arguments::{CompileResult, Unknown};
use super::program::Program;
use super::ways::Ways;
use crate::layout::{BoardGraph, Direction, SiteType, Sites};
use crate::tree::Node;

/// The maximum number of turns of each player, unless the game sets one.
const MOST_TURNS: u16 = 1_250;
/// The maximum number of moves in a game.
const MOST_MOVES: u16 = 10_000;

/// Builds the graph of a `(board ...)`.
fn read(node: &Node) -> CompileResult<BoardGraph> {
    BoardGraph::from_node(node).map_err(|error| Unknown {
        span: error.span(),
        what: error.to_string(),
        undefined: None,
    })
}

/// The compiler's state once the board is known.
pub(super) fn begin(
    name: &str,
    players: u8,
    facing: Vec<Option<usize>>,
    node: &Node,
    names: &BTreeSet<Direction>,
) -> CompileResult<Compiler> {
    let board = read(node)?;
    let sites = board.sites().clone();
    let used = board.used();
    let cells = board.of(SiteType::Cell).len();
    if sites.len() > SITES || sites.is_empty() {
        let what = format!(
            "the board has {} sites, and {SITES} is the maximum",
            sites.len()
        );
        return Err(Unknown::at(node, what));
    }
    let ways = ways_of(&sites, node, names)?;
    let mut program = Program::new(name, players, ways.next.clone(), sites.len());
    program.most_turns = MOST_TURNS;
    program.most_moves = MOST_MOVES;
    program.table(opposites(&ways));
    Ok(Compiler {
        heights: Vec::new(),
        levels: None,
        program,
        players,
        facing,
        sites,
        used,
        cells,
        ways,
        hands: Vec::new(),
        regions: Vec::new(),
        joins: Vec::new(),
        maps: Vec::new(),
        variables: Vec::new(),
        events: Vec::new(),
        memories: Vec::new(),
        remembered_names: BTreeSet::new(),
        tracks: Vec::new(),
        in_sight: false,
        moving: Vec::new(),
        in_set_up: false,
        started: HashMap::new(),
        phases: Vec::new(),
        in_hands: vec![0; usize::from(players) + 2],
        endings: Vec::new(),
        any_of: HashMap::new(),
        of_no_stacks: None,
    })
}

/// The ways of a board: in all directions, or if these are too many, in those that
/// the game names.
fn ways_of(sites: &Sites, node: &Node, names: &BTreeSet<Direction>) -> CompileResult<Ways> {
    let mut ways = Ways::of(sites, Direction::ALL.iter().copied());
    if ways.next.len() > WAYS {
        ways = Ways::of(sites, names.iter().copied());
    }
    if ways.next.len() > WAYS {
        let what = format!(
            "the board has {} ways, and {WAYS} is the maximum",
            ways.next.len()
        );
        return Err(Unknown::at(node, what));
    }
    Ok(ways)
}

/// The way back of each way, everywhere or at each site; -1 for none.
fn opposites(ways: &Ways) -> Vec<i16> {
    let opposites = if ways.opposites_at.is_empty() {
        ways.opposites.iter().collect::<Vec<_>>()
    } else {
        ways.opposites_at.iter().flatten().collect()
    };
    let opposites = opposites.into_iter();
    opposites
        .map(|back| back.map_or(-1, |back| back as i16))
        .collect()
}

/// The directions that a game may use: those that it names, the default ones, and the
/// whole compass if a piece faces a direction.
pub(super) fn directions_named(game: &Node) -> BTreeSet<Direction> {
    let words = game.all().filter_map(Node::word);
    let all: BTreeSet<String> = words.map(str::to_owned).collect();
    let relative = |word: &String| {
        let turned = |letter: char| matches!(letter, 'F' | 'B' | 'L' | 'R');
        word.contains("ward") || (word.len() > 1 && word.chars().all(turned))
    };
    let compass = all.iter().any(relative) || all.contains("ahead");
    let named = all.iter().filter_map(|word| word.parse().ok());
    let mut names: BTreeSet<Direction> = named.collect();
    names.extend([Direction::Adjacent, Direction::Orthogonal]);
    if all.contains("Flat") {
        names.insert(Direction::Downward);
    }
    if compass {
        names.extend(Direction::COMPASS);
    }
    if all.contains("SameDirection") || all.contains("OppositeDirection") {
        names.insert(Direction::All);
    }
    names
}

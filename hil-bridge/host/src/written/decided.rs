//! What decided a game: the row of Gomoku, the chain of Hex, the mate of Chess, the full
//! board of a draw.
//!
//! Rows and chains are worked out from the lights and the last move: they are the line,
//! connection or loop that the text asks for and that the last move completed. That a
//! player had no move left follows from the text alone, if nothing else wins.
//!
//! Invariants: the pieces of a row or chain all have one colour, and the last move is one
//! of them; each link joins two of them.

use std::collections::BTreeSet;

use firmware_core::cartridge::LayoutGame;
use ludemes::layout::{Direction, Radial, Radials, Sites};
use ludemes::tree::{Kind, Node};
use protocol::{Colour, Frame, Layout, Point};

use super::TextGame;
use crate::places::{PitchSpot, Places};

/// What decided a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The reason.
    pub reason: EndReason,
    /// The pieces of the row or chain.
    pub pieces: Vec<Point>,
    /// The pairs of them that are next to each other in the row or chain.
    pub links: Vec<[Point; 2]>,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// A row of this many pieces, or more.
    Row(usize),
    /// A chain between sides or corners, or a loop.
    Chain,
    /// The loser is in check and has no move.
    Checkmate,
    /// The loser has no move.
    NoMoves,
    /// Something else, in words.
    Other(String),
}

impl Decision {
    /// A decision that is not seen in pieces.
    pub(super) fn in_words(words: String) -> Decision {
        Decision {
            reason: EndReason::Other(words),
            pieces: Vec::new(),
            links: Vec::new(),
        }
    }
}

impl EndReason {
    /// The reason in words, for a game that `loser` lost: `four in a row`.
    #[must_use]
    pub fn words(&self, loser: &str) -> String {
        match self {
            EndReason::Row(length) => match NUMBERS.get(*length) {
                Some(number) => format!("{number} in a row"),
                None => format!("{length} in a row"),
            },
            EndReason::Chain => "an unbroken chain".to_owned(),
            EndReason::Checkmate => "checkmate".to_owned(),
            EndReason::NoMoves => format!("{loser} had no move left"),
            EndReason::Other(words) => words.clone(),
        }
    }
}

/// The numbers of the rows that games ask for.
const NUMBERS: [&str; 7] = ["no", "one", "two", "three", "four", "five", "six"];

/// A condition for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// A line of this kind.
    Line(Line),
    /// A line of at least this length, counted over the levels of adjacent stacks.
    LineOfLevels(usize),
    /// A chain between places, or a loop around them.
    Chain,
}

/// A line of pieces, as a rule describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    length: usize,
    directions: Direction,
    /// True if longer lines do not count.
    is_exact: bool,
}

/// What decided a game that was won and shows these lights after this last move; `None` if
/// it was neither a row nor a chain, and the text has several other ways to win.
#[must_use]
pub fn decision(game: &TextGame, frame: &Frame, last: Point) -> Option<Decision> {
    let rules = game.compiled.endings.iter();
    let asked: Vec<Question> = rules
        .flat_map(|ending| ending.rule.all())
        .filter_map(asked)
        .collect();
    let pieces = match frame.points.get(last) {
        Colour::OFF => None,
        _ => row_or_chain(game, frame, last, &asked),
    };
    pieces.or_else(|| {
        let reason = blocked(game)?;
        Some(Decision {
            reason,
            pieces: Vec::new(),
            links: Vec::new(),
        })
    })
}

fn row_or_chain(
    game: &TextGame,
    frame: &Frame,
    last: Point,
    asked: &[Question],
) -> Option<Decision> {
    for asked in asked {
        if let Question::LineOfLevels(length) = *asked {
            return row_on_grid(*game.layout, frame, last, length);
        }
    }
    let drawing = game.layout.drawing()?;
    let on_board = LayoutGame::looked_through(drawing.as_drawing())?;
    let sites = &game.compiled.board;
    let points: Vec<Option<Point>> = (0..sites.len())
        .map(|site| {
            i16::try_from(site)
                .ok()
                .and_then(|site| on_board.point(site))
        })
        .collect();
    let of = frame.points.get(last);
    let is_own = |site: usize| {
        let point = points.get(site).copied().flatten();
        point.is_some_and(|point| frame.points.get(point) == of)
    };
    let site = points.iter().position(|point| *point == Some(last))?;
    let mut rows = Vec::new();
    let mut length = 0;
    for asked in asked {
        if let Question::Line(line) = *asked {
            rows.extend(lines(sites, site, line, is_own));
            length = line.length;
        }
    }
    let (reason, found, links) = if rows.is_empty() && asked.contains(&Question::Chain) {
        let found = chain(sites, site, is_own);
        let links = chain_links(sites, &found);
        (EndReason::Chain, found, links)
    } else {
        let links = rows.iter().flat_map(|row| pairs(row)).collect();
        let found = rows.concat().into_iter().collect();
        (EndReason::Row(length), found, links)
    };
    if found.is_empty() {
        return None;
    }
    let point = |site: usize| points[site];
    let link = |[one, other]: [usize; 2]| Some([point(one)?, point(other)?]);
    Some(Decision {
        reason,
        pieces: found.into_iter().filter_map(point).collect(),
        links: links.into_iter().filter_map(link).collect(),
    })
}

/// That the loser has no move, if this is the only way to win a game.
fn blocked(game: &TextGame) -> Option<EndReason> {
    let has = |node: &Node, word: &str| node.all().any(|node| node.word() == Some(word));
    let endings = game.compiled.endings.iter();
    let decides = |rule: &&Node| has(rule, "Win") || has(rule, "Loss");
    let deciding: Vec<&Node> = endings.map(|ending| &ending.rule).filter(decides).collect();
    let is_blocked = |rule: &&Node| has(rule, "no") && has(rule, "Moves");
    let is_check = |rule: &&Node| has(rule, "Threatened");
    match deciding[..] {
        [] => None,
        [rule] if is_blocked(&rule) && !is_check(&rule) => Some(EndReason::NoMoves),
        ref rules if rules.iter().all(is_check) && rules.iter().any(is_blocked) => {
            Some(EndReason::Checkmate)
        }
        _ => None,
    }
}

/// Each element with the next one.
fn pairs<T: Copy>(row: &[T]) -> impl Iterator<Item = [T; 2]> {
    row.windows(2).map(|pair| [pair[0], pair[1]])
}

/// The condition that a call in the text expresses; `None` if it is of another kind.
fn asked(node: &Node) -> Option<Question> {
    let Kind::Call(arguments) = &node.kind else {
        return None;
    };
    let word = |node: &Node| match &node.kind {
        Kind::Word(word) => Some(word.clone()),
        _ => None,
    };
    let names = || {
        arguments
            .iter()
            .filter_map(|argument| argument.name.as_deref())
    };
    let mut unnamed = arguments.iter().filter(|argument| argument.name.is_none());
    let [head, what] = [unnamed.next()?, unnamed.next()?].map(|argument| word(&argument.node));
    if head.as_deref() != Some("is") {
        return None;
    }
    match what?.as_str() {
        "Connected" | "Loop" => Some(Question::Chain),
        "Line" => {
            let rest: Vec<&Node> = unnamed.map(|argument| &argument.node).collect();
            let length = rest.iter().find_map(|node| match node.kind {
                Kind::Number(length) => usize::try_from(length).ok(),
                _ => None,
            })?;
            match names().collect::<Vec<_>>()[..] {
                [] | ["exact"] => {}
                ["byLevel"] => return Some(Question::LineOfLevels(length)),
                // A line that does not consist of pieces around the last move.
                _ => return None,
            }
            let named = rest.iter().find_map(|node| word(node)?.parse().ok());
            Some(Question::Line(Line {
                length,
                directions: named.unwrap_or(Direction::Adjacent),
                is_exact: names().next().is_some(),
            }))
        }
        _ => None,
    }
}

/// The rows of at least this many lights through a point, across, upright or slanted on the
/// board's grid; `None` if there is none. A board also shows the levels of stacks one above
/// the other and stacks side by side.
#[must_use]
pub fn row_on_grid(layout: Layout, frame: &Frame, last: Point, length: usize) -> Option<Decision> {
    let places = Places::new(layout);
    let of = frame.points.get(last);
    let from = places.spot(last);
    let run = |[x, y]: [f32; 2]| {
        let spots = (1..u8::MAX).map(f32::from).map(move |step| PitchSpot {
            x: from.x + step * x,
            y: from.y + step * y,
        });
        let there = spots.map_while(|spot| {
            let (point, away) = places.near(spot)?;
            (away.x.abs().max(away.y.abs()) < 0.01).then_some(point)
        });
        let own = there.take_while(|point| frame.points.get(*point) == of);
        own.collect::<Vec<Point>>()
    };
    let mut pieces = BTreeSet::new();
    let mut links = Vec::new();
    for way in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]] {
        let mut row = run(way);
        row.reverse();
        row.push(last);
        row.extend(run(way.map(|step| -step)));
        if row.len() >= length {
            links.extend(pairs(&row));
            pieces.extend(row);
        }
    }
    (!pieces.is_empty() && of != Colour::OFF).then(|| Decision {
        reason: EndReason::Row(length),
        pieces: pieces.into_iter().collect(),
        links,
    })
}

/// The sites of each line through a site, in their order.
fn lines(
    sites: &Sites,
    site: usize,
    line: Line,
    is_own: impl Fn(usize) -> bool,
) -> Vec<Vec<usize>> {
    let radials: &Radials = sites.all_radials(site);
    let run = |radial: &Radial| -> Vec<usize> {
        let own = radial.sites.iter().copied();
        own.take_while(|site| is_own(*site)).collect()
    };
    let mut found: Vec<Vec<usize>> = Vec::new();
    for radial in radials.of(line.directions) {
        let opposites = radial
            .opposites
            .iter()
            .filter_map(|other| radials.all().get(*other));
        let mut row = opposites.map(run).max_by_key(Vec::len).unwrap_or_default();
        row.reverse();
        row.push(site);
        row.extend(run(radial));
        // The opposite direction finds the same line.
        let is_known = found.iter().any(|known| known.iter().rev().eq(&row));
        if !is_known && (row.len() == line.length || row.len() > line.length && !line.is_exact) {
            found.push(row);
        }
    }
    found
}

/// The pairs of neighbours in a chain.
fn chain_links(sites: &Sites, chain: &BTreeSet<usize>) -> Vec<[usize; 2]> {
    let links = chain.iter().flat_map(|site| {
        let next = sites.next(*site, Direction::Adjacent);
        let next = next.filter(|next| next > site && chain.contains(next));
        next.map(|next| [*site, next])
    });
    links.collect()
}

/// The sites that are connected to a site.
fn chain(sites: &Sites, site: usize, is_own: impl Fn(usize) -> bool) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([site]);
    let mut left = vec![site];
    while let Some(site) = left.pop() {
        for next in sites.next(site, Direction::Adjacent) {
            if is_own(next) && found.insert(next) {
                left.push(next);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{library, of_text};
    use super::*;

    /// The names of the points that decided a game, which ended with a stone on the first
    /// of these points of green; red has the others.
    fn decided(name: &str, green: &[&str], red: &[&str]) -> Vec<String> {
        let game = of_text(name, library::text(name).unwrap(), &[]).unwrap();
        let layout = *game.layout;
        let mut frame = Frame::default();
        frame.clear(layout);
        for (points, colour) in [(green, Colour::GREEN), (red, Colour::RED)] {
            for name in points {
                frame.points.set(layout.point(name).unwrap(), colour);
            }
        }
        let last = layout.point(green[0]).unwrap();
        let decision = decision(&game, &frame, last);
        let points = decision.map_or_else(Vec::new, |decision| {
            let linked: BTreeSet<Point> = decision.links.concat().into_iter().collect();
            assert_eq!(linked, decision.pieces.iter().copied().collect());
            decision.pieces
        });
        let mut names: Vec<String> = points
            .into_iter()
            .map(|point| layout.name(point).to_string())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_winning_row_has_exactly_its_points() {
        let green = ["b2", "a1", "c3", "a2"];
        assert_eq!(
            decided("tic-tac-toe", &green, &["b1", "c1"]),
            ["a1", "b2", "c3"]
        );
        let green = ["h8", "h7", "h6", "h9", "h10", "g8", "f8"];
        assert_eq!(
            decided("gomoku", &green, &["h5"]),
            ["h10", "h6", "h7", "h8", "h9"]
        );
        // A row of six is not a row of exactly five.
        let green = ["h8", "h7", "h6", "h9", "h10", "h11"];
        assert!(decided("gomoku", &green, &[]).is_empty());
        assert!(decided("tic-tac-toe", &["b2", "a1", "c2"], &["c3"]).is_empty());
    }

    #[test]
    fn a_winning_chain_is_connected_to_the_last_stone() {
        let path: Vec<String> = ('a'..='k').map(|column| format!("{column}6")).collect();
        let mut green: Vec<&str> = path.iter().map(String::as_str).collect();
        green.push("a1");
        let mut path = path.clone();
        path.sort();
        assert_eq!(decided("hex", &green, &["a7", "b7"]), path);
    }

    #[test]
    fn games_without_winning_lines_have_no_winning_points() {
        assert!(decided("breakthrough", &["a8", "a7"], &[]).is_empty());
        assert!(decided("connect-four", &["a1"], &[]).is_empty());
    }

    #[test]
    fn each_link_of_a_row_joins_neighbours_in_their_order() {
        let game = of_text("gomoku", library::text("gomoku").unwrap(), &[]).unwrap();
        let layout = *game.layout;
        let point = |name: &str| layout.point(name).unwrap();
        let mut frame = Frame::default();
        frame.clear(layout);
        let row = ["f6", "g7", "h8", "i9", "j10"].map(point);
        for point in row {
            frame.points.set(point, Colour::RED);
        }
        let decision = decision(&game, &frame, row[1]).unwrap();
        assert_eq!(decision.reason, EndReason::Row(5));
        let mut links = decision.links;
        links.iter_mut().for_each(|link| link.sort_unstable());
        links.sort_unstable();
        let mut expected: Vec<[Point; 2]> = pairs(&row).collect();
        expected.iter_mut().for_each(|link| link.sort_unstable());
        expected.sort_unstable();
        assert_eq!(links, expected);
    }

    #[test]
    fn a_game_that_only_a_blocked_player_loses_says_so() {
        let reason = |name: &str| {
            let game = of_text(name, library::text(name).unwrap(), &[]).unwrap();
            blocked(&game)
        };
        assert_eq!(reason("chess"), Some(EndReason::Checkmate));
        for name in ["english-draughts", "amazons", "konane"] {
            assert_eq!(reason(name), Some(EndReason::NoMoves), "{name}");
        }
        for name in ["hex", "gomoku", "breakthrough", "go", "reversi", "tablut"] {
            assert_eq!(reason(name), None, "{name}");
        }
        assert_eq!(EndReason::NoMoves.words("red"), "red had no move left");
        assert_eq!(EndReason::Row(4).words("red"), "four in a row");
    }

    #[test]
    fn a_row_of_discs_on_stacks_is_upright_level_or_slanted() {
        let row = |green: &[&str]| decided("connect-four", green, &["b1", "c1", "d1"]);
        assert_eq!(row(&["a4", "a1", "a2", "a3"]), ["a1", "a2", "a3", "a4"]);
        assert_eq!(row(&["c2", "a2", "b2", "d2"]), ["a2", "b2", "c2", "d2"]);
        assert_eq!(row(&["d4", "a1", "b2", "c3"]), ["a1", "b2", "c3", "d4"]);
        assert!(row(&["a4", "a2", "a3"]).is_empty());
        // A line does not wrap around the edge.
        assert!(row(&["g1", "f1", "a2", "b2"]).is_empty());
    }
}

//! The pieces that decided a game: the row of Gomoku, the chain of Hex.
//!
//! They form the line, connection or loop that the text asks for and that the last move
//! completed.
//!
//! Invariants: they all have one colour, and the last move is one of them; a game that
//! ended in another way has none.

use std::collections::BTreeSet;

use firmware_core::cartridge::LayoutGame;
use ludemes::layout::{Direction, Radial, Radials, Sites};
use ludemes::tree::{Kind, Node};
use protocol::{Colour, Frame, Point};

use super::TextGame;
use crate::places::{PitchSpot, Places};

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

/// The points whose pieces decided the game, given its lights and last move; empty if
/// there are none.
#[must_use]
pub fn deciding_points(game: &TextGame, frame: &Frame, last: Point) -> Vec<Point> {
    let drawing = game.layout.drawing();
    let on_board = drawing
        .as_ref()
        .and_then(|known| LayoutGame::looked_through(known.as_drawing()));
    let Some(on_board) = on_board else {
        return Vec::new();
    };
    let sites = &game.compiled.board;
    let points: Vec<Option<Point>> = (0..sites.len())
        .map(|site| {
            i16::try_from(site)
                .ok()
                .and_then(|site| on_board.point(site))
        })
        .collect();
    let of = frame.points.get(last);
    if of == Colour::OFF {
        return Vec::new();
    }
    let rules = game.compiled.endings.iter();
    let asked: Vec<Question> = rules
        .flat_map(|ending| ending.rule.all())
        .filter_map(asked)
        .collect();
    for asked in &asked {
        if let Question::LineOfLevels(length) = *asked {
            return lines_of_levels(game, frame, last, length);
        }
    }
    let is_own = |site: usize| {
        let point = points.get(site).copied().flatten();
        point.is_some_and(|point| frame.points.get(point) == of)
    };
    let Some(site) = points.iter().position(|point| *point == Some(last)) else {
        return Vec::new();
    };
    let mut found = BTreeSet::new();
    for asked in &asked {
        if let Question::Line(line) = *asked {
            found.extend(lines(sites, site, line, is_own));
        }
    }
    if found.is_empty() && asked.contains(&Question::Chain) {
        found = chain(sites, site, is_own);
    }
    let points = found.into_iter().filter_map(|site| points[site]);
    points.collect()
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

/// The points of lines over the levels of stacks, through a point. A board shows levels
/// one above the other and stacks side by side, so these are lines on its grid.
fn lines_of_levels(game: &TextGame, frame: &Frame, last: Point, length: usize) -> Vec<Point> {
    let places = Places::new(*game.layout);
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
    let mut found = BTreeSet::new();
    for way in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]] {
        let mut line = run(way);
        line.extend(run(way.map(|step| -step)));
        if line.len() + 1 >= length {
            found.extend(line);
            found.insert(last);
        }
    }
    found.into_iter().collect()
}

/// The sites of the lines through a site.
fn lines(
    sites: &Sites,
    site: usize,
    line: Line,
    is_own: impl Fn(usize) -> bool,
) -> BTreeSet<usize> {
    let radials: &Radials = sites.all_radials(site);
    let run = |radial: &Radial| -> Vec<usize> {
        let own = radial.sites.iter().copied();
        own.take_while(|site| is_own(*site)).collect()
    };
    let mut found = BTreeSet::new();
    for radial in radials.of(line.directions) {
        let opposites = radial
            .opposites
            .iter()
            .filter_map(|other| radials.all().get(*other));
        let behind = opposites.map(run).max_by_key(Vec::len).unwrap_or_default();
        let ahead = run(radial);
        let length = 1 + ahead.len() + behind.len();
        if length == line.length || length > line.length && !line.is_exact {
            found.extend([site]);
            found.extend(ahead);
            found.extend(behind);
        }
    }
    found
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
        let points = deciding_points(&game, &frame, last);
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

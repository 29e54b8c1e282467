//! The effect of a touch, tried on a copy of the board: the stone that it would place and
//! those that it would turn over, the pieces that it would capture, or where the piece
//! that it would pick up may go.
//!
//! ```text
//! Reversi, d7:   a green stone on d7; d6 would turn
//! draughts, f4:  the man may go to h6, and would take the one on g5
//! ```
//!
//! Invariants: the board itself is not changed; nothing is revealed that only the touch may
//! uncover, such as a hidden point of FindThem; only a move or a part of one has a preview.

use std::collections::{BTreeMap, BTreeSet};

use firmware_core::AnyBoard;
use firmware_core::cartridge::bytes::flag;
use firmware_core::game::Service;
use protocol::{Colour, Event, Frame, Input, Point, Rhythm, Side};

use crate::games;
use crate::pieces::Pieces;
use crate::pieces::figures::{Figure, Tint};
use crate::standing;

/// The maximum time to find where a piece may go, in ticks.
const SETTLES_MS: u64 = 200;

/// The effect that a touch would have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// The side to which the touch would belong.
    pub side: Option<Side>,
    /// The points on which something would be placed.
    pub placed: Vec<Point>,
    /// The pieces that would be placed, in a game with pieces.
    pub figures: Vec<(Point, Figure)>,
    /// The stones that would be turned over.
    pub turned: Vec<Point>,
    /// The pieces that would be captured.
    pub taken: Vec<Point>,
    /// Where the piece may go that would be picked up.
    pub goes_to: Vec<Point>,
    /// Where the move leads besides, as the end of a sentence: `sends red to block b3`.
    pub leads_to: Option<String>,
}

/// What is on a point: a piece, in a game with pieces, or else a light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    Piece(Figure),
    Light(Colour),
}

/// The effect of a touch of this point. `None` if it is neither a move nor a part of one,
/// or if it would reveal what players must not know yet.
#[must_use]
pub fn of(board: &AnyBoard, point: Point) -> Option<Preview> {
    let status = board.status();
    let guide = games::guide(status.settings.game);
    let shows_hidden = guide.touch_shows_what_is_hidden() || guide.is_in_real_time();
    let is_free = !standing::is_boards_turn(&status) && !board.is_settling();
    if shows_hidden || !is_free || !is_move(board, point) || has_chance(board) {
        return None;
    }
    let before = things(board);
    let mut after = board.clone();
    let mut side = None;
    let mut is_part = false;
    after.input(Input::Touch(point), &mut |_, event| match event {
        Event::Move { side: by, .. } => side = Some(by),
        Event::Part { side: by, .. } => (side, is_part) = (Some(by), true),
        _ => {}
    });
    let side = side?;
    if is_part {
        settle(&mut after);
        let goes_to = destinations(&after);
        return Some(Preview {
            side: Some(side),
            goes_to,
            ..Preview::default()
        });
    }
    Some(Preview {
        leads_to: guide.leads_to(board, point),
        ..difference(side, point, &before, &things(&after))
    })
}

/// The effect of the move that touches `from` and then `to`.
#[must_use]
pub fn of_both(board: &AnyBoard, from: Point, to: Point) -> Option<Preview> {
    let mut picked = board.clone();
    picked.input(Input::Touch(from), &mut |_, _| ());
    settle(&mut picked);
    of(&picked, to)
}

/// The points where the picked-up piece may go; empty if no piece is picked up.
#[must_use]
pub fn destinations(board: &AnyBoard) -> Vec<Point> {
    let legal = board.legal_points();
    let pieces = games::pieces(board);
    destinations_among(
        &legal,
        board.frame(),
        pieces.as_ref(),
        board.settings().game,
    )
}

/// The same for what is seen of a board: its legal points, its lights and its pieces.
///
/// A game tells the destinations by a rhythm. While the legal points flash after a
/// refused touch all of them have another one, and those count that have no piece of
/// the same side.
#[must_use]
pub fn destinations_among(
    legal: &[Point],
    frame: &Frame,
    pieces: Option<&Pieces>,
    game: u8,
) -> Vec<Point> {
    let figures = pieces.map_or(&[][..], |pieces| &pieces.figures);
    let Some((held, figure)) = figures.iter().find(|(_, figure)| figure.is_held) else {
        return Vec::new();
    };
    let rhythms = games::guide(game).rhythms_of_destinations();
    let is_own = |point: &Point| {
        let mut there = figures.iter().filter(|(at, _)| at == point);
        there.any(|(_, other)| other.tint == figure.tint)
    };
    let others = || legal.iter().copied().filter(|point| point != held);
    let rhythm = |point: &Point| frame.light(*point).rhythm();
    let flash = [Rhythm::Fast, Rhythm::Marked];
    match others().all(|point| flash.contains(&rhythm(&point))) {
        true => others().filter(|point| !is_own(point)).collect(),
        false => others()
            .filter(|point| rhythms.contains(&rhythm(point)))
            .collect(),
    }
}

/// Lets the board find everything that may be touched next.
fn settle(board: &mut AnyBoard) {
    board.advance(1, &mut |_, _| ());
    for _ in 1..SETTLES_MS {
        if !board.is_settling() {
            return;
        }
        board.advance(1, &mut |_, _| ());
    }
}

/// True for a legal point that is not a service.
fn is_move(board: &AnyBoard, point: Point) -> bool {
    let mut is_legal = false;
    board.legal(|legal| is_legal |= legal == point);
    let mut is_service = false;
    for service in Service::ALL {
        board.service(service, |of_service| is_service |= of_service == point);
    }
    is_legal && !is_service
}

/// True if the game is a text whose moves use random numbers.
fn has_chance(board: &AnyBoard) -> bool {
    let known = board.layout().drawing();
    let own = known.as_ref().and_then(ludemes::shown::game_of);
    board.written().is_some() && own.is_some_and(|game| game.cartridge.is(flag::CHANCE))
}

fn things(board: &AnyBoard) -> BTreeMap<Point, Thing> {
    if let Some(pieces) = games::pieces(board).filter(|pieces| !pieces.figures.is_empty()) {
        let put_down = |figure: Figure| Figure {
            is_held: false,
            ..figure
        };
        let figures = pieces.figures.into_iter();
        return figures
            .map(|(point, figure)| (point, Thing::Piece(put_down(figure))))
            .collect();
    }
    let frame = board.frame();
    let legal = board.legal_points();
    // After a refused touch the legal points flash, although most of them are dark.
    let flashes =
        |point: &Point| legal.contains(point) && frame.light(*point).rhythm() == Rhythm::Fast;
    // Other colours are no stones: white cells of TicDabToe say where to play.
    let sides = Side::BOTH.map(Colour::from);
    let is_stone = |point: &Point| sides.contains(&frame.points.get(*point));
    let lit = board.layout().iter();
    let lit = lit.filter(|point| is_stone(point) && !flashes(point));
    lit.map(|point| (point, Thing::Light(frame.points.get(point))))
        .collect()
}

fn difference(
    side: Side,
    touched: Point,
    before: &BTreeMap<Point, Thing>,
    after: &BTreeMap<Point, Thing>,
) -> Preview {
    let mut preview = Preview {
        side: Some(side),
        ..Preview::default()
    };
    let is_own = |thing: &Thing| match thing {
        Thing::Piece(figure) => figure.tint == Tint::Side(side),
        Thing::Light(colour) => *colour == Colour::from(side),
    };
    let points: BTreeSet<Point> = before.keys().chain(after.keys()).copied().collect();
    for point in points {
        let (old, new) = (before.get(&point), after.get(&point));
        if let (true, Some(Thing::Piece(figure))) = (old != new, new)
            && (old.is_none() || point == touched)
        {
            preview.figures.push((point, *figure));
        }
        match (old, new) {
            (None, Some(_)) => preview.placed.push(point),
            // A piece that moves leaves its point.
            (Some(old), None) if is_own(old) => {}
            (Some(_), None) => preview.taken.push(point),
            (Some(old), Some(new)) if old != new && point == touched => {
                preview.placed.push(point);
                if !is_own(old) && is_own(new) {
                    preview.taken.push(point);
                }
            }
            (Some(old), Some(new)) if is_own(old) != is_own(new) => preview.turned.push(point),
            _ => {}
        }
    }
    preview
}

#[cfg(test)]
mod tests;

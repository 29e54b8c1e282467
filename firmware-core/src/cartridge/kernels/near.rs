//! Where pieces stand that may come to one site.
//!
//! Who asks whether a site is threatened asks of one site alone, and of most pieces
//! it can be seen at once that they do not come there: what steps and slides comes
//! along a line on which nothing else stands. So the first piece on each way back
//! from the site is all that has to be looked at.
//!
//! What always holds: a kind that is said to go along lines has no move to a site
//! from any piece that is not [near](Machine::near) it.

use protocol::Point;

use crate::points::Points;

use super::super::bytes::Cartridge;
use super::super::machine::Machine;
use super::super::notes::Shifts;
use super::super::op::{NOTHING, Op, place};
use super::super::span::Span;

/// How many nodes of the moves of a piece are looked into. What several take is looked
/// into as often, so it is the nodes that are counted, and not how deep they lie.
const MOST_NODES: u8 = 16;

/// The kinds of pieces, a bit each, that step and slide and do nothing else: as they
/// move, and as they do in the sight of a threat. Kinds whose number is too high for a
/// bit are not among them, and none is on a board with a way whose steps differ in
/// length.
pub(in crate::cartridge) fn kinds_on_lines<W: Span>(
    game: &Cartridge<'_>,
    shifts: &Shifts<W>,
) -> [u32; 2] {
    let mut ways = (0..game.ways()).filter_map(|way| shifts.get(way));
    if !ways.all(|shift| shift.by != 0 || shift.from.is_empty()) {
        return [0; 2];
    }
    let mut kinds = [0; 2];
    for what in 1..game.pieces().min(u32::BITS as usize) {
        let moves = game.piece(what as u8).moves;
        for (kinds, moves) in kinds.iter_mut().zip(moves) {
            *kinds |= u32::from(goes_on_lines(game, moves, &mut { MOST_NODES })) << what;
        }
    }
    kinds
}

/// True if all moves of a node are steps and slides of the piece that is looked at.
fn goes_on_lines(game: &Cartridge<'_>, at: u16, left: &mut u8) -> bool {
    if at == NOTHING {
        return true;
    }
    let Some(rest) = left.checked_sub(1) else {
        return false;
    };
    *left = rest;
    let [number, x] = game.program(at).to_le_bytes();
    let operand = |place| game.operand(at, place);
    let goes = |place| goes_on_lines(game, operand(place), left);
    match Op::of(number) {
        Some(Op::None) => true,
        Some(op) if let Some(mut moves) = op.hands_on(x) => moves.all(goes),
        Some(Op::Step) => is(game, operand(place::Step::FROM), Op::From),
        Some(Op::Slide) => {
            is(game, operand(place::Slide::FROM), Op::From)
                && passes_empty(game, operand(place::Slide::PASSES))
        }
        _ => false,
    }
}

/// True if what a slide may pass is empty sites alone, as it is where nothing is said.
fn passes_empty(game: &Cartridge<'_>, at: u16) -> bool {
    if at == NOTHING {
        return true;
    }
    let truth = match is(game, at, Op::Everywhere) {
        true => game.operand(at, place::Everywhere::CONDITION),
        false => at,
    };
    let site = game.operand(truth, place::IsEmpty::SITE);
    is(game, truth, Op::IsEmpty) && (is(game, site, Op::To) || is(game, site, Op::Between))
}

fn is(game: &Cartridge<'_>, at: u16, op: Op) -> bool {
    let [number, _] = game.program(at).to_le_bytes();
    number == op as u8
}

impl<W: Span> Machine<'_, W> {
    /// The first piece on each way back from a site: all that comes there along a line
    /// is one of them.
    #[inline(never)]
    pub(super) fn near(&self, target: u8) -> Points<W> {
        let occupied = self.state.occupied();
        let mut near = Points::NONE;
        for shift in (0..self.game.ways()).filter_map(|way| self.shifts.get(way)) {
            let mut front = shift.back_from(Points::one(Point(target)));
            while !front.is_empty() && !front.meets(occupied) {
                front = shift.back_from(front);
            }
            near |= front;
        }
        near
    }
}

//! The ways of a board as shifts that move whole sets of sites.
//!
//! Invariants: the shifts depend only on the bytes of the game.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::bytes::{Cartridge, WAYS};
use super::op::{NOTHING, Op, slot};

/// A way as a shift of a set. On many boards all steps of a way are equally long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift<W> {
    /// The sites that have a step along this way.
    pub from: Points<W>,
    /// The distance of the shift in site numbers; 0 if the steps have different lengths.
    pub by: i16,
    /// True if the opposite way reverses every step of this one.
    pub leads_back: bool,
    /// The opposite way, if there is one.
    pub back: u8,
}

/// The ways of a board as shifts of sets.
#[derive(Copy, Debug, PartialEq)]
pub struct Shifts<W> {
    ways: [Shift<W>; WAYS],
    /// The ways whose steps differ in length, one bit each.
    pub uneven: u32,
    /// The ways that share a step with another way, one bit each.
    pub twins: u32,
    /// The kinds of pieces that only move along lines, one bit each: for play, and
    /// for threats.
    on_lines: [u32; 2],
}

/// Copies the whole table at once instead of way by way.
impl<W: Copy> Clone for Shifts<W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Word> Shifts<W> {
    /// A table without shifts.
    pub const NOTHING: Self = Shifts {
        ways: [Shift {
            from: Points::NONE,
            by: 0,
            leads_back: true,
            back: u8::MAX,
        }; WAYS],
        uneven: u32::MAX,
        twins: 0,
        on_lines: [0; 2],
    };

    /// The shifts of a game's board.
    #[inline(never)]
    #[must_use]
    pub fn of(game: &Cartridge<'_>) -> Self {
        let mut all = Self::NOTHING;
        for (way, shift) in all.ways.iter_mut().enumerate().take(game.ways()) {
            *shift = Shift::of(game, way as u32);
        }
        all.uneven = Shift::ways(&all.ways, |shift| shift.by == 0);
        all.twins = Shift::<W>::twins(game);
        all.on_lines = kinds_on_lines(game, &all);
        all
    }

    /// True if a kind of piece only moves along lines.
    pub(super) fn is_on_lines(&self, what: u8, column: usize) -> bool {
        let kinds = self.on_lines.get(column).copied().unwrap_or(0);
        kinds.checked_shr(what.into()).unwrap_or(0) & 1 != 0
    }

    /// The shift for a direction, if there is one.
    #[inline]
    #[must_use]
    pub fn get(&self, way: usize) -> Option<&Shift<W>> {
        // The index is always in range; the `%` makes that known to the compiler.
        self.ways.get(way % WAYS)
    }
}

/// Defines a step of sets. The instruction for each word width is chosen once.
macro_rules! lead {
    ($shift:expr, $step:ident, $made:expr) => {{
        const SHORT: i16 = crate::word::SHORT as i16;
        const MINUS: i16 = -SHORT;
        let by = usize::from($shift.by.unsigned_abs());
        match $shift.by {
            0 => Points::NONE,
            SHORT.. => {
                let $step = |set: Points<W>| Points(set.0.up(by));
                $made
            }
            1.. => {
                let $step = |set: Points<W>| Points(set.0.up_short(by));
                $made
            }
            ..=MINUS => {
                let $step = |set: Points<W>| Points(set.0.down(by));
                $made
            }
            _ => {
                let $step = |set: Points<W>| Points(set.0.down_short(by));
                $made
            }
        }
    }};
}

impl<W: Word> Shift<W> {
    /// The sites that one step reaches from a set, if all steps are equally long; none if
    /// they are not.
    #[inline]
    pub(super) fn on(&self, set: Points<W>) -> Points<W> {
        let from = set & self.from;
        lead!(self, step, step(from))
    }

    /// The sites of `within` that are reached from `from` in one or more steps without
    /// leaving `within` and without continuing from `stop`. All steps must be equally
    /// long.
    #[inline]
    pub(super) fn sweep(&self, from: Points<W>, within: Points<W>, stop: Points<W>) -> Points<W> {
        let goes_on = self.from.without(stop);
        lead!(self, step, {
            let (mut front, mut all) = (from & self.from, Points::NONE);
            while !front.is_empty() {
                let reached = step(front) & within;
                all |= reached;
                front = reached & goes_on;
            }
            all
        })
    }

    /// The sites from which one step leads into a set, if all steps are equally long;
    /// none if they are not.
    #[inline]
    pub(super) fn back_from(&self, set: Points<W>) -> Points<W> {
        let by = usize::from(self.by.unsigned_abs());
        let back = match self.by {
            0 => W::ZERO,
            1.. => set.0.down(by),
            _ => set.0.up(by),
        };
        Points(back) & self.from
    }

    /// The steps of a way.
    fn of(game: &Cartridge<'_>, way: u32) -> Self {
        let mut from = Points::NONE;
        let mut by = None;
        for site in 0..game.board() {
            let Some(next) = game.step(site as u8, way) else {
                continue;
            };
            let step = i16::from(next) - site as i16;
            let same = by.is_none_or(|by| by == step);
            by = Some(if same { step } else { 0 });
            from.insert(Point(site as u8));
        }
        // If the opposite of a way differs from site to site, the table is longer.
        let is_one = game.table(0).len() == game.ways();
        let back = game.entry(0, way as i32).filter(|_| is_one);
        let back = back.and_then(|back| u8::try_from(back).ok());
        let back = back.unwrap_or(u8::MAX);
        let leads_back = (0..game.board()).all(|site| {
            let next = game.step(site as u8, way);
            next.is_none_or(|next| game.step(next, back.into()) == Some(site as u8))
        });
        Shift {
            from,
            by: by.unwrap_or(0),
            leads_back,
            back,
        }
    }

    /// The ways that share a step with another way, one bit each.
    pub(super) fn twins(game: &Cartridge<'_>) -> u32 {
        let mut twins = 0;
        for site in 0..game.board() {
            let ways = 0..game.ways() as u32;
            let next = |way: &u32| game.step(site as u8, *way);
            let mut seen = Points::<W>::NONE;
            for way in ways.clone() {
                let Some(to) = next(&way) else { continue };
                if seen.has(Point(to)) {
                    let same = ways.clone().filter(|way| next(way) == Some(to));
                    twins |= same.fold(0, |same, way| same | 1 << way);
                }
                seen.insert(Point(to));
            }
        }
        twins
    }

    /// The ways that satisfy a condition, one bit each.
    pub(super) fn ways(all: &[Self], is_one: impl Fn(&Self) -> bool) -> u32 {
        let ways = all.iter().enumerate();
        let ways = ways.filter(|(_, shift)| is_one(shift));
        ways.fold(0, |ways, (way, _)| ways | 1 << way)
    }
}

/// The maximum number of nodes of a piece's moves that are examined. A shared node is
/// examined each time, so the limit applies to nodes, not to depth.
const MOST_NODES: u8 = 16;

/// The kinds of pieces that do nothing but step and slide, one bit each: for play, and
/// for threats. Kinds whose number is too high for a bit are left out. The sets are empty
/// on a board with a way whose steps have different lengths.
fn kinds_on_lines<W: Word>(game: &Cartridge<'_>, shifts: &Shifts<W>) -> [u32; 2] {
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

/// True if all moves of a node are steps and slides of the current piece.
fn goes_on_lines(game: &Cartridge<'_>, at: u16, left: &mut u8) -> bool {
    if at == NOTHING {
        return true;
    }
    let Some(rest) = left.checked_sub(1) else {
        return false;
    };
    *left = rest;
    let [number, extra] = game.program(at).to_le_bytes();
    let operand = |slot| game.operand(at, slot);
    let goes = |place| goes_on_lines(game, operand(place), left);
    match Op::of(number) {
        Some(Op::None) => true,
        Some(op) if let Some(mut moves) = op.hands_on(extra) => moves.all(goes),
        Some(Op::Step) => is(game, operand(slot::Step::FROM), Op::From),
        Some(Op::Slide) => {
            is(game, operand(slot::Slide::FROM), Op::From)
                && passes_empty(game, operand(slot::Slide::PASSES))
        }
        _ => false,
    }
}

/// True if a slide only passes empty sites, which is the default.
fn passes_empty(game: &Cartridge<'_>, at: u16) -> bool {
    if at == NOTHING {
        return true;
    }
    let truth = match is(game, at, Op::Everywhere) {
        true => game.operand(at, slot::Everywhere::CONDITION),
        false => at,
    };
    let site = game.operand(truth, slot::IsEmpty::SITE);
    is(game, truth, Op::IsEmpty) && (is(game, site, Op::To) || is(game, site, Op::Between))
}

fn is(game: &Cartridge<'_>, at: u16, op: Op) -> bool {
    let [number, _] = game.program(at).to_le_bytes();
    number == op as u8
}

//! The value of a position for a side: how far both sides are from connection, which
//! pieces are pinned, and which single pieces can be hit.

use protocol::Side;

use super::pile::Pile;
use super::position::Position;
use super::variant::{MalakaPoint, Variant};

/// The value of a won game.
pub const WON: i32 = 30_000;

/// The value of a step by one point.
const POINT: i32 = 8;
/// The value of pinning a piece, and of each point that the piece still has to go.
const PIN: i32 = 60;
const PIN_POINT: i32 = 4;
/// The loss if a single piece is hit: it has to wait, or is killed.
const HIT: i32 = 44;
/// The loss if a piece is hit on its home edge, which loses the game.
const HIT_AT_HOME: i32 = 1_200;
/// The value of a block that the other side still has to pass.
const BLOCK: i32 = 6;

/// How much of a position the evaluation considers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationScope {
    /// The distances to connection, and who has won.
    Way,
    /// The evaluation also considers pins.
    Pins,
    /// The evaluation also considers which single pieces can be hit.
    Dangers,
}

/// The factor by which a danger is reduced if the side may avert it by moving first.
const MOVES_FIRST: i32 = 4;

/// The value of a position for this side, which has just moved.
pub fn evaluate(position: &Position, side: Side, sight: EvaluationScope) -> i32 {
    let worth = |side: Side, part: i32| worth_of(position, side, sight, part);
    match (worth(side, 1), worth(side.other(), MOVES_FIRST)) {
        (None, _) => WON,
        (_, None) => -WON,
        (Some(own), Some(other)) => own - other,
    }
}

/// The value of a side's pieces; `None` if it has won. Dangers are divided by `part`.
fn worth_of(position: &Position, side: Side, sight: EvaluationScope, part: i32) -> Option<i32> {
    let variant = position.variant();
    let (mut way, mut is_at_edge, mut pins) = (0, false, 0);
    for (place, pile) in position.piles() {
        let count = pile.count_of(side);
        if count > 0 {
            is_at_edge |= variant.is_home_edge(side.other(), place);
            way += i32::from(count) * i32::from(variant.distance(side, place));
        }
        if pile.side == side && pile.pins {
            if variant.is_home_edge(side.other(), place) {
                return None;
            }
            let left = i32::from(variant.distance(side.other(), place));
            pins += PIN + PIN_POINT * left;
        }
    }
    if is_at_edge {
        way = position.distance(side).into();
    }
    if way == 0 {
        return None;
    }
    let worth = match sight {
        EvaluationScope::Way => 0,
        EvaluationScope::Pins => pins,
        EvaluationScope::Dangers => pins - dangers(position, side, part),
    };
    Some(worth - way * POINT)
}

/// The expected losses of a side's single pieces, less the value of its blocks.
fn dangers(position: &Position, side: Side, part: i32) -> i32 {
    let variant = position.variant();
    let sides = variant.die_sides();
    let all = i32::from(sides) * i32::from(sides);
    let mut lost = 0;
    for (place, pile) in position.piles() {
        if pile.side != side {
            continue;
        }
        if pile.is_block() {
            let left = variant.distance(side.other(), place);
            // The block is ahead of pieces that still have to pass it.
            lost -= if left > 0 { BLOCK } else { 0 };
            continue;
        }
        let safe = i32::from(sides) - faces_that_hit(position, variant, side, place);
        let hit = match variant.is_home_edge(side, place) {
            true => HIT_AT_HOME,
            false => HIT + PIN_POINT * i32::from(variant.distance(side, place)),
        };
        let rolls_that_hit = all - (safe * safe);
        lost += (hit * rolls_that_hit) / (all * part);
    }
    lost
}

/// The number of faces with which one die hits a single piece here.
fn faces_that_hit(position: &Position, variant: Variant, side: Side, place: MalakaPoint) -> i32 {
    let enemy = side.other();
    let is_enemy = |pile: Option<Pile>| pile.is_some_and(|pile| pile.side == enemy);
    let mut faces = 0;
    for pips in 1..=variant.die_sides() {
        let mut from = variant.around(place, pips);
        let hits = from.any(|from| {
            is_enemy(position.pile(from))
                && (variant.forward(enemy, from, pips) == Some(place)
                    || variant.over_wall(enemy, from, pips) == Some(place))
        });
        faces += i32::from(hits);
    }
    faces
}

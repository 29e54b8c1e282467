//! The motions of pieces, derived from the board before and after: which moved, arrived,
//! were taken, or turned over.
//!
//! Invariants: each piece that appeared or disappeared is in exactly one motion.

use std::collections::BTreeMap;

use protocol::Point;
use touchboard_host::pieces::figures::{PieceStyle, Tint};

use super::kit::StackLevel;

/// The pieces on each point, from the lowest up.
pub type Stacks = BTreeMap<Point, Vec<StackLevel>>;

/// A piece at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedPiece {
    /// The point that it is on.
    pub point: Point,
    /// The number of pieces below it.
    pub level: usize,
    /// The piece and its height.
    pub piece: StackLevel,
}

/// The motion of a piece between two positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PieceMotion {
    /// The piece moved from the first place to the second, possibly with a new look.
    Went(PlacedPiece, PlacedPiece),
    /// The piece came from outside the board.
    Came(PlacedPiece),
    /// The piece was taken off the board.
    Left(PlacedPiece),
    /// The piece changed its owner or kind.
    Turned(PlacedPiece, PlacedPiece),
}

/// The motions from `before` to `after`; `far` gives the distance of two points.
#[must_use]
pub fn deeds(
    before: &Stacks,
    after: &Stacks,
    far: impl Fn(Point, Point) -> f32,
) -> Vec<PieceMotion> {
    let mut deeds = Vec::new();
    let (mut lost, mut gained): (Vec<PlacedPiece>, Vec<PlacedPiece>) = (Vec::new(), Vec::new());
    let mut points: Vec<Point> = before.keys().chain(after.keys()).copied().collect();
    points.sort_unstable();
    points.dedup();
    for point in points {
        let [old, new] = [before, after].map(|stacks| {
            let stack = stacks.get(&point);
            stack.map_or(&[][..], Vec::as_slice)
        });
        let (old, new) = (placed(point, old), placed(point, new));
        let is_alike =
            |(one, other): (&PlacedPiece, &PlacedPiece)| one.piece.look == other.piece.look;
        if old.len() == new.len() && old.len() == 1 && old != new && is_alike((&old[0], &new[0])) {
            deeds.push(match old[0].piece.tint == new[0].piece.tint {
                // The piece was picked up, or put down again.
                true => PieceMotion::Went(old[0], new[0]),
                false => PieceMotion::Turned(old[0], new[0]),
            });
            continue;
        }
        let same = old.iter().zip(&new).take_while(|(one, other)| one == other);
        let same = same.count();
        lost.extend(&old[same..]);
        gained.extend(&new[same..]);
    }
    // A capture looks like a turn if the captured piece was similar: the capturing piece
    // is the one that left somewhere else.
    for index in (0..deeds.len()).rev() {
        let PieceMotion::Turned(old, new) = deeds[index] else {
            continue;
        };
        if lost.iter().any(|piece| kind(piece) == kind(&new)) {
            deeds.remove(index);
            lost.push(old);
            gained.push(new);
        }
    }
    let by_kind = |one: &PlacedPiece, other: &PlacedPiece| kind(one) == kind(other);
    // A pawn that is promoted keeps its colour.
    let by_tint = |one: &PlacedPiece, other: &PlacedPiece| one.piece.tint == other.piece.tint;
    pair(&mut lost, &mut gained, &mut deeds, &far, by_kind);
    pair(&mut lost, &mut gained, &mut deeds, &far, by_tint);
    deeds.extend(lost.into_iter().map(PieceMotion::Left));
    deeds.extend(gained.into_iter().map(PieceMotion::Came));
    deeds
}

/// The pieces of a stack with their places.
fn placed(point: Point, stack: &[StackLevel]) -> Vec<PlacedPiece> {
    let levels = stack.iter().enumerate();
    levels
        .map(|(level, piece)| PlacedPiece {
            point,
            level,
            piece: *piece,
        })
        .collect()
}

fn kind(piece: &PlacedPiece) -> (PieceStyle, Tint) {
    (piece.piece.look, piece.piece.tint)
}

/// Pairs lost and gained pieces that are the same piece, nearest first.
fn pair(
    lost: &mut Vec<PlacedPiece>,
    gained: &mut Vec<PlacedPiece>,
    deeds: &mut Vec<PieceMotion>,
    far: &impl Fn(Point, Point) -> f32,
    is_same: impl Fn(&PlacedPiece, &PlacedPiece) -> bool,
) {
    loop {
        let from_all = lost.iter().enumerate();
        let pairs = from_all.flat_map(|(from, one)| {
            let to_all = gained.iter().enumerate();
            let alike = to_all.filter(|(_, other)| is_same(one, other));
            alike
                .map(|(to, other)| (from, to, far(one.point, other.point)))
                .collect::<Vec<_>>()
        });
        let Some((from, to, _)) = pairs.min_by(|one, other| one.2.total_cmp(&other.2)) else {
            return;
        };
        let (from, to) = (lost.swap_remove(from), gained.swap_remove(to));
        deeds.push(PieceMotion::Went(from, to));
    }
}

#[cfg(test)]
mod tests {
    use protocol::Side;
    use touchboard_host::pieces::figures::PieceShape;

    use super::*;

    const GREEN: Tint = Tint::Side(Side::Green);
    const RED: Tint = Tint::Side(Side::Red);

    fn stacks(all: &[(u8, &[(PieceShape, Tint)])]) -> Stacks {
        let stack = |pieces: &[(PieceShape, Tint)]| {
            let levels = pieces.iter().enumerate();
            levels
                .map(|(level, (form, tint))| StackLevel {
                    look: PieceStyle::of(*form),
                    tint: *tint,
                    lift: level as f32,
                })
                .collect()
        };
        let all = all.iter();
        all.map(|(point, pieces)| (Point(*point), stack(pieces)))
            .collect()
    }

    /// All motions as text.
    fn happened(
        before: &[(u8, &[(PieceShape, Tint)])],
        after: &[(u8, &[(PieceShape, Tint)])],
    ) -> Vec<String> {
        let far = |one: Point, other: Point| f32::from(one.0.abs_diff(other.0));
        let deeds = deeds(&stacks(before), &stacks(after), far);
        let mut said: Vec<String> = deeds
            .iter()
            .map(|deed| match deed {
                PieceMotion::Went(from, to) => format!(
                    "{:?} went {} {}",
                    to.piece.look.form, from.point.0, to.point.0
                ),
                PieceMotion::Came(at) => format!("{:?} came {}", at.piece.look.form, at.point.0),
                PieceMotion::Left(at) => format!("{:?} left {}", at.piece.look.form, at.point.0),
                PieceMotion::Turned(_, at) => {
                    format!("{:?} turned {}", at.piece.look.form, at.point.0)
                }
            })
            .collect();
        said.sort();
        said
    }

    #[test]
    fn a_capturing_piece_moves_and_the_captured_one_leaves() {
        use PieceShape::{Knight, Pawn};
        let before: &[(u8, &[_])] = &[(1, &[(Knight, GREEN)]), (5, &[(Pawn, RED)])];
        let after: &[(u8, &[_])] = &[(5, &[(Knight, GREEN)])];
        assert_eq!(happened(before, after), ["Knight went 1 5", "Pawn left 5"]);
    }

    #[test]
    fn a_pawn_that_captures_a_pawn_moves() {
        use PieceShape::Pawn;
        let before: &[(u8, &[_])] = &[(1, &[(Pawn, GREEN)]), (2, &[(Pawn, RED)])];
        let after: &[(u8, &[_])] = &[(2, &[(Pawn, GREEN)])];
        assert_eq!(happened(before, after), ["Pawn left 2", "Pawn went 1 2"]);
    }

    #[test]
    fn castling_moves_king_and_rook() {
        use PieceShape::{King, Rook};
        let before: &[(u8, &[_])] = &[(4, &[(King, GREEN)]), (7, &[(Rook, GREEN)])];
        let after: &[(u8, &[_])] = &[(6, &[(King, GREEN)]), (5, &[(Rook, GREEN)])];
        assert_eq!(happened(before, after), ["King went 4 6", "Rook went 7 5"]);
    }

    #[test]
    fn a_promoted_pawn_moves_as_a_queen() {
        use PieceShape::{Pawn, Queen};
        let before: &[(u8, &[_])] = &[(4, &[(Pawn, GREEN)])];
        let after: &[(u8, &[_])] = &[(5, &[(Queen, GREEN)])];
        assert_eq!(happened(before, after), ["Queen went 4 5"]);
    }

    #[test]
    fn stones_appear_turn_and_leave() {
        use PieceShape::Stone;
        let before: &[(u8, &[_])] = &[(1, &[(Stone, RED)]), (2, &[(Stone, RED)])];
        let after: &[(u8, &[_])] = &[(1, &[(Stone, GREEN)]), (3, &[(Stone, GREEN)])];
        assert_eq!(
            happened(before, after),
            ["Stone came 3", "Stone left 2", "Stone turned 1"]
        );
    }

    #[test]
    fn one_piece_of_a_pile_moves_and_pins_another() {
        use PieceShape::Drum;
        let two: &[_] = &[(Drum, GREEN), (Drum, GREEN)];
        let before: &[(u8, &[_])] = &[(1, two), (4, &[(Drum, RED)])];
        let after: &[(u8, &[_])] = &[(1, &two[..1]), (4, &[(Drum, RED), (Drum, GREEN)])];
        assert_eq!(happened(before, after), ["Drum went 1 4"]);
    }

    #[test]
    fn a_piece_rises_when_picked_up_and_sinks_when_put_down() {
        let lying = stacks(&[(1, &[(PieceShape::Man, GREEN)])]);
        let mut held = lying.clone();
        held.get_mut(&Point(1)).expect("it is there")[0].lift += 0.5;
        let lift = |before: &Stacks, after: &Stacks| match deeds(before, after, |_, _| 0.0)[..] {
            [PieceMotion::Went(from, to)] => to.piece.lift - from.piece.lift,
            ref other => panic!("{other:?}"),
        };
        assert_eq!(lift(&lying, &held), 0.5);
        assert_eq!(lift(&held, &lying), -0.5);
    }

    #[test]
    fn equal_positions_cause_no_motion() {
        let same: &[(u8, &[_])] = &[(1, &[(PieceShape::Man, GREEN)])];
        assert_eq!(happened(same, same), [""; 0]);
    }
}

//! Groups of stones, for the guides of games whose lights are stones.

use firmware_core::AnyBoard;
use protocol::{Point, Side};

use super::{Guide, side_of};

/// The stones on a board whose lights are stones. Legal points that flash after a refused
/// touch do not count as stones.
pub(super) struct Stones<'a> {
    board: &'a AnyBoard,
    legal: Vec<Point>,
}

impl<'a> Stones<'a> {
    /// The stones of a game that is played on dark points; `None` if the board has a
    /// different game, or no side is to move.
    pub(super) fn of(guide: &dyn Guide, board: &'a AnyBoard) -> Option<Self> {
        let is_played = board.settings().game == guide.number() && board.turn().is_some();
        let legal = board.legal_points();
        is_played.then_some(Stones { board, legal })
    }

    /// The side whose stone is on this point.
    pub(super) fn at(&self, point: Point) -> Option<Side> {
        let is_stone = !self.legal.contains(&point);
        side_of(self.board.frame().points.get(point)).filter(|_| is_stone)
    }

    /// The neighbours of this point along the lines.
    pub(super) fn beside(&self, point: Point) -> Vec<Point> {
        let mut all = Vec::new();
        self.board.beside(point, |near| all.push(near));
        all
    }

    /// The group that `side` has, or would have, with a stone on this point, and the dark
    /// points next to it.
    pub(super) fn group(&self, point: Point, side: Side) -> [Vec<Point>; 2] {
        let (mut group, mut free) = (vec![point], Vec::new());
        let mut looked_at = 0;
        while let Some(next) = group.get(looked_at).copied() {
            looked_at += 1;
            for near in self.beside(next) {
                let whole = match self.at(near) {
                    None if near != point => &mut free,
                    Some(other) if other == side => &mut group,
                    _ => continue,
                };
                if !whole.contains(&near) {
                    whole.push(near);
                }
            }
        }
        [group, free]
    }
}

//! Urgent moves next to a stone: captures, rescues, and stones that would be lost at
//! once.

use protocol::Point;

use super::{EMPTY, FRAME, NOWHERE, PlayoutBoard};
use crate::rng::Rng;

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    /// The only liberty of the group of a stone, or [`NOWHERE`] if it has more.
    fn only_liberty(&self, stone: usize) -> u16 {
        // A point next to a group touches at most four of its stones.
        if self.liberties[self.head_at(stone) % CELLS] > 4 {
            return NOWHERE;
        }
        let (mut at, mut found) = (stone, NOWHERE);
        loop {
            self.charge(1);
            for &near in &self.near(at) {
                if self.colour_at(near) == EMPTY && near as u16 != found {
                    if found != NOWHERE {
                        return NOWHERE;
                    }
                    found = near as u16;
                }
            }
            at = usize::from(self.next[at % CELLS]);
            if at == stone {
                return found;
            }
        }
    }

    /// The urgent answer to the last stone: capturing it, or saving what it threatens.
    #[inline(always)]
    pub(super) fn answer(&self, rng: &mut Rng) -> u16 {
        let last = usize::from(self.last);
        if self.last == NOWHERE {
            return NOWHERE;
        }
        let taking = self.only_liberty(last);
        if taking != NOWHERE && self.is_allowed(taking) {
            return taking;
        }
        let near = self.near(last);
        let first = rng.next() as usize;
        for turn in 0..4 {
            let stone = near[(first.wrapping_add(turn)) % 4];
            if self.colour_at(stone) != self.turn as u8 {
                continue;
            }
            let way_out = self.only_liberty(stone);
            if way_out != NOWHERE && self.is_allowed(way_out) && self.leads_out(way_out, stone) {
                return way_out;
            }
        }
        NOWHERE
    }

    /// True if a stone on `cell`, the only liberty of the group of `stone`, gives that
    /// group more than one liberty.
    fn leads_out(&self, cell: u16, stone: usize) -> bool {
        let head = self.head_at(stone);
        let mut free = 0;
        for &near in &self.near(usize::from(cell)) {
            match self.colour_at(near) {
                EMPTY => free += 1,
                FRAME => {}
                // Joining another own group adds its liberties; capturing a hostile one
                // makes room.
                colour if colour == self.turn as u8 => {
                    let brings = self.liberties[self.head_at(near) % CELLS] > 1;
                    free += usize::from(self.head_at(near) != head && brings);
                }
                _ => free += usize::from(self.only_liberty(near) == cell),
            }
        }
        free > 1
    }

    /// The immediate effect of a stone of the side to move on this point: the number of
    /// groups that it captures, and whether it saves an own group.
    #[must_use]
    pub fn urgency(&self, point: Point) -> (u8, bool) {
        let cell = self.cell(point);
        let (mut takes, mut saves) = (0, false);
        for &near in &self.near(cell) {
            let colour = self.colour_at(near);
            if colour >= EMPTY || self.only_liberty(near) != cell as u16 {
                continue;
            }
            if colour == self.turn as u8 {
                saves |= self.leads_out(cell as u16, near);
            } else {
                takes += 1;
            }
        }
        (takes, saves)
    }

    /// True if a stone of the side to move would be captured at once.
    #[must_use]
    pub fn is_in_vain(&self, point: Point) -> bool {
        let cell = self.cell(point);
        let mut free = 0;
        for &near in &self.near(cell) {
            match self.colour_at(near) {
                EMPTY => free += 2,
                FRAME => {}
                colour if colour == self.turn as u8 => {
                    let count = self.liberties[self.head_at(near) % CELLS];
                    free += if count > 2 { 3 } else { 0 };
                }
                _ => {
                    if self.only_liberty(near) == cell as u16 {
                        free += 3;
                    }
                }
            }
        }
        free < 3
    }
}

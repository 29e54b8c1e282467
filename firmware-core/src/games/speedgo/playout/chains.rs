//! Groups of stones as rings, each with a count of its liberties, which are updated with
//! each stone.
//!
//! Invariants: every stone is in the ring of its group and refers to its head; the head
//! stores the number of pairs of a stone of the group and an empty neighbour; every empty
//! cell is in the list of empty cells and stores its index there.

use protocol::Side;

use super::{EMPTY, FRAME, NOWHERE, PlayoutBoard};
use crate::grid::Grid;
use crate::word::Word;

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    /// Builds the groups of the stones, and the list of empty cells.
    pub(super) fn link<W: Word>(&mut self, grid: &Grid<W>) {
        for row in 1..=grid.rows() {
            for cell in row * self.stride + 1..=row * self.stride + self.columns {
                let colour = self.colour_at(cell);
                if colour == EMPTY {
                    self.vacate(cell);
                } else {
                    self.link_stone(cell, colour);
                }
            }
        }
        for place in 0..self.empties {
            for &near in &self.near(usize::from(self.empty[place % CELLS])) {
                if self.colour_at(near) < EMPTY {
                    let liberties = &mut self.liberties[self.head_at(near) % CELLS];
                    *liberties = liberties.wrapping_add(1);
                }
            }
        }
    }

    /// Joins a stone to the groups to its left and above it.
    #[inline(always)]
    fn link_stone(&mut self, cell: usize, colour: u8) {
        self.charge(1);
        self.stones[usize::from(colour & 1)] += 1;
        let [above, left, ..] = self.near(cell);
        let is_joined = self.colour_at(left) == colour;
        if is_joined {
            self.link_to(cell, self.head_at(left));
        }
        if self.colour_at(above) == colour {
            let group = self.head_at(above);
            if is_joined {
                self.join(self.head_at(cell), group);
            } else {
                self.link_to(cell, group);
            }
        } else if !is_joined {
            self.head[cell % CELLS] = cell as u16;
            self.next[cell % CELLS] = cell as u16;
            self.size[cell % CELLS] = 1;
        }
    }

    /// Adds a stone to the ring of a group.
    #[inline(always)]
    fn link_to(&mut self, cell: usize, group: usize) {
        self.head[cell % CELLS] = group as u16;
        self.next[cell % CELLS] = self.next[group % CELLS];
        self.next[group % CELLS] = cell as u16;
        self.size[group % CELLS] = self.size[group % CELLS].saturating_add(1);
    }

    /// Removes the stone from a cell.
    #[inline(always)]
    fn vacate(&mut self, cell: usize) {
        self.colour[cell % CELLS] = EMPTY;
        self.place[cell % CELLS] = self.empties as u16;
        self.empty[self.empties % CELLS] = cell as u16;
        self.empties += 1;
    }

    /// Removes a cell from the list of empty cells.
    #[inline(always)]
    fn occupy(&mut self, cell: usize) {
        self.empties = self.empties.saturating_sub(1);
        let last = self.empty[self.empties % CELLS];
        let place = self.place[cell % CELLS];
        self.empty[usize::from(place) % CELLS] = last;
        self.place[usize::from(last) % CELLS] = place;
    }

    /// Places a stone and removes the stones that it captures. Returns the last captured
    /// cell and the number of captured stones.
    #[inline(always)]
    pub(super) fn set(&mut self, cell: usize, side: Side) -> (u16, u16) {
        let own = side as u8;
        self.charge(3);
        self.occupy(cell);
        self.colour[cell % CELLS] = own;
        self.head[cell % CELLS] = cell as u16;
        self.next[cell % CELLS] = cell as u16;
        self.size[cell % CELLS] = 1;
        self.stones[side.index()] += 1;
        let mut free = 0;
        for &near in &self.near(cell) {
            match self.colour_at(near) {
                EMPTY => free += 1,
                FRAME => {}
                _ => {
                    let count = &mut self.liberties[self.head_at(near) % CELLS];
                    *count = count.wrapping_sub(1);
                }
            }
        }
        self.liberties[cell % CELLS] = free;
        let mut caught = (NOWHERE, 0);
        for &near in &self.near(cell) {
            let colour = self.colour_at(near);
            if colour == own {
                self.join(self.head_at(cell), self.head_at(near));
            } else if colour == own ^ 1 && self.liberties[self.head_at(near) % CELLS] == 0 {
                caught = (near as u16, caught.1 + self.take(near, side.other()));
            }
        }
        caught
    }

    /// Joins two groups.
    #[inline(always)]
    fn join(&mut self, one: usize, other: usize) {
        if one == other {
            return;
        }
        let smaller_first = self.size[one % CELLS] <= self.size[other % CELLS];
        let (from, to) = if smaller_first {
            (one, other)
        } else {
            (other, one)
        };
        let mut stone = from;
        loop {
            self.head[stone % CELLS] = to as u16;
            stone = usize::from(self.next[stone % CELLS]);
            if stone == from {
                break;
            }
        }
        self.next.swap(from % CELLS, to % CELLS);
        self.liberties[to % CELLS] =
            self.liberties[to % CELLS].wrapping_add(self.liberties[from % CELLS]);
        self.size[to % CELLS] = self.size[to % CELLS].saturating_add(self.size[from % CELLS]);
    }

    /// Removes the stones of a group; returns their number.
    fn take(&mut self, first: usize, side: Side) -> u16 {
        let mut count = 0;
        let mut stone = first;
        loop {
            self.charge(1);
            self.vacate(stone);
            for &near in &self.near(stone) {
                if self.colour_at(near) < EMPTY {
                    let liberties = &mut self.liberties[self.head_at(near) % CELLS];
                    *liberties = liberties.wrapping_add(1);
                }
            }
            count += 1;
            stone = usize::from(self.next[stone % CELLS]);
            if stone == first {
                break;
            }
        }
        self.stones[side.index()] = self.stones[side.index()].wrapping_sub(count);
        count
    }

    /// The number of these cells that contain a stone of the group.
    pub(super) fn touching(&self, near: [usize; 4], head: usize) -> usize {
        near.iter()
            .filter(|near| self.colour_at(**near) < EMPTY && self.head_at(**near) == head)
            .count()
    }
}

//! A second, slow implementation of the rules: one letter for each point, a flood fill
//! from each point, all positions stored. The laws compare both implementations.

use std::collections::BTreeSet;
use std::vec::Vec;

use protocol::{Layout, Point, Side};

/// The contents of a point.
pub type Cell = Option<Side>;

/// A game by the slow rules.
#[derive(Clone, Debug)]
pub struct Slow {
    pub layout: Layout,
    pub cells: Vec<Cell>,
    pub earlier: Vec<Vec<Cell>>,
    pub turn: Side,
    pub passes: u32,
}

impl Slow {
    pub fn new(layout: Layout, cells: Vec<Cell>, turn: Side) -> Slow {
        Slow {
            layout,
            cells,
            earlier: Vec::new(),
            turn,
            passes: 0,
        }
    }

    pub fn neighbours(&self, at: usize) -> Vec<usize> {
        let columns = usize::from(self.layout.columns());
        let rows = usize::from(self.layout.rows());
        let (x, y) = (at % columns, at / columns);
        let mut near = Vec::new();
        if x > 0 {
            near.push(at - 1);
        }
        if x + 1 < columns {
            near.push(at + 1);
        }
        if y > 0 {
            near.push(at - columns);
        }
        if y + 1 < rows {
            near.push(at + columns);
        }
        near
    }

    /// The points that are connected with this one and have the same contents, and the
    /// contents of the points around them.
    pub fn flood(&self, start: usize) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let (mut inside, mut around) = (BTreeSet::from([start]), BTreeSet::new());
        let mut todo = Vec::from([start]);
        while let Some(at) = todo.pop() {
            for near in self.neighbours(at) {
                if self.cells[near] != self.cells[start] {
                    around.insert(near);
                } else if inside.insert(near) {
                    todo.push(near);
                }
            }
        }
        (inside, around)
    }

    pub fn has_liberty(&self, at: usize) -> bool {
        let (_, around) = self.flood(at);
        around.into_iter().any(|near| self.cells[near].is_none())
    }

    /// The board after a stone, according to the text: stones of the other side without a
    /// liberty are removed, and then the own group must have one.
    pub fn after(&self, at: usize) -> Option<Slow> {
        if self.cells[at].is_some() {
            return None;
        }
        let mut next = self.clone();
        next.cells[at] = Some(self.turn);
        let taken: Vec<usize> = (0..next.cells.len())
            .filter(|other| next.cells[*other] == Some(self.turn.other()))
            .filter(|other| !next.has_liberty(*other))
            .collect();
        for other in taken {
            next.cells[other] = None;
        }
        if !next.has_liberty(at) {
            return None;
        }
        let came = self.earlier.iter().rev().take(super::REMEMBERED - 1);
        if came.into_iter().any(|earlier| *earlier == next.cells) {
            return None;
        }
        next.earlier.push(self.cells.clone());
        next.turn = self.turn.other();
        next.passes = 0;
        Some(next)
    }

    pub fn legal(&self) -> BTreeSet<Point> {
        (0..self.cells.len())
            .filter(|at| self.after(*at).is_some())
            .map(|at| Point(at as u8))
            .collect()
    }

    /// Passes, and also passes for the other side if it has no move.
    pub fn pass(&mut self) {
        self.passes += 1;
        self.turn = self.turn.other();
    }

    /// The scores that the display shows during the game: the area, but only the
    /// stones for a colour that is alone on the board.
    pub fn score(&self) -> [u16; 2] {
        let stones = Side::BOTH.map(|side| {
            let own = self.cells.iter().filter(|cell| **cell == Some(side));
            own.count() as u16
        });
        if stones.contains(&0) {
            stones
        } else {
            self.count()
        }
    }

    /// Counts the area of each side, point by point.
    pub fn count(&self) -> [u16; 2] {
        let mut count = [0; 2];
        for (at, cell) in self.cells.iter().enumerate() {
            let owner = match cell {
                Some(side) => Some(*side),
                None => {
                    let (_, around) = self.flood(at);
                    let sides: BTreeSet<usize> = around
                        .into_iter()
                        .filter_map(|near| self.cells[near])
                        .map(Side::index)
                        .collect();
                    let only = sides.first().filter(|_| sides.len() == 1);
                    only.map(|side| Side::BOTH[*side])
                }
            };
            if let Some(side) = owner {
                count[side.index()] += 1;
            }
        }
        count
    }
}

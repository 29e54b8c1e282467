//! Connected components of the whole board in one pass.
//!
//! For one group, the flood fill of [`spread`](super::stones::spread) is fastest. For all
//! groups together, this is faster: each point gets the name of its part, and two points
//! are connected if they have the same name. It takes a few thousand instructions of a
//! Cortex-M3, however the stones are arranged.
//!
//! Invariants: a part is named after its smallest point; no index can be out of bounds,
//! because a name is a byte and each array has 256 entries.

use protocol::MAX_POINTS;

use crate::grid::Grid;
use crate::points::Points;
use crate::word::Word;

/// The contents of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// The point has no stone.
    Nothing,
    /// The point has a stone of the side under examination.
    Own,
    /// The point has a stone of the other side.
    Theirs,
}

/// The neighbours that count as connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connectivity {
    /// Neighbours with the same contents: groups of stones, and empty areas.
    Groups,
    /// Neighbours that both have an own stone, or that both have none: groups of own
    /// stones, and the regions between them.
    Regions,
}

/// A board whose parts have been named.
pub struct Groups {
    columns: usize,
    points: usize,
    on: [On; MAX_POINTS],
    names: [u8; MAX_POINTS],
}

/// The distinct names of the groups next to a point. Unused entries contain a name that
/// does not belong to such a group.
pub type Near = [u8; 4];

impl Groups {
    /// Names the parts of a board from the point of view of the side with the stones
    /// `own`.
    // A separate function, so that the arrays are made in place.
    #[inline(always)]
    pub fn new<W: Word>(
        grid: &Grid<W>,
        own: Points<W>,
        theirs: Points<W>,
        parts: Connectivity,
    ) -> Self {
        let mut groups = Groups {
            columns: grid.columns(),
            points: grid.sides().points(),
            on: [On::Nothing; MAX_POINTS],
            names: [0; MAX_POINTS],
        };
        groups.mark(own, theirs);
        groups.name(parts);
        groups
    }

    #[inline(never)]
    fn mark<W: Word>(&mut self, own: Points<W>, theirs: Points<W>) {
        own.for_each(|point| self.on[point.index()] = On::Own);
        theirs.for_each(|point| self.on[point.index()] = On::Theirs);
    }

    #[inline(never)]
    fn name(&mut self, parts: Connectivity) {
        let (columns, on, names) = (self.columns, &self.on, &mut self.names);
        let together = |one: usize, other: usize| match parts {
            Connectivity::Groups => on[one] == on[other],
            Connectivity::Regions => (on[one] == On::Own) == (on[other] == On::Own),
        };
        let points = self.points.min(MAX_POINTS);
        let mut column = 0;
        for place in 0..points {
            let mut name = place as u8;
            if column > 0 && together(place, place - 1) {
                name = final_name(names, (place - 1) as u8);
            }
            if place >= columns && together(place, place - columns) {
                let above = final_name(names, (place - columns) as u8);
                let (small, large) = if above < name {
                    (above, name)
                } else {
                    (name, above)
                };
                names[usize::from(large)] = small;
                name = small;
            }
            names[place] = name;
            column = if column + 1 < columns { column + 1 } else { 0 };
        }
        // A name is smaller than those that refer to it, and is therefore already final.
        for place in 0..points {
            names[place] = names[usize::from(names[place])];
        }
    }

    /// The contents of a point.
    #[inline(always)]
    pub fn on(&self, point: u8) -> On {
        self.on[usize::from(point)]
    }

    /// The name of a point's part.
    #[inline(always)]
    pub fn name_of(&self, point: u8) -> u8 {
        self.names[usize::from(point)]
    }

    /// Each point of the board.
    pub fn each(&self) -> impl Iterator<Item = u8> + use<> {
        (0..self.points.min(MAX_POINTS)).map(|point| point as u8)
    }

    /// The name of each part, once.
    pub fn each_name(&self) -> impl Iterator<Item = u8> {
        self.each().filter(|point| self.name_of(*point) == *point)
    }

    /// Each pair of neighbours along a row or a column, once.
    #[inline(always)]
    pub fn each_pair(&self, tell: impl FnMut(u8, u8)) {
        each_pair(self.columns, self.points, tell);
    }

    /// Each point next to a point.
    #[inline(always)]
    pub fn each_near(&self, point: u8, mut tell: impl FnMut(u8)) {
        let place = usize::from(point);
        let column = place % self.columns.max(1);
        if place >= self.columns {
            tell((place - self.columns) as u8);
        }
        if column > 0 {
            tell((place - 1) as u8);
        }
        if column + 1 < self.columns {
            tell((place + 1) as u8);
        }
        if place + self.columns < self.points {
            tell((place + self.columns) as u8);
        }
    }

    /// The names of the own groups next to a point, each once. Unused entries contain the
    /// name of the point itself.
    pub fn own_near(&self, point: u8) -> Near {
        let mut near = [self.name_of(point); 4];
        let mut slots = near.len();
        self.each_near(point, |neighbour| {
            let name = self.name_of(neighbour);
            if self.on(neighbour) == On::Own && !near.contains(&name) {
                slots = slots.saturating_sub(1);
                near[slots % 4] = name;
            }
        });
        near
    }
}

#[inline(always)]
fn each_pair(columns: usize, points: usize, mut tell: impl FnMut(u8, u8)) {
    let mut column = 0;
    for place in 0..points.min(MAX_POINTS) {
        if column > 0 {
            tell((place - 1) as u8, place as u8);
        }
        if place >= columns {
            tell((place - columns) as u8, place as u8);
        }
        column = if column + 1 < columns { column + 1 } else { 0 };
    }
}

/// The name of the part with this name, as far as it is known.
#[inline(always)]
fn final_name(names: &[u8; MAX_POINTS], mut name: u8) -> u8 {
    loop {
        let next = names[usize::from(name)];
        if next == name {
            return name;
        }
        name = next;
    }
}

/// What is known about a group's liberties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liberties {
    /// The group has no liberty.
    None,
    /// The group has this liberty only.
    One(u8),
    /// The group has at least two liberties.
    More,
}

/// The liberties of every group, by its name.
#[inline(always)]
pub fn liberties(groups: &Groups) -> [Liberties; MAX_POINTS] {
    let mut liberties = [Liberties::None; MAX_POINTS];
    groups.each_pair(|one, other| {
        let (empty, stone) = match (groups.on(one), groups.on(other)) {
            (On::Nothing, On::Own | On::Theirs) => (one, other),
            (On::Own | On::Theirs, On::Nothing) => (other, one),
            _ => return,
        };
        let known = &mut liberties[usize::from(groups.name_of(stone))];
        *known = match *known {
            Liberties::None => Liberties::One(empty),
            Liberties::One(same) if same == empty => Liberties::One(same),
            _ => Liberties::More,
        };
    });
    liberties
}

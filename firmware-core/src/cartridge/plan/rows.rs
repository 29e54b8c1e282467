//! The rows of a board, a bit a site.
//!
//! A way and its opposite are an axis, and what follows each other on it is a row. A
//! row fits into a number: how far a piece sees, and how long a line is, are shifts
//! of it, however long the board's words are.
//!
//! What always holds: bits of a row that are no sites are set among what stands
//! there, so that each sight ends.

use super::super::bytes::{Cartridge, SITES, WAYS};
use super::super::notes::Shifts;
use super::super::sites::each_way;
use super::super::span::Span;

/// The most axes.
const AXES: usize = 6;
/// The most rows of all axes together.
const ROWS: usize = 256;
/// The most sites of a row: two bits are its ends.
const LONGEST: usize = 62;
/// Of how many kinds of pieces rows are kept, nothing being one, which stands for
/// all of them.
pub(super) const KEPT: usize = 4;
/// In the place of an axis: there is none.
const NONE: u8 = u8::MAX;

/// Where a site is on an axis.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The row.
    pub row: u8,
    /// The bit: the first site has 1.
    pub bit: u8,
}

/// The two ways of an axis.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    /// That on which bits go up.
    pub up: u8,
    /// That on which they go down.
    pub down: u8,
}

/// The rows of some axes.
pub(super) struct Rows {
    /// For each axis, where each site is.
    places: [[Place; SITES]; AXES],
    axes: [Axis; AXES],
    /// How many axes.
    pub(super) many: usize,
    /// The axis of each way.
    axis_of: [u8; WAYS],
    /// All bits of each row that are no sites.
    ends: [u64; ROWS],
    /// How many rows.
    rows: usize,
}

impl Rows {
    /// None yet.
    pub(super) const NONE: Rows = Rows {
        places: [[Place { row: 0, bit: 0 }; SITES]; AXES],
        axes: [Axis { up: 0, down: 0 }; AXES],
        many: 0,
        axis_of: [NONE; WAYS],
        ends: [0; ROWS],
        rows: 0,
    };

    /// The axes of these ways, a bit each; `None` if one of them has no rows that end.
    pub(super) fn take<W: Span>(
        &mut self,
        game: &Cartridge<'_>,
        shifts: &Shifts<W>,
        ways: u32,
    ) -> Option<u8> {
        let mut axes = 0;
        for way in each_way(ways) {
            axes |= 1 << self.axis(game, shifts, way)?;
        }
        Some(axes)
    }

    fn axis<W: Span>(
        &mut self,
        game: &Cartridge<'_>,
        shifts: &Shifts<W>,
        way: u32,
    ) -> Option<u8> {
        let known = *self.axis_of.get(way as usize)?;
        if known != NONE {
            return Some(known);
        }
        let shift = shifts.get(way as usize)?;
        let back = shift.back;
        let opposite = shifts.get(usize::from(back))?;
        let is_one = usize::from(back) < game.ways()
            && u32::from(back) != way
            && u32::from(opposite.back) == way
            && shift.leads_back
            && opposite.leads_back
            && self.axis_of.get(usize::from(back)) == Some(&NONE);
        if !is_one || self.many >= AXES {
            return None;
        }
        let rows = self.lay(game, way, back.into())?;
        let axis = self.many as u8;
        *self.axes.get_mut(self.many)? = Axis {
            up: way as u8,
            down: back,
        };
        *self.axis_of.get_mut(way as usize)? = axis;
        *self.axis_of.get_mut(usize::from(back))? = axis;
        self.many += 1;
        self.rows = rows;
        Some(axis)
    }

    /// Lays the rows of an axis after those that are there: how many there are then.
    fn lay(&mut self, game: &Cartridge<'_>, way: u32, back: u32) -> Option<usize> {
        let (mut rows, mut laid) = (self.rows, 0);
        let places = self.places.get_mut(self.many)?;
        for first in 0..game.board() {
            let first = first as u8;
            if game.step(first, back).is_some() {
                continue;
            }
            let (mut here, mut bit) = (first, 1);
            loop {
                *places.get_mut(usize::from(here))? = Place {
                    row: u8::try_from(rows).ok()?,
                    bit: bit as u8,
                };
                laid += 1;
                match game.step(here, way) {
                    Some(next) if bit < LONGEST => (here, bit) = (next, bit + 1),
                    Some(_) => return None,
                    None => break,
                }
            }
            *self.ends.get_mut(rows)? = !((1_u64 << (bit + 1)) - 2);
            rows += 1;
        }
        // What lies on no row goes round.
        (laid == game.board()).then_some(rows)
    }

    /// The axis of a way that was taken.
    #[inline]
    pub(super) fn of_way(&self, way: u32) -> usize {
        usize::from(self.axis_of.get(way as usize % WAYS).copied().unwrap_or(0)) % AXES
    }

    /// The ways of an axis.
    #[inline]
    pub(super) fn ways(&self, axis: usize) -> Axis {
        self.axes.get(axis % AXES).copied().unwrap_or(Axis { up: 0, down: 0 })
    }

    /// Where a site is on an axis.
    #[inline]
    pub(super) fn place(&self, axis: usize, site: u8) -> Place {
        let places = self.places.get(axis % AXES);
        let place = places.and_then(|places| places.get(usize::from(site)));
        place.copied().unwrap_or(Place { row: 0, bit: 0 })
    }
}

/// What stands on the rows.
pub(super) struct Words {
    of: [[u64; ROWS]; KEPT],
}

impl Words {
    /// Nothing.
    pub(super) const NOTHING: Words = Words {
        of: [[0; ROWS]; KEPT],
    };

    /// Takes everything away.
    pub(super) fn clear(&mut self, rows: &Rows) {
        let (all, kinds) = self.of.split_at_mut(1);
        for all in all {
            let many = rows.rows.min(ROWS);
            all[..many].copy_from_slice(&rows.ends[..many]);
        }
        for kind in kinds {
            kind[..rows.rows.min(ROWS)].fill(0);
        }
    }

    /// Puts a piece on a site, or takes it away.
    #[inline]
    pub(super) fn turn(&mut self, rows: &Rows, site: u8, what: u8) {
        let what = usize::from(what) % KEPT;
        for axis in 0..rows.many {
            let Place { row, bit } = rows.place(axis, site);
            let bit = 1 << (bit & 63);
            self.of[0][usize::from(row)] ^= bit;
            self.of[what][usize::from(row)] ^= bit;
        }
    }

    /// A row of a kind of pieces; of all of 0.
    #[inline]
    pub(super) fn row(&self, what: u8, place: Place) -> u64 {
        self.of[usize::from(what) % KEPT][usize::from(place.row)]
    }

    /// How many sites are free from a place on, up and down.
    #[inline]
    pub(super) fn free(&self, place: Place) -> [u32; 2] {
        let row = self.row(0, place);
        let up = (row >> (place.bit & 63)) >> 1;
        let down = row << (63 - (place.bit & 63)) << 1;
        [up.trailing_zeros(), down.leading_zeros()]
    }

    /// How many pieces of a kind follow each other through a place where one stands.
    #[inline]
    pub(super) fn run(&self, what: u8, place: Place) -> u32 {
        let row = self.row(what, place);
        let up = row >> (place.bit & 63);
        let down = row << (63 - (place.bit & 63));
        up.trailing_ones() + down.leading_ones() - 1
    }
}

//! The rows of a board, with a bit for each site.
//!
//! A way and its opposite form an axis, and a maximal sequence of sites along an axis is
//! a row: the files of a chess board are the rows of its vertical axis. A row fits into
//! one number, so a few shifts find how far a piece sees and how long a line is, however
//! wide the board's words are.
//!
//! Invariants: in the occupancy of a row, the bits beyond its sites are set, so that
//! every sight ends.

use firmware_core::cartridge::bytes::{Cartridge, SITES, WAYS};
use firmware_core::cartridge::inside::{Shifts, each_way};
use firmware_core::word::Word;

/// The largest number of axes.
const AXES: usize = 8;
/// The maximum number of rows on all axes together.
const ROWS: usize = 256;
/// The maximum number of sites in a row; two more bits mark its ends.
const LONGEST: usize = 62;
/// The number of occupancies of a row: of all pieces (kind 0), and of each kind.
pub(super) const KEPT: usize = 4;

/// The place of a site on an axis.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The number of the row.
    pub row: u8,
    /// The bit in the row, from 1 for its first site.
    pub bit: u8,
}

/// The two ways of an axis.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    /// The way along which bits increase.
    pub up: u8,
    /// The way along which bits decrease.
    pub down: u8,
}

/// The rows of some axes.
pub(super) struct Rows {
    /// The place of each site on each axis.
    places: [[Place; AXES]; SITES],
    axes: [Axis; AXES],
    /// The number of axes.
    pub(super) many: usize,
    /// All ways of these axes, as bits.
    pub(super) ways: u32,
    /// The axis of each way.
    axis_of: [Option<u8>; WAYS],
    /// The bits of each row that are not sites.
    ends: [u64; ROWS],
    /// The number of rows.
    rows: usize,
}

impl Rows {
    /// A table without rows.
    pub(super) const NONE: Rows = Rows {
        places: [[Place { row: 0, bit: 0 }; AXES]; SITES],
        axes: [Axis { up: 0, down: 0 }; AXES],
        many: 0,
        ways: 0,
        axis_of: [None; WAYS],
        ends: [0; ROWS],
        rows: 0,
    };

    /// The axes of these ways, as bits; `None` if the rows of one of them do not end.
    pub(super) fn take<W: Word>(
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

    fn axis<W: Word>(&mut self, game: &Cartridge<'_>, shifts: &Shifts<W>, way: u32) -> Option<u8> {
        if let Some(known) = *self.axis_of.get(way as usize)? {
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
            && self.axis_of.get(usize::from(back)) == Some(&None);
        if !is_one || self.many >= AXES {
            return None;
        }
        let rows = self.lay(game, way, back.into())?;
        let axis = self.many as u8;
        *self.axes.get_mut(self.many)? = Axis {
            up: way as u8,
            down: back,
        };
        *self.axis_of.get_mut(way as usize)? = Some(axis);
        *self.axis_of.get_mut(usize::from(back))? = Some(axis);
        self.many += 1;
        self.ways |= 1 << (way & 31) | 1 << (back & 31);
        self.rows = rows;
        Some(axis)
    }

    /// Adds the rows of an axis. Returns the new number of rows.
    fn lay(&mut self, game: &Cartridge<'_>, way: u32, back: u32) -> Option<usize> {
        let (mut rows, mut laid) = (self.rows, 0);
        for first in 0..game.board() {
            let first = first as u8;
            if game.step(first, back).is_some() {
                continue;
            }
            let (mut here, mut bit) = (first, 1);
            loop {
                *self.places.get_mut(usize::from(here))?.get_mut(self.many)? = Place {
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
        // A site on no row is on a circular line.
        (laid == game.board()).then_some(rows)
    }

    /// The index of a way's axis.
    #[inline]
    pub(super) fn of_way(&self, way: u32) -> usize {
        usize::from(self.axis_of[way as usize % WAYS].unwrap_or(0)) % AXES
    }

    /// The ways of an axis.
    #[inline]
    pub(super) fn ways_of(&self, axis: usize) -> Axis {
        self.axes
            .get(axis % AXES)
            .copied()
            .unwrap_or(Axis { up: 0, down: 0 })
    }

    /// The place of a site on an axis.
    #[inline]
    pub(super) fn place(&self, axis: usize, site: u8) -> Place {
        self.places[usize::from(site)][axis % AXES]
    }

    /// The place of a site on each axis.
    #[inline]
    pub(super) fn places(&self, site: u8) -> &[Place] {
        &self.places[usize::from(site)][..self.many.min(AXES)]
    }

    /// The ways of each axis.
    #[inline]
    pub(super) fn axes(&self) -> &[Axis] {
        &self.axes[..self.many.min(AXES)]
    }

    /// The ways from one site that lead to another, on these axes.
    #[inline]
    pub(super) fn ways_to(&self, from: u8, to: u8) -> u32 {
        let mut ways = 0;
        let both = self.places(from).iter().zip(self.places(to));
        for ((from, to), axis) in both.zip(&self.axes) {
            if from.row == to.row && from.bit != to.bit {
                let is_up = to.bit > from.bit;
                ways |= 1 << (if is_up { axis.up } else { axis.down } & 31);
            }
        }
        ways
    }
}

/// The occupancies of the rows.
pub(super) struct RowOccupancies {
    /// For each row, the occupancy of all pieces and of each kind.
    of: [[u64; KEPT]; ROWS],
}

impl RowOccupancies {
    /// Rows without pieces.
    pub(super) const NOTHING: RowOccupancies = RowOccupancies {
        of: [[0; KEPT]; ROWS],
    };

    /// Removes every piece.
    pub(super) fn clear(&mut self, rows: &Rows) {
        for (of, ends) in self.of.iter_mut().zip(rows.ends).take(rows.rows) {
            *of = [0; KEPT];
            of[0] = ends;
        }
    }

    /// Adds a piece on a site, or removes it.
    #[inline]
    pub(super) fn toggle(&mut self, rows: &Rows, site: u8, what: u8) {
        for place in rows.places(site) {
            let bit = 1 << (place.bit & 63);
            let of = &mut self.of[usize::from(place.row)];
            of[0] ^= bit;
            of[usize::from(what) % KEPT] ^= bit;
        }
    }

    /// The occupancy of a row by a kind; by all pieces for kind 0.
    #[inline]
    pub(super) fn row(&self, what: u8, place: Place) -> u64 {
        self.of[usize::from(place.row)][usize::from(what) % KEPT]
    }

    /// The number of free sites next to a place, along the axis up and down.
    #[inline]
    pub(super) fn free(&self, place: Place) -> [u32; 2] {
        let row = self.row(0, place);
        let up = (row >> (place.bit & 63)) >> 1;
        let down = row << (63 - (place.bit & 63)) << 1;
        // The ends of a row are always set. Setting them here lets the compiler drop a
        // check for zero.
        [(up | 1 << 63).trailing_zeros(), (down | 1).leading_zeros()]
    }

    /// The length of the line of one kind through a place that has a piece of this kind.
    #[inline]
    pub(super) fn run(&self, what: u8, place: Place) -> u32 {
        run(self.row(what, place), place.bit)
    }
}

/// The length of the run of ones that contains a bit.
#[inline]
fn run(row: u64, bit: u8) -> u32 {
    let up = row >> (bit & 63);
    let down = row << (63 - (bit & 63));
    (up.trailing_ones() + down.leading_ones()).saturating_sub(1)
}

/// The maximum number of rows of a board of stacks.
const STACKED: usize = 16;
/// The slopes of a line on stacks: level, rising, falling.
const CLIMBS: usize = 3;

/// The occupancies of stacks: for each row, kind and slope, those of its lines.
pub(super) struct Levels {
    of: [[[[u64; LINES]; CLIMBS]; KEPT]; STACKED],
}

/// The number of lines of a slope: a power of two.
const LINES: usize = 32;

impl Levels {
    /// Levels in which no site is set.
    pub(super) const NOTHING: Levels = Levels {
        of: [[[[0; LINES]; CLIMBS]; KEPT]; STACKED],
    };

    /// True if there is room for the rows of stacks of this height.
    pub(super) fn has_room(rows: &Rows, height: usize) -> bool {
        // A row has fewer sites than there are bits below its end mark.
        let ends = rows.ends.iter().take(rows.rows);
        let longest = ends.map(|ends| (!ends).count_ones()).max();
        rows.rows <= STACKED && height + (longest.unwrap_or(0) as usize) < LINES
    }

    /// Removes every piece.
    pub(super) fn clear(&mut self, rows: &Rows, kinds: usize) {
        for of in self.of.iter_mut().take(rows.rows) {
            for kind in of.iter_mut().take(kinds).skip(1) {
                *kind = [[0; LINES]; CLIMBS];
            }
        }
    }

    /// The lines through a place at a level. Each has a different number, because a row
    /// and a stack together are shorter than [`LINES`].
    #[inline]
    fn lines(place: Place, level: u8) -> [usize; CLIMBS] {
        let bit = place.bit;
        let lines = [level, level.wrapping_sub(bit), level.wrapping_add(bit)];
        lines.map(|line| usize::from(line) % LINES)
    }

    /// Adds a piece at a level.
    #[inline]
    pub(super) fn put(&mut self, rows: &Rows, site: u8, level: u8, what: u8) {
        for place in rows.places(site) {
            let bit = 1 << (place.bit & 63);
            let of = &mut self.of[usize::from(place.row) % STACKED][usize::from(what) % KEPT];
            for (climb, line) in Self::lines(*place, level).into_iter().enumerate() {
                of[climb][line] |= bit;
            }
        }
    }

    /// The length of the longest line of a kind on these axes through a piece on a stack,
    /// without the stack's own column.
    #[inline]
    pub(super) fn run(&self, rows: &Rows, axes: u8, site: u8, level: u8, what: u8) -> u32 {
        let mut most = 0;
        for (axis, place) in rows.places(site).iter().enumerate() {
            if axes >> (axis & 7) & 1 == 0 {
                continue;
            }
            let of = &self.of[usize::from(place.row) % STACKED][usize::from(what) % KEPT];
            for (climb, line) in Self::lines(*place, level).into_iter().enumerate() {
                most = most.max(run(of[climb][line], place.bit));
            }
        }
        most
    }
}

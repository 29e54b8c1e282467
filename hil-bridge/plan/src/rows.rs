//! The rows of a board, with a bit for each site.
//!
//! A way and its opposite are an axis, and a maximal sequence of sites along an axis is a
//! row: the files of a chess board are the rows of its vertical axis. A row fits into one
//! number, so how far a piece sees and how long a line is take a few shifts, whatever the
//! width of the board's words.
//!
//! Invariants: the bits of a row beyond its sites are set in its occupancy, so that every
//! sight ends.

use firmware_core::cartridge::bytes::{Cartridge, SITES, WAYS};
use firmware_core::cartridge::inside::{Shifts, each_way};
use firmware_core::cartridge::span::Span;

/// The largest number of axes.
const AXES: usize = 8;
/// The most rows of all axes together.
const ROWS: usize = 256;
/// The most sites of a row: two more bits mark its ends.
const LONGEST: usize = 62;
/// The number of occupancies of a row: of all pieces (kind 0), and of each kind.
pub(super) const KEPT: usize = 4;
/// The index that stands for no axis.
const NONE: u8 = u8::MAX;

/// The place of a site on an axis.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The number of the row.
    pub row: u8,
    /// The bit; the first site of a row has bit 1.
    pub bit: u8,
}

/// The two ways of an axis.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    /// The way along which bits go up.
    pub up: u8,
    /// The way along which they go down.
    pub down: u8,
}

/// The rows of some axes.
pub(super) struct Rows {
    /// The place of each site on each axis.
    places: [[Place; AXES]; SITES],
    axes: [Axis; AXES],
    /// The number of axes.
    pub(super) many: usize,
    /// All ways of these axes, a bit each.
    pub(super) ways: u32,
    /// The axis of each way.
    axis_of: [u8; WAYS],
    /// The bits of each row that are no sites.
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

    fn axis<W: Span>(&mut self, game: &Cartridge<'_>, shifts: &Shifts<W>, way: u32) -> Option<u8> {
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
        self.ways |= 1 << (way & 31) | 1 << (back & 31);
        self.rows = rows;
        Some(axis)
    }

    /// Appends the rows of an axis, and returns how many rows there are then.
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
        // A site on no row is on a line that goes round.
        (laid == game.board()).then_some(rows)
    }

    /// The axis of a way.
    #[inline]
    pub(super) fn of_way(&self, way: u32) -> usize {
        usize::from(self.axis_of.get(way as usize % WAYS).copied().unwrap_or(0)) % AXES
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
pub(super) struct Words {
    /// For each row, the occupancy of all pieces and of each kind.
    of: [[u64; KEPT]; ROWS],
}

impl Words {
    /// Words in which no site is set.
    pub(super) const NOTHING: Words = Words {
        of: [[0; KEPT]; ROWS],
    };

    /// Removes every piece.
    pub(super) fn clear(&mut self, rows: &Rows) {
        for (of, ends) in self.of.iter_mut().zip(rows.ends).take(rows.rows) {
            *of = [0; KEPT];
            of[0] = ends;
        }
    }

    /// Puts a piece on a site, or takes it away.
    #[inline]
    pub(super) fn turn(&mut self, rows: &Rows, site: u8, what: u8) {
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

    /// How many sites are free next to a place, up and down.
    #[inline]
    pub(super) fn free(&self, place: Place) -> [u32; 2] {
        let row = self.row(0, place);
        let up = (row >> (place.bit & 63)) >> 1;
        let down = row << (63 - (place.bit & 63)) << 1;
        // The ends of a row are set. Saying so spares the check for zero.
        [(up | 1 << 63).trailing_zeros(), (down | 1).leading_zeros()]
    }

    /// The length of the line of a kind through a place where such a piece stands.
    #[inline]
    pub(super) fn run(&self, what: u8, place: Place) -> u32 {
        run(self.row(what, place), place.bit)
    }
}

/// The length of the run of ones through a bit that is set.
#[inline]
fn run(row: u64, bit: u8) -> u32 {
    let up = row >> (bit & 63);
    let down = row << (63 - (bit & 63));
    (up.trailing_ones() + down.leading_ones()).saturating_sub(1)
}

/// The most rows of a board of stacks.
const STACKED: usize = 16;
/// The climbs of a line on stacks: level, up, down.
const CLIMBS: usize = 3;

/// The occupancies of stacks: for each row, kind and climb, those of its lines.
pub(super) struct Levels {
    of: [[[[u64; LINES]; CLIMBS]; KEPT]; STACKED],
}

/// Room for the lines of a climb: a power of two.
const LINES: usize = 32;

impl Levels {
    /// Levels in which no site is set.
    pub(super) const NOTHING: Levels = Levels {
        of: [[[[0; LINES]; CLIMBS]; KEPT]; STACKED],
    };

    /// True if there is room for the rows of stacks of this height.
    pub(super) fn has_room(rows: &Rows, height: usize) -> bool {
        // A row has fewer sites than bits below its end.
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

    /// The lines through a place on a level. Each has its own number, as a row and a stack
    /// together are shorter than the room for lines.
    #[inline]
    fn lines(place: Place, level: u8) -> [usize; CLIMBS] {
        let bit = place.bit;
        let lines = [level, level.wrapping_sub(bit), level.wrapping_add(bit)];
        lines.map(|line| usize::from(line) % LINES)
    }

    /// Puts a piece on a level.
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

    /// The longest line of a kind on some axes through a site, on the level of its piece; not
    /// counting the stack itself.
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

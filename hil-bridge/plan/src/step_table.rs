//! Steps of several pieces at once, along ways of any kind.
//!
//! The neighbours of a site along all ways are packed into one number, with a byte for
//! each way, and so are the counts of moves. So a board of hexagons, on which a step is
//! not a shift of a set, is as fast as one on which it is.
//!
//! Invariants: a site without a neighbour along a way has itself as that neighbour. The
//! stepping piece stands there, so the step never counts as possible.

use firmware_core::cartridge::bytes::Cartridge;
use firmware_core::cartridge::inside::each_way;
use firmware_core::points::Points;
use firmware_core::word::Word;

/// The largest number of directions.
const WAYS: usize = 8;
/// The largest number of sites.
const SITES: usize = 64;
/// Selects every second byte, and sums four of them into the highest.
const PAIRS: u64 = 0x00FF_00FF_00FF_00FF;
const SUM: u64 = 0x0001_0001_0001_0001;

/// The neighbours of each site along some ways.
#[derive(Clone, Copy)]
pub(super) struct StepTable {
    /// For each site, a byte with the neighbour along each way, the lowest byte first.
    of: [u64; SITES],
    /// The number of directions.
    many: u32,
}

/// The number of steps along each way, a byte each.
#[derive(Clone, Copy)]
pub(super) struct StepCounts(u64);

impl StepCounts {
    /// The number of steps along all ways.
    #[inline]
    pub(super) fn many(self) -> u32 {
        let pairs = (self.0 & PAIRS) + ((self.0 >> 8) & PAIRS);
        (pairs.wrapping_mul(SUM) >> 48) as u32
    }
}

impl StepTable {
    /// The table for a game's board; `None` if there are too many ways or sites.
    pub(super) fn of<W: Word>(game: &Cartridge<'_>, ways: u32) -> Option<Self> {
        let fits = W::BITS <= SITES && ways.count_ones() as usize <= WAYS;
        if !fits {
            return None;
        }
        let mut table = StepTable {
            of: [0; SITES],
            many: ways.count_ones(),
        };
        for (site, of) in table.of.iter_mut().enumerate().take(game.board()) {
            for (place, way) in each_way(ways).enumerate() {
                let next = game.step(site as u8, way).unwrap_or(site as u8);
                *of |= u64::from(next) << (8 * place);
            }
        }
        Some(table)
    }

    /// The number of steps from sites in `froms` to sites in `open`.
    #[inline]
    pub(super) fn steps<W: Word>(&self, froms: Points<W>, open: Points<W>) -> StepCounts {
        let open = low(open);
        let mut steps = 0;
        for from in froms {
            let mut of = self.of[from.index() % SITES];
            for place in 0..self.many {
                steps += (open >> (of & 63) & 1) << ((8 * place) & 63);
                of >>= 8;
            }
        }
        StepCounts(steps)
    }

    /// The `n`-th step, from 0: way by way, and along a way in the order of starts.
    #[inline]
    pub(super) fn nth<W: Word>(
        &self,
        froms: Points<W>,
        open: Points<W>,
        StepCounts(steps): StepCounts,
        n: u32,
    ) -> Option<[u8; 2]> {
        let open = low(open);
        let mut left = n;
        for place in 0..self.many {
            let shift = (8 * place) & 63;
            let many = (steps >> shift & 0xFF) as u32;
            if left >= many {
                left -= many;
                continue;
            }
            for from in froms {
                let to = (self.of[from.index() % SITES] >> shift) as u8;
                let is_open = open >> (to & 63) & 1;
                if is_open > 0 && left == 0 {
                    return Some([from.0, to]);
                }
                left -= is_open as u32;
            }
            return None;
        }
        None
    }
}

/// The lowest 64 bits of a set.
#[inline]
fn low<W: Word>(set: Points<W>) -> u64 {
    set.0.low()
}

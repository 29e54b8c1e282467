//! Steps of whole sets, on ways of any kind.
//!
//! The steps of a way are of few lengths, even where they are not all as long: so
//! many shifts tell from where a set is reached.

use heapless::Vec;

use super::super::bytes::{Cartridge, WAYS};
use super::super::span::Span;
use crate::points::Points;
use protocol::Point;

/// The most lengths of the steps of a way.
const LENGTHS: usize = 8;

/// The sites that have a step of a length.
#[derive(Clone, Copy)]
struct Lead<W> {
    by: i16,
    from: Points<W>,
}

/// The steps of all ways, by their lengths.
pub(super) struct Leads<W> {
    of: [Vec<Lead<W>, LENGTHS>; WAYS],
    /// The ways whose steps are of few lengths, a bit each.
    pub(super) known: u32,
}

impl<W: Span> Leads<W> {
    /// Those of a game's board.
    pub(super) fn of(game: &Cartridge<'_>) -> Self {
        let mut leads = Leads {
            of: [const { Vec::new() }; WAYS],
            known: 0,
        };
        for (way, of) in leads.of.iter_mut().enumerate().take(game.ways()) {
            let mut is_known = true;
            for site in 0..game.board() {
                let Some(next) = game.step(site as u8, way as u32) else {
                    continue;
                };
                let by = i16::from(next) - site as i16;
                let site = Point(site as u8);
                match of.iter_mut().find(|lead| lead.by == by) {
                    Some(lead) => lead.from.insert(site),
                    None => {
                        let from = Points::one(site);
                        is_known &= of.push(Lead { by, from }).is_ok();
                    }
                }
            }
            if is_known {
                leads.known |= 1 << way;
            }
        }
        leads
    }

    /// The sites from where a step on a known way leads into a set.
    #[inline]
    pub(super) fn back(&self, way: u32, set: Points<W>) -> Points<W> {
        let mut all = Points::NONE;
        for lead in &self.of[way as usize % WAYS] {
            let by = usize::from(lead.by.unsigned_abs());
            let back = match lead.by {
                0.. => set.0.down(by),
                _ => set.0.up(by),
            };
            all |= Points(back) & lead.from;
        }
        all
    }
}

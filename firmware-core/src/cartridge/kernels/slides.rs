//! Slides and shots: as far as a way is open, counted along it.

use protocol::Point;

use crate::points::Points;

use super::super::bytes::WAYS;
use super::super::machine::{Flow, Link, Machine};
use super::super::moves::ON;
use super::super::op::NOTHING;
use super::super::sites::each_way;
use super::super::span::Span;
use super::Where;
use super::batch::{Batch, Hear, Rays, Start};

/// Where a slide may go.
#[derive(Clone, Copy)]
struct Open<W> {
    /// What it passes; `None` what is empty.
    goes: Option<Where<W>>,
    /// Where it stops.
    ends: Where<W>,
}

impl<'g, W: Span> Machine<'g, W> {
    /// True if where a slide leads is a matter of sets.
    pub(super) fn is_plain_slide(&mut self, at: u16) -> bool {
        let numbers = [3, 4, 7]
            .iter()
            .all(|place| self.operand(at, *place) == NOTHING);
        numbers && self.is_of_a_site(at, 5) && self.is_of_a_site(at, 6)
    }

    pub(super) fn slide_batches(
        &mut self,
        at: u16,
        pieces: Option<Points<W>>,
        link: &Link<'_>,
        hear: &mut dyn Hear<'g, W>,
    ) -> Flow {
        if !self.is_plain_slide(at) {
            return self.walked(at, link, hear);
        }
        let pieces = match pieces {
            Some(pieces) => pieces,
            None => match self.board_site(at, 1) {
                Some(from) => Points::one(Point(from)),
                None => return ON,
            },
        };
        let Some(first) = pieces.first() else {
            return ON;
        };
        let open = self.open(at, 5, 6);
        let ways = self.ways_of(at, 2, first.0);
        if hear.target().is_none() {
            for piece in pieces {
                self.part(hear, Some(piece.0), &mut |machine, hear| {
                    machine.rays(at, ways, piece.0, open, link, hear)
                })?;
            }
            return ON;
        }
        for way in each_way(ways) {
            match hear.target() {
                Some(target) if self.is_even(way) => {
                    self.slide_to(at, way, pieces, target, open, link, hear)?;
                }
                _ => {
                    for piece in pieces {
                        self.rays(at, 1 << way, piece.0, open, link, hear)?;
                    }
                }
            }
        }
        ON
    }

    /// Where something may go on its way: to where the first condition holds, or
    /// no piece stands, or else where the second holds, to its end.
    fn open(&mut self, at: u16, goes_on: u16, stops: u16) -> Open<W> {
        let ends = match self.optional(at, stops) {
            None => Where::In(Points::NONE),
            stops => self.resolved(stops),
        };
        let goes_on = self.optional(at, goes_on);
        let goes = goes_on.map(|_| self.resolved(goes_on));
        Open { goes, ends }
    }

    /// Those of the sites that are passed, and those where it ends.
    #[inline]
    fn opened(&mut self, open: Open<W>, sites: Points<W>) -> [Points<W>; 2] {
        let ends = self.sites_where(open.ends, sites);
        let goes = match open.goes {
            Some(goes) => self.sites_where(goes, sites.without(ends)),
            None => sites.without(ends).without(self.state.occupied()),
        };
        [goes, ends]
    }

    /// Where a piece may slide on these ways.
    fn rays(
        &mut self,
        at: u16,
        ways: u32,
        from: u8,
        open: Open<W>,
        link: &Link<'_>,
        hear: &mut dyn Hear<'g, W>,
    ) -> Flow {
        let mut rays = Rays {
            ways,
            many: 0,
            far: [0; WAYS],
        };
        let one_is_enough = hear.wants_one() && hear.target().is_none();
        for way in each_way(ways) {
            let far = match (open.goes, open.ends) {
                (None, Where::In(ends)) => self.free_ray(from, way, ends),
                (Some(Where::In(goes)), Where::In(ends)) => self.ray_of(from, way, |_, site| {
                    let one = Points::one(Point(site));
                    (one.meets(goes), one.meets(ends))
                }),
                _ => self.ray_of(from, way, |machine, site| {
                    let [goes, ends] = machine.opened(open, Points::one(Point(site)));
                    (!goes.is_empty(), !ends.is_empty())
                }),
            };
            rays.many += u16::from(far);
            if let Some(place) = rays.far.get_mut(way as usize) {
                *place = far;
            }
            if one_is_enough && far > 0 {
                break;
            }
        }
        if rays.many == 0 {
            return ON;
        }
        let batch = Batch {
            node: at,
            start: Start::Rays(from, rays),
            way: 0,
            sites: Points::NONE,
        };
        hear.batch(self, &batch, link)
    }

    /// How many empty sites follow on a way, and the one where that ends.
    #[inline]
    fn free_ray(&self, from: u8, way: u32, ends: Points<W>) -> u8 {
        let row = self.game.row(way);
        let (mut far, mut here) = (0, from);
        while far < u8::MAX {
            let to = row.get(usize::from(here)).copied().unwrap_or(here);
            if to == here || to == from {
                break;
            }
            if self.state.what(to) != 0 {
                far += u8::from(ends.has(Point(to)));
                break;
            }
            far += 1;
            if !ends.is_empty() && ends.has(Point(to)) {
                break;
            }
            here = to;
        }
        far
    }

    /// The same where it is told of each site if it is passed and if it ends there.
    #[inline]
    fn ray_of(
        &mut self,
        from: u8,
        way: u32,
        mut tell: impl FnMut(&mut Self, u8) -> (bool, bool),
    ) -> u8 {
        let row = self.game.row(way);
        let (mut far, mut here) = (0, from);
        while far < u8::MAX {
            let to = row.get(usize::from(here)).copied().unwrap_or(here);
            if to == here || to == from {
                break;
            }
            let (passes, ends) = tell(self, to);
            far += u8::from(passes || ends);
            if ends || !passes {
                break;
            }
            here = to;
        }
        far
    }

    /// Slides of these pieces on one way to one site, found by going back from it.
    #[allow(clippy::too_many_arguments, reason = "who hears of it goes along")]
    fn slide_to(
        &mut self,
        at: u16,
        way: u32,
        pieces: Points<W>,
        target: u8,
        open: Open<W>,
        link: &Link<'_>,
        hear: &mut dyn Hear<'g, W>,
    ) -> Flow {
        let there = Points::one(Point(target));
        let mut front = there;
        for far in 1..=i16::from(u8::MAX) {
            front = self.shifted_back(front, way);
            if front.is_empty() {
                return ON;
            }
            if front.meets(pieces) {
                let [goes, ends] = self.opened(open, there);
                if (goes | ends).is_empty() {
                    return ON;
                }
                let batch = Batch {
                    node: at,
                    start: self.behind(way, far),
                    way: way as u8,
                    sites: there,
                };
                hear.batch(self, &batch, link)?;
            }
            front = self.opened(open, front)[0];
        }
        ON
    }

    pub(super) fn shot_batches(
        &mut self,
        at: u16,
        link: &Link<'_>,
        hear: &mut dyn Hear<'g, W>,
    ) -> Flow {
        let what = self.number_of(at, 4);
        let Some(from) = self.board_site(at, 1) else {
            return ON;
        };
        if u8::try_from(what).is_err() || !self.is_of_a_site(at, 3) {
            return self.walked(at, link, hear);
        }
        let comes = self.optional(at, 3);
        let goes = comes.map(|_| self.resolved(comes));
        let open = Open {
            goes,
            ends: Where::In(Points::NONE),
        };
        let ways = self.ways_of(at, 2, from);
        self.rays(at, ways, from, open, link, hear)
    }
}

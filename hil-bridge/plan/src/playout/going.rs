//! Finds the sites that pieces may move to.

use firmware_core::cartridge::bytes::WAYS;
use firmware_core::cartridge::inside::{Bearing, Fan, FanCount, Gait, Going, Inside, each_way};
use firmware_core::cartridge::machine::Machine;
use firmware_core::points::Points;
use firmware_core::word::Word;
use protocol::Point;

use super::Playout;
use crate::{MOVERS, PieceMoves, Pieces, Ways};

/// The sites in sight from a site.
pub(super) struct ShotsInSight {
    /// The site.
    from: u8,
    /// The number of sites in sight along each way.
    on: [u16; WAYS],
    /// The ways that count.
    ways: u32,
    /// The total along these ways.
    pub(super) many: u32,
}

impl<'g, W: Word> Playout<'_, 'g, W> {
    /// The pieces that may move, and their owner.
    #[inline]
    pub(super) fn pieces(
        &self,
        machine: &Machine<'g, W>,
        moves: &PieceMoves,
    ) -> Option<(Points<W>, u8)> {
        let state = &machine.state;
        let mover = usize::from(state.mover) % MOVERS;
        match moves.pieces {
            Pieces::Owned(set) => {
                let sites = state.owned(mover as i32) & self.set(machine, set);
                Some((sites, mover as u8))
            }
            Pieces::Kind(kinds, set) => {
                let sites = state.kind(kinds[mover])? & self.set(machine, set);
                Some((sites, mover as u8))
            }
            Pieces::Last => {
                let site = machine.site(state.last_to.into())?;
                if usize::from(site) >= machine.game.board() {
                    return None;
                }
                let owner = machine.game.owner(state.what(site));
                Some((Points::one(Point(site)), owner))
            }
        }
    }

    /// The ways of the last move, or the opposite ways, found with the rows.
    #[inline]
    pub(super) fn last_way(&self, machine: &Machine<'g, W>, choice: u16, bearing: Bearing) -> u32 {
        let state = &machine.state;
        let (from, to) = match bearing {
            Bearing::Onward => (state.last_from, state.last_to),
            Bearing::Back => (state.last_to, state.last_from),
        };
        let on_board = |site: i16| {
            let site = machine.site(site.into());
            site.filter(|site| usize::from(*site) < machine.game.board())
        };
        match (on_board(from), on_board(to)) {
            (Some(from), Some(to)) => {
                self.plan.rows.ways_to(from, to) & machine.game.choice(choice, 0)
            }
            _ => 0,
        }
    }

    /// The pieces, the sites that they may enter, and their ways.
    #[inline]
    pub(super) fn going(
        &self,
        machine: &Machine<'g, W>,
        moves: &PieceMoves,
    ) -> Option<(Going<W>, u32)> {
        let state = &machine.state;
        let (pieces, owner) = self.pieces(machine, moves)?;
        let ways = match moves.ways {
            Ways::Of(choice) => machine.game.choice(choice, owner),
            Ways::Last(choice, bearing) if moves.by_rows => self.last_way(machine, choice, bearing),
            Ways::Last(choice, bearing) => machine.last_way(choice, bearing),
        };
        let going = Going {
            gait: moves.gait,
            pieces,
            open: machine.board().without(state.occupied()),
            stop: match moves.hurdles {
                Some(hurdles) => self.set(machine, hurdles),
                None => Points::NONE,
            },
        };
        Some((going, ways))
    }

    /// The possible moves of these pieces along each way.
    #[inline]
    pub(super) fn fan(&self, machine: &Machine<'g, W>, moves: &PieceMoves) -> Option<Fan<W>> {
        let (going, ways) = self.going(machine, moves)?;
        if moves.by_rows && moves.gait == Gait::Slide {
            return Some(self.slides(going, ways));
        }
        Some(machine.fan(going, ways, FanCount::All))
    }

    /// The sites in sight from the target of the last move.
    #[inline]
    pub(super) fn shots(&self, machine: &Machine<'g, W>, ways: u16) -> Option<ShotsInSight> {
        let state = &machine.state;
        let site = machine.site(state.last_to.into())?;
        let on_board = usize::from(site) < machine.game.board();
        if !on_board || !state.occupied().has(Point(site)) {
            return None;
        }
        let mut on = [0; WAYS];
        let mut many = self.see(site, &mut on);
        let owner = machine.game.owner(state.what(site));
        let ways = machine.game.choice(ways, owner);
        if ways != self.plan.rows.ways {
            many = total(&on, ways);
        }
        Some(ShotsInSight {
            from: site,
            on,
            ways,
            many,
        })
    }

    /// Adds the number of sites in sight from a site, along each way.
    #[inline]
    pub(super) fn see(&self, site: u8, on: &mut [u16; WAYS]) -> u32 {
        let rows = &self.plan.rows;
        let mut all = 0;
        for (place, both) in rows.places(site).iter().zip(rows.axes()) {
            let [up, down] = self.rows.free(*place);
            on[usize::from(both.up) % WAYS] += up as u16;
            on[usize::from(both.down) % WAYS] += down as u16;
            all += up + down;
        }
        all
    }

    /// How far pieces can slide, found with the rows.
    #[inline]
    pub(super) fn slides(&self, going: Going<W>, ways: u32) -> Fan<W> {
        let mut on = [0; WAYS];
        let mut many = 0;
        for piece in going.pieces {
            many += self.see(piece.0, &mut on);
        }
        if ways != self.plan.rows.ways {
            many = total(&on, ways);
        }
        Fan {
            going,
            ways,
            many,
            on,
        }
    }
}

/// The sum over these ways.
#[inline]
pub(super) fn total(on: &[u16; WAYS], ways: u32) -> u32 {
    let mut many = 0;
    for way in each_way(ways) {
        many += u32::from(on[way as usize % WAYS]);
    }
    many
}

/// The `n`-th site in sight, from 0: way by way, and along an even way in the order of
/// the sites' numbers.
#[inline]
pub(super) fn nth_shot<W: Word>(
    machine: &Machine<'_, W>,
    shots: &ShotsInSight,
    n: u32,
) -> Option<u8> {
    let mut left = n;
    for way in each_way(shots.ways) {
        let many = u32::from(shots.on[way as usize % WAYS]);
        if left >= many {
            left -= many;
            continue;
        }
        let is_back = machine.shifts().get(way as usize)?.by < 0;
        let steps = if is_back { many - left } else { left + 1 };
        let row = machine.game.row(way);
        let mut here = shots.from;
        for _ in 0..steps {
            here = *row.get(usize::from(here))?;
        }
        return Some(here);
    }
    None
}

//! Places a piece on a site of a set, or pieces on random sites.

use super::super::action::Action;
use super::super::machine::{Flow, Machine};
use super::super::op::{bit, slot};
use super::super::outlet::Outlet;
use crate::word::Word;

impl<'g, W: Word> Machine<'g, W> {
    pub(super) fn adds(&mut self, at: u16, extra: u8, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Some(what) = self.piece_of(at, slot::Add::WHAT) else {
            return Flow::Continue(());
        };
        let sites = self.sites_of(at, slot::Add::SITES);
        let condition = self.optional(at, slot::Add::MAY_COME);
        let saved = self.context;
        for site in sites {
            self.context.to = site.0.into();
            if self.holds(condition) {
                self.adds_to(at, extra, what, site.0, out)?;
            }
        }
        self.context = saved;
        Flow::Continue(())
    }

    /// Visits the move that places a piece on the current site.
    pub(in crate::cartridge) fn adds_to(
        &mut self,
        at: u16,
        extra: u8,
        what: u8,
        site: u8,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let count = self
            .optional(at, slot::Add::COUNT)
            .map_or(1, |node| self.number(node));
        let state = self
            .optional(at, slot::Add::STATE)
            .map_or(-1, |node| self.number(node));
        let start = self.here();
        for _ in 0..count.min(64) {
            self.push(Action::Add {
                site,
                what,
                state: state as i8,
                top: extra & bit::TOP != 0,
            });
        }
        if let Some(effect) = self.optional(at, slot::Add::EFFECT) {
            let from = self.context.from;
            self.context.from = site.into();
            self.put_before(start, Some(effect));
            self.context.from = from;
        }
        self.emit_any(start, [site.into(); 2], out)
    }

    /// Visits the move that places pieces on random empty sites of a set.
    pub(super) fn scatter(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Some(what) = self.piece_of(at, slot::Scatter::WHAT) else {
            return Flow::Continue(());
        };
        let sites = self
            .sites_of(at, slot::Scatter::SITES)
            .without(self.state.occupied());
        let count = self
            .optional(at, slot::Scatter::COUNT)
            .map_or(1, |node| self.number(node));
        let state = self
            .optional(at, slot::Scatter::STATE)
            .map_or(-1, |node| self.number(node));
        let chosen = self
            .state
            .chance
            .draw(|rng| rng.choose(sites, count.max(0) as usize));
        let start = self.here();
        for site in chosen {
            self.push(Action::Add {
                site: site.0,
                what,
                state: state as i8,
                top: false,
            });
        }
        self.emit_any(start, [-1; 2], out)
    }
}

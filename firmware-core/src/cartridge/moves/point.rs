//! Selects sites, or removes what stands on them.

use super::super::action::Action;
use super::super::machine::{Flow, Machine};
use super::super::op::{bit, slot};
use super::super::outlet::Outlet;
use crate::word::Word;

impl<'g, W: Word> Machine<'g, W> {
    pub(super) fn removes(&mut self, at: u16, extra: u8, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let sites = self.sites_of(at, slot::Remove::SITES) & self.state.occupied();
        let count = self
            .optional(at, slot::Remove::COUNT)
            .map_or(1, |node| self.number(node));
        for site in sites {
            self.removes_from(extra, count, site.0, out)?;
        }
        Flow::Continue(())
    }

    /// Visits the move that removes some pieces from a site.
    pub(in crate::cartridge) fn removes_from(
        &mut self,
        extra: u8,
        count: i32,
        site: u8,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let start = self.here();
        for _ in 0..count.clamp(1, 64) {
            self.push(if extra & bit::LATER != 0 {
                Action::RemoveLater { site }
            } else {
                Action::Remove { site }
            });
        }
        let flow = self.emit(start, [site.into(); 2], out);
        self.actions.truncate(start);
        flow
    }

    pub(super) fn selects(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let froms = self.sites_of(at, slot::Select::FROMS);
        let [may_go, to, may_come] = [
            slot::Select::MAY_GO,
            slot::Select::TOS,
            slot::Select::MAY_COME,
        ]
        .map(|slot| self.optional(at, slot));
        let saved = self.context;
        for from in froms {
            self.context.from = from.0.into();
            self.context.to = from.0.into();
            if !self.holds(may_go) {
                continue;
            }
            let Some(to) = to else {
                let select = Action::Select {
                    from: from.0,
                    to: -1,
                };
                self.one(select, out)?;
                continue;
            };
            for to in self.sites(to) {
                self.context.to = to.0.into();
                if self.holds(may_come) {
                    let select = Action::Select {
                        from: from.0,
                        to: to.0.into(),
                    };
                    self.one(select, out)?;
                }
            }
        }
        self.context = saved;
        Flow::Continue(())
    }
}

//! Moves a piece from a site of one set to a site of another.

use super::super::action::Action;
use super::super::machine::{Flow, Machine};
use super::super::op::{bit, slot};
use super::super::outlet::Outlet;
use super::Ends;
use crate::word::Word;

impl<'g, W: Word> Machine<'g, W> {
    pub(super) fn carries(&mut self, at: u16, extra: u8, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let froms = self.sites_of(at, slot::FromTo::FROMS) & self.state.occupied();
        let [may_go, may_come] =
            [slot::FromTo::MAY_GO, slot::FromTo::MAY_COME].map(|slot| self.optional(at, slot));
        let saved = self.context;
        for from in froms {
            self.context.from = from.0.into();
            if !self.holds(may_go) {
                continue;
            }
            for to in self.sites_of(at, slot::FromTo::TOS) {
                self.context.from = from.0.into();
                self.context.to = to.0.into();
                if self.holds(may_come) {
                    let ends = Ends {
                        from: from.0,
                        to: to.0,
                    };
                    self.carries_to(at, extra, saved.to, ends, out)?;
                }
            }
            self.context = saved;
        }
        self.context = saved;
        Flow::Continue(())
    }

    /// Visits the move between the two current sites; `before` is the site of the
    /// previous move.
    pub(in crate::cartridge) fn carries_to(
        &mut self,
        at: u16,
        extra: u8,
        before: i16,
        Ends { from, to }: Ends,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let [effect, count, copies] = [
            slot::FromTo::EFFECT,
            slot::FromTo::COUNT,
            slot::FromTo::COPIES,
        ]
        .map(|slot| self.optional(at, slot));
        let there = core::mem::replace(&mut self.context.to, before);
        let copy = extra & bit::COPY != 0 || copies.is_some_and(|node| self.truth(node));
        let count = count.map(|node| self.number(node));
        self.context.to = there;
        let start = self.here();
        self.push(match count {
            _ if copy => Action::Copy { from, to },
            Some(count) => Action::MoveSome {
                from,
                to,
                count: count.clamp(0, 255) as u8,
            },
            None => Action::Move { from, to },
        });
        self.put_before(start, effect);
        let flow = self.emit(start, [from.into(), to.into()], out);
        self.actions.truncate(start);
        flow
    }
}

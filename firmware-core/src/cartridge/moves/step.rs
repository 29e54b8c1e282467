//! Moves a piece by one step, or by a leap to a site found from its own.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::super::action::Action;
use super::super::machine::{Flow, Machine};
use super::super::op::slot;
use super::super::outlet::Outlet;
use super::super::ways::each_way;

impl<'g, W: Word> Machine<'g, W> {
    pub(super) fn steps(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Some(from) = self.board_site(at, slot::Step::FROM) else {
            return Flow::Continue(());
        };
        let [may_go, _, may_come, effect] = [
            slot::Step::MAY_GO,
            slot::Step::WAYS,
            slot::Step::MAY_COME,
            slot::Step::EFFECT,
        ]
        .map(|slot| self.optional(at, slot));
        let saved = self.context;
        self.context.from = from.into();
        let mut seen = Points::<W>::NONE;
        if self.holds(may_go) {
            let landing = may_come.and_then(|node| self.whole_set(node));
            for way in each_way(self.ways_of(at, slot::Step::WAYS, from)) {
                let Some(to) = self.game.step(from, way) else {
                    continue;
                };
                if landing.is_some_and(|landing| !landing.has(Point(to))) {
                    continue;
                }
                self.context.to = to.into();
                if !seen.has(Point(to)) && (landing.is_some() || self.holds(may_come)) {
                    seen.insert(Point(to));
                    self.goes(from, to, effect, out)?;
                }
            }
        }
        self.context = saved;
        Flow::Continue(())
    }

    pub(super) fn leaps(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Some(from) = self.board_site(at, slot::Leap::FROM) else {
            return Flow::Continue(());
        };
        let [may_come, effect, may_go] =
            [slot::Leap::MAY_COME, slot::Leap::EFFECT, slot::Leap::MAY_GO]
                .map(|slot| self.optional(at, slot));
        let saved = self.context;
        self.context.from = from.into();
        if self.holds(may_go) {
            for to in self.sites_of(at, slot::Leap::TOS) {
                self.context.to = to.0.into();
                if self.holds(may_come) {
                    self.goes(from, to.0, effect, out)?;
                }
            }
        }
        self.context = saved;
        Flow::Continue(())
    }

    /// Visits a move between two sites that has an effect.
    pub(in crate::cartridge) fn goes(
        &mut self,
        from: u8,
        to: u8,
        effect: Option<u16>,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let start = self.here();
        self.push(Action::Move { from, to });
        self.put_before(start, effect);
        let flow = self.emit(start, [from.into(), to.into()], out);
        self.actions.truncate(start);
        flow
    }
}

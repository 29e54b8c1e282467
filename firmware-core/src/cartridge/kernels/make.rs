//! Makes single moves of batches.

use super::super::action::Action;
use super::super::known::Single;
use super::super::machine::{CONTINUE, Flow, Machine};
use super::super::moves::{Ends, HopEffects, Hurdle};
use super::super::op::{Op, slot};
use super::super::outlet::Outlet;
use crate::word::Word;

impl<'g, W: Word> Machine<'g, W> {
    /// Makes one move of a batch and visits it.
    pub(in crate::cartridge) fn make(
        &mut self,
        single: Single,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let Single {
            node: at,
            from,
            to,
            way,
        } = single;
        let saved = self.context;
        let (op, extra) = self.node(at);
        self.context.to = to.into();
        let flow = match op {
            Op::Step | Op::Leap => {
                self.context.from = from.into();
                let place = if op == Op::Step {
                    slot::Step::EFFECT
                } else {
                    slot::Leap::EFFECT
                };
                let effect = self.optional(at, place);
                self.goes(from, to, effect, out)
            }
            Op::Slide => {
                self.context.from = from.into();
                self.slides_again(at, Ends { from, to }, way.into(), out)
            }
            Op::Hop => self.make_hop(single, out),
            Op::Shoot => self.make_shot(single, out),
            Op::Add => {
                // The number was a piece when the batch was made.
                let what = self.piece_of(at, slot::Add::WHAT);
                what.map_or(CONTINUE, |what| self.adds_to(at, extra, what, to, out))
            }
            Op::FromTo => {
                self.context.from = from.into();
                self.carries_to(at, extra, saved.to, Ends { from, to }, out)
            }
            Op::Select => {
                self.context.from = to.into();
                let select = Action::Select { from: to, to: -1 };
                self.one(select, out)
            }
            Op::Remove => {
                self.context = saved;
                let count = self
                    .optional(at, slot::Remove::COUNT)
                    .map_or(1, |node| self.number(node));
                self.removes_from(extra, count, to, out)
            }
            _ => CONTINUE,
        };
        self.context = saved;
        flow
    }

    #[inline]
    fn make_hop(&mut self, single: Single, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Single {
            node: at,
            from,
            to,
            way,
        } = single;
        self.context.from = from.into();
        let over = self.game.step(from, way.into()).unwrap_or(from);
        self.context.between = over.into();
        let effects = HopEffects {
            on_hurdle: self.optional(at, slot::Hop::HURDLE_EFFECT),
            on_landing: self.optional(at, slot::Hop::EFFECT),
        };
        let hurdle = Hurdle {
            before: from,
            way: way.into(),
            length: 1,
        };
        self.lands(Ends { from, to }, hurdle, effects, out)
    }

    #[inline]
    fn make_shot(&mut self, single: Single, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Single { node: at, to, .. } = single;
        self.context.between = to.into();
        let Some(what) = self.piece_of(at, slot::Shoot::WHAT) else {
            return CONTINUE;
        };
        let add = Action::Add {
            site: to,
            what,
            state: -1,
            top: false,
        };
        self.one(add, out)
    }
}

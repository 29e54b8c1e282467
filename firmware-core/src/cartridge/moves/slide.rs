//! Slides a piece along a line as far as it is open, or shoots one along it.

use super::super::action::Action;
use super::super::machine::{Flow, Machine};
use super::super::op::slot;
use super::super::outlet::Outlet;
use super::super::ways::{MOST_STEPS, each_way};
use super::Ends;
use crate::word::Word;

/// The way of a slide, and its number of steps.
#[derive(Clone, Copy)]
struct Run {
    way: u32,
    steps: i32,
}

impl<'g, W: Word> Machine<'g, W> {
    pub(super) fn slides(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Some(from) = self.board_site(at, slot::Slide::FROM) else {
            return Flow::Continue(());
        };
        let saved = self.context;
        self.context.from = from.into();
        let least = self
            .optional(at, slot::Slide::LEAST)
            .map_or(1, |node| self.number(node));
        let most = self
            .optional(at, slot::Slide::MOST)
            .map_or(i32::MAX, |node| self.number(node));
        let [goes_on, stops] =
            [slot::Slide::PASSES, slot::Slide::STOPS].map(|slot| self.optional(at, slot));
        for way in each_way(self.ways_of(at, slot::Slide::WAYS, from)) {
            let mut here = from;
            self.context.between = saved.between;
            let mut far = 0;
            while far < most.min(MOST_STEPS) {
                far += 1;
                let next = self.game.step(here, way).filter(|next| *next != from);
                let Some(to) = next else { break };
                here = to;
                self.context.to = to.into();
                let is_end = stops.is_some_and(|node| self.truth(node));
                if !(is_end && least <= far) {
                    self.context.between = to.into();
                    let goes = match goes_on {
                        Some(node) => self.truth(node),
                        None => self.state.what(to) == 0,
                    };
                    if !goes {
                        break;
                    }
                }
                if least <= far {
                    self.slides_to(at, Ends { from, to }, Run { way, steps: far }, out)?;
                }
                if is_end && least <= far {
                    break;
                }
            }
        }
        self.context = saved;
        Flow::Continue(())
    }

    /// Visits a slide of a given length that ends on the current site.
    fn slides_to(
        &mut self,
        at: u16,
        Ends { from, to }: Ends,
        Run { way, steps }: Run,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let may_come = self.optional(at, slot::Slide::MAY_COME);
        let [effect, between_effect] =
            [slot::Slide::EFFECT, slot::Slide::PASSING_EFFECT].map(|slot| self.optional(at, slot));
        let start = self.here();
        self.push(Action::Move { from, to });
        self.put_before(start, effect);
        self.leave_trail(at, from, Run { way, steps });
        if between_effect.is_some() {
            self.along_effects(start, from, way, steps - 1, between_effect);
        }
        let flow = if self.holds(may_come) {
            self.emit(start, [from.into(), to.into()], out)
        } else {
            Flow::Continue(())
        };
        self.actions.truncate(start);
        flow
    }

    /// Makes a slide that was visited in a batch before.
    pub(in crate::cartridge) fn slides_again(
        &mut self,
        at: u16,
        ends: Ends,
        way: u32,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let Ends { from, to } = ends;
        let (mut site, mut steps) = (from, 1);
        for _ in 0..self.game.board() {
            match self.game.step(site, way) {
                Some(next) if next != to => site = next,
                _ => break,
            }
            steps += 1;
        }
        // The last site passed is the one between, unless the slide stops there.
        let stops = self.optional(at, slot::Slide::STOPS);
        if !stops.is_some_and(|node| self.truth(node)) {
            self.context.between = to.into();
        } else if steps > 1 {
            self.context.between = site.into();
        }
        self.slides_to(at, ends, Run { way, steps }, out)
    }

    /// Puts pieces on the sites that a slide leaves behind, if it leaves any.
    fn leave_trail(&mut self, at: u16, from: u8, Run { way, steps }: Run) {
        if self.optional(at, slot::Slide::TRAIL).is_none() {
            return;
        }
        let Some(what) = self.piece_of(at, slot::Slide::TRAIL) else {
            return;
        };
        let mut site = from;
        for _ in 0..steps {
            self.push(Action::Add {
                site,
                what,
                state: -1,
                top: false,
            });
            site = self.game.step(site, way).unwrap_or(site);
        }
    }

    /// Inserts the effects on each site of a way before `start`.
    fn along_effects(&mut self, start: usize, from: u8, way: u32, many: i32, effect: Option<u16>) {
        let saved = self.context.between;
        let mut site = from;
        for _ in 0..many {
            site = self.game.step(site, way).unwrap_or(site);
            self.context.between = site.into();
            self.put_before(start, effect);
        }
        self.context.between = saved;
    }

    pub(super) fn shoots(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let Some(from) = self.board_site(at, slot::Shoot::FROM) else {
            return Flow::Continue(());
        };
        let may_come = self.optional(at, slot::Shoot::MAY_COME);
        let Some(what) = self.piece_of(at, slot::Shoot::WHAT) else {
            return Flow::Continue(());
        };
        let saved = self.context;
        for way in each_way(self.ways_of(at, slot::Shoot::WAYS, from)) {
            let mut here = from;
            for _ in 0..self.game.board() {
                let next = self.game.step(here, way).filter(|next| *next != from);
                let Some(to) = next else { break };
                here = to;
                self.context.to = to.into();
                let comes = match may_come {
                    Some(node) => self.truth(node),
                    None => self.state.what(to) == 0,
                };
                if !comes {
                    break;
                }
                self.context.between = to.into();
                let add = Action::Add {
                    site: to,
                    what,
                    state: -1,
                    top: false,
                };
                self.one(add, out)?;
            }
        }
        self.context = saved;
        Flow::Continue(())
    }
}

//! Moves of one action, which need no loop.

use protocol::Point;

use crate::points::Points;

use super::super::action::Action;
use super::super::machine::{Adapter, Flow, Machine, Sink};
use super::super::op::{Op, bit, numbers, place, rules, sets, truths, ways};
use super::super::span::Span;
use super::ON;

impl<'g, W: Span> Machine<'g, W> {
    /// Visits the move of a node that has one action and needs no loop.
    pub(super) fn simple(
        &mut self,
        op: Op,
        at: u16,
        x: u8,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let none = Flow::Continue(());
        let small = |number: i32| u8::try_from(number).ok();
        let short = |number: i32| number.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let action = match op {
            Op::Pass => Some(Action::Pass { forced: false }),
            Op::Again => Some(Action::SetNext {
                player: self.state.mover,
            }),
            Op::SetNext => small(self.number_of(at, place::SetNext::PLAYER))
                .map(|player| Action::SetNext { player }),
            Op::Promote => {
                let (site, what) = (
                    self.site_of(at, place::Promote::SITE),
                    small(self.number_of(at, place::Promote::WHAT)),
                );
                let both = site.zip(what).filter(|(_, what)| *what > 0);
                both.map(|(site, what)| Action::Promote { site, what })
            }
            Op::SetScore => {
                let (player, score) = (
                    small(self.number_of(at, place::SetScore::PLAYER)),
                    self.number_of(at, place::SetScore::SCORE),
                );
                player.map(|player| Action::SetScore {
                    player,
                    score,
                    more: x & bit::MORE != 0,
                })
            }
            Op::SetPlayerValue => {
                let (player, value) = (
                    small(self.number_of(at, place::SetPlayerValue::PLAYER)),
                    self.number_of(at, place::SetPlayerValue::VALUE),
                );
                player.map(|player| Action::SetPlayerValue {
                    player,
                    value: short(value),
                })
            }
            Op::SetAmount => {
                let (player, amount) = (
                    small(self.number_of(at, place::SetAmount::PLAYER)),
                    self.number_of(at, place::SetAmount::AMOUNT),
                );
                player.map(|player| Action::SetAmount {
                    player,
                    amount: short(amount),
                })
            }
            Op::SetState => {
                let state = small(self.number_of(at, place::SetState::STATE));
                let site = self.site_of(at, place::SetState::SITE);
                site.zip(state)
                    .map(|(site, state)| Action::SetState { site, state })
            }
            Op::SetCount => {
                let count = small(self.number_of(at, place::SetCount::COUNT));
                let site = self.site_of(at, place::SetCount::SITE);
                site.zip(count)
                    .map(|(site, count)| Action::SetCount { site, count })
            }
            Op::SetValue => {
                let value = small(self.number_of(at, place::SetValue::VALUE));
                let site = self.site_of(at, place::SetValue::SITE);
                site.zip(value)
                    .map(|(site, value)| Action::SetValue { site, value })
            }
            Op::SetCounter => Some(Action::SetCounter {
                counter: short(self.number_of(at, place::SetCounter::COUNTER)),
            }),
            Op::SetPending => Some(Action::SetPending {
                value: short(self.number_of(at, place::SetPending::VALUE)),
            }),
            Op::Trigger => {
                let event = self.operand(at, place::Trigger::EVENT) as u8;
                small(self.number_of(at, place::Trigger::PLAYER))
                    .map(|player| Action::Trigger { event, player })
            }
            Op::SetVariable => Some(Action::SetVariable {
                variable: self.operand(at, place::SetVariable::VARIABLE) as u8,
                value: short(self.number_of(at, place::SetVariable::VALUE)),
            }),
            Op::Flip => self.site_of(at, place::Flip::SITE).and_then(|site| {
                let here = self.state.here(site);
                let [one, other] = self.game.piece(here.what).flips;
                let state = if here.state == one {
                    other
                } else if here.state == other {
                    one
                } else {
                    here.state
                };
                let flips = here.what != 0 && one != other;
                flips.then_some(Action::SetState { site, state })
            }),
            Op::SwapSites => return self.swaps(at, adapter, sink),
            Op::Remember => {
                let name = self.operand(at, place::Remember::NAME) as u8;
                let known = self.state.remembered.get(usize::from(name)).copied();
                let known = known.unwrap_or(Points::NONE);
                let site = self.site_of(at, place::Remember::SITE);
                let site = site.filter(|site| x & bit::ONCE == 0 || !known.has(Point(*site)));
                site.map(|site| Action::Remember { name, site })
            }
            Op::SetPendingSites => {
                let start = self.here();
                for site in self.sites_of(at, place::SetPendingSites::SITES) {
                    self.push(Action::SetPending {
                        value: site.0.into(),
                    });
                }
                let flow = if self.here() > start {
                    self.emit(start, [-1; 2], adapter, sink)
                } else {
                    none
                };
                self.actions.truncate(start);
                return flow;
            }
            Op::Add
            | Op::FromTo
            | Op::Step
            | Op::Slide
            | Op::Hop
            | Op::Leap
            | Op::Shoot
            | Op::Remove
            | Op::Select
            | Op::Any
            | Op::IfMoves
            | Op::ForEachPiece
            | Op::ForEachSite
            | Op::ForEachPlayer
            | Op::ForEachValue
            | Op::ForEachWay
            | Op::Foremost
            | Op::Afterwards
            | Op::Do
            | Op::Longest
            | Op::MostTaken
            | Op::Together
            | Op::Both
            | Op::Then
            | Op::Apply
            | Op::Custodial
            | Op::Surround
            | Op::Enclose
            | Op::Intervene
            | Op::Directional
            | Op::Scatter
            | Op::Sow
            | Op::Forget
            | Op::None
            | numbers!()
            | truths!()
            | sets!()
            | ways!()
            | rules!() => None,
        };
        match action {
            Some(action) => self.one(action, adapter, sink),
            None => none,
        }
    }

    /// Removes one site from those stored under a name, or all of them.
    pub(super) fn forgets(
        &mut self,
        at: u16,
        adapter: &Adapter<'_>,
        sink: &mut Sink<'_, 'g, W>,
    ) -> Flow {
        let name = self.operand(at, place::Forget::NAME) as u8;
        let sites = match self.optional(at, place::Forget::SITE) {
            Some(node) => {
                let site = self.number(node);
                self.site(site)
                    .map_or(Points::NONE, |site| Points::one(Point(site)))
            }
            None => {
                let known = self.state.remembered.get(usize::from(name));
                known.copied().unwrap_or(Points::NONE)
            }
        };
        let start = self.here();
        for site in sites {
            self.push(Action::Forget { name, site: site.0 });
        }
        let flow = if self.here() > start {
            self.emit(start, [-1; 2], adapter, sink)
        } else {
            ON
        };
        self.actions.truncate(start);
        flow
    }

    fn swaps(&mut self, at: u16, adapter: &Adapter<'_>, sink: &mut Sink<'_, 'g, W>) -> Flow {
        let (from, to) = (
            self.site_of(at, place::SwapSites::ONE),
            self.site_of(at, place::SwapSites::OTHER),
        );
        let (Some(from), Some(to)) = (from, to) else {
            return Flow::Continue(());
        };
        let start = self.here();
        let what = self.state.what(to);
        self.push(Action::Move { from, to });
        self.push(Action::Add {
            site: from,
            what,
            state: -1,
            top: false,
        });
        let flow = self.emit(start, [from.into(), to.into()], adapter, sink);
        self.actions.truncate(start);
        flow
    }
}

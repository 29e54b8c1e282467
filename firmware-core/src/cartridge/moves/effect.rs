//! Moves of one action, which need no loop.

use protocol::Point;

use crate::points::Points;
use crate::word::Word;

use super::super::action::Action;
use super::super::machine::{Flow, Machine};
use super::super::op::{Op, bit, composed_moves, numbers, rules, sets, slot, truths, ways};
use super::super::outlet::Outlet;
use super::CONTINUE;

impl<'g, W: Word> Machine<'g, W> {
    /// Visits the move of a node that has one action and needs no loop.
    pub(super) fn simple(
        &mut self,
        op: Op,
        at: u16,
        extra: u8,
        out: &mut Outlet<'_, 'g, W>,
    ) -> Flow {
        let action = match op {
            Op::Pass => Some(Action::Pass { forced: false }),
            Op::Again => self.moves_again(),
            Op::SetNext => self.sets_next(at),
            Op::Promote => self.promotes(at),
            Op::SetScore => self.sets_score(at, extra),
            Op::SetPlayerValue => self.sets_player_value(at),
            Op::SetAmount => self.sets_amount(at),
            Op::SetState => self.sets_state(at),
            Op::SetCount => self.sets_count(at),
            Op::SetValue => self.sets_value(at),
            Op::SetCounter => self.sets_counter(at),
            Op::SetPending => self.sets_pending(at),
            Op::Trigger => self.triggers(at),
            Op::SetVariable => self.sets_variable(at),
            Op::Flip => self.flips(at),
            Op::SwapSites => return self.swaps(at, out),
            Op::Remember => self.remembers(at, extra),
            Op::SetPendingSites => return self.sets_pending_sites(at, out),
            composed_moves!() | numbers!() | truths!() | sets!() | ways!() | rules!() => None,
        };
        match action {
            Some(action) => self.one(action, out),
            None => CONTINUE,
        }
    }

    fn moves_again(&self) -> Option<Action> {
        Some(Action::SetNext {
            player: self.state.mover,
        })
    }

    fn sets_next(&mut self, at: u16) -> Option<Action> {
        small(self.number_of(at, slot::SetNext::PLAYER)).map(|player| Action::SetNext { player })
    }

    fn promotes(&mut self, at: u16) -> Option<Action> {
        let (site, what) = (
            self.site_of(at, slot::Promote::SITE),
            self.piece_of(at, slot::Promote::WHAT),
        );
        site.zip(what)
            .map(|(site, what)| Action::Promote { site, what })
    }

    fn sets_score(&mut self, at: u16, extra: u8) -> Option<Action> {
        let (player, score) = (
            small(self.number_of(at, slot::SetScore::PLAYER)),
            self.number_of(at, slot::SetScore::SCORE),
        );
        player.map(|player| Action::SetScore {
            player,
            score,
            more: extra & bit::MORE != 0,
        })
    }

    fn sets_player_value(&mut self, at: u16) -> Option<Action> {
        let (player, value) = (
            small(self.number_of(at, slot::SetPlayerValue::PLAYER)),
            self.number_of(at, slot::SetPlayerValue::VALUE),
        );
        player.map(|player| Action::SetPlayerValue {
            player,
            value: short(value),
        })
    }

    fn sets_amount(&mut self, at: u16) -> Option<Action> {
        let (player, amount) = (
            small(self.number_of(at, slot::SetAmount::PLAYER)),
            self.number_of(at, slot::SetAmount::AMOUNT),
        );
        player.map(|player| Action::SetAmount {
            player,
            amount: short(amount),
        })
    }

    fn sets_state(&mut self, at: u16) -> Option<Action> {
        let state = small(self.number_of(at, slot::SetState::STATE));
        let site = self.site_of(at, slot::SetState::SITE);
        site.zip(state)
            .map(|(site, state)| Action::SetState { site, state })
    }

    fn sets_count(&mut self, at: u16) -> Option<Action> {
        let count = small(self.number_of(at, slot::SetCount::COUNT));
        let site = self.site_of(at, slot::SetCount::SITE);
        site.zip(count)
            .map(|(site, count)| Action::SetCount { site, count })
    }

    fn sets_value(&mut self, at: u16) -> Option<Action> {
        let value = small(self.number_of(at, slot::SetValue::VALUE));
        let site = self.site_of(at, slot::SetValue::SITE);
        site.zip(value)
            .map(|(site, value)| Action::SetValue { site, value })
    }

    fn sets_counter(&mut self, at: u16) -> Option<Action> {
        Some(Action::SetCounter {
            counter: short(self.number_of(at, slot::SetCounter::COUNTER)),
        })
    }

    fn sets_pending(&mut self, at: u16) -> Option<Action> {
        Some(Action::SetPending {
            value: short(self.number_of(at, slot::SetPending::VALUE)),
        })
    }

    fn triggers(&mut self, at: u16) -> Option<Action> {
        let event = self.operand(at, slot::Trigger::EVENT) as u8;
        small(self.number_of(at, slot::Trigger::PLAYER))
            .map(|player| Action::Trigger { event, player })
    }

    fn sets_variable(&mut self, at: u16) -> Option<Action> {
        Some(Action::SetVariable {
            variable: self.operand(at, slot::SetVariable::VARIABLE) as u8,
            value: short(self.number_of(at, slot::SetVariable::VALUE)),
        })
    }

    fn flips(&mut self, at: u16) -> Option<Action> {
        self.site_of(at, slot::Flip::SITE).and_then(|site| {
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
        })
    }

    fn remembers(&mut self, at: u16, extra: u8) -> Option<Action> {
        let name = self.operand(at, slot::Remember::NAME) as u8;
        let known = self.state.remembered.get(usize::from(name)).copied();
        let known = known.unwrap_or(Points::NONE);
        let site = self.site_of(at, slot::Remember::SITE);
        let site = site.filter(|site| extra & bit::ONCE == 0 || !known.has(Point(*site)));
        site.map(|site| Action::Remember { name, site })
    }

    fn sets_pending_sites(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let start = self.here();
        for site in self.sites_of(at, slot::SetPendingSites::SITES) {
            self.push(Action::SetPending {
                value: site.0.into(),
            });
        }
        self.emit_any(start, [-1; 2], out)
    }

    /// Removes one site from those stored under a name, or all of them.
    pub(super) fn forgets(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let name = self.operand(at, slot::Forget::NAME) as u8;
        let sites = match self.optional(at, slot::Forget::SITE) {
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
        self.emit_any(start, [-1; 2], out)
    }

    fn swaps(&mut self, at: u16, out: &mut Outlet<'_, 'g, W>) -> Flow {
        let (from, to) = (
            self.site_of(at, slot::SwapSites::ONE),
            self.site_of(at, slot::SwapSites::OTHER),
        );
        let (Some(from), Some(to)) = (from, to) else {
            return CONTINUE;
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
        let flow = self.emit(start, [from.into(), to.into()], out);
        self.actions.truncate(start);
        flow
    }
}

/// A number of one byte.
fn small(number: i32) -> Option<u8> {
    u8::try_from(number).ok()
}

/// The nearest number of two bytes.
fn short(number: i32) -> i16 {
    number.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

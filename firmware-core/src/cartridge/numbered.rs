//! Legal moves by their number, as [`Machine::legal`] tells of them.

use core::ops::ControlFlow;

use super::action::Draft;
use super::machine::Machine;
use super::span::Span;

impl<W: Span> Machine<'_, W> {
    /// Plays the legal move of this number; false if there are not so many.
    pub fn play_nth(&mut self, number: usize) -> bool {
        self.play_which(&mut |at, _| at == number)
    }

    /// Plays the last legal move of which this is true, asked of each by its number
    /// and its draft, in order; false if it is true of none.
    pub fn play_which(&mut self, which: &mut dyn FnMut(usize, Draft) -> bool) -> bool {
        let (mut at, mut found) = (0, false);
        let mut sites = [-1; 2];
        let mut own = 0;
        let mut look = |machine: &mut Self, draft: Draft| {
            if which(at, draft) {
                found = true;
                sites = [draft.from, draft.to];
                own = draft.own - draft.start;
                machine.keep(draft);
            }
            at += 1;
            ControlFlow::Continue(())
        };
        let _ = self.legal(&mut look);
        if found && !self.gave_up() {
            self.fuel_again();
            self.play_kept(sites, own, &[]);
            self.actions.clear();
            return true;
        }
        false
    }

    /// A number of the position that a move leads to, which tells it from others.
    pub fn position_after(&mut self, draft: Draft) -> u64 {
        let before = self.state.clone();
        let keeps = core::mem::replace(&mut self.keeps, false);
        self.run(draft);
        let hash = self.state.hash() ^ u64::from(self.state.next).rotate_left(60);
        self.keeps = keeps;
        self.state = before;
        hash
    }

    /// [`Machine::position_after`] the legal move of this number.
    pub fn result_of(&mut self, number: u16) -> u64 {
        let mut result = 0;
        self.with_nth(number, &mut |machine, draft| {
            result = machine.position_after(draft);
        });
        result
    }

    /// What stands on a site after the legal move of this number.
    pub fn what_after(&mut self, number: u16, site: u8) -> u8 {
        let mut what = 0;
        self.with_nth(number, &mut |machine, draft| {
            let before = machine.state.clone();
            let keeps = core::mem::replace(&mut machine.keeps, false);
            machine.run(draft);
            what = machine.state.what(site);
            machine.keeps = keeps;
            machine.state = before;
        });
        what
    }

    fn with_nth(&mut self, number: u16, what: &mut dyn FnMut(&mut Self, Draft)) {
        let mut left = number;
        let mut look = |machine: &mut Self, draft: Draft| {
            if left == 0 {
                what(machine, draft);
                return ControlFlow::Break(());
            }
            left -= 1;
            ControlFlow::Continue(())
        };
        let _ = self.legal(&mut look);
    }
}

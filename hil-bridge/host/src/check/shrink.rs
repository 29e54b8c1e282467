//! Shrinks a session that shows a difference.
//!
//! Items are removed, in large pieces first, as long as the rest still shows a
//! difference; then the waits are shortened in the same way.

use std::time::Duration;

use protocol::Tick;

use super::{CheckStep, TimeLimit, locate, steps_of};
use crate::driver::{CoreDriver, Driver, DriverError};
use crate::session::{Header, Replay, Session, SessionItem};

/// The shortest session found within the time limit that shows a difference. If the
/// given session does not show one when it is repeated, it is returned unchanged.
///
/// # Errors
/// When the board cannot be reached.
pub fn shrink(
    board: &mut dyn Driver,
    session: &Session,
    limit: TimeLimit,
) -> Result<Session, DriverError> {
    let mut shrinker = Shrinker {
        board,
        header: session.header.clone(),
        steps: single(steps_of(session)),
        begun: (limit.now)(),
        limit,
    };
    let steps = shrinker.steps.clone();
    if !shrinker.keeps(steps)? {
        return Ok(session.clone());
    }
    shrinker.leave_out()?;
    shrinker.hurry()?;
    shrinker.leave_out()?;
    let Shrinker { header, steps, .. } = shrinker;
    written(header, &steps)
}

/// Splits the steps so that each has one item, which can be removed separately.
fn single(steps: Vec<CheckStep>) -> Vec<CheckStep> {
    let mut single: Vec<CheckStep> = Vec::new();
    for CheckStep { items, ticks } in steps {
        let items = items.iter().filter(|item| item.is_done());
        single.extend(items.map(CheckStep::at_once));
        match single.last_mut() {
            Some(last) => last.ticks += ticks,
            None => single.push(CheckStep {
                items: Vec::new(),
                ticks,
            }),
        }
    }
    single
}

struct Shrinker<'a> {
    board: &'a mut dyn Driver,
    header: Header,
    /// The shortest steps found so far.
    steps: Vec<CheckStep>,
    begun: Duration,
    limit: TimeLimit,
}

impl Shrinker<'_> {
    fn is_over(&self) -> bool {
        (self.limit.now)().saturating_sub(self.begun) >= self.limit.at_most
    }

    /// Replaces the shortest steps by these, cut off at the first difference, if these
    /// show one.
    fn keeps(&mut self, mut steps: Vec<CheckStep>) -> Result<bool, DriverError> {
        let Some(count) = locate::shows(self.board, &self.header, &steps)? else {
            return Ok(false);
        };
        steps.truncate(count);
        self.steps = steps;
        Ok(true)
    }

    /// Leaves out pieces of decreasing size, from a half down to single steps. First
    /// tries to leave out the time that the piece took as well, then to keep that time.
    fn leave_out(&mut self) -> Result<(), DriverError> {
        let mut piece = self.steps.len().div_ceil(2);
        while piece > 0 {
            let mut start = 0;
            while start < self.steps.len() && !self.is_over() {
                let end = self.steps.len().min(start + piece);
                if !self.keeps(self.without(start, end, false))?
                    && !self.keeps(self.without(start, end, true))?
                {
                    start = end;
                }
            }
            piece /= 2;
        }
        Ok(())
    }

    fn without(&self, start: usize, end: usize, keep_time: bool) -> Vec<CheckStep> {
        let mut steps = self.steps.clone();
        let ticks: Tick = steps.drain(start..end).map(|step| step.ticks).sum();
        if keep_time && ticks > 0 {
            match start
                .checked_sub(1)
                .and_then(|before| steps.get_mut(before))
            {
                Some(before) => before.ticks += ticks,
                None => {
                    let items = Vec::new();
                    steps.insert(0, CheckStep { items, ticks });
                }
            }
        }
        steps
    }

    /// Shortens each wait, to zero or by repeated halving.
    fn hurry(&mut self) -> Result<(), DriverError> {
        let mut number = 0;
        while number < self.steps.len() && !self.is_over() {
            let mut right = 0;
            while let Some(CheckStep { ticks, .. }) = self.steps.get(number)
                && *ticks > right
                && !self.is_over()
            {
                let shorter = right + (*ticks - right) / 2;
                let mut steps = self.steps.clone();
                if let Some(step) = steps.get_mut(number) {
                    step.ticks = shorter;
                }
                if !self.keeps(steps)? {
                    right = shorter + 1;
                }
            }
            number += 1;
        }
        Ok(())
    }
}

/// The steps as a session with the twin's digest after each. A correct board reaches
/// every digest; the tested one differs at the end.
fn written(header: Header, steps: &[CheckStep]) -> Result<Session, DriverError> {
    let mut twin = CoreDriver::with_games(*header.layout, header.roster, header.seed)?;
    let mut session = Session::new(header.clone());
    let mut replay = Replay::begin(&mut twin, &header)?;
    for CheckStep { items, ticks } in steps {
        let tick = replay.tick();
        for item in items {
            replay.act(tick, item)?;
            session.push(tick, item.clone());
        }
        let tick = replay.tick() + ticks;
        if let Some(digest) = replay.act(tick, &SessionItem::Digest(0))? {
            session.push(tick, SessionItem::Digest(digest));
        }
    }
    session.push(replay.tick(), SessionItem::End);
    Ok(session)
}

#[cfg(test)]
mod tests {
    use firmware_core::Rng;
    use protocol::{Button, Deed, Input, Layout, Point};

    use super::*;
    use crate::check::{CheckOptions, Verdict, check};
    use crate::driver::wrong::WrongDriver;

    #[test]
    fn a_difference_is_named_and_shrunk() {
        let layout = Layout::MALDOO;
        let mut board = WrongDriver::new(CoreDriver::new(layout, 0).unwrap());
        let options = CheckOptions {
            shrink_for: TimeLimit::ENDLESS,
            ..CheckOptions::new(layout, 7, 2_000)
        };
        let verdict = check(&mut board, &options, &mut |_| {}).unwrap();
        let Verdict::Differs(finding) = verdict else {
            panic!("the mistake was not found");
        };
        assert!(finding.session.entries.len() <= 4, "{:?}", finding.session);
        assert_eq!(finding.difference.field, "fingers");
        let mut right = CoreDriver::new(layout, 0).unwrap();
        let session = &finding.session;
        assert_eq!(session.replay(&mut right, &mut |_| {}).unwrap(), None);
        let mismatch = session.replay(&mut board, &mut |_| {}).unwrap();
        assert!(mismatch.is_some());
    }

    #[test]
    fn a_difference_on_a_smaller_roster_is_shrunk() {
        let (layout, some) = (Layout::MALDOO, "059".parse().unwrap());
        let of_some = || CoreDriver::with_games(layout, some, 0).unwrap();
        let mut board = WrongDriver::new(of_some());
        let options = CheckOptions {
            shrink_for: TimeLimit::ENDLESS,
            ..CheckOptions::new(layout, 7, 2_000)
        };
        let verdict = check(&mut board, &options, &mut |_| {}).unwrap();
        let Verdict::Differs(finding) = verdict else {
            panic!("the mistake was not found");
        };
        assert_eq!(finding.session.header.roster, some);
        assert!(finding.session.entries.len() <= 4, "{:?}", finding.session);
        let session = &finding.session;
        assert_eq!(session.replay(&mut of_some(), &mut |_| {}).unwrap(), None);
        assert!(session.replay(&mut board, &mut |_| {}).unwrap().is_some());
    }

    #[test]
    fn a_panic_is_a_difference_and_is_shrunk() {
        let layout = Layout::MALDOO;
        let mut board = WrongDriver::that_panics(CoreDriver::new(layout, 0).unwrap());
        let options = CheckOptions {
            shrink_for: TimeLimit::ENDLESS,
            ..CheckOptions::new(layout, 7, 2_000)
        };
        let Ok(Verdict::Differs(finding)) = check(&mut board, &options, &mut |_| {}) else {
            panic!("the panic was not found");
        };
        assert!(finding.session.entries.len() <= 4, "{:?}", finding.session);
        let words = finding.difference.to_string();
        assert!(words.contains("the firmware panicked: point"), "{words}");
        let mut right = CoreDriver::new(layout, 0).unwrap();
        let session = &finding.session;
        assert_eq!(session.replay(&mut right, &mut |_| {}).unwrap(), None);
        assert!(session.replay(&mut board, &mut |_| {}).is_err());
    }

    #[test]
    fn single_steps_take_as_long_as_the_whole_deed() {
        let mut rng = Rng::new(1);
        let steps: Vec<CheckStep> = (0..40)
            .map(|_| {
                let items = (0..rng.below(4))
                    .map(|n| SessionItem::Do(Deed::Input(Input::Touch(Point(n as u8)))));
                CheckStep {
                    items: items.collect(),
                    ticks: u64::from(rng.below(100)),
                }
            })
            .collect();
        let time = |steps: &[CheckStep]| steps.iter().map(|step| step.ticks).sum::<Tick>();
        assert_eq!(time(&single(steps.clone())), time(&steps));
        let press = vec![CheckStep {
            items: vec![SessionItem::Do(Deed::Input(Input::Press(Button::Start)))],
            ticks: 5,
        }];
        assert_eq!(single(press.clone()), press);
    }
}

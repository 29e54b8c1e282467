//! Fingers on faulty sensors: a board and its twin both get the detected inputs instead
//! of clean touches.

use firmware_core::{Faults, Matrix};
use protocol::{Deed, Input, Layout, Tick};

use super::CheckStep;
use crate::session::SessionItem;

/// Converts steps of fingers to the inputs that the sensors detect.
pub struct SensedFingers(Matrix);

impl SensedFingers {
    /// Fingers on a board with this layout. With sound sensors, the inputs are not changed.
    pub fn new(layout: Layout, faults: &Faults) -> SensedFingers {
        SensedFingers(Matrix::new(layout, faults.clone()))
    }

    /// The inputs that the sensors detect during a step, with their times. A finger is
    /// held at least as long as sound contacts need, so the result may take longer than
    /// the step.
    pub fn detect(&mut self, step: CheckStep) -> Vec<CheckStep> {
        let SensedFingers(matrix) = self;
        if matrix.is_sound() {
            return vec![step];
        }
        let settles_ms = matrix.settles_ms();
        let mut felt = Steps::default();
        for item in step.items {
            match item {
                SessionItem::Do(Deed::Input(input)) if input != Input::Pass => {
                    matrix.touch(input);
                    felt.pass(matrix, settles_ms);
                }
                item => felt.items.push(item),
            }
        }
        felt.pass(matrix, step.ticks);
        felt.steps.push(CheckStep {
            items: felt.items,
            ticks: 0,
        });
        felt.steps
    }
}

/// The resulting steps, and the items after the last of them.
#[derive(Default)]
struct Steps {
    steps: Vec<CheckStep>,
    items: Vec<SessionItem>,
}

impl Steps {
    /// Lets time pass. Time without inputs is merged with the time after it into one
    /// step.
    fn pass(&mut self, matrix: &mut Matrix, mut left: Tick) {
        while left > 0 {
            let ticks = matrix.quiet_within(left);
            let mut felt = Vec::new();
            matrix.pass(ticks, |input| felt.push(input.into()));
            left -= ticks;
            let items = std::mem::replace(&mut self.items, felt);
            match self.steps.last_mut() {
                Some(last) if items.is_empty() => last.ticks += ticks,
                _ => self.steps.push(CheckStep { items, ticks }),
            }
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::CoreDriver;
    use crate::check::{CheckOptions, Generator, Verdict, check};
    use crate::driver::wrong::WrongDriver;

    const LAYOUT: Layout = Layout::MALDOO;

    fn options(faults: &str) -> CheckOptions {
        CheckOptions {
            faults: faults.parse().unwrap(),
            shrink_for: crate::check::TimeLimit::ENDLESS,
            ..CheckOptions::new(LAYOUT, 3, 400)
        }
    }

    #[test]
    fn a_board_with_any_sensors_agrees_with_its_twin() {
        let bad = "seed 5, bounce-ms 12, ghosting, stuck d4, dead e5";
        let [good, bad] = ["none", bad].map(|faults| {
            let mut board = CoreDriver::new(LAYOUT, 0).unwrap();
            let verdict = check(&mut board, &options(faults), &mut |_| {}).unwrap();
            let Verdict::Agrees(summary) = verdict else {
                panic!("{verdict:?}");
            };
            summary
        });
        assert_ne!(good.inputs, bad.inputs, "ghosts and a key that is dead");
        assert!(bad.games > 0 && bad.events > 500, "{bad:?}");
    }

    #[test]
    fn a_wrong_rule_behind_bad_sensors_shows_without_them() {
        let mut board = WrongDriver::new(CoreDriver::new(LAYOUT, 0).unwrap());
        let verdict = check(&mut board, &options("bounce-ms 12, ghosting"), &mut |_| {});
        let Ok(Verdict::Differs(finding)) = verdict else {
            panic!("the mistake was not found");
        };
        assert_eq!(finding.difference.field, "fingers");
        let mismatch = finding.session.replay(&mut board, &mut |_| {}).unwrap();
        assert!(mismatch.is_some());
    }

    #[test]
    fn felt_inputs_take_as_long_as_the_fingers() {
        let faults = "stuck d4, bounce-ms 7".parse().unwrap();
        let mut fingers = SensedFingers::new(LAYOUT, &faults);
        let mut generator = Generator::new(1, LAYOUT);
        let mut board = CoreDriver::new(LAYOUT, 1).unwrap();
        for _ in 0..200 {
            let step = generator.next(board.board());
            let finger = |item: &&SessionItem| matches!(item, SessionItem::Do(Deed::Input(input)) if *input != Input::Pass);
            let ticks = step.ticks + 12 * step.items.iter().filter(finger).count() as Tick;
            let felt = fingers.detect(step);
            assert_eq!(felt.iter().map(|step| step.ticks).sum::<Tick>(), ticks);
            for step in felt {
                step.carry_out(&mut board).unwrap();
            }
        }
    }
}

//! Fingers on bad sensors: what a board and its Twin both get instead of clean
//! touches.

use firmware_core::{Faults, Felt, Sensors};
use protocol::{Input, Layout, Tick};

use super::Step;
use crate::session::Act;

/// Makes of each step what the sensors feel of it.
pub struct Fingers(Option<Sensors>);

impl Fingers {
    /// Fingers on a board of this layout. Where nothing is wrong with its
    /// sensors a touch is a touch.
    pub fn new(layout: Layout, faults: &Faults) -> Fingers {
        Fingers((!faults.board.spare_sensors()).then(|| Sensors::new(layout, faults)))
    }

    /// What is felt of a step, and when: steps that take as long together.
    pub fn feel(&mut self, step: Step) -> Vec<Step> {
        let Some(sensors) = &mut self.0 else {
            return vec![step];
        };
        let mut acts = step.acts;
        acts.retain(|act| match act {
            Act::Input(input) if *input != Input::Pass => {
                sensors.finger(*input);
                false
            }
            _ => true,
        });
        let mut left = step.ticks;
        let mut steps = Vec::new();
        while left > 0 {
            let mut felt = Vec::new();
            let passed_ms = sensors.pass(left.min(u32::MAX.into()) as u32, |what| {
                if let Felt::Input(input) = what {
                    felt.push(Act::Input(input));
                }
            });
            left -= Tick::from(passed_ms);
            let ticks = passed_ms.into();
            // Time in which nothing is felt is one step with the time after it.
            match steps.last_mut() {
                Some(Step { ticks: before, .. }) if acts.is_empty() => *before += ticks,
                _ => steps.push(Step { acts, ticks }),
            }
            acts = felt;
        }
        if !acts.is_empty() || steps.is_empty() {
            steps.push(Step { acts, ticks: 0 });
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::CoreDriver;
    use crate::check::{CheckOptions, Generator, Verdict, check};
    use crate::driver::wrong::WrongDriver;

    const LAYOUT: Layout = Layout::MALDOO;

    fn options(faults: &str) -> CheckOptions {
        CheckOptions {
            seed: 3,
            steps: 400,
            layout: LAYOUT,
            faults: faults.parse().unwrap(),
            shrink_for: Duration::from_secs(20),
        }
    }

    #[test]
    fn a_board_agrees_with_its_twin_whatever_its_sensors_feel() {
        let bad = "seed 5, bounce-ms 12, ghosting, stuck d4, dead e5, stuck mode";
        let inputs = ["none", bad].map(|faults| {
            let mut board = CoreDriver::new(LAYOUT, 0).unwrap();
            let verdict = check(&mut board, &options(faults), &mut |_| {}).unwrap();
            let Verdict::Agrees(agreement) = verdict else {
                panic!("{verdict:?}");
            };
            agreement.inputs
        });
        assert_ne!(inputs[0], inputs[1], "the sensors felt what fingers did");
    }

    #[test]
    fn a_mistake_is_found_behind_bad_sensors_and_shows_without_them() {
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
    fn what_is_felt_takes_as_long_as_what_fingers_did() {
        let faults = "stuck d4, bounce-ms 7".parse().unwrap();
        let mut fingers = Fingers::new(LAYOUT, &faults);
        let mut generator = Generator::new(1, LAYOUT);
        let mut board = CoreDriver::new(LAYOUT, 1).unwrap();
        for _ in 0..200 {
            let step = generator.next(board.board());
            let ticks = step.ticks;
            let felt = fingers.feel(step);
            assert_eq!(felt.iter().map(|step| step.ticks).sum::<Tick>(), ticks);
            for step in felt {
                step.carry_out(&mut board).unwrap();
            }
        }
    }
}

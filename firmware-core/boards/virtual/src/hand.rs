//! The board's own sensors, and the fingers on them.

use std::collections::VecDeque;

use firmware_core::held::MayBeStuck;
use firmware_core::{Device, Faults, Felt, Machine, Sensors};
use protocol::Layout;

use crate::fingers::{Fingers, Step};

/// Lines for the log that wait for a host, at most: a hand that lies on the
/// board holds many keys.
const MOST_UNHEARD: usize = 16;

/// Sensors of a board, and what the fingers on them do.
pub struct Hand {
    pub fingers: Fingers,
    sensors: Sensors,
    faults: Faults,
    /// For which layout they are.
    layout: Layout,
    /// How long the fingers do nothing.
    wait_ms: u32,
    /// Lines for the host's log that nobody heard yet.
    unheard: VecDeque<String>,
}

impl Hand {
    pub fn new(layout: Layout, faults: Faults, fingers: Fingers) -> Hand {
        Hand {
            fingers,
            sensors: Sensors::new(layout, &faults),
            faults,
            layout,
            wait_ms: 0,
            unheard: VecDeque::new(),
        }
    }

    /// How long nothing is felt, by the board's own clock.
    pub fn sleeps_ms(&self) -> Option<u32> {
        let fingers = (self.wait_ms > 0).then_some(self.wait_ms);
        self.sensors.rests_ms().into_iter().chain(fingers).min()
    }

    /// The firmware begins anew; the fingers stay where they are.
    pub fn forget(&mut self) {
        self.sensors.forget();
        self.unheard.clear();
    }

    /// Lets so much time pass by the board's own clock, and tells the device
    /// what the sensors feel meanwhile. While it does not listen to them
    /// nothing is sampled, and fingers wait. Returns what is wrong, if that is
    /// something else now.
    pub fn elapse<M: Machine, S: AsMut<[u8]>>(
        &mut self,
        device: &mut Device<M, S>,
        mut ms: u32,
    ) -> Option<Faults> {
        self.fit(device.machine().layout());
        let mut broken = None;
        while ms > 0 && device.listens() {
            let wait_ms = self.wait_ms;
            let most_ms = if wait_ms > 0 { ms.min(wait_ms) } else { ms };
            let mut felt = Vec::new();
            let passed_ms = self.sensors.pass(most_ms, |what| felt.push(what));
            device.elapse(passed_ms);
            for what in felt {
                match what {
                    Felt::Input(input) => device.input(input),
                    Felt::Held(input) => self.say(MayBeStuck(self.layout, input).to_string()),
                }
            }
            ms -= passed_ms;
            self.wait_ms = wait_ms.saturating_sub(passed_ms);
            if wait_ms > 0 {
                broken = self.take_steps().or(broken);
            }
        }
        device.elapse(ms);
        // What fingers began to do only now is no part of the time before.
        if device.listens() {
            broken = self.take_steps().or(broken);
        }
        while let Some(line) = self.unheard.front()
            && device.log(line)
        {
            self.unheard.pop_front();
        }
        broken
    }

    /// Puts a line into the host's log, once there is one.
    pub fn say(&mut self, line: String) {
        if self.unheard.len() < MOST_UNHEARD {
            self.unheard.push_back(line);
        }
    }

    /// Moves the fingers until they wait for something.
    fn take_steps(&mut self) -> Option<Faults> {
        let mut broken = None;
        while self.wait_ms == 0
            && let Some(step) = self.fingers.next()
        {
            match step {
                Step::Finger(input) => self.sensors.finger(input),
                Step::Wait(ms) => self.wait_ms = ms,
                Step::Faults(faults) => {
                    self.sensors.set(&faults.board);
                    self.faults = (*faults).clone();
                    broken = Some(*faults);
                }
            }
        }
        broken
    }

    /// A board that became another layout has other sensors.
    fn fit(&mut self, layout: Layout) {
        if layout != self.layout {
            self.layout = layout;
            self.sensors = Sensors::new(layout, &self.faults);
            self.fingers.fit(layout);
        }
    }
}

#[cfg(test)]
impl Hand {
    pub fn layout(&self) -> Layout {
        self.layout
    }

    pub fn has_more_to_say(&self) -> bool {
        !self.unheard.is_empty()
    }
}

//! The board's own key matrix and the fingers on it: those moved by the standard input or
//! by another thread, and the clicks of a host.

use std::collections::VecDeque;

use firmware_core::device::ContactNews;
use firmware_core::{AnyWidth, Device, Faults, Matrix};
use protocol::{Input, Layout, Severity, Tick};

use crate::fingers::{Fingers, Step};

/// The maximum number of log lines that wait for a host; a hand that lies on the board
/// holds many keys.
const MOST_UNHEARD: usize = 16;

/// The sensors of a board, and the actions of the fingers on them.
pub struct Hand {
    pub fingers: Fingers,
    matrix: Matrix,
    /// The remaining pause of the fingers, in milliseconds.
    wait_ms: u32,
    /// The lines for the host's log that have not been sent yet.
    unheard: VecDeque<String>,
}

impl Hand {
    pub fn new(layout: Layout, faults: Faults, fingers: Fingers) -> Hand {
        Hand {
            fingers,
            matrix: Matrix::new(layout, of_sensors(faults)),
            wait_ms: 0,
            unheard: VecDeque::new(),
        }
    }

    /// How long nothing is felt, in milliseconds of the board's own clock.
    pub fn sleeps_ms(&self) -> Option<u32> {
        let fingers = (self.wait_ms > 0).then_some(self.wait_ms);
        let matrix = self.matrix.quiet_for().map(whole_ms);
        matrix.into_iter().chain(fingers).min()
    }

    /// Handles a restart of the firmware; the fingers stay where they are.
    pub fn forget(&mut self) {
        self.matrix.forget();
        self.unheard.clear();
    }

    /// Carries out a click of a host, which is felt like any finger.
    pub fn click(&mut self, input: Input) {
        self.matrix.click(input);
    }

    /// Takes over the faults that a host has set.
    pub fn take_over_faults(&mut self, faults: Faults) {
        self.fingers.know_faults(faults.clone());
        self.matrix.set_faults(of_sensors(faults));
    }

    /// Lets time pass by the board's own clock, and passes the reported inputs on to the
    /// device. While the device does not listen, nothing is sampled, and fingers wait.
    /// Returns the faults if they have changed.
    pub fn elapse<B: AnyWidth, S: AsMut<[u8]>>(
        &mut self,
        device: &mut Device<B, S>,
        mut ms: u32,
    ) -> Option<Faults> {
        self.fit(device.board().layout());
        let mut changed = None;
        while ms > 0 && device.listens() {
            let wait_ms = self.wait_ms;
            let most_ms = if wait_ms > 0 { ms.min(wait_ms) } else { ms };
            let passed = self.matrix.quiet_within(most_ms.into());
            let passed_ms = whole_ms(passed);
            device.elapse(passed_ms);
            let mut felt = Vec::new();
            self.matrix.pass(passed, |input| felt.push(input));
            self.tell_contacts(device);
            felt.into_iter().for_each(|input| device.input(input));
            for line in self.matrix.take_said() {
                self.log(line);
            }
            ms -= passed_ms;
            self.wait_ms = wait_ms.saturating_sub(passed_ms);
            if wait_ms > 0 {
                changed = self.take_steps().or(changed);
            }
        }
        device.elapse(ms);
        // Fingers that move now do not affect the time that has just passed.
        if device.listens() {
            changed = self.take_steps().or(changed);
        }
        while let Some(line) = self.unheard.front()
            && device.log(Severity::Information, line)
        {
            self.unheard.pop_front();
        }
        changed
    }

    /// Tells the host what the contacts did, before what was felt of it.
    fn tell_contacts<B: AnyWidth, S: AsMut<[u8]>>(&mut self, device: &mut Device<B, S>) {
        match device.contact_news() {
            ContactNews::Nothing => return,
            ContactNews::Changes => {}
            ContactNews::All => self.matrix.tell_contacts_anew(),
        }
        self.matrix.take_contacts(|contact| device.contact(contact));
    }

    /// Adds a line to the host's log, which is sent once there is a host.
    pub fn log(&mut self, line: String) {
        if self.unheard.len() < MOST_UNHEARD {
            self.unheard.push_back(line);
        }
    }

    /// Carries out the actions of the fingers until they have to wait.
    fn take_steps(&mut self) -> Option<Faults> {
        let mut changed = None;
        while self.wait_ms == 0
            && let Some(step) = self.fingers.next()
        {
            match step {
                Step::Finger(input) => self.matrix.touch(input),
                Step::Wait(ms) => self.wait_ms = ms,
                Step::Faults(faults) => {
                    self.matrix.set_faults(of_sensors((*faults).clone()));
                    changed = Some(*faults);
                }
            }
        }
        changed
    }

    /// Replaces the sensors if the board has a different layout.
    fn fit(&mut self, layout: Layout) {
        if layout != self.matrix.layout() {
            self.matrix.restart(layout);
            self.fingers.fit(layout);
        }
    }
}

/// The faults of the sensors, without those of the power supply, which belong to the
/// port.
fn of_sensors(mut faults: Faults) -> Faults {
    faults.board.brown_out_after_ms = None;
    faults
}

fn whole_ms(ticks: Tick) -> u32 {
    ticks.try_into().unwrap_or(u32::MAX)
}

#[cfg(test)]
impl Hand {
    pub fn layout(&self) -> Layout {
        self.matrix.layout()
    }

    pub fn has_more_to_say(&self) -> bool {
        !self.unheard.is_empty()
    }
}

//! A simulated key matrix in time: fingers, the sensors under them, and a power
//! supply that may fail. The virtual board, the window and drivers of faulty boards
//! all use it.
//!
//! [`Sensors`] work sample by sample; the owner of a board decides how its time passes.
//! The loop that connects them is always the same: ask for how long nothing can be felt
//! ([`Matrix::quiet_for`]), let board time pass for that long, and pass on the inputs
//! that are felt then ([`Matrix::pass`]).
//!
//! A finger acts in one of two ways. A finger that is moved ([`Matrix::touch`]) acts at
//! once, and may be lifted before the sensors accept it, like a brush. A finger that
//! clicks ([`Matrix::click`]) stays down until it is felt, because a click may be over
//! within one picture, in which no board time passes; the finger's later actions wait for
//! that. While time is frozen nothing can bounce: [`Matrix::settle`] accepts all fingers
//! at once.
//!
//! Invariants: the same inputs are felt at the same ticks, in whatever pieces the time
//! passes; on faultless sensors every click is felt, however short, and the clicks of a
//! key are felt in order.

use std::collections::VecDeque;
use std::string::{String, ToString};
use std::vec::Vec;

use protocol::{Input, Layout, Tick};

use crate::faults::{Faults, Lacking};
use crate::sensors::{Felt, Sensors};
use crate::stuck_keys::MayBeStuck;

/// The simulated sensors of a board, and the actions of the fingers on them.
#[derive(Clone, Debug)]
pub struct Matrix {
    layout: Layout,
    faults: Faults,
    sensors: Sensors,
    /// Clicks that wait until earlier ones have been felt.
    waiting: VecDeque<Input>,
    /// The last click of each key, and how long ago it was.
    last: Vec<(Input, Tick)>,
    power_left: Option<Tick>,
    said: Vec<String>,
}

impl Matrix {
    /// The sensors of a board with this layout and these faults, with no finger on them.
    #[must_use]
    pub fn new(layout: Layout, faults: Faults) -> Matrix {
        Matrix {
            layout,
            sensors: Sensors::new(layout, &faults),
            waiting: VecDeque::new(),
            last: Vec::new(),
            power_left: faults.board.brown_out_after_ms,
            said: Vec::new(),
            faults,
        }
    }

    /// The layout of the board.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The faults of the board.
    #[must_use]
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Checks that a board with this layout can have these faults.
    ///
    /// # Errors
    /// The first point that the layout lacks.
    pub fn fits(&self, faults: &Faults) -> Result<(), Lacking> {
        faults.board.fit(self.layout)
    }

    /// Changes the faults; the fingers stay where they are. A new seed acts from now on,
    /// and the time until the next power failure is counted from now.
    pub fn set_faults(&mut self, faults: Faults) {
        if faults.seed != self.faults.seed {
            self.sensors.reseed(&faults);
        }
        if faults.board != self.faults.board {
            self.sensors.set(&faults.board);
        }
        if faults.board.brown_out_after_ms != self.faults.board.brown_out_after_ms {
            self.power_left = faults.board.brown_out_after_ms;
        }
        self.faults = faults;
    }

    /// True if the sensors have no faults.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.faults.board.spare_sensors()
    }

    /// True while what the sensors report may differ from what the fingers do, or be
    /// delayed.
    #[must_use]
    pub fn feels(&self) -> bool {
        !self.is_sound() || !self.waiting.is_empty() || !self.sensors.is_settled()
    }

    /// How long a finger has to stay down to be felt for certain, in ticks.
    #[must_use]
    pub fn settles_ms(&self) -> Tick {
        self.sensors.settles_ms().into()
    }

    /// Replaces the board by one of this layout, without fingers on it.
    pub fn restart(&mut self, layout: Layout) {
        self.sensors = Sensors::new(layout, &self.faults);
        self.layout = layout;
        self.waiting.clear();
        self.last.clear();
    }

    /// Handles a restart of the firmware, which assumes that nothing is pressed; the
    /// fingers stay where they are.
    pub fn forget(&mut self) {
        self.sensors.forget();
    }

    /// Puts a finger down or lifts it, now.
    pub fn touch(&mut self, input: Input) {
        self.sensors.finger(input);
    }

    /// Puts a finger down or lifts it, once its previous action has been felt.
    pub fn click(&mut self, input: Input) {
        self.waiting.push_back(input);
        self.go_on();
    }

    /// Accepts the state of all fingers at once and reports the inputs, for a board whose
    /// time is frozen.
    pub fn settle(&mut self, mut tell: impl FnMut(Input)) {
        self.sensors.settle(&mut tell);
        while let Some(input) = self.waiting.pop_front() {
            self.sensors.finger(input);
            self.sensors.settle(&mut tell);
        }
        self.last.clear();
    }

    /// Carries out the waiting actions of fingers that need not wait any longer.
    fn go_on(&mut self) {
        while let Some(input) = self.waiting.front().copied()
            && self.waits(input) == 0
        {
            self.waiting.pop_front();
            self.sensors.finger(input);
            self.last.retain(|(other, _)| other.reverse() != input);
            self.last.push((input, 0));
        }
    }

    /// How long a finger has to wait until its previous action is felt, in ticks.
    fn waits(&self, input: Input) -> Tick {
        let before = self.last.iter().find(|(last, _)| last.reverse() == input);
        before.map_or(0, |(_, ago)| self.settles_ms().saturating_sub(*ago))
    }

    /// The number of ticks for which nothing is felt if no finger moves; `None` means for
    /// ever.
    #[must_use]
    pub fn quiet_for(&self) -> Option<Tick> {
        let finger = self.waiting.front().map(|input| self.waits(*input));
        let sensors = self.sensors.rests_ms().map(Tick::from);
        let first = finger.into_iter().chain(sensors).chain(self.power_left);
        first.min().map(|first| first.max(1))
    }

    /// The number of ticks, at most `most`, until something may be felt.
    #[must_use]
    pub fn quiet_within(&self, most: Tick) -> Tick {
        self.quiet_for()
            .map_or(most, |quiet| quiet.min(most.max(1)))
    }

    /// Lets `ticks` pass, no more than [`Matrix::quiet_within`] allowed, and reports what
    /// is felt at their end.
    pub fn pass(&mut self, ticks: Tick, mut tell: impl FnMut(Input)) {
        for (_, ago) in &mut self.last {
            *ago += ticks;
        }
        let settles_ms = self.settles_ms();
        self.last.retain(|(_, ago)| *ago < settles_ms);
        let (said, layout) = (&mut self.said, self.layout);
        let ms = ticks.try_into().unwrap_or(u32::MAX);
        self.sensors.pass(ms, |felt| match felt {
            Felt::Input(input) => tell(input),
            Felt::Held(input) => said.push(MayBeStuck(layout, input).to_string()),
        });
        self.spend(ticks);
        self.go_on();
    }

    /// Reports which contacts closed and opened since the last call; see
    /// [`Sensors::take_contacts`].
    pub fn take_contacts(&mut self, tell: impl FnMut(Input)) {
        self.sensors.take_contacts(tell);
    }

    /// Reports all closed contacts again; see [`Sensors::tell_contacts_anew`].
    pub fn tell_contacts_anew(&mut self) {
        self.sensors.tell_contacts_anew();
    }

    /// The number of ticks, at most `ticks`, before the power fails.
    #[must_use]
    pub fn lasts(&self, ticks: Tick) -> Tick {
        self.power_left.map_or(ticks, |left| left.min(ticks))
    }

    /// Lets `ticks` pass during which the inputs are ignored.
    pub fn spend(&mut self, ticks: Tick) {
        self.power_left = self.power_left.map(|left| left.saturating_sub(ticks));
    }

    /// True once after a power failure. The fingers stay where they are.
    pub fn power_failed(&mut self) -> bool {
        let failed = self.power_left.take_if(|left| *left == 0).is_some();
        if failed {
            let line = "the power failed: the board restarted";
            self.said.push(line.to_string());
        }
        failed
    }

    /// The sentences for the user since the last call.
    pub fn take_said(&mut self) -> Vec<String> {
        core::mem::take(&mut self.said)
    }
}

#[cfg(test)]
mod tests;

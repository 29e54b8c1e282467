//! A board whose events are also kept for somebody else.
//!
//! The shell takes the events of the board that it drives; the workbench wants
//! to show them afterwards.

use std::collections::VecDeque;

use hil_bridge::{BridgeError, Driver};
use protocol::{Frame, Input, Layout, Point, Position, Settings, StampedEvent, Status, Tick};

use crate::source::LOG_LINES;

/// Wraps a driver; whoever drives it need not know.
pub struct Overheard<'a> {
    inner: &'a mut dyn Driver,
    heard: VecDeque<StampedEvent>,
}

impl<'a> Overheard<'a> {
    /// Hears what happens on this board from now on.
    pub fn new(inner: &'a mut dyn Driver) -> Self {
        Overheard {
            inner,
            heard: VecDeque::new(),
        }
    }

    /// The last events, oldest first.
    #[must_use]
    pub fn heard(mut self) -> VecDeque<StampedEvent> {
        self.take_events();
        self.heard
    }
}

impl Driver for Overheard<'_> {
    fn at(&self) -> &str {
        self.inner.at()
    }

    fn layout(&self) -> Layout {
        self.inner.layout()
    }

    fn tick(&self) -> Tick {
        self.inner.tick()
    }

    fn frame(&self) -> &Frame {
        self.inner.frame()
    }

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), BridgeError> {
        self.inner.step(inputs, ticks)
    }

    fn step_and_digest(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, BridgeError> {
        self.inner.step_and_digest(inputs, ticks)
    }

    fn set_settings(&mut self, settings: Settings) -> Result<(), BridgeError> {
        self.inner.set_settings(settings)
    }

    fn set_position(&mut self, position: &Position) -> Result<(), BridgeError> {
        self.inner.set_position(position)
    }

    fn status(&mut self) -> Result<Status, BridgeError> {
        self.inner.status()
    }

    fn legal(&mut self) -> Result<Vec<Point>, BridgeError> {
        self.inner.legal()
    }

    fn digest(&mut self) -> Result<u64, BridgeError> {
        self.inner.digest()
    }

    fn save(&mut self) -> Result<Vec<u8>, BridgeError> {
        self.inner.save()
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), BridgeError> {
        self.inner.load(bytes)
    }

    fn reset(&mut self, seed: u64, layout: Layout) -> Result<(), BridgeError> {
        self.heard.clear();
        self.inner.reset(seed, layout)
    }

    fn take_events(&mut self) -> Vec<StampedEvent> {
        let events = self.inner.take_events();
        self.heard.extend(&events);
        let over = self.heard.len().saturating_sub(LOG_LINES);
        self.heard.drain(..over);
        events
    }
}

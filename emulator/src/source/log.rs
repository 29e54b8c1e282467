//! What happened, for a person: on the board, and to the line.

use std::collections::VecDeque;

use bevy::prelude::*;
use protocol::{Event, StampedEvent, Tick};

/// The most lines that the log keeps.
pub const LOG_LINES: usize = 400;

/// A line of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Board time.
    pub tick: Tick,
    /// What happened.
    pub what: What,
}

/// What a line of the log is about.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// This happened on the board.
    Event(Event),
    /// This became of the board, or the line to it.
    Said(String),
}

/// What happened last, oldest first.
#[derive(Resource, Debug, Default)]
pub struct Log(pub VecDeque<Line>);

impl Log {
    /// Adds an event, if it is one for a person: what was pressed is seen on the
    /// board, and digests are compared by the program.
    pub fn note(&mut self, stamped: StampedEvent) {
        if !matches!(stamped.event, Event::Taken(_) | Event::Digest(_)) {
            self.add(stamped.tick, What::Event(stamped.event));
        }
    }

    /// Adds what became of the board or the line to it.
    pub fn say(&mut self, tick: Tick, sentence: String) {
        self.add(tick, What::Said(sentence));
    }

    fn add(&mut self, tick: Tick, what: What) {
        self.0.push_back(Line { tick, what });
        while self.0.len() > LOG_LINES {
            self.0.pop_front();
        }
    }
}

//! The way from one moment to another, on a board at the end of a line.
//!
//! The board's time is held. To go back, a keyframe is loaded into it; then it
//! does again itself what was done from there on, so that what is seen is what
//! the board makes of it. Where a keyframe is wanted the board is asked for its
//! digest: the state is the Twin's, which follows it all the way.

use protocol::{Command, Done, Pace, Reply, Tick};

use super::{KEYFRAME_MS, Recorder};
use crate::client::Client;
use crate::driver::BridgeError;
use crate::remote::step_all;
use crate::session::{Act, Entry};

/// Where a way leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// To this tick.
    At(Tick),
    /// So many ticks on.
    On(Tick),
}

/// A way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The state to begin from, if it is not the one that the board is in.
    state: Option<Vec<u8>>,
    /// What lies ahead.
    ahead: Vec<Entry>,
    keyframe_due: Option<Tick>,
    to: To,
}

impl Recorder {
    /// The way on from this tick, with what lies ahead.
    #[must_use]
    pub fn way_on(&self, now: Tick, to: To) -> Way {
        Way {
            state: None,
            ahead: self.entries.get(self.next..).unwrap_or_default().to_vec(),
            keyframe_due: self.keyframe_due(now),
            to,
        }
    }

    /// The way back to this tick; `None` if nothing is known of that time. It is
    /// gone next.
    pub fn way_back(&mut self, tick: Tick) -> Option<Way> {
        let keyframe = self.keyframe_before(tick)?.clone();
        let ahead = self.entries.get(keyframe.next..).unwrap_or_default();
        let way = Way {
            state: Some(keyframe.state.clone()),
            ahead: ahead.to_vec(),
            keyframe_due: self.keyframe_due(keyframe.tick),
            to: To::At(tick),
        };
        self.jump = Some(keyframe);
        Some(way)
    }

    /// The way that was gone has ended, wherever it led.
    pub fn arrived(&mut self) {
        self.jump = None;
    }
}

impl Way {
    /// Goes it, on this run of the board. Its time is held from then on; what
    /// happens on the way is told as ever.
    ///
    /// # Errors
    /// When the board cannot be reached, began anew, or refuses the state.
    pub fn go(&self, client: &Client, run: u32) -> Result<(), BridgeError> {
        let mut walker = Walker {
            client,
            run,
            now: 0,
            keyframe_due: self.keyframe_due,
        };
        walker.ask(Command::Pace(Pace::Lockstep))?;
        if let Some(state) = &self.state {
            walker.load(state)?;
        }
        let to = match self.to {
            To::At(tick) => tick,
            To::On(ticks) => walker.now.saturating_add(ticks),
        };
        let done = self.ahead.iter().filter(|entry| entry.act.is_done());
        for entry in done.take_while(|entry| entry.tick <= to) {
            walker.walk(entry.tick)?;
            walker.act(&entry.act)?;
        }
        walker.walk(to)?;
        walker.step(0, true)
    }
}

struct Walker<'a> {
    client: &'a Client,
    run: u32,
    now: Tick,
    keyframe_due: Option<Tick>,
}

impl Walker<'_> {
    fn ask(&mut self, command: Command) -> Result<Done, BridgeError> {
        let Reply { tick, result, .. } = self.client.request_in(self.run, command)?;
        self.now = tick;
        Ok(result?)
    }

    fn act(&mut self, act: &Act) -> Result<(), BridgeError> {
        let done = match act {
            Act::Do(deed) => self.ask(Command::Do(deed.clone())).map(drop),
            Act::Load(state) => self.load(state),
            Act::Digest(_) | Act::Note(_) | Act::End => Ok(()),
        };
        match done {
            // What the board refuses it refused when it was recorded.
            Err(BridgeError::Refused(_)) => Ok(()),
            done => done,
        }
    }

    fn load(&mut self, state: &[u8]) -> Result<(), BridgeError> {
        self.now = self.client.load_in(self.run, state)?.tick;
        Ok(())
    }

    /// Lets time pass up to this tick, with a digest wherever a keyframe is
    /// wanted.
    fn walk(&mut self, to: Tick) -> Result<(), BridgeError> {
        while self.now < to {
            let due = self.keyframe_due.map(|due| due.max(self.now + 1));
            match due.filter(|due| *due <= to) {
                Some(due) => {
                    self.step(due - self.now, true)?;
                    self.keyframe_due = Some(due + KEYFRAME_MS);
                }
                None => self.step(to - self.now, false)?,
            }
        }
        Ok(())
    }

    fn step(&mut self, ticks: Tick, digest: bool) -> Result<(), BridgeError> {
        let client = self.client;
        step_all(client.name(), &[], ticks, digest, &mut |command| {
            self.ask(command)
        })
        .map(drop)
    }
}

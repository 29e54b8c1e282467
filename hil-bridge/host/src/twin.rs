//! Twins: local boards that follow free-running boards.
//!
//! A board reports every input with its tick, from its own sensors and from the host, and
//! its digest from time to time. The twin advances to each of these ticks, takes the same
//! input, and compares digests. So a real board with fingers on it is checked as strictly
//! as in a test.

use firmware_core::{AnyBoard, silent};
use protocol::{Deed, Event, Roster, StampedEvent, Tick};

use crate::happening::Happening;

/// The result of one happening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// The twin did the same; there was nothing to compare.
    Along,
    /// Both had the same digest at this tick.
    Agreed(Tick),
    /// The digests differ. The twin waits for a snapshot to continue from.
    Differs {
        /// The tick at which both were compared.
        tick: Tick,
        /// The digest of the twin.
        twin: u64,
        /// The digest of the board.
        board: u64,
    },
    /// The twin does not know the board's state: request a snapshot.
    Lost,
}

/// A local board that gets the inputs of a board elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Twin {
    board: Option<AnyBoard>,
    /// The roster of the other board, which the twin also uses.
    roster: Roster,
    agreed_at: Option<Tick>,
}

impl Twin {
    /// A twin that waits for its first snapshot.
    #[must_use]
    pub fn new() -> Twin {
        Twin::default()
    }

    /// The local board; `None` while the state of the other one is unknown.
    #[must_use]
    pub fn board(&self) -> Option<&AnyBoard> {
        self.board.as_ref()
    }

    /// The tick of the last comparison; `None` before the first, and while the twin is
    /// lost.
    #[must_use]
    pub fn agreed_at(&self) -> Option<Tick> {
        self.agreed_at
    }

    /// Repeats what happened on the other board. Needs all happenings, in order.
    pub fn follow(&mut self, happening: &Happening) -> Followed {
        match happening {
            Happening::Event(event) => self.event(event),
            Happening::Stepped { tick, digest } => self.compare(*tick, *digest),
            Happening::Carried { tick, deed, .. } => self.carried(*tick, deed),
            Happening::Snapshot { tick, state } => self.go_on_from(*tick, state),
            Happening::Connected { hello, run, .. } => {
                self.roster = hello.capabilities.roster;
                match run.is_new() {
                    true => self.lose(),
                    false => Followed::Along,
                }
            }
            Happening::Missed => self.lose(),
            Happening::Panicked(_) => self.lose(),
            // What faulty contacts do arrives as inputs.
            Happening::Faults { .. } => Followed::Along,
            Happening::Lost(_) | Happening::Halted(_) | Happening::Log { .. } => Followed::Along,
        }
    }

    /// Compares with the digest that the board reported at this tick. All earlier events
    /// must have been followed.
    pub fn compare(&mut self, tick: Tick, digest: u64) -> Followed {
        let Some(board) = self.at(tick) else {
            return Followed::Along;
        };
        let twin = board.digest();
        if twin == digest {
            self.agreed_at = Some(tick);
            return Followed::Agreed(tick);
        }
        self.lose();
        Followed::Differs {
            tick,
            twin,
            board: digest,
        }
    }

    fn lose(&mut self) -> Followed {
        self.board = None;
        self.agreed_at = None;
        Followed::Lost
    }

    /// The local board, advanced to this tick. `None` if its state is unknown, or it is
    /// past that tick.
    fn at(&mut self, tick: Tick) -> Option<&mut AnyBoard> {
        let board = self.board.as_mut()?;
        let ticks = tick.checked_sub(board.tick())?;
        board.advance(ticks, &mut silent);
        Some(board)
    }

    fn event(&mut self, event: &StampedEvent) -> Followed {
        match event.event {
            Event::Taken(input) => {
                if let Some(board) = self.at(event.tick) {
                    board.input(input, &mut silent);
                }
                Followed::Along
            }
            Event::Digest(digest) => self.compare(event.tick, digest),
            // The twin derives everything else from inputs and time itself.
            _ => Followed::Along,
        }
    }

    fn carried(&mut self, tick: Tick, deed: &Deed) -> Followed {
        if let Deed::Reset { seed, layout } = deed {
            self.board = AnyBoard::with_games(*layout, self.roster, *seed).ok();
            return Followed::Along;
        }
        let Some(board) = self.at(tick) else {
            return Followed::Along;
        };
        match board.carry_out(deed, &mut silent) {
            Ok(()) => Followed::Along,
            // The board carried out the deed and the twin could not, so their states
            // differ.
            Err(_) => self.lose(),
        }
    }

    fn go_on_from(&mut self, tick: Tick, state: &[u8]) -> Followed {
        let board = AnyBoard::new(protocol::Layout::MALDOO, 0).ok();
        self.board = board.and_then(|mut board| board.load(state).ok().map(|()| board));
        match &self.board {
            Some(board) if board.tick() == tick => Followed::Along,
            _ => self.lose(),
        }
    }
}

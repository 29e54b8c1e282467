//! Twins: local boards that follow boards with a timer of their own.
//!
//! The board stamps every input with its tick, those of its own sensors and those of the
//! host, and reports its digest now and then. The twin advances to each of these ticks,
//! takes the same input, and compares. So a real board with real fingers on it is checked
//! as strictly as a test.

use firmware_core::AnyBoard;
use protocol::{Deed, Event, Roster, StampedEvent, Tick};

use crate::happening::Happening;

/// The result of one happening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// The twin did it too; there was nothing to compare.
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
    /// The twin does not know how the board is: have the client
    /// take a snapshot.
    Lost,
}

/// A local board that gets the inputs of a remote one.
#[derive(Clone, Debug, Default)]
pub struct Twin {
    board: Option<AnyBoard>,
    /// The games that the other board has, and so this one.
    roster: Roster,
    agreed_at: Option<Tick>,
}

fn silent(_: Tick, _: Event) {}

impl Twin {
    /// A Twin that waits for its first snapshot.
    #[must_use]
    pub fn new() -> Twin {
        Twin::default()
    }

    /// The board that it has, while it knows how the other one is.
    #[must_use]
    pub fn board(&self) -> Option<&AnyBoard> {
        self.board.as_ref()
    }

    /// The tick of the last comparison, if it was equal.
    #[must_use]
    pub fn agreed_at(&self) -> Option<Tick> {
        self.agreed_at
    }

    /// Repeats the actions of the other board. Must receive all happenings, in order.
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
            Happening::Lost(_) | Happening::Halted(_) | Happening::Log(_) => Followed::Along,
        }
    }

    /// Compares with a digest that the board reported at this tick, which no later
    /// event precedes.
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

    /// The board, advanced to this tick. `None` if it is not known, or past it.
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
            // The board did it, so it is not the board that this one is.
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

//! Compares a board at the end of a line with its twin in this process.
//!
//! The twin repeats every deed that the board reports. If their digests differ, the
//! board's whole state is requested, and the first field that differs is named.

use firmware_core::{AnyBoard, SNAPSHOT_BYTES};
use protocol::{Event, Input, Tick};
use touchboard_host::compare::{Difference, digest_difference, state_difference};
use touchboard_host::happening::Happening;
use touchboard_host::twin::{Followed, Twin};

use crate::source::{Agreement, LastState, Parted};

/// The next thing that the comparison needs from the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The comparison needs nothing now.
    Nothing,
    /// The whole state of the board.
    Snapshot,
}

/// True if this happening reports the board's digest.
fn is_digest(happening: &Happening) -> bool {
    match happening {
        Happening::Event(event) => matches!(event.event, Event::Digest(_)),
        Happening::Stepped { .. } => true,
        _ => false,
    }
}

/// The board's twin, and the result of comparing them.
pub struct Comparison {
    twin: Twin,
    /// The result of the comparison.
    agreement: Agreement,
    compared: u64,
    /// The twin at the first difference, its tick and a sentence, until the board's state
    /// arrives and the field can be named.
    suspect: Option<(Twin, Tick, String)>,
    /// The states of both, once the board's has arrived.
    parted: Option<Box<Parted>>,
}

impl Default for Comparison {
    fn default() -> Self {
        Comparison {
            twin: Twin::new(),
            agreement: Agreement::Unknown,
            compared: 0,
            suspect: None,
            parted: None,
        }
    }
}

impl Comparison {
    /// The result of the comparison.
    pub fn agreement(&self) -> &Agreement {
        &self.agreement
    }

    /// Drops the result so far, because it does not apply to what follows. The twin
    /// stays.
    pub fn forget(&mut self) {
        self.agreement = Agreement::Unknown;
        self.compared = 0;
        self.suspect = None;
        self.parted = None;
    }

    /// Prepares for another board with a new twin. The difference found so far is kept.
    pub fn keep_difference(&mut self) {
        self.twin = Twin::new();
        self.suspect = None;
    }

    /// Starts with a known difference, which this sentence describes.
    pub fn begin_different(&mut self, sentence: String, parted: Option<Parted>) {
        let named = parted.as_ref().and_then(|parted| {
            let named = state_difference(&parted.twin, &parted.board)?;
            Some(Difference::at(parted.board.tick(), named))
        });
        self.agreement = Agreement::Differs(match named {
            Some(difference) => format!("{sentence}; {difference}"),
            None => sentence,
        });
        self.parted = parted.map(Box::new);
    }

    /// The states of both boards at their first known difference, once the board
    /// has sent its own.
    pub fn parted(&self) -> Option<&Parted> {
        self.parted.as_deref()
    }

    /// The board's state at this tick according to the twin, after these fingers
    /// are lifted; `None` if the twin has no state.
    pub fn state_at(&self, tick: Tick, lifts: &[Input]) -> Option<LastState> {
        let mut board = self.twin.board()?.clone();
        let ticks = tick.saturating_sub(board.tick());
        board.advance(ticks, &mut |_, _| ());
        for lift in lifts {
            board.input(*lift, &mut |_, _| ());
        }
        let mut buffer = vec![0; SNAPSHOT_BYTES];
        let state = board.save(&mut buffer)?.to_vec();
        let tick = board.tick();
        Some(LastState { tick, state })
    }

    /// The twin, which is up to date with the happenings followed so far.
    pub fn twin(&self) -> &Twin {
        &self.twin
    }

    /// Makes the twin repeat a happening, and compares digests. Must receive all
    /// happenings, in order.
    pub fn follow(&mut self, happening: &Happening) -> (Followed, Next) {
        if let Some((suspect, ..)) = &mut self.suspect {
            match happening {
                Happening::Snapshot { tick, state } => self.name_difference(*tick, state),
                // Digests do not correct the twin.
                told if is_digest(told) => {}
                other => {
                    suspect.follow(other);
                }
            }
        }
        let before = is_digest(happening).then(|| self.twin.clone());
        let followed = self.twin.follow(happening);
        (followed, self.judge(followed, before))
    }

    fn judge(&mut self, followed: Followed, before: Option<Twin>) -> Next {
        match followed {
            Followed::Along => Next::Nothing,
            Followed::Lost => Next::Snapshot,
            Followed::Agreed(_) => {
                self.compared += 1;
                if !matches!(self.agreement, Agreement::Differs(_)) {
                    self.agreement = Agreement::Agrees {
                        compared: self.compared,
                    };
                }
                Next::Nothing
            }
            Followed::Differs { tick, twin, board } => {
                // Only the first difference counts.
                if !matches!(self.agreement, Agreement::Differs(_)) {
                    let sentence = Difference::at(tick, digest_difference(twin, board)).to_string();
                    self.suspect = before.map(|before| (before, tick, sentence.clone()));
                    self.agreement = Agreement::Differs(sentence);
                }
                Next::Snapshot
            }
        }
    }

    /// Names the first field in which the suspect differs from the board, whose state has
    /// arrived.
    fn name_difference(&mut self, tick: Tick, state: &[u8]) {
        let Some((suspect, first, sentence)) = self.suspect.take() else {
            return;
        };
        let Some(mut twin) = suspect.board().cloned() else {
            return;
        };
        if let Some(ticks) = tick.checked_sub(twin.tick()) {
            twin.advance(ticks, &mut |_, _| ());
        }
        let Ok(mut board) = AnyBoard::new(twin.layout(), 0) else {
            return;
        };
        if board.load(state).is_err() {
            return;
        }
        if let Some(named) = state_difference(&twin, &board) {
            let difference = Difference::at(tick, named);
            self.agreement = Agreement::Differs(format!("{sentence}; {difference}"));
            self.parted = Some(Box::new(Parted {
                tick: first,
                twin,
                board,
            }));
        }
    }
}

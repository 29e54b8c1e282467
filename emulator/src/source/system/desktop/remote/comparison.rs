//! A board at the end of a line and its twin here, compared.
//!
//! The twin does whatever the board says it took. When the two differ, the
//! board's whole state is asked for, and the first field that is not the same
//! is named.

use firmware_core::{AnyBoard, SNAPSHOT_BYTES};
use protocol::{Event, Input, Tick};
use touchboard_host::compare::{Difference, digest_difference, state_difference};
use touchboard_host::happening::Happening;
use touchboard_host::twin::{Followed, Twin};

use crate::source::{Agreement, LastState, Parted};

/// What the comparison needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The comparison needs nothing now.
    Nothing,
    /// The whole state of the board.
    Snapshot,
}

/// True if the board tells its digest.
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
    /// The twin that differed, when, and in which words, until the board's state is there
    /// to name the field.
    suspect: Option<(Twin, Tick, String)>,
    /// Both, once that is there.
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

    /// Drops the result so far, which says nothing about what follows. The twin still
    /// knows whose it is.
    pub fn forget(&mut self) {
        self.agreement = Agreement::Unknown;
        self.compared = 0;
        self.suspect = None;
        self.parted = None;
    }

    /// A different board follows; the difference stays available.
    pub fn keep_difference(&mut self) {
        self.twin = Twin::new();
        self.suspect = None;
    }

    /// The boards differ from the beginning, in these words.
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

    /// The states of both boards when they were first known to differ, once the board
    /// has sent its own.
    pub fn parted(&self) -> Option<&Parted> {
        self.parted.as_deref()
    }

    /// How the board was at this tick, as far as the twin knows, once these
    /// fingers were lifted; `None` if it knows nothing.
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

    /// The board here that follows the other.
    pub fn twin(&self) -> &Twin {
        &self.twin
    }

    /// Repeats the board's actions. Must receive all happenings, in order.
    pub fn follow(&mut self, happening: &Happening) -> (Followed, Next) {
        if let Some((suspect, ..)) = &mut self.suspect {
            match happening {
                Happening::Snapshot { tick, state } => self.name_difference(*tick, state),
                // The comparison continues without a correction.
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
                // The first difference is the one that counts.
                if !matches!(self.agreement, Agreement::Differs(_)) {
                    let sentence = Difference::at(tick, digest_difference(twin, board)).to_string();
                    self.suspect = before.map(|before| (before, tick, sentence.clone()));
                    self.agreement = Agreement::Differs(sentence);
                }
                Next::Snapshot
            }
        }
    }

    /// Says in which field the suspect differs from the board, now that the
    /// board's state is here.
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

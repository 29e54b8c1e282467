//! What the window shows of the board, and of its search for it.

use firmware_core::games;
use protocol::Frame;
use touchboard_host::conversation::BoardView;

use super::{Line, Remote};
use crate::source::{
    Agreement, BoardHardware, BoardLink, LongWork, LostGame, SessionPast, Shown, TimeStops,
};

impl Remote {
    /// The display without a line: the previous board, dark.
    pub(super) fn searching(&self, before: &Shown) -> Shown {
        Shown {
            layout: before.layout,
            roster: before.roster,
            pace: self.time.pace,
            link: match &self.line {
                Line::Failed(sentence) => BoardLink::Down(sentence.clone()),
                _ => BoardLink::Searching,
            },
            twin: Agreement::Unknown,
            stops: TimeStops {
                all: self.stops.conditions.clone(),
                reached: None,
            },
            work: self.work(),
            ..Shown::default()
        }
    }

    /// The work that the user waits for.
    pub(super) fn work(&self) -> Option<LongWork> {
        let of = |words: String| LongWork {
            words,
            share: None,
            can_cancel: false,
        };
        match &self.line {
            Line::Closed(..) | Line::Opening(_) => Some(of(format!("Connecting to {}", self.name))),
            Line::Shrinking(shrinking) => Some(shrinking.work()),
            Line::Open(_) if self.is_unseen() => {
                Some(of("Bringing the board to that moment".to_owned()))
            }
            _ => None,
        }
    }

    /// The last known content of the board. If it does not answer, its lights are
    /// unknown, and no point can be played.
    pub(super) fn shown(&self, view: BoardView, link: BoardLink) -> Shown {
        let answers = link.answers();
        let twin = self.comparison.twin().board();
        let layout = self.layout.as_deref().copied().unwrap_or(view.hello.layout);
        let mut frame = if answers {
            view.frame
        } else {
            Frame::default()
        };
        self.faults.now().board.darken(layout, &mut frame);
        Shown {
            layout,
            roster: games::on_layout(view.hello.layout, view.hello.capabilities.roster),
            frame,
            status: self.standing.status,
            legal: if answers {
                self.standing.legal.clone()
            } else {
                Vec::new()
            },
            pieces: twin
                .filter(|_| answers)
                .and_then(touchboard_host::games::pieces),
            pace: self.time.pace,
            hardware: BoardHardware {
                clicks: self.clicks(),
                contacts: self.contacts(),
                memory: self.memory,
            },
            twin: match self.comparison.agreement() {
                Agreement::Agrees { .. } if !answers => Agreement::Unknown,
                agreement => agreement.clone(),
            },
            lost: LostGame {
                restarted: self.last.restarted,
                kept: self.last.kept.as_ref().map(|kept| kept.tick),
            },
            past: self.past(answers),
            stops: TimeStops {
                all: self.stops.conditions.clone(),
                reached: self.stops.reached.clone().filter(|_| self.time.pace.frozen),
            },
            injectable: self.injectable(),
            work: self.work(),
            link,
        }
    }

    /// The recorded past. A board that does not answer cannot go back.
    fn past(&self, answers: bool) -> SessionPast {
        let known = self.recorder.as_ref();
        let past = known.map(|recorder| SessionPast::of(recorder, self.trips.jumps));
        let past = past.unwrap_or_else(|| SessionPast {
            jumps: self.trips.jumps,
            ..SessionPast::default()
        });
        SessionPast {
            earliest: past.earliest.filter(|_| answers),
            ..past
        }
    }
}

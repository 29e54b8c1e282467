//! The stepped board as a [`Source`]: commands of the window, and what it shows.

use std::time::Duration;

use firmware_core::{AnyBoard, EventSink};
use protocol::{Deed, Tick};
use touchboard_host::Driver;
use touchboard_host::piece_cache::PieceCache;
use touchboard_host::pieces::board_of_state;
use touchboard_host::recorder::{KeptPast, Rerun};
use touchboard_host::session::Session;

use super::{FirmwareNews, Stepped};
use crate::source::{
    BoardHardware, BoardLink, Clicks, ContactReports, Injectable, Lendable, LostGame, SessionPast,
    Shown, Source, SourceError, TimeStops, WindowCommand,
};

impl<D: Driver + Send + Sync> Source for Stepped<D> {
    fn name(&self) -> String {
        // Frozen time replays nothing, and a move may have been taken back.
        if self.board.recorder().has_more() && !self.pace.frozen {
            format!("{}, replaying", self.name)
        } else {
            self.name.clone()
        }
    }

    fn obey(&mut self, command: &WindowCommand) -> Result<(), SourceError> {
        self.watch.forget();
        if self.is_lent && command.moves_board() {
            return Err(SourceError::Lent);
        }
        let is_deed = matches!(
            command,
            WindowCommand::Do(_) | WindowCommand::InjectFaults(_)
        );
        if self.trip.is_some() && is_deed {
            return Err(SourceError::OnItsWay);
        }
        let result = match command {
            WindowCommand::Do(deed) => {
                if deed.restarts() {
                    self.owed = 0.0;
                }
                match deed {
                    Deed::Input(input) => self.touch(*input),
                    deed => self.do_to_board(deed),
                }
            }
            WindowCommand::Step(ticks) => self.go_to(self.board.time() + Tick::from(*ticks)),
            WindowCommand::StepBack(ticks) => {
                let earliest = self.board.recorder().earliest().unwrap_or(0);
                let back = self.board.time().saturating_sub((*ticks).into());
                self.go_to(back.max(earliest).min(self.board.time()))
            }
            WindowCommand::GoTo(tick) => self.go_to(*tick),
            WindowCommand::GoToBranch { branch, tick } => self.go_to_branch(*branch, *tick),
            WindowCommand::Mark(words) => {
                self.board.mark(words.clone());
                Ok(())
            }
            WindowCommand::StopWhen(stops) => {
                self.stops.clone_from(stops);
                self.watch.know_faults(&self.matrix.faults().board);
                self.watch.set_conditions(&mut self.board, stops)
            }
            WindowCommand::Pace(pace) => {
                if !pace.frozen {
                    self.stopped_at = None;
                }
                self.pace = *pace;
                self.owed = 0.0;
                self.trip = None;
                Ok(())
            }
            WindowCommand::Cancel => {
                self.trip = None;
                Ok(())
            }
            WindowCommand::InjectFaults(faults) => self.set_faults((**faults).clone()),
            WindowCommand::Shrink(_) => return Err(SourceError::OwnTwin),
            // This board never restarts by itself.
            WindowCommand::BringBack | WindowCommand::LeaveIt => Ok(()),
        };
        Ok(result?)
    }

    fn preview(&mut self, shown: &mut Shown) {
        let answers = self.link.answers();
        let status = answers.then(|| self.board.status().ok()).flatten();
        let legal = answers.then(|| self.board.legal().ok()).flatten();
        let mut frame = self.board.frame().clone();
        let board = &self.matrix.faults().board;
        board.darken(self.matrix.layout(), &mut frame);
        let pieces =
            status.and_then(|status| self.pieces.at(&mut self.board, &status).ok()?.cloned());
        *shown = Shown {
            layout: self.board.layout(),
            roster: self.board.roster(),
            frame,
            status: status.unwrap_or_default(),
            legal: legal.unwrap_or_default(),
            pieces,
            pace: self.pace,
            link: self.link.clone(),
            hardware: BoardHardware {
                clicks: Clicks::OverSensors,
                contacts: ContactReports::Told,
                memory: None,
            },
            twin: self.agreement(),
            past: SessionPast::of(self.board.recorder(), self.jumps),
            stops: TimeStops {
                all: self.stops.clone(),
                reached: self.stopped_at.clone(),
            },
            injectable: Injectable {
                faults: self.matrix.faults().clone(),
                board: true,
                line: false,
            },
            // This board never restarts by itself.
            lost: LostGame::default(),
            work: self.work(),
        };
    }

    fn lendable(&mut self) -> Option<&mut dyn Lendable> {
        Some(self)
    }

    fn time_of(&self, tick: Tick) -> Tick {
        self.board.recorder().time(tick)
    }

    fn take_said(&mut self) -> Vec<String> {
        let mut said = std::mem::take(&mut self.said);
        said.extend(self.take_remarks());
        said
    }

    fn take_rerun(&mut self) -> Option<Rerun> {
        self.rerun.take()
    }

    fn copy(&mut self) -> Option<AnyBoard> {
        board_of_state(&self.board.save().ok()?)
    }

    fn session(&self) -> Result<Session, SourceError> {
        Ok(self.board.session())
    }

    fn whole_session(&self) -> Result<Session, SourceError> {
        Ok(self.board.recorder().whole_session(self.board.tick()))
    }

    fn kept_past(&mut self, from: Tick) -> Result<Option<KeptPast>, SourceError> {
        let is_here = self.link == BoardLink::Direct;
        let kept = is_here.then(|| self.board.kept(from)).transpose();
        Ok(kept?)
    }

    fn resume(&mut self, past: KeptPast) -> Result<(), SourceError> {
        self.board.resume(past)?;
        self.matrix.restart(self.board.layout());
        self.pieces = PieceCache::setting_up();
        self.owed = 0.0;
        self.trip = None;
        Ok(())
    }

    fn update(
        &mut self,
        elapsed: Duration,
        shown: &mut Shown,
        tell: EventSink<'_>,
    ) -> Result<Tick, SourceError> {
        if let Some(look) = &mut self.look {
            let seen = look(&mut self.board);
            // `look` may have replaced the lost board.
            if !seen.is_empty() && self.link.is_down() && self.board.status().is_ok() {
                self.link = BoardLink::Up {
                    board: self.board.at().to_owned(),
                };
            }
            for FirmwareNews { sentence, rerun } in seen {
                self.said.push(sentence);
                self.rerun = rerun.or(self.rerun.take());
            }
        }
        if self.link.answers()
            && let Err(error) = self.go_on()
        {
            self.link = BoardLink::Down(error.to_string());
        }
        if !(self.pace.frozen || self.is_lent)
            && self.link.answers()
            && let Err(error) = self.pass_time(elapsed)
        {
            // A lost board is not asked again until another one replaces it.
            self.link = BoardLink::Down(error.to_string());
        }
        let events = self.board.take_events();
        self.keep_events(events);
        for stamped in self.heard.drain(..) {
            tell(stamped.tick, stamped.event);
        }
        self.preview(shown);
        Ok(self.board.time())
    }
}

impl<D: Driver + Send + Sync> Lendable for Stepped<D> {
    fn lend(&mut self) -> Result<(), SourceError> {
        if self.trip.is_some() {
            return Err(SourceError::OnItsWay);
        }
        if let BoardLink::Down(sentence) = &self.link {
            return Err(SourceError::Down(sentence.clone()));
        }
        self.is_lent = true;
        Ok(())
    }

    fn take_back(&mut self) {
        self.is_lent = false;
        self.owed = 0.0;
        self.watch.forget();
    }

    fn drive(&mut self) -> Result<&mut dyn Driver, SourceError> {
        match (&self.link, self.is_lent) {
            (BoardLink::Down(sentence), _) => Err(SourceError::Down(sentence.clone())),
            (_, false) => Err(SourceError::NotLent),
            (_, true) => Ok(self),
        }
    }
}

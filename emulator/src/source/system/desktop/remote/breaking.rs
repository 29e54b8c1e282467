//! Injects faults into a line, and shrinks the inputs that led to a difference.
//!
//! A shrinker repeats the inputs again and again, so it needs the board for itself:
//! the line is closed, a board is opened at the same place for as long as necessary,
//! and then the line is opened again. The session is saved before any of this begins.

use std::path::Path;
use std::time::Duration;

use crossbeam_channel::{TryRecvError, bounded};
use firmware_core::Faults;
use touchboard_host::check::{Verdict, check_session};
use touchboard_host::session::Session;
use touchboard_links::time_limit::time_limit;
use touchboard_links::{SessionInFile, Where};

use super::{Line, NOTHING_KNOWN, Remote};
use crate::source::{Breakable, faults_words, free_name};

/// How long it is shrunk at most.
const SHRINKS_FOR: Duration = Duration::from_secs(60);

/// The message for a board whose line was not opened here.
const NOT_OPENED_HERE: &str =
    "the line to this board was opened before the window: give its faults as options";

impl Remote {
    /// The active faults, and those that can be injected.
    pub(super) fn breakable(&self) -> Breakable {
        Breakable {
            faults: self.faults.clone(),
            board: false,
            line: self.faulty_line.is_some(),
        }
    }

    /// Lets this be wrong with the line from now on.
    pub(super) fn break_line(&mut self, faults: &Faults) -> Result<(), String> {
        let line = self.faulty_line.as_ref().ok_or(NOT_OPENED_HERE)?;
        if faults.board != self.faults.board {
            let sentence = "a board at the end of a line is broken with the options that begin \
                            it: virtual-board --fault-...";
            return Err(sentence.to_owned());
        }
        line.set(faults.line.clone());
        self.faults = faults.clone();
        self.mark_now(faults_words(faults));
        Ok(())
    }

    /// Leaves a note in the session, if there is one.
    pub(super) fn mark_now(&mut self, words: String) {
        let tick = self.tick;
        if let Some(recorder) = &mut self.recorder {
            recorder.mark(tick, words);
        }
    }

    /// Closes the line, and begins to shrink what led to the difference.
    pub(super) fn shrink(&mut self, folder: &Path) -> Result<(), String> {
        let parted = self
            .comparison
            .parted()
            .ok_or("board and Twin do not differ")?;
        let place = self.place.clone().ok_or(NOT_OPENED_HERE)?;
        let recorder = self.recorder.as_ref().ok_or(NOTHING_KNOWN)?;
        let last = recorder.last_tick().max(parted.board.tick());
        let session = recorder.session(last);
        let folder = folder.to_owned();
        let (give, take) = bounded(1);
        // The board is free once its client is gone.
        let before = std::mem::replace(&mut self.line, Line::Shrinking(take));
        let thread = std::thread::Builder::new().name("shrink".into());
        let thread = thread.spawn(move || {
            drop(before);
            // Nobody waits any more if another board was chosen meanwhile.
            let _ = give.send(shrunk(&place, &session, &folder));
        });
        thread.map(drop).map_err(|error| {
            self.line = Line::Failed(format!("no thread: {error}"));
            format!("no thread: {error}")
        })
    }

    /// Says where it was saved, and opens the line again, once it is shrunk.
    pub(super) fn await_shrunk(
        &mut self,
        result: crossbeam_channel::Receiver<Result<String, String>>,
    ) {
        let told = match result.try_recv() {
            Err(TryRecvError::Empty) => {
                self.line = Line::Shrinking(result);
                return;
            }
            Ok(Ok(sentence) | Err(sentence)) => sentence,
            Err(TryRecvError::Disconnected) => "nobody was there to shrink it".to_owned(),
        };
        self.said.push(told);
        self.recorder = None;
        self.comparison.keep_difference();
        self.line = match self.place.clone() {
            Some(place) => Line::Closed(place, None),
            None => Line::Failed(NOT_OPENED_HERE.to_owned()),
        };
    }
}

/// Shrinks a session on a board at this place, and saves the result in this folder.
/// Returns a sentence about it.
fn shrunk(place: &Where, session: &Session, folder: &Path) -> Result<String, String> {
    let path = free_name(folder, "difference");
    let cannot = |error: &dyn std::fmt::Display| format!("it was not shrunk: {error}");
    session.save(&path).map_err(|error| cannot(&error))?;
    let whole = path.display().to_string();
    let mut for_a_test = place.clone();
    for_a_test.is_test = true;
    let limit = time_limit(SHRINKS_FOR);
    let verdict = for_a_test
        .open()
        .and_then(|mut board| check_session(&mut *board, session, limit, &mut |_| ()))
        .map_err(|error| format!("{whole} is what led to the difference; not shrunk: {error}"))?;
    let Verdict::Differs(found) = verdict else {
        return Ok(format!(
            "{whole} is what led to the difference; done again from its beginning, board and \
             Twin agree, so it was not shrunk"
        ));
    };
    let save = found.session.save(&path);
    save.map_err(|error| cannot(&error))?;
    Ok(format!(
        "{whole} is what leads to the difference, {} of {} inputs: {}",
        found.session.acts(),
        found.found_after,
        found.difference
    ))
}

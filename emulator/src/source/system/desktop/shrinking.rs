//! Shrinks the inputs that led to a difference.
//!
//! A shrinker replays the inputs many times, so it needs the board for itself: the line
//! is closed, another one is opened to a board at the same place, and the window's line
//! is opened again once the shrinker has finished. The session is saved before any of
//! this begins.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use protocol::{Deed, Input, Tick};
use touchboard_host::check::{Verdict, check_session};
use touchboard_host::session::Session;
use touchboard_host::{Driver, DriverError};
use touchboard_links::time_limit::time_limit;
use touchboard_links::{SessionFileError, SessionInFile, Where};

use super::saving::free_name;
use crate::source::{LongWork, SourceError};

/// The longest time to spend on shrinking.
const SHRINKS_FOR: Duration = Duration::from_secs(60);

/// The reason if the user cancelled shrinking.
const CANCELLED: &str = "it was cancelled";

/// Why a session was not shrunk.
#[derive(Debug, thiserror::Error)]
enum NotShrunk {
    #[error("it was not shrunk: {0}")]
    Unsaved(#[from] SessionFileError),
    #[error("{file} is what led to the difference; not shrunk: {error}")]
    Board { file: String, error: DriverError },
}

/// A session that is being shrunk on a thread.
pub struct Shrinking {
    result: Receiver<Result<String, NotShrunk>>,
    begun: Instant,
    ends: Arc<AtomicBool>,
}

impl Shrinking {
    /// Begins to shrink this session, which led to a difference, once the line that
    /// `closed` returns is dropped. The result is saved in this folder.
    pub fn begin<L: Send + 'static>(
        place: Where,
        session: Session,
        folder: &Path,
        closed: impl FnOnce() -> L,
    ) -> Result<Shrinking, SourceError> {
        let folder = folder.to_owned();
        let (sender, result) = bounded(1);
        let ends = Arc::new(AtomicBool::new(false));
        let shrinking = Shrinking {
            result,
            begun: Instant::now(),
            ends: ends.clone(),
        };
        let line = closed();
        let thread = std::thread::Builder::new().name("shrink".into());
        let thread = thread.spawn(move || {
            drop(line);
            // The receiver is gone if another board was chosen in the meantime.
            let _ = sender.send(shrunk(&place, &session, &folder, ends));
        });
        thread.map_err(SourceError::NoThread)?;
        Ok(shrinking)
    }

    /// The sentence about the result, once there is one.
    pub fn outcome(&self) -> Option<String> {
        match self.result.try_recv() {
            Err(TryRecvError::Empty) => None,
            Ok(Ok(sentence)) => Some(sentence),
            Ok(Err(error)) => Some(error.to_string()),
            Err(TryRecvError::Disconnected) => Some("shrinking ended without a result".to_owned()),
        }
    }

    /// The progress to display.
    pub fn work(&self) -> LongWork {
        let share = self.begun.elapsed().as_secs_f32() / SHRINKS_FOR.as_secs_f32();
        LongWork {
            words: "Shrinking what led to the difference, for a minute at most".to_owned(),
            share: Some(share.min(1.0)),
            can_cancel: true,
        }
    }

    /// Stops shrinking; the whole session has been saved already.
    pub fn cancel(&self) {
        self.ends.store(true, Ordering::Relaxed);
    }
}

/// Wraps a board so that it refuses everything once the user has cancelled.
struct Cancellable {
    board: Box<dyn Driver>,
    ends: Arc<AtomicBool>,
}

impl Cancellable {
    fn goes_on(&self) -> Result<(), DriverError> {
        match self.ends.load(Ordering::Relaxed) {
            true => Err(DriverError::Impossible(CANCELLED.into())),
            false => Ok(()),
        }
    }
}

impl Driver for Cancellable {
    touchboard_host::forward!(board; own: step, step_and_digest, carry_out);

    fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
        self.goes_on()?;
        self.board.step(inputs, ticks)
    }

    fn step_and_digest(&mut self, inputs: &[Input], ticks: Tick) -> Result<u64, DriverError> {
        self.goes_on()?;
        self.board.step_and_digest(inputs, ticks)
    }

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        self.goes_on()?;
        self.board.carry_out(deed)
    }
}

/// Shrinks a session on a board at this place, and saves the result in this folder.
/// Returns a sentence about it.
fn shrunk(
    place: &Where,
    session: &Session,
    folder: &Path,
    ends: Arc<AtomicBool>,
) -> Result<String, NotShrunk> {
    let path = free_name(folder, "difference", "session");
    session.save(&path)?;
    let whole = path.display().to_string();
    let mut for_a_test = place.clone();
    for_a_test.is_test = true;
    let limit = time_limit(SHRINKS_FOR);
    let verdict = for_a_test
        .open()
        .and_then(|board| {
            let mut board = Cancellable { board, ends };
            check_session(&mut board, session, limit, &mut |_| ())
        })
        .map_err(|error| NotShrunk::Board {
            file: whole.clone(),
            error,
        })?;
    let Verdict::Differs(found) = verdict else {
        return Ok(format!(
            "{whole} is what led to the difference; done again from its beginning, board and \
             twin agree, so it was not shrunk"
        ));
    };
    found.session.save(&path)?;
    Ok(format!(
        "{whole} is what leads to the difference, {} of {} inputs: {}",
        found.session.acts(),
        found.found_after,
        found.difference
    ))
}

#[cfg(test)]
mod tests {
    use protocol::Layout;
    use tempfile::tempdir;
    use touchboard_host::session::Header;
    use touchboard_links::At;

    use super::*;

    #[test]
    fn cancelled_shrinking_saves_the_session_so_far() {
        let folder = tempdir().unwrap();
        let session = Session::new(Header::new(Layout::MALDOO, 1, ""));
        let (_, result) = bounded(1);
        let shrinking = Shrinking {
            result,
            begun: Instant::now(),
            ends: Arc::new(AtomicBool::new(false)),
        };
        assert!(shrinking.work().can_cancel);
        shrinking.cancel();
        let place = Where::new(At::Virtual);
        let told = shrunk(&place, &session, folder.path(), shrinking.ends.clone());
        let sentence = told.unwrap_err().to_string();
        assert!(sentence.contains(CANCELLED), "{sentence}");
        let file = folder.path().join("difference-1.session");
        assert_eq!(Session::load(&file).unwrap().header, session.header);
    }
}

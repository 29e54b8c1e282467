//! Runs work that takes longer than a picture on its own thread.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, bounded};

use super::super::GoesOn;
use crate::source::Source;

/// Work in progress on a thread, until its result is taken. Dropping it stops the work.
pub struct SlicedWork<T> {
    ends: Arc<AtomicBool>,
    outcome: Receiver<T>,
}

impl<T: Send + 'static> SlicedWork<T> {
    /// Begins the work: `slice` is called again and again until it returns a result.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn begin(
        mut slice: impl FnMut(GoesOn<'_>) -> Option<T> + Send + Sync + 'static,
    ) -> io::Result<SlicedWork<T>> {
        let ends = Arc::new(AtomicBool::new(false));
        let (sender, outcome) = bounded(1);
        let asked = ends.clone();
        let work = move || {
            let goes_on = || !asked.load(Ordering::Relaxed);
            while goes_on() {
                if let Some(done) = slice(&goes_on) {
                    // The receiver may be gone; then the result is not needed.
                    let _ = sender.send(done);
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("long-work".into());
        thread.spawn(work)?;
        Ok(SlicedWork { ends, outcome })
    }

    /// The result if it is ready. Polled with every picture.
    pub fn outcome(&mut self) -> Option<T> {
        self.outcome.try_recv().ok()
    }
}

impl<T> Drop for SlicedWork<T> {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
    }
}

/// Drops a board in the background: closing its line may take a moment, and must not
/// delay the picture.
pub fn let_go(board: Box<dyn Source>) {
    // If no thread can be started, the board is dropped here.
    let _ = std::thread::Builder::new()
        .name("close-board".into())
        .spawn(move || drop(board));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_in_slices_until_there_is_an_outcome() {
        let mut slices = 0;
        let mut work = SlicedWork::begin(move |_| {
            slices += 1;
            (slices == 5).then_some(slices)
        })
        .unwrap();
        let outcome = loop {
            if let Some(outcome) = work.outcome() {
                break outcome;
            }
            std::thread::yield_now();
        };
        assert_eq!(outcome, 5);
    }

    #[test]
    fn dropped_work_ends() {
        let (begun_sender, begun) = bounded(1);
        let (ended, ends) = bounded(1);
        let work: SlicedWork<()> = SlicedWork::begin(move |goes_on| {
            begun_sender.send(()).unwrap();
            while goes_on() {
                std::thread::yield_now();
            }
            ended.send(()).unwrap();
            None
        })
        .unwrap();
        begun.recv().unwrap();
        drop(work);
        ends.recv().unwrap();
        // The work was not repeated.
        assert!(begun.recv().is_err());
    }
}

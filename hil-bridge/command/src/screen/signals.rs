//! The system's signals to a program with a screen: to end, and to continue after a
//! suspension.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The signals received so far.
pub struct Signals {
    end: Arc<AtomicBool>,
    continued: Arc<AtomicBool>,
}

impl Signals {
    /// Handles signals from now on.
    ///
    /// # Errors
    /// When the system does not allow it.
    pub fn watch() -> io::Result<Signals> {
        let signals = Signals {
            end: Arc::default(),
            continued: Arc::default(),
        };
        let end = Arc::clone(&signals.end);
        // For an interruption, the end of the session, or a closed terminal.
        ctrlc::set_handler(move || end.store(true, Ordering::Relaxed)).map_err(io::Error::other)?;
        #[cfg(unix)]
        signal_hook::flag::register(signal_hook::consts::SIGCONT, Arc::clone(&signals.continued))?;
        Ok(signals)
    }

    /// True once the program should end.
    pub fn ask_to_end(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }

    /// True if the program was suspended since the last call, so that the shell may have
    /// changed the terminal.
    pub fn were_continued(&self) -> bool {
        self.continued.swap(false, Ordering::Relaxed)
    }
}

//! The terminal as a screen: set up and restored, with keys, mouse and the system's
//! signals.

use std::io;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use ratatui::crossterm::event::{self, Event};

mod signals;
mod terminal;

pub use signals::Signals;
pub use terminal::Terminal;

/// Reads the terminal's events in a separate thread, because reading from a closed
/// terminal may block forever and the program must still be able to end.
///
/// # Errors
/// When the system has no more threads.
pub fn events() -> io::Result<Receiver<io::Result<Event>>> {
    let (sender, events) = mpsc::channel();
    let read = move || {
        loop {
            let event = event::read();
            let is_last = event.is_err();
            if sender.send(event).is_err() || is_last {
                return;
            }
        }
    };
    thread::Builder::new().name("keys".into()).spawn(read)?;
    Ok(events)
}

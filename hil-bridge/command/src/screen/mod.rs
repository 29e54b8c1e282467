//! The terminal as a screen: taken and restored in order, with keys, mouse and
//! signals of the system.

use std::io;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use ratatui::crossterm::event::{self, Event};

mod signals;
mod terminal;

pub use signals::Signals;
pub use terminal::Terminal;

/// The events of the terminal, read in a thread of its own: a closed terminal never
/// releases its reader, and the program has to end.
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

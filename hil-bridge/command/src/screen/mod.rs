//! The terminal as a screen: taken and given back in order, its keys and its mouse, and
//! what the system says meanwhile.

use std::io;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use ratatui::crossterm::event::{self, Event};

mod signals;
mod terminal;

pub use signals::Signals;
pub use terminal::Terminal;

/// What comes from the terminal, read in a thread of its own: a terminal that
/// was closed never lets go of whoever reads from it, and the program has to end.
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

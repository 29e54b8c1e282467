//! Shows the traffic on a line in the terminal: statistics at the top, and frames below,
//! the newest last.
//!
//! The view reads a [`SharedRecord`] that other code fills, from an open line or a file.
//! Keys choose which frames are shown; the others stay in the record.
//!
//! Invariants: the terminal is restored when the view ends, however it ends.

use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use touchboard_host::traffic::{LineFilter, LineFrame, LineView, LineViewAction, SharedRecord};

use crate::mirror::Ability;
use crate::screen::{Signals, Terminal, events};

mod draw;

pub use draw::{draw, plain_figures, plain_line};

/// The interval between updates of the screen.
const PICTURE_EVERY: Duration = Duration::from_millis(100);

/// The state of the screen.
#[derive(Clone, Debug, Default)]
pub struct Screen {
    /// The place of the board.
    pub title: String,
    /// The view: filter and position in the frames.
    pub view: LineView,
    /// The last message of the thread that drives the board.
    pub news: Option<String>,
}

/// The line to show, and the code that receives its frames.
pub struct WatchedLine<'a> {
    /// The place of the board.
    pub title: String,
    /// True for an open line, whose time continues.
    pub is_live: bool,
    /// The record of the line's traffic.
    pub record: &'a SharedRecord,
    /// Called once for each frame, in order.
    pub each: &'a mut dyn FnMut(&LineFrame) -> io::Result<()>,
    /// Called for each update of the screen; returns the last message of the thread that
    /// drives the board.
    pub news: &'a mut dyn FnMut() -> Option<String>,
}

impl WatchedLine<'_> {
    /// Passes the frames from number `from` on to `each`. Returns the number of the next
    /// frame.
    ///
    /// # Errors
    /// When `each` fails.
    pub fn hand_on(&mut self, from: u64) -> io::Result<u64> {
        // `each` may take long, so the record is not locked meanwhile.
        let new: Vec<LineFrame> = {
            let record = self.record.lock();
            record
                .frames_from(from)
                .map(|(_, frame)| frame.clone())
                .collect()
        };
        new.iter().try_for_each(&mut *self.each)?;
        Ok(from + new.len() as u64)
    }
}

/// Shows the line until `q`, Ctrl-C, or a signal to end, which is not an error.
///
/// # Errors
/// When the terminal or `each` fails.
pub fn run(mut watched: WatchedLine<'_>, filter: LineFilter) -> io::Result<()> {
    let signals = Signals::watch()?;
    let mut screen = Screen {
        title: std::mem::take(&mut watched.title),
        view: LineView::new(filter),
        news: None,
    };
    let shown = live(&mut watched, &mut screen, &signals);
    match shown {
        // The terminal was closed, so it cannot be written.
        Err(_) if signals.ask_to_end() => Ok(()),
        shown => shown,
    }
}

fn live(watched: &mut WatchedLine<'_>, screen: &mut Screen, signals: &Signals) -> io::Result<()> {
    let mut terminal = Terminal::take()?;
    let ability = Ability::here();
    let events = events()?;
    let mut handed_on = 0;
    while !signals.ask_to_end() {
        if signals.were_continued() {
            terminal.take_again()?;
        }
        handed_on = watched.hand_on(handed_on)?;
        screen.news = (watched.news)();
        let rows = {
            let record = watched.record.lock();
            screen
                .view
                .rows(&record, draw::frame_rows(terminal.area()?))
        };
        let figures = match watched.is_live {
            true => watched.record.figures(),
            false => watched.record.lock().figures(),
        };
        terminal.draw(|frame| {
            draw(frame, screen, &rows, &figures);
            ability.reduce(frame.buffer_mut());
        })?;
        let mut wait = PICTURE_EVERY;
        while let Ok(event) = events.recv_timeout(wait) {
            match action(&event?) {
                Some(KeyAction::Quit) => return watched.hand_on(handed_on).map(drop),
                Some(KeyAction::View(action)) => {
                    let record = watched.record.lock();
                    screen
                        .view
                        .act(action, &record, draw::frame_rows(terminal.area()?));
                }
                None => {}
            }
            wait = Duration::ZERO;
        }
    }
    watched.hand_on(handed_on).map(drop)
}

/// What a key does.
enum KeyAction {
    Quit,
    View(LineViewAction),
}

/// The meaning of a key; `None` if it has none.
fn action(event: &Event) -> Option<KeyAction> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(key),
        _ => None,
    }
}

fn of_key(key: &KeyEvent) -> Option<KeyAction> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == KeyCode::Char('c')).then_some(KeyAction::Quit);
    }
    Some(KeyAction::View(match key.code {
        KeyCode::Char('q') => return Some(KeyAction::Quit),
        KeyCode::Char('d') => LineViewAction::Direction,
        KeyCode::Char('e') => LineViewAction::Errors,
        KeyCode::Char('k') => LineViewAction::Kind,
        KeyCode::Char('b') => LineViewAction::Bytes,
        KeyCode::Char(' ') => LineViewAction::Pause,
        KeyCode::Up => LineViewAction::Older(1),
        KeyCode::Down => LineViewAction::Newer(1),
        KeyCode::PageUp => LineViewAction::Older(PAGE),
        KeyCode::PageDown => LineViewAction::Newer(PAGE),
        KeyCode::Home => LineViewAction::Older(usize::MAX),
        KeyCode::End => LineViewAction::Newer(usize::MAX),
        _ => return None,
    }))
}

/// The number of frames by which a page key scrolls.
const PAGE: usize = 10;

#[cfg(test)]
mod tests;

//! The mirror: a board in the terminal, live, to watch and to touch.
//!
//! Board time goes with real time (faster, slower or not at all, as one likes),
//! cut into steps, so that a mirror drives any [`Driver`]: what the board shows
//! is painted from its frame, never computed here.
//!
//! Touches come from the mouse (press, slide, release) and from keys (a cursor,
//! and a letter for each button); `?` lists them.
//!
//! What always holds: the terminal is given back when the mirror ends, also by
//! a panic; no finger stays down on the board after it; a board that goes away
//! is waited for, and said so.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use ratatui::crossterm::event;

use crate::Driver;

mod draw;
mod geometry;
mod keys;
mod model;
mod terminal;

pub use draw::draw;
pub use geometry::Geometry;
pub use keys::KEYS;
pub use model::{Act, KEY_HOLD_MS, Mirror};
use terminal::Terminal;

/// From one picture to the next while time goes on.
const PICTURE_EVERY: Duration = Duration::from_millis(33);
/// While it stands still, only keys change anything.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Why a board is not mirrored.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// The output goes elsewhere.
    #[error(
        "`mirror` paints on a terminal, but the output goes elsewhere: run it in a terminal, or use `shell` for pipes"
    )]
    NoTerminal,
    /// The terminal failed.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
}

/// Mirrors a board until `q`, Escape or Ctrl-C.
///
/// # Errors
/// [`MirrorError`] if there is no terminal, or it fails.
pub fn run(driver: &mut dyn Driver) -> Result<(), MirrorError> {
    if !io::stdout().is_terminal() {
        return Err(MirrorError::NoTerminal);
    }
    let mut mirror = Mirror::new(driver);
    let result = live(driver, &mut mirror);
    mirror.let_go(driver);
    Ok(result?)
}

fn live(driver: &mut dyn Driver, mirror: &mut Mirror) -> io::Result<()> {
    let mut terminal = Terminal::take()?;
    let mut last = Instant::now();
    loop {
        let now = Instant::now();
        mirror.pass_time(driver, now - last);
        last = now;
        terminal.draw(|frame| draw(frame, driver, mirror))?;
        let patience = if mirror.is_frozen {
            LOOK_EVERY
        } else {
            PICTURE_EVERY
        };
        let mut wait = patience.saturating_sub(now.elapsed());
        // All that came meanwhile, before the next picture.
        while event::poll(wait)? {
            let geometry = Geometry::new(terminal.area()?, driver.layout());
            match keys::act(&event::read()?, geometry.as_ref()) {
                Some(Act::Quit) => return Ok(()),
                Some(act) => mirror.act(driver, act),
                None => {}
            }
            wait = Duration::ZERO;
        }
    }
}

#[cfg(test)]
mod tests;

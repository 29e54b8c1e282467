//! The mirror: a live board in the terminal, to watch and to touch.
//!
//! Board time follows real time at a chosen rate, in steps, so a mirror can drive any
//! [`Driver`]. It draws the board's frame, and computes nothing about the game. Touches
//! come from the mouse (press, slide, release) and from keys (a cursor, and a letter for
//! each button); `?` lists the keys. The picture consists of half blocks if the terminal
//! can show them, otherwise of signs or letters ([`Ability`]).
//!
//! Invariants: the terminal is restored when the mirror ends, also after a panic or a
//! signal, and set up again after a suspension; no finger stays on the board afterwards;
//! if the board is lost, the mirror waits for it and says why.

use std::fs::File;
use std::io::{self, IsTerminal, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use touchboard_files::read_rest;
use touchboard_host::Driver;
use touchboard_host::palette::Palette;

mod ability;
mod boards;
mod canvas;
mod draw;
mod geometry;
mod keys;
mod model;
mod over;
mod paint;
mod pieces;
mod seen;

pub use ability::{Ability, ColourDepth};
pub use draw::draw;
pub use geometry::Geometry;
pub use model::{KEY_HOLD_MS, Mirror, MirrorAction, Open};

use crate::screen::{Signals, Terminal, events};
use seen::Seen;

/// The interval between updates of the screen while time passes.
const PICTURE_EVERY: Duration = Duration::from_millis(33);
/// The interval while time is frozen or the board is lost, when only keys change anything;
/// and between updates of the screen for the time in the status line alone.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// The options of a mirror.
#[derive(Clone, Debug, Default)]
pub struct MirrorOptions {
    /// The palette of the mirror.
    pub palette: Palette,
    /// A file whose last line is shown: news from another program.
    pub news: Option<PathBuf>,
}

/// How often the file of news is read.
const NEWS_EVERY: Duration = Duration::from_millis(500);
/// How much of the end of that file is read, which is longer than any line of a terminal.
const NEWS_BYTES: u64 = 4_096;

/// Why a board cannot be mirrored.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// The output does not go to a terminal.
    #[error(
        "`mirror` paints on a terminal, but the output goes elsewhere: run it in a terminal, or use `shell` for pipes"
    )]
    NoTerminal,
    /// The terminal reported an error.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
}

/// Mirrors a board until `q`, Ctrl-C, or a signal to end, which is not an error.
///
/// # Errors
/// [`MirrorError`] if there is no terminal, or it fails.
pub fn run(driver: &mut dyn Driver, options: &MirrorOptions) -> Result<(), MirrorError> {
    if !io::stdout().is_terminal() {
        return Err(MirrorError::NoTerminal);
    }
    let signals = Signals::watch()?;
    let mut mirror = Mirror::new(driver);
    mirror.palette = options.palette;
    mirror.ability = Ability::here();
    let result = live(driver, &mut mirror, &signals, options);
    mirror.let_go(driver);
    match result {
        // The terminal was closed, so it cannot be written.
        Err(_) if signals.ask_to_end() => Ok(()),
        result => Ok(result?),
    }
}

fn live(
    driver: &mut dyn Driver,
    mirror: &mut Mirror,
    signals: &Signals,
    options: &MirrorOptions,
) -> io::Result<()> {
    let mut terminal = Terminal::take()?;
    let events = events()?;
    let mut last = Instant::now();
    let mut since_news = NEWS_EVERY;
    // What is on the screen, and since when; `None` if it has to be drawn in any case.
    let mut drawn: Option<(Seen, Instant)> = None;
    while !signals.ask_to_end() {
        if signals.were_continued() {
            terminal.take_again()?;
            drawn = None;
        }
        let now = Instant::now();
        mirror.pass_time(driver, now - last);
        since_news += now - last;
        if since_news >= NEWS_EVERY {
            mirror.news = options.news.as_deref().and_then(last_line);
            since_news = Duration::ZERO;
        }
        last = now;
        let seen = Seen::of(driver, mirror);
        let stands_still = mirror.is_frozen || mirror.trouble.is_some();
        let is_drawn = drawn.as_ref().is_some_and(|(before, at)| {
            *before == seen && (stands_still || now - *at < LOOK_EVERY)
        });
        if !is_drawn {
            terminal.draw(|frame| draw(frame, driver, mirror))?;
            drawn = Some((seen, now));
        }
        let patience = if stands_still {
            LOOK_EVERY
        } else {
            PICTURE_EVERY
        };
        let mut wait = patience.saturating_sub(now.elapsed());
        // Handles all events that have arrived before the screen is updated.
        while let Ok(event) = events.recv_timeout(wait) {
            drawn = None;
            let area = terminal.area()?;
            let geometry = Geometry::new(area, driver.layout());
            match keys::act(&event?, geometry.as_ref()) {
                Some(MirrorAction::Quit) => return Ok(()),
                Some(action) => {
                    mirror.act(driver, action);
                    mirror.reads_at_most(over::hidden_lines(area, mirror, driver.layout()));
                }
                None => {}
            }
            wait = Duration::ZERO;
        }
    }
    Ok(())
}

/// The last line of a file, or the end of that line if it is very long; `None` if there is
/// no line, or no file with an end.
fn last_line(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    let begin = length.saturating_sub(NEWS_BYTES);
    file.seek(SeekFrom::Start(begin)).ok()?;
    // What is written meanwhile may make it longer.
    let bytes = read_rest(file, 2 * NEWS_BYTES).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    text.lines().last().map(str::to_owned)
}

#[cfg(test)]
mod tests;

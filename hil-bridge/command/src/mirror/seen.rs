//! What a screen of the mirror shows, so that it is drawn again only when that changes.
//!
//! Drawing is by far the most expensive part of a mirror, and most of the time a board
//! shows what it showed before.
//!
//! Invariant: if two screens of the same size differ, what is [`Seen`] on them does,
//! except for the time in the status line.

use protocol::{DISPLAY_CHARACTERS, Input, Layout, Packed, Status, Text};
use touchboard_host::{Driver, standing};

use super::model::{Mirror, Open};

/// Everything on a screen, apart from its size and the time in the status line.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    layout: Layout,
    points: Packed,
    turn: [bool; 2],
    display: Text<DISPLAY_CHARACTERS>,
    beep_hz: u16,
    /// The remaining time in words, and whether it is a warning.
    clock: Option<(String, bool)>,
    status: Status,
    inputs: Vec<Input>,
    /// How often the log, the pieces or the boards that are compared have changed.
    changes: u64,
    open: Option<Open>,
    trouble: Option<String>,
    news: Option<String>,
}

impl Seen {
    /// What is seen of this board now.
    pub fn of(driver: &dyn Driver, mirror: &Mirror) -> Seen {
        let (frame, tick) = (driver.frame(), driver.tick());
        let clock = mirror.clock(tick);
        Seen {
            layout: driver.layout(),
            points: frame.points_seen(tick),
            turn: frame.turn_seen(tick),
            display: frame.display.clone(),
            beep_hz: frame.beep_hz,
            clock: clock.map(|clock| (standing::time_left(clock.left_ms), standing::warns(clock))),
            status: mirror.status,
            inputs: mirror.inputs().collect(),
            changes: mirror.changes(),
            open: mirror.open,
            trouble: mirror.trouble.clone(),
            news: mirror.news.clone(),
        }
    }
}

//! The desk: has the board and its lock.
//!
//! The line to the board is opened for each guest and closed after it, so the board knows
//! that its host has left, and waits for nobody.

use std::fmt;
use std::time::{Duration, Instant};

use touchboard_links::client::Dial;
use touchboard_links::link::Link;

use super::door::Door;
use super::guest::{Guest, TurnedAway};
use super::sitting::{Ended, LOOK_EVERY, Sitting};
use super::talk::Rate;
use crate::command::print_error;

/// How long a guest may be silent before a newcomer gets the board, as with
/// `virtual-board --host-silence-ms`.
pub const MAY_BE_SILENT_FOR: Duration = Duration::from_secs(5);

/// The longest wait before the line to a board that is gone is tried again.
const MOST_BACK_OFF: Duration = Duration::from_secs(2);

/// The lock of a board.
#[derive(Clone, Copy, Debug)]
pub struct BoardDesk {
    /// How long a guest may be silent before a newcomer gets the board.
    pub may_be_silent_for: Duration,
    /// Which speeds the line to the board has.
    pub rate: Rate,
    /// The speed of the line to the board at first, in bits a second.
    pub baud: u32,
}

/// A board that is gone, until its line opens again.
struct Missing {
    retry_at: Instant,
    back_off: Duration,
}

impl Missing {
    fn begin(why: &dyn fmt::Display) -> Missing {
        print_error(format_args!("the board is gone: {why}; waiting for it"));
        let back_off = Duration::from_millis(100);
        Missing {
            retry_at: Instant::now() + back_off,
            back_off,
        }
    }

    fn wait_longer(&mut self) {
        self.back_off = MOST_BACK_OFF.min(self.back_off * 2);
        self.retry_at = Instant::now() + self.back_off;
    }
}

impl BoardDesk {
    /// Gives the board to one guest after another, as long as `goes_on` returns true.
    ///
    /// # Errors
    /// When the board has ended for good.
    pub fn run(
        &self,
        door: &Door,
        dial: &mut dyn Dial,
        goes_on: &dyn Fn() -> bool,
    ) -> anyhow::Result<()> {
        let mut next = None;
        let mut missing: Option<Missing> = None;
        while goes_on() {
            let guest = next.take().or_else(|| door.guest(LOOK_EVERY));
            let is_due = missing
                .as_ref()
                .is_some_and(|missing| missing.retry_at <= Instant::now());
            if guest.is_none() && !is_due {
                continue;
            }
            let board = match dial.dial() {
                Ok(board) => board,
                Err(error) => {
                    if let Some(guest) = guest {
                        print_error(format_args!("{} was refused: {error}", guest.who));
                        guest.turn_away(&TurnedAway::NoBoard(error.to_string()));
                    }
                    if let Some(why) = dial.why_ended() {
                        anyhow::bail!(why);
                    }
                    match &mut missing {
                        Some(missing) => missing.wait_longer(),
                        None => missing = Some(Missing::begin(&error)),
                    }
                    continue;
                }
            };
            if missing.take().is_some() {
                print_error("the board is back");
            }
            let Some(guest) = guest else {
                continue;
            };
            let ended;
            (ended, next) = self.seat(guest, board, Some(door), goes_on);
            match ended {
                Ended::Left | Ended::Stopped => {}
                Ended::Taken(guest) => next = Some(guest),
                Ended::Board(why) => {
                    let why = dial.why_ended().unwrap_or(why);
                    missing = Some(Missing::begin(&why));
                }
            }
        }
        Ok(())
    }

    /// Gives the board to one guest alone, until one of them ends.
    pub fn serve(&self, guest: Guest, board: Box<dyn Link>, goes_on: &dyn Fn() -> bool) {
        self.seat(guest, board, None, goes_on);
    }

    /// Gives the board to a guest, and tells it when it is over. Returns why, and who came
    /// in the last moment.
    fn seat(
        &self,
        mut guest: Guest,
        board: Box<dyn Link>,
        door: Option<&Door>,
        goes_on: &dyn Fn() -> bool,
    ) -> (Ended, Option<Guest>) {
        if guest.welcome().is_err() {
            print_error(format_args!(
                "{} has left before it got the board",
                guest.who
            ));
            return (Ended::Left, None);
        }
        print_error(format_args!("{} has the board", guest.who));
        let (silence, speed) = (self.may_be_silent_for, (self.rate, self.baud));
        let sitting = match Sitting::begin(silence, speed, &guest, &*board) {
            Ok(sitting) => sitting,
            Err(error) => return (Ended::Board(error.to_string()), None),
        };
        let (ended, next) = sitting.pass(&mut guest, board, door, goes_on);
        sitting.report(&guest.who, &ended);
        match &ended {
            Ended::Left | Ended::Stopped => {}
            Ended::Board(why) => {
                sitting.lose_board();
                guest.take_board(&TurnedAway::NoBoard(format!("the board is gone: {why}")));
            }
            Ended::Taken(newcomer) => {
                let who = format!("{}, who came later,", newcomer.who);
                guest.take_board(&TurnedAway::Busy(who));
            }
        }
        (ended, next)
    }
}

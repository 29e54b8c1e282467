//! What a game shows, and the sound of its end.
//!
//! The display has green's number at the left and red's at the right, each beside its
//! light. Between them is what is still to come:
//!
//! ```text
//! 12        34   two scores
//! 3    29    4   and turns to come
//! 11/12  29  3   found of how many, seconds left, wrong ones
//! 12  Stop  34   the same while the game is held
//! ```
//!
//! A game with a [`Caption`] shows it in the middle, or instead of everything.

use core::fmt::Write;

use protocol::{Clock, DISPLAY_CHARACTERS, Frame, Outcome, Rhythm, Side, Text, Tick};

use super::Referee;
use super::seconds::{self, WARNING_RHYTHM};
use crate::game::{BETWEEN_CHARACTERS, Canvas, Caption};
use crate::ground::Ground;
use crate::word::Word;

/// A text for the display.
type Line = Text<DISPLAY_CHARACTERS>;

/// The number of characters between the scores.
const MIDDLE: usize = BETWEEN_CHARACTERS;

/// Appends a number to a line. The display is written at every repaint, and on a
/// microcontroller a formatter takes several times as long.
fn put_number(line: &mut Line, number: u32) {
    let mut digits = [0; u32::MAX.ilog10() as usize + 1];
    let mut left = number;
    let mut many = 0;
    for digit in &mut digits {
        *digit = b'0' + (left % 10) as u8;
        left /= 10;
        many += 1;
        if left == 0 {
            break;
        }
    }
    for digit in digits.iter().take(many).rev() {
        let _ = line.write_char(char::from(*digit));
    }
}

/// Appends a text to a line, with this many spaces before and after it.
fn put(line: &mut Line, [before, behind]: [usize; 2], text: &str) {
    for part in [spaces(before), text, spaces(behind)] {
        let _ = line.write_str(part);
    }
}

fn spaces(many: usize) -> &'static str {
    const ALL: &str = "            ";
    const { assert!(ALL.len() == DISPLAY_CHARACTERS) };
    ALL.get(..many).unwrap_or(ALL)
}

fn length(text: &str) -> usize {
    text.chars().count()
}

impl<W: Word> Referee<W> {
    /// The text on the display; `None` once the result was cleared.
    #[must_use]
    pub fn display(&self, tick: Tick) -> Option<Line> {
        if self.outcome.is_some() && !self.ending.is_shown() {
            return None;
        }
        let game = self.playing.game();
        let [green, mut red] = self.score;
        let [mut left, mut middle, mut right] = [const { Line::new() }; 3];
        let mut width = (DISPLAY_CHARACTERS - MIDDLE) / 2;
        put_number(&mut left, green);
        if let Some(all) = game.to_find() {
            let _ = left.write_char('/');
            put_number(&mut left, all.into());
            width = 6;
            red = red.min(99);
        }
        let caption = (!self.is_paused()).then(|| game.caption()).flatten();
        if let Some(Caption::Instead(caption)) = caption {
            return Some(caption);
        }
        if self.is_paused() {
            middle = Line::clipped("Stop");
        } else if let Some(Caption::Between(caption)) = caption {
            let _ = middle.write_str(&caption);
        } else if self.outcome.is_none() {
            let seconds = game.clock(self.play_time(tick)).map(seconds::left);
            if let Some(number) = seconds.or(game.turns_left().map(u32::from)) {
                put_number(&mut middle, number);
            }
        }
        let rest = DISPLAY_CHARACTERS - MIDDLE - width;
        put_number(&mut right, red);
        let mut text = Line::new();
        put(&mut text, [0, width.saturating_sub(length(&left))], &left);
        let free = MIDDLE.saturating_sub(length(&middle));
        put(&mut text, [free / 2, free.div_ceil(2)], &middle);
        put(&mut text, [rest.saturating_sub(length(&right)), 0], &right);
        Some(text)
    }

    /// The clock of a person whose time is running out. The board itself needs no
    /// warning.
    pub(super) fn warning_clock(&self, tick: Tick, level: u8) -> Option<Clock> {
        let warns = self.is_running() && !self.blocks_touches(level);
        let clock = warns.then(|| self.clock(tick)).flatten();
        clock.filter(|clock| !clock.waits)
    }

    /// Milliseconds until a warning light has to be switched by software, because a flash
    /// uses the beat of the frame.
    pub(super) fn wink_in_ms(&self, clock: Clock) -> Option<Tick> {
        self.flash.filter(|_| seconds::warns(clock))?;
        let since = Tick::from(seconds::into_second(clock));
        WARNING_RHYTHM.changes_in_ms(since).map(Tick::from)
    }

    /// The pitch of the end signal at this tick, 0 when it is silent.
    #[must_use]
    pub fn signal_hz(&self, tick: Tick) -> u16 {
        self.ending.hz(tick)
    }

    /// Sets the turn lights for the time from this tick on.
    pub fn light_turns(&self, tick: Tick, level: u8, frame: &mut Frame) {
        let warned = self.warning_clock(tick, level);
        let (rhythm, since) = match warned.filter(|clock| seconds::warns(*clock)) {
            Some(clock) => {
                let second = Tick::from(seconds::into_second(clock));
                (WARNING_RHYTHM, tick.saturating_sub(second))
            }
            None => self.ending.rhythm(),
        };
        frame.turn = Side::BOTH.map(|side| match self.outcome {
            None => self.turn() == Some(side),
            Some(outcome) => {
                let signalled = outcome == Outcome::Draw || outcome == Outcome::Won(side);
                signalled && self.ending.is_shown()
            }
        });
        if rhythm == Rhythm::Steady || !frame.turn.contains(&true) {
            return;
        }
        if self.flash.is_none() {
            frame.turn_rhythm = rhythm;
            frame.set_beat(since);
        } else if !rhythm.is_on(tick.saturating_sub(since)) {
            // A frame has only one beat, and during a flash the flash uses it. So the
            // turn light is switched on and off by painting.
            frame.turn = [false; 2];
        }
    }

    /// Paints the points for this tick. A paused game is dark, so that nobody can think
    /// while the clock is stopped.
    pub fn paint(&self, tick: Tick, ground: &Ground<W>, frame: &mut Frame) {
        if self.is_paused() {
            return;
        }
        let mut canvas = Canvas::new(ground, frame, self.behind);
        let game = self.playing.game();
        game.paint(self.play_time(tick), &mut canvas);
        if let (Some(flash), Some(side)) = (self.flash, game.turn()) {
            let since = self.play_time(flash.since());
            canvas.flash(game.legal(ground), side.into(), since);
        }
    }
}

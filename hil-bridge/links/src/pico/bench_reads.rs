//! Further readings of a [`PicoBench`] at its pins, the faults of its matrix, and the
//! file of its edges.

use std::io;
use std::path::Path;

use firmware_core::faults::{BoardFaults, FaultyParts};
use firmware_core::scan::contact;
use protocol::{Button, DISPLAY_CHARACTERS, Layout};

use super::{PicoBench, makes_no_sense};

/// The times of events at the pins, in nanoseconds of the chip's time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moments {
    /// When the first bit of the displayed chain rose.
    pub chain_began_ns: u64,
    /// When the last bit of that chain fell.
    pub chain_ended_ns: u64,
    /// When the lights showed that chain, after the pause.
    pub shown_ns: u64,
    /// When a contact last moved.
    pub moved_ns: u64,
    /// When the rows went low after that, in order.
    pub lows_ns: Vec<u64>,
}

/// The load of a chip over some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChipLoad {
    /// How long the processor was awake, in nanoseconds.
    pub awake_ns: u64,
    /// The number of scans of the contacts that began.
    pub scans: u64,
    /// The longest time between two scans, in nanoseconds.
    pub longest_ns: u64,
}

/// Hexadecimal digits for the segments of one character.
const DIGITS: usize = 4;

impl PicoBench {
    /// The lit segments of each character of the display, one bit for each of
    /// [`firmware_core::segments::NAMES`].
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn display(&mut self) -> io::Result<[u16; DISPLAY_CHARACTERS]> {
        let answer = self.request("display")?;
        let word = answer.split(' ').nth(1).unwrap_or_default();
        let digits = word.as_bytes().chunks(DIGITS);
        let character = |digits| u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok();
        let characters: Option<Vec<u16>> = digits.map(character).collect();
        let characters = characters.and_then(|all| all.try_into().ok());
        characters.ok_or_else(|| makes_no_sense(&answer))
    }

    /// The pitch of the beeper in Hz; 0 if it is silent.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn beeper(&mut self) -> io::Result<f64> {
        let answer = self.request("beeper")?;
        let hertz = answer.split(' ').nth(1).and_then(|word| word.parse().ok());
        hertz.ok_or_else(|| makes_no_sense(&answer))
    }

    /// The times of events at the pins.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn moments(&mut self) -> io::Result<Moments> {
        let answer = self.request("moments")?;
        match numbers(&answer).as_deref() {
            Some([began, ended, shown, moved, lows @ ..]) => Ok(Moments {
                chain_began_ns: *began,
                chain_ended_ns: *ended,
                shown_ns: *shown,
                moved_ns: *moved,
                lows_ns: lows.to_vec(),
            }),
            _ => Err(makes_no_sense(&answer)),
        }
    }

    /// The chip's load since the last call.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn load(&mut self) -> io::Result<ChipLoad> {
        let answer = self.request("load")?;
        match numbers(&answer).as_deref() {
            Some([awake_ns, scans, longest_ns]) => Ok(ChipLoad {
                awake_ns: *awake_ns,
                scans: *scans,
                longest_ns: *longest_ns,
            }),
            _ => Err(makes_no_sense(&answer)),
        }
    }

    /// Injects these faults into the matrix, on a board with this layout. Faults of
    /// lights, clock and power are ignored.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn inject_faults(
        &mut self,
        layout: Layout,
        faults: &BoardFaults,
        seed: u64,
    ) -> io::Result<()> {
        self.request("fault none")?;
        for (name, parts) in [("stuck", &faults.stuck), ("dead", &faults.dead)] {
            for (line, row) in contacts(layout, parts) {
                self.request(&format!("fault {name} {line} {row}"))?;
            }
        }
        if faults.bounce_ms > 0 {
            let seed = seed as u32;
            self.request(&format!("fault bounce-ms {} {seed}", faults.bounce_ms))?;
        }
        if faults.ghosting {
            self.request("fault ghosting")?;
        }
        Ok(())
    }

    /// Writes the edges at the pins to this file from now on, as VCD; `None` stops that.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`], and when the file cannot be written.
    pub fn record_edges(&mut self, path: Option<&Path>) -> io::Result<()> {
        let path = path.map_or_else(|| "-".into(), Path::to_string_lossy);
        self.request(&format!("edges {path}")).map(drop)
    }
}

/// The numbers after the first word of an answer.
fn numbers(answer: &str) -> Option<Vec<u64>> {
    let words = answer.split(' ').skip(1);
    words.map(|word| word.parse().ok()).collect()
}

/// The output line and the row of each of these contacts, on a board with this layout.
fn contacts(layout: Layout, parts: &FaultyParts) -> impl Iterator<Item = (u8, u8)> {
    let points = parts.iter().filter_map(move |part| {
        let (column, row) = contact(layout, part.point(layout)?);
        Some((1 + column, row))
    });
    let button = |button: Button| (0, button as u8);
    let buttons = parts
        .iter()
        .filter_map(move |part| part.button().map(button));
    points.chain(buttons)
}

//! A virtual grid controller: the device that other programs, and `--panel`, find at a
//! pseudo-terminal when there is no real one.
//!
//! Each device is written from its manufacturer's documents and shares no code with
//! [`touchboard_panel_ports`], which drives it in tests, because two readings of a
//! document rarely contain the same mistake.
//!
//! Invariants: whatever a program sends, memory is bounded and nothing panics.

mod launchpad_device;
mod monome_device;
#[cfg(unix)]
mod osc;
#[cfg(unix)]
mod running;

use std::str::FromStr;

pub use launchpad_device::{LaunchpadDevice, LaunchpadLamp};
pub use monome_device::MonomeDevice;
#[cfg(unix)]
pub use running::RunningGrid;

/// The model of the grid controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridKind {
    /// A monome grid of 16 x 8 keys.
    Monome,
    /// A Novation Launchpad Mini MK3.
    LaunchpadMini,
    /// A Novation Launchpad X.
    LaunchpadX,
    /// A Novation Launchpad Pro MK3.
    LaunchpadPro,
}

impl GridKind {
    const ALL: [GridKind; 4] = [
        GridKind::Monome,
        GridKind::LaunchpadMini,
        GridKind::LaunchpadX,
        GridKind::LaunchpadPro,
    ];

    const fn name(self) -> &'static str {
        match self {
            GridKind::Monome => "monome",
            GridKind::LaunchpadMini => "launchpad-mini",
            GridKind::LaunchpadX => "launchpad-x",
            GridKind::LaunchpadPro => "launchpad-pro",
        }
    }
}

impl FromStr for GridKind {
    type Err = String;

    fn from_str(text: &str) -> Result<GridKind, String> {
        let mut all = GridKind::ALL.into_iter();
        all.find(|kind| kind.name() == text).ok_or_else(|| {
            let names = GridKind::ALL.map(GridKind::name);
            format!("write {}", names.join(", "))
        })
    }
}

/// A grid controller without a line.
#[derive(Clone, Debug)]
pub enum GridDevice {
    /// A simulated monome grid.
    Monome(MonomeDevice),
    /// A simulated Launchpad of any model.
    Launchpad(LaunchpadDevice),
}

impl GridDevice {
    /// A device of this kind; only a monome grid uses `columns` and `rows`.
    #[must_use]
    pub fn new(kind: GridKind, columns: u8, rows: u8) -> GridDevice {
        match kind {
            GridKind::Monome => GridDevice::Monome(MonomeDevice::new(columns, rows)),
            GridKind::LaunchpadMini => GridDevice::Launchpad(LaunchpadDevice::mini()),
            GridKind::LaunchpadX => GridDevice::Launchpad(LaunchpadDevice::x()),
            GridKind::LaunchpadPro => GridDevice::Launchpad(LaunchpadDevice::pro()),
        }
    }

    /// Handles a byte from a program and returns the answer.
    pub fn take(&mut self, byte: u8) -> Vec<u8> {
        match self {
            GridDevice::Monome(device) => device.take(byte),
            GridDevice::Launchpad(device) => device.take(byte),
        }
    }

    /// Presses or releases a key and returns the bytes that the device sends.
    ///
    /// # Errors
    /// A sentence that says how keys are named.
    pub fn key(&self, name: &[&str], is_down: bool) -> Result<Vec<u8>, String> {
        match self {
            GridDevice::Monome(device) => device.key_named(name, is_down),
            GridDevice::Launchpad(device) => device.key_named(name, is_down),
        }
    }

    /// A picture of the lamps, one line for each row.
    #[must_use]
    pub fn picture(&self) -> Vec<String> {
        match self {
            GridDevice::Monome(device) => device.picture(),
            GridDevice::Launchpad(device) => device.picture(),
        }
    }
}

#[cfg(test)]
mod tests;

//! The lines to panels: a serial port, a MIDI port, or a device file.

use std::error::Error;
use std::io;
use std::time::Duration;

use touchboard_panels::choice::{PanelChoice, PanelKind};

#[cfg(feature = "midi")]
mod midi_port;
#[cfg(unix)]
mod raw_file;
mod serial;

/// The line to a panel.
pub trait PanelLine {
    /// Sends all of these bytes, which are whole messages, or none of them.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Waits for bytes, for at most `timeout`. Returns the number received.
    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize>;
}

/// Why there is no line to a panel. The text is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
#[cfg_attr(
    not(feature = "midi"),
    allow(dead_code, reason = "some are about MIDI ports")
)]
pub enum NoPanel {
    /// No serial port is one of a monome grid.
    #[error(
        "no monome grid is plugged in: plug it in, or name its port, like --panel monome:/dev/ttyUSB0"
    )]
    NoMonome,
    /// No MIDI port has the name of a Launchpad.
    #[error(
        "no Launchpad is plugged in: plug it in, or name its port, like --panel launchpad:LPMiniMK3"
    )]
    NoLaunchpad,
    /// No MIDI port has this name.
    #[error("no MIDI port is called {0}: plug the panel in")]
    NoSuchPort(String),
    /// The port cannot be opened.
    #[error("the panel's port {port} cannot be opened: {why}")]
    Closed {
        /// The port.
        port: String,
        /// What the system says.
        why: Box<dyn Error + Send + Sync>,
    },
    /// The system's MIDI library cannot be used, or its port be opened.
    #[error("MIDI cannot be used: {0}")]
    Midi(Box<dyn Error + Send + Sync>),
    /// This program was built without the system's MIDI library.
    #[cfg(not(feature = "midi"))]
    #[error(
        "this program finds no MIDI ports by name: name a device file, like --panel launchpad:/dev/snd/midiC1D0,1, or build it with --features midi"
    )]
    NoMidi,
    /// This is the name of a file, and the system has no files for MIDI.
    #[cfg(not(unix))]
    #[error("{0} is not a MIDI port: this system has no device files for MIDI, name the port")]
    NoFiles(String),
}

impl NoPanel {
    fn no_port(port: &str, why: impl Into<Box<dyn Error + Send + Sync>>) -> NoPanel {
        NoPanel::Closed {
            port: port.to_owned(),
            why: why.into(),
        }
    }
}

/// A line, and the place to which it leads.
type Opened = (Box<dyn PanelLine>, String);

/// Opens the line to a panel.
pub fn open(choice: &PanelChoice) -> Result<Opened, NoPanel> {
    match (choice.kind, choice.port.as_deref()) {
        (PanelKind::Monome, Some(port)) => serial_port(port),
        (PanelKind::Monome, None) => serial_port(&serial::find().ok_or(NoPanel::NoMonome)?),
        (PanelKind::Launchpad, Some(port)) if is_path(port) => device_file(port),
        (PanelKind::Launchpad, name) => midi(name),
    }
}

fn is_path(port: &str) -> bool {
    port.contains('/')
}

fn serial_port(port: &str) -> Result<Opened, NoPanel> {
    match serial::SerialLine::open(port) {
        Ok(line) => Ok((Box::new(line), port.to_owned())),
        Err(error) => Err(NoPanel::no_port(port, error)),
    }
}

#[cfg(unix)]
fn device_file(port: &str) -> Result<Opened, NoPanel> {
    match raw_file::RawFile::open(port) {
        Ok(line) => Ok((Box::new(line), port.to_owned())),
        Err(error) => Err(NoPanel::no_port(port, error)),
    }
}

#[cfg(not(unix))]
fn device_file(port: &str) -> Result<Opened, NoPanel> {
    Err(NoPanel::NoFiles(port.to_owned()))
}

#[cfg(feature = "midi")]
fn midi(name: Option<&str>) -> Result<Opened, NoPanel> {
    let (line, at) = midi_port::MidiPort::open(name)?;
    Ok((Box::new(line), at))
}

#[cfg(not(feature = "midi"))]
fn midi(_name: Option<&str>) -> Result<Opened, NoPanel> {
    Err(NoPanel::NoMidi)
}

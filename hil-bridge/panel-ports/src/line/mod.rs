//! The lines to panels: a serial port, a MIDI port, or a device file.

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

/// A line, and the place to which it leads.
type Opened = (Box<dyn PanelLine>, String);

/// Opens the line to a panel. The error is a sentence that says what to do.
pub fn open(choice: &PanelChoice) -> Result<Opened, String> {
    match (choice.kind, choice.port.as_deref()) {
        (PanelKind::Monome, Some(port)) => serial_port(port),
        (PanelKind::Monome, None) => match serial::find() {
            Some(port) => serial_port(&port),
            None => Err("no monome grid is plugged in: plug it in, or name its port, like --panel monome:/dev/ttyUSB0".to_owned()),
        },
        (PanelKind::Launchpad, Some(port)) if is_path(port) => device_file(port),
        (PanelKind::Launchpad, name) => midi(name),
    }
}

fn is_path(port: &str) -> bool {
    port.contains('/')
}

fn serial_port(port: &str) -> Result<Opened, String> {
    match serial::SerialLine::open(port) {
        Ok(line) => Ok((Box::new(line), port.to_owned())),
        Err(error) => Err(format!("the panel's port {port} cannot be opened: {error}")),
    }
}

#[cfg(unix)]
fn device_file(port: &str) -> Result<Opened, String> {
    match raw_file::RawFile::open(port) {
        Ok(line) => Ok((Box::new(line), port.to_owned())),
        Err(error) => Err(format!("the panel's port {port} cannot be opened: {error}")),
    }
}

#[cfg(not(unix))]
fn device_file(port: &str) -> Result<Opened, String> {
    Err(format!(
        "{port} is not a MIDI port: this system has no device files for MIDI, name the port"
    ))
}

#[cfg(feature = "midi")]
fn midi(name: Option<&str>) -> Result<Opened, String> {
    let (line, at) = midi_port::MidiPort::open(name)?;
    Ok((Box::new(line), at))
}

#[cfg(not(feature = "midi"))]
fn midi(_name: Option<&str>) -> Result<Opened, String> {
    Err("this program finds no MIDI ports by name: name a device file, like --panel launchpad:/dev/snd/midiC1D0,1, or build it with --features midi".to_owned())
}

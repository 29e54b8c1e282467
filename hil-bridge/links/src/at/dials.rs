//! The ways to open a line to a board, and their wrappers.

use std::net::Ipv4Addr;

use firmware_core::Faults;
use firmware_core::faults::FaultyLine;
use touchboard_host::driver::DriverError;
use virtual_board::{Options, Running};

use super::options::Where;
use crate::LinkError;
use crate::client::Dial;
use crate::link::{
    FaultyLink, LineTaps, Link, Serial, TappedLink, Tcp, UsbBoard, UsbIdentity, found_again,
    identity_at, usb_ports,
};

/// The serial ports on USB.
type UsbPorts = fn() -> Vec<UsbBoard>;

/// A serial port, which is found again if its name changes.
///
/// A name that is a link, such as one in `/dev/serial/by-id`, is followed to wherever it
/// leads: who made it keeps it up to date. Any other name is that of the moment, so a
/// board on USB is looked for by its identity.
pub(super) struct SerialDial<P = UsbPorts> {
    name: String,
    /// The current path of the port, which may change on USB.
    path: String,
    known: Option<UsbIdentity>,
    baud: u32,
    ports: P,
}

impl SerialDial {
    pub(super) fn at(name: String, path: &str, baud: u32) -> SerialDial {
        SerialDial {
            name,
            path: path.to_owned(),
            known: None,
            baud,
            ports: usb_ports,
        }
    }
}

impl<P: Fn() -> Vec<UsbBoard> + Send> Dial for SerialDial<P> {
    fn name(&self) -> &str {
        &self.name
    }

    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
        if let Some(known) = &self.known
            && let Some(path) = found_again(&self.path, known, &(self.ports)())
        {
            self.path = path;
        }
        match Serial::open(&self.path, self.baud) {
            Ok(serial) => {
                if self.known.is_none() {
                    self.known = identity_at(&self.path, &(self.ports)());
                }
                Ok(Box::new(serial))
            }
            Err(error) => Err(LinkError::open(format!(
                "the serial port {} does not open ({error}): `hil-bridge ports` lists those with a board",
                self.path
            ))),
        }
    }
}

/// A board that listens at a TCP port.
pub(super) struct Network {
    name: String,
    address: String,
}

impl Network {
    pub(super) fn at(name: String, address: &str) -> Network {
        Network {
            name,
            address: address.to_owned(),
        }
    }
}

impl Dial for Network {
    fn name(&self) -> &str {
        &self.name
    }

    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
        match Tcp::connect(&self.address) {
            Ok(tcp) => Ok(Box::new(tcp)),
            Err(error) => Err(LinkError::open(format!(
                "nothing answers at {} ({error}): start a board there, like `virtual-board --tcp {}`",
                self.name, self.address
            ))),
        }
    }
}

/// A virtual board in a thread of this process, behind a real line of the system.
pub(super) struct Virtual {
    board: Running,
    baud: u32,
}

impl Virtual {
    pub(super) fn start(place: &Where) -> Result<Virtual, DriverError> {
        let pty = cfg!(unix);
        let board = virtual_board::spawn(Options {
            layout: place.layout.clone(),
            games: place.roster(),
            seed: place.seed.unwrap_or(0),
            no_pty: !pty,
            tcp: (!pty).then(|| (Ipv4Addr::LOCALHOST, 0).into()),
            keep: place.keep.clone(),
            break_rule: place.line.break_rule,
            faults: place.line.faults.0.own().into(),
            ..Options::default()
        })
        .map_err(|error| LinkError::open(format!("the virtual board does not start: {error}")))?;
        let baud = place.line.baud;
        Ok(Virtual { board, baud })
    }
}

impl Dial for Virtual {
    fn name(&self) -> &str {
        "virtual"
    }

    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
        let link: std::io::Result<Box<dyn Link>> = match (&self.board.path, self.board.tcp) {
            (Some(path), _) => {
                Serial::open(&path.to_string_lossy(), self.baud).map(|link| Box::new(link) as _)
            }
            (None, Some(address)) => {
                Tcp::connect(&address.to_string()).map(|link| Box::new(link) as _)
            }
            (None, None) => Err(std::io::Error::other("it has no plug")),
        };
        link.map_err(|error| LinkError::open(format!("the virtual board has no line: {error}")))
    }
}

/// A dial whose links have faults and taps.
pub(super) struct Wrapped {
    pub inner: Box<dyn Dial>,
    pub line: FaultyLine,
    pub taps: Option<LineTaps>,
}

impl Dial for Wrapped {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
        let link = FaultyLink::new(self.inner.dial()?, self.line.clone());
        let Some(taps) = &self.taps else {
            return Ok(Box::new(link));
        };
        let link = TappedLink::new(link, taps.clone());
        let link = link.map_err(|error| LinkError::open(error.to_string()))?;
        Ok(Box::new(link))
    }

    fn why_ended(&mut self) -> Option<String> {
        self.inner.why_ended()
    }

    fn faults(&self) -> Option<String> {
        let faults = Faults {
            line: self.line.faults(),
            ..Faults::default()
        };
        (!self.line.are_none()).then(|| faults.to_string())
    }

    fn is_halted(&mut self) -> bool {
        self.inner.is_halted()
    }
}

#[cfg(all(test, unix))]
mod tests;

//! What passes between a guest and the board: bytes as they are, or a serial port in
//! telnet.

use std::io;

use touchboard_links::link::Link;
use touchboard_sharing::rfc2217::{ModemLines, Port, PortServer, PortSettings, PortWire};

use super::guest::Manner;

/// The name of this program for clients of RFC 2217 that ask.
const SIGNATURE: &str = concat!("hil-bridge serve ", env!("CARGO_PKG_VERSION"));

/// Which speeds the line to a board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// Those of a serial port.
    OfPort,
    /// This one, in bits a second.
    Fixed(u32),
    /// None: bytes pass as fast as they can, whatever speed is asked for.
    Any,
}

/// What passes between a guest and the board.
pub enum Talk {
    /// Bytes as they are.
    Bytes,
    /// A serial port.
    Telnet(Box<(PortServer, LinePort)>),
}

impl Talk {
    /// What passes for a guest of this manner, over the line to the board. Appends what is
    /// said to the guest first.
    ///
    /// # Errors
    /// When the system has no more handles.
    pub fn new(
        manner: Manner,
        board: &dyn Link,
        rate: Rate,
        baud: u32,
        to_guest: &mut Vec<u8>,
    ) -> io::Result<Talk> {
        if manner != Manner::Telnet {
            return Ok(Talk::Bytes);
        }
        let server = PortServer::new(SIGNATURE, to_guest);
        let port = LinePort {
            line: board.try_clone()?,
            rate,
            settings: PortSettings::plain(baud),
            on: [false, true, true],
            is_gone: false,
        };
        Ok(Talk::Telnet(Box::new((server, port))))
    }

    /// Takes bytes of the guest.
    pub fn hear(&mut self, bytes: &[u8], to_board: &mut Vec<u8>, to_guest: &mut Vec<u8>) {
        match self {
            Talk::Bytes => to_board.extend(bytes),
            Talk::Telnet(talk) => talk.0.hear(bytes, &mut talk.1, to_board, to_guest),
        }
    }

    /// Takes bytes of the board.
    pub fn say(&self, bytes: &[u8], to_guest: &mut Vec<u8>) {
        match self {
            Talk::Bytes => to_guest.extend(bytes),
            Talk::Telnet(_) => PortServer::say(bytes, to_guest),
        }
    }

    /// Appends what has changed beside the bytes.
    pub fn look(&mut self, to_guest: &mut Vec<u8>) {
        if let Talk::Telnet(talk) = self {
            talk.0.look(&mut talk.1, to_guest);
        }
    }

    /// Appends that the board is gone.
    pub fn lose_board(&mut self, to_guest: &mut Vec<u8>) {
        if let Talk::Telnet(talk) = self {
            talk.1.is_gone = true;
        }
        self.look(to_guest);
    }

    /// True while the guest has no room for bytes.
    pub fn is_suspended(&self) -> bool {
        match self {
            Talk::Bytes => false,
            Talk::Telnet(talk) => talk.0.is_suspended(),
        }
    }
}

/// The line to a board as a serial port. Where the line is none, its wires are as they
/// were switched last, and the board counts as connected.
pub struct LinePort {
    line: Box<dyn Link>,
    rate: Rate,
    settings: PortSettings,
    on: [bool; PortWire::ALL.len()],
    is_gone: bool,
}

impl LinePort {
    /// The port of the line, if its settings are real.
    fn real(&mut self) -> Option<&mut dyn Port> {
        match self.rate {
            Rate::OfPort => self.line.port(),
            Rate::Fixed(_) | Rate::Any => None,
        }
    }
}

impl Port for LinePort {
    fn settings(&mut self) -> PortSettings {
        let own = self.settings;
        self.real().map_or(own, |port| port.settings())
    }

    fn set(&mut self, wanted: PortSettings) {
        if let Some(port) = self.real() {
            return port.set(wanted);
        }
        self.settings = match self.rate {
            Rate::Fixed(baud) => PortSettings::plain(baud),
            // Bytes wait for room on such a line, whatever kind of flow control is named.
            Rate::OfPort | Rate::Any => wanted,
        };
    }

    fn switch(&mut self, wire: PortWire, on: bool) {
        match self.real() {
            Some(port) => port.switch(wire, on),
            None => self.on[wire as usize] = on,
        }
    }

    fn is_on(&mut self, wire: PortWire) -> bool {
        let own = self.on[wire as usize];
        self.real().map_or(own, |port| port.is_on(wire))
    }

    fn modem_lines(&mut self) -> ModemLines {
        if self.is_gone {
            return ModemLines::default();
        }
        self.real()
            .map_or(ModemLines::THERE, |port| port.modem_lines())
    }

    fn forget_received(&mut self) {
        if let Some(port) = self.real() {
            port.forget_received();
        }
    }

    fn forget_unsent(&mut self) {
        if let Some(port) = self.real() {
            port.forget_unsent();
        }
    }
}

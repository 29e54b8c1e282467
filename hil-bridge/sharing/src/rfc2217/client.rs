//! The end of RFC 2217 that uses the port.

use super::{PortCommand, PortEnd, PortFlow, PortParity, PortSettings, PortStopBits, number_of};
use crate::telnet::{
    BINARY, COM_PORT, OptionSide, OptionTable, OptionVerb, SUPPRESS_GO_AHEAD, TelnetItem,
    TelnetReader, write_data,
};

/// How much of what a server says before it has agreed is remembered, in bytes.
const MOST_SAID: usize = 240;

/// How far the negotiation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Negotiation {
    /// The server has not answered everything yet.
    Waiting,
    /// The server has no serial port, or passes only some of the 256 bytes.
    Refused,
    /// The port can be used; it has these bits a second.
    Ready(u32),
}

/// The end that uses the port.
#[derive(Clone, Debug)]
pub struct PortClient {
    reader: TelnetReader,
    options: OptionTable,
    wanted: PortSettings,
    is_set: bool,
    is_refused: bool,
    baud: Option<u32>,
    is_suspended: bool,
    said: Vec<u8>,
}

impl PortClient {
    /// A client that wants a port with these settings. Appends what it says first.
    #[must_use]
    pub fn new(wanted: PortSettings, to_server: &mut Vec<u8>) -> PortClient {
        let mut options = OptionTable::default();
        for option in [BINARY, SUPPRESS_GO_AHEAD] {
            options.ask(OptionSide::Ours, option, to_server);
            options.ask(OptionSide::Theirs, option, to_server);
        }
        options.ask(OptionSide::Ours, COM_PORT, to_server);
        PortClient {
            reader: TelnetReader::default(),
            options,
            wanted,
            is_set: false,
            is_refused: false,
            baud: None,
            is_suspended: false,
            said: Vec::new(),
        }
    }

    /// How far the negotiation has come.
    #[must_use]
    pub fn negotiation(&self) -> Negotiation {
        let is_on = |side| self.options.is_on(side, BINARY);
        match self.baud {
            _ if self.is_refused => Negotiation::Refused,
            Some(baud) if is_on(OptionSide::Ours) && is_on(OptionSide::Theirs) => {
                Negotiation::Ready(baud)
            }
            _ => Negotiation::Waiting,
        }
    }

    /// What the server said before it had agreed, such as that the port is in use; empty if
    /// that was not a text.
    #[must_use]
    pub fn said(&self) -> &str {
        let text = str::from_utf8(&self.said).unwrap_or_default().trim();
        match text.contains(char::is_control) {
            true => "",
            false => text,
        }
    }

    /// True while the server has no room for bytes.
    #[must_use]
    pub fn is_suspended(&self) -> bool {
        self.is_suspended
    }

    /// Takes bytes of the server: appends those of the port to `from_port`, and answers to
    /// `to_server`. Each byte of the port takes at least one of these bytes.
    pub fn hear(&mut self, bytes: &[u8], from_port: &mut Vec<u8>, to_server: &mut Vec<u8>) {
        let mut reader = std::mem::take(&mut self.reader);
        for byte in bytes {
            match reader.feed(*byte) {
                Some(TelnetItem::Data(byte)) => self.hear_data(byte, from_port),
                Some(TelnetItem::Option(verb, option)) => {
                    self.hear_option(verb, option, to_server);
                }
                Some(TelnetItem::Parameters(COM_PORT, parameters)) => {
                    if let Some((PortEnd::Server, command)) = PortCommand::read(parameters) {
                        self.hear_command(&command);
                    }
                }
                Some(TelnetItem::Parameters(..) | TelnetItem::Command(_)) | None => {}
            }
        }
        self.reader = reader;
    }

    /// Appends bytes for the port, as the server reads them.
    pub fn say(bytes: &[u8], to_server: &mut Vec<u8>) {
        write_data(bytes, to_server);
    }

    fn hear_data(&mut self, byte: u8, from_port: &mut Vec<u8>) {
        match self.negotiation() {
            Negotiation::Ready(_) => from_port.push(byte),
            _ if self.said.len() < MOST_SAID => self.said.push(byte),
            _ => {}
        }
    }

    fn hear_option(&mut self, verb: OptionVerb, option: u8, to_server: &mut Vec<u8>) {
        self.options.hear(verb, option, to_server);
        let refuses_port = verb == OptionVerb::Dont && option == COM_PORT;
        let refuses = matches!(verb, OptionVerb::Dont | OptionVerb::Wont);
        self.is_refused |= refuses_port || (refuses && option == BINARY);
        if !self.is_set && self.options.is_on(OptionSide::Ours, COM_PORT) {
            self.is_set = true;
            let wanted = self.wanted;
            for command in [
                PortCommand::Baud(wanted.baud),
                PortCommand::DataBits(wanted.data_bits),
                PortCommand::Parity(number_of(&PortParity::ALL, &wanted.parity)),
                PortCommand::StopBits(number_of(&PortStopBits::ALL, &wanted.stop_bits)),
                PortCommand::Control(number_of(&PortFlow::ALL, &wanted.flow)),
            ] {
                command.write(PortEnd::Client, to_server);
            }
        }
    }

    fn hear_command(&mut self, command: &PortCommand) {
        match command {
            PortCommand::Baud(baud) if self.is_set => self.baud = Some(*baud),
            PortCommand::Suspend => self.is_suspended = true,
            PortCommand::Resume => self.is_suspended = false,
            _ => {}
        }
    }
}

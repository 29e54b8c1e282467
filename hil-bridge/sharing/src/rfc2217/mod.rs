//! RFC 2217: a serial port at the other end of a telnet connection.
//!
//! [`PortServer`] is the end that has the port, [`PortClient`] the one that uses it. Both
//! are state machines: bytes go in, and bytes for both sides come out.
//!
//! Invariants: those of [`telnet`](crate::telnet); every command is acknowledged with what
//! the port has then, which need not be what was asked for.

use crate::telnet::{COM_PORT, write_parameters};

mod client;
mod server;

pub use client::{Negotiation, PortClient};
pub use server::PortServer;

/// What is added to the number of a command when a server sends it.
const OF_SERVER: u8 = 100;

/// The parity bit of each character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PortParity {
    /// There is none.
    #[default]
    None,
    /// The number of ones is odd.
    Odd,
    /// The number of ones is even.
    Even,
    /// It is always one.
    Mark,
    /// It is always zero.
    Space,
}

/// How many bits end each character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PortStopBits {
    /// One.
    #[default]
    One,
    /// Two.
    Two,
    /// One and a half.
    OneAndHalf,
}

/// What stops the sender when the receiver has no room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PortFlow {
    /// Nothing.
    #[default]
    None,
    /// Characters (XON, XOFF).
    Characters,
    /// Wires (RTS, CTS).
    Wires,
}

impl PortParity {
    const ALL: [PortParity; 5] = [
        PortParity::None,
        PortParity::Odd,
        PortParity::Even,
        PortParity::Mark,
        PortParity::Space,
    ];
}

impl PortStopBits {
    const ALL: [PortStopBits; 3] = [
        PortStopBits::One,
        PortStopBits::Two,
        PortStopBits::OneAndHalf,
    ];
}

impl PortFlow {
    const ALL: [PortFlow; 3] = [PortFlow::None, PortFlow::Characters, PortFlow::Wires];
}

/// The number of a value in RFC 2217, which counts from 1; 0 asks for the present value.
fn number_of<T: PartialEq>(all: &[T], value: &T) -> u8 {
    let at = all.iter().position(|other| other == value);
    at.map_or(0, |at| at as u8 + 1)
}

/// The value with this number.
fn value_of<T: Copy>(all: &[T], number: u8) -> Option<T> {
    all.get(usize::from(number).checked_sub(1)?).copied()
}

/// How a serial port sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortSettings {
    /// Bits a second.
    pub baud: u32,
    /// Bits of a character: 5 to 8.
    pub data_bits: u8,
    /// The parity bit of each character.
    pub parity: PortParity,
    /// How many bits end each character.
    pub stop_bits: PortStopBits,
    /// What stops the sender.
    pub flow: PortFlow,
}

impl PortSettings {
    /// Eight bits, no parity, one stop bit and no flow control, at this speed.
    #[must_use]
    pub fn plain(baud: u32) -> PortSettings {
        PortSettings {
            baud,
            data_bits: 8,
            parity: PortParity::None,
            stop_bits: PortStopBits::One,
            flow: PortFlow::None,
        }
    }
}

/// A wire of a port, or a state of its line, that this end switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortWire {
    /// The line is held at zero.
    Break,
    /// This end is there (DTR).
    Ready,
    /// This end has room (RTS).
    MaySend,
}

impl PortWire {
    /// All of them, in the order in which RFC 2217 numbers them.
    pub const ALL: [PortWire; 3] = [PortWire::Break, PortWire::Ready, PortWire::MaySend];
}

/// The wires that the other end of a port switches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModemLines {
    /// It has room (CTS).
    pub may_send: bool,
    /// It is there (DSR).
    pub ready: bool,
    /// It rings (RI).
    pub ring: bool,
    /// It is connected (CD).
    pub carrier: bool,
}

impl ModemLines {
    /// A board that is there and has no such wires.
    pub const THERE: ModemLines = ModemLines {
        may_send: true,
        ready: true,
        ring: false,
        carrier: true,
    };

    /// The upper four bits of a modem state.
    fn bits(self) -> u8 {
        let lines = [self.may_send, self.ready, self.ring, self.carrier];
        let bits = lines.iter().zip(4..);
        bits.fold(0, |bits, (on, shift)| bits | u8::from(*on) << shift)
    }
}

/// A serial port, or what stands in for one.
pub trait Port {
    /// The settings that it has.
    fn settings(&mut self) -> PortSettings;

    /// Changes the settings, as far as it can.
    fn set(&mut self, wanted: PortSettings);

    /// Switches a wire.
    fn switch(&mut self, wire: PortWire, on: bool);

    /// True if the wire is switched on.
    fn is_on(&mut self, wire: PortWire) -> bool;

    /// The wires of the other end.
    fn modem_lines(&mut self) -> ModemLines;

    /// Forgets received bytes that nobody has read.
    fn forget_received(&mut self);

    /// Forgets bytes that were not sent yet.
    fn forget_unsent(&mut self);
}

/// A command of RFC 2217, or its acknowledgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortCommand {
    /// Asks for the name of the other end if it is empty, or tells the own one.
    Signature(Vec<u8>),
    /// The speed; 0 asks for it.
    Baud(u32),
    /// The bits of a character; 0 asks for them.
    DataBits(u8),
    /// The number of the parity; 0 asks for it.
    Parity(u8),
    /// The number of the stop bits; 0 asks for them.
    StopBits(u8),
    /// Flow control, wires and the break.
    Control(u8),
    /// The state of the line.
    LineState(u8),
    /// The state of the wires of the other end.
    ModemState(u8),
    /// The sender has no room: nothing must be sent to it.
    Suspend,
    /// The sender has room again.
    Resume,
    /// Which states of the line are to be told.
    LineMask(u8),
    /// Which wires are to be told.
    ModemMask(u8),
    /// Bytes to forget: 1 those received, 2 those not sent, 3 both.
    Purge(u8),
}

/// Which end sends a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortEnd {
    /// The one that uses the port.
    Client,
    /// The one that has the port.
    Server,
}

impl PortCommand {
    /// Appends the command, as this end sends it.
    pub fn write(&self, end: PortEnd, to: &mut Vec<u8>) {
        let (number, value) = match self {
            PortCommand::Signature(text) => (0, text.clone()),
            PortCommand::Baud(baud) => (1, baud.to_be_bytes().to_vec()),
            PortCommand::DataBits(bits) => (2, vec![*bits]),
            PortCommand::Parity(number) => (3, vec![*number]),
            PortCommand::StopBits(number) => (4, vec![*number]),
            PortCommand::Control(number) => (5, vec![*number]),
            PortCommand::LineState(bits) => (6, vec![*bits]),
            PortCommand::ModemState(bits) => (7, vec![*bits]),
            PortCommand::Suspend => (8, vec![]),
            PortCommand::Resume => (9, vec![]),
            PortCommand::LineMask(bits) => (10, vec![*bits]),
            PortCommand::ModemMask(bits) => (11, vec![*bits]),
            PortCommand::Purge(what) => (12, vec![*what]),
        };
        let number = match end {
            PortEnd::Client => number,
            PortEnd::Server => number + OF_SERVER,
        };
        write_parameters(COM_PORT, &[&[number][..], &value].concat(), to);
    }

    /// The command in the parameters of the option, and which end sends it in this form.
    /// `None` for one that RFC 2217 does not know.
    #[must_use]
    pub fn read(parameters: &[u8]) -> Option<(PortEnd, PortCommand)> {
        let (number, value) = parameters.split_first()?;
        let (end, number) = match number.checked_sub(OF_SERVER) {
            Some(number) => (PortEnd::Server, number),
            None => (PortEnd::Client, *number),
        };
        // What follows the value is left out, as in other implementations.
        let byte = value.first().copied();
        let command = match number {
            0 => PortCommand::Signature(value.to_vec()),
            1 => PortCommand::Baud(u32::from_be_bytes(*value.first_chunk()?)),
            2 => PortCommand::DataBits(byte?),
            3 => PortCommand::Parity(byte?),
            4 => PortCommand::StopBits(byte?),
            5 => PortCommand::Control(byte?),
            6 => PortCommand::LineState(byte?),
            // A client asks for it without a value.
            7 => PortCommand::ModemState(byte.unwrap_or_default()),
            8 => PortCommand::Suspend,
            9 => PortCommand::Resume,
            10 => PortCommand::LineMask(byte?),
            11 => PortCommand::ModemMask(byte?),
            12 => PortCommand::Purge(byte?),
            _ => return None,
        };
        Some((end, command))
    }
}

#[cfg(test)]
mod tests;

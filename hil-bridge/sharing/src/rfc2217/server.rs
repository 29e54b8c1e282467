//! The end of RFC 2217 that has the port.

use super::{
    Port, PortCommand, PortEnd, PortFlow, PortParity, PortSettings, PortStopBits, PortWire,
    number_of, value_of,
};
use crate::telnet::{
    BINARY, COM_PORT, OptionSide, OptionTable, SUPPRESS_GO_AHEAD, TelnetItem, TelnetReader,
    write_data,
};

/// The numbers of flow control in a `Control` command: 0 asks for it. 13 to 16 are the
/// same for received bytes; one setting is used for both directions.
const FLOW: u8 = 0;
const FLOW_INWARD: u8 = 13;

/// The first number of the wires in a `Control` command: each has one to ask, one to
/// switch it on, and one to switch it off.
const WIRES: u8 = 4;

/// The bit of a modem state that says that the other end rings.
const RING: u8 = 0x40;

/// The end that has the port.
#[derive(Clone, Debug)]
pub struct PortServer {
    reader: TelnetReader,
    options: OptionTable,
    signature: String,
    /// The wires that the client wants to be told of.
    modem_mask: u8,
    /// The wires that it was told last.
    told_modem: Option<u8>,
    is_suspended: bool,
}

impl PortServer {
    /// A server with this name. Appends what it says first.
    #[must_use]
    pub fn new(signature: &str, to_client: &mut Vec<u8>) -> PortServer {
        let mut options = OptionTable::default();
        for option in [BINARY, SUPPRESS_GO_AHEAD] {
            options.ask(OptionSide::Ours, option, to_client);
            options.ask(OptionSide::Theirs, option, to_client);
        }
        options.ask(OptionSide::Theirs, COM_PORT, to_client);
        PortServer {
            reader: TelnetReader::default(),
            options,
            signature: signature.to_owned(),
            // RFC 2217 has these masks at first: all wires, no states of the line.
            modem_mask: 0xFF,
            told_modem: None,
            is_suspended: false,
        }
    }

    /// Takes bytes of the client: obeys commands, appends data to `to_port`, and answers
    /// to `to_client`.
    pub fn hear(
        &mut self,
        bytes: &[u8],
        port: &mut dyn Port,
        to_port: &mut Vec<u8>,
        to_client: &mut Vec<u8>,
    ) {
        let mut reader = std::mem::take(&mut self.reader);
        for byte in bytes {
            match reader.feed(*byte) {
                Some(TelnetItem::Data(byte)) => to_port.push(byte),
                Some(TelnetItem::Option(verb, option)) => {
                    self.options.hear(verb, option, to_client);
                }
                Some(TelnetItem::Parameters(COM_PORT, parameters)) => {
                    if let Some((PortEnd::Client, command)) = PortCommand::read(parameters) {
                        self.obey(command, port, to_client);
                    }
                }
                // Nothing else has a meaning for a port.
                Some(TelnetItem::Parameters(..) | TelnetItem::Command(_)) | None => {}
            }
        }
        self.reader = reader;
    }

    /// Appends bytes of the port, as the client reads them.
    pub fn say(bytes: &[u8], to_client: &mut Vec<u8>) {
        write_data(bytes, to_client);
    }

    /// Appends the wires of the port, if the client uses the option and wants to be told
    /// of what has changed.
    pub fn look(&mut self, port: &mut dyn Port, to_client: &mut Vec<u8>) {
        let is_used = self.options.is_on(OptionSide::Theirs, COM_PORT)
            || self.options.is_on(OptionSide::Ours, COM_PORT);
        let bits = port.modem_lines().bits();
        let changed = self.told_modem.unwrap_or(!bits & 0xF0) ^ bits;
        if is_used && changed & self.modem_mask != 0 {
            self.tell_modem(bits, to_client);
        }
    }

    fn tell_modem(&mut self, bits: u8, to_client: &mut Vec<u8>) {
        // The lower bits say which wires have changed since they were told; that of the ring
        // only says that it has ended.
        let told = self.told_modem.unwrap_or(bits);
        let changed = ((told ^ bits) & !(bits & RING)) >> 4;
        self.told_modem = Some(bits);
        PortCommand::ModemState(bits | changed).write(PortEnd::Server, to_client);
    }

    /// True while the client has no room for bytes of the port.
    #[must_use]
    pub fn is_suspended(&self) -> bool {
        self.is_suspended
    }

    fn obey(&mut self, command: PortCommand, port: &mut dyn Port, to_client: &mut Vec<u8>) {
        let now = port.settings();
        let answer = match command {
            PortCommand::Signature(text) if text.is_empty() => {
                PortCommand::Signature(self.signature.as_bytes().to_vec())
            }
            PortCommand::Baud(baud) => {
                let wanted = (baud != 0).then_some(PortSettings { baud, ..now });
                PortCommand::Baud(set(port, wanted).baud)
            }
            PortCommand::DataBits(bits) => {
                let known = (5..=8).contains(&bits);
                let wanted = known.then_some(PortSettings {
                    data_bits: bits,
                    ..now
                });
                PortCommand::DataBits(set(port, wanted).data_bits)
            }
            PortCommand::Parity(number) => {
                let parity = value_of(&PortParity::ALL, number);
                let wanted = parity.map(|parity| PortSettings { parity, ..now });
                let parity = set(port, wanted).parity;
                PortCommand::Parity(number_of(&PortParity::ALL, &parity))
            }
            PortCommand::StopBits(number) => {
                let stop_bits = value_of(&PortStopBits::ALL, number);
                let wanted = stop_bits.map(|stop_bits| PortSettings { stop_bits, ..now });
                let stop_bits = set(port, wanted).stop_bits;
                PortCommand::StopBits(number_of(&PortStopBits::ALL, &stop_bits))
            }
            PortCommand::Control(number) => PortCommand::Control(control(number, port)),
            PortCommand::ModemState(_) => {
                let bits = port.modem_lines().bits();
                return self.tell_modem(bits, to_client);
            }
            PortCommand::Suspend => {
                self.is_suspended = true;
                return;
            }
            PortCommand::Resume => {
                self.is_suspended = false;
                return;
            }
            // No system tells of the states of a line, so none is ever reported.
            PortCommand::LineMask(bits) => PortCommand::LineMask(bits),
            PortCommand::ModemMask(bits) => {
                self.modem_mask = bits;
                PortCommand::ModemMask(bits)
            }
            PortCommand::Purge(what) => {
                purge(port, what);
                PortCommand::Purge(what)
            }
            PortCommand::Signature(_) | PortCommand::LineState(_) => return,
        };
        answer.write(PortEnd::Server, to_client);
    }
}

/// Forgets what these bits name: 1 what was received, 2 what was not sent yet.
fn purge(port: &mut dyn Port, bits: u8) {
    if bits & 1 != 0 {
        port.forget_received();
    }
    if bits & 2 != 0 {
        port.forget_unsent();
    }
}

/// Changes the settings, if any are wanted. Returns those that the port has then.
fn set(port: &mut dyn Port, wanted: Option<PortSettings>) -> PortSettings {
    if let Some(wanted) = wanted {
        port.set(wanted);
    }
    port.settings()
}

/// Obeys a `Control` command, and returns its acknowledgement.
fn control(number: u8, port: &mut dyn Port) -> u8 {
    if let Some(at) = number.checked_sub(WIRES)
        && let Some(wire) = PortWire::ALL.get(usize::from(at / 3))
    {
        if at % 3 != 0 {
            port.switch(*wire, at % 3 == 1);
        }
        let off = u8::from(!port.is_on(*wire));
        return number - at % 3 + 1 + off;
    }
    let (first, is_asked) = match number {
        FLOW..=3 => (FLOW, number == FLOW),
        FLOW_INWARD..=16 => (FLOW_INWARD, number == FLOW_INWARD),
        // Flow control by other wires, which no system offers.
        _ => (FLOW, true),
    };
    let flow = value_of(&PortFlow::ALL, number - first).filter(|_| !is_asked);
    let now = port.settings();
    let flow = set(port, flow.map(|flow| PortSettings { flow, ..now })).flow;
    first + number_of(&PortFlow::ALL, &flow)
}

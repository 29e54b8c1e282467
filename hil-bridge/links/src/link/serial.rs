//! A serial port: a real one, a USB one, or a pseudo-terminal.

use std::io::{self, Read, Write};
use std::time::Duration;

use serialport::{
    ClearBuffer, DataBits, FlowControl, Parity, SerialPort, SerialPortType, StopBits,
};
use touchboard_sharing::rfc2217::{
    ModemLines, Port, PortFlow, PortParity, PortSettings, PortStopBits, PortWire,
};

use super::{Link, SEND_TIMEOUT, received};

/// A serial port, opened for the exclusive use of this program.
pub struct Serial {
    port: Box<dyn SerialPort>,
    /// The settings that were read last.
    settings: PortSettings,
    /// The wires of this end that are on; a system cannot be asked for them.
    on: [bool; PortWire::ALL.len()],
}

/// The wires of a port that was just opened: all that say that this end is there.
const ON_AT_FIRST: [bool; PortWire::ALL.len()] = [false, true, true];

impl Serial {
    /// Opens a port: 8 data bits, no parity, one stop bit, no flow control.
    ///
    /// # Errors
    /// When there is no such port, it is in use, or it does not support the speed.
    pub fn open(path: &str, baud: u32) -> io::Result<Serial> {
        let port = serialport::new(path, baud)
            .data_bits(DataBits::Eight)
            .parity(Parity::None)
            .stop_bits(StopBits::One)
            .flow_control(FlowControl::None)
            .timeout(SEND_TIMEOUT)
            .open()?;
        Ok(Serial {
            port,
            settings: PortSettings::plain(baud),
            on: ON_AT_FIRST,
        })
    }
}

impl Link for Serial {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.port.timeout() != SEND_TIMEOUT {
            self.port.set_timeout(SEND_TIMEOUT)?;
        }
        self.port.write_all(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        if self.port.timeout() != timeout {
            self.port.set_timeout(timeout)?;
        }
        received(self.port.read(buffer))
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        Ok(Box::new(Serial {
            port: self.port.try_clone()?,
            settings: self.settings,
            on: self.on,
        }))
    }

    fn port(&mut self) -> Option<&mut dyn Port> {
        Some(self)
    }
}

/// A setting that the port refuses stays as it was, and is read back so.
impl Port for Serial {
    fn settings(&mut self) -> PortSettings {
        if let Ok(settings) = read_settings(&*self.port) {
            self.settings = settings;
        }
        self.settings
    }

    fn set(&mut self, wanted: PortSettings) {
        let now = self.settings();
        let port = &mut self.port;
        if wanted.baud != now.baud {
            let _ = port.set_baud_rate(wanted.baud);
        }
        if let Some(bits) = data_bits(wanted.data_bits) {
            let _ = port.set_data_bits(bits);
        }
        if let Some(parity) = parity(wanted.parity) {
            let _ = port.set_parity(parity);
        }
        if let Some(stop_bits) = stop_bits(wanted.stop_bits) {
            let _ = port.set_stop_bits(stop_bits);
        }
        let _ = port.set_flow_control(match wanted.flow {
            PortFlow::None => FlowControl::None,
            PortFlow::Characters => FlowControl::Software,
            PortFlow::Wires => FlowControl::Hardware,
        });
    }

    fn switch(&mut self, wire: PortWire, on: bool) {
        // A port without such a wire, such as a pseudo-terminal, behaves as if nothing
        // were connected to it.
        let _ = match (wire, on) {
            (PortWire::Break, true) => self.port.set_break(),
            (PortWire::Break, false) => self.port.clear_break(),
            (PortWire::Ready, _) => self.port.write_data_terminal_ready(on),
            (PortWire::MaySend, _) => self.port.write_request_to_send(on),
        };
        self.on[wire as usize] = on;
    }

    fn is_on(&mut self, wire: PortWire) -> bool {
        self.on[wire as usize]
    }

    fn modem_lines(&mut self) -> ModemLines {
        read_lines(&mut *self.port).unwrap_or(ModemLines::THERE)
    }

    fn forget_received(&mut self) {
        let _ = self.port.clear(ClearBuffer::Input);
    }

    fn forget_unsent(&mut self) {
        let _ = self.port.clear(ClearBuffer::Output);
    }
}

fn read_settings(port: &dyn SerialPort) -> serialport::Result<PortSettings> {
    Ok(PortSettings {
        baud: port.baud_rate()?,
        data_bits: port.data_bits()?.into(),
        parity: match port.parity()? {
            Parity::None => PortParity::None,
            Parity::Odd => PortParity::Odd,
            Parity::Even => PortParity::Even,
        },
        stop_bits: match port.stop_bits()? {
            StopBits::One => PortStopBits::One,
            StopBits::Two => PortStopBits::Two,
        },
        flow: match port.flow_control()? {
            FlowControl::None => PortFlow::None,
            FlowControl::Software => PortFlow::Characters,
            FlowControl::Hardware => PortFlow::Wires,
        },
    })
}

fn read_lines(port: &mut dyn SerialPort) -> serialport::Result<ModemLines> {
    Ok(ModemLines {
        may_send: port.read_clear_to_send()?,
        ready: port.read_data_set_ready()?,
        ring: port.read_ring_indicator()?,
        carrier: port.read_carrier_detect()?,
    })
}

fn data_bits(bits: u8) -> Option<DataBits> {
    DataBits::try_from(bits).ok()
}

/// The parity, if systems have it.
fn parity(parity: PortParity) -> Option<Parity> {
    match parity {
        PortParity::None => Some(Parity::None),
        PortParity::Odd => Some(Parity::Odd),
        PortParity::Even => Some(Parity::Even),
        PortParity::Mark | PortParity::Space => None,
    }
}

/// The stop bits, if systems have them.
fn stop_bits(stop_bits: PortStopBits) -> Option<StopBits> {
    match stop_bits {
        PortStopBits::One => Some(StopBits::One),
        PortStopBits::Two => Some(StopBits::Two),
        PortStopBits::OneAndHalf => None,
    }
}

/// The identity of a USB board, which does not depend on where it is plugged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsbIdentity {
    vendor: u16,
    product: u16,
    serial_number: Option<String>,
}

impl UsbIdentity {
    /// A board with these numbers of its maker, and a number of its own if it has one.
    #[must_use]
    pub fn new(vendor: u16, product: u16, serial_number: Option<String>) -> UsbIdentity {
        UsbIdentity {
            vendor,
            product,
            serial_number,
        }
    }
}

/// A serial port on USB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsbBoard {
    /// The name of the port.
    pub port: String,
    /// The identity of the board at it.
    pub identity: UsbIdentity,
}

/// The serial ports on USB.
#[must_use]
pub fn usb_ports() -> Vec<UsbBoard> {
    let ports = serialport::available_ports().unwrap_or_default();
    let usb = ports.into_iter().filter_map(|port| match port.port_type {
        SerialPortType::UsbPort(usb) => {
            let identity = UsbIdentity::new(usb.vid, usb.pid, usb.serial_number);
            Some(UsbBoard {
                port: port.port_name,
                identity,
            })
        }
        _ => None,
    });
    usb.collect()
}

/// The identity of the board at this port; `None` if it is not on USB.
#[must_use]
pub fn usb_identity(path: &str) -> Option<UsbIdentity> {
    identity_at(path, &usb_ports())
}

/// The identity of the board at this port, which may be among these.
#[must_use]
pub fn identity_at(path: &str, boards: &[UsbBoard]) -> Option<UsbIdentity> {
    let board = boards.iter().find(|board| board.port == path);
    board.map(|board| board.identity.clone())
}

/// The current port, among these, of the board that was at `path`: a USB board may get a
/// different name when it is plugged in again. `None` if the board is not found.
#[must_use]
pub fn found_again(path: &str, known: &UsbIdentity, boards: &[UsbBoard]) -> Option<String> {
    let mut same = boards.iter().filter(|board| board.identity == *known);
    let here = same.clone().find(|board| board.port == path);
    // If several boards have this identity, it is not known which is meant.
    let found = here.or_else(|| same.next().filter(|_| same.next().is_none()));
    found.map(|board| board.port.clone())
}

/// The serial ports that the system lists, those on USB first because they are most
/// likely a board. Pseudo-terminals are not listed.
#[must_use]
pub fn port_names() -> Vec<String> {
    let mut ports = serialport::available_ports().unwrap_or_default();
    ports.sort_by_key(|port| {
        let usb = matches!(port.port_type, SerialPortType::UsbPort(_));
        (!usb, port.port_name.clone())
    });
    ports.into_iter().map(|port| port.port_name).collect()
}

#[cfg(test)]
mod tests;

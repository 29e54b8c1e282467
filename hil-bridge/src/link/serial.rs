//! A serial port: a real one, a USB one, or a pseudo-terminal.

use std::io::{self, Read, Write};
use std::time::Duration;

use serialport::{DataBits, FlowControl, Parity, SerialPort, SerialPortType, StopBits};

use super::{Link, SEND_TIMEOUT, received};

/// A serial port, opened for this program alone.
pub struct Serial {
    port: Box<dyn SerialPort>,
}

impl Serial {
    /// Opens a port: 8 data bits, no parity, one stop bit, no flow control.
    ///
    /// # Errors
    /// When there is no such port, it is in use, or it cannot go so fast.
    pub fn open(path: &str, baud: u32) -> io::Result<Serial> {
        let port = serialport::new(path, baud)
            .data_bits(DataBits::Eight)
            .parity(Parity::None)
            .stop_bits(StopBits::One)
            .flow_control(FlowControl::None)
            .timeout(SEND_TIMEOUT)
            .open()?;
        Ok(Serial { port })
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
        let port = self.port.try_clone()?;
        Ok(Box::new(Serial { port }))
    }
}

/// The serial ports that the system knows of, those on USB first: a board is
/// most likely there. Pseudo-terminals are not among them.
#[must_use]
pub fn port_names() -> Vec<String> {
    let mut ports = serialport::available_ports().unwrap_or_default();
    ports.sort_by_key(|port| {
        let usb = matches!(port.port_type, SerialPortType::UsbPort(_));
        (!usb, port.port_name.clone())
    });
    ports.into_iter().map(|port| port.port_name).collect()
}

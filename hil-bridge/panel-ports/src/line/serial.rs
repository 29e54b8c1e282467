//! A monome grid at a serial port.

use std::io::{self, Read, Write};
use std::time::Duration;

use serialport::{SerialPort, SerialPortType};
use touchboard_panels::monome::BAUD;

use super::PanelLine;

/// The maximum time for a send. The lights of 16x16 keys take 12 ms.
const SEND_TIMEOUT: Duration = Duration::from_secs(1);

/// A serial port, opened for the exclusive use of this program.
pub struct SerialLine {
    port: Box<dyn SerialPort>,
}

impl SerialLine {
    pub fn open(path: &str) -> io::Result<SerialLine> {
        let port = serialport::new(path, BAUD).timeout(SEND_TIMEOUT).open()?;
        Ok(SerialLine { port })
    }
}

impl PanelLine for SerialLine {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.port.set_timeout(SEND_TIMEOUT)?;
        self.port.write_all(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        self.port.set_timeout(timeout)?;
        match self.port.read(buffer) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Ok(0),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(0),
            read => read,
        }
    }
}

/// The port of a connected grid. The device has its maker's name and a serial number of
/// an m and digits; older devices have the name of a USB chip, and only the number
/// identifies them.
pub fn find() -> Option<String> {
    let ports = serialport::available_ports().unwrap_or_default();
    let mut grids = ports.into_iter().filter(|port| match &port.port_type {
        SerialPortType::UsbPort(usb) => {
            let maker = usb.manufacturer.as_deref().unwrap_or_default();
            let number = usb.serial_number.as_deref().unwrap_or_default();
            maker.eq_ignore_ascii_case("monome") || is_number_of_a_grid(number)
        }
        _ => false,
    });
    grids.next().map(|port| port.port_name)
}

fn is_number_of_a_grid(number: &str) -> bool {
    let digits = number.strip_prefix(['m', 'M']).unwrap_or_default();
    digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::is_number_of_a_grid;

    #[test]
    fn a_grid_is_recognised_by_its_serial_number() {
        for number in ["m1000286", "m0000045", "M40782135"] {
            assert!(is_number_of_a_grid(number), "{number}");
        }
        for number in ["", "m", "E6614C311B", "m128-302", "40782135"] {
            assert!(!is_number_of_a_grid(number), "{number}");
        }
    }
}

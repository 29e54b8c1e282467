//! Which port a board has, and what an operating system is asked for when a client of RFC
//! 2217 switches wires and changes settings. No pseudo-terminal has wires, so what is asked
//! is recorded; a real pseudo-terminal judges the settings.

use std::sync::Arc;

use parking_lot::Mutex;
use serialport::ErrorKind;
use touchboard_sharing::rfc2217::{PortClient, PortCommand, PortEnd, PortServer};
use touchboard_sharing::telnet::{COM_PORT, TelnetItem, TelnetReader};

use super::*;

/// A port of the operating system that records what it is asked for.
#[derive(Clone, Default)]
struct Recorded(Arc<Mutex<Record>>);

/// What a [`Recorded`] port was asked for, and what it answers.
#[derive(Default)]
struct Record {
    asked: Vec<String>,
    /// CTS, DSR, RI and CD; `None` for a port that has no wires.
    lines: Option<[bool; 4]>,
}

impl Recorded {
    /// Records a request about wires, which a port without any refuses.
    fn ask(&self, what: String) -> serialport::Result<()> {
        let mut record = self.0.lock();
        record.asked.push(what);
        match record.lines {
            Some(_) => Ok(()),
            None => Err(no_wires()),
        }
    }

    /// Takes what was asked for.
    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().asked)
    }

    fn line(&self, at: usize) -> serialport::Result<bool> {
        let lines = self.0.lock().lines;
        lines.map(|lines| lines[at]).ok_or_else(no_wires)
    }
}

fn no_wires() -> serialport::Error {
    serialport::Error::new(ErrorKind::Unknown, "it has no wires")
}

impl Read for Recorded {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::TimedOut.into())
    }
}

impl Write for Recorded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl SerialPort for Recorded {
    fn name(&self) -> Option<String> {
        None
    }

    fn baud_rate(&self) -> serialport::Result<u32> {
        Ok(9_600)
    }

    fn data_bits(&self) -> serialport::Result<DataBits> {
        Ok(DataBits::Eight)
    }

    fn flow_control(&self) -> serialport::Result<FlowControl> {
        Ok(FlowControl::None)
    }

    fn parity(&self) -> serialport::Result<Parity> {
        Ok(Parity::None)
    }

    fn stop_bits(&self) -> serialport::Result<StopBits> {
        Ok(StopBits::One)
    }

    fn timeout(&self) -> Duration {
        SEND_TIMEOUT
    }

    fn set_baud_rate(&mut self, baud: u32) -> serialport::Result<()> {
        self.ask(format!("baud {baud}"))
    }

    fn set_data_bits(&mut self, _: DataBits) -> serialport::Result<()> {
        Ok(())
    }

    fn set_flow_control(&mut self, _: FlowControl) -> serialport::Result<()> {
        Ok(())
    }

    fn set_parity(&mut self, _: Parity) -> serialport::Result<()> {
        Ok(())
    }

    fn set_stop_bits(&mut self, _: StopBits) -> serialport::Result<()> {
        Ok(())
    }

    fn set_timeout(&mut self, _: Duration) -> serialport::Result<()> {
        Ok(())
    }

    fn write_request_to_send(&mut self, on: bool) -> serialport::Result<()> {
        self.ask(format!("RTS {on}"))
    }

    fn write_data_terminal_ready(&mut self, on: bool) -> serialport::Result<()> {
        self.ask(format!("DTR {on}"))
    }

    fn read_clear_to_send(&mut self) -> serialport::Result<bool> {
        self.line(0)
    }

    fn read_data_set_ready(&mut self) -> serialport::Result<bool> {
        self.line(1)
    }

    fn read_ring_indicator(&mut self) -> serialport::Result<bool> {
        self.line(2)
    }

    fn read_carrier_detect(&mut self) -> serialport::Result<bool> {
        self.line(3)
    }

    fn bytes_to_read(&self) -> serialport::Result<u32> {
        Ok(0)
    }

    fn bytes_to_write(&self) -> serialport::Result<u32> {
        Ok(0)
    }

    fn clear(&self, what: ClearBuffer) -> serialport::Result<()> {
        self.ask(format!("clear {what:?}"))
    }

    fn try_clone(&self) -> serialport::Result<Box<dyn SerialPort>> {
        Ok(Box::new(self.clone()))
    }

    fn set_break(&self) -> serialport::Result<()> {
        self.ask("break true".to_owned())
    }

    fn clear_break(&self) -> serialport::Result<()> {
        self.ask("break false".to_owned())
    }
}

/// A port that is shared, and what its client has asked for in the negotiation.
struct Shared {
    serial: Serial,
    server: PortServer,
}

impl Shared {
    fn new(port: Box<dyn SerialPort>) -> Shared {
        let (mut first, mut said) = (Vec::new(), Vec::new());
        let mut server = PortServer::new("a test", &mut first);
        let _ = PortClient::new(PortSettings::plain(9_600), &mut said);
        let mut serial = Serial {
            port,
            settings: PortSettings::plain(9_600),
            on: ON_AT_FIRST,
        };
        server.hear(&said, &mut serial, &mut Vec::new(), &mut first);
        server.look(&mut serial, &mut first);
        Shared { serial, server }
    }

    /// What the server answers to a command of the client.
    fn answers(&mut self, command: &PortCommand) -> Vec<PortCommand> {
        let (mut bytes, mut answer) = (Vec::new(), Vec::new());
        command.write(PortEnd::Client, &mut bytes);
        let Shared { serial, server } = self;
        server.hear(&bytes, serial, &mut Vec::new(), &mut answer);
        commands(&answer)
    }

    /// What the server tells by itself when it looks at the wires.
    fn tells(&mut self) -> Vec<PortCommand> {
        let mut told = Vec::new();
        self.server.look(&mut self.serial, &mut told);
        commands(&told)
    }
}

/// The commands of a server among these bytes.
fn commands(bytes: &[u8]) -> Vec<PortCommand> {
    let mut reader = TelnetReader::default();
    let mut found = Vec::new();
    for byte in bytes {
        if let Some(TelnetItem::Parameters(COM_PORT, parameters)) = reader.feed(*byte) {
            let (end, command) = PortCommand::read(parameters).expect("it is known");
            assert_eq!(end, PortEnd::Server);
            found.push(command);
        }
    }
    found
}

/// The numbers of RFC 2217 that switch a wire on and off, and the requests that follow.
const WIRES: [(u8, &str); 6] = [
    (5, "break true"),
    (6, "break false"),
    (9, "DTR false"),
    (8, "DTR true"),
    (12, "RTS false"),
    (11, "RTS true"),
];

#[test]
fn break_dtr_and_rts_are_asked_of_the_system_and_acknowledged() {
    let port = Recorded::default();
    port.0.lock().lines = Some([true; 4]);
    let mut shared = Shared::new(Box::new(port.clone()));
    port.asked();
    for (number, request) in WIRES {
        let answer = shared.answers(&PortCommand::Control(number));
        assert_eq!(answer, [PortCommand::Control(number)]);
        assert_eq!(port.asked(), [request]);
    }
    // Who asks for the state of a wire changes none.
    for (question, state) in [(4, 6), (7, 8), (10, 11)] {
        let answer = shared.answers(&PortCommand::Control(question));
        assert_eq!(answer, [PortCommand::Control(state)]);
        assert_eq!(port.asked(), [""; 0]);
    }
    shared.answers(&PortCommand::Purge(2));
    assert_eq!(port.asked(), ["clear Output"]);
}

#[test]
fn a_wire_of_the_other_end_is_told_when_it_changes() {
    let port = Recorded::default();
    port.0.lock().lines = Some([false, true, false, true]);
    let mut shared = Shared::new(Box::new(port.clone()));
    assert_eq!(shared.tells(), []);
    for (at, lines, told) in [
        ("CTS rises", [true, true, false, true], 0xB1),
        ("CTS falls", [false, true, false, true], 0xA1),
        ("it rings", [false, true, true, true], 0xE0),
        ("DSR and CD fall", [false, false, true, false], 0x4A),
        ("the ring ends", [false; 4], 0x04),
        ("it rings once more", [false, false, true, false], 0x40),
    ] {
        port.0.lock().lines = Some(lines);
        assert_eq!(shared.tells(), [PortCommand::ModemState(told)], "{at}");
        assert_eq!(shared.tells(), [], "{at}");
    }
    // Only those that the client wants to be told of.
    shared.answers(&PortCommand::ModemMask(0x10));
    port.0.lock().lines = Some([false; 4]);
    assert_eq!(shared.tells(), []);
    port.0.lock().lines = Some([true, false, false, false]);
    assert_eq!(shared.tells().len(), 1);
}

#[test]
fn a_port_without_wires_counts_as_connected() {
    let port = Recorded::default();
    let mut shared = Shared::new(Box::new(port.clone()));
    assert_eq!(shared.serial.modem_lines(), ModemLines::THERE);
    for (number, _) in WIRES {
        let answer = shared.answers(&PortCommand::Control(number));
        assert_eq!(answer, [PortCommand::Control(number)]);
    }
    assert_eq!(shared.tells(), []);
}

/// A pseudo-terminal has a speed, always eight bits, and no wires: what is asked for is
/// read back as it is.
#[cfg(target_os = "linux")]
#[test]
fn a_pseudo_terminal_takes_the_speed_of_a_client_and_ignores_its_wires() {
    use rustix::pty::OpenptFlags;
    use rustix::termios::tcgetattr;

    let far = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    rustix::pty::grantpt(&far).unwrap();
    rustix::pty::unlockpt(&far).unwrap();
    let path = rustix::pty::ptsname(&far, Vec::new()).unwrap();
    let serial = Serial::open(path.to_str().unwrap(), 9_600).unwrap();
    let mut shared = Shared::new(serial.port);
    assert_eq!(tcgetattr(&far).unwrap().output_speed(), 9_600);
    let answer = shared.answers(&PortCommand::Baud(57_600));
    assert_eq!(answer, [PortCommand::Baud(57_600)]);
    assert_eq!(tcgetattr(&far).unwrap().output_speed(), 57_600);
    let answer = shared.answers(&PortCommand::DataBits(7));
    assert_eq!(answer, [PortCommand::DataBits(8)]);
    assert_eq!(shared.serial.modem_lines(), ModemLines::THERE);
    for (number, _) in WIRES {
        let answer = shared.answers(&PortCommand::Control(number));
        assert_eq!(answer, [PortCommand::Control(number)]);
    }
    // Bytes still pass after a break.
    shared.serial.send(b"a byte").unwrap();
    let mut read = [0; 6];
    assert_eq!(rustix::io::read(&far, &mut read).unwrap(), 6);
    assert_eq!(&read, b"a byte");
}

fn board(port: &str, number: &str) -> UsbBoard {
    UsbBoard {
        port: port.into(),
        identity: UsbIdentity::new(0x2E8A, 0x000A, Some(number.into())),
    }
}

#[test]
fn a_board_is_found_at_its_port_or_at_another_one() {
    let known = board("", "E66").identity;
    let place = |ports: &[_]| found_again("/dev/ttyACM0", &known, ports);
    let here = [board("/dev/ttyACM1", "E66"), board("/dev/ttyACM0", "E66")];
    assert_eq!(place(&here).as_deref(), Some("/dev/ttyACM0"));
    let elsewhere = [board("/dev/ttyACM0", "E67"), board("/dev/ttyACM1", "E66")];
    assert_eq!(place(&elsewhere).as_deref(), Some("/dev/ttyACM1"));
    let twins = [board("/dev/ttyACM1", "E66"), board("/dev/ttyACM2", "E66")];
    assert_eq!(place(&twins), None);
    assert_eq!(place(&[]), None);
}

//! Opens the line to the requested board, and a client at this end of it.

use firmware_core::faults::{FaultKind, FaultyLine};
use protocol::Layout;
use protocol::wire::MAX_FRAME_BYTES;
use touchboard_files::WritingError;
use touchboard_host::driver::DriverError;
use touchboard_host::traffic::{BITS_PER_BYTE, LineMedium};

use super::dials::{Network, SerialDial, Virtual, Wrapped};
use super::options::{BAUD, Where};
use super::place::At;
use super::shared::SharedDial;
use crate::LinkError;
use crate::client::{Client, ClientOptions, Dial};
use crate::link::{LineTap, LineTaps, Trace, WireLogFile, clock_from_now, usb_identity};
use crate::pico::{self, Pico, PicoBoard, PicoLine};
use crate::process::Process;
use crate::qemu::{Qemu, find_image};

impl Where {
    /// Starts the requested emulated Pico.
    pub(super) fn pico(&self, line: PicoLine) -> Result<PicoBoard, DriverError> {
        Ok(PicoBoard {
            image: self.program.clone().map_or_else(pico::find_image, Ok)?,
            line,
            tiles: self.line.tiles,
        })
    }

    /// A client of the board, for a program that shows none of its lamps; the pace of the
    /// board is not changed.
    ///
    /// # Errors
    /// When there is no such board, or it does not answer, or cannot have the requested
    /// faults.
    pub fn client(&self) -> Result<Client, DriverError> {
        self.check_without("nothing shows the lamps of the board here", |kind| {
            kind == FaultKind::DeadLed
        })?;
        self.client_over(self.faulty_line())
    }

    /// [`Where::client`] over this line, whose faults the caller can change while it is
    /// open.
    ///
    /// # Errors
    /// When there is no such board, or it does not answer, or cannot have the requested
    /// faults.
    pub fn client_over(&self, line: FaultyLine) -> Result<Client, DriverError> {
        self.check_emulated()?;
        let client = Client::open(self.dial_over(line)?, self.client_options())?;
        if self.gives_faults() {
            client.inject_faults(self.line.faults.0.clone())?;
        }
        Ok(client)
    }

    /// Checks that an emulated board whose pins are not used is to be sound.
    fn check_emulated(&self) -> Result<(), DriverError> {
        match self.at {
            At::Pico(_) => {
                self.needs_sound_board("an emulated Pico has such a fault in check alone")
            }
            _ => Ok(()),
        }
    }

    /// True if the board gets its requested faults over the line. The virtual board of
    /// this program has them from the beginning.
    fn gives_faults(&self) -> bool {
        let is_own = self.at == At::Virtual && self.program.is_none();
        self.may_simulate() && !is_own && !self.line.faults.0.board.are_none()
    }

    /// A line with the requested faults.
    #[must_use]
    pub fn faulty_line(&self) -> FaultyLine {
        FaultyLine::new(&self.line.faults.0)
    }

    /// The client options that suit this line: time-outs must allow a request and its
    /// answer to cross it.
    #[must_use]
    pub fn client_options(&self) -> ClientOptions {
        let bits = 2 * MAX_FRAME_BYTES as u64 * BITS_PER_BYTE;
        let line_ms = |baud: u32| 2 * bits * 1_000 / u64::from(baud.max(1));
        let (slow_line_ms, slower) = match self.at {
            // Behind a shared board there may be a port of any speed.
            At::Serial(_) | At::Shared(..) => (line_ms(self.line.baud), 1),
            At::Pico(_) => (line_ms(BAUD) * pico::SLOWER, pico::SLOWER),
            _ => (0, 1),
        };
        let delays_ms = 2 * self.line.faults.0.line.delay_ms;
        ClientOptions {
            timeout_ms: self.line.timeout_ms.saturating_mul(slower),
            retry_ms: 40 + slow_line_ms + delays_ms,
        }
    }

    /// A dial for the line, with the requested faults and recordings.
    ///
    /// # Errors
    /// When there is no such board, or it needs no line, or it would need a client that
    /// gives it its faults.
    pub fn dial(&self) -> Result<Box<dyn Dial>, DriverError> {
        self.check_emulated()?;
        if self.gives_faults() {
            return Err(LinkError::open(format!(
                "nothing is sent to the board at {} from here, so its faults cannot be set: name them where it is started, or in the program that uses the relay",
                self.at
            )));
        }
        self.dial_over(self.faulty_line())
    }

    pub(super) fn dial_over(&self, line: FaultyLine) -> Result<Box<dyn Dial>, DriverError> {
        self.wrapped(self.plain_dial()?, line)
    }

    /// Adds the requested faults and taps to this dial.
    pub(super) fn wrapped(
        &self,
        inner: Box<dyn Dial>,
        line: FaultyLine,
    ) -> Result<Box<dyn Dial>, DriverError> {
        let taps = self.taps()?;
        Ok(Box::new(Wrapped { inner, line, taps }))
    }

    /// The requested taps.
    fn taps(&self) -> Result<Option<LineTaps>, DriverError> {
        let mut taps: Vec<Box<dyn LineTap>> = Vec::new();
        if let Some(path) = &self.line.bytes {
            let file = WireLogFile::create(path)
                .map_err(WritingError::about(path))
                .map_err(|error| LinkError::open(error.to_string()))?;
            taps.push(Box::new(file));
        }
        if self.line.trace {
            taps.push(Box::new(Trace::default()));
        }
        let mut clock = clock_from_now();
        if let Some(record) = &self.line.record {
            clock = record.clock();
            taps.push(Box::new(record.clone()));
        }
        Ok((!taps.is_empty()).then(|| LineTaps::new(clock, taps)))
    }

    /// The medium of the line.
    #[must_use]
    pub fn line_medium(&self) -> LineMedium {
        match &self.at {
            At::Serial(path) => {
                let baud = self.line.baud;
                // A stable name, such as one in /dev/serial/by-id, leads to the port.
                let port = std::fs::canonicalize(path);
                let port =
                    port.map_or_else(|_| path.into(), |port| port.to_string_lossy().into_owned());
                let is_usb_itself = port.contains("ttyACM") || port.contains("usbmodem");
                match (is_usb_itself, usb_identity(&port)) {
                    (true, _) => LineMedium::Usb,
                    (false, Some(_)) => LineMedium::UsbSerial { baud },
                    (false, None) => LineMedium::Serial { baud },
                }
            }
            At::Pico(PicoLine::Uart) => LineMedium::Serial { baud: BAUD },
            At::Pico(PicoLine::Usb) => LineMedium::Usb,
            At::Core | At::Virtual | At::Qemu(_) | At::Tcp(_) | At::Shared(..) => {
                LineMedium::Unpaced
            }
        }
    }

    /// The command-line options for a virtual board in a process of its own.
    fn options(&self) -> Vec<String> {
        let mut options = vec![format!("--seed={}", self.seed.unwrap_or(0))];
        // A drawing is too long for an option, and is sent over the line.
        let sides = self.layout().and_then(Layout::sides);
        options.extend(sides.map(|sides| format!("--layout={sides}")));
        options.extend(self.games.map(|games| format!("--games={games}")));
        if self.line.break_rule {
            options.push("--break-rule".to_owned());
        }
        options
    }

    fn plain_dial(&self) -> Result<Box<dyn Dial>, DriverError> {
        let name = self.at.to_string();
        let baud = self.line.baud;
        Ok(match &self.at {
            At::Core => {
                return Err(LinkError::open(
                    "the board in this process needs no line: write --at virtual for one that does"
                        .into(),
                ));
            }
            At::Virtual => match &self.program {
                None => Box::new(Virtual::start(self)?),
                Some(program) => Box::new(Process::start(program, &self.options())?),
            },
            At::Qemu(image) => Box::new(match &self.program {
                None => Qemu::start(*image, &find_image(*image)?, self.line.gdb)?,
                Some(file) => Qemu::start(*image, file, self.line.gdb)?,
            }),
            At::Pico(line) => {
                let edges = self.line.edges.as_deref();
                Box::new(Pico::start(&self.pico(*line)?, edges, self.line.gdb)?)
            }
            At::Tcp(address) => Box::new(Network::at(name, address)),
            At::Shared(way, address) => {
                let access = &self.line.access;
                Box::new(SharedDial::at(name, (*way, address), baud, access)?)
            }
            At::Serial(path) => Box::new(SerialDial::at(name, path, baud)),
        })
    }
}

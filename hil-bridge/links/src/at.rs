//! Where a board is: `--at`, which every command takes.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Instant;

use firmware_core::faults::{BoardFaults, FaultyLine};
use firmware_core::games;
use protocol::wire::MAX_FRAME_BYTES;
use protocol::{Deed, KnownLayout, Layout, Roster};
use touchboard_files::KeepFile;
use touchboard_host::driver::{CoreDriver, Driver, DriverError};
use touchboard_host::sensed::{self, CanBreak, Sensed};
use touchboard_host::traffic::{BITS_PER_BYTE, LineMedium};
use virtual_board::FaultOptions;

mod dials;

use dials::{Network, SerialDial, Virtual, Wrapped};

use crate::LinkError;
use crate::client::{Client, ClientOptions, Dial};
use crate::link::{LineTap, LineTaps, SharedRecord, Trace, WireLogFile, usb_identity};
use crate::pico::at_pins::AtPins;
use crate::pico::tiles::Tiles;
use crate::pico::{self, Pico, PicoBoard, PicoLine};
use crate::process::Process;
use crate::qemu::{Image, Qemu};
use crate::remote::RemoteDriver;

/// The speed of a serial port if none is given.
pub const BAUD: u32 = 115_200;

/// Nobody waits for an answer longer than a day.
#[cfg(feature = "options")]
const MOST_PATIENCE_MS: u64 = 24 * 60 * 60 * 1_000;

/// Where a board is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// In this process, as function calls.
    Core,
    /// In this process, at the end of a pseudo-terminal (TCP where there is
    /// none).
    Virtual,
    /// This firmware image, run by QEMU.
    Qemu(Image),
    /// The board of a Raspberry Pi Pico, around an emulated chip, at the end of this line
    /// of it.
    Pico(PicoLine),
    /// At this `HOST:PORT`.
    Tcp(String),
    /// At this serial port.
    Serial(String),
}

impl At {
    /// True for a board at the end of a line that this program starts, and that ends
    /// with it.
    #[must_use]
    pub fn is_started_here(&self) -> bool {
        match self {
            At::Virtual | At::Qemu(_) | At::Pico(_) => true,
            At::Core | At::Tcp(_) | At::Serial(_) => false,
        }
    }
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<At, String> {
        if let Some(address) = text.strip_prefix("tcp:") {
            let port = address
                .rsplit_once(':')
                .map(|(_, port)| port.parse::<u16>());
            return match port {
                Some(Ok(_)) => Ok(At::Tcp(address.into())),
                _ => Err(format!(
                    "{address:?} is no HOST:PORT, like tcp:localhost:7777"
                )),
            };
        }
        if let Some(image) = text.strip_prefix("qemu:") {
            return image.parse().map(At::Qemu);
        }
        if let Some(line) = PicoLine::ALL.iter().find(|line| line.place() == text) {
            return Ok(At::Pico(*line));
        }
        match text {
            "core" => Ok(At::Core),
            "virtual" => Ok(At::Virtual),
            "qemu" => Ok(At::Qemu(Image::default())),
            _ if is_port(text) => Ok(At::Serial(text.into())),
            _ => Err(
                "write core, virtual, qemu, qemu:IMAGE, pico, pico:usb, tcp:HOST:PORT, or a serial port like /dev/ttyACM0 or COM3"
                    .into(),
            ),
        }
    }
}

fn is_port(text: &str) -> bool {
    let number = text.get(3..).unwrap_or("");
    let com = text
        .get(..3)
        .is_some_and(|start| start.eq_ignore_ascii_case("com"));
    text.contains(['/', '\\']) || (com && number.parse::<u16>().is_ok())
}

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            At::Core => f.write_str("core"),
            At::Virtual => f.write_str("virtual"),
            At::Qemu(image) => f.write_str(&image.place()),
            At::Pico(line) => f.write_str(line.place()),
            At::Tcp(address) => write!(f, "tcp:{address}"),
            At::Serial(path) => f.write_str(path),
        }
    }
}

/// Where the board is and how to get there: the same for every command and for
/// the emulator.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "options", derive(clap::Args))]
pub struct Where {
    /// Where the board is.
    #[cfg_attr(feature = "options", arg(long, value_name = "WHERE", default_value = "core", help = help_of_at()))]
    pub at: At,
    /// Columns and rows, a file with a drawing, or one with the text of a game
    /// (`hex.lud`, `hex.lud#5x5` with a # before each item that is chosen of its
    /// options); a board elsewhere keeps its own if this is left out
    #[cfg_attr(feature = "options", arg(long, value_name = "COLUMNSxROWS|FILE", value_parser = crate::games::layout))]
    pub layout: Option<KnownLayout>,
    /// The games of a board that is begun here; those of the manual if this is left
    /// out.
    #[cfg_attr(feature = "options", arg(long, value_name = "NUMBERS", value_parser = virtual_board::roster, help = help_of_games()))]
    pub games: Option<Roster>,
    /// What all chance on the board follows from; a board elsewhere goes on
    /// with what it has if this is left out
    #[cfg_attr(feature = "options", arg(long, value_name = "SEED", value_parser = virtual_board::number(0, u64::MAX), allow_negative_numbers = true))]
    pub seed: Option<u64>,
    /// With --at core or virtual: keep the best scores of games for one, and a game
    /// that was inserted, in this file; the board comes up with it if --layout is left
    /// out
    #[cfg_attr(feature = "options", arg(long, value_name = "FILE"))]
    pub keep: Option<PathBuf>,
    /// The board is under test, not being played: nothing done to it counts for its
    /// best scores or changes what it keeps.
    #[cfg_attr(feature = "options", arg(skip))]
    pub is_test: bool,
    /// Fingers close the contacts of a board that has some, and what it shows is read at
    /// its pins: for a comparison, since it feels a finger later than it came.
    #[cfg_attr(feature = "options", arg(skip))]
    pub is_judged_at_pins: bool,
    /// How the line to it is.
    #[cfg_attr(feature = "options", command(flatten))]
    pub line: LineOptions,
    /// What is run: the executable of a virtual board that is to be a process of
    /// its own, or the file of a firmware image. If this is left out, the virtual
    /// board is in this process, and the image is looked for.
    #[cfg_attr(feature = "options", arg(skip))]
    pub program: Option<PathBuf>,
}

/// How the line to a board is.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "options", derive(clap::Args))]
pub struct LineOptions {
    /// Speed of a serial port
    #[cfg_attr(feature = "options", arg(
        long,
        value_name = "BAUD",
        default_value_t = BAUD,
        value_parser = virtual_board::number(1, u32::MAX),
        allow_negative_numbers = true
    ))]
    pub baud: u32,
    /// How long a board may take to answer, retries and reconnects included
    #[cfg_attr(feature = "options", arg(long, value_name = "MS", default_value_t = 3_000, value_parser = virtual_board::number(0, MOST_PATIENCE_MS), allow_negative_numbers = true))]
    pub timeout_ms: u64,
    /// Write every byte of the line into this file
    #[cfg_attr(feature = "options", arg(long, value_name = "FILE"))]
    pub bytes: Option<PathBuf>,
    /// With --at pico: write the edges at its pins into this file, as VCD, for the decoders
    /// of a logic analyser
    #[cfg_attr(feature = "options", arg(long, value_name = "FILE"))]
    pub edges: Option<PathBuf>,
    /// With --at pico: the board has a field of NeoTrellis tiles, and one for its buttons,
    /// instead of matrix and lights
    #[cfg_attr(feature = "options", arg(long, value_name = "COLUMNSxROWS"))]
    pub tiles: Option<Tiles>,
    /// Log every message of the line (to the standard error)
    #[cfg_attr(feature = "options", arg(long))]
    pub trace: bool,
    /// With --at virtual: a board with a mistake in its rules, to see it found
    #[cfg_attr(feature = "options", arg(long))]
    pub break_rule: bool,
    /// What is wrong with the board and with the line.
    #[cfg_attr(feature = "options", command(flatten))]
    pub faults: FaultOptions,
    /// What passes is put in this record.
    #[cfg_attr(feature = "options", arg(skip))]
    pub record: Option<SharedRecord>,
}

impl Default for LineOptions {
    fn default() -> LineOptions {
        LineOptions {
            baud: BAUD,
            timeout_ms: 3_000,
            bytes: None,
            edges: None,
            tiles: None,
            trace: false,
            break_rule: false,
            faults: FaultOptions::default(),
            record: None,
        }
    }
}

#[cfg(feature = "options")]
fn help_of_at() -> String {
    format!(
        "Where the board is: core, virtual, qemu, qemu:IMAGE, pico, pico:usb, tcp:HOST:PORT, or a serial port. \
         IMAGE is {}",
        crate::qemu::QemuChip::ALL
            .map(|chip| chip.name())
            .join(" or ")
    )
}

#[cfg(feature = "options")]
fn help_of_games() -> String {
    format!(
        "The games of a board that is begun here, their numbers in one word like 059 or AB; \
         the ten of the manual, 0 to 9, if this is left out. There are {}",
        touchboard_host::words::games(games::BUILT)
    )
}

impl Where {
    /// A board there, with its own layout and seed.
    #[must_use]
    pub fn new(at: At) -> Where {
        Where {
            at,
            layout: None,
            games: None,
            seed: None,
            keep: None,
            is_test: false,
            is_judged_at_pins: false,
            line: LineOptions::default(),
            program: None,
        }
    }

    /// True for a board that this program makes, as it is asked to.
    #[must_use]
    pub fn begins_here(&self) -> bool {
        matches!(self.at, At::Core | At::Virtual)
    }

    /// The games of a board that is begun here.
    #[must_use]
    pub fn roster(&self) -> Roster {
        self.games.unwrap_or(games::ROSTER)
    }

    /// The layout that is asked for, if one is.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        self.layout.as_ref().map(KnownLayout::layout)
    }

    /// The layout of a board that is begun here: the one asked for, or the one that its tiles
    /// or the first of its games are made for.
    #[must_use]
    pub fn first_layout(&self) -> Layout {
        self.layout()
            .or(self.line.tiles.map(Tiles::layout))
            .unwrap_or_else(|| games::layout_for(self.roster()))
    }

    /// Whether the board there can have all that is asked for.
    ///
    /// # Errors
    /// A sentence that names the option that would mean nothing there.
    pub fn is_possible(&self) -> Result<(), DriverError> {
        let (line, plain) = (&self.line, LineOptions::default());
        let at_core = self.at == At::Core;
        let of_a_line = [
            ("--baud", line.baud != plain.baud),
            ("--bytes", line.bytes.is_some()),
            ("--trace", line.trace),
            ("--fault-...", !line.faults.0.line.are_none()),
        ];
        let mut meaningless = of_a_line.iter().filter(|(_, asked)| at_core && *asked);
        if let Some((option, _)) = meaningless.next() {
            return Err(LinkError::open(sensed::has_no_line(option)));
        }
        if self.games.is_some() && !self.begins_here() {
            return Err(LinkError::open(format!(
                "--games is only possible with --at core and --at virtual: the board at {} has the games that it has",
                self.at
            )));
        }
        // The matrix of an emulated board is simulated, too.
        let has_matrix = self.begins_here() || matches!(self.at, At::Pico(_));
        if !has_matrix && !line.faults.0.board.are_none() {
            return Err(LinkError::open(format!(
                "a fault of the board is only possible with --at core or --at virtual, which are simulated: the board at {} is as it is",
                self.at
            )));
        }
        if line.edges.is_some() && !matches!(self.at, At::Pico(_)) {
            return Err(LinkError::open(format!(
                "--edges is only possible with --at pico: the board at {} has no pins that can be listened to",
                self.at
            )));
        }
        if let Some(tiles) = line.tiles {
            self.can_have(tiles)?;
        }
        if line.break_rule && self.at != At::Virtual {
            return Err(LinkError::open(format!(
                "--break-rule is only possible with --at virtual: the board at {} has the rules that it has",
                self.at
            )));
        }
        Ok(())
    }

    /// Whether the board there can have these tiles.
    fn can_have(&self, tiles: Tiles) -> Result<(), DriverError> {
        if !matches!(self.at, At::Pico(_)) {
            return Err(LinkError::open(format!(
                "--tiles is only possible with --at pico: the board at {} has the panel that it has",
                self.at
            )));
        }
        match self.layout().filter(|layout| !tiles.fit(*layout)) {
            Some(layout) => Err(LinkError::open(format!(
                "a board of {layout} does not fit {tiles} tiles of 4x4 keys: write more of them, or leave --layout out"
            ))),
            None => Ok(()),
        }
    }

    /// Whether the board there can keep its best scores, and what is inserted, in the
    /// file that is named.
    ///
    /// # Errors
    /// A sentence that says why not.
    pub fn can_keep(&self) -> Result<(), DriverError> {
        if self.keep.is_some() && !self.begins_here() {
            return Err(LinkError::open(format!(
                "--keep is only possible with --at core and --at virtual: the board at {} keeps its best scores and a game that is inserted itself, if it can",
                self.at
            )));
        }
        Ok(())
    }

    /// A board that is driven step by step; its time is held from then on.
    ///
    /// # Errors
    /// When there is no such board, or it does not answer.
    pub fn open(&self) -> Result<Box<dyn Driver>, DriverError> {
        Ok(self.open_seeded()?.0)
    }

    /// [`Where::open`], and what the board's chance follows from.
    ///
    /// # Errors
    /// When there is no such board, or it does not answer.
    pub fn open_seeded(&self) -> Result<(Box<dyn Driver>, u64), DriverError> {
        let faults = self.line.faults.0.clone();
        if self.at == At::Core {
            let (core, seed) = (self.core()?, self.seed.unwrap_or(0));
            let board = Sensed::new(core, seed, CanBreak::Board);
            let board = board.with(faults).map_err(LinkError::open)?;
            return Ok((Box::new(board), seed));
        }
        let line = FaultyLine::new(&faults);
        if let At::Pico(way) = self.at
            && self.is_judged_at_pins
        {
            let board = self.at_pins(way, line)?;
            let seed = self.seed.unwrap_or(0);
            return Ok((Box::new(board), seed));
        }
        let driver = self.remote_over(line.clone())?;
        let seed = self.seed.unwrap_or(driver.client().view().hello.seed);
        let can_break = match self.at {
            At::Virtual => CanBreak::BoardAndLine(line),
            _ => CanBreak::Line(line),
        };
        let board = Sensed::new(driver, seed, can_break).with(faults);
        Ok((Box::new(board.map_err(LinkError::open)?), seed))
    }

    /// The board in this process, as it comes up: what a layout says that is asked for
    /// it becomes, as any board does.
    ///
    /// # Errors
    /// When it cannot be so, or what it keeps cannot be read.
    pub fn core(&self) -> Result<CoreDriver, DriverError> {
        let seed = self.seed.unwrap_or(0);
        let core = CoreDriver::with_games(self.first_layout(), self.roster(), seed)?;
        let store = self.keep.as_deref().map(KeepFile::open).transpose();
        let mut core = match store.map_err(LinkError::open)? {
            Some(store) => core.keeping(store),
            None => core,
        };
        core.count_best(!self.is_test)?;
        match self.layout() {
            None => core.come_up(),
            Some(_) if self.keep.is_none() => Ok(core),
            Some(layout) => {
                core.carry_out(&Deed::Reset { seed, layout })?;
                Ok(core)
            }
        }
    }

    /// The emulated Pico that is asked for.
    fn pico(&self, line: PicoLine) -> Result<PicoBoard, DriverError> {
        Ok(PicoBoard {
            image: self.program.clone().map_or_else(pico::find_image, Ok)?,
            line,
            tiles: self.line.tiles,
        })
    }

    /// The emulated Pico, judged at its pins, over this line.
    fn at_pins(&self, way: PicoLine, line: FaultyLine) -> Result<AtPins, DriverError> {
        let board = self.pico(way)?;
        let wrapped = |dial| self.wrapped(dial, line);
        let mut options = self.client_options();
        if self.line.faults.0.line.are_none() {
            // Its time stands still until it has answered: nothing is lost on such a line.
            options.retry_ms = options.timeout_ms;
        }
        let mut board = AtPins::start(&board, wrapped, options)?;
        board.record_edges(self.line.edges.as_deref())?;
        board.count_best(false)?;
        let layout = self.layout().unwrap_or(board.layout());
        let seed = self.seed.unwrap_or(0);
        board.carry_out(&Deed::Reset { seed, layout })?;
        let faults = self.line.faults.0.clone();
        board.set_faults(faults).map_err(LinkError::open)?;
        Ok(board)
    }

    /// [`Where::open`] for a board at the end of a line.
    ///
    /// # Errors
    /// When there is no such board, or it does not answer.
    pub fn remote(&self) -> Result<RemoteDriver, DriverError> {
        self.remote_over(FaultyLine::new(&self.line.faults.0))
    }

    /// [`Where::remote`], over this line. The board itself is good: sensors are
    /// not listened to where time goes step by step, so that whoever wants bad
    /// ones puts them in front of it.
    fn remote_over(&self, line: FaultyLine) -> Result<RemoteDriver, DriverError> {
        let mut good = self.clone();
        good.line.faults.0.board = BoardFaults::default();
        let client = Client::open(good.dial_over(line)?, good.client_options())?;
        let mut driver = RemoteDriver::over(client)?;
        // A board that only begins at tick 0 keeps what it kept.
        let becomes = self.keep.is_none() || self.layout.is_some();
        if self.is_test || !becomes {
            driver.count_best(false)?;
        }
        // A board that was started for this ran by itself until it was held: it
        // begins at tick 0, like the one in this process.
        let own = self.at.is_started_here();
        let another = self
            .layout()
            .is_some_and(|layout| layout != driver.layout());
        if own || another || self.seed.is_some() {
            let layout = self.layout().unwrap_or(driver.layout());
            let seed = self.seed.unwrap_or(driver.client().view().hello.seed);
            driver.carry_out(&Deed::Reset { seed, layout })?;
        }
        if !self.is_test && !becomes {
            driver.count_best(true)?;
        }
        Ok(driver)
    }

    /// The conversation with a board at the end of a line, whose time goes as
    /// it went.
    ///
    /// # Errors
    /// When there is no such board, or it does not answer.
    pub fn client(&self) -> Result<Client, DriverError> {
        Client::open(self.dial()?, self.client_options())
    }

    /// How patient a client is on this line: a request and its answer must have
    /// time to go over it.
    #[must_use]
    pub fn client_options(&self) -> ClientOptions {
        let bits = 2 * MAX_FRAME_BYTES as u64 * BITS_PER_BYTE;
        let line_ms = |baud: u32| 2 * bits * 1_000 / u64::from(baud.max(1));
        let slow_line_ms = match self.at {
            At::Serial(_) => line_ms(self.line.baud),
            At::Pico(_) => line_ms(BAUD) * pico::SLOWER,
            _ => 0,
        };
        let slower = if matches!(self.at, At::Pico(_)) {
            pico::SLOWER
        } else {
            1
        };
        let delays_ms = 2 * self.line.faults.0.line.delay_ms;
        ClientOptions {
            timeout_ms: self.line.timeout_ms.saturating_mul(slower),
            retry_ms: 40 + slow_line_ms + delays_ms,
        }
    }

    /// The way there, with the faults and recordings that were asked for.
    ///
    /// # Errors
    /// When there is no such board, or none that needs a line.
    pub fn dial(&self) -> Result<Box<dyn Dial>, DriverError> {
        self.dial_over(FaultyLine::new(&self.line.faults.0))
    }

    fn dial_over(&self, line: FaultyLine) -> Result<Box<dyn Dial>, DriverError> {
        self.wrapped(self.plain_dial()?, line)
    }

    /// This way, with these faults and the recordings that were asked for.
    fn wrapped(
        &self,
        inner: Box<dyn Dial>,
        line: FaultyLine,
    ) -> Result<Box<dyn Dial>, DriverError> {
        let taps = self.taps()?;
        Ok(Box::new(Wrapped { inner, line, taps }))
    }

    /// Whoever listens to the line.
    fn taps(&self) -> Result<Option<LineTaps>, DriverError> {
        let mut taps: Vec<Box<dyn LineTap>> = Vec::new();
        if let Some(path) = &self.line.bytes {
            let file = WireLogFile::create(path).map_err(|error| {
                LinkError::open(format!("{} cannot be written: {error}", path.display()))
            })?;
            taps.push(Box::new(file));
        }
        if self.line.trace {
            taps.push(Box::new(Trace::default()));
        }
        let mut since = Instant::now();
        if let Some(record) = &self.line.record {
            since = record.since();
            taps.push(Box::new(record.clone()));
        }
        Ok((!taps.is_empty()).then(|| LineTaps::new(since, taps)))
    }

    /// What kind of line leads there.
    #[must_use]
    pub fn line_medium(&self) -> LineMedium {
        match &self.at {
            At::Serial(path) => {
                let baud = self.line.baud;
                let is_usb_itself = path.contains("ttyACM") || path.contains("usbmodem");
                match (is_usb_itself, usb_identity(path)) {
                    (true, _) => LineMedium::Usb,
                    (false, Some(_)) => LineMedium::UsbSerial { baud },
                    (false, None) => LineMedium::Serial { baud },
                }
            }
            At::Pico(PicoLine::Uart) => LineMedium::Serial { baud: BAUD },
            At::Pico(PicoLine::Usb) => LineMedium::Usb,
            At::Core | At::Virtual | At::Qemu(_) | At::Tcp(_) => LineMedium::Unpaced,
        }
    }

    /// What a virtual board that is a process of its own is asked for.
    fn options(&self) -> Vec<String> {
        let mut options = vec![format!("--seed={}", self.seed.unwrap_or(0))];
        // A drawing goes over the line.
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
                None => Qemu::start(*image)?,
                Some(file) => Qemu::start_file(*image, file)?,
            }),
            At::Pico(line) => {
                let edges = self.line.edges.as_deref();
                Box::new(Pico::start(&self.pico(*line)?, edges)?)
            }
            At::Tcp(address) => Box::new(Network {
                name,
                address: address.clone(),
            }),
            At::Serial(path) => Box::new(SerialDial {
                name,
                path: path.clone(),
                known: None,
                baud,
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_read_as_it_is_written() {
        for text in [
            "core",
            "virtual",
            "qemu",
            "qemu:netduinoplus2",
            "pico",
            "tcp:localhost:7777",
            "/dev/ttyACM0",
            "COM3",
        ] {
            assert_eq!(text.parse::<At>().unwrap().to_string(), text);
        }
        assert_eq!("qemu:lm3s6965evb".parse(), "qemu".parse::<At>());
        assert_eq!("com12".parse(), Ok(At::Serial("com12".into())));
        assert_eq!("tcp:[::1]:80".parse(), Ok(At::Tcp("[::1]:80".into())));
    }

    #[test]
    fn an_image_that_is_not_there_gets_a_sentence_with_those_that_are() {
        let sentence = "qemu:netduino".parse::<At>().unwrap_err();
        assert_eq!(
            sentence,
            "there is no firmware image \"netduino\": write qemu:lm3s6965evb or qemu:netduinoplus2"
        );
    }

    #[test]
    fn what_is_no_place_gets_a_sentence() {
        for text in [
            "",
            "nowhere",
            "tcp:",
            "tcp:host",
            "tcp:host:99999",
            "common",
            "qemu:",
            "qemu lm3s6965evb",
        ] {
            assert!(text.parse::<At>().is_err(), "{text}");
        }
    }
}

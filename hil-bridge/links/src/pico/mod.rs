//! The board of a Raspberry Pi Pico around an emulated chip: node runs rp2040js, and
//! `tools/pico` simulates what is wired to its pins.
//!
//! A [`PicoBench`] carries out commands one at a time: bytes arrive, contacts close,
//! time passes, and the colours of the lights are decoded from the waveform at their
//! pin. A [`Pico`] is such a board at the end of its line: a thread lets its time
//! pass, in lockstep as fast as the computer can, and in free-running mode no faster
//! than real time. [`AtPins`](at_pins::AtPins) is used for comparisons: its contacts
//! are closed, and what it shows is read at its pins.
//!
//! Invariants: the same commands give the same answers, since the time of the chip is
//! its own.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use firmware_core::scan::{ScanLine, contact};
use protocol::{Input, Layout};
use touchboard_host::driver::DriverError;
use touchboard_host::hex;

use crate::LinkError;
use crate::image_file;
pub use bench_reads::{ChipLoad, Moments};
use tiles::Tiles;

pub mod at_pins;
mod bench_reads;
mod debugger;
pub mod on_demand;
#[path = "../../../../firmware-core/boards/pico/src/pins.rs"]
pub mod pins;
mod running;
pub mod set_up;
pub mod tiles;

pub use running::Pico;

/// The name of the board in its hello, and of its image.
pub const NAME: &str = "pico";
/// The program that runs JavaScript.
const NODE: &str = "node";
/// The program that simulates the board, in the folder of the images.
const PROGRAM: &str = "pico-board/board.mjs";

/// How many times slower than a chip an emulated one may be on a busy computer: waits
/// are multiplied by this.
pub const SLOWER: u64 = 10;

/// A line of the chip, with a host at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PicoLine {
    /// The serial port UART0, at 115,200 baud.
    #[default]
    Uart,
    /// The chip's own USB port.
    Usb,
}

impl PicoLine {
    /// Both lines, in the order of their bytes.
    pub const ALL: [PicoLine; 2] = [PicoLine::Uart, PicoLine::Usb];

    /// The place of a board at the end of this line, as in `--at`.
    #[must_use]
    pub const fn place(self) -> &'static str {
        match self {
            PicoLine::Uart => NAME,
            PicoLine::Usb => "pico:usb",
        }
    }
}

/// The board to emulate.
#[derive(Clone, Debug)]
pub struct PicoBoard {
    /// The file of the image that the chip runs.
    pub image: PathBuf,
    /// The line with the host.
    pub line: PicoLine,
    /// The tiles that it has; matrix and chain without any.
    pub tiles: Option<Tiles>,
}

impl PicoBoard {
    /// A board with matrix and chain that runs this image, with a host at UART0.
    #[must_use]
    pub fn new(image: &Path) -> PicoBoard {
        PicoBoard {
            image: image.to_owned(),
            line: PicoLine::default(),
            tiles: None,
        }
    }
}

/// An action at the USB port of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsbDeed {
    /// The cable is plugged in.
    PlugIn,
    /// The plug is pulled out.
    PullOut,
    /// A program opens the serial port.
    Open,
    /// The host closes the port.
    Close,
}

/// The bytes that a chip sent during a period.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The chip's time in microseconds.
    pub now_us: u64,
    /// The bytes that the chip sent over each [`PicoLine`].
    pub bytes: [Vec<u8>; 2],
}

/// A command of a debugger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Debugger<'a> {
    /// The debugger connects: the chip is halted.
    Comes,
    /// The debugger sends these bytes; an empty list asks whether the chip has
    /// reached a breakpoint.
    Says(&'a [u8]),
    /// The debugger disconnects: the chip continues.
    Goes,
}

/// The lights of a board, as the chain or the tiles showed them last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownLights {
    /// How often something was shown.
    pub chains: u32,
    /// Bits whose times no data sheet allows.
    pub bad_bits: u32,
    /// Red, green and blue of each light; for tiles first those of the field row by
    /// row, then the two turn lights, then the others of their tile.
    pub colours: Vec<[u8; 3]>,
}

/// An emulated board that carries out commands one at a time.
pub struct PicoBench {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl PicoBench {
    /// Switches on a board with matrix and chain that runs this image; its time
    /// stands still.
    ///
    /// # Errors
    /// A sentence that says what to install or to run.
    pub fn start(image: &Path) -> Result<PicoBench, DriverError> {
        PicoBench::switch_on(image, None)
    }

    fn switch_on(image: &Path, tiles: Option<Tiles>) -> Result<PicoBench, DriverError> {
        let folder = image.parent().unwrap_or(Path::new(""));
        let found = [folder.to_path_buf()]
            .into_iter()
            .chain(image_file::folders());
        let program = found.map(|folder| folder.join(PROGRAM));
        let program = program.into_iter().find(|program| program.is_file());
        let program = program.ok_or_else(not_set_up)?;
        let pins: Vec<String> = pins::MATRIX_AND_LIGHTS
            .into_iter()
            .chain([pins::BEEPER])
            .chain(pins::DISPLAY_MODULES)
            .map(|pin| pin.to_string())
            .collect();
        // The program ends with its input, whatever happens to this process.
        let mut child = Command::new(NODE)
            .arg(program)
            .arg(image)
            .arg(pins.join(","))
            .args(tiles.map(Tiles::words))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|_| not_set_up())?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let output = output.ok_or_else(not_set_up)?;
        let mut bench = PicoBench {
            child,
            input,
            output: BufReader::new(output),
        };
        // Node takes a while to start, and only now reports missing packages.
        let answer = bench.run(0, &[]);
        answer.map_err(|error| LinkError::open(format!("the emulated {NAME}: {error}")))?;
        Ok(bench)
    }

    /// Switches on this board, with a host at the end of its line.
    ///
    /// # Errors
    /// As [`PicoBench::start`].
    pub fn start_board(board: &PicoBoard) -> Result<PicoBench, DriverError> {
        let mut bench = PicoBench::switch_on(&board.image, board.tiles)?;
        if board.line == PicoLine::Usb {
            for deed in [UsbDeed::PlugIn, UsbDeed::Open] {
                let done = bench.usb(deed);
                done.map_err(|error| LinkError::open(format!("its USB port: {error}")))?;
            }
        }
        Ok(bench)
    }

    /// Lets these bytes arrive, and `us` microseconds pass; fewer if the chip has
    /// sent something and sleeps. Returns the new time, and what it sent.
    ///
    /// # Errors
    /// When the image cannot continue, with its reason.
    pub fn run(&mut self, us: u32, bytes: &[u8]) -> io::Result<(u64, Vec<u8>)> {
        let Said {
            now_us,
            bytes: [uart, _],
        } = self.run_both(us, [bytes, &[]])?;
        Ok((now_us, uart))
    }

    /// [`PicoBench::run`] with bytes over each [`PicoLine`].
    ///
    /// # Errors
    /// As there.
    pub fn run_both(&mut self, us: u32, bytes: [&[u8]; 2]) -> io::Result<Said> {
        let [uart, usb] = bytes.map(digits_of);
        let answer = self.ask(&format!("run {us} {uart} {usb}"))?;
        let mut words = answer.split(' ').skip(1);
        let now_us = words.next().and_then(|word| word.parse().ok());
        let [uart, usb] = [(); 2].map(|()| words.next().and_then(bytes_of));
        let said = now_us.zip(uart).zip(usb);
        let ((now_us, uart), usb) = said.ok_or_else(|| makes_no_sense(&answer))?;
        Ok(Said {
            now_us,
            bytes: [uart, usb],
        })
    }

    /// Does this to the USB port.
    ///
    /// # Errors
    /// As [`PicoBench::run`].
    pub fn usb(&mut self, deed: UsbDeed) -> io::Result<()> {
        let word = match deed {
            UsbDeed::PlugIn => "in",
            UsbDeed::PullOut => "out",
            UsbDeed::Open => "open",
            UsbDeed::Close => "close",
        };
        self.ask(&format!("usb {word}")).map(|_| ())
    }

    /// Makes the image hang from now on.
    ///
    /// # Errors
    /// As [`PicoBench::run`].
    pub fn hang(&mut self) -> io::Result<()> {
        self.ask("hang").map(|_| ())
    }

    /// The power goes, and comes again.
    ///
    /// # Errors
    /// As [`PicoBench::run`].
    pub fn power_cycle(&mut self) -> io::Result<()> {
        self.ask("power").map(|_| ())
    }

    /// Interrupts the power once this many more bytes of flash were erased or
    /// written.
    ///
    /// # Errors
    /// As [`PicoBench::run`].
    pub fn power_fails_after(&mut self, flash_bytes: u32) -> io::Result<()> {
        self.ask(&format!("cut {flash_bytes}")).map(|_| ())
    }

    /// Puts a finger on a key of a board with this layout, or lifts it.
    ///
    /// # Errors
    /// As [`PicoBench::run`].
    pub fn finger(&mut self, layout: Layout, input: Input) -> io::Result<()> {
        let ((column, row), is_closed) = match input {
            Input::Touch(point) => (contact(layout, point), true),
            Input::Release(point) => (contact(layout, point), false),
            Input::Press(button) => return self.set(ScanLine::Buttons, button as u8, true),
            Input::Lift(button) => return self.set(ScanLine::Buttons, button as u8, false),
            Input::Pass => return Ok(()),
        };
        self.set(ScanLine::Column(column), row, is_closed)
    }

    /// Closes or opens a contact of the matrix.
    fn set(&mut self, line: ScanLine, row: u8, is_closed: bool) -> io::Result<()> {
        let output = match line {
            ScanLine::Buttons => 0,
            ScanLine::Column(column) => 1 + column,
        };
        let word = if is_closed { "close" } else { "open" };
        self.ask(&format!("{word} {output} {row}")).map(|_| ())
    }

    /// A button between a row of the matrix and ground is pressed, or let go.
    ///
    /// # Errors
    /// As [`PicoBench::run`].
    pub fn ground(&mut self, row: u8, is_pressed: bool) -> io::Result<()> {
        self.ask(&format!("ground {row} {}", u8::from(is_pressed)))
            .map(|_| ())
    }

    /// Plugs in a tile, or pulls it out. The tiles of the field are numbered row by
    /// row, followed by the tile of the buttons.
    ///
    /// # Errors
    /// As [`PicoBench::run`].
    pub fn plug_tile(&mut self, number: u8, is_in: bool) -> io::Result<()> {
        let word = if is_in { "in" } else { "out" };
        self.ask(&format!("tile {number} {word}")).map(|_| ())
    }

    /// Passes on a debugger's command to the chip, whose time stands still while it
    /// is halted. Returns the stub's answer, and whether the chip is halted now.
    ///
    /// # Errors
    /// As [`PicoBench::run`].
    pub fn debug(&mut self, said: Debugger<'_>) -> io::Result<(Vec<u8>, bool)> {
        let said = match said {
            Debugger::Comes => "come".to_owned(),
            Debugger::Says(bytes) => digits_of(bytes),
            Debugger::Goes => "go".to_owned(),
        };
        let answer = self.ask(&format!("gdb {said}"))?;
        let mut words = answer.split(' ').skip(1);
        let is_halted = words.next().map(|word| word == "halted");
        let stub = words.next().and_then(bytes_of);
        let (is_halted, stub) = is_halted.zip(stub).ok_or_else(|| makes_no_sense(&answer))?;
        Ok((stub, is_halted))
    }

    /// The colours that the lights show.
    ///
    /// # Errors
    /// As [`PicoBench::run`].
    pub fn lights(&mut self) -> io::Result<ShownLights> {
        let answer = self.ask("lights")?;
        let mut words = answer.split(' ').skip(1);
        let mut number = || words.next()?.parse().ok();
        let lights = number().zip(number()).zip(words.next().and_then(bytes_of));
        let ((chains, bad_bits), bytes) = lights.ok_or_else(|| makes_no_sense(&answer))?;
        Ok(ShownLights {
            chains,
            bad_bits,
            colours: bytes.as_chunks().0.to_vec(),
        })
    }

    /// The speed of UART0, and the number of what each pin belongs to.
    ///
    /// # Errors
    /// As [`PicoBench::run`].
    pub fn pins(&mut self) -> io::Result<(u32, Vec<u8>)> {
        let answer = self.ask("pins")?;
        let mut words = answer.split(' ').skip(1);
        let baud = words.next().and_then(|word| word.parse().ok());
        let functions: Option<Vec<u8>> = words.map(|word| word.parse().ok()).collect();
        baud.zip(functions).ok_or_else(|| makes_no_sense(&answer))
    }

    fn ask(&mut self, command: &str) -> io::Result<String> {
        let Some(input) = &mut self.input else {
            return Err(makes_no_sense(command));
        };
        input.write_all(format!("{command}\n").as_bytes())?;
        let mut answer = String::new();
        self.output.read_line(&mut answer)?;
        let answer = answer.trim_end();
        match answer.split_once(' ') {
            _ if answer.is_empty() => Err(io::Error::other(format!(
                "{NODE} ended: run `cargo xtask firmware {NAME}`, which says what is missing"
            ))),
            Some(("error", sentence)) => Err(io::Error::other(sentence.to_owned())),
            _ => Ok(answer.to_owned()),
        }
    }
}

impl Drop for PicoBench {
    fn drop(&mut self) {
        self.input = None;
        // The program may be in the middle of a long command.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn not_set_up() -> DriverError {
    LinkError::open(format!(
        "the emulated {NAME} is not set up: install node and npm (Debian and Ubuntu: `apt install nodejs npm`), then run `cargo xtask firmware {NAME}`"
    ))
}

fn makes_no_sense(answer: &str) -> io::Error {
    io::Error::other(format!("the emulated {NAME} says {answer:?}"))
}

/// What [`digits_of`] wrote.
fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    if digits == "-" {
        return Some(Vec::new());
    }
    hex::bytes_of(digits)
}

/// The bytes as words for the chip; `-` for no bytes.
fn digits_of(bytes: &[u8]) -> String {
    match bytes {
        [] => "-".to_owned(),
        _ => hex::hex_of(bytes),
    }
}

/// The image of this board.
///
/// # Errors
/// A sentence that says what to run if there is none.
pub fn find_image() -> Result<PathBuf, DriverError> {
    image_file::find(&format!("{NAME}.elf"), NAME)
}

//! The board of a Raspberry Pi Pico around an emulated chip: node runs rp2040js, and
//! `tools/pico` simulates the parts that are wired to its pins.
//!
//! A [`PicoBench`] carries out one command at a time: it sends bytes, closes contacts,
//! lets time pass, and reads the colours of the lights from the waveform at their pin. A
//! [`Pico`] is such a board at the end of its line. A thread lets its time pass: in
//! lockstep as fast as the computer can, and in free-running mode no faster than real
//! time. [`AtPins`](at_pins::AtPins) is used for comparisons: it closes the contacts and
//! reads the outputs at the pins.
//!
//! Invariants: the same commands give the same answers, because the chip's time only
//! passes in commands.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use firmware_core::scan::{ScanLine, contact};
use protocol::{Input, Layout};
use touchboard_host::driver::DriverError;
use touchboard_host::hex;

use crate::LinkError;
use crate::image_file;
use crate::last_words::LastWords;
pub use bench_reads::{ChipLoad, Moments};
use tiles::Tiles;

pub mod at_pins;
mod bench_reads;
mod debugger;
mod ended;
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

/// How many times slower than real time an emulated chip may be on a busy computer; waits
/// are multiplied by this.
pub const SLOWER: u64 = 10;

/// A line of the chip, with a host at the other end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PicoLine {
    /// The serial port UART0, at 115,200 baud.
    #[default]
    Uart,
    /// The chip's own USB port.
    Usb,
}

impl PicoLine {
    /// Both lines, in the order of [`ChipOutput::bytes`].
    pub const ALL: [PicoLine; 2] = [PicoLine::Uart, PicoLine::Usb];

    /// The place of a board at the end of this line, as `--at` accepts it.
    #[must_use]
    pub const fn place(self) -> &'static str {
        match self {
            PicoLine::Uart => NAME,
            PicoLine::Usb => "pico:usb",
        }
    }
}

/// An emulated board: its image, line and parts.
#[derive(Clone, Debug)]
pub struct PicoBoard {
    /// The file of the image that the chip runs.
    pub image: PathBuf,
    /// The line to the host.
    pub line: PicoLine,
    /// The tiles on the board; `None` for a board with matrix and chain.
    pub tiles: Option<Tiles>,
}

impl PicoBoard {
    /// A board with matrix and chain that runs this image, with the host at UART0.
    #[must_use]
    pub fn new(image: &Path) -> PicoBoard {
        PicoBoard {
            image: image.to_owned(),
            line: PicoLine::default(),
            tiles: None,
        }
    }
}

/// An event at a board's USB port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsbDeed {
    /// The cable is plugged in.
    PlugIn,
    /// The cable is unplugged.
    PullOut,
    /// A program opens the serial port.
    Open,
    /// The program closes the serial port.
    Close,
}

/// What a chip sent during a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChipOutput {
    /// The chip's time after it, in microseconds.
    pub now_us: u64,
    /// The bytes that the chip sent over each [`PicoLine`].
    pub bytes: [Vec<u8>; 2],
}

/// An action of a debugger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Debugger<'a> {
    /// The debugger connects, which halts the chip.
    Comes,
    /// The debugger sends these bytes; none to check whether the chip has reached a
    /// breakpoint.
    Says(&'a [u8]),
    /// The debugger disconnects, and the chip continues.
    Goes,
}

/// The lights of a board, as the chain or the tiles last showed them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownLights {
    /// How many times the lights were set.
    pub chains: u32,
    /// The number of bits whose timing no data sheet allows.
    pub bad_bits: u32,
    /// Red, green and blue of each light. With tiles, first those of the field row by
    /// row, then the two turn lights, then the others on their tile.
    pub colours: Vec<[u8; 3]>,
}

/// An emulated board that carries out commands one at a time.
pub struct PicoBench {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    words: LastWords,
}

impl PicoBench {
    /// Switches on a board with matrix and chain that runs this image. Its time stands
    /// still.
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
        // The program ends when its input is closed, even if this process crashes.
        let mut child = Command::new(NODE)
            .arg(program)
            .arg(image)
            .arg(pins.join(","))
            .args(tiles.map(Tiles::words))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|_| not_set_up())?;
        let input = child.stdin.take();
        let streams = child.stdout.take().zip(child.stderr.take());
        let (output, errors) = streams.ok_or_else(not_set_up)?;
        let words = LastWords::of(errors)
            .map_err(|error| LinkError::open(format!("no thread for {NODE}: {error}")))?;
        let mut bench = PicoBench {
            child,
            input,
            output: BufReader::new(output),
            words,
        };
        // Node takes a while to start, and reports missing packages only then.
        let answer = bench.run(0, &[]);
        answer.map_err(|error| LinkError::open(format!("the emulated {NAME}: {error}")))?;
        Ok(bench)
    }

    /// Switches on this board, with a host at the end of its line.
    ///
    /// # Errors
    /// Those of [`PicoBench::start`].
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

    /// Sends these bytes to the chip, and lets `us` microseconds pass; fewer if the chip
    /// has sent something and sleeps. Returns the chip's time in microseconds, and the
    /// bytes that it sent.
    ///
    /// # Errors
    /// When the image cannot continue, with the reason.
    pub fn run(&mut self, us: u32, bytes: &[u8]) -> io::Result<(u64, Vec<u8>)> {
        self.run_line(us, PicoLine::Uart, bytes)
    }

    /// [`PicoBench::run`] with bytes for this line, and from it.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn run_line(
        &mut self,
        us: u32,
        line: PicoLine,
        bytes: &[u8],
    ) -> io::Result<(u64, Vec<u8>)> {
        let mut both: [&[u8]; 2] = [&[]; 2];
        both[line as usize] = bytes;
        let ChipOutput {
            now_us,
            bytes: [uart, usb],
        } = self.run_both(us, both)?;
        let said = match line {
            PicoLine::Uart => uart,
            PicoLine::Usb => usb,
        };
        Ok((now_us, said))
    }

    /// [`PicoBench::run`] with bytes for each [`PicoLine`].
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn run_both(&mut self, us: u32, bytes: [&[u8]; 2]) -> io::Result<ChipOutput> {
        let [uart, usb] = bytes.map(digits_of);
        let answer = self.request(&format!("run {us} {uart} {usb}"))?;
        let mut words = answer.split(' ').skip(1);
        let now_us = words.next().and_then(|word| word.parse().ok());
        let [uart, usb] = [(); 2].map(|()| words.next().and_then(bytes_of));
        let said = now_us.zip(uart).zip(usb);
        let ((now_us, uart), usb) = said.ok_or_else(|| makes_no_sense(&answer))?;
        Ok(ChipOutput {
            now_us,
            bytes: [uart, usb],
        })
    }

    /// Does this at the USB port.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn usb(&mut self, deed: UsbDeed) -> io::Result<()> {
        let word = match deed {
            UsbDeed::PlugIn => "in",
            UsbDeed::PullOut => "out",
            UsbDeed::Open => "open",
            UsbDeed::Close => "close",
        };
        self.request(&format!("usb {word}")).map(|_| ())
    }

    /// Makes the image hang from now on.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn hang(&mut self) -> io::Result<()> {
        self.request("hang").map(|_| ())
    }

    /// Switches the power off and on.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn power_cycle(&mut self) -> io::Result<()> {
        self.request("power").map(|_| ())
    }

    /// Makes the power fail once this many more bytes of flash have been erased or written.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn power_fails_after(&mut self, flash_bytes: u32) -> io::Result<()> {
        self.request(&format!("cut {flash_bytes}")).map(|_| ())
    }

    /// Carries out an input by a finger at a contact, on a board with this layout.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
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
        self.request(&format!("{word} {output} {row}")).map(|_| ())
    }

    /// Presses or releases a button that connects a row of the matrix to ground.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn ground(&mut self, row: u8, is_pressed: bool) -> io::Result<()> {
        self.request(&format!("ground {row} {}", u8::from(is_pressed)))
            .map(|_| ())
    }

    /// Plugs in a tile, or unplugs it. The tiles of the field are numbered row by row,
    /// followed by the tile of the buttons.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn plug_tile(&mut self, number: u8, is_in: bool) -> io::Result<()> {
        let word = if is_in { "in" } else { "out" };
        self.request(&format!("tile {number} {word}")).map(|_| ())
    }

    /// Passes a debugger's action to the chip, whose time stands still while it is
    /// halted. Returns the stub's answer, and whether the chip is now halted.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn debug(&mut self, said: Debugger<'_>) -> io::Result<(Vec<u8>, bool)> {
        let said = match said {
            Debugger::Comes => "come".to_owned(),
            Debugger::Says(bytes) => digits_of(bytes),
            Debugger::Goes => "go".to_owned(),
        };
        let answer = self.request(&format!("gdb {said}"))?;
        let mut words = answer.split(' ').skip(1);
        let is_halted = words.next().map(|word| word == "halted");
        let stub = words.next().and_then(bytes_of);
        let (is_halted, stub) = is_halted.zip(stub).ok_or_else(|| makes_no_sense(&answer))?;
        Ok((stub, is_halted))
    }

    /// The colours that the lights show now.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn lights(&mut self) -> io::Result<ShownLights> {
        let answer = self.request("lights")?;
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

    /// The speed of UART0 in bits a second, and for each pin the number of its function.
    ///
    /// # Errors
    /// Those of [`PicoBench::run`].
    pub fn pins(&mut self) -> io::Result<(u32, Vec<u8>)> {
        let answer = self.request("pins")?;
        let mut words = answer.split(' ').skip(1);
        let baud = words.next().and_then(|word| word.parse().ok());
        let functions: Option<Vec<u8>> = words.map(|word| word.parse().ok()).collect();
        baud.zip(functions).ok_or_else(|| makes_no_sense(&answer))
    }

    fn request(&mut self, command: &str) -> io::Result<String> {
        let Some(input) = &mut self.input else {
            return Err(makes_no_sense(command));
        };
        // A program that has ended takes no command, and gives no answer.
        let sent = input.write_all(format!("{command}\n").as_bytes());
        let mut answer = String::new();
        if sent.is_ok() {
            self.output.read_line(&mut answer)?;
        }
        let answer = answer.trim_end();
        match answer.split_once(' ') {
            _ if answer.is_empty() => Err(self.ended()),
            Some(("error", sentence)) => Err(io::Error::other(sentence.to_owned())),
            _ => Ok(answer.to_owned()),
        }
    }

    /// The error of a program that has ended, with its reason.
    fn ended(&mut self) -> io::Error {
        // It may still hold its standard error open.
        let _ = self.child.kill();
        io::Error::other(ended::sentence(&self.words.lines()))
    }
}

impl Drop for PicoBench {
    fn drop(&mut self) {
        self.input = None;
        // The program may be in a long command, and would not see the end of its input.
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

/// The bytes that [`digits_of`] wrote.
fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    if digits == "-" {
        return Some(Vec::new());
    }
    hex::bytes_of(digits)
}

/// The bytes as a word of a command; `-` for no bytes.
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

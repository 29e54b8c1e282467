//! The connection to the measuring program on its chip, over a serial port.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use anyhow::{Context, bail};
use protocol::Point;
use touchboard_links::pico::PicoBench;
use xtask::board::BoardImage;
use xtask::qemu;

use super::{Game, Options, Tally, bad_input};

/// The number of points in one line to the program.
const POINTS_A_LINE: usize = 32;

/// The number of bytes of a drawing in one line to the program.
const BYTES_A_LINE: usize = 64;

/// The maximum time for which the emulated Pico runs at once, in microseconds.
const SLICE_US: u32 = 100_000;

/// The unit of measurement on a board's chip.
pub fn unit(board: BoardImage) -> &'static str {
    match board {
        BoardImage::Pico => "cycles",
        BoardImage::Lm3s6965evb | BoardImage::Netduinoplus2 => "instructions",
    }
}

/// The time of an instruction is 2 to the power of this, in ns. So the chip's timer can
/// distinguish single instructions, and does not overflow during a call of some million.
/// `None` for a chip that QEMU does not emulate.
fn shift(board: BoardImage) -> Option<u8> {
    match board {
        BoardImage::Lm3s6965evb => Some(6),
        // Its timer counts faster, and would overflow after 1.5 million instructions.
        BoardImage::Netduinoplus2 => Some(3),
        BoardImage::Pico => None,
    }
}

/// The program on its chip, which is switched off when this is dropped.
pub struct Chip(ChipLine);

/// The line to the chip's serial port.
enum ChipLine {
    Qemu(Child, BufReader<ChildStdout>),
    /// The emulated Pico, and its output after the last line that was read.
    Pico(PicoBench, Vec<u8>),
}

impl ChipLine {
    fn qemu(board: BoardImage, program: &Path) -> anyhow::Result<ChipLine> {
        let mut qemu = qemu::machine(board);
        let shift = shift(board).context("QEMU does not emulate this chip")?;
        let icount = format!("shift={shift}");
        qemu.args(["-icount", &icount, "-serial", "stdio", "-kernel"]);
        qemu.arg(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        // QEMU would print there that nothing is connected to the network.
        qemu.stderr(Stdio::null());
        let mut process = qemu
            .spawn()
            .context("qemu-system-arm cannot be run: see `cargo xtask setup`")?;
        let from = process.stdout.take().context("QEMU has no serial port")?;
        Ok(ChipLine::Qemu(process, BufReader::new(from)))
    }

    /// Sends a line, with a line break.
    fn send(&mut self, line: &str) -> anyhow::Result<()> {
        match self {
            ChipLine::Qemu(process, _) => {
                let to = process.stdin.as_mut().context("QEMU has no serial port")?;
                writeln!(to, "{line}").context("QEMU does not listen")
            }
            ChipLine::Pico(bench, said) => {
                let (_, bytes) = bench.run(0, format!("{line}\n").as_bytes())?;
                said.extend(bytes);
                Ok(())
            }
        }
    }

    /// Waits for the next line; `None` if none will come.
    fn receive(&mut self) -> anyhow::Result<Option<String>> {
        let mut line = Vec::new();
        match self {
            ChipLine::Qemu(_, from) => {
                let read = from.read_until(b'\n', &mut line);
                if read.context("QEMU cannot be heard")? == 0 {
                    return Ok(None);
                }
            }
            ChipLine::Pico(bench, said) => {
                while !said.contains(&b'\n') {
                    said.extend(bench.run(SLICE_US, &[])?.1);
                }
                let end = said.iter().position(|byte| *byte == b'\n').unwrap_or(0);
                line.extend(said.drain(..=end));
            }
        }
        Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned()))
    }
}

impl Drop for ChipLine {
    fn drop(&mut self) {
        if let ChipLine::Qemu(process, _) = self {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Chip {
    pub fn start(board: BoardImage, program: &Path) -> anyhow::Result<Chip> {
        let line = match board {
            BoardImage::Pico => ChipLine::Pico(PicoBench::start(program)?, Vec::new()),
            BoardImage::Lm3s6965evb | BoardImage::Netduinoplus2 => ChipLine::qemu(board, program)?,
        };
        let mut chip = Chip(line);
        // Lines that are sent before the program listens are lost.
        chip.answer("are you there")?;
        Ok(chip)
    }

    pub fn games(&mut self) -> anyhow::Result<Vec<Game>> {
        let lines = self.request("games")?;
        let games = lines.iter().map(|line| {
            let mut words = line.strip_prefix("game ")?.split(' ');
            Some(Game {
                number: words.next()?.parse().ok()?,
                modes: words.next()?.parse().ok()?,
                name: words.collect::<Vec<_>>().join(" "),
            })
        });
        let games: Option<Vec<_>> = games.collect();
        games.with_context(|| format!("the program's list of games makes no sense: {lines:?}"))
    }

    /// Plays a mode of a game.
    pub fn plays(
        &mut self,
        options: &Options,
        touches: &[Point],
        game: u8,
        mode: u8,
    ) -> anyhow::Result<Vec<Tally>> {
        let (seed, ticks, moves) = (options.seed, options.ticks, options.moves);
        for points in touches.chunks(POINTS_A_LINE) {
            let numbers: Vec<_> = points.iter().map(|point| point.0.to_string()).collect();
            self.request(&format!("touches {}", numbers.join(" ")))?;
        }
        if let Some(sides) = options.layout.sides() {
            let (columns, rows) = (sides.columns(), sides.rows());
            return self.tallies(&format!(
                "play {game} {mode} {columns} {rows} {seed} {ticks} {moves}"
            ));
        }
        let known = options.layout.drawing().context("the drawing is known")?;
        let drawing = known.as_drawing();
        for (index, bytes) in drawing.bytes().chunks(BYTES_A_LINE).enumerate() {
            let digits = touchboard_host::hex::hex_of(bytes);
            self.request(&format!("bytes {} {digits}", index * BYTES_A_LINE))?;
        }
        let length = drawing.bytes().len();
        self.tallies(&format!(
            "draw {length} {game} {mode} {seed} {ticks} {moves}"
        ))
    }

    fn tallies(&mut self, asked: &str) -> anyhow::Result<Vec<Tally>> {
        let lines = self.request(asked)?;
        let tallies = lines.iter().map(|line| {
            let mut words = line.split(' ');
            Some(Tally {
                kind: words.next()?.to_owned(),
                calls: words.next()?.parse().ok()?,
                worst: words.next()?.parse().ok()?,
                total: words.next()?.parse().ok()?,
            })
        });
        let tallies: Option<Vec<_>> = tallies.collect();
        tallies.with_context(|| format!("the program's figures make no sense: {lines:?}"))
    }

    /// Sends a line and returns the answer.
    fn request(&mut self, line: &str) -> anyhow::Result<Vec<String>> {
        self.0.send(line)?;
        self.answer(line)
    }

    /// Waits for the end of the answer to this line.
    fn answer(&mut self, line: &str) -> anyhow::Result<Vec<String>> {
        let mut answer = Vec::new();
        while let Some(heard) = self.0.receive()? {
            if heard == "done" {
                return Ok(answer);
            }
            if let Some(sentence) = heard.strip_prefix("error ") {
                // The user requested the point to which the error refers.
                if sentence.starts_with("touch ") {
                    bad_input(&format!("--touches: {sentence}"));
                }
                bail!("the program on the chip, asked for {line:?}: {sentence}");
            }
            answer.push(heard);
        }
        bail!("QEMU ended in the middle of an answer to {line:?}")
    }
}

//! Measures the cost of the board's code in instructions of the chip or in its cycles.
//!
//! This is a separate program beside the image. It contains the same board, built with
//! the same profile, and plays a mode of a game from its start to its end, over and over.
//! A host sends requests of one line over the UART. An answer consists of some lines and
//! then `done`, or of `error SENTENCE`; the first `done` says that the program is ready.
//!
//! | request | answer |
//! | --- | --- |
//! | `games` | for each game: `game NUMBER MODES NAME` |
//! | `play GAME MODE COLUMNS ROWS SEED TICKS MOVES` | for each [`Kind`] of call: `KIND CALLS WORST TOTAL` |
//! | `bytes OFFSET DIGITS` | nothing: stores these bytes of a drawing, two hexadecimal digits each |
//! | `touches POINT...` | nothing: the next game between people begins with touches of these points |
//! | `draw LENGTH GAME MODE SEED TICKS MOVES` | as `play`, on the stored drawing of this length in bytes |
//!
//! It is run by QEMU with `-icount`, where time is a count of instructions, or by an
//! emulator that counts cycles; see [`stopwatch`]. The answer depends only on the
//! request.

mod play;
mod stopwatch;
mod tally;

use core::fmt::{self, Write};
use core::panic::PanicInfo;

use cortex_m::asm::wfi;
use cortex_m::{interrupt, singleton};
use cortex_m_rt::ExceptionFrame;
use firmware_core::{SNAPSHOT_BYTES, games};
use heapless::String;
use protocol::Point;

use crate::chip::Chip;
use crate::uart::{Uart, send_all};
use crate::{line, nvic};

use play::{Asked, Opening, Survey};
use stopwatch::Stopwatch;
pub use stopwatch::Unit;
use tally::Kind;

/// The length in bytes of the longest request: a word, a number and 64 bytes in digits.
const LINE_BYTES: usize = 144;

/// Answers requests for ever. The board is a `static` of the entry point, because it
/// is too large for the stack.
pub fn run<C: Chip>(board: &'static mut Option<C::Board>, unit: Unit) -> ! {
    let core = cortex_m::Peripherals::take().expect("nobody took them before");
    C::speed_up();
    // Before any bytes arrive, since their interrupts would be counted.
    let mut stopwatch = Stopwatch::new(core.SYST, unit);
    C::LINE.start();
    nvic::enable::<C>();
    let buffer = singleton!(: [u8; SNAPSHOT_BYTES] = [0; SNAPSHOT_BYTES]).expect("once");
    let mut host = Host::<C>(C::LINE);
    host.print(format_args!("done"));
    let mut opening = Opening::new();
    loop {
        let line = host.listen();
        if line == "games" {
            list_games(&mut host);
        } else if let Some(words) = line.strip_prefix("bytes ") {
            match keep(words, buffer) {
                Some(()) => host.print(format_args!("done")),
                None => host.print(format_args!("error these are no bytes, or too many")),
            }
        } else if let Some(words) = line.strip_prefix("touches ") {
            match add_touches(words, &mut opening) {
                Some(()) => host.print(format_args!("done")),
                None => host.print(format_args!("error these are no points, or too many")),
            }
        } else if let Some(asked) = Asked::parse(&line) {
            play::<C>(&mut host, &asked, &opening, board, &mut stopwatch, buffer);
            opening.clear();
        } else {
            host.print(format_args!("error this is not asked so: {line}"));
        }
    }
}

/// Stores bytes of a drawing, given by an offset and digits.
fn keep(words: &str, buffer: &mut [u8]) -> Option<()> {
    let (offset, digits) = words.split_once(' ')?;
    let places = buffer.get_mut(offset.parse().ok()?..)?;
    let bytes = digits.as_bytes().chunks(2);
    if bytes.len() > places.len() {
        return None;
    }
    for (place, two) in places.iter_mut().zip(bytes) {
        let [high, low] = *two else {
            return None;
        };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        *place = (digit(high)? * 16 + digit(low)?) as u8;
    }
    Some(())
}

/// Adds the points whose numbers these words are.
fn add_touches(words: &str, opening: &mut Opening) -> Option<()> {
    for word in words.split_ascii_whitespace() {
        opening.push(Point(word.parse().ok()?)).ok()?;
    }
    Some(())
}

fn list_games(host: &mut Host<impl Chip>) {
    for number in games::BUILT.iter().chain([games::LAYOUTS_OWN]) {
        if let Some(about) = games::about(number) {
            let (modes, name) = (about.modes, about.name);
            host.print(format_args!("game {number} {modes} {name}"));
        }
    }
    host.print(format_args!("done"));
}

fn play<C: Chip>(
    host: &mut Host<C>,
    asked: &Asked,
    opening: &Opening,
    board: &mut Option<C::Board>,
    stopwatch: &mut Stopwatch,
    buffer: &mut [u8],
) {
    let tallies = match Survey::run(asked, opening, board, stopwatch, buffer) {
        Ok(tallies) => tallies,
        Err(refusal) => {
            host.print(format_args!("error {refusal}"));
            return;
        }
    };
    for (kind, tally) in Kind::ALL.into_iter().zip(tallies) {
        let name = kind.name();
        let (calls, worst, total) = (tally.calls, tally.worst, tally.total);
        host.print(format_args!("{name} {calls} {worst} {total}"));
    }
    host.print(format_args!("done"));
}

/// The host that sends requests, at the other end of the line.
struct Host<C: Chip>(C::Line);

impl<C: Chip> Host<C> {
    /// Waits until a whole line has arrived.
    fn listen(&self) -> String<LINE_BYTES> {
        let mut text = String::new();
        loop {
            let mut byte = [0];
            if line::receive::<C>(&mut byte) == 0 {
                // Interrupts are disabled, so that none is missed before the sleep.
                interrupt::free(|_| {
                    if !line::has_received() {
                        wfi();
                    }
                });
            } else if byte == [b'\n'] {
                return text;
            } else {
                // A request that is too long is invalid.
                let _ = text.push(byte[0].into());
            }
        }
    }

    fn print(&mut self, line: fmt::Arguments<'_>) {
        let _ = writeln!(self, "{line}");
    }
}

impl<C: Chip> Write for Host<C> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        send_all(&self.0, text.as_bytes());
        Ok(())
    }
}

/// The panic handler of the program.
pub fn panicked<C: Chip>(info: &PanicInfo<'_>) -> ! {
    interrupt::disable();
    Host::<C>(C::LINE).print(format_args!("error {}", info.message()));
    loop {
        wfi();
    }
}

/// The handler of hard faults of the program.
pub fn faulted(frame: &ExceptionFrame) -> ! {
    panic!("hard fault at {:#010x}", frame.pc())
}

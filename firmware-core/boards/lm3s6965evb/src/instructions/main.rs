//! Measures what the board's code costs, in instructions of the Cortex-M3.
//!
//! It holds the same board as the image, built by the same profile, and plays a
//! mode of a game from its start to its end, over and over. A host asks by one
//! line over UART0 and is answered by some lines and then `done`, or by
//! `error SENTENCE`; the first `done` says that it listens.
//!
//! | asked | answered |
//! | --- | --- |
//! | `games` | for each game: `game NUMBER MODES NAME` |
//! | `play GAME MODE TICKS SEED` | for each [`Kind`] of call: `KIND CALLS WORST TOTAL` |
//!
//! To be run by QEMU with `-icount`, where time is a count of instructions: see
//! [`stopwatch`]. The answer only depends on the line that asked.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

mod play;
mod stopwatch;
mod tally;

use core::fmt::{self, Write};
use core::panic::PanicInfo;

use cortex_m::asm::wfi;
use cortex_m::{interrupt, singleton};
use cortex_m_rt::{entry, exception};
use firmware_core::{SNAPSHOT_BYTES, games};
use heapless::String;
use lm3s6965evb::{clock, uart, vectors};

use play::{Asked, Survey};
use stopwatch::Stopwatch;
use tally::Kind;

/// The longest line that asks: a word and four numbers.
const LINE_BYTES: usize = 64;

#[entry]
fn main() -> ! {
    let mut core = cortex_m::Peripherals::take().expect("nobody took them before");
    clock::speed_up();
    // Before bytes may come: their interrupts would be counted.
    let mut stopwatch = Stopwatch::new(core.SYST);
    uart::start();
    vectors::enable(&mut core.NVIC);
    let buffer = singleton!(: [u8; SNAPSHOT_BYTES] = [0; SNAPSHOT_BYTES]).expect("once");
    say(format_args!("done"));
    loop {
        let line = receive_line();
        if line == "games" {
            list_games();
        } else if let Some(asked) = Asked::parse(&line) {
            play(&asked, &mut stopwatch, buffer);
        } else {
            say(format_args!("error this is not asked so: {line}"));
        }
    }
}

fn list_games() {
    for number in games::NUMBERS {
        if let Some(about) = games::about(*number) {
            let (modes, name) = (about.modes, about.name);
            say(format_args!("game {number} {modes} {name}"));
        }
    }
    say(format_args!("done"));
}

fn play(asked: &Asked, stopwatch: &mut Stopwatch, buffer: &mut [u8]) {
    let Some(tallies) = Survey::run(asked, stopwatch, buffer) else {
        say(format_args!("error there is no such mode"));
        return;
    };
    for (kind, tally) in Kind::ALL.into_iter().zip(tallies) {
        let name = kind.name();
        let (calls, worst, total) = (tally.calls, tally.worst, tally.total);
        say(format_args!("{name} {calls} {worst} {total}"));
    }
    say(format_args!("done"));
}

/// Waits for a line from the host.
fn receive_line() -> String<LINE_BYTES> {
    let mut line = String::new();
    loop {
        let mut byte = [0];
        if uart::receive(&mut byte) == 0 {
            // With interrupts held back, so that none is slept through.
            interrupt::free(|_| {
                if !uart::has_received() {
                    wfi();
                }
            });
        } else if byte == [b'\n'] {
            return line;
        } else {
            // A line that is too long is no line that asks.
            let _ = line.push(byte[0].into());
        }
    }
}

struct Host;

impl Write for Host {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        uart::send_all(text.as_bytes());
        Ok(())
    }
}

fn say(line: fmt::Arguments<'_>) {
    let _ = writeln!(Host, "{line}");
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    interrupt::disable();
    say(format_args!("error {}", info.message()));
    loop {
        wfi();
    }
}

#[exception]
#[allow(unsafe_code)]
unsafe fn HardFault(frame: &cortex_m_rt::ExceptionFrame) -> ! {
    panic!("hard fault at {:#010x}", frame.pc())
}

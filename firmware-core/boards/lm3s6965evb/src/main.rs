//! The touch board on a Cortex-M3: the LM3S6965 evaluation board, real or in
//! QEMU. Its UART0 is the line to the host.
//!
//! The loop is the one that every port runs: time, bytes in, bytes out, and
//! sleep until an interrupt. What always holds: a panic or a fault is told to
//! the host before the chip resets.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

use core::fmt::Write;
use core::panic::PanicInfo;

use cortex_m::peripheral::SCB;
use cortex_m::{interrupt, singleton};
use cortex_m_rt::{entry, exception};
use firmware_core::{Device, Identity, SNAPSHOT_BYTES};
use lm3s6965evb::{Own, boot, clock, uart, vectors};
use protocol::wire::{self, MAX_FRAME_BYTES};
use protocol::{Layout, Text, ToHost};

/// Without a source of chance: a host that wants another game resets with its
/// own seed.
const SEED: u64 = 0;

/// Bytes handed to the device at once.
const CHUNK_BYTES: usize = 64;

#[entry]
fn main() -> ! {
    let boot = boot::count();
    let mut core = cortex_m::Peripherals::take().expect("nobody took them before");
    clock::speed_up();
    clock::start(&mut core.SYST);
    uart::start();
    vectors::enable(&mut core.NVIC);

    let device = switch_on(boot);
    let mut bytes = [0; CHUNK_BYTES];
    let mut fresh = 0..0;
    loop {
        device.elapse(clock::elapsed_ms());
        if fresh.is_empty() {
            fresh = 0..uart::receive(&mut bytes);
        }
        fresh.start += device.feed(bytes.get(fresh.clone()).unwrap_or_default());
        let sent = uart::send(device.output());
        device.sent(sent);
        if device.is_to_crash() {
            panic!("the host asked for it");
        }
        let busy = !fresh.is_empty() || sent > 0 || device.sleeps_ms() == Some(0);
        if !busy {
            sleep();
        }
    }
}

type OwnDevice = Device<Own, &'static mut [u8; SNAPSHOT_BYTES]>;

/// Makes the board, in memory that is there for ever.
// A function of its own, so that the copies it makes leave the stack with it.
#[inline(never)]
fn switch_on(boot: u32) -> &'static mut OwnDevice {
    let buffer = singleton!(: [u8; SNAPSHOT_BYTES] = [0; SNAPSHOT_BYTES]).expect("once");
    let identity = Identity {
        board: "lm3s6965evb",
        boot,
        sensors: false,
    };
    let board = Own::switched_on(Layout::MALDOO, SEED).expect("9x9 points fit 128 bits");
    singleton!(: OwnDevice = Device::new(board, identity, buffer)).expect("once")
}

/// Sleeps until something happens. Interrupts are held back between the look
/// and the sleep, so that none is slept through; they wake the core all the
/// same.
fn sleep() {
    interrupt::free(|_| {
        if !clock::has_elapsed() && !uart::has_received() {
            cortex_m::asm::wfi();
        }
    });
}

/// Tells the host what happened, and starts anew.
fn die(words: Text<96>) -> ! {
    interrupt::disable();
    let mut frame = [0; MAX_FRAME_BYTES];
    let last_words = wire::encode(&ToHost::Panic(words), &mut frame);
    uart::send_all(last_words.unwrap_or_default());
    SCB::sys_reset()
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let mut words = Text::new();
    let _ = write!(words, "{}", info.message());
    if let Some(place) = info.location() {
        let _ = write!(words, " ({}:{})", place.file(), place.line());
    }
    die(words)
}

#[exception]
#[allow(unsafe_code)]
unsafe fn HardFault(frame: &cortex_m_rt::ExceptionFrame) -> ! {
    let mut words = Text::new();
    let _ = write!(words, "hard fault at {:#010x}", frame.pc());
    die(words)
}

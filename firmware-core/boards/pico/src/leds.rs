//! The lights: a chain of WS2812, driven by a state machine of the programmable I/O. The
//! DMA controller feeds it, so that the processor only starts a transfer.
//!
//! A bit takes 10 steps of 125 ns. It is high for 2 of them for a zero, and for 7 for a
//! one, as the data sheet requires (250 and 875 ns of 1.25 µs).
//!
//! Invariants: the words are not changed while they are sent; the chain has its pause
//! before the next ones.

use cortex_m_board::ws2812::{MOST_LIGHTS, PAUSE_US, WORD_US, words};
use firmware_core::Seen;
use protocol::Layout;

use crate::gpio::{self, Function};
use crate::pins::LIGHTS;
use crate::registers::{TIMERAWL, dma, pio0};

/// `out x, 1 side 0 [2]`, `jmp !x, 3 side 1 [1]`, `jmp 0 side 1 [4]`, `nop side 0 [4]`
/// (section 3.4).
const PROGRAM: [u32; 4] = [0x6221, 0x1123, 0x1400, 0xA442];
/// The instruction `set pindirs, 1`.
const SET_OUT: u32 = 0xE081;

/// 125 MHz divided by 15 and 160/256 gives 8 MHz.
const DIVIDER: u32 = (15 << 16) | (160 << 8);
/// Continues at the first instruction after the fourth.
const WRAP: u32 = 3 << 12;
/// Shifts out 24 bits of each word, the highest first, and then loads the next word
/// automatically; both FIFOs are joined.
const SHIFT: u32 = (1 << 30) | (24 << 25) | (1 << 17);
/// The pin is set by the side-set of each instruction, and by `set`.
const PINS: u32 = (1 << 29) | (1 << 26) | ((LIGHTS as u32) << 10) | ((LIGHTS as u32) << 5);
const RUN: u32 = 1;

/// The current that a Pico's USB port provides, in milliamperes.
pub const LIMIT_MA: u32 = 500;

/// The chain of lights, driven by PIO and DMA.
pub struct Leds {
    words: &'static mut [u32; MOST_LIGHTS],
    /// The time at which the next words can be sent, in microseconds.
    free_at_us: u32,
}

impl Leds {
    /// Takes over the pin. The words are stored in this memory.
    pub fn start(words: &'static mut [u32; MOST_LIGHTS]) -> Leds {
        gpio::hand_over(LIGHTS, Function::Pio0);
        for (number, instruction) in (0..).zip(PROGRAM) {
            pio0::instruction(number).write(instruction);
        }
        pio0::SM0_CLKDIV.write(DIVIDER);
        pio0::SM0_EXECCTRL.write(WRAP);
        pio0::SM0_SHIFTCTRL.write(SHIFT);
        pio0::SM0_PINCTRL.write(PINS);
        pio0::SM0_INSTR.write(SET_OUT);
        pio0::CTRL.write(RUN);
        Leds {
            words,
            free_at_us: TIMERAWL.read().wrapping_add(PAUSE_US),
        }
    }

    /// True if new lights can be sent.
    pub fn is_free(&self) -> bool {
        let late_us = TIMERAWL.read().wrapping_sub(self.free_at_us);
        late_us.cast_signed() >= 0 && !dma::is_busy()
    }

    /// Starts to send all lights of a board with this layout, if that is possible now.
    #[allow(unsafe_code)]
    pub fn show(&mut self, layout: Layout, seen: &Seen) {
        if !self.is_free() {
            return;
        }
        let count = words(layout, seen, LIMIT_MA, self.words);
        let words = &self.words[..count];
        // SAFETY: the array lives for ever, and is only written while the channel is
        // idle.
        unsafe { dma::start(words) };
        let takes_us = count as u32 * WORD_US + PAUSE_US;
        self.free_at_us = TIMERAWL.read().wrapping_add(takes_us);
    }
}

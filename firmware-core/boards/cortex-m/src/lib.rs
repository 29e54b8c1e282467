//! The code shared by all images for a Cortex-M.
//!
//! An image defines its `Chip`: its clock, its UART, its interrupt, and the type of
//! its board. Everything else is here, from the bottom up:
//!
//! 1. `registers`, `nvic`: the chip's registers, by number; `chip`: the definition of
//!    an image's chip.
//! 2. `uart`: the UART interface and the bytes that came and go; `pl011`: a UART that
//!    several chips have. `hosts`: which of two lines has the host. `store`: data kept
//!    over power-off; `journal`: in two sectors of flash; `pages`: in many pages of it;
//!    `stm32f4`: the flash controller of that family; `persistence`: which data of a
//!    board is kept. `light`: the brightness of lights, and their current limit;
//!    `ws2812`: a chain of them; `trellis`: tiles of keys with lights; `ht16k33`: a
//!    display; `pitch`: a counter that makes a tone. `last_words`: a message for the
//!    next host before a reset.
//! 3. `clock`, `boot`, `line`, `vectors`: milliseconds, starts, and bytes from
//!    interrupts.
//! 4. `copy`: copying memory. `image`: the loop of an image. `instructions`: the
//!    program that measures the cost of the image's code. `programs`: the entry points
//!    of the two.
//!
//! On a host only the modules that use no chip are available, for their tests:
//! `uart`, `hosts`, `store`, `journal`, `pages`, `stm32f4`, `persistence`, `light`,
//! `ws2812`, `trellis`, `ht16k33`, `pitch`, `last_words`.

#![cfg_attr(target_os = "none", no_std)]
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod hosts;
pub mod ht16k33;
pub mod journal;
pub mod last_words;
pub mod light;
pub mod pages;
pub mod persistence;
pub mod pitch;
pub mod stm32f4;
pub mod store;
pub mod trellis;
pub mod uart;
pub mod ws2812;

#[cfg(target_os = "none")]
pub mod boot;
#[cfg(target_os = "none")]
pub mod chip;
#[cfg(target_os = "none")]
pub mod clock;
// Only Armv7-M has the instructions of this module; its atomic exchange distinguishes it
// from Armv6-M.
#[cfg(all(target_os = "none", target_has_atomic = "32"))]
mod copy;
#[cfg(target_os = "none")]
pub mod image;
#[cfg(target_os = "none")]
pub mod instructions;
#[cfg(target_os = "none")]
pub mod line;
#[cfg(target_os = "none")]
pub mod nvic;
#[cfg(target_os = "none")]
pub mod pl011;
#[cfg(target_os = "none")]
mod programs;
#[cfg(target_os = "none")]
pub mod registers;
#[cfg(target_os = "none")]
pub mod vectors;

#[cfg(target_os = "none")]
pub use chip::Chip;
pub use hosts::NoSecondLine;
pub use store::{FlashStore, NoStore};
pub use uart::Uart;

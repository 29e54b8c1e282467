//! What every image for a Cortex-M shares.
//!
//! An image names its `Chip`: its clock, its UART, its interrupt, and which
//! board it holds. All else is here, from the bottom up:
//!
//! 1. `registers`, `nvic`: the chip's own things, by their numbers; `chip`: what an
//!    image says of it.
//! 2. `uart`: what is asked of a UART, and the bytes that came and go; `pl011`: a UART
//!    that several chips have.
//!    `hosts`: which of two lines the host is on.
//!    `store`: what is kept over power-off; `journal`: in two sectors of flash;
//!    `pages`: in many pages of it;
//!    `stm32f4`: the flash controller of that family; `persistence`: what of a board
//!    is in it. `light`: how bright lights are, and the current that they may take;
//!    `ws2812`: a chain of them; `trellis`: tiles of keys with lights; `ht16k33`: a
//!    display; `pitch`: a counter that makes one.
//!    `last_words`: what is said before a reset, for the next host.
//! 3. `clock`, `boot`, `line`, `vectors`: milliseconds, starts, and the bytes as an
//!    interrupt brings them.
//! 4. `copy`: how memory is copied. `image`: the loop of an image. `instructions`:
//!    the program that measures what the image's code costs. `programs`: the beginning of
//!    each of the two.
//!
//! On a host only what asks no chip is there, for its tests: `uart`, `hosts`, `store`,
//! `journal`, `pages`, `stm32f4`, `persistence`, `light`, `ws2812`, `trellis`, `ht16k33`,
//! `pitch`, `last_words`.

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
// Armv7-M differs from Armv6-M in its atomic exchange.
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

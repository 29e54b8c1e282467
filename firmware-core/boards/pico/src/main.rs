//! The touch board on the Raspberry Pi Pico. Its UART0 is the line to the host.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

use pico::{Own, Rp2040};

cortex_m_board::image_program!(Rp2040, Own);

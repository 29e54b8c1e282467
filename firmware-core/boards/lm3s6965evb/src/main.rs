//! The touch board on the LM3S6965 evaluation board, real or in QEMU. Its UART0
//! is the line to the host.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

use lm3s6965evb::{Lm3s6965, Own};

cortex_m_board::image_program!(Lm3s6965, Own);

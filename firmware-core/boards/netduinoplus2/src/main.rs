//! The touch board on the Netduino Plus 2, real or in QEMU. Its USART1
//! is the line to the host.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

use netduinoplus2::{Own, Stm32f405};

cortex_m_board::image_program!(Stm32f405, Own);

//! Measures the cost of the image's code; see `cortex_m_board::instructions`.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

use cortex_m_board::instructions::Unit;
use netduinoplus2::{Own, Stm32f405};

cortex_m_board::instructions_program!(Stm32f405, Own, Unit::Instruction);

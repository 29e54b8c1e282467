//! Measures the cost of the image's code; see `cortex_m_board::instructions`.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

use cortex_m_board::instructions::Unit;
use lm3s6965evb::{Lm3s6965, Own};

cortex_m_board::instructions_program!(Lm3s6965, Own, Unit::Instruction);

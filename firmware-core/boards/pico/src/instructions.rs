//! Measures the cost of the image's code; see `cortex_m_board::instructions`.

#![no_std]
#![no_main]
#![deny(unsafe_code)]

use cortex_m_board::instructions::Unit;
use pico::{Own, Rp2040};

cortex_m_board::instructions_program!(Rp2040, Own, Unit::Cycle);

//! `first`: a random legal cell. Every other bot should beat it.

#![no_std]

#[path = "../../template/src/interface.rs"]
mod interface;

use interface::{Cell, State};

fn choose(state: &State) -> Cell {
    let count = state.legal().count() as u64;
    // Every move of a game gets a different number.
    let number = state.seed.wrapping_add(u64::from(state.moves));
    let chosen = mixed(number) % count.max(1);
    state.legal().nth(chosen as usize).unwrap_or(0)
}

/// Mixes a number so that every bit of the result depends on every bit of the argument
/// (SplitMix64, Steele, Lea and Flood 2014).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

interface::bot!(choose);

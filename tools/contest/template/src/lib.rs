//! A bot that plays TicDabToe. To make your own, change [`choose`].
//!
//! `contest check FILE.wasm` reports whether it follows the interface.

#![no_std]

mod interface;

use interface::{Cell, State};

/// Chooses the cell to mark, one of `state.legal()`.
fn choose(state: &State) -> Cell {
    // The legal cell that draws the largest pseudo-random number. You can do better.
    let mut mixed = state.seed ^ u64::from(state.moves);
    let mut best = (0, None);
    for cell in state.legal() {
        mixed = mixed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        if best.1.is_none() || mixed >> 32 > best.0 {
            best = (mixed >> 32, Some(cell));
        }
    }
    // When it is your turn, there is always a legal cell.
    best.1.unwrap_or(0)
}

interface::bot!(choose);

//! Examines a game to make a plan of it.

use core::cell::Cell;

use firmware_core::cartridge::bytes::Cartridge;
use firmware_core::cartridge::machine::Machine;
use firmware_core::cartridge::span::Span;

use super::Plan;

/// The maker of a plan.
pub(super) struct Maker<'m, 'g, W: Span> {
    pub game: &'g Cartridge<'g>,
    pub machine: &'m mut Machine<'g, W>,
    pub plan: &'m mut Plan<'g, W>,
    /// How many nodes it still looks at: as each may be taken by many others, a small
    /// program may be a large tree.
    pub left: Cell<u32>,
}

/// How many nodes are looked at.
pub(super) const NODES: u32 = 100_000;

//! The state while a plan is made.

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
    /// Fuel, in nodes: as many nodes may share one, a small program can be a large tree.
    pub left: Cell<u32>,
}

/// The most nodes that are examined.
pub(super) const NODES: u32 = 100_000;

//! The state while a plan is built.

use core::cell::Cell;

use firmware_core::cartridge::bytes::Cartridge;
use firmware_core::cartridge::machine::Machine;
use firmware_core::word::Word;

use super::Plan;

/// Builds a plan.
pub(super) struct PlanBuilder<'m, 'g, W: Word> {
    pub game: &'g Cartridge<'g>,
    pub machine: &'m mut Machine<'g, W>,
    pub plan: &'m mut Plan<'g, W>,
    /// The number of nodes that may still be examined. Nodes can be shared, so a small
    /// program may be a large tree.
    pub left: Cell<u32>,
}

/// The maximum number of nodes examined.
pub(super) const NODES: u32 = 100_000;

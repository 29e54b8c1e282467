//! The second I2C controller (RP2040 data sheet, section 4.3.17).

use super::{Register, at};

/// Whose it is, and how fast.
pub const CON: Register = at(0x4004_8000);
/// TAR: the address of the target device.
pub const TAR: Register = at(0x4004_8004);
/// What it sends next, or that it reads, and whether that is the last; what it read.
pub const DATA_CMD: Register = at(0x4004_8010);
/// How long its clock is high.
pub const FS_SCL_HCNT: Register = at(0x4004_801C);
/// How long its clock is low.
pub const FS_SCL_LCNT: Register = at(0x4004_8020);
/// RAW_INTR_STAT: the interrupts that occurred, unmasked.
pub const RAW_INTR_STAT: Register = at(0x4004_8034);
/// Forgets, when it is read, that nobody answered.
pub const CLR_TX_ABRT: Register = at(0x4004_8054);
/// Forgets, when it is read, that the bus was given free.
pub const CLR_STOP_DET: Register = at(0x4004_8060);
/// ENABLE: whether the controller is enabled.
pub const ENABLE: Register = at(0x4004_806C);
/// STATUS: the activity of the controller.
pub const STATUS: Register = at(0x4004_8070);
/// How many bytes it read.
pub const RXFLR: Register = at(0x4004_8078);
/// How long data stay after the clock fell.
pub const SDA_HOLD: Register = at(0x4004_807C);
/// What is too short to be a change.
pub const FS_SPKLEN: Register = at(0x4004_80A0);

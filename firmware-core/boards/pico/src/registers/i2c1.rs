//! The second I2C controller (RP2040 data sheet, section 4.3.17).

use super::{Register, at};

/// CON: role and mode of the controller.
pub const CON: Register = at(0x4004_8000);
/// TAR: the address of the target device.
pub const TAR: Register = at(0x4004_8004);
/// DATA_CMD: the next byte to send, or a request to read, with a flag for the last one;
/// also the received bytes.
pub const DATA_CMD: Register = at(0x4004_8010);
/// FS_SCL_HCNT: how long the clock is high.
pub const FS_SCL_HCNT: Register = at(0x4004_801C);
/// FS_SCL_LCNT: how long the clock is low.
pub const FS_SCL_LCNT: Register = at(0x4004_8020);
/// RAW_INTR_STAT: the interrupts that occurred, unmasked.
pub const RAW_INTR_STAT: Register = at(0x4004_8034);
/// CLR_TX_ABRT: a read clears TX_ABRT, which says that nobody answered.
pub const CLR_TX_ABRT: Register = at(0x4004_8054);
/// CLR_STOP_DET: a read clears STOP_DET, which says that the bus was released.
pub const CLR_STOP_DET: Register = at(0x4004_8060);
/// ENABLE: whether the controller is enabled.
pub const ENABLE: Register = at(0x4004_806C);
/// STATUS: the activity of the controller.
pub const STATUS: Register = at(0x4004_8070);
/// RXFLR: the number of bytes received.
pub const RXFLR: Register = at(0x4004_8078);
/// SDA_HOLD: how long data stays stable after the falling edge.
pub const SDA_HOLD: Register = at(0x4004_807C);
/// FS_SPKLEN: the longest spike that is suppressed.
pub const FS_SPKLEN: Register = at(0x4004_80A0);

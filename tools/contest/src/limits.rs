//! The resource limits of bots.

use clap::Args;
use serde::{Deserialize, Serialize};

/// The limits of every bot. They are part of a contest's description in its journal.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The time for a move in milliseconds of real time; the start of a bot belongs to
    /// its first move
    #[arg(long, value_name = "MS", default_value_t = 15_000,
        value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub move_ms: u64,
    /// The fuel for a move of a WebAssembly bot: about one unit per instruction
    #[arg(long, value_name = "UNITS", default_value_t = 5_000_000_000,
        value_parser = clap::value_parser!(u64).range(1..=1 << 53))]
    pub fuel: u64,
    /// The memory of a WebAssembly bot, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..=4_096))]
    pub wasm_mib: u32,
    /// The memory of a bot that is a process, in MiB, if the system can limit it
    #[arg(long, value_name = "MIB", default_value_t = 1_024,
        value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub process_mib: u32,
    /// Allow processes to have threads; some languages cannot start without
    #[arg(long)]
    pub allow_threads: bool,
}

#[cfg(test)]
impl Limits {
    /// Limits for a test, in which a bot that hangs costs little time.
    pub const TEST: Limits = Limits {
        move_ms: 10_000,
        fuel: 50_000_000,
        wasm_mib: 4,
        process_mib: 256,
        allow_threads: false,
    };
}

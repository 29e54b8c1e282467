//! The resource limits of bots.

use clap::Args;
use serde::{Deserialize, Serialize};

/// Limits of every bot; they are part of a contest and stand in its journal.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The time of a move by the clock on the wall, in milliseconds; the start of
    /// a bot is a part of its first move
    #[arg(long, value_name = "MS", default_value_t = 15_000,
        value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub move_ms: u64,
    /// The fuel of a move for a WebAssembly bot: about one unit an instruction
    #[arg(long, value_name = "UNITS", default_value_t = 5_000_000_000,
        value_parser = clap::value_parser!(u64).range(1..=1 << 53))]
    pub fuel: u64,
    /// The memory of a WebAssembly bot, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..=4_096))]
    pub wasm_mib: u32,
    /// The memory of a bot that is a process, in MiB, where the system can limit it
    #[arg(long, value_name = "MIB", default_value_t = 1_024,
        value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub process_mib: u32,
    /// Let processes have threads: some languages cannot start without
    #[arg(long)]
    pub allow_threads: bool,
}

#[cfg(test)]
impl Limits {
    /// Limits for a test: a bot that hangs costs it little.
    pub const TEST: Limits = Limits {
        move_ms: 10_000,
        fuel: 50_000_000,
        wasm_mib: 4,
        process_mib: 256,
        allow_threads: false,
    };
}

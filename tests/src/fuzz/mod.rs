//! The fuzz targets: all code that takes bytes from outside.
//!
//! Each [`Target`] is a function that is used in two ways: the tests of this package call
//! it with nearly valid bytes, and the fuzzer of `tests/fuzz` explores the code for as
//! long as it may run (`cargo xtask fuzz`).
//!
//! Invariants: a target panics if its property does not hold; it behaves in the same way
//! each time it gets the same bytes; it ends soon.

use law::Judged;
use protocol::{ToDevice, ToHost};

use crate::inserted;

mod board;
mod line;
mod outside;
mod programs;
mod sharing;
mod text;

/// A part of the code that can be fuzzed.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the target, which is also that of the fuzzer's program.
    pub name: &'static str,
    /// Checks the property with these bytes, and returns whether they were relevant.
    pub holds: fn(&[u8]) -> Judged,
    /// Relevant bytes to start from.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All targets: first those of a board and its line, then those of files, devices, the
/// other end of a shared board, and programs.
pub const TARGETS: [Target; 24] = [
    Target {
        name: "receiver",
        holds: line::receiver,
        seeds: line::streams,
    },
    Target {
        name: "to_device",
        holds: line::decodes::<ToDevice>,
        seeds: line::messages_of_a_host,
    },
    Target {
        name: "to_host",
        holds: line::decodes::<ToHost>,
        seeds: line::messages_of_a_device,
    },
    Target {
        name: "snapshot",
        holds: board::snapshot,
        seeds: board::states,
    },
    Target {
        name: "drawing",
        holds: text::drawing,
        seeds: text::drawings,
    },
    Target {
        name: "cartridge",
        holds: inserted::holds,
        seeds: inserted::seeds,
    },
    Target {
        name: "session",
        holds: text::session,
        seeds: text::sessions,
    },
    Target {
        name: "shell",
        holds: text::shell,
        seeds: text::scripts,
    },
    Target {
        name: "board",
        holds: board::board,
        seeds: board::plays,
    },
    Target {
        name: "wire_log",
        holds: outside::wire_log,
        seeds: outside::wire_logs,
    },
    Target {
        name: "pcapng",
        holds: outside::wire_log,
        seeds: outside::captures,
    },
    Target {
        name: "vcd",
        holds: outside::vcd,
        seeds: outside::waveforms,
    },
    Target {
        name: "game_text",
        holds: outside::game_text,
        seeds: outside::game_texts,
    },
    Target {
        name: "panel",
        holds: outside::panel,
        seeds: outside::panels,
    },
    Target {
        name: "faults",
        holds: outside::faults,
        seeds: outside::texts_of_faults,
    },
    Target {
        name: "saved_board",
        holds: outside::saved_board,
        seeds: outside::saved_boards,
    },
    Target {
        name: "position_text",
        holds: outside::position_text,
        seeds: outside::texts_of_positions,
    },
    Target {
        name: "rfc2217",
        holds: sharing::rfc2217,
        seeds: sharing::streams,
    },
    Target {
        name: "greeting",
        holds: sharing::greeting,
        seeds: sharing::greetings,
    },
    Target {
        name: "uf2",
        holds: programs::uf2,
        seeds: programs::uf2_files,
    },
    Target {
        name: "kept_board",
        holds: programs::kept_board,
        seeds: programs::kept_boards,
    },
    Target {
        name: "monitor",
        holds: programs::monitor,
        seeds: programs::monitors,
    },
    Target {
        name: "recorded_game",
        holds: programs::recorded_game,
        seeds: programs::recorded_games,
    },
    Target {
        name: "picture",
        holds: programs::picture,
        seeds: programs::pictures,
    },
];

/// The target of this name.
///
/// # Panics
/// If there is no such target.
#[must_use]
pub fn target(name: &str) -> Target {
    let found = TARGETS.into_iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("there is no target {name}"))
}

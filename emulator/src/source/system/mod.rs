//! The window's access to an operating system: places of boards, threads, and files.
//!
//! Two modules have the same interface: `desktop` with the feature of that name, and
//! `bare` without it, for a process that has nothing else. Other code does not know which
//! one is used, so their common interface is everything that [`source`](super) uses
//! except for what `desktop` adds.

#[cfg(not(feature = "desktop"))]
pub mod bare;
#[cfg(feature = "desktop")]
pub mod desktop;

#[cfg(not(feature = "desktop"))]
pub use bare::{
    At, GameFileError, LineClient, Shrinking, SlicedWork, Stamp, SystemPlugin, TripThread, Where,
    check_place, chip_memory, dial, let_go, line_faults_of, open_core, read, set_out, with_record,
};
#[cfg(feature = "desktop")]
pub use desktop::{
    At, GameFileError, LineClient, Shrinking, SlicedWork, Stamp, SystemPlugin, TripThread, Where,
    check_place, chip_memory, dial, let_go, line_faults_of, open_core, read, set_out, with_record,
};

/// Called in the middle of a slice of long work. Returns false if the work was cancelled.
pub type GoesOn<'a> = &'a dyn Fn() -> bool;

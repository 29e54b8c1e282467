//! What the window has of an operating system: places where a board can be, threads,
//! and files.
//!
//! Two modules answer the same questions: `desktop` with the feature of that name, and
//! `bare` without it, where there is this process and nothing else. Whoever asks does
//! not know which of them answers, so what they have in common is the whole of
//! [`source`](super) but for what `desktop` adds.

#[cfg(not(feature = "desktop"))]
mod bare;
#[cfg(feature = "desktop")]
pub mod desktop;

#[cfg(not(feature = "desktop"))]
pub use bare::{At, Job, Stamp, SystemPlugin, Where, let_go, open, read};
#[cfg(feature = "desktop")]
pub use desktop::{At, Job, Stamp, SystemPlugin, Where, let_go, open, read};

/// Asked in the middle of a slice of long work: whether anybody still waits for it.
pub type GoesOn<'a> = &'a dyn Fn() -> bool;

//! The image that these tests run, and whether an emulated chip is available.

use std::path::PathBuf;

pub use law::excuse;
use touchboard_links::pico::{self, set_up};

/// The image that `cargo xtask firmware` built.
pub fn image() -> PathBuf {
    pico::find_image().unwrap_or_else(|error| panic!("{error}"))
}

/// True if no emulated chip is available; prints that the test is skipped.
pub fn is_excused(test: &str) -> bool {
    let is_set_up = set_up::is_set_up(&image());
    if !is_set_up {
        excuse(test, set_up::MISSING);
    }
    !is_set_up
}

//! The workbench's access to an operating system: lines to boards, and files.
//!
//! Two modules have the same interface, as in `source/system`: `desktop` with the feature
//! of that name, and `bare` without it, which shows none of these.

#[cfg(not(feature = "desktop"))]
mod bare;
#[cfg(feature = "desktop")]
pub mod desktop;

#[cfg(not(feature = "desktop"))]
pub use bare::{
    HAS_LINES, Saving, SystemForms, WHO_HAS_ALL, again, board_card, console, save_button,
    save_timeline_button, saved, show_form, shrink_button, why_slow,
};
#[cfg(feature = "desktop")]
pub use desktop::{
    HAS_LINES, Saving, SystemForms, WHO_HAS_ALL, again, board_card, console, save_button,
    save_timeline_button, saved, show_form, shrink_button, why_slow,
};

//! The subcommands, a file each: what they take, and what they print.

use hil_bridge::Where;
pub use hil_bridge::shell::Ending;
use indicatif::{ProgressBar, ProgressStyle};

pub mod bench;
pub mod check;
pub mod info;
pub mod mirror;
pub mod ports;
pub mod record;
pub mod replay;
pub mod shell;

/// What a subcommand comes to; an error is exit code 2.
pub type Done = anyhow::Result<Ending>;

/// Sends the log to the standard error, if the line is to be traced.
pub fn set_up(place: &Where) {
    if place.line.trace {
        let log = tracing_subscriber::fmt()
            .with_writer(std::io::stderr)
            .with_max_level(tracing::Level::DEBUG)
            .without_time()
            .with_target(false);
        // Only fails if there is a log already.
        let _ = log.try_init();
    }
}

/// A bar on the standard error; nothing where that is no terminal.
pub fn bar(length: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let template = format!("{{bar:40}} {{pos}}/{{len}} {what} {{msg}} ({{eta}} left)");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

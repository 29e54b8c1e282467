//! How commands are written, and what they do.

use core::fmt::Write;

use touchboard_host::position;
use touchboard_host::wrap::wrapped;

use crate::command::{ENTRIES, HelpEntry};

/// The entries of all commands, or of one.
pub(super) fn entries(one: Option<&'static HelpEntry>) -> impl Iterator<Item = &'static HelpEntry> {
    ENTRIES
        .iter()
        .filter(move |entry| one.is_none_or(|one| one == *entry))
}

/// How positions are written of the games that have a form of their own, where it is
/// asked how positions are.
pub(super) fn own_forms(one: Option<&'static HelpEntry>) -> impl Iterator<Item = &'static str> {
    let is_asked = one.is_some_and(|entry| entry.word == "position");
    position::usages().filter(move |_| is_asked)
}

/// As wide as a terminal is at least.
pub(super) const HELP_COLUMNS: usize = 80;
/// Columns of how commands are written, before what they do.
const USAGE_COLUMNS: usize = 24;

/// All commands, or one, in lines of at most `columns` characters.
pub(super) fn help(one: Option<&'static HelpEntry>, columns: usize) -> String {
    // Beside what is narrower than this nothing is read with ease: it goes below.
    const LEAST: usize = 24;
    let most = columns.saturating_sub(LEAST + 2);
    let width = match one {
        Some(entry) => entry.usage.len().min(columns / 2).min(most),
        None => USAGE_COLUMNS.min(most),
    };
    let width = width.max(4);
    let mut text = String::new();
    for entry in entries(one) {
        let (usage, about) = (entry.usage, entry.about);
        let mut lines = wrapped(about, columns.saturating_sub(width + 2)).into_iter();
        if usage.len() > width {
            for line in wrapped(usage, columns) {
                let _ = writeln!(text, "{line}");
            }
        } else {
            let first = lines.next().unwrap_or_default();
            let _ = writeln!(text, "{usage:width$}  {first}");
        }
        for line in lines {
            let _ = writeln!(text, "{:width$}  {line}", "");
        }
    }
    for usage in own_forms(one) {
        for (n, line) in wrapped(usage, columns - 2).into_iter().enumerate() {
            let _ = writeln!(text, "{}{line}", if n == 0 { "" } else { "  " });
        }
    }
    text
}

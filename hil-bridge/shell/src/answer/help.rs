//! The syntax of commands, and their effects.

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

/// The syntax of positions for games with a form of their own, if help about `position` was
/// requested.
pub(super) fn own_forms(one: Option<&'static HelpEntry>) -> impl Iterator<Item = &'static str> {
    let is_asked = one.is_some_and(|entry| entry.word == "position");
    position::usages().filter(move |_| is_asked)
}

/// The minimum width of the help, in columns.
pub(super) const HELP_COLUMNS: usize = 80;
/// The width of the column with the syntax, before the effects.
const USAGE_COLUMNS: usize = 24;

/// The help for all commands, or for one, in lines of at most `columns` characters.
pub(super) fn help(one: Option<&'static HelpEntry>, columns: usize) -> String {
    // In a narrower column the effects would be hard to read, so they go below the syntax.
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

//! Why a text names no point of a layout.

use core::fmt;

use super::{Layout, Letters, Name};

/// The error for a text that names no point of the layout. It holds the names that its
/// sentence needs, so the sentence stays the same when the drawing of the layout is no
/// longer known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointError {
    /// The layout in which the name was looked up.
    pub layout: Layout,
    /// The name of the missing point; `None` if the text is not a name.
    pub name: Option<Name>,
    /// The first and last name; `None` if the layout has no points.
    ends: Option<[Name; 2]>,
    /// The last column.
    column: u8,
    /// The first and last name in the row of the missing point, if it has points.
    row: Option<[Name; 2]>,
}

impl PointError {
    pub(super) fn new(layout: Layout, name: Option<Name>) -> PointError {
        let names = || layout.iter().map(|point| layout.name(point));
        let in_row = |own: &Name| Some(own.row) == name.map(|asked| asked.row);
        let ends = names().min().zip(names().max());
        let row = names().filter(in_row).min();
        let row = row.zip(names().filter(in_row).max());
        PointError {
            layout,
            name,
            ends: ends.map(Into::into),
            column: names().map(|name| name.column).max().unwrap_or_default(),
            row: row.map(Into::into),
        }
    }
}

impl fmt::Display for PointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some([first, last]) = self.ends else {
            return f.write_str("no such point: this board has none");
        };
        f.write_str("no such point: this board has ")?;
        if self.layout.sides().is_some() {
            return write!(f, "{first} to {last}");
        }
        let (last_letters, rows) = (Letters(self.column), last.number());
        write!(f, "columns a to {last_letters} and rows 1 to {rows}")?;
        match self.row {
            Some([first, last]) if (first.column, last.column) != (0, self.column) => {
                write!(f, "; row {} goes from {first} to {last}", first.number())
            }
            _ => Ok(()),
        }
    }
}

impl core::error::Error for PointError {}

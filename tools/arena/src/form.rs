//! The form in which a subcommand prints its results.

/// A table for a person, or lines for a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArenaForm {
    /// A table.
    Table,
    /// One JSON object per line.
    Json,
}

impl ArenaForm {
    /// True for lines of JSON.
    pub fn is_json(self) -> bool {
        self == ArenaForm::Json
    }
}

//! The panes of the dock, under the names used by keys, options, files and the dock
//! itself.

use serde::{Deserialize, Serialize};

/// A pane of the dock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pane {
    /// The board itself.
    Board,
    /// The session as a strip, with waveforms below it.
    Timeline,
    /// All fields of the board's state.
    State,
    /// The thoughts of the board's own player.
    Thinking,
    /// The differences between board and twin.
    Twin,
    /// The injected faults of board and line.
    Faults,
    /// The traffic on the line to the board.
    Line,
    /// Commands of the shell's language and their answers.
    Console,
}

impl Pane {
    /// The panes that can be opened and closed.
    pub const TOOLS: &[Pane] = &[
        Pane::Timeline,
        Pane::State,
        Pane::Thinking,
        Pane::Twin,
        Pane::Faults,
        Pane::Line,
        #[cfg(feature = "desktop")]
        Pane::Console,
    ];

    /// The wide panes, which open below the board.
    pub(crate) const WIDE: [Pane; 3] = [Pane::Timeline, Pane::Line, Pane::Console];

    /// The title on its tab.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Pane::Board => "Board",
            Pane::Timeline => "Timeline",
            Pane::State => "State",
            Pane::Thinking => "Thinking",
            Pane::Twin => "Twin",
            Pane::Faults => "Faults",
            Pane::Line => "Line",
            Pane::Console => "Console",
        }
    }

    /// The name in options and files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Pane::Board => "board",
            Pane::Timeline => "timeline",
            Pane::State => "state",
            Pane::Thinking => "thinking",
            Pane::Twin => "twin",
            Pane::Faults => "faults",
            Pane::Line => "line",
            Pane::Console => "console",
        }
    }

    /// A short description of its purpose.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Pane::Board => "The board",
            Pane::Timeline => "The whole session, waveforms, marks and branches",
            Pane::State => "Every field of the board's state, and what just changed",
            Pane::Thinking => "What the board's player has found, drawn on the board",
            Pane::Twin => "Where the board and its twin differ",
            Pane::Faults => "Break contacts, lights, clock, power or the line on purpose",
            Pane::Line => "What crosses the line to the board: frames, errors and times",
            Pane::Console => "Commands in the shell's language, and their answers",
        }
    }
}

//! A copy of the board for inspection: its state as named fields, which of them changed
//! in the last step, what its player has found, and the difference between board and
//! twin.
//!
//! Invariants: while time is frozen, the copy is of the current moment; a field counts as
//! changed if it differs from the previously inspected moment.

use std::sync::Arc;
use std::time::Duration;

use bevy::platform::collections::HashMap;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use firmware_core::AnyBoard;
use firmware_core::thought::Thought;
use protocol::{Point, Tick};
use touchboard_host::compare::state_differences;
use touchboard_host::divergence::NamedDifference;
use touchboard_host::expected;
use touchboard_host::session::{Session, SessionItem};
use touchboard_host::state_fields::{StateField, StatePart, fields_of, parts_of};
use touchboard_host::words;

use super::super::dock::{Dock, Pane};
use super::super::style;
use crate::source::{AtLine, BoardTime, Parted, Shown, ShownBoard};

/// The number of inputs before the difference that are listed.
const INPUTS: usize = 8;
/// The interval between two copies while time runs.
const EVERY: Duration = Duration::from_millis(100);

/// The copy of the board, and what is derived from it.
#[derive(Resource, Default)]
pub struct Inspected {
    board: Option<AnyBoard>,
    fields: Vec<StateField>,
    parts: Vec<StatePart>,
    thought: Option<Thought>,
    /// The expected line, starting with the player's own move.
    line: Vec<Point>,
    /// The earlier values of the fields that changed in the last step, by path.
    before: HashMap<String, String>,
    looked_at: Option<(Tick, Instant)>,
    parted: Option<Arc<PartedView>>,
}

/// The first difference of board and twin, with its description; computed once.
pub struct PartedView {
    /// The states of both boards.
    pub parted: Parted,
    /// All fields in which these states differ.
    pub fields: Vec<NamedDifference>,
    /// The last inputs before the difference, in words.
    pub done: Vec<String>,
}

impl Inspected {
    /// The copy; `None` if the board is not known, or no pane that inspects it is
    /// visible.
    #[must_use]
    pub fn board(&self) -> Option<&AnyBoard> {
        self.board.as_ref()
    }

    /// Every field of the state.
    #[must_use]
    pub fn fields(&self) -> &[StateField] {
        &self.fields
    }

    /// The parts of the state, with the size of each in bytes.
    #[must_use]
    pub fn parts(&self) -> &[StatePart] {
        &self.parts
    }

    /// The value of a field before the last step, if the step changed it.
    #[must_use]
    pub fn before(&self, path: &str) -> Option<&str> {
        self.before.get(path).map(String::as_str)
    }

    /// What the board's own player has found so far.
    #[must_use]
    pub fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }

    /// The expected line, starting with the player's own move.
    #[must_use]
    pub fn line(&self) -> &[Point] {
        &self.line
    }

    /// The first difference of board and twin.
    #[must_use]
    pub fn parted(&self) -> Option<Arc<PartedView>> {
        self.parted.clone()
    }

    /// Inspects the state of a board.
    pub fn inspect(&mut self, board: Option<AnyBoard>) {
        let fields = match &board {
            Some(board) => fields_of(board, board.layout()),
            None => Vec::new(),
        };
        let moved = match (&self.board, &board) {
            (Some(before), Some(now)) => before.digest() != now.digest(),
            _ => true,
        };
        if moved {
            let old = std::mem::take(&mut self.fields).into_iter();
            let mut old: HashMap<String, String> =
                old.map(|field| (field.path, field.value)).collect();
            let is_first = old.is_empty();
            let changed = fields.iter().filter_map(|field| {
                // A field that is new belongs to a structure that has been replaced.
                let was = old.remove(&field.path);
                let was = was.unwrap_or_else(|| "none".to_owned());
                (was != field.value && !is_first).then(|| (field.path.clone(), was))
            });
            self.before = changed.collect();
            self.fields = fields;
            self.parts = board.as_ref().map_or_else(Vec::new, parts_of);
        }
        self.thought = board.as_ref().and_then(AnyBoard::thought);
        let line = |board: &AnyBoard| {
            let thought = self
                .thought
                .as_ref()
                .filter(|thought| !thought.is_empty())?;
            Some(expected::line(board, thought))
        };
        self.line = board.as_ref().and_then(line).unwrap_or_default();
        self.board = board;
    }

    /// Stores the first difference of board and twin, and the inputs just before.
    pub fn part(&mut self, parted: Option<&Parted>, done: impl FnOnce(&Parted) -> Vec<String>) {
        let known = self.parted.as_ref().map(|known| known.parted.tick);
        if known == parted.map(|parted| parted.tick) {
            return;
        }
        self.parted = parted.map(|parted| {
            Arc::new(PartedView {
                parted: parted.clone(),
                fields: state_differences(&parted.twin, &parted.board),
                done: done(parted),
            })
        });
    }
}

/// Reads the board while a pane that needs it is visible.
pub fn follow(
    board: Option<ResMut<ShownBoard>>,
    (clock, shown, dock): (Res<BoardTime>, Res<Shown>, Res<Dock>),
    mut inspected: ResMut<Inspected>,
) {
    let Some(mut board) = board else { return };
    if dock.is_seen(Pane::Twin) || dock.is_seen(Pane::State) {
        let source = &board.0;
        let done = |parted: &Parted| {
            let session = source.session();
            session.map_or_else(|_| Vec::new(), |session| done_before(&session, parted.tick))
        };
        let inspected = inspected.bypass_change_detection();
        let parted = source.at_line().and_then(AtLine::parted);
        inspected.part(parted, done);
    }
    if ![Pane::State, Pane::Thinking]
        .iter()
        .any(|pane| dock.is_seen(*pane))
    {
        if inspected.board.is_some() {
            *inspected = Inspected {
                parted: inspected.parted.take(),
                ..Inspected::default()
            };
        }
        return;
    }
    let is_known = match inspected.looked_at {
        Some((tick, _)) if shown.pace.frozen => tick == clock.0 && !shown.is_changed(),
        Some((_, at)) => at.elapsed() < EVERY,
        None => false,
    };
    if is_known {
        return;
    }
    let copy = board.bypass_change_detection().0.copy();
    inspected.looked_at = Some((clock.0, Instant::now()));
    inspected.inspect(copy);
}

/// The last deeds up to this tick in words, oldest first.
fn done_before(session: &Session, tick: Tick) -> Vec<String> {
    let layout = session.header.layout.layout();
    let done = session.entries.iter().filter(|entry| entry.tick <= tick);
    let done: Vec<String> = done
        .filter_map(|entry| match &entry.item {
            SessionItem::Do(deed) => {
                let what = words::deed(deed, layout);
                Some(format!("{} s  {what}", style::seconds(entry.tick)))
            }
            _ => None,
        })
        .collect();
    done[done.len().saturating_sub(INPUTS)..].to_vec()
}

#[cfg(test)]
mod tests {
    use firmware_core::silent;
    use protocol::{Button, Deed, Input, Layout};

    use super::*;

    #[test]
    fn a_step_marks_exactly_the_fields_it_changed() {
        let mut board = AnyBoard::new(Layout::MALDOO, 1).unwrap();
        let mut inspected = Inspected::default();
        inspected.inspect(Some(board.clone()));
        assert!(inspected.before.is_empty());
        board
            .carry_out(&Deed::Input(Input::Press(Button::Level)), &mut silent)
            .unwrap();
        inspected.inspect(Some(board.clone()));
        assert_eq!(inspected.before("panel.settings.level"), Some("0"));
        assert_eq!(inspected.before("panel.settings.game"), None);
        assert_eq!(inspected.before("seed"), None);
        // Inspecting the same moment again forgets nothing.
        inspected.inspect(Some(board.clone()));
        assert_eq!(inspected.before("panel.settings.level"), Some("0"));
        board.advance(1, &mut silent);
        inspected.inspect(Some(board.clone()));
        assert_eq!(inspected.before("panel.settings.level"), None);
        // All fields of a new structure count as changed.
        board
            .carry_out(&Deed::Input(Input::Press(Button::Start)), &mut silent)
            .unwrap();
        inspected.inspect(Some(board));
        assert_eq!(inspected.before("referee.behind"), Some("none"));
    }
}

//! A view of a record's frames: the state shared by the screen in a terminal and the
//! panel in the window.

use super::{LineDirection, LineFilter, LineFrame, LineRecord, way_word};

/// Groups of message kinds to show, with their names; the first shows all.
pub const KINDS: [(&str, &[&str]); 6] = [
    ("all", &[]),
    ("requests", &["request"]),
    ("replies", &["reply"]),
    ("events", &["event"]),
    ("lights", &["frame", "delta"]),
    ("others", &["hello", "log", "panic", "busy"]),
];

/// An action in the view, from a key or a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineViewAction {
    /// Shows the next of: both directions, to the board, to the host.
    Direction,
    /// Switches between frames with errors and all frames.
    Errors,
    /// Shows the next of [`KINDS`].
    Kind,
    /// Switches between showing the bytes next to the words, and more words.
    Bytes,
    /// Pauses the view while frames arrive, or follows them again.
    Pause,
    /// Scrolls back by this many frames.
    Older(usize),
    /// Scrolls forward by this many frames.
    Newer(usize),
}

/// The visible part of a line's traffic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineView {
    /// The filter that selects the visible frames.
    pub filter: LineFilter,
    /// True if the bytes of the frames are shown.
    pub has_bytes: bool,
    /// The number of the first frame after the view, if it is paused.
    pub until: Option<u64>,
}

impl Default for LineView {
    fn default() -> LineView {
        LineView::new(LineFilter::default())
    }
}

impl LineView {
    /// A view that follows the newest frames.
    #[must_use]
    pub fn new(filter: LineFilter) -> LineView {
        LineView {
            filter,
            has_bytes: true,
            until: None,
        }
    }

    /// The frames that fill this many rows, oldest first.
    #[must_use]
    pub fn rows(&self, record: &LineRecord, rows: usize) -> Vec<LineFrame> {
        let mut seen: Vec<LineFrame> = self
            .newest(record)
            .take(rows)
            .map(|(_, frame)| frame.clone())
            .collect();
        seen.reverse();
        seen
    }

    /// The frames that the filter accepts, newest first.
    fn newest<'a>(&'a self, record: &'a LineRecord) -> impl Iterator<Item = (u64, &'a LineFrame)> {
        let until = self.until.unwrap_or(u64::MAX);
        let all = record.frames_from(0).rev();
        all.filter(move |(number, frame)| *number < until && self.filter.shows(frame))
    }

    /// Carries out an action, with this many rows visible.
    pub fn act(&mut self, action: LineViewAction, record: &LineRecord, rows: usize) {
        match action {
            LineViewAction::Direction => {
                self.filter.direction = match self.filter.direction {
                    None => Some(LineDirection::ToBoard),
                    Some(LineDirection::ToBoard) => Some(LineDirection::FromBoard),
                    Some(LineDirection::FromBoard) => None,
                };
            }
            LineViewAction::Errors => self.filter.errors_only ^= true,
            LineViewAction::Kind => self.next_kind(),
            LineViewAction::Bytes => self.has_bytes ^= true,
            LineViewAction::Pause => {
                self.until = match self.until {
                    None => Some(record.count()),
                    Some(_) => None,
                };
            }
            LineViewAction::Older(frames) => self.go_back(frames, record, rows),
            LineViewAction::Newer(frames) => self.go_on(frames, record),
        }
    }

    fn next_kind(&mut self) {
        let shown = KINDS
            .iter()
            .position(|(_, kinds)| self.filter.kinds == *kinds);
        let (_, next) = KINDS[shown.map_or(0, |shown| (shown + 1) % KINDS.len())];
        self.filter.kinds = next.iter().map(|kind| (*kind).to_owned()).collect();
    }

    /// Scrolls back, at most until the oldest frame is in the first row.
    fn go_back(&mut self, frames: usize, record: &LineRecord, rows: usize) {
        let numbers: Vec<u64> = self.newest(record).map(|(number, _)| number).collect();
        let most = numbers.len().saturating_sub(rows);
        let place = frames.min(most);
        let number = numbers
            .get(place)
            .map_or(record.count(), |number| number + 1);
        self.until = Some(number);
    }

    fn go_on(&mut self, frames: usize, record: &LineRecord) {
        let Some(until) = self.until else {
            return;
        };
        let newer = record.frames_from(until);
        let mut shown = newer.filter(|(_, frame)| self.filter.shows(frame));
        // A view that ends with the newest frame follows new ones again.
        self.until = shown
            .nth(frames.saturating_sub(1))
            .map(|(number, _)| number + 1);
    }

    /// The direction of the visible frames, in words.
    #[must_use]
    pub fn ways(&self) -> &'static str {
        self.filter.direction.map_or("both ways", way_word)
    }

    /// The name of the visible kinds.
    #[must_use]
    pub fn kinds(&self) -> String {
        let is_shown = |(_, kinds): &&(&str, &[&str])| self.filter.kinds == *kinds;
        let known = KINDS.iter().find(is_shown);
        known.map_or_else(
            || self.filter.kinds.join(", "),
            |(name, _)| (*name).to_owned(),
        )
    }
}

//! Which frames of a record somebody looks at: what a screen in a terminal and a panel of
//! the window have in common.

use super::{LineDirection, LineFilter, LineFrame, LineRecord, way_word};

/// Kinds of messages that one looks at together, each with its name; the first is all.
pub const KINDS: [(&str, &[&str]); 6] = [
    ("all", &[]),
    ("requests", &["request"]),
    ("replies", &["reply"]),
    ("events", &["event"]),
    ("lights", &["frame", "delta"]),
    ("others", &["hello", "log", "panic", "busy"]),
];

/// Something to do, from a key or a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineViewAction {
    /// The next of: both directions, to the board, to the host.
    Direction,
    /// Only what went wrong, or all.
    Errors,
    /// Chooses the next of [`KINDS`].
    Kind,
    /// Bytes beside the words, or more words.
    Bytes,
    /// Stands still while frames go on, or follows them.
    Pause,
    /// Back by so many frames.
    Older(usize),
    /// Scrolls forward by so many frames.
    Newer(usize),
}

/// What is seen of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineView {
    /// The filter that selects the visible frames.
    pub filter: LineFilter,
    /// True if their bytes are seen, too.
    pub has_bytes: bool,
    /// The number of the first frame that is not seen, while it stands still.
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

    /// The frames that are seen in so many rows, oldest first.
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

    /// The frames that the filter shows, the newest first.
    fn newest<'a>(&'a self, record: &'a LineRecord) -> impl Iterator<Item = (u64, &'a LineFrame)> {
        let until = self.until.unwrap_or(u64::MAX);
        let all = record.frames_from(0).rev();
        all.filter(move |(number, frame)| *number < until && self.filter.shows(frame))
    }

    /// Does something, where so many rows are seen.
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

    /// No further than to where the oldest frame is in the first row.
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
        // One more than there are is the newest, which are followed from then on.
        self.until = shown
            .nth(frames.saturating_sub(1))
            .map(|(number, _)| number + 1);
    }

    /// Which way the frames go that are shown.
    #[must_use]
    pub fn ways(&self) -> &'static str {
        self.filter.direction.map_or("both ways", way_word)
    }

    /// The name of the kinds that are shown.
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

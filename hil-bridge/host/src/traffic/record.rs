//! The record of a line: its wire frames in order, and their statistics.

use std::collections::VecDeque;

use super::figures::Tally;
use super::follow::{FollowedLine, Marks};
use super::words::{Context, is_trouble, number_and_tick};
use super::{
    BOTH_WAYS, LineDirection, LineFigures, LineFrame, LineItem, LineMedium, LineMessage,
    MessageName, NoMessage, Splitter,
};

/// The number of frames kept; older ones are only counted. A game sends some tens a second.
const FRAMES_KEPT: usize = 50_000;

/// The record of a line.
pub struct LineRecord {
    splitters: [Splitter; 2],
    followed: FollowedLine,
    context: Context,
    tally: Tally,
    frames: VecDeque<LineFrame>,
    /// The number of frames dropped from the front.
    forgotten: u64,
    /// The time of the last item.
    now_us: u64,
}

impl LineRecord {
    /// An empty record of a line of this kind.
    #[must_use]
    pub fn new(kind: LineMedium) -> LineRecord {
        LineRecord {
            splitters: BOTH_WAYS.map(Splitter::new),
            followed: FollowedLine::new(kind),
            context: Context::default(),
            tally: Tally::new(kind),
            frames: VecDeque::new(),
            forgotten: 0,
            now_us: 0,
        }
    }

    /// The record of all of these items.
    pub fn of<'a>(kind: LineMedium, items: impl IntoIterator<Item = &'a LineItem>) -> LineRecord {
        let mut record = LineRecord::new(kind);
        for item in items {
            record.take(item);
        }
        record.end();
        record
    }

    /// Adds an item. Times never go back: an earlier time is replaced by that of the last
    /// item.
    pub fn take(&mut self, item: &LineItem) {
        match item {
            LineItem::Opened { at_us } => self.open(*at_us),
            LineItem::Bytes {
                at_us,
                direction,
                bytes,
            } => self.pass(*at_us, *direction, bytes),
        }
    }

    /// Starts a new line; the one before has ended.
    pub fn open(&mut self, at_us: u64) {
        self.now_us = self.now_us.max(at_us);
        self.end();
        self.tally.opened();
    }

    /// Records bytes that passed in one direction.
    pub fn pass(&mut self, at_us: u64, direction: LineDirection, bytes: &[u8]) {
        self.now_us = self.now_us.max(at_us);
        self.tally
            .passed(self.now_us, direction, bytes.len() as u64);
        for byte in bytes {
            let fed = self.splitters[direction as usize].feed(*byte);
            if let Some((bytes, said)) = fed {
                self.keep(direction, bytes, said);
            }
        }
    }

    /// Ends the line: the rest of an incomplete frame is recorded as a frame without a
    /// message.
    pub fn end(&mut self) {
        for direction in BOTH_WAYS {
            let splitter = &mut self.splitters[direction as usize];
            let ended = std::mem::replace(splitter, Splitter::new(direction));
            if let Some(bytes) = ended.end() {
                self.keep(direction, bytes, Err(NoMessage::Unfinished));
            }
        }
    }

    fn keep(
        &mut self,
        direction: LineDirection,
        bytes: Box<[u8]>,
        said: Result<LineMessage, NoMessage>,
    ) {
        let at_us = self.now_us;
        let mut frame = LineFrame {
            at_us,
            direction,
            name: said.as_ref().map(MessageName::of).map_err(|why| *why),
            number: None,
            tick: None,
            words: String::new(),
            marks: Marks::default(),
            is_bad_news: false,
            bytes,
        };
        match &said {
            Ok(said) => {
                self.context.learn(said);
                frame.marks = self.followed.follow(at_us, said, frame.bytes.len() as u64);
                (frame.number, frame.tick) = number_and_tick(said);
                frame.words = self.context.words(said);
                frame.is_bad_news = is_trouble(said);
            }
            Err(why) => frame.words = why.to_string(),
        }
        self.tally.frame(&frame);
        if self.frames.len() == FRAMES_KEPT {
            self.frames.pop_front();
            self.forgotten += 1;
        }
        self.frames.push_back(frame);
    }

    /// The stored frames from this number on, oldest first; frames are numbered from
    /// 0.
    pub fn frames_from(&self, number: u64) -> impl DoubleEndedIterator<Item = (u64, &LineFrame)> {
        let skipped = number.saturating_sub(self.forgotten) as usize;
        let first = self.forgotten + skipped as u64;
        let frames = self.frames.range(skipped.min(self.frames.len())..);
        frames
            .enumerate()
            .map(move |(place, frame)| (first + place as u64, frame))
    }

    /// The number of frames so far, including dropped ones.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.forgotten + self.frames.len() as u64
    }

    /// The statistics at this moment.
    #[must_use]
    pub fn figures(&self) -> LineFigures {
        let missing = self.followed.missing_events();
        self.tally.figures(self.now_us, missing)
    }

    /// The statistics at a later time, if nothing more passes until then.
    #[must_use]
    pub fn figures_at(&self, at_us: u64) -> LineFigures {
        let missing = self.followed.missing_events();
        self.tally.figures(self.now_us.max(at_us), missing)
    }
}

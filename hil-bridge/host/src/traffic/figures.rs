//! The statistics of a line: rates, errors, round trips, and the time from touch to light.

use std::collections::VecDeque;

use hdrhistogram::Histogram;
use serde_json::{Value, json};

use super::follow::Took;
use super::words::ms;
use super::{LineDirection, LineFrame, LineMedium, TouchPath};

/// The span over which rates are computed, in microseconds.
const RATE_SPAN_US: u64 = 1_000_000;
/// The longest time that is recorded; longer times count as this one.
const LONGEST_US: u64 = 60 * 60 * 1_000_000;
/// The number of significant digits of quantiles.
const DIGITS: u8 = 3;
/// The upper limit of a histogram's first bar, in microseconds.
const FIRST_BAR_US: u64 = 64;

/// The traffic in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LineFlow {
    /// The number of bytes in total.
    pub bytes: u64,
    /// The number of frames in total.
    pub frames: u64,
    /// Bytes in the last second.
    pub bytes_a_second: u64,
    /// Frames in the last second.
    pub frames_a_second: u64,
}

/// The distribution of a duration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Latencies {
    /// The number of measurements.
    pub count: u64,
    /// The median, in microseconds.
    pub p50_us: u64,
    /// The 99th percentile, in microseconds.
    pub p99_us: u64,
    /// The longest time, in microseconds.
    pub worst_us: u64,
    /// The shortest possible time on this line, averaged over the measurements, in
    /// microseconds: its bytes, and debouncing.
    pub floor_us: u64,
    /// A histogram. The limits of the bars double; empty bars at both ends are omitted.
    pub bars: Vec<LatencyBar>,
}

/// A bar of a histogram of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatencyBar {
    /// The upper limit, in microseconds.
    pub limit_us: u64,
    /// The number of measurements between the previous limit and this one.
    pub count: u64,
}

/// The statistics of all frames of a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineFigures {
    /// The length of the record so far, in microseconds.
    pub span_us: u64,
    /// The medium of the line.
    pub kind: LineMedium,
    /// The traffic to the board.
    pub to_board: LineFlow,
    /// The traffic to the host.
    pub from_board: LineFlow,
    /// The number of times that a line was opened.
    pub lines: u64,
    /// The number of wire frames without a message: damaged, cut off, or of a different
    /// protocol.
    pub no_message: u64,
    /// The number of requests that were sent again.
    pub repeated_requests: u64,
    /// The number of answers, events and frames that arrived again.
    pub repeated_messages: u64,
    /// The number of events that are still missing.
    pub missing_events: u64,
    /// The number of frames of the board that never arrived. They are not sent again,
    /// because later ones replace them.
    pub missing_frames: u64,
    /// The number of refused requests, warnings and last words.
    pub bad_news: u64,
    /// The times from requests to their replies.
    pub round_trips: Latencies,
    /// The times from touches to their lights, for each path.
    pub lights: [(TouchPath, Latencies); 2],
}

/// Measured durations, without a list of them.
struct Durations {
    histogram: Histogram<u64>,
    floors_us: u64,
}

impl Durations {
    fn new() -> Durations {
        let histogram = Histogram::new_with_bounds(1, LONGEST_US, DIGITS);
        Durations {
            histogram: histogram.expect("the bounds are in order and the digits few"),
            floors_us: 0,
        }
    }

    fn add(&mut self, took: Took) {
        self.histogram.saturating_record(took.us);
        self.floors_us += took.floor_us;
    }

    fn latencies(&self) -> Latencies {
        let histogram = &self.histogram;
        if histogram.is_empty() {
            return Latencies::default();
        }
        let quantile = |part| histogram.value_at_quantile(part).min(histogram.max());
        Latencies {
            count: histogram.len(),
            p50_us: quantile(0.5),
            p99_us: quantile(0.99),
            worst_us: histogram.max(),
            floor_us: self.floors_us / histogram.len(),
            bars: self.bars(),
        }
    }

    fn bars(&self) -> Vec<LatencyBar> {
        let mut bars: Vec<LatencyBar> = Vec::new();
        let steps = self.histogram.iter_log(FIRST_BAR_US, 2.0);
        for step in steps {
            let count = step.count_since_last_iteration();
            if count > 0 || !bars.is_empty() {
                let limit_us = step.value_iterated_to() + 1;
                bars.push(LatencyBar { limit_us, count });
            }
        }
        while bars.last().is_some_and(|bar| bar.count == 0) {
            bars.pop();
        }
        bars
    }
}

/// The counters of one direction.
#[derive(Default)]
struct Way {
    bytes: u64,
    frames: u64,
    /// What passed in the last second.
    recent_bytes: VecDeque<Passed>,
    recent_frames: VecDeque<Passed>,
}

/// A number of bytes or frames that passed at one time.
struct Passed {
    at_us: u64,
    count: u64,
}

fn recent(passed: &VecDeque<Passed>, now_us: u64) -> u64 {
    let newest_first = passed.iter().rev();
    let within = newest_first.take_while(|one| one.at_us + RATE_SPAN_US > now_us);
    within.map(|one| one.count).sum()
}

fn note(passed: &mut VecDeque<Passed>, at_us: u64, count: u64) {
    let is_old = |one: &Passed| one.at_us + RATE_SPAN_US <= at_us;
    while passed.front().is_some_and(is_old) {
        passed.pop_front();
    }
    match passed.back_mut() {
        // Bytes of the same millisecond are added up, so that slow lines do not fill the
        // list.
        Some(last) if last.at_us / 1_000 == at_us / 1_000 => last.count += count,
        _ => passed.push_back(Passed { at_us, count }),
    }
}

impl Way {
    fn flow(&self, now_us: u64) -> LineFlow {
        LineFlow {
            bytes: self.bytes,
            frames: self.frames,
            bytes_a_second: recent(&self.recent_bytes, now_us),
            frames_a_second: recent(&self.recent_frames, now_us),
        }
    }
}

/// Adds up the frames of a line.
pub struct Tally {
    kind: LineMedium,
    ways: [Way; 2],
    counted: LineFigures,
    round_trips: Durations,
    lights: [Durations; 2],
}

impl Tally {
    /// A tally without frames, for a line of this kind.
    pub fn new(kind: LineMedium) -> Tally {
        Tally {
            kind,
            ways: Default::default(),
            counted: LineFigures::default(),
            round_trips: Durations::new(),
            lights: TouchPath::ALL.map(|_| Durations::new()),
        }
    }

    /// Counts that a line was opened.
    pub fn opened(&mut self) {
        self.counted.lines += 1;
    }

    /// Adds bytes that passed in one direction.
    pub fn passed(&mut self, at_us: u64, direction: LineDirection, bytes: u64) {
        let way = &mut self.ways[direction as usize];
        way.bytes += bytes;
        note(&mut way.recent_bytes, at_us, bytes);
    }

    /// Adds a frame that passed.
    pub fn frame(&mut self, frame: &LineFrame) {
        let way = &mut self.ways[frame.direction as usize];
        way.frames += 1;
        note(&mut way.recent_frames, frame.at_us, 1);
        let (counted, marks) = (&mut self.counted, &frame.marks);
        counted.no_message += u64::from(frame.name.is_err());
        counted.bad_news += u64::from(frame.is_bad_news);
        let repeated = match frame.direction {
            LineDirection::ToBoard => &mut counted.repeated_requests,
            LineDirection::FromBoard => &mut counted.repeated_messages,
        };
        *repeated += u64::from(marks.is_repeat);
        let is_event = frame.name.as_ref().is_ok_and(|name| name.kind == "event");
        if !is_event {
            counted.missing_frames += u64::from(marks.missing);
        }
        if let Some(took) = marks.round_trip {
            self.round_trips.add(took);
        }
        if let Some((path, took)) = marks.light {
            self.lights[path as usize].add(took);
        }
    }

    /// The statistics at this time, given the number of missing events.
    pub fn figures(&self, now_us: u64, missing_events: u64) -> LineFigures {
        let [to_board, from_board] = &self.ways;
        LineFigures {
            span_us: now_us,
            kind: self.kind,
            to_board: to_board.flow(now_us),
            from_board: from_board.flow(now_us),
            missing_events,
            round_trips: self.round_trips.latencies(),
            lights: TouchPath::ALL.map(|path| (path, self.lights[path as usize].latencies())),
            ..self.counted.clone()
        }
    }
}

impl LineFlow {
    fn in_json(self) -> Value {
        json!({
            "bytes": self.bytes,
            "frames": self.frames,
            "bytes_a_second": self.bytes_a_second,
            "frames_a_second": self.frames_a_second,
        })
    }
}

impl Latencies {
    fn in_json(&self) -> Value {
        let bars = self.bars.iter().map(|bar| [bar.limit_us, bar.count]);
        json!({
            "count": self.count,
            "p50_us": self.p50_us,
            "p99_us": self.p99_us,
            "worst_us": self.worst_us,
            "floor_us": self.floor_us,
            "bars": bars.collect::<Vec<_>>(),
        })
    }

    /// The distribution in one line, in milliseconds; `None` without measurements.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        let quantiles = [
            ("p50", self.p50_us),
            ("p99", self.p99_us),
            ("worst", self.worst_us),
            ("floor", self.floor_us),
        ];
        let told = quantiles.into_iter().filter(|(_, us)| *us > 0);
        let words: Vec<String> = told
            .map(|(name, us)| format!("{name} {}", ms(us)))
            .collect();
        (self.count > 0).then(|| format!("{:>5} times, {} ms", self.count, words.join(" ")))
    }
}

impl LineFigures {
    /// The statistics as a JSON object.
    #[must_use]
    pub fn in_json(&self) -> Value {
        let lights = self.lights.iter();
        let lights = lights.map(|(path, took)| (path.word().to_owned(), took.in_json()));
        json!({
            "span_us": self.span_us,
            "line": self.kind.words(),
            "to_board": self.to_board.in_json(),
            "from_board": self.from_board.in_json(),
            "lines": self.lines,
            "no_message": self.no_message,
            "repeated_requests": self.repeated_requests,
            "repeated_messages": self.repeated_messages,
            "missing_events": self.missing_events,
            "missing_frames": self.missing_frames,
            "bad_news": self.bad_news,
            "round_trips": self.round_trips.in_json(),
            "touch_to_light": Value::Object(lights.collect()),
        })
    }

    /// True if any error was counted.
    #[must_use]
    pub fn has_trouble(&self) -> bool {
        self.counts().iter().any(|(count, _)| *count > 0)
    }

    fn counts(&self) -> [(u64, &'static str); 7] {
        [
            (self.no_message, "damaged"),
            (self.repeated_requests, "requests repeated"),
            (self.repeated_messages, "messages twice"),
            (self.missing_events, "events missing"),
            (self.missing_frames, "frames missing"),
            (self.bad_news, "refusals and warnings"),
            (self.lines.saturating_sub(1), "reconnects"),
        ]
    }

    /// The errors, in one line.
    #[must_use]
    pub fn troubles(&self) -> String {
        let some = self.counts().into_iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = some
            .map(|(count, what)| format!("{what} {count}"))
            .collect();
        match words.is_empty() {
            true => "no trouble".to_owned(),
            false => words.join(", "),
        }
    }
}

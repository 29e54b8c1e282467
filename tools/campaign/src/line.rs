//! Bytes on their way between a host and a board: a line with a speed, a latency and
//! faults, into which hosts plug in turn.
//!
//! Invariants: bytes are never reordered; a message that arrives was sent on this line
//! after it was opened, and each message arrives once.

use std::collections::VecDeque;

use firmware_core::faults::{FaultyBytes, LineFaults};
use protocol::wire::Receiver;

pub use firmware_core::faults::LineDirection;

use crate::plan::RunPlan;

/// What arrives at an end of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The line is cut.
    Cut,
}

/// What passed over a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimLineFigures {
    /// The number of bytes sent.
    pub bytes: u64,
    /// The number of messages sent, each a frame.
    pub frames: u64,
    /// The number of messages that did not arrive, although a later one did.
    pub damaged_frames: u64,
}

struct Lane {
    way: LineDirection,
    queue: VecDeque<(u64, Arrival)>,
    /// When the last byte has been sent.
    free_at_us: u64,
    /// When the last byte arrives.
    last_us: u64,
    /// Finds the messages in what is sent.
    sender: Receiver,
    /// The messages that were sent and have not arrived.
    sent: VecDeque<Vec<u8>>,
}

impl Lane {
    fn new(way: LineDirection) -> Lane {
        Lane {
            way,
            queue: VecDeque::new(),
            free_at_us: 0,
            last_us: 0,
            sender: Receiver::new(),
            sent: VecDeque::new(),
        }
    }
}

/// A line between a board and its hosts.
pub struct Line {
    faults: FaultyBytes,
    bytes_per_s: u64,
    latency_us: u64,
    piece_bytes: usize,
    notices_hang_up: bool,
    /// To the board, and from it.
    lanes: [Lane; 2],
    /// The host whose cable is in the board, if one is.
    pub cable: Option<usize>,
    /// True while this host has the line open.
    pub is_open: bool,
    /// True after the line was closed or opened, until the board has been told.
    pub has_changed: bool,
    /// What passed so far.
    pub figures: SimLineFigures,
}

fn place(way: LineDirection) -> usize {
    match way {
        LineDirection::ToBoard => 0,
        LineDirection::FromBoard => 1,
    }
}

impl Line {
    /// The line of this plan, with the first host's cable in the board.
    #[must_use]
    pub fn new(plan: &RunPlan) -> Line {
        Line {
            faults: FaultyBytes::new(&plan.faults),
            bytes_per_s: plan.bytes_per_s,
            latency_us: plan.latency_us,
            piece_bytes: plan.piece_bytes.max(1),
            notices_hang_up: plan.notices_hang_up,
            lanes: [LineDirection::ToBoard, LineDirection::FromBoard].map(Lane::new),
            cable: Some(0),
            is_open: false,
            has_changed: false,
            figures: SimLineFigures::default(),
        }
    }

    /// Clears all faults.
    pub fn heal(&mut self) {
        self.faults.set(LineFaults::default());
    }

    /// Opens the line for a host.
    pub fn open(&mut self) {
        self.close();
        self.is_open = true;
    }

    /// Closes the line. Bytes on their way are lost.
    pub fn close(&mut self) {
        self.has_changed |= self.is_open;
        self.is_open = false;
        for lane in &mut self.lanes {
            lane.queue.clear();
        }
        // A host that opens a line again expects the beginning of a message. A board does
        // so only if it knows.
        self.lanes[1].sent.clear();
        if self.notices_hang_up {
            self.lanes[0].sent.clear();
        }
    }

    /// Sends bytes, and returns the messages in them. Without a host, the bytes of a board
    /// are lost.
    pub fn send(&mut self, way: LineDirection, now_us: u64, bytes: &[u8]) -> Vec<Vec<u8>> {
        let lane = &mut self.lanes[place(way)];
        let mut messages = Vec::new();
        for byte in bytes {
            if let Some(Ok(plain)) = lane.sender.feed(*byte) {
                messages.push(plain.to_vec());
            }
        }
        lane.free_at_us = lane.free_at_us.max(now_us);
        if !self.is_open {
            lane.free_at_us += bytes.len() as u64 * 1_000_000 / self.bytes_per_s;
            return messages;
        }
        self.figures.bytes += bytes.len() as u64;
        self.figures.frames += messages.len() as u64;
        lane.sent.extend(messages.iter().cloned());
        for piece in bytes.chunks(self.piece_bytes) {
            lane.free_at_us += piece.len() as u64 * 1_000_000 / self.bytes_per_s;
            let mut late_us = self.latency_us;
            let mut arrived = Vec::with_capacity(piece.len());
            let mut is_cut = false;
            for byte in piece {
                let passed = self.faults.pass(lane.way, *byte);
                if passed.cut {
                    is_cut = true;
                    break;
                }
                late_us += 1_000 * passed.stall_ms;
                arrived.extend(passed.byte);
                arrived.extend(passed.byte.filter(|_| passed.twice));
            }
            lane.last_us = lane.last_us.max(lane.free_at_us + late_us);
            if !arrived.is_empty() {
                lane.queue
                    .push_back((lane.last_us, Arrival::Bytes(arrived)));
            }
            if is_cut {
                lane.queue.push_back((lane.last_us, Arrival::Cut));
                break;
            }
        }
        messages
    }

    /// When this direction can take more bytes without keeping them waiting.
    #[must_use]
    pub fn free_at_us(&self, way: LineDirection) -> u64 {
        self.lanes[place(way)].free_at_us
    }

    /// When the next bytes arrive in this direction.
    #[must_use]
    pub fn next_us(&self, way: LineDirection) -> Option<u64> {
        self.lanes[place(way)]
            .queue
            .front()
            .map(|(at_us, _)| *at_us)
    }

    /// What has arrived by now, one piece at a time.
    pub fn arrive(&mut self, way: LineDirection, now_us: u64) -> Option<Arrival> {
        let queue = &mut self.lanes[place(way)].queue;
        let (_, arrival) = queue.pop_front_if(|(at_us, _)| *at_us <= now_us)?;
        Some(arrival)
    }

    /// Notes that this message was taken at the other end. False if it was never sent, or
    /// has arrived already.
    pub fn taken(&mut self, way: LineDirection, plain: &[u8]) -> bool {
        let sent = &mut self.lanes[place(way)].sent;
        let Some(before) = sent.iter().position(|message| message == plain) else {
            return false;
        };
        sent.drain(..=before);
        self.figures.damaged_frames += before as u64;
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn arrived(plan: &RunPlan, sent: &[u8]) -> Vec<u8> {
        let mut line = Line::new(plan);
        line.open();
        line.send(LineDirection::ToBoard, 0, sent);
        let mut bytes = Vec::new();
        while let Some(at_us) = line.next_us(LineDirection::ToBoard) {
            match line.arrive(LineDirection::ToBoard, at_us) {
                Some(Arrival::Bytes(piece)) => bytes.extend(piece),
                _ => break,
            }
        }
        bytes
    }

    proptest! {
        #[test]
        fn a_healed_line_delivers_what_was_sent(seed: u64, sent: Vec<u8>) {
            let mut plan = RunPlan::of(seed);
            plan.faults.line = LineFaults::default();
            prop_assert_eq!(arrived(&plan, &sent), sent);
        }
    }

    #[test]
    fn a_line_takes_the_time_of_its_bytes_and_its_latency() {
        let mut plan = RunPlan::of(1);
        plan.faults.line = LineFaults::default();
        (plan.bytes_per_s, plan.latency_us, plan.piece_bytes) = (1_000, 500, 4);
        let mut line = Line::new(&plan);
        line.open();
        line.send(LineDirection::ToBoard, 100, &[1; 8]);
        assert_eq!(line.next_us(LineDirection::ToBoard), Some(4_600));
        assert_eq!(line.free_at_us(LineDirection::ToBoard), 8_100);
        assert_eq!(line.arrive(LineDirection::ToBoard, 4_599), None);
    }

    #[test]
    fn a_message_is_taken_once_and_only_if_it_was_sent() {
        let plan = RunPlan::of(1);
        let mut line = Line::new(&plan);
        line.open();
        let way = LineDirection::ToBoard;
        let bytes = protocol::wire::encoded(&7_u32);
        assert_eq!(line.send(way, 0, &bytes), [[7]]);
        assert!(!line.taken(way, &[8]));
        assert!(line.taken(way, &[7]));
        assert!(!line.taken(way, &[7]));
    }
}

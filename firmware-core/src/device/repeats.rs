//! When events that the host has not acknowledged are sent again.
//!
//! An acknowledgement takes as long as the line does in both directions, and a moment of
//! the host. So the time that the last one took is measured, and the board waits for twice
//! that long. Before the first event, the time from the hello to the first request counts.
//!
//! Invariants: the wait is never shorter than [`SHORTEST_MS`] nor longer than
//! [`LONGEST_MS`]; it doubles as long as the host stays silent.

/// The shortest time after which unacknowledged events are sent again.
pub const SHORTEST_MS: u32 = 250;
/// The longest such time.
const LONGEST_MS: u32 = 4_000;

/// The message whose answer is timed.
#[derive(Clone, Copy)]
enum Timed {
    /// The hello, which any request answers.
    Hello,
    /// All events before this number.
    Events(u32),
}

/// The waits until events are sent again.
pub struct Repeats {
    /// The first wait after the host was heard.
    first_ms: u32,
    /// The wait that has begun.
    wait_ms: u32,
    /// How much of it is left.
    left_ms: u32,
    /// What is timed, and the time since it was sent.
    timed: Option<(Timed, u32)>,
    /// The number after the last event that has left the board.
    sent: u32,
}

impl Repeats {
    /// The waits for a host that is not known yet.
    pub const fn new() -> Repeats {
        Repeats {
            first_ms: SHORTEST_MS,
            wait_ms: SHORTEST_MS,
            left_ms: SHORTEST_MS,
            timed: None,
            sent: 0,
        }
    }

    /// The rest of the wait.
    pub fn left_ms(&self) -> u32 {
        self.left_ms
    }

    /// Notes a greeting, which is answered with a hello.
    pub fn greeted(&mut self) {
        if !matches!(self.timed, Some((Timed::Hello, _))) {
            self.timed = Some((Timed::Hello, 0));
        }
        self.begin();
    }

    /// Notes a request of a host that has seen all events before this number.
    pub fn heard(&mut self, seen: u32) {
        if let Some((timed, ms)) = self.timed {
            let is_answered = match timed {
                Timed::Hello => true,
                Timed::Events(end) => seen.wrapping_sub(end).cast_signed() >= 0,
            };
            if is_answered {
                self.first_ms = ms.saturating_mul(2).clamp(SHORTEST_MS, LONGEST_MS);
                self.timed = None;
            }
        }
        self.begin();
    }

    /// Forgets which events are timed, because their numbers start again.
    pub fn forget(&mut self) {
        self.timed = None;
    }

    fn begin(&mut self) {
        self.wait_ms = self.first_ms;
        self.left_ms = self.first_ms;
    }

    /// Lets this much time pass. `waits_for` is the number after the last event, if all of
    /// them have left the board, and the host has not acknowledged all. True if they are
    /// to be sent again.
    pub fn pass(&mut self, ms: u32, waits_for: Option<u32>) -> bool {
        if let Some((_, since_ms)) = &mut self.timed {
            *since_ms = since_ms.saturating_add(ms);
        }
        let Some(end) = waits_for else {
            self.left_ms = self.wait_ms;
            return false;
        };
        // Only events that left the board after the last call can be timed.
        if core::mem::replace(&mut self.sent, end) != end && self.timed.is_none() {
            self.timed = Some((Timed::Events(end), ms));
        }
        self.left_ms = self.left_ms.saturating_sub(ms);
        if self.left_ms > 0 {
            return false;
        }
        self.wait_ms = LONGEST_MS.min(self.wait_ms.saturating_mul(2));
        self.left_ms = self.wait_ms;
        true
    }
}

//! The queue of happenings for the program, which never blocks the line.
//!
//! Invariants: if the program does not take happenings, the oldest are dropped, and a
//! report of the loss is in the queue when the program continues.

use crossbeam_channel::{Receiver, Sender, TrySendError};

use crate::happening::Happening;

/// The end of the queue that belongs to the line.
pub struct Feed {
    sender: Sender<Happening>,
    /// The receiving end, from which the oldest happening is dropped when the queue is
    /// full.
    drain: Receiver<Happening>,
    /// How many more happenings may be dropped before the loss is reported again.
    silent_for: usize,
}

impl Feed {
    pub(super) fn new(sender: Sender<Happening>, drain: Receiver<Happening>) -> Feed {
        Feed {
            sender,
            drain,
            silent_for: 0,
        }
    }

    /// Adds a happening. Returns the number of dropped ones.
    pub fn report(&mut self, happening: Happening) -> u64 {
        let mut dropped = self.put(happening);
        if dropped == 0 {
            self.silent_for = 0;
        } else if let Some(less) = self.silent_for.checked_sub(1) {
            self.silent_for = less;
        } else {
            // The report must be repeated before it is dropped itself.
            self.silent_for = self.sender.capacity().unwrap_or(0) / 2;
            dropped += self.put(Happening::Missed);
        }
        dropped
    }

    fn put(&self, happening: Happening) -> u64 {
        let (mut happening, mut dropped) = (happening, 0);
        while let Err(TrySendError::Full(back)) = self.sender.try_send(happening) {
            happening = back;
            dropped += u64::from(self.drain.try_recv().is_ok());
        }
        dropped
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::bounded;
    use protocol::Severity;

    use super::*;

    fn log(number: u32) -> Happening {
        Happening::Log {
            severity: Severity::Information,
            text: number.to_string(),
        }
    }

    #[test]
    fn a_slow_reader_learns_how_much_was_dropped() {
        const ROOM: usize = 16;
        for told in 0..200 {
            let (sender, happenings) = bounded(ROOM);
            let mut feed = Feed::new(sender, happenings.clone());
            let dropped: u64 = (0..told).map(|number| feed.report(log(number))).sum();
            let found: Vec<Happening> = happenings.try_iter().collect();
            let is_missed = |happening: &&Happening| matches!(happening, Happening::Missed);
            let missed = found.iter().filter(is_missed).count();
            assert_eq!(missed > 0, dropped > 0, "{told} told, {dropped} dropped");
            assert!(missed <= 2, "{missed} in {ROOM}");
            if told > 0 {
                // The newest message is never dropped.
                let newest = log(told - 1);
                let is_newest = |happening: &Happening| happening.remark() == newest.remark();
                assert!(found.iter().any(is_newest));
            }
        }
    }

    #[test]
    fn a_queue_that_overflows_again_reports_it_again() {
        let (sender, happenings) = bounded(4);
        let mut feed = Feed::new(sender, happenings.clone());
        for _ in 0..2 {
            let dropped: u64 = (0..5).map(|number| feed.report(log(number))).sum();
            assert!(dropped > 0);
            let found: Vec<Happening> = happenings.try_iter().collect();
            assert!(matches!(found.last(), Some(Happening::Missed)));
        }
    }
}

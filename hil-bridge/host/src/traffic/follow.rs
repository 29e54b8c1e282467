//! Follows the conversation between host and board: repeated messages, missing events,
//! round trips.
//!
//! Invariants: numbers wrap around, so "before" means less than half the range away.

use std::collections::BTreeSet;

use protocol::{Command, Deed, Hello, Reply, Request, ToDevice, ToHost};

use super::light::LightWatch;
use super::{LineMedium, LineMessage, TouchPath};

/// The maximum gap between events. A board keeps fewer events, so a wider gap means that
/// its numbers started again.
const MOST_MISSING: u32 = 4_096;

/// A duration, and the shortest time that the line allows for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Took {
    /// The duration in microseconds.
    pub us: u64,
    /// The shortest possible duration for its bytes on this line, in microseconds.
    pub floor_us: u64,
}

/// Facts about a frame that follow from the conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// True if the same message was already sent.
    pub is_repeat: bool,
    /// The number of events or frames missing before it.
    pub missing: u32,
    /// True if it is an event that was missing until now.
    pub is_late: bool,
    /// The round trip of the request that it answers.
    pub round_trip: Option<Took>,
    /// The time since the touch whose light it shows, and the path of the touch.
    pub light: Option<(TouchPath, Took)>,
}

/// A request that waits for its answer.
#[derive(Clone, Copy)]
struct RequestSeen {
    number: u32,
    at_us: u64,
    bytes: u64,
    /// True if its events count from 0 afterwards.
    is_reset: bool,
}

/// What is known of a line from the messages that passed over it.
#[derive(Default)]
pub struct FollowedLine {
    kind: LineMedium,
    asked: Option<RequestSeen>,
    answered: Option<u32>,
    boot: Option<u32>,
    next_event: Option<u32>,
    missing_events: BTreeSet<u32>,
    next_frame: Option<u32>,
    light: LightWatch,
}

impl FollowedLine {
    /// A line of this kind, over which nothing has passed.
    pub fn new(kind: LineMedium) -> FollowedLine {
        FollowedLine {
            kind,
            ..FollowedLine::default()
        }
    }

    /// The number of events that have not arrived so far.
    pub fn missing_events(&self) -> u64 {
        self.missing_events.len() as u64
    }

    /// Handles a message of this many bytes, and returns its marks.
    pub fn follow(&mut self, at_us: u64, said: &LineMessage, bytes: u64) -> Marks {
        match said {
            LineMessage::ToDevice(ToDevice::Hello { .. }) => Marks::default(),
            LineMessage::ToDevice(ToDevice::Request(request)) => {
                self.request(at_us, request, bytes)
            }
            LineMessage::ToHost(ToHost::Hello(hello)) => self.hello(hello),
            LineMessage::ToHost(ToHost::Reply(reply)) => self.reply(at_us, reply, bytes),
            LineMessage::ToHost(ToHost::Event(event)) => {
                self.light.event(event);
                self.event(event.number)
            }
            LineMessage::ToHost(ToHost::Frame {
                number,
                tick,
                frame,
            }) => {
                let shown = self.light.whole(*tick, frame);
                self.frame(at_us, *number, shown, bytes)
            }
            LineMessage::ToHost(ToHost::Delta {
                number,
                tick,
                delta,
            }) => {
                let shown = self.light.change(*tick, delta);
                self.frame(at_us, *number, shown, bytes)
            }
            LineMessage::ToHost(ToHost::Log { .. } | ToHost::Panic(_) | ToHost::Busy(_)) => {
                Marks::default()
            }
        }
    }

    fn request(&mut self, at_us: u64, request: &Request, bytes: u64) -> Marks {
        let number = request.number;
        let is_repeat =
            self.asked.is_some_and(|asked| asked.number == number) || self.answered == Some(number);
        if !is_repeat {
            let deed = match &request.command {
                Command::Do(deed) => Some(deed),
                _ => None,
            };
            self.asked = Some(RequestSeen {
                number,
                at_us,
                bytes,
                is_reset: deed.is_some_and(Deed::restarts),
            });
            self.light.request(at_us, &request.command, bytes);
        }
        Marks {
            is_repeat,
            ..Marks::default()
        }
    }

    /// A new run of the board, or a different board, starts its numbers again.
    fn hello(&mut self, hello: &Hello) -> Marks {
        if self.boot.replace(hello.boot) != Some(hello.boot) {
            self.next_event = None;
            self.next_frame = None;
            self.missing_events.clear();
            self.light.forget();
        }
        Marks::default()
    }

    fn reply(&mut self, at_us: u64, reply: &Reply, bytes: u64) -> Marks {
        let number = reply.number;
        let Some(asked) = self.asked.take_if(|asked| asked.number == number) else {
            return Marks {
                is_repeat: self.answered == Some(number),
                ..Marks::default()
            };
        };
        self.answered = Some(number);
        if asked.is_reset && reply.result.is_ok() {
            self.next_event = Some(0);
            self.missing_events.clear();
        }
        Marks {
            round_trip: Some(Took {
                us: at_us.saturating_sub(asked.at_us),
                floor_us: self.kind.floor_us(asked.bytes, bytes),
            }),
            ..Marks::default()
        }
    }

    fn event(&mut self, number: u32) -> Marks {
        let next = *self.next_event.get_or_insert(number);
        let ahead = number.wrapping_sub(next);
        if ahead > MOST_MISSING && ahead.wrapping_neg() > MOST_MISSING {
            self.next_event = Some(number.wrapping_add(1));
            self.missing_events.clear();
            return Marks::default();
        }
        if (ahead as i32) < 0 {
            let is_late = self.missing_events.remove(&number);
            return Marks {
                is_late,
                is_repeat: !is_late,
                ..Marks::default()
            };
        }
        let gap = (0..ahead).map(|place| next.wrapping_add(place));
        self.missing_events.extend(gap);
        self.next_event = Some(number.wrapping_add(1));
        Marks {
            missing: ahead,
            ..Marks::default()
        }
    }

    fn frame(
        &mut self,
        at_us: u64,
        number: u32,
        light: Option<super::light::Lit>,
        bytes: u64,
    ) -> Marks {
        let next = self.next_frame.replace(number.wrapping_add(1));
        let ahead = next.map_or(0, |next| number.wrapping_sub(next));
        let light = light.map(|lit| {
            let took = Took {
                us: at_us.saturating_sub(lit.sent_us),
                floor_us: self.kind.floor_us(lit.bytes, bytes) + lit.path.debounce_us(),
            };
            (lit.path, took)
        });
        Marks {
            is_repeat: (ahead as i32) < 0,
            missing: if (ahead as i32) < 0 { 0 } else { ahead },
            light,
            ..Marks::default()
        }
    }
}

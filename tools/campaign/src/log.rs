//! The words in the log of a run.
//!
//! A log has a line for each event: the time in ms, a sign, and words.
//!
//! | sign | meaning |
//! | --- | --- |
//! | `>` `<` | a message to the board, or from it, is sent |
//! | `f` | a finger on the board's own sensors |
//! | `h` | a person asks the host for something |
//! | `e` | the host hears of an event; `=` of a digest that agrees |
//! | `c` `l` | the host has met the board; it has lost the line |
//! | `r` | the host goes on from a snapshot |
//! | `m` | the host hears that events were lost |
//! | `u` `p` | the cable is pulled out; it is plugged in |
//! | `w` | the board's power fails |
//! | `+` | the line is healed |
//! | `.` | both ends agree |
//! | `!` | a rule was broken |

use protocol::wire;
use protocol::{Command, Deed, Event, Input, ToDevice, ToHost};
use touchboard_host::happening::Happening;

/// The words for a request to a host.
pub fn command_words(command: &Command) -> String {
    match command {
        Command::Step { inputs, ticks, .. } => {
            let inputs: &[Input] = inputs;
            format!("step {inputs:?}, {ticks} ms")
        }
        Command::Do(Deed::Position(_)) => "set up stones".to_owned(),
        Command::Do(deed) => format!("{deed:?}"),
        Command::Write { offset, bytes } => format!("write {} bytes at {offset}", bytes.len()),
        other => format!("{other:?}").to_lowercase(),
    }
}

/// The words for a message to the board.
pub fn to_board(plain: &[u8]) -> String {
    match wire::parse::<ToDevice>(plain) {
        Ok(ToDevice::Hello { host, .. }) => format!("hello of host {host:08x}"),
        Ok(ToDevice::Request(request)) => {
            let words = command_words(&request.command);
            format!("{} (seen {}) {words}", request.number, request.seen)
        }
        Err(error) => error.to_string(),
    }
}

/// The words for a message from the board.
pub fn from_board(plain: &[u8]) -> String {
    match wire::parse::<ToHost>(plain) {
        Ok(ToHost::Hello(hello)) => format!("hello, boot {}, tick {}", hello.boot, hello.tick),
        Ok(ToHost::Reply(reply)) => {
            let result = match reply.result {
                Ok(protocol::Done::Chunk { total, bytes, .. }) => {
                    format!("{} of {total} bytes", bytes.len())
                }
                other => format!("{other:?}"),
            };
            let (number, events) = (reply.number, reply.events);
            format!("{number} (events {events}) {result}")
        }
        Ok(ToHost::Event(event)) => format!("event {} {:?}", event.number, event.event),
        Ok(ToHost::Frame { number, tick, .. }) => format!("frame {number} of tick {tick}"),
        Ok(ToHost::Delta { number, tick, .. }) => format!("delta {number} of tick {tick}"),
        Ok(ToHost::Log { text, .. } | ToHost::Panic(text)) => text.to_string(),
        Ok(ToHost::Busy(_)) => "busy".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// The sign and the words for what a host hears.
pub fn heard(happening: &Happening) -> (char, String) {
    match happening {
        Happening::Connected { hello, run, .. } => ('c', format!("{run:?} at tick {}", hello.tick)),
        Happening::Lost(why) => ('l', why.clone()),
        Happening::Event(event) => match event.event {
            Event::Digest(digest) => ('=', format!("{digest:016x} at tick {}", event.tick)),
            other => ('e', format!("{} {other:?}", event.number)),
        },
        Happening::Stepped { tick, digest } => ('=', format!("{digest:016x} at tick {tick}")),
        Happening::Snapshot { tick, state } => {
            ('r', format!("{} bytes of tick {tick}", state.len()))
        }
        Happening::Missed => ('m', "misses events".to_owned()),
        Happening::Carried { tick, deed, .. } => ('e', format!("{deed:?} at tick {tick}")),
        Happening::Faults { tick, faults } => ('e', format!("{faults} at tick {tick}")),
        Happening::Log { text, .. } | Happening::Panicked(text) => ('e', text.clone()),
        Happening::Halted(is_halted) => ('e', format!("halted: {is_halted}")),
    }
}

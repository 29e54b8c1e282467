//! One host at a time, on two lines.
//!
//! A host keeps the board until it hangs up or is silent for [`SILENCE_MS`]; a connected
//! host sends a request once a second. A host that says hello over the other line is told
//! which line has the board, and may ask again. Once the first host has been silent for
//! too long, the newcomer gets the board, and the first host is told. Two hosts that
//! retry automatically therefore never take the board from each other in turns.
//!
//! Invariants: the board receives whole frames of one host, from one line; a host without
//! the board gets an answer to each message, as far as its line has room, and never waits
//! in vain.

use core::ops::Range;

use firmware_core::{AnyWidth, Device};
use heapless::Vec;
use protocol::wire::{self, Receiver};
use protocol::{Text, ToDevice, ToHost};

/// How long a host must be silent before another one can get the board.
pub const SILENCE_MS: u32 = 3_000;

/// The length in bytes of the longest frame of a hello, in any version of the protocol:
/// kind, version, schema, host number and CRC, with the framing.
const HELLO_BYTES: usize = 64;
/// The length in bytes of a frame of [`ToHost::Busy`], with one more zero in front.
const BUSY_BYTES: usize = 80;
/// The number of bytes read at once from a line.
const CHUNK_BYTES: usize = 64;

/// A line to a host.
pub trait HostLine {
    /// Moves received bytes into `buffer`, and returns how many.
    fn receive(&mut self, buffer: &mut [u8]) -> usize;
    /// Sends as many of these bytes as the line can take now, and returns how many.
    fn send(&mut self, bytes: &[u8]) -> usize;
}

/// The second line of a chip, which detects whether a host is connected.
pub trait SecondLine: HostLine {
    /// Services the line; called once in each round of the main loop.
    fn poll(&mut self);
    /// True once each time the host has hung up.
    fn has_hung_up(&mut self) -> bool;
    /// Lets the line wake the core when there is something to do for it.
    fn arm_wake_up(&self);
}

/// The second line of a chip with only one line; the type has no values.
#[derive(Clone, Copy, Debug)]
pub enum NoSecondLine {}

impl HostLine for NoSecondLine {
    fn receive(&mut self, _buffer: &mut [u8]) -> usize {
        match *self {}
    }

    fn send(&mut self, _bytes: &[u8]) -> usize {
        match *self {}
    }
}

impl SecondLine for NoSecondLine {
    fn poll(&mut self) {
        match *self {}
    }

    fn has_hung_up(&mut self) -> bool {
        match *self {}
    }

    fn arm_wake_up(&self) {
        match *self {}
    }
}

/// The bytes that have come from the host that has the board.
#[derive(Debug)]
pub struct HostInput {
    /// A buffer for the bytes.
    pub bytes: [u8; CHUNK_BYTES],
    /// Those of them that the device has not taken.
    pub fresh: Range<usize>,
}

impl HostInput {
    /// No bytes.
    #[must_use]
    pub const fn new() -> HostInput {
        HostInput {
            bytes: [0; CHUNK_BYTES],
            fresh: 0..0,
        }
    }

    /// The bytes that the device has not taken.
    #[must_use]
    pub fn pending(&self) -> &[u8] {
        self.bytes.get(self.fresh.clone()).unwrap_or_default()
    }
}

impl Default for HostInput {
    fn default() -> Self {
        HostInput::new()
    }
}

/// One of the two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineIndex {
    /// The line that every board has.
    First,
    /// The additional line that some chips have.
    Second,
}

impl LineIndex {
    /// The other of the two lines.
    #[must_use]
    pub const fn other(self) -> LineIndex {
        match self {
            LineIndex::First => LineIndex::Second,
            LineIndex::Second => LineIndex::First,
        }
    }
}

/// The state of the line that does not have the board.
struct Stranger {
    receiver: Receiver,
    /// The bytes of the current frame, as long as it can be a hello.
    frame: Vec<u8, HELLO_BYTES>,
    is_too_long: bool,
}

/// The request of a host that does not have the board.
enum HostRequest {
    /// The host wants the board: it sent its hello.
    Board,
    /// The host expects an answer, which only the host with the board gets.
    Answer,
}

impl Stranger {
    const fn new() -> Stranger {
        Stranger {
            receiver: Receiver::new(),
            frame: Vec::new(),
            is_too_long: false,
        }
    }

    /// Handles a byte; at the end of a message, returns the host's request.
    fn receive(&mut self, byte: u8) -> Option<HostRequest> {
        if self.frame.is_empty() {
            // Every frame starts with a zero, whatever preceded it.
            self.is_too_long = self.frame.push(0).is_err();
        }
        if byte != 0 {
            self.is_too_long |= self.frame.push(byte).is_err();
        }
        let plain = self.receiver.feed(byte)?;
        let wish = plain.ok().and_then(|plain| {
            let is_hello = wire::hello_of_any_version(plain).is_some();
            let is_request = wire::parse::<ToDevice>(plain).is_ok();
            match (is_hello, is_request) {
                (true, _) => Some(HostRequest::Board),
                (false, true) => Some(HostRequest::Answer),
                (false, false) => None,
            }
        });
        if wish.is_none() || self.is_too_long {
            self.frame.clear();
            self.is_too_long = false;
        }
        wish
    }

    /// The last frame, which was a hello.
    fn hello(&mut self) -> Vec<u8, HELLO_BYTES> {
        let mut hello = core::mem::take(&mut self.frame);
        let _ = hello.push(0);
        hello
    }
}

/// The assignment of the board to one of two lines.
pub struct Hosts {
    /// The names of the lines, as sent to hosts.
    names: [&'static str; 2],
    active: LineIndex,
    /// True if a host has used the board.
    is_used: bool,
    /// How long the current host has been silent; [`SILENCE_MS`] before any host has
    /// appeared.
    silent_ms: u32,
    stranger: Stranger,
    /// The bytes still to be sent over the line without the board.
    to_stranger: Vec<u8, BUSY_BYTES>,
}

impl Hosts {
    /// At first no host has the board; its output goes to the first line.
    #[must_use]
    pub const fn new(names: [&'static str; 2]) -> Hosts {
        Hosts {
            names,
            active: LineIndex::First,
            is_used: false,
            silent_ms: SILENCE_MS,
            stranger: Stranger::new(),
            to_stranger: Vec::new(),
        }
    }

    /// The line that has the board, if one has it.
    #[must_use]
    pub const fn holder(&self) -> Option<LineIndex> {
        match self.silent_ms < SILENCE_MS {
            true => Some(self.active),
            false => None,
        }
    }

    /// Services both lines. Reports to the board when a host hung up or appeared, and
    /// receives new input once the device has taken the previous one.
    pub fn poll<B: AnyWidth, S: AsMut<[u8]>>(
        &mut self,
        first: &mut impl HostLine,
        second: &mut impl SecondLine,
        passed_ms: u32,
        device: &mut Device<B, S>,
        input: &mut HostInput,
    ) {
        let HostInput { bytes, fresh } = input;
        self.silent_ms = self.silent_ms.saturating_add(passed_ms);
        second.poll();
        if second.has_hung_up() && self.active == LineIndex::Second {
            device.hung_up();
            *fresh = 0..0;
            self.switch_to(LineIndex::First);
            self.is_used = false;
            self.silent_ms = SILENCE_MS;
        }
        if fresh.start >= fresh.end {
            let count = receive(self.active, first, second, bytes);
            *fresh = 0..count;
            if count > 0 {
                self.is_used = true;
                self.silent_ms = 0;
            }
        }
        let mut others = [0; CHUNK_BYTES];
        let count = receive(self.active.other(), first, second, &mut others);
        let mut others = others.into_iter().take(count);
        while let Some(byte) = others.next() {
            match self.stranger.receive(byte) {
                Some(HostRequest::Board) if self.holder().is_none() => {
                    let hello = self.stranger.hello();
                    device.hung_up();
                    self.switch_to(self.active.other());
                    if core::mem::replace(&mut self.is_used, true) {
                        self.queue_busy("a host that came later");
                    }
                    self.silent_ms = 0;
                    // No host sends more before its hello is answered, and anything that
                    // is lost is requested again.
                    let all = hello.into_iter().chain(others.by_ref());
                    let moved = bytes.iter_mut().zip(all).map(|(to, from)| *to = from);
                    *fresh = 0..moved.count();
                }
                Some(_) => {
                    self.stranger.frame.clear();
                    self.queue_busy(self.names[self.active as usize]);
                }
                None => {}
            }
        }
        self.send_to_stranger(self.active.other(), first, second);
    }

    /// Sends as many of these bytes as possible to the host that has the board, and
    /// returns how many.
    pub fn send(
        &mut self,
        first: &mut impl HostLine,
        second: &mut impl HostLine,
        bytes: &[u8],
    ) -> usize {
        send(self.active, first, second, bytes)
    }

    fn switch_to(&mut self, line: LineIndex) {
        self.active = line;
        self.stranger = Stranger::new();
        self.to_stranger.clear();
    }

    /// Queues a message to the other host that says who has the board.
    fn queue_busy(&mut self, who: &str) {
        if !self.to_stranger.is_empty() {
            return;
        }
        let mut frame = [0; wire::MAX_FRAME_BYTES];
        let busy = wire::encode(&ToHost::Busy(Text::clipped(who)), &mut frame);
        // The message may interrupt an earlier one, which ends here: a frame starts with
        // a zero.
        let _ = self.to_stranger.extend_from_slice(busy.unwrap_or_default());
    }

    fn send_to_stranger(
        &mut self,
        line: LineIndex,
        first: &mut impl HostLine,
        second: &mut impl HostLine,
    ) {
        let sent = send(line, first, second, &self.to_stranger);
        self.to_stranger.drain(..sent);
    }
}

fn send(
    line: LineIndex,
    first: &mut impl HostLine,
    second: &mut impl HostLine,
    bytes: &[u8],
) -> usize {
    match line {
        LineIndex::First => first.send(bytes),
        LineIndex::Second => second.send(bytes),
    }
}

fn receive(
    line: LineIndex,
    first: &mut impl HostLine,
    second: &mut impl HostLine,
    buffer: &mut [u8],
) -> usize {
    match line {
        LineIndex::First => first.receive(buffer),
        LineIndex::Second => second.receive(buffer),
    }
}

#[cfg(test)]
mod tests;

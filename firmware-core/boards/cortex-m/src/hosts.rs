//! One host at a time, on two lines.
//!
//! A board that a host has is that host's until it hangs up or says nothing for
//! [`SILENCE_MS`]; a living host asks once a second. Whoever says hello over the other
//! line meanwhile is told who has the board, and may ask again; afterwards the board is
//! the newcomer's, and the host before it is told that. So two hosts that try again by
//! themselves never take the board from each other in turns.
//!
//! Invariants: the board hears one line, whole frames of one host; a host that
//! has not got the board is told so for each message it sends, as far as the line takes
//! it, and never waits without a word.

use core::ops::Range;

use firmware_core::{AnyWidth, Device};
use heapless::Vec;
use protocol::wire::{self, Receiver};
use protocol::{Text, ToDevice, ToHost};

/// As long as a host may be silent before another one gets its board.
pub const SILENCE_MS: u32 = 3_000;

/// The longest frame of a hello, in any version of the protocol: kind, version, schema,
/// number of the host and CRC, with what is around them.
const HELLO_BYTES: usize = 64;
/// A frame of [`ToHost::Busy`], with a zero more in front.
const BUSY_BYTES: usize = 80;
/// Bytes that are taken from the other line at once.
const CHUNK_BYTES: usize = 64;

/// A line to a host.
pub trait HostLine {
    /// Moves bytes that came into `buffer`, and returns how many.
    fn receive(&mut self, buffer: &mut [u8]) -> usize;
    /// Sends the first of these bytes, as many as the line takes now, and returns how
    /// many.
    fn send(&mut self, bytes: &[u8]) -> usize;
}

/// The second line of a chip, which knows whether anybody is at its other end.
pub trait SecondLine: HostLine {
    /// Does what is to be done for it; once a round of the loop.
    fn poll(&mut self);
    /// True once for each time that its host hung up.
    fn has_hung_up(&mut self) -> bool;
    /// Has the core woken when there is something to be done for it.
    fn call(&self);
}

/// The second line of a chip that has only one: there is no value of it.
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

    fn call(&self) {
        match *self {}
    }
}

/// One of the two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plug {
    /// The one that every board has.
    First,
    /// The additional line that some chips have.
    Second,
}

impl Plug {
    /// The one that this is not.
    #[must_use]
    pub const fn other(self) -> Plug {
        match self {
            Plug::First => Plug::Second,
            Plug::Second => Plug::First,
        }
    }
}

/// What the line says that has not got the board.
struct Stranger {
    receiver: Receiver,
    /// The bytes of the frame that is coming, if it may be a hello.
    frame: Vec<u8, HELLO_BYTES>,
    is_too_long: bool,
}

/// What a stranger asked for.
enum Wish {
    /// The board: it said hello.
    Board,
    /// Something that only the host that has the board is answered.
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

    /// Takes a byte; at the end of a message, what it wished.
    fn hear(&mut self, byte: u8) -> Option<Wish> {
        if self.frame.is_empty() {
            // So that the frame begins with a zero, whatever came before.
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
                (true, _) => Some(Wish::Board),
                (false, true) => Some(Wish::Answer),
                (false, false) => None,
            }
        });
        if wish.is_none() || self.is_too_long {
            self.frame.clear();
            self.is_too_long = false;
        }
        wish
    }

    /// The frame that ended last, which was a hello.
    fn hello(&mut self) -> Vec<u8, HELLO_BYTES> {
        let mut hello = core::mem::take(&mut self.frame);
        let _ = hello.push(0);
        hello
    }
}

/// Which of two lines has the board.
pub struct Hosts {
    /// What hosts are told of either line.
    names: [&'static str; 2],
    active: Plug,
    /// True if a host spoke over it.
    is_used: bool,
    /// How long it has been silent; [`SILENCE_MS`] before anybody spoke.
    silent_ms: u32,
    stranger: Stranger,
    /// What is to be said over the line that has not got the board.
    to_stranger: Vec<u8, BUSY_BYTES>,
}

impl Hosts {
    /// Nobody has the board; what it says goes to the first line.
    #[must_use]
    pub const fn new(names: [&'static str; 2]) -> Hosts {
        Hosts {
            names,
            active: Plug::First,
            is_used: false,
            silent_ms: SILENCE_MS,
            stranger: Stranger::new(),
            to_stranger: Vec::new(),
        }
    }

    /// Which line has the board, if one of them has it.
    #[must_use]
    pub const fn holder(&self) -> Option<Plug> {
        match self.silent_ms < SILENCE_MS {
            true => Some(self.active),
            false => None,
        }
    }

    /// Looks after both lines: lets the board hear of a host that hung up or came, and
    /// puts what came for it into `bytes` where all that was there is taken (`fresh`).
    pub fn look_after<B: AnyWidth, S: AsMut<[u8]>>(
        &mut self,
        first: &mut impl HostLine,
        second: &mut impl SecondLine,
        passed_ms: u32,
        device: &mut Device<B, S>,
        (bytes, fresh): (&mut [u8; CHUNK_BYTES], &mut Range<usize>),
    ) {
        self.silent_ms = self.silent_ms.saturating_add(passed_ms);
        second.poll();
        if second.has_hung_up() && self.active == Plug::Second {
            device.hung_up();
            *fresh = 0..0;
            self.switch_to(Plug::First);
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
            match self.stranger.hear(byte) {
                Some(Wish::Board) if self.holder().is_none() => {
                    let hello = self.stranger.hello();
                    device.hung_up();
                    self.switch_to(self.active.other());
                    if core::mem::replace(&mut self.is_used, true) {
                        self.tell("a host that came later");
                    }
                    self.silent_ms = 0;
                    // Nobody sends on before a hello was answered, and what was lost
                    // would be asked again.
                    let all = hello.into_iter().chain(others.by_ref());
                    let moved = bytes.iter_mut().zip(all).map(|(to, from)| *to = from);
                    *fresh = 0..moved.count();
                }
                Some(_) => {
                    self.stranger.frame.clear();
                    self.tell(self.names[self.active as usize]);
                }
                None => {}
            }
        }
        self.say_to_stranger_at(self.active.other(), first, second);
    }

    /// Sends the first of these bytes to the host that has the board, and returns how
    /// many.
    pub fn send(
        &mut self,
        first: &mut impl HostLine,
        second: &mut impl HostLine,
        bytes: &[u8],
    ) -> usize {
        match self.active {
            Plug::First => first.send(bytes),
            Plug::Second => second.send(bytes),
        }
    }

    fn switch_to(&mut self, plug: Plug) {
        self.active = plug;
        self.stranger = Stranger::new();
        self.to_stranger.clear();
    }

    /// This one has the board.
    fn tell(&mut self, who: &str) {
        if !self.to_stranger.is_empty() {
            return;
        }
        let mut frame = [0; wire::MAX_FRAME_BYTES];
        let busy = wire::encode(&ToHost::Busy(Text::clipped(who)), &mut frame);
        // It may come in the midst of what was said before, which ends here: a frame
        // begins with a zero.
        let _ = self.to_stranger.extend_from_slice(busy.unwrap_or_default());
    }

    fn say_to_stranger_at(
        &mut self,
        plug: Plug,
        first: &mut impl HostLine,
        second: &mut impl HostLine,
    ) {
        let sent = match plug {
            Plug::First => first.send(&self.to_stranger),
            Plug::Second => second.send(&self.to_stranger),
        };
        self.to_stranger.drain(..sent);
    }
}

fn receive(
    plug: Plug,
    first: &mut impl HostLine,
    second: &mut impl HostLine,
    buffer: &mut [u8],
) -> usize {
    match plug {
        Plug::First => first.receive(buffer),
        Plug::Second => second.receive(buffer),
    }
}

#[cfg(test)]
mod tests;

//! The requests of a host and their results.
//!
//! Invariants: a request is carried out once, however often it arrives; a refused
//! request changes nothing; every request is answered.

use protocol::wire;
use protocol::{
    CHUNK_BYTES, Command, Deed, Done, Drawing, Input, Layout, List, PROTOCOL_VERSION, Pace,
    Refusal, Request, SCHEMA_HASH, Tick, ToDevice,
};

use super::{Answered, Device, Taken, WAKES_AT_ONCE};
use crate::any_width::AnyWidth;
use crate::board::origin_of_snapshot;
use crate::games;
use crate::points::Points;
use crate::word::Wide;

impl<B: AnyWidth, S: AsMut<[u8]>> Device<B, S> {
    /// Handles a received byte. True if it completed a message, which may need an answer.
    pub(super) fn receive(&mut self, byte: u8) -> bool {
        let Some(frame) = self.receiver.feed(byte) else {
            return false;
        };
        let Ok(plain) = frame else {
            self.damaged = self.damaged.saturating_add(1);
            return false;
        };
        match wire::parse(plain) {
            Ok(ToDevice::Hello {
                version,
                schema,
                host,
            }) => self.hello(version, schema, host),
            Ok(ToDevice::Request(request)) => self.request(request),
            Err(_) if wire::hello_of_any_version(plain).is_some() => self.refuse_version(),
            Err(_) => return false,
        }
        true
    }

    fn refuse_version(&mut self) {
        self.greeted = false;
        self.due.hello = true;
    }

    fn hello(&mut self, version: u16, schema: u64, host: u32) {
        if version != PROTOCOL_VERSION || schema != SCHEMA_HASH {
            self.refuse_version();
            return;
        }
        if self.host != Some(host) {
            self.host = Some(host);
            self.answered = None;
            self.board.count_best(true);
            self.diary.forget();
            self.fingers.forget_contacts();
        }
        if !self.greeted {
            self.set_digest_time();
        }
        self.greeted = true;
        self.due.hello = true;
        self.due.whole_frame = true;
        self.repeats.greeted();
        self.send_events_again_if_all_left();
    }

    /// Sends all unseen events again, unless some of them are still to leave the board. A
    /// host repeats a message that is not answered in time, and on a slow line the
    /// repetitions wait here behind the answer. What was lost shows in the answer, and the
    /// host asks for it.
    fn send_events_again_if_all_left(&mut self) {
        if !self.outbox.has_events() {
            self.diary.send_again_unless_sending();
        }
    }

    fn request(&mut self, request: Request) {
        let Request {
            number,
            seen,
            command,
        } = request;
        if !self.greeted {
            self.refused = Some((number, Refusal::NotGreeted));
            return;
        }
        let last = self.answered.as_ref().map(|answered| answered.number);
        let ahead = last.map(|last| number.wrapping_sub(last).cast_signed());
        match ahead {
            Some(0) => {
                self.repeats.heard(seen);
                self.diary.seen(seen);
                self.send_events_again_if_all_left();
                self.due.reply = true;
            }
            Some(..0) => {
                let next = last.unwrap_or(number).wrapping_add(1);
                self.refused = Some((number, Refusal::Stale { next }));
            }
            _ => {
                self.repeats.heard(seen);
                self.diary.seen(seen);
                self.answer(number, command);
            }
        }
    }

    fn answer(&mut self, number: u32, command: Command) {
        if command == Command::Crash {
            self.due.crash = true;
            return;
        }
        let result = self.carry_out(command);
        self.answered = Some(Answered {
            number,
            tick: self.board.tick(),
            events: self.diary.next_number(),
            result,
        });
        self.due.reply = true;
    }

    fn carry_out(&mut self, command: Command) -> Result<Done, Refusal> {
        match command {
            Command::Step {
                inputs,
                ticks,
                digest,
            } => return self.step(&inputs, ticks, digest),
            Command::Fingers(fingers) => return self.touch(&fingers),
            Command::Digest => return Ok(Done::Digest(self.board.digest())),
            Command::Legal => return Ok(self.legal()),
            Command::Status => return Ok(Done::Status(self.board.status())),
            Command::Read { offset } => return self.read(offset),
            Command::Faults => return self.tell_faults(),
            Command::Ping | Command::Crash => {}
            Command::Do(deed) => self.carry_out_deed(&deed)?,
            Command::Pace(pace) => {
                self.timing.pace = pace;
                self.begin_time();
            }
            Command::Frame => self.due.whole_frame = true,
            Command::Write { offset, bytes } => self.write(offset, &bytes)?,
            Command::Load { length } => self.load(length)?,
            Command::Break { length } => self.inject_faults(length)?,
            Command::Drawing { offset } => return self.drawing(offset),
            Command::Resend => self.diary.send_again(),
            Command::ClearBest => self.board.clear_best()?,
            Command::CountBest(counts) => self.board.count_best(counts),
        }
        Ok(Done::Done)
    }

    fn carry_out_deed(&mut self, deed: &Deed) -> Result<(), Refusal> {
        if !deed.restarts() {
            self.needs_room()?;
        }
        match deed {
            Deed::Reset { seed, layout } if self.is_other_drawing(*layout) => {
                self.restart_on_drawing(*seed, *layout)?;
            }
            deed => self.do_to_board(deed)?,
        }
        if deed.restarts() {
            self.diary.restart();
            self.repeats.forget();
            self.fingers.forget_contacts();
            self.due.whole_frame = true;
            self.begin_time();
        }
        Ok(())
    }

    fn is_other_drawing(&self, layout: Layout) -> bool {
        layout.sides().is_none() && layout != self.board.layout()
    }

    /// Restarts the board on the drawing in the buffer.
    // A separate function, like `load`.
    #[inline(never)]
    fn restart_on_drawing(&mut self, seed: u64, layout: Layout) -> Result<(), Refusal> {
        self.taken = None;
        let drawing = Drawing::first(self.buffer.as_mut()).ok();
        let drawing = drawing.filter(|drawing| drawing.layout() == layout);
        let drawing = drawing.ok_or(Refusal::NotDrawn(layout))?;
        self.board
            .restart_on_drawing(drawing, self.board.roster(), seed)
    }

    fn drawing(&self, offset: u16) -> Result<Done, Refusal> {
        let drawing = self.board.drawing();
        let bytes = drawing.map_or(&[][..], Drawing::bytes);
        let rest = bytes.get(offset.into()..);
        Ok(Done::Chunk {
            total: bytes.len() as u16,
            digest: drawing.map_or(0, Drawing::id).into(),
            bytes: chunk(rest.ok_or(Refusal::Chunk { offset })?),
        })
    }

    /// In lockstep nothing may happen for which there is no room in the diary.
    fn needs_room(&self) -> Result<(), Refusal> {
        if self.timing.pace == Pace::Lockstep && !self.diary.has_room() {
            return Err(Refusal::Unseen);
        }
        Ok(())
    }

    fn step(&mut self, inputs: &[Input], ticks: u32, digest: bool) -> Result<Done, Refusal> {
        if self.timing.pace != Pace::Lockstep {
            return Err(Refusal::NotInLockstep);
        }
        let mut taken = 0;
        for input in inputs {
            if !self.diary.has_room() {
                break;
            }
            self.take(*input);
            taken += 1;
        }
        let ticks = if taken == inputs.len() { ticks } else { 0 };
        let mut left = Tick::from(ticks);
        for _ in 0..WAKES_AT_ONCE {
            if left == 0 || !self.diary.has_room() {
                break;
            }
            left -= self.wake(left);
        }
        Ok(Done::Stepped {
            inputs: taken as u8,
            ticks: ticks.saturating_sub(left as u32),
            digest: digest.then(|| self.board.digest()),
        })
    }

    /// Puts the host's fingers on the simulated sensors, in free-running mode.
    fn touch(&mut self, inputs: &[Input]) -> Result<Done, Refusal> {
        if !self.fingers.are_simulated() {
            return Err(Refusal::FeelsNoFingers);
        }
        if self.timing.pace == Pace::Lockstep && !inputs.is_empty() {
            return Err(Refusal::InLockstep);
        }
        let put = |input: &&Input| self.fingers.put(**input);
        Ok(Done::Stepped {
            inputs: inputs.iter().take_while(put).count() as u8,
            ticks: 0,
            digest: None,
        })
    }

    fn legal(&self) -> Done {
        let mut points: Points<Wide> = Points::NONE;
        self.board.legal(&mut |point| points.insert(point));
        Done::legal(points)
    }

    fn read(&mut self, offset: u16) -> Result<Done, Refusal> {
        let refusal = Refusal::Chunk { offset };
        let buffer = self.buffer.as_mut();
        if offset == 0 {
            let length = self.board.save(buffer).ok_or(refusal)?.len();
            self.taken = Some(Taken {
                bytes: length as u16,
                digest: self.board.digest(),
            });
        }
        self.read_on(offset)
    }

    /// A piece of what was taken into the buffer.
    fn read_on(&mut self, offset: u16) -> Result<Done, Refusal> {
        let refusal = Refusal::Chunk { offset };
        let buffer = self.buffer.as_mut();
        let taken = self.taken.ok_or(refusal)?;
        let state = buffer.get(..taken.bytes.into()).ok_or(refusal)?;
        let rest = state.get(offset.into()..).ok_or(refusal)?;
        Ok(Done::Chunk {
            total: taken.bytes,
            digest: taken.digest,
            bytes: chunk(rest),
        })
    }

    /// Writes the text of the board's faults into the buffer, and answers with its first
    /// piece.
    fn tell_faults(&mut self) -> Result<Done, Refusal> {
        let bytes = self.faults.write(self.buffer.as_mut())?;
        self.taken = Some(Taken { bytes, digest: 0 });
        self.read_on(0)
    }

    /// Replaces the board's faults by those in the buffer.
    fn inject_faults(&mut self, length: u16) -> Result<(), Refusal> {
        let layout = self.board.layout();
        let text = self.buffer.as_mut().get(..length.into());
        self.faults.replace(text.unwrap_or_default(), layout)
    }

    fn write(&mut self, offset: u16, bytes: &List<u8, CHUNK_BYTES>) -> Result<(), Refusal> {
        self.taken = None;
        let place = usize::from(offset)..usize::from(offset) + bytes.len();
        let place = self.buffer.as_mut().get_mut(place);
        place
            .ok_or(Refusal::Chunk { offset })?
            .copy_from_slice(bytes);
        Ok(())
    }

    // A separate function: a second board is on its stack for a moment.
    #[inline(never)]
    fn load(&mut self, length: u16) -> Result<(), Refusal> {
        let state = self.buffer.as_mut().get(..length.into());
        let state = state.ok_or(Refusal::Snapshot)?;
        let (_, roster) = origin_of_snapshot(state).ok_or(Refusal::Snapshot)?;
        if games::of_any_layout(roster) != games::of_any_layout(self.roster) {
            return Err(Refusal::Roster(roster));
        }
        self.board.load(state)?;
        self.due.whole_frame = true;
        self.begin_time();
        Ok(())
    }
}

/// The first of these bytes, up to the size of a chunk.
fn chunk(bytes: &[u8]) -> List<u8, CHUNK_BYTES> {
    bytes.iter().copied().take(CHUNK_BYTES).collect()
}

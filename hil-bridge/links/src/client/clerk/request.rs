//! Requests, which are repeated until they are answered, and the handling of their answers.

use std::time::Instant;

use protocol::{Command, Deed, Done, Hello, Pace, Refusal, Reply, Request, ToDevice};
use touchboard_host::driver::DriverError;
use touchboard_host::happening::Happening;

use super::parts::Mark;
use super::patience::Patience;
use super::{Clerk, REPAIRS};
use crate::LinkError;
use crate::client::reader::Incoming;

impl Clerk {
    /// Carries out one request, over as many lines as necessary.
    pub(super) fn carry_out(
        &mut self,
        command: &Command,
        deadline: Instant,
    ) -> Result<Reply, DriverError> {
        let number = self.asking.next_number();
        let begins_anew = matches!(command, Command::Do(deed) if deed.begins_anew());
        if begins_anew {
            self.events.cursor.suspend();
        }
        loop {
            match self.send_until_answered(number, command, deadline) {
                Ok(reply) => {
                    self.carried_out(command, &reply);
                    return Ok(reply);
                }
                Err(error) if LinkError::may_pass(&error) => {
                    self.lose(&error);
                    let jumps = begins_anew || matches!(command, Command::Load { .. });
                    if self.reconnect(deadline, jumps)?.is_new() {
                        return Err(self.begun_anew());
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// [`Clerk::send_until_answered`] with the next number.
    pub(super) fn ask_next(
        &mut self,
        command: &Command,
        deadline: Instant,
    ) -> Result<Reply, DriverError> {
        let number = self.asking.next_number();
        self.send_until_answered(number, command, deadline)
    }

    /// Sends a request until it is answered.
    pub(super) fn send_until_answered(
        &mut self,
        number: u32,
        command: &Command,
        deadline: Instant,
    ) -> Result<Reply, DriverError> {
        let begin = Instant::now();
        let mut patience = Patience::new(deadline, self.retry());
        while patience.lasts(Instant::now()) {
            self.send_request(number, command)?;
            patience.begin(Instant::now());
            while let Some(incoming) = self.listen_patiently(&mut patience)? {
                if matches!(incoming, Incoming::Damaged(_)) {
                    // The damaged message may have been the answer, so the request is
                    // repeated soon.
                    patience.shorten(Instant::now() + self.retry() / 4);
                }
                let Some(reply) = self.handle(incoming)? else {
                    continue;
                };
                if reply.number != number {
                    continue;
                }
                if reply.result == Err(Refusal::NotGreeted) && *command == Command::Ping {
                    // A board that was just switched on sends a hello on its own and may
                    // have missed ours. A ping is harmless for any run, and a hello will
                    // tell which run it is.
                    self.ask_who_it_is();
                    patience.shorten(Instant::now() + self.retry() / 4);
                    continue;
                }
                self.answered(&reply, begin)?;
                return Ok(reply);
            }
            self.counters.retries += 1;
        }
        Err(self.silent())
    }

    pub(super) fn send_request(
        &mut self,
        number: u32,
        command: &Command,
    ) -> Result<(), DriverError> {
        let seen = self.events.cursor.next();
        let request = ToDevice::Request(Request {
            number,
            seen,
            command: command.clone(),
        });
        self.send(&request)?;
        self.asking.acknowledged = seen;
        self.asking.at = Instant::now();
        Ok(())
    }

    /// Handles the answer to a request that was sent at this time.
    pub(super) fn answered(&mut self, reply: &Reply, begin: Instant) -> Result<(), DriverError> {
        if reply.result == Err(Refusal::NotGreeted) {
            return Err(self.forgotten());
        }
        self.asking.at = Instant::now();
        self.counters.round_trip = begin.elapsed();
        self.publish(Some(reply.tick));
        Ok(())
    }

    /// Updates what is known about the board after a command.
    pub(super) fn carried_out(&mut self, command: &Command, reply: &Reply) {
        let begins_anew = matches!(command, Command::Do(deed) if deed.begins_anew());
        if reply.result.is_err() {
            if begins_anew {
                self.events.cursor.go_on_at(reply.events);
            }
            return;
        }
        match command {
            Command::Pace(pace) => {
                self.known.pace = Some(*pace);
                self.known.lockstep = *pace == Pace::Lockstep;
            }
            Command::Do(deed) if begins_anew => {
                self.events.cursor.go_on_at(0);
                self.events.marks.clear();
                // The new hello arrives later, but callers must see the new layout and
                // seed now.
                if let (Deed::Reset { seed, layout }, Some(known)) = (deed, &self.known.hello) {
                    self.recognise(Hello {
                        seed: *seed,
                        layout: *layout,
                        ..known.clone()
                    });
                }
                self.ask_who_it_is();
            }
            Command::Load { .. } => self.ask_who_it_is(),
            _ => {}
        }
        if let Ok(Done::Stepped {
            digest: Some(digest),
            ..
        }) = reply.result
        {
            let tick = reply.tick;
            self.mark(reply, Mark::Told(Happening::Stepped { tick, digest }));
        }
        // Inputs are not reported here, because the board reports them itself.
        if let Command::Do(deed) = command
            && !matches!(deed, Deed::Input(_))
        {
            let layout = match deed {
                Deed::Reset { layout, .. } => Some((*layout).into()),
                _ => None,
            };
            let happening = Happening::Carried {
                tick: reply.tick,
                deed: Box::new(deed.clone()),
                layout,
            };
            self.mark(reply, Mark::Told(happening));
        }
    }

    /// Requests the events and the frame that are missing, over as many lines as necessary.
    pub(super) fn settle(&mut self, reply: &Reply, deadline: Instant) -> Result<(), DriverError> {
        while let Err(error) = self.repair(reply, deadline) {
            if !LinkError::may_pass(&error) {
                return Err(error);
            }
            self.lose(&error);
            if self.reconnect(deadline, false)?.is_new() {
                return Err(self.begun_anew());
            }
        }
        Ok(())
    }

    /// Requests events and frames that the answer implies but that have not arrived. The
    /// board sends them before the answer.
    pub(super) fn repair(&mut self, reply: &Reply, deadline: Instant) -> Result<(), DriverError> {
        let mut newest = reply.events;
        for _ in 0..REPAIRS {
            let command = if self.events.cursor.lacks(reply.events) {
                Command::Resend
            } else if self.lacks_frame(reply) {
                Command::Frame
            } else {
                self.events.gap = false;
                return Ok(());
            };
            newest = self.ask_next(&command, deadline)?.events;
        }
        if self.events.cursor.lacks(reply.events) {
            // The board no longer has these events.
            self.events.cursor.go_on_at(newest);
            self.report(Happening::Missed);
            self.flush_marks();
        }
        self.events.gap = false;
        Ok(())
    }

    /// True if the frame copy misses something. On a free-running board, newer frames are
    /// always on their way, so only a gap counts.
    pub(super) fn lacks_frame(&self, reply: &Reply) -> bool {
        !self.frame_copy.is_current()
            || (self.known.lockstep && self.frame_copy.lacks(reply.frames))
    }
}

//! Requests, which are repeated until they are answered, and the handling of their answers.

use std::time::Duration;

use protocol::{Command, Deed, Done, Hello, Pace, Refusal, Reply, Request, ToDevice};

use super::hear::is_before;
use super::patience::Patience;
use super::{Clerk, REPAIRS};
use crate::conversation::FromBoard;
use crate::driver::DriverError;
use crate::happening::Happening;
use crate::link_error::LinkError;

/// A number that lies so far back was used long ago, but still counts as earlier.
const LONG_AGO: u32 = 1 << 30;

/// True for a deed that is told at its place among the events. Events that follow it may
/// arrive before its answer, if that is lost at first.
fn has_place_among_events(command: &Command) -> bool {
    matches!(command, Command::Do(deed) if !deed.restarts() && !matches!(deed, Deed::Input(_)))
}

/// True for a command that does no harm if it is carried out twice.
fn may_be_repeated(command: &Command) -> bool {
    !matches!(
        command,
        Command::Do(_)
            | Command::Step { .. }
            | Command::Fingers(_)
            | Command::Load { .. }
            | Command::Break { .. }
    )
}

impl Clerk {
    /// Carries out one request, over as many lines as necessary.
    pub(super) async fn carry_out(
        &mut self,
        command: &Command,
        deadline: Duration,
    ) -> Result<Reply, DriverError> {
        let number = self.asking.next_number();
        let restarts = command.restarts();
        let cursor = self.events.cursor;
        if restarts {
            self.events.cursor.suspend();
        }
        let has_place = has_place_among_events(command);
        if has_place {
            self.hold();
        }
        let result = self.carry_out_on_any_line(number, command, deadline).await;
        match &result {
            Ok(reply) if reply.result.is_ok() => self.carried_out(command, reply),
            // The same game goes on, with the events that arrived meanwhile.
            Ok(_) if restarts && self.events.cursor.is_suspended() => {
                self.events.cursor = cursor;
            }
            Ok(_) => {}
            Err(error) if restarts || has_place => self.lose_certainty(error, restarts),
            Err(_) => {}
        }
        if has_place {
            self.release();
        }
        result
    }

    /// Handles a deed without an answer, which the board may have carried out: its state is
    /// unknown, and so are the numbers of its events if it began anew. The loss comes before
    /// all [held](Clerk::hold) events, since the deed may have its place before them.
    pub(super) fn lose_certainty(&mut self, error: &DriverError, restarts: bool) {
        let has_held = self
            .events
            .held
            .as_ref()
            .is_some_and(|held| !held.is_empty());
        if matches!(error, DriverError::Restarted(_)) && !has_held {
            // The new run has been reported.
            return;
        }
        if restarts {
            self.known.is_unknown = true;
            self.events.lose_place();
        }
        match &mut self.events.held {
            Some(held) => held.insert(0, Happening::Missed),
            None => self.report(Happening::Missed),
        }
    }

    async fn carry_out_on_any_line(
        &mut self,
        number: u32,
        command: &Command,
        deadline: Duration,
    ) -> Result<Reply, DriverError> {
        let restarts = command.restarts();
        loop {
            match self.send_until_answered(number, command, deadline).await {
                Ok(reply) => return Ok(reply),
                Err(error) if LinkError::may_pass(&error) => {
                    self.lose(&error);
                    let jumps = restarts || matches!(command, Command::Load { .. });
                    if self.reconnect(deadline, jumps).await?.is_new() {
                        return Err(self.begun_anew());
                    }
                    if !self.is_remembered && !may_be_repeated(command) {
                        return Err(self.forgotten());
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// [`Clerk::send_until_answered`] with the next number.
    pub(super) async fn ask_next(
        &mut self,
        command: &Command,
        deadline: Duration,
    ) -> Result<Reply, DriverError> {
        let number = self.asking.next_number();
        self.send_until_answered(number, command, deadline).await
    }

    /// Sends a request until it is answered.
    pub(super) async fn send_until_answered(
        &mut self,
        number: u32,
        command: &Command,
        deadline: Duration,
    ) -> Result<Reply, DriverError> {
        if self.asking.lacks_hello && !may_be_repeated(command) {
            self.wait_for_hello(deadline).await?;
        }
        let begin = self.now();
        let mut patience = Patience::new(deadline, self.retry());
        // True while only the lack of a hello keeps an answer from counting.
        let mut awaits_hello = false;
        while patience.lasts(self.now()) {
            self.send_request(number, command)?;
            patience.begin(self.now());
            while let Some(incoming) = self.listen_patiently(&mut patience).await? {
                let reply = self.hear_patiently(incoming, &mut patience)?;
                if awaits_hello && !self.asking.lacks_hello {
                    awaits_hello = false;
                    patience.shorten(self.now());
                }
                let Some(reply) = reply else {
                    continue;
                };
                if reply.number != number {
                    continue;
                }
                let is_refused = reply.result == Err(Refusal::NotGreeted);
                if is_refused && *command == Command::Ping {
                    // A board that was just switched on sends a hello on its own and may
                    // have missed ours. A ping is harmless for any run.
                    self.ask_who_it_is();
                    patience.shorten(self.now() + self.soon());
                    continue;
                }
                if !self.may_count(&reply, &mut patience) {
                    awaits_hello = true;
                    continue;
                }
                self.answered(&reply, begin)?;
                return Ok(reply);
            }
            self.counters.retries += 1;
        }
        self.asking.unanswered = self.asking.unanswered.saturating_add(1);
        Err(self.silent())
    }

    /// Handles an item that arrived while an answer is due. Returns it if it is an answer.
    fn hear_patiently(
        &mut self,
        incoming: FromBoard,
        patience: &mut Patience,
    ) -> Result<Option<Reply>, DriverError> {
        if matches!(incoming, FromBoard::Damaged(_)) {
            // The damaged message may have been the answer, so the request is repeated
            // soon.
            patience.shorten(self.now() + self.soon());
        } else {
            patience.hears_other(self.now());
        }
        self.handle(incoming)
    }

    /// Waits for the hello that is due, before a command that must not reach a board in
    /// another run. Our own hello greets such a board as well, so it would carry the
    /// command out.
    async fn wait_for_hello(&mut self, deadline: Duration) -> Result<(), DriverError> {
        // It has been asked for.
        let mut patience = Patience::new(deadline, self.retry());
        patience.begin(self.now());
        loop {
            while let Some(incoming) = self.listen_patiently(&mut patience).await? {
                self.hear_patiently(incoming, &mut patience)?;
                if !self.asking.lacks_hello {
                    return Ok(());
                }
            }
            if !patience.lasts(self.now()) {
                self.asking.unanswered = self.asking.unanswered.saturating_add(1);
                return Err(self.silent());
            }
            self.counters.retries += 1;
            self.ask_who_it_is();
            patience.begin(self.now());
        }
    }

    /// False if a hello is due, without which the answer may be that of a stranger. Then
    /// the hello is asked for, and the request is soon repeated.
    pub(super) fn may_count(&mut self, reply: &Reply, patience: &mut Patience) -> bool {
        let may_count = !self.asking.lacks_hello || reply.result == Err(Refusal::NotGreeted);
        if !may_count {
            self.ask_who_it_is();
            patience.shorten(self.now() + self.soon());
        }
        may_count
    }

    /// Asks whether the board remembers this host: a board that had another one meanwhile
    /// carries out any request, and it may have been reset. One that remembers refuses a
    /// request with a number from long ago.
    pub(super) async fn ask_whether_remembered(
        &mut self,
        deadline: Duration,
    ) -> Result<bool, DriverError> {
        let long_ago = self.asking.number.wrapping_sub(LONG_AGO);
        // Until that is known, an event may be one of another game.
        let cursor = self.events.cursor;
        self.events.cursor.suspend();
        let reply = self
            .send_until_answered(long_ago, &Command::Ping, deadline)
            .await;
        self.events.cursor = cursor;
        let reply = reply?;
        Ok(matches!(reply.result, Err(Refusal::Stale { .. })))
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
        self.asking.at = self.now();
        Ok(())
    }

    /// Handles the answer to a request that was sent at this time.
    pub(super) fn answered(&mut self, reply: &Reply, begin: Duration) -> Result<(), DriverError> {
        if reply.result == Err(Refusal::NotGreeted) {
            return Err(self.forgotten());
        }
        self.asking.at = self.now();
        self.asking.unanswered = 0;
        self.asking.was_answered = true;
        self.counters.round_trip = self.now().saturating_sub(begin);
        self.publish(Some(reply.tick));
        Ok(())
    }

    /// Updates what is known about the board after a command that it carried out.
    pub(super) fn carried_out(&mut self, command: &Command, reply: &Reply) {
        let restarts = command.restarts();
        match command {
            Command::Pace(pace) => {
                self.known.pace = Some(*pace);
                self.known.lockstep = *pace == Pace::Lockstep;
            }
            Command::Do(deed) if restarts => {
                self.events.cursor.go_on_at(0);
                self.events.placed.clear();
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
            Command::Load { .. } => {
                // Told before missing events are asked for: some may be missing on both
                // sides of it.
                if let Some(state) = self.loading.take() {
                    let tick = reply.tick;
                    self.report_at(reply, Happening::Snapshot { tick, state });
                }
                self.ask_who_it_is();
            }
            _ => {}
        }
        if let Ok(Done::Stepped {
            digest: Some(digest),
            ..
        }) = reply.result
        {
            let tick = reply.tick;
            self.report_at(reply, Happening::Stepped { tick, digest });
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
            self.report_at(reply, happening);
        }
    }

    /// Requests the events and the frame that are missing, over as many lines as necessary.
    pub(super) async fn settle(
        &mut self,
        reply: &Reply,
        deadline: Duration,
    ) -> Result<(), DriverError> {
        while let Err(error) = self.repair(reply, deadline).await {
            if !LinkError::may_pass(&error) {
                return Err(error);
            }
            self.lose(&error);
            if self.reconnect(deadline, false).await?.is_new() {
                return Err(self.begun_anew());
            }
        }
        Ok(())
    }

    /// Requests events and frames that the answer implies but that have not arrived. The
    /// board sends them before the answer.
    pub(super) async fn repair(
        &mut self,
        reply: &Reply,
        deadline: Duration,
    ) -> Result<(), DriverError> {
        let mut newest = reply.events;
        let mut repairs = 0;
        while repairs < REPAIRS || (self.known.lockstep && self.now() < deadline) {
            repairs += 1;
            let lacks_events = self.events.cursor.lacks(reply.events);
            let command = if lacks_events {
                Command::Resend
            } else if self.lacks_frame(reply) {
                Command::Frame
            } else {
                self.events.gap = false;
                return Ok(());
            };
            let damaged = self.counters.damaged;
            newest = self.ask_next(&command, deadline).await?.events;
            if lacks_events && self.counters.damaged == damaged && !self.known.lockstep {
                // All events that the board still has have arrived, unless one was lost
                // without a trace. A board whose time is held has all of them.
                self.go_on_without_events(reply, newest);
            }
        }
        self.go_on_without_events(reply, newest);
        self.events.gap = false;
        match self.known.lockstep && self.lacks_frame(reply) {
            true => Err(self.silent()),
            false => Ok(()),
        }
    }

    /// If events before this answer are still missing, the board no longer has them:
    /// reports that, and continues with the newest.
    fn go_on_without_events(&mut self, reply: &Reply, newest: u32) {
        if self.events.cursor.lacks(reply.events) {
            let placed = &self.events.placed;
            let lacks_later = placed.iter().any(|(before, _)| is_before(*before, newest));
            self.events.cursor.go_on_at(newest);
            self.report(Happening::Missed);
            self.flush_placed();
            if lacks_later {
                // Events are missing after it, too: a state that was loaded there is not
                // the newest.
                self.report(Happening::Missed);
            }
        }
    }

    /// True if the frame copy misses something. On a free-running board, newer frames are
    /// always on their way, so only a gap counts.
    pub(super) fn lacks_frame(&self, reply: &Reply) -> bool {
        !self.frame_copy.is_current()
            || (self.known.lockstep && self.frame_copy.lacks(reply.frames))
    }
}

//! Connects to the board: opens a line, greets the board, and detects that it has a new
//! run or is lost.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use protocol::{
    Command, Done, Drawing, Frame, Hello, PROTOCOL_VERSION, Refusal, SCHEMA_HASH, ToDevice, ToHost,
};
use touchboard_host::driver::DriverError;
use touchboard_host::happening::{Happening, Run};
use tracing::{debug, info, warn};

use super::parts::Line;
use super::{Clerk, Patience};
use crate::LinkError;
use crate::client::reader::{Incoming, Reader};
use crate::client::{BoardView, LinkState};
use crate::link::{Link, Unrecorded};

impl Clerk {
    /// True if the board was greeted and its event number is known.
    pub(super) fn is_ready(&self) -> bool {
        self.line.is_some() && !self.known.is_unknown
    }

    /// Opens a line, greets the board, and learns its state. Tries until the deadline, at
    /// least once.
    pub(super) fn make_ready(&mut self, deadline: Instant) -> Result<(), DriverError> {
        loop {
            if self.line.is_none() {
                self.reconnect(deadline, false)?;
            }
            let Err(error) = self.take_up(deadline) else {
                return Ok(());
            };
            self.lose(&error);
            if !LinkError::may_pass(&error) || Instant::now() >= deadline {
                return Err(error);
            }
        }
    }

    /// After a greeting: learns the board's event number, restores the pace of an earlier
    /// run, and requests the frame.
    fn take_up(&mut self, deadline: Instant) -> Result<(), DriverError> {
        let deadline = deadline.max(Instant::now() + self.timeout());
        let ping = self.ask_next(&Command::Ping, deadline)?;
        if self.known.is_unknown {
            self.events.cursor.go_on_at(ping.events);
            if let Some(pace) = self.known.pace {
                self.ask_next(&Command::Pace(pace), deadline)?;
            }
            self.known.is_unknown = false;
        }
        self.settle(&ping, deadline)?;
        self.publish(None);
        Ok(())
    }

    /// Opens a line and greets the board. Tries until the deadline, at least once.
    /// `jumps` is true if its tick may have changed because of our own request.
    pub(super) fn reconnect(&mut self, deadline: Instant, jumps: bool) -> Result<Run, DriverError> {
        loop {
            let attempt = self.dial.dial();
            let attempt = attempt.and_then(|link| self.greet(link, deadline));
            let attempt = attempt.and_then(|hello| self.look_at(hello, deadline));
            let error = match attempt {
                Ok(hello) => {
                    self.redial.reset();
                    return Ok(self.met(hello, jumps));
                }
                Err(error) => error,
            };
            self.line = None;
            self.redial.at = Instant::now() + self.redial.back_off;
            debug!("the line to {} does not open: {error}", self.dial.name());
            self.show(LinkState::Lost(error.to_string()));
            // A line that was lost is opened again, but a board that never answered is
            // not waited for.
            let never = self.known.hello.is_none()
                && !matches!(LinkError::of(&error), Some(LinkError::Lost(_)));
            if never || self.redial.at >= deadline {
                self.redial.wait_longer();
                return Err(error);
            }
            std::thread::sleep(self.redial.back_off);
            self.redial.wait_longer();
        }
    }

    pub(super) fn greet(
        &mut self,
        link: Box<dyn Link>,
        deadline: Instant,
    ) -> Result<Hello, DriverError> {
        let reader = link
            .try_clone()
            .and_then(Reader::start)
            .map_err(|error| self.failed(&error))?;
        self.line = Some(Line { link, reader });
        self.frame_copy.doubt();
        let hello = self.own_hello();
        let deadline = deadline.max(Instant::now() + self.timeout() / 2);
        let mut patience = Patience::new(deadline, self.retry());
        while patience.lasts(Instant::now()) {
            self.send(&hello)?;
            patience.begin(Instant::now());
            while let Some(incoming) = self.listen_patiently(&mut patience)? {
                match incoming {
                    Incoming::Message(ToHost::Hello(hello)) => return Ok(hello),
                    busy @ Incoming::Message(ToHost::Busy(_)) => {
                        self.handle(busy)?;
                    }
                    Incoming::Message(_) | Incoming::Damaged(_) => {}
                    other => {
                        self.handle(other)?;
                    }
                }
            }
        }
        Err(self.silent())
    }

    /// Reads the board's drawing, if its layout is a drawing that is not known.
    fn look_at(&mut self, hello: Hello, deadline: Instant) -> Result<Hello, DriverError> {
        let layout = hello.layout;
        if layout.sides().is_some() || layout.drawing().is_some() {
            return Ok(hello);
        }
        let mut drawing: Vec<u8> = Vec::new();
        loop {
            let offset = drawing.len() as u16;
            let reply = self.ask_next(&Command::Drawing { offset }, deadline)?;
            let Done::Chunk { total, bytes, .. } = reply.result? else {
                return Err(Refusal::NotDrawn(layout).into());
            };
            drawing.extend_from_slice(&bytes);
            if bytes.is_empty() || drawing.len() >= total.into() {
                break;
            }
        }
        let kept = Drawing::new(&drawing).and_then(Drawing::keep);
        match kept {
            Ok(kept) if kept == layout => {
                self.known.layout = Some(kept);
                Ok(hello)
            }
            _ => Err(LinkError::lost(format!(
                "the board at {} has the layout {layout}, and its drawing cannot be read",
                self.dial.name()
            ))),
        }
    }

    pub(super) fn own_hello(&self) -> ToDevice {
        ToDevice::Hello {
            version: PROTOCOL_VERSION,
            schema: SCHEMA_HASH,
            host: self.asking.host,
        }
    }

    /// Handles the hello of the board.
    pub(super) fn met(&mut self, hello: Hello, jumps: bool) -> Run {
        let run = match &self.known.hello {
            None => Run::First,
            Some(known)
                if known.boot != hello.boot
                    || known.board != hello.board
                    || (hello.tick < known.tick && !jumps) =>
            {
                Run::Anew { before: known.tick }
            }
            Some(_) => Run::Known,
        };
        info!(
            "{} at {}, tick {}",
            hello.board,
            self.dial.name(),
            hello.tick
        );
        if run != Run::First {
            self.counters.reconnects += 1;
        }
        if matches!(run, Run::Anew { .. }) {
            self.known.run = self.known.run.wrapping_add(1);
            // Stored before the report, because a program that receives the report looks
            // up the number of the run.
            if let Some(view) = &self.view {
                view.lock().unwrap_or_else(PoisonError::into_inner).run = self.known.run;
            }
        }
        if run.is_new() {
            self.known.is_unknown = true;
            self.events.cursor.suspend();
            self.events.marks.clear();
        }
        self.report(Happening::Connected {
            hello: Box::new(hello.clone()),
            layout: hello.layout.into(),
            run,
        });
        let counters = self.counters;
        let frame = self.frame_copy.frame().clone();
        let view = self.view.get_or_insert_with(|| {
            Arc::new(Mutex::new(BoardView {
                hello: hello.clone(),
                frame: Frame::default(),
                tick: hello.tick,
                link: LinkState::Connected,
                counters,
                overrun: 0,
                run: 0,
            }))
        });
        let mut open = view.lock().unwrap_or_else(PoisonError::into_inner);
        open.link = LinkState::Connected;
        open.tick = hello.tick;
        open.frame = frame;
        drop(open);
        self.recognise(hello);
        run
    }

    /// Stores the board's hello.
    pub(super) fn recognise(&mut self, hello: Hello) {
        if let Some(view) = &self.view {
            let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
            view.hello = hello.clone();
        }
        self.known.layout = Some(hello.layout.into());
        self.known.hello = Some(hello);
    }

    pub(super) fn lose(&mut self, why: &DriverError) {
        if self.line.take().is_none() {
            return;
        }
        let is_of_line = matches!(LinkError::of(why), Some(LinkError::Lost(_)));
        let known = is_of_line.then(|| self.dial.why_ended()).flatten();
        let why = known.unwrap_or_else(|| why.to_string());
        warn!("{why}");
        self.asking.ping = None;
        self.redial.at = Instant::now();
        self.report(Happening::Lost(why.clone()));
        self.show(LinkState::Lost(why));
    }

    /// Publishes the state of the line: why it was lost, and later why it cannot be opened.
    fn show(&self, link: LinkState) {
        if let Some(view) = &self.view {
            let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
            view.link = link;
        }
    }

    /// Requests a new hello, because layout and seed may have changed. The answer comes
    /// later.
    pub(super) fn ask_who_it_is(&mut self) {
        // The next request will notice that a line has ended.
        let _ = self.send(&self.own_hello());
    }

    /// The error of a failed line.
    pub(super) fn failed(&self, error: &io::Error) -> DriverError {
        if Unrecorded::is_cause_of(error) {
            return LinkError::lost(error.to_string());
        }
        self.gone(&error.to_string())
    }

    pub(super) fn gone(&self, why: &str) -> DriverError {
        LinkError::lost(format!("the line to {} was lost: {why}", self.dial.name()))
    }

    /// The error for a hello from a new run.
    pub(super) fn restarted(&self) -> DriverError {
        LinkError::lost(format!("the board at {} was restarted", self.dial.name()))
    }

    /// The error for a board that refused a request because it had not been greeted.
    pub(super) fn forgotten(&self) -> DriverError {
        LinkError::lost(format!(
            "the board at {} does not know this program any more: it was restarted, or another program spoke to it",
            self.dial.name()
        ))
    }

    /// The result of a command for an earlier run.
    pub(super) fn begun_anew(&self) -> DriverError {
        DriverError::Restarted(self.dial.name().into())
    }

    pub(super) fn silent(&self) -> DriverError {
        LinkError::Silent {
            at: self.dial.name().into(),
            timeout_ms: self.options.timeout_ms,
        }
        .into()
    }
}

//! Connects to the board: opens a line, greets the board, and detects that it has a new
//! run or is lost.

use std::time::Duration;

use protocol::{
    Command, Drawing, Frame, Hello, PROTOCOL_VERSION, Refusal, SCHEMA_HASH, ToDevice, ToHost,
};
use tracing::{debug, info, warn};

use super::chunks::Chunks;
use super::{Clerk, Patience};
use crate::conversation::{BoardView, FromBoard, LineState, SharedView, Waiting};
use crate::driver::DriverError;
use crate::happening::{Happening, MetRun};
use crate::link_error::LinkError;

impl Clerk {
    /// True if the board was greeted and its event number is known.
    pub(super) fn is_ready(&self) -> bool {
        self.is_open && !self.known.is_unknown
    }

    /// Opens a line, greets the board, and learns its state. Tries until the deadline, at
    /// least once.
    pub(super) async fn make_ready(&mut self, deadline: Duration) -> Result<(), DriverError> {
        loop {
            if !self.is_open {
                self.reconnect(deadline, false).await?;
            }
            let Err(error) = self.take_up(deadline).await else {
                return Ok(());
            };
            self.lose(&error);
            if !LinkError::may_pass(&error) || self.now() >= deadline {
                return Err(error);
            }
        }
    }

    /// After a greeting: learns the board's event number, restores the pace of an earlier
    /// run, and requests the frame.
    async fn take_up(&mut self, deadline: Duration) -> Result<(), DriverError> {
        let deadline = deadline.max(self.now() + self.timeout());
        let ping = self.ask_next(&Command::Ping, deadline).await?;
        if self.known.is_unknown {
            // An earlier attempt may have got as far as this.
            if self.events.cursor.is_suspended() {
                self.events.cursor.go_on_at(ping.events);
            }
            if let Some(pace) = self.known.pace {
                self.ask_next(&Command::Pace(pace), deadline).await?;
            }
            self.known.is_unknown = false;
        }
        // A slow line may have needed most of the time for the events before the answer.
        self.settle(&ping, self.now() + self.timeout()).await?;
        self.publish(None);
        Ok(())
    }

    /// Opens a line and greets the board. Tries until the deadline, at least once.
    /// `jumps` is true if its tick may have changed because of our own request.
    pub(super) async fn reconnect(
        &mut self,
        deadline: Duration,
        jumps: bool,
    ) -> Result<MetRun, DriverError> {
        loop {
            let error = match self.attempt(deadline).await {
                Ok(hello) => {
                    self.redial.reset();
                    return Ok(self.met(hello, jumps));
                }
                Err(error) => error,
            };
            self.close();
            self.redial.at = self.now() + self.redial.back_off;
            debug!("the line to {} does not open: {error}", self.name);
            self.show(LineState::Lost(error.to_string()));
            // A line that was lost is opened again, but a board that never answered is
            // not waited for.
            let never = self.known.hello.is_none()
                && !matches!(LinkError::of(&error), Some(LinkError::Lost(_)));
            if never || self.redial.at >= deadline {
                self.redial.wait_longer();
                return Err(error);
            }
            let waiting = Waiting {
                until: self.redial.at,
                for_line: false,
                for_orders: false,
            };
            while self.now() < self.redial.at {
                self.pause(waiting).await;
            }
            self.redial.wait_longer();
        }
    }

    /// Opens a line once, and greets the board.
    async fn attempt(&mut self, deadline: Duration) -> Result<Hello, DriverError> {
        self.end.borrow_mut().open()?;
        self.is_open = true;
        let hello = self.greet(deadline).await?;
        self.asking.has_hello();
        let hello = self.look_at(hello, deadline).await?;
        let known = self.known.hello.as_ref();
        let Some(tick) = known
            .filter(|known| known.boot == hello.boot && self.asking.was_answered)
            .map(|known| known.tick)
        else {
            self.is_remembered = true;
            return Ok(hello);
        };
        let deadline = deadline.max(self.now() + self.timeout());
        self.is_remembered = self.ask_whether_remembered(deadline).await?;
        // What the board has told since the hello is newer than it.
        if let Some(known) = &mut self.known.hello {
            known.tick = tick;
        }
        Ok(hello)
    }

    fn close(&mut self) {
        self.is_open = false;
        self.end.borrow_mut().close();
    }

    pub(super) async fn greet(&mut self, deadline: Duration) -> Result<Hello, DriverError> {
        self.frame_copy.doubt();
        let hello = self.own_hello();
        let deadline = deadline.max(self.now() + self.timeout() / 2);
        let mut patience = Patience::new(deadline, self.retry());
        while patience.lasts(self.now()) {
            self.send(&hello)?;
            patience.begin(self.now());
            while let Some(incoming) = self.listen_patiently(&mut patience).await? {
                match incoming {
                    FromBoard::Message(ToHost::Hello(hello)) => return Ok(hello),
                    busy @ FromBoard::Message(ToHost::Busy(_)) => {
                        self.handle(busy)?;
                    }
                    FromBoard::Message(_) => patience.hears_other(self.now()),
                    FromBoard::Damaged(_) => {}
                    other => {
                        self.handle(other)?;
                    }
                }
            }
        }
        self.asking.unanswered = self.asking.unanswered.saturating_add(1);
        Err(self.silent())
    }

    /// Reads the board's drawing, if its layout is a drawing that is not known.
    async fn look_at(&mut self, hello: Hello, deadline: Duration) -> Result<Hello, DriverError> {
        let layout = hello.layout;
        if layout.sides().is_some() || layout.drawing().is_some() {
            return Ok(hello);
        }
        let mut chunks = Chunks::default();
        loop {
            let offset = chunks.offset();
            let reply = self
                .ask_next(&Command::Drawing { offset }, deadline)
                .await?;
            if chunks.add(reply.result?, Refusal::NotDrawn(layout))? {
                break;
            }
        }
        let drawing = chunks.whole();
        let kept = drawing.and_then(|drawing| Drawing::new(&drawing).and_then(Drawing::keep).ok());
        match kept {
            Some(kept) if kept == layout => {
                self.known.layout = Some(kept);
                Ok(hello)
            }
            _ => Err(LinkError::lost(format!(
                "the board at {} has the layout {layout}, and its drawing cannot be read",
                self.name
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

    /// How the run of the board that says this follows the one that is known.
    fn run_of(&self, hello: &Hello, jumps: bool) -> MetRun {
        match &self.known.hello {
            None => MetRun::First,
            Some(known)
                if known.boot != hello.boot
                    || known.board != hello.board
                    || (known.seed != hello.seed && !jumps)
                    || (hello.tick < known.tick && !jumps) =>
            {
                MetRun::Anew { before: known.tick }
            }
            Some(_) => MetRun::Known,
        }
    }

    /// Handles the hello of the board.
    pub(super) fn met(&mut self, hello: Hello, jumps: bool) -> MetRun {
        let run = self.run_of(&hello, jumps);
        info!("{} at {}, tick {}", hello.board, self.name, hello.tick);
        if run != MetRun::First {
            self.counters.reconnects += 1;
        }
        if matches!(run, MetRun::Anew { .. }) {
            self.known.run = self.known.run.wrapping_add(1);
            // Stored before the report, because a program that receives the report looks
            // up the number of the run.
            if let Some(view) = &self.view {
                view.lock().run = self.known.run;
            }
        }
        if run.is_new() {
            self.asking.was_answered = false;
            self.known.is_unknown = true;
            self.events.lose_place();
        }
        self.report(Happening::Connected {
            hello: Box::new(hello.clone()),
            layout: hello.layout.into(),
            run,
        });
        if !run.is_new() && !self.is_remembered {
            // Another host had the board, and may have done anything.
            self.known.is_unknown = true;
            self.events.lose_place();
            self.report(Happening::Missed);
        }
        let counters = self.counters;
        let frame = self.frame_copy.frame().clone();
        let view = self.view.get_or_insert_with(|| {
            SharedView::new(BoardView {
                hello: hello.clone(),
                frame: Frame::default(),
                tick: hello.tick,
                link: LineState::Connected,
                counters,
                overrun: 0,
                run: 0,
            })
        });
        let mut open = view.lock();
        open.link = LineState::Connected;
        open.tick = hello.tick;
        open.frame = frame;
        drop(open);
        self.recognise(hello);
        run
    }

    /// Stores the board's hello.
    pub(super) fn recognise(&mut self, hello: Hello) {
        if let Some(view) = &self.view {
            let mut view = view.lock();
            view.hello = hello.clone();
        }
        self.known.layout = Some(hello.layout.into());
        self.known.hello = Some(hello);
    }

    pub(super) fn lose(&mut self, why: &DriverError) {
        if !self.is_open {
            return;
        }
        self.close();
        let is_of_line = matches!(LinkError::of(why), Some(LinkError::Lost(_)));
        let known = is_of_line.then(|| self.end.borrow_mut().why_ended());
        let known = known.flatten();
        let why = known.unwrap_or_else(|| why.to_string());
        warn!("{why}");
        self.asking.ping = None;
        self.redial.at = self.now();
        self.report(Happening::Lost(why.clone()));
        self.show(LineState::Lost(why));
    }

    /// Publishes the state of the line: why it was lost, and later why it cannot be opened.
    fn show(&self, link: LineState) {
        if let Some(view) = &self.view {
            let mut view = view.lock();
            view.link = link;
        }
    }

    /// Requests a new hello, because layout and seed may have changed, or because the board
    /// may be in another run. The hello comes later; until then no answer counts.
    pub(super) fn ask_who_it_is(&mut self) {
        self.asking.lacks_hello = true;
        // The next request will notice that a line has ended.
        let _ = self.send(&self.own_hello());
    }

    pub(super) fn gone(&self, why: &str) -> DriverError {
        LinkError::gone(&self.name, why)
    }

    /// The error for a hello from a new run.
    pub(super) fn restarted(&self) -> DriverError {
        LinkError::lost(format!("the board at {} was restarted", self.name))
    }

    /// The error for a board that refused a request because it had not been greeted.
    pub(super) fn forgotten(&self) -> DriverError {
        LinkError::lost(format!(
            "the board at {} does not know this program any more: it was restarted, or another program spoke to it",
            self.name
        ))
    }

    /// The result of a command for an earlier run.
    pub(super) fn begun_anew(&self) -> DriverError {
        DriverError::Restarted(self.name.clone())
    }

    pub(super) fn silent(&self) -> DriverError {
        LinkError::Silent {
            at: self.name.clone(),
            timeout_ms: self.options.timeout_ms,
            faults: self.end.borrow().faults(),
        }
        .into()
    }
}

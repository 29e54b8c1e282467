//! Meeting the board: opening a line, saying hello, noticing that it is another
//! run of it, and losing it again.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use protocol::{Command, Frame, Hello, PROTOCOL_VERSION, SCHEMA_HASH, ToDevice, ToHost};
use tracing::{debug, info, warn};

use super::{Clerk, Line};
use crate::client::reader::{Incoming, Reader};
use crate::client::{Happening, LinkState, View};
use crate::driver::BridgeError;
use crate::link::{Link, Unrecorded};

/// The waits between attempts to open a line that has ended: each twice the
/// one before.
pub const BACK_OFF_FIRST: Duration = Duration::from_millis(50);
/// See [`BACK_OFF_FIRST`].
const BACK_OFF_MOST: Duration = Duration::from_secs(2);

impl Clerk {
    /// Opens a line and greets the board: what the first connection and an idle
    /// clerk do. True if the board was restarted since the line before.
    pub(super) fn connect(&mut self, deadline: Instant) -> Result<bool, BridgeError> {
        let again = self.board.is_some();
        let fresh = self.reconnect(deadline, false)?;
        self.take_up(deadline)?;
        Ok(again && fresh)
    }

    /// Asks a board that was greeted where its events are and what it shows. A
    /// run of it that we did not know goes on at the pace that was asked for.
    pub(super) fn take_up(&mut self, deadline: Instant) -> Result<(), BridgeError> {
        let deadline = deadline.max(Instant::now() + self.timeout());
        // The answer says where the events are and brings the frame.
        let ping = self.carry_out(&Command::Ping, deadline)?;
        if self.new_run {
            self.order.go_on_at(ping.events);
            if let Some(pace) = self.pace {
                self.carry_out(&Command::Pace(pace), deadline)?;
            }
            self.new_run = false;
        }
        self.settle(&ping, deadline)?;
        self.publish(None);
        Ok(())
    }

    /// Opens a line and greets the board, again and again until the deadline,
    /// once at least. True if it is not the run of the board that we knew.
    /// `jumps`: it may have another tick because we asked for that.
    pub(super) fn reconnect(
        &mut self,
        deadline: Instant,
        jumps: bool,
    ) -> Result<bool, BridgeError> {
        loop {
            let attempt = self.dial.dial().and_then(|link| self.greet(link, deadline));
            let error = match attempt {
                Ok(hello) => {
                    self.back_off = BACK_OFF_FIRST;
                    return Ok(self.met(hello, jumps));
                }
                Err(error) => error,
            };
            self.line = None;
            self.next_dial = Instant::now() + self.back_off;
            debug!("the line to {} does not open: {error}", self.dial.name());
            // A line that is lost is opened again; a board that was never there
            // is not waited for.
            let never = self.board.is_none() && !matches!(error, BridgeError::Link(_));
            if never || self.next_dial >= deadline {
                self.back_off = (self.back_off * 2).min(BACK_OFF_MOST);
                return Err(error);
            }
            std::thread::sleep(self.back_off);
            self.back_off = (self.back_off * 2).min(BACK_OFF_MOST);
        }
    }

    pub(super) fn greet(
        &mut self,
        link: Box<dyn Link>,
        deadline: Instant,
    ) -> Result<Hello, BridgeError> {
        let reader = link
            .try_clone()
            .and_then(Reader::start)
            .map_err(|error| self.failed(&error))?;
        self.line = Some(Line { link, reader });
        self.mirror.doubt();
        let hello = self.own_hello();
        let deadline = deadline.max(Instant::now() + self.timeout() / 2);
        let mut wait = self.retry();
        while Instant::now() < deadline {
            self.send(&hello)?;
            let until = deadline.min(Instant::now() + wait);
            while let Some(incoming) = self.listen(until)? {
                match incoming {
                    Incoming::Message(ToHost::Hello(hello)) => return Ok(hello),
                    Incoming::Message(_) | Incoming::Damaged(_) => {}
                    other => {
                        self.hear(other)?;
                    }
                }
            }
            wait = (wait * 2).min(self.retry() * 8);
        }
        Err(self.silent())
    }

    pub(super) fn own_hello(&self) -> ToDevice {
        ToDevice::Hello {
            version: PROTOCOL_VERSION,
            schema: SCHEMA_HASH,
            host: self.host,
        }
    }

    /// The board said who it is. True if it is not the run that we knew.
    pub(super) fn met(&mut self, hello: Hello, jumps: bool) -> bool {
        let known = self.board.as_ref();
        let again = known.is_some();
        let fresh = known.is_none_or(|known| {
            known.boot != hello.boot
                || known.board != hello.board
                || (hello.tick < known.tick && !jumps)
        });
        info!(
            "{} at {}, tick {}",
            hello.board,
            self.dial.name(),
            hello.tick
        );
        if again {
            self.counters.reconnects += 1;
        }
        if fresh {
            self.new_run = true;
            self.order.suspend();
            self.marks.clear();
        }
        self.tell(Happening::Connected {
            hello: Box::new(hello.clone()),
            fresh,
        });
        let counters = self.counters;
        let frame = self.mirror.frame().clone();
        let view = self.view.get_or_insert_with(|| {
            Arc::new(Mutex::new(View {
                hello: hello.clone(),
                frame: Frame::default(),
                tick: hello.tick,
                link: LinkState::Connected,
                counters,
                overrun: 0,
            }))
        });
        let mut open = view.lock().unwrap_or_else(PoisonError::into_inner);
        open.link = LinkState::Connected;
        open.tick = hello.tick;
        open.frame = frame;
        drop(open);
        self.recognise(hello);
        fresh
    }

    /// Keeps what the board says of itself.
    pub(super) fn recognise(&mut self, hello: Hello) {
        if let Some(view) = &self.view {
            let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
            view.hello = hello.clone();
        }
        self.board = Some(hello);
    }

    pub(super) fn lose(&mut self, why: &BridgeError) {
        if self.line.take().is_none() {
            return;
        }
        warn!("{why}");
        self.next_dial = Instant::now();
        self.tell(Happening::Lost(why.to_string()));
        if let Some(view) = &self.view {
            let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
            view.link = LinkState::Lost(why.to_string());
        }
    }

    /// Its layout and seed may be others now; the answer comes in time.
    pub(super) fn ask_who_it_is(&mut self) {
        // A line that has ended is noticed by the next request.
        let _ = self.send(&self.own_hello());
    }

    /// What a line that failed means.
    pub(super) fn failed(&self, error: &io::Error) -> BridgeError {
        if Unrecorded::is_cause_of(error) {
            return BridgeError::Link(error.to_string());
        }
        self.gone(&error.to_string())
    }

    pub(super) fn gone(&self, why: &str) -> BridgeError {
        BridgeError::Link(format!("the line to {} was lost: {why}", self.dial.name()))
    }

    pub(super) fn silent(&self) -> BridgeError {
        BridgeError::Silent {
            at: self.dial.name().into(),
            timeout_ms: self.options.timeout_ms,
        }
    }
}

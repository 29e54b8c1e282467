//! The lines of a page: conversations that go on between two pictures, and whose bytes the
//! page's script carries.
//!
//! The script asks which line is [`wanted`], opens its port, and then [`bring`]s what comes
//! and [`take`]s what is to be sent; [`go_on`] lets everything happen that can happen now.
//!
//! Invariants: there is one line at a time; everything is on one thread, the page's; a line
//! ends when its board is replaced.

use std::cell::RefCell;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bevy::platform::time::Instant;
use crossbeam_channel::{Receiver, bounded};
use touchboard_host::DriverError;
use touchboard_host::client::{CarriedEnd, CarriedTime, ClientHandle, NewClient};
use touchboard_host::conversation::{ClientOptions, Conversation, LineEnd};
use touchboard_host::traffic::SharedRecord;

/// Work that goes on whenever an answer may have come, until its flag is set.
struct Errands {
    work: Pin<Box<dyn Future<Output = ()>>>,
    is_over: Arc<AtomicBool>,
}

/// What is on the page's thread.
#[derive(Default)]
struct Carrier {
    conversation: Option<Conversation<CarriedEnd>>,
    errands: Vec<Errands>,
    /// The number of the last line of an earlier conversation.
    last_line: u32,
    began: Option<Instant>,
}

thread_local! {
    static CARRIER: RefCell<Carrier> = RefCell::default();
}

impl Carrier {
    /// The time since the first call.
    fn now(&mut self) -> Duration {
        self.began.get_or_insert_with(Instant::now).elapsed()
    }

    /// Does all that can be done now. Returns how long nothing more will happen unless
    /// bytes come.
    fn go_on(&mut self) -> Option<Duration> {
        let now = self.now();
        loop {
            let waiting = self.conversation.as_mut().and_then(|conversation| {
                conversation.end().borrow_mut().pass_until(now);
                conversation.poll()
            });
            let Some(waiting) = waiting else {
                self.let_go();
                self.errands.clear();
                return None;
            };
            let mut nobody = Context::from_waker(Waker::noop());
            self.errands.retain_mut(|errand| {
                let is_over = errand.is_over.load(Ordering::Relaxed);
                !is_over && errand.work.as_mut().poll(&mut nobody) == Poll::Pending
            });
            let mut end = self.conversation.as_ref()?.end().borrow_mut();
            if !(waiting.for_orders && end.side().has_orders()) {
                return Some(waiting.until.saturating_sub(LineEnd::now(&*end)));
            }
        }
    }

    /// Forgets the conversation, which is over.
    fn let_go(&mut self) {
        if let Some(before) = self.conversation.take() {
            self.last_line = before.end().borrow().last_line();
        }
    }
}

/// Begins a conversation at this place, instead of any other. The handle is sent once its
/// board was met.
pub(super) fn begin(
    name: &str,
    record: SharedRecord,
) -> Receiver<Result<ClientHandle, DriverError>> {
    let time = CarriedTime::default();
    let (client, side) = NewClient::new(name, time.clock());
    let (sender, met) = bounded(1);
    CARRIER.with_borrow_mut(|carrier| {
        carrier.let_go();
        // Without chance the host is told from others by the time.
        let random = getrandom::u32().unwrap_or_else(|_| carrier.now().as_micros() as u32);
        let end = CarriedEnd::new(name, (side, time, record), carrier.last_line, random);
        let ready = move |greeted: Result<_, _>| {
            // The receiver is gone if another board was chosen in the meantime.
            let _ = sender.send(greeted.map(|view| client.met(view)));
        };
        let conversation = Conversation::new(end, ClientOptions::default(), ready);
        carrier.conversation = Some(conversation);
    });
    met
}

/// Does this work whenever an answer may have come, until it is done or the flag is set.
pub(super) fn work_on(work: impl Future<Output = ()> + 'static, is_over: Arc<AtomicBool>) {
    let work = Box::pin(work);
    CARRIER.with_borrow_mut(|carrier| carrier.errands.push(Errands { work, is_over }));
}

/// Calls `look` with the end of the line, if there is one.
fn at_end<T>(look: impl FnOnce(&mut CarriedEnd) -> T) -> Option<T> {
    CARRIER.with_borrow(|carrier| {
        let conversation = carrier.conversation.as_ref()?;
        Some(look(&mut conversation.end().borrow_mut()))
    })
}

/// The number of the line that the script is to keep open; `None` if it is to close all.
#[must_use]
pub fn wanted() -> Option<u32> {
    at_end(|end| end.wanted()).flatten()
}

/// True if bytes wait to be [taken](take).
#[must_use]
pub fn has_bytes() -> bool {
    at_end(|end| end.has_bytes()).unwrap_or(false)
}

/// Takes the bytes that are to be sent on this line.
#[must_use]
pub fn take(line: u32) -> Vec<u8> {
    at_end(|end| end.take(line)).unwrap_or_default()
}

/// Brings bytes that came on this line.
pub fn bring(line: u32, bytes: &[u8]) {
    at_end(|end| end.bring(line, bytes));
    go_on();
}

/// Notes that this line has ended, or could not be opened, for this reason.
pub fn end(line: u32, why: &str) {
    at_end(|end| end.end(line, why));
    go_on();
}

/// Lets everything happen that can happen now. Returns how long nothing more will happen
/// unless bytes come; `None` if there is no line.
pub fn go_on() -> Option<Duration> {
    CARRIER.with_borrow_mut(Carrier::go_on)
}

#[cfg(test)]
mod tests;

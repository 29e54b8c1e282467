//! Requests that follow from the answers to earlier ones, written once for a client that
//! waits on a thread and for one that must not wait.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crossbeam_channel::TryRecvError;
use protocol::Reply;

use super::ClientHandle;
use crate::conversation::OrderKind;
use crate::driver::DriverError;

/// Gives orders to a board, and has their answers.
pub trait Answering {
    /// The place of the board, as a person wrote it.
    fn at(&self) -> &str;

    /// The answer to an order. A client on a thread waits for it within the first poll;
    /// any other is polled until it is there, and needs no waker.
    fn ask(&self, kind: OrderKind) -> impl Future<Output = Result<Reply, DriverError>>;
}

impl Answering for ClientHandle {
    fn at(&self) -> &str {
        self.name()
    }

    async fn ask(&self, kind: OrderKind) -> Result<Reply, DriverError> {
        let answers = self.give(kind)?;
        std::future::poll_fn(|_| match answers.try_recv() {
            Ok(answer) => Poll::Ready(answer),
            Err(TryRecvError::Empty) => Poll::Pending,
            Err(TryRecvError::Disconnected) => Poll::Ready(Err(self.closed())),
        })
        .await
    }
}

/// Does work whose client waits by itself.
pub fn at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let mut nobody = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut nobody) {
            return done;
        }
        std::hint::spin_loop();
    }
}

//! The thread that receives messages from the board.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use protocol::wire;
use touchboard_host::conversation::FromBoard;

use crate::link::Link;

/// How long the reader waits for bytes before it checks whether it should stop. Ten
/// checks a second cost next to nothing.
const LISTEN: Duration = Duration::from_millis(100);

/// The capacity of the queue to the clerk.
const QUEUE: usize = 1024;

/// An item that arrived over the line, or the error with which it has ended.
pub type Arrival = io::Result<FromBoard>;

/// The receiving thread, which stops when this is dropped.
pub struct Reader {
    /// The channel of the received messages.
    pub incoming: Receiver<Arrival>,
    bytes: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Reader {
    /// Starts to listen.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub fn start(link: Box<dyn Link>) -> io::Result<Reader> {
        let (sender, incoming) = bounded(QUEUE);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let bytes = Arc::new(AtomicU64::new(0));
        let count = bytes.clone();
        let thread = thread::Builder::new()
            .name("board-reader".into())
            .spawn(move || listen(link, &sender, &stopped, &count))?;
        Ok(Reader {
            incoming,
            bytes,
            stop,
            thread: Some(thread),
        })
    }

    /// The number of bytes received since the last call.
    pub fn take_bytes(&self) -> u64 {
        self.bytes.swap(0, Ordering::Relaxed)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        // If the queue was full, the thread would wait for room in it.
        self.incoming = crossbeam_channel::never();
        if let Some(thread) = self.thread.take() {
            // Only then is the port free again.
            let _ = thread.join();
        }
    }
}

fn listen(mut link: Box<dyn Link>, sender: &Sender<Arrival>, stop: &AtomicBool, count: &AtomicU64) {
    let mut receiver = wire::Receiver::<{ wire::MAX_FRAME_BYTES }>::new();
    let mut buffer = [0; 4096];
    while !stop.load(Ordering::Acquire) {
        let length = match link.receive(&mut buffer, LISTEN) {
            Ok(length) => length,
            Err(error) => {
                let _ = sender.send(Err(error));
                return;
            }
        };
        count.fetch_add(length as u64, Ordering::Relaxed);
        for byte in buffer.iter().take(length) {
            if let Some(frame) = receiver.feed(*byte)
                && sender.send(Ok(FromBoard::understand(frame))).is_err()
            {
                return;
            }
        }
    }
}

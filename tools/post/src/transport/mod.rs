//! The transports of commands and mails.
//!
//! - [`lines`]: commands, one per line, from a pipe or a network;
//! - [`maildir`]: mails in a folder;
//! - [`receiver`]: mails from a mail server, by LMTP or SMTP;
//! - [`outgoing`]: mails to people.
//!
//! Invariants: when a request is answered, its effects are already on the disk;
//! nobody from outside can make the server keep more than a bounded number of bytes
//! or connections.

pub mod lines;
pub mod maildir;
pub mod outgoing;
mod places;
pub mod receiver;

use std::io::{self, BufRead};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use crate::store::StoreError;

pub use places::{Farewells, Most, PeerRank, Slot, Slots, Timed};

/// A line that was read, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// A complete line, without its end.
    Line(Vec<u8>),
    /// The line was too long and was skipped.
    TooLong {
        /// True if it ended with CR LF.
        has_crlf: bool,
    },
    /// The input has ended.
    End,
}

/// Reads a line with its line end (LF), if it has one; at most this many bytes.
///
/// # Errors
/// Errors of the operating system.
pub fn read_line(reader: &mut impl BufRead, most_bytes: usize) -> io::Result<Read> {
    let (mut line, mut is_too_long, mut last) = (Vec::new(), false, 0);
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(match (is_too_long, line.is_empty()) {
                (true, _) => Read::TooLong { has_crlf: false },
                (false, true) => Read::End,
                (false, false) => Read::Line(line),
            });
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        is_too_long |= line.len() + used > most_bytes;
        if is_too_long {
            line.clear();
        } else {
            line.extend(&buffer[..used]);
        }
        let before_end = match used {
            1 => last,
            used => buffer[used - 2],
        };
        last = buffer[used - 1];
        reader.consume(used);
        if end.is_some() {
            return Ok(if is_too_long {
                let has_crlf = before_end == b'\r';
                Read::TooLong { has_crlf }
            } else {
                Read::Line(line)
            });
        }
    }
}

/// The result of a connection.
pub type Served = Result<(), Ended>;

/// Why a connection ended early.
#[derive(Debug, thiserror::Error)]
pub enum Ended {
    /// The peer disconnected, or took too long.
    #[error("no more can be read or written: {0}")]
    Line(#[from] io::Error),
    /// The store failed, so nothing can be served any more.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How long a write may wait until the peer reads.
const UNREAD: Duration = Duration::from_secs(60);

/// Serves every connection in its own thread, until the process ends. A failure of the
/// store is sent to `fatal`.
pub fn accept(
    listener: TcpListener,
    places: Arc<Slots>,
    fatal: impl Fn(StoreError) + Send + Sync + 'static,
    serve: impl Fn(TcpStream, &Slot) -> Served + Send + Sync + 'static,
) {
    let (serve, fatal) = (Arc::new(serve), Arc::new(fatal));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                // For example, there are too many open files; accepting is tried again.
                std::thread::sleep(Duration::from_millis(50));
                continue;
            };
            let place = stream
                .set_write_timeout(Some(UNREAD))
                .and_then(|()| stream.set_nodelay(true))
                .and_then(|()| places.take(&stream));
            let Ok(Some(place)) = place else { continue };
            let (serve, fatal) = (serve.clone(), fatal.clone());
            std::thread::spawn(move || match serve(stream, &place) {
                Ok(()) => {}
                Err(Ended::Line(error)) => tracing::debug!("a connection ended: {error}"),
                Err(Ended::Store(error)) => {
                    tracing::error!("{error}");
                    fatal(error);
                }
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded_in_any_pieces() {
        let text: &[u8] = b"one\r\ntwo\n\nxxxxxxxxxxxxxxxxxxxxx\nxxxxxxxxxxxxx\r\nlast";
        for capacity in 1..40 {
            let mut reader = io::BufReader::with_capacity(capacity, text);
            let mut read = || read_line(&mut reader, 10).unwrap();
            assert_eq!(read(), Read::Line(b"one\r\n".to_vec()));
            assert_eq!(read(), Read::Line(b"two\n".to_vec()));
            assert_eq!(read(), Read::Line(b"\n".to_vec()));
            assert_eq!(read(), Read::TooLong { has_crlf: false });
            assert_eq!(read(), Read::TooLong { has_crlf: true });
            assert_eq!(read(), Read::Line(b"last".to_vec()));
            assert_eq!(read(), Read::End);
        }
    }
}

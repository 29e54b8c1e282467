//! A WebSocket that is served without waiting: what has arrived is read, and what there is
//! room for is sent.
//!
//! Invariants: what waits to be sent is at most [`MOST_UNSENT`] bytes; a peer that does not
//! read, answer or finish its request loses the connection.

use std::io;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use touchboard_pair::message::MOST_BYTES;
use tungstenite::handshake::MidHandshake;
use tungstenite::handshake::server::ServerHandshake;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, HandshakeError, Message, WebSocket};

use crate::network::ForwardedFor;

/// The most bytes that wait for a peer that reads slowly: a whole table, and some.
pub const MOST_UNSENT: usize = 1 << 20;

/// How long a peer may take to open a WebSocket.
const LONGEST_REQUEST: Duration = Duration::from_secs(5);

/// How often a peer is asked whether it is there, and how long it may be silent. A browser
/// answers by itself, even for a page in the background.
const ASK_EVERY: Duration = Duration::from_secs(5);
const LONGEST_SILENCE: Duration = Duration::from_secs(20);

/// How long a connection stays after the last word, for it to arrive.
const LONGEST_FAREWELL: Duration = Duration::from_secs(2);

/// The messages read at once, so that nobody keeps others waiting.
const READ_AT_ONCE: usize = 64;

/// The messages that are none of ours, such as pings, between two questions.
const MOST_OTHERS: u32 = 32;

/// The bytes that are read at once.
const READ_BUFFER: usize = 8 << 10;

/// What a connection has brought.
#[derive(Debug, Default)]
pub struct Heard {
    /// The binary messages, in order.
    pub messages: Vec<Vec<u8>>,
    /// True if there may be more to read at once.
    pub has_more: bool,
    /// True once the WebSocket is open.
    pub is_open: bool,
}

/// The connection is over; there is nothing more to say or to hear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over;

/// How far a connection is.
enum Stage {
    /// Its request is being read.
    Request(Box<MidHandshake<ServerHandshake<TcpStream, ForwardedFor>>>),
    /// It is open.
    Open(Box<WebSocket<TcpStream>>),
    /// It is over.
    Over,
}

/// A connection.
pub struct SocketLine {
    stage: Stage,
    forwarded: ForwardedFor,
    began: Instant,
    heard: Instant,
    asked: Instant,
    others: u32,
    /// Since when the connection only waits for its last words to arrive.
    closing: Option<Instant>,
}

impl SocketLine {
    /// A connection that was just accepted.
    #[must_use]
    pub fn new(stream: TcpStream, now: Instant) -> SocketLine {
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0)
            .max_write_buffer_size(MOST_UNSENT)
            .max_message_size(Some(MOST_BYTES))
            .max_frame_size(Some(MOST_BYTES));
        let forwarded = ForwardedFor::default();
        let request = ServerHandshake::start(stream, forwarded.clone(), Some(config));
        SocketLine {
            stage: Stage::Request(Box::new(request)),
            forwarded,
            began: now,
            heard: now,
            asked: now,
            others: 0,
            closing: None,
        }
    }

    /// The address that a proxy wrote into the request.
    #[must_use]
    pub fn forwarded(&self) -> &ForwardedFor {
        &self.forwarded
    }

    /// The socket, while there is one.
    pub fn socket(&mut self) -> Option<&mut TcpStream> {
        match &mut self.stage {
            Stage::Request(request) => Some(request.get_mut().get_mut()),
            Stage::Open(socket) => Some(socket.get_mut()),
            Stage::Over => None,
        }
    }

    /// Reads what has arrived.
    ///
    /// # Errors
    /// [`Over`] once the connection is.
    pub fn read(&mut self, now: Instant) -> Result<Heard, Over> {
        self.go_on_with_request()?;
        let mut heard = Heard::default();
        let Stage::Open(socket) = &mut self.stage else {
            return Ok(heard);
        };
        heard.is_open = true;
        for _ in 0..READ_AT_ONCE {
            match socket.read() {
                Ok(Message::Binary(bytes)) => {
                    self.heard = now;
                    // Nothing counts after the last word.
                    if self.closing.is_none() {
                        heard.messages.push(bytes.as_slice().to_vec());
                    }
                }
                Ok(Message::Text(_)) => return self.end(),
                Ok(_) => {
                    self.heard = now;
                    self.others += 1;
                    if self.others > MOST_OTHERS {
                        return self.end();
                    }
                }
                Err(error) if would_block(&error) => return Ok(heard),
                Err(_) => return self.end(),
            }
        }
        heard.has_more = true;
        Ok(heard)
    }

    fn go_on_with_request(&mut self) -> Result<(), Over> {
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Request(request) => match request.handshake() {
                Ok(socket) => self.stage = Stage::Open(Box::new(socket)),
                Err(HandshakeError::Interrupted(request)) => {
                    self.stage = Stage::Request(Box::new(request));
                }
                Err(HandshakeError::Failure(_)) => return Err(Over),
            },
            Stage::Open(socket) => self.stage = Stage::Open(socket),
            Stage::Over => return Err(Over),
        }
        Ok(())
    }

    /// Sends a message, as soon as there is room.
    ///
    /// # Errors
    /// [`Over`] if too much waits already.
    pub fn say(&mut self, bytes: Vec<u8>) -> Result<(), Over> {
        let Stage::Open(socket) = &mut self.stage else {
            return Ok(());
        };
        match socket.write(Message::Binary(bytes.into())) {
            Err(error) if !would_block(&error) => self.end(),
            _ => Ok(()),
        }
    }

    /// Sends what waits, as far as there is room.
    ///
    /// # Errors
    /// [`Over`] if the connection is.
    pub fn flush(&mut self) -> Result<(), Over> {
        let Stage::Open(socket) = &mut self.stage else {
            return Ok(());
        };
        match socket.flush() {
            Err(error) if !would_block(&error) => self.end(),
            _ => Ok(()),
        }
    }

    /// Closes the connection once everything is sent.
    pub fn close(&mut self, now: Instant) {
        self.closing.get_or_insert(now);
        match &mut self.stage {
            // Errors show with the next flush.
            Stage::Open(socket) => drop(socket.close(None)),
            Stage::Request(_) | Stage::Over => self.stage = Stage::Over,
        }
    }

    /// Asks now and then whether the peer is there.
    ///
    /// # Errors
    /// [`Over`] if it has been silent or slow for too long.
    pub fn check(&mut self, now: Instant) -> Result<(), Over> {
        let is_late = match &self.stage {
            Stage::Request(_) => now - self.began > LONGEST_REQUEST,
            Stage::Open(_) => now - self.heard > LONGEST_SILENCE,
            Stage::Over => true,
        };
        let is_left = |since: Instant| now - since > LONGEST_FAREWELL;
        if is_late || self.closing.is_some_and(is_left) {
            return self.end();
        }
        if let Stage::Open(socket) = &mut self.stage
            && now - self.asked > ASK_EVERY
        {
            (self.asked, self.others) = (now, 0);
            let asked = socket.write(Message::Ping(Vec::new().into()));
            if asked.is_err_and(|error| !would_block(&error)) {
                return self.end();
            }
        }
        Ok(())
    }

    fn end<T>(&mut self) -> Result<T, Over> {
        self.stage = Stage::Over;
        Err(Over)
    }
}

/// True for an error that only says that there is nothing to read, or no room to send.
fn would_block(error: &Error) -> bool {
    matches!(error, Error::Io(error) if error.kind() == io::ErrorKind::WouldBlock)
}

//! Commands as lines, from a pipe or over a network.
//!
//! Over a network, the answer to a line is `ok` or `no` with a number, and then this many
//! lines, for example `ok 1` and `The password of alice is changed.`. Passwords are not
//! encrypted, so such a port should only be accessible on the machine itself, or through
//! a tunnel.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use crate::command::{COMMAND_BYTES, CommandError};
use crate::server::{CommandResult, Peer, Server, Signature};
use crate::store::StoreError;
use crate::transport::{
    Ended, Farewells, Most, PeerRank, Read, Served, Slot, Slots, Timed, accept, read_line,
};

/// Connections that are silent for this long are closed.
const SILENCE: Duration = Duration::from_secs(10 * 60);

/// How long a command may take to arrive.
const WHOLE_COMMAND: Duration = Duration::from_secs(30);

/// The most simultaneous connections.
const MOST: Most = Most {
    places: 128,
    of_peer: 32,
};

const FAREWELLS: Farewells = Farewells {
    displaced: "no 1\nThere are many connections from your address, and another one needs the place of this one, on which least was done: connect again.\n",
    full: "no 1\nThere are as many connections from your address as there may be: end one, or try again in a minute.\n",
    late: "no 1\nNo whole command came in time: connect again, and send a line.\n",
};

/// The maximum number of lines of an answer that are read: a history with as many rolls
/// as a game can have.
const MOST_LINES: usize = 100_000;

/// The most bytes of a line of an answer.
const ANSWER_BYTES: usize = 64 << 10;

/// Carries out the command in a line of bytes, or explains why it is not one.
fn carry_out(
    server: &Server,
    line: Read,
    peer: &Peer,
) -> Result<Option<CommandResult>, StoreError> {
    let refused = |error: CommandError| {
        Some(CommandResult {
            is_done: false,
            text: error.to_string(),
            signature: Signature::None,
        })
    };
    Ok(match line {
        Read::End => None,
        Read::TooLong { .. } => refused(CommandError::TooLong),
        Read::Line(bytes) => match std::str::from_utf8(&bytes) {
            Ok(line) => Some(server.carry_out_from(line, peer.clone())?),
            Err(_) => refused(CommandError::NotText),
        },
    })
}

/// Carries out all lines, and writes each answer as soon as it is known. Empty lines and
/// those that begin with `#` are skipped. Returns the number of refused commands.
///
/// # Errors
/// If the store fails, or nobody reads the answers any more.
pub fn run(
    server: &Server,
    mut reader: impl BufRead,
    mut writer: impl Write,
) -> Result<usize, Ended> {
    let mut refused = 0;
    loop {
        let line = read_line(&mut reader, COMMAND_BYTES + 2)?;
        if let Read::Line(bytes) = &line
            && (bytes.trim_ascii().is_empty() || bytes.starts_with(b"#"))
        {
            continue;
        }
        let Some(reply) = carry_out(server, line, &Peer::Local)? else {
            return Ok(refused);
        };
        refused += usize::from(!reply.is_done);
        writeln!(writer, "{}", reply.text.trim_end())?;
        writer.flush()?;
    }
}

/// Serves lines at this port until the process ends. `wake` is called after each command,
/// because mails may have to be sent.
pub fn serve(
    server: Arc<Server>,
    listener: TcpListener,
    fatal: impl Fn(StoreError) + Send + Sync + 'static,
    wake: impl Fn() + Send + Sync + 'static,
) {
    let places = Slots::new(MOST, FAREWELLS);
    accept(listener, places, fatal, move |stream, place| {
        serve_one(&server, stream, place, &wake)
    });
}

fn serve_one(server: &Server, stream: TcpStream, place: &Slot, wake: &dyn Fn()) -> Served {
    let peer = Peer::Host(stream.peer_addr()?.ip());
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(Timed::new(stream, SILENCE));
    loop {
        let is_begun = !reader.buffer().is_empty();
        reader.get_mut().begin(WHOLE_COMMAND, is_begun);
        let line = match read_line(&mut reader, COMMAND_BYTES + 2) {
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                return Ok(writer.write_all(place.late().as_bytes())?);
            }
            line => line?,
        };
        place.is_busy();
        let reply = carry_out(server, line, &peer)?;
        let signature = reply
            .as_ref()
            .map_or(Signature::None, |reply| reply.signature);
        place.is_served(match signature {
            Signature::Right => PeerRank::Signed,
            Signature::None | Signature::Wrong => PeerRank::Served,
        });
        let Some(reply) = reply else { return Ok(()) };
        if signature == Signature::Wrong {
            std::thread::sleep(server.pause(&peer));
        }
        writer.write_all(&written(&reply))?;
        wake();
    }
}

fn written(reply: &CommandResult) -> Vec<u8> {
    let word = if reply.is_done { "ok" } else { "no" };
    let lines: Vec<&str> = reply.text.trim_end().lines().collect();
    let mut text = format!("{word} {}\n", lines.len());
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    text.into_bytes()
}

/// Why a server on the network has not answered.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// Nobody can be reached at this address.
    #[error("there is no server at {address}: {error}")]
    Unreachable {
        /// The address, `HOST:PORT`.
        address: String,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// This name has no address.
    #[error("there is no server at {0}")]
    NoAddress(String),
    /// The connection ended, or the server took too long; it is unknown whether the
    /// command was carried out.
    #[error("the server did not answer ({0}): whether it was done, `malaka show` tells")]
    Unanswered(#[from] AnswerError),
    /// The answer is not that of a server of this program.
    #[error("what answers there is no server of Malaka")]
    Stranger,
}

/// Why a command cannot be sent, or no line of its answer be read.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// The connection failed or ended.
    #[error(transparent)]
    Line(#[from] io::Error),
    /// The line is not UTF-8.
    #[error("no text")]
    NoText,
    /// The line is too long.
    #[error("a line without an end")]
    NoEnd,
}

/// A server to which this program is connected.
#[derive(Debug)]
pub struct RemoteServer {
    reader: BufReader<TcpStream>,
}

impl RemoteServer {
    /// Connects to a server at `HOST:PORT`.
    ///
    /// # Errors
    /// If there is none.
    pub fn connect(address: &str, patience: Duration) -> Result<RemoteServer, RemoteError> {
        let none = |error: io::Error| RemoteError::Unreachable {
            address: address.to_owned(),
            error,
        };
        let place = address.to_socket_addrs().map_err(none)?.next();
        let place = place.ok_or_else(|| RemoteError::NoAddress(address.to_owned()))?;
        let stream = TcpStream::connect_timeout(&place, patience).map_err(none)?;
        stream
            .set_read_timeout(Some(patience))
            .and_then(|()| stream.set_write_timeout(Some(patience)))
            .and_then(|()| stream.set_nodelay(true))
            .map_err(none)?;
        let reader = BufReader::new(stream);
        Ok(RemoteServer { reader })
    }

    /// Sends a command, and waits for the answer.
    ///
    /// # Errors
    /// If there is no answer; it is then unknown whether the command was carried out.
    pub fn carry_out(&mut self, line: &str) -> Result<CommandResult, RemoteError> {
        let line: String = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let sent = format!("{line}\n");
        let sent = self.reader.get_mut().write_all(sent.as_bytes());
        sent.map_err(AnswerError::from)?;
        let head = self.line()?;
        let (word, count) = head.split_once(' ').unwrap_or(("", ""));
        let count = count.parse::<usize>().ok();
        let count = count.filter(|count| *count <= MOST_LINES && ["ok", "no"].contains(&word));
        let count = count.ok_or(RemoteError::Stranger)?;
        let mut text = String::new();
        for _ in 0..count {
            text.push_str(&self.line()?);
            text.push('\n');
        }
        let is_done = word == "ok";
        // Only the server knows whether the password was right.
        let signature = Signature::None;
        Ok(CommandResult {
            is_done,
            text,
            signature,
        })
    }

    fn line(&mut self) -> Result<String, AnswerError> {
        match read_line(&mut self.reader, ANSWER_BYTES)? {
            Read::Line(bytes) => {
                let text = String::from_utf8(bytes).map_err(|_| AnswerError::NoText)?;
                Ok(text.trim_end_matches(['\r', '\n']).to_owned())
            }
            Read::TooLong { .. } => Err(AnswerError::NoEnd),
            Read::End => Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
        }
    }
}

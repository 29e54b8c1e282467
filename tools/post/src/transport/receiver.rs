//! Receives mails from a mail server, by LMTP (RFC 2033) or SMTP (RFC 5321).
//!
//! It serves a mail server on the same machine or network, and is not meant for the
//! internet: it accepts mails for one recipient, relays nothing, and has no encryption. A
//! mail is acknowledged when its effects are on the disk. If the acknowledgement is lost
//! and the mail arrives again, the store recognises it.
//!
//! Invariants: a mail ends only with CR LF `.` CR LF, so a second mail cannot be hidden
//! in it.

use std::io::{self, BufReader, Write};
use std::net::{IpAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::mail::{Incoming, MAIL_BYTES, Sender};
use crate::names::Address;
use crate::server::{Handled, Server, Unanswered};
use crate::store::StoreError;
use crate::transport::{
    Ended, Farewells, Most, PeerRank, Read, Served, Slot, Slots, Timed, accept, read_line,
};

/// Connections that are silent for this long are closed: RFC 5321, 4.5.3.2.7.
const SILENCE: Duration = Duration::from_secs(5 * 60);

/// How long a connection may last.
const LONGEST: Duration = Duration::from_secs(30 * 60);

/// How long a command, or the text of a mail, may take to arrive.
const WHOLE_COMMAND: Duration = Duration::from_secs(60);
const WHOLE_TEXT: Duration = Duration::from_secs(10 * 60);

/// The most simultaneous connections. Usually there is a single peer, the mail server,
/// which delivers twenty mails at once (Postfix's default).
const MOST: Most = Most {
    places: 64,
    of_peer: 32,
};

const FAREWELLS: Farewells = Farewells {
    displaced: "421 4.7.0 There are many connections from your address, and another one needs the place of this one\r\n",
    full: "421 4.7.0 There are as many connections from your address as there may be\r\n",
    late: "421 4.4.2 Timed out\r\n",
};

/// The most bytes of a command with its line end: RFC 5321, 4.5.3.1.4, with room for
/// extensions.
const LINE_BYTES: usize = 2_048;

/// The most bytes of a line of a mail. Longer lines violate RFC 5322, but exist.
const TEXT_LINE_BYTES: usize = MAIL_BYTES + 2;

/// The most recipients of a mail: RFC 5321, 4.5.3.1.8.
const MOST_RECIPIENTS: usize = 100;

/// The number of errors after which a connection is closed.
const MOST_MISTAKES: usize = 20;

/// The protocol of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// LMTP: one answer for each recipient.
    Lmtp,
    /// SMTP: one answer for the whole mail.
    Smtp,
}

/// Receives mails at this port until the process ends. `wake` is called after each mail,
/// because answers may have to be sent.
pub fn serve(
    server: Arc<Server>,
    protocol: Protocol,
    listener: TcpListener,
    fatal: impl Fn(StoreError) + Send + Sync + 'static,
    wake: impl Fn() + Send + Sync + 'static,
) {
    let places = Slots::new(MOST, FAREWELLS);
    accept(listener, places, fatal, move |stream, place| {
        let host = stream.peer_addr()?.ip();
        let writer = stream.try_clone()?;
        let session = Session {
            server: &server,
            protocol,
            host,
            place,
            reader: BufReader::new(Timed::new(stream, SILENCE)),
            writer,
            wake: &wake,
            greeted: false,
            sender: None,
            recipients: 0,
            mistakes: 0,
        };
        session.run()
    });
}

struct Session<'s> {
    server: &'s Server,
    protocol: Protocol,
    host: IpAddr,
    place: &'s Slot,
    reader: BufReader<Timed>,
    writer: TcpStream,
    wake: &'s (dyn Fn() + Send + Sync),
    greeted: bool,
    sender: Option<Sender>,
    recipients: usize,
    mistakes: usize,
}

/// A mail as it came.
enum Data {
    Mail(Vec<u8>),
    TooLarge,
}

impl Session<'_> {
    fn name(&self) -> &str {
        self.server.address().map_or("localhost", Address::domain)
    }

    fn send_line(&mut self, line: &str) -> Result<(), Ended> {
        let line = format!("{line}\r\n");
        Ok(self.writer.write_all(line.as_bytes())?)
    }

    fn no(&mut self, line: &str) -> Result<(), Ended> {
        self.mistakes += 1;
        self.send_line(line)
    }

    fn run(mut self) -> Served {
        match self.talk() {
            Err(Ended::Line(error)) if error.kind() == io::ErrorKind::TimedOut => {
                Ok(self.writer.write_all(self.place.late().as_bytes())?)
            }
            ended => ended,
        }
    }

    /// Begins the next step, which may take this long.
    fn begin(&mut self, whole: Duration) {
        let is_begun = !self.reader.buffer().is_empty();
        self.reader.get_mut().begin(whole, is_begun);
    }

    fn talk(&mut self) -> Served {
        let began = Instant::now();
        let what = match self.protocol {
            Protocol::Lmtp => "LMTP",
            Protocol::Smtp => "ESMTP",
        };
        self.send_line(&format!("220 {} {what} touchboard post", self.name()))?;
        loop {
            if self.mistakes >= MOST_MISTAKES {
                return self.send_line("421 4.7.0 Too many errors");
            }
            if began.elapsed() > LONGEST {
                return self.send_line("421 4.4.2 Timed out: connect again");
            }
            self.begin(WHOLE_COMMAND);
            let line = match read_line(&mut self.reader, LINE_BYTES)? {
                Read::End => return Ok(()),
                Read::TooLong { .. } => {
                    self.no("500 5.5.2 The line is too long")?;
                    continue;
                }
                Read::Line(bytes) => String::from_utf8_lossy(&bytes).trim_end().to_owned(),
            };
            let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
            match verb.to_ascii_uppercase().as_str() {
                "QUIT" => return self.send_line("221 2.0.0 Bye"),
                "NOOP" => self.send_line("250 2.0.0 OK")?,
                "VRFY" => self.send_line("252 2.1.5 Send it and see")?,
                "RSET" => {
                    self.forget();
                    self.send_line("250 2.0.0 OK")?;
                }
                "LHLO" if self.protocol == Protocol::Lmtp => self.greet(true)?,
                "EHLO" if self.protocol == Protocol::Smtp => self.greet(true)?,
                "HELO" if self.protocol == Protocol::Smtp => self.greet(false)?,
                "MAIL" => self.mail(rest)?,
                "RCPT" => self.recipient(rest)?,
                "DATA" => self.data()?,
                _ => self.no("500 5.5.1 There is no such command here")?,
            }
        }
    }

    fn forget(&mut self) {
        (self.sender, self.recipients) = (None, 0);
    }

    fn greet(&mut self, extended: bool) -> Result<(), Ended> {
        self.forget();
        self.greeted = true;
        let name = self.name().to_owned();
        if !extended {
            return self.send_line(&format!("250 {name}"));
        }
        self.send_line(&format!(
            "250-{name}\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-ENHANCEDSTATUSCODES\r\n250 SIZE {MAIL_BYTES}"
        ))
    }

    fn mail(&mut self, rest: &str) -> Result<(), Ended> {
        if !self.greeted || self.sender.is_some() {
            return self.no("503 5.5.1 Bad sequence of commands");
        }
        let Some((path, parameters)) = path(rest, "FROM:") else {
            return self.no("501 5.5.4 Write MAIL FROM:<address>");
        };
        for parameter in parameters.split_whitespace() {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let size = value.parse::<u64>().unwrap_or(u64::MAX);
            match name.to_ascii_uppercase().as_str() {
                "SIZE" if size > MAIL_BYTES as u64 => {
                    return self.no("552 5.3.4 The mail is too large");
                }
                "SIZE" | "BODY" => {}
                _ => return self.no("555 5.5.4 There is no such parameter here"),
            }
        }
        self.sender = Some(if path.is_empty() {
            Sender::Nobody
        } else {
            Sender::Address(path.to_owned())
        });
        self.send_line("250 2.1.0 OK")
    }

    fn recipient(&mut self, rest: &str) -> Result<(), Ended> {
        if self.sender.is_none() {
            return self.no("503 5.5.1 MAIL comes first");
        }
        let Some((path, parameters)) = path(rest, "TO:") else {
            return self.no("501 5.5.4 Write RCPT TO:<address>");
        };
        if !parameters.trim().is_empty() {
            return self.no("555 5.5.4 There is no such parameter here");
        }
        let is_own = match (path.parse::<Address>(), self.server.address()) {
            (Ok(to), Some(own)) => is_for(&to, own),
            _ => false,
        };
        if !is_own {
            return self.no("550 5.1.1 There is nobody of this name here");
        }
        if self.recipients >= MOST_RECIPIENTS {
            return self.no("452 4.5.3 There are too many recipients");
        }
        self.recipients += 1;
        self.send_line("250 2.1.5 OK")
    }

    fn data(&mut self) -> Result<(), Ended> {
        if self.recipients == 0 {
            return self.no("503 5.5.1 RCPT comes first");
        }
        self.send_line("354 Go on, and end with a dot")?;
        self.begin(WHOLE_TEXT);
        let data = self.text()?;
        self.place.is_busy();
        let (sender, recipients) = (self.sender.take(), self.recipients);
        self.forget();
        let failed = |session: &mut Self, error: StoreError| {
            session.send_line("451 4.3.0 Temporarily unable to store the mail")?;
            Err(Ended::Store(error))
        };
        let answer = match data {
            Data::TooLarge => "552 5.3.4 The mail is too large",
            Data::Mail(bytes) => {
                let sender = sender.unwrap_or(Sender::Unknown);
                let mut mail = Incoming::read(&bytes, &sender);
                // A peer on another machine counts as the origin of the mail.
                if !self.host.to_canonical().is_loopback() && self.protocol == Protocol::Smtp {
                    mail.host = Some(self.host);
                }
                match self.server.take_in(&mail) {
                    Ok(Handled::Left(Unanswered::TooMany)) => {
                        "450 4.7.1 There were too many unsigned mails from there today: try again tomorrow"
                    }
                    Ok(_) => "250 2.0.0 Accepted",
                    Err(error) => return failed(self, error),
                }
            }
        };
        let count = match self.protocol {
            Protocol::Lmtp => recipients,
            Protocol::Smtp => 1,
        };
        for _ in 0..count {
            self.send_line(answer)?;
        }
        self.place.is_served(PeerRank::Served);
        (self.wake)();
        Ok(())
    }

    /// Reads the text of a mail up to its final dot. A mail that is too large is read and
    /// discarded.
    fn text(&mut self) -> Result<Data, Ended> {
        let (mut bytes, mut is_too_large, mut after_line_end) = (Vec::new(), false, true);
        loop {
            let line = match read_line(&mut self.reader, TEXT_LINE_BYTES)? {
                Read::End => {
                    return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
                }
                Read::TooLong { has_crlf } => {
                    (is_too_large, after_line_end) = (true, has_crlf);
                    continue;
                }
                Read::Line(line) => line,
            };
            if after_line_end && line == b".\r\n" {
                return Ok(if is_too_large {
                    Data::TooLarge
                } else {
                    Data::Mail(bytes)
                });
            }
            let text = match line.strip_prefix(b".") {
                Some(rest) if after_line_end => rest,
                _ => &line,
            };
            is_too_large |= bytes.len() + text.len() > MAIL_BYTES;
            if !is_too_large {
                bytes.extend(text);
            }
            after_line_end = line.ends_with(b"\r\n");
        }
    }
}

/// The address between the brackets of `FROM:<...>`, and the text after them.
fn path<'l>(rest: &'l str, word: &str) -> Option<(&'l str, &'l str)> {
    let (start, path) = (rest.get(..word.len())?, rest.get(word.len()..)?);
    if !start.eq_ignore_ascii_case(word) {
        return None;
    }
    let (path, parameters) = path.trim_start().strip_prefix('<')?.split_once('>')?;
    // A source route before the address is skipped: RFC 5321, appendix C.
    let path = match path.strip_prefix('@') {
        Some(route) => route.split_once(':')?.1,
        None => path,
    };
    Some((path, parameters))
}

/// True for the server's own address, also with an extension after `+`.
fn is_for(to: &Address, own: &Address) -> bool {
    let local = to.local().split('+').next().unwrap_or("");
    local.eq_ignore_ascii_case(own.local()) && to.domain().eq_ignore_ascii_case(own.domain())
}

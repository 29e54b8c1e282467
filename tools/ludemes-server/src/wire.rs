//! Reads messages of an editor from the standard input, and writes answers to the
//! standard output.
//!
//! `lsp_server` accepts any length that a message's header announces, and allocates the
//! memory at once. This module reads the same messages, with a limit.
//!
//! Invariants: a message has at most [`MESSAGE_BYTES`], and its header at most
//! [`HEAD_BYTES`]; any other input ends the connection, with a sentence.

use std::io::{self, BufRead, Read, Write};
use std::thread::{JoinHandle, spawn};

use crossbeam_channel::bounded;
use lsp_server::{Connection, Message};

/// The most bytes of a message: enough for the largest text, 4 MiB, with each character
/// escaped in six bytes.
const MESSAGE_BYTES: u64 = 32 << 20;

/// The most bytes of a message's header.
const HEAD_BYTES: u64 = 8 << 10;

/// The reading and the writing thread.
pub struct Threads {
    reader: JoinHandle<Result<(), String>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits for both threads to end. The writing thread ends when the last sender is
    /// dropped.
    ///
    /// # Errors
    /// A sentence that says why reading or writing failed.
    pub fn join(self) -> Result<(), String> {
        let panicked = |_| "it panicked".to_owned();
        self.reader.join().map_err(panicked)??;
        let written = self.writer.join().map_err(panicked)?;
        written.map_err(|error| format!("nothing more can be written: {error}"))
    }
}

/// An editor at the standard input and output.
pub fn connect() -> (Connection, Threads) {
    let (sender, to_write) = bounded::<Message>(0);
    let (to_serve, receiver) = bounded::<Message>(0);
    let writer = spawn(move || {
        let mut output = io::stdout().lock();
        to_write
            .into_iter()
            .try_for_each(|message| message.write(&mut output).and_then(|()| output.flush()))
    });
    let reader = spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(message) = read(&mut input)? {
            let is_exit = matches!(&message, Message::Notification(told) if told.method == "exit");
            if to_serve.send(message).is_err() || is_exit {
                break;
            }
        }
        Ok(())
    });
    (Connection { sender, receiver }, Threads { reader, writer })
}

/// The next message; `None` at the end of the input.
fn read(input: &mut impl BufRead) -> Result<Option<Message>, String> {
    let Some(length) = length(input)? else {
        return Ok(None);
    };
    let mut text = Vec::new();
    let read = input.take(length).read_to_end(&mut text);
    read.map_err(|error| format!("no message can be read: {error}"))?;
    if text.len() as u64 != length {
        return Err(format!(
            "a message ends after {} of its {length} bytes",
            text.len()
        ));
    }
    let message = serde_json::from_slice(&text);
    message
        .map(Some)
        .map_err(|error| format!("a message is none of the protocol: {error}"))
}

/// The length in a message's header; `None` at the end of the input.
fn length(input: &mut impl BufRead) -> Result<Option<u64>, String> {
    let mut head = input.take(HEAD_BYTES);
    let (mut length, mut is_begun) = (None, false);
    loop {
        let mut line = Vec::new();
        let read = head.read_until(b'\n', &mut line);
        read.map_err(|error| format!("no message can be read: {error}"))?;
        if line.is_empty() && !is_begun {
            return Ok(None);
        }
        is_begun = true;
        if !line.ends_with(b"\n") {
            return Err(format!(
                "the head of a message has no end within {HEAD_BYTES} bytes"
            ));
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let field = line.split_once(':');
        let (name, value) = field.ok_or("the head of a message has a line without a colon")?;
        if name.eq_ignore_ascii_case("Content-Length") {
            let digits = value.trim();
            let bytes = digits.parse::<u64>();
            // Numbers that are too long are reported as well.
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            length = match bytes {
                Ok(bytes) if bytes <= MESSAGE_BYTES => Some(bytes),
                _ if is_number => {
                    return Err(format!(
                        "a message of {digits} bytes is announced, and one has at most {MESSAGE_BYTES}"
                    ));
                }
                _ => return Err("Content-Length is not a number of bytes".to_owned()),
            };
        }
    }
    let length = length.ok_or("the head of a message has no Content-Length")?;
    Ok(Some(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_message_is_reported() {
        for (text, words) in [
            ("Content-Length: 99999999999\r\n\r\n{}", "99999999999 bytes"),
            (
                "Content-Length: 99999999999999999999999\r\n\r\n",
                "bytes is announced",
            ),
            ("Content-Length: -1\r\n\r\n", "not a number"),
            ("Content-Length: \r\n\r\n", "not a number"),
            ("Content-Length: 9\r\n\r\n{}", "after 2 of its 9"),
            ("Content-Length: 2\r\n\r\n{}", "none of the protocol"),
            ("Content-Type: x\r\n\r\n{}", "no Content-Length"),
            ("hello\r\n\r\n", "without a colon"),
            ("Content-Length: 2", "no end"),
            (&"x".repeat(1 << 20), "no end"),
            (&"x: y\r\n".repeat(1 << 18), "no end"),
        ] {
            let sentence = read(&mut text.as_bytes()).unwrap_err();
            assert!(sentence.contains(words), "{sentence}");
        }
        assert!(read(&mut &b""[..]).unwrap().is_none());
    }

    #[test]
    fn consecutive_messages_are_read_separately() {
        let one = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        let text = format!(
            "content-length:{0}\n\n{one}Content-Length: {0}\r\nX: y\r\n\r\n{one}",
            one.len()
        );
        let mut input = text.as_bytes();
        for _ in 0..2 {
            let message = read(&mut input).unwrap();
            assert!(matches!(message, Some(Message::Notification(told)) if told.method == "exit"));
        }
        assert!(read(&mut input).unwrap().is_none());
    }
}

//! The greeting: how a client gets a board that `hil-bridge serve` shares with a password,
//! over TLS or over SSH.
//!
//! Each line ends with a line feed. With a password:
//!
//! ```text
//! server: touchboard-serve 1 password 0f1e...   its nonce
//! client: 8c2b... 77d0...                       its nonce, and its proof
//! server: welcome 51aa...                       its own proof
//! ```
//!
//! After `welcome` the line is the board's. Instead, the server may say `busy` and who has
//! the board, or `refused` and a sentence. Without a password it says `touchboard-serve 1
//! open`, and waits for no answer.
//!
//! A proof is the HMAC-SHA256, with the password as its key, of who proves it and of both
//! nonces. So the password never crosses the line, a recorded conversation proves nothing
//! to anybody later, and a server proves itself only to a client that has proved itself.
//!
//! Invariants: every line has one written form, of at most [`LONGEST_LINE`] bytes; texts
//! of the other end contain no control characters.

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The length of the longest line in bytes, without its end.
pub const LONGEST_LINE: usize = 240;

/// The shortest password in bytes. Whoever has recorded a greeting can try passwords
/// without asking the server.
pub const SHORTEST_PASSWORD: usize = 12;

/// The longest password in bytes.
pub const LONGEST_PASSWORD: usize = 1_024;

/// The first words of a server's first line.
const TITLE: &str = "touchboard-serve 1 ";

/// The number of bytes of a nonce.
const NONCE_BYTES: usize = 16;

/// The number of bytes of a proof.
const PROOF_BYTES: usize = 32;

/// A number that is used once, so that no proof is of any use in another conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nonce(pub [u8; NONCE_BYTES]);

/// What only somebody who knows the password can compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof([u8; PROOF_BYTES]);

/// The end of a line that proves that it knows the password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prover {
    /// The end that wants the board.
    Client,
    /// The end that has the board.
    Server,
}

impl Prover {
    /// The word under the proof, so that neither end can send back the other's.
    const fn word(self) -> &'static [u8] {
        match self {
            Prover::Client => b"touchboard-serve 1 client",
            Prover::Server => b"touchboard-serve 1 server",
        }
    }
}

/// The password of a shared board.
#[derive(Clone)]
pub struct BoardPassword(Hmac<Sha256>);

impl fmt::Debug for BoardPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoardPassword(..)")
    }
}

/// Why a text cannot be the password of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPassword {
    /// It would be found by trying.
    #[error(
        "a password has at least {SHORTEST_PASSWORD} bytes: make one with `openssl rand -hex 32`"
    )]
    Short,
    /// It is not a password, but a file of something else.
    #[error(
        "a password has at most {LONGEST_PASSWORD} bytes, in one line: make one with `openssl rand -hex 32`"
    )]
    Long,
}

impl BoardPassword {
    /// The password in this file: its only line, without the end of the line.
    ///
    /// # Errors
    /// When it is too short, or not one line.
    pub fn of_file(bytes: &[u8]) -> Result<BoardPassword, BadPassword> {
        let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > LONGEST_PASSWORD || line.contains(&b'\n') {
            return Err(BadPassword::Long);
        }
        match Hmac::new_from_slice(line) {
            Ok(key) if line.len() >= SHORTEST_PASSWORD => Ok(BoardPassword(key)),
            _ => Err(BadPassword::Short),
        }
    }

    fn over(&self, prover: Prover, server: Nonce, client: Nonce) -> Hmac<Sha256> {
        let mut hash = self.0.clone();
        hash.update(prover.word());
        hash.update(&server.0);
        hash.update(&client.0);
        hash
    }

    /// The proof of one end, after both have sent their nonces.
    #[must_use]
    pub fn prove(&self, prover: Prover, server: Nonce, client: Nonce) -> Proof {
        Proof(
            self.over(prover, server, client)
                .finalize()
                .into_bytes()
                .into(),
        )
    }

    /// True if this is the proof of that end. Takes equally long for any wrong one.
    #[must_use]
    pub fn accepts(&self, proof: Proof, prover: Prover, server: Nonce, client: Nonce) -> bool {
        let hash = self.over(prover, server, client);
        hash.verify_slice(&proof.0).is_ok()
    }
}

/// A line that is not a part of the greeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is not a line of the greeting")]
pub struct NoGreeting;

/// The first line of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerOpening {
    /// Nobody is asked for a password.
    Open,
    /// A password is asked for, with the server's nonce.
    Password(Nonce),
}

impl fmt::Display for ServerOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerOpening::Open => write!(f, "{TITLE}open"),
            ServerOpening::Password(nonce) => write!(f, "{TITLE}password {}", Hex(&nonce.0)),
        }
    }
}

impl FromStr for ServerOpening {
    type Err = NoGreeting;

    fn from_str(line: &str) -> Result<ServerOpening, NoGreeting> {
        let words = line.strip_prefix(TITLE).ok_or(NoGreeting)?;
        match words.strip_prefix("password ") {
            Some(nonce) => Ok(ServerOpening::Password(Nonce(bytes_of(nonce)?))),
            None if words == "open" => Ok(ServerOpening::Open),
            None => Err(NoGreeting),
        }
    }
}

/// The answer of a client that is asked for the password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientProof {
    /// The client's nonce.
    pub nonce: Nonce,
    /// The client's proof.
    pub proof: Proof,
}

impl fmt::Display for ClientProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Hex(&self.nonce.0), Hex(&self.proof.0))
    }
}

impl FromStr for ClientProof {
    type Err = NoGreeting;

    fn from_str(line: &str) -> Result<ClientProof, NoGreeting> {
        let (nonce, proof) = line.split_once(' ').ok_or(NoGreeting)?;
        Ok(ClientProof {
            nonce: Nonce(bytes_of(nonce)?),
            proof: Proof(bytes_of(proof)?),
        })
    }
}

/// The last line of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The board is the client's now. With a password, the server proves that it knows it.
    Welcome(Option<Proof>),
    /// Somebody else has the board: who, and since when.
    Busy(String),
    /// The client does not get the board, for this reason.
    Refused(String),
}

impl fmt::Display for Admission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Admission::Welcome(None) => f.write_str("welcome"),
            Admission::Welcome(Some(proof)) => write!(f, "welcome {}", Hex(&proof.0)),
            Admission::Busy(who) => write!(f, "busy {}", printable(who)),
            Admission::Refused(why) => write!(f, "refused {}", printable(why)),
        }
    }
}

impl FromStr for Admission {
    type Err = NoGreeting;

    fn from_str(line: &str) -> Result<Admission, NoGreeting> {
        if line == "welcome" {
            return Ok(Admission::Welcome(None));
        }
        let (word, rest) = line.split_once(' ').ok_or(NoGreeting)?;
        match word {
            "welcome" => Ok(Admission::Welcome(Some(Proof(bytes_of(rest)?)))),
            "busy" if printable(rest) == rest => Ok(Admission::Busy(rest.to_owned())),
            "refused" if printable(rest) == rest => Ok(Admission::Refused(rest.to_owned())),
            _ => Err(NoGreeting),
        }
    }
}

/// A text of somebody else as a person may read it: without control characters, and no
/// longer than fits a line of the greeting.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut clean = String::new();
    for character in text.chars() {
        let character = match character.is_control() {
            true => ' ',
            false => character,
        };
        if clean.len() + character.len_utf8() > LONGEST_LINE - "refused ".len() {
            break;
        }
        clean.push(character);
    }
    clean
}

/// Bytes in lower-case hexadecimal digits.
struct Hex<'b>(&'b [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The bytes that [`Hex`] writes as this text.
fn bytes_of<const N: usize>(text: &str) -> Result<[u8; N], NoGreeting> {
    let digits = text.as_bytes();
    let value = |digit: &u8| match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(NoGreeting),
    };
    let mut bytes = [0; N];
    if digits.len() != 2 * N {
        return Err(NoGreeting);
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let [high, low] = [pair.first(), pair.last()].map(|digit| digit.ok_or(NoGreeting));
        *byte = value(high?)? << 4 | value(low?)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;

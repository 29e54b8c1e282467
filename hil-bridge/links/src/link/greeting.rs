//! The client's end of the [greeting](touchboard_sharing::greeting), over any link.

use std::io;
use std::time::{Duration, Instant};

use touchboard_host::driver::DriverError;
use touchboard_sharing::greeting::{
    Admission, BoardPassword, ClientProof, LONGEST_LINE, Nonce, Prover, ServerOpening,
};

use super::Link;
use crate::LinkError;

/// How much a login shell may say before the greeting, in bytes.
const MOST_BEFORE: usize = 64 * 1_024;

/// A board that is greeted.
#[derive(Clone, Copy, Debug)]
pub struct Greeted<'p> {
    /// Its place, as a person wrote it.
    pub at: &'p str,
    /// The password to prove, if there is one.
    pub password: Option<&'p BoardPassword>,
    /// When the greeting has to be over.
    pub until: Instant,
    /// Other lines may come before the greeting, such as those of a login shell.
    pub may_come_later: bool,
}

/// A number that nobody can guess.
///
/// # Errors
/// When the system has no random numbers.
pub fn nonce() -> io::Result<Nonce> {
    let mut nonce = Nonce([0; 16]);
    getrandom::fill(&mut nonce.0).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(nonce)
}

/// The next line, without its end. Nothing after it is read.
///
/// # Errors
/// When the line ends, is too long or contains control characters, or it is late.
pub fn read_line(link: &mut dyn Link, until: Instant) -> io::Result<String> {
    let mut line = Vec::new();
    let mut byte = [0];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        if link.receive(&mut byte, left)? == 0 {
            continue;
        }
        match byte {
            [b'\n'] => {
                let line = String::from_utf8(line);
                return line.map_err(|_| io::ErrorKind::InvalidData.into());
            }
            [byte] if line.len() < LONGEST_LINE && (byte >= b' ' || byte == b'\r') => {
                line.push(byte);
            }
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

/// Greets a shared board. Afterwards the line is the board's.
///
/// # Errors
/// A sentence, if somebody else has the board, or it is refused, or there is no greeting.
pub fn greet(link: &mut dyn Link, greeted: &Greeted<'_>) -> Result<(), DriverError> {
    let at = greeted.at;
    let opening = opening(link, greeted)?;
    let lost = |error: io::Error| no_greeting(at, &error);
    let mut wanted = None;
    if let ServerOpening::Password(server) = opening {
        let Some(password) = greeted.password else {
            return Err(LinkError::open(format!(
                "the board at {at} asks for a password: name its file with --password-file"
            )));
        };
        let client = nonce().map_err(lost)?;
        let proof = password.prove(Prover::Client, server, client);
        let answer = ClientProof {
            nonce: client,
            proof,
        };
        link.send(format!("{answer}\n").as_bytes()).map_err(lost)?;
        wanted = Some((password, server, client));
    }
    let line = read_line(link, greeted.until).map_err(lost)?;
    let admission = line.parse();
    match admission.map_err(|_| no_greeting(at, &io::ErrorKind::InvalidData.into()))? {
        Admission::Welcome(proof) => {
            let is_proved = match (wanted, proof) {
                (None, _) => true,
                (Some((password, server, client)), Some(proof)) => {
                    password.accepts(proof, Prover::Server, server, client)
                }
                (Some(_), None) => false,
            };
            match is_proved {
                true => Ok(()),
                false => Err(LinkError::open(format!(
                    "what answers at {at} does not know the password itself: it is not the board that you mean"
                ))),
            }
        }
        Admission::Busy(who) => {
            let at = at.to_owned();
            Err(LinkError::Busy { at, who }.into())
        }
        Admission::Refused(why) => Err(LinkError::open(format!("{at} refuses: {why}"))),
    }
}

/// The first line of the server.
fn opening(link: &mut dyn Link, greeted: &Greeted<'_>) -> Result<ServerOpening, DriverError> {
    let mut before = 0;
    loop {
        let line = read_line(link, greeted.until);
        let line = match line {
            // A line of a shell may be longer, or not be a text.
            Err(error) if error.kind() == io::ErrorKind::InvalidData && greeted.may_come_later => {
                String::new()
            }
            line => line.map_err(|error| no_greeting(greeted.at, &error))?,
        };
        if let Ok(opening) = line.trim_end_matches('\r').parse() {
            return Ok(opening);
        }
        before += LONGEST_LINE;
        if !greeted.may_come_later || before > MOST_BEFORE {
            let error = io::ErrorKind::InvalidData.into();
            return Err(no_greeting(greeted.at, &error));
        }
    }
}

/// The error that there was no whole greeting.
fn no_greeting(at: &str, error: &io::Error) -> DriverError {
    match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::TimedOut => LinkError::open(format!(
            "what answers at {at} does not greet as `hil-bridge serve` does: check the address; a board without a password is at tcp:HOST:PORT"
        )),
        _ => LinkError::lost(format!(
            "the line to {at} was lost before the board was greeted: {error}"
        )),
    }
}

/// How long a greeting may take.
pub(crate) const GREETING: Duration = Duration::from_secs(5);

//! Takes outgoing mails from the store and hands them over for delivery.
//!
//! A mail is removed from the store after it was handed over. If the process is killed in
//! between, it is handed over again, with the same `Message-ID`: each mail is sent at
//! least once, and written to a maildir exactly once.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};

use lettre::address::Envelope;
use lettre::{SmtpTransport, Transport};
use touchboard_files::whole_file::sync_folder;

use crate::names::Address;
use crate::server::Server;
use crate::store::{Queued, StoreError};

/// How long a mail server may take for each answer, and a program for a mail. A mail
/// server on the same machine or network accepts a mail immediately.
const PATIENCE: Duration = Duration::from_secs(20);

/// The first and the longest delay after a mail could not be handed over, in seconds; it
/// doubles each time.
const WAITS_S: (u64, u64) = (30, 60 * 60);

/// A mail is given up after this many seconds: RFC 5321, 4.5.4.1, requires four to five
/// days.
const GIVEN_UP_S: u64 = 5 * 24 * 60 * 60;

/// The exit codes of `sendmail` for errors in the mail itself: bad data, unknown
/// user, unknown host (`sysexits.h`).
const NEVER_CODES: [i32; 3] = [65, 67, 68];

/// How mails are delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailRoute {
    /// Not at all: users are not notified by mail.
    None,
    /// Mails are written to the standard output.
    Output,
    /// Mails are handed to a mail server.
    Smtp {
        /// The host name of the mail server.
        host: String,
        /// The port of the mail server.
        port: u16,
    },
    /// A program that accepts a mail as `sendmail` does.
    Sendmail(PathBuf),
    /// Mails are written to this folder (Maildir).
    Maildir(PathBuf),
}

/// The text is not a way to deliver mails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write none, stdout, smtp:HOST:PORT, sendmail, sendmail:PROGRAM or maildir:FOLDER")]
pub struct MailRouteError;

impl FromStr for MailRoute {
    type Err = MailRouteError;

    fn from_str(text: &str) -> Result<MailRoute, MailRouteError> {
        match text.split_once(':') {
            None if text == "none" => Ok(MailRoute::None),
            None if text == "stdout" => Ok(MailRoute::Output),
            None if text == "sendmail" => Ok(MailRoute::Sendmail("/usr/sbin/sendmail".into())),
            Some(("smtp", place)) => {
                let (host, port) = place.rsplit_once(':').ok_or(MailRouteError)?;
                let port = port.parse().map_err(|_| MailRouteError)?;
                let host = host
                    .trim_start_matches('[')
                    .trim_end_matches(']')
                    .to_owned();
                Ok(MailRoute::Smtp { host, port })
            }
            Some(("sendmail", program)) if !program.is_empty() => {
                Ok(MailRoute::Sendmail(program.into()))
            }
            Some(("maildir", folder)) if !folder.is_empty() => {
                Ok(MailRoute::Maildir(folder.into()))
            }
            _ => Err(MailRouteError),
        }
    }
}

/// Why a mail was not handed over.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The mail server did not accept it.
    #[error(transparent)]
    Smtp(#[from] lettre::transport::smtp::Error),
    /// The mail has no envelope.
    #[error(transparent)]
    Envelope(#[from] lettre::error::Error),
    /// The program does not start.
    #[error("{}: {error}", .program.display())]
    Program { program: PathBuf, error: io::Error },
    /// The program refused the mail, with one of [`NEVER_CODES`].
    #[error("{} ended with {code}", .program.display())]
    Refused { program: PathBuf, code: i32 },
    /// The program failed, with this exit code if it was not killed.
    #[error("{} ended with {code:?}", .program.display())]
    Ended { program: PathBuf, code: Option<i32> },
    /// The operating system failed.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl Failure {
    /// True if the mail will never be accepted.
    fn is_final(&self) -> bool {
        match self {
            Failure::Smtp(error) => error.is_permanent(),
            Failure::Envelope(_) | Failure::Refused { .. } => true,
            Failure::Program { .. } | Failure::Ended { .. } | Failure::System(_) => false,
        }
    }

    /// True if nobody answers, so other mails would not be accepted either.
    fn is_of_all(&self) -> bool {
        matches!(self, Failure::Smtp(error) if !error.is_permanent() && !error.is_transient())
    }
}

/// The result of handing mails over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// The number of mails that were accepted.
    pub sent: usize,
    /// The number of mails that will be tried again.
    pub later: usize,
    /// The number of mails that were given up.
    pub given_up: usize,
}

/// Hands over all mails that are due, as long as the mail server responds. If it does
/// not, only one mail is tried per round.
///
/// # Errors
///
/// If the store cannot be read or written.
pub fn send_due(server: &Server, way: &MailRoute) -> Result<Sent, StoreError> {
    let mut sent = Sent::default();
    let (Some(own), false) = (server.address(), *way == MailRoute::None) else {
        return Ok(sent);
    };
    let smtp = match way {
        MailRoute::Smtp { host, port } => Some(transport(host, *port)),
        _ => None,
    };
    loop {
        let now_s = server.now_s();
        let due = server.store().change(|tables| tables.next_queued(now_s))?;
        let Some((number, mut queued, mail)) = due else {
            return Ok(sent);
        };
        let failure = hand_over(way, smtp.as_ref(), own, number, &queued, &mail).err();
        let is_over = failure.as_ref().is_some_and(Failure::is_of_all);
        server.store().change(|tables| match failure {
            None => {
                sent.sent += 1;
                tables.unqueue(number)
            }
            Some(failure) if !failure.is_final() && now_s < queued.since_s + GIVEN_UP_S => {
                sent.later += 1;
                tracing::warn!("mail {number} is tried again later: {failure}");
                let (first_s, most_s) = WAITS_S;
                let wait_s = (first_s << queued.attempts.min(16)).min(most_s);
                queued.not_before_s = now_s + wait_s;
                queued.attempts += 1;
                tables.queue(number, &queued, &mail)
            }
            Some(failure) => {
                sent.given_up += 1;
                tracing::warn!("mail {number} is given up: {failure}");
                tables.unqueue(number)
            }
        })?;
        if is_over {
            return Ok(sent);
        }
    }
}

fn transport(host: &str, port: u16) -> SmtpTransport {
    // The mail server is on the same machine or network. Encrypting the further transport
    // is its task.
    SmtpTransport::builder_dangerous(host)
        .port(port)
        .timeout(Some(PATIENCE))
        .build()
}

fn hand_over(
    way: &MailRoute,
    smtp: Option<&SmtpTransport>,
    own: &Address,
    number: u64,
    queued: &Queued,
    mail: &[u8],
) -> Result<(), Failure> {
    match (way, smtp) {
        (MailRoute::Smtp { .. }, Some(transport)) => {
            let to = vec![queued.to.to_lettre()];
            let envelope = Envelope::new(Some(own.to_lettre()), to)?;
            transport.send_raw(&envelope, mail)?;
            Ok(())
        }
        (MailRoute::Sendmail(program), _) => sendmail(program, own, &queued.to, mail),
        (MailRoute::Maildir(folder), _) => Ok(deliver(folder, number, mail)?),
        (MailRoute::Output, _) => {
            let mut output = io::stdout().lock();
            Ok(output.write_all(mail).and_then(|()| output.flush())?)
        }
        (MailRoute::None | MailRoute::Smtp { .. }, _) => Ok(()),
    }
}

fn sendmail(program: &Path, own: &Address, to: &Address, mail: &[u8]) -> Result<(), Failure> {
    let mut child = Command::new(program)
        .args(["-i", "-f", &own.to_string(), "--", &to.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| Failure::Program {
            program: program.to_owned(),
            error,
        })?;
    let text: Vec<u8> = mail.iter().copied().filter(|byte| *byte != b'\r').collect();
    // Written on another thread: a program that does not read must not block this one.
    let writing = child.stdin.take().map(|mut input| {
        std::thread::spawn(move || {
            let _ = input.write_all(&text);
        })
    });
    let code = wait(&mut child, PATIENCE)?;
    if let Some(writing) = writing {
        let _ = writing.join();
    }
    let program = program.to_owned();
    match code {
        Some(0) => Ok(()),
        Some(code) if NEVER_CODES.contains(&code) => Err(Failure::Refused { program, code }),
        code => Err(Failure::Ended { program, code }),
    }
}

/// Waits this long for a process to end, then kills it.
fn wait(child: &mut Child, patience: Duration) -> io::Result<Option<i32>> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if began.elapsed() > patience {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Writes a mail to a maildir, unless it is there already: its file name is derived from
/// its number.
fn deliver(folder: &Path, number: u64, mail: &[u8]) -> io::Result<()> {
    for part in ["tmp", "new", "cur"] {
        fs::create_dir_all(folder.join(part))?;
    }
    let name = format!("{number}.touchboard-post");
    let (temporary, there) = (
        folder.join("tmp").join(&name),
        folder.join("new").join(&name),
    );
    let is_read = fs::read_dir(folder.join("cur"))?
        .flatten()
        .any(|entry| entry.file_name().to_string_lossy().starts_with(&name));
    if is_read || there.exists() {
        return Ok(());
    }
    let mut file = File::create(&temporary)?;
    let text: Vec<u8> = mail.iter().copied().filter(|byte| *byte != b'\r').collect();
    file.write_all(&text)?;
    file.sync_all()?;
    fs::rename(temporary, there)?;
    sync_folder(&folder.join("new"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_to_send_mail_are_parsed() {
        let smtp = |host: &str, port| MailRoute::Smtp {
            host: host.into(),
            port,
        };
        for (text, way) in [
            ("none", MailRoute::None),
            ("stdout", MailRoute::Output),
            ("smtp:localhost:25", smtp("localhost", 25)),
            ("smtp:[::1]:2525", smtp("::1", 2525)),
            ("sendmail", MailRoute::Sendmail("/usr/sbin/sendmail".into())),
            ("sendmail:/bin/x", MailRoute::Sendmail("/bin/x".into())),
            ("maildir:/tmp/x", MailRoute::Maildir("/tmp/x".into())),
        ] {
            assert_eq!(text.parse(), Ok(way), "{text}");
        }
        for text in ["", "smtp", "smtp:localhost", "smtp:a:b", "maildir:", "post"] {
            assert!(text.parse::<MailRoute>().is_err(), "{text}");
        }
    }
}

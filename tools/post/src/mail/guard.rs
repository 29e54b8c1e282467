//! Decides which mails must not be answered: those of machines, lists and robots (RFC
//! 3834, and the habits of robots that ignore it). Two robots that answer each other
//! would never stop.

use mail_parser::Message;

use crate::mail::Sender;
use crate::names::Address;

/// The reason why a mail is not carried out or answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Automatic {
    /// The bytes are not a mail.
    NoMail,
    /// The envelope has no sender: the mail is a delivery report.
    NoSender,
    /// The mail says that a program wrote it.
    Submitted,
    /// The mail is a mass mail.
    ForMany,
    /// The mail is a report about another mail.
    Report,
    /// Nobody reads mails to the sender's address.
    Robot,
    /// The mail does not name its author.
    NoAuthor,
}

/// Local parts of addresses whose mails nobody reads.
const ROBOTS: [&str; 10] = [
    "mailer-daemon",
    "postmaster",
    "noreply",
    "no-reply",
    "donotreply",
    "do-not-reply",
    "bounce",
    "bounces",
    "listserv",
    "majordomo",
];

/// Endings of local parts, for lists.
const ROBOT_ENDS: [&str; 4] = ["-request", "-bounces", "-owner", "-noreply"];

/// Headers that only automatic mails have.
const ROBOT_HEADERS: [&str; 6] = [
    "X-Autoreply",
    "X-Autorespond",
    "X-Autoresponder",
    "X-Auto-Reply-From",
    "X-Mail-Autoreply",
    "X-Loop",
];

/// Headers of lists and newsletters.
const LIST_HEADERS: [&str; 5] = [
    "List-Id",
    "List-Post",
    "List-Unsubscribe",
    "Mailing-List",
    "Feedback-ID",
];

/// The reason why this mail must not be answered, if there is one.
pub fn automatic(
    message: &Message<'_>,
    sender: &Sender,
    from: Option<&Address>,
) -> Option<Automatic> {
    let header = |name: &'static str| {
        let value = message.header_raw(name)?;
        Some(value.trim().to_ascii_lowercase())
    };
    let return_path = header("Return-Path");
    if *sender == Sender::Nobody || return_path.is_some_and(|path| path == "<>") {
        return Some(Automatic::NoSender);
    }
    let submitted = header("Auto-Submitted");
    let is_automatic = |value: String| {
        let keyword = value.split([';', ' ', '(']).next().unwrap_or("").to_owned();
        keyword != "no"
    };
    if submitted.is_some_and(is_automatic) || header("X-Auto-Response-Suppress").is_some() {
        return Some(Automatic::Submitted);
    }
    let for_many = ["bulk", "list", "junk", "auto_reply"];
    let precedence = header("Precedence");
    if precedence.is_some_and(|value| for_many.contains(&value.as_str()))
        || LIST_HEADERS.iter().any(|name| header(name).is_some())
    {
        return Some(Automatic::ForMany);
    }
    if header("Content-Type").is_some_and(|value| value.starts_with("multipart/report")) {
        return Some(Automatic::Report);
    }
    if ROBOT_HEADERS.iter().any(|name| header(name).is_some()) {
        return Some(Automatic::Robot);
    }
    let Some(from) = from else {
        return Some(Automatic::NoAuthor);
    };
    let envelope = match sender {
        Sender::Address(address) => address.split('@').next().unwrap_or("").to_owned(),
        _ => String::new(),
    };
    let is_robot = |local: &str| {
        let local = local.to_ascii_lowercase();
        ROBOTS.contains(&local.as_str())
            || local.starts_with("owner-")
            || ROBOT_ENDS.iter().any(|end| local.ends_with(end))
    };
    (is_robot(from.local()) || is_robot(&envelope)).then_some(Automatic::Robot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::Incoming;

    fn judged(head: &str, sender: &Sender) -> Option<Automatic> {
        let mail = format!("{head}\r\nSubject: help\r\n\r\nhelp\r\n");
        Incoming::read(mail.as_bytes(), sender).automatic
    }

    #[test]
    fn a_person_is_answered() {
        let alice = Sender::Address("alice@example.org".into());
        for head in [
            "From: alice@example.org",
            "From: alice@example.org\r\nAuto-Submitted: no",
            "From: alice@example.org\r\nAuto-Submitted: no (really)",
            "From: alice@example.org\r\nPrecedence: first-class",
            "From: alice@example.org\r\nContent-Type: text/plain",
            "From: the-requests@example.org",
        ] {
            assert_eq!(judged(head, &alice), None, "{head}");
            assert_eq!(judged(head, &Sender::Unknown), None, "{head}");
        }
    }

    #[test]
    fn an_automatic_mail_is_not_answered() {
        let from = "From: alice@example.org\r\n";
        for (line, why) in [
            ("Auto-Submitted: auto-replied", Automatic::Submitted),
            ("Auto-submitted: Auto-Generated; x=y", Automatic::Submitted),
            ("Auto-Submitted: auto-notified (no)", Automatic::Submitted),
            ("X-Auto-Response-Suppress: All", Automatic::Submitted),
            ("Precedence: bulk", Automatic::ForMany),
            ("Precedence: LIST", Automatic::ForMany),
            ("Precedence: junk", Automatic::ForMany),
            ("List-Id: <a.b>", Automatic::ForMany),
            ("List-Unsubscribe: <mailto:a@b>", Automatic::ForMany),
            ("X-Autoreply: yes", Automatic::Robot),
            ("X-Loop: post@example.net", Automatic::Robot),
            ("Return-Path: <>", Automatic::NoSender),
            (
                "Content-Type: multipart/report; boundary=x",
                Automatic::Report,
            ),
        ] {
            let head = format!("{from}{line}");
            assert_eq!(judged(&head, &Sender::Unknown), Some(why), "{line}");
        }
        for address in [
            "MAILER-DAEMON@example.org",
            "postmaster@example.org",
            "no-reply@example.org",
            "players-request@example.org",
            "owner-players@example.org",
            "players-bounces@example.org",
        ] {
            let head = format!("From: {address}");
            assert_eq!(judged(&head, &Sender::Unknown), Some(Automatic::Robot));
            let sender = Sender::Address(address.into());
            assert_eq!(judged(from.trim(), &sender), Some(Automatic::Robot));
        }
        assert_eq!(
            judged(from.trim(), &Sender::Nobody),
            Some(Automatic::NoSender)
        );
        assert_eq!(
            judged("To: a@b", &Sender::Unknown),
            Some(Automatic::NoAuthor)
        );
    }
}

//! An incoming mail, reduced to what matters: the address for the answer, the commands,
//! and whether it must not be answered.
//!
//! Invariants: a mail is at most [`MAIL_BYTES`] long, and any bytes can be read without
//! panic or error; parts that cannot be understood contain no commands.

pub mod compose;
mod guard;
mod lines;
mod senders;

use std::net::IpAddr;

use mail_parser::{Address as Addresses, Message, MessageParser};

use crate::dice::{Hash, sha256, sha256_of_both};
use crate::names::Address;

pub use guard::Automatic;
pub use senders::{SendersChecked, SendersCheckedError};

/// The most bytes of a mail.
pub const MAIL_BYTES: usize = 256 << 10;

/// The most commands in one.
pub const MOST_COMMANDS: usize = 16;

/// The most bytes of a `Message-ID`; RFC 5322 limits lines to 998.
const ID_BYTES: usize = 250;

/// The most earlier mails that a mail refers to.
const MOST_REFERENCES: usize = 20;

/// The sender of a mail, as reported by the mail server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sender {
    /// The mail server did not report a sender.
    Unknown,
    /// `<>`: the mail is a delivery report.
    Nobody,
    /// The address that the mail server reported.
    Address(String),
}

/// A mail that came in.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// The `From` address of the mail.
    pub from: Option<Address>,
    /// The address that gets the answer.
    pub answer_to: Option<Address>,
    /// The host that handed the mail to the mail server, according to the topmost
    /// `Received` header.
    pub host: Option<IpAddr>,
    /// The mail's headers about checks of its sender.
    results: senders::Results,
    /// The `Message-ID` of the mail, with brackets.
    pub id: Option<String>,
    /// The `Message-ID`s of earlier mails in the thread, oldest first, with brackets.
    pub references: Vec<String>,
    /// The lines that are intended as commands, at most one more than [`MOST_COMMANDS`].
    pub commands: Vec<String>,
    /// The reason why it must not be answered, if there is one.
    pub automatic: Option<Automatic>,
    /// The value that identifies the mail if it arrives again.
    pub identity: Hash,
}

impl Incoming {
    /// Reads a mail from its bytes.
    #[must_use]
    pub fn read(bytes: &[u8], sender: &Sender) -> Incoming {
        let bytes = &bytes[..bytes.len().min(MAIL_BYTES)];
        let Some(message) = MessageParser::default().parse(bytes) else {
            return Incoming {
                from: None,
                answer_to: None,
                host: None,
                results: senders::Results::default(),
                id: None,
                references: Vec::new(),
                commands: Vec::new(),
                automatic: Some(Automatic::NoMail),
                identity: sha256(bytes),
            };
        };
        let from = first_address(message.from());
        let reply_to = first_address(message.reply_to());
        let id = message.message_id().and_then(id_of);
        let subject = message.subject().unwrap_or("");
        Incoming {
            automatic: guard::automatic(&message, sender, from.as_ref()),
            answer_to: reply_to.or_else(|| from.clone()),
            identity: identity(&message, bytes),
            references: references(&message),
            commands: lines::commands(&message, subject),
            host: host(&message),
            results: senders::Results::read(&message),
            from,
            id,
        }
    }

    /// True if its author is verified, by the configured way of checking.
    #[must_use]
    pub fn has_checked_sender(&self, senders: &SendersChecked) -> bool {
        let from = self.from.as_ref();
        from.is_some_and(|from| self.results.show(from, senders))
    }

    /// The mail's contribution to the dice.
    #[must_use]
    pub fn contribution(&self) -> Option<Hash> {
        self.id.as_ref().map(|id| sha256(id.as_bytes()))
    }

    /// True if it answers a mail that came from this domain.
    #[must_use]
    pub fn answers(&self, domain: &str) -> bool {
        let end = format!("@{domain}>");
        self.references.iter().any(|id| id.ends_with(&end))
    }
}

/// The host in the topmost `Received` header. The mail server that delivered the mail
/// here wrote that header; those below it may be forged.
fn host(message: &Message<'_>) -> Option<IpAddr> {
    let mut received = message.header_values("Received");
    received.next()?.as_received()?.from_ip
}

fn first_address(addresses: Option<&Addresses<'_>>) -> Option<Address> {
    addresses?.first()?.address.as_deref()?.trim().parse().ok()
}

/// A `Message-ID` with its brackets, if it is valid in a header.
fn id_of(id: &str) -> Option<String> {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'<' && byte != b'>';
    let is_id = (1..=ID_BYTES).contains(&id.len()) && id.bytes().all(is_plain);
    is_id.then(|| format!("<{id}>"))
}

/// The earlier mails of the thread: `References`, or else `In-Reply-To`.
fn references(message: &Message<'_>) -> Vec<String> {
    let listed = [message.references(), message.in_reply_to()];
    let mut all = listed.into_iter().map(|value| {
        let texts = value
            .as_text_list()
            .map(|list| list.iter().map(|id| id.as_ref()).collect::<Vec<&str>>());
        let texts = texts.or_else(|| value.as_text().map(|id| vec![id]));
        let ids = texts.unwrap_or_default().into_iter().filter_map(id_of);
        ids.collect::<Vec<String>>()
    });
    let mut ids = all.find(|ids| !ids.is_empty()).unwrap_or_default();
    // The first one is kept, because mail programs find a thread by it.
    while ids.len() > MOST_REFERENCES {
        ids.remove(1);
    }
    ids
}

/// A value by which a mail that is delivered twice is recognised: a hash of its id,
/// author and text. Headers that servers add on the way are not included, unless there is
/// no id.
fn identity(message: &Message<'_>, bytes: &[u8]) -> Hash {
    let Some(id) = message.message_id() else {
        return sha256(bytes);
    };
    let from = message.header_raw("From").unwrap_or("");
    let body = message.root_part().raw_body_offset() as usize;
    let head = sha256_of_both(format!("{id}\n").as_bytes(), from.as_bytes());
    sha256_of_both(&head, bytes.get(body..).unwrap_or(&[]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Incoming {
        Incoming::read(text.replace('\n', "\r\n").as_bytes(), &Sender::Unknown)
    }

    const PLAIN: &str = "From: Alice <alice@example.org>\nTo: post@example.net\n\
        Subject: Our game\nMessage-ID: <1@example.org>\nReferences: <0@a> <00@b>\n\n\
        malaka show 17\n";

    #[test]
    fn a_plain_mail_is_read() {
        let mail = read(PLAIN);
        assert_eq!(mail.answer_to.unwrap().to_string(), "alice@example.org");
        assert_eq!(mail.id.as_deref(), Some("<1@example.org>"));
        assert_eq!(mail.references, ["<0@a>", "<00@b>"]);
        assert_eq!(mail.commands, ["malaka show 17"]);
        assert_eq!(mail.automatic, None);
    }

    #[test]
    fn the_answer_goes_to_reply_to() {
        let mail = read(&PLAIN.replace("To: post", "Reply-To: other@example.org\nTo: post"));
        assert_eq!(mail.from.unwrap().to_string(), "alice@example.org");
        assert_eq!(mail.answer_to.unwrap().to_string(), "other@example.org");
    }

    #[test]
    fn a_repeated_mail_is_recognised() {
        let first = read(PLAIN).identity;
        let again = format!("Received: from a by b\nReturn-Path: <x@y>\n{PLAIN}");
        assert_eq!(read(&again).identity, first);
        for other in [
            PLAIN.replace("<1@", "<2@"),
            PLAIN.replace("show 17", "show 18"),
            PLAIN.replace("alice@", "bob@"),
        ] {
            assert_ne!(read(&other).identity, first, "{other}");
        }
        let nameless = PLAIN.replace("Message-ID: <1@example.org>\n", "");
        assert_eq!(read(&nameless).identity, read(&nameless).identity);
        assert_ne!(read(&nameless).identity, first);
    }

    #[test]
    fn an_identifier_that_could_break_a_header_is_dropped() {
        let long = "x".repeat(300);
        for id in ["<a b@c>", "<ä@c>", "<>", &format!("<{long}@c>")] {
            let mail = read(&PLAIN.replace("<1@example.org>", id));
            let id = mail.id.unwrap_or_default();
            assert!(id.bytes().all(|byte| byte.is_ascii_graphic()), "{id:?}");
        }
        let many: String = (0..100).map(|number| format!(" <{number}@a>\n")).collect();
        let mail = read(&PLAIN.replace(" <0@a> <00@b>\n", &many));
        assert_eq!(mail.references.len(), MOST_REFERENCES);
        assert_eq!(mail.references.first().map(String::as_str), Some("<0@a>"));
        assert_eq!(mail.references.last().map(String::as_str), Some("<99@a>"));
    }

    fn check_bounds(mail: &Incoming) -> Result<(), TestCaseError> {
        prop_assert!(mail.commands.len() <= MOST_COMMANDS + 1);
        prop_assert!(mail.references.len() <= MOST_REFERENCES);
        let ids = mail.references.iter().chain(&mail.id);
        for byte in ids.flat_map(|id| id.bytes()) {
            prop_assert!(byte.is_ascii_graphic(), "{byte}");
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn reading_any_bytes_of_a_mail_does_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
            check_bounds(&Incoming::read(&bytes, &Sender::Nobody))?;
        }

        #[test]
        fn reading_a_changed_mail_does_not_panic(
            place in 0..PLAIN.len(),
            text in "[\\x00-\\x7f]{0,40}",
            cut in 0..PLAIN.len(),
        ) {
            let mut mail = PLAIN.as_bytes()[..place].to_vec();
            mail.extend(text.as_bytes());
            mail.extend(&PLAIN.as_bytes()[cut..]);
            check_bounds(&Incoming::read(&mail, &Sender::Unknown))?;
        }
    }
}

//! Composes the mails that the server sends.

use std::time::{Duration, UNIX_EPOCH};

use lettre::Message;
use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};

use crate::names::Address;

/// The most letters of a subject.
const SUBJECT_LETTERS: usize = 200;

/// The draft is not a valid mail.
#[derive(Debug, thiserror::Error)]
#[error("the mail cannot be written: {0}")]
pub struct ComposeError(#[from] lettre::error::Error);

/// A mail before it is bytes.
#[derive(Clone, Debug)]
pub struct MailDraft<'d> {
    /// The address of the server.
    pub from: &'d Address,
    /// The address of the recipient.
    pub to: &'d Address,
    /// The `Message-ID`, with brackets. It stays the same if the mail is sent twice.
    pub id: String,
    /// The subject of the mail.
    pub subject: &'d str,
    /// The text of the mail.
    pub text: &'d str,
    /// The mails before it, oldest first.
    pub references: &'d [String],
    /// True if the mail answers the last of them.
    pub is_answer: bool,
    /// The date of the mail, in seconds since 1970.
    pub now_s: u64,
}

impl MailDraft<'_> {
    /// The mail as bytes, with line ends of CR and LF.
    ///
    /// # Errors
    /// If the draft is not a valid mail.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ComposeError> {
        let automatic = if self.is_answer {
            "auto-replied"
        } else {
            "auto-generated"
        };
        let header = |name, value: &str| {
            HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
        };
        let mut message = Message::builder()
            .from(Mailbox::new(
                Some("Malaka by mail".into()),
                self.from.to_lettre(),
            ))
            .to(Mailbox::new(None, self.to.to_lettre()))
            .subject(one_line(self.subject))
            .date(UNIX_EPOCH + Duration::from_secs(self.now_s))
            .message_id(Some(self.id.clone()))
            .raw_header(header("Auto-Submitted", automatic))
            .raw_header(header("X-Auto-Response-Suppress", "All"));
        if let Some(last) = self.references.last() {
            message = message.references(self.references.join(" "));
            if self.is_answer {
                message = message.in_reply_to(last.clone());
            }
        }
        let message = message
            .header(ContentType::TEXT_PLAIN)
            .body(self.text.replace("\r\n", "\n").replace('\n', "\r\n"))?;
        Ok(message.formatted())
    }
}

/// The text without line ends and control characters, cut to the maximum length.
fn one_line(text: &str) -> String {
    let plain = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter });
    plain.take(SUBJECT_LETTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::{Incoming, Sender};

    #[test]
    fn a_written_mail_reads_back_and_asks_for_no_answer() {
        let from: Address = "post@example.net".parse().unwrap();
        let to: Address = "alice@example.org".parse().unwrap();
        let references = ["<0@a>".to_owned(), "<1@example.org>".to_owned()];
        let draft = MailDraft {
            from: &from,
            to: &to,
            id: "<post-1@example.net>".into(),
            subject: "Re: Größe\r\nBcc: eve@example.org",
            text: "One\n.\nTwo ä\n",
            references: &references,
            is_answer: true,
            now_s: 0,
        };
        let bytes = draft.to_bytes().unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(!text.contains("\r\nBcc"), "{text}");
        assert!(text.contains("In-Reply-To: <1@example.org>\r\n"), "{text}");
        assert!(
            text.contains("References: <0@a> <1@example.org>\r\n"),
            "{text}"
        );
        assert!(text.contains("Thu, 01 Jan 1970 00:00:00 +0000"), "{text}");
        let read = Incoming::read(&bytes, &Sender::Unknown);
        assert!(read.automatic.is_some());
        let message = mail_parser::MessageParser::default().parse(&bytes).unwrap();
        assert_eq!(message.subject(), Some("Re: Größe Bcc: eve@example.org"));
        assert!(!text.replace("\r\n", "").contains(['\r', '\n']), "{text}");
    }
}

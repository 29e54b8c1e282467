//! Determines whether the sender of a mail is genuine.
//!
//! Anybody can write any name into `From`. A mail server can check whether the domain in
//! it vouches for the mail (SPF, DKIM, DMARC), and either records its results (RFC 8601)
//! or refuses mails that fail. Only the operator knows whether the mail server does one
//! of these.
//!
//! Invariants: unless the operator configures it, no sender is trusted.

use std::str::FromStr;

use mail_parser::Message;

use crate::names::Address;

/// How the mail server checks senders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SendersChecked {
    /// The mail server does not check senders.
    #[default]
    No,
    /// The server refuses mails whose `From` cannot be verified.
    ByRefusing,
    /// The server writes its results into `Authentication-Results` headers under this
    /// name, and removes those that others wrote under it.
    ByResults(String),
}

/// The text is not a way of checking senders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write nobody, mail-server or authentication-results:HOST")]
pub struct SendersCheckedError;

impl FromStr for SendersChecked {
    type Err = SendersCheckedError;

    fn from_str(text: &str) -> Result<SendersChecked, SendersCheckedError> {
        match text.split_once(':') {
            None if text == "nobody" => Ok(SendersChecked::No),
            None if text == "mail-server" => Ok(SendersChecked::ByRefusing),
            Some(("authentication-results", host)) if !host.is_empty() => {
                Ok(SendersChecked::ByResults(host.to_owned()))
            }
            _ => Err(SendersCheckedError),
        }
    }
}

/// The results of the sender checks that a mail contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// How many authors it names.
    authors: usize,
    /// Its `Authentication-Results`, the topmost first.
    lines: Vec<String>,
}

impl Results {
    pub fn read(message: &Message<'_>) -> Results {
        let headers = |name: &'static str| {
            let named = message
                .headers_raw()
                .filter(move |(header, _)| header.eq_ignore_ascii_case(name));
            named.map(|(_, value)| value)
        };
        let listed = message.from().map_or(0, |from| from.iter().count());
        Results {
            // If there are two headers, mail programs differ in which one they show.
            authors: listed * headers("From").count(),
            lines: headers("Authentication-Results")
                .map(|value| value.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect(),
        }
    }

    /// True if the results show that the mail is from this author.
    pub fn show(&self, from: &Address, senders: &SendersChecked) -> bool {
        let is_one = self.authors == 1;
        match senders {
            SendersChecked::No => false,
            SendersChecked::ByRefusing => is_one,
            SendersChecked::ByResults(host) => {
                let mut own = self.lines.iter().filter_map(|line| of(line, host));
                is_one && own.next().is_some_and(|results| vouch(results, from))
            }
        }
    }
}

/// The text after the name of the checking server, if it is this one.
fn of<'l>(line: &'l str, host: &str) -> Option<&'l str> {
    let (server, results) = line.split_once(';')?;
    let name = server.split_whitespace().next()?;
    name.eq_ignore_ascii_case(host).then_some(results)
}

/// True if the author's domain vouches for the mail: `dmarc=pass`, which only concerns
/// the domain in `From`.
fn vouch(results: &str, from: &Address) -> bool {
    let results = without_comments(results).to_ascii_lowercase();
    results.split(';').any(|result| {
        let mut words = result.split_whitespace();
        let is_pass = words.next() == Some("dmarc=pass");
        let domain = words.find_map(|word| word.strip_prefix("header.from="));
        let domain = domain.map(|domain| domain.trim_matches('"'));
        is_pass && domain.is_none_or(|domain| domain.eq_ignore_ascii_case(from.domain()))
    })
}

/// The text without comments in brackets, which may contain anything.
fn without_comments(text: &str) -> String {
    let (mut depth, mut is_quoted, mut is_escaped) = (0_u32, false, false);
    let kept = |letter: &char| {
        if is_escaped {
            is_escaped = false;
            return depth == 0;
        }
        match letter {
            '\\' if depth > 0 || is_quoted => is_escaped = true,
            '"' if depth == 0 => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted && depth > 0 => {
                depth -= 1;
                return false;
            }
            _ => {}
        }
        depth == 0
    };
    text.chars().filter(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::{Incoming, Sender};

    const HOST: &str = "authentication-results:mx.post.test";

    fn is_shown(head: &str, senders: &str) -> bool {
        let mail = format!("{head}\nSubject: x\n\nhelp\n").replace('\n', "\r\n");
        let mail = Incoming::read(mail.as_bytes(), &Sender::Unknown);
        mail.has_checked_sender(&senders.parse().unwrap())
    }

    const FROM: &str = "From: Alice <alice@play.test>";
    const PASS: &str = "Authentication-Results: mx.post.test; spf=pass smtp.mailfrom=x.test;\n\
         \tdmarc=pass (p=none) header.from=play.test";

    #[test]
    fn senders_are_believed_only_as_configured() {
        let head = format!("{PASS}\n{FROM}");
        assert!(!is_shown(&head, "nobody"));
        assert!(is_shown(&head, HOST));
        assert!(is_shown(FROM, "mail-server"));
        assert!(!is_shown(FROM, HOST));
        assert!(!is_shown("To: x@y.test", "mail-server"));
        for text in [
            "",
            "yes",
            "authentication-results",
            "authentication-results:",
        ] {
            assert!(text.parse::<SendersChecked>().is_err(), "{text}");
        }
    }

    #[test]
    fn results_of_other_servers_are_ignored() {
        let fail = "Authentication-Results: mx.post.test; dmarc=fail header.from=play.test";
        for head in [
            // The topmost of ours is ours.
            format!("{fail}\n{PASS}\n{FROM}"),
            format!("{}\n{FROM}", PASS.replace("mx.post.test", "mx.evil.test")),
            format!(
                "{}\n{FROM}",
                PASS.replace("mx.post.test", "mx.post.test.evil.test")
            ),
            format!(
                "{}\n{FROM}",
                PASS.replace("header.from=play.test", "header.from=evil.test")
            ),
            format!("{}\n{FROM}", PASS.replace("dmarc=pass", "(; dmarc=pass")),
            format!(
                "{}\n{FROM}",
                PASS.replace("dmarc=pass", "dmarc=none (; dmarc=pass)")
            ),
            format!("{}\n{FROM}", PASS.replace("dmarc=pass", "dkim=pass")),
            format!("{PASS}\n{FROM}\nFrom: bob@play.test"),
            format!("{PASS}\n{FROM}, bob@play.test"),
        ] {
            assert!(!is_shown(&head, HOST), "{head}");
        }
    }
}

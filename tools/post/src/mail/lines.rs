//! Finds the commands in the text of a mail.
//!
//! People answer above or below the text that they quote, sign their mails, and add a few
//! words to their opponent. So a command is a line that begins with a command word.
//! Quoted lines are ignored, and so is everything after a signature or after the line
//! that introduces a copy of the previous mail.

use mail_parser::{Message, MimeHeaders, PartType};

use crate::command::begins_like_one;
use crate::mail::MOST_COMMANDS;

/// The most parts of a mail that are searched.
const MOST_PARTS: usize = 8;

/// The placeholder for a password in the server's own texts. A line with it is quoted
/// from the server.
const TEMPLATE: &str = "PASSWORD";

/// The commands of a mail: those in the first part that has any, otherwise the subject if
/// it is a command.
pub fn commands(message: &Message<'_>, subject: &str) -> Vec<String> {
    for place in 0..message.text_body_count().min(MOST_PARTS) {
        let Some(text) = message.body_text(place) else {
            continue;
        };
        let part = message.text_part(place as u32);
        let flowed = part.and_then(|part| {
            let form = part.content_type()?.attribute("format")?;
            let is_flowed = matches!(part.body, PartType::Text(_));
            Some(is_flowed && form.eq_ignore_ascii_case("flowed"))
        });
        let found = of_text(&text, flowed.unwrap_or(false));
        if !found.is_empty() {
            return found;
        }
    }
    let subject = subject.split_whitespace().collect::<Vec<_>>().join(" ");
    if begins_like_one(&subject) {
        vec![subject]
    } else {
        Vec::new()
    }
}

/// The commands in a text, at most one more than a mail may have.
fn of_text(text: &str, is_flowed: bool) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        if is_end(line) {
            break;
        }
        let is_quoted = line.starts_with('>') || line.starts_with('|');
        if is_quoted {
            goes_on = false;
            continue;
        }
        let words = line.trim();
        match commands.last_mut() {
            // The moves were broken after a comma, or by a mail program that declares its
            // line breaks.
            Some(command) if goes_on && !words.is_empty() && !begins_like_one(words) => {
                if !command.ends_with(',') {
                    command.push(' ');
                }
                command.push_str(words);
            }
            _ => {
                goes_on = begins_like_one(words) && !has_template(words);
                if goes_on {
                    commands.push(words.to_owned());
                }
            }
        }
        goes_on = goes_on && (words.ends_with(',') || is_flowed && line.ends_with(' '));
        if commands.len() > MOST_COMMANDS && !goes_on {
            break;
        }
    }
    commands
}

fn has_template(words: &str) -> bool {
    words.split_whitespace().any(|word| word == TEMPLATE)
}

/// True for the line after which nothing is a command.
fn is_end(line: &str) -> bool {
    let trimmed = line.trim();
    let is_signature = line == "-- " || line == "--";
    let is_ruled = trimmed.len() >= 10 && trimmed.bytes().all(|byte| byte == b'_');
    let is_original = trimmed.starts_with("-----") && trimmed.ends_with("-----");
    is_signature || is_ruled || is_original && trimmed.len() > 10
}

#[cfg(test)]
mod tests {
    use crate::mail::{Incoming, MOST_COMMANDS, Sender};

    fn commands(head: &str, body: &str) -> Vec<String> {
        let mail = format!("From: a@example.org\n{head}\n\n{body}");
        let mail = mail.replace('\n', "\r\n");
        Incoming::read(mail.as_bytes(), &Sender::Unknown).commands
    }

    const MOVE: &str = "malaka move 17 alice secret1 c3-c6,c6-c8";

    #[test]
    fn chat_quotes_and_signatures_are_not_commands() {
        let body = format!(
            "Hello Bob,\n\nthis was hard. help me!\n> malaka show 1\n>> malaka show 2\n\
             {MOVE}\n  Malaka show 17\nmalakas are we all\n-- \nmalaka show 3\n"
        );
        assert_eq!(commands("Subject: x", &body), [MOVE, "Malaka show 17"]);
        for end in ["-----Original Message-----", "________________"] {
            let body = format!("{MOVE}\n{end}\nFrom: x\nmalaka show 3\n");
            assert_eq!(commands("Subject: x", &body), [MOVE]);
        }
    }

    #[test]
    fn the_servers_own_text_is_not_a_command() {
        let body = format!("{MOVE}\n\nmalaka move 17 bob PASSWORD MOVES nonce=ANY_WORD\n");
        assert_eq!(commands("Subject: x", &body), [MOVE]);
    }

    #[test]
    fn the_subject_is_a_command_if_the_text_has_none() {
        assert_eq!(
            commands("Subject: malaka  show 17", "Hello.\n"),
            ["malaka show 17"]
        );
        assert_eq!(commands("Subject: malaka show 17", "help\n"), ["help"]);
        assert!(commands("Subject: Re: malaka show 17", "Hello.\n").is_empty());
    }

    #[test]
    fn broken_lines_are_joined() {
        let body = "malaka move 17 alice secret1 c3-c6,\n  c6-c8,\nc1-c4\nBye\n";
        let joined = ["malaka move 17 alice secret1 c3-c6,c6-c8,c1-c4"];
        assert_eq!(commands("Subject: x", body), joined);
        let flowed = "Content-Type: text/plain; format=flowed";
        let body = "malaka move 17 alice \nsecret1 c3-c6\nnot this\n";
        assert_eq!(
            commands(flowed, body),
            ["malaka move 17 alice secret1 c3-c6"]
        );
        assert_eq!(commands("Subject: x", body)[0], "malaka move 17 alice");
    }

    #[test]
    fn every_encoding_of_a_text_is_read() {
        let base64 = "bWFsYWthIG1vdmUgMTcgYWxpY2Ugc2VjcmV0MSBj\nMy1jNixjNi1jOA==\n";
        assert_eq!(
            commands("Content-Transfer-Encoding: base64", base64),
            [MOVE]
        );
        let quoted = "malaka move 17 al=\nice secret1 c3=2Dc6,c6-c8\n";
        let head = "Content-Transfer-Encoding: quoted-printable";
        assert_eq!(commands(head, quoted), [MOVE]);
        let html = format!("<html><body><p>Hello</p><p>{MOVE}</p></body></html>");
        assert_eq!(commands("Content-Type: text/html", &html), [MOVE]);
        let both = format!(
            "--x\nContent-Type: text/plain\n\n{MOVE}\n--x\nContent-Type: text/html\n\n<p>help</p>\n--x--\n"
        );
        let head = "Content-Type: multipart/alternative; boundary=x";
        assert_eq!(commands(head, &both), [MOVE]);
        let mixed = format!(
            "--x\nContent-Type: text/plain\n\nHello.\n--x\nContent-Type: text/plain\n\n{MOVE}\n--x--\n"
        );
        let head = "Content-Type: multipart/mixed; boundary=x";
        assert_eq!(commands(head, &mixed), [MOVE]);
        let subject = "Subject: =?utf-8?B?bWFsYWthIHNob3cgMTc=?=";
        assert_eq!(commands(subject, ""), ["malaka show 17"]);
        let wide: String = "malaka show 17\n"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .map(|byte| format!("={byte:02X}"))
            .collect();
        let head = "Content-Type: text/plain; charset=utf-16be\n\
                    Content-Transfer-Encoding: quoted-printable";
        let lines: Vec<&str> = wide
            .as_bytes()
            .chunks(60)
            .map(|chunk| std::str::from_utf8(chunk).unwrap())
            .collect();
        assert_eq!(commands(head, &lines.join("=\n")), ["malaka show 17"]);
    }

    #[test]
    fn an_attached_mail_contains_no_commands() {
        let body = format!(
            "--x\nContent-Type: text/plain\n\nSee below.\n--x\nContent-Type: message/rfc822\n\n\
             From: b@example.org\nSubject: y\n\n{MOVE}\n--x--\n"
        );
        assert!(commands("Content-Type: multipart/mixed; boundary=x", &body).is_empty());
    }

    #[test]
    fn the_number_of_commands_is_limited() {
        let body = "malaka show 17\n".repeat(1_000);
        assert_eq!(commands("Subject: x", &body).len(), MOST_COMMANDS + 1);
    }
}

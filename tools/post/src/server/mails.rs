//! Incoming and outgoing mails.

use crate::command::{MailCommand, hidden};
use crate::mail::compose::MailDraft;
use crate::mail::{Automatic, Incoming, MOST_COMMANDS};
use crate::names::Address;
use crate::server::limits::{self, DAY_S};
use crate::server::{Asked, Notice, Origin, Peer, Refusal, Server};
use crate::store::{Queued, StorageError, StoreError, Tables};

/// How long a mail is remembered, in seconds. Mail servers try again for five days, but
/// people may move a mail into the folder after weeks.
const KNOWN_S: u64 = 60 * DAY_S;

/// The number of wrong passwords allowed in one mail.
const MOST_WRONG: usize = 3;

/// Why a mail was not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// A program wrote it, or it is a mass mail.
    Automatic(Automatic),
    /// The mail is from the server itself.
    Own,
    /// The mail was handled before.
    Known,
    /// The mail contains no command.
    Nothing,
    /// There were too many from this origin today. The mail is not remembered, so it may
    /// be delivered again.
    TooMany,
}

/// The result of handling a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handled {
    /// The mail gets this answer.
    Answered {
        /// True if all its commands were carried out.
        is_done: bool,
        /// The number of the answer in the queue of outgoing mails.
        mail: u64,
    },
    /// The mail was not answered, for this reason.
    Left(Unanswered),
}

pub(super) fn take_in(server: &Server, mail: &Incoming) -> Result<Handled, StoreError> {
    let left = |why| {
        tracing::info!("a mail was left: {why:?}");
        Ok(Handled::Left(why))
    };
    let (own, to) = match addresses(server, mail) {
        Ok(addresses) => addresses,
        Err(why) => return left(why),
    };
    let now_s = server.now_s();
    if server
        .store
        .change(|tables| tables.is_seen(&mail.identity))?
    {
        return left(Unanswered::Known);
    }
    let origin = Origin {
        address: mail.from.clone(),
        is_checked: mail.has_checked_sender(&server.senders),
        mail: mail.contribution(),
        answer_to: Some(to.clone()),
        peer: Peer::Author(mail.from.clone(), mail.host),
    };
    let asked = server.ask_all(mail, &origin)?;
    let signed = asked.iter().find_map(Asked::author);
    server.store.change(|tables| {
        if tables.is_seen(&mail.identity)? {
            return left(Unanswered::Known);
        }
        if !limits::may_answer(tables, now_s, to, &origin.peer, signed)? {
            return left(Unanswered::TooMany);
        }
        tables.see(&mail.identity, now_s, now_s.saturating_sub(KNOWN_S))?;
        let MailAnswer {
            is_done,
            text,
            notices,
        } = server.answer(tables, mail, &asked, &origin)?;
        let mut references = mail.references.clone();
        references.extend(mail.id.clone());
        let number = tables.new_mail()?;
        let draft = MailDraft {
            from: own,
            to,
            id: mail_id(own, number),
            subject: &subject(&asked, is_done),
            text: &text,
            references: &references,
            is_answer: mail.id.is_some(),
            now_s,
        };
        queue(tables, number, &draft)?;
        server.queue_notices(tables, notices)?;
        Ok(Handled::Answered {
            is_done,
            mail: number,
        })
    })
}

/// The server's own address and that of the answer, if a person wrote this mail to the
/// server.
fn addresses<'m>(
    server: &'m Server,
    mail: &'m Incoming,
) -> Result<(&'m Address, &'m Address), Unanswered> {
    let (own, to) = match (&server.options.address, &mail.answer_to, mail.automatic) {
        (_, _, Some(automatic)) => return Err(Unanswered::Automatic(automatic)),
        (Some(own), Some(to), None) => (own, to),
        _ => return Err(Unanswered::Automatic(Automatic::NoAuthor)),
    };
    if own.is_same(to) || mail.from.as_ref().is_some_and(|from| own.is_same(from)) {
        return Err(Unanswered::Own);
    }
    if mail.commands.is_empty() && !mail.answers(own.domain()) {
        return Err(Unanswered::Nothing);
    }
    Ok((own, to))
}

/// The subject of an answer. It repeats nothing from the mail, except for the number of
/// the board if all commands succeeded and concern only that one.
fn subject(asked: &[Asked], is_done: bool) -> String {
    if !is_done {
        return "Malaka: not done".into();
    }
    let mut boards = asked
        .iter()
        .map(|asked| asked.command.as_ref().ok().and_then(MailCommand::board));
    let first = boards.next().flatten();
    match first.filter(|_| boards.all(|board| board == first)) {
        Some(board) => format!("Malaka, board {board}: done"),
        None => "Malaka: done".into(),
    }
}

/// The `Message-ID` of a mail of the server, which stays the same if it is sent again.
fn mail_id(own: &Address, number: u64) -> String {
    format!("<touchboard-post-{number}@{}>", own.domain())
}

fn queue(tables: &mut Tables<'_>, number: u64, draft: &MailDraft<'_>) -> Result<(), StoreError> {
    let bytes = draft.to_bytes().map_err(StorageError::from)?;
    let queued = Queued {
        to: draft.to.clone(),
        since_s: draft.now_s,
        attempts: 0,
        not_before_s: 0,
    };
    tables.queue(number, &queued, &bytes)
}

/// The answer to a mail, and what others are told.
struct MailAnswer {
    /// True if there were commands, and all of them were carried out.
    is_done: bool,
    text: String,
    notices: Vec<Notice>,
}

impl Server {
    /// Parses the commands of a mail, and checks their passwords. Commands after too many
    /// wrong ones are ignored.
    fn ask_all(&self, mail: &Incoming, origin: &Origin) -> Result<Vec<Asked>, StoreError> {
        let (mut all, mut wrong) = (Vec::new(), 0);
        for line in mail.commands.iter().take(MOST_COMMANDS) {
            if wrong == MOST_WRONG {
                all.push(Asked {
                    command: Err(Refusal::WrongPasswords(MOST_WRONG)),
                    checked: None,
                });
                continue;
            }
            let asked = self.read_command(line, origin)?;
            wrong += usize::from(asked.checked.is_some() && asked.author().is_none());
            all.push(asked);
        }
        Ok(all)
    }

    /// Carries out the commands of a mail, and returns the results.
    fn answer(
        &self,
        tables: &mut Tables<'_>,
        mail: &Incoming,
        asked: &[Asked],
        origin: &Origin,
    ) -> Result<MailAnswer, StoreError> {
        let (mut text, mut notices) = (String::new(), Vec::new());
        let mut is_done = !mail.commands.is_empty();
        for (line, asked) in mail.commands.iter().zip(asked) {
            let reply = self.reply(tables, line, asked, origin)?;
            let result = reply.result;
            let told = match &asked.command {
                Ok(command) if result.is_done => command.to_string(),
                _ => hidden(line),
            };
            text.push_str(&format!("> {told}\n\n{}\n\n", result.text.trim_end()));
            is_done &= result.is_done;
            notices.extend(reply.notices);
        }
        if mail.commands.len() > MOST_COMMANDS {
            text.push_str(&format!(
                "A mail has at most {MOST_COMMANDS} commands: the others were not read.\n"
            ));
            is_done = false;
        }
        if mail.commands.is_empty() {
            text.push_str(
                "There is no command in your mail: one is a line that begins with `malaka`, `user` or `help`.\n\n",
            );
            text.push_str(&crate::command::help::text(crate::command::Topic::Server));
        }
        Ok(MailAnswer {
            is_done,
            text,
            notices,
        })
    }

    /// Queues mails to other users.
    pub(super) fn queue_notices(
        &self,
        tables: &mut Tables<'_>,
        notices: Vec<Notice>,
    ) -> Result<(), StoreError> {
        let Some(own) = &self.options.address else {
            return Ok(());
        };
        let now_s = self.now_s();
        for notice in notices {
            let thread = notice
                .board
                .map(|board| format!("<touchboard-post-board-{board}@{}>", own.domain()));
            let references: Vec<String> = thread.into_iter().collect();
            let number = tables.new_mail()?;
            let draft = MailDraft {
                from: own,
                to: &notice.to,
                id: mail_id(own, number),
                subject: &notice.subject,
                text: &notice.text,
                references: &references,
                is_answer: false,
                now_s,
            };
            queue(tables, number, &draft)?;
        }
        Ok(())
    }
}

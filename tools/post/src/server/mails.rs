//! Mails in and out, as the store keeps them.

use crate::command::{command_of, hidden, hide_subject};
use crate::mail::compose::{Draft, answer_subject};
use crate::mail::{Automatic, Incoming, MOST_COMMANDS};
use crate::names::Address;
use crate::server::{Notice, Origin, Server};
use crate::store::{Queued, StoreError, Tables};

/// How long a mail is known again, in seconds: mail servers give up after five
/// days, and people find a folder after weeks.
const KNOWN_S: u64 = 60 * DAY_S;

const DAY_S: u64 = 24 * 60 * 60;

/// How many answers go to one address on a day.
const ANSWERS_A_DAY: u64 = 200;

/// Why a mail was left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// A machine, or one for many, wrote it.
    Automatic(Automatic),
    /// It is from the server itself.
    Own,
    /// It came in before.
    Known,
    /// It asks for nothing.
    Nothing,
    /// There were too many from there today.
    TooMany,
}

/// What became of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handled {
    /// It was answered.
    Answered {
        /// True if all its commands were done, and none was refused.
        is_done: bool,
        /// The number of the answer among the mails that have to go out.
        mail: u64,
    },
    /// Nothing was done.
    Left(Unanswered),
}

pub(super) fn take_in(server: &Server, mail: &Incoming) -> Result<Handled, StoreError> {
    let left = |why| {
        tracing::info!("a mail was left: {why:?}");
        Ok(Handled::Left(why))
    };
    let (own, to) = match (&server.options.address, &mail.answer_to, mail.automatic) {
        (_, _, Some(automatic)) => return left(Unanswered::Automatic(automatic)),
        (Some(own), Some(to), None) => (own, to),
        _ => return left(Unanswered::Automatic(Automatic::NoAuthor)),
    };
    if own.is_same(to) || mail.from.as_ref().is_some_and(|from| own.is_same(from)) {
        return left(Unanswered::Own);
    }
    if mail.commands.is_empty() && !mail.answers(own.domain()) {
        return left(Unanswered::Nothing);
    }
    let now_s = server.now_s();
    server.store.change(|tables| {
        if tables.see(&mail.identity, now_s, now_s.saturating_sub(KNOWN_S))? {
            return left(Unanswered::Known);
        }
        if tables.count_mail(now_s / DAY_S, to, "answer")? > ANSWERS_A_DAY {
            return left(Unanswered::TooMany);
        }
        let (is_done, text, notices) = server.answer(tables, mail)?;
        let mut references = mail.references.clone();
        references.extend(mail.id.clone());
        let number = tables.new_mail()?;
        let subject = answer_subject(&hide_subject(&mail.subject));
        let draft = Draft {
            from: own,
            to,
            id: mail_id(own, number),
            subject: &subject,
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

/// The name of a mail of the server, the same whenever it goes out.
fn mail_id(own: &Address, number: u64) -> String {
    format!("<touchboard-post-{number}@{}>", own.domain())
}

fn queue(tables: &mut Tables<'_>, number: u64, draft: &Draft<'_>) -> Result<(), StoreError> {
    let bytes = draft.to_bytes().map_err(StoreError::Storage)?;
    let queued = Queued {
        to: draft.to.clone(),
        since_s: draft.now_s,
        attempts: 0,
        not_before_s: 0,
    };
    tables.queue(number, &queued, &bytes)
}

impl Server {
    /// Carries out what a mail asks for, and says what came of it.
    fn answer(
        &self,
        tables: &mut Tables<'_>,
        mail: &Incoming,
    ) -> Result<(bool, String, Vec<Notice>), StoreError> {
        let origin = Origin {
            address: mail.from.clone(),
            mail: mail.contribution(),
        };
        let (mut text, mut all) = (String::new(), Vec::new());
        let mut is_done = !mail.commands.is_empty();
        for line in mail.commands.iter().take(MOST_COMMANDS) {
            let (reply, notices) = self.reply(tables, line, &origin)?;
            let told = match command_of(line) {
                Ok(command) if reply.is_done => command.to_string(),
                _ => hidden(line),
            };
            text.push_str(&format!("> {told}\n\n{}\n\n", reply.text.trim_end()));
            is_done &= reply.is_done;
            all.extend(notices);
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
        Ok((is_done, text, all))
    }

    /// Keeps mails to others until they have gone out.
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
            let counted = notice.limit.map(|(reason, most)| {
                let count = tables.count_mail(now_s / DAY_S, &notice.to, reason)?;
                Ok::<bool, StoreError>(count > most)
            });
            if counted.transpose()?.unwrap_or(false) {
                continue;
            }
            let thread = notice
                .board
                .map(|board| format!("<touchboard-post-board-{board}@{}>", own.domain()));
            let references: Vec<String> = thread.into_iter().collect();
            let number = tables.new_mail()?;
            let draft = Draft {
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

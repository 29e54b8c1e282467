//! Limits on unsigned requests, and the account that each is counted against.
//!
//! Invariants: a request that is signed with a right password is never refused
//! because of others, only because of its user's own actions.

use crate::names::{Address, UserName};
use crate::server::{Doing, Mailing, No, Peer};
use crate::store::{StoreError, Tables};

/// The seconds of a day, by which is counted.
pub const DAY_S: u64 = 24 * 60 * 60;

/// How many answers to unsigned mails go to one address on a day: even two robots
/// that look like people stop.
const ANSWERS_TO_ONE: u64 = 200;

/// How many of the answers may go to mails from one host, so that a host that forges
/// a name leaves answers for the real user.
const ANSWERS_TO_ONE_BY_HOST: u64 = 100;

/// How many of them there are to mails that one host handed in, and in all.
const ANSWERS_BY_HOST: u64 = 500;
const ANSWERS: u64 = 5_000;

/// How many answers to signed mails a user gets on a day at the confirmed address,
/// and elsewhere: one who signs can name any other as the address for answers.
const ANSWERS_TO_USER: (u64, u64) = (1_000, 50);

/// How many unsigned challenges a peer makes on a day.
const CHALLENGES_OF_PEER: u64 = 20;

/// How many people register from a peer on a day.
const REGISTRATIONS_OF_PEER: u64 = 50;

/// How many mails about boards that a user has not accepted go there on a day: those
/// caused by one, by all who signed, and by all who did not.
const MAILS_OF_CAUSE: u64 = 5;
const MAILS_SIGNED: u64 = 50;
const MAILS_UNSIGNED: u64 = 10;

/// How many mails with a code go to one address on a day: those caused by one, and
/// all.
const CODES_OF_CAUSE: u64 = 3;
const CODES: u64 = 10;

/// The counted item, and its maximum per day.
type Limit = (String, u64);

/// Counts all of these, unless one of them is reached: then none.
fn count(tables: &mut Tables<'_>, day: u64, limits: &[Limit]) -> Result<bool, StoreError> {
    for (what, most) in limits {
        if tables.counted(day, what)? >= *most {
            return Ok(false);
        }
    }
    for (what, _) in limits {
        tables.count(day, what)?;
    }
    Ok(true)
}

/// Counts an answer to a mail; false if there were too many, and nothing is changed
/// then. `signed` is the user whose right password is in the mail.
pub fn may_answer(
    tables: &mut Tables<'_>,
    now_s: u64,
    to: &Address,
    peer: &Peer,
    signed: Option<&UserName>,
) -> Result<bool, StoreError> {
    let day = now_s / DAY_S;
    let Some(user) = signed else {
        let mut limits = vec![
            ("answer".to_owned(), ANSWERS),
            (format!("answer {}", to.key()), ANSWERS_TO_ONE),
        ];
        if let Peer::Author(_, Some(host)) = peer {
            let host = Peer::Host(*host);
            let to = to.key();
            limits.push((format!("answer {to} for {host}"), ANSWERS_TO_ONE_BY_HOST));
            limits.push((format!("answers for {host}"), ANSWERS_BY_HOST));
        }
        return count(tables, day, &limits);
    };
    let known = tables.user(user)?;
    let confirmed = known.as_ref().and_then(|user| user.confirmed_address());
    let limit = if confirmed.is_some_and(|address| address.is_same(to)) {
        (format!("answer user {user}"), ANSWERS_TO_USER.0)
    } else {
        (format!("answer elsewhere {user}"), ANSWERS_TO_USER.1)
    };
    count(tables, day, &[limit])
}

impl Doing<'_, '_> {
    fn day(&self) -> u64 {
        self.now_s / DAY_S
    }

    /// The cause of the current action: a user, or otherwise its origin.
    fn cause(&self) -> String {
        match &self.author {
            Some(user) => format!("user {user}"),
            None => self.origin.peer.to_string(),
        }
    }

    /// Counts something that a peer does unsigned; this machine itself may.
    fn count_of_peer(&mut self, what: &str, most: u64) -> Result<bool, StoreError> {
        let peer = &self.origin.peer;
        if *peer == Peer::Local {
            return Ok(true);
        }
        let limit = (format!("{what} {peer}"), most);
        count(self.tables, self.now_s / DAY_S, &[limit])
    }

    /// Counts an unsigned challenge against the limit.
    pub(super) fn may_challenge(&mut self) -> Result<(), No> {
        if self.count_of_peer("challenge", CHALLENGES_OF_PEER)? {
            return Ok(());
        }
        Err(No::Refused(format!(
            "There were {CHALLENGES_OF_PEER} unsigned challenges from there today. A signed one is taken: `malaka challenge USER1 USER2 USER PASSWORD`, with the name and the password of the one of the two who you are."
        )))
    }

    /// Counts a registration against the limit.
    pub(super) fn may_register(&mut self) -> Result<(), No> {
        if self.count_of_peer("register", REGISTRATIONS_OF_PEER)? {
            return Ok(());
        }
        Err(No::Refused(format!(
            "{REGISTRATIONS_OF_PEER} users registered from there today: try again tomorrow."
        )))
    }

    /// Counts a mail with a code to this address.
    pub(super) fn may_send_code(&mut self, to: &Address) -> Result<Mailing, No> {
        let (day, to, cause) = (self.day(), to.key(), self.cause());
        let limits = [
            (format!("code {to}"), CODES),
            (format!("code {to} by {cause}"), CODES_OF_CAUSE),
        ];
        self.mailing(day, &limits)
    }

    fn mailing(&mut self, day: u64, limits: &[Limit]) -> Result<Mailing, No> {
        Ok(if count(self.tables, day, limits)? {
            Mailing::Sent
        } else {
            Mailing::TooMany
        })
    }

    /// Counts a mail to this user about a board that the user has not accepted.
    pub(super) fn may_tell_stranger(&mut self, user: &UserName) -> Result<Mailing, No> {
        let (day, cause) = (self.day(), self.cause());
        let all = match &self.author {
            Some(_) => (format!("signed to {user}"), MAILS_SIGNED),
            None => (format!("unsigned to {user}"), MAILS_UNSIGNED),
        };
        let own = (format!("to {user} by {cause}"), MAILS_OF_CAUSE);
        self.mailing(day, &[own, all])
    }
}

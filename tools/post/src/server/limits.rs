//! Limits on unsigned requests, and the accounts against which they are counted.
//!
//! Invariants: a request that is signed with a right password is never refused because of
//! others, only because of its user's own actions.

use crate::names::{Address, UserName};
use crate::server::{Mailing, NotDone, Peer, Refusal, RunningCommand};
use crate::store::{StoreError, Tables};

/// The seconds of a day, the unit of time for all limits here.
pub const DAY_S: u64 = 24 * 60 * 60;

/// The most answers to unsigned mails per address and day, so that even two robots that
/// look like people stop.
const ANSWERS_TO_ONE: u64 = 200;

/// The most of these answers that go to mails from one host, so that a host that forges
/// an address leaves answers for its owner.
const ANSWERS_TO_ONE_BY_HOST: u64 = 100;

/// The most answers to unsigned mails per day: to mails from one host, and in total.
const ANSWERS_BY_HOST: u64 = 500;
const ANSWERS: u64 = 5_000;

/// The most answers to signed mails per user and day: to the confirmed address, and to
/// other addresses. A user who signs can name any address for answers.
const ANSWERS_TO_USER: (u64, u64) = (1_000, 50);

/// The most unsigned challenges per peer and day.
const CHALLENGES_OF_PEER: u64 = 20;

/// The most registrations per peer and day.
const REGISTRATIONS_OF_PEER: u64 = 50;

/// The most mails per user and day about boards that the user has not accepted: caused by
/// one peer or user, by all who signed, and by all who did not.
const MAILS_OF_CAUSE: u64 = 5;
const MAILS_SIGNED: u64 = 50;
const MAILS_UNSIGNED: u64 = 10;

/// The most mails with a code per address and day: caused by one peer or user, and in
/// total.
const CODES_OF_CAUSE: u64 = 3;
const CODES: u64 = 10;

/// What is counted, and its maximum per day.
type Limit = (String, u64);

/// Counts all of these; if one of them has reached its limit, counts none and returns
/// false.
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

/// Counts an answer to a mail. If there were too many, returns false and changes nothing.
/// `signed` is the user whose right password is in the mail.
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

impl RunningCommand<'_, '_> {
    fn day(&self) -> u64 {
        self.now_s / DAY_S
    }

    /// Who causes the current action: a user, or otherwise the origin.
    fn cause(&self) -> String {
        match &self.author {
            Some(user) => format!("user {user}"),
            None => self.origin.peer.to_string(),
        }
    }

    /// Counts an unsigned action of a peer. This machine itself has no limit.
    fn count_of_peer(&mut self, what: &str, most: u64) -> Result<bool, StoreError> {
        let peer = &self.origin.peer;
        if *peer == Peer::Local {
            return Ok(true);
        }
        let limit = (format!("{what} {peer}"), most);
        count(self.tables, self.now_s / DAY_S, &[limit])
    }

    /// Counts an unsigned challenge against the limit.
    pub(super) fn check_challenge(&mut self) -> Result<(), NotDone> {
        if self.count_of_peer("challenge", CHALLENGES_OF_PEER)? {
            return Ok(());
        }
        Err(Refusal::Challenges(CHALLENGES_OF_PEER).into())
    }

    /// Counts a registration against the limit.
    pub(super) fn check_registration(&mut self) -> Result<(), NotDone> {
        if self.count_of_peer("register", REGISTRATIONS_OF_PEER)? {
            return Ok(());
        }
        Err(Refusal::Registrations(REGISTRATIONS_OF_PEER).into())
    }

    /// Counts a mail with a code to this address.
    pub(super) fn mailing_of_code(&mut self, to: &Address) -> Result<Mailing, NotDone> {
        let (day, to, cause) = (self.day(), to.key(), self.cause());
        let limits = [
            (format!("code {to}"), CODES),
            (format!("code {to} by {cause}"), CODES_OF_CAUSE),
        ];
        self.mailing(day, &limits)
    }

    fn mailing(&mut self, day: u64, limits: &[Limit]) -> Result<Mailing, NotDone> {
        Ok(if count(self.tables, day, limits)? {
            Mailing::Sent
        } else {
            Mailing::TooMany
        })
    }

    /// Counts a mail to this user about a board that the user has not accepted.
    pub(super) fn mailing_to_stranger(&mut self, user: &UserName) -> Result<Mailing, NotDone> {
        let (day, cause) = (self.day(), self.cause());
        let all = match &self.author {
            Some(_) => (format!("signed to {user}"), MAILS_SIGNED),
            None => (format!("unsigned to {user}"), MAILS_UNSIGNED),
        };
        let own = (format!("to {user} by {cause}"), MAILS_OF_CAUSE);
        self.mailing(day, &[own, all])
    }
}

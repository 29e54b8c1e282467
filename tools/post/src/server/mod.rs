//! Commands, carried out.
//!
//! A command is one transaction, and so is a mail with all the commands in it:
//! what it changed, the answer to it and the mails to others that follow from it
//! are kept together, before anybody is told.
//!
//! What always holds: a command that is refused changes nothing but the count of
//! wrong passwords; no text that is made here has a password in it.

mod boards;
mod mails;
mod users;
mod words;

use std::time::{SystemTime, UNIX_EPOCH};

use crate::command::help;
use crate::command::{Command, Signed, command_of};
use crate::dice::Hash;
use crate::mail::Incoming;
use crate::names::{Address, UserName};
use crate::password::Cost;
use crate::store::{Store, StoreError, Tables};
use crate::transcript::Contribution;

pub use mails::{Handled, Unanswered};

/// How the server works.
pub struct Options {
    /// What the hash of a password costs.
    pub cost: Cost,
    /// The server's own address, if it tells people anything by mail.
    pub address: Option<Address>,
    /// The clock: seconds since 1970.
    pub now_s: fn() -> u64,
    /// Where secrets come from.
    pub secret: fn() -> Result<Hash, String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cost: Cost::default(),
            address: None,
            now_s: clock_s,
            secret: system_secret,
        }
    }
}

/// Seconds since 1970, by the system's clock.
#[must_use]
pub fn clock_s() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

fn system_secret() -> Result<Hash, String> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret)
        .map_err(|error| format!("the system gives no random numbers: {error}"))?;
    Ok(secret)
}

/// Where a command comes from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The address that the mail says it is from.
    pub address: Option<Address>,
    /// What of the mail goes into the dice.
    pub mail: Option<Hash>,
}

impl Origin {
    /// What goes into the dice: the word that was given, or the mail.
    fn contribution(&self, nonce: Option<&Contribution>) -> Contribution {
        match (nonce, self.mail) {
            (Some(nonce), _) => nonce.clone(),
            (None, Some(mail)) => Contribution::Mail(mail),
            (None, None) => Contribution::None,
        }
    }
}

/// What comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// False if the command was refused: the text says why.
    pub is_done: bool,
    /// What is told.
    pub text: String,
}

/// A mail that somebody else is told by.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Notice {
    to: Address,
    subject: String,
    text: String,
    /// The board that it is about: its mails are one thread.
    board: Option<u64>,
    /// What is counted, and so many on a day at most.
    limit: Option<(&'static str, u64)>,
}

/// Why a command was not done.
enum No {
    /// It may not be.
    Refused(String),
    /// It could not be.
    Failed(StoreError),
}

impl From<StoreError> for No {
    fn from(error: StoreError) -> No {
        No::Failed(error)
    }
}

impl From<String> for No {
    fn from(sentence: String) -> No {
        No::Refused(sentence)
    }
}

impl From<&str> for No {
    fn from(sentence: &str) -> No {
        No::Refused(sentence.into())
    }
}

/// The text of what was done.
type Text = Result<String, No>;

/// The server: the store, and what it does with it.
pub struct Server {
    store: Store,
    options: Options,
}

/// A command in the midst of its transaction.
struct Doing<'d, 't> {
    options: &'d Options,
    tables: &'d mut Tables<'t>,
    origin: &'d Origin,
    now_s: u64,
    notices: Vec<Notice>,
}

impl Server {
    /// A server with this store.
    ///
    /// # Errors
    /// A sentence, if passwords cannot be kept as it is asked to.
    pub fn new(store: Store, options: Options) -> Result<Server, String> {
        options.cost.is_possible()?;
        Ok(Server { store, options })
    }

    /// What it keeps.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> Option<&Address> {
        self.options.address.as_ref()
    }

    /// Seconds since 1970, by its clock.
    #[must_use]
    pub fn now_s(&self) -> u64 {
        (self.options.now_s)()
    }

    /// Carries out the command in a line that came without a mail.
    ///
    /// # Errors
    /// When the store cannot be read or written; nothing was done then.
    pub fn carry_out(&self, line: &str) -> Result<Reply, StoreError> {
        let origin = Origin::default();
        self.store.change(|tables| {
            let (reply, notices) = self.reply(tables, line, &origin)?;
            self.queue_notices(tables, notices)?;
            Ok(reply)
        })
    }

    /// Takes a mail in: carries out the commands in it and writes the answer, or
    /// leaves it. The same mail a second time is left.
    ///
    /// # Errors
    /// When the store cannot be read or written; nothing was done then.
    pub fn take_in(&self, mail: &Incoming) -> Result<Handled, StoreError> {
        mails::take_in(self, mail)
    }

    /// Carries out a line, in a transaction.
    fn reply(
        &self,
        tables: &mut Tables<'_>,
        line: &str,
        origin: &Origin,
    ) -> Result<(Reply, Vec<Notice>), StoreError> {
        let refused = |text| {
            let is_done = false;
            Ok((Reply { is_done, text }, Vec::new()))
        };
        let command = match command_of(line) {
            Ok(command) => command,
            Err(sentence) => return refused(sentence),
        };
        let mut doing = Doing {
            options: &self.options,
            tables,
            origin,
            now_s: self.now_s(),
            notices: Vec::new(),
        };
        match doing.carry_out(&command) {
            Ok(text) => {
                tracing::info!("done: {command}");
                let is_done = true;
                Ok((Reply { is_done, text }, doing.notices))
            }
            Err(No::Refused(sentence)) => {
                tracing::info!("refused: {}: {sentence}", command.outline());
                refused(sentence)
            }
            Err(No::Failed(error)) => Err(error),
        }
    }
}

impl Doing<'_, '_> {
    fn carry_out(&mut self, command: &Command) -> Text {
        match command {
            Command::Help(topic) => Ok(help::text(*topic)),
            Command::Register { by, address } => self.register(by, address.as_ref()),
            Command::Confirm { user, code } => self.confirm(user, code),
            Command::NewPassword { by, new } => self.new_password(by, new),
            Command::NewAddress { by, address } => self.new_address(by, address),
            Command::Challenge { options, players } => self.challenge(options, players),
            Command::Accept {
                board,
                by,
                nonce,
                seal,
            } => self.accept(*board, by, nonce.as_ref(), seal.as_ref()),
            Command::Roll { board, by, link } => self.roll(*board, by, link),
            Command::Move {
                board,
                by,
                moves,
                nonce,
            } => self.make_move(*board, by, moves, nonce.as_ref()),
            Command::Resign { board, by } => self.resign(*board, by),
            Command::Show(board) => self.show(*board),
            Command::History(board) => self.history(*board),
            Command::Verify(board) => self.verify(*board),
            Command::List(user) => self.list(user.as_ref()),
        }
    }

    /// The user who signed, if it is them.
    fn known(&mut self, by: &Signed) -> Result<UserName, No> {
        self.check_password(&by.user, &by.password)?;
        Ok(by.user.clone())
    }
}

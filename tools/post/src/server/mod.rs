//! Carries out commands.
//!
//! A command is one transaction, and so is a mail with all its commands: the changes, the
//! answer and the mails to others are stored together, before anybody is notified.
//!
//! Invariants: a refused command changes nothing except the daily counts; no text written
//! here contains a password, and no subject repeats a word of the mail that it answers.

mod boards;
mod checks;
mod limits;
mod mails;
mod peer;
mod refusal;
mod users;
mod words;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::command::help;
use crate::command::{MailCommand, Signed, command_of, hidden};
use crate::dice::{self, Hash, RandomError};
use crate::mail::{Incoming, SendersChecked};
use crate::names::{Address, UserName};
use crate::password::{Cost, HashError, Password, is_hash_of};
use crate::store::{MailStore, StoreError, Tables};
use crate::transcript::Contribution;

use checks::Checks;
pub use mails::{Handled, Unanswered};
pub use peer::{Peer, network};
use refusal::{NotDone, Refusal};

/// Options of the server.
pub struct Options {
    /// The cost of hashing a password.
    pub cost: Cost,
    /// The server's own address; `None` if it sends no mails.
    pub address: Option<Address>,
    /// The clock: seconds since 1970.
    pub now_s: fn() -> u64,
    /// The source of secret random bytes.
    pub secret: fn() -> Result<Hash, RandomError>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cost: Cost::default(),
            address: None,
            now_s: clock_s,
            secret: dice::random,
        }
    }
}

/// The seconds since 1970, by the system's clock.
#[must_use]
pub fn clock_s() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// The origin of a command.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The `From` address of the mail.
    pub address: Option<Address>,
    /// True if the mail server has verified the author.
    pub is_checked: bool,
    /// The mail's contribution to the dice.
    pub mail: Option<Hash>,
    /// The address for the answer, if the command came by mail.
    pub answer_to: Option<Address>,
    /// Against whom unsigned requests are counted.
    pub peer: Peer,
}

impl Origin {
    /// The contribution to the dice: the given word, otherwise the mail.
    fn contribution(&self, nonce: Option<&Contribution>) -> Contribution {
        match (nonce, self.mail) {
            (Some(nonce), _) => nonce.clone(),
            (None, Some(mail)) => Contribution::Mail(mail),
            (None, None) => Contribution::None,
        }
    }
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandResult {
    /// False if the command was refused; the text then gives the reason.
    pub is_done: bool,
    /// The answer in words.
    pub text: String,
    /// Whether the command had a password, and whether it was right.
    pub signature: Signature,
}

/// Whether a command proves who sent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// There is no password, or no such user.
    None,
    /// The signature is right.
    Right,
    /// The signature is wrong.
    Wrong,
}

/// The result of checking a command's password, before its transaction.
#[derive(Clone, Debug)]
struct Checked {
    user: UserName,
    /// The hash with which it was compared.
    hash: String,
    is_right: bool,
}

/// A line before its transaction.
struct Asked {
    command: Result<MailCommand, Refusal>,
    checked: Option<Checked>,
}

impl Asked {
    /// The user whose right password is in the command.
    fn author(&self) -> Option<&UserName> {
        let checked = self.checked.as_ref()?;
        checked.is_right.then_some(&checked.user)
    }
}

/// Whether a mail goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mailing {
    /// The mail was sent.
    Sent,
    /// The daily limit has been reached.
    TooMany,
}

/// A mail that informs another user.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Notice {
    to: Address,
    subject: String,
    text: String,
    /// The board that it is about; its mails form one thread.
    board: Option<u64>,
}

/// The text about the result.
type Answered = Result<String, NotDone>;

/// The server: the store, and the operations on it.
pub struct Server {
    store: MailStore,
    options: Options,
    senders: SendersChecked,
    checks: Checks,
}

/// A command during its transaction.
struct RunningCommand<'d, 't> {
    options: &'d Options,
    tables: &'d mut Tables<'t>,
    origin: &'d Origin,
    checked: Option<&'d Checked>,
    /// The user who signed the command, if any.
    author: Option<UserName>,
    signature: Signature,
    now_s: u64,
    notices: Vec<Notice>,
    /// Sentences about mails that are not sent.
    untold: Vec<String>,
}

/// The reply to a command, and the notices to other people that it causes.
struct CommandReply {
    result: CommandResult,
    notices: Vec<Notice>,
}

impl CommandReply {
    /// The reply to a command that was not carried out.
    fn refused(text: String, signature: Signature) -> CommandReply {
        CommandReply {
            result: CommandResult {
                is_done: false,
                text,
                signature,
            },
            notices: Vec::new(),
        }
    }
}

impl Server {
    /// A server with this store.
    ///
    /// # Errors
    /// If passwords cannot be hashed at the requested cost.
    pub fn new(store: MailStore, options: Options) -> Result<Server, HashError> {
        options.cost.check()?;
        Ok(Server {
            store,
            options,
            senders: SendersChecked::No,
            checks: Checks::default(),
        })
    }

    /// The same, with verification of senders.
    #[must_use]
    pub fn with_senders(self, senders: SendersChecked) -> Server {
        Server { senders, ..self }
    }

    /// The store of users and games.
    #[must_use]
    pub fn store(&self) -> &MailStore {
        &self.store
    }

    /// The mail address of the server, if it has one.
    #[must_use]
    pub fn address(&self) -> Option<&Address> {
        self.options.address.as_ref()
    }

    /// Seconds since 1970, by its clock.
    #[must_use]
    pub fn now_s(&self) -> u64 {
        (self.options.now_s)()
    }

    /// Carries out a command from this machine itself.
    ///
    /// # Errors
    /// If the store cannot be read or written; nothing was changed then.
    pub fn carry_out(&self, line: &str) -> Result<CommandResult, StoreError> {
        self.carry_out_from(line, Peer::Local)
    }

    /// Carries out a command that did not come by mail.
    ///
    /// # Errors
    /// If the store cannot be read or written; nothing was changed then.
    pub fn carry_out_from(&self, line: &str, peer: Peer) -> Result<CommandResult, StoreError> {
        let origin = Origin {
            peer,
            ..Origin::default()
        };
        let asked = self.read_command(line, &origin)?;
        let reply = self.store.change(|tables| {
            let CommandReply { result, notices } = self.reply(tables, line, &asked, &origin)?;
            self.queue_notices(tables, notices)?;
            Ok(result)
        })?;
        Ok(reply)
    }

    /// Handles a mail: carries out its commands and queues the answer, unless it must not
    /// be answered or was handled before.
    ///
    /// # Errors
    /// If the store cannot be read or written; nothing was changed then.
    pub fn take_in(&self, mail: &Incoming) -> Result<Handled, StoreError> {
        mails::take_in(self, mail)
    }

    /// The delay of the answer to a peer with wrong passwords.
    #[must_use]
    pub fn pause(&self, peer: &Peer) -> Duration {
        self.checks.pause(peer)
    }

    /// Parses a line and checks its password, outside of any transaction because that is
    /// slow.
    fn read_command(&self, line: &str, origin: &Origin) -> Result<Asked, StoreError> {
        let command = command_of(line).map_err(Refusal::from);
        let checked = match &command {
            Ok(MailCommand::Confirm { user, code }) => self.check_code(user, code, origin)?,
            Ok(command) => match command.signed() {
                Some(signed) => self.check(signed, origin)?,
                None => None,
            },
            Err(_) => None,
        };
        Ok(Asked { command, checked })
    }

    /// Checks the code that was sent to the user, which proves as much as a password;
    /// `None` if no code was sent.
    fn check_code(
        &self,
        user: &UserName,
        code: &Password,
        origin: &Origin,
    ) -> Result<Option<Checked>, StoreError> {
        let kept = self.store.change(|tables| tables.user(user))?;
        let Some((hash, expected)) = kept.and_then(|user| Some((user.hash, user.code?))) else {
            return Ok(None);
        };
        let is_right = Password::new(&expected) == *code;
        let user = user.clone();
        let checked = Checked {
            user,
            hash,
            is_right,
        };
        Ok(Some(self.counted(checked, origin)))
    }

    /// Checks the user's password; `None` if there is no such user.
    fn check(&self, signed: &Signed, origin: &Origin) -> Result<Option<Checked>, StoreError> {
        let Signed { user, password } = signed;
        let kept = self.store.change(|tables| tables.user(user))?;
        let Some(kept) = kept else { return Ok(None) };
        let hash = kept.hash;
        let is_right = self
            .checks
            .check(&origin.peer, || is_hash_of(&hash, password));
        let user = user.clone();
        let checked = Checked {
            user,
            hash,
            is_right,
        };
        Ok(Some(self.counted(checked, origin)))
    }

    /// Counts a wrong password against its sender.
    fn counted(&self, checked: Checked, origin: &Origin) -> Checked {
        if !checked.is_right {
            self.checks.count_wrong(&origin.peer, self.now_s());
        }
        checked
    }

    /// Carries out a command in a transaction.
    fn reply(
        &self,
        tables: &mut Tables<'_>,
        line: &str,
        asked: &Asked,
        origin: &Origin,
    ) -> Result<CommandReply, StoreError> {
        let refused = |text, signature| Ok(CommandReply::refused(text, signature));
        let command = match &asked.command {
            Ok(command) => command,
            Err(refusal) => return refused(refusal.to_string(), Signature::None),
        };
        let mut running = RunningCommand {
            options: &self.options,
            tables,
            origin,
            checked: asked.checked.as_ref(),
            author: None,
            signature: Signature::None,
            now_s: self.now_s(),
            notices: Vec::new(),
            untold: Vec::new(),
        };
        let done = running.carry_out(command);
        let RunningCommand {
            signature,
            notices,
            untold,
            ..
        } = running;
        match done {
            Ok(mut text) => {
                tracing::info!("done: {command}");
                for sentence in untold {
                    text.push_str(&format!("\n{sentence}\n"));
                }
                Ok(CommandReply {
                    result: CommandResult {
                        is_done: true,
                        text,
                        signature,
                    },
                    notices,
                })
            }
            Err(NotDone::Refused(refusal)) => {
                tracing::info!("refused: {}: {refusal}", hidden(line));
                refused(refusal.to_string(), signature)
            }
            Err(NotDone::Failed(error)) => Err(error),
        }
    }
}

impl RunningCommand<'_, '_> {
    fn carry_out(&mut self, command: &MailCommand) -> Answered {
        match command {
            MailCommand::Help(topic) => Ok(help::text(*topic)),
            MailCommand::Register { by, address } => self.register(by, address.as_ref()),
            MailCommand::Confirm { user, code } => self.confirm(user, code),
            MailCommand::NewPassword { by, new } => self.new_password(by, new),
            MailCommand::NewAddress { by, address } => self.new_address(by, address),
            MailCommand::Challenge {
                options,
                players,
                by,
                nonce,
            } => self.challenge(options, players, by.as_ref(), nonce.as_ref()),
            MailCommand::Accept {
                board,
                by,
                nonce,
                seal,
            } => self.accept(*board, by, nonce.as_ref(), seal.as_ref()),
            MailCommand::Roll { board, by, link } => self.roll(*board, by, link),
            MailCommand::Move {
                board,
                by,
                moves,
                nonce,
            } => self.make_move(*board, by, moves, nonce.as_ref()),
            MailCommand::Resign { board, by } => self.resign(*board, by),
            MailCommand::Show(board) => self.show(*board),
            MailCommand::History(board) => self.history(*board),
            MailCommand::Verify(board) => self.verify(*board),
            MailCommand::List(user) => self.list(user.as_ref()),
        }
    }

    /// The user who signed, if the password is right.
    fn known(&mut self, by: &Signed) -> Result<UserName, NotDone> {
        self.check_password(by)?;
        Ok(by.user.clone())
    }

    /// True if the password matches this hash. Usually the comparison was made before the
    /// transaction, unless the user was created or changed since then.
    fn is_right(&self, hash: &str, user: &UserName, password: &Password) -> bool {
        match self.checked {
            Some(checked) if checked.user == *user && checked.hash == hash => checked.is_right,
            _ => is_hash_of(hash, password),
        }
    }
}

//! Why a task failed.

mod play;

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use post::dice::RandomError;
use post::mail::MAIL_BYTES;
use post::password::HashError;
use post::server::CommandResult;
use post::store::StoreError;
use post::transcript::{MatchError, VerifyError};
use post::transport::Ended;
use post::transport::lines::RemoteError;

pub use play::PlayError;

/// Why a task failed. The text is a sentence for the standard error.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// The options do not belong together.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store failed, or the line to whoever sends commands.
    #[error(transparent)]
    Ended(#[from] Ended),
    /// Passwords cannot be stored.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// The server on the network did not answer.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// A command that has to succeed was refused.
    #[error("{}", .0.text)]
    Refused(CommandResult),
    /// The transcript of a board is not valid.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// The position of a board is not valid.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The system gives no random numbers.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// No turn can be made.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A file or folder cannot be read or written.
    #[error("{}: {error}", .path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// The standard input cannot be read.
    #[error("no {what} can be read: {error}")]
    Input {
        /// What was expected there.
        what: &'static str,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// The standard output cannot be written.
    #[error("the answer cannot be written: {0}")]
    Output(#[source] io::Error),
    /// The mail on the standard input is too large.
    #[error("a mail has at most {MAIL_BYTES} bytes")]
    MailTooLarge,
    /// The mail is over the limit of its sender.
    #[error("there were too many unsigned mails from there today: try again tomorrow")]
    TooManyMails,
    /// The store was damaged.
    #[error("the store was damaged; what could be repaired was: compare it with a backup")]
    Damaged,
    /// A port cannot be opened.
    #[error("{name} {port}: {error}")]
    Port {
        /// What the port is for.
        name: &'static str,
        /// The port.
        port: SocketAddr,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// The number of an open port cannot be read, or a folder not be found.
    #[error("{0}")]
    System(#[source] io::Error),
    /// Signals cannot be received.
    #[error("the process cannot be ended in order: {0}")]
    Signals(#[from] ctrlc::Error),
    /// The file with a secret is too short.
    #[error("{} has fewer than {fewest} bytes: a secret can be guessed then", .path.display())]
    ShortSecret {
        /// The path of the file.
        path: PathBuf,
        /// How many bytes it must have.
        fewest: usize,
    },
    /// No link of the chain is the one after the given one.
    #[error("that is not a link of this chain: compare board, user and secret")]
    NotLink,
    /// The answer to a challenge does not name a board.
    #[error("the board has no number")]
    NoNumber,
    /// A board that was just made does not exist.
    #[error("the board is gone")]
    NoBoard,
}

impl PostError {
    /// The error of a file or folder.
    pub fn file(path: &Path) -> impl Fn(io::Error) -> PostError {
        move |error| PostError::File {
            path: path.to_owned(),
            error,
        }
    }

    /// The end of taking mails from this folder.
    pub fn maildir(folder: &Path) -> impl Fn(Ended) -> PostError {
        move |ended| match ended {
            Ended::Line(error) => PostError::file(folder)(error),
            Ended::Store(error) => error.into(),
        }
    }
}

/// Why the options do not belong together. The text says which to add.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// Mails cannot be delivered without a way.
    #[error("say who takes the mails, like --send smtp:localhost:25")]
    NoRoute,
    /// The server has no mail address of its own, which this needs: `answers need`.
    #[error("{0} the server's own address: --address post@example.org")]
    NoAddress(&'static str),
    /// No commands can come in.
    #[error("say where commands come from: --tcp, --lmtp, --smtp or --maildir")]
    NoPort,
    /// The standard output of `post serve` takes no mails.
    #[error("--send stdout is for `post mail`: name somebody who delivers mails")]
    SendToOutput,
    /// The link is not a hash.
    #[error("--after takes 64 hexadecimal digits")]
    After,
}

#[cfg(test)]
mod tests {
    use post::server::Signature;
    use post::transport::lines::AnswerError;

    use super::*;

    #[test]
    fn each_error_is_a_sentence() {
        let path = Path::new("secret");
        let error = || io::Error::other("it is gone");
        let refused = CommandResult {
            is_done: false,
            text: "There is no such user.".to_owned(),
            signature: Signature::None,
        };
        let address = || "localhost:9".to_owned();
        let told: [PostError; 29] = [
            OptionsError::NoRoute.into(),
            OptionsError::NoAddress("--send needs").into(),
            OptionsError::NoAddress("an answer needs").into(),
            OptionsError::NoAddress("answers need").into(),
            OptionsError::NoPort.into(),
            OptionsError::SendToOutput.into(),
            OptionsError::After.into(),
            Ended::from(error()).into(),
            RemoteError::Unreachable {
                address: address(),
                error: error(),
            }
            .into(),
            RemoteError::NoAddress(address()).into(),
            RemoteError::Unanswered(error().into()).into(),
            RemoteError::Unanswered(AnswerError::NoText).into(),
            RemoteError::Unanswered(AnswerError::NoEnd).into(),
            RemoteError::Stranger.into(),
            PostError::Refused(refused),
            PostError::file(path)(error()),
            PostError::maildir(path)(error().into()),
            PostError::Input {
                what: "mail",
                error: error(),
            },
            PostError::Output(error()),
            PostError::MailTooLarge,
            PostError::TooManyMails,
            PostError::Damaged,
            PostError::Port {
                name: "tcp",
                port: ([127, 0, 0, 1], 25).into(),
                error: error(),
            },
            PostError::System(error()),
            PostError::Signals(ctrlc::Error::System(error())),
            PostError::ShortSecret {
                path: path.to_owned(),
                fewest: 32,
            },
            PostError::NotLink,
            PostError::NoNumber,
            PostError::NoBoard,
        ];
        insta::assert_snapshot!(told.map(|error| error.to_string()).join("\n"));
    }
}

//! The command line.
//!
//! Invariants: the exit code is 0 if the request was carried out, 1 if a command was
//! refused, and 2 after an error of the command line, a file or a network. For mails from
//! a mail server there is another code, see [`LATER`].

mod access;
mod bench;
mod error;
mod play;
mod serve;
mod tools;

use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use post::mail::{Incoming, MAIL_BYTES, Sender, SendersChecked};
use post::names::Address;
use post::password::Cost;
use post::server::{CommandResult, Handled, Options, Server, Unanswered};
use post::store::{MailStore, StoreError};
use post::transport::lines;
use post::transport::maildir::Maildir;
use post::transport::outgoing::{MailRoute, Sent, send_due};

use access::ServerAccess;
use error::{OptionsError, PlayError, PostError};

/// How long a server on the network may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The exit code that tells a mail server to try again later (`EX_TEMPFAIL` of sysexits).
/// Most others make it report to the sender that the mail was not delivered.
const LATER: u8 = 75;

/// Malaka by mail.
#[derive(Parser)]
#[command(name = "post", version)]
struct Post {
    #[command(flatten)]
    place: StorePlace,
    #[command(subcommand)]
    task: Task,
}

/// The store, and how the server works.
#[derive(Args)]
struct StorePlace {
    /// The file of the store
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "POST_STORE",
        default_value = "post.redb"
    )]
    store: PathBuf,
    /// The server's own mail address; without it, nobody is notified by mail
    #[arg(long, global = true, value_name = "ADDRESS", env = "POST_ADDRESS")]
    address: Option<Address>,
    /// How mails are delivered: none, stdout, smtp:HOST:PORT, sendmail, sendmail:PROGRAM,
    /// maildir:FOLDER; without this, `mail` writes its answer to stdout
    #[arg(long, global = true, value_name = "WAY", env = "POST_SEND")]
    send: Option<MailRoute>,
    /// How the mail server verifies senders: nobody, mail-server (it refuses mails whose
    /// From is not verified), authentication-results:HOST (it writes that header under
    /// this name, and removes such headers of others). A verified mail from a player's
    /// confirmed address needs no password for a challenge
    #[arg(
        long,
        global = true,
        value_name = "HOW",
        env = "POST_SENDERS_CHECKED_BY",
        default_value = "nobody"
    )]
    senders_checked_by: SendersChecked,
    /// The memory for hashing a password, in KiB
    #[arg(long, global = true, value_name = "KIB", env = "POST_HASH_MEMORY_KIB", default_value_t = Cost::default().memory_kib)]
    hash_memory_kib: u32,
    /// How often it is gone through
    #[arg(long, global = true, value_name = "PASSES", env = "POST_HASH_PASSES", default_value_t = Cost::default().passes)]
    hash_passes: u32,
    /// How much to report on the standard error: error, warn, info, debug
    #[arg(
        long,
        global = true,
        value_name = "LEVEL",
        env = "POST_LOG",
        default_value = "warn"
    )]
    log: tracing::Level,
}

#[derive(Subcommand)]
enum Task {
    /// Carry out one command: the given words, or a line of the standard input, where the
    /// list of processes does not show the password
    Command {
        /// Send it to this server, instead of opening the store
        #[arg(long, value_name = "HOST:PORT")]
        tcp: Option<String>,
        /// The command, like: malaka show 17
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Carry out the commands on the standard input, one per line
    Run,
    /// Carry out the commands in a mail on the standard input
    Mail {
        /// The sender as reported to the mail server; empty if there was none
        #[arg(long, value_name = "ADDRESS")]
        sender: Option<String>,
    },
    /// Carry out the commands in the mails of a maildir
    Maildir {
        /// The folder with `new` and `cur`
        folder: PathBuf,
        /// Continue, and check for new mails at this interval, in seconds
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
        watch: Option<u64>,
    },
    /// Serve commands over networks until the process is stopped
    Serve(serve::Ports),
    /// Deliver the mails that are due
    Flush,
    /// Recompute all dice of a board, or of a transcript in a file
    Verify {
        /// The number of a board in the store, or a file with a transcript
        what: String,
    },
    /// Print the head of a player's own chain, or one of its links
    Link(tools::LinkOptions),
    /// Play on a board or in the window, or let the board's own player play
    Play(play::PlayOptions),
    /// Measure how fast commands are carried out, and how much space games take
    Bench(bench::BenchOptions),
    /// Compact the store, to free unused space
    Compact,
    /// Check that everything in the store is intact
    Check,
    /// Copy everything that can be read from a damaged store into a new one
    Salvage {
        /// The new store; transcripts of incomplete boards are written next to it
        file: PathBuf,
    },
    /// Copy the store to a file, completely or not at all
    Backup {
        /// The copy
        file: PathBuf,
    },
}

/// The result of a task.
enum Ending {
    Done,
    Refused,
    /// Nothing was done; trying again later may succeed.
    Later(PostError),
}

impl Ending {
    /// The end of a task whose commands were all carried out, or not.
    fn of(is_done: bool) -> Ending {
        if is_done {
            Ending::Done
        } else {
            Ending::Refused
        }
    }
}

type CommandEnd = Result<Ending, PostError>;

pub fn main() -> ExitCode {
    let post = Post::parse();
    let log = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_max_level(post.place.log)
        .with_target(false);
    let _ = log.try_init();
    match run(&post) {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Refused) => ExitCode::from(1),
        Ok(Ending::Later(error)) => failed(&error, LATER),
        Err(error) => failed(&error, 2),
    }
}

fn failed(error: &PostError, code: u8) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {error}");
    ExitCode::from(code)
}

fn run(post: &Post) -> CommandEnd {
    let place = &post.place;
    match &post.task {
        Task::Command { tcp, words } => command(place, tcp.as_deref(), words),
        Task::Run => run_lines(place),
        Task::Mail { sender } => mail(place, sender.as_deref()),
        Task::Maildir { folder, watch } => maildir_task(place, folder, *watch),
        Task::Serve(ports) => serve::run(place, ports),
        Task::Flush => flush(place),
        Task::Verify { what } => tools::verify(place, what),
        Task::Link(options) => tools::link(options),
        Task::Play(options) => play::run(place, options),
        Task::Bench(options) => bench::run(options),
        Task::Compact => compact(place),
        Task::Check => check(place),
        Task::Salvage { file } => tools::salvage(place, file),
        Task::Backup { file } => back_up(place, file),
    }
}

fn run_lines(place: &StorePlace) -> CommandEnd {
    let server = place.server()?;
    let refused = lines::run(&server, BufReader::new(io::stdin()), io::stdout())?;
    place.flush(&server)?;
    Ok(Ending::of(refused == 0))
}

fn flush(place: &StorePlace) -> CommandEnd {
    if matches!(place.send, None | Some(MailRoute::None)) {
        return Err(OptionsError::NoRoute.into());
    }
    let sent = place.flush(&place.server()?)?;
    print(&format!(
        "sent {}, later {}, given up {}",
        sent.sent, sent.later, sent.given_up
    ))
}

fn compact(place: &StorePlace) -> CommandEnd {
    let store = place.open()?;
    let before = size(&place.store)?;
    store.compact()?;
    drop(store);
    let after = size(&place.store)?;
    print(&format!("{before} bytes before, {after} bytes now"))
}

fn check(place: &StorePlace) -> CommandEnd {
    if place.open()?.is_intact()? {
        print("The store is intact.")
    } else {
        Err(PostError::Damaged)
    }
}

fn back_up(place: &StorePlace, file: &Path) -> CommandEnd {
    let store = place.open()?;
    store.begin_copies(file)?;
    store.back_up(file)?;
    Ok(Ending::Done)
}

impl StorePlace {
    fn open(&self) -> Result<MailStore, StoreError> {
        MailStore::open(&self.store)
    }

    fn cost(&self) -> Cost {
        Cost {
            memory_kib: self.hash_memory_kib,
            passes: self.hash_passes,
        }
    }

    fn server(&self) -> Result<Server, PostError> {
        if !matches!(self.send, None | Some(MailRoute::None)) {
            self.check_address("--send needs")?;
        }
        let options = Options {
            cost: self.cost(),
            address: self.address.clone(),
            ..Options::default()
        };
        let server = Server::new(self.open()?, options)?;
        Ok(server.with_senders(self.senders_checked_by.clone()))
    }

    /// Checks that there is the server's own address, which this needs: `answers need`.
    fn check_address(&self, what_needs: &'static str) -> Result<(), OptionsError> {
        let is_there = self.address.is_some();
        is_there
            .then_some(())
            .ok_or(OptionsError::NoAddress(what_needs))
    }

    /// Delivers the mails that are due.
    fn flush(&self, server: &Server) -> Result<Sent, StoreError> {
        let way = self.send.clone().unwrap_or(MailRoute::None);
        send_due(server, &way)
    }
}

fn size(path: &Path) -> Result<u64, PostError> {
    let data = std::fs::metadata(path).map_err(PostError::file(path))?;
    Ok(data.len())
}

/// Writes an answer to the standard output.
fn print(text: &str) -> CommandEnd {
    let mut output = io::stdout().lock();
    writeln!(output, "{}", text.trim_end())
        .and_then(|()| output.flush())
        .map_err(PostError::Output)?;
    Ok(Ending::Done)
}

/// Writes the answer to a command to the standard output.
fn print_reply(reply: &CommandResult) -> CommandEnd {
    print(&reply.text)?;
    Ok(Ending::of(reply.is_done))
}

fn command(place: &StorePlace, tcp: Option<&str>, words: &[String]) -> CommandEnd {
    let line = if words.is_empty() {
        let mut line = String::new();
        let limit = post::command::COMMAND_BYTES as u64 + 2;
        let read = io::stdin().lock().take(limit).read_to_string(&mut line);
        let what = "command";
        read.map_err(|error| PostError::Input { what, error })?;
        line.lines().next().unwrap_or("").to_owned()
    } else {
        words.join(" ")
    };
    print_reply(&ServerAccess::open(place, tcp)?.carry_out(&line)?)
}

fn mail(place: &StorePlace, sender: Option<&str>) -> CommandEnd {
    place.check_address("an answer needs")?;
    let mut bytes = Vec::new();
    let limit = MAIL_BYTES as u64 + 1;
    let read = io::stdin().lock().take(limit).read_to_end(&mut bytes);
    let what = "mail";
    read.map_err(|error| PostError::Input { what, error })?;
    if bytes.len() > MAIL_BYTES {
        return Err(PostError::MailTooLarge);
    }
    let sender = match sender {
        None => Sender::Unknown,
        Some("" | "<>") => Sender::Nobody,
        Some(address) => Sender::Address(address.to_owned()),
    };
    // The store is in use by another process, or the disk is full. The mail server keeps
    // the mail, and should deliver it again later.
    Ok(answer(place, &Incoming::read(&bytes, &sender)).unwrap_or_else(Ending::Later))
}

/// Carries out the commands of a mail, and sends the answer.
fn answer(place: &StorePlace, mail: &Incoming) -> CommandEnd {
    let server = place.server()?;
    let (is_done, number) = match server.take_in(mail)? {
        Handled::Answered { is_done, mail } => (is_done, mail),
        Handled::Left(Unanswered::TooMany) => return Ok(Ending::Later(PostError::TooManyMails)),
        Handled::Left(_) => return Ok(Ending::Done),
    };
    match place.send {
        None | Some(MailRoute::Output) => {
            // Only the answer: mails to others wait for `flush`.
            let answer = server.store().change(|tables| tables.queued_mail(number))?;
            let mut output = io::stdout().lock();
            output
                .write_all(&answer.unwrap_or_default())
                .and_then(|()| output.flush())
                .map_err(PostError::Output)?;
            let waiting = server.store().change(|tables| {
                tables.unqueue(number)?;
                tables.queued()
            })?;
            if waiting > 0 {
                tracing::warn!(
                    "mails to others that wait: {waiting}; `post --send WAY flush` hands them over"
                );
            }
            Ok(Ending::of(is_done))
        }
        // The author of the commands learns the result only by mail.
        Some(_) => {
            place.flush(&server)?;
            Ok(Ending::Done)
        }
    }
}

fn maildir_task(place: &StorePlace, folder: &Path, watch: Option<u64>) -> CommandEnd {
    place.check_address("answers need")?;
    let server = place.server()?;
    let mut maildir = Maildir::new(folder);
    loop {
        let taken = maildir
            .take_in(&server)
            .map_err(PostError::maildir(folder))?;
        place.flush(&server)?;
        let Some(seconds) = watch else {
            print(&format!(
                "done {}, refused {}, left {}, passed over {}",
                taken.done, taken.refused, taken.left, taken.passed_over
            ))?;
            return Ok(Ending::of(taken.refused == 0));
        };
        std::thread::sleep(Duration::from_secs(seconds));
    }
}

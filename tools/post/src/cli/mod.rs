//! The command line.
//!
//! Invariants: the exit code is 0 if what was asked is done, 1 if a
//! command was refused, 2 if the command line, a file or a network is at fault.
//! A mail server that hands over a mail goes by another one, see [`LATER`].

mod bench;
mod play;
mod serve;
mod tools;
mod touches;
mod window;

use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use post::mail::{Incoming, MAIL_BYTES, Sender, SendersChecked};
use post::names::Address;
use post::password::Cost;
use post::server::{Handled, Options, Server, Unanswered};
use post::store::MailStore;
use post::transport::Ended;
use post::transport::lines::{self, RemoteServer};
use post::transport::maildir::Maildir;
use post::transport::outgoing::{MailRoute, send_due};

/// How long a server at the end of a line may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The exit code that a mail server takes for "try it again" (`EX_TEMPFAIL` of
/// sysexits); for most others it tells the sender that his mail was not delivered.
const LATER: u8 = 75;

/// Malaka by mail.
#[derive(Parser)]
#[command(name = "post", version)]
struct Post {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    task: Task,
}

/// Where everything is kept, and how the server works.
#[derive(Args)]
struct Place {
    /// The file in which everything is kept
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "POST_STORE",
        default_value = "post.redb"
    )]
    store: PathBuf,
    /// The server's own mail address; without one nobody is told by mail
    #[arg(long, global = true, value_name = "ADDRESS", env = "POST_ADDRESS")]
    address: Option<Address>,
    /// Who is handed mails to people: none, stdout, smtp:HOST:PORT, sendmail,
    /// sendmail:PROGRAM, maildir:FOLDER; `mail` writes its answer to stdout without
    #[arg(long, global = true, value_name = "WAY", env = "POST_SEND")]
    send: Option<MailRoute>,
    /// How the mail server checks from whom a mail is: nobody, mail-server (it refuses
    /// each mail whose From is not shown to be true), authentication-results:HOST (it
    /// writes that header under this name, and takes out those of others). A mail from
    /// the confirmed address of a player needs no password for a challenge then
    #[arg(
        long,
        global = true,
        value_name = "HOW",
        env = "POST_SENDERS_CHECKED_BY",
        default_value = "nobody"
    )]
    senders_checked_by: SendersChecked,
    /// Memory that the hash of a password takes, in KiB
    #[arg(long, global = true, value_name = "KIB", env = "POST_HASH_MEMORY_KIB", default_value_t = Cost::default().memory_kib)]
    hash_memory_kib: u32,
    /// How often it is gone through
    #[arg(long, global = true, value_name = "PASSES", env = "POST_HASH_PASSES", default_value_t = Cost::default().passes)]
    hash_passes: u32,
    /// Say less on the standard error, or more: error, warn, info, debug
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
    /// Carry out one command: the words, or a line of the standard input, where
    /// no list of processes shows the password
    Command {
        /// The server to send it to, instead of opening the store
        #[arg(long, value_name = "HOST:PORT")]
        tcp: Option<String>,
        /// The command, like: malaka show 17
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Carry out the commands of the standard input, one a line
    Run,
    /// Carry out the commands in a mail on the standard input
    Mail {
        /// Who sent it, as the mail server was told; empty if nobody did
        #[arg(long, value_name = "ADDRESS")]
        sender: Option<String>,
    },
    /// Carry out the commands in the mails of a maildir
    Maildir {
        /// The folder with `new` and `cur`
        folder: PathBuf,
        /// Go on, and look for new mails every so many seconds
        #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
        watch: Option<u64>,
    },
    /// Serve commands over networks until it is ended
    Serve(serve::Ports),
    /// Hand over the mails that have to go out
    Flush,
    /// Compute all dice of a board again, or those of a transcript in a file
    Verify {
        /// The number of a board in the store, or a file with a transcript
        what: String,
    },
    /// The head of a player's own chain, or a link of it
    Link(tools::LinkOptions),
    /// Play on a board or in the window, or let the board's own player play
    Play(play::PlayOptions),
    /// Measure how fast commands are carried out and what games take
    Bench(bench::BenchOptions),
    /// Give back what the store does not need
    Compact,
    /// Check that everything in the store is as it was written
    Check,
    /// Save what can be read of a store that is damaged in a new one
    Salvage {
        /// The new store; transcripts of boards that are not whole are written beside it
        file: PathBuf,
    },
    /// Copy the store into a file, whole or not at all
    Backup {
        /// The copy
        file: PathBuf,
    },
}

/// The result of a task.
enum Ending {
    Done,
    Refused,
    /// Nothing of it was done, and it may go well another time.
    Later(String),
}

type Done = Result<Ending, String>;

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
        Ok(Ending::Later(sentence)) => failed(&sentence, LATER),
        Err(sentence) => failed(&sentence, 2),
    }
}

fn failed(sentence: &str, code: u8) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {sentence}");
    ExitCode::from(code)
}

fn run(post: &Post) -> Done {
    let place = &post.place;
    match &post.task {
        Task::Command { tcp, words } => command(place, tcp.as_deref(), words),
        Task::Run => {
            let server = place.server()?;
            let refused = lines::run(&server, BufReader::new(io::stdin()), io::stdout());
            let refused = refused.map_err(ended)?;
            place.flush(&server)?;
            Ok(if refused == 0 {
                Ending::Done
            } else {
                Ending::Refused
            })
        }
        Task::Mail { sender } => mail(place, sender.as_deref()),
        Task::Maildir { folder, watch } => maildir_task(place, folder, *watch),
        Task::Serve(ports) => serve::run(place, ports),
        Task::Flush => {
            if matches!(place.send, None | Some(MailRoute::None)) {
                return Err("say who takes the mails, like --send smtp:localhost:25".into());
            }
            let sent = place.flush(&place.server()?)?;
            say(&format!(
                "sent {}, later {}, given up {}",
                sent.sent, sent.later, sent.given_up
            ))
        }
        Task::Verify { what } => tools::verify(place, what),
        Task::Link(options) => tools::link(options),
        Task::Play(options) => play::run(place, options),
        Task::Bench(options) => bench::run(options),
        Task::Compact => {
            let store = place.open()?;
            let before = size(&place.store)?;
            store.compact().map_err(|error| error.to_string())?;
            drop(store);
            let after = size(&place.store)?;
            say(&format!("{before} bytes before, {after} bytes now"))
        }
        Task::Check => {
            let is_intact = place.open()?.is_intact();
            if is_intact.map_err(|error| error.to_string())? {
                say("Everything is as it was written.")
            } else {
                Err("something was not as it was written, and is mended now as far as possible: compare with a copy".into())
            }
        }
        Task::Salvage { file } => tools::salvage(place, file),
        Task::Backup { file } => {
            let store = place.open()?;
            let copied = store.begin_copies(file).and_then(|()| store.back_up(file));
            copied
                .map(|()| Ending::Done)
                .map_err(|error| error.to_string())
        }
    }
}

impl Place {
    fn open(&self) -> Result<MailStore, String> {
        MailStore::open(&self.store).map_err(|error| error.to_string())
    }

    fn cost(&self) -> Cost {
        Cost {
            memory_kib: self.hash_memory_kib,
            passes: self.hash_passes,
        }
    }

    fn server(&self) -> Result<Server, String> {
        if !matches!(self.send, None | Some(MailRoute::None)) && self.address.is_none() {
            return Err("--send needs the server's own address: --address post@example.org".into());
        }
        let options = Options {
            cost: self.cost(),
            address: self.address.clone(),
            ..Options::default()
        };
        let server = Server::new(self.open()?, options)?;
        Ok(server.with_senders(self.senders_checked_by.clone()))
    }

    /// Hands over the mails whose time has come.
    fn flush(&self, server: &Server) -> Result<post::transport::outgoing::Sent, String> {
        let way = self.send.clone().unwrap_or(MailRoute::None);
        send_due(server, &way).map_err(|error| error.to_string())
    }
}

fn ended(ended: Ended) -> String {
    match ended {
        Ended::Line(error) => format!("no more can be read or written: {error}"),
        Ended::Store(error) => error.to_string(),
    }
}

fn size(path: &Path) -> Result<u64, String> {
    let data = std::fs::metadata(path);
    data.map(|data| data.len())
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes an answer to the standard output.
fn say(text: &str) -> Done {
    let mut output = io::stdout().lock();
    writeln!(output, "{}", text.trim_end())
        .and_then(|()| output.flush())
        .map_err(|error| format!("the answer cannot be written: {error}"))?;
    Ok(Ending::Done)
}

fn command(place: &Place, tcp: Option<&str>, words: &[String]) -> Done {
    let line = if words.is_empty() {
        let mut line = String::new();
        let limit = post::command::COMMAND_BYTES as u64 + 2;
        let read = io::stdin().lock().take(limit).read_to_string(&mut line);
        read.map_err(|error| format!("no command can be read: {error}"))?;
        line.lines().next().unwrap_or("").to_owned()
    } else {
        words.join(" ")
    };
    let reply = match tcp {
        Some(address) => RemoteServer::connect(address, PATIENCE)?.carry_out(&line)?,
        None => {
            let server = place.server()?;
            let reply = server.carry_out(&line).map_err(|error| error.to_string())?;
            place.flush(&server)?;
            reply
        }
    };
    say(&reply.text)?;
    Ok(if reply.is_done {
        Ending::Done
    } else {
        Ending::Refused
    })
}

fn mail(place: &Place, sender: Option<&str>) -> Done {
    if place.address.is_none() {
        return Err("an answer needs the server's own address: --address post@example.org".into());
    }
    let mut bytes = Vec::new();
    let limit = MAIL_BYTES as u64 + 1;
    let read = io::stdin().lock().take(limit).read_to_end(&mut bytes);
    read.map_err(|error| format!("no mail can be read: {error}"))?;
    if bytes.len() > MAIL_BYTES {
        return Err(format!("a mail has at most {MAIL_BYTES} bytes"));
    }
    let sender = match sender {
        None => Sender::Unknown,
        Some("" | "<>") => Sender::Nobody,
        Some(address) => Sender::Address(address.to_owned()),
    };
    // The store is in use by another process, or the disk is full: the mail server,
    // which keeps the mail, should deliver it again later.
    Ok(answer(place, &Incoming::read(&bytes, &sender)).unwrap_or_else(Ending::Later))
}

/// Carries out the requests of a mail, and hands over the answer.
fn answer(place: &Place, mail: &Incoming) -> Done {
    let server = place.server()?;
    let handled = server.take_in(mail);
    let (is_done, number) = match handled.map_err(|error| error.to_string())? {
        Handled::Answered { is_done, mail } => (is_done, mail),
        Handled::Left(Unanswered::TooMany) => {
            return Ok(Ending::Later(
                "there were too many unsigned mails from there today: come again tomorrow".into(),
            ));
        }
        Handled::Left(_) => return Ok(Ending::Done),
    };
    match place.send {
        None | Some(MailRoute::Output) => {
            // The answer alone: mails to others wait for `flush`.
            let answer = server.store().change(|tables| tables.queued_mail(number));
            let answer = answer.map_err(|error| error.to_string())?;
            let mut output = io::stdout().lock();
            output
                .write_all(&answer.unwrap_or_default())
                .and_then(|()| output.flush())
                .map_err(|error| format!("the answer cannot be written: {error}"))?;
            let waiting = server.store().change(|tables| {
                tables.unqueue(number)?;
                tables.queued()
            });
            let waiting = waiting.map_err(|error| error.to_string())?;
            if waiting > 0 {
                tracing::warn!(
                    "mails to others that wait: {waiting}; `post --send WAY flush` hands them over"
                );
            }
            Ok(if is_done {
                Ending::Done
            } else {
                Ending::Refused
            })
        }
        // The author of the command learns the result by mail only.
        Some(_) => place.flush(&server).map(|_| Ending::Done),
    }
}

fn maildir_task(place: &Place, folder: &Path, watch: Option<u64>) -> Done {
    if place.address.is_none() {
        return Err("answers need the server's own address: --address post@example.org".into());
    }
    let server = place.server()?;
    let mut maildir = Maildir::new(folder);
    loop {
        let taken = maildir.take_in(&server).map_err(|error| match error {
            Ended::Line(error) => format!("{}: {error}", folder.display()),
            Ended::Store(error) => error.to_string(),
        })?;
        place.flush(&server)?;
        let Some(seconds) = watch else {
            say(&format!(
                "done {}, refused {}, left {}, passed over {}",
                taken.done, taken.refused, taken.left, taken.passed_over
            ))?;
            return Ok(if taken.refused == 0 {
                Ending::Done
            } else {
                Ending::Refused
            });
        };
        std::thread::sleep(Duration::from_secs(seconds));
    }
}

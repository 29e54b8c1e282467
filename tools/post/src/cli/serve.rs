//! `post serve`: all services together, until the process is stopped.
//!
//! Sending mails, reading a maildir and copying the store each have their own thread, so
//! that a mail server that does not respond delays nothing else. When the process is
//! stopped, it waits for none of them, because all changes are atomic.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use clap::Args;
use post::server::Server;
use post::store::StoreError;
use post::transport::lines;
use post::transport::maildir::{Maildir, Taken};
use post::transport::outgoing::{MailRoute, send_due};
use post::transport::receiver::{self, Protocol};

use super::{CommandEnd, Ending, OptionsError, PostError, StorePlace, print};

/// The interval at which to check for mails to send and to read, if nothing else happens.
const LOOK: Duration = Duration::from_secs(5);

/// The interval at which the store is copied.
const BETWEEN_COPIES: Duration = Duration::from_secs(24 * 60 * 60);

/// Where commands come from.
#[derive(Args)]
pub struct Ports {
    /// Accept commands at this port, one per line; passwords are not encrypted
    #[arg(long, value_name = "ADDRESS:PORT")]
    tcp: Option<SocketAddr>,
    /// Accept mails from a mail server at this port, by LMTP
    #[arg(long, value_name = "ADDRESS:PORT")]
    lmtp: Option<SocketAddr>,
    /// Accept mails from a mail server at this port, by SMTP
    #[arg(long, value_name = "ADDRESS:PORT")]
    smtp: Option<SocketAddr>,
    /// Take mails from this maildir
    #[arg(long, value_name = "FOLDER")]
    maildir: Option<PathBuf>,
    /// Copy the store to this file, which must be a different one, at the start and every
    /// day
    #[arg(long, value_name = "FILE")]
    backup: Option<PathBuf>,
}

/// The reason for the end: a request, or an error.
type End = Result<(), PostError>;

/// Notifications between threads.
#[derive(Clone)]
struct Bells {
    /// There may be mails to send.
    mail: SyncSender<()>,
    /// Tells the main thread that the process should end.
    end: SyncSender<End>,
}

impl Bells {
    fn mail(&self) {
        // A pending notification is enough.
        let _ = self.mail.try_send(());
    }

    fn end(&self, end: End) {
        let _ = self.end.try_send(end);
    }
}

pub fn run(place: &StorePlace, ports: &Ports) -> CommandEnd {
    let takes_mail = ports.lmtp.is_some() || ports.smtp.is_some() || ports.maildir.is_some();
    if !takes_mail && ports.tcp.is_none() {
        return Err(OptionsError::NoPort.into());
    }
    if takes_mail {
        place.check_address("answers need")?;
    }
    if place.send == Some(MailRoute::Output) {
        return Err(OptionsError::SendToOutput.into());
    }
    let server = Arc::new(place.server()?);
    if let Some(file) = &ports.backup {
        server.store().begin_copies(file)?;
    }
    let (mail, mails) = sync_channel(1);
    let (end, ends) = sync_channel(1);
    let bells = Bells { mail, end };
    on_end(bells.clone())?;
    listen(&server, ports, &bells)?;
    if let Some(folder) = &ports.maildir {
        look_into(
            Maildir::new(folder),
            folder.clone(),
            server.clone(),
            bells.clone(),
        );
    }
    if let Some(file) = &ports.backup {
        copy(file.clone(), server.clone());
    }
    send(
        place.send.clone().unwrap_or(MailRoute::None),
        server,
        mails,
        bells.clone(),
    );
    let end = ends.recv().unwrap_or(Ok(()));
    end.map(|()| Ending::Done)
}

fn on_end(bells: Bells) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || bells.end(Ok(())))
}

fn listen(server: &Arc<Server>, ports: &Ports, bells: &Bells) -> Result<(), PostError> {
    let ring = || {
        let (mail, end) = (bells.clone(), bells.clone());
        let fatal = move |error: StoreError| end.end(Err(error.into()));
        (fatal, move || mail.mail())
    };
    if let Some(port) = ports.tcp {
        let listener = bind("tcp", port)?;
        let (fatal, wake) = ring();
        lines::serve(server.clone(), listener, fatal, wake);
    }
    let receivers = [
        ("lmtp", Protocol::Lmtp, ports.lmtp),
        ("smtp", Protocol::Smtp, ports.smtp),
    ];
    for (name, protocol, port) in receivers {
        if let Some(port) = port {
            let listener = bind(name, port)?;
            let (fatal, wake) = ring();
            receiver::serve(server.clone(), protocol, listener, fatal, wake);
        }
    }
    Ok(())
}

/// Opens a port and prints its number; port 0 stands for a free one.
fn bind(name: &'static str, port: SocketAddr) -> Result<TcpListener, PostError> {
    let listener =
        TcpListener::bind(port).map_err(|error| PostError::Port { name, port, error })?;
    let port = listener.local_addr().map_err(PostError::System)?;
    print(&format!("{name} {port}"))?;
    Ok(listener)
}

/// Sends mails when some may be due, and at intervals.
fn send(way: MailRoute, server: Arc<Server>, mails: Receiver<()>, bells: Bells) {
    std::thread::spawn(move || {
        loop {
            if let Err(error) = send_due(&server, &way) {
                return bells.end(Err(error.into()));
            }
            if mails.recv_timeout(LOOK) == Err(RecvTimeoutError::Disconnected) {
                return;
            }
        }
    });
}

/// Takes mails from a maildir.
fn look_into(mut maildir: Maildir, folder: PathBuf, server: Arc<Server>, bells: Bells) {
    std::thread::spawn(move || {
        loop {
            match maildir.take_in(&server) {
                Ok(taken) if taken == Taken::default() => {}
                Ok(_) => bells.mail(),
                Err(error) => return bells.end(Err(PostError::maildir(&folder)(error))),
            }
            std::thread::sleep(LOOK);
        }
    });
}

/// Copies the store immediately, and then every day.
fn copy(file: PathBuf, server: Arc<Server>) {
    std::thread::spawn(move || {
        loop {
            // Without copies, the server still works.
            if let Err(error) = server.store().back_up(&file) {
                tracing::error!("{error}");
            }
            std::thread::sleep(BETWEEN_COPIES);
        }
    });
}

//! `post serve`: all ways at once, until the process is ended.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use clap::Args;
use post::server::Server;
use post::store::StoreError;
use post::transport::outgoing::Way;
use post::transport::receiver::{self, Protocol};
use post::transport::{Ended, lines, maildir};

use crate::cli::{Done, Ending, Place, ended, say};

/// How often it is looked for mails to send and to take in, if nothing happens.
const LOOK: Duration = Duration::from_secs(5);

/// How often a copy of the store is made.
const BETWEEN_COPIES: Duration = Duration::from_secs(24 * 60 * 60);

/// Where commands come from.
#[derive(Args)]
pub struct Ports {
    /// Take commands, one a line, at this port; passwords are not encrypted
    #[arg(long, value_name = "ADDRESS:PORT")]
    tcp: Option<SocketAddr>,
    /// Take mails from a mail server at this port, by LMTP
    #[arg(long, value_name = "ADDRESS:PORT")]
    lmtp: Option<SocketAddr>,
    /// Take mails from a mail server at this port, by SMTP
    #[arg(long, value_name = "ADDRESS:PORT")]
    smtp: Option<SocketAddr>,
    /// Take mails from this maildir
    #[arg(long, value_name = "FOLDER")]
    maildir: Option<PathBuf>,
    /// Copy the store into this file at the beginning and every day
    #[arg(long, value_name = "FILE")]
    backup: Option<PathBuf>,
}

/// What the main thread is told.
enum News {
    /// There may be mails to send.
    Mail,
    /// Somebody wants the process to end.
    End,
}

pub fn run(place: &Place, ports: &Ports) -> Done {
    let takes_mail = ports.lmtp.is_some() || ports.smtp.is_some() || ports.maildir.is_some();
    if !takes_mail && ports.tcp.is_none() {
        return Err("say where commands come from: --tcp, --lmtp, --smtp or --maildir".into());
    }
    if takes_mail && place.address.is_none() {
        return Err("answers need the server's own address: --address post@example.org".into());
    }
    if place.send == Some(Way::Output) {
        return Err("--send stdout is for `post mail`: name somebody who delivers mails".into());
    }
    let server = Arc::new(place.server()?);
    let (news, heard) = sync_channel(1);
    let (fatal, failed) = sync_channel(1);
    on_end(news.clone())?;
    listen(&server, ports, &news, &fatal)?;
    watch(place, ports, &server, &heard, &failed)
}

fn on_end(news: SyncSender<News>) -> Result<(), String> {
    ctrlc::set_handler(move || drop(news.send(News::End)))
        .map_err(|error| format!("the process cannot be ended in order: {error}"))
}

fn listen(
    server: &Arc<Server>,
    ports: &Ports,
    news: &SyncSender<News>,
    fatal: &SyncSender<StoreError>,
) -> Result<(), String> {
    if let Some(port) = ports.tcp {
        let listener = bind("tcp", port)?;
        let news = news.clone();
        let wake = move || drop(news.try_send(News::Mail));
        lines::serve(server.clone(), listener, fatal.clone(), wake);
    }
    let receivers = [
        ("lmtp", Protocol::Lmtp, ports.lmtp),
        ("smtp", Protocol::Smtp, ports.smtp),
    ];
    for (name, protocol, port) in receivers {
        if let Some(port) = port {
            let listener = bind(name, port)?;
            let news = news.clone();
            let wake = move || drop(news.try_send(News::Mail));
            receiver::serve(server.clone(), protocol, listener, fatal.clone(), wake);
        }
    }
    Ok(())
}

/// Takes a port, and says which one it is: 0 is any that is free.
fn bind(name: &str, port: SocketAddr) -> Result<TcpListener, String> {
    let listener = TcpListener::bind(port).map_err(|error| format!("{name} {port}: {error}"))?;
    let port = listener.local_addr().map_err(|error| error.to_string())?;
    say(&format!("{name} {port}"))?;
    Ok(listener)
}

/// Sends mails, looks into the maildir and makes copies until the end.
fn watch(
    place: &Place,
    ports: &Ports,
    server: &Server,
    heard: &Receiver<News>,
    failed: &Receiver<StoreError>,
) -> Done {
    let mut copied: Option<Instant> = None;
    loop {
        if let Some(folder) = &ports.maildir {
            maildir::take_in(server, folder).map_err(|error| match error {
                Ended::Line(error) => format!("{}: {error}", folder.display()),
                error => ended(error),
            })?;
        }
        place.flush(server)?;
        if let Some(file) = &ports.backup
            && copied.is_none_or(|at| at.elapsed() >= BETWEEN_COPIES)
        {
            copied = Some(Instant::now());
            // A server without a copy is better than none.
            if let Err(error) = server.store().back_up(file) {
                tracing::error!("{error}");
            }
        }
        match heard.recv_timeout(LOOK) {
            Ok(News::End) => return Ok(Ending::Done),
            Ok(News::Mail) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(Ending::Done),
        }
        if let Ok(error) = failed.try_recv() {
            return Err(error.to_string());
        }
    }
}

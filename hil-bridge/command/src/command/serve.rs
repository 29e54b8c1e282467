//! `serve`: shares a board with other programs and machines, one at a time.

use std::io::{stdin, stdout};
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{anyhow, ensure};
use touchboard_completions::number;
use touchboard_host::faulty::has_no_line;
use touchboard_links::at::BAUD;
use touchboard_links::link::{Link, TlsServer, piped};
use touchboard_links::pico::PicoLine;
use touchboard_links::{Access, At, Where};
use touchboard_sharing::greeting::ServerOpening;

use super::sharing::{BoardDesk, Door, DoorRules, Guest, MAY_BE_SILENT_FOR, Manner, Rate};
use super::{CommandEnd, ExitKind, interruptions, print_error};

/// The longest silence after which a client keeps the board, in milliseconds: a day.
const MOST_SILENCE_MS: u64 = 24 * 60 * 60 * 1_000;

#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    place: Where,
    /// The address at which other programs find the board, like 127.0.0.1:7777; port 0 is
    /// any free one. Any other address than one of this machine needs certificates
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = listening_address, required_unless_present = "stdio")]
    listen: Option<SocketAddr>,
    /// Share the board over the standard input and output, for --at ssh:HOST:WHERE on
    /// another machine
    #[arg(long, conflicts_with_all = ["listen", "rfc2217", "password_file", "tls_certificate", "tls_key", "tls_authority"])]
    stdio: bool,
    /// Share the board as a serial port, by RFC 2217: for pyserial, labgrid, and --at
    /// rfc2217:HOST:PORT
    #[arg(long)]
    rfc2217: bool,
    /// How long a client may be silent before somebody else gets the board
    #[arg(long, value_name = "MS", default_value_t = MAY_BE_SILENT_FOR.as_millis() as u64, value_parser = number(0, MOST_SILENCE_MS), allow_negative_numbers = true)]
    silence_ms: u64,
}

/// A text names no address.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not ADDRESS:PORT, like 127.0.0.1:7777")]
struct NoAddress(String);

/// The address that a text names.
fn listening_address(text: &str) -> Result<SocketAddr, NoAddress> {
    let found = text.to_socket_addrs().ok();
    found
        .and_then(|mut addresses| addresses.next())
        .ok_or_else(|| NoAddress(text.to_owned()))
}

pub fn run(options: &Options) -> CommandEnd {
    let mut place = options.place.clone();
    ensure!(place.at != At::Core, has_no_line("serve"));
    let access = match place.at {
        // The same password and certificates open the board and the door.
        At::Shared(..) => place.line.access.clone(),
        _ => std::mem::take(&mut place.line.access),
    };
    super::set_up(&place)?;
    let desk = BoardDesk {
        may_be_silent_for: Duration::from_millis(options.silence_ms),
        rate: rate(&place.at),
        baud: place.line.baud,
    };
    match options.listen {
        Some(address) => listen(options, address, &access, &place, desk),
        None => over_stdio(&place, desk),
    }
}

/// Which speeds the line to a board at this place has.
fn rate(at: &At) -> Rate {
    match at {
        At::Serial(_) => Rate::OfPort,
        At::Pico(PicoLine::Uart) => Rate::Fixed(BAUD),
        At::Core
        | At::Virtual
        | At::Qemu(_)
        | At::Pico(PicoLine::Usb)
        | At::Tcp(_)
        | At::Shared(..) => Rate::Any,
    }
}

/// Who may come in at this address.
fn rules(options: &Options, address: SocketAddr, access: &Access) -> anyhow::Result<DoorRules> {
    let tls = access.tls_files()?;
    let tls = tls.as_ref().map(TlsServer::new).transpose()?;
    let password = access.password()?;
    ensure!(
        address.ip().is_loopback() || tls.is_some(),
        "{address} can be reached from other machines: name --tls-certificate, --tls-key and --tls-authority, or listen at 127.0.0.1 and let others come over SSH"
    );
    ensure!(
        !options.rfc2217 || password.is_none(),
        "RFC 2217 knows no password: leave --password-file (or TOUCHBOARD_PASSWORD_FILE) out, or --rfc2217"
    );
    Ok(DoorRules {
        tls,
        password,
        telnet: options.rfc2217,
    })
}

/// Shares the board at an address.
fn listen(
    options: &Options,
    address: SocketAddr,
    access: &Access,
    place: &Where,
    desk: BoardDesk,
) -> CommandEnd {
    let rules = rules(options, address, access)?;
    let word = rules.word();
    let mut dial = place.dial()?;
    // A board that is not there is reported now, and not to the first client.
    drop(dial.dial()?);
    let door = Door::open(address, rules)?;
    let address = door.address();
    print_error(format_args!(
        "the board at {} is shared: clients find it with --at {word}:{address}",
        place.at
    ));
    let interrupted = interruptions()?;
    let goes_on = || !interrupted.load(Ordering::Relaxed);
    desk.run(&door, &mut *dial, &goes_on)?;
    Ok(ExitKind::Done)
}

/// Shares the board over the streams of this process.
fn over_stdio(place: &Where, desk: BoardDesk) -> CommandEnd {
    let mut dial = place.dial()?;
    let board = dial.dial()?;
    let (mut line, writer) = piped(stdin(), stdout())?;
    line.send(format!("{}\n", ServerOpening::Open).as_bytes())?;
    let guest = Guest {
        link: Box::new(line),
        stream: None,
        who: "the program at the other end".to_owned(),
        manner: Manner::Greeting(None),
    };
    let interrupted = interruptions()?;
    desk.serve(guest, board, &|| !interrupted.load(Ordering::Relaxed));
    writer
        .join()
        .map_err(|_| anyhow!("what the board said last could not be written"))?;
    Ok(ExitKind::Done)
}

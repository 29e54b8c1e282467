//! A board at the end of a line for a test, and the only excuse that such a test has.
//!
//! The operating system provides pseudo-terminals, sockets and threads, and may have run
//! out of them. That says nothing about a board, so the test cannot judge: it reports
//! that, and the runner of all tests counts it. Anything that goes wrong afterwards is a
//! fault of the board and fails the test.

use std::io;
use std::net::Ipv4Addr;
use std::thread;
use touchboard_links::LinkError;
use touchboard_links::pico::{PicoLine, find_image, set_up};

use touchboard_host::{Driver, DriverError};
use touchboard_links::{At, Where};
use virtual_board::{Options, Running};

/// How long to wait for a board; a slow board on a busy machine is not broken.
const PATIENCE_MS: u64 = 20_000;

/// A board at the end of a line.
pub struct Far {
    /// The driver of the board for the test. It is declared first, so that the line ends
    /// before the board does.
    pub driver: Box<dyn Driver>,
    _board: Running,
}

/// Switches on a virtual board and opens a line to it: a pseudo-terminal, or a socket on
/// systems without them. `None`, which is reported, if the operating
/// system provides neither.
///
/// # Panics
/// If the board cannot have these options, or does not answer.
#[must_use]
pub fn far_or_excuse(options: Options) -> Option<Far> {
    let asked = virtual_board::spawn(Options {
        no_pty: !cfg!(unix),
        tcp: (!cfg!(unix)).then(|| (Ipv4Addr::LOCALHOST, 0).into()),
        ..options
    });
    let board = lent(asked)
        .inspect_err(|why| excuse(&format!("there is no board to judge: {why}")))
        .ok()?;
    Some(Far {
        driver: line_to(&board).unwrap_or_else(|error| panic!("{error}")),
        _board: board,
    })
}

fn line_to(board: &Running) -> Result<Box<dyn Driver>, DriverError> {
    let at = match (&board.path, board.tcp) {
        (Some(path), _) => At::Serial(path.to_string_lossy().into_owned()),
        (None, Some(address)) => At::Tcp(address.to_string()),
        (None, None) => return Err(LinkError::open("the board has no plug".into())),
    };
    patient(at).open()
}

/// The emulated board of the Pico, observed at its pins or through the messages on its
/// line. `None`, which is reported, if no emulated chip is available.
///
/// # Panics
/// If there is no image, or the board does not answer.
#[must_use]
pub fn pico_or_excuse(is_judged_at_pins: bool) -> Option<Box<dyn Driver>> {
    let image = find_image().unwrap_or_else(|error| panic!("{error}"));
    if !set_up::is_set_up(&image) {
        excuse(set_up::MISSING);
        return None;
    }
    let mut place = patient(At::Pico(PicoLine::Uart));
    place.is_judged_at_pins = is_judged_at_pins;
    Some(place.open().unwrap_or_else(|error| panic!("{error}")))
}

/// The board at this address, with the patience of a test.
#[must_use]
pub fn patient(at: At) -> Where {
    let mut place = Where::new(at);
    place.line.timeout_ms = PATIENCE_MS;
    place
}

/// Reports that the test of this thread cannot judge.
fn excuse(why: &str) {
    law::excuse(thread::current().name().unwrap_or("a test"), why);
}

/// The requested resource of the operating system, or the error that excuses the test.
///
/// # Panics
/// If the request itself was invalid, which is not the fault of the operating system.
fn lent<T>(asked: io::Result<T>) -> Result<T, io::Error> {
    asked.inspect_err(|error| assert!(is_an_excuse(error), "{error}"))
}

/// True if the operating system is to blame, and not the request.
fn is_an_excuse(error: &io::Error) -> bool {
    error.kind() != io::ErrorKind::InvalidInput
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The errors of Linux when processes, files or pseudo-terminals run out: `EAGAIN`,
    /// `ENFILE`, `EMFILE` and `ENOSPC`.
    #[cfg(target_os = "linux")]
    #[test]
    fn an_exhausted_system_excuses_a_test_with_its_reason() {
        for code in [11, 23, 24, 28] {
            let exhausted = io::Error::from_raw_os_error(code);
            assert!(is_an_excuse(&exhausted), "{exhausted}");
            lent::<()>(Err(exhausted)).expect_err("nothing was lent");
        }
        assert_eq!(lent(Ok(7)).expect("the board was lent"), 7);
    }

    #[test]
    #[should_panic(expected = "no such layout")]
    fn an_invalid_board_fails_a_test_instead_of_excusing_it() {
        let wrong = io::Error::new(io::ErrorKind::InvalidInput, "no such layout");
        let _ = lent::<()>(Err(wrong));
    }
}

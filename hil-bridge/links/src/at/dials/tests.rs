//! Boards that come back under another name, over real pseudo-terminals.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use protocol::Command;
use rustix::fs::OFlags;
use tempfile::TempDir;
use virtual_board::FaultOptions;

use super::*;
use crate::client::{Client, ClientOptions, LineState};

/// A board whose cable is pulled out once. After that, its pseudo-terminal has another
/// name.
struct Replugged {
    _board: Running,
    _folder: TempDir,
    /// A link to the current name.
    link: PathBuf,
}

impl Replugged {
    fn on() -> Replugged {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("board");
        let board = virtual_board::spawn(Options {
            link: Some(link.clone()),
            faults: FaultOptions("cut-after 2000".parse().unwrap()),
            ..Options::default()
        });
        Replugged {
            _board: board.unwrap(),
            _folder: folder,
            link,
        }
    }
}

/// The name of the moment; `None` while the cable is out.
fn name_behind(link: &Path) -> Option<String> {
    let target = fs::read_link(link).ok()?;
    Some(target.to_string_lossy().into_owned())
}

/// Keeps the system from giving this name to the next pseudo-terminal.
fn hold(name: &str) -> File {
    let flags = OFlags::NOCTTY.bits() as i32;
    let held = OpenOptions::new().read(true).custom_flags(flags).open(name);
    held.unwrap()
}

/// Talks until the line was opened again. The board is the same, and has lost nothing.
fn talks_over_both_names(client: &Client, board: &Replugged, first: &str) {
    let mut pings = 0;
    while client.view().counters.reconnects == 0 {
        client.request(Command::Ping).unwrap();
        pings += 1;
        assert!(pings < 1_000, "the cable stays in");
    }
    client.request(Command::Status).unwrap();
    assert_ne!(name_behind(&board.link).unwrap(), first);
    let view = client.view();
    assert_eq!((view.link, view.run), (LineState::Connected, 0));
}

#[test]
fn a_board_on_usb_is_found_by_its_identity_at_another_name() {
    let board = Replugged::on();
    let first = name_behind(&board.link).unwrap();
    let _held = hold(&first);
    let link = board.link.clone();
    let board_at = |port: String, number: &str| UsbBoard {
        port,
        identity: UsbIdentity::new(0x2E8A, 0x000A, Some(number.into())),
    };
    let dial = SerialDial {
        name: "a board".into(),
        path: first.clone(),
        known: None,
        baud: 115_200,
        ports: move || {
            let here = name_behind(&link).map(|name| board_at(name, "E66"));
            let other = board_at("/dev/ttyACM9".to_owned(), "E67");
            here.into_iter().chain([other]).collect()
        },
    };
    let client = Client::open(Box::new(dial), ClientOptions::default()).unwrap();
    talks_over_both_names(&client, &board, &first);
}

#[test]
fn a_stable_link_is_followed_to_another_name() {
    let board = Replugged::on();
    let first = name_behind(&board.link).unwrap();
    let _held = hold(&first);
    let place = Where::new(board.link.to_string_lossy().parse().unwrap());
    let client = place.client().unwrap();
    talks_over_both_names(&client, &board, &first);
}

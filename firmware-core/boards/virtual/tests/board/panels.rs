//! Whole games, played by fingers on simulated grid controllers over pseudo-terminals.

use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use law::wait_until;
use protocol::{Colour, Command, Done, Event, Input, KnownLayout, Layout, Point, Side};
use small_host::Host;
use virtual_board::grid::{GridDevice, GridKind, LaunchpadLamp, RunningGrid};
use virtual_board::{Options, Running, spawn};

const KINDS: [GridKind; 4] = [
    GridKind::Monome,
    GridKind::LaunchpadMini,
    GridKind::LaunchpadX,
    GridKind::LaunchpadPro,
];

/// Reversi, which ends when nobody can move: on 4x4 points after at most twelve moves.
const REVERSI: &str = "0";

fn layout(columns: u8, rows: u8) -> Layout {
    Layout::grid(columns, rows).expect("a layout")
}

fn grid_at(kind: GridKind, link: &Path) -> RunningGrid {
    let device = GridDevice::new(kind, 16, 8);
    RunningGrid::plug_in(device, Some(link)).expect("a pseudo-terminal")
}

fn name(kind: GridKind) -> &'static str {
    match kind {
        GridKind::Monome => "monome",
        _ => "launchpad",
    }
}

fn board(kind: GridKind, link: &Path, layout: Layout) -> Running {
    // A Mini and an X use the second port of their file.
    let port = match kind {
        GridKind::LaunchpadMini | GridKind::LaunchpadX => ",1",
        GridKind::LaunchpadPro | GridKind::Monome => "",
    };
    let panel = format!("{}:{}{port}", name(kind), link.display());
    spawn(Options {
        no_pty: true,
        tcp: Some("127.0.0.1:0".parse().expect("an address")),
        layout: Some(KnownLayout::from(layout)),
        games: REVERSI.parse().expect("a game"),
        panel: Some(panel.parse().expect("a panel")),
        ..Options::default()
    })
    .expect("a board")
}

fn host_of(board: &Running) -> Host<TcpStream> {
    let stream = TcpStream::connect(board.tcp.expect("it listens")).expect("it accepts");
    stream
        .set_read_timeout(Some(Duration::from_millis(20)))
        .expect("a socket can");
    let mut host = Host::new(stream);
    host.hello();
    host
}

/// The name of the key in this column and row of the pads, from the top.
fn pad(kind: GridKind, column: u8, row: u8) -> Vec<String> {
    match kind {
        GridKind::Monome => vec![column.to_string(), row.to_string()],
        _ => vec![(10 * (8 - row) + column + 1).to_string()],
    }
}

/// The name of the Start key: in the last column of a grid, beside the pads of a
/// Launchpad.
fn start(kind: GridKind) -> Vec<String> {
    match kind {
        GridKind::Monome => vec!["15".into(), "0".into()],
        _ => vec!["89".into()],
    }
}

fn key(grid: &RunningGrid, name: &[String], is_down: bool) {
    let words: Vec<&str> = name.iter().map(String::as_str).collect();
    grid.key(&words, is_down).expect("a key");
}

/// Presses and releases a key, and waits until the board has felt both.
fn press(grid: &RunningGrid, host: &mut Host<TcpStream>, name: &[String], felt: Input) {
    for (is_down, input) in [(true, felt), (false, felt.reverse())] {
        let begin = host.events.len();
        key(grid, name, is_down);
        wait_until("the board feels it", || {
            host.listen(Duration::from_millis(5));
            let fresh = host.events[begin..].iter();
            fresh
                .into_iter()
                .any(|stamped| stamped.event == Event::Taken(input))
        });
    }
}

/// The colour that a lamp shows, as far as it can be distinguished on the device.
fn shown(device: &GridDevice, kind: GridKind, column: u8, row: u8) -> Option<Colour> {
    match device {
        GridDevice::Monome(device) => match device.level(column, row) {
            0 => Some(Colour::OFF),
            15 => Some(Colour::GREEN),
            // Red lamps pulse between these levels.
            8 | 3 => Some(Colour::RED),
            _ => None,
        },
        GridDevice::Launchpad(device) => {
            let number = pad(kind, column, row)[0].parse().expect("a number");
            match device.lamp(number) {
                LaunchpadLamp::Off => Some(Colour::OFF),
                LaunchpadLamp::Rgb([0, 127, 0]) => Some(Colour::GREEN),
                LaunchpadLamp::Rgb([127, 0, 0]) => Some(Colour::RED),
                _ => None,
            }
        }
    }
}

/// True if the pads show what the board shows.
fn agrees(grid: &RunningGrid, host: &Host<TcpStream>, kind: GridKind, layout: Layout) -> bool {
    let device = grid.device();
    layout.iter().all(|point| {
        let (column, row) = (layout.column(point), layout.row(point));
        shown(&device, kind, column, row) == Some(host.frame.points.get(point))
    })
}

fn is_dark(device: &GridDevice) -> bool {
    let picture = device.picture().concat();
    picture.chars().all(|lamp| matches!(lamp, '0' | '.'))
}

fn is_in_programmer_mode(device: &GridDevice) -> bool {
    match device {
        GridDevice::Launchpad(device) => device.is_programmer(),
        GridDevice::Monome(_) => false,
    }
}

fn unknown(device: &GridDevice) -> u64 {
    match device {
        GridDevice::Launchpad(device) => device.unknown(),
        GridDevice::Monome(device) => device.unknown(),
    }
}

/// The points whose touch is legal.
fn legal(host: &mut Host<TcpStream>) -> Vec<Point> {
    let Ok(Done::Legal(bits)) = host.request(Command::Legal) else {
        panic!("no legal points");
    };
    let is_set = |point: &Point| {
        let byte = bits.get(point.index() / 8).copied();
        byte.is_some_and(|byte| byte >> (point.0 % 8) & 1 == 1)
    };
    (0..=u8::MAX).map(Point).filter(is_set).collect()
}

/// Plays from Start to the end of the game, with the keys of the panel alone.
fn play(grid: &RunningGrid, host: &mut Host<TcpStream>, kind: GridKind, layout: Layout) {
    press(
        grid,
        host,
        &start(kind),
        Input::Press(protocol::Button::Start),
    );
    let mut moves = 0;
    let is_over = |host: &Host<TcpStream>| {
        let mut events = host.events.iter();
        events.any(|stamped| matches!(stamped.event, Event::Over(_)))
    };
    while !is_over(host) {
        let points = legal(host);
        let point = *points.first().expect("a game that is not over has a move");
        let name = pad(kind, layout.column(point), layout.row(point));
        press(grid, host, &name, Input::Touch(point));
        moves += 1;
        host.listen(Duration::from_millis(1));
    }
    assert!(moves >= 5, "{moves} moves");
    let sides: Vec<Side> = host
        .events
        .iter()
        .filter_map(|stamped| match stamped.event {
            Event::Move { side, .. } => Some(side),
            _ => None,
        })
        .collect();
    assert_eq!(sides.len(), moves);
}

#[test]
fn a_whole_game_is_played_by_fingers_on_each_panel() {
    for kind in KINDS {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("panel");
        let grid = grid_at(kind, &link);
        let layout = layout(4, 4);
        let board = board(kind, &link, layout);
        let mut host = host_of(&board);
        wait_until("the panel is lit", || !is_dark(&grid.device()));
        play(&grid, &mut host, kind, layout);
        // At the end the winner's lights flash; both agree while all lights are on.
        wait_until("the panel shows the end", || {
            host.request(Command::Frame).expect("a frame");
            agrees(&grid, &host, kind, layout)
        });
        drop(board);
        // The last messages of the board may still be in transit.
        wait_until("the panel is dark", || is_dark(&grid.device()));
        wait_until("it is as it was", || !is_in_programmer_mode(&grid.device()));
        let device = grid.device();
        // A Launchpad also receives requests with the names of the other two models.
        assert_eq!(unknown(&device), 0, "{kind:?}");
    }
}

#[test]
fn a_replugged_panel_shows_the_current_game() {
    for kind in [GridKind::Monome, GridKind::LaunchpadX] {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("panel");
        let layout = layout(4, 4);
        // The panel may be plugged in after the board is switched on.
        let board = board(kind, &link, layout);
        let mut host = host_of(&board);
        let grid = grid_at(kind, &link);
        wait_until("the panel is lit", || !is_dark(&grid.device()));
        press(
            &grid,
            &mut host,
            &start(kind),
            Input::Press(protocol::Button::Start),
        );
        let first = legal(&mut host)[0];
        let name = pad(kind, layout.column(first), layout.row(first));
        key(&grid, &name, true);
        wait_until("the board feels it", || {
            host.listen(Duration::from_millis(5));
            let taken = Event::Taken(Input::Touch(first));
            host.events.iter().any(|stamped| stamped.event == taken)
        });
        // Unplugged with a finger on it: the board feels that the finger left.
        drop(grid);
        wait_until("the board feels that it left", || {
            host.listen(Duration::from_millis(5));
            let taken = Event::Taken(Input::Release(first));
            host.events.iter().any(|stamped| stamped.event == taken)
        });
        let grid = grid_at(kind, &link);
        wait_until("the panel is lit again", || !is_dark(&grid.device()));
        wait_until("it shows the board", || {
            host.request(Command::Frame).expect("a frame");
            agrees(&grid, &host, kind, layout)
        });
        let next = legal(&mut host)[0];
        let name = pad(kind, layout.column(next), layout.row(next));
        press(&grid, &mut host, &name, Input::Touch(next));
    }
}

#[test]
fn all_lamps_come_in_one_message_and_garbage_does_no_harm() {
    let kind = GridKind::LaunchpadMini;
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("panel");
    let grid = grid_at(kind, &link);
    let layout = layout(4, 4);
    let board = board(kind, &link, layout);
    let mut host = host_of(&board);
    wait_until("the panel is lit", || !is_dark(&grid.device()));
    let GridDevice::Launchpad(device) = grid.device() else {
        panic!("it is a Launchpad");
    };
    // One dark picture may be shown before the first picture of the board.
    assert!(device.lightings() <= 2, "{} messages", device.lightings());
    for garbage in [&[0xF7, 0x00, 0x7F][..], &[0xF0; 300], &[0xFF; 300], &[0x90]] {
        grid.send(garbage);
    }
    press(
        &grid,
        &mut host,
        &start(kind),
        Input::Press(protocol::Button::Start),
    );
    let first = legal(&mut host)[0];
    let name = pad(kind, layout.column(first), layout.row(first));
    press(&grid, &mut host, &name, Input::Touch(first));
}

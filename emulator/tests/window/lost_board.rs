//! A board at the end of a line is lost, killed, or restarted: the picture goes dark, the
//! user is informed, and the game can continue.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use crate::windowless::app;
use bevy::prelude::*;
use emulator::scene::display::Segment;
use emulator::scene::domes::LitDome;
use emulator::source::remote::Remote;
use emulator::source::{
    Agreement, BoardLink, BoardPlaces, Connect, Log, LogEntry, PlayOn, Shown, ShownBoard,
    WindowCommand,
};
use protocol::{Button, Colour, Deed, Input, Layout};
use touchboard_host::session::{NoteKind, SessionItem};
#[cfg(target_os = "linux")]
use touchboard_links::qemu::Image;
use touchboard_links::{At, Where};
use virtual_board::{Options, Running};

const PATIENCE: Duration = Duration::from_secs(60);

/// Starts a virtual board on the network, on this port; 0 for a free one.
fn board(port: u16) -> (Running, At) {
    let board = virtual_board::spawn(Options {
        layout: Some(Layout::MALDOO.into()),
        no_pty: true,
        tcp: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port))),
        ..Options::default()
    });
    let board = board.unwrap();
    let at = At::Tcp(board.tcp.unwrap().to_string());
    (board, at)
}

fn app_at(at: At) -> App {
    let place = Where::new(at);
    let mut app = app(Remote::open(place.clone()));
    app.insert_resource(BoardPlaces::at(place));
    app
}

fn shown(app: &App) -> &Shown {
    app.world().resource::<Shown>()
}

fn wait(app: &mut App, is_so: impl Fn(&Shown) -> bool) {
    let began = Instant::now();
    while !is_so(shown(app)) {
        assert!(began.elapsed() < PATIENCE, "{:?}", shown(app));
        std::thread::sleep(Duration::from_millis(10));
        app.update();
    }
}

/// Starts a game, and waits until the window knows of it.
fn start_a_game(app: &mut App) {
    wait(app, |shown| matches!(shown.twin, Agreement::Agrees { .. }));
    for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
        app.world_mut()
            .write_message(WindowCommand::Do(Deed::Input(input)));
    }
    wait(app, |shown| {
        shown.status.score.is_some() && shown.frame.turn[0]
    });
    app.update();
}

fn lights(app: &mut App) -> usize {
    let world = app.world_mut();
    let mut domes = world.query::<&LitDome>();
    let domes = domes.iter(world);
    let lit = domes.filter(|dome| dome.colour != Colour::OFF).count();
    let mut segments = world.query::<&Segment>();
    let segments = segments.iter(world);
    lit + segments.filter(|segment| segment.lit).count()
}

/// The lines of the log about the board and its line.
fn log(app: &App) -> Vec<String> {
    let log = app.world().resource::<Log>();
    let said = log.iter().filter_map(|line| match &line.what {
        LogEntry::Said(sentence) => Some(sentence.clone()),
        LogEntry::Event(_) => None,
    });
    said.collect()
}

/// The kinds of the notes in the session of the board, which the timeline has signs for.
fn notes(app: &App) -> Vec<NoteKind> {
    let board = app.world().resource::<ShownBoard>();
    let session = board.0.whole_session().unwrap();
    let kinds = session
        .entries
        .iter()
        .filter_map(|entry| match &entry.item {
            SessionItem::Note(note) => Some(NoteKind::of(note).0),
            _ => None,
        });
    kinds.collect()
}

#[test]
fn a_lost_board_goes_dark_and_is_reported() {
    let (board, at) = board(0);
    let mut app = app_at(at);
    start_a_game(&mut app);
    assert!(lights(&mut app) > 5);
    drop(board);
    wait(&mut app, |shown| shown.link.is_down());
    app.update();
    assert_eq!(lights(&mut app), 0);
    assert_eq!(shown(&app).twin, Agreement::Unknown);
    assert!(shown(&app).lost.kept.is_some());
    let BoardLink::Down(sentence) = shown(&app).link.clone() else {
        unreachable!();
    };
    assert!(log(&app).contains(&sentence), "{:?}", log(&app));
    assert_eq!(notes(&app), [NoteKind::Lost]);
}

#[test]
fn the_game_of_a_lost_board_continues_in_process() {
    let (board, at) = board(0);
    let mut app = app_at(at);
    start_a_game(&mut app);
    let score = shown(&app).status.score;
    drop(board);
    wait(&mut app, |shown| {
        shown.lost.kept.is_some() && shown.link.is_down()
    });
    app.world_mut().write_message(PlayOn);
    app.update();
    assert_eq!(shown(&app).link, BoardLink::Direct);
    assert_eq!(shown(&app).status.score, score);
    assert!(shown(&app).status.turn.is_some());
    app.update();
    assert!(lights(&mut app) > 5);
    assert_eq!(app.world().resource::<BoardPlaces>().current.at, At::Core);
}

#[test]
fn a_restarted_board_gets_its_game_back() {
    let (board, at) = board(0);
    let mut app = app_at(at.clone());
    start_a_game(&mut app);
    let score = shown(&app).status.score;
    let port = board.tcp.unwrap().port();
    drop(board);
    wait(&mut app, |shown| shown.link.is_down());
    let (_board, _) = self::board(port);
    wait(&mut app, |shown| shown.lost.restarted.is_some());
    assert!(log(&app).contains(&"the board restarted".to_owned()));
    wait(&mut app, |shown| {
        shown.link.answers() && shown.status.score.is_none()
    });
    app.world_mut().write_message(WindowCommand::BringBack);
    wait(&mut app, |shown| {
        shown.lost.restarted.is_none()
            && shown.status.score == score
            && matches!(shown.twin, Agreement::Agrees { .. })
    });
    assert_eq!(shown(&app).lost.kept, None);
    assert_eq!(notes(&app), [NoteKind::Lost, NoteKind::Restarted]);
}

#[test]
fn a_restarted_board_can_be_left_as_it_is() {
    let (board, at) = board(0);
    let mut app = app_at(at);
    start_a_game(&mut app);
    let port = board.tcp.unwrap().port();
    drop(board);
    wait(&mut app, |shown| shown.link.is_down());
    let (_board, _) = self::board(port);
    wait(&mut app, |shown| shown.lost.restarted.is_some());
    app.world_mut().write_message(WindowCommand::LeaveIt);
    app.update();
    assert_eq!(shown(&app).lost.restarted, None);
    wait(&mut app, |shown| {
        matches!(shown.twin, Agreement::Agrees { .. })
    });
    assert_eq!(shown(&app).status.score, None);
}

/// The process id of the QEMU that this process started.
#[cfg(target_os = "linux")]
fn qemu() -> Option<u32> {
    let parent = |pid: u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let after = stat.rsplit_once(')')?.1;
        after.split_whitespace().nth(1)?.parse().ok()
    };
    let own = std::process::id();
    let mut processes = std::fs::read_dir("/proc").ok()?.flatten();
    processes.find_map(|entry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
        let ours = parent(pid) == Some(own) || parent(parent(pid)?) == Some(own);
        (name.starts_with("qemu-system") && ours).then_some(pid)
    })
}

#[cfg(target_os = "linux")]
#[test]
fn a_qemu_that_was_killed_is_started_again() {
    let mut app = app_at(At::Qemu(Image::default()));
    wait(&mut app, |shown| {
        matches!(shown.twin, Agreement::Agrees { .. })
    });
    let first = qemu().unwrap();
    let killed = std::process::Command::new("kill")
        .args(["-9", &first.to_string()])
        .status();
    assert!(killed.unwrap().success());
    wait(&mut app, |shown| shown.link.is_down());
    app.world_mut()
        .write_message(Connect(At::Qemu(Image::default())));
    wait(&mut app, |shown| {
        matches!(shown.twin, Agreement::Agrees { .. })
    });
    assert_ne!(qemu(), Some(first));
}

#[test]
fn after_a_failed_connection_another_board_can_be_chosen() {
    let mut app = app_at(At::Serial("/dev/no-such-port".into()));
    wait(&mut app, |shown| shown.link.is_down());
    app.world_mut().write_message(Connect(At::Core));
    app.update();
    assert_eq!(shown(&app).link, BoardLink::Direct);
}

//! Best scores survive a power-off: a game is played to its end, the board is switched
//! off and on, and the scores are still there. Whatever does not count as playing does
//! not change them.

use std::fs;
use std::path::Path;

use firmware_core::games::number::ISHIDO;
use protocol::{Button, Colour, Deed, Event, Input, Layout, Roster, Settings};
use tempfile::tempdir;
use touchboard_files::KeepFile;
use touchboard_host::session::Header;
use touchboard_host::{CoreDriver, Driver, RecordingDriver, Session};
use touchboard_links::SessionInFile;
use touchboard_links::Where;
use virtual_board::{Options, Running};

use crate::common::{at, hil_bridge};

fn layout() -> Layout {
    Layout::grid(12, 8).unwrap()
}

fn games() -> Roster {
    "ABC".parse().unwrap()
}

fn switch_on(keep: &Path) -> Running {
    crate::common::switch_on(Options {
        layout: Some(layout().into()),
        games: games(),
        keep: Some(keep.to_owned()),
        ..Options::default()
    })
}

/// The shell's answers to these lines at this place.
fn shell(lines: &str, arguments: &[&str]) -> String {
    let folder = tempdir().unwrap();
    let script = folder.path().join("script");
    fs::write(&script, lines).unwrap();
    let script = script.to_string_lossy().into_owned();
    let output = hil_bridge(&[&["shell", &script, "--timeout-ms", "20000"], arguments].concat());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Plays a game of Ishido to its end, always at the first point that fits, and
/// returns its value and the reported places.
fn play(driver: &mut dyn Driver) -> (u32, Vec<(u8, u32)>) {
    let settings = Settings {
        game: ISHIDO,
        speed: 9,
        ..Settings::default()
    };
    driver.carry_out(&Deed::Settings(settings)).unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    driver.step(&start, 1).unwrap();
    driver.take_events();
    while driver.status().unwrap().outcome.is_none() {
        let legal = driver.legal().unwrap();
        let is_dark = |point: &protocol::Point| driver.frame().points.get(*point) == Colour::OFF;
        let point = legal.into_iter().find(is_dark).expect("a stone fits");
        let tap = [Input::Touch(point), Input::Release(point)];
        driver.step(&tap, 1).unwrap();
    }
    let places = driver
        .take_events()
        .into_iter()
        .filter_map(|event| match event.event {
            Event::Best { place, points } => Some((place, points)),
            _ => None,
        });
    let places = places.collect();
    let points = driver.status().unwrap().score.expect("a game")[0];
    (points, places)
}

#[test]
fn a_best_score_survives_switching_the_board_off() {
    let folder = tempdir().unwrap();
    let keep = folder.path().join("best");
    let board = switch_on(&keep);
    let mut driver = place_of(&board).open().unwrap();
    let (points, places) = play(&mut *driver);
    assert_eq!(places, [(1, points)]);
    assert_eq!(&*driver.frame().display, "New best");
    driver.step(&[], 2_000).unwrap();
    assert_ne!(&*driver.frame().display, "New best");
    drop(driver);
    drop(board);
    let board = switch_on(&keep);
    let said = shell("set game=ishido\nbest\n", &["--at", &at(&board)]);
    assert!(
        said.ends_with(&format!("Ishido mode 0: best {points}\n")),
        "{said}"
    );
    // A panic counts as a power-off.
    let client = place_of(&board).client().unwrap();
    let _ = client.request(protocol::Command::Crash);
    drop(client);
    let said = shell("set game=ishido\nbest\n", &["--at", &at(&board)]);
    assert!(said.contains(&format!("best {points}")), "{said}");
    let said = shell(
        "set game=ishido\nbest clear\nbest\n",
        &["--at", &at(&board)],
    );
    assert!(
        said.ends_with("no score yet\nIshido mode 0: no score yet\n"),
        "{said}"
    );
    drop(board);
    let board = switch_on(&keep);
    let said = shell("set game=ishido\nbest\n", &["--at", &at(&board)]);
    assert!(said.ends_with("no score yet\n"), "{said}");
}

fn place_of(board: &Running) -> Where {
    let mut place = Where::new(at(board).parse().unwrap());
    place.line.timeout_ms = 20_000;
    place
}

#[test]
fn the_in_process_board_shares_the_best_scores_file() {
    let folder = tempdir().unwrap();
    let keep = folder.path().join("best");
    let name = keep.to_string_lossy().into_owned();
    let core = || CoreDriver::with_games(layout(), games(), 0).unwrap();
    let mut driver = core().keeping(KeepFile::open(&keep).unwrap());
    let (points, places) = play(&mut driver);
    assert_eq!(places.len(), 1);
    // The same game from the same seed is not entered twice.
    let mut again = core().keeping(KeepFile::open(&keep).unwrap());
    assert_eq!(play(&mut again), (points, vec![]));
    let arguments = ["--games", "B", "--keep", &name, "--json"];
    let said = shell("set game=ishido\nbest\n", &arguments);
    assert!(said.contains(&format!("\"best\":[{points}]")), "{said}");
    let board = switch_on(&keep);
    let said = shell("set game=ishido\nbest\n", &["--at", &at(&board)]);
    assert!(said.ends_with(&format!("best {points}\n")), "{said}");
}

#[test]
fn a_replayed_session_enters_no_best_score() {
    let folder = tempdir().unwrap();
    let session = folder.path().join("game.session");
    let core = CoreDriver::with_games(layout(), games(), 3).unwrap();
    let header = Header::new(layout(), 3, "a game of Ishido").with_games(games());
    let mut recorded = RecordingDriver::replaying(core, Session::new(header)).unwrap();
    play(&mut recorded);
    recorded.session().save(&session).unwrap();
    let session = session.to_str().unwrap();
    let keep = folder.path().join("best");
    let name = keep.to_string_lossy().into_owned();
    let output = hil_bridge(&["replay", session, "--keep", &name]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(!keep.exists());
    let board = switch_on(&keep);
    let output = hil_bridge(&[
        "replay",
        session,
        "--at",
        &at(&board),
        "--timeout-ms",
        "20000",
    ]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(!keep.exists());
    // Played by a person, this game would have entered a score.
    let session = Session::load(Path::new(session)).unwrap();
    let mut core = CoreDriver::with_games(layout(), games(), 0)
        .unwrap()
        .keeping(KeepFile::open(&keep).unwrap());
    assert_eq!(session.replay(&mut core, &mut |_| ()).unwrap(), None);
    assert!(keep.exists());
}

#[test]
fn a_broken_best_scores_file_is_refused_and_kept() {
    let folder = tempdir().unwrap();
    let broken = folder.path().join("best");
    fs::write(&broken, "no scores").unwrap();
    let name = broken.to_string_lossy().into_owned();
    for arguments in [
        &["shell", "--keep", &name][..],
        &["shell", "--at", "virtual", "--keep", &name],
        &["info", "--at", "tcp:localhost:1", "--keep", "best"],
        &["mirror", "--at", "virtual", "--watch", "--keep", "best"],
    ] {
        let output = hil_bridge(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(
            said.contains("best scores") || said.contains("--keep"),
            "{said}"
        );
        assert!(!said.contains("panicked"), "{said}");
    }
    assert_eq!(fs::read(&broken).unwrap(), b"no scores");
}

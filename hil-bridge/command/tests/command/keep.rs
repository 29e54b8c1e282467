//! An inserted game survives a power-off: the board starts with its layout and plays it,
//! until it is removed.

use std::fs;
use std::path::{Path, PathBuf};

use firmware_core::digest::digest_of_bytes;
use firmware_core::games::LAYOUTS_OWN;
use protocol::{Button, Deed, Input, KnownLayout, Layout};
use tempfile::tempdir;
use touchboard_files::KeepFile;
use touchboard_host::session::Header;
use touchboard_host::{CoreDriver, Driver, RecordingDriver, Session};
use touchboard_links::SessionInFile;
use touchboard_links::{At, RemoteDriver, Where};
use virtual_board::{Options, Running};

use crate::common::{at, hil_bridge};

/// The file of a game's text in this repository.
fn text_of(game: &str) -> PathBuf {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ludemes/games");
    games.join(game).with_extension("lud")
}

fn layout_of(game: &str) -> KnownLayout {
    touchboard_links::games::layout(text_of(game).to_str().unwrap()).unwrap()
}

/// The board's own layout, which differs from the one that its games are made for.
fn own() -> Layout {
    Layout::grid(7, 6).unwrap()
}

fn switch_on(keep: &Path) -> Running {
    crate::common::switch_on(Options {
        layout: Some(own().into()),
        keep: Some(keep.to_owned()),
        ..Options::default()
    })
}

fn place_of(board: &Running) -> Where {
    let mut place = Where::new(at(board).parse().unwrap());
    place.line.timeout_ms = 20_000;
    place
}

/// The output and the error output.
fn output(arguments: &[&str]) -> (String, String) {
    let output = hil_bridge(&[arguments, &["--timeout-ms", "20000"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{errors}");
    (String::from_utf8(output.stdout).unwrap(), errors)
}

/// The shell's answers to these lines.
fn shell(lines: &str, arguments: &[&str]) -> (String, String) {
    let folder = tempdir().unwrap();
    let script = folder.path().join("script");
    fs::write(&script, lines).unwrap();
    let script = script.to_string_lossy().into_owned();
    output(&[&["shell", &script], arguments].concat())
}

/// The layout in the hello of a board that uses this file.
fn comes_up_with(keep: &Path) -> Layout {
    let board = switch_on(keep);
    let client = place_of(&board).client().unwrap();
    let hello = client.view().hello;
    let own_game = hello.capabilities.roster.has(LAYOUTS_OWN);
    let brings = hello
        .layout
        .drawing()
        .is_some_and(|known| known.as_drawing().game().is_some());
    assert_eq!(own_game, brings);
    hello.layout
}

#[test]
fn an_inserted_game_survives_switching_the_board_off() {
    let folder = tempdir().unwrap();
    let keep = folder.path().join("best");
    let hex = text_of("hex").to_string_lossy().into_owned();
    let board = switch_on(&keep);
    let (said_of_it, _) = output(&["upload", &hex, "--at", &at(&board)]);
    assert!(said_of_it.contains("has it now"), "{said_of_it}");
    drop(board);
    assert_eq!(comes_up_with(&keep), layout_of("hex"));

    // The game plays as on a board into which it was just inserted.
    let board = switch_on(&keep);
    let script = "seed 4\nstart\ntap a1\nscore\ndigest\n";
    let (there, _) = shell(script, &["--at", &at(&board)]);
    let (fresh, _) = shell(script, &["--layout", &hex]);
    assert_eq!(there, fresh);
    // A panic counts as a power-off, and what was written last persists.
    let client = place_of(&board).client().unwrap();
    let _ = client.request(protocol::Command::Crash);
    drop(client);
    let (there, _) = shell(script, &["--at", &at(&board)]);
    assert_eq!(there, fresh);
    let go = text_of("breakthrough").to_string_lossy().into_owned();
    shell(&format!("insert {go}\nseed 5\n"), &["--at", &at(&board)]);
    drop(board);
    assert_eq!(comes_up_with(&keep), layout_of("breakthrough"));
}

#[test]
fn removing_a_game_restores_the_boards_own_layout() {
    let folder = tempdir().unwrap();
    let keep = folder.path().join("best");
    for (taken_out, now) in [
        (&["shell", "insert none"][..], Layout::MALDOO),
        (&["shell", "reset 8x8"], Layout::grid(8, 8).unwrap()),
        (&["upload", "--none"], Layout::MALDOO),
        (
            &["upload", "--none", "--layout", "5x5"],
            Layout::grid(5, 5).unwrap(),
        ),
    ] {
        let board = switch_on(&keep);
        let mut driver = place_of(&board).open().unwrap();
        let teeko = layout_of("teeko");
        let layout = teeko.layout();
        driver.carry_out(&Deed::Reset { seed: 1, layout }).unwrap();
        drop((driver, board));
        let board = switch_on(&keep);
        match taken_out {
            ["shell", line] => drop(shell(&format!("{line}\n"), &["--at", &at(&board)])),
            upload => drop(output(&[upload, &["--at", &at(&board)]].concat())),
        }
        let client = place_of(&board).client().unwrap();
        assert_eq!(client.view().hello.layout, now);
        drop((client, board));
        assert_eq!(comes_up_with(&keep), own(), "{taken_out:?}");
    }
}

#[test]
fn testing_a_board_keeps_its_inserted_game() {
    let folder = tempdir().unwrap();
    let (keep, session) = (
        folder.path().join("best"),
        folder.path().join("some.session"),
    );
    let core = CoreDriver::new(own(), 3).unwrap();
    let header = Header::new(own(), 3, "a touch");
    let mut recorded = RecordingDriver::replaying(core, Session::new(header)).unwrap();
    recorded.step(&[Input::Press(Button::Start)], 30).unwrap();
    recorded.session().save(&session).unwrap();

    let board = switch_on(&keep);
    let teeko = layout_of("teeko");
    let layout = teeko.layout();
    let reset = Deed::Reset { seed: 1, layout };
    place_of(&board).open().unwrap().carry_out(&reset).unwrap();
    let at = at(&board);
    output(&["check", "--at", &at, "--layout", "8x8", "--steps", "20"]);
    output(&["replay", session.to_str().unwrap(), "--at", &at]);
    let hex = text_of("hex").to_string_lossy().into_owned();
    output(&["check", "--at", &at, "--layout", &hex, "--steps", "20"]);
    drop(board);
    assert_eq!(comes_up_with(&keep), layout);
    // Loading a saved board does not count as inserting its game.
    let board = switch_on(&keep);
    let mut driver = place_of(&board).open().unwrap();
    driver
        .load(&CoreDriver::new(own(), 3).unwrap().save().unwrap())
        .unwrap();
    assert_eq!(driver.layout(), own());
    drop((driver, board));
    assert_eq!(comes_up_with(&keep), layout);
}

#[test]
fn boards_begin_with_the_kept_game_unless_a_layout_is_named() {
    for at in ["core", "virtual"] {
        let folder = tempdir().unwrap();
        let keep = folder.path().join("best");
        let mut place = Where::new(at.parse().unwrap());
        place.keep = Some(keep);
        place.line.timeout_ms = 20_000;
        let opened = |place: &Where| place.open().unwrap().layout();
        assert_eq!(opened(&place), Layout::MALDOO);
        let layout = layout_of("teeko");
        place.layout = Some(layout.clone());
        assert_eq!(opened(&place), layout);
        place.layout = None;
        assert_eq!(opened(&place), layout, "{at}");
        // A test on the board does not change its stored data.
        let test = Where {
            is_test: true,
            layout: Some(own().into()),
            ..place.clone()
        };
        assert_eq!(opened(&test), own());
        assert_eq!(opened(&place), layout);
        place.layout = Some(own().into());
        assert_eq!(opened(&place), own());
        place.layout = None;
        assert_eq!(opened(&place), Layout::MALDOO);
    }
}

/// A file as another version of the program may have written it: its checksum is right,
/// but its game cannot be played here.
fn of_another_version(keep: &Path) {
    let mut core = CoreDriver::new(own(), 0)
        .unwrap()
        .keeping(KeepFile::open(keep).unwrap());
    let teeko = layout_of("teeko");
    let layout = teeko.layout();
    core.carry_out(&Deed::Reset { seed: 1, layout }).unwrap();
    drop(core);
    let mut bytes = fs::read(keep).unwrap();
    let head = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let seal = bytes.len() - 8;
    // Any byte of the game may be wrong; this one is in the cartridge's name.
    let drawing = teeko.drawing().unwrap().as_drawing();
    let game = drawing.game().unwrap().len();
    let points = drawing.points();
    bytes[seal - game + 2 * points] ^= 0xFF;
    let digest = digest_of_bytes(&bytes[head..seal]).to_le_bytes();
    bytes[seal..].copy_from_slice(&digest);
    fs::write(keep, bytes).unwrap();
}

#[test]
fn a_kept_game_of_another_version_is_refused_and_reported() {
    let folder = tempdir().unwrap();
    let keep = folder.path().join("best");
    of_another_version(&keep);
    let bytes = fs::read(&keep).unwrap();
    let name = keep.to_string_lossy().into_owned();
    for at in ["core", "virtual"] {
        let (shown, told) = shell("show\nwait 50\nscore\n", &["--at", at, "--keep", &name]);
        assert!(shown.contains(" 9  . . . . . . . . .\n"), "{shown}");
        assert!(
            told.contains("is not played by this program"),
            "{at}: {told}"
        );
    }
    assert_eq!(comes_up_with(&keep), own());
    // The file stays until another game replaces it.
    assert_eq!(fs::read(&keep).unwrap(), bytes);
    let place = Where {
        keep: Some(keep.clone()),
        ..Where::new(At::Core)
    };
    assert_eq!(place.open().unwrap().layout(), Layout::MALDOO);
    let hex = text_of("hex").to_string_lossy().into_owned();
    shell(&format!("insert {hex}\n"), &["--keep", &name]);
    assert_ne!(fs::read(&keep).unwrap(), bytes);
    assert_eq!(comes_up_with(&keep), layout_of("hex"));
}

#[test]
fn a_changed_identity_of_a_board_is_known_at_once() {
    let folder = tempdir().unwrap();
    let board = switch_on(&folder.path().join("keep"));
    let mill = layout_of("nine-mens-morris");
    for (seed, layout) in [(7, *mill), (8, own())] {
        let client = place_of(&board).client().unwrap();
        let reset = protocol::Command::Do(Deed::Reset { seed, layout });
        client.request(reset).unwrap().result.unwrap();
        let hello = client.view().hello;
        assert_eq!((hello.seed, hello.layout), (seed, layout));
        let driver = RemoteDriver::over(client).unwrap();
        assert_eq!(driver.layout(), layout);
    }
}

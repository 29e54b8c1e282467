//! One recorded session for each game and mode, replayed on all boards.
//!
//! The sessions record the behaviour of the firmware to the last bit of its state. After
//! an intended change, update them with `UPDATE_SESSIONS=1 cargo test -p touchboard-tests
//! --test golden_sessions` and `cargo xtask transcripts`, and then read the diff of the
//! transcripts.

use std::path::PathBuf;

use firmware_core::games;
use protocol::Roster;
use touchboard_host::check::{TimeLimit, Verdict, check_session};
use touchboard_host::session::Session;
use touchboard_host::{Driver, transcript};
use touchboard_links::SessionInFile;
use touchboard_links::qemu::Image;
use touchboard_links::{At, Where};
use touchboard_tests::far::pico_or_excuse;
use touchboard_tests::record::{ALONE, OTHERS, golden};

fn modes_of(roster: Roster) -> impl Iterator<Item = (u8, u8)> {
    let games: Vec<u8> = roster.iter().collect();
    games.into_iter().flat_map(|game| {
        let modes = games::about(game).map_or(0, |about| about.modes);
        (0..modes).map(move |mode| (game, mode))
    })
}

fn games_and_modes() -> impl Iterator<Item = (u8, u8)> {
    let alone = ALONE.iter().flat_map(|game| modes_of(Roster::of(&[*game])));
    modes_of(games::ROSTER).chain(modes_of(OTHERS)).chain(alone)
}

fn path(game: u8, mode: u8) -> PathBuf {
    let name = games::about(game)
        .map_or("?", |about| about.name)
        .to_lowercase();
    let letter = Roster::letter(mode);
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("sessions")
        .join(format!("{name}-{}.session", letter.to_ascii_lowercase()))
}

fn open(at: At, games: Option<Roster>) -> Box<dyn Driver> {
    let mut place = Where::new(at);
    place.games = games;
    place.line.timeout_ms = 20_000;
    place.open().unwrap_or_else(|error| panic!("{error}"))
}

fn replay_all(board: &mut dyn Driver) {
    for (game, mode) in modes_of(board.roster()) {
        let session = Session::load(&path(game, mode)).unwrap_or_else(|error| panic!("{error}"));
        let mismatch = session
            .replay(board, &mut |_| {})
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(mismatch, None, "game {game} mode {mode} at {}", board.at());
    }
}

#[test]
fn every_game_and_mode_replays_in_process() {
    if std::env::var_os("UPDATE_SESSIONS").is_some() {
        for (game, mode) in games_and_modes() {
            let path = path(game, mode);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            golden(game, mode)
                .save(&path)
                .unwrap_or_else(|error| panic!("{error}"));
        }
    }
    replay_all(&mut *open(At::Core, None));
    replay_all(&mut *open(At::Core, Some(OTHERS)));
    for game in ALONE {
        replay_all(&mut *open(At::Core, Some(Roster::of(&[*game]))));
    }
}

#[test]
fn every_game_and_mode_replays_over_a_pseudo_terminal() {
    replay_all(&mut *open(At::Virtual, None));
    replay_all(&mut *open(At::Virtual, Some(OTHERS)));
    for game in ALONE {
        replay_all(&mut *open(At::Virtual, Some(Roster::of(&[*game]))));
    }
}

#[test]
fn every_game_and_mode_replays_on_lm3s6965evb() {
    replay_all(&mut *open(At::Qemu(Image::LM3S6965EVB), None));
}

#[test]
fn every_game_and_mode_replays_on_netduinoplus2() {
    replay_all(&mut *open(At::Qemu(Image::NETDUINOPLUS2), None));
}

/// The Pico has games that the board of the recordings lacks, so its digests differ. It
/// is compared with a twin that has the same games, while the recorded inputs are
/// repeated. An emulated chip is slow: `PICO_SESSIONS=100` replays all sessions.
#[test]
fn some_games_and_modes_agree_on_pico_and_its_twin() {
    const USUAL: usize = 4;
    let asked = std::env::var("PICO_SESSIONS").ok();
    let most = asked.and_then(|text| text.parse().ok()).unwrap_or(USUAL);
    let Some(mut board) = pico_or_excuse(false) else {
        return;
    };
    for (game, mode) in modes_of(games::ROSTER).take(most) {
        let session = Session::load(&path(game, mode));
        let mut session = session.unwrap_or_else(|error| panic!("{error}"));
        session.header.roster = board.roster();
        let verdict = check_session(&mut *board, &session, TimeLimit::NONE, &mut |_| ());
        let verdict = verdict.unwrap_or_else(|error| panic!("{error}"));
        let Verdict::Agrees(agreement) = verdict else {
            panic!("game {game} mode {mode}: {verdict:?}");
        };
        assert!(
            agreement.inputs > 0,
            "game {game} mode {mode}: {agreement:?}"
        );
    }
}

/// The files are recordings of this firmware, not of an older version.
#[test]
fn the_recordings_are_up_to_date() {
    for (game, mode) in games_and_modes() {
        let file = Session::load(&path(game, mode)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            file,
            golden(game, mode),
            "game {game} mode {mode}: see the head of this file"
        );
    }
}

/// Each session has a transcript that describes it, and no transcript is left over from a
/// removed session.
#[test]
fn every_session_has_its_transcript() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sessions");
    let mut wrong = Vec::new();
    for file in std::fs::read_dir(folder).expect("the sessions are there") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|end| end == "txt") {
            if !path.with_extension("session").exists() {
                wrong.push(format!("{}: its session is gone", path.display()));
            }
            continue;
        }
        let session = Session::load(&path).unwrap_or_else(|error| panic!("{error}"));
        let lines = transcript::lines(&session).unwrap_or_else(|error| panic!("{error}"));
        let path = path.with_extension("txt");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let mut told = text.lines();
        let first = lines.iter().find(|line| told.next() != Some(line));
        if let Some(line) = first {
            wrong.push(format!("{}: the session says {line:?}", path.display()));
        } else if told.next().is_some() {
            wrong.push(format!("{}: the session ends sooner", path.display()));
        }
    }
    assert!(
        wrong.is_empty(),
        "`cargo xtask transcripts` makes these anew:\n{}",
        wrong.join("\n")
    );
}

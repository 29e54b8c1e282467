//! One demonstration game for each game, to watch: `emulator tests/demos/ghost.session`.
//!
//! The games are played again here, and must match the files. After an intended change,
//! update them with `UPDATE_SESSIONS=1 cargo test -p touchboard-tests --test demos`.

use std::path::PathBuf;

use firmware_core::games;
use protocol::Tick;
use touchboard_host::session::Session;
use touchboard_links::SessionInFile;
use touchboard_tests::demo::demo;
use touchboard_tests::record::OTHERS;

/// The maximum duration of a demo.
const LONGEST_MS: Tick = 60_000;

fn path(game: u8) -> PathBuf {
    let name = games::about(game).map_or("?", |about| about.name);
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("demos")
        .join(format!("{}.session", name.to_lowercase()))
}

#[test]
fn the_demonstrations_replay_as_recorded() {
    for game in games::ROSTER.iter().chain(OTHERS.iter()) {
        let played = demo(game, 0, LONGEST_MS);
        if std::env::var_os("UPDATE_SESSIONS").is_some() {
            played
                .save(&path(game))
                .unwrap_or_else(|error| panic!("{error}"));
        }
        let written = Session::load(&path(game)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(written, played, "game {game}: see the head of this file");
    }
}

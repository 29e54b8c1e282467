//! Runs the tests of one game, for its author. They are built with that game only, which
//! takes a third of the time of all tests.

use std::process::Command;

use anyhow::ensure;

use crate::cargo::{cargo, root, run};

/// The command that builds and runs the tests of the game with this folder name.
pub fn command(game: &str) -> Command {
    let mut cargo = cargo();
    cargo.args(["test", "--package", "firmware-core", "--lib"]);
    cargo.args(["--no-default-features", "--features", &features(game)]);
    cargo.arg(match game {
        // A layout game has no rules of its own, but those of its cartridge.
        "written" => "cartridge::".to_owned(),
        game => format!("games::{game}::"),
    });
    cargo
}

/// The command that only checks whether they compile.
pub fn check(game: &str) -> Command {
    let mut cargo = cargo();
    cargo.args(["check", "--profile", "test", "--package", "firmware-core"]);
    cargo.args([
        "--lib",
        "--no-default-features",
        "--features",
        &features(game),
    ]);
    cargo
}

/// The core's features for building a game on a host.
fn features(game: &str) -> String {
    format!("{},host,std", feature(game))
}

/// The feature of a game, by its folder.
fn feature(game: &str) -> &str {
    match game {
        "written" => "cartridge",
        game => game,
    }
}

/// The folder names of the games, in alphabetical order.
pub fn games() -> anyhow::Result<Vec<String>> {
    let folder = root().join("firmware-core/src/games");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        // The shared tests of all games are not a game: they have no turns.
        let text = std::fs::read_to_string(path.join("mod.rs")).unwrap_or_default();
        let name = path.file_name().map(|name| name.to_string_lossy());
        if let Some(name) = name.filter(|_| text.contains("fn turn(&self)")) {
            names.push(name.into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Builds and runs the tests of a game.
pub fn run_all(game: &str) -> anyhow::Result<()> {
    let games = games()?;
    let games_there = games.join(", ");
    ensure!(
        games.iter().any(|name| name == game),
        "there is no game {game:?}: write one of {games_there}"
    );
    run(&mut command(game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_of_the_table_has_tests_of_its_own() {
        let mut expected: Vec<String> = firmware_core::games::BUILT
            .iter()
            .filter_map(firmware_core::games::about)
            .map(|about| about.name.to_lowercase())
            .collect();
        // Layout games are tested by their compiler, in hil-bridge/ludemes.
        expected.push("written".to_owned());
        expected.sort();
        assert_eq!(games().unwrap(), expected);
    }

    #[test]
    fn every_game_is_built_with_a_feature_of_the_core() {
        let manifest = root().join("firmware-core/Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).unwrap();
        for game in games().unwrap() {
            let row = format!("\n{} = [", feature(&game));
            assert!(manifest.contains(&row), "{game}");
        }
    }

    #[test]
    fn an_unknown_game_is_refused_with_the_known_ones() {
        let error = run_all("chess").unwrap_err().to_string();
        assert!(
            error.contains("no game \"chess\"") && error.contains("reversi"),
            "{error}"
        );
    }
}

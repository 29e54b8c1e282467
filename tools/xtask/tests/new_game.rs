//! Creates a game by `cargo xtask new-game` in a copy of the tree.

use std::path::Path;
use std::process::Command;

use xtask::cargo::{cargo, root, target_dir};
use xtask::new_game::make;
use xtask::scratch::{copy, share_libraries};

/// Runs cargo in the copy, with the libraries of the tree.
fn succeeds(copy: &Path, arguments: &[&str]) {
    let mut cargo: Command = cargo();
    cargo.current_dir(copy).args(arguments);
    share_libraries(&mut cargo, &copy.join("target")).unwrap();
    let output = cargo.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}\n{told}\n{errors}");
    print!("{told}");
}

#[test]
fn a_generated_game_is_in_every_table_and_keeps_the_laws() {
    let scratch = target_dir().unwrap().join("new-game");
    copy(&root(), &scratch, &|_, bytes| Ok(bytes)).unwrap();
    let game = make(&scratch, "Hive").unwrap();
    assert_eq!((&*game.module, game.number), ("hive", 15));
    let again = make(&scratch, "Hive").unwrap_err().to_string();
    assert!(again.contains("already"), "{again}");
    // A second game gets the next number, next to the first one.
    assert_eq!(make(&scratch, "Zebra").unwrap().number, 16);
    let features = ["--no-default-features", "--features", "hive,host,std"];
    let tests = ["test", "--package", "firmware-core", "--lib"];
    let own = ["games::hive::"];
    succeeds(&scratch, &[&tests[..], &features, &own].concat());
}

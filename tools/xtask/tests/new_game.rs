//! Creates a game by `cargo xtask new-game` in a copy of the tree.

use std::fs;
use std::path::Path;
use std::process::Command;

use xtask::cargo::{cargo, root, target_dir};
use xtask::new_game::make;

/// The folders not worth copying: builds and history.
const LEFT_OUT: [&str; 2] = ["target", ".git"];

/// Copies a folder. Unchanged files are not written, so that cargo need not rebuild them.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (name, path) = (entry.file_name(), entry.path());
        let other = to.join(&name);
        if LEFT_OUT.iter().any(|left_out| name == *left_out) {
            continue;
        }
        if path.is_dir() {
            copy(&path, &other);
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        if fs::read(&other).ok() != Some(bytes.clone()) {
            fs::write(&other, bytes).unwrap();
        }
    }
}

/// Removes from the copy what is not in the tree any more, such as a module that was moved.
fn remove_others(from: &Path, to: &Path) {
    for entry in fs::read_dir(to).into_iter().flatten().flatten() {
        let (path, other) = (entry.path(), from.join(entry.file_name()));
        match (path.is_dir(), other.exists()) {
            (true, true) => remove_others(&other, &path),
            (true, false) => fs::remove_dir_all(&path).unwrap(),
            (false, true) => {}
            (false, false) => fs::remove_file(&path).unwrap(),
        }
    }
}

/// Runs cargo in the copy, with the build folder of the tree.
fn succeeds(copy: &Path, arguments: &[&str]) {
    let mut cargo: Command = cargo();
    cargo.current_dir(copy).args(arguments);
    cargo.env("CARGO_TARGET_DIR", target_dir().unwrap());
    let output = cargo.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}\n{told}\n{errors}");
    print!("{told}");
}

#[test]
fn a_new_game_is_in_every_table_and_keeps_every_law() {
    let scratch = target_dir().unwrap().join("new-game");
    remove_others(&root(), &scratch);
    copy(&root(), &scratch);
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

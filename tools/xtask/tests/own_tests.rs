//! The example of a user's own tests: a package outside of the workspace, as a firmware
//! author would have one. As the book says, the folder is copied and the paths in its
//! manifest are changed. Its tests pass on a correct board, and one fails on a board with a
//! mistake.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;
use touchboard_host::Session;
use touchboard_links::SessionInFile;
use xtask::cargo::{cargo, root, target_dir};
use xtask::scratch::{copy, share_libraries};

const FOLDER: &str = "tools/examples/own-tests";

/// The path in its manifest that leads to the top of the tree.
const UP: &str = "../../../";

/// The profile with which the tree builds its libraries, so that the copy is built on the
/// same ones.
const SHARED: &str = r#"
opt-level = 1
lto = "off"

[profile.dev.package."*"]
debug = false
"#;

/// A copy of the example, beside the finished programs.
fn copied() -> PathBuf {
    let to = target_dir().unwrap().join("own-tests/copy");
    let top = format!("{}/", root().display()).replace('\\', "/");
    let change = |from: &Path, bytes: Vec<u8>| {
        if !from.ends_with("Cargo.toml") {
            return Ok(bytes);
        }
        let manifest = String::from_utf8(bytes)?;
        assert_eq!(manifest.matches(UP).count(), 2, "{manifest}");
        let manifest = manifest.replace(UP, &top);
        let equal = format!("equal-features = {{ path = \"{top}tools/equal-features\" }}");
        let dependencies = format!("[dependencies]\n{equal}");
        let manifest = manifest.replace("[dependencies]", &dependencies);
        let profile = "debug = \"line-tables-only\"\n";
        assert!(manifest.contains(profile), "{manifest}");
        Ok(manifest
            .replace(profile, &format!("{profile}{}", SHARED.trim_start()))
            .into_bytes())
    };
    copy(&root().join(FOLDER), &to, &change).unwrap();
    // The versions are those of the tree.
    fs::copy(root().join("Cargo.lock"), to.join("Cargo.lock")).unwrap();
    to
}

/// Runs its tests on the board at this place; sessions go to this folder.
fn run_at(place: &str, sessions: &Path) -> Output {
    let mut command: Command = cargo();
    command.current_dir(copied());
    command.args(["test", "--test", "reversi", "--", "--test-threads=2"]);
    let programs = target_dir().unwrap().join("own-tests/build");
    share_libraries(&mut command, &programs).unwrap();
    command.env("TOUCHBOARD_AT", place);
    command.env("TOUCHBOARD_SESSIONS", sessions);
    command.env("RUST_BACKTRACE", "0");
    command.output().unwrap()
}

fn told(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// The first block of this language in the chapter of the book.
fn block<'a>(chapter: &'a str, kind: &str) -> &'a str {
    let (_, block) = chapter
        .split_once(&format!("```{kind}\n"))
        .expect("there is one");
    block.split_once("```").expect("it ends").0
}

#[test]
fn the_lock_file_of_the_example_is_complete() {
    let mut command: Command = cargo();
    command.current_dir(root().join(FOLDER));
    command.args(["tree", "--locked"]);
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

#[test]
fn the_example_tests_pass_and_find_a_wrong_rule() {
    let sessions = TempDir::new().unwrap();
    for place in ["core", "virtual --seed 7"] {
        let told = told(&run_at(place, sessions.path()));
        assert!(
            told.contains("test result: ok. 5 passed; 0 failed"),
            "{told}"
        );
    }
    let told = told(&run_at("virtual --break-rule", sessions.path()));
    assert!(
        told.contains("test result: FAILED. 4 passed; 1 failed"),
        "{told}"
    );
    let chapter = fs::read_to_string(root().join("tools/book/src/own-tests.md")).unwrap();
    let tests = fs::read_to_string(root().join(FOLDER).join("tests/reversi.rs")).unwrap();
    let shown = block(&chapter, "rust");
    assert!(tests.contains(shown), "{shown}");
    let (failure, _) = block(&chapter, "text").split_once("target/debug").unwrap();
    let mut lines = tests.lines();
    let line = 1 + lines
        .position(|line| line.contains("expect_rhythm"))
        .unwrap();
    let failure = format!("tests/reversi.rs:{line}:11:\n{failure}");
    assert!(told.contains(&failure), "{told}");
    let file = sessions.path().join("reversi.red_answers_green.session");
    assert!(
        told.contains(&format!("{}: open it in the window", file.display())),
        "{told}"
    );
    let session = Session::load(&file).unwrap();
    assert_eq!(session.header.note, "red_answers_green");
    let scenario = touchboard_host::scenario::lines(&session).unwrap();
    assert_eq!(
        scenario[3..7].join("; "),
        "set game=0 mode=0 level=0 time=3 speed=5; start; tap d7; wait 700"
    );
}

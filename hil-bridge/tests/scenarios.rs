//! Every scenario file in `tests/scenarios` holds at the board in this process.

use std::fs;
use std::path::{Path, PathBuf};

use hil_bridge::CoreDriver;
use hil_bridge::shell::{Answers, Ending, OnTrouble, Paint, Reader, ShellOptions, run};
use protocol::Layout;

const SEED: u64 = 7;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/scenarios")
}

/// What goes wrong in a script, and how it ends.
fn play(script: &str, seed: u64) -> (String, Ending) {
    let mut driver = CoreDriver::new(Layout::MALDOO, seed).expect("9x9 is a layout");
    let options = ShellOptions {
        answers: Answers::Plain(Paint::Letters),
        reader: Reader::Script,
        on_trouble: OnTrouble::GoOn,
        seed,
    };
    let mut errors = Vec::new();
    let ending = run(
        &mut driver,
        script.as_bytes(),
        Vec::new(),
        &mut errors,
        &options,
    )
    .expect("memory is writable");
    (String::from_utf8_lossy(&errors).into_owned(), ending)
}

#[test]
fn every_scenario_holds_whatever_the_seed() {
    let mut names: Vec<PathBuf> = fs::read_dir(folder())
        .expect("tests/scenarios is in the tree")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    names.sort();
    assert!(!names.is_empty());
    for name in names {
        let script = fs::read_to_string(&name).expect("a scenario is UTF-8 text");
        let expectations = script.lines().filter(|line| line.starts_with("expect"));
        assert!(
            expectations.count() >= 2,
            "{} expects hardly anything",
            name.display()
        );
        for seed in [SEED, 8, 9] {
            let (errors, ending) = play(&script, seed);
            assert_eq!(
                ending,
                Ending::Done,
                "{} with seed {seed}\n{errors}",
                name.display()
            );
        }
    }
}

#[test]
fn a_scenario_whose_expectation_is_turned_round_fails() {
    let name = folder().join("reversi-start.txt");
    let script = fs::read_to_string(name).expect("the first scenario is there");
    let wrong = script.replace("expect score 4 1", "expect score 1 4");
    let (errors, ending) = play(&wrong, SEED);
    assert_eq!(ending, Ending::Failed);
    assert!(
        errors.ends_with("expected score 1 4, found 4 1\n"),
        "{errors}"
    );
}

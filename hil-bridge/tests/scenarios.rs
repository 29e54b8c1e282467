//! Every scenario file in `tests/scenarios` holds at the board in this process
//! and at one at the end of a line, to the same words and ticks.

use std::fs;
use std::path::{Path, PathBuf};

use hil_bridge::at::{At, Where};
use hil_bridge::shell::{Answers, Ending, OnTrouble, Paint, Reader, ShellOptions, run};
use hil_bridge::{CoreDriver, Driver};
use protocol::Layout;

const SEED: u64 = 7;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/scenarios")
}

fn core(seed: u64) -> CoreDriver {
    CoreDriver::new(Layout::MALDOO, seed).expect("9x9 is a layout")
}

/// Every scenario, with the name of its file.
fn scenarios() -> Vec<(String, String)> {
    let mut names: Vec<PathBuf> = fs::read_dir(folder())
        .expect("tests/scenarios is in the tree")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    names.sort();
    assert!(!names.is_empty());
    let text = |name: PathBuf| {
        let text = fs::read_to_string(&name).expect("a scenario is UTF-8 text");
        (name.display().to_string(), text)
    };
    names.into_iter().map(text).collect()
}

/// What a script writes to output and to errors, and how it ends.
fn play(
    driver: &mut dyn Driver,
    script: &str,
    answers: Answers,
    seed: u64,
) -> (String, String, Ending) {
    let options = ShellOptions {
        answers,
        reader: Reader::Script,
        on_trouble: OnTrouble::GoOn,
        seed,
    };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let ending = run(
        driver,
        script.as_bytes(),
        &mut output,
        &mut errors,
        &options,
    )
    .expect("memory is writable");
    let text = |bytes| String::from_utf8(bytes).expect("answers are UTF-8");
    (text(output), text(errors), ending)
}

const PLAIN: Answers = Answers::Plain(Paint::Letters);

#[test]
fn every_scenario_holds_whatever_the_seed() {
    for (name, script) in scenarios() {
        let expectations = script.lines().filter(|line| line.starts_with("expect"));
        assert!(expectations.count() >= 2, "{name} expects hardly anything");
        for seed in [SEED, 8, 9] {
            let (_, errors, ending) = play(&mut core(seed), &script, PLAIN, seed);
            assert_eq!(ending, Ending::Done, "{name} with seed {seed}\n{errors}");
        }
    }
}

#[test]
fn a_scenario_whose_expectation_is_turned_round_fails() {
    let name = folder().join("reversi-start.txt");
    let script = fs::read_to_string(name).expect("the first scenario is there");
    let wrong = script.replace("expect score 4 1", "expect score 1 4");
    let (_, errors, ending) = play(&mut core(SEED), &wrong, PLAIN, SEED);
    assert_eq!(ending, Ending::Failed);
    assert!(
        errors.ends_with("expected score 1 4, found 4 1\n"),
        "{errors}"
    );
}

#[test]
fn a_board_at_the_end_of_a_line_answers_every_scenario_as_the_one_in_this_process() {
    let place = Where {
        seed: Some(SEED),
        ..Where::new(At::Virtual)
    };
    let mut remote = place.open().expect("a virtual board needs nothing");
    for (name, script) in scenarios() {
        let script = format!("reset 9x9\n{script}\nlegal\ndigest\n");
        for answers in [PLAIN, Answers::Json] {
            let here = play(&mut core(SEED), &script, answers, SEED);
            let there = play(&mut *remote, &script, answers, SEED);
            assert_eq!(here, there, "{name}");
        }
    }
}

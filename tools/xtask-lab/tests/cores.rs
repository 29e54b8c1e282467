//! The core on processors without a board of their own.

use std::process::{Command, Output};

fn cores(arguments: &[&str]) -> Output {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask-lab"));
    xtask.arg("cores").args(arguments);
    xtask.output().expect("the task runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// True if the processor was skipped because its compiler or QEMU is missing; reports
/// that.
fn is_excused(told: &str, machine: &str) -> bool {
    told.contains(&format!("excused: {machine} "))
}

/// The last three numbers of a machine's row: games, digests, and boards that were saved
/// and loaded.
fn repeated(told: &str, machine: &str) -> [u32; 3] {
    let row = told
        .lines()
        .find(|line| line.starts_with(&format!("| `{machine}` |")));
    let row = row.unwrap_or_else(|| panic!("{machine} is missing: {told}"));
    let cells = row.trim_matches([' ', '|']).rsplit(" | ");
    let numbers = cells.map_while(|cell| cell.parse().ok());
    let mut last: Vec<u32> = numbers.take(3).collect();
    last.reverse();
    last.try_into().expect("it ends with three numbers")
}

#[test]
fn recorded_games_agree_on_every_processor() {
    let output = cores(&["--ticks", "20000"]);
    let (told, errors) = (text(&output.stdout), text(&output.stderr));
    println!("{told}");
    assert!(output.status.success(), "{told}{errors}");
    for (machine, least) in [("microbit", 40), ("mps2-an386", 70), ("virt", 70)] {
        if is_excused(&told, machine) {
            continue;
        }
        let [games, digests, loads] = repeated(&told, machine);
        assert!(games >= least, "{told}");
        assert!(digests >= 2 * games && loads == digests, "{told}");
    }
}

#[test]
fn a_differing_digest_is_found() {
    let output = cores(&["mps2-an386", "--ticks", "1000", "--wrong"]);
    let (told, errors) = (text(&output.stdout), text(&output.stderr));
    if is_excused(&told, "mps2-an386") {
        println!("{told}");
        return;
    }
    assert_eq!(output.status.code(), Some(1), "{told}{errors}");
    assert!(
        errors.contains("does not repeat what was recorded"),
        "{errors}"
    );
    assert!(errors.contains("the digest is "), "{errors}");
}

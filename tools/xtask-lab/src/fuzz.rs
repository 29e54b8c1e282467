//! Runs the fuzzer for any length of time; the tests only run the same targets for a
//! moment.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::cargo::{cargo, root, run, succeeds, target_dir};

/// The fuzz targets: the programs in `tests/fuzz/fuzz_targets`.
const TARGETS: [&str; 24] = [
    "receiver",
    "to_device",
    "to_host",
    "snapshot",
    "drawing",
    "cartridge",
    "session",
    "shell",
    "board",
    "wire_log",
    "pcapng",
    "vcd",
    "game_text",
    "panel",
    "faults",
    "saved_board",
    "position_text",
    "rfc2217",
    "greeting",
    "uf2",
    "kept_board",
    "monitor",
    "recorded_game",
    "picture",
];

/// The most bytes of the inputs of a target that are kept in the tree.
const MOST_KEPT_BYTES: u64 = 40_000;

#[derive(clap::Args)]
pub struct Options {
    /// What gets the bytes.
    #[arg(value_parser = TARGETS)]
    target: String,
    /// How long.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Then keep the inputs that together reach the most code in `tests/fuzz/corpus`,
    /// instead of those that are there. The tests run them.
    #[arg(long)]
    keep: bool,
}

/// Fuzzes one target. An input that fails is written to a file, and the corpus is kept
/// for the next time, both in the build folder.
pub fn run_target(options: &Options) -> anyhow::Result<()> {
    check_installed()?;
    let own = target_dir()?.join("fuzz");
    let corpus = own.join("corpus");
    let seeds = ["run", "--quiet", "-p", "touchboard-tests", "--example"];
    run(cargo().args(seeds).args(["fuzz_seeds", "--"]).arg(&corpus))?;
    let found = own.join("found");
    fs::create_dir_all(&found)?;
    let target = &options.target;
    let (corpus, kept) = (corpus.join(target), kept(target));
    fs::create_dir_all(&kept)?;
    let prefix = found.join(format!("{target}-"));
    let mut fuzz = fuzzer(&own, target, &[&corpus, &kept]);
    fuzz.arg(format!("-max_total_time={}", options.seconds))
        .arg(format!("-artifact_prefix={}", prefix.display()))
        // Each input ends soon, on any machine.
        .arg("-timeout=20")
        .arg("-print_final_stats=1");
    run(&mut fuzz)?;
    match options.keep {
        true => keep(&own, target, &corpus),
        false => Ok(()),
    }
}

/// The folder of the inputs of a target that are kept in the tree.
fn kept(target: &str) -> PathBuf {
    root().join("tests/fuzz/corpus").join(target)
}

/// The command that builds a target and gives it the inputs of these folders; the first
/// one is written to. Options of the fuzzer itself can be added.
fn fuzzer(own: &Path, target: &str, folders: &[&Path]) -> Command {
    let mut fuzz = cargo();
    // The code under test has no `unsafe`, so the sanitizer for invalid pointers would
    // find nothing. It takes half of the time, and needs a nightly compiler.
    fuzz.args(["fuzz", "run", "--sanitizer", "none"]);
    fuzz.args(["--fuzz-dir", "tests/fuzz", "--target-dir"])
        .arg(own.join("build"))
        .arg(target)
        .args(folders)
        .arg("--");
    fuzz
}

/// Writes the inputs that together reach the most code into the tree, the shortest first
/// until there is no more room, and prints how much they reach.
fn keep(own: &Path, target: &str, corpus: &Path) -> anyhow::Result<()> {
    let merged = own.join("merged").join(target);
    let _ = fs::remove_dir_all(&merged);
    fs::create_dir_all(&merged)?;
    run(fuzzer(own, target, &[&merged, corpus, &kept(target)]).arg("-merge=1"))?;
    let mut inputs = Vec::new();
    for entry in merged.read_dir()? {
        let entry = entry?;
        inputs.push((entry.metadata()?.len(), entry.file_name()));
    }
    inputs.sort();
    let kept = kept(target);
    fs::remove_dir_all(&kept)?;
    fs::create_dir_all(&kept)?;
    for name in shortest(&inputs, MOST_KEPT_BYTES) {
        fs::copy(merged.join(name), kept.join(name))?;
    }
    run(fuzzer(own, target, &[&kept]).arg("-runs=0"))
}

/// The first inputs that have at most this many bytes together.
fn shortest(inputs: &[(u64, OsString)], most: u64) -> impl Iterator<Item = &OsString> {
    let mut bytes = 0;
    let fits = move |(length, _): &&(u64, OsString)| {
        bytes += length;
        bytes <= most
    };
    inputs.iter().take_while(fits).map(|(_, name)| name)
}

fn check_installed() -> anyhow::Result<()> {
    anyhow::ensure!(
        succeeds(cargo().args(["fuzz", "--version"])),
        "cargo-fuzz is missing: install it with `cargo install cargo-fuzz --locked`"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_inputs_that_fit_are_kept() {
        let inputs = [(1, "a".into()), (4, "b".into()), (6, "c".into())];
        let kept = |most| shortest(&inputs, most).cloned().collect::<Vec<_>>();
        assert_eq!(kept(0), [""; 0]);
        assert_eq!(kept(10), ["a", "b"]);
        assert_eq!(kept(11), ["a", "b", "c"]);
    }

    #[test]
    fn every_program_of_the_fuzzer_can_be_asked_for() {
        let programs = root().join("tests/fuzz/fuzz_targets");
        for target in TARGETS {
            assert!(programs.join(target).with_extension("rs").is_file());
        }
        let count = programs.read_dir().expect("they are there").count();
        assert_eq!(count, TARGETS.len());
    }
}

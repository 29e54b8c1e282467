//! Runs the fuzzer for any length of time; the tests only run the same targets for a
//! moment.

use xtask::cargo::{cargo, run, succeeds, target_dir};

/// The fuzz targets: the programs in `tests/fuzz/fuzz_targets`.
const TARGETS: [&str; 19] = [
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
];

#[derive(clap::Args)]
pub struct Options {
    /// What gets the bytes.
    #[arg(value_parser = TARGETS)]
    target: String,
    /// How long.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// Fuzzes one target. An input that fails is written to a file, and the corpus is kept
/// for the next time, both in the build folder.
pub fn run_target(options: &Options) -> anyhow::Result<()> {
    is_installed()?;
    let own = target_dir()?.join("fuzz");
    let corpus = own.join("corpus");
    let seeds = ["run", "--quiet", "-p", "touchboard-tests", "--example"];
    run(cargo().args(seeds).args(["fuzz_seeds", "--"]).arg(&corpus))?;
    let found = own.join("found");
    std::fs::create_dir_all(&found)?;
    let mut fuzz = cargo();
    // The code under test has no `unsafe`, so the sanitizer for invalid pointers would
    // find nothing. It takes half of the time, and needs a nightly compiler.
    fuzz.args(["fuzz", "run", "--sanitizer", "none"]);
    fuzz.args(["--fuzz-dir", "tests/fuzz", "--target-dir"])
        .arg(own.join("build"))
        .arg(&options.target)
        .arg(corpus.join(&options.target));
    let prefix = found.join(format!("{}-", options.target));
    fuzz.arg("--")
        .arg(format!("-max_total_time={}", options.seconds))
        .arg(format!("-artifact_prefix={}", prefix.display()));
    run(&mut fuzz)
}

fn is_installed() -> anyhow::Result<()> {
    anyhow::ensure!(
        succeeds(cargo().args(["fuzz", "--version"])),
        "cargo-fuzz is missing: install it with `cargo install cargo-fuzz --locked`"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use xtask::cargo::root;

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

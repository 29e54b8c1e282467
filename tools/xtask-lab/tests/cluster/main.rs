//! The files of `cargo xtask cluster`, carried out: what they merge is what one machine
//! writes.

mod files;
#[cfg(target_os = "linux")]
mod slurm;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const LAB: &str = env!("CARGO_BIN_EXE_xtask-lab");

/// The folder of the program.
fn programs() -> &'static Path {
    Path::new(LAB).parent().expect("a folder")
}

fn lab(arguments: &[&str]) -> Output {
    Command::new(LAB).args(arguments).output().expect("it runs")
}

/// Writes the files for so many shards of a campaign of so many runs. Returns their
/// folder, and what was said.
fn written(system: &[&str], folder: &Path, shards: &str, runs: &str) -> (PathBuf, String) {
    let into = folder.join("files");
    let [words, programs] = [&into, &programs().to_owned()].map(|path| path.display().to_string());
    let cluster = [&["cluster"], system].concat();
    let options = [
        "--shards",
        shards,
        "--into",
        &words,
        "--programs",
        &programs,
    ];
    let campaign = ["campaign", "--runs", runs];
    let output = lab(&[&cluster[..], &options, &campaign].concat());
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (into, said)
}

/// The file that one machine writes for a campaign of so many runs.
fn alone(folder: &Path, runs: &str) -> String {
    let path = folder.join("alone.jsonl");
    let out = path.display().to_string();
    let output = lab(&["campaign", "--runs", runs, "--out", &out]);
    assert!(output.status.success(), "{output:?}");
    fs::read_to_string(path).expect("it is written")
}

//! Programs from the registry of crates, which some commands need: found in the search
//! path, or installed into the build folder.

use std::path::PathBuf;
use std::process::Command;

use xtask::cargo::{cargo, run, target_dir};

/// A program of a crate.
pub struct Installed<'a> {
    /// The name of its file, without an extension.
    pub program: &'a str,
    /// The crate that it belongs to.
    pub of_crate: &'a str,
    /// The version that is needed.
    pub version: &'a str,
}

impl Installed<'_> {
    /// The path or the name of the program, which is installed first if this version is
    /// not there.
    pub fn get(&self) -> anyhow::Result<PathBuf> {
        let Self {
            program,
            of_crate,
            version,
        } = *self;
        let folder = target_dir()?.join("lab-tools");
        let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
        let own = folder.join("bin").join(&file);
        for candidate in [PathBuf::from(&file), own.clone()] {
            if self.is_at(&candidate) {
                return Ok(candidate);
            }
        }
        eprintln!("{of_crate} {version} is installed in {}.", folder.display());
        let mut install = cargo();
        install.args(["install", of_crate, "--locked", "--version", version]);
        run(install.arg("--root").arg(&folder))?;
        Ok(own)
    }

    /// True if the program says that it has this version: 0.2.130 of
    /// "wasm-bindgen 0.2.130", or 3.8.0 of "3.8.0".
    fn is_at(&self, program: &PathBuf) -> bool {
        let said = Command::new(program).arg("--version").output();
        said.is_ok_and(|said| {
            String::from_utf8_lossy(&said.stdout)
                .split_whitespace()
                .any(|word| word == self.version)
        })
    }
}

//! The library of hosts, built for WebAssembly: that it asks no operating system for
//! anything is seen where there is none.

use std::path::Path;

use anyhow::bail;

use crate::cargo::{cargo, run, target_dir};
use crate::firmware::{DEBIAN_NEEDS, fetch_rustup_target, has_rustup_target};

const TARGET: &str = "wasm32-unknown-unknown";

/// What is built for it.
const PACKAGE: &str = "touchboard-host";

/// Builds it, with rustup's target or with Debian's compiler.
pub fn build() -> anyhow::Result<()> {
    let mut build = cargo();
    build.args(["build", "--package", PACKAGE, "--lib", "--target", TARGET]);
    // Flags for the host's programs are not for it.
    build.env_remove("RUSTFLAGS");
    build.env_remove("CARGO_ENCODED_RUSTFLAGS");
    build.arg("--target-dir").arg(target_dir()?.join("wasm"));
    if !has_rustup_target(TARGET) {
        if DEBIAN_NEEDS.iter().all(|path| Path::new(path).exists()) {
            build.env("RUSTC", DEBIAN_NEEDS[0]);
            // Debian's compiler is a stable one; building the library is not.
            build.env("RUSTC_BOOTSTRAP", "1");
            build.args(["--config", "unstable.build-std=['std','panic_abort']"]);
        } else if !(fetch_rustup_target(TARGET) && has_rustup_target(TARGET)) {
            bail!(
                "there is no compiler for {TARGET}: run `rustup target add {TARGET}`, or install Debian's rustc-web, rust-web-src and lld"
            );
        }
    }
    run(&mut build)
}

//! Copies the memory map of the processor to where the linker looks for it. `cargo xtask
//! cores` chooses the processor.

use std::{env, fs, path::PathBuf};

/// The environment variable that names the processor.
const CORE: &str = "BARE_CORE";

fn main() {
    println!("cargo:rerun-if-env-changed={CORE}");
    let folder = |name| PathBuf::from(env::var_os(name).expect("cargo sets it"));
    // `cargo check` does not link, so it needs no memory map.
    let Ok(core) = env::var(CORE) else { return };
    let map = folder("CARGO_MANIFEST_DIR")
        .join("memory")
        .join(format!("{core}.x"));
    let out = folder("OUT_DIR");
    fs::copy(&map, out.join("memory.x")).expect("the processor has a memory map");
    println!("cargo:rerun-if-changed={}", map.display());
    println!("cargo:rustc-link-search={}", out.display());
    println!("cargo:rustc-link-arg-bins=-Tlink.x");
}

//! The build script of every image: puts its memory map where the linker looks for it.

use std::{env, fs, path::PathBuf};

const MEMORY_MAP: &str = "memory.x";

fn main() {
    let folder = |name| PathBuf::from(env::var_os(name).expect("cargo sets it"));
    let image = folder("CARGO_MANIFEST_DIR");
    let out = folder("OUT_DIR");
    fs::copy(image.join(MEMORY_MAP), out.join(MEMORY_MAP)).expect("the image has a memory map");
    // cortex-m-rt includes the names of the interrupts, of which vectors.rs needs none.
    fs::write(out.join("device.x"), "").expect("OUT_DIR can be written");
    println!("cargo:rustc-link-search={}", out.display());
    println!("cargo:rustc-link-arg-bins=-Tlink.x");
    println!("cargo:rerun-if-changed={MEMORY_MAP}");
}

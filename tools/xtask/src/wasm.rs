//! Builds the library of hosts for WebAssembly, which fails if it uses an operating
//! system.
//!
//! The page with the window is only checked, and only on request, because the first time
//! takes minutes.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;

use crate::cargo::{cargo, run, target_dir};
use crate::firmware::{DEBIAN_NEEDS, fetch_rustup_target, has_rustup_target};

/// The target of everything that runs in a browser.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// What is built.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Options {
    /// Also check the page with the window; the first time takes minutes.
    #[arg(long)]
    pub page: bool,
}

/// Builds the library of hosts, and checks the page if requested.
pub fn build(options: Options) -> anyhow::Result<()> {
    let library = ["--lib", "--no-default-features", "--package"];
    run_cargo(&[&["build"], &library[..], &["touchboard-host"]].concat())?;
    match options.page {
        true => run_cargo(&["check", "--package", "page"]),
        false => Ok(()),
    }
}

/// The folder of all builds for this target.
pub fn builds() -> anyhow::Result<PathBuf> {
    Ok(target_dir()?.join("wasm"))
}

/// Runs cargo for this target, with rustup's compiler or with Debian's.
pub fn run_cargo(arguments: &[&str]) -> anyhow::Result<()> {
    let mut build = cargo();
    build.args(arguments).args(["--target", TARGET]);
    // The flags for the host's programs do not apply here.
    build.env_remove("RUSTFLAGS");
    build.env_remove("CARGO_ENCODED_RUSTFLAGS");
    build.arg("--target-dir").arg(builds()?);
    if !has_rustup_target(TARGET) {
        if DEBIAN_NEEDS.iter().all(|path| Path::new(path).exists()) {
            build.env("RUSTC", DEBIAN_NEEDS[0]);
            // Debian's compiler is a stable one, but building the standard library is an
            // unstable feature.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The package of the window.
    const WINDOW: &str = "emulator";

    /// The packages in a build of the window, on this machine or for a page.
    fn packages(arguments: &[&str]) -> BTreeSet<String> {
        let mut tree = cargo();
        tree.args(["tree", "--package", WINDOW, "--edges", "normal"]);
        tree.args(["--prefix", "none", "--format", "{lib}"]);
        let output = tree.args(arguments).output().expect("cargo tells");
        assert!(output.status.success(), "{arguments:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        let names = text.lines().map(|line| line.trim_end_matches(" (*)"));
        names.map(str::to_owned).collect()
    }

    /// The packages for ports, processes, files and the command line.
    const DESKTOP: [&str; 11] = [
        "csv_core",
        "dirs",
        "gif",
        "mio",
        "pcap_file",
        "serialport",
        "touchboard_files",
        "touchboard_links",
        "touchboard_shell",
        "vcd",
        "virtual_board",
    ];

    #[test]
    fn the_bare_window_has_no_ports_processes_or_files() {
        let whole = packages(&[]);
        for name in DESKTOP {
            assert!(whole.contains(name), "{name} is not even in the whole");
        }
        let bare = ["--no-default-features"];
        let page = ["--no-default-features", "--target", TARGET];
        for arguments in [&bare[..], &page] {
            let own = packages(arguments);
            assert!(
                own.contains("touchboard_host") && own.contains("bevy"),
                "{own:?}"
            );
            let more = DESKTOP.into_iter().filter(|name| own.contains(*name));
            assert_eq!(more.collect::<Vec<_>>(), [""; 0], "{arguments:?}");
        }
        // The linker removes code from the page that is never called.
        let page = packages(&page);
        assert!(!page.contains("clap") && !page.contains("equal_features"));
    }
}

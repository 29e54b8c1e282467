//! Installs the packages in a fresh Debian, uses them as somebody without root's rights
//! would, and removes them again.
//!
//! `mmdebstrap` makes the system in a folder of its own, and removes it afterwards,
//! whatever happened.

use std::path::Path;
use std::process::Command;

use anyhow::Context;
use xtask::cargo::{run, succeeds};

/// The release of Debian that the packages are for.
const RELEASE: &str = "bookworm";

/// What is done with the tools. The checks of each program's output are in the script.
const TOOLS: &str = include_str!("try-tools.sh");
/// What is done with the window.
const WINDOW: &str = include_str!("try-window.sh");

/// Tries the packages in this folder.
pub fn try_out(packages: &Path, has_window: bool) -> anyhow::Result<()> {
    let exists = succeeds(Command::new("mmdebstrap").arg("--version"));
    anyhow::ensure!(
        exists,
        "there is no mmdebstrap: install it (Debian: `apt install mmdebstrap`)"
    );
    let scripts = packages.with_extension("try");
    let _ = std::fs::remove_dir_all(&scripts);
    std::fs::create_dir_all(&scripts)?;
    std::fs::write(scripts.join("try-tools.sh"), TOOLS)?;
    std::fs::write(scripts.join("try-window.sh"), WINDOW)?;
    let mut debian = Command::new("mmdebstrap");
    debian.args(["--variant=minbase", "--quiet"]);
    debian.arg("--customize-hook=mkdir \"$1/packages\" \"$1/try\"");
    for (from, to) in [(packages, "packages"), (&scripts, "try")] {
        debian.arg(format!(
            "--customize-hook=cp '{}'/* \"$1/{to}/\"",
            from.display()
        ));
    }
    debian.arg("--customize-hook=chroot \"$1\" sh -eux /try/try-tools.sh >&2");
    if has_window {
        debian.arg("--customize-hook=chroot \"$1\" sh -eux /try/try-window.sh >&2");
    }
    // No file of the system is kept.
    let tried = run(debian.args([RELEASE, "/dev/null"]));
    std::fs::remove_dir_all(&scripts)?;
    tried.context("a package failed in a fresh Debian")?;
    println!("The packages work in a fresh Debian ({RELEASE}).");
    Ok(())
}

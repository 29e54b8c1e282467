//! Packages that are installed without a compiler: for Debian, and as an archive for any
//! computer like this one, with a file of their checksums.
//!
//! Invariants: an archive has the same bytes if its programs have; what a package
//! installs besides programs is written by the programs themselves or stands in
//! `tools/package`.

mod archive;
mod clean;
mod contents;

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context;
use clap::Args;
use contents::{Contents, TOOLS, WINDOW};
use xtask::cargo::{cargo, of_workspace, root, run, target_dir};

use crate::folder::files;
use crate::installed::Installed;

/// Options of the packages.
#[derive(Args)]
pub struct Options {
    /// Also the window, which takes half an hour to build
    #[arg(long)]
    window: bool,
    /// Install the Debian packages in a fresh Debian 12 in a folder, and use them; this
    /// needs root and mmdebstrap
    #[arg(long = "try")]
    is_tried: bool,
}

/// Builds the packages, prints their sizes, and tries them if requested.
pub fn make(options: &Options) -> anyhow::Result<()> {
    let mut all = vec![&TOOLS];
    if options.window {
        all.push(&WINDOW);
    }
    let target = target_dir()?;
    let packages = target.join("packages");
    let _ = fs::remove_dir_all(&packages);
    fs::create_dir_all(&packages)?;
    for contents in all {
        build(contents)?;
        let folder = contents.collect(&target)?;
        archive::write(contents, &folder, &packages)?;
        if cfg!(target_os = "linux") {
            debian(contents, &packages)?;
        }
    }
    archive::write_sums(&packages)?;
    for file in files(&packages)? {
        println!("{:>12}  {}", file.metadata()?.len(), file.display());
    }
    if options.is_tried {
        clean::try_out(&packages, options.window)?;
    }
    Ok(())
}

/// Builds the programs, optimised.
fn build(contents: &Contents) -> anyhow::Result<()> {
    let mut build = cargo();
    build.args(["build", "--release", "--locked"]);
    for package in contents.packages {
        build.args(["--package", package]);
    }
    run(&mut build)?;
    if contents.has_mcp {
        let mut build = of_workspace("build", xtask::mcp::FOLDER, "mcp")?;
        run(build.arg("--release"))?;
    }
    Ok(())
}

/// The program that makes packages for Debian.
const CARGO_DEB: Installed<'_> = Installed {
    program: "cargo-deb",
    of_crate: "cargo-deb",
    version: "3.8.0",
};

/// Makes a package for Debian, with the libraries that its programs need.
fn debian(contents: &Contents, packages: &Path) -> anyhow::Result<()> {
    let mut deb = Command::new(CARGO_DEB.get()?);
    deb.current_dir(root());
    deb.args(["--no-build", "--package", contents.packages[0], "--output"]);
    run(deb.arg(packages)).context("the package for Debian cannot be made")
}

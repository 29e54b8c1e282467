//! Firmware images.
//!
//! With rustup's target the image builds plainly. Where rustup cannot fetch it
//! (no network, or no rustup), Debian's `rustc-web` builds the core library
//! from its own sources; the tool chooses by itself.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use clap::{Args, ValueEnum};

use crate::cargo::{self, run, succeeds};
use crate::image;

const TARGET: &str = "thumbv7m-none-eabi";

/// The sources and the linker that Debian's compiler needs.
const DEBIAN_NEEDS: [&str; 3] = [
    "/usr/bin/rustc",
    "/usr/lib/rustlib/src/rust/library/core/Cargo.toml",
    "/usr/bin/ld.lld",
];

/// What builds an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Toolchain {
    /// The compiler that builds everything else, with rustup's target.
    Rustup,
    /// Debian's rustc-web, rust-web-src and lld.
    Debian,
}

/// A board that has an image, named as its folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Board {
    /// Cortex-M3 with 256 KiB of flash and 64 KiB of RAM; QEMU has one.
    Lm3s6965evb,
}

impl Board {
    pub fn name(self) -> &'static str {
        match self {
            Board::Lm3s6965evb => "lm3s6965evb",
        }
    }

    pub fn folder(self) -> PathBuf {
        cargo::root().join("firmware-core/boards").join(self.name())
    }
}

/// What runs on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// The image.
    Image,
    /// What measures the image's code.
    Instructions,
}

impl Program {
    /// As its board's package names it.
    fn name(self, board: Board) -> &'static str {
        match self {
            Program::Image => board.name(),
            Program::Instructions => "instructions",
        }
    }
}

/// A feature of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Feature {
    /// For tests of the tester: a mistake in the rules.
    BrokenRule,
}

/// Which image, and how.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The board.
    #[arg(value_enum, default_value = "lm3s6965evb")]
    pub board: Board,
    /// Build this in.
    #[arg(long, value_enum)]
    pub features: Option<Feature>,
    /// Build with this; by itself it takes what is there.
    #[arg(long, value_enum)]
    pub toolchain: Option<Toolchain>,
}

impl Options {
    pub fn new(board: Board, features: Option<Feature>) -> Options {
        Options {
            board,
            features,
            toolchain: None,
        }
    }
}

/// What there is to build images with, fetching rustup's target if that goes
/// at once.
pub fn toolchain() -> Option<Toolchain> {
    if has_rustup_target() {
        Some(Toolchain::Rustup)
    } else if DEBIAN_NEEDS.iter().all(|path| Path::new(path).exists()) {
        Some(Toolchain::Debian)
    } else if fetch_rustup_target() && has_rustup_target() {
        Some(Toolchain::Rustup)
    } else {
        None
    }
}

fn has_rustup_target() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut print = Command::new(rustc);
    print.current_dir(cargo::root());
    print.args(["--print", "target-libdir", "--target", TARGET]);
    let Ok(output) = print.output() else {
        return false;
    };
    let folder = String::from_utf8_lossy(&output.stdout);
    Path::new(folder.trim()).is_dir()
}

/// One attempt, so that a machine without a network fails in seconds.
fn fetch_rustup_target() -> bool {
    eprintln!("Fetching the target {TARGET} with rustup.");
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", TARGET]);
    rustup.env("RUSTUP_MAX_RETRIES", "0");
    succeeds(rustup.current_dir(cargo::root()))
}

/// Builds an image, prints what it takes, and returns its path. An image that
/// is too large for its board is an error.
pub fn build_and_tell(options: &Options) -> anyhow::Result<PathBuf> {
    let path = build(options, Program::Image)?;
    let takes = image::measure(&std::fs::read(&path)?)?;
    println!("{}: {takes}", path.display());
    takes.check()?;
    Ok(path)
}

/// Builds a program, and returns its path.
pub fn build(options: &Options, program: Program) -> anyhow::Result<PathBuf> {
    let toolchain = options.toolchain.or_else(toolchain).context(
        "there is no compiler for the board: run `rustup target add thumbv7m-none-eabi`, or install Debian's rustc-web, rust-web-src and lld",
    )?;
    let images = cargo::target_dir()?.join("firmware");
    let builds = images.join(match toolchain {
        Toolchain::Rustup => "build",
        Toolchain::Debian => "build-debian",
    });
    let mut build = cargo::cargo();
    build.current_dir(options.board.folder());
    let bin = program.name(options.board);
    build.args(["build", "--release", "--locked", "--bin", bin]);
    build.arg("--target-dir").arg(&builds);
    // Flags for the host's programs are not for the board's.
    build.env_remove("RUSTFLAGS");
    build.env_remove("CARGO_ENCODED_RUSTFLAGS");
    if toolchain == Toolchain::Debian {
        use_debian(&mut build);
    }
    let mut name = match program {
        Program::Image => bin.to_owned(),
        Program::Instructions => format!("{}-{bin}", options.board.name()),
    };
    if options.features == Some(Feature::BrokenRule) {
        build.args(["--features", "broken-rule"]);
        name.push_str("-broken-rule");
    }
    run(&mut build)?;
    let built = builds.join(TARGET).join("release").join(bin);
    let image = images.join(name).with_extension("elf");
    put(&built, &image)?;
    Ok(image)
}

/// Puts a copy there in one go: somebody may be starting the old one.
fn put(built: &Path, image: &Path) -> anyhow::Result<()> {
    let fresh = image.with_extension(format!("{}.new", std::process::id()));
    std::fs::copy(built, &fresh)
        .and_then(|_| std::fs::rename(&fresh, image))
        .with_context(|| format!("{} cannot be written", image.display()))
}

fn use_debian(build: &mut Command) {
    build.env("RUSTC", DEBIAN_NEEDS[0]);
    // Debian's compiler is a stable one; building the core library is not.
    build.env("RUSTC_BOOTSTRAP", "1");
    for setting in [
        "unstable.build-std=['core']".to_owned(),
        format!("target.{TARGET}.linker='ld.lld'"),
        format!("target.{TARGET}.rustflags=['-C','linker-flavor=ld.lld']"),
    ] {
        build.args(["--config", &setting]);
    }
}

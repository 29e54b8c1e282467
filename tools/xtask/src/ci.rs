//! All checks and all tests.

use crate::all_tests::{self, Excuses};
use crate::board::{self, BoardImage};
use crate::book;
use crate::bots;
use crate::cargo::{cargo, root, run, target_dir};
use crate::deny;
use crate::firmware::{self, Toolchain};
use crate::format::{self, Formatting};
use crate::game_tests;
use crate::mcp;
use crate::rustdoc;
use crate::setup::{self, Purpose};
use crate::switches;
use crate::wasm;

/// Everything that has to pass before a change is accepted.
pub fn ci() -> anyhow::Result<()> {
    setup::install(&Purpose::ALL)?;
    format::run_all(Formatting::Check)?;
    let clippy = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    run(cargo().args(clippy))?;
    let window = ["clippy", "--package", "emulator", "--no-default-features"];
    let deny = ["--all-targets", "--", "-D", "warnings"];
    run(cargo().args(window).args(deny))?;
    let links = [
        "clippy",
        "--package",
        "touchboard-links",
        "--no-default-features",
    ];
    run(cargo().args(links).args(["--lib", "--", "-D", "warnings"]))?;
    wasm::build(wasm::Options { page: true })?;
    for game in game_tests::games()? {
        run(&mut game_tests::check(&game))?;
    }
    for board in BoardImage::all() {
        lint_image(board)?;
    }
    lint_bare()?;
    bots::lint()?;
    book::lint()?;
    mcp::lint()?;
    switches::check()?;
    deny::judge_if_installed()?;
    run(&mut rustdoc::of_all())?;
    all_tests::run_all(Excuses::Count)
}

/// The targets for which the core alone is linted: an Arm and another processor, with a
/// small and a large board.
const BARE: [(&str, &str); 2] = [
    ("thumbv6m-none-eabi", "reversi"),
    ("riscv32imc-unknown-none-elf", "any-layout,cartridge"),
];

fn lint_bare() -> anyhow::Result<()> {
    for (target, features) in BARE {
        if firmware::toolchain_for(target) == Some(Toolchain::Rustup) {
            let mut bare = cargo();
            bare.args(["clippy", "--release", "--target", target]);
            bare.args(["--features", features, "--", "-D", "warnings"]);
            bare.env("CARGO_TARGET_DIR", target_dir()?.join("firmware/build"));
            run(bare.current_dir(root().join("firmware-core/boards/bare")))?;
        }
    }
    Ok(())
}

/// Lints an image, and the shared code of images for this chip. Debian's compiler for
/// images comes without clippy.
fn lint_image(board: BoardImage) -> anyhow::Result<()> {
    if firmware::toolchain(board) != Some(Toolchain::Rustup) {
        return Ok(());
    }
    let builds = target_dir()?.join("firmware/build");
    let deny = ["--", "-D", "warnings"];
    let mut image = cargo();
    image.args(["clippy", "--release"]).args(deny);
    image.env("CARGO_TARGET_DIR", &builds);
    run(image.current_dir(board.folder()))?;
    let mut shared = cargo();
    shared.args(["clippy", "--release", "--package", board::SHARED]);
    // An image chooses its games, and there is no board without any game.
    shared.args(["--features", "firmware-core/all-games"]);
    shared.args(["--target", board.target()]).args(deny);
    run(shared.env("CARGO_TARGET_DIR", &builds))
}

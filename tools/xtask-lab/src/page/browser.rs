//! Tests the page in a real browser: Chromium, driven by `playwright-core` from the npm
//! registry.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::bail;
use xtask::cargo::{self, root, run, succeeds, target_dir};

use super::serve::Site;
use super::tools::{NPM_LIST, npm_packages};

/// The files of the tests.
const FILES: [&str; 5] = [
    "opened.mjs",
    "ports.mjs",
    "page.test.mjs",
    "boards.test.mjs",
    "table.test.mjs",
];
/// The tests among them.
const TESTS: [&str; 3] = ["page.test.mjs", "boards.test.mjs", "table.test.mjs"];
/// The names of the browser.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Runs all tests on the page in this folder, with the relay at this address.
pub fn test(folder: &Path, relay: SocketAddr) -> anyhow::Result<()> {
    let browser = browser()?;
    let tests = npm_packages()?;
    for file in FILES {
        cargo::put(&root().join(NPM_LIST).join(file), &tests.join(file))?;
    }
    let site = Site::open(folder, 0, relay)?;
    let mut node = Command::new("node");
    node.args(["--test", "--test-concurrency=1"]).args(TESTS);
    node.env("PAGE", site.address()).env("BROWSER", browser);
    node.env("SESSIONS", root().join("tests/sessions"));
    node.env("RELAY", relay.to_string());
    node.env("VIRTUAL_BOARD", virtual_board()?);
    std::thread::scope(|scope| {
        scope.spawn(|| site.serve());
        let tested = run(node.current_dir(&tests));
        site.close();
        tested
    })
}

/// Builds the board that is at the port of the tests.
fn virtual_board() -> anyhow::Result<PathBuf> {
    run(cargo::cargo().args(["build", "--package", "virtual-board"]))?;
    let name = format!("virtual-board{}", std::env::consts::EXE_SUFFIX);
    Ok(target_dir()?.join("debug").join(name))
}

fn browser() -> anyhow::Result<String> {
    if let Ok(browser) = std::env::var("BROWSER") {
        return Ok(browser);
    }
    let is_there = |name: &&str| succeeds(Command::new(name).arg("--version"));
    match BROWSERS.into_iter().find(is_there) {
        // The tests start it by its path.
        Some(name) => {
            let found = Command::new("sh")
                .args(["-c", &format!("command -v {name}")])
                .output()?;
            Ok(String::from_utf8_lossy(&found.stdout).trim().to_owned())
        }
        None => bail!(
            "there is no Chromium: install it (Debian: `apt install chromium`), or name a browser in BROWSER"
        ),
    }
}

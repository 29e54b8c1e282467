//! Whether this computer can emulate a board.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::NODE;

/// The folder next to an image that contains the simulated board.
#[must_use]
pub fn board_folder(image: &Path) -> PathBuf {
    image.with_file_name("pico-board")
}

/// The sentence about an image that cannot run, because no emulated chip [is set
/// up](is_set_up).
pub const MISSING: &str = "there is no node, or rp2040js could not be fetched: install nodejs and npm, then run `cargo xtask firmware pico`";

/// True if node and its packages are installed, so that this image can run.
#[must_use]
pub fn is_set_up(image: &Path) -> bool {
    runs(NODE) && board_folder(image).join("node_modules/rp2040js").is_dir()
}

/// The folder of the second emulator; `None` if it cannot run.
#[must_use]
pub fn second_judge(image: &Path) -> Option<PathBuf> {
    python_package(image, "rp2040py")
}

/// The folder of the library by the maker of the tiles; `None` if it cannot run.
#[must_use]
pub fn makers_library(image: &Path) -> Option<PathBuf> {
    python_package(image, "adafruit_neotrellis")
}

fn python_package(image: &Path, package: &str) -> Option<PathBuf> {
    let folder = board_folder(image).join("python");
    (runs("python3") && folder.join(package).is_dir()).then_some(folder)
}

/// True if this program can be run.
#[must_use]
pub fn runs(program: &str) -> bool {
    let mut version = Command::new(program);
    version
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

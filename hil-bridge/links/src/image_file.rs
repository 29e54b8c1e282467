//! The firmware images that `cargo xtask firmware` built.

use std::path::{Path, PathBuf};

use touchboard_host::driver::DriverError;

use crate::LinkError;

/// The folder of the images inside the target folder.
const FOLDER: &str = "firmware";
/// The environment variable that names a different image file.
const IMAGE_VARIABLE: &str = "TOUCHBOARD_FIRMWARE";

/// The folders in which images may be.
pub fn folders() -> impl Iterator<Item = PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    folders.extend(std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from));
    // This program is `target/debug/hil-bridge` or `target/debug/deps/test-0123`.
    let program = std::env::current_exe().unwrap_or_default();
    folders.extend(program.ancestors().skip(1).take(3).map(Path::to_path_buf));
    folders.push("target".into());
    folders.into_iter().map(|folder| folder.join(FOLDER))
}

/// The file of an image: the one that the environment variable names, or the one with this name
/// that `cargo xtask firmware` built. `what` completes that command in the error message.
///
/// # Errors
/// A sentence that says which command builds the image, if there is none.
pub fn find(name: &str, what: &str) -> Result<PathBuf, DriverError> {
    if let Some(path) = std::env::var_os(IMAGE_VARIABLE) {
        let path = PathBuf::from(path);
        return if path.is_file() {
            Ok(path)
        } else {
            Err(no_image(&path, what))
        };
    }
    let mut files = folders().map(|folder| folder.join(name));
    let found = files.find(|file| file.is_file());
    found.ok_or_else(|| no_image(&Path::new("target").join(FOLDER).join(name), what))
}

fn no_image(path: &Path, what: &str) -> DriverError {
    let what = match what.is_empty() {
        true => String::new(),
        false => format!(" {what}"),
    };
    LinkError::open(format!(
        "there is no firmware image at {}: build it with `cargo xtask firmware{what}`, or name one in {IMAGE_VARIABLE}",
        path.display()
    ))
}

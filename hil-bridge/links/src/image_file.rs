//! The firmware images that `cargo xtask firmware` built.

use std::path::{Path, PathBuf};

use touchboard_files::read_bounded;
use touchboard_host::driver::DriverError;

use crate::LinkError;

/// The memory that an image needs, and that its chip has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageMemory {
    /// Bytes of flash: needed, and there.
    pub flash_bytes: [u64; 2],
    /// Bytes of RAM: needed by variables, and there; the rest is for the stack.
    pub ram_bytes: [u64; 2],
}

/// The most bytes of what is noted beside an image, which is a line.
const MOST_NOTED_BYTES: u64 = 4_096;

/// What `cargo xtask firmware` noted beside this image; `None` if nothing is there.
#[must_use]
pub fn memory_of(image: &Path) -> Option<ImageMemory> {
    let text = read_bounded(&image.with_extension("memory.json"), MOST_NOTED_BYTES).ok()?;
    let told: serde_json::Value = serde_json::from_slice(&text).ok()?;
    let bytes = |of: &str| Some([told[of][0].as_u64()?, told[of][1].as_u64()?]);
    Some(ImageMemory {
        flash_bytes: bytes("flash")?,
        ram_bytes: bytes("ram")?,
    })
}

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

/// The file of an image: the one that the environment variable names, or the one with
/// this name that `cargo xtask firmware` built. `what` completes that command in the
/// error message.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_an_image_is_read_from_its_side_file() {
        let folder = tempfile::tempdir().unwrap();
        let image = folder.path().join("chip.elf");
        assert_eq!(memory_of(&image), None);
        let file = folder.path().join("chip.memory.json");
        std::fs::write(&file, r#"{"flash":[240000,262144],"ram":[24000,65536]}"#).unwrap();
        let known = ImageMemory {
            flash_bytes: [240_000, 262_144],
            ram_bytes: [24_000, 65_536],
        };
        assert_eq!(memory_of(&image), Some(known));
        for nonsense in ["", "{}", r#"{"flash":[1],"ram":"much"}"#] {
            std::fs::write(&file, nonsense).unwrap();
            assert_eq!(memory_of(&image), None, "{nonsense}");
        }
    }
}

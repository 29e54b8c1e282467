//! The films of the README, made by the window itself: one of each session in
//! `tests/demos`.

use std::path::{Path, PathBuf};

use anyhow::Context;

use xtask::cargo::{cargo, root, run};
use xtask::setup::{self, Purpose};

/// The length of each film, in seconds.
const LENGTH_S: u32 = 12;
/// Large enough to see the light of a point, small enough for a page with ten films.
const SIZE: &str = "320x320";

/// Films each session in `tests/demos` into `emulator/assets`.
pub fn make() -> anyhow::Result<()> {
    setup::install(&[Purpose::Window])?;
    for session in sessions(&root().join("tests/demos"))? {
        let name = session.file_stem().context("a session has a name")?;
        let film = root()
            .join("emulator/assets")
            .join(name)
            .with_extension("gif");
        let mut emulator = cargo();
        emulator.args([
            "run", "--quiet", "-p", "emulator", "--bin", "emulator", "--",
        ]);
        emulator.args(["--headless", "--mute", "--no-panel", "--size", SIZE]);
        emulator.args(["--film-s", &LENGTH_S.to_string(), "--film"]);
        run(emulator.arg(&film).arg(&session))?;
        let bytes = film.metadata().context("the film is there")?.len();
        println!("{} {} KB", film.display(), bytes / 1024);
    }
    Ok(())
}

/// The session files in a folder, by name.
pub fn sessions(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = folder
        .read_dir()
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "session")
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

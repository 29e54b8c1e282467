//! The texts of games in the tree, as layouts.

use std::path::{Path, PathBuf};

use protocol::KnownLayout;
use touchboard_host::written::is_text;
use touchboard_links::games::read;

/// The layouts of all texts that a board of lights can play, with the names of their
/// files, in the order of these names.
///
/// # Panics
/// If the folder of the texts cannot be read, or one of them is wrong.
#[must_use]
pub fn layouts() -> Vec<(String, KnownLayout)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hil-bridge/ludemes/games");
    let files = folder.read_dir().expect("the texts are there");
    let mut texts: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    texts.retain(|path| is_text(path));
    texts.sort();
    let named = texts.into_iter().map(|path| {
        let name = path.file_stem().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        match read(&path.into()) {
            Ok(game) => (name, game.layout),
            Err(error) => panic!("{error}"),
        }
    });
    named.collect()
}

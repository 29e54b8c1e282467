//! What a folder contains.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// The files in a folder, without those of its subfolders, in the order of their names.
pub fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    sorted(folder, Path::is_file)
}

/// The subfolders of a folder, in the order of their names.
pub fn folders(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    sorted(folder, Path::is_dir)
}

fn sorted(folder: &Path, wanted: fn(&Path) -> bool) -> anyhow::Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut found = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    found.retain(|path| wanted(path));
    found.sort();
    Ok(found)
}

/// The name of a file or folder, as text.
pub fn name(path: &Path) -> anyhow::Result<String> {
    let name = path.file_name().context("a file has a name")?;
    Ok(name.to_string_lossy().into_owned())
}

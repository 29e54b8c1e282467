//! A copy of the tree, or of a part of it, in which something is changed and built.
//!
//! A copy is built beside the tree: libraries are taken from the tree's builds, and what
//! is built in the copy does not replace what is built in the tree ([`share_libraries`]).
//!
//! Invariants: a file that is as before is not written, so that cargo need not rebuild
//! it; what is not in the tree any more, such as a module that was moved, is not in the
//! copy either.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context;

use crate::cargo::target_dir;

/// The folders that are not copied: builds and history.
const LEFT_OUT: [&str; 2] = ["target", ".git"];

/// What is changed in a copy: from the place and the bytes of a file to the bytes of its
/// copy.
pub type FileChange<'a> = &'a dyn Fn(&Path, Vec<u8>) -> anyhow::Result<Vec<u8>>;

/// Copies a file or a folder, with a change.
///
/// # Errors
///
/// If a file cannot be read or written, with its place, or if `change` fails.
pub fn copy(from: &Path, to: &Path, change: FileChange<'_>) -> anyhow::Result<()> {
    if !from.is_dir() {
        let bytes = fs::read(from).with_context(|| from.display().to_string())?;
        return write(to, &change(from, bytes)?);
    }
    remove_others(from, to)?;
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name();
        if !LEFT_OUT.iter().any(|left_out| name == *left_out) {
            copy(&from.join(&name), &to.join(&name), change)?;
        }
    }
    Ok(())
}

/// Removes from the copy of a folder what the folder does not contain.
fn remove_others(from: &Path, to: &Path) -> anyhow::Result<()> {
    if !to.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        let (name, path) = (entry.file_name(), entry.path());
        if from.join(&name).exists() || LEFT_OUT.iter().any(|left_out| name == *left_out) {
            continue;
        }
        match path.is_dir() {
            true => fs::remove_dir_all(&path)?,
            false => fs::remove_file(&path)?,
        }
    }
    Ok(())
}

/// Makes cargo build a copy beside the tree: into the tree's build folder, with finished
/// programs in a folder of their own.
///
/// Cargo names a package by its place from the top of the workspace, which is the same in
/// a copy. Without debug information, a package of the copy has another profile than that
/// of the tree, so neither replaces the other; libraries never have any, so they are shared.
/// Two copies that change the same package differ in its features or profile as well.
///
/// # Errors
///
/// If cargo does not know the build folder.
pub fn share_libraries(command: &mut Command, programs: &Path) -> anyhow::Result<()> {
    command.env("CARGO_BUILD_BUILD_DIR", target_dir()?);
    command.env("CARGO_TARGET_DIR", programs);
    command.env("CARGO_PROFILE_DEV_DEBUG", "false");
    Ok(())
}

/// Writes a file and the folders above it, unless the file already has these bytes.
///
/// # Errors
///
/// If it cannot be written, with its place.
pub fn write(to: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if fs::read(to).is_ok_and(|before| before == bytes) {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(to, bytes).with_context(|| to.display().to_string())
}

//! The workspaces of the tree. Most packages are in the one at the top; those that have a
//! target, a compiler or features of their own are in others, each with its own lock file.

use std::path::PathBuf;

use crate::board::BoardImage;
use crate::bots;
use crate::cargo::root;
use crate::mcp;

/// The folders of all workspaces, the one at the top first.
pub fn folders() -> impl Iterator<Item = PathBuf> {
    std::iter::once(root()).chain(separate())
}

/// The folders of all workspaces but the one at the top.
pub fn separate() -> impl Iterator<Item = PathBuf> {
    let images = BoardImage::all().map(BoardImage::folder);
    let others = [
        "firmware-core/boards/bare",
        mcp::FOLDER,
        "tests/fuzz",
        "tools/book",
        "tools/examples/own-tests",
        "tools/switches",
    ]
    .map(|folder| root().join(folder));
    images.chain(others).chain(bots::folders())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Folders without sources: builds, what is hidden, and packages for node.
    fn is_left_out(name: &str) -> bool {
        name.starts_with('.') || ["node_modules", "target"].contains(&name)
    }

    /// The folders with a lock file, in this one and below it.
    fn locked(folder: &Path, found: &mut BTreeSet<PathBuf>) {
        if folder.join("Cargo.lock").is_file() {
            found.insert(folder.to_owned());
        }
        for entry in folder.read_dir().expect("a folder").flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && !is_left_out(&entry.file_name().to_string_lossy()) {
                locked(&entry.path(), found);
            }
        }
    }

    #[test]
    fn every_lock_file_belongs_to_a_workspace_of_the_list() {
        let mut found = BTreeSet::new();
        locked(&root(), &mut found);
        assert_eq!(folders().collect::<BTreeSet<_>>(), found);
    }
}

//! Checks where the files of modules are. A module with more files than its tests is a
//! folder with a `mod.rs`, so that this part of the tree can be read, moved and deleted
//! as one folder. A module with at most a `tests.rs` is a file next to that folder.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules below a folder whose files are in the wrong place.
fn misplaced(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if !path.is_dir() {
            continue;
        }
        let inside = fs::read_dir(&path).into_iter().flatten().flatten();
        let has_parts = inside.map(|entry| entry.path()).any(|part| {
            let is_source = part.extension().is_some_and(|end| end == "rs");
            is_source && !part.ends_with("tests.rs")
        });
        let beside = path.with_extension("rs");
        if has_parts && beside.is_file() {
            found.push(beside);
        }
        misplaced(&path, found);
    }
}

#[test]
fn a_module_with_parts_is_a_folder_with_its_mod_rs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = Vec::new();
    super::crate_maps::libraries(&root, &mut sources);
    assert!(sources.len() > 20, "{sources:?}");
    let mut wrong = Vec::new();
    for library in sources {
        misplaced(library.parent().expect("its folder"), &mut wrong);
    }
    assert!(
        wrong.is_empty(),
        "these belong into their folder, as mod.rs: {wrong:?}"
    );
}

/// The files in a folder that the files of its module do not declare as their parts.
fn undeclared(folder: &Path, of_module: &[PathBuf], found: &mut Vec<PathBuf>) {
    let sources = of_module
        .iter()
        .filter_map(|file| fs::read_to_string(file).ok());
    let sources: String = sources.collect();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            let of_folder = [path.join("mod.rs"), path.with_extension("rs")];
            undeclared(&path, &of_folder, found);
        } else if path.extension().is_some_and(|end| end == "rs")
            && !of_module.contains(&path)
            && !sources.contains(&format!("mod {stem};"))
        {
            found.push(path);
        }
    }
}

#[test]
fn every_source_file_is_a_part_of_its_module() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = Vec::new();
    super::crate_maps::libraries(&root, &mut sources);
    let mut orphans = Vec::new();
    for library in sources {
        let folder = library.parent().expect("its folder");
        let roots = [folder.join("lib.rs"), folder.join("main.rs")];
        let mut found = Vec::new();
        undeclared(folder, &roots, &mut found);
        // Further programs of a package, which its manifest names or cargo finds.
        let manifest = folder.with_file_name("Cargo.toml");
        let manifest = fs::read_to_string(manifest).unwrap_or_default();
        found.retain(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            !manifest.contains(&format!("src/{name}\""))
                && !file.parent().is_some_and(|parent| parent.ends_with("bin"))
        });
        orphans.extend(found);
    }
    assert!(orphans.is_empty(), "no module declares these: {orphans:?}");
}

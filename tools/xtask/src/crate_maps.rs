//! Checks that the list of modules at the top of a library is complete: if a library's
//! documentation has a numbered list, all of its public modules must occur in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The names in a list of modules, and the existing modules.
struct CrateMap {
    named: BTreeSet<String>,
    public: BTreeSet<String>,
}

/// The list of a library; `None` if it has no numbered list.
fn read(text: &str) -> Option<CrateMap> {
    let header = text.lines().filter_map(|line| line.strip_prefix("//!"));
    let header: Vec<&str> = header.map(str::trim).collect();
    let begins = header.iter().position(|line| line.starts_with("1. "))?;
    let list = header[begins..].join(" ");
    let modules = text.lines().filter_map(|line| {
        let name = line.trim().strip_prefix("pub mod ")?;
        name.strip_suffix(';')
    });
    Some(CrateMap {
        // The text between two of these is a name.
        named: list
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect(),
        public: modules.map(str::to_owned).collect(),
    })
}

/// The libraries below a folder.
pub fn libraries(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && name != "target" && !name.to_string_lossy().starts_with('.') {
            libraries(&path, found);
        } else if path.ends_with("src/lib.rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_public_module_has_a_place_in_the_map_of_its_library() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    libraries(&root, &mut all);
    let mut maps = 0;
    let mut wrong = Vec::new();
    for path in all {
        let text = fs::read_to_string(&path).expect("a library");
        let Some(map) = read(&text) else { continue };
        maps += 1;
        for module in map.public.difference(&map.named) {
            wrong.push(format!("{}: {module} is left out", path.display()));
        }
    }
    assert!(maps > 5, "{maps} maps");
    assert_eq!(wrong, [] as [String; 0]);
}

#[test]
fn a_module_missing_from_the_map_is_found() {
    let map = read("//! A map.\n//!\n//! 1. [`one`]: a thing.\npub mod one;\npub mod two;\n");
    let map = map.expect("a list");
    assert_eq!(map.public.difference(&map.named).count(), 1);
    assert!(read("//! No map.\npub mod one;\n").is_none());
}

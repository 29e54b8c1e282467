//! Checks the table of packages in README.md: each package that is not called like its
//! folder is in it.

use std::fs;

use super::files;
use crate::cargo::root;

/// The folder whose packages have its own prefix.
const PREFIXED: (&str, &str) = ("hil-bridge/", "touchboard-");

/// The name in a manifest, if it is one of a package.
fn package_name(manifest: &str) -> Option<&str> {
    let line = manifest
        .lines()
        .find_map(|line| line.strip_prefix("name = "))?;
    Some(line.trim_matches('"'))
}

/// True if a row of the table has this package, and this folder in the same place.
fn is_in_table(readme: &str, package: &str, folder: &str) -> bool {
    let spans = |cell: &str| -> Vec<String> {
        cell.split(", ")
            .map(|span| span.trim().trim_matches('`').to_owned())
            .collect()
    };
    let rows = readme.lines().filter_map(|line| {
        let mut cells = line.strip_prefix('|')?.split('|');
        Some((spans(cells.next()?), spans(cells.next()?)))
    });
    let mut pairs = rows.flat_map(|(packages, folders)| packages.into_iter().zip(folders));
    pairs.any(|pair| pair == (package.to_owned(), folder.to_owned()))
}

#[test]
fn each_package_is_called_like_its_folder_or_in_the_table() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let prefixed = readme
        .lines()
        .find(|line| line.contains("and the name of the folder"))
        .expect("the prefix has a row");
    let mut exceptions = 0;
    for path in files("Cargo.toml") {
        let manifest = fs::read_to_string(root().join(&path)).unwrap();
        let folder = path.parent().and_then(|folder| folder.to_str());
        let (Some(package), Some(folder)) = (package_name(&manifest), folder) else {
            continue;
        };
        let last = folder.rsplit('/').next().unwrap_or(folder);
        if package == last {
            continue;
        }
        exceptions += 1;
        let (parent, prefix) = PREFIXED;
        if package.strip_prefix(prefix) == Some(last) && folder.starts_with(parent) {
            assert!(
                prefixed.contains(&format!("`{last}`"))
                    || prefixed.contains(&format!("`{folder}`")),
                "README.md does not name {folder}"
            );
        } else {
            assert!(
                is_in_table(&readme, package, folder),
                "README.md does not say that {package} is in {folder}"
            );
        }
    }
    assert!(exceptions > 10, "{exceptions}");
}

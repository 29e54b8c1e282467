//! A copy of the project that is mutated.
//!
//! Invariants: an unchanged file is not written, so that nothing is rebuilt
//! unnecessarily.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use xtask::cargo::root;
use xtask::scratch::write;

use super::{GAMES, MutatedPart};

/// The package that requests the features of all packages, so that no choice of packages
/// causes a rebuild. Here only one package is built, so its dependencies are left out.
const EQUAL_FEATURES: &str = "tools/equal-features/Cargo.toml";

/// The copy of the tree that is mutated.
pub struct Tree {
    pub folder: PathBuf,
    /// The files in it, relative to the project's root.
    files: BTreeSet<String>,
}

impl Tree {
    /// Creates or updates the copy. The files in `changed` are left unchanged.
    pub fn copy_to(folder: PathBuf, changed: &BTreeSet<String>) -> anyhow::Result<Tree> {
        let files: BTreeSet<String> = source_files()?
            .into_iter()
            .filter(|file| root().join(file).is_file())
            .collect();
        for file in files
            .difference(changed)
            .filter(|file| *file != EQUAL_FEATURES)
        {
            copy(&root().join(file), &folder.join(file))?;
        }
        let text = fs::read_to_string(root().join(EQUAL_FEATURES)).context(EQUAL_FEATURES)?;
        write(
            &folder.join(EQUAL_FEATURES),
            without_dependencies(&text).as_bytes(),
        )?;
        for file in changed.iter().filter(|file| !folder.join(file).is_file()) {
            copy(&root().join(file), &folder.join(file))?;
        }
        remove_others(&folder, &folder, &files)?;
        Ok(Tree { folder, files })
    }

    /// A digest of everything on which the result of a mutant depends: the sources of the
    /// package and its dependencies, without those of games that are not built.
    pub fn digest(&self, what: &MutatedPart) -> anyhow::Result<u64> {
        let mut digest = Fnv::default();
        for file in self.files.iter().filter(|file| is_of(file, what)) {
            digest.take(file.as_bytes());
            digest.take(&fs::read(root().join(file))?);
        }
        Ok(digest.0)
    }
}

/// True if the result of a mutant may depend on this file.
fn is_of(file: &str, what: &MutatedPart) -> bool {
    let below = ["protocol", "tests/law", what.folder.as_str()];
    let in_package = below.iter().any(|folder| {
        let rest = file.strip_prefix(folder);
        rest.is_some_and(|rest| rest.starts_with('/'))
    });
    let others = ["/boards/", "/benches/", "/examples/"];
    // These tests test another package and are not run here.
    let is_elsewhere = file.starts_with("protocol/tests/") && what.folder != "protocol";
    if !in_package || is_elsewhere || others.iter().any(|folder| file.contains(folder)) {
        return file == "Cargo.lock" || file == "Cargo.toml";
    }
    let Some(game) = &what.game else { return true };
    let other_game = super::game_of(file).is_some_and(|other| other != game);
    let cartridge = file.starts_with("firmware-core/src/cartridge/") && game != "written";
    let of_none = file.starts_with(GAMES) || !file.starts_with("firmware-core/tests/");
    !other_game && !cartridge && of_none
}

/// The files that git tracks or would track.
fn source_files() -> anyhow::Result<Vec<String>> {
    let mut git = Command::new("git");
    git.current_dir(root());
    git.args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]);
    let output = git.output().context("git cannot be run")?;
    anyhow::ensure!(
        output.status.success(),
        "git does not say what the sources are"
    );
    let text = String::from_utf8(output.stdout).context("a file's name is not a text")?;
    Ok(text.split_terminator('\0').map(str::to_owned).collect())
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    let bytes = fs::read(from).with_context(|| from.display().to_string())?;
    write(to, &bytes)
}

/// Removes files that are no longer part of the source.
fn remove_others(top: &Path, folder: &Path, files: &BTreeSet<String>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(top, &path, files)?;
            // Removes the folder if it is empty.
            let _ = fs::remove_dir(&path);
        } else {
            let name = path.strip_prefix(top)?.to_string_lossy().replace('\\', "/");
            if !files.contains(&name) {
                fs::remove_file(&path)?;
            }
        }
    }
    Ok(())
}

/// The manifest of a package without its dependencies, and without the program that needs
/// them.
fn without_dependencies(manifest: &str) -> String {
    let mut is_told = true;
    let mut text = String::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_told = !line.contains("dependencies");
        }
        if is_told {
            text += line;
            text += "\n";
        }
        if line == "[package]" {
            text += "build = false\n";
        }
    }
    text
}

/// The FNV-1a hash with 64 bits.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv {
    fn take(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xFF]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_of_a_game_does_not_depend_on_other_games() {
        let reversi = MutatedPart::named("reversi").unwrap();
        let of = |file| is_of(file, &reversi);
        assert!(of("firmware-core/src/games/reversi/mod.rs"));
        assert!(of("firmware-core/src/games/reversi/tests.rs"));
        assert!(of("firmware-core/src/games/testing/laws.rs"));
        assert!(of("firmware-core/src/games/mod.rs"));
        assert!(of("firmware-core/src/minds/alphabeta.rs"));
        assert!(of("protocol/src/layout/mod.rs"));
        assert!(of("Cargo.lock"));
        assert!(!of("firmware-core/src/games/life/mod.rs"));
        assert!(!of("firmware-core/src/cartridge/turn/mod.rs"));
        assert!(!of("hil-bridge/host/src/lib.rs"));
        assert!(!of("protocol/tests/wire.rs"));
        assert!(is_of(
            "protocol/tests/wire.rs",
            &MutatedPart::named("protocol").unwrap()
        ));
        let panel = MutatedPart::named("firmware-core/src/panel.rs").unwrap();
        assert!(is_of("firmware-core/src/games/life/mod.rs", &panel));
    }

    #[test]
    fn dependencies_of_other_packages_are_not_built() {
        let manifest = "[package]\nname = \"a\"\n\n[dependencies]\nb = \"1\"\n\n[target.'x'.dependencies]\nc = { features = [\n  \"d\",\n] }\n\n[lints]\nworkspace = true\n";
        assert_eq!(
            without_dependencies(manifest),
            "[package]\nbuild = false\nname = \"a\"\n\n[lints]\nworkspace = true\n"
        );
    }

    #[test]
    fn updating_a_copy_rewrites_only_changed_files() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let stale = folder.join("firmware-core/src/no_such_file.rs");
        write(&stale, b"fn gone() {}").unwrap();
        let changed = "protocol/src/lib.rs";
        write(&folder.join(changed), b"changed").unwrap();
        let tree = Tree::copy_to(folder.to_owned(), &BTreeSet::from([changed.to_owned()])).unwrap();
        assert!(!stale.exists());
        assert_eq!(fs::read(folder.join(changed)).unwrap(), b"changed");
        let own = "tools/xtask-lab/src/mutants/tree.rs";
        assert_eq!(
            fs::read(folder.join(own)).unwrap(),
            fs::read(root().join(own)).unwrap()
        );
        let reversi = MutatedPart::named("reversi").unwrap();
        let life = MutatedPart::named("life").unwrap();
        assert_eq!(
            tree.digest(&reversi).unwrap(),
            tree.digest(&reversi).unwrap()
        );
        assert_ne!(tree.digest(&reversi).unwrap(), tree.digest(&life).unwrap());
    }
}

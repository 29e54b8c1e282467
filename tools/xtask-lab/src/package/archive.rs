//! The archive of a package, and the checksums of all packages.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use anyhow::Context;
use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};
use tar::{Builder, HeaderMode};

use super::contents::Contents;
use crate::folder::{files, folders, name};

/// The file of the checksums, in the form that `sha256sum --check` reads.
const SUMS: &str = "SHA256SUMS";

/// Writes `NAME-VERSION-ARCHITECTURE-SYSTEM.tar.gz`, with one folder in it.
pub fn write(contents: &Contents, folder: &Path, packages: &Path) -> anyhow::Result<()> {
    let top = format!(
        "{}-{}-{}-{}",
        contents.name,
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS
    );
    let path = packages.join(format!("{top}.tar.gz"));
    let file = File::create(&path)?;
    let archive = archive(&top, folder, file)
        .with_context(|| format!("{} cannot be written", path.display()))?;
    archive.sync_all()?;
    Ok(())
}

/// Writes all files of a folder, without their times and owners, and the licences.
fn archive<W: std::io::Write>(top: &str, folder: &Path, output: W) -> anyhow::Result<W> {
    let encoder: GzEncoder<W> = GzBuilder::new().mtime(0).write(output, Compression::best());
    let mut tar = Builder::new(encoder);
    tar.mode(HeaderMode::Deterministic);
    for part in folders(folder)? {
        let inside = Path::new(top).join(name(&part)?);
        for file in files(&part)? {
            tar.append_path_with_name(&file, inside.join(name(&file)?))?;
        }
    }
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let file = xtask::cargo::root().join(licence);
        tar.append_path_with_name(file, Path::new(top).join(licence))?;
    }
    let mut encoder = tar.into_inner()?;
    encoder.flush()?;
    Ok(encoder.finish()?)
}

/// Writes the checksums of the packages.
pub fn write_sums(packages: &Path) -> anyhow::Result<()> {
    let mut sums = String::new();
    for file in files(packages)? {
        let sum = Sha256::digest(fs::read(&file)?);
        for byte in sum {
            write!(sums, "{byte:02x}")?;
        }
        writeln!(sums, "  {}", name(&file)?)?;
    }
    fs::write(packages.join(SUMS), sums)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_make_the_same_archive() {
        let archive_of = || {
            let folder = tempfile::tempdir().expect("a folder");
            for (part, file) in [("man", "b.1"), ("bin", "b"), ("bin", "a")] {
                let part = folder.path().join(part);
                fs::create_dir_all(&part).expect("a folder");
                fs::write(part.join(file), file).expect("a file");
            }
            archive("name", folder.path(), Vec::new()).expect("an archive")
        };
        let one = archive_of();
        assert_eq!(one, archive_of());
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(one.as_slice()));
        let entries = tar.entries().expect("entries");
        let names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .path()
                    .expect("a path")
                    .display()
                    .to_string()
            })
            .collect();
        let wanted = [
            "name/bin/a",
            "name/bin/b",
            "name/man/b.1",
            "name/LICENSE-APACHE",
            "name/LICENSE-MIT",
        ];
        assert_eq!(names, wanted);
    }

    #[test]
    fn checksums_are_in_the_form_that_sha256sum_reads() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("one.deb"), "abc").expect("a file");
        write_sums(folder.path()).expect("sums");
        let sums = fs::read_to_string(folder.path().join(SUMS)).expect("sums");
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sums, format!("{abc}  one.deb\n"));
    }
}

//! What the packages contain.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use flate2::{Compression, GzBuilder};
use xtask::cargo::{put, run};

use crate::folder::files;

/// The programs of a package.
pub struct Contents {
    /// The name of the package's folder and archive.
    pub name: &'static str,
    /// The folder in `packaged`, which the tables of `cargo deb` name.
    folder: &'static str,
    /// The packages of the workspace that are built. The first has the table for
    /// `cargo deb`.
    pub packages: &'static [&'static str],
    /// True if the server for coding agents belongs to it, which is a workspace of its own.
    pub has_mcp: bool,
    programs: &'static [Program],
}

/// A program of a package.
struct Program {
    /// Its file in the build folder.
    built: &'static str,
    /// Its file once it is installed.
    installed: &'static str,
    /// True if it writes its own manual pages and completion scripts.
    has_pages: bool,
}

/// A program that is installed under the name that it is built with.
const fn program(name: &'static str, has_pages: bool) -> Program {
    Program {
        built: name,
        installed: name,
        has_pages,
    }
}

/// All commands but the window.
pub const TOOLS: Contents = Contents {
    name: "touchboard-tools",
    folder: "tools",
    packages: &[
        "hil-bridge",
        "ludemes-command",
        "ludemes-server",
        "virtual-board",
    ],
    has_mcp: true,
    programs: &[
        program("hil-bridge", true),
        program("ludemes", true),
        program("virtual-board", true),
        program("ludemes-server", false),
        program("hil-bridge-mcp", false),
    ],
};

/// The window.
pub const WINDOW: Contents = Contents {
    name: "touchboard",
    folder: "window",
    packages: &["emulator"],
    has_mcp: false,
    programs: &[Program {
        built: "emulator",
        installed: "touchboard",
        has_pages: true,
    }],
};

/// The file name of a program's completion script.
type ScriptName = fn(&str) -> String;

/// The shells with completion scripts: the name, and the script of a program.
const SHELLS: [(&str, ScriptName); 3] = [
    ("bash", |program| program.to_owned()),
    ("zsh", |program| format!("_{program}")),
    ("fish", |program| format!("{program}.fish")),
];

impl Contents {
    /// Puts the built programs into `bin` of a folder, and what they write about
    /// themselves into `man`, `bash`, `zsh` and `fish` beside it. Returns the folder.
    pub fn collect(&self, target: &Path) -> anyhow::Result<PathBuf> {
        let folder = target.join("release/packaged").join(self.folder);
        let _ = fs::remove_dir_all(&folder);
        let bin = folder.join("bin");
        fs::create_dir_all(&bin)?;
        for program in self.programs {
            let suffix = std::env::consts::EXE_SUFFIX;
            let builds = match program.built {
                "hil-bridge-mcp" => target.join("mcp/release"),
                _ => target.join("release"),
            };
            let installed = bin.join(format!("{}{suffix}", program.installed));
            put(
                &builds.join(format!("{}{suffix}", program.built)),
                &installed,
            )?;
            if program.has_pages {
                let mut pages = Command::new(&installed);
                run(pages.args(["--generate", "man"]).arg(folder.join("man")))?;
                compress(&folder.join("man"))?;
                for (shell, file_of) in SHELLS {
                    let scripts = folder.join(shell);
                    fs::create_dir_all(&scripts)?;
                    let script = scripts.join(file_of(program.installed));
                    fs::write(&script, generated(&installed, shell)?)?;
                }
            }
        }
        Ok(folder)
    }
}

/// Replaces the manual pages in a folder by compressed ones, as Debian's policy wants them
/// (Debian Policy Manual, 12.1).
fn compress(folder: &Path) -> anyhow::Result<()> {
    for path in files(folder)? {
        if path.extension().is_some_and(|extension| extension == "1") {
            let packed = File::create(path.with_extension("1.gz"))?;
            let mut packed = GzBuilder::new().mtime(0).write(packed, Compression::best());
            packed.write_all(&fs::read(&path)?)?;
            packed.finish()?;
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// A program's completion script for a shell.
fn generated(program: &Path, shell: &str) -> anyhow::Result<Vec<u8>> {
    let output = Command::new(program).args(["--generate", shell]).output();
    let output = output.with_context(|| format!("{} does not start", program.display()))?;
    anyhow::ensure!(
        output.status.success() && !output.stdout.is_empty(),
        "{} writes no script for {shell}",
        program.display()
    );
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn pages_are_compressed_once_and_keep_their_text() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a-b.1"), "A page").expect("a page");
        for _ in 0..2 {
            compress(folder.path()).expect("pages");
        }
        let names = files(folder.path()).expect("files");
        assert_eq!(names, [folder.path().join("a-b.1.gz")]);
        let packed = File::open(folder.path().join("a-b.1.gz")).expect("the page");
        let mut text = String::new();
        let read = GzDecoder::new(packed).read_to_string(&mut text);
        read.expect("gzip");
        assert_eq!(text, "A page");
    }
}

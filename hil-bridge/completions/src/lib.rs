//! What the command lines of the project have in common: numbers within a range, and the
//! completion scripts and manual pages that each command writes about itself,
//! `hil-bridge --generate zsh`, `hil-bridge --generate man FOLDER`.
//!
//! Scripts and pages are made from the same definition as the help, so a package that installs them
//! cannot be out of step with its program. A page is called like the file that was
//! started, because a package may install a program under another name.
//!
//! Invariants: a script goes to the standard output and nothing else does; invalid
//! requests have exit code 2 and a sentence on the standard error.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod number;

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::{Command, ValueEnum};
use clap_complete::Shell;

pub use number::{DecimalError, NumberError, decimal, number};

/// The option, which stands first and alone.
const OPTION: &str = "--generate";

/// What a command's long help says about the option.
pub const HELP: &str = "\
`--generate bash` (elvish, fish, powershell, zsh) prints a completion script for a shell; \
`--generate man FOLDER` writes the manual pages.";

/// A request that cannot be fulfilled.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// There is no such shell, and it is not `man` with one folder.
    #[error(
        "`{OPTION} {0}` is unknown: write `{OPTION} bash`, `elvish`, `fish`, `powershell` or `zsh`, or `{OPTION} man FOLDER`"
    )]
    Unknown(String),
    /// The standard output or the folder cannot be written.
    #[error("{place} cannot be written: {error}")]
    Unwritten {
        /// The folder, or the standard output.
        place: String,
        /// The reason.
        error: io::Error,
    },
}

/// Fulfils a request for a script or for manual pages, if that is what the arguments of
/// the program are, with the program's own name in front.
///
/// `None`: the arguments ask for something else.
pub fn generate(
    command: Command,
    arguments: impl IntoIterator<Item = OsString>,
) -> Option<ExitCode> {
    let mut arguments = arguments.into_iter();
    let program = arguments.next()?;
    if arguments.next()? != OPTION {
        return None;
    }
    let name = Path::new(&program)
        .file_stem()
        .map_or_else(|| command.get_name().into(), |name| name.to_string_lossy());
    // Clap keeps a name as long as the program runs.
    let name: &'static str = String::leak(name.into_owned());
    let rest: Vec<OsString> = arguments.collect();
    Some(match write(command.name(name), &rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If this fails too, there is nowhere to report it.
            let _ = writeln!(io::stderr(), "{name}: {error}");
            ExitCode::from(2)
        }
    })
}

/// Writes what was requested.
fn write(mut command: Command, request: &[OsString]) -> Result<(), GenerateError> {
    if let [kind, folder] = request
        && kind == "man"
    {
        return manual_pages(command, Path::new(folder));
    }
    let words = || {
        let words = request.iter().map(|word| word.to_string_lossy());
        words.collect::<Vec<_>>().join(" ")
    };
    let [kind] = request else {
        return Err(GenerateError::Unknown(words()));
    };
    let shell = kind
        .to_str()
        .and_then(|kind| Shell::from_str(kind, false).ok())
        .ok_or_else(|| GenerateError::Unknown(words()))?;
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    io::stdout()
        .write_all(&script)
        .map_err(|error| GenerateError::Unwritten {
            place: "the standard output".into(),
            error,
        })
}

/// Writes a page for the command, and one for each of its subcommands.
fn manual_pages(command: Command, folder: &Path) -> Result<(), GenerateError> {
    let written = fs::create_dir_all(folder);
    let written = written.and_then(|()| clap_mangen::generate_to(command, folder));
    written.map_err(|error| GenerateError::Unwritten {
        place: folder.display().to_string(),
        error,
    })
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    fn command() -> Command {
        let ports = Command::new("ports").about("Find the boards");
        Command::new("board")
            .about("Drives a board")
            .arg(Arg::new("level").long("level").help("How well it plays"))
            .subcommand(ports)
    }

    fn words(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    #[test]
    fn other_arguments_are_left_to_the_command() {
        for arguments in [
            &[][..],
            &["board"],
            &["board", "ports"],
            &["board", "--", "--generate"],
        ] {
            assert!(
                generate(command(), words(arguments)).is_none(),
                "{arguments:?}"
            );
        }
    }

    #[test]
    fn pages_are_called_like_the_program_that_was_started() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().to_str().expect("a path in letters");
        let code = generate(command(), words(&["/usr/bin/other", OPTION, "man", path]));
        assert_eq!(code, Some(ExitCode::SUCCESS));
        let page = |name: &str| {
            let page = fs::read_to_string(folder.path().join(name));
            page.unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        insta::assert_snapshot!(page("other.1"));
        assert!(page("other-ports.1").contains("Find the boards"));
    }

    #[test]
    fn unknown_requests_name_what_there_is() {
        for request in [
            &["tcsh"][..],
            &[],
            &["man"],
            &["bash", "zsh"],
            &["man", "a", "b"],
        ] {
            let error = write(command(), &words(request)).expect_err("an error");
            let said = error.to_string();
            assert!(
                said.contains(&request.join(" ")) && said.contains("zsh"),
                "{said}"
            );
        }
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let path = file.path().join("man");
        let error = write(command(), &[OsString::from("man"), path.into()]).expect_err("an error");
        assert!(matches!(error, GenerateError::Unwritten { .. }), "{error}");
    }
}

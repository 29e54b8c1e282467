//! The sources of a board that is watched: which folders they are in, whether they have
//! changed, and the command that builds them.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};
use std::{fs, thread};

use touchboard_host::driver::DriverError;

use crate::at::At;
use crate::qemu::Image;
use crate::{LinkError, pico};

/// The folder of the boards, below the root.
const BOARDS: &str = "firmware-core/boards";

/// The version of a file: modification time and length.
pub(super) type Stamp = (SystemTime, u64);

/// The version of a file, or of all files in a folder together; `None` if nothing exists.
pub(super) fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok()?;
    if meta.is_file() {
        return Some((meta.modified().ok()?, meta.len()));
    }
    let files = fs::read_dir(path).ok()?.flatten();
    let stamps = files.filter_map(|file| stamp(&file.path()));
    // A deleted file changes the total length.
    stamps.reduce(|(late, long), (when, length)| (late.max(when), long.wrapping_add(length)))
}

/// How a board is built.
#[derive(Clone, Debug)]
pub(super) struct Build {
    /// The folders of the board's sources, below the root.
    folders: Vec<String>,
    /// The arguments with which cargo builds the program.
    arguments: Vec<String>,
}

impl Build {
    /// How the board at this place is built; `None` if it is not built here.
    pub(super) fn of(at: &At) -> Option<Build> {
        let (board, arguments) = match at {
            At::Virtual => (
                "virtual",
                // The second package makes all crates have the same features as in a
                // build of the workspace, so that none is rebuilt.
                "build --package virtual-board --package equal-features --message-format short"
                    .to_owned(),
            ),
            At::Qemu(Image { chip, games }) => {
                let chip = chip.name();
                let games = games.map_or(String::new(), |games| format!(" --games {games}"));
                (chip, format!("xtask firmware {chip}{games}"))
            }
            At::Pico(_) => (pico::NAME, format!("xtask firmware {}", pico::NAME)),
            At::Core | At::Tcp(_) | At::Shared(..) | At::Serial(_) => return None,
        };
        let mut folders = vec![
            "protocol".to_owned(),
            "firmware-core/src".to_owned(),
            format!("{BOARDS}/{board}"),
        ];
        folders.push(match at {
            At::Qemu(_) | At::Pico(_) => format!("{BOARDS}/cortex-m"),
            _ => "hil-bridge/files".to_owned(),
        });
        let arguments = arguments.split(' ').map(str::to_owned).collect();
        Some(Build { folders, arguments })
    }
}

/// A board's sources, and the command that builds it.
pub(super) struct Sources {
    /// The root folder of the sources.
    root: PathBuf,
    build: Build,
}

impl Sources {
    /// Finds the sources in the current folder or one around it.
    pub(super) fn find(build: Build) -> Result<Sources, DriverError> {
        let here = std::env::current_dir().unwrap_or_default();
        let has_sources = |folder: &&Path| folder.join(BOARDS).is_dir();
        match here.ancestors().find(has_sources).map(Path::to_path_buf) {
            Some(root) => Ok(Sources { root, build }),
            None => Err(LinkError::open(
                "the sources of the board are not here: run this in their folder, or watch the board alone with --watch=board"
                    .into(),
            )),
        }
    }

    pub(super) fn stamps(&self) -> Vec<Option<Stamp>> {
        let folders = self.build.folders.iter();
        folders
            .map(|folder| stamp(&self.root.join(folder)))
            .collect()
    }

    fn cargo(&self) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(&self.build.arguments)
            .current_dir(&self.root)
            .stdin(Stdio::null());
        command
    }

    /// Lets cargo build the board; ends it once nobody waits for the board any more.
    pub(super) fn build(&self, is_over: &AtomicBool) -> Result<(), BuildError> {
        match run_unless(self.cargo(), is_over) {
            Ok(Ended::ByItself { status, .. }) if status.success() => Ok(()),
            Ok(Ended::ByItself { said, .. }) => Err(BuildError::Wrong(first_error(&said))),
            Ok(Ended::Killed) => Err(BuildError::Unwatched),
            Err(error) => Err(BuildError::NoCargo(error)),
        }
    }

    /// [`Sources::build`] with cargo's output visible, because there is no window yet and
    /// building may take minutes.
    pub(super) fn build_in_sight(&self) -> Result<(), BuildError> {
        match self.cargo().status() {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err(BuildError::WrongInSight),
            Err(error) => Err(BuildError::NoCargo(error)),
        }
    }
}

/// Why a board was not built.
#[derive(Debug, thiserror::Error)]
pub(super) enum BuildError {
    /// The sources are wrong: the compiler's first error, with its place.
    #[error("the board was not built: {0}")]
    Wrong(String),
    /// The sources are wrong, and the user has seen why.
    #[error("the board was not built: see the messages of cargo above")]
    WrongInSight,
    /// Nobody waits for the board any more.
    #[error("the board was not built: nobody watches it")]
    Unwatched,
    /// Cargo does not start.
    #[error("the board was not built: cargo does not start: {0}")]
    NoCargo(#[source] io::Error),
}

/// How a program ended.
#[derive(Debug)]
enum Ended {
    /// With this status, and these words on its standard error.
    ByItself { status: ExitStatus, said: String },
    /// It was killed, because it was no longer needed.
    Killed,
}

/// Runs a program to its end, or until `is_over`; what it has begun itself may then run on.
fn run_unless(mut command: Command, is_over: &AtomicBool) -> io::Result<Ended> {
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut program = command.spawn()?;
    // Read beside it: a program waits while its words fill the pipe.
    let said = program.stderr.take().map(|mut words| {
        thread::spawn(move || {
            let mut said = Vec::new();
            let _ = words.read_to_end(&mut said);
            String::from_utf8_lossy(&said).into_owned()
        })
    });
    while !is_over.load(Ordering::Relaxed) {
        if let Some(status) = program.try_wait()? {
            let said = said.and_then(|said| said.join().ok()).unwrap_or_default();
            return Ok(Ended::ByItself { status, said });
        }
        thread::sleep(ASK_EVERY);
    }
    program.kill()?;
    program.wait()?;
    Ok(Ended::Killed)
}

/// How often a running program is asked whether it has ended.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// The first error in a compiler's output, with its place if one of the next lines has it.
fn first_error(words: &str) -> String {
    let mut lines = words.lines();
    let is_error = |line: &&str| line.starts_with("error") || line.contains(": error");
    let Some(error) = lines.find(is_error) else {
        let last = words.lines().last();
        return last.unwrap_or("cargo does not say why").to_owned();
    };
    let place = lines
        .next()
        .and_then(|line| line.trim().strip_prefix("--> "));
    match place {
        Some(place) => format!("{place}: {error}"),
        None => error.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_of_cargo_is_named_with_its_place() {
        let short = "Compiling thiserror v2.0.0\nfirmware-core/src/a.rs:3:5: error: no such thing\nerror: two";
        assert_eq!(
            first_error(short),
            "firmware-core/src/a.rs:3:5: error: no such thing"
        );
        let long = "warning: unused\nerror[E0425]: no such thing\n   --> src/a.rs:3:5\n    |";
        assert_eq!(
            first_error(long),
            "src/a.rs:3:5: error[E0425]: no such thing"
        );
        assert_eq!(first_error("it is\nas it is"), "as it is");
        assert_eq!(first_error(""), "cargo does not say why");
    }

    #[cfg(unix)]
    #[test]
    fn a_build_ends_once_nobody_watches() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        };
        let is_over = AtomicBool::new(false);
        let words = "head -c 1000000 /dev/zero | tr '\\0' x >&2; echo the end >&2; exit 3";
        match run_unless(shell(words), &is_over).unwrap() {
            Ended::ByItself { status, said } => {
                assert_eq!(status.code(), Some(3));
                assert!(said.ends_with("xthe end\n"), "{} bytes", said.len());
            }
            Ended::Killed => panic!("it was killed"),
        }
        thread::scope(|scope| {
            let waiting = scope.spawn(|| run_unless(shell("exec sleep 86400"), &is_over));
            is_over.store(true, Ordering::Relaxed);
            assert!(matches!(waiting.join().unwrap(), Ok(Ended::Killed)));
        });
    }

    #[test]
    fn every_watched_source_folder_exists() {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = own.join("../..");
        for at in [
            "virtual",
            "qemu",
            "qemu:netduinoplus2",
            "qemu:lm3s6965evb-059",
        ] {
            let build = Build::of(&at.parse().unwrap()).unwrap();
            for folder in &build.folders {
                assert!(root.join(folder).is_dir(), "{at}: {folder}");
            }
        }
    }

    #[test]
    fn an_image_is_rebuilt_with_its_own_games() {
        let build = Build::of(&"qemu:lm3s6965evb-059".parse().unwrap()).unwrap();
        assert_eq!(
            build.arguments.join(" "),
            "xtask firmware lm3s6965evb --games 059"
        );
    }
}

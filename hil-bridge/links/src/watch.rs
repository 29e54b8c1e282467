//! Firmware that changes during a game.
//!
//! When the virtual board or the image in QEMU has been rebuilt, it is started, and
//! everything done so far is repeated on it. The first difference is reported, and the
//! game continues at the same tick. A thread checks a few times a second for a new
//! executable, or for changed sources, which cargo then builds. [`Watch::poll`] handles
//! what the thread found.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};
use std::{fmt, fs, io, thread};

use crossbeam_channel::{Receiver, Sender, unbounded};
use firmware_core::Faults;
use touchboard_host::driver::{Driver, DriverError};
use touchboard_host::recorder::{RecordingDriver, Rerun};
use touchboard_host::session::{Header, Session};

use crate::at::{At, Where};
use crate::process::find_program;
use crate::qemu::{Image, find_image};
use crate::remote::RemoteDriver;
use crate::{LinkError, pico};

/// How often the thread checks. A file that is the same in two checks is complete.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The program that is watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "options", derive(clap::ValueEnum))]
pub enum WatchTarget {
    /// The executable of the virtual board, or the image: a build restarts the board.
    #[default]
    Board,
    /// Also its sources: a change starts a build.
    Sources,
}

/// A change that the watching thread noticed.
enum Noticed {
    /// The executable was rebuilt.
    Renewed,
    /// A sentence for the user.
    Said(String),
}

/// Whether a board is being built now, for code that shows it.
#[derive(Clone, Debug, Default)]
pub struct BuildState(Arc<AtomicBool>);

impl BuildState {
    /// True while cargo builds it.
    #[must_use]
    pub fn is_building(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A board that is restarted whenever its program has been rebuilt.
pub struct Watch {
    place: Where,
    noticed: Receiver<Noticed>,
    build: BuildState,
    is_over: Arc<AtomicBool>,
}

/// News of a board's firmware; [`fmt::Display`] writes it as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The rebuilt board has repeated the session, and the game continues.
    GoesOn(Box<Rerun>),
    /// Any other news, as a sentence.
    Said(String),
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            News::GoesOn(rerun) => match &rerun.first {
                Some(first) => write!(f, "the board was rebuilt: {first}"),
                None => write!(
                    f,
                    "the board was rebuilt: the game is the same, {} moves up to tick {}",
                    rerun.moves, rerun.tick
                ),
            },
            News::Said(sentence) => f.write_str(sentence),
        }
    }
}

/// A watched board with a recording of everything done to it.
pub type WatchedBoard = RecordingDriver<RemoteDriver>;

impl Watch {
    /// Starts the board, and watches its program from now on. If its sources are watched,
    /// the board is built first.
    ///
    /// # Errors
    /// A sentence if this place has nothing to watch, or the board does not start.
    pub fn begin(
        place: &Where,
        watched: WatchTarget,
    ) -> Result<(Watch, WatchedBoard), DriverError> {
        let build = Build::of(&place.at).ok_or_else(|| {
            LinkError::open(format!(
                "--watch is only possible with --at virtual, --at qemu and --at pico: the board at {} is not built here",
                place.at
            ))
        })?;
        if place.keep.is_some() {
            return Err(LinkError::open(
                "--keep and --watch do not go together: what was played is played again whenever the firmware changes"
                    .to_owned(),
            ));
        }
        let sources = match watched {
            WatchTarget::Board => None,
            WatchTarget::Sources => Some(Sources::find(build)?),
        };
        let program = built_program(place, sources.as_ref())?;
        let place = Where {
            program: Some(program.clone()),
            ..place.clone()
        };
        let looked = stamp(&program);
        let board = watched_board(&place)?;
        let (tell, noticed) = unbounded();
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let build = BuildState::default();
        let eyes = Eyes {
            build: build.clone(),
            program,
            looked,
            sources,
            tell,
        };
        let thread = thread::Builder::new().name("watch".into());
        let spawned = thread.spawn(move || eyes.look_until(&over));
        spawned.map_err(|error| LinkError::open(format!("no thread to watch: {error}")))?;
        Ok((
            Watch {
                place,
                noticed,
                build,
                is_over,
            },
            board,
        ))
    }

    /// Whether it is being built, also after this was moved.
    #[must_use]
    pub fn build_state(&self) -> BuildState {
        self.build.clone()
    }

    /// Handles the changes since the last call: repeats the session on a rebuilt board.
    /// Returns news for the user.
    pub fn poll(&mut self, board: &mut WatchedBoard) -> Vec<News> {
        let noticed: Vec<Noticed> = self.noticed.try_iter().collect();
        let tell = |noticed| match noticed {
            Noticed::Said(sentence) => News::Said(sentence),
            Noticed::Renewed => self.renew(board),
        };
        noticed.into_iter().map(tell).collect()
    }

    fn renew(&self, board: &mut WatchedBoard) -> News {
        match self.place.remote().and_then(|new| board.rerun(new)) {
            Ok(rerun) => News::GoesOn(Box::new(rerun)),
            Err(error) => News::Said(format!(
                "the rebuilt board cannot continue this game, so the previous one stays: {error}"
            )),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// A driver that handles the changes by itself.
pub struct Watching {
    watch: Watch,
    board: WatchedBoard,
    told: Vec<String>,
    rerun: Option<Rerun>,
}

impl Watching {
    /// Starts the board; see [`Watch::begin`].
    ///
    /// # Errors
    /// Those of [`Watch::begin`].
    pub fn begin(place: &Where, watched: WatchTarget) -> Result<Watching, DriverError> {
        let (watch, board) = Watch::begin(place, watched)?;
        Ok(Watching {
            watch,
            board,
            told: Vec::new(),
            rerun: None,
        })
    }

    fn poll(&mut self) {
        for news in self.watch.poll(&mut self.board) {
            self.told.push(news.to_string());
            if let News::GoesOn(rerun) = news {
                self.rerun = Some(*rerun);
            }
        }
    }
}

impl Driver for Watching {
    touchboard_host::forward!(board; own: step, step_and_digest, faults, set_faults, overhear, take_rerun, take_remarks);

    fn step(
        &mut self,
        inputs: &[protocol::Input],
        ticks: protocol::Tick,
    ) -> Result<(), DriverError> {
        self.poll();
        self.board.step(inputs, ticks)
    }

    fn step_and_digest(
        &mut self,
        inputs: &[protocol::Input],
        ticks: protocol::Tick,
    ) -> Result<u64, DriverError> {
        self.poll();
        self.board.step_and_digest(inputs, ticks)
    }

    fn faults(&self) -> Faults {
        self.board.faults()
    }

    fn set_faults(&mut self, faults: Faults) -> Result<(), String> {
        self.board.set_faults(faults)
    }

    fn overhear(&mut self) -> Vec<String> {
        self.board.overhear()
    }

    fn take_rerun(&mut self) -> Option<Rerun> {
        self.rerun.take()
    }

    fn take_remarks(&mut self) -> Vec<String> {
        let mut remarks = std::mem::take(&mut self.told);
        remarks.extend(self.board.take_remarks());
        remarks
    }
}

/// The watched files, and their state at the last check.
struct Eyes {
    program: PathBuf,
    looked: Option<Stamp>,
    sources: Option<Sources>,
    build: BuildState,
    tell: Sender<Noticed>,
}

/// The version of a file: modification time and length.
type Stamp = (SystemTime, u64);

/// The version of a file, or of all files in a folder together; `None` if nothing exists.
fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok()?;
    if meta.is_file() {
        return Some((meta.modified().ok()?, meta.len()));
    }
    let files = fs::read_dir(path).ok()?.flatten();
    let stamps = files.filter_map(|file| stamp(&file.path()));
    // A deleted file changes the total length.
    stamps.reduce(|(late, long), (when, length)| (late.max(when), long.wrapping_add(length)))
}

impl Eyes {
    fn look_until(mut self, is_over: &AtomicBool) {
        let mut before = self.looked;
        let mut built = self.sources.as_ref().map(Sources::stamps);
        let mut written = built.clone();
        while !is_over.load(Ordering::Relaxed) {
            thread::sleep(LOOK_EVERY);
            let now = self.sources.as_ref().map(Sources::stamps);
            if now != built && now == written {
                built = now.clone();
                self.build();
                // When cargo has finished, its file is complete.
                before = stamp(&self.program);
            }
            written = now;
            let now = stamp(&self.program);
            if now.is_some() && now != self.looked && now == before {
                self.looked = now;
                let _ = self.tell.send(Noticed::Renewed);
            }
            before = now;
        }
    }

    /// Builds the board. The changed executable is noticed in the next check.
    fn build(&self) {
        let Some(sources) = &self.sources else { return };
        let say = |sentence: String| {
            let _ = self.tell.send(Noticed::Said(sentence));
        };
        say("the sources have changed: the board is being built".to_owned());
        self.build.0.store(true, Ordering::Relaxed);
        let built = sources.build();
        self.build.0.store(false, Ordering::Relaxed);
        if let Err(sentence) = built {
            say(sentence);
        }
    }
}

/// How a board is built.
#[derive(Clone, Debug)]
struct Build {
    /// The folders of the board's sources, below the root.
    folders: Vec<String>,
    /// The arguments with which cargo builds the program.
    arguments: Vec<String>,
}

impl Build {
    /// How the board at this place is built; `None` if it is not built here.
    fn of(at: &At) -> Option<Build> {
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
            At::Core | At::Tcp(_) | At::Serial(_) => return None,
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

/// The folder of the boards, below the root.
const BOARDS: &str = "firmware-core/boards";

/// A board's sources, and the command that builds it.
struct Sources {
    /// The root folder of the sources.
    root: PathBuf,
    build: Build,
}

impl Sources {
    /// Finds the sources in the current folder or one around it.
    fn find(build: Build) -> Result<Sources, DriverError> {
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

    fn stamps(&self) -> Vec<Option<Stamp>> {
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

    /// Lets cargo build the board. The error is a sentence.
    fn build(&self) -> Result<(), String> {
        match self.cargo().output() {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => {
                let words = String::from_utf8_lossy(&output.stderr);
                Err(format!("the board was not built: {}", first_error(&words)))
            }
            Err(error) => Err(no_cargo(&error)),
        }
    }

    /// [`Sources::build`] with cargo's output visible, because there is no window yet and
    /// building may take minutes.
    fn build_in_sight(&self) -> Result<(), String> {
        match self.cargo().status() {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err("the board was not built: see the messages of cargo above".to_owned()),
            Err(error) => Err(no_cargo(&error)),
        }
    }
}

fn no_cargo(error: &io::Error) -> String {
    format!("the board was not built: cargo does not start: {error}")
}

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

/// The program of the board, built if there are sources: then the game starts with their
/// latest version.
fn built_program(place: &Where, sources: Option<&Sources>) -> Result<PathBuf, DriverError> {
    let find = || match (&place.program, &place.at) {
        (Some(program), _) => Ok(program.clone()),
        (None, At::Qemu(image)) => find_image(*image),
        (None, At::Pico(_)) => pico::find_image(),
        (None, _) => find_program(),
    };
    let built = sources.map_or(Ok(()), Sources::build_in_sight);
    find().map_err(|error| match built {
        Ok(()) => error,
        Err(sentence) => LinkError::open(sentence),
    })
}

/// The board of this place, with everything that will be done to it.
fn watched_board(place: &Where) -> Result<WatchedBoard, DriverError> {
    let (seed, layout) = (place.seed.unwrap_or(0), place.first_layout());
    let note = "of a board whose firmware is watched";
    let board = place.remote()?;
    let header = Header::new(layout, seed, note).with_games(board.roster());
    let board = RecordingDriver::replaying(board, Session::new(header))?;
    let mut board = board.with_twin()?;
    board.keep_what_is_seen();
    Ok(board)
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

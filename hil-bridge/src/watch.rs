//! Firmware that is changed in the midst of a game: when the virtual board was
//! built anew it is started, what was done so far is done on it, what comes out
//! otherwise first is told, and the game goes on at the same instant.
//!
//! A thread looks a few times a second whether there is another executable, or
//! other sources, which it has cargo build. What it saw is taken in by
//! [`Watch::look`].

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use crossbeam_channel::{Receiver, Sender, unbounded};
use protocol::Layout;

use crate::at::{At, Where};
use crate::driver::{BridgeError, Driver};
use crate::process::find_program;
use crate::recorder::{RecordingDriver, Rerun};
use crate::remote::RemoteDriver;
use crate::session::{Header, Session};

/// How often it is looked. A file that is the same in two looks is complete.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// What the board is built from, below the folder of the sources.
const SOURCES: [&str; 3] = [
    "protocol",
    "firmware-core/src",
    "firmware-core/boards/virtual",
];

/// What is watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Watched {
    /// The executable of the virtual board: it is started anew when it was
    /// built.
    #[default]
    Board,
    /// The sources of it too: it is built when they change.
    Sources,
}

/// What was seen.
enum Sign {
    /// There is another executable.
    Renewed,
    /// Something to be told.
    Said(String),
}

/// A virtual board that is started anew whenever it was built.
pub struct Watch {
    place: Where,
    signs: Receiver<Sign>,
    is_over: Arc<AtomicBool>,
}

/// What is to be told of a board's firmware; written out, it is a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The board was built anew, and goes on with the game.
    GoesOn(Rerun),
    /// Something else.
    Said(String),
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            News::GoesOn(Rerun {
                first: Some(first), ..
            }) => write!(f, "the board was built anew: {first}"),
            News::GoesOn(Rerun { moves, tick, .. }) => write!(
                f,
                "the board was built anew: all is as it was, {moves} moves up to tick {tick}"
            ),
            News::Said(sentence) => f.write_str(sentence),
        }
    }
}

/// A board that is watched, with all that is done to it.
pub type WatchedBoard = RecordingDriver<RemoteDriver>;

impl Watch {
    /// Starts the virtual board as a process, and watches it from then on.
    ///
    /// # Errors
    /// A sentence when this place has nothing that could be watched, or the board
    /// does not start.
    pub fn begin(place: &Where, watched: Watched) -> Result<(Watch, WatchedBoard), BridgeError> {
        if place.at != At::Virtual {
            return Err(BridgeError::Open(format!(
                "--watch is only possible with --at virtual: the board at {} is not built here",
                place.at
            )));
        }
        let program = match &place.program {
            Some(program) => program.clone(),
            None => find_program()?,
        };
        let sources = match watched {
            Watched::Board => None,
            Watched::Sources => Some(find_sources()?),
        };
        let place = Where {
            program: Some(program.clone()),
            ..place.clone()
        };
        let (seed, layout) = (
            place.seed.unwrap_or(0),
            place.layout.unwrap_or(Layout::MALDOO),
        );
        let note = "of a board whose firmware is watched";
        let header = Header::new(layout, seed, note);
        let looked = stamp(&program);
        let board = RecordingDriver::replaying(place.remote()?, Session::new(header))?;
        let mut board = board.with_twin()?;
        board.keep_what_is_seen();
        let (tell, signs) = unbounded();
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let eyes = Eyes {
            program,
            looked,
            sources,
            tell,
        };
        let thread = thread::Builder::new().name("watch".into());
        let spawned = thread.spawn(move || eyes.look_until(&over));
        spawned.map_err(|error| BridgeError::Open(format!("no thread to watch: {error}")))?;
        Ok((
            Watch {
                place,
                signs,
                is_over,
            },
            board,
        ))
    }

    /// Takes in what was seen since the last time: has a board that was built
    /// anew do what was done so far. Returns what is to be told.
    pub fn look(&mut self, board: &mut WatchedBoard) -> Vec<News> {
        let signs: Vec<Sign> = self.signs.try_iter().collect();
        let tell = |sign| match sign {
            Sign::Said(sentence) => News::Said(sentence),
            Sign::Renewed => self.renew(board),
        };
        signs.into_iter().map(tell).collect()
    }

    fn renew(&self, board: &mut WatchedBoard) -> News {
        match self.place.remote().and_then(|new| board.rerun(new)) {
            Ok(rerun) => News::GoesOn(rerun),
            Err(error) => News::Said(format!(
                "the board was built anew and cannot go on with this game, the one before does: {error}"
            )),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// A board that takes in by itself what is seen, for whoever drives one.
pub struct Watching {
    watch: Watch,
    board: WatchedBoard,
    told: Vec<String>,
    rerun: Option<Rerun>,
}

impl Watching {
    /// See [`Watch::begin`].
    ///
    /// # Errors
    /// As there.
    pub fn begin(place: &Where, watched: Watched) -> Result<Watching, BridgeError> {
        let (watch, board) = Watch::begin(place, watched)?;
        Ok(Watching {
            watch,
            board,
            told: Vec::new(),
            rerun: None,
        })
    }
}

impl Driver for Watching {
    crate::forward!(
        board: at, layout, roster, tick, frame, step_and_digest, carry_out, status, legal, digest, save,
        load, take_events
    );

    fn step(
        &mut self,
        inputs: &[protocol::Input],
        ticks: protocol::Tick,
    ) -> Result<(), BridgeError> {
        for news in self.watch.look(&mut self.board) {
            self.told.push(news.to_string());
            if let News::GoesOn(rerun) = news {
                self.rerun = Some(rerun);
            }
        }
        self.board.step(inputs, ticks)
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

/// What is looked at, and what it was the last time.
struct Eyes {
    program: PathBuf,
    looked: Option<Stamp>,
    sources: Option<PathBuf>,
    tell: Sender<Sign>,
}

/// What a file is known by: when it was written, and how long it is.
type Stamp = (SystemTime, u64);

/// The stamp of a file, or of all files in a folder; `None` if nothing is there.
fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok()?;
    if meta.is_file() {
        return Some((meta.modified().ok()?, meta.len()));
    }
    let files = fs::read_dir(path).ok()?.flatten();
    let stamps = files.filter_map(|file| stamp(&file.path()));
    // A file that is gone makes the whole shorter.
    stamps.reduce(|(late, long), (when, length)| (late.max(when), long.wrapping_add(length)))
}

fn stamp_of_sources(root: &Path) -> Vec<Option<Stamp>> {
    SOURCES
        .iter()
        .map(|folder| stamp(&root.join(folder)))
        .collect()
}

impl Eyes {
    fn look_until(mut self, is_over: &AtomicBool) {
        let mut before = self.looked;
        let read = |sources: &Option<PathBuf>| sources.as_deref().map(stamp_of_sources);
        let mut built = read(&self.sources);
        let mut written = built.clone();
        while !is_over.load(Ordering::Relaxed) {
            thread::sleep(LOOK_EVERY);
            let now = read(&self.sources);
            if now != built && now == written {
                built = now.clone();
                self.build();
            }
            written = now;
            let now = stamp(&self.program);
            if now.is_some() && now != self.looked && now == before {
                self.looked = now;
                let _ = self.tell.send(Sign::Renewed);
            }
            before = now;
        }
    }

    /// Has cargo build the board. That it was built is seen by its executable.
    fn build(&self) {
        let Some(root) = &self.sources else { return };
        let say = |sentence: String| {
            let _ = self.tell.send(Sign::Said(sentence));
        };
        say("the sources have changed: the board is being built".to_owned());
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args(["build", "--quiet", "--package", "virtual-board"])
            .args(["--message-format", "short"])
            .current_dir(root)
            .stdin(Stdio::null())
            .output();
        match built {
            Ok(output) if output.status.success() => {}
            Ok(output) => {
                let words = String::from_utf8_lossy(&output.stderr).into_owned();
                let error = words.lines().find(|line| line.contains("error"));
                let error = error
                    .or(words.lines().last())
                    .unwrap_or("cargo does not say why");
                say(format!("the board was not built: {error}"));
            }
            Err(error) => say(format!(
                "the board was not built: cargo does not start: {error}"
            )),
        }
    }
}

/// The folder of the sources: this one or one around it.
fn find_sources() -> Result<PathBuf, BridgeError> {
    let here = std::env::current_dir().unwrap_or_default();
    let has_sources = |folder: &&Path| folder.join(SOURCES[2]).join("Cargo.toml").is_file();
    let root = here.ancestors().find(has_sources).map(Path::to_path_buf);
    root.ok_or_else(|| {
        BridgeError::Open(
            "the sources of the board are not here: run this in their folder, or watch the board alone with --watch=board"
                .into(),
        )
    })
}

//! Firmware that changes during a game.
//!
//! When the virtual board or the image in QEMU has been rebuilt, it is started, and
//! everything done so far is repeated on it. The first difference is reported, and the
//! game continues at the same tick. A thread checks a few times a second for a new
//! executable, or for changed sources, which cargo then builds. [`Watch::poll`] handles
//! what the thread found.

mod sources;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fmt, thread};

use crossbeam_channel::{Receiver, Sender, unbounded};
use firmware_core::Faults;
use touchboard_host::driver::{Driver, DriverError};
use touchboard_host::recorder::{RecordingDriver, Rerun};
use touchboard_host::session::{Header, Session};

use crate::at::{At, Where};
use crate::process::find_program;
use crate::qemu::find_image;
use crate::remote::RemoteDriver;
use crate::{LinkError, pico};
use sources::{Build, Sources, Stamp, stamp};

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

/// A board that is restarted whenever its program has been rebuilt. Dropping this ends a
/// build that is under way.
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
        place.needs_sound_board("--watch needs a sound board")?;
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
        let files = WatchedFiles {
            build: build.clone(),
            program,
            looked,
            sources,
            tell,
        };
        let thread = thread::Builder::new().name("watch".into());
        let spawned = thread.spawn(move || files.look_until(&over));
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

    fn set_faults(&mut self, faults: Faults) -> Result<(), DriverError> {
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
struct WatchedFiles {
    program: PathBuf,
    looked: Option<Stamp>,
    sources: Option<Sources>,
    build: BuildState,
    tell: Sender<Noticed>,
}

impl WatchedFiles {
    fn look_until(mut self, is_over: &AtomicBool) {
        let mut before = self.looked;
        let mut built = self.sources.as_ref().map(Sources::stamps);
        let mut written = built.clone();
        while !is_over.load(Ordering::Relaxed) {
            thread::sleep(LOOK_EVERY);
            let now = self.sources.as_ref().map(Sources::stamps);
            if now != built && now == written {
                built = now.clone();
                self.build(is_over);
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
    fn build(&self, is_over: &AtomicBool) {
        let Some(sources) = &self.sources else { return };
        let say = |sentence: String| {
            let _ = self.tell.send(Noticed::Said(sentence));
        };
        say("the sources have changed: the board is being built".to_owned());
        self.build.0.store(true, Ordering::Relaxed);
        let built = sources.build(is_over);
        self.build.0.store(false, Ordering::Relaxed);
        if let Err(error) = built {
            say(error.to_string());
        }
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
        Err(error) => LinkError::open(error.to_string()),
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

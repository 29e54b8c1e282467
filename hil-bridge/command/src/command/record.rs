//! `record`: records what happens on a board in a session file.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, bail, ensure};
use firmware_core::faults::BoardFaults;
use firmware_core::{AnyBoard, Faults};
use hil_bridge::shell::{ShellArguments, run_here};
use parking_lot::{Mutex, MutexGuard};
use protocol::Tick;
use touchboard_completions::number;
use touchboard_files::why_no_file;
use touchboard_host::happening::Happening;
use touchboard_host::session::{Header, LAST_TICK, SessionItem, faults_note};
use touchboard_host::twin::Followed;
use touchboard_host::{Driver, Recorder, RecordingDriver, Twin};
use touchboard_links::client::Client;
use touchboard_links::{At, Where};
use touchboard_links::{SessionFile, SessionFileError};

use super::drive::{play_by, run_free};
use super::{CommandEnd, ExitKind, Unwritten, interruptions, print, print_error};

/// The maximum time until an interruption is noticed.
const PATIENCE: Duration = Duration::from_millis(100);

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The session file to write
    file: PathBuf,
    #[command(flatten)]
    place: Where,
    /// Drive the board with random input from this seed, instead of listening to it
    #[arg(long, value_name = "SEED", conflicts_with = "scenario", value_parser = number(0, u64::MAX), allow_negative_numbers = true)]
    play: Option<u64>,
    /// The number of steps to drive it
    #[arg(long, value_name = "STEPS", default_value_t = 1_000, requires = "play", value_parser = number(0, u64::MAX), allow_negative_numbers = true)]
    steps: u64,
    /// Drive the board with this file of shell commands, instead of listening to it
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
    /// How long to listen; by default, until the program is interrupted
    #[arg(long, value_name = "MS", value_parser = number(0, LAST_TICK), allow_negative_numbers = true)]
    for_ms: Option<u64>,
    /// A note that describes the session
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,
}

pub fn run(options: &Options) -> CommandEnd {
    super::set_up(&options.place)?;
    if options.play.is_none() && options.scenario.is_none() {
        return listen(options);
    }
    if let Some(scenario) = &options.scenario {
        super::spare_input(scenario, &options.file)?;
    }
    let unfinished = Unfinished::watch(&options.file)?;
    if let Some(file) = &options.scenario {
        // Checked before anything is started that then could not finish.
        if let Err(error) = File::open(file) {
            bail!("cannot read {}: {}", file.display(), why_no_file(&error));
        }
    }
    let (mut driver, seed) = options.place.open_seeded()?;
    let header = RecordingDriver::header(&mut driver, seed, &options.note)?;
    let file = unfinished.create(&header)?;
    let mut driver = RecordingDriver::new(driver, Recorder::into_log(header, Box::new(file)));
    let faults = driver.faults();
    if !faults.are_none() {
        // The session records them from its beginning, like those that follow.
        driver.set_faults(faults).map_err(Error::msg)?;
    }
    let ending = match (&options.scenario, options.play) {
        (Some(file), _) => {
            let shell = ShellArguments {
                file: Some(file.clone()),
                ..ShellArguments::default()
            };
            run_here(&mut driver, seed, &shell)
        }
        (None, play) => match play_with_bar(&mut driver, play.unwrap_or(0), options.steps) {
            Ok(ending) => ending,
            Err(error) => {
                let _ended = unfinished.end();
                incomplete(driver.into_log().and_then(|file| file.abandon()).as_deref());
                return Err(error);
            }
        },
    };
    let _ended = unfinished.end();
    if ending == ExitKind::Bad {
        incomplete(driver.into_log().and_then(|file| file.abandon()).as_deref());
        return Ok(ending);
    }
    let tick = driver.tick();
    driver.into_log().map_or(Ok(()), |file| file.finish(tick))?;
    print_end(&options.file, tick)?;
    Ok(ending)
}

/// Drives the board by a seed, with a progress bar.
fn play_with_bar(driver: &mut dyn Driver, seed: u64, steps: u64) -> CommandEnd {
    let bar = super::bar(steps, "steps");
    let done = play_by(driver, seed, steps, &mut |remarks| {
        for remark in remarks {
            bar.suspend(|| print_error(remark));
        }
        bar.inc(1);
    });
    bar.finish_and_clear();
    done
}

fn print_end(file: &Path, tick: u64) -> Result<(), Unwritten> {
    print(format_args!(
        "recorded up to tick {tick} into {}",
        file.display()
    ))
}

/// Reports the file of an incomplete recording.
fn incomplete(rest: Option<&Path>) {
    match rest {
        Some(rest) => print_error(format_args!(
            "the recording is not complete: what happened up to there is in {}",
            rest.display()
        )),
        None => print_error("nothing was recorded"),
    }
}

/// Records a free-running board until the time is over or the program is interrupted. A
/// twin follows it, so that a recording that would not replay is noticed at once.
fn listen(options: &Options) -> CommandEnd {
    let place = &options.place;
    ensure!(
        place.at != At::Core,
        "the board in this process does not run by itself: drive it with --play SEED or --scenario FILE"
    );
    let interrupted = interruptions()?;
    let client = place.client()?;
    run_free(&client, place)?;
    ask_for_faults(&client, place);
    client.resync()?;
    let until = options
        .for_ms
        .map(|ms| Instant::now() + Duration::from_millis(ms));
    let mut listener = Listener {
        options,
        client: &client,
        twin: Twin::new(),
        recorder: None,
        faults: Faults {
            board: BoardFaults::default(),
            ..place.line.faults.0.clone()
        },
        tick: 0,
    };
    let mut heard = Ok(TwinState::Along);
    while matches!(heard, Ok(TwinState::Along)) && !interrupted.load(Ordering::Relaxed) {
        let left = until.map_or(PATIENCE, |until| {
            until.saturating_duration_since(Instant::now())
        });
        if left.is_zero() {
            break;
        }
        if let Ok(happening) = client.happenings().recv_timeout(left.min(PATIENCE)) {
            heard = listener.record(&happening);
        }
    }
    if listener.recorder.is_none() && interrupted.load(Ordering::Relaxed) {
        bail!("interrupted before the board reported its state: nothing was recorded");
    }
    listener.end(heard)
}

/// Asks a board with simulated contacts for its faults, so that they are reported before
/// its state. Any other board refuses, and has none that it knows of.
fn ask_for_faults(client: &Client, place: &Where) {
    if place.may_simulate()
        && let Ok(answer) = client.post_faults()
    {
        let _ = answer.recv();
    }
}

/// What is left behind if the program is ended now.
enum Stage {
    /// The recording has not started yet.
    Before,
    /// An incomplete file at this path.
    Growing(PathBuf),
    /// Nothing, because the program is about to end by itself.
    Ended,
}

/// A recording of a driven board. If the program is ended before the recording is
/// complete, its file is removed, and an older file stays.
struct Unfinished {
    file: PathBuf,
    stage: Arc<Mutex<Stage>>,
}

impl Unfinished {
    fn watch(file: &Path) -> anyhow::Result<Unfinished> {
        let unfinished = Unfinished {
            file: file.into(),
            stage: Arc::new(Mutex::new(Stage::Before)),
        };
        let stage = Arc::clone(&unfinished.stage);
        let file = unfinished.file.clone();
        ctrlc::set_handler(move || interrupt(&stage, &file))
            .context("an interruption could not end the recording cleanly")?;
        Ok(unfinished)
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock()
    }

    /// Creates the file and writes its header.
    fn create(&self, header: &Header) -> Result<SessionFile, SessionFileError> {
        let mut stage = self.stage();
        let file = SessionFile::create(&self.file, header)?;
        *stage = Stage::Growing(file.path().into());
        Ok(file)
    }

    /// Locks the stage while the file is moved to its place or removed, so that an
    /// interruption in between has no effect.
    fn end(&self) -> MutexGuard<'_, Stage> {
        let mut stage = self.stage();
        *stage = Stage::Ended;
        stage
    }
}

/// Ends the program, and cleans up according to the stage.
fn interrupt(stage: &Mutex<Stage>, file: &Path) {
    let stage = stage.lock();
    let growing = match &*stage {
        Stage::Before => None,
        Stage::Growing(path) => Some(path),
        Stage::Ended => return,
    };
    let removed = growing.map(fs::remove_file).transpose();
    match (removed, growing) {
        (Err(error), Some(path)) => print_error(format_args!(
            "interrupted: the recording is not complete, and {} cannot be removed ({error})",
            path.display()
        )),
        _ if file.exists() => print_error(format_args!(
            "interrupted: nothing was recorded, {} is unchanged",
            file.display()
        )),
        _ => print_error("interrupted: nothing was recorded"),
    }
    std::process::exit(ExitKind::Bad.code().into());
}

/// Whether the board still does what its twin does.
enum TwinState {
    /// The recording continues.
    Along,
    /// The board differs from its twin.
    Differs,
}

/// A recording of a free-running board.
struct Listener<'a> {
    options: &'a Options,
    client: &'a Client,
    twin: Twin,
    /// The recorder; starts with the first state that the board reports.
    recorder: Option<Recorder>,
    /// The faults that board and line had before the recorder started.
    faults: Faults,
    tick: Tick,
}

impl Listener<'_> {
    fn record(&mut self, happening: &Happening) -> anyhow::Result<TwinState> {
        let followed = self.twin.follow(happening);
        let file = &self.options.file;
        // A debugger's halts are already in the log.
        let is_logged = matches!(happening, Happening::Halted(_));
        let remark = happening.remark().filter(|_| !is_logged);
        if let Some(remark) = &remark {
            print_error(remark);
        }
        let Some(recorder) = &mut self.recorder else {
            if let Happening::Faults { faults, .. } = happening {
                // Those of the line are this program's own.
                self.faults.board = faults.board.clone();
                if !faults.board.are_none() {
                    self.faults.seed = faults.seed;
                }
            }
            if let Happening::Snapshot { tick, state } = happening {
                let mut recorder = self.begin(state)?;
                if !self.faults.are_none() {
                    recorder.record(*tick, SessionItem::Note(faults_note(&self.faults)))?;
                }
                self.recorder = Some(recorder);
                let name = self.client.name();
                print_error(format_args!("recording {name} into {}", file.display()));
            }
            return Ok(TwinState::Along);
        };
        if let Some(note) = happening.note().filter(|_| !is_logged) {
            recorder.record(self.tick, SessionItem::Note(note))?;
        }
        recorder.record_happening(happening, followed, &self.twin)?;
        self.tick = recorder.last_tick();
        match followed {
            Followed::Along | Followed::Agreed(_) => {}
            Followed::Lost => self
                .client
                .resync()
                .context("the recording has a gap and ends here")?,
            Followed::Differs { tick, twin, board } => {
                print_error(format_args!(
                    "at tick {tick} the board has the digest {board:016x} and its twin {twin:016x}: `hil-bridge replay {}` shows it",
                    file.display()
                ));
                return Ok(TwinState::Differs);
            }
        }
        Ok(TwinState::Along)
    }

    fn begin(&self, state: &[u8]) -> anyhow::Result<Recorder> {
        let hello = self.client.view().hello;
        let header = Header::of_board(&hello, state, &self.options.note);
        let file = SessionFile::create(&self.options.file, &header)?;
        Ok(Recorder::into_log(header, Box::new(file)))
    }

    /// Writes the end marker, unless the recording failed.
    fn end(self, heard: anyhow::Result<TwinState>) -> CommandEnd {
        let heard = match (heard, self.recorder.is_some()) {
            (Ok(heard), _) => heard,
            (Err(error), recorded) => {
                if recorded {
                    let file = self.recorder.and_then(Recorder::log);
                    incomplete(file.and_then(|file| file.abandon()).as_deref());
                }
                return Err(error);
            }
        };
        let Some(file) = self.recorder.and_then(Recorder::log) else {
            bail!("the board did not report its state in that time: listen longer");
        };
        let now = match heard {
            TwinState::Along => self.twin.board().map_or(self.tick, AnyBoard::tick),
            TwinState::Differs => self.tick,
        };
        file.finish(now)?;
        print_end(&self.options.file, now)?;
        Ok(match heard {
            TwinState::Along => ExitKind::Done,
            TwinState::Differs => ExitKind::Failed,
        })
    }
}

//! `record`: what happens on a board, in a session file.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use firmware_core::AnyBoard;
use hil_bridge::check::Generator;
use hil_bridge::client::{Client, Happening};
use hil_bridge::session::{Entry, Header, RecordingDriver};
use hil_bridge::shell::{ShellArguments, run_here};
use hil_bridge::twin::Followed;
use hil_bridge::{At, CoreDriver, Driver, Recorder, Twin, Where};
use protocol::{Command, Pace};

use super::{Done, Ending, Unwritten, say, tell};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The session file to write
    file: PathBuf,
    #[command(flatten)]
    place: Where,
    /// Drive the board by this seed instead of listening to it
    #[arg(long, value_name = "SEED", conflicts_with = "scenario")]
    play: Option<u64>,
    /// How many steps to drive it
    #[arg(long, value_name = "STEPS", default_value_t = 1_000, requires = "play")]
    steps: u64,
    /// Drive the board by this file of shell commands instead of listening to it
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
    /// How long to listen; without it, until the program is interrupted
    #[arg(long, value_name = "MS")]
    for_ms: Option<u64>,
    /// What the session is, for whoever reads it
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,
}

pub fn run(arguments: &Arguments) -> Done {
    super::set_up(&arguments.place);
    if arguments.play.is_none() && arguments.scenario.is_none() {
        return listen(arguments);
    }
    let (mut driver, seed) = arguments.place.open_seeded()?;
    let header = RecordingDriver::header(&mut driver, seed, &arguments.note)?;
    let recorder = Recorder::create(&arguments.file, &header)?;
    let mut driver = RecordingDriver::new(driver, recorder);
    let ending = match (&arguments.scenario, arguments.play) {
        (Some(file), _) => {
            let shell = ShellArguments {
                file: Some(file.clone()),
                ..ShellArguments::default()
            };
            run_here(&mut driver, seed, &shell)
        }
        (None, play) => play_by(&mut driver, play.unwrap_or(0), arguments.steps)?,
    };
    let tick = driver.tick();
    driver.finish()?;
    said(&arguments.file, tick)?;
    Ok(ending)
}

fn said(file: &Path, tick: u64) -> Result<(), Unwritten> {
    say(format_args!(
        "recorded up to tick {tick} into {}",
        file.display()
    ))
}

/// Drives it as `check` does. A local board is the one that is looked at when
/// the next step is chosen.
fn play_by(driver: &mut dyn Driver, seed: u64, steps: u64) -> Done {
    let mut generator = Generator::new(seed, driver.layout());
    let mut mirror = CoreDriver::new(driver.layout(), 0)?;
    mirror.load(&driver.save()?)?;
    let bar = super::bar(steps, "steps");
    for _ in 0..steps {
        let step = generator.next(mirror.board());
        step.carry_out(driver)?;
        step.carry_out(&mut mirror)?;
        driver.take_events();
        mirror.take_events();
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Ending::Done)
}

/// Listens to a board that runs by itself. A Twin follows it, so that a
/// recording that could not be replayed is noticed while it is made.
fn listen(arguments: &Arguments) -> Done {
    let place = &arguments.place;
    ensure!(
        place.at != At::Core,
        "the board in this process does not run by itself: say what to do with --play SEED or --scenario FILE"
    );
    let client = place.client()?;
    start(&client, place)?;
    client.resync()?;
    let until = arguments
        .for_ms
        .map(|ms| Instant::now() + Duration::from_millis(ms));
    let mut twin = Twin::new();
    let mut recorder: Option<Recorder> = None;
    let mut tick = 0;
    loop {
        let left = until.map_or(Duration::from_secs(1), |until| {
            until.saturating_duration_since(Instant::now())
        });
        if left.is_zero() {
            break;
        }
        let Ok(happening) = client.happenings().recv_timeout(left) else {
            continue;
        };
        let followed = twin.follow(&happening);
        if let (Happening::Snapshot { state, .. }, None) = (&happening, &recorder) {
            let hello = client.view().hello;
            let header = Header {
                firmware: hello.firmware.to_string(),
                state: Some(state.clone()),
                ..Header::new(hello.layout, hello.seed, &arguments.note)
            };
            recorder = Some(Recorder::create(&arguments.file, &header)?);
            tell(format_args!(
                "recording {} into {}",
                client.name(),
                arguments.file.display()
            ));
            continue;
        }
        let Some(recorder) = &mut recorder else {
            continue;
        };
        if let Some(entry) = Entry::of(&happening) {
            tick = entry.tick;
            recorder.note(entry.tick, entry.act)?;
        }
        match followed {
            Followed::Along | Followed::Agreed(_) => {}
            Followed::Lost => client
                .resync()
                .context("the recording has a gap and ends here")?,
            Followed::Differs { tick, twin, board } => {
                tell(format_args!(
                    "at tick {tick} the board has the digest {board:016x} and its twin {twin:016x}: `hil-bridge replay {}` shows it",
                    arguments.file.display()
                ));
                return Ok(Ending::Failed);
            }
        }
    }
    let Some(recorder) = recorder else {
        bail!("the board did not say how it is in that time: listen longer");
    };
    let now = twin.board().map_or(tick, AnyBoard::tick);
    recorder.finish(now)?;
    said(&arguments.file, now)?;
    Ok(Ending::Done)
}

/// A board whose layout or seed was chosen begins anew; then it runs.
fn start(client: &Client, place: &Where) -> anyhow::Result<()> {
    if place.seed.is_some() || place.layout.is_some() {
        let hello = client.view().hello;
        let reset = Command::Reset {
            seed: place.seed.unwrap_or(hello.seed),
            layout: place.layout.unwrap_or(hello.layout),
        };
        client.request(reset)?.result?;
    }
    let pace = Pace::Free { permille: 1_000 };
    client.request(Command::Pace(pace))?.result?;
    Ok(())
}

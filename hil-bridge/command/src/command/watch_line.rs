//! `watch-line`: shows the traffic on the line to a board, frame by frame, with statistics.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow, bail, ensure};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use firmware_core::faults::FaultKind;
use hil_bridge::line_view::{self, WatchedLine, plain_figures, plain_line};
use serde_json::json;
use touchboard_completions::number;
use touchboard_files::why_no_file;
use touchboard_host::faulty::has_no_line;
use touchboard_host::session::LAST_TICK;
use touchboard_host::traffic::{
    LineDirection, LineFilter, LineFrame, LineMedium, LineRecord, PcapngWriter, SharedRecord,
    in_json, message_word, way_word,
};
use touchboard_links::link::begin_record;
use touchboard_links::{At, GrowingFile, Where};
use touchboard_shell::{AnswerColours, Answers, OnTrouble, Reader, ShellOptions, ShellSession};

use super::drive::{play_by, run_free};
use super::relay::Relay;
use super::{CommandEnd, ExitKind, Unwritten, interruptions, print, print_error};

/// How often to check for new frames.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A [`LineDirection`] as the value of an option.
#[derive(Clone, Copy, Debug)]
struct Way(LineDirection);

impl ValueEnum for Way {
    fn value_variants<'a>() -> &'a [Way] {
        &[Way(LineDirection::ToBoard), Way(LineDirection::FromBoard)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(way_word(self.0)))
    }
}

/// The options about a line and its board, which have no effect on a wire log.
fn options_of_a_line() -> Vec<&'static str> {
    let own = ["play", "scenario", "relay", "for_ms"];
    let of_the_board = ["at", "layout", "games", "seed", "keep", "break_rule"];
    let of_the_line = [
        "baud",
        "timeout_ms",
        "bytes",
        "edges",
        "tiles",
        "gdb",
        "trace",
        "password_file",
        "tls_certificate",
        "tls_key",
        "tls_authority",
    ];
    let faults = FaultKind::all().map(FaultKind::option);
    let all = own.into_iter().chain(of_the_board).chain(of_the_line);
    all.chain(faults).collect()
}

#[derive(Debug, clap::Args)]
pub struct Options {
    /// A wire log to show instead of a line: one that --bytes wrote, or pcapng
    #[arg(conflicts_with_all = options_of_a_line())]
    file: Option<PathBuf>,
    #[command(flatten)]
    place: Where,
    /// Drive the board with random input from this seed, instead of letting it run
    #[arg(long, value_name = "SEED", conflicts_with = "scenario", value_parser = number(0, u64::MAX), allow_negative_numbers = true)]
    play: Option<u64>,
    /// The number of steps to drive it
    #[arg(long, value_name = "STEPS", default_value_t = 1_000, requires = "play", value_parser = number(0, u64::MAX), allow_negative_numbers = true)]
    steps: u64,
    /// Drive the board with this file of shell commands
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
    /// Let other programs use the board at this TCP port of this computer, and watch what
    /// they send; 0 takes any free port
    #[arg(long, value_name = "PORT", conflicts_with_all = ["play", "scenario"])]
    relay: Option<u16>,
    /// How long to watch a board that runs; by default, until the program is interrupted
    #[arg(long, value_name = "MS", value_parser = number(0, LAST_TICK), allow_negative_numbers = true)]
    for_ms: Option<u64>,
    /// Show only frames in this direction
    #[arg(long, value_enum, value_name = "DIRECTION")]
    direction: Option<Way>,
    /// Show only messages of this name, such as request, step, event or illegal; may be
    /// given several times. Bytes that are not a message are always shown
    #[arg(long = "kind", value_name = "NAME", value_parser = message_word)]
    kinds: Vec<String>,
    /// Show only what went wrong: damaged and repeated frames, gaps, refusals, warnings
    #[arg(long)]
    errors: bool,
    /// Print a JSON object for each frame, and one with all figures at the end
    #[arg(long)]
    json: bool,
    /// Also write all frames into this file, which Wireshark opens
    #[arg(long, value_name = "FILE")]
    pcapng: Option<PathBuf>,
}

impl Options {
    fn filter(&self) -> LineFilter {
        LineFilter {
            direction: self.direction.map(|way| way.0),
            kinds: self.kinds.clone(),
            errors_only: self.errors,
        }
    }

    /// True if frames are shown on a screen that is updated.
    fn has_screen(&self) -> bool {
        !self.json && io::stdout().is_terminal()
    }
}

pub fn run(options: &Options) -> CommandEnd {
    match &options.file {
        Some(file) => look_at(file, options),
        None => watch(options),
    }
}

/// Shows a wire log.
fn look_at(file: &Path, options: &Options) -> CommandEnd {
    let log = super::wire_log(file)?;
    let record = LineRecord::of(LineMedium::default(), &log.items);
    let record = begin_record(record);
    let mut show = Show::begin(
        options,
        &record,
        &file.display().to_string(),
        Duration::ZERO,
    )?;
    if options.has_screen() {
        return show.on_screen(file.display().to_string(), None);
    }
    show.new_frames()?;
    show.end()
}

/// Shows an open line.
fn watch(options: &Options) -> CommandEnd {
    let mut place = options.place.clone();
    super::set_up(&place)?;
    ensure!(place.at != At::Core, has_no_line("watch-line"));
    if let Some(file) = &options.scenario {
        // Checked before anything is started that then could not finish.
        if let Err(error) = File::open(file) {
            bail!("cannot read {}: {}", file.display(), why_no_file(&error));
        }
    }
    let record = begin_record(LineRecord::new(place.line_medium()));
    place.line.record = Some(record.clone());
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
    let relay = options.relay.map(Relay::begin).transpose()?;
    let mut title = place.at.to_string();
    if let Some(relay) = &relay {
        let at = relay.place();
        title = format!("{title} for --at {at}");
        print_error(format_args!("other programs find the board with --at {at}"));
    }
    let mut show = Show::begin(options, &record, &title, since_epoch.unwrap_or_default())?;
    let has_screen = options.has_screen();
    let stop = match has_screen {
        // With a screen, the screen handles interruptions.
        true => Arc::default(),
        false => interruptions()?,
    };
    let driven = Driven::start(options, place, relay, Arc::clone(&stop))?;
    if has_screen {
        return show.on_screen(title, Some(driven));
    }
    while !driven.is_over() {
        show.new_frames()?;
        thread::sleep(LOOK_EVERY);
    }
    let done = driven.end();
    record.lock().end();
    show.new_frames()?;
    if record.lock().count() == 0 {
        // The reason why there was no line is more useful than statistics of zeros.
        return done;
    }
    let ending = show.end()?;
    Ok(match done? {
        ExitKind::Done => ending,
        other => other,
    })
}

/// A thread that drives the board.
struct Driven {
    stop: Arc<AtomicBool>,
    thread: thread::JoinHandle<CommandEnd>,
}

impl Driven {
    fn start(
        options: &Options,
        place: Where,
        relay: Option<Relay>,
        stop: Arc<AtomicBool>,
    ) -> anyhow::Result<Driven> {
        let (play, steps) = (options.play, options.steps);
        let scenario = options.scenario.clone();
        let until = options
            .for_ms
            .map(|ms| Instant::now() + Duration::from_millis(ms));
        let own = Arc::clone(&stop);
        let goes_on = move || {
            !own.load(Ordering::Relaxed) && until.is_none_or(|until| Instant::now() < until)
        };
        let drive = move || match (&scenario, play, &relay) {
            (Some(file), ..) => by_script(&place, file),
            (None, Some(seed), _) => {
                let mut board = place.open()?;
                play_by(&mut *board, seed, steps, &mut |_| {})
            }
            (None, None, Some(relay)) => relay.run(&place, &goes_on),
            (None, None, None) => listen(&place, &goes_on),
        };
        let thread = thread::Builder::new().name("drives".into()).spawn(drive);
        let thread = thread.context("no thread for the board")?;
        Ok(Driven { stop, thread })
    }

    fn is_over(&self) -> bool {
        self.thread.is_finished() || self.stop.load(Ordering::Relaxed)
    }

    /// The result; an interruption is not an error.
    fn end(self) -> CommandEnd {
        if !self.thread.is_finished() {
            return Ok(ExitKind::Done);
        }
        match self.thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

/// Carries out a script. Its answers are not shown.
fn by_script(place: &Where, file: &Path) -> CommandEnd {
    let (mut board, seed) = place.open_seeded()?;
    let options = ShellOptions {
        answers: Answers::Plain(AnswerColours::Letters),
        reader: Reader::Script,
        on_trouble: OnTrouble::Stop,
        seed,
        layout: touchboard_links::games::layout,
    };
    let script = BufReader::new(File::open(file)?);
    let mut errors = Vec::new();
    let session = ShellSession::new(&mut *board, &options);
    let ending = session.run(script, io::sink(), &mut errors)?;
    match ending {
        ExitKind::Bad => bail!(
            "{}: {}",
            file.display(),
            String::from_utf8_lossy(&errors).trim()
        ),
        other => Ok(other),
    }
}

/// Lets the board run freely.
fn listen(place: &Where, goes_on: &dyn Fn() -> bool) -> CommandEnd {
    let client = place.client()?;
    run_free(&client, place)?;
    while goes_on() {
        // Drops the happenings, because the line shows them.
        while client.happenings().try_recv().is_ok() {}
        thread::sleep(LOOK_EVERY);
    }
    Ok(ExitKind::Done)
}

/// The outputs for frames: the screen or the terminal, and files.
struct Show<'a> {
    options: &'a Options,
    filter: LineFilter,
    record: &'a SharedRecord,
    next: u64,
    pcapng: Option<Capture>,
}

/// Writes a pcapng file for Wireshark.
struct Capture {
    path: PathBuf,
    writer: PcapngWriter<GrowingFile>,
}

impl Capture {
    fn begin(path: &Path, title: &str, since_epoch: Duration) -> io::Result<Capture> {
        let file = GrowingFile::create(path)?;
        Ok(Capture {
            path: path.into(),
            writer: PcapngWriter::begin(file, title, since_epoch)?,
        })
    }

    fn with_name<T>(&self, done: io::Result<T>) -> io::Result<T> {
        done.map_err(|error| {
            let sentence = format!("{} cannot be written: {error}", self.path.display());
            io::Error::new(error.kind(), sentence)
        })
    }

    fn write(&mut self, frame: &LineFrame) -> io::Result<()> {
        let written = self.writer.write(frame);
        let written = written.and_then(|()| self.writer.flush());
        self.with_name(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.writer.flush();
        self.with_name(flushed)
    }
}

impl<'a> Show<'a> {
    fn begin(
        options: &'a Options,
        record: &'a SharedRecord,
        title: &str,
        since_epoch: Duration,
    ) -> anyhow::Result<Show<'a>> {
        let pcapng = options.pcapng.as_deref().map(|path| {
            let capture = Capture::begin(path, title, since_epoch);
            capture.map_err(|error| {
                anyhow!(
                    "{} cannot be written: {}",
                    path.display(),
                    why_no_file(&error)
                )
            })
        });
        Ok(Show {
            options,
            filter: options.filter(),
            record,
            next: 0,
            pcapng: pcapng.transpose()?,
        })
    }

    /// Prints and writes the frames since the last call.
    fn new_frames(&mut self) -> anyhow::Result<()> {
        let new: Vec<(u64, LineFrame)> = {
            let record = self.record.lock();
            let new = record.frames_from(self.next);
            new.map(|(number, frame)| (number, frame.clone())).collect()
        };
        for (number, frame) in &new {
            if *number > self.next {
                print_error(format_args!(
                    "{} frames came faster than they could be shown",
                    number - self.next
                ));
            }
            self.next = number + 1;
            if let Some(capture) = &mut self.pcapng {
                capture.write(frame)?;
            }
            if self.filter.shows(frame) {
                self.print(frame)?;
            }
        }
        Ok(())
    }

    fn print(&self, frame: &LineFrame) -> Result<(), Unwritten> {
        match self.options.json {
            true => print(in_json(frame)),
            false => print(plain_line(frame)),
        }
    }

    /// Prints the statistics at the end.
    fn end(mut self) -> CommandEnd {
        if let Some(capture) = &mut self.pcapng {
            capture.flush()?;
        }
        let figures = self.record.lock().figures();
        match self.options.json {
            true => print(json!({ "figures": figures.in_json() }))?,
            false => print(plain_figures(&figures).trim_end())?,
        }
        Ok(ExitKind::Done)
    }

    /// Shows everything on a screen.
    fn on_screen(mut self, title: String, driven: Option<Driven>) -> CommandEnd {
        let mut pcapng = self.pcapng.take();
        let mut driven = driven;
        let mut news = None;
        let is_live = driven.is_some();
        let watched = WatchedLine {
            title: format!("watch-line {title}"),
            is_live,
            record: self.record,
            each: &mut |frame| match &mut pcapng {
                Some(capture) => capture.write(frame),
                None => Ok(()),
            },
            news: &mut || {
                if let Some(over) = driven.take_if(|driven| driven.thread.is_finished()) {
                    news = Some(match over.end() {
                        Ok(ExitKind::Done) => "done".to_owned(),
                        Ok(_) => "an expectation failed".to_owned(),
                        Err(error) => format!("{error:#}"),
                    });
                }
                news.clone()
            },
        };
        line_view::run(watched, self.filter)?;
        if let Some(capture) = &mut pcapng {
            capture.flush()?;
        }
        Ok(ExitKind::Done)
    }
}

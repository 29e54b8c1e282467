//! Before the first picture: opens the board, and runs a session or a scenario on it.

use std::fs::File;
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};

use firmware_core::faults::FaultyLine;
use protocol::{Command, Deed, Layout, Pace};
use touchboard_files::why_no_file;
use touchboard_host::pieces::board_of_state;
use touchboard_host::session::{Mismatch, Session};
use touchboard_host::{CoreDriver, Driver, RecordingDriver};
use touchboard_links::SessionInFile;
use touchboard_links::{At, Client, RemoteDriver, Watch, WatchTarget, Where};
use touchboard_shell::{
    AnswerColours, Answers, ExitKind, OnTrouble, Reader, ShellOptions, ShellSession,
};

use super::loading::Loading;
use super::options::Options;
use super::start_error::StartError;
use crate::source::core::InProcess;
use crate::source::remote::Remote;
use crate::source::{EventCopies, Log, NOTE, Parted, Source, Watched, check_place, with_record};

/// The board to begin with.
pub struct Start {
    /// The board that the window starts with.
    pub source: Box<dyn Source>,
    /// The board's layout, so that the first picture is right.
    pub layout: Layout,
    /// The events on it so far.
    pub log: Log,
    /// True if time is frozen at first, because the user wants to examine this moment.
    pub is_frozen: bool,
}

/// Why a picture or a film cannot be written to a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutputError {
    /// The name of the file names another format.
    #[error("cannot write {}: its name has to end in .{ending}", file.display())]
    Ending {
        /// The path of the file.
        file: PathBuf,
        /// How its name has to end.
        ending: &'static str,
    },
    /// The path is that of a folder.
    #[error("cannot write {}: that is a folder", .0.display())]
    Folder(PathBuf),
    /// The file would be in a folder that does not exist.
    #[error("cannot write {}: there is no folder {}", file.display(), folder.display())]
    NoFolder {
        /// The path of the file.
        file: PathBuf,
        /// The folder of that path.
        folder: PathBuf,
    },
}

/// Checks that the file can be written, before the long time that drawing takes.
///
/// # Errors
/// Why it cannot be written.
pub fn output(file: &Path, ending: &'static str) -> Result<(), OutputError> {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let has_ending = file
        .extension()
        .is_some_and(|own| own.eq_ignore_ascii_case(ending));
    let path = file.to_owned();
    if !has_ending {
        Err(OutputError::Ending { file: path, ending })
    } else if file.is_dir() {
        Err(OutputError::Folder(path))
    } else if !folder.is_dir() {
        let folder = folder.to_owned();
        Err(OutputError::NoFolder { file: path, folder })
    } else {
        Ok(())
    }
}

/// Opens the board for these options and brings it to the requested state.
///
/// # Errors
/// Why the board cannot be opened, or what failed on the way to that state.
pub fn board(options: &Options, loading: &Loading) -> Result<Start, StartError> {
    if let Some(file) = &options.session {
        loading.stage(format!("reading {}", file.display()));
    }
    let session = options.session.as_deref().map(Session::load).transpose();
    let session = session.map_err(StartError::bad_input)?;
    if let Some(words) = session.as_ref().and_then(Session::unfinished) {
        // If standard error is closed, there is nowhere to report it.
        let _ = writeln!(io::stderr(), "{words}");
    }
    let place = &options.place;
    place.check().map_err(StartError::bad_input)?;
    check_place(place).map_err(StartError::bad_input)?;
    match options.watch {
        Some(watched) => watched_board(options, watched, loading),
        None if place.at == At::Core => own_board(options, session, loading),
        None => {
            loading.stage(format!("connecting to {}", place.at));
            let line = place.faulty_line();
            let (recorded, record) = with_record(place.clone());
            let client = client(&recorded, &line)?;
            let opened = match session.is_none() && options.scenario.is_none() {
                true => OpenedLine {
                    layout: place.layout().unwrap_or(client.view().hello.layout),
                    board: Remote::over(client),
                    log: Log::default(),
                    is_frozen: false,
                },
                false => after_past(options, client, session, loading)?,
            };
            let board = opened.board.opened_at(place.clone(), line);
            Ok(Start {
                source: Box::new(board.recorded(record)),
                layout: opened.layout,
                log: opened.log,
                is_frozen: opened.is_frozen,
            })
        }
    }
}

/// The board in this process.
fn own_board(
    options: &Options,
    session: Option<Session>,
    loading: &Loading,
) -> Result<Start, StartError> {
    let mut place = options.place.clone();
    let of_session = session.as_ref().map(|session| session.header.roster);
    place.games = place.games.or(of_session);
    // A replayed session must not change the best scores.
    place.keep = place.keep.filter(|_| session.is_none());
    let driver = place.core().map_err(StartError::bad_input)?;
    let end = session.as_ref().map_or(0, Session::last_tick);
    let source = match session {
        Some(session) => InProcess::play(driver, session),
        None => InProcess::new(driver),
    };
    let faults = place.line.faults.0.clone();
    let source = source.and_then(|source| source.with_faults(faults));
    let mut source = source.map_err(StartError::bad_input)?;
    // A scenario begins at the end of the session.
    if options.screenshot.is_some() || options.scenario.is_some() {
        loading.stage("replaying the session");
        source = source.at_the_end(end).map_err(StartError::bad_input)?;
    }
    let log = scenario(options, &mut source, loading)?;
    Ok(Start {
        log,
        layout: Driver::layout(&source),
        source: Box::new(in_time(options, source)),
        is_frozen: false,
    })
}

/// Opens a board that is restarted whenever it has been built.
fn watched_board(
    options: &Options,
    watched: WatchTarget,
    loading: &Loading,
) -> Result<Start, StartError> {
    loading.stage(format!("starting the board at {}", options.place.at));
    let (watch, board) = Watch::begin(&options.place, watched).map_err(StartError::bad_input)?;
    let mut source = Watched::by(watch, board);
    let log = scenario(options, &mut source, loading)?;
    Ok(Start {
        log,
        layout: Driver::layout(&source),
        source: Box::new(source),
        is_frozen: false,
    })
}

/// Opens the line to a board, and resets it if a seed or a different layout is requested.
fn client(place: &Where, line: &FaultyLine) -> Result<Client, StartError> {
    let client = place
        .client_over(line.clone())
        .map_err(StartError::bad_input)?;
    let has = client.view().hello.layout;
    // A board that is started here must not run before it is shown.
    if place.at.is_started_here() {
        let held = client.request(Command::Pace(Pace::Lockstep));
        held.map_err(StartError::bad_input)?
            .result
            .map_err(StartError::bad_input)?;
    }
    if place.seed.is_some() || place.layout().is_some_and(|layout| layout != has) {
        let reset = Command::Do(Deed::Reset {
            seed: place.seed.unwrap_or_default(),
            layout: place.layout().unwrap_or(has),
        });
        let reply = client.request(reset).map_err(StartError::bad_input)?;
        reply.result.map_err(StartError::bad_input)?;
    }
    Ok(client)
}

/// A board at the end of a line, before it is in the window.
struct OpenedLine {
    board: Remote,
    layout: Layout,
    log: Log,
    is_frozen: bool,
}

/// Replays the session and the scenario on a board at the end of a line, holding its
/// time; it continues in the window. If the session does not replay, that is what the
/// user wants to examine, so the window opens at the first difference.
fn after_past(
    options: &Options,
    client: Client,
    session: Option<Session>,
    loading: &Loading,
) -> Result<OpenedLine, StartError> {
    let seed = client.view().hello.seed;
    let driver = RemoteDriver::over(client);
    let driver = driver.and_then(|driver| RecordingDriver::from_now(driver, seed, NOTE));
    let driver = driver.and_then(RecordingDriver::with_twin);
    let mut driver = driver.map_err(StartError::bad_input)?;
    let mut difference = None;
    if let Some(session) = session {
        loading.stage("replaying the session on the board");
        let all = session.entries.len();
        let mismatch = session.replay(&mut driver, &mut |done| loading.done(done, all));
        if let Some(mismatch) = mismatch.map_err(StartError::bad_input)? {
            let sentence = mismatch.sentence("on the board");
            // If standard error is closed, there is nowhere to report it.
            let _ = writeln!(io::stderr(), "emulator: {sentence}");
            difference = Some((sentence, parted(&session, &mismatch, &mut driver)));
        }
    }
    let log = scenario(options, &mut driver, loading)?;
    let layout = driver.layout();
    let (driver, recorder) = driver.into_parts().map_err(StartError::bad_input)?;
    let board = Remote::going_on(driver.into_client(), recorder);
    let is_frozen = difference.is_some();
    let board = match difference {
        Some((sentence, parted)) => board.differs(sentence, parted),
        None => board,
    };
    Ok(OpenedLine {
        board,
        layout,
        log,
        is_frozen,
    })
}

/// The states at the first difference: of the board, and of one in this process at the
/// same point of the session. `None` if they cannot be read.
fn parted(session: &Session, mismatch: &Mismatch, board: &mut dyn Driver) -> Option<Parted> {
    let header = &session.header;
    let twin = CoreDriver::with_games(*header.layout, header.roster, header.seed);
    let mut twin = twin.ok()?;
    let mut so_far = session.clone();
    so_far.entries.truncate(mismatch.entry);
    so_far.replay(&mut twin, &mut |_| ()).ok()?;
    twin.step(&[], mismatch.tick.saturating_sub(twin.tick()))
        .ok()?;
    Some(Parted {
        tick: mismatch.tick,
        twin: twin.board().clone(),
        board: board_of_state(&board.save().ok()?)?,
    })
}

/// A film must not skip time, so its board may work as long as it needs.
fn in_time(options: &Options, source: InProcess) -> InProcess {
    match options.film {
        Some(_) => source.unhurried(),
        None => source,
    }
}

/// Runs the scenario, if there is one, and returns the events. The shell itself reports
/// errors on standard error, line by line.
fn scenario(
    options: &Options,
    driver: &mut dyn Driver,
    loading: &Loading,
) -> Result<Log, StartError> {
    let Some(path) = options.scenario.as_deref() else {
        return Ok(Log::default());
    };
    loading.stage(format!("doing the scenario {}", path.display()));
    let cannot = |error: io::Error| StartError::bad_input(cannot_read(path, &error));
    let file = File::open(path).map_err(cannot)?;
    let shell = ShellOptions {
        layout: touchboard_links::games::layout,
        answers: Answers::Plain(AnswerColours::Letters),
        reader: Reader::Script,
        on_trouble: OnTrouble::Stop,
        seed: options.place.seed.unwrap_or_default(),
    };
    let input = BufReader::new(file);
    let mut board = EventCopies::new(driver);
    let session = ShellSession::new(&mut board, &shell);
    match session.run(input, io::sink(), io::stderr()) {
        Ok(ExitKind::Done) => {
            let mut log = Log::default();
            board
                .into_events()
                .into_iter()
                .for_each(|event| log.note(event));
            Ok(log)
        }
        Ok(ending) => Err(StartError {
            code: ending.code(),
            sentence: format!("the scenario {} did not run to its end", path.display()),
        }),
        Err(error) => Err(cannot(error)),
    }
}

fn cannot_read(path: &Path, error: &io::Error) -> String {
    format!(
        "cannot read the scenario {}: {}",
        path.display(),
        why_no_file(error)
    )
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use clap::Parser;
    use protocol::Tick;
    use tempfile::tempdir;

    use super::*;
    use crate::source::{Shown, Source, WindowCommand};

    #[test]
    fn an_output_file_is_checked_before_drawing() {
        for (file, words) in [
            ("picture.jpg", "end in .png"),
            ("/no/such/folder/picture.png", "no folder /no/such/folder"),
        ] {
            let sentence = output(Path::new(file), "png").unwrap_err().to_string();
            assert!(sentence.contains(words), "{sentence}");
        }
        assert_eq!(output(Path::new("picture.PNG"), "png"), Ok(()));
    }

    #[test]
    fn the_user_can_go_back_into_a_scenario_over_a_line() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("line.scenario");
        std::fs::write(&file, "wait 100\nstart\nwait 5000\n").unwrap();
        let file = file.display().to_string();
        let words = ["emulator", "--at", "virtual", "--scenario", &file];
        let options = Options::parse_from(words);
        let mut start = board(&options, &Loading::begin()).unwrap();
        let mut shown = Shown::default();
        let began = Instant::now();
        let mut wait = |source: &mut dyn Source, is_so: &dyn Fn(&Shown, Tick) -> bool| {
            let little = Duration::from_millis(2);
            loop {
                let tick = source.update(little, &mut shown, &mut |_, _| ()).unwrap();
                if is_so(&shown, tick) {
                    return tick;
                }
                assert!(began.elapsed() < Duration::from_secs(20), "{shown:?}");
                std::thread::sleep(little);
            }
        };
        let source = &mut *start.source;
        let tick = wait(source, &|shown, _| shown.status.score.is_some());
        assert!(tick >= 5_000, "{tick}");
        let begin = wait(source, &|shown, tick| {
            shown.past.earliest.is_some_and(|early| early < tick)
        });
        source.obey(&WindowCommand::GoTo(begin - 5_000)).unwrap();
        wait(source, &|shown, tick| {
            tick == begin - 5_000 && shown.past.latest > tick && shown.pace.frozen
        });
        let session = source.session().unwrap();
        assert_eq!(session.header.layout, Layout::MALDOO);
    }

    #[test]
    fn the_user_can_go_back_into_a_scenario() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("core.scenario");
        std::fs::write(&file, "wait 100\nstart\nwait 5000\n").unwrap();
        let file = file.display().to_string();
        let options = Options::parse_from(["emulator", "--scenario", &file]);
        let mut start = board(&options, &Loading::begin()).unwrap();
        let mut shown = Shown::default();
        let still = Duration::ZERO;
        let tick = start.source.update(still, &mut shown, &mut |_, _| ());
        let tick = tick.unwrap();
        assert!(tick >= 5_000, "{tick}");
        assert_eq!(shown.past.earliest, Some(0));
        start.source.obey(&WindowCommand::GoTo(0)).unwrap();
        start
            .source
            .update(still, &mut shown, &mut |_, _| ())
            .unwrap();
        assert_eq!(shown.status.score, None);
        assert!(shown.past.latest >= 5_000, "{}", shown.past.latest);
    }

    #[test]
    fn a_scenario_clears_the_kept_best_scores() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("best.scenario");
        std::fs::write(&file, "best clear\nbest\n").unwrap();
        let [keep, file] =
            [folder.path().join("best"), file].map(|path| path.display().to_string());
        let place = ["--keep", &keep, "--games", "B", "--layout", "12x8"];
        for at in [&[][..], &["--at", "virtual"]] {
            let words = ["emulator", "--scenario", &file].into_iter();
            let words = words.chain(place).chain(at.iter().copied());
            let begun = board(&Options::parse_from(words), &Loading::begin());
            assert!(begun.is_ok(), "{at:?}: {:?}", begun.err());
        }
    }
}

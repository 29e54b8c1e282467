//! Saves signals of the session as a file of waveforms, with the code of `hil-bridge
//! signals`.
//!
//! Replaying a long session takes a while, so it is done on a thread and can be
//! cancelled.
//!
//! Invariants: a file is written completely or not at all; a cancelled job leaves no
//! file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bevy::prelude::*;
use protocol::Tick;
use touchboard_files::whole_file;
use touchboard_host::session::Session;
use touchboard_host::signals::{Signal, SignalReplayer, WaveFormat};

use super::{Job, Saved};
use crate::source::{
    CancelWork, FileWork, LongWork, Reports, RequestKind, ShownBoard, SourceSet, let_time_pass,
};

/// Samples of the board per slice; the job can be cancelled between two slices.
const LOOKS: usize = 4_096;

/// A request to save these signals of the session to a file; an existing file is
/// replaced. The extension determines the format.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct SaveSignals {
    /// The path; its extension determines the format.
    pub file: PathBuf,
    /// The names of the signals, as the shell writes them.
    pub names: Vec<String>,
}

/// A file that is being written.
struct Writing {
    job: Job<Result<PathBuf, String>>,
    /// The share of the session that has been replayed, in thousandths.
    done: Arc<AtomicU32>,
    words: String,
}

#[derive(Resource, Default)]
struct Writings(Option<Writing>);

/// Writes signals into files.
pub struct SavingSignalsPlugin;

impl Plugin for SavingSignalsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Writings>()
            .add_message::<SaveSignals>()
            .add_systems(
                Update,
                (begin, go_on)
                    .chain()
                    .after(let_time_pass)
                    .in_set(SourceSet::Exchange)
                    .run_if(resource_exists::<ShownBoard>),
            );
    }
}

fn begin(
    board: Res<ShownBoard>,
    mut wishes: MessageReader<SaveSignals>,
    mut writings: ResMut<Writings>,
    mut saved: ResMut<Saved>,
    mut reports: Reports,
) {
    let Some(wish) = wishes.read().last() else {
        return;
    };
    let begun = board
        .0
        .whole_session()
        .and_then(|session| writing(session, wish));
    match begun {
        Ok(writing) => writings.0 = Some(writing),
        Err(sentence) => {
            *saved = Saved::Failed(sentence.clone());
            reports.trouble(RequestKind::Save, Err(sentence));
        }
    }
}

fn writing(session: Session, wish: &SaveSignals) -> Result<Writing, String> {
    // The user may look for the file from a different folder, so the path is made
    // absolute.
    let file = std::path::absolute(&wish.file).unwrap_or_else(|_| wish.file.clone());
    let format = WaveFormat::of_file(&file)
        .ok_or("the name of the file has to end in .vcd, .csv or .jsonl")?;
    let begun = SignalReplayer::new(&session.header, Vec::new());
    let begun = begun.map_err(|error| error.to_string())?;
    let layout = begun.board().board().layout();
    let signals: Vec<Signal> = wish
        .names
        .iter()
        .map(|name| Signal::parse(name, layout).map_err(|error| error.to_string()))
        .collect::<Result<_, _>>()?;
    let recorder = SignalReplayer::new(&session.header, signals);
    let mut recorder = recorder.map_err(|error| error.to_string())?;
    let done = Arc::new(AtomicU32::new(0));
    let share = done.clone();
    let words = format!("Saving {}", name_of(&file));
    let last = session.last_tick().max(1);
    let job = Job::begin(move |_| match recorder.follow(&session, LOOKS) {
        Err(error) => Some(Err(error.to_string())),
        Ok(false) => {
            let permille = recorder.board().board().tick() * 1_000 / last;
            share.store(permille.min(999) as u32, Ordering::Relaxed);
            None
        }
        Ok(true) => Some(write(&file, format, &recorder)),
    })?;
    Ok(Writing { job, done, words })
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().display().to_string()
}

fn write(file: &Path, format: WaveFormat, recorder: &SignalReplayer) -> Result<PathBuf, String> {
    let mut bytes = Vec::new();
    format
        .write(recorder.found(), &mut bytes)
        .and_then(|()| whole_file::write(file, &bytes))
        .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    Ok(file.to_owned())
}

/// Reports the progress of the file, and its result.
fn go_on(
    mut writings: ResMut<Writings>,
    mut cancels: MessageReader<CancelWork>,
    mut work: ResMut<FileWork>,
    mut saved: ResMut<Saved>,
    mut reports: Reports,
) {
    let is_meant = |work: &&CancelWork| **work == CancelWork::File;
    if cancels.read().filter(is_meant).count() > 0 {
        writings.0 = None;
    }
    let outcome = writings
        .0
        .as_mut()
        .and_then(|writing| writing.job.outcome());
    if let Some(outcome) = outcome {
        writings.0 = None;
        let tick: Tick = reports.clock.0;
        let (now_saved, result) = match outcome {
            Ok(file) => {
                reports
                    .log
                    .add_sentence(tick, format!("saved as {}", file.display()));
                (Saved::In(file), Ok(()))
            }
            Err(sentence) => (Saved::Failed(sentence.clone()), Err(sentence)),
        };
        *saved = now_saved;
        reports.trouble(RequestKind::Save, result);
    }
    work.set_if_neq(FileWork(writings.0.as_ref().map(|writing| LongWork {
        words: writing.words.clone(),
        share: Some(writing.done.load(Ordering::Relaxed) as f32 / 1_000.0),
        can_cancel: true,
    })));
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use bevy::ecs::system::RunSystemOnce;
    use protocol::{Button, Input, Layout};
    use tempfile::tempdir;
    use touchboard_host::{CoreDriver, Driver};

    use super::*;
    use crate::source::SourcePlugin;
    use crate::source::core::InProcess;

    /// An app with a board on which something happened.
    fn program() -> App {
        let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let mut board = InProcess::new(driver).unwrap();
        board.step(&[Input::Press(Button::Start)], 20).unwrap();
        board.step(&[Input::Lift(Button::Start)], 3_000).unwrap();
        let mut app = App::new();
        app.insert_resource(ShownBoard(Box::new(board)))
            .init_resource::<Time<Real>>()
            .add_plugins(SourcePlugin);
        app
    }

    fn wait(app: &mut App, is_so: impl Fn(&World) -> bool) {
        let began = Instant::now();
        while !is_so(app.world()) {
            app.update();
            assert!(began.elapsed() < Duration::from_secs(60));
        }
    }

    #[test]
    fn saved_signals_equal_the_output_of_the_command() {
        let folder = tempdir().unwrap();
        let names = ["turn", "score.green", "button.start"].map(str::to_owned);
        for (name, format) in [
            ("a.vcd", WaveFormat::Vcd),
            ("a.csv", WaveFormat::Csv),
            ("a.jsonl", WaveFormat::Json),
        ] {
            let mut app = program();
            let file = folder.path().join(name);
            app.world_mut().write_message(SaveSignals {
                file: file.clone(),
                names: names.to_vec(),
            });
            wait(&mut app, |world| {
                *world.resource::<Saved>() != Saved::Nothing
            });
            assert_eq!(*app.world().resource::<Saved>(), Saved::In(file.clone()));
            let session = app.world().resource::<ShownBoard>().0.whole_session();
            let signals = names
                .iter()
                .map(|name| Signal::parse(name, Layout::MALDOO).unwrap());
            let waves = SignalReplayer::whole(&session.unwrap(), signals.collect()).unwrap();
            let mut bytes = Vec::new();
            format.write(&waves, &mut bytes).unwrap();
            assert!(
                !bytes.is_empty() && std::fs::read(&file).unwrap() == bytes,
                "{name}"
            );
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn cancelled_or_failed_saving_leaves_no_file() {
        let folder = tempdir().unwrap();
        let mut app = program();
        let save = |app: &mut App, file: &str| {
            let file = folder.path().join(file);
            let names = vec!["turn".to_owned()];
            app.world_mut().write_message(SaveSignals { file, names });
            app.world_mut().run_system_once(begin).unwrap();
        };
        save(&mut app, "a.vcd");
        assert!(app.world().resource::<Writings>().0.is_some());
        app.world_mut().write_message(CancelWork::File);
        app.world_mut().run_system_once(go_on).unwrap();
        assert!(app.world().resource::<Writings>().0.is_none());
        save(&mut app, "a.txt");
        let saved = app.world().resource::<Saved>().clone();
        assert!(matches!(saved, Saved::Failed(sentence) if sentence.contains(".vcd")));
    }
}

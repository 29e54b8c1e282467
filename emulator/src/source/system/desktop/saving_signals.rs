//! Saves signals of the session as a file of waveforms, with the code of `hil-bridge
//! signals`.

use std::path::PathBuf;

use bevy::prelude::*;
use touchboard_host::session::Session;
use touchboard_host::signals::{LineWaves, Signal, SignalReplayer, WaveFormat};

use super::saving_error::SavingError;
use super::writing::{Beginner, Writing, WritingStep, absolute};
use crate::source::{AtLine, ShownBoard};

/// Samples of the board per slice; the work can be cancelled between two slices.
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

/// Begins to write the signals that were asked for last.
pub(super) fn begin(
    board: Res<ShownBoard>,
    mut wishes: MessageReader<SaveSignals>,
    mut beginner: Beginner,
) {
    if let Some(wish) = wishes.read().last() {
        let session = board.0.whole_session().map_err(SavingError::from);
        let line = board.0.at_line().and_then(AtLine::line_waves).cloned();
        beginner.go_on_with(session.and_then(|session| writing(session, line, wish)));
    }
}

fn writing(
    session: Session,
    line: Option<LineWaves>,
    wish: &SaveSignals,
) -> Result<Writing, SavingError> {
    let file = absolute(&wish.file);
    let format = WaveFormat::of_file(&file).ok_or(SavingError::Ending(".vcd, .csv or .jsonl"))?;
    let begun = SignalReplayer::new(&session.header, Vec::new())?;
    let layout = begun.board().board().layout();
    let signals: Vec<Signal> = wish
        .names
        .iter()
        .map(|name| Signal::parse(name, layout))
        .collect::<Result<_, _>>()?;
    let mut recorder = SignalReplayer::new(&session.header, signals)?;
    let last = session.last_tick().max(1) as f32;
    Writing::begin(file, move || {
        if !recorder.follow(&session, LOOKS)? {
            let tick = recorder.board().board().tick();
            return Ok(WritingStep::Share(tick as f32 / last));
        }
        let mut waves = recorder.found().clone();
        for wave in &mut waves.waves {
            if let Some(passed) = line.as_ref().and_then(|line| line.wave(&wave.signal)) {
                wave.clone_from(passed);
            }
        }
        let mut bytes = Vec::new();
        format.write(&waves, &mut bytes)?;
        Ok(WritingStep::Done(bytes))
    })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use bevy::ecs::system::RunSystemOnce;
    use protocol::{Button, Input, Layout};
    use tempfile::tempdir;
    use touchboard_host::{CoreDriver, Driver};

    use super::super::Saved;
    use super::super::writing::{Writings, go_on};
    use super::*;
    use crate::source::core::InProcess;
    use crate::source::{CancelWork, SourcePlugin};

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

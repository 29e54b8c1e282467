//! Reports before there is a window: if loading takes longer than a moment, the terminal
//! shows the current stage and its progress.
//!
//! Invariants: stages that end within a moment write nothing. After [`Loading`] is
//! dropped, nothing more is written.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use bevy::prelude::*;
use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use parking_lot::Mutex;

use crate::source::Curtain;

/// A stage that takes longer is reported.
const MOMENT: Duration = Duration::from_millis(500);
/// The time between two lines.
const EVERY: Duration = Duration::from_secs(2);

/// The current stage of loading.
#[derive(Clone, Debug, Default, PartialEq)]
struct Stage {
    words: String,
    share: Option<f32>,
}

/// Reports the stages of loading until it is dropped.
#[derive(Resource)]
pub struct Loading {
    stage: Arc<Mutex<Stage>>,
    /// Dropping it ends the thread.
    _ends: Sender<()>,
}

impl Loading {
    /// Starts to report stages that take long on standard error.
    #[must_use]
    pub fn begin() -> Loading {
        Loading::with_output(io::stderr(), MOMENT, EVERY)
    }

    fn with_output(
        output: impl Write + Send + 'static,
        moment: Duration,
        every: Duration,
    ) -> Loading {
        let stage = Arc::new(Mutex::new(Stage::default()));
        let (ends, ended) = bounded(0);
        let seen = stage.clone();
        let tell = move || {
            let mut output = output;
            let mut wait = moment;
            let mut told = Stage::default();
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = every;
                let stage = seen.lock().clone();
                if stage != told {
                    // If the terminal is closed, there is nowhere to report it.
                    let _ = writeln!(output, "{}", line(&stage));
                    told = stage;
                }
            }
        };
        // Without a thread, nothing is reported.
        let _ = std::thread::Builder::new()
            .name("loading".into())
            .spawn(tell);
        Loading { stage, _ends: ends }
    }

    /// Begins a stage.
    pub fn stage(&self, words: impl Into<String>) {
        *self.stage.lock() = Stage {
            words: words.into(),
            share: None,
        };
    }

    /// Sets the progress of the current stage.
    pub fn done(&self, done: usize, of: usize) {
        let mut stage = self.stage.lock();
        stage.share = Some(done as f32 / of.max(1) as f32);
    }
}

/// The line for a stage.
fn line(Stage { words, share }: &Stage) -> String {
    match share {
        Some(share) => format!("emulator: {words}: {:.0} %", 100.0 * share),
        None => format!("emulator: {words} …"),
    }
}

/// Ends loading at the first picture.
pub struct LoadingPlugin;

impl Plugin for LoadingPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Last, end.run_if(resource_exists::<Loading>));
    }
}

fn end(curtain: Res<Curtain>, mut commands: Commands) {
    if *curtain == Curtain::Open {
        commands.remove_resource::<Loading>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The written text, which the test can read, too.
    #[derive(Clone, Default)]
    struct Terminal(Arc<Mutex<Vec<u8>>>);

    impl Write for Terminal {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Terminal {
        fn wait_for(&self, words: &str) {
            while !self.text().contains(words) {
                std::thread::yield_now();
            }
        }

        fn text(&self) -> String {
            String::from_utf8(self.0.lock().clone()).unwrap()
        }
    }

    #[test]
    fn slow_loading_prints_each_stage_and_percentage_once() {
        let terminal = Terminal::default();
        let little = Duration::from_millis(1);
        let loading = Loading::with_output(terminal.clone(), little, little);
        loading.stage("replaying long.session");
        terminal.wait_for("emulator: replaying long.session …\n");
        loading.done(1, 4);
        terminal.wait_for("emulator: replaying long.session: 25 %\n");
        loading.stage("opening the window");
        terminal.wait_for("emulator: opening the window …\n");
        assert_eq!(terminal.text().matches("25 %").count(), 1);
    }

    #[test]
    fn quick_loading_prints_nothing() {
        let terminal = Terminal::default();
        let long = Duration::from_secs(3_600);
        let loading = Loading::with_output(terminal.clone(), long, long);
        loading.stage("opening the window");
        drop(loading);
        // The thread releases its terminal once it has ended.
        while Arc::strong_count(&terminal.0) > 1 {
            std::thread::yield_now();
        }
        assert_eq!(terminal.text(), "");
    }
}

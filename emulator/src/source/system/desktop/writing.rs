//! Files that are made from the session by replaying it: signals and films.
//!
//! Replaying a long session takes a while, so it is done on a thread and can be
//! cancelled.
//!
//! Invariants: a file is written completely or not at all; cancelled work leaves no file;
//! a request for another file ends the one before.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use protocol::Tick;
use touchboard_files::{WritingError, whole_file};

use super::saving_error::SavingError;
use super::{Saved, SlicedWork};
use crate::source::{CancelWork, FileWork, LongWork, Reports, RequestKind};

/// A step of the work: the share that is done, from 0 to 1, or the whole file.
pub(super) enum WritingStep {
    Share(f32),
    Done(Vec<u8>),
}

/// A file that is being written.
pub(super) struct Writing {
    work: SlicedWork<Result<PathBuf, SavingError>>,
    /// The share of the work that is done, in thousandths.
    done: Arc<AtomicU32>,
    words: String,
}

impl Writing {
    /// Begins to write this file. `slice` is called on a thread until it returns the whole
    /// of it.
    pub(super) fn begin(
        file: PathBuf,
        mut slice: impl FnMut() -> Result<WritingStep, SavingError> + Send + Sync + 'static,
    ) -> Result<Writing, SavingError> {
        let done = Arc::new(AtomicU32::new(0));
        let share = done.clone();
        let words = format!("Saving {}", name_of(&file));
        let work = SlicedWork::begin(move |_| match slice() {
            Err(error) => Some(Err(error)),
            Ok(WritingStep::Share(now)) => {
                share.store((now * 1_000.0).min(999.0) as u32, Ordering::Relaxed);
                None
            }
            Ok(WritingStep::Done(bytes)) => Some(write(&file, &bytes)),
        })?;
        Ok(Writing { work, done, words })
    }
}

/// The path of a file that the user may look for from a different folder.
pub(super) fn absolute(file: &Path) -> PathBuf {
    std::path::absolute(file).unwrap_or_else(|_| file.to_owned())
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().display().to_string()
}

fn write(file: &Path, bytes: &[u8]) -> Result<PathBuf, SavingError> {
    whole_file::write(file, bytes).map_err(WritingError::about(file))?;
    Ok(file.to_owned())
}

/// The file that is being written, if any.
#[derive(Resource, Default)]
pub(super) struct Writings(pub(super) Option<Writing>);

/// Begins files, and reports why they cannot be.
#[derive(SystemParam)]
pub(super) struct Beginner<'w> {
    writings: ResMut<'w, Writings>,
    saved: ResMut<'w, Saved>,
    reports: Reports<'w>,
}

impl Beginner<'_> {
    /// The current session time, in ms.
    pub(super) fn now(&self) -> Tick {
        self.reports.clock.0
    }

    /// Goes on with this file instead of any other.
    pub(super) fn go_on_with(&mut self, begun: Result<Writing, SavingError>) {
        match begun {
            Ok(writing) => self.writings.0 = Some(writing),
            Err(error) => self.end(Err(error)),
        }
    }

    /// Reports the file that was written, or why it was not.
    fn end(&mut self, written: Result<PathBuf, SavingError>) {
        if let Ok(file) = &written {
            let tick = self.reports.clock.0;
            let saved = format!("saved as {}", file.display());
            self.reports.log.add_sentence(tick, saved);
        }
        *self.saved = Saved::from(&written);
        self.reports.trouble(RequestKind::Save, written.map(drop));
    }
}

/// Reports the progress of the file, and its result.
pub(super) fn go_on(
    mut cancels: MessageReader<CancelWork>,
    mut work: ResMut<FileWork>,
    mut begun: Beginner,
) {
    let is_meant = |work: &&CancelWork| **work == CancelWork::File;
    if cancels.read().filter(is_meant).count() > 0 {
        begun.writings.0 = None;
    }
    let writing = begun.writings.0.as_mut();
    if let Some(outcome) = writing.and_then(|writing| writing.work.outcome()) {
        begun.writings.0 = None;
        begun.end(outcome);
    }
    let writing = begun.writings.0.as_ref();
    work.set_if_neq(FileWork(writing.map(|writing| LongWork {
        words: writing.words.clone(),
        share: Some(writing.done.load(Ordering::Relaxed) as f32 / 1_000.0),
        can_cancel: true,
    })));
}

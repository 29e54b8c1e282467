//! The events of the log as a story for the user.

use bevy::prelude::*;
use protocol::Settings;
use touchboard_host::story::{StoryItem, StoryLine, story_of};

use crate::source::{self, Log, LogEntry, Shown, SourceSet};

/// The lines of the log in words, as the user reads them.
#[derive(Resource, Clone, Debug, Default)]
pub struct Story {
    /// The lines, oldest first, then those ahead.
    pub lines: Vec<StoryLine>,
    /// The number of lines ahead of the current moment.
    pub ahead: usize,
    /// The number of older lines of the log that were dropped.
    pub dropped: u64,
}

impl Story {
    /// The lines up to the current moment.
    #[must_use]
    pub fn past(&self) -> &[StoryLine] {
        &self.lines[..self.lines.len() - self.ahead]
    }
}

/// Updates the [`Story`] when the log changes.
pub struct StoryPlugin;

impl Plugin for StoryPlugin {
    fn build(&self, app: &mut App) {
        let follow = follow_log.after(SourceSet::Exchange);
        app.init_resource::<Story>().add_systems(Update, follow);
    }
}

fn follow_log(
    log: Res<Log>,
    shown: Res<Shown>,
    mut story: ResMut<Story>,
    mut before: Local<Settings>,
) {
    if log.is_empty() {
        *before = shown.status.settings;
    }
    if !log.is_changed() {
        return;
    }
    let told = |is_wanted: &dyn Fn(&source::LogLine) -> bool| {
        let lines = log.iter().filter(|line| is_wanted(line));
        let told = lines.map(|line| match &line.what {
            LogEntry::Event(event) => (line.tick, StoryItem::Event(*event)),
            LogEntry::Said(sentence) => (line.tick, StoryItem::Sentence(sentence)),
        });
        story_of(told, shown.layout, *before, shown.status.settings)
    };
    let lines = told(&|_| true);
    let past = match log.has_lines_ahead() {
        true => told(&|line| !line.is_ahead).len().min(lines.len()),
        false => lines.len(),
    };
    *story = Story {
        ahead: lines.len() - past,
        lines,
        dropped: log.dropped(),
    };
}

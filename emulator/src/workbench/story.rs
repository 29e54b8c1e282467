//! What happened, as the log has it, told to a person.

use bevy::prelude::*;
use hil_bridge::story::{Line, Told, tell};
use protocol::Settings;

use crate::source::{Log, Shown, SourceSet, What};

/// What happened, told from the log.
#[derive(Resource, Clone, Debug, Default)]
pub struct Story(pub Vec<Line>);

/// Keeps the [`Story`] in step with the log.
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
    if log.0.is_empty() {
        *before = shown.status.settings;
    }
    if !log.is_changed() {
        return;
    }
    let told = log.0.iter().map(|line| match &line.what {
        What::Event(event) => (line.tick, Told::Event(*event)),
        What::Said(sentence) => (line.tick, Told::Sentence(sentence)),
    });
    story.0 = tell(told, shown.layout, *before, shown.status.settings);
}

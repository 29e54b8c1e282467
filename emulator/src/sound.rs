//! The beeper: a soft tone for as long as the frame says so.
//!
//! Without an audio device nothing is heard and nothing else changes.

use std::time::Duration;

use bevy::audio::{AudioPlayer, Pitch, PlaybackMode, PlaybackSettings, Volume};
use bevy::prelude::*;

use crate::source::{Shown, SourceSet};

/// A beeper in a case across the table, not an alarm.
const LOUDNESS: f32 = 0.14;

/// Longer than any tone; the frame ends it.
const LONGEST_TONE: Duration = Duration::from_secs(60);

/// Whether tones are heard.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sound {
    /// They are.
    #[default]
    On,
    /// They are not.
    Muted,
}

/// The tone that sounds now, in hertz.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tone(pub u16);

/// Sounds the beeper.
pub struct SoundPlugin;

impl Plugin for SoundPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Sound>().add_systems(
            Update,
            sound
                .after(SourceSet::Exchange)
                .run_if(resource_changed::<Shown>.or_else(resource_changed::<Sound>)),
        );
    }
}

fn sound(
    mut commands: Commands,
    shown: Res<Shown>,
    sound: Res<Sound>,
    pitches: Option<ResMut<Assets<Pitch>>>,
    tones: Query<(Entity, &Tone)>,
) {
    let wanted = match *sound {
        Sound::On => shown.frame.beep_hz,
        Sound::Muted => 0,
    };
    let mut sounds = false;
    for (entity, tone) in &tones {
        if tone.0 == wanted {
            sounds = true;
        } else {
            commands.entity(entity).despawn();
        }
    }
    if sounds || wanted == 0 {
        return;
    }
    let mut tone = commands.spawn(Tone(wanted));
    if let Some(mut pitches) = pitches {
        tone.insert((
            AudioPlayer(pitches.add(Pitch::new(f32::from(wanted), LONGEST_TONE))),
            PlaybackSettings {
                mode: PlaybackMode::Remove,
                volume: Volume::Linear(LOUDNESS),
                ..default()
            },
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tones(app: &mut App) -> Vec<u16> {
        app.update();
        let world = app.world_mut();
        world
            .query::<&Tone>()
            .iter(world)
            .map(|tone| tone.0)
            .collect()
    }

    #[test]
    fn one_tone_sounds_for_as_long_as_the_frame_says_so() {
        let mut app = App::new();
        app.init_resource::<Shown>().add_plugins(SoundPlugin);
        assert!(tones(&mut app).is_empty());
        app.world_mut().resource_mut::<Shown>().frame.beep_hz = 880;
        assert_eq!(tones(&mut app), [880]);
        app.world_mut().resource_mut::<Shown>().frame.beep_hz = 440;
        assert_eq!(tones(&mut app), [440]);
        app.insert_resource(Sound::Muted);
        assert!(tones(&mut app).is_empty());
        app.insert_resource(Sound::On);
        assert_eq!(tones(&mut app), [440]);
        app.world_mut().resource_mut::<Shown>().frame.beep_hz = 0;
        assert!(tones(&mut app).is_empty());
    }
}

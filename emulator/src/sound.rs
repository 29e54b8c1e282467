//! The sounds of the window: the board's beeper, and a soft click for each finger.
//!
//! The beeper sounds for as long as the frame says. If pictures are slow, a bleep may
//! begin and end between two of them: the board reports each bleep as an event, and a
//! missed one is played afterwards. Without an audio device there is no sound, and the
//! window says so; nothing else changes.

use std::time::Duration;

use bevy::audio::{
    AddAudioSource, AudioPlayer, AudioSink, Decodable, PlaybackMode, PlaybackSettings, Source,
    Volume as Loudness,
};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use firmware_core::beeper;
use firmware_core::referee::{SIGNAL_BLEEPS, SIGNAL_HEARD_MS, SIGNAL_HZ};
use protocol::{Deed, Event, Input};

use crate::source::{Happened, Shown, SourceSet, WindowCommand};
use crate::switches::WindowSwitches;

/// The amplitude of the beeper at full volume.
const BEEPER: f32 = 0.28;
/// The amplitude of a fingertip on a dome at full volume.
const FINGERTIP: f32 = 0.20;
/// Longer than any tone; the frame decides when a tone ends.
const LONGEST_TONE: Duration = Duration::from_secs(60);
/// The short sounds of the board.
const SHORT_SOUNDS: [beeper::Sound; 4] = [
    beeper::Sound::Nothing,
    beeper::Sound::Second,
    beeper::Sound::Illegal,
    beeper::Sound::TimeOut,
];
/// The length of a bleep whose pitch is not that of any short sound of the board, in ms.
const BLEEP_MS: u64 = 120;
/// The time in which a tone fades in and out, in seconds, so that it does not click.
const SOFT_S: f32 = 0.004;
/// The length of the click of a fingertip.
const CLICK: Duration = Duration::from_millis(22);
/// How long to wait for the first sound to reach an audio device.
const PATIENCE: Duration = Duration::from_secs(2);
/// Samples per second.
const RATE: u32 = 48_000;

/// The volume of sounds, in per cent.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Volume(u8);

impl Default for Volume {
    fn default() -> Self {
        Volume(50)
    }
}

impl Volume {
    /// A volume in per cent, 100 at most.
    #[must_use]
    pub fn of_percent(percent: u8) -> Volume {
        Volume(percent.min(100))
    }

    /// The volume in per cent, 0 to 100.
    #[must_use]
    pub fn percent(self) -> u8 {
        self.0
    }

    /// Sets the volume in per cent, 100 at most.
    pub fn set_percent(&mut self, percent: u8) {
        *self = Volume::of_percent(percent);
    }

    /// The factor for amplitudes. It is the square of the volume, so that equal steps
    /// sound equal.
    fn gain(self) -> f32 {
        let part = f32::from(self.0) / 100.0;
        part * part
    }
}

/// Whether sounds can be heard.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audible {
    /// Yes, as far as is known.
    #[default]
    Yes,
    /// There is no audio device.
    NoDevice,
}

/// A sound that is being played.
#[derive(Asset, TypePath, Clone, Copy, Debug, PartialEq)]
pub struct Voice {
    /// The pitch in hertz; `None` for the click of a fingertip.
    hz: Option<u16>,
    lasts: Duration,
}

/// The samples of a [`Voice`].
#[derive(Clone, Debug)]
pub struct Samples {
    voice: Voice,
    next: u64,
    count: u64,
}

impl Iterator for Samples {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        if self.next >= self.count {
            return None;
        }
        let at = self.next as f32 / RATE as f32;
        let left = (self.count - self.next) as f32 / RATE as f32;
        self.next += 1;
        let turns = |hz: f32| (at * hz).fract() * std::f32::consts::TAU;
        Some(match self.voice.hz {
            Some(hz) => {
                let soft = (at / SOFT_S).min(left / SOFT_S).min(1.0);
                turns(f32::from(hz)).sin() * soft
            }
            // A knock on a thin shell: a low tone that decays immediately.
            None => {
                let fades = (-at * 260.0).exp() * (at / 0.0008).min(1.0);
                (turns(190.0).sin() + 0.35 * turns(1_150.0).sin()) * fades
            }
        })
    }
}

impl Source for Samples {
    fn current_span_len(&self) -> Option<usize> {
        None
    }

    fn channels(&self) -> std::num::NonZero<u16> {
        std::num::NonZero::<u16>::MIN
    }

    fn sample_rate(&self) -> std::num::NonZero<u32> {
        std::num::NonZero::new(RATE).unwrap_or(std::num::NonZero::<u32>::MIN)
    }

    fn total_duration(&self) -> Option<Duration> {
        Some(self.voice.lasts)
    }
}

impl Decodable for Voice {
    type Decoder = Samples;

    fn decoder(&self) -> Samples {
        Samples {
            voice: *self,
            next: 0,
            count: (self.lasts.as_secs_f64() * f64::from(RATE)) as u64,
        }
    }
}

/// The tone that is sounding, in hertz.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tone(pub u16);

/// A sound that ends by itself, and is then removed.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Short(pub Voice);

/// Plays the sounds.
pub struct SoundPlugin;

impl Plugin for SoundPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<WindowSwitches>()
            .init_resource::<Volume>()
            .init_resource::<Audible>()
            .add_message::<WindowCommand>()
            .add_message::<Happened>()
            .add_systems(
                Update,
                (
                    make_up_for_bleeps,
                    sound.run_if(
                        resource_changed::<Shown>
                            .or_else(resource_changed::<WindowSwitches>)
                            .or_else(resource_changed::<Volume>),
                    ),
                )
                    .chain()
                    .after(SourceSet::Exchange),
            )
            .add_systems(Startup, play_silence)
            .add_systems(Update, (click, detect_device));
    }

    fn finish(&self, app: &mut App) {
        // Without the audio plugin, sounds are spawned but not heard.
        if app.is_plugin_added::<bevy::audio::AudioPlugin>() {
            app.add_audio_source::<Voice>();
        }
    }
}

/// The playback settings for a sound.
fn playback(gain: f32, volume: Volume) -> PlaybackSettings {
    PlaybackSettings {
        mode: PlaybackMode::Despawn,
        volume: Loudness::Linear(gain * volume.gain()),
        ..default()
    }
}

/// Whether there is sound, and how loud it is.
#[derive(SystemParam)]
struct SoundSetting<'w> {
    switches: Res<'w, WindowSwitches>,
    volume: Res<'w, Volume>,
}

impl SoundSetting<'_> {
    fn is_on(&self) -> bool {
        self.switches.sound
    }
}

fn sound(
    mut commands: Commands,
    shown: Res<Shown>,
    setting: SoundSetting,
    voices: Option<ResMut<Assets<Voice>>>,
    mut tones: Query<(Entity, &Tone, Option<&mut AudioSink>)>,
) {
    use bevy::audio::AudioSinkPlayback;
    let wanted = match setting.is_on() {
        true => shown.frame.beep_hz,
        false => 0,
    };
    let mut sounds = false;
    for (entity, tone, sink) in &mut tones {
        if tone.0 != wanted {
            commands.entity(entity).despawn();
            continue;
        }
        sounds = true;
        if let Some(mut sink) = sink {
            sink.set_volume(Loudness::Linear(BEEPER * setting.volume.gain()));
        }
    }
    if sounds || wanted == 0 {
        return;
    }
    let mut tone = commands.spawn(Tone(wanted));
    if let Some(mut voices) = voices {
        let voice = voices.add(Voice {
            hz: Some(wanted),
            lasts: LONGEST_TONE,
        });
        tone.insert((AudioPlayer(voice), playback(BEEPER, *setting.volume)));
    }
}

/// Plays bleeps that began and ended between two pictures.
fn make_up_for_bleeps(
    mut commands: Commands,
    mut happened: MessageReader<Happened>,
    shown: Res<Shown>,
    setting: SoundSetting,
    mut voices: Option<ResMut<Assets<Voice>>>,
) {
    let bleeps = happened
        .read()
        .filter_map(|Happened(told)| match told.event {
            Event::Bleep(hz) => Some(hz),
            _ => None,
        });
    let Some(hz) = bleeps.last().filter(|hz| *hz != shown.frame.beep_hz) else {
        return;
    };
    if !setting.is_on() {
        return;
    }
    let known = SHORT_SOUNDS.into_iter().find(|sound| sound.hz() == hz);
    let lasts_ms = match known {
        Some(sound) => sound.ms(),
        None if hz == SIGNAL_HZ => SIGNAL_HEARD_MS / (2 * SIGNAL_BLEEPS),
        None => BLEEP_MS,
    };
    let voice = Voice {
        hz: Some(hz),
        lasts: Duration::from_millis(lasts_ms),
    };
    play(&mut commands, &mut voices, voice, BEEPER, *setting.volume);
}

/// Plays a click for the fingers that touched the board.
fn click(
    mut commands: Commands,
    mut to_board: MessageReader<WindowCommand>,
    setting: SoundSetting,
    mut voices: Option<ResMut<Assets<Voice>>>,
) {
    let is_finger = |command: &&WindowCommand| {
        matches!(
            command,
            WindowCommand::Do(Deed::Input(Input::Touch(_) | Input::Press(_)))
        )
    };
    let fingers = to_board.read().filter(is_finger).count();
    // Several fingers in one picture make one click.
    if fingers == 0 || !setting.is_on() {
        return;
    }
    let voice = Voice {
        hz: None,
        lasts: CLICK,
    };
    play(
        &mut commands,
        &mut voices,
        voice,
        FINGERTIP,
        *setting.volume,
    );
}

fn play(
    commands: &mut Commands,
    voices: &mut Option<ResMut<Assets<Voice>>>,
    voice: Voice,
    gain: f32,
    volume: Volume,
) {
    // Without the audio plugin, the sound would wait for a device forever.
    let Some(voices) = voices else { return };
    commands.spawn((
        Short(voice),
        AudioPlayer(voices.add(voice)),
        playback(gain, volume),
    ));
}

/// Plays a silent sound, so that a missing device is noticed before the first real sound.
fn play_silence(mut commands: Commands, mut voices: Option<ResMut<Assets<Voice>>>) {
    let voice = Voice {
        hz: None,
        lasts: CLICK,
    };
    play(&mut commands, &mut voices, voice, 0.0, Volume::default());
}

/// Reports that there is no audio device if a sound has waited for one longer than
/// [`PATIENCE`].
fn detect_device(
    mut commands: Commands,
    time: Res<Time<Real>>,
    mut audible: ResMut<Audible>,
    waiting: Query<Entity, (With<AudioPlayer<Voice>>, Without<AudioSink>)>,
    playing: Query<(), With<AudioSink>>,
    mut since: Local<Option<Duration>>,
) {
    if !playing.is_empty() {
        audible.set_if_neq(Audible::Yes);
    }
    if waiting.is_empty() {
        *since = None;
        return;
    }
    let began = *since.get_or_insert(time.elapsed());
    if time.elapsed() - began >= PATIENCE {
        audible.set_if_neq(Audible::NoDevice);
        for entity in &waiting {
            commands.entity(entity).despawn();
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::asset::AssetPlugin;
    use protocol::{Point, StampedEvent};

    use super::*;

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default()))
            .init_asset::<Voice>()
            .init_resource::<Shown>()
            .add_plugins(SoundPlugin);
        app
    }

    fn tones(app: &mut App) -> Vec<u16> {
        app.update();
        let world = app.world_mut();
        world
            .query::<&Tone>()
            .iter(world)
            .map(|tone| tone.0)
            .collect()
    }

    /// The short sounds being played.
    fn shorts(app: &mut App) -> Vec<Voice> {
        app.update();
        let world = app.world_mut();
        let mut shorts = world.query::<(&Short, &PlaybackSettings)>();
        let shorts = shorts.iter(world);
        let heard = shorts.filter(|(_, playback)| playback.volume != Loudness::Linear(0.0));
        heard.map(|(short, _)| short.0).collect()
    }

    #[test]
    fn one_tone_sounds_while_the_frame_beeps() {
        let mut app = app();
        assert!(tones(&mut app).is_empty());
        app.world_mut().resource_mut::<Shown>().frame.beep_hz = 880;
        assert_eq!(tones(&mut app), [880]);
        app.world_mut().resource_mut::<Shown>().frame.beep_hz = 440;
        assert_eq!(tones(&mut app), [440]);
        app.world_mut().resource_mut::<WindowSwitches>().sound = false;
        assert!(tones(&mut app).is_empty());
        app.world_mut().resource_mut::<WindowSwitches>().sound = true;
        assert_eq!(tones(&mut app), [440]);
        app.world_mut().resource_mut::<Shown>().frame.beep_hz = 0;
        assert!(tones(&mut app).is_empty());
    }

    fn bleep(app: &mut App, hz: u16) {
        app.world_mut().write_message(Happened(StampedEvent {
            number: 0,
            tick: 0,
            event: Event::Bleep(hz),
        }));
    }

    #[test]
    fn a_bleep_shorter_than_a_picture_keeps_its_length() {
        let mut app = app();
        bleep(&mut app, beeper::Sound::TimeOut.hz());
        let [voice] = shorts(&mut app)[..] else {
            panic!("one")
        };
        assert_eq!(voice.hz, Some(440));
        assert_eq!(voice.lasts, Duration::from_millis(500));
        // A bleep that is still sounding is played by the frame.
        app.world_mut().resource_mut::<Shown>().frame.beep_hz = 1_320;
        bleep(&mut app, 1_320);
        assert_eq!(shorts(&mut app).len(), 1);
        assert_eq!(tones(&mut app), [1_320]);
    }

    #[test]
    fn only_touches_click_and_only_if_not_muted() {
        let mut app = app();
        app.world_mut()
            .write_message(WindowCommand::from(Input::Touch(Point(3))));
        assert_eq!(shorts(&mut app).len(), 1);
        app.world_mut()
            .write_message(WindowCommand::from(Input::Release(Point(3))));
        assert_eq!(shorts(&mut app).len(), 1);
        app.world_mut().resource_mut::<WindowSwitches>().sound = false;
        app.world_mut()
            .write_message(WindowCommand::from(Input::Touch(Point(3))));
        assert_eq!(shorts(&mut app).len(), 1);
    }

    #[test]
    fn without_an_audio_device_no_sound_piles_up() {
        use bevy::time::TimeUpdateStrategy;
        let mut app = app();
        let picture = TimeUpdateStrategy::ManualDuration(Duration::from_secs(1));
        app.insert_resource(picture);
        app.world_mut()
            .write_message(WindowCommand::from(Input::Touch(Point(3))));
        for _ in 0..6 {
            app.update();
        }
        assert_eq!(*app.world().resource::<Audible>(), Audible::NoDevice);
        assert!(shorts(&mut app).is_empty());
    }

    #[test]
    fn sounds_fade_in_and_out_and_do_not_clip() {
        for hz in [None, Some(110), Some(1_320)] {
            let lasts = Duration::from_millis(30);
            let samples: Vec<f32> = Voice { hz, lasts }.decoder().collect();
            assert_eq!(samples.len(), 1_440);
            assert!(samples[0].abs() < 0.05);
            assert!(samples.last().unwrap().abs() < 0.05);
            assert!(samples.iter().all(|sample| sample.abs() <= 1.4));
        }
    }

    #[test]
    fn volume_zero_is_silent_and_percentages_are_clamped() {
        assert_eq!(Volume::of_percent(0).gain(), 0.0);
        assert_eq!(Volume::of_percent(250).percent(), 100);
        assert_eq!(Volume::of_percent(100).gain(), 1.0);
    }
}

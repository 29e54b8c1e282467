//! Animation of pieces that move, turn, arrive and leave.
//!
//! Pieces are always placed as the board's state says, at once. A motion is shown by a
//! stand-in, and the piece that it stands for is hidden in the meantime. When the motion
//! ends or anything else happens, the stand-in is removed and the piece becomes visible.
//!
//! Only changes from one picture to the next are animated, while board time runs by
//! itself. When the user goes back, steps or freezes board time, each moment is shown as
//! it is.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use protocol::{Event, Settings, Tick};

use super::SceneSet;
use super::plan::PointPlan;
use crate::source::{BoardTime, Happened, Shown};
use crate::switches::WindowSwitches;

/// Whether changes since the previous picture are animated.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Continuity {
    /// Board time continued without a jump.
    Goes,
    /// Changes are not animated: board time jumped, is stopped, or runs too fast.
    #[default]
    Jumps,
}

/// Whether and how fast something moves.
#[derive(SystemParam)]
pub struct MotionInputs<'w> {
    /// What the user turned on or off.
    pub switches: Res<'w, WindowSwitches>,
    /// Whether changes are animated.
    pub flow: Res<'w, Continuity>,
    /// The time and the rate of motion.
    pub tempo: Res<'w, Tempo>,
}

/// The most board time between two pictures at normal rate, in ms. More is a jump.
const LONGEST_STEP_MS: f32 = 1_500.0;
/// If less real time than this passes between two pictures, a screenshot is being taken,
/// and a motion would never end.
const STANDSTILL: Duration = Duration::from_micros(10);
/// The fastest rate of board time at which the eye can follow motion.
const FASTEST_RATE: f32 = 8.0;

/// The path of a moving piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MotionPath {
    /// Moves from one place to another in an arc.
    Walk {
        /// The place where it starts.
        from: Vec3,
        /// The place where it ends.
        to: Vec3,
        /// The height of the arc.
        leap: f32,
    },
    /// Comes down to its place, growing.
    Land {
        /// Where the piece lands.
        at: Vec3,
        /// The height from which it falls.
        from: f32,
    },
    /// Leaves, sinking and shrinking.
    Leave {
        /// Where the piece leaves from.
        at: Vec3,
        /// The depth to which it sinks.
        sinks: f32,
    },
    /// Turns over, and takes its new look halfway.
    Turn {
        /// Where the piece turns over.
        at: Vec3,
        /// How high it is lifted.
        leap: f32,
    },
    /// Leaps and comes down again.
    Hop {
        /// Where the piece leaps.
        at: Vec3,
        /// The height of the leap.
        leap: f32,
    },
    /// Rolls a die to its place.
    Roll {
        /// The place where it starts.
        from: Vec3,
        /// The place where it ends.
        to: Vec3,
        /// The final rotation.
        lies: Quat,
        /// The axis of the roll; its length is the total angle in radians.
        spin: Vec3,
    },
}

impl MotionPath {
    /// The transform, from 0 at the beginning to 1 at the end.
    #[must_use]
    pub fn at(self, part: f32) -> Transform {
        let part = part.clamp(0.0, 1.0);
        let soft = part * part * (3.0 - 2.0 * part);
        // Exactly zero at both ends.
        let arc = 4.0 * part * (1.0 - part);
        match self {
            MotionPath::Walk { from, to, leap } => {
                let flat = if part < 1.0 { from.lerp(to, soft) } else { to };
                Transform::from_translation(flat + Vec3::Y * leap * arc)
            }
            MotionPath::Land { at, from } => {
                let left = (1.0 - part) * (1.0 - part);
                let grown = if part < 1.0 { 1.0 - 0.45 * left } else { 1.0 };
                let place = Transform::from_translation(at + Vec3::Y * from * left);
                place.with_scale(Vec3::splat(grown))
            }
            MotionPath::Leave { at, sinks } => {
                let place = Transform::from_translation(at - Vec3::Y * sinks * soft);
                place.with_scale(Vec3::splat(1.0 - soft))
            }
            MotionPath::Turn { at, leap } => {
                // The far side comes up; halfway, the piece is on its edge.
                let half = std::f32::consts::PI * soft;
                let angle = if part < 0.5 {
                    half
                } else {
                    half - std::f32::consts::PI
                };
                let angle = if part < 1.0 { angle } else { 0.0 };
                let place = Transform::from_translation(at + Vec3::Y * leap * arc);
                place.with_rotation(Quat::from_rotation_x(angle))
            }
            MotionPath::Hop { at, leap } => Transform::from_translation(at + Vec3::Y * leap * arc),
            MotionPath::Roll {
                from,
                to,
                lies,
                spin,
            } => {
                let gone = 1.0 - (1.0 - part) * (1.0 - part);
                let bounce = (3.0 * std::f32::consts::PI * part).sin().abs() * (1.0 - part);
                let flat = if part < 1.0 { from.lerp(to, gone) } else { to };
                let turned = Quat::from_scaled_axis(spin * (1.0 - gone));
                let place = Transform::from_translation(flat + Vec3::Y * 0.6 * bounce);
                place.with_rotation(if part < 1.0 { turned * lies } else { lies })
            }
        }
    }
}

/// A stand-in that moves in place of a piece.
#[derive(Component, Clone, Debug)]
pub struct Actor {
    /// The path of the motion.
    pub path: MotionPath,
    /// The scale of the stand-in.
    pub scale: f32,
    /// The start of the motion, as time since the program started.
    pub begins: Duration,
    /// The duration of the motion.
    pub lasts: Duration,
    /// The entity that it stands for, which is hidden until the motion ends.
    pub hides: Option<Entity>,
    /// The material from halfway on; `None` if it does not change.
    pub becomes: Option<Handle<StandardMaterial>>,
}

impl Actor {
    /// The part of the motion that is over, 0 to 1.
    fn part(&self, now: Duration) -> f32 {
        let since = now.saturating_sub(self.begins);
        match self.lasts.is_zero() {
            true => 1.0,
            false => (since.as_secs_f32() / self.lasts.as_secs_f32()).min(1.0),
        }
    }

    /// The transform at the time `now`.
    #[must_use]
    pub fn place(&self, now: Duration) -> Transform {
        let mut place = self.path.at(self.part(now));
        place.scale *= self.scale;
        place
    }
}

/// The current time, and the rate of board time, which shortens motions.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Tempo {
    /// The time since the program started.
    pub now: Duration,
    rate: f32,
}

impl Tempo {
    /// The real duration of a motion of `ms`. It is shorter if board time runs
    /// faster.
    #[must_use]
    pub fn lasts(self, ms: u64) -> Duration {
        Duration::from_millis(ms).div_f32(self.rate.max(1.0))
    }
}

/// The order of the systems for motion, within [`SceneSet::Follow`].
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub enum MotionSet {
    /// Detects jumps, and removes finished stand-ins.
    Begin,
    /// Places the pieces, and creates stand-ins.
    Lay,
    /// Moves the stand-ins.
    Play,
}

/// Animates pieces that move.
pub struct MotionPlugin;

impl Plugin for MotionPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<WindowSwitches>()
            .init_resource::<Continuity>()
            .init_resource::<Tempo>()
            .configure_sets(
                Update,
                (MotionSet::Begin, MotionSet::Lay, MotionSet::Play)
                    .chain()
                    .in_set(SceneSet::Follow),
            )
            .add_systems(
                Update,
                (
                    (find_flow, end_what_is_over)
                        .chain()
                        .in_set(MotionSet::Begin),
                    play.in_set(MotionSet::Play),
                ),
            );
    }
}

/// The state in the previous picture.
#[derive(Default)]
struct Before {
    tick: Tick,
    layout: Option<protocol::Layout>,
    settings: Option<Settings>,
}

/// How both times pass.
#[derive(SystemParam)]
struct TimeInputs<'w> {
    shown: Res<'w, Shown>,
    clock: Res<'w, BoardTime>,
    time: Res<'w, Time<Real>>,
}

fn find_flow(
    switches: Res<WindowSwitches>,
    TimeInputs { shown, clock, time }: TimeInputs,
    mut happened: MessageReader<Happened>,
    mut before: Local<Before>,
    mut flow: ResMut<Continuity>,
    mut tempo: ResMut<Tempo>,
) {
    let begins = |event: &Happened| {
        let event = event.0.event;
        matches!(event, Event::Started(_) | Event::Stopped(_))
    };
    let is_new = happened.read().filter(|event| begins(event)).count() > 0;
    let rate = shown.pace.speed;
    let longest = (LONGEST_STEP_MS * rate.max(1.0)) as Tick;
    let is_same = before.layout == Some(shown.layout)
        && before.settings == Some(shown.status.settings)
        && (before.tick..=before.tick.saturating_add(longest)).contains(&clock.0);
    let goes = switches.motion
        && !shown.pace.frozen
        && time.delta() > STANDSTILL
        && rate <= FASTEST_RATE
        && shown.link.answers()
        && is_same
        && !is_new;
    flow.set_if_neq(match goes {
        true => Continuity::Goes,
        false => Continuity::Jumps,
    });
    tempo.set_if_neq(Tempo {
        now: time.elapsed(),
        rate,
    });
    *before = Before {
        tick: clock.0,
        layout: Some(shown.layout),
        settings: Some(shown.status.settings),
    };
}

/// Removes a stand-in, and shows the entity that it stood for.
pub fn end(
    commands: &mut Commands,
    actor: Entity,
    hides: Option<Entity>,
    seen: &mut Query<&mut Visibility>,
) {
    commands.entity(actor).despawn();
    if let Some(mut visibility) = hides.and_then(|entity| seen.get_mut(entity).ok()) {
        *visibility = Visibility::Inherited;
    }
}

fn end_what_is_over(
    mut commands: Commands,
    flow: Res<Continuity>,
    tempo: Res<Tempo>,
    plan: Res<PointPlan>,
    actors: Query<(Entity, &Actor)>,
    mut seen: Query<&mut Visibility>,
) {
    for (entity, actor) in &actors {
        if *flow == Continuity::Jumps || plan.is_changed() || actor.part(tempo.now) >= 1.0 {
            end(&mut commands, entity, actor.hides, &mut seen);
        }
    }
}

fn play(
    tempo: Res<Tempo>,
    mut actors: Query<(
        &mut Actor,
        &mut Transform,
        &mut MeshMaterial3d<StandardMaterial>,
    )>,
) {
    for (mut actor, mut place, mut material) in &mut actors {
        place.set_if_neq(actor.place(tempo.now));
        if actor.part(tempo.now) >= 0.5
            && let Some(becomes) = actor.becomes.take()
        {
            material.0 = becomes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<MotionPath> {
        let (here, there) = (Vec3::new(1.0, 0.2, 3.0), Vec3::new(-2.0, 0.4, 0.5));
        let lies = Quat::from_rotation_x(1.0);
        vec![
            MotionPath::Walk {
                from: there,
                to: here,
                leap: 0.3,
            },
            MotionPath::Land {
                at: here,
                from: 0.5,
            },
            MotionPath::Turn {
                at: here,
                leap: 0.4,
            },
            MotionPath::Hop {
                at: here,
                leap: 0.4,
            },
            MotionPath::Roll {
                from: there,
                to: here,
                lies,
                spin: Vec3::new(5.0, 1.0, 2.0),
            },
        ]
    }

    #[test]
    fn every_motion_ends_exactly_at_its_piece() {
        for path in all() {
            let end = path.at(1.0);
            let lies = match path {
                MotionPath::Roll { lies, .. } => lies,
                _ => Quat::IDENTITY,
            };
            let rest = Transform::from_xyz(1.0, 0.2, 3.0).with_rotation(lies);
            assert_eq!(end, rest, "{path:?}");
        }
        let leaves = MotionPath::Leave {
            at: Vec3::ONE,
            sinks: 0.3,
        };
        assert_eq!(leaves.at(1.0).scale, Vec3::ZERO);
        assert_eq!(leaves.at(0.0).translation, Vec3::ONE);
    }

    #[test]
    fn every_motion_is_continuous() {
        for path in all() {
            let places = (0..=100_u8).map(|part| path.at(f32::from(part) / 100.0).translation);
            let places: Vec<Vec3> = places.collect();
            for pair in places.windows(2) {
                assert!(pair[0].distance(pair[1]) < 0.25, "{path:?}");
            }
        }
    }
}

//! Lights that stand for stones: a coin that turns over, appears or disappears with its
//! light.
//!
//! In Reversi a light is a stone. The light shows the board's state and changes at once.
//! A coin in the old colour turns over above it and is removed when it has landed. This
//! shows which stones a move turned, without delaying the lights.

use bevy::ecs::system::SystemParam;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;
use protocol::{Colour, Event, Outcome, Packed, Point, Settings};
use touchboard_host::standing;

use super::motion::{Actor, Continuity, MotionInputs, MotionPath, MotionSet, Tempo};
use super::paint::Paint;
use super::pieces::{CHEER_MS, COME_MS, LEAP, TURN_MS, cheer_delay};
use super::plan::PointPlan;
use super::shape::Shape;
use crate::source::{Happened, Shown};

/// Radius of a coin, relative to the pitch. It covers the light.
const RADIUS: f32 = 0.33;
/// Half of a coin's thickness at its middle, relative to the pitch.
const THICK: f32 = 0.10;
/// Height of a coin's middle above the field, relative to the pitch.
const MIDDLE: f32 = 0.10;
/// Height from which a coin comes, relative to the pitch: low, so that it seems to swell
/// in place, as a light does.
const AWAY: f32 = 0.05;

/// Animates lights that stand for stones.
pub struct CoinsPlugin;

impl Plugin for CoinsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Mint>()
            .add_systems(Update, spawn_coins.in_set(MotionSet::Lay));
    }
}

/// A coin in motion.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coin {
    /// The point under the coin.
    pub point: Point,
}

/// The mesh of coins, and the lights in the previous picture.
#[derive(Resource, Default)]
struct Mint {
    mesh: Option<Handle<Mesh>>,
    before: Option<(Settings, Packed)>,
}

/// A change of a light that stands for a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Toss {
    Comes(Colour),
    Leaves(Colour),
    Turns(Colour, Colour),
    Cheers(Colour),
}

/// The animation for this change of a light's colour, if it has one.
fn toss_of(was: Colour, is: Colour) -> Option<Toss> {
    let is_stone = |colour: Colour| [Colour::GREEN, Colour::RED].contains(&colour);
    match (was, is) {
        _ if was == is => None,
        (Colour::OFF, now) if is_stone(now) => Some(Toss::Comes(now)),
        (old, Colour::OFF) if is_stone(old) => Some(Toss::Leaves(old)),
        (old, now) if is_stone(old) && is_stone(now) => Some(Toss::Turns(old, now)),
        _ => None,
    }
}

/// What coins are made of, and what they showed before.
#[derive(SystemParam)]
struct CoinKit<'w> {
    meshes: ResMut<'w, Assets<Mesh>>,
    mint: ResMut<'w, Mint>,
    paint: Res<'w, Paint>,
}

/// Whether there was a move, and the colour of the winner if a game was won.
fn news(happened: &mut MessageReader<Happened>) -> (bool, Option<Colour>) {
    let (mut is_move, mut winner) = (false, None);
    for event in happened.read() {
        match event.0.event {
            Event::Move { .. } => is_move = true,
            Event::Over(Outcome::Won(side)) => winner = Some(Colour::from(side)),
            _ => {}
        }
    }
    (is_move, winner)
}

fn spawn_coins(
    mut commands: Commands,
    kit: CoinKit,
    mut happened: MessageReader<Happened>,
    shown: Res<Shown>,
    motion: MotionInputs,
    plan: Res<PointPlan>,
    old: Query<(Entity, &Coin)>,
) {
    let CoinKit {
        mut meshes,
        mut mint,
        paint,
    } = kit;
    let MotionInputs {
        switches,
        flow,
        tempo,
    } = motion;
    let (is_move, winner) = news(&mut happened);
    let settings = shown.status.settings;
    let lit = &shown.frame.points;
    let before = mint.before.replace((settings, lit.clone()));
    let goes = *flow == Continuity::Goes && switches.pieces;
    let Some((_, before)) = before.filter(|(of, _)| *of == settings && goes) else {
        return;
    };
    if !standing::lights_are_stones(&settings) || !(is_move || winner.is_some()) {
        return;
    }
    let last = shown.status.last_move.map(|last| last.point);
    let from = last.map_or(Vec3::ZERO, |point| plan.place(point));
    let mesh = mint.mesh.get_or_insert_with(|| meshes.add(coin().mesh()));
    for point in shown.layout.iter() {
        let (was, is) = (before.get(point), lit.get(point));
        let what = toss_of(was, is).filter(|_| is_move);
        let cheers = winner.filter(|colour| *colour == is).map(Toss::Cheers);
        let Some(what) = what.or(cheers) else {
            continue;
        };
        for (entity, _) in old.iter().filter(|(_, coin)| coin.point == point) {
            commands.entity(entity).try_despawn();
        }
        let far = plan.place(point).distance(from);
        let (colour, actor) = act(what, &plan, point, far, *tempo, &paint);
        commands.spawn((
            Name::new("coin"),
            Coin { point },
            NotShadowCaster,
            Mesh3d(mesh.clone()),
            MeshMaterial3d(paint.dome[usize::from(colour.index())].clone()),
            actor.place(tempo.now),
            actor,
        ));
    }
}

/// The initial colour of a coin that shows this change, and its motion.
fn act(
    what: Toss,
    plan: &PointPlan,
    point: Point,
    far: f32,
    tempo: Tempo,
    paint: &Paint,
) -> (Colour, Actor) {
    let pitch = plan.pitch();
    let at = plan.place(point) + Vec3::Y * (super::case::FIELD_Y + MIDDLE * pitch);
    let leap = LEAP * pitch;
    let [from, sinks] = [AWAY, MIDDLE].map(|away| away * pitch);
    let (colour, path, ms, becomes) = match what {
        Toss::Comes(colour) => (colour, MotionPath::Land { at, from }, COME_MS, None),
        Toss::Leaves(colour) => (colour, MotionPath::Leave { at, sinks }, COME_MS, None),
        Toss::Turns(was, is) => (was, MotionPath::Turn { at, leap }, TURN_MS, Some(is)),
        Toss::Cheers(colour) => (colour, MotionPath::Hop { at, leap }, CHEER_MS, None),
    };
    let delay = match what {
        Toss::Cheers(_) => cheer_delay(far),
        // Coins further away turn a little later.
        Toss::Turns(..) => tempo.lasts((far / pitch * 12.0).min(80.0) as u64),
        _ => std::time::Duration::ZERO,
    };
    let actor = Actor {
        path,
        scale: pitch,
        begins: tempo.now + delay,
        lasts: tempo.lasts(ms),
        hides: None,
        becomes: becomes.map(|colour| paint.dome[usize::from(colour.index())].clone()),
    };
    (colour, actor)
}

/// The middle of a coin that lies on its light, relative to the pitch.
pub(super) const LIES: f32 = MIDDLE;

/// A coin: as round below as above.
pub(super) fn coin() -> Shape {
    let profile: Vec<Vec2> = (-6..=6_i8)
        .map(|step| {
            let angle = std::f32::consts::FRAC_PI_2 * f32::from(step) / 6.0;
            let out = angle.cos().max(0.0).powf(0.5);
            Vec2::new(RADIUS * out, THICK * angle.sin())
        })
        .collect();
    Shape::turned(&profile, 28)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coins_appear_turn_and_leave_for_side_colours_only() {
        let (off, green, red) = (Colour::OFF, Colour::GREEN, Colour::RED);
        assert_eq!(toss_of(off, green), Some(Toss::Comes(green)));
        assert_eq!(toss_of(red, green), Some(Toss::Turns(red, green)));
        assert_eq!(toss_of(red, off), Some(Toss::Leaves(red)));
        assert_eq!(toss_of(red, red), None);
        assert_eq!(toss_of(off, Colour::AMBER), None);
        assert_eq!(toss_of(Colour::AMBER, off), None);
    }

    #[test]
    fn a_coin_covers_its_light_and_fits_between_its_neighbours() {
        let (low, high) = coin().extent();
        assert!(high.x > 0.315 && high.x < 0.5);
        assert!(low.y < 0.0 && high.y > 0.0);
        assert!(coin().is_sound());
    }
}

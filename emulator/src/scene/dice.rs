//! Dice on the table next to the board. They roll when the board rolls, and are removed
//! once played.
//!
//! Invariants: the upper face has as many pips as the board says, however the die is
//! turned.

use std::f32::consts::PI;

use bevy::ecs::system::SystemParam;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use touchboard_host::pieces::HeldPiece;

use super::furniture::TABLE_Y;
use super::lights;
use super::motion::{Actor, Continuity, MotionInputs, MotionPath, MotionSet, Tempo};
use super::pieces::COME_MS;
use super::plan::PointPlan;
use super::shape::{Shape, Slab};
use super::texture;
use crate::source::Shown;
use crate::theme;

/// Length of a die's side.
const SIDE: f32 = 0.80;
/// Distance of the dice from the case.
const BESIDE: f32 = 0.85;
/// z of the first die, at the back; 0 is the middle of the field.
const FIRST_Z: f32 = -4.2;
/// Distance from one die to the next.
const APART: f32 = 1.15;
/// Radius of a pip, relative to the side.
const PIP: f32 = 0.088;
/// Distance of pips from the middle of their face, relative to the side.
const OUT: f32 = 0.26;
/// Side of the shadow's plane, relative to the die's.
const SHADE: f32 = 4.0;
/// Opacity of the shadow.
const SHADOW: f32 = 0.62;
/// Duration of a roll, in ms of board time.
const ROLL_MS: u64 = 300;
/// The directions of the faces with one to six pips on an unrotated die. Opposite faces
/// add up to seven.
const FACES: [Vec3; 6] = [
    Vec3::Y,
    Vec3::Z,
    Vec3::X,
    Vec3::NEG_X,
    Vec3::NEG_Z,
    Vec3::NEG_Y,
];

/// A die on the table.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Die {
    /// The index of its place, from the back.
    pub slot: usize,
    /// The pips on the upper face.
    pub pips: u8,
}

/// Shows the dice next to the board.
pub struct DicePlugin;

impl Plugin for DicePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Cup>()
            .add_systems(Update, follow_dice.in_set(MotionSet::Lay));
    }
}

/// The shared model of dice, and the current dice by place.
#[derive(Resource, Default)]
struct Cup {
    made: Option<Model>,
    lie: Vec<Option<u8>>,
}

#[derive(Clone)]
struct Model {
    body: Handle<Mesh>,
    pips: Handle<Mesh>,
    ivory: Handle<StandardMaterial>,
    ink: Handle<StandardMaterial>,
    shade: Handle<Mesh>,
    dark: Handle<StandardMaterial>,
}

/// The dice by place when the board holds `held`, and whether they are newly
/// thrown.
fn next(lie: &[Option<u8>], held: &[u8]) -> (Vec<Option<u8>>, bool) {
    let mut left = held.to_vec();
    let mut kept: Vec<Option<u8>> = lie
        .iter()
        .map(|pips| {
            let place = left.iter().position(|other| Some(*other) == *pips)?;
            Some(left.swap_remove(place))
        })
        .collect();
    let were = lie.iter().flatten().count();
    if left.is_empty() && held.len() <= were {
        if held.is_empty() {
            kept.clear();
        }
        return (kept, false);
    }
    (held.iter().copied().map(Some).collect(), true)
}

/// The rotation of a die with `pips` up, turned by `around` about the vertical
/// axis.
fn lies(pips: u8, around: f32) -> Quat {
    let face = FACES[usize::from(pips.clamp(1, 6)) - 1];
    let up = if face == Vec3::NEG_Y {
        Quat::from_rotation_x(PI)
    } else {
        Quat::from_rotation_arc(face, Vec3::Y)
    };
    Quat::from_rotation_y(around) * up
}

/// The transform of a resting die, to the left of a case with this edge.
fn rest(edge: f32, slot: usize, pips: u8) -> Transform {
    // Slightly irregular, because dice are thrown and not set out in a row.
    let turns = [0.35, -0.55, 0.15, -0.2];
    let aside = [0.0, -0.12, 0.08, -0.05];
    let x = edge - BESIDE + aside[slot % 4];
    let z = FIRST_Z + APART * slot as f32;
    Transform::from_xyz(x, TABLE_Y + SIDE / 2.0, z)
        .with_rotation(lies(pips, turns[slot % 4]))
        .with_scale(Vec3::splat(SIDE))
}

/// What dice are made of.
#[derive(SystemParam)]
struct DieMaterials<'w> {
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<StandardMaterial>>,
    images: ResMut<'w, Assets<Image>>,
}

fn follow_dice(
    mut commands: Commands,
    mut made_of: DieMaterials,
    mut cup: ResMut<Cup>,
    shown: Res<Shown>,
    motion: MotionInputs,
    plan: Res<PointPlan>,
    old: Query<(Entity, &Die)>,
) {
    let MotionInputs {
        switches,
        flow,
        tempo,
    } = motion;
    let edge = plan.bounds().min.x;
    let pieces = shown.pieces.as_ref().filter(|_| switches.pieces);
    let held = pieces.map_or(&[][..], |pieces| &pieces.held);
    let held: Vec<u8> = held
        .iter()
        .filter_map(|held| match held {
            HeldPiece::Die(pips) => Some(*pips),
            HeldPiece::Stone(_) => None,
        })
        .collect();
    let (lie, are_thrown) = next(&cup.lie, &held);
    if lie == cup.lie && !are_thrown {
        return;
    }
    let model = cup.made.get_or_insert_with(|| model(&mut made_of)).clone();
    let goes = *flow == Continuity::Goes && !switches.is_changed();
    for (entity, die) in &old {
        let stays = !are_thrown && lie.get(die.slot).copied().flatten() == Some(die.pips);
        if stays {
            continue;
        }
        commands.entity(entity).try_despawn();
        if goes && !are_thrown {
            let at = rest(edge, die.slot, die.pips).translation;
            let path = MotionPath::Leave { at, sinks: 0.2 };
            let actor = actor(path, &tempo, COME_MS, None);
            spawn(&mut commands, &model, actor.place(tempo.now)).insert(actor);
        }
    }
    for (slot, pips) in lie.iter().enumerate().filter(|_| are_thrown) {
        if let Some(pips) = *pips {
            let roll = goes.then_some(&*tempo);
            place_die(&mut commands, &model, edge, Die { slot, pips }, roll);
        }
    }
    cup.lie = lie;
}

/// Lays a thrown die next to the board; with a tempo, it rolls to its place.
fn place_die(commands: &mut Commands, model: &Model, edge: f32, die: Die, roll: Option<&Tempo>) {
    let slot = die.slot;
    let rest = rest(edge, slot, die.pips);
    let shadow = commands.spawn(shadow(model, rest.rotation)).id();
    let die = spawn(commands, model, rest)
        .insert(die)
        .add_child(shadow)
        .id();
    if let Some(tempo) = roll {
        commands.entity(die).insert(Visibility::Hidden);
        let path = MotionPath::Roll {
            from: rest.translation + Vec3::new(-2.6, 1.1, 1.4 + 0.3 * slot as f32),
            to: rest.translation,
            lies: rest.rotation,
            spin: Vec3::new(5.5, 1.3 + slot as f32, -7.0),
        };
        let actor = actor(path, tempo, ROLL_MS, Some(die));
        spawn(commands, model, actor.place(tempo.now)).insert(actor);
    }
}

fn actor(path: MotionPath, tempo: &Tempo, ms: u64, hides: Option<Entity>) -> Actor {
    Actor {
        path,
        scale: SIDE,
        begins: tempo.now,
        lasts: tempo.lasts(ms),
        hides,
        becomes: None,
    }
}

fn spawn<'a>(commands: &'a mut Commands, model: &Model, place: Transform) -> EntityCommands<'a> {
    let mut die = commands.spawn((
        Name::new("die"),
        Mesh3d(model.body.clone()),
        MeshMaterial3d(model.ivory.clone()),
        Visibility::default(),
        place,
    ));
    die.with_child((
        Mesh3d(model.pips.clone()),
        MeshMaterial3d(model.ink.clone()),
    ));
    die
}

/// The shadow of a die with this rotation.
fn shadow(model: &Model, lies: Quat) -> impl Bundle {
    let up = lies.inverse();
    let place = Transform::from_translation(up * (Vec3::NEG_Y * 0.48)).with_rotation(up);
    (
        Name::new("shadow of a die"),
        NotShadowCaster,
        Mesh3d(model.shade.clone()),
        MeshMaterial3d(model.dark.clone()),
        place,
    )
}

/// The opacity of a die's shadow at a place, relative to its side.
fn shade(place: Vec2) -> f32 {
    const STEPS: u8 = 8;
    let by = -lights::KEY_AT.xz() / lights::KEY_AT.y;
    let kept = (0..=STEPS).map(|step| {
        let height = f32::from(step) / f32::from(STEPS);
        let soft = 0.10 + 0.30 * height;
        let away = (place - by * height).length() - 0.52;
        (0.5 - 0.5 * away / soft).clamp(0.0, 1.0)
    });
    SHADOW * kept.fold(0.0, f32::max)
}

fn model(made_of: &mut DieMaterials) -> Model {
    let DieMaterials {
        meshes,
        materials,
        images,
    } = made_of;
    let shade = texture::over(TextureFormat::Rgba8Unorm, |place| {
        [0.0, 0.0, 0.0, shade(place * SHADE / 2.0)]
    });
    let dark = materials.add(StandardMaterial {
        base_color: Color::BLACK,
        base_color_texture: Some(images.add(shade)),
        unlit: true,
        alpha_mode: AlphaMode::Blend,
        ..default()
    });
    let mut matter = |base_color| {
        materials.add(StandardMaterial {
            base_color,
            perceptual_roughness: 0.4,
            reflectance: 0.45,
            ..default()
        })
    };
    Model {
        ivory: matter(theme::IVORY),
        ink: matter(theme::GROOVE),
        body: meshes.add(body().mesh()),
        pips: meshes.add(all_pips().mesh()),
        shade: meshes.add(Shape::plate(SHADE, SHADE).mesh()),
        dark,
    }
}

/// A unit cube with rounded edges.
fn body() -> Shape {
    const ROUND: f32 = 0.13;
    let half = Shape::slab(Slab {
        size: Vec3::new(1.0, 0.5, 1.0),
        corner: ROUND,
        fillet: ROUND,
    });
    let mut cube = Shape::default();
    cube.add(&half, Transform::from_xyz(0.0, 0.5, 0.0));
    let below = Transform::from_xyz(0.0, -0.5, 0.0).with_rotation(Quat::from_rotation_x(PI));
    cube.add(&half, below);
    cube
}

/// The places of the pips on a face with `count` of them: from the middle, in
/// units of the distance to the outer ones.
pub(crate) fn pips(count: u8) -> Vec<Vec2> {
    let middle = [Vec2::ZERO].into_iter().filter(|_| count % 2 == 1);
    let pairs = [[-1.0, 1.0], [-1.0, -1.0], [-1.0, 0.0]].map(Vec2::from);
    let pairs = pairs.into_iter().take(usize::from(count / 2));
    middle.chain(pairs.flat_map(|pip| [pip, -pip])).collect()
}

/// The pips of all faces.
fn all_pips() -> Shape {
    let pip = Shape::turned(&[Vec2::new(PIP, 0.0), Vec2::ZERO], 12);
    let mut all = Shape::default();
    for (count, face) in (1..).zip(FACES) {
        let turn = if face == Vec3::NEG_Y {
            Quat::from_rotation_x(PI)
        } else {
            Quat::from_rotation_arc(Vec3::Y, face)
        };
        for at in pips(count) {
            let flat = Vec3::new(at.x * OUT, 0.503, at.y * OUT);
            let place = Transform::from_translation(turn * flat).with_rotation(turn);
            all.add(&pip, place);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the pips on the upper face of the mesh itself.
    fn up(turn: Quat) -> usize {
        let pip = Shape::turned(&[Vec2::new(PIP, 0.0), Vec2::ZERO], 12);
        let of_one = pip.triangles();
        let all = all_pips();
        let looks_up = all.corners().filter(|at| (turn * *at).y > 0.49).count();
        looks_up / (3 * of_one)
    }

    #[test]
    fn the_upper_face_of_a_die_shows_the_number_rolled() {
        for pips in 1..=6 {
            for step in 0..24_u8 {
                let around = f32::from(step) * PI / 12.0;
                assert_eq!(up(lies(pips, around)), usize::from(pips), "{pips} {around}");
            }
            for slot in 0..8 {
                let rest = rest(-5.0, slot, pips);
                assert_eq!(up(rest.rotation), usize::from(pips), "{pips} at {slot}");
            }
        }
    }

    #[test]
    fn opposite_faces_add_up_to_seven() {
        for (count, face) in (1_u8..).zip(FACES) {
            let other = FACES.iter().position(|other| *other == -face).unwrap();
            assert_eq!(usize::from(count) + other + 1, 7);
        }
    }

    #[test]
    fn played_dice_disappear_and_the_others_keep_their_places() {
        let lie = [Some(2), Some(3)];
        assert_eq!(next(&lie, &[3]), (vec![None, Some(3)], false));
        assert_eq!(next(&lie, &[2]), (vec![Some(2), None], false));
        assert_eq!(next(&lie, &[3, 2]), (lie.to_vec(), false));
        assert_eq!(next(&[None, Some(3)], &[]), (vec![], false));
    }

    #[test]
    fn other_numbers_mean_a_new_roll() {
        let lie = [Some(2), Some(3)];
        assert_eq!(next(&lie, &[4]), (vec![Some(4)], true));
        assert_eq!(next(&lie, &[2, 2]), (vec![Some(2), Some(2)], true));
        assert_eq!(next(&[], &[1, 1, 1, 1]), (vec![Some(1); 4], true));
        assert_eq!(next(&[None, Some(3)], &[3, 3]), (vec![Some(3); 2], true));
    }

    #[test]
    fn dice_overlap_neither_each_other_nor_the_case() {
        let places: Vec<Vec3> = (0..6).map(|slot| rest(-5.0, slot, 1).translation).collect();
        for pair in places.windows(2) {
            // In any rotation.
            assert!(pair[0].distance(pair[1]) > SIDE * 1.2);
        }
        let edge = -5.0 - SIDE * 0.71;
        assert!(places.iter().all(|place| place.x < edge));
        assert!(body().is_sound() && all_pips().is_sound());
    }

    #[test]
    fn a_face_has_the_right_number_of_distinct_pips() {
        for count in 1..=6 {
            let all = pips(count);
            assert_eq!(all.len(), usize::from(count));
            for (index, pip) in all.iter().enumerate() {
                assert!(!all[..index].contains(pip));
            }
        }
    }
}

//! The points as milky domes that glow, and the light that they throw on the case. The
//! two turn lights are larger domes.

use std::collections::BTreeMap;

use bevy::camera::visibility::RenderLayers;
use bevy::light::NotShadowCaster;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use protocol::{Colour, Frame, Point, Side, Tick};
use touchboard_host::case::{DISPLAY_Y, DOME, TURN_LIGHT, TURN_LIGHT_X};

use super::beat::Beat;
use super::case::FIELD_Y;
use super::paint::Paint;
use super::plan::PointPlan;
use super::press::Pressed;
use super::quality::NOT_PLAIN;
use super::shape::Shape;
use super::touch::{Solid, TurnLight};
use super::{CasePanelEntity, SceneSet};
use crate::source::Shown;

/// Height of a dome, relative to its radius.
const HEIGHT: f32 = 0.34;
/// Height of a dome above the field, relative to the pitch.
pub const TOP: f32 = DOME * HEIGHT;
/// The angle at which the wall of a dome becomes its curved top, in radians.
const WALL_TOP: f32 = 0.36;
/// Steps of the profile from there to the middle.
const STEPS: u8 = 10;
/// Reach of the light on the case, relative to the dome's radius.
const SPILL_REACH: f32 = 3.5;
/// Height above the field at which a dome's light on the case is drawn.
pub const SPILL_Y: f32 = 0.012;
/// Distance of the lamp as the highlights on domes show it: the smaller it is, the more
/// they differ from dome to dome.
const LAMP_AWAY: f32 = 17.0;
/// Side of the squares of the board whose domes share a mesh.
const SAME_LIGHT: f32 = 1.3;

/// The component of a dome: which light it is, and its current colour.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct LitDome {
    /// The light that the dome shows.
    pub light: BoardLight,
    /// The colour that it currently shows.
    pub colour: Colour,
}

/// A light of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardLight {
    /// The light of a point.
    Point(Point),
    /// The turn light of a side.
    Turn(Side),
}

impl BoardLight {
    /// The visible colour of this light in a frame at this tick.
    #[must_use]
    pub fn colour(self, frame: &Frame, tick: Tick) -> Colour {
        match self {
            BoardLight::Point(point) => frame.seen(point, tick),
            BoardLight::Turn(side) if frame.turn_seen(tick)[side.index()] => side.into(),
            BoardLight::Turn(_) => Colour::OFF,
        }
    }
}

/// The light that a dome throws on its surroundings.
#[derive(Component, Clone, Copy, Debug)]
pub struct Spill {
    dome: Entity,
    falls: Falls,
}

/// The surfaces that the light falls on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Falls {
    OnCase,
    OnNeighbours,
}

/// Points whose light does not shine through the piece on them, because the piece's shape
/// already identifies it. In Chess, six colours around the pieces would hide which side
/// each belongs to: the rim of a lit dome around such a piece has the colour of its side,
/// if there is one here. Without the pieces, each light has its own colour.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Hushed(pub BTreeMap<Point, Option<Side>>);

impl Hushed {
    /// The colour in which a light is drawn that shows this colour.
    fn drawn(&self, light: BoardLight, colour: Colour) -> Colour {
        let side = match light {
            BoardLight::Point(point) => self.0.get(&point).copied().flatten(),
            BoardLight::Turn(_) => None,
        };
        match side {
            Some(side) if colour != Colour::OFF => side.into(),
            _ => colour,
        }
    }
}

/// Marks entities that are removed when the layout changes.
#[derive(Component)]
struct OfLayout;

/// Builds the domes and lights them.
pub struct DomesPlugin;

impl Plugin for DomesPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hushed>()
            .add_systems(Startup, build_turn_lights)
            .add_systems(
                Update,
                build_points
                    .in_set(SceneSet::Build)
                    .run_if(resource_changed::<PointPlan>),
            )
            .add_systems(
                Update,
                light_up.in_set(SceneSet::Follow).run_if(
                    resource_changed::<Shown>
                        .or_else(resource_changed::<PointPlan>)
                        .or_else(resource_changed::<Hushed>)
                        .or_else(something_blinks),
                ),
            );
    }
}

fn build_turn_lights(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    paint: Res<Paint>,
    panel: Res<CasePanelEntity>,
) {
    let lens = Lens::new(TURN_LIGHT, &mut meshes);
    for (side, sign) in [(Side::Green, -1.0), (Side::Red, 1.0)] {
        let place = Vec3::new(sign * TURN_LIGHT_X, 0.0, DISPLAY_Y);
        let dome = meshes.add(lens.lit_at(place));
        let parts = lens.spawn(&mut commands, &paint, BoardLight::Turn(side), dome, place);
        for part in parts {
            commands.entity(part).insert(ChildOf(panel.0));
        }
        let around = Vec3::new(2.0 * TURN_LIGHT, 2.0 * lens.top, 2.0 * TURN_LIGHT);
        let solid = Solid::around(around);
        commands.entity(parts[0]).insert((TurnLight(side), solid));
    }
}

fn build_points(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    paint: Res<Paint>,
    plan: Res<PointPlan>,
    old: Query<Entity, With<OfLayout>>,
) {
    for entity in &old {
        commands.entity(entity).despawn();
    }
    let lens = Lens::new(DOME * plan.pitch(), &mut meshes);
    let mut domes: HashMap<IVec2, Handle<Mesh>> = HashMap::default();
    for point in plan.layout().iter() {
        let place = plan.place(point) + Vec3::Y * FIELD_Y;
        let cell = (place.xz() / SAME_LIGHT).round();
        let dome = domes.entry(cell.as_ivec2());
        let middle = (cell * SAME_LIGHT).extend(0.0).xzy();
        let dome = dome.or_insert_with(|| meshes.add(lens.lit_at(middle)));
        let dome = dome.clone();
        let parts = lens.spawn(&mut commands, &paint, BoardLight::Point(point), dome, place);
        for part in parts {
            commands.entity(part).insert(OfLayout);
        }
        commands.entity(parts[0]).insert(Pressed::dome(point));
    }
}

/// The profile of a dome of radius 1: a skirt that stays in the ring when the dome is
/// pressed, a straight wall, and a slightly flat top, as of moulded silicone.
///
/// Where a surface turns away from the camera, multisampling takes its normal from beyond
/// its edge. On a curve, such a normal may reflect the lamp and show a bright dot on a
/// dark dome. So the wall is slanted, and no side of it turns away from the seat.
fn dome() -> impl Iterator<Item = Vec2> {
    let curve = |angle: f32| {
        Vec2::new(
            angle.cos().max(0.0).powf(0.66),
            HEIGHT * (0.12 + 0.88 * angle.sin()),
        )
    };
    let [top, next] = [WALL_TOP, WALL_TOP + 0.01].map(curve);
    let along = next - top;
    // The wall continues the tangent of the curve down to the face of the board.
    let foot = top.x - along.x / along.y * top.y;
    let steps = (0..=STEPS).map(move |step| {
        let part = f32::from(step) / f32::from(STEPS);
        WALL_TOP + (std::f32::consts::FRAC_PI_2 - WALL_TOP) * part
    });
    let top = steps
        .map(curve)
        .map(move |place| Vec2::new(place.x / foot, place.y));
    // The edge of the wall is sharp: its normals are only those of the wall.
    let skirt = [(1.0, -0.4), (1.0, 0.0), (1.0, 0.0)];
    let skirt = skirt.map(|(reach, height)| Vec2::new(reach, height));
    skirt.into_iter().chain(top)
}

/// The height of a dome of radius 1 at this distance from its middle.
#[must_use]
pub fn height_at(reach: f32) -> f32 {
    let profile: Vec<Vec2> = dome().collect();
    let above = profile.windows(2).find(|ends| ends[1].x <= reach);
    above.map_or(HEIGHT, |ends| {
        let across = ends[0].x - ends[1].x;
        let part = if across > 0.0 {
            (ends[0].x - reach) / across
        } else {
            1.0
        };
        ends[0].y + (ends[1].y - ends[0].y) * part.clamp(0.0, 1.0)
    })
}

/// The meshes of a dome of one size.
struct Lens {
    dome: Shape,
    bezel: Handle<Mesh>,
    spill: Handle<Mesh>,
    /// The height above the case at which neighbours catch its light.
    top: f32,
}

impl Lens {
    fn new(radius: f32, meshes: &mut Assets<Mesh>) -> Lens {
        let profile = dome().map(|place| place * radius);
        let profile: Vec<Vec2> = profile.collect();
        let bezel = [
            (1.20, -0.05),
            (1.19, 0.012),
            (1.16, 0.024),
            (1.02, 0.024),
            (1.0, 0.014),
            // Under the dome, so that the field is not visible in the gap around it.
            (0.70, 0.010),
        ]
        .map(|(reach, height)| Vec2::new(reach * radius, height * radius));
        let spill = 2.0 * SPILL_REACH * radius;
        Lens {
            dome: Shape::turned(&profile, 40),
            bezel: meshes.add(Shape::turned(&bezel, 40).mesh()),
            spill: meshes.add(Shape::plate(spill, spill).mesh()),
            top: radius * HEIGHT,
        }
    }

    /// The mesh of a dome at `place`, whose normals lean outwards as if the lamp
    /// were near.
    fn lit_at(&self, place: Vec3) -> Mesh {
        let lean = place.xz() / (2.0 * LAMP_AWAY);
        self.dome.clone().facing(lean.extend(0.0).xzy()).mesh()
    }

    fn spawn(
        &self,
        commands: &mut Commands,
        paint: &Paint,
        light: BoardLight,
        dome: Handle<Mesh>,
        place: Vec3,
    ) -> [Entity; 4] {
        let dome = commands
            .spawn((
                LitDome {
                    light,
                    colour: Colour::OFF,
                },
                Mesh3d(dome),
                MeshMaterial3d(paint.dome[0].clone()),
                Transform::from_translation(place),
            ))
            .id();
        let bezel = commands
            .spawn((
                NotShadowCaster,
                Mesh3d(self.bezel.clone()),
                MeshMaterial3d(paint.bezel.clone()),
                Transform::from_translation(place),
            ))
            .id();
        let mut glow = |falls: Falls, material: &Handle<StandardMaterial>, y: f32| {
            let seen = match falls {
                Falls::OnCase => RenderLayers::default(),
                Falls::OnNeighbours => RenderLayers::layer(NOT_PLAIN),
            };
            let spill = (
                Spill { dome, falls },
                seen,
                NotShadowCaster,
                Mesh3d(self.spill.clone()),
                MeshMaterial3d(material.clone()),
                Transform::from_translation(place + Vec3::Y * y),
                Visibility::Hidden,
            );
            commands.spawn(spill).id()
        };
        let spill = glow(Falls::OnCase, &paint.spill[0], SPILL_Y);
        let veil = glow(Falls::OnNeighbours, &paint.veil[0], self.top);
        [dome, bezel, spill, veil]
    }
}

/// True while a light of the frame blinks.
fn something_blinks(shown: Res<Shown>, beat: Res<Beat>) -> bool {
    shown.frame.changes_in_ms(beat.tick).is_some()
}

/// Gives each light whose colour changed the material of its colour. Others are not
/// touched.
fn light_up(
    shown: Res<Shown>,
    beat: Res<Beat>,
    paint: Res<Paint>,
    hushed: Res<Hushed>,
    mut domes: Query<(&mut LitDome, &mut MeshMaterial3d<StandardMaterial>), Without<Spill>>,
    mut spills: Query<(
        &Spill,
        &mut MeshMaterial3d<StandardMaterial>,
        &mut Visibility,
    )>,
) {
    let mut changed = hushed.is_changed();
    for (mut dome, mut material) in &mut domes {
        let colour = dome.light.colour(&shown.frame, beat.tick);
        if dome.colour != colour {
            dome.colour = colour;
            changed = true;
        }
        let drawn = hushed.drawn(dome.light, colour);
        let wanted = &paint.dome[usize::from(drawn.index())];
        if material.0 != *wanted {
            material.0 = wanted.clone();
        }
    }
    if !changed {
        return;
    }
    for (spill, mut material, mut visibility) in &mut spills {
        let Ok((dome, _)) = domes.get(spill.dome) else {
            continue;
        };
        let lights = match spill.falls {
            Falls::OnCase => &paint.spill,
            Falls::OnNeighbours => &paint.veil,
        };
        let light = &lights[usize::from(dome.colour.index())];
        if material.0 != *light {
            material.0 = light.clone();
        }
        let is_hushed =
            matches!(dome.light, BoardLight::Point(point) if hushed.0.contains_key(&point));
        visibility.set_if_neq(match dome.colour {
            Colour::OFF => Visibility::Hidden,
            _ if is_hushed => Visibility::Hidden,
            _ => Visibility::Inherited,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest angle above the table at which the seat sees a dome, in radians: that
    /// of the farthest row.
    const LOW_EYE: f32 = 0.75;
    /// The largest sideways angle at which the seat sees a dome, in radians.
    const ASIDE: f32 = 0.25;

    #[test]
    fn both_sides_of_a_dome_face_the_player() {
        let profile: Vec<Vec2> = dome().collect();
        let edges = || profile.windows(2).filter(|ends| ends[1].y > 0.0);
        assert!(edges().count() > usize::from(STEPS));
        for side in [-1.0, 1.0] {
            let eye = Vec3::new(-side * ASIDE, LOW_EYE.sin(), LOW_EYE.cos());
            let faces = |ends: &[Vec2]| {
                let along = ends[1] - ends[0];
                let normal = Vec3::new(side * along.y, -along.x, 0.0);
                normal.dot(eye) > 0.0
            };
            assert!(edges().all(faces));
        }
    }

    #[test]
    fn the_height_over_a_dome_falls_towards_its_rim() {
        let heights = (0..=20_u8).map(|step| height_at(f32::from(step) / 20.0));
        let heights: Vec<f32> = heights.collect();
        assert!((heights[0] - HEIGHT).abs() < 1e-3);
        assert!(
            heights.windows(2).all(|pair| pair[0] >= pair[1]),
            "{heights:?}"
        );
    }

    #[test]
    fn a_dome_rises_inwards_from_its_rim_to_its_height() {
        let profile: Vec<Vec2> = dome().skip(1).collect();
        let rises = |ends: &[Vec2]| ends[0].y <= ends[1].y && ends[0].x >= ends[1].x;
        assert!(profile.windows(2).all(rises));
        assert!((profile[0].x - 1.0).abs() < 1e-6);
        assert!((profile.last().unwrap().y - HEIGHT).abs() < 1e-6);
    }
}

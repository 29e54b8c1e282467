//! The seven push buttons, with their names on the caps.
//!
//! While a game can be started, the cap of Start has a frame. The waiting board is dark,
//! so the frame shows a new user what to press. It belongs to the window, like the marks
//! around the points, and is not a light.

use std::f32::consts::FRAC_PI_2;

use bevy::light::NotShadowCaster;
use bevy::prelude::*;
use protocol::Button;
use touchboard_host::case::{BUTTON_CAP, BUTTONS_Y, button_x};
use touchboard_host::standing::phase;

use super::case::PRINT_LIFT;
use super::lettering;
use super::paint::Paint;
use super::press::Pressed;
use super::shape::{Shape, Slab};
pub use super::touch::PushButton;
use super::touch::Solid;
use super::{CasePanelEntity, SceneSet};
use crate::source::{Shown, places};
use crate::theme;

/// Width, height above the case, and depth of a cap.
const CAP: Vec3 = Vec3::new(BUTTON_CAP.x, 0.13, BUTTON_CAP.y);
/// Length of the part of a cap that is inside the case.
const SKIRT: f32 = 0.2;
/// Height of the capital letters on a cap.
const LETTER: f32 = 0.190;

/// Distance of the frame from the edge of the Start cap, and its width.
const FRAME: [f32; 2] = [0.035, 0.035];
/// Radius of the corners of a cap.
const CORNER: f32 = 0.13;

/// The frame around the Start button.
#[derive(Component, Clone, Copy, Debug)]
pub struct StartFrame;

/// Builds the buttons of the panel.
pub struct ButtonsPlugin;

impl Plugin for ButtonsPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, (build, frame_start).chain())
            .add_systems(
                Update,
                show_frame
                    .in_set(SceneSet::Follow)
                    .run_if(resource_changed::<Shown>),
            );
    }
}

fn build(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    paint: Res<Paint>,
    panel: Res<CasePanelEntity>,
) {
    let cap = Shape::slab(Slab {
        size: CAP + Vec3::Y * SKIRT,
        corner: CORNER,
        fillet: 0.055,
    });
    let cap = meshes.add(cap.mesh());
    let well = Shape::slab(Slab {
        size: Vec3::new(CAP.x + 0.07, 0.1, CAP.z + 0.07),
        corner: CORNER + 0.03,
        fillet: 0.004,
    });
    let well = meshes.add(well.mesh());
    for button in Button::ALL {
        let place = Vec3::new(button_x(button), 0.0, BUTTONS_Y);
        commands.spawn((
            ChildOf(panel.0),
            Mesh3d(well.clone()),
            MeshMaterial3d(paint.groove.clone()),
            Transform::from_translation(place + Vec3::Y * 0.002),
        ));
        let name = lettering::words(&button.name().to_uppercase(), LETTER);
        let (material, ink) = match button {
            Button::Start => (paint.cap_start.clone(), paint.print_pale.clone()),
            _ => (paint.cap.clone(), paint.print_cap.clone()),
        };
        commands
            .spawn((
                Name::new(button.name()),
                ChildOf(panel.0),
                PushButton(button),
                Pressed::button(button),
                Solid::below(CAP + Vec3::Y * SKIRT),
                Mesh3d(cap.clone()),
                MeshMaterial3d(material),
                Transform::from_translation(place + Vec3::Y * CAP.y),
            ))
            .with_child((
                Mesh3d(meshes.add(name.mesh())),
                MeshMaterial3d(ink),
                Transform::from_xyz(0.0, PRINT_LIFT, 0.0),
            ));
    }
}

/// Builds a flat frame, `width` wide, at the distance `away` from the edge of a rounded
/// rectangle.
fn frame(size: Vec2, corner: f32, [away, width]: [f32; 2]) -> Shape {
    const STEPS: u16 = 6;
    let half = size / 2.0 - Vec2::splat(corner);
    let signs = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    let corners = (0_u8..).zip(signs);
    let points: Vec<Vec2> = corners
        .flat_map(|(quarter, (x, y))| {
            let middle = half * Vec2::new(x, y);
            (0..=STEPS).flat_map(move |step| {
                let part = f32::from(quarter) + f32::from(step) / f32::from(STEPS);
                let out = Vec2::from_angle(FRAC_PI_2 * part);
                [away, away + width].map(|inwards| middle + out * (corner - inwards))
            })
        })
        .collect();
    let count = points.len() as u32;
    let indices: Vec<u32> = (0..count)
        .step_by(2)
        .flat_map(|at| [at, at + 1, at + 2, at + 2, at + 1, at + 3])
        .map(|index| index % count)
        .collect();
    Shape::flat(&points, &indices)
}

fn frame_start(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    caps: Query<(Entity, &PushButton)>,
) {
    let ink = StandardMaterial {
        base_color: theme::START_FRAME,
        unlit: true,
        ..default()
    };
    let Some((cap, _)) = caps.iter().find(|(_, button)| button.0 == Button::Start) else {
        return;
    };
    commands.spawn((
        Name::new("frame of Start"),
        StartFrame,
        ChildOf(cap),
        NotShadowCaster,
        Mesh3d(meshes.add(frame(CAP.xz(), CORNER, FRAME).mesh())),
        MeshMaterial3d(materials.add(ink)),
        Visibility::default(),
        Transform::from_xyz(0.0, PRINT_LIFT, 0.0),
    ));
}

fn show_frame(shown: Res<Shown>, mut frames: Query<&mut Visibility, With<StartFrame>>) {
    let is_on = phase(&shown.status).is_on();
    let settings = shown.status.settings;
    let begins = places::has_room(shown.layout, settings.game, settings.mode);
    for mut frame in &mut frames {
        frame.set_if_neq(match is_on || !begins || !shown.link.answers() {
            true => Visibility::Hidden,
            false => Visibility::Inherited,
        });
    }
}

//! The seven push buttons, with their names on the caps.

use bevy::prelude::*;
use protocol::Button;
use touchboard_host::case::{BUTTON_CAP, BUTTONS_Y, button_x};

use super::ConsolePlace;
use super::case::PRINT_LIFT;
use super::lettering;
use super::paint::Paint;
use super::press::Pressed;
use super::shape::{Shape, Slab};
pub use super::touch::PushButton;
use super::touch::Solid;

/// Width, height over the case, and depth of a cap.
const CAP: Vec3 = Vec3::new(BUTTON_CAP.x, 0.17, BUTTON_CAP.y);
/// How far the caps reach into the case.
const SKIRT: f32 = 0.2;
/// Height of the capital letters on a cap.
const LETTER: f32 = 0.19;

/// Builds the buttons.
pub struct ButtonsPlugin;

impl Plugin for ButtonsPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, build);
    }
}

fn build(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    paint: Res<Paint>,
    console: Res<ConsolePlace>,
) {
    let cap = Shape::slab(Slab {
        size: CAP + Vec3::Y * SKIRT,
        corner: 0.16,
        fillet: 0.055,
    });
    let cap = meshes.add(cap.mesh());
    let well = Shape::slab(Slab {
        size: Vec3::new(CAP.x + 0.07, 0.1, CAP.z + 0.07),
        corner: 0.19,
        fillet: 0.004,
    });
    let well = meshes.add(well.mesh());
    for button in Button::ALL {
        let place = Vec3::new(button_x(button), 0.0, BUTTONS_Y);
        commands.spawn((
            ChildOf(console.0),
            Mesh3d(well.clone()),
            MeshMaterial3d(paint.groove.clone()),
            Transform::from_translation(place + Vec3::Y * 0.002),
        ));
        let name = lettering::words(&button.name().to_uppercase(), LETTER);
        let material = match button {
            Button::Start => paint.cap_start.clone(),
            _ => paint.cap.clone(),
        };
        commands
            .spawn((
                Name::new(button.name()),
                ChildOf(console.0),
                PushButton(button),
                Pressed::button(button),
                Solid::below(CAP + Vec3::Y * SKIRT),
                Mesh3d(cap.clone()),
                MeshMaterial3d(material),
                Transform::from_translation(place + Vec3::Y * CAP.y),
            ))
            .with_child((
                Mesh3d(meshes.add(name.mesh())),
                MeshMaterial3d(paint.print_cap.clone()),
                Transform::from_xyz(0.0, PRINT_LIFT, 0.0),
            ));
    }
}

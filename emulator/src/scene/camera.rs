//! The eye: it starts where a player sits, can be moved around the board with
//! the right mouse button and the wheel, and goes to the view from above and
//! back with one key.

use bevy::camera::{CameraOutputMode, Hdr, RenderTarget, Viewport, visibility::RenderLayers};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::picking::mesh_picking::ray_cast::RayCastVisibility;
use bevy::picking::mesh_picking::{MeshPickingCamera, MeshPickingSettings};
use bevy::post_process::bloom::Bloom;
use bevy::prelude::*;
use bevy::render::render_resource::BlendState;
use bevy_egui::{EguiGlobalSettings, PrimaryEguiContext};
use bevy_panorbit_camera::{PanOrbitCamera, PanOrbitCameraPlugin};

use super::keyboard::board_has_keyboard;
use super::lights;
use super::plan::CASE_MIDDLE;
use crate::theme;

/// The key that changes between the player's seat and the view from above.
pub const VIEW_KEY: KeyCode = KeyCode::KeyV;

/// Where the board is looked at from the seat: a little in front of its middle,
/// since what is near looks larger.
const SEAT_FOCUS: Vec3 = Vec3::new(0.0, -0.2, CASE_MIDDLE.z + 0.55);
/// Where it is looked at from above.
const TOP_FOCUS: Vec3 = CASE_MIDDLE;
/// How far from there the eye is, so that the whole board is in view.
const SEAT_DISTANCE: f32 = 31.5;
/// The same from above, where the board is not foreshortened.
const TOP_DISTANCE: f32 = 36.0;
/// Width by height of a picture that the board just fits; in a narrower one the
/// eye goes back.
const BOARD_ASPECT: f32 = 1.08;
/// The player's seat: how far the eye is over the table, in radians.
const SEAT_PITCH: f32 = 0.98;
/// From above, but not so far that left and right get lost.
const TOP_PITCH: f32 = std::f32::consts::FRAC_PI_2;
/// Field of view, up and down: a longish lens, as for a picture of a product.
const LENS: f32 = 0.40;

/// Where the picture goes; the window when there is none.
#[derive(Resource, Clone, Debug, Default)]
pub struct Canvas(pub Option<Handle<Image>>);

/// The part of the canvas that the panels leave to the scene, in physical
/// pixels; all of it when `None`.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct SceneRect(pub Option<URect>);

/// The camera that sees the board.
#[derive(Component)]
pub struct SceneCamera;

/// From where the board is seen.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// From the player's seat.
    #[default]
    Seat,
    /// From above.
    Top,
}

/// Where the eye is.
struct Stance {
    /// What it looks at.
    focus: Vec3,
    /// How far from there it is.
    distance: f32,
    /// How far over the table it is, in radians.
    pitch: f32,
}

impl View {
    fn stance(self) -> Stance {
        match self {
            View::Seat => Stance {
                focus: SEAT_FOCUS,
                distance: SEAT_DISTANCE,
                pitch: SEAT_PITCH,
            },
            View::Top => Stance {
                focus: TOP_FOCUS,
                distance: TOP_DISTANCE,
                pitch: TOP_PITCH,
            },
        }
    }
}

/// When the cameras are put up, at the start.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub struct EyeSet;

/// Puts up the cameras.
pub struct EyePlugin;

impl Plugin for EyePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PanOrbitCameraPlugin)
            .init_resource::<Canvas>()
            .init_resource::<SceneRect>()
            .init_resource::<View>()
            .insert_resource(ClearColor(theme::BACKDROP))
            .insert_resource(MeshPickingSettings {
                require_markers: true,
                ray_cast_visibility: RayCastVisibility::Any,
            })
            .add_systems(PreStartup, keep_egui_to_its_camera)
            .add_systems(Startup, put_up.in_set(EyeSet))
            .add_systems(
                Update,
                (
                    change_view.run_if(board_has_keyboard),
                    go_to_view.run_if(resource_changed::<View>),
                    leave_room_for_panels.run_if(resource_changed::<SceneRect>),
                )
                    .chain(),
            );
    }
}

fn keep_egui_to_its_camera(settings: Option<ResMut<EguiGlobalSettings>>) {
    if let Some(mut settings) = settings {
        settings.auto_create_primary_context = false;
    }
}

fn put_up(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    canvas: Res<Canvas>,
    view: Res<View>,
) {
    let stance = view.stance();
    let target = match &canvas.0 {
        Some(image) => RenderTarget::Image(image.clone().into()),
        None => RenderTarget::default(),
    };
    commands.spawn((
        Name::new("eye"),
        SceneCamera,
        MeshPickingCamera,
        Camera3d::default(),
        target.clone(),
        Hdr,
        Msaa::Sample4,
        Tonemapping::AcesFitted,
        Projection::Perspective(PerspectiveProjection {
            fov: LENS,
            near: 0.5,
            far: 120.0,
            ..default()
        }),
        Bloom {
            intensity: 0.22,
            ..Bloom::NATURAL
        },
        lights::studio(&mut images),
        PanOrbitCamera {
            focus: stance.focus,
            target_focus: stance.focus,
            radius: Some(stance.distance),
            yaw: Some(0.0),
            pitch: Some(stance.pitch),
            pitch_lower_limit: Some(0.12),
            pitch_upper_limit: Some(TOP_PITCH),
            zoom_lower_limit: 9.0,
            zoom_upper_limit: Some(90.0),
            button_orbit: MouseButton::Right,
            button_pan: MouseButton::Middle,
            orbit_smoothness: 0.6,
            ..default()
        },
    ));
    // The panels have a camera of their own, so that the scene can have a part
    // of the window and the panels all of it.
    commands.spawn((
        Name::new("panels"),
        PrimaryEguiContext,
        Camera2d,
        target,
        RenderLayers::none(),
        Camera {
            order: 1,
            output_mode: CameraOutputMode::Write {
                blend_state: Some(BlendState::ALPHA_BLENDING),
                clear_color: ClearColorConfig::None,
            },
            clear_color: ClearColorConfig::Custom(Color::NONE),
            ..default()
        },
    ));
}

fn change_view(keys: Res<ButtonInput<KeyCode>>, mut view: ResMut<View>) {
    if keys.just_pressed(VIEW_KEY) {
        *view = match *view {
            View::Seat => View::Top,
            View::Top => View::Seat,
        };
    }
}

impl SceneRect {
    /// How much farther away the eye has to be for the whole board to be in
    /// view: 1, and more in a narrow picture.
    fn step_back(&self) -> f32 {
        let aspect = |rect: URect| rect.width() as f32 / rect.height().max(1) as f32;
        let aspect = self.0.map_or(BOARD_ASPECT, aspect).max(0.1);
        (BOARD_ASPECT / aspect).max(1.0)
    }
}

fn go_to_view(
    view: Res<View>,
    rect: Res<SceneRect>,
    mut cameras: Query<&mut PanOrbitCamera, With<SceneCamera>>,
) {
    let stance = view.stance();
    for mut camera in &mut cameras {
        camera.target_focus = stance.focus;
        camera.target_radius = stance.distance * rect.step_back();
        camera.target_yaw = 0.0;
        camera.target_pitch = stance.pitch;
        camera.force_update = true;
    }
}

fn leave_room_for_panels(
    rect: Res<SceneRect>,
    mut cameras: Query<(&mut Camera, &mut PanOrbitCamera), With<SceneCamera>>,
    mut step_back: Local<Option<f32>>,
) {
    let now = rect.step_back();
    let first = rect.0.is_some() && step_back.is_none();
    let before = step_back.unwrap_or(1.0);
    *step_back = rect.0.map(|_| now);
    for (mut camera, mut orbit) in &mut cameras {
        if now != before {
            orbit.target_radius *= now / before;
            if first {
                orbit.radius = Some(orbit.target_radius);
            }
            orbit.force_update = true;
        }
        camera.viewport = rect.0.map(|rect| Viewport {
            physical_position: rect.min,
            physical_size: rect.size(),
            ..default()
        });
    }
}

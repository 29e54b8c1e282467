//! The camera. It starts at the player's seat, orbits the board with the right mouse
//! button and the wheel, and switches to the view from above and back with one key.
//!
//! Invariants: until the user moves the camera by hand, the whole board is centred in the
//! part of the window that the panels leave free, whatever the size of its case.
//! Afterwards the camera keeps its angle and its relative distance until the board gets
//! another case.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{CameraOutputMode, Hdr, RenderTarget, Viewport};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::input::mouse::MouseMotion;
use bevy::prelude::*;
use bevy::render::camera::MipBias;
use bevy::render::render_resource::BlendState;
use bevy::window::CursorMoved;
use bevy_egui::{EguiGlobalSettings, EguiPostUpdateSet, PrimaryEguiContext};
use bevy_panorbit_camera::{PanOrbitCamera, PanOrbitCameraPlugin, PanOrbitCameraSystemSet};

use super::fit::{self, Stance};
use super::lights;
use super::plan::PointPlan;
use crate::keys::{Meaning, Stroke};
use crate::theme;

/// Pitch of the camera at the player's seat, in radians above the table.
const SEAT_PITCH: f32 = 0.98;
/// Pitch of the view from above: straight down.
const TOP_PITCH: f32 = std::f32::consts::FRAC_PI_2;
/// Vertical field of view, in radians: a long lens, as in product photography.
const LENS: f32 = 0.30;
/// Aspect ratio (width by height) that is assumed before the scene has a size.
const FIRST_ASPECT: f32 = 1.44;
/// The smallest and largest distance, relative to the one at which the whole board is in
/// view.
const NEAREST: f32 = 0.28;
const FARTHEST: f32 = 2.5;

/// Mip bias of textures, as a power of two. It is negative, so that lettering stays crisp
/// in small windows; edges are smoothed afterwards.
const CRISP: f32 = -0.7;

/// The image to draw on; `None` for the window.
#[derive(Resource, Clone, Debug, Default)]
pub struct PictureTarget(pub Option<Handle<Image>>);

/// The part of the canvas that the panels leave to the scene, in physical pixels; `None`
/// for all of it.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct SceneRect(pub Option<URect>);

/// Marks the camera of the scene. The panels have another.
#[derive(Component)]
pub struct SceneCamera;

/// The place from which the board is seen.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Viewpoint {
    /// The view from the player's seat.
    #[default]
    Seat,
    /// The view from above.
    Top,
}

impl Viewpoint {
    /// The stance from which the whole case is visible in a picture of this
    /// aspect ratio.
    fn stance(self, case: Rect, aspect: f32) -> Stance {
        let pitch = match self {
            Viewpoint::Seat => SEAT_PITCH,
            Viewpoint::Top => TOP_PITCH,
        };
        fit::whole_board(case, 0.0, pitch, LENS, aspect)
    }
}

/// The part of the window that mouse actions go to.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mouse {
    /// The board.
    #[default]
    Board,
    /// The workbench: the mouse is over a panel, or over an open drawer or list.
    Workbench,
}

/// The systems that create the cameras at startup.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub struct EyeSet;

/// Creates the cameras and moves them.
pub struct EyePlugin;

impl Plugin for EyePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(PanOrbitCameraPlugin)
            .init_resource::<PictureTarget>()
            .init_resource::<SceneRect>()
            .init_resource::<Viewpoint>()
            .init_resource::<Mouse>()
            .add_message::<Stroke>()
            .add_message::<CursorMoved>()
            .add_message::<MouseMotion>()
            .insert_resource(ClearColor(theme::BACKDROP))
            .add_systems(PreStartup, keep_egui_to_its_camera)
            .add_systems(Startup, put_up.in_set(EyeSet))
            .add_systems(
                Update,
                (
                    change_view,
                    go_to_view.run_if(resource_changed::<Viewpoint>),
                )
                    .chain(),
            )
            .add_systems(
                PostUpdate,
                (
                    // In the same picture in which the panels change: otherwise a part
                    // that neither covers would be black for one picture.
                    leave_room_for_panels.run_if(
                        resource_changed::<SceneRect>.or_else(resource_changed::<PointPlan>),
                    ),
                    mind_the_mouse,
                    move_mouse_with_pointer,
                )
                    .chain()
                    .after(EguiPostUpdateSet::EndPass)
                    .before(PanOrbitCameraSystemSet),
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
    canvas: Res<PictureTarget>,
    view: Res<Viewpoint>,
    plan: Res<PointPlan>,
) {
    let stance = view.stance(plan.bounds(), FIRST_ASPECT);
    let target = match &canvas.0 {
        Some(image) => RenderTarget::Image(image.clone().into()),
        None => RenderTarget::default(),
    };
    commands.spawn((
        Name::new("eye"),
        SceneCamera,
        Camera3d::default(),
        target.clone(),
        Hdr,
        Tonemapping::KhronosPbrNeutral,
        MipBias(CRISP),
        Projection::Perspective(PerspectiveProjection {
            fov: LENS,
            near: 0.5,
            far: 120.0,
            ..default()
        }),
        lights::studio(&mut images),
        orbit(&stance),
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

/// The control of a camera that begins at this stance.
fn orbit(stance: &Stance) -> PanOrbitCamera {
    PanOrbitCamera {
        focus: stance.focus,
        target_focus: stance.focus,
        radius: Some(stance.distance),
        yaw: Some(0.0),
        pitch: Some(stance.pitch),
        pitch_lower_limit: Some(0.12),
        pitch_upper_limit: Some(TOP_PITCH),
        zoom_lower_limit: stance.distance * NEAREST,
        zoom_upper_limit: Some(stance.distance * FARTHEST),
        button_orbit: MouseButton::Right,
        button_pan: MouseButton::Middle,
        orbit_smoothness: 0.6,
        ..default()
    }
}

fn change_view(mut strokes: MessageReader<Stroke>, mut view: ResMut<Viewpoint>) {
    for _ in strokes.read().filter(|stroke| stroke.begins(Meaning::View)) {
        *view = match *view {
            Viewpoint::Seat => Viewpoint::Top,
            Viewpoint::Top => Viewpoint::Seat,
        };
    }
}

impl SceneRect {
    /// The ratio of width to height.
    fn aspect(&self) -> f32 {
        let aspect = |rect: URect| rect.width() as f32 / rect.height().max(1) as f32;
        self.0.map_or(FIRST_ASPECT, aspect).clamp(0.1, 10.0)
    }
}

fn go_to_view(
    view: Res<Viewpoint>,
    rect: Res<SceneRect>,
    plan: Res<PointPlan>,
    mut cameras: Query<&mut PanOrbitCamera, With<SceneCamera>>,
) {
    let stance = view.stance(plan.bounds(), rect.aspect());
    for mut camera in &mut cameras {
        camera.target_focus = stance.focus;
        camera.target_radius = stance.distance;
        camera.target_yaw = stance.yaw;
        camera.target_pitch = stance.pitch;
        camera.force_update = true;
    }
}

fn leave_room_for_panels(
    rect: Res<SceneRect>,
    view: Res<Viewpoint>,
    plan: Res<PointPlan>,
    mut cameras: Query<(&mut Camera, &mut PanOrbitCamera), With<SceneCamera>>,
    mut last: Local<Option<(Rect, f32)>>,
) {
    let now = (plan.bounds(), rect.aspect());
    let before = last.replace(now).unwrap_or((now.0, FIRST_ASPECT));
    for (mut camera, mut orbit) in &mut cameras {
        camera.viewport = rect.0.map(|rect| Viewport {
            physical_position: rect.min,
            physical_size: rect.size(),
            ..default()
        });
        let stance = view.stance(now.0, now.1);
        orbit.zoom_lower_limit = stance.distance * NEAREST;
        orbit.zoom_upper_limit = Some(stance.distance * FARTHEST);
        if !orbit.initialized {
            (orbit.focus, orbit.radius) = (stance.focus, Some(stance.distance));
        }
        if now == before || !orbit.initialized {
            continue;
        }
        // Another case is shown completely.
        if now.0 != before.0 {
            orbit.target_focus = stance.focus;
            orbit.target_radius = stance.distance;
            orbit.target_yaw = stance.yaw;
            orbit.target_pitch = stance.pitch;
            orbit.force_update = true;
            continue;
        }
        let (yaw, pitch) = (orbit.target_yaw, orbit.target_pitch);
        let whole = |(case, aspect)| fit::whole_board(case, yaw, pitch, LENS, aspect);
        let (was, is) = (whole(before), whole(now));
        orbit.target_radius *= is.distance / was.distance;
        orbit.target_focus += is.focus - was.focus;
        // Without smoothing, because panels and case change at once, too.
        orbit.radius = Some(orbit.target_radius);
        orbit.focus = orbit.target_focus;
        orbit.force_update = true;
    }
}

/// Disables the camera's controls while the mouse is over the workbench. A drag that
/// began over the board continues wherever the mouse goes.
fn mind_the_mouse(
    mouse: Res<Mouse>,
    buttons: Option<Res<ButtonInput<MouseButton>>>,
    mut cameras: Query<&mut PanOrbitCamera, With<SceneCamera>>,
) {
    for mut camera in &mut cameras {
        let drags = [camera.button_orbit, camera.button_pan];
        let goes_on = buttons
            .as_ref()
            .is_some_and(|buttons| buttons.any_pressed(drags) && !buttons.any_just_pressed(drags));
        let enabled = match goes_on {
            true => camera.enabled,
            false => *mouse == Mouse::Board,
        };
        if camera.enabled != enabled {
            camera.enabled = enabled;
        }
    }
}

/// Converts pointer motion to mouse motion, which is all that the orbit camera reads.
/// Pens, touch screens and remote desktops only report the former.
fn move_mouse_with_pointer(
    mut pointer: MessageReader<CursorMoved>,
    mut motion: ParamSet<(MessageReader<MouseMotion>, MessageWriter<MouseMotion>)>,
) {
    let moved: Vec2 = pointer.read().filter_map(|moved| moved.delta).sum();
    let is_mouse = motion.p0().read().count() > 0;
    if !is_mouse && moved != Vec2::ZERO {
        motion.p1().write(MouseMotion { delta: moved });
        // Skip the message just written.
        motion.p0().clear();
    }
}

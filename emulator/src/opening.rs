//! The opening of the window, until the first picture of the scene, when the board's
//! time begins.
//!
//! A processor that does a graphics card's work takes up to a minute for the first
//! picture, because it compiles every shader for it. So the window opens with words
//! that say so, which need one small shader; then the scene is drawn behind a veil
//! until it is complete; then the veil is removed and the board's time begins. A
//! picture or film for a file is not urgent and has no opening.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bevy::camera::CameraOutputMode;
use bevy::prelude::*;
use bevy::render::render_resource::{BlendState, CachedPipelineState, PipelineCache};
use bevy::render::renderer::RenderAdapterInfo;
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::window::{Monitor, PrimaryWindow};
use bevy_egui::egui::{self, Align2, Color32, FontId, Order as Layer};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, PrimaryEguiContext};
use wgpu_types::DeviceType;

use crate::scene::camera::{EyeSet, SceneCamera, SceneRect};
use crate::source::Curtain;
use crate::theme;

/// Pictures without a shader that is missing, after which what is drawn is on
/// the screen: the renderer is two behind at most.
const QUIET: u32 = 3;

/// The longest opening: whatever is missing then, the board is to be played.
const LONGEST: Duration = Duration::from_secs(120);

/// The sentence that the window shows meanwhile.
const TITLE: &str = "touchboard is preparing the picture";
/// The message while a processor draws.
const PATIENCE: &str = "The processor draws here: the first picture takes up to a minute.";

/// The work of the renderer so far.
#[derive(Resource, Clone, Default)]
struct Work(Arc<Counts>);

#[derive(Default)]
struct Counts {
    /// The number of pictures drawn.
    pictures: AtomicU32,
    /// How many of the last pictures missed no shader.
    quiet: AtomicU32,
    /// Shaders that are asked for.
    shaders: AtomicU32,
    /// The number of shaders that are compiled.
    compiled: AtomicU32,
}

impl Work {
    fn pictures(&self) -> u32 {
        self.0.pictures.load(Ordering::Relaxed)
    }

    /// True if all that is asked for since that picture is on the screen.
    fn is_done_since(&self, picture: u32) -> bool {
        let quiet = self.0.quiet.load(Ordering::Relaxed);
        self.pictures() >= picture + QUIET && quiet >= QUIET
    }
}

/// How far the opening is.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    /// The window is not to be seen yet: the words are drawn.
    Backstage,
    /// The words are to be seen; since that picture of the renderer's.
    Words(u32),
    /// The scene is drawn behind the veil, since that picture.
    Scene(u32),
}

/// Opens the picture of a live window.
pub struct OpeningPlugin;

impl Plugin for OpeningPlugin {
    fn build(&self, app: &mut App) {
        let work = Work::default();
        let Some(renderer) = app.get_sub_app_mut(RenderApp) else {
            return;
        };
        renderer
            .insert_resource(work.clone())
            .add_systems(Render, count.after(RenderSystems::Render));
        app.insert_resource(work)
            .insert_resource(Act::Backstage)
            .insert_resource(Curtain::Closed)
            .add_systems(Startup, (say_so, hide_scene.after(EyeSet)))
            .add_systems(First, (fit, go_on.run_if(resource_exists::<Act>)))
            .add_systems(EguiPrimaryContextPass, veil.run_if(resource_exists::<Act>));
    }
}

fn count(work: Res<Work>, cache: Res<PipelineCache>) {
    let is_compiled = |state: &CachedPipelineState| matches!(state, CachedPipelineState::Ok(_));
    let (mut shaders, mut compiled) = (0, 0);
    for pipeline in cache.pipelines() {
        shaders += 1;
        compiled += u32::from(is_compiled(&pipeline.state));
    }
    work.0.shaders.store(shaders, Ordering::Relaxed);
    work.0.compiled.store(compiled, Ordering::Relaxed);
    if cache.waiting_pipelines().next().is_some() {
        work.0.quiet.store(0, Ordering::Relaxed);
    } else {
        work.0.quiet.fetch_add(1, Ordering::Relaxed);
    }
    work.0.pictures.fetch_add(1, Ordering::Relaxed);
}

fn is_processor(adapter: Option<&RenderAdapterInfo>) -> bool {
    adapter.is_some_and(|adapter| adapter.device_type == DeviceType::Cpu)
}

/// A window that is larger than any screen is made to fit: where nothing manages
/// windows, its panels would be out of sight.
fn fit(
    screens: Query<&Monitor, Added<Monitor>>,
    mut windows: Query<&mut Window, With<PrimaryWindow>>,
) {
    let sizes = screens.iter();
    let sizes = sizes.map(|screen| UVec2::new(screen.physical_width, screen.physical_height));
    let (Some(largest), Ok(mut window)) = (sizes.reduce(UVec2::max), windows.single_mut()) else {
        return;
    };
    let fits = window.physical_size().min(largest);
    if fits != window.physical_size() {
        window.resolution.set_physical_resolution(fits.x, fits.y);
    }
}

/// Prints the message on the terminal, for a user who sees no window yet.
fn say_so(adapter: Option<Res<RenderAdapterInfo>>) {
    if is_processor(adapter.as_deref()) {
        eprintln!("emulator: the processor draws: the first picture takes up to a minute");
    }
}

type Panels<'w, 's> =
    Query<'w, 's, &'static mut Camera, (With<PrimaryEguiContext>, Without<SceneCamera>)>;

/// The words are drawn alone, on a plain ground.
fn hide_scene(mut scene: Query<&mut Camera, With<SceneCamera>>, mut panels: Panels) {
    for mut camera in &mut scene {
        camera.is_active = false;
    }
    for mut camera in &mut panels {
        camera.clear_color = ClearColorConfig::Custom(theme::BACKDROP);
        camera.output_mode = CameraOutputMode::Write {
            blend_state: None,
            clear_color: ClearColorConfig::Custom(theme::BACKDROP),
        };
    }
}

fn show_scene(scene: &mut Query<&mut Camera, With<SceneCamera>>, panels: &mut Panels) {
    for mut camera in scene {
        camera.is_active = true;
    }
    for mut camera in panels {
        camera.clear_color = ClearColorConfig::Custom(Color::NONE);
        camera.output_mode = CameraOutputMode::Write {
            blend_state: Some(BlendState::ALPHA_BLENDING),
            clear_color: ClearColorConfig::None,
        };
    }
}

fn go_on(
    mut commands: Commands,
    work: Res<Work>,
    time: Res<Time<Real>>,
    mut act: ResMut<Act>,
    mut curtain: ResMut<Curtain>,
    mut windows: Query<&mut Window, With<PrimaryWindow>>,
    (mut scene, mut panels): (Query<&mut Camera, With<SceneCamera>>, Panels),
) {
    let late = time.elapsed() > LONGEST;
    match *act {
        Act::Backstage if work.is_done_since(0) || late => {
            for mut window in &mut windows {
                window.visible = true;
            }
            *act = Act::Words(work.pictures());
        }
        Act::Words(picture) if work.is_done_since(picture) || late => {
            show_scene(&mut scene, &mut panels);
            *act = Act::Scene(work.pictures());
        }
        Act::Scene(picture) if work.is_done_since(picture + QUIET) || late => {
            *curtain = Curtain::Open;
            commands.remove_resource::<Act>();
        }
        _ => {}
    }
}

/// Hides the scene while it is incomplete, and shows the progress.
fn veil(
    mut contexts: EguiContexts,
    work: Res<Work>,
    act: Res<Act>,
    adapter: Option<Res<RenderAdapterInfo>>,
    rect: Res<SceneRect>,
) -> Result {
    let context = contexts.ctx_mut()?.clone();
    let scale = context.pixels_per_point();
    let place = rect.0.map_or(context.viewport_rect(), |rect| {
        egui::Rect::from_min_max(
            egui::pos2(rect.min.x as f32, rect.min.y as f32) / scale,
            egui::pos2(rect.max.x as f32, rect.max.y as f32) / scale,
        )
    });
    let [red, green, blue, _] = theme::BACKDROP.to_srgba().to_u8_array();
    let layer = egui::LayerId::new(Layer::Middle, egui::Id::new("opening"));
    let painter = context.layer_painter(layer);
    painter.rect_filled(place, 0.0, Color32::from_rgb(red, green, blue));
    let [red, green, blue] = theme::ACCENT;
    let line = |below: f32, text: &str, size: f32, colour: Color32| {
        let at = place.center() + egui::vec2(0.0, below);
        let font = FontId::proportional(size);
        painter.text(at, Align2::CENTER_CENTER, text, font, colour);
    };
    line(-14.0, TITLE, 21.0, Color32::from_rgb(red, green, blue));
    if is_processor(adapter.as_deref()) {
        line(14.0, PATIENCE, 14.0, Color32::LIGHT_GRAY);
    }
    if matches!(*act, Act::Scene(_)) {
        let shaders = work.0.shaders.load(Ordering::Relaxed);
        let compiled = work.0.compiled.load(Ordering::Relaxed);
        let text = if compiled < shaders {
            format!("{compiled} of {shaders} parts of the picture are ready")
        } else {
            format!("{shaders} parts are ready, the picture is being drawn")
        };
        line(40.0, &text, 11.5, Color32::GRAY);
    }
    context.request_repaint();
    Ok(())
}

//! The time from the opening of the window to the first picture of the scene, with which
//! board time begins.
//!
//! Without a graphics card, the first picture takes up to a minute, because all shaders
//! are compiled for it. So the window first shows a text that says so, which needs one
//! small shader. Then the scene is drawn behind a veil until it is complete, the veil is
//! removed, and board time begins. A screenshot or film is not urgent and needs none of
//! this.
//!
//! When the scene is drawn in another way later, with another quality for example, the veil
//! is there again until the shaders for that are compiled. The board is not stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bevy::camera::CameraOutputMode;
use bevy::prelude::*;
use bevy::render::render_resource::{
    BlendState, CachedPipeline, CachedPipelineState, PipelineCache, PipelineDescriptor,
};
use bevy::render::renderer::{RenderAdapterInfo, RenderDevice};
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::window::{Monitor, PrimaryWindow};
use bevy_egui::egui::{self, Align2, Color32, FontId, Order as Layer};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, PrimaryEguiContext};
use wgpu_types::DeviceType;

use crate::scene::camera::{EyeSet, SceneCamera, SceneRect};
use crate::scene::quality::Redrawn;
use crate::source::Curtain;
use crate::theme;

/// The number of successive pictures without a missing shader after which the result is
/// certainly on the screen: the renderer is at most two pictures behind.
const QUIET: u32 = 3;

/// The number of successive pictures without progress after which missing shaders will
/// never be there: parts of a shader that this renderer does not have are looked up
/// again with every picture.
const RETRIES: u32 = 20;

/// The longest opening. After this time the board can be played, whatever is missing.
const LONGEST: Duration = Duration::from_secs(120);

/// The title of the window's text in the meantime.
const TITLE: &str = "touchboard is preparing the picture";
/// The text if the processor draws.
const PATIENCE: &str = "The processor draws here: the first picture takes up to a minute.";

/// Counts what the renderer has done so far; shared with it.
#[derive(Resource, Clone, Default)]
struct Work(Arc<Counts>);

#[derive(Default)]
struct Counts {
    /// The number of pictures drawn.
    pictures: AtomicU32,
    /// The number of successive pictures without a missing shader.
    quiet: AtomicU32,
    /// The number of successive pictures in which no shader made progress.
    idle: AtomicU32,
    /// The number of shaders that are needed.
    shaders: AtomicU32,
    /// The number of shaders that are compiled.
    compiled: AtomicU32,
}

impl Work {
    fn pictures(&self) -> u32 {
        self.0.pictures.load(Ordering::Relaxed)
    }

    /// True if everything requested since this picture is on the screen.
    fn is_done_since(&self, picture: u32) -> bool {
        let quiet = self.0.quiet.load(Ordering::Relaxed);
        self.pictures() >= picture + QUIET && quiet >= QUIET
    }
}

/// The stage of the opening.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    /// The text is being drawn in a hidden window.
    Backstage,
    /// The text is visible; the number is the picture at which it appeared.
    Words(u32),
    /// The scene is being drawn behind the veil, since the picture of this number.
    Scene(u32),
    /// The scene is being drawn in another way behind the veil, since the picture of this
    /// number.
    Again(u32),
}

/// Shows a text until the scene of a window has been drawn.
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
            .add_systems(Startup, (print_slow_start, hide_scene.after(EyeSet)))
            .init_resource::<Redrawn>()
            .add_systems(
                First,
                (
                    fit,
                    (veil_again, go_on.run_if(resource_exists::<Act>)).chain(),
                ),
            )
            .add_systems(EguiPrimaryContextPass, veil.run_if(resource_exists::<Act>));
    }
}

fn count(work: Res<Work>, cache: Res<PipelineCache>, device: Res<RenderDevice>) {
    // The renderer requests pipelines for computations even where there are none.
    let computes = device.limits().max_compute_workgroups_per_dimension > 0;
    let is_drawn = |pipeline: &CachedPipeline| {
        computes
            || matches!(
                pipeline.descriptor,
                PipelineDescriptor::RenderPipelineDescriptor(_)
            )
    };
    let (mut shaders, mut compiled, mut is_compiling) = (0, 0, false);
    let mut missing = Vec::new();
    for pipeline in cache.pipelines().filter(|pipeline| is_drawn(pipeline)) {
        shaders += 1;
        match pipeline.state {
            CachedPipelineState::Ok(_) => compiled += 1,
            _ => missing.push(pipeline),
        }
        is_compiling |= matches!(pipeline.state, CachedPipelineState::Creating(_));
    }
    let counts = &work.0;
    let had_shaders = counts.shaders.swap(shaders, Ordering::Relaxed);
    let had_compiled = counts.compiled.swap(compiled, Ordering::Relaxed);
    if is_compiling || (shaders, compiled) != (had_shaders, had_compiled) {
        counts.idle.store(0, Ordering::Relaxed);
    } else {
        counts.idle.fetch_add(1, Ordering::Relaxed);
    }
    let is_waiting = !missing.is_empty();
    let idle = counts.idle.load(Ordering::Relaxed);
    if is_waiting && idle < RETRIES {
        counts.quiet.store(0, Ordering::Relaxed);
    } else {
        counts.quiet.fetch_add(1, Ordering::Relaxed);
    }
    if is_waiting && idle == RETRIES {
        warn!(
            "the picture is shown without {}",
            labels(&missing).join(", ")
        );
    }
    counts.pictures.fetch_add(1, Ordering::Relaxed);
}

/// The labels of pipelines.
fn labels(pipelines: &[&CachedPipeline]) -> Vec<String> {
    let label_of = |pipeline: &CachedPipeline| match &pipeline.descriptor {
        PipelineDescriptor::RenderPipelineDescriptor(of) => of.label.clone(),
        PipelineDescriptor::ComputePipelineDescriptor(of) => of.label.clone(),
    };
    let labels = pipelines.iter().map(|pipeline| label_of(pipeline));
    labels
        .map(|label| label.unwrap_or("a shader".into()).into())
        .collect()
}

fn is_processor(adapter: Option<&RenderAdapterInfo>) -> bool {
    adapter.is_some_and(|adapter| adapter.device_type == DeviceType::Cpu)
}

/// Shrinks a window that is larger than any screen: without a window manager, its panels
/// would be out of reach.
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

/// Prints the text on the terminal too, because the window is not visible yet.
fn print_slow_start(adapter: Option<Res<RenderAdapterInfo>>) {
    if is_processor(adapter.as_deref()) {
        eprintln!("emulator: the processor draws: the first picture takes up to a minute");
    }
}

type Panels<'w, 's> =
    Query<'w, 's, &'static mut Camera, (With<PrimaryEguiContext>, Without<SceneCamera>)>;

/// Disables the scene's camera, so that only the text is drawn, on a plain background.
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

/// Covers the scene again when it is drawn in another way.
fn veil_again(
    mut commands: Commands,
    (work, redrawn): (Res<Work>, Res<Redrawn>),
    act: Option<Res<Act>>,
    mut known: Local<u32>,
) {
    let is_new = std::mem::replace(&mut *known, redrawn.0) != redrawn.0;
    if is_new && act.is_none_or(|act| matches!(*act, Act::Again(_))) {
        commands.insert_resource(Act::Again(work.pictures()));
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
        Act::Again(picture) if work.is_done_since(picture + QUIET) => {
            commands.remove_resource::<Act>();
        }
        Act::Scene(picture) if work.is_done_since(picture + QUIET) || late => {
            *curtain = Curtain::Open;
            commands.remove_resource::<Act>();
        }
        _ => {}
    }
}

/// Covers the scene while it is incomplete, and shows the progress.
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
    if is_processor(adapter.as_deref()) && !matches!(*act, Act::Again(_)) {
        line(14.0, PATIENCE, 14.0, Color32::LIGHT_GRAY);
    }
    if matches!(*act, Act::Scene(_) | Act::Again(_)) {
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

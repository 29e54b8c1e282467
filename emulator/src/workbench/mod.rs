//! The workbench around the board: settings, time, the board's place, the log, and a
//! status line.
//!
//! Like the scene, it reads the state of the board and writes commands. The two are
//! independent of each other, except that the scene uses the part of the window that the
//! panels leave.
//!
//! 1. `style` has the colours and sizes of all parts. `small_board`, `games`, `story`,
//!    `clock`, `beside`, `board_state`, `first_touch`, `folds` and `search_list` are used
//!    by several of them, and so are `orders` and `view_settings`, what the user can
//!    change.
//! 2. Around the board are the `cards` of the side panel, the `status_line`, and the
//!    `dock`, which `dock_view` draws, with its `panes` and the [`timeline`];
//!    `arrangements` are named choices of panes.
//! 3. Over the board are the `drawers`, the `lists`, and what appears by itself: `banner`
//!    and `waiting` before and after a game, `held`, `hint`, `pointed`, `notice`,
//!    `progress` and `rebuilt`.
//! 4. `reading` pauses a game while the user reads, `legend` tells what lights mean,
//!    `take_back` takes moves back, and `turns` handles clicks one after the other.
//! 5. `system` contains what needs an operating system, or its replacement.
//! 6. `parts` runs each of them as a system, `lay_out` puts all of them into the window,
//!    and `keyboard` opens and closes them by their keys.

pub mod arrangements;
mod banner;
mod beside;
mod board_state;
mod cards;
mod clock;
pub mod dock;
mod dock_view;
mod drawers;
mod first_touch;
pub mod folds;
pub mod games;
mod held;
pub mod hint;
mod keyboard;
mod lay_out;
mod legend;
mod lists;
pub mod notice;
mod orders;
mod other_uses;
pub mod panes;
mod parts;
mod pointed;
mod progress;
mod reading;
mod rebuilt;
mod search_list;
mod small_board;
mod status_line;
pub mod story;
pub mod style;
mod system;
pub mod take_back;
pub mod timeline;
mod turns;
mod view_settings;
mod waiting;

use bevy::app::{App, Plugin};
use bevy::asset::AssetEventSystems;
use bevy::ecs::system::SystemParam;
use bevy::input::InputSystems;
use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPlugin, EguiPostUpdateSet, EguiPreUpdateSet, EguiPrimaryContextPass,
    PrimaryEguiContext, egui,
};

use crate::keys::{KeyReading, Keyboard, KeysPlugin};
use crate::scene::camera::{Mouse, SceneRect};
use crate::scene::quality::{Quality, WantedQuality};
use crate::scene::touch::Covered;
use crate::sound::{Audible, Volume};
use crate::source::written::OpenText;
use crate::switches::WindowSwitches;
use crate::theme::{ChosenPalette, WindowTone};

pub use reading::Unattended;
use system::SystemForms;

/// How much of the side panel and the status line the window shows.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SidePanel {
    /// The side panel and the status line.
    #[default]
    Shown,
    /// The status line only: the scene has the whole width.
    Hidden,
    /// Neither panel nor status line: the scene has the whole window.
    Bare,
}

/// Whether a drawer, which slides over the board, is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drawer {
    /// It covers a part of the board.
    Open,
    /// It is hidden.
    #[default]
    Closed,
}

impl Drawer {
    /// Opens the drawer if it is closed, and closes it if it is open.
    pub fn toggle(&mut self) {
        *self = match *self {
            Drawer::Open => Drawer::Closed,
            Drawer::Closed => Drawer::Open,
        };
    }

    /// True if the drawer is open.
    #[must_use]
    pub fn is_open(self) -> bool {
        self == Drawer::Open
    }
}

/// The drawer with the rules of the game.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Deref, DerefMut)]
pub struct HowToDrawer(pub Drawer);

/// The drawer with the list of all keys.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Deref, DerefMut)]
pub struct KeysDrawer(pub Drawer);

/// Draws the panels around the scene.
pub struct WorkbenchPlugin;

impl Plugin for WorkbenchPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        if !app.is_plugin_added::<KeysPlugin>() {
            app.add_plugins(KeysPlugin);
        }
        SystemForms::init(app);
        init_resources(app);
        // Glyphs must be uploaded together with the words that need them: a texture that
        // changes after the renderer collected its changes appears one picture late.
        app.configure_sets(
            PostUpdate,
            EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems),
        )
        .add_plugins((
            held::HeldPlugin,
            hint::HintPlugin,
            legend::LegendPlugin,
            notice::NoticePlugin,
            panes::PanesPlugin,
            pointed::PointedPlugin,
            progress::ProgressPlugin,
            reading::ReadingPlugin,
            rebuilt::RebuiltPlugin,
            timeline::TimelinePlugin,
            story::StoryPlugin,
            take_back::TakeBackPlugin,
            turns::TurnsPlugin,
        ))
        .add_systems(
            PreUpdate,
            (
                keyboard::give_keys_to_clicked_panels
                    .after(InputSystems)
                    .before(KeyReading),
                keyboard::keep_keys_from_panels
                    .after(EguiPreUpdateSet::ProcessInput)
                    .before(EguiPreUpdateSet::BeginPass),
            )
                .chain(),
        )
        .add_systems(
            Update,
            (
                keyboard::toggle_panels,
                cards::time::follow_keys,
                other_uses::note_played,
            ),
        )
        .add_systems(EguiPrimaryContextPass, draw);
    }
}

fn init_resources(app: &mut App) {
    app.init_resource::<dock::Dock>()
        .init_resource::<cards::game::Face>()
        .init_resource::<cards::game::OpeningPieces>()
        .init_resource::<Mouse>()
        .init_resource::<Quality>()
        .init_resource::<WindowTone>()
        .init_resource::<WindowSwitches>()
        .init_resource::<WantedQuality>()
        .init_resource::<Covered>()
        .init_resource::<OpenText>()
        .init_resource::<SidePanel>()
        .init_resource::<folds::Folds>()
        .init_resource::<other_uses::Played>()
        .init_resource::<ChosenPalette>()
        .init_resource::<HowToDrawer>()
        .init_resource::<KeysDrawer>()
        .init_resource::<lists::picker::Picker>()
        .init_resource::<lists::command_list::CommandList>()
        .init_resource::<RoomForTools>()
        .init_resource::<arrangements::Arrangements>()
        .init_resource::<arrangements::ArrangementForm>()
        .init_resource::<lists::library::Library>()
        .init_resource::<Volume>()
        .init_resource::<Audible>();
}

/// Draws the window around the scene. The system owns the world, because it hands each
/// [part](parts) what that part asks for.
fn draw(world: &mut World, mut styled: Local<Option<WindowTone>>) -> Result {
    let shown: Result<_> = parts::run(world, window, ());
    let Some((context, size)) = shown? else {
        return Ok(());
    };
    let tone = *world.resource::<WindowTone>();
    if styled.replace(tone) != Some(tone) {
        style::apply(&context, tone);
    }
    let native = context.native_pixels_per_point().unwrap_or(1.0);
    style::fit(&context, egui::vec2(size.x as f32, size.y as f32) / native);
    let left = draw_panels(&context, world);
    parts::run(world, share_window, (context, left, size));
    Ok(())
}

/// The window's context, and its size in pixels; `None` while there is none.
fn window(
    mut contexts: EguiContexts,
    camera: Query<&Camera, With<PrimaryEguiContext>>,
) -> Result<Option<(egui::Context, UVec2)>> {
    let context = contexts.ctx_mut()?.clone();
    let size = camera.iter().find_map(Camera::physical_target_size);
    Ok(size.map(|size| (context, size)))
}

/// Draws the panels. Returns the part of the window that they leave.
fn draw_panels(context: &egui::Context, world: &mut World) -> egui::Rect {
    let mut all = egui::Ui::new(
        context.clone(),
        "workbench".into(),
        egui::UiBuilder::new()
            .layer_id(egui::LayerId::background())
            .max_rect(context.viewport_rect()),
    );
    style::choose(context, world.resource::<ChosenPalette>().0);
    lay_out::lay_out(&mut all, world)
}

/// How the window is shared: who receives keyboard and mouse, and which part belongs to the
/// scene.
#[derive(SystemParam)]
struct WindowShares<'w> {
    keyboard: ResMut<'w, Keyboard>,
    mouse: ResMut<'w, Mouse>,
    covered: ResMut<'w, Covered>,
    rect: ResMut<'w, SceneRect>,
}

/// Shares the window between the panels and the scene, which gets the area `left`.
fn share_window(
    In((context, left, size)): In<(egui::Context, egui::Rect, UVec2)>,
    mut shares: WindowShares,
    picker: Res<lists::picker::Picker>,
    command_list: Res<lists::command_list::CommandList>,
    timeline: Res<timeline::TimelineView>,
) {
    // Keys pressed while a list is open belong to the list, wherever the caret is.
    let has_list = picker.is_open() || command_list.is_open() || timeline.is_searched();
    let types = types_into_panels(&context) || has_list;
    shares.keyboard.set_if_neq(match types {
        true => Keyboard::Workbench,
        false => Keyboard::Board,
    });
    shares
        .mouse
        .set_if_neq(match points_at_panels(&context, left) {
            true => Mouse::Workbench,
            false => Mouse::Board,
        });
    shares.covered.set_if_neq(Covered(covers(&context)));
    let scale = context.pixels_per_point();
    let [min, max] = [(left.min * scale).floor(), (left.max * scale).ceil()];
    let min = UVec2::new(min.x as u32, min.y as u32);
    let max = UVec2::new(max.x as u32, max.y as u32).min(size);
    if max.x > min.x && max.y > min.y {
        shares.rect.set_if_neq(SceneRect(Some(URect { min, max })));
    }
}

fn types_into_panels(context: &egui::Context) -> bool {
    context.text_edit_focused() || context.any_popup_open()
}

/// True while the mouse is over a panel or an open list, or drags a part of one; `left`
/// is the area that the panels leave.
fn points_at_panels(context: &egui::Context, left: egui::Rect) -> bool {
    let place = context.pointer_latest_pos();
    let is_beside = place.is_some_and(|place| !left.contains(place));
    is_beside || context.is_pointer_over_egui() || context.egui_is_using_pointer()
}

/// The rectangles that cover the board, in logical pixels.
fn covers(context: &egui::Context) -> Vec<Rect> {
    let zoom = context.zoom_factor();
    context.memory(|memory| {
        let layers = memory.areas().visible_layer_ids();
        let over = |layer: &egui::LayerId| {
            matches!(layer.order, egui::Order::Middle | egui::Order::Foreground)
        };
        let layers = layers.into_iter().filter(over);
        let areas = layers.filter_map(|layer| memory.area_rect(layer.id));
        let place = |at: egui::Pos2| Vec2::new(at.x, at.y) * zoom;
        areas
            .map(|area| Rect::from_corners(place(area.min), place(area.max)))
            .collect()
    })
}

/// Whether the side panel was hidden to make room for tools, or tools for the panel.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct RoomForTools {
    is_cramped: bool,
    /// True if the panel is hidden for the tools, and not by the user.
    pub is_hidden_for_it: bool,
    /// The tools that a narrow window has no room for, until it is wider.
    pub put_away: Option<dock::Arrangement>,
    /// True if tools were open before this picture.
    had_tools: bool,
    is_narrow: bool,
    /// The width of the window in the last picture, in points.
    width: f32,
}

impl RoomForTools {
    /// For a window that begins with tools that were open last time.
    #[must_use]
    pub fn with_remembered_tools(had_tools: bool) -> RoomForTools {
        RoomForTools {
            had_tools,
            ..RoomForTools::default()
        }
    }
}

#[cfg(test)]
mod tests;

//! The workbench around the board: settings, time, the board's place, the log, and a
//! status line.
//!
//! Like the scene, it reads the state of the board and writes commands. The two are
//! independent of each other, except that the scene uses the part of the window that the
//! panels leave.
//!
//! 1. `style` has the colours and sizes of all parts. `small_board`, `games`, `story`,
//!    `clock`, `beside`, `board_state`, `first_touch` and `folds` are used by several of them.
//! 2. Around the board are the `cards` of the side panel, the `status_line`, and the
//!    `dock`, which `dock_view` draws, with its `panes` and the timeline (`scope`);
//!    `arrangements` are named choices of panes.
//! 3. Over the board are the `drawers`, the `lists`, and what appears by itself: `banner`
//!    and `waiting` before and after a game, `held`, `hint`, `pointed`, `notice`,
//!    `progress` and `rebuilt`.
//! 4. `reading` pauses a game while the user reads, `legend` tells what lights mean, `take_back` takes moves back, and
//!    `turns` handles clicks one after the other.
//! 5. `system` contains what needs an operating system, or its replacement.
//! 6. `lay_out` puts all parts into the window, and `keyboard` opens and closes them by
//!    their keys.

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
pub mod panes;
mod pointed;
mod progress;
mod reading;
mod rebuilt;
pub mod scope;
mod small_board;
mod status_line;
pub mod story;
pub mod style;
mod system;
pub mod take_back;
mod turns;
mod waiting;

use bevy::app::{App, Plugin};
use bevy::asset::AssetEventSystems;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPlugin, EguiPostUpdateSet, EguiPreUpdateSet, EguiPrimaryContextPass,
    PrimaryEguiContext, egui,
};

use crate::keys::{Keyboard, KeysPlugin, Stroke};
use crate::scene::camera::{Mouse, SceneRect, Viewpoint};
use crate::scene::hover::ShowHover;
use crate::scene::motion::ShowMotion;
use crate::scene::quality::{Quality, Wanted};
use crate::scene::touch::Covered;
use crate::sound::{Audible, SoundSetting, Volume};
use crate::source::written::OpenText;
use crate::source::{
    BoardTime, Bring, CancelWork, Log, RealRate, Seat, Shown, ShownBoard, Trouble, WindowCommand,
};
use crate::theme::Chosen;

pub use reading::Unattended;
use system::Desk;

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
        Desk::init(app);
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
            scope::ScopePlugin,
            story::StoryPlugin,
            take_back::TakeBackPlugin,
            turns::TurnsPlugin,
        ))
        .add_systems(
            PreUpdate,
            keyboard::keep_keys_from_panels
                .after(EguiPreUpdateSet::ProcessInput)
                .before(EguiPreUpdateSet::BeginPass),
        )
        .add_systems(Update, (keyboard::toggle_panels, cards::time::follow_keys))
        .add_systems(EguiPrimaryContextPass, draw);
    }
}

fn init_resources(app: &mut App) {
    app.init_resource::<dock::Dock>()
        .init_resource::<cards::game::Face>()
        .init_resource::<Mouse>()
        .init_resource::<Quality>()
        .init_resource::<style::WindowTone>()
        .init_resource::<ShowMotion>()
        .init_resource::<ShowHover>()
        .init_resource::<Wanted>()
        .init_resource::<Covered>()
        .init_resource::<OpenText>()
        .init_resource::<SidePanel>()
        .init_resource::<folds::Folds>()
        .init_resource::<Chosen>()
        .init_resource::<HowToDrawer>()
        .init_resource::<KeysDrawer>()
        .init_resource::<lists::picker::Picker>()
        .init_resource::<lists::command_list::CommandList>()
        .init_resource::<RoomForTools>()
        .init_resource::<arrangements::Arrangements>()
        .init_resource::<arrangements::ArrangementForm>()
        .init_resource::<lists::library::Library>()
        .init_resource::<SoundSetting>()
        .init_resource::<Volume>()
        .init_resource::<Audible>();
}

/// The inputs and outputs of the dock's panes.
#[derive(SystemParam)]
struct Panes<'w> {
    inspected: Res<'w, panes::inspected::Inspected>,
    search: ResMut<'w, panes::state::StateSearch>,
    faults: ResMut<'w, panes::faults::FaultsForm>,
    line: ResMut<'w, panes::line::LinePane>,
    room: ResMut<'w, RoomForTools>,
    progress: Res<'w, progress::Progress>,
    cancel: MessageWriter<'w, CancelWork>,
    arrangements: ResMut<'w, arrangements::Arrangements>,
    arrangement_form: ResMut<'w, arrangements::ArrangementForm>,
}

/// The inputs and outputs of the panels.
#[derive(SystemParam)]
struct Bench<'w> {
    shown: Res<'w, Shown>,
    clock: Res<'w, BoardTime>,
    trouble: Res<'w, Trouble>,
    board: Option<Res<'w, ShownBoard>>,
    seat: ResMut<'w, Seat>,
    sound: ResMut<'w, SoundSetting>,
    volume: ResMut<'w, Volume>,
    audible: Res<'w, Audible>,
    view: ResMut<'w, Viewpoint>,
    palette: ResMut<'w, Chosen>,
    side_panel: ResMut<'w, SidePanel>,
    folds: ResMut<'w, folds::Folds>,
    how_to: ResMut<'w, HowToDrawer>,
    keys: ResMut<'w, KeysDrawer>,
    commands: MessageWriter<'w, WindowCommand>,
    bring: MessageWriter<'w, Bring>,
    picker: ResMut<'w, lists::picker::Picker>,
    command_list: ResMut<'w, lists::command_list::CommandList>,
    strokes: MessageWriter<'w, Stroke>,
    library: ResMut<'w, lists::library::Library>,
    rate: Res<'w, RealRate>,
    text: ResMut<'w, OpenText>,
    log: Res<'w, Log>,
    dock: ResMut<'w, dock::Dock>,
    panes: Panes<'w>,
    scope: ResMut<'w, scope::Scope>,
    waits: ResMut<'w, take_back::TouchWait>,
    game: cards::game::Known<'w>,
    looks: cards::view::Looks<'w>,
    desk: Desk<'w>,
}

fn draw(
    mut contexts: EguiContexts,
    camera: Query<&Camera, With<PrimaryEguiContext>>,
    mut bench: Bench,
    mut rect: ResMut<SceneRect>,
    mut keyboard: ResMut<Keyboard>,
    (mut mouse, mut covered): (ResMut<Mouse>, ResMut<Covered>),
    mut styled: Local<Option<style::WindowTone>>,
) -> Result {
    let context = contexts.ctx_mut()?.clone();
    let Some(size) = camera.iter().find_map(Camera::physical_target_size) else {
        return Ok(());
    };
    if styled.replace(*bench.looks.tone) != Some(*bench.looks.tone) {
        style::apply(&context, *bench.looks.tone);
    }
    let native = context.native_pixels_per_point().unwrap_or(1.0);
    style::fit(&context, egui::vec2(size.x as f32, size.y as f32) / native);
    let mut all = egui::Ui::new(
        context.clone(),
        "workbench".into(),
        egui::UiBuilder::new()
            .layer_id(egui::LayerId::background())
            .max_rect(context.viewport_rect()),
    );
    style::choose(&context, bench.palette.0);
    let left = lay_out::lay_out(&mut all, &mut bench);
    // Keys pressed while a list is open belong to the list, wherever the caret is.
    let has_list =
        bench.picker.is_open() || bench.command_list.is_open() || bench.scope.is_searched();
    let types = types_into_panels(&context) || has_list;
    keyboard.set_if_neq(match types {
        true => Keyboard::Workbench,
        false => Keyboard::Board,
    });
    mouse.set_if_neq(match points_at_panels(&context, left) {
        true => Mouse::Workbench,
        false => Mouse::Board,
    });
    covered.set_if_neq(Covered(covers(&context)));
    let scale = context.pixels_per_point();
    let [min, max] = [(left.min * scale).floor(), (left.max * scale).ceil()];
    let min = UVec2::new(min.x as u32, min.y as u32);
    let max = UVec2::new(max.x as u32, max.y as u32).min(size);
    if max.x > min.x && max.y > min.y {
        rect.set_if_neq(SceneRect(Some(URect { min, max })));
    }
    Ok(())
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

/// Whether the side panel was hidden to make room for tools.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoomForTools {
    is_cramped: bool,
    /// True if the panel is hidden for the tools, and not by the user.
    pub is_hidden_for_it: bool,
}

#[cfg(test)]
mod tests;

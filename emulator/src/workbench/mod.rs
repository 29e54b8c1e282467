//! The workbench around the board: settings, time, the board's place, the log, and a
//! status line.
//!
//! Like the scene, it reads the state of the board and writes commands. The two are
//! independent of each other, except that the scene uses the part of the window that the
//! panels leave.

pub mod arrangements;
mod banner;
mod board_card;
mod clock;
mod command_list;
pub mod dock;
mod dock_view;
mod first_touch;
pub mod folds;
mod game_card;
pub mod games;
mod held;
pub mod hint;
mod how_to_drawer;
mod keys_drawer;
mod library;
mod log_card;
pub mod notice;
pub mod panes;
mod picker;
mod pointed;
mod progress;
mod reading;
mod rebuilt;
pub mod scope;
mod search_list;
mod small_board;
mod status_line;
pub mod story;
pub mod style;
mod system;
pub mod take_back;
mod text_card;
mod time_card;
mod turns;
mod view_card;
mod waiting;

use bevy::app::{App, Plugin};
use bevy::asset::AssetEventSystems;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiInput, EguiPlugin, EguiPostUpdateSet, EguiPreUpdateSet,
    EguiPrimaryContextPass, PrimaryEguiContext, egui,
};

use crate::keys::{Keyboard, KeysPlugin, Meaning, Overlay, Stroke};
use crate::scene::camera::{Mouse, SceneRect, Viewpoint};
use crate::scene::hover::ShowHover;
use crate::scene::motion::ShowMotion;
use crate::scene::quality::{Quality, Wanted};
use crate::scene::touch::Covered;
use crate::sound::{Audible, SoundSetting, Volume};
use crate::source::written::OpenText;
use crate::source::{
    BoardTime, Bring, CancelWork, Log, RealRate, Rebuilt, Seat, Shown, ShownBoard, Trouble,
    WindowCommand,
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
        // Glyphs must be uploaded together with the words that need them: a texture that
        // changes after the renderer collected its changes appears one picture late.
        app.configure_sets(
            PostUpdate,
            EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems),
        )
        .add_plugins((
            held::HeldPlugin,
            hint::HintPlugin,
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
        .init_resource::<dock::Dock>()
        .init_resource::<game_card::Face>()
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
        .init_resource::<picker::Picker>()
        .init_resource::<command_list::CommandList>()
        .init_resource::<RoomForTools>()
        .init_resource::<arrangements::Arrangements>()
        .init_resource::<arrangements::ArrangementForm>()
        .init_resource::<library::Library>()
        .init_resource::<SoundSetting>()
        .init_resource::<Volume>()
        .init_resource::<Audible>()
        .add_systems(
            PreUpdate,
            keep_keys_from_panels
                .after(EguiPreUpdateSet::ProcessInput)
                .before(EguiPreUpdateSet::BeginPass),
        )
        .add_systems(Update, (toggle_drawers, time_card::follow_keys))
        .add_systems(EguiPrimaryContextPass, draw);
    }
}

/// Gives the panels the keyboard only while text is typed into them: a key of the board
/// must not move their focus and press their buttons as well.
///
/// Keys typed after the key that opens a list are for the list, even if all of them
/// arrived between two pictures.
fn keep_keys_from_panels(
    keyboard: Res<Keyboard>,
    (picker, command_list): (Res<picker::Picker>, Res<command_list::CommandList>),
    mut inputs: Query<&mut EguiInput>,
) {
    if *keyboard == Keyboard::Workbench {
        return;
    }
    let is_closed = !picker.is_open() && !command_list.is_open();
    let opens = |event: &egui::Event| match event {
        egui::Event::Key {
            key,
            pressed: true,
            modifiers,
            ..
        } => *key == egui::Key::F2 || *key == egui::Key::P && modifiers.command,
        _ => false,
    };
    for mut input in &mut inputs {
        let mut is_for_list = false;
        input.events.retain(|event| {
            let is_key = matches!(event, egui::Event::Key { .. } | egui::Event::Text(_));
            let keeps = !is_key || is_for_list;
            is_for_list |= is_closed && opens(event);
            keeps
        });
    }
}

fn toggle_drawers(
    mut strokes: MessageReader<Stroke>,
    mut side_panel: ResMut<SidePanel>,
    mut how_to: ResMut<HowToDrawer>,
    mut keys: ResMut<KeysDrawer>,
    mut rebuilt: ResMut<Rebuilt>,
    (mut picker, mut command_list, mut arrangement_form): (
        ResMut<picker::Picker>,
        ResMut<command_list::CommandList>,
        ResMut<arrangements::ArrangementForm>,
    ),
    (mut desk, mut dock, mut scope): (Desk, ResMut<dock::Dock>, ResMut<scope::Scope>),
    mut overlay: ResMut<Overlay>,
) {
    for stroke in strokes.read() {
        if stroke.begins(Meaning::HowTo) {
            how_to.toggle();
        }
        if stroke.begins(Meaning::Keys) {
            keys.toggle();
        }
        if stroke.begins(Meaning::Games) {
            picker.toggle();
        }
        if stroke.begins(Meaning::Commands) {
            command_list.toggle();
        }
        for pane in dock::Pane::TOOLS.iter().copied() {
            if stroke.begins(Meaning::Pane(pane)) {
                dock.toggle(pane);
                if pane == dock::Pane::Console && dock.is_seen(pane) {
                    desk.type_into_console();
                }
            }
        }
        if stroke.begins(Meaning::SidePanel) {
            *side_panel = match *side_panel {
                SidePanel::Shown => SidePanel::Hidden,
                SidePanel::Hidden | SidePanel::Bare => SidePanel::Shown,
            };
        }
        // The overlay that was opened last is closed first.
        if stroke.begins(Meaning::Close) {
            match **keys {
                _ if desk.is_open() => desk.close(),
                _ if scope.is_open() => scope.close(),
                _ if arrangement_form.is_open() => arrangement_form.close(),
                _ if picker.is_open() => picker.close(),
                _ if command_list.is_open() => command_list.close(),
                Drawer::Open => **keys = Drawer::Closed,
                Drawer::Closed if rebuilt.first.is_some() => rebuilt.first = None,
                Drawer::Closed => **how_to = Drawer::Closed,
            }
        }
    }
    let is_open = keys.is_open()
        || how_to.is_open()
        || rebuilt.first.is_some()
        || desk.is_open()
        || scope.is_open()
        || arrangement_form.is_open()
        || picker.is_open()
        || command_list.is_open();
    overlay.set_if_neq(match is_open {
        true => Overlay::Open,
        false => Overlay::None,
    });
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
    picker: ResMut<'w, picker::Picker>,
    command_list: ResMut<'w, command_list::CommandList>,
    strokes: MessageWriter<'w, Stroke>,
    library: ResMut<'w, library::Library>,
    rate: Res<'w, RealRate>,
    text: ResMut<'w, OpenText>,
    log: Res<'w, Log>,
    dock: ResMut<'w, dock::Dock>,
    panes: Panes<'w>,
    scope: ResMut<'w, scope::Scope>,
    waits: ResMut<'w, take_back::Waits>,
    game: game_card::Known<'w>,
    looks: view_card::Looks<'w>,
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
    let left = lay_out(&mut all, &mut bench);
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

/// Returns the rectangles that cover the board, in logical pixels.
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

/// Draws all panels. Returns the part that they leave to the scene.
fn lay_out(all: &mut egui::Ui, bench: &mut Bench) -> egui::Rect {
    let bare = egui::Frame::new().fill(style::panel());
    let is_narrow = style::is_narrow(all.ctx());
    let column = bare.inner_margin(egui::Margin {
        left: if is_narrow { 8 } else { 12 },
        right: 4,
        top: 12,
        bottom: 4,
    });
    let room = Room::of(all.available_width());
    make_room(all.available_width(), bench);
    let is_told = bench.how_to.is_open();
    if *bench.side_panel != SidePanel::Bare {
        egui::Panel::bottom("status")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(style::STATUS_HEIGHT)
            .frame(bare.inner_margin(egui::Margin::symmetric(14, 0)))
            .show(all, |ui| status_line::show(ui, bench));
    }
    let size = all.available_size();
    if *bench.side_panel == SidePanel::Shown && is_upright(size) {
        egui::Panel::bottom("below")
            .resizable(false)
            .show_separator_line(false)
            .exact_size((size.y * BELOW).clamp(LOWEST_BELOW, HIGHEST_BELOW))
            .frame(column)
            .show(all, |ui| below(ui, bench));
    } else if *bench.side_panel == SidePanel::Shown
        && (room == Room::Two || room == Room::One && !is_told)
    {
        egui::Panel::right("side")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(style::panel_width(size.x))
            .frame(column)
            .show(all, |ui| {
                style::scroll(ui, |ui| {
                    game(ui, bench);
                    log_card::show(ui, bench);
                    view_card::show(ui, bench);
                    time_card::show(ui, bench);
                    system::board_card(ui, bench);
                    log_card::fill(ui);
                });
            });
    }
    if is_told && room != Room::Nothing {
        egui::Panel::left("how to play")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(style::PANEL_WIDTH)
            .frame(column)
            .show(all, |ui| {
                style::scroll(ui, |ui| how_to_drawer::show(ui, bench))
            });
    }
    let left = match *bench.side_panel {
        SidePanel::Bare => all.available_rect_before_wrap(),
        SidePanel::Shown | SidePanel::Hidden => dock_view::show(all, bench),
    };
    banner::show(all.ctx(), left, bench);
    system::show_form(all.ctx(), left, bench);
    picker::show(all.ctx(), left, bench);
    command_list::show(all.ctx(), left, bench);
    scope::show_over(all.ctx(), bench);
    arrangements::show_form(all.ctx(), left, bench);
    progress::show(all.ctx(), left, bench);
    if bench.keys.is_open() {
        keys_drawer::show(all.ctx(), left, bench);
    }
    left
}

/// Hides the side panel in a narrow window when the first tool is opened: the board and
/// the tools would be too narrow to read. Tab shows it again.
fn make_room(width: f32, bench: &mut Bench) {
    /// From this width of the window on, a board and a tool have room next to the panel.
    const ROOM_FOR_TOOLS: f32 = 1_000.0;
    let is_cramped = width < ROOM_FOR_TOOLS && bench.dock.has_tools();
    let was_cramped = std::mem::replace(&mut bench.panes.room.is_cramped, is_cramped);
    match (is_cramped, was_cramped, *bench.side_panel) {
        (true, false, SidePanel::Shown) => {
            *bench.side_panel = SidePanel::Hidden;
            bench.panes.room.is_hidden_for_it = true;
        }
        // When the last tool is closed, the panel is shown again, unless the user has
        // changed it.
        (false, true, SidePanel::Hidden) if bench.panes.room.is_hidden_for_it => {
            *bench.side_panel = SidePanel::Shown;
        }
        _ => {}
    }
    if *bench.side_panel == SidePanel::Shown {
        bench.panes.room.is_hidden_for_it = false;
    }
}

/// Whether the side panel was hidden to make room for tools.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoomForTools {
    is_cramped: bool,
    /// True if the panel is hidden for the tools, and not by the user.
    pub is_hidden_for_it: bool,
}

/// Draws the cards of the game and its text.
fn game(ui: &mut egui::Ui, bench: &mut Bench) {
    let answers = bench.shown.link.answers();
    // A user who just saved a text with an error looks for the error.
    let is_wrong = bench.text.wrong.is_some();
    if is_wrong {
        text_card::show(ui, bench);
    }
    ui.add_enabled_ui(answers, |ui| game_card::show(ui, bench));
    if !is_wrong {
        text_card::show(ui, bench);
    }
}

/// Draws the cards of the log and of board time.
fn past(ui: &mut egui::Ui, bench: &mut Bench) {
    log_card::show(ui, bench);
    time_card::show(ui, bench);
}

/// Draws the cards of the view and of the connection.
fn surroundings(ui: &mut egui::Ui, bench: &mut Bench) {
    view_card::show(ui, bench);
    system::board_card(ui, bench);
}

/// Draws the cards below the board, in columns.
fn below(ui: &mut egui::Ui, bench: &mut Bench) {
    let is_wide = ui.available_width() >= 3.0 * LEAST_COLUMN;
    let count = if is_wide { 3 } else { 2 };
    ui.columns(count, |columns| {
        for (number, column) in columns.iter_mut().enumerate() {
            // A column's own layout would justify its text.
            let ragged = egui::Layout::top_down(egui::Align::Min);
            let content = |ui: &mut egui::Ui| {
                style::scroll(ui, |ui| match number {
                    0 => game(ui, bench),
                    1 => {
                        past(ui, bench);
                        if !is_wide {
                            surroundings(ui, bench);
                        }
                        log_card::fill(ui);
                    }
                    _ => surroundings(ui, bench),
                });
            };
            column.push_id(number, |ui| ui.with_layout(ragged, content));
        }
    });
}

/// In a window that is higher than this many times its width, the cards are below the
/// board.
const UPRIGHT: f32 = 1.15;
/// The cards' share of the height, and their least and greatest height in points.
const BELOW: f32 = 0.32;
const LOWEST_BELOW: f32 = 300.0;
const HIGHEST_BELOW: f32 = 440.0;
/// The least width of one of three columns, in points.
const LEAST_COLUMN: f32 = 280.0;

fn is_upright(size: egui::Vec2) -> bool {
    size.y > UPRIGHT * size.x
}

/// The number of panels that fit next to the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    Two,
    One,
    Nothing,
}

impl Room {
    /// Returns how many fit in a window of this width.
    fn of(width: f32) -> Room {
        /// The narrowest board that can be played on, in points.
        const BOARD: f32 = 240.0;
        match width - BOARD {
            left if left >= 2.0 * style::PANEL_WIDTH => Room::Two,
            left if left >= style::PANEL_WIDTH => Room::One,
            _ => Room::Nothing,
        }
    }
}

#[cfg(test)]
mod tests;

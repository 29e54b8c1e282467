//! The workbench around the board: settings, time, where the board is, what
//! happened, and a status line.
//!
//! It reads what the board shows and writes orders, as the scene does; the two
//! do not know each other but for the part of the window that the panels leave.

mod board_card;
mod clock;
mod game_card;
mod how_to_panel;
mod log_card;
pub mod notice;
mod status_line;
pub mod story;
mod style;
mod time_card;

use bevy::app::{App, Plugin};
use bevy::asset::AssetEventSystems;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPlugin, EguiPostUpdateSet, EguiPrimaryContextPass, PrimaryEguiContext, egui,
};

use crate::scene::camera::{SceneRect, View};
use crate::scene::keyboard::{Keyboard, board_has_keyboard};
use crate::sound::Sound;
use crate::source::{Board, Clock, Connect, Order, RealRate, Save, Saved, Seat, Shown, Trouble};

/// The key that hides the side panel, and shows it again.
pub const PANEL_KEY: KeyCode = KeyCode::KeyH;

/// Which panels are there.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Panels {
    /// All.
    #[default]
    All,
    /// The status line only: the scene has the whole width.
    StatusLine,
    /// None: nothing but the scene.
    None,
}

/// The key that shows how the game is played, and hides it again.
pub const HOW_TO_KEY: KeyCode = KeyCode::F1;

/// Whether the panel with the rules of the game is there.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HowToPanel {
    /// It is.
    Open,
    /// It is not.
    #[default]
    Hidden,
}

impl HowToPanel {
    /// Shows it if it is hidden, and hides it if not.
    pub fn toggle(&mut self) {
        *self = match *self {
            HowToPanel::Open => HowToPanel::Hidden,
            HowToPanel::Hidden => HowToPanel::Open,
        };
    }
}

/// The panels.
pub struct WorkbenchPlugin;

impl Plugin for WorkbenchPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        // What letters look like is to be there with the words that need it: a
        // texture that changes after the renderer was told of changes is a
        // picture late.
        app.configure_sets(
            PostUpdate,
            EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems),
        )
        .add_plugins((notice::NoticePlugin, story::StoryPlugin))
        .init_resource::<game_card::Face>()
        .init_resource::<Panels>()
        .init_resource::<HowToPanel>()
        .init_resource::<Keyboard>()
        .add_systems(Update, toggle_panels.run_if(board_has_keyboard))
        .add_systems(EguiPrimaryContextPass, draw);
    }
}

fn toggle_panels(
    keys: Res<ButtonInput<KeyCode>>,
    mut panels: ResMut<Panels>,
    mut how_to: ResMut<HowToPanel>,
) {
    if keys.just_pressed(HOW_TO_KEY) {
        how_to.toggle();
    }
    if keys.just_pressed(PANEL_KEY) {
        *panels = match *panels {
            Panels::All => Panels::StatusLine,
            Panels::StatusLine | Panels::None => Panels::All,
        };
    }
}

/// What the panels read, and what they write to.
#[derive(SystemParam)]
struct Bench<'w> {
    shown: Res<'w, Shown>,
    clock: Res<'w, Clock>,
    trouble: Res<'w, Trouble>,
    board: Option<Res<'w, Board>>,
    seat: ResMut<'w, Seat>,
    sound: ResMut<'w, Sound>,
    view: ResMut<'w, View>,
    how_to: ResMut<'w, HowToPanel>,
    orders: MessageWriter<'w, Order>,
    connect: MessageWriter<'w, Connect>,
    save: MessageWriter<'w, Save>,
    saved: Res<'w, Saved>,
    rate: Res<'w, RealRate>,
    game: game_card::Known<'w>,
}

fn draw(
    mut contexts: EguiContexts,
    camera: Query<&Camera, With<PrimaryEguiContext>>,
    panels: Res<Panels>,
    mut bench: Bench,
    mut rect: ResMut<SceneRect>,
    mut keyboard: ResMut<Keyboard>,
    mut styled: Local<bool>,
) -> Result {
    let context = contexts.ctx_mut()?.clone();
    let Some(size) = camera.iter().find_map(Camera::physical_target_size) else {
        return Ok(());
    };
    if !std::mem::replace(&mut *styled, true) {
        style::apply(&context);
    }
    let native = context.native_pixels_per_point().unwrap_or(1.0);
    style::fit(&context, size.y as f32 / native);
    let mut all = egui::Ui::new(
        context.clone(),
        "workbench".into(),
        egui::UiBuilder::new()
            .layer_id(egui::LayerId::background())
            .max_rect(context.viewport_rect()),
    );
    let bare = egui::Frame::new().fill(style::PANEL);
    let column = bare.inner_margin(egui::Margin {
        left: 12,
        right: 12,
        top: 12,
        bottom: 4,
    });
    if *panels != Panels::None {
        egui::Panel::bottom("status")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(style::STATUS_HEIGHT)
            .frame(bare.inner_margin(egui::Margin::symmetric(14, 0)))
            .show(&mut all, |ui| status_line::show(ui, &mut bench));
    }
    if *panels == Panels::All {
        egui::Panel::right("side")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(style::PANEL_WIDTH)
            .frame(column)
            .show(&mut all, |ui| {
                let answers = bench.shown.link.answers();
                ui.add_enabled_ui(answers, |ui| game_card::show(ui, &mut bench));
                log_card::show(ui, &bench);
                time_card::show(ui, &mut bench);
                board_card::show(ui, &mut bench);
            });
    }
    if *bench.how_to == HowToPanel::Open {
        egui::Panel::left("how to play")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(style::PANEL_WIDTH)
            .frame(column)
            .show(&mut all, |ui| how_to_panel::show(ui, &mut bench));
    }
    keyboard.set_if_neq(match context.text_edit_focused() {
        true => Keyboard::Workbench,
        false => Keyboard::Board,
    });
    let left = all.available_rect_before_wrap();
    let scale = context.pixels_per_point();
    let min = UVec2::new((left.min.x * scale) as u32, (left.min.y * scale) as u32);
    let max = UVec2::new((left.max.x * scale) as u32, (left.max.y * scale) as u32).min(size);
    if max.x > min.x && max.y > min.y {
        rect.set_if_neq(SceneRect(Some(URect { min, max })));
    }
    Ok(())
}

//! The workbench around the board: settings, time, where the board is, what
//! happened, and a status line.
//!
//! It reads what the board shows and writes orders, as the scene does; the two
//! do not know each other but for the part of the window that the panels leave.

mod board_card;
mod game_card;
mod log_card;
mod status_line;
mod style;
mod time_card;

use bevy::app::{App, Plugin};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass, PrimaryEguiContext, egui};

use crate::scene::camera::{SceneRect, View};
use crate::scene::keyboard::{Keyboard, board_has_keyboard};
use crate::sound::Sound;
use crate::source::{Board, Clock, Connect, Log, Order, Seat, Shown, Trouble};

/// The key that hides the panel, and shows it again.
pub const PANEL_KEY: KeyCode = KeyCode::KeyH;

/// Whether the side panel is there.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SidePanel {
    /// It is.
    #[default]
    Open,
    /// It is not: the scene has the whole width.
    Hidden,
}

/// The panels.
pub struct WorkbenchPlugin;

impl Plugin for WorkbenchPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        app.init_resource::<SidePanel>()
            .init_resource::<Keyboard>()
            .add_systems(Update, toggle_panel.run_if(board_has_keyboard))
            .add_systems(EguiPrimaryContextPass, panels);
    }
}

fn toggle_panel(keys: Res<ButtonInput<KeyCode>>, mut panel: ResMut<SidePanel>) {
    if keys.just_pressed(PANEL_KEY) {
        *panel = match *panel {
            SidePanel::Open => SidePanel::Hidden,
            SidePanel::Hidden => SidePanel::Open,
        };
    }
}

/// What the panels read, and what they write to.
#[derive(SystemParam)]
struct Bench<'w> {
    shown: Res<'w, Shown>,
    clock: Res<'w, Clock>,
    log: Res<'w, Log>,
    trouble: Res<'w, Trouble>,
    board: Option<Res<'w, Board>>,
    seat: ResMut<'w, Seat>,
    sound: ResMut<'w, Sound>,
    view: ResMut<'w, View>,
    orders: MessageWriter<'w, Order>,
    connect: MessageWriter<'w, Connect>,
}

fn panels(
    mut contexts: EguiContexts,
    camera: Query<&Camera, With<PrimaryEguiContext>>,
    panel: Res<SidePanel>,
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
    egui::Panel::bottom("status")
        .resizable(false)
        .show_separator_line(false)
        .exact_size(style::STATUS_HEIGHT)
        .frame(bare.inner_margin(egui::Margin::symmetric(14, 0)))
        .show(&mut all, |ui| status_line::show(ui, &mut bench));
    if *panel == SidePanel::Open {
        egui::Panel::right("side")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(style::PANEL_WIDTH)
            .frame(bare.inner_margin(egui::Margin {
                left: 12,
                right: 12,
                top: 12,
                bottom: 4,
            }))
            .show(&mut all, |ui| {
                game_card::show(ui, &mut bench);
                time_card::show(ui, &mut bench);
                board_card::show(ui, &mut bench);
                log_card::show(ui, &bench);
            });
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

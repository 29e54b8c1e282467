//! Draws the expected line over the board, while the pane of the thinking is visible: a
//! ring and a number at each of its moves.

use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{self, Align2, Color32, FontFamily, FontId, LayerId, Order, Stroke};

use super::super::dock::{Dock, Pane};
use super::super::style;
use super::inspected::Inspected;
use crate::scene::camera::SceneCamera;
use crate::scene::plan::PointPlan;

/// Radius of a ring, as a fraction of the pitch.
const RADIUS: f32 = 0.44;

/// Draws the overlay on the board.
pub fn draw(
    mut contexts: EguiContexts,
    (dock, inspected): (Res<Dock>, Res<Inspected>),
    plan: Option<Res<PointPlan>>,
    eyes: Query<(&Camera, &GlobalTransform), With<SceneCamera>>,
) -> Result {
    let context = contexts.ctx_mut()?.clone();
    let (Some(plan), true) = (plan, dock.is_seen(Pane::Thinking)) else {
        return Ok(());
    };
    let Some((camera, place)) = eyes.iter().next() else {
        return Ok(());
    };
    let zoom = context.zoom_factor();
    let seen = |at: Vec3| {
        let at = camera.world_to_viewport(place, at).ok()?;
        Some(egui::pos2(at.x, at.y) / zoom)
    };
    let layer = LayerId::new(Order::Background, egui::Id::new("what the player found"));
    let painter = context.layer_painter(layer);
    let line = inspected.line();
    for (number, point) in line.iter().enumerate() {
        if line[..number].contains(point) || !plan.layout().has(*point) {
            continue;
        }
        let middle = plan.place(*point);
        let side = Vec3::X * plan.pitch() * RADIUS;
        let (Some(at), Some(edge)) = (seen(middle), seen(middle + side)) else {
            continue;
        };
        let radius = at.distance(edge).max(6.0);
        let strength = 1.0 / (1.0 + 0.6 * number as f32);
        let colour = style::accent().gamma_multiply(strength.max(0.25));
        painter.circle_stroke(at, radius, Stroke::new(2.5, colour));
        let corner = at + egui::vec2(radius * 0.75, -radius * 0.75);
        painter.circle_filled(corner, 8.0, Color32::from_black_alpha(200));
        let font = FontId::new(11.0, FontFamily::Proportional);
        let text = (number + 1).to_string();
        painter.text(corner, Align2::CENTER_CENTER, text, font, Color32::WHITE);
    }
    Ok(())
}

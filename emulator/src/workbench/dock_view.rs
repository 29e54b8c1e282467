//! Draws the dock and the content of its panes.

use bevy::prelude::World;
use bevy_egui::egui::{self, Color32, CornerRadius, Stroke, Ui, WidgetText};
use egui_dock::tab_viewer::OnCloseResponse;
use egui_dock::{DockArea, TabStyle, TabViewer};

use super::dock::{Dock, Pane};
use super::{panes, parts, style, system, timeline};

/// Height of a row of tabs.
const TABS: f32 = 24.0;
/// In a dock narrower than this, tabs have no room for buttons of their own.
const NARROW: f32 = 1_000.0;

/// Draws the dock in the rest of the window. Returns the part that the board has.
pub(super) fn show(ui: &mut Ui, world: &mut World) -> egui::Rect {
    let whole = ui.available_rect_before_wrap();
    if !world.resource::<Dock>().has_tools() {
        return whole;
    }
    let mut dock = std::mem::take(&mut *world.resource_mut::<Dock>());
    // In a narrow dock, only the pane in front can be closed with the mouse.
    let in_front: Vec<Pane> = Pane::TOOLS
        .iter()
        .copied()
        .filter(|pane| dock.is_seen(*pane))
        .collect();
    let closeable = match whole.width() < NARROW {
        true => in_front,
        false => Pane::TOOLS.to_vec(),
    };
    let mut viewer = Viewer {
        world,
        closeable,
        board: None,
    };
    DockArea::new(&mut dock.0)
        .style(look(ui))
        .show_leaf_collapse_buttons(false)
        .show_leaf_close_all_buttons(false)
        .tab_context_menus(false)
        .window_bounds(whole)
        .show_inside(ui, &mut viewer);
    let board = viewer.board;
    // A pane may have opened another one meanwhile.
    let opened = std::mem::take(&mut *world.resource_mut::<Dock>());
    let opened = Pane::TOOLS.iter().filter(|pane| opened.is_open(**pane));
    opened.for_each(|pane| dock.open(*pane));
    *world.resource_mut::<Dock>() = dock;
    // Behind another tab, the board is not visible.
    board.unwrap_or(egui::Rect::from_min_size(whole.min, egui::Vec2::ZERO))
}

/// A style that matches the panels.
fn look(ui: &Ui) -> egui_dock::Style {
    let mut look = egui_dock::Style::from_egui(ui.style());
    look.dock_area_padding = None;
    look.main_surface_border_stroke = Stroke::NONE;
    look.separator.width = 3.0;
    look.separator.extra = 120.0;
    look.separator.color_idle = style::behind();
    look.separator.color_hovered = style::edge();
    look.separator.color_dragged = style::accent();
    look.tab_bar.bg_fill = style::behind();
    look.tab_bar.height = TABS;
    look.tab_bar.hline_color = style::panel();
    look.tab_bar.corner_radius = CornerRadius::ZERO;
    for (tab, fill, text) in [
        (&mut look.tab.active, style::panel(), style::text()),
        (&mut look.tab.focused, style::panel(), style::strong()),
        (&mut look.tab.inactive, style::behind(), style::faint()),
        (&mut look.tab.hovered, style::card_fill(), style::text()),
        (
            &mut look.tab.active_with_kb_focus,
            style::panel(),
            style::strong(),
        ),
        (
            &mut look.tab.focused_with_kb_focus,
            style::panel(),
            style::strong(),
        ),
        (
            &mut look.tab.inactive_with_kb_focus,
            style::card_fill(),
            style::text(),
        ),
    ] {
        tab.bg_fill = fill;
        tab.text_color = text;
        tab.outline_color = Color32::TRANSPARENT;
        tab.corner_radius = CornerRadius {
            nw: 6,
            ne: 6,
            sw: 0,
            se: 0,
        };
    }
    look.tab.tab_body.bg_fill = style::panel();
    look.tab.tab_body.stroke = Stroke::NONE;
    look.tab.tab_body.corner_radius = CornerRadius::ZERO;
    look.tab.tab_body.inner_margin = egui::Margin::symmetric(10, 6);
    look.overlay.selection_color = style::accent().gamma_multiply(0.4);
    look
}

struct Viewer<'a> {
    world: &'a mut World,
    /// The panes that have a button for closing.
    closeable: Vec<Pane>,
    /// The board's part of the dock, once its tab has been drawn.
    board: Option<egui::Rect>,
}

impl TabViewer for Viewer<'_> {
    type Tab = Pane;

    fn id(&mut self, pane: &mut Pane) -> egui::Id {
        egui::Id::new(("pane", *pane))
    }

    fn title(&mut self, pane: &mut Pane) -> WidgetText {
        pane.name().into()
    }

    fn on_tab_button(&mut self, pane: &mut Pane, response: &egui::Response) {
        response.clone().on_hover_text(pane.words());
    }

    fn ui(&mut self, ui: &mut Ui, pane: &mut Pane) {
        match pane {
            Pane::Board => self.board = Some(ui.max_rect()),
            Pane::Timeline => parts::show(ui, self.world, timeline::show),
            Pane::State => parts::show(ui, self.world, panes::state::show),
            Pane::Thinking => parts::show(ui, self.world, panes::thinking::show),
            Pane::Twin => parts::show(ui, self.world, panes::twin::show),
            Pane::Faults => parts::show(ui, self.world, panes::faults::show),
            Pane::Line => parts::show(ui, self.world, panes::line::show),
            Pane::Console => parts::show(ui, self.world, system::console),
        }
    }

    fn is_closeable(&self, pane: &Pane) -> bool {
        self.closeable.contains(pane)
    }

    fn on_close(&mut self, _: &mut Pane) -> OnCloseResponse {
        OnCloseResponse::Close
    }

    fn allowed_in_windows(&self, pane: &mut Pane) -> bool {
        *pane != Pane::Board
    }

    fn tab_style_override(&self, pane: &Pane, look: &TabStyle) -> Option<TabStyle> {
        // The scene has its own edge.
        let mut look = look.clone();
        look.tab_body.inner_margin = egui::Margin::ZERO;
        (*pane == Pane::Board).then_some(look)
    }

    fn clear_background(&self, pane: &Pane) -> bool {
        *pane != Pane::Board
    }

    fn scroll_bars(&self, _: &Pane) -> [bool; 2] {
        // Each pane scrolls its own content.
        [false; 2]
    }
}

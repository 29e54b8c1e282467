//! Where the tools of a firmware author are: beside the board, below it, in tabs, or as
//! windows of their own, however somebody drags them.
//!
//! While no tool is open nothing of this is there: who plays sees the board and its
//! cards alone.
//!
//! Invariants: the board is always in the dock, once, and cannot be closed; every other
//! pane is there at most once.

mod arrangement;

use bevy::prelude::*;
use bevy_egui::egui::{self, Color32, CornerRadius, Stroke, Ui, WidgetText};
use egui_dock::tab_viewer::OnCloseResponse;
use egui_dock::{DockArea, DockState, NodeIndex, TabStyle, TabViewer};

use super::{Bench, panes, scope, style};

pub use crate::pane::Pane;
pub use arrangement::Arrangement;

/// Height of a row of tabs.
const TABS: f32 = 24.0;
/// What the board keeps of the width when the first pane comes beside it.
const BESIDE: f32 = 0.66;
/// And of the height when the timeline comes below it.
const ABOVE: f32 = 0.62;

/// The dock.
#[derive(Resource)]
pub struct Dock(DockState<Pane>);

impl Default for Dock {
    fn default() -> Dock {
        Dock(DockState::new(vec![Pane::Board]))
    }
}

impl Dock {
    /// A dock with these panes open, each in its usual place.
    #[must_use]
    pub fn with(panes: impl IntoIterator<Item = Pane>) -> Dock {
        let mut dock = Dock::default();
        for pane in panes {
            dock.open(pane);
        }
        dock
    }

    /// True if the pane is there, in front or as a tab behind another.
    #[must_use]
    pub fn is_open(&self, pane: Pane) -> bool {
        self.0.find_tab(&pane).is_some()
    }

    /// True if it is there and in front.
    #[must_use]
    pub fn is_seen(&self, pane: Pane) -> bool {
        self.0
            .iter_leaves()
            .any(|(_, leaf)| leaf.tabs.get(leaf.active.0) == Some(&pane))
    }

    /// True if any pane besides the board is there.
    #[must_use]
    pub fn has_tools(&self) -> bool {
        Pane::TOOLS.iter().any(|pane| self.is_open(*pane))
    }

    /// Opens a pane, or brings it to the front.
    pub fn open(&mut self, pane: Pane) {
        if let Some(path) = self.0.find_tab(&pane) {
            // It was just found.
            let _ = self.0.set_active_tab(path);
            return;
        }
        let is_wide = Pane::WIDE.contains(&pane);
        let alike = |tool: &&Pane| Pane::WIDE.contains(tool) == is_wide;
        let beside = Pane::TOOLS.iter().filter(alike);
        let beside = beside.filter_map(|tool| self.0.find_tab(tool)).next();
        if let Some(path) = beside {
            let leaf = self.0.leaf_mut(path.node_path());
            if let Ok(leaf) = leaf {
                leaf.tabs.push(pane);
                let last = leaf.tabs.len() - 1;
                // It is there.
                let _ = leaf.set_active_tab(last);
            }
            return;
        }
        if is_wide {
            let root = NodeIndex::root();
            let surface = self.0.main_surface_mut();
            surface.split_below(root, ABOVE, vec![pane]);
            return;
        }
        let board = self.0.find_tab(&Pane::Board);
        let node = board.map_or(NodeIndex::root(), |path| path.node);
        self.0
            .main_surface_mut()
            .split_right(node, BESIDE, vec![pane]);
    }

    /// Closes a pane; the board stays.
    pub fn close(&mut self, pane: Pane) {
        if pane != Pane::Board
            && let Some(path) = self.0.find_tab(&pane)
        {
            self.0.remove_tab(path);
        }
    }

    /// Opens a pane that is not seen, and closes one that is.
    pub fn toggle(&mut self, pane: Pane) {
        match self.is_seen(pane) {
            true => self.close(pane),
            false => self.open(pane),
        }
    }

    /// Where everything is.
    #[must_use]
    pub fn arrangement(&self) -> Arrangement {
        Arrangement::of(&self.0)
    }

    /// Everything where it is said to be; what was left out is closed.
    #[must_use]
    pub fn arranged(arrangement: &Arrangement) -> Dock {
        Dock(arrangement.dock())
    }
}

/// Shows the dock in what is left of the window. Returns the part that the board has.
pub(in crate::workbench) fn show(ui: &mut Ui, bench: &mut Bench) -> egui::Rect {
    let whole = ui.available_rect_before_wrap();
    if !bench.dock.has_tools() {
        return whole;
    }
    let mut dock = std::mem::take(&mut *bench.dock);
    let mut viewer = Viewer { bench, board: None };
    DockArea::new(&mut dock.0)
        .style(look(ui))
        .show_leaf_collapse_buttons(false)
        .show_leaf_close_all_buttons(false)
        .tab_context_menus(false)
        .window_bounds(whole)
        .show_inside(ui, &mut viewer);
    let board = viewer.board;
    *bench.dock = dock;
    // Behind another tab nothing of the board is seen.
    board.unwrap_or(egui::Rect::from_min_size(whole.min, egui::Vec2::ZERO))
}

/// How the dock looks: as the panels do.
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

struct Viewer<'a, 'w> {
    bench: &'a mut Bench<'w>,
    /// Where the board is, once it was come to.
    board: Option<egui::Rect>,
}

impl TabViewer for Viewer<'_, '_> {
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
            Pane::Timeline => scope::show(ui, self.bench),
            Pane::State => panes::state::show(ui, self.bench),
            Pane::Thinking => panes::thinking::show(ui, self.bench),
            Pane::Twin => panes::twin::show(ui, self.bench),
            Pane::Faults => panes::faults::show(ui, self.bench),
            Pane::Line => panes::line::show(ui, self.bench),
        }
    }

    fn is_closeable(&self, pane: &Pane) -> bool {
        *pane != Pane::Board
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
        // Each pane knows what of it scrolls.
        [false; 2]
    }
}

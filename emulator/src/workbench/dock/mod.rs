//! The dock: the tools of a firmware author, next to the board, below it, in tabs, or as
//! windows of their own, as the user drags them.
//!
//! While no tool is open, the dock adds nothing to the window: a player only sees the
//! board and its cards.
//!
//! Invariants: the board is always in the dock, once, and cannot be closed; every other
//! pane is there at most once.

mod arrangement;

use bevy::prelude::*;
use egui_dock::{DockState, NodeIndex};

pub use crate::pane::Pane;
pub use arrangement::Arrangement;

/// The board's share of the width when the first pane opens next to it.
const BESIDE: f32 = 0.66;
/// The board's share of the height when the timeline opens below it.
const ABOVE: f32 = 0.62;

/// The dock with its open panes.
#[derive(Resource)]
pub struct Dock(pub(super) DockState<Pane>);

impl Default for Dock {
    fn default() -> Dock {
        Dock(DockState::new(vec![Pane::Board]))
    }
}

impl Dock {
    /// Creates a dock with these panes open, each in its usual place.
    #[must_use]
    pub fn with(panes: impl IntoIterator<Item = Pane>) -> Dock {
        let mut dock = Dock::default();
        for pane in panes {
            dock.open(pane);
        }
        dock
    }

    /// True if the pane is open, in front or as a tab behind another.
    #[must_use]
    pub fn is_open(&self, pane: Pane) -> bool {
        self.0.find_tab(&pane).is_some()
    }

    /// True if the pane is open and in front.
    #[must_use]
    pub fn is_seen(&self, pane: Pane) -> bool {
        self.0
            .iter_leaves()
            .any(|(_, leaf)| leaf.tabs.get(leaf.active.0) == Some(&pane))
    }

    /// True if any pane besides the board is open.
    #[must_use]
    pub fn has_tools(&self) -> bool {
        Pane::TOOLS.iter().any(|pane| self.is_open(*pane))
    }

    /// Opens a pane, or brings it to the front.
    pub fn open(&mut self, pane: Pane) {
        if let Some(path) = self.0.find_tab(&pane) {
            // The tab was found just above.
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
                // The leaf was found just above.
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

    /// Opens a pane, or brings it to the front; closes it if it is in front already.
    pub fn toggle(&mut self, pane: Pane) {
        match self.is_seen(pane) {
            true => self.close(pane),
            false => self.open(pane),
        }
    }

    /// The current arrangement; panes in windows of their own are in their usual
    /// places.
    #[must_use]
    pub fn arrangement(&self) -> Arrangement {
        let docked = Arrangement::of(&self.0);
        if self.0.surfaces_count() == 1 {
            return docked;
        }
        let all = Pane::TOOLS
            .iter()
            .copied()
            .filter(|pane| self.is_open(*pane));
        let mut dock = Dock::arranged(&docked);
        let floating: Vec<Pane> = all.filter(|pane| !dock.is_open(*pane)).collect();
        for pane in floating {
            dock.open(pane);
        }
        Arrangement::of(&dock.0)
    }

    /// Creates a dock with this arrangement; panes that are not in it are closed.
    #[must_use]
    pub fn arranged(arrangement: &Arrangement) -> Dock {
        Dock(arrangement.dock())
    }
}

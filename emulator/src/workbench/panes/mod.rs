//! The tools of a firmware author, one pane for each.
//!
//! They read a copy of the board ([`inspected::Inspected`]), which is made only while one
//! of them is visible. So they cost nothing while they are closed, even for a board at
//! the end of a line.

pub mod faults;
pub mod inspected;
pub mod line;
pub mod overlay;
pub mod state;
pub mod thinking;
pub mod twin;

use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;

use crate::source::SourceSet;

/// Updates the data that the panes show.
pub struct PanesPlugin;

impl Plugin for PanesPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<inspected::Inspected>()
            .init_resource::<faults::FaultsForm>()
            .init_resource::<line::LinePane>()
            .init_resource::<state::StateSearch>()
            .add_systems(Update, inspected::follow.after(SourceSet::Exchange))
            .add_systems(EguiPrimaryContextPass, overlay::draw.after(super::draw));
    }
}

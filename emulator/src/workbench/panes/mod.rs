//! What a firmware author looks into: a pane for each.
//!
//! They read a copy of the board ([`inspected::Inspected`]), which is made only while one
//! of them is seen, so a board at the end of a line costs nothing more than one in this
//! process.

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

/// Keeps what the panes show.
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

//! The board as an object on a table.
//!
//! Each part is a plugin of its own. It reads [`Shown`] and writes
//! [`WindowCommand`](crate::source::WindowCommand) messages.

pub mod beat;
pub mod buttons;
pub mod came_from;
pub mod camera;
pub mod case;
pub mod coins;
pub mod dice;
pub mod display;
pub mod domes;
pub mod figures;
pub mod fit;
pub mod furniture;
pub mod ghosts;
pub mod ground;
pub mod hover;
pub mod keyboard;
pub mod kit;
pub mod lettering;
pub mod lights;
pub mod marks;
pub mod motion;
pub mod moves;
pub mod pace;
pub mod paint;
pub mod pieces;
pub mod plan;
pub mod press;
pub mod quality;
pub mod resting;
pub mod segments;
pub mod shape;
pub mod sides;
pub mod texture;
pub mod touch;

use bevy::app::PluginGroupBuilder;
use bevy::prelude::*;

use crate::source::{Shown, SourceSet};
use plan::PointPlan;

/// The order of the scene's systems within a picture, after the exchange with the board.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub enum SceneSet {
    /// Updates the plan to the board's layout.
    Plan,
    /// Rebuilds everything that depends on the layout, if it changed.
    Build,
    /// Updates lights and motions to what the board shows.
    Follow,
}

/// All plugins of the scene. They need assets for meshes, images and standard materials,
/// but neither a window nor a renderer.
pub struct ScenePlugins;

impl PluginGroup for ScenePlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(PlanPlugin)
            .add(paint::PaintPlugin)
            .add(case::CasePlugin)
            .add(furniture::FurniturePlugin)
            .add(beat::BeatPlugin)
            .add(domes::DomesPlugin)
            .add(hover::HoverPlugin)
            .add(marks::MarksPlugin)
            .add(ghosts::GhostsPlugin)
            .add(ground::GroundPlugin)
            .add(sides::SidesPlugin)
            .add(motion::MotionPlugin)
            .add(pieces::PiecesPlugin)
            .add(coins::CoinsPlugin)
            .add(dice::DicePlugin)
            .add(display::DisplayPlugin)
            .add(buttons::ButtonsPlugin)
            .add(press::PressPlugin)
            .add(touch::TouchPlugin)
            .add(keyboard::KeyboardPlugin)
    }
}

/// The parent of everything on the panel. It moves when the case changes.
#[derive(Component, Clone, Copy, Debug)]
pub struct CasePanel;

/// The entity of the [`CasePanel`], for systems that add parts to it.
#[derive(Resource, Clone, Copy, Debug)]
pub struct CasePanelEntity(pub Entity);

/// Keeps the [`PointPlan`] in step with the board's layout.
pub struct PlanPlugin;

impl Plugin for PlanPlugin {
    fn build(&self, app: &mut App) {
        let layout = app
            .world()
            .get_resource::<Shown>()
            .map_or(Shown::default().layout, |shown| shown.layout);
        let panel = (Name::new("panel"), CasePanel, Transform::default());
        let panel = app.world_mut().spawn((panel, Visibility::default())).id();
        app.insert_resource(PointPlan::new(layout))
            .insert_resource(CasePanelEntity(panel))
            .configure_sets(
                Update,
                (SceneSet::Plan, SceneSet::Build, SceneSet::Follow)
                    .chain()
                    .after(SourceSet::Exchange),
            )
            .add_systems(Update, follow_layout.in_set(SceneSet::Plan))
            .add_systems(
                Update,
                move_panel
                    .in_set(SceneSet::Build)
                    .run_if(resource_changed::<PointPlan>),
            );
    }
}

fn follow_layout(shown: Res<Shown>, mut plan: ResMut<PointPlan>) {
    if plan.layout() != shown.layout {
        *plan = PointPlan::new(shown.layout);
    }
}

fn move_panel(plan: Res<PointPlan>, mut panel: Query<&mut Transform, With<CasePanel>>) {
    for mut transform in &mut panel {
        transform.translation = plan.panel();
    }
}

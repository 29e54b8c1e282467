//! The parts of the panels are systems: each says in its parameters what it reads and what
//! it writes, for example `fn show(InMut(ui): InMut<Ui>, shown: Res<Shown>)`.
//!
//! Their input is the part of the window into which they draw. So parts can be nested as
//! the window nests them, and the scheduler has nothing to order: [`super::draw`] owns the
//! world while it runs them one after the other.

use bevy::ecs::system::{InMut, IntoSystem, SystemInput};
use bevy::prelude::World;
use bevy_egui::egui::{Context, Rect, Ui};
use protocol::Tick;

/// Runs a part. As with every system, it is a mistake in the program if a resource of it is
/// missing.
pub fn run<I, O, M>(
    world: &mut World,
    part: impl IntoSystem<I, O, M> + 'static,
    input: I::Inner<'_>,
) -> O
where
    I: SystemInput + 'static,
    O: 'static,
{
    match world.run_system_cached_with(part, input) {
        Ok(output) => output,
        Err(error) => panic!("a part of the panels cannot run: {error}"),
    }
}

/// Runs a part that draws at the next free place of `ui`.
pub fn show<O, M>(
    ui: &mut Ui,
    world: &mut World,
    part: impl IntoSystem<InMut<'static, Ui>, O, M> + 'static,
) -> O
where
    O: 'static,
{
    run(world, part, ui)
}

/// The part of the window that the panels leave to the board, for what lies over it.
#[derive(Clone)]
pub struct OverBoard {
    /// The whole window.
    pub context: Context,
    /// The board's part of it.
    pub part: Rect,
}

/// What the timeline shows, for whoever saves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnSpan {
    /// The names of the signals that are drawn.
    pub signals: Vec<String>,
    /// The current moment, in session time.
    pub now: Tick,
    /// From cursor A to cursor B, if both are set.
    pub cursors: Option<[Tick; 2]>,
}

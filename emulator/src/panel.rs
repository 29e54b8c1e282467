//! A grid controller as keys and lamps of the board that is shown, whatever carries its
//! bytes.

use bevy::prelude::*;
use firmware_core::Seen;
use protocol::{Input, Layout};

use crate::source::{BoardTime, Log, Shown, ShownBoard, SourceSet, WindowCommand};

/// What a panel reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PanelReport {
    /// An input of the board, from a key.
    Finger(Input),
    /// A sentence for the user.
    Say(String),
}

/// A panel, as the window needs it. No call waits.
pub trait PanelEnd: Send + Sync {
    /// Takes the reports since the last call, in order.
    fn take_reports(&mut self) -> Vec<PanelReport>;

    /// Shows this on the panel.
    fn show(&mut self, layout: Layout, seen: &Seen);

    /// Lets time pass while the panel shows the same.
    fn pass(&mut self) {}
}

/// The panel of the board; dropping it turns off the lamps.
#[derive(Resource)]
pub struct BoardPanel(pub Box<dyn PanelEnd>);

/// Connects the board with its panel, if there is one.
pub struct PanelPlugin;

impl Plugin for PanelPlugin {
    fn build(&self, app: &mut App) {
        let systems = (
            take_inputs.before(SourceSet::Exchange),
            show.after(SourceSet::Exchange),
        );
        let systems = systems.run_if(resource_exists::<BoardPanel>);
        app.add_systems(Update, systems.run_if(resource_exists::<ShownBoard>))
            .add_systems(Last, leave);
    }
}

/// Passes the panel's keys to the board as inputs, and its sentences to the log.
fn take_inputs(
    mut panel: ResMut<BoardPanel>,
    clock: Res<BoardTime>,
    mut commands: MessageWriter<WindowCommand>,
    mut log: ResMut<Log>,
) {
    for report in panel.0.take_reports() {
        match report {
            PanelReport::Finger(input) => {
                commands.write(input.into());
            }
            PanelReport::Say(sentence) => log.add_sentence(clock.0, sentence),
        }
    }
}

/// Updates the panel if what the board shows has changed.
fn show(
    mut panel: ResMut<BoardPanel>,
    shown: Res<Shown>,
    clock: Res<BoardTime>,
    mut last: Local<Option<(Layout, Seen)>>,
) {
    let now = Some((
        shown.layout,
        Seen::of(&shown.frame, clock.0.saturating_sub(shown.past.later_ms)),
    ));
    if *last == now {
        panel.0.pass();
        return;
    }
    if let Some((layout, seen)) = &now {
        panel.0.show(*layout, seen);
    }
    *last = now;
}

/// Turns the panel's lamps off when the window closes.
fn leave(mut exits: MessageReader<AppExit>, mut commands: Commands) {
    if exits.read().next().is_some() {
        commands.remove_resource::<BoardPanel>();
    }
}

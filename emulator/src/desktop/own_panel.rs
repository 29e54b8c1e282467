//! A grid controller as keys and lamps of the board that the window shows: `--panel`.

use std::io;

use bevy::prelude::*;
use firmware_core::Seen;
use protocol::Layout;
use touchboard_panel_ports::{OwnedPanel, PanelChoice, PortNews};

use crate::source::{BoardTime, Log, Shown, SourceSet, WindowCommand};

/// The panel; dropping it turns off the lamps.
#[derive(Resource)]
struct OwnPanel(OwnedPanel);

/// Starts to look for this panel.
///
/// # Errors
/// If no thread can be started.
pub fn plug_in(app: &mut App, choice: PanelChoice) -> io::Result<()> {
    // No callback is needed: news are read in every picture.
    let panel = OwnedPanel::plug_in(choice, || {})?;
    let systems = (
        take_inputs.before(SourceSet::Exchange),
        show.after(SourceSet::Exchange),
    );
    app.insert_resource(OwnPanel(panel))
        .add_systems(Update, systems.run_if(resource_exists::<OwnPanel>))
        .add_systems(Last, leave);
    Ok(())
}

/// Passes the panel's keys to the board as inputs, and its sentences to the log.
fn take_inputs(
    panel: Res<OwnPanel>,
    clock: Res<BoardTime>,
    mut commands: MessageWriter<WindowCommand>,
    mut log: ResMut<Log>,
) {
    for news in panel.0.take_news() {
        match news {
            PortNews::Finger(input) => {
                commands.write(input.into());
            }
            PortNews::Say(sentence) => log.add_sentence(clock.0, sentence),
        }
    }
}

/// Updates the panel if what the board shows has changed.
fn show(
    panel: Res<OwnPanel>,
    shown: Res<Shown>,
    clock: Res<BoardTime>,
    mut last: Local<Option<(Layout, Seen)>>,
) {
    let now = Some((
        shown.layout,
        Seen::of(&shown.frame, clock.0.saturating_sub(shown.past.later_ms)),
    ));
    if *last != now {
        if let Some((layout, seen)) = &now {
            panel.0.show(*layout, seen);
        }
        *last = now;
    }
}

/// Turns the panel's lamps off when the window closes.
fn leave(mut exits: MessageReader<AppExit>, mut commands: Commands) {
    if exits.read().next().is_some() {
        commands.remove_resource::<OwnPanel>();
    }
}

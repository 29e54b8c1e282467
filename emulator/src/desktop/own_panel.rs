//! A grid controller at a port as keys and lamps of the board that the window shows:
//! `--panel`.

use std::io;

use bevy::prelude::*;
use firmware_core::Seen;
use protocol::Layout;
use touchboard_panel_ports::{OwnedPanel, PanelChoice, PortNews};

use crate::panel::{BoardPanel, PanelEnd, PanelPlugin, PanelReport};

/// A panel at a port.
struct OwnPanel(OwnedPanel);

/// Starts to look for this panel.
///
/// # Errors
/// If no thread can be started.
pub fn plug_in(app: &mut App, choice: PanelChoice) -> io::Result<()> {
    // No callback is needed: news are read in every picture.
    let panel = OwnedPanel::plug_in(choice, || {})?;
    app.insert_resource(BoardPanel(Box::new(OwnPanel(panel))))
        .add_plugins(PanelPlugin);
    Ok(())
}

impl PanelEnd for OwnPanel {
    fn take_reports(&mut self) -> Vec<PanelReport> {
        let news = self.0.take_news().into_iter();
        let reports = news.map(|news| match news {
            PortNews::Finger(input) => PanelReport::Finger(input),
            PortNews::Say(sentence) => PanelReport::Say(sentence),
        });
        reports.collect()
    }

    fn show(&mut self, layout: Layout, seen: &Seen) {
        self.0.show(layout, seen);
    }
}

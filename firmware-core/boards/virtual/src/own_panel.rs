//! A grid controller as the keys and lamps of a virtual board: its keys are fingers on
//! the board's matrix, and its lamps show what the board shows.

use std::io::{self, Write};
use std::sync::Arc;

use firmware_core::{AnyWidth, Device, Front};
use mio::Waker;
use touchboard_panel_ports::{OwnedPanel, PanelChoice, PortNews};

use crate::fingers::Fingers;

/// The panel, and the driver that shows the board on it.
pub struct OwnPanel {
    panel: OwnedPanel,
    front: Front,
}

impl OwnPanel {
    /// Starts to look for the panel.
    pub fn plug_in(choice: PanelChoice, waker: Arc<Waker>) -> io::Result<OwnPanel> {
        let wake = move || {
            // Without a board there is nobody to wake.
            let _ = waker.wake();
        };
        Ok(OwnPanel {
            panel: OwnedPanel::plug_in(choice, wake)?,
            front: Front::new(),
        })
    }

    /// Moves fingers as its keys are pressed, and prints its sentences.
    pub fn apply(&self, fingers: &Fingers) {
        for news in self.panel.take_news() {
            match news {
                PortNews::Finger(input) => fingers.put(input),
                PortNews::Say(sentence) => {
                    // If this fails too, there is nowhere to report it.
                    let _ = writeln!(io::stderr(), "{sentence}");
                }
            }
        }
    }

    /// Updates the panel if the board looks different.
    pub fn show<B: AnyWidth, S: AsMut<[u8]>>(&mut self, device: &mut Device<B, S>) {
        // No time passes here, because inputs come through the board's own matrix.
        self.front.elapse(&mut self.panel, device, 0);
    }

    /// How long the board looks the same without an event, in milliseconds.
    pub fn sleeps_ms<B: AnyWidth, S: AsMut<[u8]>>(device: &Device<B, S>) -> Option<u32> {
        let board = device.board();
        board.frame().changes_in_ms(board.tick()).map(u32::from)
    }
}

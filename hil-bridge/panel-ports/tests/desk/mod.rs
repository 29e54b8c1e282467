//! The program's side of a panel: the board to show, and the fingers.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use firmware_core::Seen;
use protocol::{Colour, Input, Layout, Packed, Point};
use touchboard_panel_ports::{OwnedPanel, PortNews};

/// Longer than anything here takes, on any machine.
pub const GIVE_UP_AFTER: Duration = Duration::from_secs(60);

/// A panel that is being searched for, and a channel that signals news.
pub fn plug_in(panel: &str) -> (OwnedPanel, Receiver<()>) {
    let (sender, woken) = channel();
    let wake = move || {
        let _ = sender.send(());
    };
    let choice = panel.parse().expect("a panel");
    let panel = OwnedPanel::plug_in(choice, wake).expect("a thread");
    (panel, woken)
}

/// Waits for news, and returns the fingers in it.
pub fn fingers(panel: &OwnedPanel, woken: &Receiver<()>) -> Vec<Input> {
    loop {
        let news = panel.take_news().into_iter();
        let felt = news.filter_map(|news| match news {
            PortNews::Finger(input) => Some(input),
            PortNews::Say(_) => None,
        });
        let felt: Vec<Input> = felt.collect();
        if !felt.is_empty() {
            return felt;
        }
        woken.recv_timeout(GIVE_UP_AFTER).expect("news");
    }
}

/// A board of 8x8 points with a green light in its first corner.
pub fn corner() -> (Layout, Seen) {
    let mut points = Packed::default();
    points.set(Point(0), Colour::GREEN);
    let seen = Seen {
        points,
        ..Seen::default()
    };
    (Layout::grid(8, 8).expect("a layout"), seen)
}

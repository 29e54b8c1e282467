//! A Launchpad as keys and lamps of the board: the document carries its messages over the
//! browser's MIDI.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bevy::platform::time::Instant;
use bevy::prelude::*;
use emulator::panel::{BoardPanel, PanelEnd, PanelPlugin, PanelReport};
use firmware_core::Seen;
use protocol::Layout;
use touchboard_panels::{PanelNews, launchpad};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::send_report;
use crate::launchpad::PageLaunchpad;
use crate::report::Report;

/// The Launchpad of the page, and the beginning of its clock.
#[derive(Default)]
struct Panel {
    launchpad: PageLaunchpad,
    began: Option<Instant>,
}

impl Panel {
    fn now_ms(&mut self) -> u64 {
        let began = self.began.get_or_insert_with(Instant::now);
        began.elapsed().as_millis() as u64
    }
}

static PANEL: Mutex<Option<Panel>> = Mutex::new(None);

/// Calls `work` with the panel and the time in milliseconds.
fn with<T>(work: impl FnOnce(&mut PageLaunchpad, u64) -> T) -> T {
    let mut panel: MutexGuard<'_, Option<Panel>> =
        PANEL.lock().unwrap_or_else(PoisonError::into_inner);
    let panel = panel.get_or_insert_default();
    let now_ms = panel.now_ms();
    work(&mut panel.launchpad, now_ms)
}

/// True for the name of a MIDI port at which a Launchpad talks.
#[wasm_bindgen]
pub fn panel_is_port(name: &str) -> bool {
    launchpad::is_port(name)
}

/// A Launchpad was plugged in at this port.
#[wasm_bindgen]
pub fn panel_plug_in(name: &str) {
    with(|panel, now_ms| panel.plug_in(name, now_ms));
}

/// The Launchpad was unplugged.
#[wasm_bindgen]
pub fn panel_unplug() {
    with(|panel, _| panel.unplug());
}

/// The Launchpad is no longer needed: the messages that follow turn its lamps off.
#[wasm_bindgen]
pub fn panel_let_go() {
    with(|panel, _| panel.let_go());
}

/// Handles a message of the Launchpad.
#[wasm_bindgen]
pub fn panel_receive(message: &[u8]) {
    with(|panel, now_ms| panel.receive(message, now_ms));
}

/// Takes the messages that are to be sent to the Launchpad, all of them system exclusive.
#[wasm_bindgen]
pub fn panel_take() -> Vec<u8> {
    with(|panel, _| panel.take_bytes())
}

/// The panel as the window needs it.
struct Carried;

impl PanelEnd for Carried {
    fn take_reports(&mut self) -> Vec<PanelReport> {
        let (news, own) = with(|panel, _| panel.take_news());
        let reports = news.into_iter().map(|news| match news {
            PanelNews::Finger(input) => PanelReport::Finger(input),
            PanelNews::Say(sentence) => PanelReport::Say(sentence.to_string()),
        });
        let reports: Vec<PanelReport> = reports.chain(own.map(PanelReport::Say)).collect();
        for report in &reports {
            if let PanelReport::Say(sentence) = report {
                send_report(&Report::Trouble(sentence.clone()));
            }
        }
        reports
    }

    fn show(&mut self, layout: Layout, seen: &Seen) {
        with(|panel, now_ms| panel.show(layout, seen, now_ms));
        report_bytes();
    }

    fn pass(&mut self) {
        with(|panel, now_ms| panel.pass(now_ms));
        report_bytes();
    }
}

/// Calls the document if there are messages for the Launchpad.
fn report_bytes() {
    if with(|panel, _| panel.has_bytes()) {
        send_report(&Report::Panel);
    }
}

/// Connects the board with the Launchpad of the page.
pub struct PagePanelPlugin;

impl Plugin for PagePanelPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(BoardPanel(Box::new(Carried)))
            .add_plugins(PanelPlugin);
    }
}

//! A board at a port that the document opens: the document carries its bytes.
//!
//! After each call, and after each report [`Report::Line`], the document asks which line is
//! wanted, takes the bytes that are to be sent, and lets the conversation go on once the
//! time that it named has passed.

use bevy::prelude::*;
use emulator::source::{Agreement, At, BoardLink, BoardPlaces, Shown, carrier};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::send_report;
use crate::report::{ConnectionReport, Report};

/// The number of the line that is to be open; none if all are to be closed.
#[wasm_bindgen]
pub fn line_wanted() -> Option<u32> {
    carrier::wanted()
}

/// Takes the bytes that are to be sent on this line.
#[wasm_bindgen]
pub fn line_take(line: u32) -> Vec<u8> {
    carrier::take(line)
}

/// Brings bytes that came on this line.
#[wasm_bindgen]
pub fn line_bring(line: u32, bytes: &[u8]) {
    carrier::bring(line, bytes);
}

/// Notes that this line has ended, or could not be opened, for this reason.
#[wasm_bindgen]
pub fn line_end(line: u32, why: &str) {
    carrier::end(line, why);
}

/// Lets everything happen that can happen now. Returns the milliseconds for which nothing
/// more will happen unless bytes come; none if there is no line.
#[wasm_bindgen]
pub fn line_go_on() -> Option<f64> {
    carrier::go_on().map(|time| time.as_secs_f64() * 1_000.0)
}

/// Tells the document of the line and of the board at its end.
pub struct LinePlugin;

impl Plugin for LinePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Last, (report_line, report_connection));
    }
}

/// Calls the document if there is something to do at the port.
fn report_line(mut before: Local<Option<u32>>) {
    let wanted = carrier::wanted();
    if std::mem::replace(&mut *before, wanted) != wanted || carrier::has_bytes() {
        send_report(&Report::Line);
    }
}

/// Describes the connection when it has changed.
fn report_connection(
    (shown, places): (Res<Shown>, Res<BoardPlaces>),
    mut before: Local<ConnectionReport>,
) {
    let mut now = ConnectionReport::default();
    if let At::Port(name) = &places.current.at {
        now.port = Some(name.clone());
    }
    match &shown.link {
        BoardLink::Up { board } => now.board = Some(board.clone()),
        BoardLink::Down(sentence) => now.why_not = Some(sentence.clone()),
        BoardLink::Direct | BoardLink::Searching => {}
    }
    match &shown.twin {
        Agreement::Agrees { compared } => now.compared = *compared,
        Agreement::Differs(sentence) => now.differs = Some(sentence.clone()),
        Agreement::Alone | Agreement::Unknown => {}
    }
    now.restarted = shown.lost.restarted.map(|restarted| restarted.was_at);
    if *before != now {
        send_report(&Report::Connection(now.clone()));
        *before = now;
    }
}

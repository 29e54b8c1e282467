//! The line between the page and a table: bytes that the document's WebSocket carries, and
//! the board that follows them.
//!
//! The document calls these functions as its socket opens, brings a message, or closes. They
//! act at once, also while the page is in the background and draws nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy::prelude::*;
use emulator::source::at_table::{AtTable, SharedTable};
use emulator::source::{NextBoard, Shown, SourceSet};
use protocol::KnownLayout;
use touchboard_pair::opening;
use touchboard_pair::side::TableSide;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::send_report;
use crate::report::Report;
use crate::table::{self, TableReport};

/// The table at which the page is, if any.
static TABLE: Mutex<Option<SharedTable>> = Mutex::new(None);

/// True if a table is to be opened with the next picture.
static IS_WANTED: AtomicBool = AtomicBool::new(false);

fn held() -> MutexGuard<'static, Option<SharedTable>> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does this with the table, if there is one.
fn with_side<T>(act: impl FnOnce(&mut TableSide) -> T) -> Option<T> {
    let shared = held().clone()?;
    let mut side = shared.lock().unwrap_or_else(PoisonError::into_inner);
    Some(act(&mut side))
}

fn hold(side: TableSide) {
    *held() = Some(Arc::new(Mutex::new(side)));
}

/// Opens a table for two with the game that is on the board. The document is told when it
/// has to connect it, by [`Report::TableOpened`].
#[wasm_bindgen]
pub fn table_open() {
    IS_WANTED.store(true, Ordering::Relaxed);
}

/// Joins the table of a link. Throws the sentence of an error.
#[wasm_bindgen]
pub fn table_join(name: &str, secret: &str) -> Result<(), JsValue> {
    let key = table::key(name, secret).map_err(|sentence| JsValue::from_str(&sentence))?;
    hold(TableSide::joining(key));
    Ok(())
}

/// Tells that the socket is open.
#[wasm_bindgen]
pub fn table_connected(now_ms: f64) {
    with_side(|side| side.connected(now_ms as u64));
}

/// Tells that the socket is closed.
#[wasm_bindgen]
pub fn table_disconnected() {
    with_side(TableSide::disconnected);
}

/// Hears a message of the relay.
#[wasm_bindgen]
pub fn table_hear(bytes: &[u8]) {
    with_side(|side| side.hear(bytes));
}

/// Repeats what got no answer.
#[wasm_bindgen]
pub fn table_poll(now_ms: f64) {
    with_side(|side| side.poll(now_ms as u64));
}

/// The table in JSON, a [`TableReport`]; `null` if there is none.
#[wasm_bindgen]
pub fn table_report() -> String {
    let report = with_side(|side| table::of_side(side));
    serde_json::to_string(&report).unwrap_or_default()
}

/// Takes the messages to send: each with its length in four bytes before it, the lowest
/// first.
#[wasm_bindgen]
pub fn table_to_send() -> Vec<u8> {
    let messages = with_side(TableSide::take_to_send).unwrap_or_default();
    let framed = messages.into_iter().flat_map(|message| {
        let length = (message.len() as u32).to_le_bytes();
        length.into_iter().chain(message)
    });
    framed.collect()
}

/// Leaves the table, and keeps its board as it is.
#[wasm_bindgen]
pub fn table_leave() {
    *held() = None;
}

/// Connects the board with the table.
pub struct TablePlugin;

impl Plugin for TablePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Update,
            (
                (open_table, sit_down).chain().before(SourceSet::Exchange),
                report_table.after(SourceSet::Exchange),
            ),
        );
    }
}

/// Opens a table with the game that is on the board now, if one is wanted.
fn open_table(shown: Res<Shown>) {
    if !IS_WANTED.swap(false, Ordering::Relaxed) {
        return;
    }
    let layout = KnownLayout::from(shown.layout);
    match opening::of_board(layout, shown.roster, shown.status.settings) {
        Ok(opening) => {
            hold(TableSide::opening_with(opening));
            send_report(&Report::TableOpened);
        }
        Err(error) => send_report(&Report::Trouble(error.to_string())),
    }
}

/// Puts the board of a table into the window, once it is known which one.
fn sit_down(mut next: ResMut<NextBoard>, mut seated: Local<Option<SharedTable>>) {
    let Some(table) = held().clone() else {
        *seated = None;
        return;
    };
    if seated
        .as_ref()
        .is_some_and(|before| Arc::ptr_eq(before, &table))
    {
        return;
    }
    match AtTable::sit_down(&table) {
        Ok(None) => {}
        Ok(Some(board)) => {
            next.0 = Some(Box::new(board));
            *seated = Some(table);
        }
        Err(error) => {
            *held() = None;
            send_report(&Report::Trouble(error.to_string()));
        }
    }
}

/// Tells the document of changes at the table, and that there is something to send.
fn report_table(mut before: Local<Option<TableReport>>) {
    let now = with_side(|side| table::of_side(side));
    if *before != now {
        *before = now;
        send_report(&Report::TableChanged);
    }
    if with_side(|side| side.has_to_send()) == Some(true) {
        send_report(&Report::TableHasWords);
    }
}

//! Lines to boards: opened on threads, with a client on a thread of its own.

use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, bounded};
use firmware_core::Faults;
use firmware_core::faults::FaultyLine;
use touchboard_host::DriverError;
use touchboard_host::recorder::TripPath;
use touchboard_host::traffic::{LineRecord, SharedRecord};
pub use touchboard_links::Client as LineClient;
use touchboard_links::Where;
use touchboard_links::link::begin_record;

use crate::source::{ChipMemory, Source, SourceError};

/// The faults with which a line at this place is opened, and the handle for them.
pub fn line_faults_of(place: &Where) -> (Faults, Option<FaultyLine>) {
    (place.line.faults.0.clone(), Some(place.faulty_line()))
}

/// The memory of the chip at this place, if that is known.
pub fn chip_memory(place: &Where) -> Option<ChipMemory> {
    let known = place.image_memory()?;
    Some(ChipMemory {
        flash_bytes: known.flash_bytes,
        ram_bytes: known.ram_bytes,
    })
}

/// This place, changed so that the traffic of its line is recorded, and the
/// record.
pub fn with_record(mut place: Where) -> (Where, SharedRecord) {
    let record = begin_record(LineRecord::new(place.line_medium()));
    place.line.record = Some(record.clone());
    (place, record)
}

/// Opens the line in the background, after the previous board has closed its own.
pub fn dial(
    place: Where,
    line: Option<FaultyLine>,
    before: Option<Box<dyn Source>>,
) -> Result<Receiver<Result<LineClient, DriverError>>, SourceError> {
    let (sender, client) = bounded(1);
    let thread = std::thread::Builder::new().name("open-board".into());
    let opening = thread.spawn(move || {
        drop(before);
        // The receiver is gone if another board was chosen in the meantime.
        let line = line.unwrap_or_else(|| place.faulty_line());
        let _ = sender.send(place.client_over(line));
    });
    opening.map_err(SourceError::NoThread)?;
    Ok(client)
}

/// The thread on which a board is brought to another moment. The line may only be closed
/// after it has stopped using it, so dropping this waits for it.
pub struct TripThread(Option<JoinHandle<()>>);

/// Brings a board to another moment on its own thread, and sends the result.
pub fn set_out(
    client: Arc<LineClient>,
    run: u32,
    path: TripPath,
) -> Result<(Receiver<Result<(), DriverError>>, TripThread), SourceError> {
    let (sender, outcome) = bounded(1);
    let thread = std::thread::Builder::new().name("trip".into());
    let thread = thread.spawn(move || {
        // The receiver is gone if another board was chosen in the meantime.
        let _ = sender.send(touchboard_links::go_to::go(&path, &client, run));
    });
    let thread = thread.map_err(SourceError::NoThread)?;
    Ok((outcome, TripThread(Some(thread))))
}

impl Drop for TripThread {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            let _ = thread.join();
        }
    }
}

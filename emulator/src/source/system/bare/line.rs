//! Lines to boards, as far as a page has them: at a port that its script opens.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::platform::time::Instant;
use crossbeam_channel::{Receiver, bounded};
use firmware_core::Faults;
use firmware_core::faults::FaultyLine;
use touchboard_host::DriverError;
pub use touchboard_host::client::ClientHandle as LineClient;
use touchboard_host::go_to::go;
use touchboard_host::recorder::TripPath;
use touchboard_host::session::Session;
use touchboard_host::traffic::{LineMedium, LineRecord, SharedRecord};

use super::{Where, carrier};
use crate::source::{ChipMemory, LongWork, Source, SourceError};

/// The faults with which a line at this place is opened: none, since the script of a page
/// passes all bytes on.
pub fn line_faults_of(_: &Where) -> (Faults, Option<FaultyLine>) {
    (Faults::default(), None)
}

/// The memory of the chip at this place, which is not known.
pub fn chip_memory(_: &Where) -> Option<ChipMemory> {
    None
}

/// True for each place: there are no faults here that one of them could not have.
///
/// # Errors
/// None here; places with faults have some.
pub fn check_place(_: &Where) -> Result<(), SourceError> {
    Ok(())
}

/// This place, changed so that the traffic of its line is recorded, and the record.
pub fn with_record(mut place: Where) -> (Where, SharedRecord) {
    let record = place.record.get_or_insert_with(|| {
        let since = Instant::now();
        let clock = Arc::new(move || since.elapsed());
        SharedRecord::new(LineRecord::new(LineMedium::Unpaced), clock)
    });
    let record = record.clone();
    (place, record)
}

/// Opens the line, after the previous board was dropped.
///
/// # Errors
/// None here; the version with threads has some.
pub fn dial(
    place: Where,
    _: Option<FaultyLine>,
    before: Option<Box<dyn Source>>,
) -> Result<Receiver<Result<LineClient, DriverError>>, SourceError> {
    drop(before);
    let name = place.at.to_string();
    let (_, record) = with_record(place);
    Ok(carrier::begin(&name, record))
}

/// The trip of a board to another moment, which ends when this is dropped.
pub struct TripThread(Arc<AtomicBool>);

/// Brings a board to another moment, one step whenever an answer has come, and sends the
/// result.
///
/// # Errors
/// None here; the version with threads has some.
pub fn set_out(
    client: Arc<LineClient>,
    run: u32,
    path: TripPath,
) -> Result<(Receiver<Result<(), DriverError>>, TripThread), SourceError> {
    let (sender, outcome) = bounded(1);
    let is_over = Arc::new(AtomicBool::new(false));
    let work = async move {
        // The receiver is gone if another board was chosen in the meantime.
        let _ = sender.send(go(&path, &*client, run).await);
    };
    carrier::work_on(work, is_over.clone());
    Ok((outcome, TripThread(is_over)))
}

impl Drop for TripThread {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A session that is being shrunk. The type has no values: that takes files, and a second
/// line to the board.
pub enum Shrinking {}

impl Shrinking {
    /// Never begins.
    ///
    /// # Errors
    /// [`SourceError::NoShrinkingInPage`].
    pub fn begin<L>(
        _: Where,
        _: Session,
        _: &Path,
        _: impl FnOnce() -> L,
    ) -> Result<Shrinking, SourceError> {
        Err(SourceError::NoShrinkingInPage)
    }

    /// The sentence about the result, once there is one.
    pub fn outcome(&self) -> Option<String> {
        match *self {}
    }

    /// The progress to display.
    pub fn work(&self) -> LongWork {
        match *self {}
    }

    /// Stops shrinking.
    pub fn cancel(&self) {
        match *self {}
    }
}

//! Boards in this process, and which faults a place can have.

use touchboard_links::{At, Where};

use crate::source::core::InProcess;
use crate::source::{Source, SourceError};

/// Checks that these faults can be injected at this place while the window provides the
/// fingers and the display: the mouse only acts on the contacts of a board that is
/// simulated here, and the display only shows what arrives over the line.
///
/// # Errors
///
/// [`SourceError::NotSimulatedAt`].
pub fn check_place(place: &Where) -> Result<(), SourceError> {
    let faults = &place.line.faults.0.board;
    let is_simulated = match place.at {
        // A board at the end of a line says itself whether its contacts are simulated.
        At::Core | At::Virtual | At::Serial(_) | At::Tcp(_) | At::Shared(..) => true,
        At::Qemu(_) | At::Pico(_) => faults.spare_sensors() && faults.dead_leds.is_empty(),
    };
    if is_simulated {
        return Ok(());
    }
    Err(SourceError::NotSimulatedAt(place.at.to_string()))
}

/// Opens the board of this place, in this process.
///
/// # Errors
/// If the core has no such board, or cannot have these faults.
pub fn open_core(place: Where) -> Result<Box<dyn Source>, SourceError> {
    let driver = place.core();
    let faults = place.line.faults.0;
    let source = driver
        .and_then(InProcess::new)
        .and_then(|source| source.with_faults(faults));
    Ok(Box::new(source?))
}

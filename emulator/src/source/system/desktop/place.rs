//! The board at a place, wherever that is.

use touchboard_links::{At, Where};

use super::remote::Remote;
use crate::source::Source;
use crate::source::core::InProcess;

/// Whether these faults can be injected there, while using the window's fingers and
/// display: the mouse acts on the sensors of a board that is simulated here, and the
/// display shows what arrives over the line.
///
/// # Errors
///
/// A sentence that says where it is possible.
pub fn is_possible(place: &Where) -> Result<(), String> {
    let faults = &place.line.faults.0.board;
    let (bad, simulated) = match place.at {
        At::Core => return Ok(()),
        At::Virtual => ("dead lamps", faults.dead_leds.is_empty()),
        _ => (
            "bad sensors and lamps",
            faults.spare_sensors() && faults.dead_leds.is_empty(),
        ),
    };
    if simulated {
        return Ok(());
    }
    Err(format!(
        "the window's eyes are at the other end of the line of the board at {}: for {bad} write --at core",
        place.at
    ))
}

/// The board at this place. A line to it is opened in the background: the board
/// may say later that it cannot be reached.
///
/// # Errors
/// A sentence that says why it cannot be had.
pub fn open(place: Where) -> Result<Box<dyn Source>, String> {
    if place.at != At::Core {
        is_possible(&place)?;
        return Ok(Box::new(Remote::open(place)));
    }
    let driver = place.core();
    let faults = place.line.faults.0;
    let source = driver
        .and_then(InProcess::new)
        .and_then(|source| source.with_faults(faults));
    Ok(Box::new(source.map_err(|error| error.to_string())?))
}

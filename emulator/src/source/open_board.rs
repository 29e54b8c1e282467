//! Opens the board at a place.

use super::remote::Remote;
use super::system::{At, Where, check_place, open_core};
use super::{Source, SourceError};

/// Opens the board at this place. A line is opened in the background, so the source may
/// only report later that the board cannot be reached.
///
/// # Errors
/// [`SourceError::NotSimulatedAt`], or if the core has no such board.
pub fn open(place: Where) -> Result<Box<dyn Source>, SourceError> {
    if place.at == At::Core {
        return open_core(place);
    }
    check_place(&place)?;
    Ok(Box::new(Remote::open(place)))
}

//! Opens the board at a place.

use super::Source;
use super::remote::Remote;
use super::system::{At, Where, check_place, open_core};

/// Opens the board at this place. A line is opened in the background, so the source may
/// only report later that the board cannot be reached.
///
/// # Errors
/// A sentence that says why there is no such board.
pub fn open(place: Where) -> Result<Box<dyn Source>, String> {
    if place.at == At::Core {
        return open_core(place);
    }
    check_place(&place)?;
    Ok(Box::new(Remote::open(place)))
}

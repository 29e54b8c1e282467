//! Moves a board at the end of a line from one moment to another, and waits for it.

use touchboard_host::DriverError;
use touchboard_host::client::at_once;
use touchboard_host::recorder::TripPath;

use crate::client::Client;

/// [`touchboard_host::go_to::go`], until the board is there.
///
/// # Errors
/// When the board cannot be reached, has restarted, or refuses the state.
pub fn go(path: &TripPath, client: &Client, run: u32) -> Result<(), DriverError> {
    at_once(touchboard_host::go_to::go(path, client, run))
}

//! The place of a board whose firmware may change while it is used: `--watch`, in `shell`
//! and `mirror`.

use touchboard_host::{Driver, DriverError};
use touchboard_links::{WatchTarget, Watching, Where};

#[derive(Debug, clap::Args)]
pub struct WatchedPlace {
    #[command(flatten)]
    pub place: Where,
    /// With --at virtual, qemu or pico: restart the board after each build, and continue
    /// the game. Watch its executable or image (board), or also its sources, which are
    /// built after each change (sources)
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "board")]
    pub watch: Option<WatchTarget>,
}

impl WatchedPlace {
    /// Opens the board, and returns it with its seed.
    ///
    /// # Errors
    /// If it cannot be opened, or this place has nothing to watch.
    pub fn open(&self) -> Result<(Box<dyn Driver>, u64), DriverError> {
        match self.watch {
            Some(watched) => {
                let board = Watching::begin(&self.place, watched)?;
                Ok((Box::new(board), self.place.seed.unwrap_or(0)))
            }
            None => self.place.open_seeded(),
        }
    }
}

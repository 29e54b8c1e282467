//! Handles a chip that a debugger has halted.
//!
//! A halted chip neither answers nor receives, but it is not lost: bytes sent to it wait
//! in the line, and it continues as if no time had passed. So while it is halted no
//! request is repeated, no time-out runs, and the program is informed once.

use std::time::Duration;

use tracing::info;

use super::{Clerk, Patience};
use crate::conversation::{FromBoard, HALTS};
use crate::driver::DriverError;
use crate::happening::Happening;

/// How often the clerk checks whether the chip continues.
pub(super) const LOOK: Duration = Duration::from_millis(20);

impl Clerk {
    /// True if the chip is halted; reports a change.
    pub(super) fn is_halted(&mut self) -> bool {
        let is_halted = self.end.borrow_mut().is_halted();
        if is_halted == self.halted_since.is_some() {
            return is_halted;
        }
        self.halted_since = is_halted.then_some(self.now());
        let happening = Happening::Halted(is_halted);
        if let Some(words) = happening.remark() {
            info!(target: HALTS, "{}: {words}", self.name);
        }
        self.report(happening);
        is_halted
    }

    /// [`Clerk::listen`] until the request has to be repeated. Time during which the chip
    /// is halted is not counted.
    pub(super) async fn listen_patiently(
        &mut self,
        patience: &mut Patience,
    ) -> Result<Option<FromBoard>, DriverError> {
        loop {
            let until = match self.halted_since {
                Some(_) => self.now() + LOOK,
                None => patience.until(),
            };
            if let Some(incoming) = self.listen(until).await? {
                // Reports that the chip continues before anything that it sent then.
                self.is_halted();
                return Ok(Some(incoming));
            }
            let since = self.halted_since;
            match (self.is_halted(), since) {
                (true, _) => {}
                (false, None) => return Ok(None),
                (false, Some(since)) => {
                    patience.pass_over(self.now().saturating_sub(since), self.now())
                }
            }
        }
    }

    /// True while the chip is halted, so that the clerk sends nothing on its own.
    pub(super) fn stands_still(&mut self) -> bool {
        let since = self.halted_since;
        let is_halted = self.is_halted();
        if let (false, Some(since)) = (is_halted, since) {
            let now = self.now();
            self.asking.at = now;
            if let Some(ping) = &mut self.asking.ping {
                ping.patience.pass_over(now.saturating_sub(since), now);
            }
        }
        is_halted
    }
}

//! The power supply and the clock of a board, with their faults.

use firmware_core::faults::{BoardFaults, Drift};

/// A power supply that may fail once, and a clock that may be inaccurate.
pub struct Power {
    faults: BoardFaults,
    drift: Drift,
    /// How long the power has been on, in milliseconds.
    on_ms: u64,
    /// True after a power failure until it has been reported.
    is_failing: bool,
}

impl Power {
    pub fn new(faults: BoardFaults) -> Power {
        Power {
            faults,
            drift: Drift::default(),
            on_ms: 0,
            is_failing: false,
        }
    }

    /// Changes the faults. The time until the next power failure is counted from now.
    pub fn set(&mut self, faults: BoardFaults) {
        if faults.brown_out_after_ms != self.faults.brown_out_after_ms {
            self.on_ms = 0;
        }
        self.faults = faults;
    }

    /// The faults that the board has now; a power failure that has happened is none.
    pub fn faults(&self) -> &BoardFaults {
        &self.faults
    }

    /// The milliseconds that the board counts while `passed_ms` pass.
    pub fn count(&mut self, passed_ms: u32) -> u32 {
        let before_ms = self.on_ms;
        self.on_ms = self.on_ms.saturating_add(passed_ms.into());
        if let Some(after_ms) = self.faults.brown_out_after_ms
            && (before_ms..=self.on_ms).contains(&after_ms)
        {
            self.is_failing = true;
            self.faults.brown_out_after_ms = None;
        }
        self.drift.count(&self.faults, passed_ms)
    }

    /// True once after a power failure.
    pub fn failed(&mut self) -> bool {
        std::mem::take(&mut self.is_failing)
    }

    /// The time until the power fails, in milliseconds; `None` means never.
    pub fn lasts_ms(&self) -> Option<u32> {
        let after_ms = self.faults.brown_out_after_ms?;
        let left_ms = after_ms.saturating_sub(self.on_ms).max(1);
        Some(left_ms.try_into().unwrap_or(u32::MAX))
    }

    /// The real time in milliseconds until the board has counted `counted_ms`.
    pub fn takes_ms(&self, counted_ms: u32) -> u32 {
        self.drift.takes(&self.faults, counted_ms)
    }
}

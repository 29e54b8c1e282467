//! The last seconds of a clock: the turn light winks and the beeper ticks, so that no
//! player runs out of time unnoticed. If the display shows the clock, the seconds are
//! counted there.
//!
//! Seconds are counted from the end, so a second starts whenever a whole number of
//! seconds is left.

use protocol::{Clock, Rhythm};

const SECOND_MS: u32 = 1_000;

/// The longest warning, in seconds.
pub const WARNING_SECONDS: u32 = 5;
/// A warning takes at most this part of a turn's time: 3 is a third.
pub const WARNING_PART: u32 = 3;
/// The rhythm of the turn light in the last seconds.
pub const WARNING_RHYTHM: Rhythm = Rhythm::Wink;

/// The remaining seconds, rounded up.
#[must_use]
pub fn left(clock: Clock) -> u32 {
    clock.left_ms.div_ceil(SECOND_MS)
}

/// How long before its end a clock starts to warn, in milliseconds; whole seconds.
fn warning_ms(clock: Clock) -> u32 {
    let part = clock.of_ms.div_ceil(WARNING_PART * SECOND_MS);
    part.min(WARNING_SECONDS) * SECOND_MS
}

/// True in the last seconds of a clock. Light, beeper, window and terminal all use
/// this function.
#[must_use]
pub fn warns(clock: Clock) -> bool {
    (1..=warning_ms(clock)).contains(&clock.left_ms)
}

/// Milliseconds since the start of the current second.
#[must_use]
pub fn into_second(clock: Clock) -> u32 {
    (SECOND_MS - clock.left_ms % SECOND_MS) % SECOND_MS
}

/// True at the moment at which one of the last seconds starts.
#[must_use]
pub fn tick(clock: Clock) -> bool {
    warns(clock) && into_second(clock) == 0
}

/// Milliseconds until the display or the warning changes; until the next second, if the
/// display shows seconds.
#[must_use]
pub fn change_in_ms(clock: Clock, shown: bool) -> u32 {
    let before_ms = clock.left_ms.saturating_sub(warning_ms(clock));
    if shown || before_ms == 0 {
        SECOND_MS - into_second(clock)
    } else {
        before_ms
    }
}

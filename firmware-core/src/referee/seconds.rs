//! The seconds of a clock: in the last ones the turn light winks and the beeper
//! ticks, so that nobody's time runs out unseen, and in a game whose clock is
//! on the display they are counted there.
//!
//! Seconds are counted back from the end, so each begins where a whole number
//! of them is left.

use protocol::{Clock, Rhythm};

const SECOND_MS: u32 = 1_000;

/// The last seconds that the warning takes ...
pub const WARNING_SECONDS: u32 = 5;
/// ... but of a short time no more than about a third.
pub const WARNING_PART: u32 = 3;
/// How the light of the turn blinks then.
pub const WARNING_RHYTHM: Rhythm = Rhythm::Wink;

/// Seconds that are left, with the one that goes on.
#[must_use]
pub fn left(clock: Clock) -> u32 {
    clock.left_ms.div_ceil(SECOND_MS)
}

/// How long before its end a clock begins to warn: whole seconds.
fn warning_ms(clock: Clock) -> u32 {
    let part = clock.of_ms.div_ceil(WARNING_PART * SECOND_MS);
    part.min(WARNING_SECONDS) * SECOND_MS
}

/// True in the last seconds of a clock: the one answer for the lamp, the beeper, the
/// window and the terminal.
#[must_use]
pub fn warns(clock: Clock) -> bool {
    (1..=warning_ms(clock)).contains(&clock.left_ms)
}

/// Milliseconds since the second that goes on began.
#[must_use]
pub fn into_second(clock: Clock) -> u32 {
    (SECOND_MS - clock.left_ms % SECOND_MS) % SECOND_MS
}

/// True at the moment at which one of the last seconds begins.
#[must_use]
pub fn tick(clock: Clock) -> bool {
    warns(clock) && into_second(clock) == 0
}

/// Milliseconds until something of this is different; if the seconds are shown
/// that is each of them.
#[must_use]
pub fn change_in_ms(clock: Clock, shown: bool) -> u32 {
    let before_ms = clock.left_ms.saturating_sub(warning_ms(clock));
    if shown || before_ms == 0 {
        SECOND_MS - into_second(clock)
    } else {
        before_ms
    }
}

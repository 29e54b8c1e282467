//! The modes of Ghost.

/// What a side gains by a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gain {
    /// A point for the player who touched.
    Mine,
    /// A point for the other player.
    Theirs,
    /// The touch gains nothing: it is a wrong touch.
    Wrong,
}

/// What a wrong touch leaves on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trace {
    /// A lit point, in the colour of the player who touched.
    Light,
    /// The point shows nothing.
    Dark,
}

/// A mode of the manual.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    /// The gain of a touch on one of the ghost's four points.
    pub(super) on_ghost: Gain,
    /// The gain of a touch on one of the up to 12 points around them.
    pub(super) near_ghost: Gain,
    /// What is left by a touch of a dark point elsewhere.
    pub(super) trace: Trace,
}

/// Maldoo manual, Ghost, Modes: in the odd modes touches beside the ghost score; in modes
/// 2 and 3 no points are switched on.
pub(super) const MODES: [Mode; 4] = [
    Mode {
        on_ghost: Gain::Mine,
        near_ghost: Gain::Wrong,
        trace: Trace::Light,
    },
    Mode {
        on_ghost: Gain::Theirs,
        near_ghost: Gain::Mine,
        trace: Trace::Light,
    },
    Mode {
        on_ghost: Gain::Mine,
        near_ghost: Gain::Wrong,
        trace: Trace::Dark,
    },
    Mode {
        on_ghost: Gain::Theirs,
        near_ghost: Gain::Mine,
        trace: Trace::Dark,
    },
];

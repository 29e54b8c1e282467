//! The modes of Ishido.

use super::field::Four;
use super::scoring::Scoring;

/// The players who place stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Players {
    /// Green plays alone.
    One,
    /// Green and red take turns.
    Two,
}

/// The differences between modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Which neighbours must share the colour of a stone with four of them.
    pub four: Four,
    /// The rule by which points are counted.
    pub scoring: Scoring,
    /// The players who place stones.
    pub players: Players,
}

const fn mode(four: Four, scoring: Scoring, players: Players) -> Rule {
    Rule {
        four,
        scoring,
        players,
    }
}

/// The modes in the order of their numbers.
pub const MODES: [Rule; 4] = [
    mode(Four::AtCorner, Scoring::Seed, Players::One),
    mode(Four::Any, Scoring::Official, Players::One),
    mode(Four::AtCorner, Scoring::Seed, Players::Two),
    mode(Four::Any, Scoring::Official, Players::Two),
];

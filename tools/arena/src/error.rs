//! Why a subcommand failed.

use protocol::Layout;
use shards::ShardError;

use crate::gtp::GtpError;
use crate::names::{ChoiceError, NotFitting};
use crate::solo::SoloError;

/// Why a subcommand failed. The text is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// A game is not played in a mode.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The layout is too small for the game.
    #[error(transparent)]
    NotFitting(#[from] NotFitting),
    /// The board has no player to measure for this game.
    #[error("the board does not play {0}")]
    NotPlayed(&'static str),
    /// The game has no such mode on the layout.
    #[error("{name} has no mode {mode} on {layout}")]
    NoMode {
        /// The name of the game.
        name: String,
        /// The mode.
        mode: u8,
        /// The layout.
        layout: Layout,
    },
    /// Nobody can play that many games.
    #[error("{series} series of {games} games are too many")]
    TooMany {
        /// The number of series.
        series: u64,
        /// The number of games of each.
        games: u64,
    },
    /// The files of a match count its games in two ways.
    #[error(
        "the files' plan has {plan} games, but their heading counts {heading}: a heading was changed; play the match again"
    )]
    Heading {
        /// The number of games by their plan.
        plan: u64,
        /// The number of games by their heading.
        heading: u64,
    },
    /// The files of shards cannot be used.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A game for one cannot be played so.
    #[error(transparent)]
    Solo(#[from] SoloError),
    /// The engine, or the protocol, does not play the game.
    #[error(transparent)]
    Gtp(#[from] GtpError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_is_a_sentence() {
        let (name, layout) = ("Life", Layout::MALDOO);
        let told: [ArenaError; 12] = [
            ChoiceError::NobodyToMatch(name).into(),
            ChoiceError::Modes { name, last: 1 }.into(),
            ChoiceError::NotQuick(&["Ghost", "TouchIt"]).into(),
            ChoiceError::LifeOfThought.into(),
            NotFitting::new(name, layout).into(),
            ArenaError::NotPlayed(name),
            ArenaError::NoMode {
                name: name.to_owned(),
                mode: 7,
                layout,
            },
            ArenaError::TooMany {
                series: 3,
                games: u64::MAX,
            },
            ArenaError::Heading {
                plan: 6,
                heading: 7,
            },
            SoloError::Mode.into(),
            SoloError::TooSmall(layout).into(),
            SoloError::NotFitting(layout).into(),
        ];
        insta::assert_snapshot!(told.map(|error| error.to_string()).join("\n"));
    }
}

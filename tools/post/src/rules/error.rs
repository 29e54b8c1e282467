//! Why the rules refuse a roll, a pass or a turn.

use firmware_core::games::malaka::{RollError, Step, StepError};
use touchboard_host::malaka::NotationError;

use super::Options;

/// The words are not the options of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("options are like `{}`", Options::default())]
pub struct OptionsError;

/// Why an action is not possible now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// Another number of dice, or other dice, are due.
    #[error("these are not the dice that are due: {}", due(*.0))]
    Dice(RollError),
    /// The dice can be played.
    #[error("a side only passes when its dice cannot be played")]
    Pass,
    /// The text is not a whole legal turn.
    #[error("{}", sentence(&.0.to_string()))]
    Notation(#[source] Box<NotationError>),
    /// The turn has a step that cannot be taken.
    #[error("{step} cannot be taken: {}", refused(*.why))]
    Step {
        /// The refused step.
        step: Step,
        /// Why it was refused.
        why: StepError,
    },
    /// The turn has too few steps.
    #[error("The turn is not over.")]
    NotOver,
}

impl From<NotationError> for RulesError {
    fn from(error: NotationError) -> RulesError {
        RulesError::Notation(Box::new(error))
    }
}

/// What is due instead of the dice that were refused.
fn due(error: RollError) -> String {
    match error {
        RollError::Over => "the game is over".to_owned(),
        RollError::NotPlayed => "those that were rolled last have to be played first".to_owned(),
        RollError::Count(1) => "one die is rolled now".to_owned(),
        RollError::Count(count) => format!("{count} dice are rolled now"),
        RollError::Sides(sides) => format!("their faces are 1 to {sides}"),
    }
}

/// Why a step was refused.
fn refused(error: StepError) -> &'static str {
    match error {
        StepError::Over => "the game is over",
        StepError::NotRolled => "the dice are not rolled yet",
        StepError::NotLegal => "a turn plays as many pips as possible",
    }
}

/// Makes a sentence: a capital at the beginning, unless it is the name of a point, and a
/// full stop.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next();
    let is_word = !letters
        .as_str()
        .starts_with(|second: char| second.is_ascii_digit());
    let first = first.map(|first| {
        if is_word {
            first.to_ascii_uppercase()
        } else {
            first
        }
    });
    let end = if words.ends_with(['.', '?']) { "" } else { "." };
    first.into_iter().chain(letters).collect::<String>() + end
}

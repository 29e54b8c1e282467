//! The level at which a game begins that a person may play alone: the one that was used
//! last in such a game, or else level 1. Games of the list, texts by their names and files
//! that are dropped on the window begin alike.
//!
//! Invariants: a game for one person begins with the level off, since the board would play
//! it instead of the person; that does not change the level of the next game for two.

use bevy::prelude::*;
use firmware_core::games;
use protocol::{Layout, Settings};
use touchboard_host::standing::players;

use super::Shown;

/// The level of a game for two, in which 0 means two people.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsualLevel(pub u8);

impl Default for UsualLevel {
    fn default() -> UsualLevel {
        UsualLevel(1)
    }
}

impl UsualLevel {
    /// The level after a board with these settings: theirs, if they are of a game for two.
    #[must_use]
    pub fn after(self, settings: &Settings, layout: Layout) -> UsualLevel {
        match is_for_two(settings, layout) {
            true => UsualLevel(settings.level),
            false => self,
        }
    }

    /// These settings with the level at which their game begins on this layout.
    #[must_use]
    pub fn of_game(self, settings: Settings, layout: Layout) -> Settings {
        let level = match persons(&settings, layout) {
            1 => 0,
            _ if is_for_two(&settings, layout) => self.0,
            _ => settings.level,
        };
        Settings { level, ..settings }
    }
}

/// True for a game for two in which the board can be one of the two.
fn is_for_two(settings: &Settings, layout: Layout) -> bool {
    let plays = games::about(settings.game).is_some_and(|about| about.board_can_play);
    plays && persons(settings, layout) == 2
}

/// The number of players while the board does not play.
fn persons(settings: &Settings, layout: Layout) -> u8 {
    let settings = Settings {
        level: 0,
        ..*settings
    };
    players(&settings, layout)
}

/// Takes in the level that the board has now.
pub(super) fn note_level(shown: Res<Shown>, mut usual: ResMut<UsualLevel>) {
    if shown.is_changed() && shown.link.answers() {
        let now = usual.after(&shown.status.settings, shown.layout);
        usual.set_if_neq(now);
    }
}

#[cfg(test)]
mod tests {
    use firmware_core::games::number;

    use super::*;

    fn settings(game: u8, level: u8) -> Settings {
        Settings {
            game,
            level,
            ..Settings::default()
        }
    }

    #[test]
    fn a_game_for_one_does_not_change_the_level_of_the_next() {
        let layout = Layout::MALDOO;
        let usual = UsualLevel::default();
        assert_eq!(usual.of_game(settings(number::REVERSI, 0), layout).level, 1);
        let usual = usual.after(&settings(number::REVERSI, 3), layout);
        let usual = usual.after(&settings(number::ISHIDO, 0), layout);
        assert_eq!(usual.of_game(settings(number::ISHIDO, 3), layout).level, 0);
        assert_eq!(usual.of_game(settings(number::SPEEDGO, 0), layout).level, 3);
        let usual = usual.after(&settings(number::REVERSI, 0), layout);
        assert_eq!(usual.of_game(settings(number::SPEEDGO, 1), layout).level, 0);
    }
}

//! How each game is played, in words for a player: its aim, what a touch does, how it
//! ends, and what each mode changes.
//!
//! The words are the project's own and follow the Maldoo manual and the decisions of
//! `firmware-core/RULES.md`. They are on the host because a microcontroller has nobody to
//! tell them to. Invariant: every game of the table has its words, and every mode a line.

#[cfg(test)]
mod numbers;
mod texts;

use firmware_core::games::LAYOUTS_OWN;

/// How one game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HowTo {
    /// What it is about, in a sentence or two.
    pub aim: &'static str,
    /// What a player does and what follows, a sentence or two each.
    pub play: &'static [&'static str],
    /// When it is over, and who has won.
    pub end: &'static str,
    /// What the board does at levels 1-4; for a game that it does not play, why.
    pub level: &'static str,
    /// What the Time button does here.
    pub time: &'static str,
    /// What the Speed button does here.
    pub speed: &'static str,
    /// The modes, from 0 on.
    pub modes: &'static [Mode],
}

impl HowTo {
    /// True if the Speed button does something here.
    #[must_use]
    pub fn has_speed(&self) -> bool {
        self.speed != texts::NO_SPEED
    }

    /// All of it for one mode, a sentence or two a line: what the game is about,
    /// the mode, how it is played, how it ends, and what the settings do.
    pub fn lines(&self, mode: u8) -> impl Iterator<Item = &'static str> {
        let mode = self.modes.get(usize::from(mode)).map(|mode| mode.text);
        let settings = [self.end, self.level, self.time, self.speed];
        std::iter::once(self.aim)
            .chain(mode)
            .chain(self.play.iter().copied())
            .chain(settings)
    }
}

/// What a mode is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// A short name, for a list.
    pub name: &'static str,
    /// What is different in it.
    pub text: &'static str,
    /// True if the Time button does something in it.
    pub has_turn_time: bool,
}

/// How a game for so many players is played that a layout brings with it, as far
/// as that is the same for all of them.
#[must_use]
pub fn of_layouts(players: u8) -> HowTo {
    let [by_itself, for_one, for_two] = texts::OF_LAYOUTS;
    match players {
        0 => by_itself,
        1 => for_one,
        _ => for_two,
    }
}

/// How the game with this number is played; `None` if there is no such game. That
/// which a layout brings with it is as such games are: [`crate::written::how_to`]
/// knows more of it.
#[must_use]
pub fn how_to(game: u8) -> Option<&'static HowTo> {
    if game == LAYOUTS_OWN {
        return texts::OF_LAYOUTS.last();
    }
    let other = || texts::OTHERS.iter().find(|(number, _)| *number == game);
    let text = texts::ALL.get(usize::from(game));
    text.or_else(|| other().map(|(_, text)| text))
}

#[cfg(test)]
mod tests {
    use firmware_core::games;

    use super::*;

    fn all() -> impl Iterator<Item = HowTo> {
        let others = texts::OTHERS.into_iter().map(|(_, text)| text);
        texts::ALL.into_iter().chain(others)
    }

    #[test]
    fn every_game_has_its_text_and_every_mode_a_line() {
        for number in games::BUILT.iter() {
            let about = games::about(number).unwrap();
            let text = how_to(number).unwrap();
            assert_eq!(
                text.modes.len(),
                usize::from(about.modes),
                "modes of {}",
                about.name
            );
        }
        assert_eq!(all().count(), games::BUILT.len());
    }

    #[test]
    fn every_text_is_of_sentences_that_a_small_panel_can_hold() {
        for text in all() {
            let modes = text.modes.iter().map(|mode| mode.text);
            let all = [text.aim, text.end, text.level, text.time, text.speed];
            for sentence in all
                .into_iter()
                .chain(text.play.iter().copied())
                .chain(modes)
            {
                assert!(sentence.ends_with('.'), "no sentence: {sentence}");
                assert!(sentence.len() <= 240, "too long: {sentence}");
            }
        }
    }

    #[test]
    fn the_lines_of_a_mode_are_its_own() {
        let ghost = how_to(1).unwrap();
        let [catch, beside] = [0, 1].map(|mode| ghost.lines(mode).collect::<Vec<_>>());
        assert_eq!(catch.len(), beside.len());
        let differing = catch
            .iter()
            .zip(&beside)
            .filter(|(one, other)| one != other);
        assert_eq!(differing.count(), 1);
        assert!(beside.contains(&ghost.modes[1].text));
    }

    #[test]
    fn no_two_modes_of_a_game_have_the_same_name() {
        for text in all() {
            for (index, mode) in text.modes.iter().enumerate() {
                let earlier = &text.modes[..index];
                assert!(
                    earlier.iter().all(|other| other.name != mode.name),
                    "{}",
                    mode.name
                );
            }
        }
    }
}

//! The built-in game texts as the list of games shows them: each with a picture after a
//! few moves, the number of players, its length, and a sentence.
//!
//! A text is read and played for its picture when the list opens for the first time, one
//! text per picture of the window, so that none takes long. Until then only its name is
//! known; its place in the list is the same.

use std::path::PathBuf;

use bevy::prelude::Resource;
use firmware_core::{AnyBoard, games as core_games};
use protocol::{Button, Input, Layout, Tick};
use touchboard_host::game_names;
use touchboard_host::written::{self, Choice};

use crate::source::Shown;
use crate::workbench::games::{Entry, Picture};

/// The moves before the picture is taken; a small board gets fewer.
const MOVES: usize = 22;
/// A small board gets one move for each this many points.
const POINTS_A_MOVE: usize = 3;
/// Board time after each touch, in which its consequences take effect.
const AFTER_TOUCH_MS: Tick = 60;
/// The time before the picture of a game that plays by itself, in ticks.
const WATCHED_MS: Tick = 6_000;

/// The previews of the built-in texts, in the order of their names.
#[derive(Resource)]
pub struct Library {
    entries: Vec<(Choice, Entry)>,
    /// The names of the texts that are still to be read, in reverse order.
    unread: Vec<&'static str>,
    /// The picture of the layout's own game that was asked for last.
    last: Option<(Layout, Option<Picture>)>,
}

impl Default for Library {
    fn default() -> Library {
        let texts = written::library::TEXTS.iter();
        let entries = texts
            .clone()
            .map(|(name, text)| (choice(name), unread(text)));
        Library {
            entries: entries.collect(),
            unread: texts.rev().map(|(name, _)| *name).collect(),
            last: None,
        }
    }
}

impl Library {
    /// Reads one more text. Returns false if none is left.
    pub fn read_one(&mut self) -> bool {
        let Some(name) = self.unread.pop() else {
            return false;
        };
        let choice = choice(name);
        let Some(place) = self.entries.iter().position(|(of, _)| *of == choice) else {
            return true;
        };
        let text = written::library::text(name).unwrap_or_default();
        let file = choice.file.display().to_string();
        match written::of_text(&file, text, &[]) {
            Ok(game) => {
                let mut entry = Entry::of(core_games::LAYOUTS_OWN, *game.layout);
                entry.picture = picture(*game.layout);
                entry.add_length_of_text(name);
                self.entries[place].1 = entry;
            }
            // A test reads all of them, so no text is wrong; one that a board refuses is
            // left out.
            Err(_) => {
                self.entries.remove(place);
            }
        }
        true
    }

    /// The picture of a game: the recorded one, or else that of the board. Before the first
    /// move, when the board may be empty, a text's game has one that was played for it.
    pub fn picture_of_game(&mut self, entry: &Entry, shown: &Shown) -> Picture {
        let known = entry.picture.clone().filter(|picture| !picture.is_dark());
        let picture = known.unwrap_or_else(|| Picture::of_board(shown));
        let is_played = entry.game == core_games::LAYOUTS_OWN && picture.is_dark();
        let played = is_played.then(|| self.picture_of(shown.layout));
        played.flatten().cloned().unwrap_or(picture)
    }

    /// A picture of the layout's own game after a few moves. It is played when it is asked
    /// for and the last picture was of another layout.
    fn picture_of(&mut self, layout: Layout) -> Option<&Picture> {
        if self.last.as_ref().is_none_or(|(of, _)| *of != layout) {
            self.last = Some((layout, picture(layout)));
        }
        self.last.as_ref()?.1.as_ref()
    }

    /// The previews of all texts; those that are not read yet only have names.
    #[must_use]
    pub fn entries(&self) -> &[(Choice, Entry)] {
        &self.entries
    }
}

/// The choice of the built-in text of this name.
fn choice(name: &str) -> Choice {
    PathBuf::from(format!("{name}.lud")).into()
}

/// The preview of a text that is not read yet: its name and its own description,
/// by which it can be found.
fn unread(text: &str) -> Entry {
    let about = ludemes::text::about(text).unwrap_or_default();
    Entry {
        game: core_games::LAYOUTS_OWN,
        name: game_names::title(text).unwrap_or_default().to_owned(),
        other_names: about.aliases,
        kind: String::new(),
        aim: about.description.unwrap_or_default(),
        play: Vec::new(),
        picture: None,
    }
}

/// A picture of a board on which this game was played for a while, by touches
/// here and there.
fn picture(layout: Layout) -> Option<Picture> {
    let mut board = AnyBoard::new(layout, 1).ok()?;
    for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
        board.input(input, &mut |_, _| ());
    }
    board.advance(AFTER_TOUCH_MS, &mut |_, _| ());
    let moves = MOVES.min(layout.points() / POINTS_A_MOVE);
    for number in 0..moves {
        let legal = board.legal_points();
        let Some(point) = legal.get((number * 7 + 3) % legal.len().max(1)) else {
            board.advance(WATCHED_MS / MOVES as Tick, &mut |_, _| ());
            continue;
        };
        for input in [Input::Touch(*point), Input::Release(*point)] {
            board.input(input, &mut |_, _| ());
            board.advance(AFTER_TOUCH_MS, &mut |_, _| ());
        }
    }
    Some(Picture::of(layout, board.frame()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The games that the board's players do not end.
    const UNMEASURED: [&str; 3] = ["Chess", "Game of Life", "Halma"];

    #[test]
    fn an_unread_text_already_has_its_name_and_place() {
        let mut library = Library::default();
        let names = |library: &Library| -> Vec<String> {
            let entries = library.entries().iter();
            entries.map(|(_, entry)| entry.name.clone()).collect()
        };
        let before = names(&library);
        assert_eq!(before.len(), written::library::TEXTS.len());
        while library.read_one() {}
        assert_eq!(names(&library), before);
    }

    #[test]
    fn every_text_has_a_picture_players_length_and_aim() {
        let mut library = Library::default();
        while library.read_one() {}
        assert_eq!(library.entries().len(), written::library::TEXTS.len());
        for (choice, entry) in library.entries() {
            let picture = entry.picture.as_ref().expect("a picture");
            assert!(!picture.is_dark(), "{choice:?}");
            assert!(entry.kind.contains("play"), "{entry:?}");
            let has_no_length = UNMEASURED.iter().any(|name| *name == entry.name);
            assert_eq!(entry.kind.ends_with(" moves"), !has_no_length, "{entry:?}");
            assert!(entry.aim.ends_with('.'), "{entry:?}");
        }
    }
}

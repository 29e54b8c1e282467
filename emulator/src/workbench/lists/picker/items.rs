//! What the list of games offers: the games of the board, the texts that were opened, and
//! the bundled ones, with a search over all of them.

use bevy::ecs::system::SystemParam;
use bevy::prelude::Res;
use firmware_core::games as core_games;
use touchboard_host::game_names::{AS_A_TEXT, NamedGame, find};
use touchboard_host::written::Choice;

use crate::leaving;
use crate::source::Shown;
use crate::source::written::OpenText;
use crate::workbench::games::Entry;
use crate::workbench::lists::library::Library;
use crate::workbench::orders::BoardSeat;

/// An entry that can be chosen: a game that the board has or can get, or a text.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::workbench) struct Item {
    pub(super) entry: Entry,
    pub(super) text: Option<Choice>,
    /// True for the text of a game that the board has as well.
    pub(super) is_twin: bool,
}

impl Item {
    fn of_text(choice: &Choice, entry: Entry) -> Item {
        Item {
            entry,
            text: Some(choice.clone()),
            is_twin: false,
        }
    }

    /// The item of a text known only by its file.
    fn of_file(choice: &Choice) -> Item {
        let name = choice.file.file_stem().unwrap_or_default();
        let entry = Entry {
            game: core_games::LAYOUTS_OWN,
            name: name.to_string_lossy().into_owned(),
            other_names: Vec::new(),
            kind: choice.file.display().to_string(),
            aim: OPENED.to_owned(),
            play: Vec::new(),
            picture: None,
        };
        Item::of_text(choice, entry)
    }

    /// The name of the game.
    pub(in crate::workbench) fn name(&self) -> &str {
        &self.entry.name
    }

    /// True if the item's game is on the board.
    pub(super) fn is_on(&self, shown: &Shown, text: &OpenText) -> bool {
        let is_its_text = match &self.text {
            Some(choice) => is_played(choice, shown, text),
            None => true,
        };
        is_its_text && self.entry.game == shown.status.settings.game
    }

    /// True if choosing this ends a running game.
    pub(super) fn would_leave(&self, shown: &Shown, text: &OpenText) -> bool {
        leaving::would_leave(&shown.status) && !self.is_on(shown, text)
    }
}

/// True if the board has the game of this text.
fn is_played(choice: &Choice, shown: &Shown, text: &OpenText) -> bool {
    let now = text.choice().map(|now| &now.file);
    shown.roster.has(core_games::LAYOUTS_OWN) && Some(&choice.file) == now
}

/// The games that can be chosen: those of the board, the texts that were opened, and the
/// bundled ones.
#[derive(SystemParam)]
pub(in crate::workbench) struct OfferedGames<'w> {
    pub(super) board: BoardSeat<'w>,
    library: Res<'w, Library>,
    text: Res<'w, OpenText>,
}

impl OfferedGames<'_> {
    /// The items that match the search; all items if it is empty.
    pub(in crate::workbench) fn items(&self, search: &str) -> Vec<Item> {
        let layout = self.board.shown.layout;
        let library = self.library.entries();
        let is_known = |choice: &Choice| library.iter().any(|(known, _)| known.file == choice.file);
        // A built-in text keeps its place in the list while it is on the board.
        let is_in_library = self.text.choice().is_some_and(is_known);
        let is_own = |game: &u8| *game == core_games::LAYOUTS_OWN && is_in_library;
        let games = self.board.games();
        let games = games.iter().filter(|game| !is_own(game));
        let games = games.map(|game| Item {
            entry: Entry::of(game, layout),
            text: None,
            is_twin: false,
        });
        let opened = self.text.opened().iter();
        let opened = opened.filter(|choice| {
            !is_played(choice, &self.board.shown, &self.text) && !is_known(choice)
        });
        let known = library.iter();
        let of_text = |(choice, entry): &(Choice, Entry)| {
            let mut item = Item::of_text(choice, entry.clone());
            let roster = self.board.shown.roster;
            let named = find(&item.entry.name);
            item.is_twin = matches!(named, Some(NamedGame::OfBoard(game)) if roster.has(game));
            if item.is_twin {
                item.entry.name += AS_A_TEXT;
            }
            item
        };
        let all = games
            .chain(opened.map(Item::of_file))
            .chain(known.map(of_text));
        let mut found: Vec<Item> = all.filter(|item| item.entry.has(search)).collect();
        // Chess comes before a game whose rules speak of a chessboard, and Reversi before
        // its text.
        found.sort_by_key(|item| (item.entry.rank(search), item.is_twin));
        found
    }

    pub(super) fn is_on(&self, item: &Item) -> bool {
        item.is_on(&self.board.shown, &self.text)
    }

    pub(super) fn would_leave(&self, item: &Item) -> bool {
        item.would_leave(&self.board.shown, &self.text)
    }
}

/// The note about a text that was opened before.
const OPENED: &str = "A game's text, opened before. It is read again and put on the board.";

//! What a choice on a card can order: another game, other settings, a button of the board.
//!
//! Invariant: a board in this process is replaced if it has no room for what was chosen;
//! another board only gets what it has room for.

use bevy::ecs::system::SystemParam;
use bevy::prelude::{MessageWriter, Res};
use firmware_core::games;
use protocol::{Button, Deed, Input, Layout, Roster, Settings};
use touchboard_host::standing::{Situation, phase, players};

use crate::source::{BoardPlaces, Bring, Shown, UsualLevel, WindowCommand, places};

/// The board, and whether another one can take its place.
#[derive(SystemParam)]
pub struct BoardSeat<'w> {
    /// What the board shows.
    pub shown: Res<'w, Shown>,
    places: Res<'w, BoardPlaces>,
}

impl BoardSeat<'_> {
    /// The games that can be chosen: those of the board and, if the board can be
    /// replaced, all games.
    pub fn games(&self) -> Roster {
        let all = match places::can_bring(&self.places) {
            true => games::BUILT,
            false => self.shown.roster,
        };
        all.or(self.shown.roster.without(games::BUILT))
    }

    /// True if the current board suits a game: it has room for it, and does not have a
    /// layout that was made for another game.
    fn suits(&self, game: u8) -> bool {
        let layout = self.shown.layout;
        let is_square = layout.columns() == layout.rows();
        let made_for = games::about(game).map(|about| (about.made_for)(0));
        let is_its_own = made_for.is_some_and(|sides| Some(sides) == layout.sides());
        let has_room = places::has_room(layout, game, 0);
        has_room && (is_square || is_its_own || !places::can_bring(&self.places))
    }

    /// True if these settings need a larger board, and the board can be replaced.
    pub fn lacks_room(&self, settings: &Settings) -> bool {
        let layout = self.shown.layout;
        places::can_bring(&self.places) && !places::has_room(layout, settings.game, settings.mode)
    }

    /// Why START begins no game on this board, and what does; `None` if it begins
    /// one.
    pub fn why_no_start(&self) -> Option<String> {
        let Settings { game, mode, .. } = self.shown.status.settings;
        let layout = self.shown.layout;
        if places::has_room(layout, game, mode) {
            return None;
        }
        let sides = (games::about(game)?.made_for)(mode);
        let what = match places::can_bring(&self.places) {
            true => "The button above brings one",
            false => "Choose another game",
        };
        let this = layout.sides().map_or_else(
            || "this one is drawn".to_owned(),
            |own| format!("this one has {own}"),
        );
        Some(format!("It needs a board of {sides}, and {this}. {what}."))
    }

    /// False before a game that either the board or a second person may play.
    pub fn is_chosen_against_whom(&self) -> bool {
        let status = &self.shown.status;
        let plays = games::about(status.settings.game).is_some_and(|about| about.board_can_play);
        let is_for_two = players(&status.settings, self.shown.layout) == 2;
        let may_ask = plays && is_for_two && !self.lacks_room(&status.settings);
        phase(status) != Situation::NoGame || !may_ask
    }
}

/// The two ways to change what is on the board: a command, or another board.
#[derive(SystemParam)]
pub struct GameOrders<'w> {
    /// The board as it is now.
    pub board: BoardSeat<'w>,
    /// The commands for the board.
    pub commands: MessageWriter<'w, WindowCommand>,
    level: Res<'w, UsualLevel>,
    bring: MessageWriter<'w, Bring>,
}

impl GameOrders<'_> {
    /// Chooses a game. Replaces the board if it has no room for the game.
    pub fn choose(&mut self, game: u8) {
        let now = self.board.shown.status.settings;
        if game == now.game {
            return;
        }
        let layout = self.board.shown.layout;
        let settings = self.level.of_game(now.for_game(game, 0), layout);
        let has_other_level = settings.level != now.level;
        let stays = self.board.shown.roster.has(game) && self.board.suits(game);
        if stays {
            // The board determines the settings that come with the game.
            self.carry_out(Deed::Choose(game));
            if has_other_level {
                self.carry_out(Deed::Settings(settings));
            }
        } else if has_other_level {
            self.bring.write(Bring::Settings(settings));
        } else {
            self.bring.write(Bring::Game(game));
        }
    }

    /// Changes settings of the chosen game. If a mode is larger than the board, the board
    /// is replaced by one that has room for it.
    pub fn change(&mut self, new: Settings) {
        let old = self.board.shown.status.settings;
        if new.mode != old.mode && self.board.lacks_room(&new) {
            self.replace_board(new);
        } else {
            self.carry_out(Deed::Settings(new));
        }
    }

    /// Replaces the board by one that has room for these settings.
    pub fn replace_board(&mut self, settings: Settings) {
        self.bring.write(Bring::Settings(settings));
    }

    /// Restarts the chosen game on a board of this layout.
    pub fn change_layout(&mut self, layout: Layout) {
        let seed = self.board.places.current.seed.unwrap_or_default();
        let settings = self.board.shown.status.settings;
        self.carry_out(Deed::Reset { seed, layout });
        self.carry_out(Deed::Settings(settings));
    }

    /// Presses a button of the board and lets go of it.
    pub fn press(&mut self, button: Button) {
        for input in [Input::Press(button), Input::Lift(button)] {
            self.carry_out(Deed::Input(input));
        }
    }

    /// Sends a deed to the board.
    pub fn carry_out(&mut self, deed: Deed) {
        self.commands.write(WindowCommand::Do(deed));
    }
}

//! Commands that change the board, and why it refuses them.

use std::path::Path;

use firmware_core::games;
use protocol::{
    Button, Deed, Event, GridSize, Input, KnownLayout, Layout, Point, Position, Refusal, Roster,
    StampedEvent, Stop, Tick,
};
use touchboard_host::touches::{why_at, why_for_a_script};
use touchboard_host::{DriverError, position, standing, words, written};

use super::{Shell, is_silent};
use crate::answer::{self, Extra, NO_GAME};
use crate::command::{HOLD_MS, LayoutArgument, SettingsChange};
use crate::error::ShellError;
use crate::state_file::StateFile;
use crate::{Answers, remark};

impl Shell<'_> {
    /// Carries out `down`, lets time pass, and carries out `up`.
    pub(super) fn hold(&mut self, down: Input, ms: Tick, up: Input) -> Result<(), DriverError> {
        self.driver.step(&[down], ms)?;
        self.driver.step(&[up], 0)
    }

    /// Touches a point for a moment.
    pub(super) fn tap(&mut self, point: Point) -> Result<(), DriverError> {
        let moment = self.moment();
        self.hold(Input::Touch(point), HOLD_MS, Input::Release(point))?;
        self.remark_in_vain(point, moment)
    }

    /// Puts a finger on a point.
    pub(super) fn touch(&mut self, point: Point) -> Result<(), DriverError> {
        let moment = self.moment();
        self.driver.step(&[Input::Touch(point)], 0)?;
        self.remark_in_vain(point, moment)
    }

    /// Presses a button. If it is Start and the game cannot start, that is an error.
    pub(super) fn press(&mut self, button: Button, ms: Tick) -> Result<(), ShellError> {
        self.take_events();
        let before = self.memory.events.len();
        self.hold(Input::Press(button), ms, Input::Lift(button))?;
        self.take_events();
        let mut new = self.memory.events.iter().skip(before);
        if !new.any(|event| event.event == Event::Stopped(Stop::Impossible)) {
            return Ok(());
        }
        let settings = self.driver.status()?.settings;
        let game = written::game_name(settings.game, self.driver.layout());
        let about = games::about(settings.game);
        let made_for = |mode| about.map_or(GridSize::MALDOO, |about| (about.made_for)(mode));
        let wanted = made_for(settings.mode);
        let game = match wanted == made_for(0) {
            true => game,
            false => format!("mode {} of {game}", Roster::letter(settings.mode)),
        };
        Err(ShellError::Bad(match self.driver.layout() {
            Layout::Grid(sides) => format!(
                "{game} does not fit a {sides} board: choose another game, or a larger layout with `reset {wanted}`"
            ),
            Layout::Drawn { .. } => format!(
                "{game} needs a rectangular board: choose another game, or a rectangular layout with `reset {wanted}`"
            ),
        }))
    }

    /// Passes the turn. If the rules forbid that, the only effect on the board is the
    /// sound for an error.
    pub(super) fn pass(&mut self) -> Result<(), ShellError> {
        self.take_events();
        self.driver.step(&[Input::Pass], 0)?;
        if self.take_events() {
            return Ok(());
        }
        let status = self.driver.status()?;
        Err(ShellError::Bad(if status.score.is_none() {
            format!("no turn can be given away: {NO_GAME}")
        } else if status.outcome.is_some() {
            "no turn can be given away: the game is over".to_owned()
        } else if status.paused {
            "no turn can be given away: the game is paused, `press stop` resumes it".to_owned()
        } else if answer::is_boards_turn(&status) {
            "the turn cannot be given away: it is the board's own".to_owned()
        } else if standing::has_no_pass(&status.settings) {
            "the turn cannot be given away: the rules do not allow it, there is no pass in this game"
                .to_owned()
        } else {
            "the turn cannot be given away: the rules do not allow it now".to_owned()
        }))
    }

    /// Sets up a position of the chosen game. The board refuses without giving reasons.
    pub(super) fn set_up(&mut self, position: Position) -> Result<(), ShellError> {
        let refused = match self.driver.carry_out(&Deed::Position(position.clone())) {
            Err(DriverError::Refused(Refusal::Position)) => Refusal::Position,
            done => return Ok(done?),
        };
        let settings = self.driver.status()?.settings;
        let layout = self.driver.layout();
        let why = position::why_refused(&position, settings.game, settings.mode, layout);
        Err(ShellError::Bad(why.unwrap_or_else(|| refused.to_string())))
    }

    pub(super) fn reset(&mut self, seed: u64, layout: Layout) -> Result<(), DriverError> {
        self.driver.carry_out(&Deed::Reset { seed, layout })?;
        self.memory.seed = seed;
        self.memory.status = self.driver.status()?;
        Ok(())
    }

    /// Resets the board with the same seed, on this layout or on its own.
    pub(super) fn reset_to(&mut self, layout: Option<LayoutArgument>) -> Result<(), ShellError> {
        // Keeps a drawing from a file known until the board has it.
        let layout = match layout {
            None => self.driver.layout().into(),
            Some(LayoutArgument::Layout(layout)) => layout.into(),
            Some(LayoutArgument::File(name)) => self.layout_in(&name)?,
            Some(LayoutArgument::OfGames) => written::without(self.driver.roster()).into(),
        };
        Ok(self.reset(self.memory.seed, *layout)?)
    }

    /// The layout in the file with this name.
    fn layout_in(&self, name: &str) -> Result<KnownLayout, ShellError> {
        (self.memory.read_layout)(name).map_err(ShellError::bad)
    }

    /// Chooses the game first, because the board then selects its settings; then sets the
    /// named settings together.
    pub(super) fn set(&mut self, change: &SettingsChange) -> Result<Extra, ShellError> {
        let mut settings = self.driver.status()?.settings;
        if let Some(mode) = change.mode {
            let checked = words::check_mode(change.game.unwrap_or(settings.game), mode);
            checked.map_err(ShellError::bad)?;
        }
        let mut is_inserted = false;
        if let Some(text) = change.text {
            is_inserted = self.insert_text(text)?;
            settings = self.driver.status()?.settings;
        }
        let before = settings;
        if let Some(why) = change
            .game
            .and_then(|game| words::why_not_here(game, self.driver.roster()))
        {
            return Err(ShellError::Bad(why));
        }
        if let Some(game) = change.game
            && game != settings.game
        {
            self.driver.carry_out(&Deed::Choose(game))?;
            settings = self.driver.status()?.settings;
        }
        let wanted = protocol::Settings {
            game: settings.game,
            time: change.time.unwrap_or(settings.time),
            speed: change.speed.unwrap_or(settings.speed),
            level: change.level.unwrap_or(settings.level),
            mode: change.mode.unwrap_or(settings.mode),
        };
        if wanted != settings {
            self.driver.carry_out(&Deed::Settings(wanted))?;
        }
        if self.memory.answers != Answers::Json {
            self.memory.remark = remark::of_no_effect(change, &before, &wanted);
        }
        Ok(if wanted == before && !is_inserted {
            Extra::AsBefore
        } else {
            Extra::None
        })
    }

    /// Puts a built-in text on the board, unless it is there already. True if it was not.
    fn insert_text(&mut self, text: &str) -> Result<bool, ShellError> {
        // Keeps the drawing known until the board has it.
        let layout = self.layout_in(&format!("{text}.lud"))?;
        let is_new = self.driver.layout() != *layout;
        if is_new {
            self.reset(self.memory.seed, *layout)?;
        }
        Ok(is_new)
    }

    pub(super) fn save(&mut self, path: &Path) -> Result<(), ShellError> {
        let file = StateFile {
            layout: self.driver.layout().into(),
            seed: self.memory.seed,
            state: self.driver.save()?,
        };
        file.write(path).map_err(ShellError::bad)
    }

    pub(super) fn load(&mut self, path: &Path) -> Result<(), ShellError> {
        let file = StateFile::read(path).map_err(ShellError::bad)?;
        let own = self.driver.layout();
        self.driver.load(&file.state).map_err(|error| {
            let hint = if file.layout == own {
                String::new()
            } else {
                format!(" (it is of a {} board, this one is {own})", file.layout)
            };
            ShellError::Bad(format!("cannot load {}{hint}: {error}", path.display()))
        })?;
        self.memory.seed = file.seed;
        // The board reports no event for these settings.
        self.memory.status = self.driver.status()?;
        Ok(())
    }

    /// The number of events so far, and the tick.
    pub(super) fn moment(&mut self) -> (usize, Tick) {
        self.take_events();
        (self.memory.events.len(), self.driver.tick())
    }

    /// Explains why a touch had no effect. On a board without a game, this is said once.
    pub(super) fn remark_in_vain(
        &mut self,
        point: Point,
        before: (usize, Tick),
    ) -> Result<(), DriverError> {
        // Faulty sensors may report a finger later or not at all.
        if self.memory.answers == Answers::Json || !self.driver.faults().board.spare_sensors() {
            return Ok(());
        }
        self.take_events();
        let (before, tick) = before;
        let mut new = self.memory.events.iter().skip(before);
        let is_refused = |event: &StampedEvent| matches!(event.event, Event::Illegal { .. });
        if new.clone().any(is_refused) {
            let game = self.memory.status.settings.game;
            // Scripts get the same answer on every board.
            let why = match self.memory.columns {
                Some(_) => why_at(&mut *self.driver, point)?,
                None => why_for_a_script(&mut *self.driver, game, point)?,
            };
            self.memory.remark = why.map(|why| format!("no move: {why}"));
        }
        if new.any(|event| event.tick == tick && !is_silent(event)) {
            self.memory.told_no_game = false;
            return Ok(());
        }
        let status = self.driver.status()?;
        let is_there_a_game = status.score.is_some();
        if is_there_a_game || !self.memory.told_no_game {
            // The answer for a script stays the same.
            let why = match (self.memory.columns, standing::phase(&status)) {
                (Some(_), standing::Situation::Play) => why_at(&mut *self.driver, point)?,
                _ => None,
            };
            let (frame, layout) = (self.driver.frame().clone(), self.driver.layout());
            let remark = remark::of_touch_in_vain(point, &status, &frame, layout, why.as_deref());
            self.memory.remark = Some(remark);
        }
        self.memory.told_no_game = !is_there_a_game;
        Ok(())
    }
}

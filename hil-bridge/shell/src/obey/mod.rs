//! Carries out commands.

use std::io::{self, Write};
use std::path::Path;

use firmware_core::{AnyBoard, games};
use protocol::{
    Button, Deed, Event, GridSize, Input, Layout, Point, Position, Refusal, Roster, StampedEvent,
    Status, Stop, Tick,
};
use touchboard_host::malaka::tale::Tale;
use touchboard_host::piece_cache::PieceCache;
use touchboard_host::pieces::{Pieces, board_of_state};
use touchboard_host::session::TimedItem;
use touchboard_host::signals::SignalReader;
use touchboard_host::touches::{Touches, why_at, why_no_move_at};
use touchboard_host::{Driver, DriverError, position, standing, words, written};

use super::answer::{self, Extra, Heard, NO_GAME, Scene};
use super::command::{HOLD_MS, LayoutOrFile, SettingsChange, ShellCommand};
use super::complete::BoardNames;
use super::error::ShellError;
use super::parse::{check_mode, first_word, parse};
use super::state_file::StateFile;
use super::{AnswerColours, Answers, LayoutReader, ShellOptions, remark};

mod expect;
mod signals;

/// The result of one line.
#[derive(Default)]
pub struct Answer {
    /// The first word of the line; empty if there was nothing to do.
    cmd: String,
    events: Vec<Heard>,
    extra: Extra,
    trouble: Option<ShellError>,
    /// A remark for a person; not an error.
    remark: Option<String>,
    /// News about the line to the board.
    of_line: Vec<String>,
    /// The points that differ from the expectation.
    differing: Vec<Point>,
    /// The name of a picture that the caller should check.
    picture: Option<String>,
    last: bool,
}

impl Answer {
    /// The name of the picture to check, if the line succeeded so far.
    #[must_use]
    pub fn picture(&self) -> Option<&str> {
        let picture = self.picture.as_deref();
        picture.filter(|_| self.trouble.is_none())
    }

    /// Sets the error that the picture differs.
    pub(super) fn is_not_as_pictured(&mut self, trouble: ShellError) {
        self.trouble.get_or_insert(trouble);
    }

    /// The error of the command, if it failed.
    #[must_use]
    pub fn trouble(&self) -> Option<&ShellError> {
        self.trouble.as_ref()
    }

    /// The events on the board, in order.
    pub fn events(&self) -> impl Iterator<Item = &StampedEvent> {
        self.events.iter().map(|heard| &heard.event)
    }

    /// The points that differ from the expectation.
    #[must_use]
    pub fn differing(&self) -> &[Point] {
        &self.differing
    }

    /// True if the command was `quit`.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.last
    }

    /// Adds the line's place, like `line 3`, to the error.
    pub fn place(&mut self, place: &str) {
        let place = format!("{place}: ");
        if let Some(trouble) = &mut self.trouble {
            trouble.sentence_mut().insert_str(0, &place);
        }
        for remark in self.remark.iter_mut().chain(&mut self.of_line) {
            remark.insert_str(0, &place);
        }
    }

    /// Writes the answer. An empty line has none.
    ///
    /// # Errors
    /// Those of the writers.
    pub fn write(
        &self,
        shell: &Shell<'_>,
        output: &mut impl Write,
        errors: &mut impl Write,
    ) -> io::Result<()> {
        let scene = shell.scene();
        let sentence = self.trouble.as_ref().map(ShellError::sentence);
        match shell.memory.answers {
            Answers::Json
                if self.cmd.is_empty() && sentence.is_none() && self.of_line.is_empty() => {}
            Answers::Json => {
                let line = answer::json(&self.cmd, &scene, &self.extra, &self.of_line, sentence);
                writeln!(output, "{line}")?;
                output.flush()?;
            }
            Answers::Plain(paint) => {
                let text = answer::plain(&self.events, &scene, &self.extra, paint);
                output.write_all(text.as_bytes())?;
                output.flush()?;
                let of_line = self.of_line.iter().map(String::as_str);
                let remark = self.remark.as_deref();
                for sentence in of_line.chain(sentence).chain(remark) {
                    writeln!(errors, "{}", scene.for_a_person(sentence, paint))?;
                }
            }
        }
        Ok(())
    }
}

/// A board with the shell's memory of it.
pub struct Shell<'a> {
    driver: &'a mut dyn Driver,
    memory: ShellMemory,
}

/// What the shell remembers from line to line.
pub struct ShellMemory {
    answers: Answers,
    /// The board's seed.
    seed: u64,
    read_layout: LayoutReader,
    /// The latest status of the board.
    status: Status,
    /// Follows a game of Malaka touch by touch.
    tale: Tale,
    /// The events of the current line that have been taken so far.
    events: Vec<StampedEvent>,
    /// Counts events, for signals that are counters.
    counted: SignalReader,
    /// A remark about the current line, for a person.
    remark: Option<String>,
    /// The points that differ from the current line's expectation.
    differing: Vec<Point>,
    /// True once the user was told that no game is running; reset by a game.
    told_no_game: bool,
    /// The width of the user's terminal; `None` for a pipe, whose lines are not wrapped.
    columns: Option<usize>,
}

impl<'a> Shell<'a> {
    /// A shell at a board.
    pub fn new(driver: &'a mut dyn Driver, options: &ShellOptions) -> Shell<'a> {
        // Drops events from before the first command.
        let _ = driver.take_events();
        let status = driver.status().unwrap_or_default();
        let memory = ShellMemory {
            answers: options.answers,
            seed: options.seed,
            read_layout: options.layout,
            tale: Tale::new(driver.layout(), &status.settings),
            status,
            events: Vec::new(),
            counted: SignalReader::new(Vec::new()),
            remark: None,
            differing: Vec::new(),
            told_no_game: false,
            columns: None,
        };
        let mut shell = Shell { driver, memory };
        if shell.memory.status.score.is_some() {
            // If the board does not answer, the first command will report it.
            let _ = shell.follow();
        }
        shell
    }

    /// Continues from the memory of another shell at the same board.
    pub fn resume(driver: &'a mut dyn Driver, memory: ShellMemory) -> Shell<'a> {
        Shell { driver, memory }
    }

    /// Releases the board. [`Shell::resume`] continues later.
    #[must_use]
    pub fn into_memory(self) -> ShellMemory {
        self.memory
    }

    /// The board as `show` draws it, with these points in brackets.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn diagram(&mut self, marked: &[Point]) -> Result<String, ShellError> {
        let pieces = self.pieces()?;
        self.memory.status = self.driver.status()?;
        let paint = match self.memory.answers {
            Answers::Plain(paint) => paint,
            Answers::Json => AnswerColours::Letters,
        };
        let scene = self.scene().marking(marked);
        Ok(answer::board(&scene, pieces.as_ref(), paint))
    }

    /// The greeting for a person.
    #[must_use]
    pub fn greeting(&self) -> String {
        format!(
            "a {} board at {}; `help` lists the commands",
            self.driver.layout(),
            self.driver.at()
        )
    }

    /// Wraps answers for a terminal of this width from now on.
    pub fn is_read_on(&mut self, columns: usize) {
        self.memory.columns = Some(columns);
    }

    /// The names that the board has now.
    #[must_use]
    pub fn board(&self) -> BoardNames {
        BoardNames {
            layout: self.driver.layout(),
            roster: self.driver.roster(),
            game: self.memory.status.settings.game,
        }
    }

    /// The board, to look at it.
    #[must_use]
    pub fn driver(&self) -> &dyn Driver {
        self.driver
    }

    /// Sentences about the line to the board that have already arrived.
    pub fn overhear(&mut self) -> Vec<String> {
        self.driver.overhear()
    }

    /// Carries out one line and returns its answer.
    pub fn line(&mut self, line: &str) -> Answer {
        let cmd = first_word(line).to_owned();
        match parse(line, self.driver.layout()) {
            Ok(None) => Answer::default(),
            Ok(Some(command)) => {
                let last = command == ShellCommand::Quit;
                let is_elsewhere = matches!(
                    command,
                    ShellCommand::Position(_)
                        | ShellCommand::Load(_)
                        | ShellCommand::Seed(_)
                        | ShellCommand::Reset(_)
                );
                let picture = match &command {
                    ShellCommand::Picture(name) => Some(name.clone()),
                    _ => None,
                };
                let result = self.obey(command);
                let mut answer = self.answer(cmd, last, result);
                answer.picture = picture;
                if is_elsewhere && let Err(error) = self.follow() {
                    answer.trouble.get_or_insert(error.into());
                }
                answer
            }
            Err(sentence) => self.answer(cmd, false, Err(ShellError::Bad(sentence))),
        }
    }

    /// The answer to a line that could not be read.
    pub fn unreadable(&mut self, sentence: String) -> Answer {
        self.answer(String::new(), false, Err(ShellError::Bad(sentence)))
    }

    fn answer(&mut self, cmd: String, last: bool, result: Result<Extra, ShellError>) -> Answer {
        let (extra, trouble) = match result {
            Ok(extra) => (extra, None),
            Err(trouble) => (Extra::None, Some(trouble)),
        };
        self.look();
        let needs_status = self.memory.answers == Answers::Json
            || matches!(
                extra,
                Extra::Board(_)
                    | Extra::Legal(_)
                    | Extra::Score
                    | Extra::Best
                    | Extra::Rules
                    | Extra::AsBefore
            );
        let mut answer = Answer {
            cmd,
            events: self.heard(),
            extra,
            trouble,
            remark: self.memory.remark.take(),
            of_line: Vec::new(),
            differing: core::mem::take(&mut self.memory.differing),
            picture: None,
            last,
        };
        if needs_status {
            match self.driver.status() {
                Ok(status) => self.memory.status = status,
                Err(error) => {
                    // The result may be about the earlier board.
                    answer.extra = Extra::None;
                    answer.trouble.get_or_insert(error.into());
                }
            }
        }
        let of_line = self.driver.take_remarks();
        // If the board was lost or replaced, one sentence is enough.
        if !matches!(answer.trouble, Some(ShellError::Lost(_))) {
            answer.of_line = of_line;
        }
        if matches!(&answer.extra, Extra::Legal(touches) if touches.moves.is_empty()) {
            answer.remark = remark::of_no_legal_point(&self.memory.status, self.driver.frame());
        }
        answer
    }

    /// The events of the current line, and the effects of touches.
    fn heard(&mut self) -> Vec<Heard> {
        let events = core::mem::take(&mut self.memory.events).into_iter();
        let hear = |event: StampedEvent| Heard {
            did: self.memory.tale.hear(&event.event),
            event,
        };
        events.map(hear).collect()
    }

    /// Starts to follow a game of Malaka that is already running, and finds the picked-up piece.
    fn follow(&mut self) -> Result<(), DriverError> {
        let settings = &self.memory.status.settings;
        self.memory.tale = match self.memory.answers {
            // Programs get the names of points only.
            Answers::Json => Tale::new(self.driver.layout(), settings),
            Answers::Plain(_) => Tale::on(&mut *self.driver, settings)?,
        };
        Ok(())
    }

    fn scene(&self) -> Scene<'_> {
        Scene::new(self.driver, &self.memory.status).on(self.memory.columns)
    }

    fn obey(&mut self, command: ShellCommand) -> Result<Extra, ShellError> {
        match command {
            ShellCommand::Set(change) => return self.set(&change),
            ShellCommand::Press(button, ms) => self.press(button, ms)?,
            ShellCommand::Down(button) => self.driver.step(&[Input::Press(button)], 0)?,
            ShellCommand::Up(button) => self.driver.step(&[Input::Lift(button)], 0)?,
            ShellCommand::Tap(point) => {
                let moment = self.moment();
                self.hold(Input::Touch(point), HOLD_MS, Input::Release(point))?;
                self.remark_in_vain(point, moment)?;
            }
            ShellCommand::Touch(point) => {
                let moment = self.moment();
                self.driver.step(&[Input::Touch(point)], 0)?;
                self.remark_in_vain(point, moment)?;
            }
            ShellCommand::Release(point) => self.driver.step(&[Input::Release(point)], 0)?,
            ShellCommand::Wait(ticks) => self.driver.step(&[], ticks)?,
            ShellCommand::RunUntil(condition, within_ms) => {
                return self.run_until(&condition, within_ms);
            }
            ShellCommand::Signal(name) => return self.signals(name.as_deref()),
            ShellCommand::Pass => self.pass()?,
            ShellCommand::Position(position) => self.set_up(*position)?,
            ShellCommand::TellPosition => return Ok(Extra::Position(self.position()?)),
            ShellCommand::Save(file) => self.save(Path::new(&file))?,
            ShellCommand::Load(file) => self.load(Path::new(&file))?,
            ShellCommand::Seed(seed) => self.reset(seed, self.driver.layout())?,
            ShellCommand::Reset(layout) => {
                // Keeps a drawing from a file known until the board has it.
                let layout = match layout {
                    None => self.driver.layout().into(),
                    Some(LayoutOrFile::Layout(layout)) => layout.into(),
                    Some(LayoutOrFile::File(name)) => {
                        (self.memory.read_layout)(&name).map_err(ShellError::Bad)?
                    }
                    Some(LayoutOrFile::OfGames) => written::without(self.driver.roster()).into(),
                };
                self.reset(self.memory.seed, *layout)?;
            }
            ShellCommand::Expect(expectation) => self.expect(&expectation)?,
            // The caller handles these.
            ShellCommand::Picture(_) | ShellCommand::Quit => {}
            ShellCommand::Show => return Ok(Extra::Board(self.pieces()?)),
            ShellCommand::Legal => return Ok(Extra::Legal(self.touches()?)),
            ShellCommand::Score => return Ok(Extra::Score),
            ShellCommand::Best => return Ok(Extra::Best),
            ShellCommand::ClearBest => {
                self.driver.clear_best()?;
                return Ok(Extra::Best);
            }
            ShellCommand::Rules => return Ok(Extra::Rules),
            ShellCommand::Hash => return Ok(Extra::Digest(self.driver.digest()?)),
            ShellCommand::Fault(breaking) => return Ok(breaking.obey(self.driver)?),
            ShellCommand::Help(entry) => return Ok(Extra::Help(entry)),
        }
        Ok(Extra::None)
    }

    /// Carries out `down`, lets time pass, and carries out `up`.
    fn hold(&mut self, down: Input, ms: Tick, up: Input) -> Result<(), DriverError> {
        self.driver.step(&[down], ms)?;
        self.driver.step(&[up], 0)
    }

    /// Presses a button. If it is Start and the game cannot start, that is an error.
    fn press(&mut self, button: Button, ms: Tick) -> Result<(), ShellError> {
        self.look();
        let before = self.memory.events.len();
        self.hold(Input::Press(button), ms, Input::Lift(button))?;
        self.look();
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

    /// Takes the new events. True if any of them has an effect that a person sees.
    fn look(&mut self) -> bool {
        if let Some(sensed) = self.driver.take_sensed() {
            let counted = &mut self.memory.counted;
            counted.know_contacts();
            let items = sensed
                .into_iter()
                .map(|stamped| TimedItem::from(stamped).item);
            items.for_each(|item| counted.sense(&item));
        }
        let new = self.driver.take_events();
        self.take_in(new)
    }

    /// Adds events to the answer. True if any of them has an effect that a person sees.
    fn take_in(&mut self, new: Vec<StampedEvent>) -> bool {
        let something = new.iter().any(|event| !is_silent(event));
        for event in &new {
            self.memory.counted.hear(&event.event);
            if let Event::Settings(settings) | Event::Started(settings) = event.event {
                self.memory.status.settings = settings;
            }
        }
        self.memory.events.extend(new);
        something
    }

    /// Passes the turn. If the rules forbid that, the only effect on the board is the sound for an
    /// error.
    fn pass(&mut self) -> Result<(), ShellError> {
        self.look();
        self.driver.step(&[Input::Pass], 0)?;
        if self.look() {
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
    fn set_up(&mut self, position: Position) -> Result<(), ShellError> {
        let refused = match self.driver.carry_out(&Deed::Position(position.clone())) {
            Err(DriverError::Refused(Refusal::Position)) => Refusal::Position,
            done => return Ok(done?),
        };
        let settings = self.driver.status()?.settings;
        let layout = self.driver.layout();
        let why = position::why_refused(&position, settings.game, settings.mode, layout);
        Err(ShellError::Bad(why.unwrap_or_else(|| refused.to_string())))
    }

    /// The number of events so far, and the tick.
    fn moment(&mut self) -> (usize, Tick) {
        self.look();
        (self.memory.events.len(), self.driver.tick())
    }

    /// Explains why a touch had no effect. On a board without a game, this is said once.
    fn remark_in_vain(&mut self, point: Point, before: (usize, Tick)) -> Result<(), DriverError> {
        // Faulty sensors may report a finger later or not at all.
        if self.memory.answers == Answers::Json || !self.driver.faults().board.spare_sensors() {
            return Ok(());
        }
        self.look();
        let (before, tick) = before;
        let mut new = self.memory.events.iter().skip(before);
        let is_refused = |event: &StampedEvent| matches!(event.event, Event::Illegal { .. });
        if new.clone().any(is_refused) {
            let game = self.memory.status.settings.game;
            // Scripts get the same answer on every board.
            let why = match self.memory.columns {
                Some(_) => why_at(&mut *self.driver, point)?,
                None => why_no_move_at(&mut *self.driver, game, point)?,
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

    fn reset(&mut self, seed: u64, layout: Layout) -> Result<(), DriverError> {
        self.driver.carry_out(&Deed::Reset { seed, layout })?;
        self.memory.seed = seed;
        self.memory.status = self.driver.status()?;
        Ok(())
    }

    /// Chooses the game first, because the board then selects its settings; then sets the named
    /// settings together.
    fn set(&mut self, change: &SettingsChange) -> Result<Extra, ShellError> {
        let mut settings = self.driver.status()?.settings;
        if let Some(mode) = change.mode {
            check_mode(change.game.unwrap_or(settings.game), mode)?;
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

    /// Puts a text that comes along on the board, unless it is there. True if it was not.
    fn insert_text(&mut self, text: &str) -> Result<bool, ShellError> {
        // Keeps the drawing known until the board has it.
        let layout = (self.memory.read_layout)(&format!("{text}.lud")).map_err(ShellError::Bad)?;
        let is_new = self.driver.layout() != *layout;
        if is_new {
            self.reset(self.memory.seed, *layout)?;
        }
        Ok(is_new)
    }

    fn save(&mut self, path: &Path) -> Result<(), ShellError> {
        let file = StateFile {
            layout: self.driver.layout().into(),
            seed: self.memory.seed,
            state: self.driver.save()?,
        };
        Ok(file.write(path)?)
    }

    fn load(&mut self, path: &Path) -> Result<(), ShellError> {
        let file = StateFile::read(path)?;
        let own = self.driver.layout();
        self.driver.load(&file.state).map_err(|error| {
            let hint = if file.layout == own {
                String::new()
            } else {
                format!(" (it is of a {} board, this one is {own})", file.layout)
            };
            format!("cannot load {}{hint}: {error}", path.display())
        })?;
        self.memory.seed = file.seed;
        // The board reports no event for these settings.
        self.memory.status = self.driver.status()?;
        Ok(())
    }

    /// The meaning of a touch of each point.
    fn touches(&mut self) -> Result<Touches, DriverError> {
        let status = self.driver.status()?;
        Touches::at(&mut *self.driver, &status)
    }

    /// The pieces on the board, if the lights do not show everything.
    fn pieces(&mut self) -> Result<Option<Pieces>, ShellError> {
        let status = self.driver.status()?;
        let mut look = PieceCache::default();
        Ok(look.at(&mut *self.driver, &status)?.cloned())
    }

    /// The position as it is written in the language.
    fn position(&mut self) -> Result<String, ShellError> {
        let state = self.driver.save()?;
        let board = board_of_state(&state);
        let position = board.as_ref().and_then(position::on);
        position
            .map(|position| position::written_out(&position, self.driver.layout()))
            .ok_or_else(|| ShellError::Bad(no_position(board.as_ref())))
    }
}

/// Why a board has no position.
fn no_position(board: Option<&AnyBoard>) -> String {
    let is_there_a_game = board.is_some_and(|board| board.score().is_some());
    let is_over = board.is_some_and(|board| board.outcome().is_some());
    match (is_there_a_game, is_over) {
        (false, _) => format!("there is no position: {NO_GAME}"),
        (true, true) => "there is no position: the game is over".to_owned(),
        (true, false) => {
            "this position is more than a message carries: use save and load".to_owned()
        }
    }
}

/// True for events that only report an accepted input, and for the beep after an illegal touch.
fn is_silent(event: &StampedEvent) -> bool {
    matches!(
        event.event,
        Event::Taken(_) | Event::Contact(_) | Event::Digest(_) | Event::Bleep(_)
    )
}

//! The state of the mirror, and its actions on the board. It has neither screen nor
//! clock, so that all of it can be tested.

use std::collections::VecDeque;
use std::time::Duration;

use firmware_core::beeper::Sound;
use protocol::{Button, Clock, Event, Input, Point, StampedEvent, Status, Tick};
use touchboard_host::keys::{KeyAction, Spelling};
use touchboard_host::malaka::tale::Tale;
use touchboard_host::palette::Palette;
use touchboard_host::piece_cache::PieceCache;
use touchboard_host::places::{Arrow, Places};
use touchboard_host::recorder::Divergence;
use touchboard_host::{Driver, DriverError, event_words, touches, words};

use super::ability::Ability;

/// How long a key holds a point or a button, in ms of board time: long enough to be seen,
/// and too short for a button to repeat.
pub const KEY_HOLD_MS: Tick = 100;

/// The maximum real time to make up for at once. A board that cannot keep up falls
/// behind, rather than freezing the screen.
const MOST_CATCH_UP: Duration = Duration::from_millis(250);

/// How often the mirror tries to reach a lost board.
const RETRY_AFTER: Duration = Duration::from_millis(500);

/// The number of lines that the log keeps.
const LOG_LINES: usize = 500;

/// The speeds: board time for each 1,000 of real time, slowest first.
const SPEEDS_PERMILLE: [u32; 11] = [
    62, 125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000,
];
const TRUE_SPEED: usize = 4;

/// An action of the user, by key or mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MirrorAction {
    /// Puts a finger on this point.
    Finger(Point),
    /// Slides the finger to this point, or off all points, which lifts it. A mouse that
    /// holds a button keeps holding it.
    Slide(Option<Point>),
    /// Lifts the finger, or releases the mouse on a button.
    Up,
    /// Presses a button with the mouse.
    Hold(Button),
    /// A key was typed. Points and buttons are held for [`KEY_HOLD_MS`].
    Key(KeyAction),
    /// Quits the mirror.
    Quit,
}

/// What covers the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// The list of keys is open.
    Keys,
    /// The rules of the game, scrolled to this line.
    HowTo(u16),
    /// Two boards side by side: [`Mirror::divergence`].
    Boards,
}

/// What is open after the key for `which`: the same key also closes it.
fn other(open: Option<Open>, which: Open) -> Option<Open> {
    let is_open = |open: Open| std::mem::discriminant(&open) == std::mem::discriminant(&which);
    (!open.is_some_and(is_open)).then_some(which)
}

/// An input that is due at a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Due {
    at: Tick,
    input: Input,
}

/// The mirror of one board.
#[derive(Clone, Debug)]
pub struct Mirror {
    /// The latest status of the board.
    pub status: Status,
    /// The point at which the keys touch.
    pub cursor: Point,
    /// The log of events, oldest first.
    pub log: VecDeque<(Tick, String)>,
    /// True while time is frozen.
    pub is_frozen: bool,
    /// What covers the board, if anything.
    pub open: Option<Open>,
    /// The error of the board or its line.
    pub trouble: Option<String>,
    /// The abilities of the terminal.
    pub ability: Ability,
    /// The palette of the mirror.
    pub palette: Palette,
    /// News from another program.
    pub news: Option<String>,
    /// The first difference after the firmware was rebuilt.
    pub divergence: Option<Divergence>,
    /// The pieces on the board.
    pub look: PieceCache,
    /// Follows a game of Malaka touch by touch; `None` until its state is known.
    tale: Option<Tale>,
    /// The board's tick at its latest status.
    status_at: Tick,
    /// The pitch and number of the beeps in the last line of the log.
    bleeps: Option<(u16, u32)>,
    speed: usize,
    /// The part of a point's name typed so far.
    typed: Spelling,
    /// The fraction of a tick that has passed, in millionths.
    part_of_tick: u64,
    /// The input that the mouse holds.
    held: Option<Input>,
    due: Vec<Due>,
    since_trouble: Duration,
    /// How often the log, the pieces or the boards that are compared have changed.
    changes: u64,
}

impl Mirror {
    /// A mirror of this board, at true speed.
    pub fn new(driver: &mut dyn Driver) -> Mirror {
        let mut mirror = Mirror {
            status: Status::default(),
            cursor: Places::new(driver.layout()).middle(),
            log: VecDeque::new(),
            is_frozen: false,
            open: None,
            trouble: None,
            ability: Ability::default(),
            palette: Palette::default(),
            news: None,
            divergence: None,
            look: PieceCache::default(),
            tale: None,
            status_at: 0,
            bleeps: None,
            speed: TRUE_SPEED,
            typed: Spelling::default(),
            part_of_tick: 0,
            held: None,
            due: Vec::new(),
            since_trouble: Duration::ZERO,
            changes: 0,
        };
        mirror.update_status(driver);
        mirror.follow(driver);
        mirror
    }

    /// Starts to follow a game of Malaka that is already running.
    fn follow(&mut self, driver: &mut dyn Driver) {
        self.tale = Tale::on(driver, &self.status.settings).ok();
    }

    /// Board time for each thousand of real time.
    #[must_use]
    pub fn speed_permille(&self) -> u32 {
        SPEEDS_PERMILLE[self.speed]
    }

    /// The running clock at this tick, if there is one.
    #[must_use]
    pub fn clock(&self, tick: Tick) -> Option<Clock> {
        let clock = self.status.clock?;
        if self.status.paused {
            return Some(clock);
        }
        let since = tick.saturating_sub(self.status_at);
        Some(clock.after(u32::try_from(since).unwrap_or(u32::MAX)))
    }

    /// True if a finger or a key is on this point.
    #[must_use]
    pub fn touches(&self, point: Point) -> bool {
        self.holds(Input::Touch(point), Input::Release(point))
    }

    /// True if the game restricts where the next mark may be made, and this point is
    /// among those.
    #[must_use]
    pub fn is_open(&self, point: Point) -> bool {
        let sign = self.look.pieces().and_then(|pieces| pieces.sign(point));
        sign == Some('+')
    }

    /// True if the mouse or a key is on this button.
    #[must_use]
    pub fn presses(&self, button: Button) -> bool {
        self.holds(Input::Press(button), Input::Lift(button))
    }

    /// The inputs that the mouse and the keys hold, each as the one that holds or ends it.
    pub(super) fn inputs(&self) -> impl Iterator<Item = Input> {
        self.held
            .into_iter()
            .chain(self.due.iter().map(|due| due.input))
    }

    /// A number that grows whenever the log, the pieces or the boards that are compared
    /// may have changed.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    fn holds(&self, down: Input, up: Input) -> bool {
        self.held == Some(down) || self.due.iter().any(|due| due.input == up)
    }

    /// Lets as much board time pass as real time has passed, at the chosen speed.
    pub fn pass_time(&mut self, driver: &mut dyn Driver, elapsed: Duration) {
        if self.trouble.is_some() {
            self.since_trouble += elapsed;
            if self.since_trouble >= RETRY_AFTER {
                self.since_trouble = Duration::ZERO;
                self.update_status(driver);
            }
            return;
        }
        if self.is_frozen {
            return;
        }
        let elapsed = elapsed.min(MOST_CATCH_UP).as_micros() as u64;
        self.part_of_tick += elapsed * u64::from(self.speed_permille());
        let ticks = self.part_of_tick / 1_000_000;
        self.part_of_tick %= 1_000_000;
        self.advance(driver, ticks);
    }

    /// Carries out an action of the user.
    pub fn act(&mut self, driver: &mut dyn Driver, action: MirrorAction) {
        match action {
            MirrorAction::Finger(point) => self.touch(driver, point),
            MirrorAction::Slide(_) if matches!(self.held, Some(Input::Press(_))) => {}
            MirrorAction::Slide(Some(point)) => self.touch(driver, point),
            MirrorAction::Slide(None) => self.up(driver),
            MirrorAction::Up => self.up(driver),
            MirrorAction::Hold(button) => {
                self.up(driver);
                self.held = Some(Input::Press(button));
                self.step(driver, &[Input::Press(button)], 0);
            }
            MirrorAction::Key(action) => self.key(driver, action),
            MirrorAction::Quit => {}
        }
    }

    fn key(&mut self, driver: &mut dyn Driver, action: KeyAction) {
        let layout = driver.layout();
        let mut typed = std::mem::take(&mut self.typed);
        match action {
            KeyAction::Move(arrow) if let Some(Open::HowTo(line)) = &mut self.open => match arrow {
                Arrow::Up => *line = line.saturating_sub(1),
                Arrow::Down => *line = line.saturating_add(1),
                Arrow::Left | Arrow::Right => {}
            },
            KeyAction::Press(button) => {
                self.hold(driver, Input::Press(button), Input::Lift(button))
            }
            KeyAction::Pass => self.step(driver, &[Input::Pass], 0),
            KeyAction::Move(arrow) => self.go_to(Places::new(layout).next(self.cursor, arrow)),
            KeyAction::Column(column) => {
                self.go_to(typed.letter(layout, self.cursor, column));
                self.typed = typed;
            }
            KeyAction::Digit(digit) => {
                self.go_to(typed.digit(layout, self.cursor, digit));
                self.typed = typed;
            }
            KeyAction::Touch => {
                let point = self.cursor;
                self.hold(driver, Input::Touch(point), Input::Release(point));
            }
            KeyAction::Freeze => self.is_frozen = !self.is_frozen,
            KeyAction::Step(ticks) => {
                self.is_frozen = true;
                self.advance(driver, ticks);
            }
            KeyAction::Faster => self.speed = (self.speed + 1).min(SPEEDS_PERMILLE.len() - 1),
            KeyAction::Slower => self.speed = self.speed.saturating_sub(1),
            KeyAction::Keys => self.open = other(self.open, Open::Keys),
            KeyAction::HowTo => self.open = other(self.open, Open::HowTo(0)),
            KeyAction::Close => self.open = None,
        }
    }

    /// Limits scrolling to the `hidden` lines of the game's rules that do not fit.
    pub fn reads_at_most(&mut self, hidden: u16) {
        if let Some(Open::HowTo(line)) = &mut self.open {
            *line = hidden.min(*line);
        }
    }

    /// Lifts all fingers, so that none stays on the board afterwards.
    pub fn let_go(&mut self, driver: &mut dyn Driver) {
        self.up(driver);
        let ups: Vec<Input> = self.due.drain(..).map(|due| due.input).collect();
        if !ups.is_empty() {
            self.step(driver, &ups, 0);
        }
    }

    fn go_to(&mut self, point: Option<Point>) {
        self.cursor = point.unwrap_or(self.cursor);
    }

    fn touch(&mut self, driver: &mut dyn Driver, point: Point) {
        if self.held == Some(Input::Touch(point)) {
            return;
        }
        self.up(driver);
        self.cursor = point;
        self.held = Some(Input::Touch(point));
        self.step(driver, &[Input::Touch(point)], 0);
    }

    fn up(&mut self, driver: &mut dyn Driver) {
        let up = match self.held.take() {
            Some(Input::Touch(point)) => Input::Release(point),
            Some(Input::Press(button)) => Input::Lift(button),
            _ => return,
        };
        self.step(driver, &[up], 0);
    }

    /// Presses now, and releases after a while. A key that is typed again meanwhile is a
    /// second touch.
    fn hold(&mut self, driver: &mut dyn Driver, down: Input, up: Input) {
        let before = self.due.len();
        self.due.retain(|due| due.input != up);
        if self.due.len() < before {
            self.step(driver, &[up], 0);
        }
        self.step(driver, &[down], 0);
        let at = driver.tick().saturating_add(KEY_HOLD_MS);
        self.due.push(Due { at, input: up });
    }

    /// Lets ticks pass, and carries out the inputs that are due.
    fn advance(&mut self, driver: &mut dyn Driver, ticks: Tick) {
        let end = driver.tick().saturating_add(ticks);
        while let Some(index) = self.next_due(end) {
            let due = self.due.remove(index);
            let wait = due.at.saturating_sub(driver.tick());
            self.step(driver, &[], wait);
            self.step(driver, &[due.input], 0);
        }
        let rest = end.saturating_sub(driver.tick());
        if rest > 0 && self.trouble.is_none() {
            self.step(driver, &[], rest);
        }
    }

    fn next_due(&self, end: Tick) -> Option<usize> {
        let due = self.due.iter().enumerate().filter(|(_, due)| due.at <= end);
        due.min_by_key(|(_, due)| due.at).map(|(index, _)| index)
    }

    fn step(&mut self, driver: &mut dyn Driver, inputs: &[Input], ticks: Tick) {
        match driver.step(inputs, ticks) {
            Ok(()) => self.take_events(driver),
            Err(error) => self.fail(driver, &error),
        }
    }

    /// Adds events to the log, except settings, which are always visible. Updates the
    /// status if it may have changed.
    fn take_events(&mut self, driver: &mut dyn Driver) {
        self.listen(driver);
        let events = driver.take_events();
        for StampedEvent { tick, event, .. } in &events {
            if let Event::Settings(settings) | Event::Started(settings) = event {
                self.status.settings = *settings;
            }
            let did = self.tale.as_mut().and_then(|tale| tale.follow(event));
            match event {
                Event::Settings(_) => {}
                Event::Part { side, .. } | Event::Move { side, .. } if let Some(did) = &did => {
                    self.note(*tick, event_words::touch(*side, did));
                }
                Event::Bleep(pitch_hz) => self.note_bleep(*tick, *pitch_hz),
                _ => {
                    let words = event_words::event(event, &self.status.settings, driver.layout());
                    if let Some(mut words) = words {
                        if let Event::Illegal { point, .. } = event {
                            words += &self.why_no_move(driver, *point);
                        }
                        self.note(*tick, words);
                    }
                }
            }
        }
        if !events.is_empty() {
            self.changes += 1;
            self.update_status(driver);
        }
    }

    /// Why a touch was not a move, to add to the message. Empty if only the rules know,
    /// or if the board is lost, which the next request will report.
    fn why_no_move(&self, driver: &mut dyn Driver, point: Point) -> String {
        let why = touches::why_at(driver, point);
        why.ok()
            .flatten()
            .map_or(String::new(), |why| format!(": {why}"))
    }

    /// Combines consecutive beeps into one line.
    fn note_bleep(&mut self, tick: Tick, pitch_hz: u16) {
        let before = self.bleeps.filter(|(before, _)| *before == pitch_hz);
        let times = before.map_or(1, |(_, times)| times.saturating_add(1));
        let mut words = words::bleeps(pitch_hz, times);
        if pitch_hz == Sound::Nothing.hz() {
            words += ": that touch means nothing";
        }
        match self.log.back_mut().filter(|_| before.is_some()) {
            Some((_, last)) => *last = words,
            None => self.note(tick, words),
        }
        self.bleeps = Some((pitch_hz, times));
    }

    fn update_status(&mut self, driver: &mut dyn Driver) {
        match driver.status() {
            Ok(status) => {
                self.status = status;
                self.status_at = driver.tick();
                // If it fails, the lights are still shown.
                let _ = self.look.at(driver, &self.status);
                let said = self.listen(driver);
                if self.trouble.take().is_some() {
                    // The board or the game may be a different one.
                    self.follow(driver);
                    if !said {
                        self.note(driver.tick(), "the board is there again".to_owned());
                    }
                }
            }
            Err(error) => self.fail(driver, &error),
        }
    }

    /// Adds remarks about the line to the log; true if there were any.
    fn listen(&mut self, driver: &mut dyn Driver) -> bool {
        if let Some(rerun) = driver.take_rerun() {
            self.open = match rerun.first {
                Some(_) => Some(Open::Boards),
                None => self.open.filter(|open| *open != Open::Boards),
            };
            self.divergence = rerun.first;
            self.changes += 1;
        }
        let remarks = driver.take_remarks();
        let said = !remarks.is_empty();
        for remark in remarks {
            self.note(driver.tick(), remark);
        }
        said
    }

    fn fail(&mut self, driver: &mut dyn Driver, error: &DriverError) {
        self.listen(driver);
        self.trouble = Some(error.to_string());
        if matches!(error, DriverError::Restarted(_)) {
            // Held inputs belong to the earlier run.
            self.held = None;
            self.due.clear();
        }
        if !driver.layout().has(self.cursor) {
            self.cursor = Point(0);
        }
    }

    fn note(&mut self, tick: Tick, words: String) {
        self.bleeps = None;
        if self.log.len() >= LOG_LINES {
            self.log.pop_front();
        }
        self.log.push_back((tick, words));
        self.changes += 1;
    }
}

//! The board: panel, referee and game in one.
//!
//! Inputs take effect in the tick in which they arrive. [`Board::advance`] lets time
//! pass from one event to the next, so a tick without events costs nothing.
//!
//! Invariants: `advance(n)` equals `n` times `advance(1)`; a saved and loaded board
//! continues like the original; [`Board::frame`] is what the board shows at
//! [`Board::tick`].

use postcard::experimental::max_size::MaxSize;
use protocol::{
    Button, DISPLAY_CHARACTERS, Deed, Drawing, Event, Frame, Input, Layout, Point, Position,
    Refusal, Roster, Settings, Stop, Text, Tick,
};

use crate::beeper::{Beeper, Sound};
use crate::event_sink::EventSink;
use crate::games;
use crate::ground::Ground;
use crate::panel::{Change, Notice};
use crate::referee::{BoardAccess, EVENTS_OF_A_START, Referee};
use crate::word::Word;

use snapshot::{DIGEST_BYTES, State};
pub use snapshot::{SNAPSHOT_BYTES, origin_of_snapshot};

mod queries;
mod snapshot;

/// The room for the events of a position, which are reported once it is accepted.
const EVENTS_OF_A_POSITION: usize = 16;

// No event of a position is dropped for want of room.
const _: () = assert!(EVENTS_OF_A_START <= EVENTS_OF_A_POSITION);

/// A touch board whose layout fits `W`, as after power-on, however it was begun:
///
/// | function | the board |
/// | --- | --- |
/// | [`Board::new`] | on a layout, with the usual games |
/// | [`Board::with_games`] | on a layout, with other games |
/// | [`Board::restart`] | as `with_games`, in place |
/// | [`Board::restart_on_drawing`] | the same for a drawing that the program does not know |
/// | [`Deed::Reset`] | the same with its present games, as a host asks for it |
///
/// A board is large: a chip creates a blank one in its memory and restarts it there.
#[derive(Clone, Debug)]
pub struct Board<W: Word> {
    ground: Ground<W>,
    state: State<W>,
    frame: Frame,
}

impl<W: Word> Board<W> {
    const FITS: () = assert!(State::<W>::POSTCARD_MAX_SIZE + DIGEST_BYTES <= SNAPSHOT_BYTES);

    /// A board with the usual games ([`games::ROSTER`]); `None` if `W` is too narrow for
    /// the layout.
    #[must_use]
    pub fn new(layout: Layout, seed: u64) -> Option<Self> {
        Board::with_games(layout, games::ROSTER, seed).ok()
    }

    /// A board with those of these games that are in this build.
    ///
    /// # Errors
    /// As [`Ground::of`].
    // A board is large, and each change of the type that wraps it copies it on the stack:
    // so it is wrapped once.
    pub fn with_games(layout: Layout, roster: Roster, seed: u64) -> Result<Self, Refusal> {
        let () = Self::FITS;
        let ground = Ground::of(layout)?;
        let mut board = Board {
            state: State::new(layout, games::on(&ground, roster), seed),
            ground,
            frame: Frame::default(),
        };
        board.repaint(&mut |_, _| {});
        Ok(board)
    }

    /// A board without points and games, to be [restarted](Board::restart) in place.
    #[inline(always)]
    pub(crate) fn blank() -> Self {
        Board {
            state: State::new(Layout::MALDOO, Roster::NONE, 0),
            ground: Ground::NOTHING,
            frame: Frame::default(),
        }
    }

    /// Resets to the state after power-on, on this layout and with these games.
    ///
    /// # Errors
    /// As [`Ground::of`]; then nothing is changed.
    #[inline(never)]
    pub fn restart(&mut self, layout: Layout, roster: Roster, seed: u64) -> Result<(), Refusal> {
        self.ground = Ground::of(layout)?;
        self.restart_here(roster, seed);
        Ok(())
    }

    /// Resets to the state after power-on, on this drawing and with these games. The board
    /// keeps a copy of the drawing.
    ///
    /// # Errors
    /// As [`Ground::of_drawing`]; then nothing is changed.
    pub fn restart_on_drawing(
        &mut self,
        drawing: Drawing<'_>,
        roster: Roster,
        seed: u64,
    ) -> Result<(), Refusal> {
        self.ground = Ground::of_drawing(drawing)?;
        self.restart_here(roster, seed);
        Ok(())
    }

    /// Resets to the state after power-on, on the present ground.
    // A separate function, like its callers: a state or a ground is on its stack for a
    // moment, but never both.
    #[inline(never)]
    fn restart_here(&mut self, roster: Roster, seed: u64) {
        let roster = games::on(&self.ground, roster);
        self.state = State::new(self.ground.layout(), roster, seed);
        self.frame = Frame::default();
        self.repaint(&mut |_, _| {});
    }

    /// Carries out a deed at this tick. Besides deeds, only [`Board::restart`],
    /// [`Board::restart_on_drawing`], [`Board::load`] and the passing of time change a board.
    ///
    /// # Errors
    /// A [`Refusal`] if the board cannot carry it out; then nothing is changed.
    pub fn carry_out(&mut self, deed: &Deed, tell: EventSink<'_>) -> Result<(), Refusal> {
        match deed {
            Deed::Input(input) => self.input(*input, tell),
            Deed::Choose(game) => {
                let settings = self.state.panel.remembered(*game);
                return self.set_settings(settings, tell);
            }
            Deed::Settings(settings) => return self.set_settings(*settings, tell),
            Deed::Position(position) => return self.set_position(position, tell),
            Deed::Reset { seed, layout } => return self.reset(*seed, *layout),
        }
        Ok(())
    }

    // A separate function, like `set_position`: a second board is on its stack for a
    // moment.
    #[inline(never)]
    fn reset(&mut self, seed: u64, layout: Layout) -> Result<(), Refusal> {
        if layout != self.ground.layout() {
            self.ground = Ground::of(layout)?;
        }
        self.restart_here(self.roster(), seed);
        Ok(())
    }

    /// Takes an input at this tick, as [`Deed::Input`] does. No board refuses an input.
    pub fn input(&mut self, input: Input, tell: EventSink<'_>) {
        match input {
            Input::Touch(point) => self.touch(point, tell),
            Input::Release(point) => {
                if self.state.layout.has(point) {
                    self.state.fingers.remove(point);
                }
            }
            Input::Press(button) => {
                if self.state.panel.press(button, self.state.tick) {
                    self.press(button, tell);
                }
            }
            Input::Lift(button) => self.state.panel.lift(button),
            Input::Pass => self.with_referee(tell, Referee::pass),
        }
        self.repaint(tell);
    }

    fn touch(&mut self, point: Point, tell: EventSink<'_>) {
        let fresh = self.state.layout.has(point) && !self.state.fingers.has(point);
        if !fresh {
            return;
        }
        self.state.fingers.insert(point);
        let meant = match access(&self.ground, &mut self.state, tell) {
            (Some(referee), mut access) => referee.touch(point, &mut access),
            _ => false,
        };
        if !meant {
            self.state.beeper.sound(Sound::Nothing, self.state.tick);
        }
    }

    /// Handles a button that goes down or repeats.
    fn press(&mut self, button: Button, tell: EventSink<'_>) {
        if let Some(referee) = &mut self.state.referee {
            referee.silence();
        }
        match button {
            Button::Start => self.start(tell),
            Button::Stop => self.with_referee(tell, Referee::pause_or_resume),
            _ => {
                let before = self.settings();
                let change = self
                    .state
                    .panel
                    .turn_up(button, self.state.roster, self.state.tick);
                self.settings_changed(before, change, tell);
            }
        }
    }

    fn settings_changed(&mut self, before: Settings, change: Change, tell: EventSink<'_>) {
        let (tick, settings) = (self.state.tick, self.settings());
        tell(tick, Event::Settings(settings));
        if change == Change::Ends {
            self.stop(Stop::Settings, tell);
        } else if let Some(referee) = &mut self.state.referee {
            referee.put_result_away();
            if before.level != settings.level {
                referee.level_changed();
            }
            referee.time_changed(self.state.panel.turn_time_ms());
        }
    }

    /// Removes the game from the board, and ends its sounds.
    fn stop(&mut self, why: Stop, tell: EventSink<'_>) {
        self.state.beeper = Beeper::default();
        if let Some(referee) = self.state.referee.take()
            && referee.outcome().is_none()
        {
            tell(self.state.tick, Event::Stopped(why));
        }
    }

    fn start(&mut self, tell: EventSink<'_>) {
        self.stop(Stop::Restart, tell);
        self.state.panel.clear_notice();
        self.state.referee = Referee::start(&mut access(&self.ground, &mut self.state, tell).1);
        if self.state.referee.is_none() {
            tell(self.state.tick, Event::Stopped(Stop::Impossible));
            let notice = match self.ground.drawing() {
                Some(_) => Notice::GridOnly,
                None => Notice::TooSmall,
            };
            self.state.panel.show(notice, self.state.tick);
        }
    }

    fn set_settings(&mut self, settings: Settings, tell: EventSink<'_>) -> Result<(), Refusal> {
        let before = self.settings();
        let State {
            panel,
            roster,
            tick,
            ..
        } = &mut self.state;
        let change = panel.set(settings, *roster, *tick)?;
        self.settings_changed(before, change, tell);
        self.repaint(tell);
        Ok(())
    }

    /// Sets up a position of the chosen game and starts it there.
    #[inline(never)]
    fn set_position(&mut self, position: &Position, tell: EventSink<'_>) -> Result<(), Refusal> {
        let before = self.state.rng.clone();
        let mut events: heapless::Vec<(Tick, Event), EVENTS_OF_A_POSITION> = heapless::Vec::new();
        let mut keep = |tick, event| {
            let kept = events.push((tick, event)).is_ok();
            debug_assert!(kept, "EVENTS_OF_A_POSITION is checked when this is built");
        };
        let (_, mut own) = access(&self.ground, &mut self.state, &mut keep);
        let Some(referee) = Referee::position(position, &mut own) else {
            self.state.rng = before;
            return Err(Refusal::Position);
        };
        self.stop(Stop::Restart, tell);
        self.state.panel.clear_notice();
        self.state.referee = Some(referee);
        for (tick, event) in events {
            tell(tick, event);
        }
        self.repaint(tell);
        Ok(())
    }

    /// Lets `ticks` of board time pass and reports the events in them.
    pub fn advance(&mut self, ticks: Tick, tell: EventSink<'_>) {
        let mut left = ticks;
        while left > 0 {
            left -= self.step(left, tell);
        }
    }

    /// Advances to the next moment at which something happens, by at most `most` ticks.
    /// Returns the number of ticks that passed.
    pub fn step(&mut self, most: Tick, tell: EventSink<'_>) -> Tick {
        let now = self.state.tick;
        let end = now.saturating_add(most);
        let wake = self.wakes_at();
        self.state.tick = wake.map_or(end, |at| at.min(end));
        if wake == Some(self.state.tick) {
            self.wake(tell);
        }
        self.state.tick - now
    }

    /// The next tick at which something happens without an input; `None` if nothing will.
    #[must_use]
    pub fn wakes_at(&self) -> Option<Tick> {
        let next = self.state.tick + 1;
        let panel = self.state.panel.wakes_at().map(|at| at.max(next));
        let level = self.settings().level;
        let game = self
            .state
            .referee
            .as_ref()
            .and_then(|referee| referee.wakes_at(self.state.tick, level));
        let beeper = self.state.beeper.wakes_at().map(|at| at.max(next));
        [panel, beeper, game].into_iter().flatten().min()
    }

    fn wake(&mut self, tell: EventSink<'_>) {
        let mut seen = self.state.beeper.wake(self.state.tick);
        if self
            .state
            .panel
            .wakes_at()
            .is_some_and(|at| at <= self.state.tick)
        {
            seen = true;
            if let Some(button) = self.state.panel.wake(self.state.tick) {
                self.press(button, tell);
            }
        }
        if let (Some(referee), mut access) = access(&self.ground, &mut self.state, tell) {
            seen |= referee.wake(&mut access);
        }
        if seen {
            self.repaint(tell);
        }
    }

    fn with_referee(
        &mut self,
        tell: EventSink<'_>,
        what: impl FnOnce(&mut Referee<W>, &mut BoardAccess<'_, W>),
    ) {
        if let (Some(referee), mut access) = access(&self.ground, &mut self.state, tell) {
            what(referee, &mut access);
        }
    }

    /// Updates the frame to what the board shows now.
    fn repaint(&mut self, tell: EventSink<'_>) {
        let tick = self.state.tick;
        let heard_hz = self.frame.beep_hz;
        self.frame.clear(self.ground.layout());
        self.frame.display = self.display();
        if let Some(referee) = &self.state.referee {
            referee.paint(tick, &self.ground, &mut self.frame);
            referee.light_turns(tick, self.state.panel.settings().level, &mut self.frame);
            self.frame.beep_hz = referee.signal_hz(tick);
        }
        // The end signal takes precedence over touch sounds.
        if let (0, Some(hz)) = (self.frame.beep_hz, self.state.beeper.hz()) {
            self.frame.beep_hz = hz;
        }
        let hz = self.frame.beep_hz;
        if hz > 0 && hz != heard_hz {
            tell(tick, Event::Bleep(hz));
        }
    }

    /// The text on the display: a notice if there is one, else the status of the game if
    /// there is one, else the settings.
    fn display(&self) -> Text<DISPLAY_CHARACTERS> {
        if let Some(notice) = self.state.panel.notice(self.name_of_own()) {
            return notice;
        }
        let referee = self.state.referee.as_ref();
        let game = referee.and_then(|referee| referee.display(self.state.tick));
        game.unwrap_or_else(|| self.state.panel.settings_text())
    }

    /// The name of the layout's own game.
    #[must_use]
    pub fn name_of_own(&self) -> Option<&str> {
        #[cfg(feature = "cartridge")]
        return self.ground.game().map(|game| game.cartridge.name());
        #[cfg(not(feature = "cartridge"))]
        return None;
    }
}

/// The parts of a board that a referee borrows, apart from the referee itself.
fn access<'a, W: Word>(
    ground: &'a Ground<W>,
    state: &'a mut State<W>,
    tell: EventSink<'a>,
) -> (Option<&'a mut Referee<W>>, BoardAccess<'a, W>) {
    let access = BoardAccess {
        ground,
        rng: &mut state.rng,
        tick: state.tick,
        panel: &mut state.panel,
        beeper: &mut state.beeper,
        tell,
    };
    (state.referee.as_mut(), access)
}

#[cfg(test)]
mod tests;

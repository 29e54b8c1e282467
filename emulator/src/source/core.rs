//! The board in this process: `firmware-core` itself, by function calls; with a
//! tape of all that was done to it.

use std::time::Duration;

use bevy::platform::time::Instant;
use firmware_core::Faults;
use hil_bridge::session::{Act, Header, Replay, Session};
use hil_bridge::{BridgeError, CoreDriver, Driver};
use protocol::{Event, Input, Layout, Tick};

use super::fingers::Fingers;
use super::tape::{KEYFRAME_MS, Tape};
use super::{Agreement, Link, Order, Pace, Shown, Source};

/// The longest that the board may work for one picture. Only a board that
/// thinks at many times its speed comes near; its time then goes slower than
/// was asked for, and the window stays alive.
const LONGEST_WORK: Duration = Duration::from_millis(5);

/// Ticks between two looks at the real clock.
const STRIDE: Tick = 64;

/// The in-process board.
pub struct InProcess {
    driver: CoreDriver,
    pace: Pace,
    longest_work: Duration,
    /// Board time that real time has brought and that has not passed yet, in
    /// ticks.
    owed: f64,
    fingers: Fingers,
    tape: Tape,
    /// Digests of the tape that were compared.
    compared: u64,
    twin: Agreement,
}

impl InProcess {
    /// This board, whatever state it is in; its time goes by itself from now on.
    ///
    /// # Errors
    /// When its state cannot be read.
    pub fn new(mut driver: CoreDriver) -> Result<InProcess, BridgeError> {
        let board = driver.board();
        let mut header = Header::new(board.layout(), board.seed(), "from the emulator");
        header.state = Some(driver.save()?);
        InProcess::with(driver, Session::new(header))
    }

    /// A board on which this session is played. Whatever a person does to it
    /// ends the playback: the game goes on from there.
    ///
    /// # Errors
    /// When the board cannot begin as the session did.
    pub fn play(mut driver: CoreDriver, session: Session) -> Result<InProcess, BridgeError> {
        Replay::begin(&mut driver, &session.header)?;
        InProcess::with(driver, session)
    }

    fn with(driver: CoreDriver, session: Session) -> Result<InProcess, BridgeError> {
        let fingers = Fingers::new(driver.layout(), Faults::default());
        let mut source = InProcess {
            fingers: fingers.map_err(BridgeError::Open)?,
            driver,
            pace: Pace::default(),
            longest_work: LONGEST_WORK,
            owed: 0.0,
            tape: Tape::new(session),
            compared: 0,
            twin: Agreement::Alone,
        };
        source.keep()?;
        Ok(source)
    }

    /// This board, working as long for each picture as it takes: its time never
    /// lags, as a film needs it.
    #[must_use]
    pub fn unhurried(self) -> InProcess {
        InProcess {
            longest_work: Duration::MAX,
            ..self
        }
    }

    /// This board, with these things wrong.
    ///
    /// # Errors
    /// A sentence that names a point that it does not have.
    pub fn with_faults(self, faults: Faults) -> Result<InProcess, BridgeError> {
        let fingers = Fingers::new(self.driver.layout(), faults);
        Ok(InProcess {
            fingers: fingers.map_err(BridgeError::Open)?,
            ..self
        })
    }

    /// This board, with everything done that its session says.
    ///
    /// # Errors
    /// When the board cannot be driven.
    pub fn at_the_end(mut self) -> Result<InProcess, BridgeError> {
        while let Some(due) = self.tape.due() {
            self.pass(due.saturating_sub(self.driver.tick()).max(1))?;
        }
        Ok(self)
    }

    /// The board itself.
    #[must_use]
    pub fn driver(&self) -> &CoreDriver {
        &self.driver
    }

    /// The board itself, for questions: what is done to it goes over the tape.
    pub(super) fn driver_mut(&mut self) -> &mut CoreDriver {
        &mut self.driver
    }

    /// Lets so many ticks pass.
    pub(super) fn pass_all(&mut self, mut ticks: Tick) -> Result<(), BridgeError> {
        while ticks > 0 {
            ticks -= self.pass(ticks.min(KEYFRAME_MS))?;
        }
        Ok(())
    }

    /// Begins as if just switched on, with a new tape.
    pub(super) fn begin_anew(&mut self, seed: u64, layout: Layout) -> Result<(), BridgeError> {
        self.driver.reset(seed, layout)?;
        let session = Session::new(Header::new(layout, seed, "from the emulator"));
        self.owed = 0.0;
        self.fingers.begin_anew(layout);
        self.twin = Agreement::Alone;
        self.compared = 0;
        self.tape = Tape::new(session);
        self.keep()
    }

    /// Keeps the state of this moment on the tape.
    fn keep(&mut self) -> Result<(), BridgeError> {
        let digest = self.driver.board().digest();
        self.tape
            .keep(self.driver.tick(), self.driver.save()?, digest);
        Ok(())
    }

    /// Lets ticks pass, does what the tape says at each, and returns how many
    /// there were: at least one, at most `most`.
    fn pass(&mut self, most: Tick) -> Result<Tick, BridgeError> {
        let now = self.driver.tick();
        let ticks = match self.tape.due() {
            Some(due) => most.min(due.saturating_sub(now).max(1)),
            None => most,
        };
        self.driver.step(&[], ticks)?;
        self.do_due()?;
        if self.tape.wants_keyframe(self.driver.tick()) {
            self.keep()?;
        }
        Ok(ticks)
    }

    /// [`InProcess::pass`] while fingers are on the board: what they do is done
    /// when its sensors are sure of it.
    fn live(&mut self, most: Tick) -> Result<Tick, BridgeError> {
        if self.fingers.layout() != self.driver.layout() {
            self.fingers.begin_anew(self.driver.layout());
        }
        let most = self.fingers.rest(most);
        let passed = self.pass(most)?;
        let mut felt = Vec::new();
        self.fingers.pass(passed, |input| felt.push(input));
        for input in felt {
            self.act(Act::Input(input))?;
        }
        if self.fingers.power_failed() {
            let (seed, owed) = (self.driver.board().seed(), self.owed);
            self.begin_anew(seed, self.driver.layout())?;
            self.owed = owed;
        }
        Ok(passed)
    }

    /// Does this with fingers, and lets so many ticks pass under them.
    pub(super) fn live_all(
        &mut self,
        inputs: &[Input],
        mut ticks: Tick,
    ) -> Result<(), BridgeError> {
        for input in inputs {
            match input {
                Input::Pass => self.act(Act::Input(Input::Pass))?,
                finger => self.fingers.put(*finger),
            }
        }
        while ticks > 0 {
            ticks -= self.live(ticks.min(KEYFRAME_MS))?;
        }
        Ok(())
    }

    /// The fingers over it.
    pub(super) fn fingers(&self) -> &Fingers {
        &self.fingers
    }

    /// The fingers over it.
    pub(super) fn fingers_mut(&mut self) -> &mut Fingers {
        &mut self.fingers
    }

    /// A finger comes or goes, or a host passes.
    fn touch(&mut self, input: Input) -> Result<(), BridgeError> {
        if input == Input::Pass {
            return self.act(Act::Input(input));
        }
        self.fingers.put(input);
        if self.pace.paused {
            return self.settle();
        }
        Ok(())
    }

    /// While time stands still fingers are felt at once.
    fn settle(&mut self) -> Result<(), BridgeError> {
        let mut felt = Vec::new();
        self.fingers.settle(|input| felt.push(input));
        felt.into_iter()
            .try_for_each(|input| self.act(Act::Input(input)))
    }

    /// Does what the tape says of this tick.
    fn do_due(&mut self) -> Result<(), BridgeError> {
        while let Some(entry) = self.tape.take_due(self.driver.tick()) {
            if let Act::Digest(recorded) = entry.act {
                self.compare(entry.tick, recorded);
                continue;
            }
            let begins_anew = matches!(entry.act, Act::Reset { .. } | Act::Load(_));
            // What the board refuses it refused when the session was recorded.
            let _ = carry_out(&mut self.driver, &entry.act);
            if begins_anew {
                self.tape.forget_states();
            }
        }
        Ok(())
    }

    fn compare(&mut self, tick: Tick, recorded: u64) {
        let found = self.driver.board().digest();
        self.compared += 1;
        if let Agreement::Differs(_) = self.twin {
            // The first difference is the one that counts.
        } else if found == recorded {
            self.twin = Agreement::Agrees {
                compared: self.compared,
            };
        } else {
            self.twin = Agreement::Differs(format!(
                "tick {tick}: the digest is {found:016x} here and {recorded:016x} in the session"
            ));
        }
    }

    /// Goes to a moment, back or on, and holds there.
    fn go_to(&mut self, tick: Tick) -> Result<(), BridgeError> {
        self.pace.paused = true;
        self.owed = 0.0;
        if tick < self.driver.tick() {
            // What fingers did last is not done in another time.
            self.fingers.settle(|_| ());
            if let Some(state) = self.tape.wind_back(tick) {
                self.driver.load(state)?;
                self.do_due()?;
            }
            while self.driver.tick() < tick {
                self.pass(tick - self.driver.tick())?;
            }
            // What happened again has been told before.
            self.driver.take_events();
            return Ok(());
        }
        while self.driver.tick() < tick {
            self.live(tick - self.driver.tick())?;
        }
        Ok(())
    }

    /// Does something new, and notes it.
    pub(super) fn act(&mut self, act: Act) -> Result<(), BridgeError> {
        let tick = self.driver.tick();
        carry_out(&mut self.driver, &act)?;
        let jumps = matches!(act, Act::Load(_));
        self.tape.note(tick, act);
        if jumps {
            // The states so far belong to another count of ticks.
            self.tape.forget_states();
            self.keep()?;
        }
        Ok(())
    }
}

/// Does what a session says.
fn carry_out(driver: &mut CoreDriver, act: &Act) -> Result<(), BridgeError> {
    match act {
        Act::Input(input) => driver.step(&[*input], 0),
        Act::Settings(settings) => driver.set_settings(*settings),
        Act::Position(position) => driver.set_position(position),
        Act::Reset { seed, layout } => driver.reset(*seed, *layout),
        Act::Load(state) => driver.load(state),
        Act::Digest(_) | Act::Note(_) | Act::End => Ok(()),
    }
}

impl Source for InProcess {
    fn name(&self) -> String {
        if self.tape.has_more() {
            "in process, replaying".to_owned()
        } else {
            "in process".to_owned()
        }
    }

    fn order(&mut self, order: &Order) -> Result<(), String> {
        let result = match order {
            Order::Input(input) => self.touch(*input),
            Order::Settings(settings) => self.act(Act::Settings(*settings)),
            Order::Position(position) => self.act(Act::Position((**position).clone())),
            Order::Step(ticks) => self.go_to(self.driver.tick() + Tick::from(*ticks)),
            Order::GoTo(tick) => self.go_to(*tick),
            Order::Pace(pace) => {
                self.pace = *pace;
                self.owed = 0.0;
                Ok(())
            }
            Order::Reset { seed, layout } => self.begin_anew(*seed, *layout),
            // It never begins anew by itself.
            Order::BringBack | Order::LeaveIt => Ok(()),
        };
        result.map_err(|error| error.to_string())
    }

    fn preview(&self, shown: &mut Shown) {
        let board = self.driver.board();
        let mut legal = Vec::new();
        board.legal(|point| legal.push(point));
        let mut frame = board.frame().clone();
        self.fingers.darken(&mut frame);
        *shown = Shown {
            layout: board.layout(),
            frame,
            status: board.status(),
            legal,
            pace: self.pace,
            link: Link::Direct,
            twin: self.twin.clone(),
            earliest: self.tape.earliest(),
            latest: self.tape.latest(),
            restarted: None,
            kept: None,
        };
    }

    fn take_remarks(&mut self) -> Vec<String> {
        self.fingers.take_said()
    }

    fn session(&self) -> Result<Session, String> {
        Ok(self.tape.session(self.driver.tick()))
    }

    fn update(
        &mut self,
        elapsed: Duration,
        shown: &mut Shown,
        tell: &mut dyn FnMut(Tick, Event),
    ) -> Result<Tick, String> {
        if !self.pace.paused {
            let board_ms = elapsed.as_secs_f64() * 1000.0 * self.fingers.clock();
            self.owed += board_ms * f64::from(self.pace.speed);
            let began = Instant::now();
            self.do_due().map_err(|error| error.to_string())?;
            while self.owed >= 1.0 {
                let most = (self.owed as Tick).min(STRIDE);
                let passed = self.live(most).map_err(|error| error.to_string())?;
                self.owed -= passed as f64;
                if began.elapsed() > self.longest_work {
                    self.owed = self.owed.fract();
                }
            }
        }
        for stamped in self.driver.take_events() {
            tell(stamped.tick, stamped.event);
        }
        self.preview(shown);
        Ok(self.driver.tick())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Button, Input, Settings};

    fn source() -> InProcess {
        InProcess::new(CoreDriver::new(Layout::MALDOO, 1).unwrap()).unwrap()
    }

    fn update(source: &mut InProcess, ms: u64) -> (Shown, Tick) {
        let mut shown = Shown::default();
        let tick = source
            .update(Duration::from_millis(ms), &mut shown, &mut |_, _| ())
            .unwrap();
        (shown, tick)
    }

    #[test]
    fn real_time_makes_ticks_at_the_chosen_speed() {
        let mut source = source();
        assert_eq!(update(&mut source, 16).1, 16);
        let pace = Pace {
            paused: false,
            speed: 2.5,
        };
        source.order(&Order::Pace(pace)).unwrap();
        assert_eq!(update(&mut source, 10).1, 41);
    }

    #[test]
    fn a_paused_board_moves_by_steps_only() {
        let mut source = source();
        let pace = Pace {
            paused: true,
            speed: 1.0,
        };
        source.order(&Order::Pace(pace)).unwrap();
        assert_eq!(update(&mut source, 50).1, 0);
        source.order(&Order::Step(100)).unwrap();
        assert_eq!(update(&mut source, 50).1, 100);
    }

    #[test]
    fn slow_motion_loses_no_fraction_of_a_tick() {
        let mut source = source();
        let pace = Pace {
            paused: false,
            speed: 0.1,
        };
        source.order(&Order::Pace(pace)).unwrap();
        let tick = (0..100).map(|_| update(&mut source, 16).1).last();
        assert!((159..=160).contains(&tick.unwrap()));
    }

    #[test]
    fn a_refused_order_is_a_sentence() {
        let mut source = source();
        let settings = Settings {
            mode: 200,
            ..Settings::default()
        };
        let sentence = source.order(&Order::Settings(settings)).unwrap_err();
        assert!(sentence.contains("mode 200"), "{sentence}");
    }

    #[test]
    fn start_lights_the_first_stones() {
        let mut source = source();
        source
            .order(&Order::Input(Input::Press(Button::Start)))
            .unwrap();
        let (shown, _) = update(&mut source, 5);
        assert!(shown.status.turn.is_some());
        assert_eq!(shown.status.score, source.driver().board().score());
    }

    /// A session in which Start is pressed at tick 30.
    fn session(digest: impl Fn(u64) -> u64) -> Session {
        let mut driver = CoreDriver::new(Layout::MALDOO, 5).unwrap();
        let mut session = Session::new(Header::new(Layout::MALDOO, 5, ""));
        driver.step(&[], 30).unwrap();
        let press = Input::Press(Button::Start);
        session.push(30, Act::Input(press));
        driver.step(&[press], 70).unwrap();
        session.push(100, Act::Digest(digest(driver.board().digest())));
        session.push(150, Act::End);
        session
    }

    fn played(session: Session) -> Shown {
        let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let mut source = InProcess::play(driver, session).unwrap();
        for _ in 0..2 {
            assert_eq!(update(&mut source, 13).0.status.score, None);
        }
        for _ in 0..10 {
            update(&mut source, 13);
        }
        assert_eq!(source.name(), "in process");
        update(&mut source, 0).0
    }

    #[test]
    fn a_session_is_played_in_its_own_time_and_its_digests_are_compared() {
        let shown = played(session(|digest| digest));
        assert!(shown.status.score.is_some());
        assert_eq!(shown.twin, Agreement::Agrees { compared: 1 });
    }

    #[test]
    fn a_picture_of_a_session_is_of_its_end() {
        let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let source = InProcess::play(driver, session(|digest| digest)).unwrap();
        let source = source.at_the_end().unwrap();
        assert_eq!(source.driver().tick(), 100);
        assert_eq!(source.name(), "in process");
    }

    #[test]
    fn a_session_of_another_board_names_the_tick_at_which_it_differs() {
        let shown = played(session(|digest| digest ^ 1));
        let Agreement::Differs(sentence) = shown.twin else {
            panic!("{:?}", shown.twin);
        };
        assert!(sentence.contains("tick 100"), "{sentence}");
    }

    #[test]
    fn a_touch_ends_the_playback_and_the_game_goes_on_from_there() {
        let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let mut source = InProcess::play(driver, session(|digest| digest)).unwrap();
        update(&mut source, 10);
        source
            .order(&Order::Input(Input::Press(Button::Mode)))
            .unwrap();
        for _ in 0..20 {
            update(&mut source, 10);
        }
        assert_eq!(update(&mut source, 0).0.status.score, None);
    }

    fn press(source: &mut InProcess, button: Button) {
        source.order(&Order::Input(Input::Press(button))).unwrap();
        source.order(&Order::Input(Input::Lift(button))).unwrap();
    }

    /// A game of Ghost, five seconds old, that was started at two.
    fn ghost() -> InProcess {
        let mut source = source();
        let settings = Settings {
            game: 1,
            ..Settings::default()
        };
        source.order(&Order::Settings(settings)).unwrap();
        source.order(&Order::Step(2_000)).unwrap();
        press(&mut source, Button::Start);
        source.order(&Order::Step(3_000)).unwrap();
        source
    }

    #[test]
    fn every_moment_is_the_same_again_when_one_goes_back_and_on() {
        let mut source = ghost();
        let digest = |source: &mut InProcess, tick| {
            source.order(&Order::GoTo(tick)).unwrap();
            assert_eq!(source.driver().tick(), tick);
            source.driver().board().digest()
        };
        let last = digest(&mut source, 5_000);
        let ticks = [4_321, 1_999, 2_000, 3_456, 0, 5_000];
        let once = ticks.map(|tick| digest(&mut source, tick));
        let again = ticks.map(|tick| digest(&mut source, tick));
        assert_eq!(once, again);
        assert_eq!(once[5], last);
        assert_ne!(once[0], last);
        let shown = update(&mut source, 0).0;
        assert!(
            matches!(shown.twin, Agreement::Agrees { .. }),
            "{:?}",
            shown.twin
        );
    }

    #[test]
    fn what_is_done_in_the_past_makes_another_future() {
        let mut source = ghost();
        source.order(&Order::GoTo(2_500)).unwrap();
        assert_eq!(source.name(), "in process, replaying");
        press(&mut source, Button::Mode);
        source.order(&Order::GoTo(5_000)).unwrap();
        assert_eq!(source.name(), "in process");
        assert_eq!(update(&mut source, 0).0.status.settings.mode, 1);
    }

    #[test]
    fn what_was_done_replays_elsewhere() {
        let mut source = ghost();
        source.order(&Order::GoTo(2_500)).unwrap();
        press(&mut source, Button::Level);
        source.order(&Order::GoTo(4_000)).unwrap();
        let session = Session::parse(source.session().unwrap().to_text().as_bytes()).unwrap();
        let mut board = CoreDriver::new(Layout::MALDOO, 9).unwrap();
        assert_eq!(session.replay(&mut board, &mut |_| ()).unwrap(), None);
        assert_eq!(board.tick(), 4_000);
        assert_eq!(board.board().digest(), source.driver().board().digest());
    }
}

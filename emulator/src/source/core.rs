//! A board whose time goes only as it is stepped from here; all that is done to it
//! is remembered, so that one can go back in it. The one in this process,
//! `firmware-core` itself, by function calls; and a board that is watched
//! while its firmware is changed.

use std::time::Duration;
use touchboard_links::LinkError;

use bevy::platform::time::Instant;
use firmware_core::Faults;
use protocol::{Deed, Event, Input, Tick};
use touchboard_host::look;
use touchboard_host::recorder::Rerun;
use touchboard_host::session::Session;
use touchboard_host::{CoreDriver, Driver, DriverError, RecordingDriver};
use touchboard_links::{News, RemoteDriver, Watch};

use super::fingers::Fingers;
use super::{Agreement, Link, NOTE, Order, Pace, Shown, Source};

/// The longest that the board may work for one picture. Only a board that
/// thinks at many times its speed comes near; its time then goes slower than
/// was asked for, and the window stays alive.
const LONGEST_WORK: Duration = Duration::from_millis(5);

/// The longest that is waited for a board at the end of a line for one picture:
/// a processor that draws takes longer for it.
const LONGEST_WAIT: Duration = Duration::from_millis(50);

/// Ticks between two looks at the real clock.
const STRIDE: Tick = 64;

/// The in-process board.
pub type InProcess = Stepped<CoreDriver>;

/// A board whose firmware is watched.
pub type Watched = Stepped<RemoteDriver>;

/// Takes in what was seen of a board's firmware, and says what is to be told.
type Look<D> = Box<dyn FnMut(&mut RecordingDriver<D>) -> Vec<News> + Send + Sync>;

/// A board that is stepped.
pub struct Stepped<D> {
    board: RecordingDriver<D>,
    pieces: look::Look,
    name: String,
    link: Link,
    look: Option<Look<D>>,
    /// What was seen of its firmware.
    said: Vec<String>,
    /// What came of it.
    rerun: Option<Rerun>,
    pace: Pace,
    longest_work: Duration,
    /// Board time that real time has brought and that has not passed yet, in
    /// ticks.
    owed: f64,
    fingers: Fingers,
}

impl Watched {
    /// This board, which is exchanged for another one when its firmware changes.
    #[must_use]
    pub fn by(mut watch: Watch, board: RecordingDriver<RemoteDriver>) -> Watched {
        Watched::looked_at(board, move |board| watch.look(board))
    }

    /// This board; with every picture `look` takes in what was seen of its
    /// firmware, and says what is to be told.
    #[must_use]
    pub fn looked_at(
        board: RecordingDriver<RemoteDriver>,
        look: impl FnMut(&mut RecordingDriver<RemoteDriver>) -> Vec<News> + Send + Sync + 'static,
    ) -> Watched {
        let at = board.at().to_owned();
        let name = format!("{at}, watched");
        let mut stepped = Stepped::with(board, &name, Link::Up { board: at });
        stepped.look = Some(Box::new(look));
        stepped.longest_work = LONGEST_WAIT;
        stepped
    }
}

impl InProcess {
    /// This board, whatever state it is in; its time goes by itself from now on.
    ///
    /// # Errors
    /// When its state cannot be read.
    pub fn new(driver: CoreDriver) -> Result<InProcess, DriverError> {
        let seed = driver.board().seed();
        let board = RecordingDriver::from_now(driver, seed, NOTE)?;
        Ok(Stepped::with(board, "simulated", Link::Direct))
    }

    /// A board on which this session is played. Whatever a person does to it
    /// ends the playback: the game goes on from there.
    ///
    /// # Errors
    /// When the board cannot begin as the session did.
    pub fn play(driver: CoreDriver, session: Session) -> Result<InProcess, DriverError> {
        let board = RecordingDriver::replaying(driver, session)?;
        Ok(Stepped::with(board, "simulated", Link::Direct))
    }

    /// The board itself.
    #[must_use]
    pub fn driver(&self) -> &CoreDriver {
        self.board.inner()
    }
}

impl<D: Driver> Stepped<D> {
    fn with(board: RecordingDriver<D>, name: &str, link: Link) -> Stepped<D> {
        Stepped {
            fingers: Fingers::good(board.layout()),
            board,
            name: name.to_owned(),
            link,
            look: None,
            pieces: look::Look::default(),
            said: Vec::new(),
            rerun: None,
            pace: Pace::default(),
            longest_work: LONGEST_WORK,
            owed: 0.0,
        }
    }

    /// This board, working as long for each picture as it takes: its time never
    /// lags, as a film needs it.
    #[must_use]
    pub fn unhurried(self) -> Stepped<D> {
        Stepped {
            longest_work: Duration::MAX,
            ..self
        }
    }

    /// This board, with these things wrong.
    ///
    /// # Errors
    /// A sentence that names a point that it does not have.
    pub fn with_faults(self, faults: Faults) -> Result<Stepped<D>, DriverError> {
        let fingers = Fingers::new(self.board.layout(), faults);
        Ok(Stepped {
            fingers: fingers.map_err(LinkError::open)?,
            ..self
        })
    }

    /// This board, with everything done that its session says, at the tick at which
    /// that ends.
    ///
    /// # Errors
    /// When the board cannot be driven.
    pub fn at_the_end(mut self, end: Tick) -> Result<Stepped<D>, DriverError> {
        self.board.do_due()?;
        loop {
            let tick = self.board.tick();
            let due = self.board.recorder().due();
            let end = Some(end).filter(|end| *end > tick);
            let Some(next) = due.into_iter().chain(end).min() else {
                return Ok(self);
            };
            self.board.pass(next.saturating_sub(tick).max(1))?;
        }
    }

    /// Lets so much real time pass on the board, as far as one picture may.
    fn pass_time(&mut self, elapsed: Duration) -> Result<(), DriverError> {
        let board_ms = elapsed.as_secs_f64() * 1000.0 * self.fingers.clock();
        self.owed += board_ms * f64::from(self.pace.speed);
        let began = Instant::now();
        self.board.do_due()?;
        while self.owed >= 1.0 {
            let most = (self.owed as Tick).min(STRIDE);
            self.owed -= self.live(most)? as f64;
            if began.elapsed() > self.longest_work {
                self.owed = self.owed.fract();
            }
        }
        Ok(())
    }

    /// Goes to a moment, back or on, and holds there.
    fn go_to(&mut self, tick: Tick) -> Result<(), DriverError> {
        self.pace.paused = true;
        self.owed = 0.0;
        if tick < self.board.tick() {
            // What fingers did last is not done in another time.
            self.fingers.settle(|_| ());
            return self.board.go_to(tick);
        }
        while self.board.tick() < tick {
            self.live(tick - self.board.tick())?;
        }
        Ok(())
    }

    /// Lets time pass under the fingers, at most so many ticks: what they do is
    /// done when the sensors are sure of it. Returns the ticks.
    fn live(&mut self, most: Tick) -> Result<Tick, DriverError> {
        if self.fingers.layout() != self.board.layout() {
            self.fingers.begin_anew(self.board.layout());
        }
        let most = self.fingers.rest(most);
        let passed = self.board.pass(most)?;
        let mut felt = Vec::new();
        self.fingers.pass(passed, |input| felt.push(input));
        self.feel(&felt)?;
        if self.fingers.power_failed() {
            let (seed, layout) = (self.board.recorder().seed(), self.board.layout());
            self.do_to_board(&Deed::Reset { seed, layout })?;
        }
        Ok(passed)
    }

    /// Does this to the board itself. On one that begins anew no finger is.
    fn do_to_board(&mut self, deed: &Deed) -> Result<(), DriverError> {
        self.board.carry_out(deed)?;
        if deed.begins_anew() {
            self.fingers.begin_anew(self.board.layout());
        }
        Ok(())
    }

    /// Does what was felt.
    fn feel(&mut self, felt: &[Input]) -> Result<(), DriverError> {
        felt.iter()
            .try_for_each(|input| self.board.carry_out(&Deed::Input(*input)))
    }

    /// A finger comes or goes, or a host passes.
    fn touch(&mut self, input: Input) -> Result<(), DriverError> {
        if input == Input::Pass {
            return self.feel(&[input]);
        }
        self.fingers.put(input);
        if !self.pace.paused {
            return Ok(());
        }
        // While time stands still fingers are felt at once.
        let mut felt = Vec::new();
        self.fingers.settle(|input| felt.push(input));
        self.feel(&felt)
    }

    /// Whether the board is as the session says that is played on it.
    fn agreement(&self) -> Agreement {
        match self.board.compared() {
            (_, Some(mismatch)) => Agreement::Differs(format!(
                "tick {}: the state hash is {:016x} here and {:016x} in the session",
                mismatch.tick, mismatch.found, mismatch.recorded
            )),
            (0, None) => Agreement::Alone,
            (compared, None) => Agreement::Agrees { compared },
        }
    }
}

/// For what is done before the window opens.
impl<D: Driver> Driver for Stepped<D> {
    touchboard_host::forward!(
        board: at, layout, roster, tick, frame, status, legal, digest, save, load, take_events
    );

    fn carry_out(&mut self, deed: &Deed) -> Result<(), DriverError> {
        self.do_to_board(deed)
    }

    fn step(&mut self, inputs: &[Input], mut ticks: Tick) -> Result<(), DriverError> {
        if !self.fingers.are_on_bad_sensors() {
            return self.board.step(inputs, ticks);
        }
        for input in inputs {
            match input {
                Input::Pass => self.feel(&[Input::Pass])?,
                finger => self.fingers.put(*finger),
            }
        }
        while ticks > 0 {
            ticks -= self.live(ticks)?;
        }
        Ok(())
    }

    fn take_remarks(&mut self) -> Vec<String> {
        let mut remarks = self.fingers.take_said();
        remarks.extend(self.board.take_remarks());
        remarks
    }

    fn faults(&self) -> Faults {
        self.fingers.faults().clone()
    }

    fn set_faults(&mut self, faults: Faults) -> Result<(), String> {
        self.fingers.set_faults(faults)
    }
}

impl<D: Driver + Send + Sync> Source for Stepped<D> {
    fn name(&self) -> String {
        if self.board.recorder().has_more() {
            format!("{}, replaying", self.name)
        } else {
            self.name.clone()
        }
    }

    fn order(&mut self, order: &Order) -> Result<(), String> {
        let result = match order {
            Order::Do(deed) => {
                if deed.begins_anew() {
                    self.owed = 0.0;
                }
                match deed {
                    Deed::Input(input) => self.touch(*input),
                    deed => self.do_to_board(deed),
                }
            }
            Order::Step(ticks) => self.go_to(self.board.tick() + Tick::from(*ticks)),
            Order::GoTo(tick) => self.go_to(*tick),
            Order::Pace(pace) => {
                self.pace = *pace;
                self.owed = 0.0;
                Ok(())
            }
            // It never begins anew by itself.
            Order::BringBack | Order::LeaveIt => Ok(()),
        };
        result.map_err(|error| error.to_string())
    }

    fn preview(&mut self, shown: &mut Shown) {
        let answers = self.link.answers();
        let status = answers.then(|| self.board.status().ok()).flatten();
        let legal = answers.then(|| self.board.legal().ok()).flatten();
        let mut frame = self.board.frame().clone();
        self.fingers.darken(&mut frame);
        let pieces =
            status.and_then(|status| self.pieces.at(&mut self.board, &status).ok()?.cloned());
        *shown = Shown {
            layout: self.board.layout(),
            roster: self.board.roster(),
            frame,
            status: status.unwrap_or_default(),
            legal: legal.unwrap_or_default(),
            pieces,
            pace: self.pace,
            link: self.link.clone(),
            twin: self.agreement(),
            earliest: self.board.recorder().earliest(),
            latest: self.board.recorder().latest(),
            restarted: None,
            kept: None,
        };
    }

    fn take_said(&mut self) -> Vec<String> {
        let mut said = std::mem::take(&mut self.said);
        said.extend(self.take_remarks());
        said
    }

    fn take_rerun(&mut self) -> Option<Rerun> {
        self.rerun.take()
    }

    fn session(&self) -> Result<Session, String> {
        Ok(self.board.session())
    }

    fn update(
        &mut self,
        elapsed: Duration,
        shown: &mut Shown,
        tell: &mut dyn FnMut(Tick, Event),
    ) -> Result<Tick, String> {
        if let Some(look) = &mut self.look {
            let news = look(&mut self.board);
            // It may be another one.
            if !news.is_empty() && self.link.is_down() && self.board.status().is_ok() {
                self.link = Link::Up {
                    board: self.board.at().to_owned(),
                };
            }
            for news in news {
                self.said.push(news.to_string());
                if let News::GoesOn(rerun) = news {
                    self.rerun = Some(*rerun);
                }
            }
        }
        if !self.pace.paused
            && self.link.answers()
            && let Err(error) = self.pass_time(elapsed)
        {
            // A board that is lost is not asked again until there is another.
            self.link = Link::Down(error.to_string());
        }
        for stamped in self.board.take_events() {
            tell(stamped.tick, stamped.event);
        }
        self.preview(shown);
        Ok(self.board.tick())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Button, Layout, Settings};
    use touchboard_host::session::{Act, Header};

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
        let sentence = source
            .order(&Order::Do(Deed::Settings(settings)))
            .unwrap_err();
        assert!(sentence.contains("mode 200"), "{sentence}");
    }

    #[test]
    fn start_lights_the_first_stones() {
        let mut source = source();
        source
            .order(&Order::Do(Deed::Input(Input::Press(Button::Start))))
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
        session.push(30, Act::Do(Deed::Input(press)));
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
        assert_eq!(source.name(), "simulated");
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
        let session = session(|digest| digest);
        let end = session.last_tick();
        let source = InProcess::play(driver, session).unwrap();
        let mut source = source.at_the_end(end).unwrap();
        assert_eq!(source.driver().tick(), 150);
        assert_eq!(source.name(), "simulated");
        let shown = update(&mut source, 0).0;
        assert_eq!(shown.twin, Agreement::Agrees { compared: 1 });
    }

    #[test]
    fn what_a_session_does_at_once_is_done_at_once_also_for_a_picture() {
        let mut driver = CoreDriver::new(Layout::MALDOO, 5).unwrap();
        let mut session = Session::new(Header::new(Layout::MALDOO, 5, ""));
        let press = Input::Press(Button::Start);
        session.push(0, Act::Do(Deed::Input(press)));
        driver.step(&[press], 100).unwrap();
        session.push(100, Act::Digest(driver.board().digest()));
        let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let source = InProcess::play(driver, session).unwrap();
        let mut source = source.at_the_end(0).unwrap();
        let shown = update(&mut source, 0).0;
        assert_eq!(shown.twin, Agreement::Agrees { compared: 1 });
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
            .order(&Order::Do(Deed::Input(Input::Press(Button::Mode))))
            .unwrap();
        for _ in 0..20 {
            update(&mut source, 10);
        }
        assert_eq!(update(&mut source, 0).0.status.score, None);
    }

    fn press(source: &mut InProcess, button: Button) {
        source
            .order(&Order::Do(Deed::Input(Input::Press(button))))
            .unwrap();
        source
            .order(&Order::Do(Deed::Input(Input::Lift(button))))
            .unwrap();
    }

    /// A game of Ghost, five seconds old, that was started at two.
    fn ghost() -> InProcess {
        let mut source = source();
        let settings = Settings {
            game: 1,
            ..Settings::default()
        };
        source.order(&Order::Do(Deed::Settings(settings))).unwrap();
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
        assert_eq!(source.name(), "simulated, replaying");
        press(&mut source, Button::Mode);
        source.order(&Order::GoTo(5_000)).unwrap();
        assert_eq!(source.name(), "simulated");
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

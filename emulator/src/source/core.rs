//! The board in this process: `firmware-core` itself, by function calls; and a
//! session that is played on it.

use std::time::Duration;

use bevy::platform::time::Instant;
use hil_bridge::session::{Act, Entry, Replay, Session};
use hil_bridge::{BridgeError, CoreDriver, Driver};
use protocol::{Event, Tick};

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
    playback: Option<Playback>,
    twin: Agreement,
}

/// A session under way: the entries that are left, the next one last.
struct Playback {
    left: Vec<Entry>,
    compared: u64,
}

impl InProcess {
    /// This board, whatever state it is in; its time goes by itself from now on.
    #[must_use]
    pub fn new(driver: CoreDriver) -> InProcess {
        InProcess {
            driver,
            pace: Pace::default(),
            longest_work: LONGEST_WORK,
            owed: 0.0,
            playback: None,
            twin: Agreement::Alone,
        }
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

    /// A board on which this session is played. Whatever a person does to it
    /// ends the playback: the game goes on from there.
    ///
    /// # Errors
    /// When the board cannot begin as the session did.
    pub fn play(mut driver: CoreDriver, session: &Session) -> Result<InProcess, BridgeError> {
        Replay::begin(&mut driver, &session.header)?;
        let left = session.entries.iter().rev().cloned().collect();
        Ok(InProcess {
            playback: Some(Playback { left, compared: 0 }),
            ..InProcess::new(driver)
        })
    }

    /// The board itself.
    #[must_use]
    pub fn driver(&self) -> &CoreDriver {
        &self.driver
    }

    /// Lets ticks pass, does what the session says at each, and returns how
    /// many there were: at least one, at most `most`.
    fn pass(&mut self, most: Tick) -> Result<Tick, BridgeError> {
        let ticks = match &self.playback {
            Some(playback) => match playback.left.last() {
                Some(entry) => most.min(entry.tick.saturating_sub(self.driver.tick()).max(1)),
                None => most,
            },
            None => most,
        };
        self.driver.step(&[], ticks)?;
        self.play_due();
        Ok(ticks)
    }

    /// Does what the session says of this tick.
    fn play_due(&mut self) {
        let Some(playback) = &mut self.playback else {
            return;
        };
        let is_due = |entry: &Entry, tick| entry.tick <= tick;
        while let Some(entry) = playback
            .left
            .pop_if(|entry| is_due(entry, self.driver.tick()))
        {
            // What the board refuses it refused when the session was recorded.
            let _ = match &entry.act {
                Act::Input(input) => self.driver.step(&[*input], 0),
                Act::Settings(settings) => self.driver.set_settings(*settings),
                Act::Position(position) => self.driver.set_position(position),
                Act::Reset { seed, layout } => self.driver.reset(*seed, *layout),
                Act::Load(state) => self.driver.load(state),
                Act::End => Ok(()),
                Act::Digest(recorded) => {
                    let found = self.driver.board().digest();
                    playback.compared += 1;
                    if let Agreement::Differs(_) = self.twin {
                        // The first difference is the one that counts.
                    } else if found == *recorded {
                        self.twin = Agreement::Agrees {
                            compared: playback.compared,
                        };
                    } else {
                        self.twin = Agreement::Differs(format!(
                            "tick {}: the digest is {found:016x} here and {recorded:016x} in the session",
                            entry.tick
                        ));
                    }
                    Ok(())
                }
            };
        }
        if playback.left.is_empty() {
            self.playback = None;
        }
    }
}

impl Source for InProcess {
    fn name(&self) -> String {
        match &self.playback {
            Some(_) => "in process, replaying a session".to_owned(),
            None => "in process".to_owned(),
        }
    }

    fn order(&mut self, order: &Order) -> Result<(), String> {
        let takes_over = !matches!(order, Order::Pace(_) | Order::Step(_));
        if takes_over {
            self.playback = None;
        }
        let result = match order {
            Order::Input(input) => self.driver.step(&[*input], 0),
            Order::Settings(settings) => self.driver.set_settings(*settings),
            Order::Position(position) => self.driver.set_position(position),
            Order::Step(ticks) => {
                let end = self.driver.tick() + Tick::from(*ticks);
                let mut result = Ok(());
                while result.is_ok() && self.driver.tick() < end {
                    result = self.pass(end - self.driver.tick()).map(drop);
                }
                result
            }
            Order::Pace(pace) => {
                self.pace = *pace;
                self.owed = 0.0;
                Ok(())
            }
            Order::Reset { seed, layout } => {
                self.owed = 0.0;
                self.twin = Agreement::Alone;
                self.driver.reset(*seed, *layout)
            }
        };
        result.map_err(|error| error.to_string())
    }

    fn update(
        &mut self,
        elapsed: Duration,
        shown: &mut Shown,
        tell: &mut dyn FnMut(Tick, Event),
    ) -> Result<Tick, String> {
        if !self.pace.paused {
            self.owed += elapsed.as_secs_f64() * 1000.0 * f64::from(self.pace.speed);
            let began = Instant::now();
            self.play_due();
            while self.owed >= 1.0 {
                let most = (self.owed as Tick).min(STRIDE);
                let passed = self.pass(most).map_err(|error| error.to_string())?;
                self.owed -= passed as f64;
                if began.elapsed() > self.longest_work {
                    self.owed = self.owed.fract();
                }
            }
        }
        for stamped in self.driver.take_events() {
            tell(stamped.tick, stamped.event);
        }
        let board = self.driver.board();
        shown.layout = board.layout();
        shown.frame.clone_from(board.frame());
        shown.status = board.status();
        shown.pace = self.pace;
        shown.link = Link::Direct;
        shown.twin = self.twin.clone();
        Ok(board.tick())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Button, Input, Layout, Settings};

    fn source() -> InProcess {
        InProcess::new(CoreDriver::new(Layout::MALDOO, 1).unwrap())
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
        let (shown, _) = update(&mut source, 1);
        assert!(shown.status.turn.is_some());
        assert_eq!(shown.status.score, source.driver().board().score());
    }

    /// A session in which Start is pressed at tick 30.
    fn session(digest: impl Fn(u64) -> u64) -> Session {
        let mut driver = CoreDriver::new(Layout::MALDOO, 5).unwrap();
        let mut session = Session::new(hil_bridge::session::Header::new(Layout::MALDOO, 5, ""));
        driver.step(&[], 30).unwrap();
        let press = Input::Press(Button::Start);
        session.push(30, Act::Input(press));
        driver.step(&[press], 70).unwrap();
        session.push(100, Act::Digest(digest(driver.board().digest())));
        session.push(150, Act::End);
        session
    }

    fn played(session: &Session) -> Shown {
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
        let shown = played(&session(|digest| digest));
        assert!(shown.status.score.is_some());
        assert_eq!(shown.twin, Agreement::Agrees { compared: 1 });
    }

    #[test]
    fn a_session_of_another_board_names_the_tick_at_which_it_differs() {
        let shown = played(&session(|digest| digest ^ 1));
        let Agreement::Differs(sentence) = shown.twin else {
            panic!("{:?}", shown.twin);
        };
        assert!(sentence.contains("tick 100"), "{sentence}");
    }

    #[test]
    fn a_touch_ends_the_playback_and_the_game_goes_on_from_there() {
        let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let mut source = InProcess::play(driver, &session(|digest| digest)).unwrap();
        update(&mut source, 10);
        source
            .order(&Order::Input(Input::Press(Button::Mode)))
            .unwrap();
        for _ in 0..20 {
            update(&mut source, 10);
        }
        assert_eq!(update(&mut source, 0).0.status.score, None);
    }
}

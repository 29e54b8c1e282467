//! The board in this process: `firmware-core` itself, by function calls.

use std::time::Duration;

use bevy::platform::time::Instant;
use firmware_core::AnyBoard;
use protocol::{Event, Layout, Refusal, Tick};

use super::{Agreement, Link, Order, Pace, Shown, Source};

/// The longest that the board may work for one picture. Only a board that
/// thinks at a hundred times its speed comes near; its time then goes slower
/// than was asked for, and the window stays alive.
const LONGEST_WORK: Duration = Duration::from_millis(5);

/// The in-process board.
pub struct InProcess {
    board: AnyBoard,
    pace: Pace,
    /// Board time that real time has brought and that has not passed yet, in
    /// ticks.
    owed: f64,
    /// What happened outside of `update`.
    news: Vec<(Tick, Event)>,
}

impl InProcess {
    /// A board that was just switched on.
    ///
    /// # Errors
    /// [`Refusal::Layout`] if the layout is none.
    pub fn new(layout: Layout, seed: u64) -> Result<InProcess, Refusal> {
        Ok(InProcess {
            board: AnyBoard::new(layout, seed)?,
            pace: Pace::default(),
            owed: 0.0,
            news: Vec::new(),
        })
    }

    /// The board itself.
    #[must_use]
    pub fn board(&self) -> &AnyBoard {
        &self.board
    }
}

impl Source for InProcess {
    fn name(&self) -> String {
        "in process".to_owned()
    }

    fn order(&mut self, order: &Order) -> Result<(), String> {
        let news = &mut self.news;
        let tell = &mut |tick, event| news.push((tick, event));
        let result = match order {
            Order::Input(input) => {
                self.board.input(*input, tell);
                Ok(())
            }
            Order::Settings(settings) => self.board.set_settings(*settings, tell),
            Order::Position(position) => self.board.set_position(position, tell),
            Order::Step(ticks) => {
                self.board.advance(Tick::from(*ticks), tell);
                Ok(())
            }
            Order::Pace(pace) => {
                self.pace = *pace;
                self.owed = 0.0;
                Ok(())
            }
            Order::Reset { seed, layout } => AnyBoard::new(*layout, *seed).map(|board| {
                self.board = board;
                self.owed = 0.0;
            }),
        };
        result.map_err(|refusal| refusal.to_string())
    }

    fn update(
        &mut self,
        elapsed: Duration,
        shown: &mut Shown,
        tell: &mut dyn FnMut(Tick, Event),
    ) -> Result<Tick, String> {
        for (tick, event) in self.news.drain(..) {
            tell(tick, event);
        }
        if !self.pace.paused {
            self.owed += elapsed.as_secs_f64() * 1000.0 * f64::from(self.pace.speed);
            let began = Instant::now();
            while self.owed >= 1.0 {
                // A step ends where something happens, so idle time is one.
                self.owed -= self.board.step(self.owed as Tick, tell) as f64;
                if began.elapsed() > LONGEST_WORK {
                    self.owed = self.owed.fract();
                }
            }
        }
        shown.layout = self.board.layout();
        shown.frame.clone_from(self.board.frame());
        shown.status = self.board.status();
        shown.pace = self.pace;
        shown.link = Link::Direct;
        shown.twin = Agreement::Alone;
        Ok(self.board.tick())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Button, Input, Settings};

    fn update(source: &mut InProcess, ms: u64) -> (Shown, Tick) {
        let mut shown = Shown::default();
        let tick = source
            .update(Duration::from_millis(ms), &mut shown, &mut |_, _| ())
            .unwrap();
        (shown, tick)
    }

    #[test]
    fn real_time_makes_ticks_at_the_chosen_speed() {
        let mut source = InProcess::new(Layout::MALDOO, 1).unwrap();
        assert_eq!(update(&mut source, 16).1, 16);
        let pace = Pace { paused: false, speed: 2.5 };
        source.order(&Order::Pace(pace)).unwrap();
        assert_eq!(update(&mut source, 10).1, 41);
    }

    #[test]
    fn a_paused_board_moves_by_steps_only() {
        let mut source = InProcess::new(Layout::MALDOO, 1).unwrap();
        let pace = Pace { paused: true, speed: 1.0 };
        source.order(&Order::Pace(pace)).unwrap();
        assert_eq!(update(&mut source, 50).1, 0);
        source.order(&Order::Step(100)).unwrap();
        assert_eq!(update(&mut source, 50).1, 100);
    }

    #[test]
    fn slow_motion_loses_no_fraction_of_a_tick() {
        let mut source = InProcess::new(Layout::MALDOO, 1).unwrap();
        let pace = Pace { paused: false, speed: 0.1 };
        source.order(&Order::Pace(pace)).unwrap();
        let tick = (0..100).map(|_| update(&mut source, 16).1).last();
        assert!((159..=160).contains(&tick.unwrap()));
    }

    #[test]
    fn a_refused_order_is_a_sentence() {
        let mut source = InProcess::new(Layout::MALDOO, 1).unwrap();
        let settings = Settings { mode: 200, ..Settings::default() };
        let sentence = source.order(&Order::Settings(settings)).unwrap_err();
        assert!(sentence.contains("mode 200"), "{sentence}");
    }

    #[test]
    fn start_lights_the_first_stones() {
        let mut source = InProcess::new(Layout::MALDOO, 1).unwrap();
        source.order(&Order::Input(Input::Press(Button::Start))).unwrap();
        let (shown, _) = update(&mut source, 1);
        assert!(shown.status.turn.is_some());
        assert_eq!(shown.status.score, source.board().score());
    }
}

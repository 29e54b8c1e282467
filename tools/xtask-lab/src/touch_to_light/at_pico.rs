//! Measures at the matrix and the lights of the emulated Pico.

use firmware_core::Rng;
use protocol::{Button, Deed, Input, KnownLayout, Point, Settings};
use touchboard_host::Driver;
use touchboard_links::client::ClientOptions;
use touchboard_links::pico::at_pins::{AtPins, TouchToLight};
use touchboard_links::pico::{self, ChipLoad, PicoBoard, PicoLine};

use super::{any, lights_change, settings};

/// A host waits by the clock of the computer, which may be busy, so the timeout is long.
const PATIENCE_MS: u64 = 60_000;
/// The longest pause of a finger before the next touch, in microseconds.
const REST_US: u32 = 20_000;
/// The number of attempts per touch with an immediate light.
const ATTEMPTS: usize = 3;
/// The longest time without a legal point, counted in these steps: a pattern to be
/// remembered is shown for half a minute.
const WAIT_MS: u64 = 200;
const MOST_WAITS: u32 = 200;
/// The number of successive changes of the frame.
const CHANGES: u8 = 200;
/// The board's strongest level, and the delay before it thinks.
const STRONGEST: u8 = 4;
const PAUSE_MS: u64 = 700;

/// A board at its pins, with random fingers.
pub struct AtPico {
    board: AtPins,
    layout: KnownLayout,
    seed: u64,
    rng: Rng,
}

impl AtPico {
    /// How long the chip is observed at a time, in microseconds.
    pub const WATCHED_US: u64 = 100_000;

    /// Switches on an emulated Pico.
    pub fn start(layout: KnownLayout, seed: u64) -> anyhow::Result<AtPico> {
        let options = ClientOptions {
            timeout_ms: PATIENCE_MS,
            // The emulated time stops until the board has answered, so nothing is lost.
            retry_ms: PATIENCE_MS,
        };
        let board = PicoBoard {
            line: PicoLine::Usb,
            ..PicoBoard::new(&pico::find_image()?)
        };
        let board = AtPins::start(&board, Ok, options)?;
        Ok(AtPico {
            board,
            layout,
            seed,
            rng: Rng::new(seed),
        })
    }

    /// Starts a new game.
    fn begin(&mut self, settings: Settings) -> anyhow::Result<()> {
        let (seed, layout) = (self.seed, *self.layout);
        self.board.carry_out(&Deed::Reset { seed, layout })?;
        self.board.carry_out(&Deed::Settings(settings))?;
        self.press_start()
    }

    fn press_start(&mut self) -> anyhow::Result<()> {
        let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
        Ok(self.board.step(&start, 1)?)
    }

    /// This many touches that light something immediately, in a game of two people; fewer
    /// if most touches do not, and none if the layout is not suitable for the game.
    pub fn touches(&mut self, game: u8, count: usize) -> anyhow::Result<Vec<TouchToLight>> {
        self.begin(settings(game))?;
        // The figures of a game do not depend on the games before it.
        self.rng = Rng::new(self.seed);
        let mut all = Vec::new();
        for _ in 0..ATTEMPTS * count {
            if all.len() == count || !self.goes_on()? {
                break;
            }
            if let Some(point) = self.anything_legal()? {
                let rest_us = self.rng.below(REST_US).into();
                let (tick, before) = (self.board.tick(), self.board.frame().clone());
                let touch = self.board.touch_to_light(point, rest_us)?;
                all.extend(touch.filter(|touch| {
                    let felt_us = rest_us + (touch.scan_ns + touch.debounce_ns) / 1_000;
                    let felt = tick + felt_us / 1_000;
                    lights_change(&before, self.board.frame(), felt..=felt + 1)
                }));
            }
        }
        Ok(all)
    }

    /// True if the layout is suitable for this game.
    pub fn is_played(&mut self, game: u8) -> anyhow::Result<bool> {
        self.begin(settings(game))?;
        self.goes_on()
    }

    /// True if a game is running; after its end, it is started again.
    fn goes_on(&mut self) -> anyhow::Result<bool> {
        if self.board.status()?.outcome.is_some() {
            self.press_start()?;
        }
        Ok(self.board.status()?.score.is_some())
    }

    /// A random legal point, after waiting for one.
    fn anything_legal(&mut self) -> anyhow::Result<Option<Point>> {
        for _ in 0..MOST_WAITS {
            let legal = self.board.legal()?;
            if !legal.is_empty() {
                return Ok(any(&legal, &mut self.rng));
            }
            self.board.step(&[], WAIT_MS)?;
        }
        Ok(None)
    }

    /// The frames per second if each change of the frame is followed immediately by the
    /// next.
    pub fn frames_a_second(&mut self) -> anyhow::Result<f64> {
        let (seed, layout) = (self.seed, *self.layout);
        self.board.carry_out(&Deed::Reset { seed, layout })?;
        let before = self.shown()?;
        for change in 0..CHANGES {
            let time = change % 10;
            let settings = Settings {
                time,
                ..Settings::default()
            };
            self.board.carry_out(&Deed::Settings(settings))?;
        }
        let after = self.shown()?;
        Ok(f64::from(after.0 - before.0) * 1e6 / (after.1 - before.1) as f64)
    }

    /// The number of frames sent to the chain so far, and the time.
    fn shown(&self) -> anyhow::Result<(u32, u64)> {
        let board = self.board.board();
        let lights = board.with(|bench| bench.lights())?;
        Ok((lights.chains, board.now_us()))
    }

    /// The chip's load while the board thinks about its reply to a first move at the
    /// highest level; `None` if it does not think.
    pub fn thought(&mut self, game: u8) -> anyhow::Result<Option<ChipLoad>> {
        self.begin(Settings {
            level: STRONGEST,
            ..settings(game)
        })?;
        if !self.goes_on()? {
            return Ok(None);
        }
        if let Some(point) = self.anything_legal()? {
            let touch = Input::Touch(point);
            self.board.step(&[touch, touch.reverse()], 1)?;
        }
        self.board.step(&[], PAUSE_MS)?;
        match self.board.status()?.thinking {
            true => Ok(Some(self.board.load(Self::WATCHED_US)?)),
            false => Ok(None),
        }
    }

    /// The chip's load while nothing happens.
    pub fn idle(&mut self) -> anyhow::Result<ChipLoad> {
        let (seed, layout) = (self.seed, *self.layout);
        self.board.carry_out(&Deed::Reset { seed, layout })?;
        Ok(self.board.load(Self::WATCHED_US)?)
    }
}

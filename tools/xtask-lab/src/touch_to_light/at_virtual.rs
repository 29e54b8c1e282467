//! Measures at the simulated matrix of the virtual board, driven like its real
//! counterpart: it is sampled every millisecond, and a debounced finger is immediately an
//! input.

use anyhow::Context;
use firmware_core::{AnyBoard, Faults, Matrix, Rng, Seen, games};
use protocol::{Button, Deed, Frame, Input, KnownLayout, Point, Tick};
use touchboard_links::pico::at_pins::TouchToLight;

use super::{any, settings};

const MS_NS: u64 = 1_000_000;
/// The longest time until a finger is debounced, in ticks.
const GIVE_UP_MS: u64 = 100;
/// The shortest pause of a finger, and the largest random addition, in ticks.
const REST_MS: u32 = 20;
const MORE_REST_MS: u32 = 20;

/// The number of attempts per touch with an immediate light.
const ATTEMPTS: usize = 3;
/// The longest time without a legal point: a pattern to be remembered is shown for half a
/// minute.
const MOST_WAITS_MS: u32 = 40_000;
/// The longest time for which frames are collected, in ticks.
const MOST_TICKS: u32 = 600_000;

/// A board, and the fingers on its matrix.
struct Virtual {
    board: AnyBoard,
    matrix: Matrix,
}

/// This many touches that light something immediately, in a game of two people; fewer if
/// most touches do not, and none if the layout is not suitable for the game.
pub fn touches(
    layout: &KnownLayout,
    game: u8,
    count: usize,
    seed: u64,
) -> anyhow::Result<Vec<TouchToLight>> {
    let mut there = Virtual::begin(layout, game, seed)?;
    let mut rng = Rng::new(seed);
    let mut all = Vec::new();
    for _ in 0..ATTEMPTS * count {
        if all.len() == count || !there.goes_on() {
            break;
        }
        if let Some(point) = there.anything_legal(&mut rng) {
            let touch = Input::Touch(point);
            let into_ns = u64::from(rng.below(MS_NS as u32));
            all.extend(there.time(touch, into_ns));
            there.matrix.touch(touch.reverse());
        }
        for _ in 0..REST_MS + rng.below(MORE_REST_MS) {
            there.tick();
        }
    }
    Ok(all)
}

/// This many successive frames with their ticks, of a game of two people; fewer if the
/// game has fewer, and none if the layout is not suitable for it.
pub fn frames(
    layout: &KnownLayout,
    game: u8,
    count: usize,
    seed: u64,
) -> anyhow::Result<Vec<(Tick, Frame)>> {
    let mut there = Virtual::begin(layout, game, seed)?;
    let mut rng = Rng::new(seed);
    let mut all: Vec<(Tick, Frame)> = Vec::new();
    for _ in 0..MOST_TICKS {
        if all.len() == count || !there.goes_on() {
            break;
        }
        if rng.below(REST_MS) == 0
            && let Some(point) = there.legal(&mut rng)
        {
            let touch = Input::Touch(point);
            for input in [touch, touch.reverse()] {
                there.board.input(input, &mut |_, _| {});
            }
        }
        there.tick();
        let frame = there.board.frame();
        if all.last().is_none_or(|(_, last)| last != frame) {
            all.push((there.board.tick(), frame.clone()));
        }
    }
    Ok(all)
}

impl Virtual {
    /// Starts a game on a virtual board.
    fn begin(layout: &KnownLayout, game: u8, seed: u64) -> anyhow::Result<Virtual> {
        let mut board = AnyBoard::with_games(**layout, games::BUILT, seed)?;
        let done = board.carry_out(&Deed::Settings(settings(game)), &mut |_, _| {});
        done.ok().context("every game has a first mode")?;
        let matrix = Matrix::new(**layout, Faults::default());
        let mut there = Virtual { board, matrix };
        there.press_start();
        Ok(there)
    }

    /// True if a game is running; after its end, it is started again.
    fn goes_on(&mut self) -> bool {
        if self.board.outcome().is_some() {
            self.press_start();
        }
        self.board.score().is_some()
    }

    fn press_start(&mut self) {
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            self.board.input(input, &mut |_, _| {});
        }
    }

    /// A random legal point, after waiting for one.
    fn anything_legal(&mut self, rng: &mut Rng) -> Option<Point> {
        for _ in 0..MOST_WAITS_MS {
            let point = self.legal(rng);
            if point.is_some() {
                return point;
            }
            self.tick();
        }
        None
    }

    /// A random legal point, if there is one now.
    fn legal(&self, rng: &mut Rng) -> Option<Point> {
        let legal = self.board.legal_points();
        any(&legal, rng)
    }

    /// Advances by a tick; true if an input was debounced at its end.
    fn tick(&mut self) -> bool {
        let (board, mut felt) = (&mut self.board, false);
        board.advance(1, &mut |_, _| {});
        self.matrix.pass(1, |input| {
            felt = true;
            board.input(input, &mut |_, _| {});
        });
        felt
    }

    fn seen(&self) -> Seen {
        Seen::of(self.board.frame(), self.board.tick())
    }

    /// A finger comes to a contact `into_ns` after a tick. `None` if no light changes as
    /// soon as the finger is debounced.
    fn time(&mut self, touch: Input, into_ns: u64) -> Option<TouchToLight> {
        self.matrix.touch(touch);
        for ms in 0..GIVE_UP_MS {
            let before = self.seen();
            if self.tick() {
                return (self.seen() != before).then(|| TouchToLight {
                    scan_ns: MS_NS - into_ns,
                    debounce_ns: ms * MS_NS,
                    ..TouchToLight::default()
                });
            }
        }
        None
    }
}

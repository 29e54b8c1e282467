//! The simulated matrix of the virtual board, as its port drives it: a sample each
//! millisecond, and what is felt is an input of the board at once.

use anyhow::Context;
use firmware_core::{AnyBoard, Faults, Matrix, Rng, Seen, games};
use protocol::{Button, Deed, Input, KnownLayout, Layout, Point};
use touchboard_links::pico::at_pins::TouchToLight;

use super::{any, settings};

const MS_NS: u64 = 1_000_000;
/// How long a light is waited for.
const GIVE_UP_MS: u64 = 100;
/// A finger stays away so long at least, and at most so much longer.
const REST_MS: u32 = 20;
const MORE_REST_MS: u32 = 20;

/// Touches that are tried for each that is to have a light.
const ATTEMPTS: usize = 3;
/// Nobody may touch for so long at most: a pattern that is to be remembered is seen for
/// half a minute.
const MOST_WAITS_MS: u32 = 40_000;

/// A board, and the fingers on its matrix.
struct Virtual {
    board: AnyBoard,
    matrix: Matrix,
}

/// So many touches of a game of people that have a light; fewer where most have none, and
/// none where the layout is not for the game.
pub fn touches(
    layout: &KnownLayout,
    game: u8,
    count: usize,
    seed: u64,
) -> anyhow::Result<Vec<TouchToLight>> {
    let mut board = match layout.drawing() {
        Some(known) => {
            let mut board = AnyBoard::with_games(Layout::MALDOO, games::BUILT, seed)?;
            board.draw(known.as_drawing(), seed)?;
            board
        }
        None => AnyBoard::with_games(**layout, games::BUILT, seed)?,
    };
    let done = board.carry_out(&Deed::Settings(settings(game)), &mut |_, _| {});
    done.ok().context("every game has a first mode")?;
    let mut there = Virtual {
        board,
        matrix: Matrix::new(**layout, Faults::default()),
    };
    let mut rng = Rng::new(seed);
    let mut all = Vec::new();
    there.press_start();
    for _ in 0..ATTEMPTS * count {
        if there.board.outcome().is_some() {
            there.press_start();
        }
        if all.len() == count || there.board.score().is_none() {
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

impl Virtual {
    fn press_start(&mut self) {
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            self.board.input(input, &mut |_, _| {});
        }
    }

    /// A point that may be touched, as soon as there is one.
    fn anything_legal(&mut self, rng: &mut Rng) -> Option<Point> {
        for _ in 0..MOST_WAITS_MS {
            let mut legal = Vec::new();
            self.board.legal(|point| legal.push(point));
            if !legal.is_empty() {
                return any(&legal, rng);
            }
            self.tick();
        }
        None
    }

    /// Lets a tick pass; true if something was felt at its end.
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

    /// A finger comes to a contact so long after a tick; `None` if no light changes.
    fn time(&mut self, touch: Input, into_ns: u64) -> Option<TouchToLight> {
        self.matrix.touch(touch);
        let mut felt_ms = None;
        for ms in 1..=GIVE_UP_MS {
            let before = self.seen();
            if self.tick() {
                felt_ms = Some(ms);
            }
            if let Some(felt_ms) = felt_ms
                && self.seen() != before
            {
                return Some(TouchToLight {
                    scan_ns: MS_NS - into_ns,
                    debounce_ns: (felt_ms - 1) * MS_NS,
                    board_ns: (ms - felt_ms) * MS_NS,
                    ..TouchToLight::default()
                });
            }
        }
        None
    }
}

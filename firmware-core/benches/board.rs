//! How fast board time passes: simulated seconds per real second, for a board
//! that is idle and for boards in play.
//!
//! The mark: 1,000,000 simulated seconds per second for an idle board; items
//! are simulated seconds, so `items/s` is the figure.

use divan::Bencher;
use divan::counter::ItemsCount;
use firmware_core::{AnyBoard, games};
use protocol::{Button, Deed, Input, Layout, Settings, Tick};

fn main() {
    divan::main();
}

const SECOND: Tick = 1_000;
/// An hour at a time.
const SECONDS: u64 = 3_600;

fn board(settings: Settings) -> AnyBoard {
    let mut board = AnyBoard::new(Layout::MALDOO, 7).expect("a board");
    board
        .carry_out(&Deed::Settings(settings), &mut |_, _| {})
        .expect("settings of the table");
    board
}

fn press(board: &mut AnyBoard, button: Button) {
    board.input(Input::Press(button), &mut |_, _| {});
    board.input(Input::Lift(button), &mut |_, _| {});
}

/// Time passes on a board that nobody touches.
#[divan::bench]
fn idle(bencher: Bencher) {
    let mut board = board(Settings::default());
    bencher
        .counter(ItemsCount::new(SECONDS))
        .bench_local(|| board.advance(SECONDS * SECOND, &mut |_, _| {}));
}

/// A game that was held by the Stop button.
#[divan::bench]
fn held(bencher: Bencher) {
    let mut board = board(Settings::default());
    press(&mut board, Button::Start);
    press(&mut board, Button::Stop);
    bencher
        .counter(ItemsCount::new(SECONDS))
        .bench_local(|| board.advance(SECONDS * SECOND, &mut |_, _| {}));
}

/// A game at level 0 with the first legal point touched every second, restarted when
/// it is over.
#[divan::bench(args = games::NUMBERS)]
fn in_play(bencher: Bencher, game: u8) {
    let mut board = board(Settings {
        game,
        ..Settings::default()
    });
    bencher.counter(ItemsCount::new(60u64)).bench_local(|| {
        for _ in 0..60 {
            if board.turn().is_none() {
                press(&mut board, Button::Start);
            }
            let mut first = None;
            board.legal(|point| first = first.or(Some(point)));
            if let Some(point) = first {
                board.input(Input::Touch(point), &mut |_, _| {});
                board.input(Input::Release(point), &mut |_, _| {});
            }
            board.advance(SECOND, &mut |_, _| {});
        }
    });
}

/// The digest of a board in play.
#[divan::bench(args = games::NUMBERS)]
fn digest(bencher: Bencher, game: u8) {
    let mut board = board(Settings {
        game,
        level: 3,
        ..Settings::default()
    });
    press(&mut board, Button::Start);
    bencher.bench_local(|| board.digest());
}

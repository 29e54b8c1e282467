//! How fast board time passes: simulated seconds in a real second, for an idle board and
//! for boards in play.
//!
//! The goal for an idle board is 1,000,000 simulated seconds in a second. Items are
//! simulated seconds, so `items/s` is the figure.

use divan::Bencher;
use divan::counter::ItemsCount;
use firmware_core::{AnyBoard, games};
use protocol::{Button, Deed, Input, Layout, Settings, Tick};

fn main() {
    divan::main();
}

const SECOND: Tick = 1_000;
/// The number of simulated seconds in one sample: an hour.
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

/// Board time passes on a board that nobody touches.
#[divan::bench]
fn idle(bencher: Bencher) {
    let mut board = board(Settings::default());
    bencher
        .counter(ItemsCount::new(SECONDS))
        .bench_local(|| board.advance(SECONDS * SECOND, &mut |_, _| {}));
}

/// A game that is paused by Stop/Cont.
#[divan::bench]
fn held(bencher: Bencher) {
    let mut board = board(Settings::default());
    press(&mut board, Button::Start);
    press(&mut board, Button::Stop);
    bencher
        .counter(ItemsCount::new(SECONDS))
        .bench_local(|| board.advance(SECONDS * SECOND, &mut |_, _| {}));
}

/// A game at level 0, in which the first legal point is touched every second, and which
/// is restarted when it is over.
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

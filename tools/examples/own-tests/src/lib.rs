//! The common start of this package's tests. They run against a board in their own
//! process, or against any other board:
//!
//! ```sh
//! cargo test
//! TOUCHBOARD_AT=qemu cargo test
//! TOUCHBOARD_AT=/dev/ttyACM0 cargo test
//! ```

use touchboard_testing::TestBoard;

/// A game of Reversi in which green makes the first move.
#[track_caller]
pub fn reversi() -> TestBoard {
    let mut board = TestBoard::begin();
    board.obey("set game=reversi time=3").start();
    board
}

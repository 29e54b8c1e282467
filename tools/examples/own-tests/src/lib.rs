//! How the tests of this package begin. They run against the board in their own process, or
//! against any other:
//!
//! ```sh
//! cargo test
//! TOUCHBOARD_AT=qemu cargo test
//! TOUCHBOARD_AT=/dev/ttyACM0 cargo test
//! ```

use touchboard_testing::TestBoard;

/// A game of Reversi, in which green has the first move.
#[track_caller]
pub fn reversi() -> TestBoard {
    let mut board = TestBoard::begin();
    board.obey("set game=reversi time=3").start();
    board
}

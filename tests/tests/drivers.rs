//! Wrappers between a person and a board forward every call.

use protocol::Layout;
use touchboard_host::faulty::{FaultScope, FaultyBoard};
use touchboard_host::{Driver, RecordingDriver};
use touchboard_tests::counted::{CountedDriver, not_handed_on};

#[test]
fn a_boxed_driver_forwards_every_call() {
    let (board, called) = CountedDriver::new(Layout::MALDOO);
    let mut boxed: Box<dyn Driver> = Box::new(board);
    assert_eq!(not_handed_on(&mut boxed, &called), [] as [&str; 0]);
}

#[test]
fn a_faulty_board_forwards_every_call_but_faults() {
    let (board, called) = CountedDriver::new(Layout::MALDOO);
    let mut sensed = FaultyBoard::new(board, 1, FaultScope::Board);
    assert_eq!(
        not_handed_on(&mut sensed, &called),
        ["faults", "set_faults", "take_sensed"]
    );
}

/// A recorder records the inputs that the board has taken, so faults of the sensors are
/// outside of it, and its steps do more than those of the board.
#[test]
fn a_recording_driver_forwards_every_call_but_steps() {
    let (board, called) = CountedDriver::new(Layout::MALDOO);
    let mut recording = RecordingDriver::from_now(board, 1, "a test").expect("a recorder");
    assert_eq!(not_handed_on(&mut recording, &called), ["step_and_digest"]);
}

//! Board time: at a pace, in lockstep, and in steps.

use protocol::{Deed, Point, Settings};

use super::*;

#[test]
fn board_time_follows_real_time_exactly_at_any_pace() {
    for permille in [1, 333, 999, 1_000, 1_001, 7_777, 100_000] {
        let mut device = greeted();
        send_message(
            &mut device,
            &request(1, 0, Command::Pace(Pace::Free { permille })),
        );
        let mut real_ms = 0_u64;
        for ms in [1, 2, 3, 5, 7, 11, 13, 400, 1, 1, 16, 17] {
            device.elapse(ms);
            while device.sleeps_ms() == Some(0) {
                device.elapse(0);
            }
            real_ms += u64::from(ms);
            assert_eq!(device.board().tick(), real_ms * u64::from(permille) / 1_000);
        }
    }
}

#[test]
fn at_pace_0_and_in_lockstep_time_stands_still() {
    for pace in [Pace::Lockstep, Pace::Free { permille: 0 }] {
        let mut device = greeted();
        send_message(&mut device, &request(1, 0, Command::Pace(pace)));
        device.elapse(10_000);
        assert_eq!(device.board().tick(), 0);
        assert_eq!(device.sleeps_ms(), None);
    }
}

#[test]
fn the_port_may_sleep_until_the_board_has_something_to_do() {
    let mut device = device();
    let mut wakes = 0;
    while device.board().tick() < 3_600_000 {
        let Some(ms) = device.sleeps_ms() else {
            break;
        };
        device.elapse(ms);
        wakes += 1;
    }
    assert!(wakes < 10, "{wakes} wakes in an hour of nothing");
}

#[test]
fn a_step_is_refused_outside_lockstep() {
    let mut device = greeted();
    let heard = send_message(&mut device, &request(1, 0, step(&[], 5)));
    assert_eq!(reply(&heard).result, Err(Refusal::NotInLockstep));
}

#[test]
fn a_long_step_ends_early_to_keep_the_line_alive() {
    let mut device = in_lockstep();
    let settings = Settings {
        level: 4,
        ..Settings::default()
    };
    send_message(
        &mut device,
        &request(1, 0, Command::Do(Deed::Settings(settings))),
    );
    let heard = send_message(&mut device, &request(2, 99, step(&START, 1_000_000)));
    let Ok(Done::Stepped { inputs, ticks, .. }) = reply(&heard).result else {
        panic!("{heard:?}");
    };
    assert_eq!(inputs, 2);
    assert_eq!(u64::from(ticks), device.board().tick());
}

#[test]
fn the_boards_own_fingers_do_not_count_in_lockstep() {
    let mut device = greeted();
    device.input(Input::Release(Point(3)));
    assert_eq!(device.diary.next_number(), 1);
    let mut device = in_lockstep();
    device.input(Input::Release(Point(3)));
    assert_eq!(device.diary.next_number(), 0);
}

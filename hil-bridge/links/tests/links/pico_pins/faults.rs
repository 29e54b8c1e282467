//! Faults of a matrix, with the same names as on a simulated board, are felt in the same
//! way at the pins.

use std::collections::BTreeSet;

use firmware_core::{Faults, Felt, Sensors};
use protocol::{Event, Input};
use touchboard_host::Driver;
use touchboard_host::check::Verdict;

use super::bench::{LAYOUT, at_pins, checked, image, is_excused, touch};

/// The inputs that the board detects while fingers touch these points one after the other
/// and stay down.
fn felt_at_pins(faults: &Faults, fingers: &[Input]) -> BTreeSet<String> {
    let mut board = at_pins(&image());
    board.set_faults(faults.clone()).expect("a bad matrix");
    board.step(fingers, 0).expect("a board");
    let told = board.take_events().into_iter();
    let down = told.filter_map(|event| match event.event {
        Event::Taken(input @ (Input::Touch(_) | Input::Press(_))) => Some(format!("{input:?}")),
        _ => None,
    });
    down.collect()
}

/// The same inputs on a simulated board.
fn felt_in_simulation(faults: &Faults, fingers: &[Input]) -> BTreeSet<String> {
    const LONG_MS: u32 = 50;
    let mut sensors = Sensors::new(LAYOUT, faults);
    let mut down = BTreeSet::new();
    for finger in fingers {
        sensors.finger(*finger);
        for _ in 0..LONG_MS {
            sensors.pass(1, |felt| {
                if let Felt::Input(input @ (Input::Touch(_) | Input::Press(_))) = felt {
                    down.insert(format!("{input:?}"));
                }
            });
        }
    }
    down
}

#[test]
fn a_bad_matrix_acts_as_a_simulated_one() {
    if is_excused("a_bad_matrix_acts_as_a_simulated_one") {
        return;
    }
    let corners = [touch("b2"), touch("b7"), touch("f2")];
    for (text, count) in [
        ("none", 3),
        ("ghosting", 4),
        ("dead b7", 2),
        ("stuck h4", 4),
        ("stuck start, dead f2", 3),
        ("ghosting, stuck h7", 6),
        ("seed 3, bounce-ms 4", 3),
    ] {
        let faults: Faults = text.parse().expect("faults");
        let felt = felt_at_pins(&faults, &corners);
        assert_eq!(felt, felt_in_simulation(&faults, &corners), "{text}");
        assert_eq!(felt.len(), count, "{text}: {felt:?}");
    }
}

#[test]
fn a_twin_follows_a_board_with_a_bad_matrix() {
    if is_excused("a_twin_follows_a_board_with_a_bad_matrix") {
        return;
    }
    let mut board = at_pins(&image());
    let faults = "seed 5, bounce-ms 7, ghosting, stuck d4, dead e5";
    board
        .set_faults(faults.parse().expect("faults"))
        .expect("a bad matrix");
    let verdict = checked(&mut board, 3, 12, LAYOUT);
    assert!(matches!(verdict, Verdict::Agrees(_)), "{verdict:?}");
}

#[test]
fn faults_of_lights_clock_and_power_are_refused() {
    if is_excused("faults_of_lights_clock_and_power_are_refused") {
        return;
    }
    let mut board = at_pins(&image());
    for text in ["dead-led d4", "brown-out-after-ms 10"] {
        let sentence = board
            .set_faults(text.parse().expect("a fault"))
            .unwrap_err()
            .to_string();
        assert!(sentence.contains("are sound"), "{sentence}");
    }
    let sentence = board
        .set_faults("stuck z9".parse().expect("a fault"))
        .unwrap_err()
        .to_string();
    assert!(sentence.contains("has no z9"), "{sentence}");
}

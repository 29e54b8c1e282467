//! The laws of fingers on a simulated matrix.

use std::format;

use law::{Judged, Weight, law};
use proptest::collection;
use proptest::prelude::*;
use protocol::{Button, Point};

use super::*;

const LAYOUT: Layout = Layout::MALDOO;

/// Actions of fingers, each with the pause after it.
type Deeds = Vec<(Input, Tick)>;

fn faults(text: &str) -> Faults {
    text.parse().unwrap()
}

fn point(name: &str) -> Point {
    LAYOUT.point(name).unwrap()
}

/// Lets time pass in pieces of at most this many ticks; returns the detected inputs
/// with their ticks.
fn pass(matrix: &mut Matrix, now: &mut Tick, ticks: Tick, piece: Tick) -> Vec<(Tick, Input)> {
    let (mut felt, end) = (Vec::new(), *now + ticks);
    while *now < end {
        let passed = matrix.quiet_within(piece.min(end - *now));
        *now += passed;
        matrix.pass(passed, |input| felt.push((*now, input)));
    }
    felt
}

/// The inputs that are felt when these clicks are made.
fn clicked(faults: &Faults, deeds: &Deeds, piece: Tick) -> Vec<(Tick, Input)> {
    let (mut matrix, mut now) = (Matrix::new(LAYOUT, faults.clone()), 0);
    let mut felt = Vec::new();
    for (input, rest) in deeds {
        matrix.click(*input);
        felt.extend(pass(&mut matrix, &mut now, *rest, piece));
    }
    felt.extend(pass(&mut matrix, &mut now, 5_000, piece));
    felt
}

fn inputs(felt: &[(Tick, Input)]) -> Vec<Input> {
    felt.iter().map(|(_, input)| *input).collect()
}

/// The inputs that belong to the same key as `key`.
fn of_key(all: &[Input], key: Input) -> Vec<Input> {
    let same = |input: &&Input| **input == key || input.reverse() == key;
    all.iter().filter(same).copied().collect()
}

/// Clicks on a few keys, so that one is often clicked again before it was felt. Each key
/// goes down and up in turn.
fn clicks() -> impl Strategy<Value = Deeds> {
    let key = prop_oneof![
        (0..6_u8).prop_map(|point| (Input::Touch(Point(point)), Input::Release(Point(point)))),
        Just((Input::Press(Button::Start), Input::Lift(Button::Start))),
    ];
    let rest = || prop_oneof![Just(0), 0..12_u64, 0..400_u64];
    let click = (key, rest(), rest());
    collection::vec(click, 0..30).prop_map(|clicks| {
        let click = |((down, up), stays, rests)| [(down, stays), (up, rests)];
        clicks.into_iter().flat_map(click).collect()
    })
}

fn bad() -> impl Strategy<Value = Faults> {
    (any::<u64>(), 0..30_u64, any::<bool>()).prop_map(|(seed, bounce_ms, ghosting)| {
        let mut faults = faults("stuck a3, dead b1, stuck start");
        faults.seed = seed;
        faults.board.bounce_ms = bounce_ms;
        faults.board.ghosting = ghosting;
        faults
    })
}

/// Contacts bounce for less than twice the debounce time here. Keys that move at the same
/// time may be felt in a different order.
#[test]
fn every_click_is_felt_once_and_in_order_per_key() {
    let cases = (clicks(), any::<u64>(), 0..10_u64);
    law(Weight::of(300, 80), cases, |(deeds, seed, bounce_ms)| {
        let mut faults = Faults {
            seed,
            ..Faults::default()
        };
        faults.board.bounce_ms = bounce_ms;
        let felt = inputs(&clicked(&faults, &deeds, Tick::MAX));
        let done: Vec<Input> = deeds.iter().map(|(input, _)| *input).collect();
        for input in &done {
            prop_assert_eq!(of_key(&felt, *input), of_key(&done, *input));
        }
        prop_assert_eq!(felt.len(), done.len());
        Ok(Judged::if_any(deeds.iter().any(|(_, rest)| *rest < 5)))
    });
}

#[test]
fn clicks_are_felt_at_the_same_ticks_in_any_pieces_of_time() {
    let cases = (bad(), clicks(), 1..40_u64);
    law(Weight::of(100, 80), cases, |(faults, deeds, piece)| {
        let at_once = clicked(&faults, &deeds, Tick::MAX);
        prop_assert_eq!(clicked(&faults, &deeds, piece), at_once.clone());
        Ok(Judged::if_any(at_once.len() > 2))
    });
}

#[test]
fn clicks_at_frozen_time_are_felt_once_and_at_once() {
    law(Weight::of(100, 60), (bad(), clicks()), |(faults, deeds)| {
        let mut matrix = Matrix::new(LAYOUT, faults);
        let mut felt = Vec::new();
        matrix.settle(|input| felt.push(input));
        for (input, _) in &deeds {
            matrix.click(*input);
            matrix.settle(|input| felt.push(input));
        }
        for input in &felt {
            let own = of_key(&felt, *input);
            prop_assert!(own.windows(2).all(|pair| pair[0] == pair[1].reverse()));
        }
        prop_assert_eq!(pass(&mut matrix, &mut 0, 5_000, Tick::MAX), []);
        Ok(Judged::if_any(felt.len() > 2))
    });
}

#[test]
fn a_brushing_finger_may_be_missed_but_a_click_is_felt() {
    let brush = [Input::Touch(point("d4")), Input::Release(point("d4"))];
    let (mut matrix, mut now) = (Matrix::new(LAYOUT, Faults::default()), 0);
    for input in brush {
        matrix.touch(input);
        assert_eq!(pass(&mut matrix, &mut now, 3, Tick::MAX), []);
    }
    assert_eq!(pass(&mut matrix, &mut now, 100, Tick::MAX), []);
    let clicks = brush.map(|input| (input, 3)).to_vec();
    let felt = clicked(&Faults::default(), &clicks, Tick::MAX);
    assert_eq!(felt, [(5, brush[0]), (10, brush[1])]);
}

#[test]
fn a_dead_key_feels_nothing_and_a_stuck_one_one_touch() {
    let names = ["d4", "e5", "f6"].map(point);
    let deeds = names.map(|point| [(Input::Touch(point), 30), (Input::Release(point), 30)]);
    let felt = clicked(&faults("dead d4, stuck e5"), &deeds.concat(), Tick::MAX);
    let [_, e5, f6] = names;
    let expected = [Input::Touch(e5), Input::Touch(f6), Input::Release(f6)];
    assert_eq!(inputs(&felt), expected);
}

/// What contacts that bounce for 30 ms do under a finger, tick by tick.
fn bounces(matrix: &mut Matrix) -> Vec<(Tick, Input)> {
    let d4 = point("d4");
    let mut told = Vec::new();
    for input in [Input::Touch(d4), Input::Release(d4)] {
        matrix.touch(input);
        for tick in 0..60 {
            matrix.pass(1, |_| ());
            matrix.take_contacts(|contact| told.push((tick, contact)));
        }
    }
    told
}

#[test]
fn a_new_seed_of_a_running_board_acts_from_then_on() {
    let bad = |seed| faults(&format!("seed {seed}, bounce-ms 30"));
    let mut matrix = Matrix::new(LAYOUT, bad(7));
    let first = bounces(&mut matrix);
    matrix.set_faults(bad(7));
    assert_ne!(bounces(&mut matrix), first, "the same seed goes on");
    matrix.set_faults(bad(8));
    bounces(&mut matrix);
    matrix.set_faults(bad(7));
    assert_eq!(bounces(&mut matrix), first);
}

#[test]
fn a_power_failure_happens_once_and_keeps_the_fingers() {
    let (mut matrix, mut now) = (Matrix::new(LAYOUT, faults("brown-out-after-ms 50")), 0);
    let d4 = Input::Touch(point("d4"));
    matrix.click(d4);
    assert_eq!(matrix.lasts(80), 50);
    assert_eq!(pass(&mut matrix, &mut now, 50, Tick::MAX), [(5, d4)]);
    assert!(matrix.power_failed() && !matrix.power_failed());
    assert_eq!(
        matrix.take_said(),
        ["the power failed: the board restarted"]
    );
    matrix.forget();
    assert_eq!(pass(&mut matrix, &mut now, 50, Tick::MAX), [(55, d4)]);
}

#[test]
fn a_new_board_has_no_fingers() {
    let (mut matrix, mut now) = (Matrix::new(LAYOUT, faults("stuck a1")), 0);
    matrix.click(Input::Touch(point("d4")));
    pass(&mut matrix, &mut now, 20, Tick::MAX);
    let small = Layout::grid(4, 4).unwrap();
    matrix.restart(small);
    let a1 = Input::Touch(small.point("a1").unwrap());
    assert_eq!(pass(&mut matrix, &mut now, 80, Tick::MAX), [(25, a1)]);
    assert_eq!(matrix.layout(), small);
}

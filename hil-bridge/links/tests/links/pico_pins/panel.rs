//! Buttons, display and beeper, and both paths at the pins.

use protocol::{Button, DISPLAY_CHARACTERS, Input, Layout};
use touchboard_host::Driver;
use touchboard_host::check::Verdict;
use touchboard_links::pico::pins;

use super::bench::{Judged, at_pins, checked, image, is_excused, touch};

/// The number of steps compared here. For more: `hil-bridge check --at pico --steps 5000`.
const STEPS: u64 = 40;

#[test]
fn each_button_is_a_contact_and_the_display_says_what_it_did() {
    if is_excused("each_button_is_a_contact_and_the_display_says_what_it_did") {
        return;
    }
    let mut judged = Judged::start();
    let mut texts = vec![judged.text()];
    for button in Button::ALL {
        let press = Input::Press(button);
        let reading = judged.act(&[press, press.reverse()], 0);
        assert_eq!(reading.felt, [press, press.reverse()]);
        assert!(reading.characters.iter().any(|lit| *lit != 0), "{button:?}");
        texts.push(judged.text());
    }
    texts.dedup();
    assert!(texts.len() >= 5, "{texts:?}");
}

#[test]
fn an_ignored_touch_sounds_briefly_at_the_piezo() {
    if is_excused("an_ignored_touch_sounds_briefly_at_the_piezo") {
        return;
    }
    let mut judged = Judged::start();
    // No game is running, so a touch has no effect.
    let e5 = touch("e5");
    let reading = judged.act(&[e5], 0);
    assert!((reading.hz - 110.0).abs() < 0.2, "{}", reading.hz);
    let reading = judged.act(&[e5.reverse()], 400);
    assert_eq!(reading.hz.to_bits(), 0.0_f64.to_bits());
}

#[test]
fn piezo_and_display_use_the_pins_of_their_controllers() {
    if is_excused("piezo_and_display_use_the_pins_of_their_controllers") {
        return;
    }
    let board = at_pins(&image());
    let (_, functions) = board
        .board()
        .with(|bench| bench.pins())
        .expect("it answers");
    // Function numbers from the RP2040 data sheet, section 2.19.2.
    let (i2c, pwm) = (3, 4);
    assert_eq!(functions[usize::from(pins::BEEPER)], pwm);
    assert_eq!(functions[usize::from(pins::BUS_DATA)], i2c);
    assert_eq!(functions[usize::from(pins::BUS_CLOCK)], i2c);
    assert_eq!(pins::DISPLAY_MODULES.len() * 4, DISPLAY_CHARACTERS);
}

#[test]
fn both_paths_agree_at_the_pins() {
    if is_excused("both_paths_agree_at_the_pins") {
        return;
    }
    let mut board = at_pins(&image());
    let verdict = checked(&mut board, 5, STEPS, Layout::MALDOO);
    let Verdict::Agrees(agreement) = verdict else {
        panic!("{verdict:?}");
    };
    assert!(
        agreement.games >= 1 && agreement.inputs > STEPS / 2,
        "{agreement:?}"
    );
}

#[test]
fn a_board_of_256_points_agrees_at_the_pins() {
    if is_excused("a_board_of_256_points_agrees_at_the_pins") {
        return;
    }
    let mut board = at_pins(&image());
    let largest = Layout::grid(16, 16).expect("a layout");
    let verdict = checked(&mut board, 2, 8, largest);
    assert!(matches!(verdict, Verdict::Agrees(_)), "{verdict:?}");
    assert_eq!(board.layout(), largest);
}

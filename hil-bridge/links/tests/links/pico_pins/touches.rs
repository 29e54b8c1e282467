//! The time from touch to light at the pins, and the chip's load meanwhile.

use protocol::{Button, Deed, Input, Layout, Settings};
use touchboard_host::Driver;
use touchboard_links::pico::at_pins::AtPins;

use super::bench::{LAYOUT, at_pins, image, is_excused};

const US_NS: u64 = 1_000;
const MS_NS: u64 = 1_000_000;

/// A game of Reversi at this level.
fn begun(layout: Layout, level: u8) -> AtPins {
    let mut board = at_pins(&image());
    let settings = Settings {
        level,
        time: 9,
        ..Settings::default()
    };
    for deed in [Deed::Reset { seed: 3, layout }, Deed::Settings(settings)] {
        board.carry_out(&deed).expect("a board");
    }
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 1).expect("a board");
    board
}

#[test]
fn a_touch_takes_five_samples_and_the_chain_to_light() {
    if is_excused("a_touch_takes_five_samples_and_the_chain_to_light") {
        return;
    }
    let mut board = begun(LAYOUT, 0);
    let lights = LAYOUT.points() as u64 + 2;
    let mut scans_ns = Vec::new();
    for moment in 0..8 {
        let legal = board.legal().expect("a board");
        // Eight moments of a scan, an eighth of a millisecond apart.
        let touch = board.touch_to_light(legal[0], 5_000 + 125 * moment);
        let touch = touch.expect("a board").expect("a stone shines");
        assert!(touch.scan_ns <= MS_NS + 20 * US_NS, "{touch:?}");
        assert!(
            touch.debounce_ns.abs_diff(4 * MS_NS) < 50 * US_NS,
            "{touch:?}"
        );
        // Longer than the chain before it and a round of the main loop: nothing takes
        // that long.
        assert!(
            touch.board_ns < 2 * MS_NS + lights * 30 * US_NS,
            "{touch:?}"
        );
        // The last bit ends with a low, after which there is no edge.
        assert!(
            touch.chain_ns.abs_diff(lights * 30 * US_NS) < 2 * US_NS,
            "{touch:?}"
        );
        assert_eq!(touch.latch_ns, 280 * US_NS);
        scans_ns.push(touch.scan_ns);
    }
    let [least, most] = [scans_ns.iter().min(), scans_ns.iter().max()];
    assert!(
        most > least,
        "contacts close at any moment of a scan: {scans_ns:?}"
    );
}

#[test]
fn contacts_of_256_points_are_scanned_every_millisecond() {
    if is_excused("contacts_of_256_points_are_scanned_every_millisecond") {
        return;
    }
    let layout = Layout::grid(16, 16).expect("a layout");
    let mut board = begun(layout, 4);
    let touch = Input::Touch(board.legal().expect("a board")[0]);
    board.step(&[touch, touch.reverse()], 1).expect("a board");
    // The board waits a little before its player thinks.
    board.step(&[], 800).expect("a board");
    assert!(board.status().expect("a board").thinking);
    let load = board.load(100_000).expect("a board");
    assert!(load.scans >= 95, "{load:?}");
    assert!(load.longest_ns < 2 * MS_NS, "{load:?}");
    assert!(load.awake_ns > 20 * MS_NS, "it thinks: {load:?}");
}

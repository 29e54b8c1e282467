//! The same image with tiles on its bus instead of matrix and chain: keys are pressed,
//! and the lights of the tiles are compared with a twin.

use std::process::Command;

use protocol::{Button, Deed, Event, Input, Layout};
use touchboard_host::check::Verdict;
use touchboard_host::{CoreDriver, Driver};
use touchboard_links::pico::at_pins::AtPins;
use touchboard_links::pico::set_up::{board_folder, makers_library};

use super::bench::{LAYOUT, checked, excuse, image, is_excused, on_tiles};
use super::mistakes::planted;

/// The number of steps compared here. For more: `hil-bridge check --at pico --tiles 2x2`.
const STEPS: u64 = 30;
/// Longer than it takes to set up a tile and send all tiles their colours, in microseconds.
const LONG_US: u64 = 500_000;

fn square() -> Layout {
    Layout::grid(8, 8).expect("a layout")
}

/// A board of 8x8 on four tiles, and its twin.
fn switch_on() -> (AtPins, CoreDriver) {
    let mut board = on_tiles(&image(), "2x2");
    let layout = square();
    board
        .carry_out(&Deed::Reset { seed: 7, layout })
        .expect("a board");
    let _ = board.take_events();
    let twin = CoreDriver::with_games(layout, board.roster(), 7).expect("a board");
    (board, twin)
}

#[test]
fn a_board_starts_with_the_layout_of_its_tiles() {
    if is_excused("a_board_starts_with_the_layout_of_its_tiles") {
        return;
    }
    for (tiles, layout) in [
        ("2x2", square()),
        ("1x1", Layout::grid(4, 4).expect("a layout")),
    ] {
        assert_eq!(on_tiles(&image(), tiles).layout(), layout);
    }
}

#[test]
fn both_paths_agree_on_tiles() {
    if is_excused("both_paths_agree_on_tiles") {
        return;
    }
    let mut board = on_tiles(&image(), "2x2");
    let Verdict::Agrees(agreement) = checked(&mut board, 5, STEPS, square()) else {
        panic!("they do not");
    };
    assert!(agreement.inputs > STEPS / 2, "{agreement:?}");
}

/// Three columns and rows of keys are not used, and stay dark.
#[test]
fn a_9x9_board_agrees_on_nine_tiles() {
    if is_excused("a_9x9_board_agrees_on_nine_tiles") {
        return;
    }
    let mut board = on_tiles(&image(), "3x3");
    let verdict = checked(&mut board, 2, 8, LAYOUT);
    assert!(matches!(verdict, Verdict::Agrees(_)), "{verdict:?}");
}

#[test]
fn each_button_is_a_key_of_its_tile() {
    if is_excused("each_button_is_a_key_of_its_tile") {
        return;
    }
    let (mut board, mut twin) = switch_on();
    for button in Button::ALL {
        let press = Input::Press(button);
        board.step(&[press, press.reverse()], 0).expect("a board");
        let told = board.take_events();
        twin.follow(&told, board.tick());
        let reading = board.read_pins().expect("a board").expect("pins");
        assert_eq!(reading.felt, [press, press.reverse()]);
        assert_eq!(reading.difference(twin.board()), None, "{button:?}");
    }
}

#[test]
fn a_replugged_tile_is_felt_and_lit_again() {
    if is_excused("a_replugged_tile_is_felt_and_lit_again") {
        return;
    }
    let (mut board, mut twin) = switch_on();
    let start = Input::Press(Button::Start);
    board.step(&[start, start.reverse()], 10).expect("a board");
    let reads_right = |board: &mut AtPins, twin: &mut CoreDriver| {
        let told = board.take_events();
        twin.follow(&told, board.tick());
        let reading = board.read_pins().expect("a board").expect("pins");
        reading.difference(twin.board())
    };
    assert_eq!(reads_right(&mut board, &mut twin), None);

    // The fourth tile, at the bottom right.
    let plug = |board: &AtPins, is_in| {
        board
            .board()
            .with(|bench| bench.plug_tile(3, is_in))
            .expect("it answers");
        board.board().pass(LONG_US).expect("it goes on");
    };
    plug(&board, false);
    plug(&board, true);
    assert_eq!(reads_right(&mut board, &mut twin), None);
    let h1 = Input::Touch(square().point("h1").expect("a point"));
    board.step(&[h1, h1.reverse()], 10).expect("a board");
    let told = board.take_events();
    let taken = |input| told.iter().any(|told| told.event == Event::Taken(input));
    assert!(taken(h1) && taken(h1.reverse()), "{told:?}");
}

/// The difference that is found on four tiles after this replacement.
fn found(file: &str, right: &str, wrong: &str) -> String {
    let (_folder, image) = planted(file, right, wrong);
    match checked(&mut on_tiles(&image, "2x2"), 4, 100, square()) {
        Verdict::Differs(finding) => finding.difference.field,
        Verdict::Agrees(agreement) => panic!("{file}: {wrong} was not found: {agreement:?}"),
    }
}

#[test]
fn wrong_colour_order_of_tiles_is_found() {
    if is_excused("wrong_colour_order_of_tiles_is_found") {
        return;
    }
    let right = "const [green, red, blue] = this.bytes";
    let field = found("tile.mjs", right, "const [red, green, blue] = this.bytes");
    assert!(field.contains("light "), "{field}");
}

#[test]
fn wrong_order_of_tiles_is_found() {
    if is_excused("wrong_order_of_tiles_is_found") {
        return;
    }
    let right = "[first + column * x + row * y, tile()]";
    let field = found(
        "trellis.mjs",
        right,
        "[first + column * y + row * x, tile()]",
    );
    assert!(
        field == "contacts" || field.starts_with("light "),
        "{field}"
    );
}

/// The library by the maker of the tiles lights and reads the simulated tile, so the tile
/// that checks the image is itself checked.
#[test]
fn the_makers_library_drives_the_simulated_tile() {
    let test = "the_makers_library_drives_the_simulated_tile";
    if is_excused(test) {
        return;
    }
    let Some(packages) = makers_library(&image()) else {
        excuse(
            test,
            "there is no adafruit_neotrellis: install python3 and pip, then run `cargo xtask firmware pico`",
        );
        return;
    };
    let folder = board_folder(&image());
    let output = Command::new("python3")
        .env("PYTHONPATH", packages)
        .arg(folder.join("makers_library.py"))
        .arg(folder.join("tile_bus.mjs"))
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        "16 lights, 12 events"
    );
}

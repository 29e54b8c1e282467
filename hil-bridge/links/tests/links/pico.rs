//! The image of the Pico on an emulated chip, read at its pins: fingers close contacts,
//! and colours are decoded from the waveform of the lights.

use std::io::{self, Read, Write};
use std::iter::repeat;
use std::ops::{Deref, DerefMut};

use crate::excused::{image, is_excused};
use cortex_m_board::ws2812::{MOST_LIGHTS, words};
use firmware_core::Seen;
use firmware_core::segments::lit;
use protocol::{Button, Colour, Command as Ask, DISPLAY_CHARACTERS, Deed, Done, Event, Input};
use protocol::{Layout, Pace, Point};
use small_host::Host;
use touchboard_host::Driver;
use touchboard_host::check::{CheckOptions, Verdict, check};
use touchboard_links::pico::{PicoBench, PicoBoard, PicoLine, pins};
use touchboard_links::{At, Where};

/// The current limit for the lights, in mA, as the image reports it.
const LIMIT_MA: u32 = 500;
/// Longer than it takes to feel a contact or to show a frame, in microseconds.
const SETTLES_US: u64 = 20_000;
/// How much time passes at once, in microseconds.
const SLICE_US: u32 = 10_000;
const LAYOUT: Layout = Layout::MALDOO;

/// The board as a link: its time passes while bytes are received.
struct Bench {
    board: PicoBench,
    bytes: Vec<u8>,
    /// The chip's time in microseconds.
    now_us: u64,
}

impl Bench {
    /// Lets time pass, and returns the bytes that the chip sent.
    fn pass(&mut self, us: u32) -> io::Result<Vec<u8>> {
        let (now_us, said) = self.board.run(us, &self.bytes)?;
        self.now_us = now_us;
        self.bytes.clear();
        Ok(said)
    }
}

impl Write for Bench {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Bench {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let said = self.pass(1_000)?;
        if said.is_empty() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        buffer[..said.len()].copy_from_slice(&said);
        Ok(said.len())
    }
}

/// A host, and the fingers of a player, at a board on the bench.
struct Player(Host<Bench>);

impl Deref for Player {
    type Target = Host<Bench>;

    fn deref(&self) -> &Host<Bench> {
        &self.0
    }
}

impl DerefMut for Player {
    fn deref_mut(&mut self) -> &mut Host<Bench> {
        &mut self.0
    }
}

fn switch_on() -> Player {
    started(&PicoBoard::new(&image()), LAYOUT)
}

/// A board that has just started with this layout.
fn started(board: &PicoBoard, layout: Layout) -> Player {
    let board = PicoBench::start_board(board).unwrap_or_else(|error| panic!("{error}"));
    let mut host = Host::new(Bench {
        board,
        bytes: Vec::new(),
        now_us: 0,
    });
    let hello = host.hello();
    assert_eq!(&*hello.board, "pico");
    assert!(hello.capabilities.sensors, "it feels fingers itself");
    assert_eq!(hello.layout, layout);
    Player(host)
}

impl Player {
    /// Carries out an input by a finger, and waits.
    fn finger(&mut self, input: Input) {
        let bench = &mut self.line;
        let moved = bench.board.finger(LAYOUT, input);
        moved.unwrap_or_else(|error| panic!("{error}"));
        self.rest(SETTLES_US);
    }

    /// Lets time pass while messages are received.
    fn rest(&mut self, us: u64) {
        let end_us = self.line.now_us + us;
        while self.line.now_us < end_us {
            self.request(Ask::Ping).expect("it is greeted");
        }
    }

    /// Touches and releases a point, or presses and lifts a button.
    fn tap(&mut self, input: Input) {
        self.finger(input);
        self.finger(input.reverse());
    }

    /// The inputs that the board's sensors reported since the last call.
    fn felt(&mut self) -> Vec<Input> {
        let events = self.events.drain(..);
        let taken = events.filter_map(|told| match told.event {
            Event::Taken(input) => Some(input),
            _ => None,
        });
        taken.collect()
    }
}

#[test]
fn the_readme_has_the_wiring_of_the_pins() {
    let readme = include_str!("../../../../firmware-core/boards/pico/README.md");
    let mut table = "| pin | to |\n| --- | --- |\n".to_owned();
    for (first, last, what) in pins::PINS {
        match first == last {
            true => table += &format!("| GP{first} | {what} |\n"),
            false => table += &format!("| GP{first} to GP{last} | {what} |\n"),
        }
    }
    assert!(readme.contains(&format!("\n{table}\n")), "{table}");
}

#[test]
fn the_page_of_tiles_has_bridges_and_addresses() {
    let page = include_str!("../../../../tools/book/src/boards/tiles.md");
    let [first, column, row, buttons] = pins::TILES;
    let bridges = |more: u8| {
        let names = (0..5).filter(|bit| more >> bit & 1 == 1);
        let names: Vec<String> = names.map(|bit| format!("A{bit}")).collect();
        match names.is_empty() {
            true => "none".to_owned(),
            false => names.join(", "),
        }
    };
    for y in 0..4 {
        let cells = (0..4).map(|x| {
            let more = x * column + y * row;
            format!(" {} (0x{:02X}) |", bridges(more), first + more)
        });
        let line = format!("| row {} |{}\n", y + 1, cells.collect::<String>());
        assert!(page.contains(&line), "{line}");
    }
    let own = format!(
        "has only {} closed (0x{:02X})",
        bridges(buttons),
        first + buttons
    );
    assert!(page.contains(&own), "{own}");
}

#[test]
fn pins_have_the_functions_they_are_wired_for() {
    if is_excused("pins_have_the_functions_they_are_wired_for") {
        return;
    }
    let mut host = switch_on();
    let (baud, functions) = host.line.board.pins().expect("it answers");
    assert!(baud.abs_diff(115_200) < 115_200 / 100, "{baud}");
    // Function numbers from the RP2040 data sheet, section 2.19.2.
    let (uart, processor, pio0) = (2, 5, 6);
    let mut expected = vec![uart, uart, processor, processor, processor, pio0];
    expected.extend([processor; pins::ROWS as usize]);
    assert_eq!(functions[..expected.len()], expected);
}

#[test]
fn a_closed_contact_is_a_touch_and_lights_its_point() {
    if is_excused("a_closed_contact_is_a_touch_and_lights_its_point") {
        return;
    }
    let mut host = switch_on();
    let e4 = LAYOUT.point("e4").expect("a point");
    host.felt();
    host.tap(Input::Press(Button::Start));
    host.tap(Input::Touch(e4));
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    let touch = [Input::Touch(e4), Input::Release(e4)];
    assert_eq!(host.felt(), [start, touch].concat());

    // In lockstep nothing changes, so the lights stay as they are.
    assert_eq!(host.request(Ask::Pace(Pace::Lockstep)), Ok(Done::Done));
    let tick = host.tick();
    host.rest(SETTLES_US);
    assert_ne!(host.frame.seen(e4, tick), Colour::OFF);
    let lights = host.line.board.lights().expect("it answers");
    let mut expected = [0; MOST_LIGHTS];
    let seen = Seen::of(&host.frame, tick);
    let count = words(LAYOUT, &seen, LIMIT_MA, &mut expected);
    let expected = expected[..count].iter().map(|word| {
        let [green, red, blue, _] = word.to_be_bytes();
        [red, green, blue]
    });
    assert_eq!(lights.colours, expected.collect::<Vec<_>>());
    assert_ne!(lights.colours[e4.index()], [0; 3]);
    assert_eq!(lights.bad_bits, 0, "of {} chains", lights.chains);
}

/// A board of tiles without one for the buttons has buttons between pins and ground.
#[test]
fn buttons_wired_beside_tiles_are_buttons() {
    if is_excused("buttons_wired_beside_tiles_are_buttons") {
        return;
    }
    let board = PicoBoard {
        tiles: Some("2x2".parse().expect("a field")),
        ..PicoBoard::new(&image())
    };
    let mut host = started(&board, Layout::grid(8, 8).expect("a layout"));
    host.felt();
    let mut expected = Vec::new();
    for button in Button::ALL {
        for is_pressed in [true, false] {
            let pressed = host.line.board.ground(button as u8, is_pressed);
            pressed.expect("it answers");
            host.rest(SETTLES_US);
        }
        let press = Input::Press(button);
        expected.extend([press, press.reverse()]);
    }
    assert_eq!(host.felt(), expected);
}

/// If STOP is held at power-on, all lights turn red and then green, and the display names
/// the colour.
fn shows_its_self_test(board: &PicoBoard, layout: Layout, hold_stop: impl Fn(&mut PicoBench)) {
    let mut bench = PicoBench::start_board(board).unwrap_or_else(|error| panic!("{error}"));
    hold_stop(&mut bench);
    let mut now_us = 0;
    for (name, until_us, channel) in [("Red", 700_000, 0), ("Green", 1_700_000, 1)] {
        while now_us < until_us {
            now_us = bench.run(SLICE_US, &[]).expect("it goes on").0;
        }
        let letters = name.chars().map(lit).chain(repeat(0));
        let letters: Vec<u16> = letters.take(DISPLAY_CHARACTERS).collect();
        assert_eq!(bench.display().expect("it answers")[..], letters, "{name}");
        let lights = bench.lights().expect("it answers").colours;
        let points = &lights[..layout.points()];
        let brightest = points[0].iter().max();
        assert!(points[0][channel] > 0 && brightest == Some(&points[0][channel]));
        assert!(points.iter().all(|light| *light == points[0]), "{lights:?}");
    }
}

#[test]
fn holding_stop_at_power_on_starts_the_self_test() {
    if is_excused("holding_stop_at_power_on_starts_the_self_test") {
        return;
    }
    let mut board = PicoBoard::new(&image());
    let stop = Input::Press(Button::Stop);
    shows_its_self_test(&board, LAYOUT, |bench| {
        bench.finger(LAYOUT, stop).expect("a contact");
    });
    // On a board of tiles, a wire replaces the button.
    board.tiles = Some("2x2".parse().expect("a field"));
    let layout = Layout::grid(8, 8).expect("a layout");
    shows_its_self_test(&board, layout, |bench| {
        bench.ground(Button::Stop as u8, true).expect("a wire");
    });
}

#[test]
fn each_contact_is_one_point_and_corners_make_no_ghost() {
    if is_excused("each_contact_is_one_point_and_corners_make_no_ghost") {
        return;
    }
    let mut host = switch_on();
    host.felt();
    let mut expected = Vec::new();
    for point in LAYOUT.iter().step_by(7).chain([Point(80)]) {
        host.tap(Input::Touch(point));
        expected.extend([Input::Touch(point), Input::Release(point)]);
    }
    for button in [Button::Time, Button::Stop] {
        host.tap(Input::Press(button));
        expected.extend([Input::Press(button), Input::Lift(button)]);
    }
    for corner in ["b2", "b7", "f2"] {
        let touch = Input::Touch(LAYOUT.point(corner).expect("a point"));
        host.finger(touch);
        expected.push(touch);
    }
    assert_eq!(host.felt(), expected);
}

#[test]
fn a_panic_on_the_chip_reaches_the_host_before_it_resets() {
    if is_excused("a_panic_on_the_chip_reaches_the_host_before_it_resets") {
        return;
    }
    let mut host = switch_on();
    let first = host.hello();
    host.ask_only(Ask::Crash);
    let second = host.hello_after(&first);
    let words = host.panic.clone().expect("its last words were heard");
    assert!(words.starts_with("the host asked for it"), "{words}");
    assert_eq!(second.boot, first.boot + 1);
}

/// For a longer check: `hil-bridge check --at pico --steps 5000`.
#[test]
fn the_image_and_the_in_process_board_agree() {
    if is_excused("the_image_and_the_in_process_board_agree") {
        return;
    }
    let place = Where {
        program: Some(image()),
        ..Where::new(At::Pico(PicoLine::Uart))
    };
    let mut board = place.remote().unwrap_or_else(|error| panic!("{error}"));
    let options = CheckOptions::new(LAYOUT, 3, 300);
    let verdict = check(&mut board, &options, &mut |_| ()).expect("it answers");
    let Verdict::Agrees(agreement) = verdict else {
        panic!("{verdict:?}");
    };
    assert!(agreement.games >= 3, "{agreement:?}");
    assert_eq!(board.layout(), LAYOUT);
}

#[test]
fn a_board_of_256_points_fits_the_chip() {
    if is_excused("a_board_of_256_points_fits_the_chip") {
        return;
    }
    let mut host = switch_on();
    host.request(Ask::Pace(Pace::Lockstep)).expect("lockstep");
    let layout = Layout::grid(16, 16).expect("a layout");
    let reset = Deed::Reset { seed: 3, layout };
    assert_eq!(host.request(Ask::Do(reset)), Ok(Done::Done));
    host.rest(SETTLES_US);
    let lights = host.line.board.lights().expect("it answers");
    assert_eq!(lights.colours.len(), MOST_LIGHTS);
    assert_eq!(lights.bad_bits, 0);
}

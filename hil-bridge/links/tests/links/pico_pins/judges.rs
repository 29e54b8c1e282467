//! Checks by software that others wrote: a logic analyser's decoders read the edges at
//! the pins, and another emulator runs the same image.

use std::path::Path;
use std::process::Command;

use protocol::{Button, Input};
use touchboard_host::pins::PinReading;
use touchboard_links::pico::set_up::{board_folder, runs, second_judge};
use touchboard_links::pico::{PicoBench, pins};

use super::bench::{Judged, LAYOUT, excuse, image, is_excused, touch};

/// The bounds in two data sheets of the WS2812B (Worldsemi, first and fifth edition), in
/// nanoseconds: a zero's high and low, a one's high and low.
const BOUNDS: [[(u64, u64); 4]; 2] = [
    [(250, 550), (700, 1_000), (650, 950), (300, 600)],
    [(220, 380), (580, 1_000), (580, 1_000), (220, 420)],
];
/// The length of a high between those of a zero and a one, in nanoseconds.
const ONE_NS: u64 = 560;
/// After a low of this length, in nanoseconds, a chain shows its new colours.
const PAUSE_NS: u64 = 280_000;

/// The edges of a signal in a VCD file: their times, and whether they rise.
fn edges(text: &str, signal: &str) -> Vec<(u64, bool)> {
    let mark = text.lines().find_map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["$var", _, _, mark, name, _] if name == signal => Some(mark),
            _ => None,
        }
    });
    let mark = mark.expect("a signal of the board");
    let (mut now, mut edges) = (0, Vec::new());
    for line in text.lines() {
        if let Some(time) = line.strip_prefix('#') {
            now = time.parse().expect("a time");
        } else if line.len() == 2 && line.ends_with(mark) {
            edges.push((now, line.starts_with('1')));
        }
    }
    edges
}

#[test]
fn every_bit_of_the_lights_meets_each_data_sheet() {
    if is_excused("every_bit_of_the_lights_meets_each_data_sheet") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("edges.vcd");
    let mut judged = Judged::start();
    judged.board.record_edges(Some(&path)).expect("a file");
    let start = Input::Press(Button::Start);
    judged.act(&[start, start.reverse(), touch("c3")], 10);
    judged.board.record_edges(None).expect("a file");
    let text = std::fs::read_to_string(&path).expect("it was written");
    let edges = edges(&text, "lights");
    let mut bits = 0;
    for three in edges.windows(3) {
        let [(rose, true), (fell, false), (next, true)] = *three else {
            continue;
        };
        let (high, low) = (fell - rose, next - fell);
        let is_one = high > ONE_NS;
        bits += 1;
        for [zero_high, zero_low, one_high, one_low] in BOUNDS {
            let (allowed_high, allowed_low) = match is_one {
                true => (one_high, one_low),
                false => (zero_high, zero_low),
            };
            let is_within = |ns: u64, (least, most): (u64, u64)| (least..=most).contains(&ns);
            assert!(
                is_within(high, allowed_high),
                "bit {bits}: high for {high} ns"
            );
            let ends_chain = low > PAUSE_NS;
            assert!(
                ends_chain || is_within(low, allowed_low),
                "bit {bits}: low for {low} ns"
            );
        }
    }
    let lights = LAYOUT.points() + 2;
    assert!(bits >= 2 * 24 * lights - 2, "{bits}");
}

/// The output of a sigrok decoder for a file of edges.
fn decoded(file: &Path, decoder: &str, annotation: &str) -> Vec<String> {
    let output = Command::new("sigrok-cli")
        .arg("--input-file")
        .arg(file)
        .args(["--input-format", "vcd:downsample=25"])
        .args(["--protocol-decoders", decoder])
        .args(["--protocol-decoder-annotations", annotation])
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let lines = said.lines().filter_map(|line| line.split_once(": "));
    lines.map(|(_, what)| what.to_owned()).collect()
}

#[test]
fn a_logic_analyser_reads_the_same_lights_and_the_same_pitch() {
    let test = "a_logic_analyser_reads_the_same_lights_and_the_same_pitch";
    if is_excused(test) {
        return;
    }
    if !runs("sigrok-cli") {
        excuse(
            test,
            "there is no sigrok-cli: install it (`cargo xtask setup` tries to)",
        );
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("edges.vcd");
    let mut judged = Judged::start();

    // No game is running, so the touch has no effect and a sound says so.
    let reading = recorded(&mut judged, &path, &[touch("e5")]);
    let said = decoded(&path, "pwm:data=beeper", "pwm=period");
    assert!(reading.hz > 0.0, "it sounds");
    // The decoder's resolution is a tenth of a millisecond.
    let period_ms = 1_000.0 / reading.hz;
    let is_same = |period: &String| {
        let ms = period
            .strip_suffix(" ms")
            .and_then(|ms| ms.parse::<f64>().ok());
        ms.is_some_and(|ms| (ms - period_ms).abs() < 0.06)
    };
    assert!(said.iter().any(is_same), "{said:?}: {period_ms} ms");

    let start = Input::Press(Button::Start);
    let reading = recorded(&mut judged, &path, &[start, start.reverse()]);
    let said = decoded(&path, "rgb_led_ws281x:din=lights", "rgb_led_ws281x=rgb");
    let expected = reading
        .lights
        .iter()
        .map(|[red, green, blue]| format!("#{red:02x}{green:02x}{blue:02x}"));
    let expected: Vec<String> = expected.collect();
    assert!(said.ends_with(&expected), "{said:?}\n{expected:?}");
    assert!(expected.iter().any(|colour| colour != "#000000"));
}

/// Records the edges during these inputs. Returns what our own decoder reads.
fn recorded(judged: &mut Judged, path: &Path, fingers: &[Input]) -> PinReading {
    judged.board.record_edges(Some(path)).expect("a file");
    let reading = judged.act(fingers, 0);
    judged.board.record_edges(None).expect("a file");
    reading
}

/// The lights in rp2040js after Start was pressed and released.
fn first_judge(us: u64) -> Vec<[u8; 3]> {
    const COMES_UP_US: u64 = 30_000;
    let mut bench = PicoBench::start(&image()).unwrap_or_else(|error| panic!("{error}"));
    let mut end_us = 0;
    let mut pass = |bench: &mut PicoBench, us: u64| {
        end_us += us;
        while bench.run(100, &[]).expect("it goes on").0 < end_us {}
    };
    pass(&mut bench, COMES_UP_US);
    let start = Input::Press(Button::Start);
    pass(&mut bench, us / 4);
    bench.finger(LAYOUT, start).expect("a contact");
    pass(&mut bench, us / 4);
    bench.finger(LAYOUT, start.reverse()).expect("a contact");
    pass(&mut bench, us / 2);
    bench.lights().expect("it answers").colours
}

#[test]
fn another_emulator_shows_the_same_lights_with_the_same_image() {
    const TIME_US: u64 = 60_000;
    let test = "another_emulator_shows_the_same_lights_with_the_same_image";
    if is_excused(test) {
        return;
    }
    let Some(package) = second_judge(&image()) else {
        excuse(
            test,
            "there is no rp2040py: install python3 and pip, then run `cargo xtask firmware pico`",
        );
        return;
    };
    let pins = pins::MATRIX_AND_LIGHTS.map(|pin| pin.to_string());
    let output = Command::new("python3")
        .env("PYTHONPATH", package)
        .arg(board_folder(&image()).join("second_judge.py"))
        .arg(image())
        .arg(pins.join(","))
        .arg(TIME_US.to_string())
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let first = first_judge(TIME_US);
    let hex: String = first
        .iter()
        .flatten()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), hex);
    assert!(first.iter().any(|light| *light != [0; 3]));
    assert_eq!(first.len(), LAYOUT.points() + 2);
}

//! The cost of the board's code on the chips: a short measurement of every game in
//! every mode.

use std::process::{Command, Output};

use firmware_core::games;

/// Few ticks of thought per turn, and few moves: enough for each search to begin in
/// several positions of a game.
const TICKS: [&str; 4] = ["--ticks", "30", "--moves", "30"];

fn instructions(arguments: &[&str]) -> Output {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask-lab"));
    xtask.arg("instructions").args(arguments);
    xtask.output().expect("the task runs")
}

/// The costs of the most expensive tick, touch, button and start of a game in a table.
fn dearest(table: &str, game: u8) -> [u32; 4] {
    let name = games::about(game).expect("it is in the table").name;
    let line = table.lines().find(|line| line.starts_with(name));
    let mut words = line.unwrap_or("").split_whitespace().skip(1);
    std::array::from_fn(|_| words.next().and_then(|word| word.parse().ok()).unwrap_or(0))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_tick_fits_a_millisecond_of_the_smaller_chip() {
    let output = instructions(&TICKS);
    let (table, errors) = (text(&output.stdout), text(&output.stderr));
    println!("{table}");
    assert!(output.status.success(), "{table}{errors}");
    for number in games::NUMBERS {
        let [tick, ..] = dearest(&table, *number);
        assert!(tick > 1_000, "game {number} was not measured:\n{table}");
    }
}

/// What the larger chip does in a millisecond, at one instruction per cycle of 168 MHz.
/// The players divide their work into ticks of 50,000, and keep to that on up to 128
/// points; on 256 points, a playout of SpeedGo, or the visibility of Visiput's rays,
/// takes more than twice that without a break.
const MILLISECOND: u32 = 168_000;

/// The limit for a start, which happens once per game; afterwards the clock catches up.
/// FillIt scatters and counts so many stones on 256 points that it takes up to 177,000,
/// depending on the random numbers.
const START: u32 = 200_000;

#[test]
fn every_tick_on_256_points_fits_a_millisecond() {
    let start = START.to_string();
    let board = ["netduinoplus2", "--layout", "16x16", "--limit", &start];
    let short = ["--ticks", "4", "--moves", "8"];
    let output = instructions(&[&board[..], &short].concat());
    let (table, errors) = (text(&output.stdout), text(&output.stderr));
    println!("{table}");
    assert!(output.status.success(), "{table}{errors}");
    for number in games::NUMBERS {
        let [tick, touch, button, _start] = dearest(&table, *number);
        assert!(tick > 1_000, "game {number} was not measured:\n{table}");
        let most = tick.max(touch).max(button);
        assert!(most <= MILLISECOND, "game {number}: {most}\n{table}");
    }
}

#[test]
fn every_tick_of_larger_games_fits_a_millisecond() {
    let board = ["netduinoplus2", "--games", "ABC", "--layout", "16x16"];
    let short = ["--ticks", "4", "--moves", "24"];
    let output = instructions(&[&board[..], &short].concat());
    let (table, errors) = (text(&output.stdout), text(&output.stderr));
    println!("{table}");
    assert!(output.status.success(), "{table}{errors}");
    for number in 10..=12 {
        let [tick, touch, ..] = dearest(&table, number);
        assert!(tick > 1_000, "game {number} was not measured:\n{table}");
        assert!(tick.max(touch) <= MILLISECOND, "game {number}:\n{table}");
    }
}

/// The limit per tick for any game: a player's budget, plus the longest piece of work
/// that cannot be divided.
const THOUGHT: u64 = 100_000;

#[test]
fn the_game_of_a_layout_thinks_in_small_ticks() {
    let layout = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../hil-bridge/ludemes/games/teeko.lud"
    );
    let board = ["netduinoplus2", "--games", "E", "--layout", layout];
    let short = ["--ticks", "20", "--moves", "12", "--json"];
    let output = instructions(&[&board[..], &short].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mode: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one mode");
    assert_eq!(mode["name"], "Teeko");
    let thought = &mode["instructions"]["thought"];
    let worst = thought["worst"].as_u64().expect("a number");
    assert!(thought["calls"].as_u64() > Some(20), "{mode}");
    assert!((1_000..THOUGHT).contains(&worst), "{mode}");
}

/// Touches of Teeko, measured alone.
fn touches_of_teeko(points: &str) -> Output {
    let layout = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../hil-bridge/ludemes/games/teeko.lud"
    );
    let board = [
        "netduinoplus2",
        "--games",
        "E",
        "--layout",
        layout,
        "--json",
    ];
    let short = ["--ticks", "1", "--moves", "0", "--touches", points];
    instructions(&[&board[..], &short].concat())
}

#[test]
fn a_measured_game_begins_with_the_given_touches() {
    let output = touches_of_teeko("c3 b2 d4 a1 e5");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mode: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one mode");
    assert_eq!(mode["instructions"]["touch"]["calls"], 5, "{mode}");
}

#[test]
fn wrong_and_illegal_touches_are_bad_input() {
    for (points, sentence) in [
        (
            "c3 c3",
            "--touches: touch 2 of the opening is not legal at that point of the game",
        ),
        ("c3 z9", "z9"),
    ] {
        let output = touches_of_teeko(points);
        assert_eq!(output.status.code(), Some(2), "{points}");
        let errors = text(&output.stderr);
        assert!(errors.contains(sentence), "{errors}");
    }
}

#[test]
fn an_image_that_cannot_play_the_game_of_a_layout_is_bad_input() {
    let layout = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../hil-bridge/ludemes/games/teeko.lud"
    );
    let output = instructions(&["netduinoplus2", "--games", "D", "--layout", layout]);
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    assert!(errors.contains("--games E"), "{errors}");
}

#[test]
fn a_slow_call_is_named_and_figures_are_repeatable() {
    let short = ["--ticks", "10", "--moves", "10", "--game", "7"];
    let findthem = [&short[..], &["--json"]].concat();
    let [once, again] = [(); 2].map(|()| instructions(&findthem));
    assert!(once.status.success(), "{}", text(&once.stderr));
    assert_eq!(text(&once.stdout), text(&again.stdout));
    let modes: Vec<serde_json::Value> = text(&once.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is an object"))
        .collect();
    assert_eq!(modes.len(), 4);
    let starts = modes
        .iter()
        .filter_map(|mode| mode["instructions"]["start"]["worst"].as_u64());
    let dearest = starts.max().expect("a game was started");

    let allowed = (dearest - 1).to_string();
    let limited = [&short[..], &["--limit", &allowed]].concat();
    let output = instructions(&limited);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    let sentence = format!("takes {dearest} instructions, and {allowed} are allowed");
    assert!(errors.contains(&sentence), "{errors}");
}

#[test]
fn a_missing_game_is_bad_input() {
    let output = instructions(&["--game", "77"]);
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    assert!(errors.contains("there is no game 77"), "{errors}");
}

#[test]
fn a_layout_that_does_not_fit_the_chip_is_bad_input() {
    let output = instructions(&["lm3s6965evb", "--layout", "16x16"]);
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    let sentence = "16x16 is too large for lm3s6965evb: it has room for 128 points";
    assert!(errors.contains(sentence), "{errors}");
}

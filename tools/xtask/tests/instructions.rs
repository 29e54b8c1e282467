//! What the board's code costs on the Cortex-M3: a short measurement of every
//! game in every mode.

use std::process::{Command, Output};

use firmware_core::games;

/// Ticks of thought in each of the board's turns: enough to see each search
/// begin in each position of a game.
const TICKS: &str = "40";

fn instructions(arguments: &[&str]) -> Output {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask
        .args(["instructions", "--ticks", TICKS])
        .args(arguments);
    xtask.output().expect("the task runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn no_tick_and_no_input_of_any_game_takes_more_than_a_millisecond_of_the_chip() {
    let output = instructions(&[]);
    let (table, errors) = (text(&output.stdout), text(&output.stderr));
    println!("{table}");
    assert!(output.status.success(), "{table}{errors}");
    for number in games::NUMBERS {
        let name = games::about(*number).expect("it is in the table").name;
        let line = table.lines().find(|line| line.starts_with(name));
        let tick = line.and_then(|line| line.split_whitespace().nth(1));
        let tick: u32 = tick.and_then(|tick| tick.parse().ok()).unwrap_or(0);
        assert!(tick > 1_000, "{name} was not measured:\n{table}");
    }
}

#[test]
fn a_call_that_takes_too_long_is_named_and_the_same_figures_come_each_time() {
    let findthem = ["--game", "7", "--json"];
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
    let output = instructions(&["--game", "7", "--limit", &allowed]);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    let sentence = format!("takes {dearest} instructions, and {allowed} are allowed");
    assert!(errors.contains(&sentence), "{errors}");
}

#[test]
fn a_game_that_is_not_there_is_bad_input() {
    let output = instructions(&["--game", "77"]);
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    assert!(errors.contains("there is no game 77"), "{errors}");
}

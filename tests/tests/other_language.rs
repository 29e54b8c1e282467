//! A host in another language, which was written only from the protocol's page.

use std::path::Path;
use std::process::Command;

use firmware_core::AnyBoard;
use protocol::{Button, Deed, Input, Layout, Point, Settings};
use virtual_board::{Options, spawn};

/// Plays the lines for the client on a board in this process, and adds the expected
/// digests.
fn twin_of(lines: &[&str]) -> Vec<String> {
    let mut board = AnyBoard::new(Layout::MALDOO, 7).expect("the usual layout");
    let settings = Settings {
        time: 5,
        level: 1,
        ..Settings::default()
    };
    let deed = Deed::Settings(settings);
    board.carry_out(&deed, &mut |_, _| {}).expect("it has them");
    let mut inputs = vec![Input::Press(Button::Start), Input::Lift(Button::Start)];
    let mut told = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["touch", point] => {
                let point = Point(point.parse().expect("a point"));
                inputs = vec![Input::Touch(point), Input::Release(point)];
                told.push((*line).to_owned());
            }
            ["step", ticks, _] => {
                for input in inputs.drain(..) {
                    board.input(input, &mut |_, _| {});
                }
                let ticks = ticks.parse().expect("ticks");
                board.advance(ticks, &mut |_, _| {});
                told.push(format!("step {ticks} {}", board.digest()));
            }
            _ => told.push((*line).to_owned()),
        }
    }
    told
}

#[test]
fn a_python_client_reads_the_examples_and_plays_a_game() {
    let board = spawn(Options {
        no_pty: true,
        tcp: Some(([127, 0, 0, 1], 0).into()),
        ..Options::default()
    })
    .expect("a virtual board");
    let address = board.tcp.expect("a socket").to_string();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("python3")
        .arg("-B")
        .arg(here.join("python/check.py"))
        .arg(here.join("../protocol/schema.json"))
        .arg(address)
        .output()
        .expect("python3 is installed: see `cargo xtask setup`");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout).expect("it writes text");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines, twin_of(&lines));
    let moves = lines.last().and_then(|line| line.strip_prefix("moves "));
    let moves: u32 = moves.and_then(|count| count.parse().ok()).expect("a count");
    assert!(moves >= 8, "{text}");
}

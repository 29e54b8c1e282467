//! `hil-bridge play` on simulated grid controllers, over pseudo-terminals.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};

use law::{GIVE_UP_AFTER, wait_until};
use protocol::{Button, Input, Layout};
use rustix::process::{Pid, Signal, kill_process};
use touchboard_host::{CoreDriver, Driver};
use virtual_board::grid::{GridDevice, GridKind, RunningGrid};

/// A running game, and its output.
struct Playing {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Drop for Playing {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn play(panel: &str, link: &Path, options: &[&str]) -> Playing {
    let mut child = crate::common::command()
        .args(["play", "--panel", &format!("{panel}:{}", link.display())])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let input = child.stdin.take().expect("a pipe");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    Playing {
        child,
        input,
        lines,
    }
}

impl Playing {
    /// The next line that contains these words.
    fn says(&self, what: &str) -> String {
        let mut others = Vec::new();
        loop {
            match self.lines.recv_timeout(GIVE_UP_AFTER) {
                Ok(line) if line.contains(what) => return line,
                Ok(line) => others.push(line),
                Err(_) => panic!("it never said {what}, but {others:?}"),
            }
        }
    }

    fn end(mut self) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::INT).expect("it runs");
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }
}

fn grid_at(kind: GridKind, link: &Path) -> RunningGrid {
    let device = GridDevice::new(kind, 8, 8);
    RunningGrid::plug_in(device, Some(link)).expect("a pseudo-terminal")
}

fn press(grid: &RunningGrid, name: &str) {
    grid.line(&format!("press {name}")).expect("a key");
}

fn is_dark(grid: &RunningGrid) -> bool {
    let picture = grid.device().picture().concat();
    picture.chars().all(|lamp| matches!(lamp, '0' | '.'))
}

#[test]
fn a_game_is_played_on_a_panel_and_an_interrupt_darkens_it() {
    for (panel, kind) in [
        ("monome", GridKind::Monome),
        ("launchpad", GridKind::LaunchpadMini),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("panel");
        let grid = grid_at(kind, &link);
        let layout = Layout::grid(4, 4).expect("a layout");
        let playing = play(panel, &link, &["--layout", "4x4", "--games", "0"]);
        playing.says("the panel is a");
        wait_until("it is lit", || !is_dark(&grid));
        let mut twin =
            CoreDriver::with_games(layout, "0".parse().expect("a game"), 0).expect("a board");
        let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
        twin.step(&start, 1).expect("a board");
        // The Start button is in the last column of the grid.
        press(&grid, if panel == "monome" { "7 0" } else { "89" });
        playing.says("begins");
        let mut moves = 0;
        while let Some(point) = twin.legal().expect("a board").first().copied() {
            let (column, row) = (layout.column(point), layout.row(point));
            let name = match kind {
                GridKind::Monome => format!("{column} {row}"),
                _ => (10 * (8 - row) + column + 1).to_string(),
            };
            press(&grid, &name);
            let line = playing.says(&format!(" {}", layout.name(point)));
            assert!(!line.contains("illegal"), "{line}");
            let touch = [Input::Touch(point), Input::Release(point)];
            twin.step(&touch, 1).expect("a board");
            moves += 1;
        }
        assert!(moves >= 5, "{moves} moves");
        playing.says("over: ");
        playing.end();
        wait_until("it is dark", || is_dark(&grid));
    }
}

#[test]
fn panel_errors_are_reported_and_buttons_can_be_typed() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("panel");
    let mut playing = play("monome", &link, &["--layout", "9x9", "--games", "0"]);
    let line = playing.says("cannot be opened");
    assert!(line.contains("panel"), "{line}");
    let grid = grid_at(GridKind::Monome, &link);
    playing.says("the panel is a monome grid of 8x8 keys");
    let line = playing.says("does not fit on");
    assert!(line.contains("--layout 8x8"), "{line}");
    writeln!(playing.input, "Start").expect("a pipe");
    playing.says("begins");
    writeln!(playing.input, "stare").expect("a pipe");
    playing.says("`stare` is not a button");
    drop(grid);
    playing.says("is gone: plug it in again");
    playing.end();
}

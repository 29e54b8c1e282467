//! Measures the cost of board and scene in one picture, without the renderer: a game of
//! Reversi on 16x16, with a touch and a release in every picture.
//!
//! The limit: 1 ms, of the 16.7 ms that a picture has at 60 a second.

#[path = "../tests/window/windowless.rs"]
mod windowless;

use divan::Bencher;
use emulator::source::WindowCommand;
use emulator::source::core::InProcess;
use protocol::{Button, Deed, Input, Layout, Point};
use touchboard_host::CoreDriver;

fn main() {
    divan::main();
}

#[divan::bench]
fn board_and_scene(bencher: Bencher) {
    let layout = Layout::grid(16, 16).expect("a layout");
    let driver = CoreDriver::new(layout, 1).expect("a board");
    let mut app = windowless::app(InProcess::new(driver).unwrap());
    app.world_mut()
        .write_message(WindowCommand::Do(Deed::Input(Input::Press(Button::Start))));
    app.update();
    let mut next = 0_u8;
    bencher.bench_local(|| {
        next = next.wrapping_add(7);
        for input in [Input::Touch(Point(next)), Input::Release(Point(next))] {
            app.world_mut()
                .write_message(WindowCommand::Do(Deed::Input(input)));
        }
        app.update();
    });
}

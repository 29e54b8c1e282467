//! Measures the cost of one complete picture of the window, drawn at 1280x720 by the
//! present graphics card, or by a processor in its place. A game of Reversi is on the
//! board; each quality is measured.
//!
//! The limit with a graphics card: 16.7 ms, the time of a picture at 60 a second.

use bevy::app::PluginsState;
use bevy::prelude::*;
use divan::Bencher;
use emulator::desktop::app;
use emulator::desktop::options::Options;
use emulator::scene::quality::Quality;
use emulator::source::WindowCommand;
use protocol::{Button, Deed, Input, Point};

/// Pictures until everything is compiled and loaded.
const FIRST: usize = 8;

fn main() {
    divan::main();
}

#[divan::bench(args = Quality::ALL, sample_count = 12, sample_size = 1)]
fn picture(bencher: Bencher, quality: Quality) {
    let mut app = shown(quality);
    let mut next = 0_u8;
    bencher.bench_local(|| {
        next = (next + 7) % 81;
        for input in [Input::Touch(Point(next)), Input::Release(Point(next))] {
            app.world_mut()
                .write_message(WindowCommand::Do(Deed::Input(input)));
        }
        app.update();
    });
}

/// An app without a visible window, after its first pictures.
fn shown(quality: Quality) -> App {
    let mut options = Options::read_from(["emulator", "--fresh", "--mute"]).expect("options");
    options.headless = true;
    options.quality = Some(quality);
    let mut app = app::build(&options).unwrap_or_else(|error| panic!("{}", error.sentence));
    while app.plugins_state() == PluginsState::Adding {
        bevy::tasks::tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    for button in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
        app.world_mut()
            .write_message(WindowCommand::Do(Deed::Input(button)));
    }
    (0..FIRST).for_each(|_| app.update());
    app
}

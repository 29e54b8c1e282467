//! The command `emulator`: the touch board in 3D.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::process::ExitCode;

use bevy::app::{App, AppExit};
use clap::CommandFactory;
use emulator::desktop::app;
use emulator::desktop::options::Options;
use emulator::desktop::start_error::StartError;
use firmware_core::panic_text;

fn main() -> ExitCode {
    if let Some(code) = touchboard_completions::generate(Options::command(), std::env::args_os()) {
        return code;
    }
    let options = Options::read_from(std::env::args_os()).unwrap_or_else(|error| error.exit());
    match build(&options) {
        Ok(mut app) => match app.run() {
            AppExit::Success => ExitCode::SUCCESS,
            AppExit::Error(code) => ExitCode::from(code.get()),
        },
        Err(error) => {
            eprintln!("emulator: {error}");
            ExitCode::from(error.code)
        }
    }
}

/// Builds the program. The windowing and rendering libraries report a missing display or
/// renderer by a panic, which becomes a sentence here.
fn build(options: &Options) -> Result<App, StartError> {
    let hook = take_hook();
    set_hook(Box::new(|_| ()));
    let built = catch_unwind(AssertUnwindSafe(|| app::build(options)));
    set_hook(hook);
    built.unwrap_or_else(|panic| {
        let said = panic_text(&*panic)
            .and_then(|said| said.lines().next())
            .unwrap_or("no reason was given");
        let what = if options.headless {
            "no picture can be drawn here: install a Vulkan driver (mesa-vulkan-drivers has one in software)"
        } else {
            "no window can be opened here: it needs a display and a Vulkan driver (mesa-vulkan-drivers has one in software)"
        };
        Err(StartError::bad_input(format!("{what}; {said}")))
    })
}

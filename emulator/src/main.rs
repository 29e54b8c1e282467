//! The command `emulator`: the touch board in 3D.

use std::process::ExitCode;

use bevy::app::AppExit;
use clap::Parser;
use emulator::app;
use emulator::options::Options;

fn main() -> ExitCode {
    let options = Options::parse();
    match app::build(&options) {
        Ok(mut app) => match app.run() {
            AppExit::Success => ExitCode::SUCCESS,
            AppExit::Error(code) => ExitCode::from(code.get()),
        },
        Err((code, sentence)) => {
            eprintln!("emulator: {sentence}");
            ExitCode::from(code)
        }
    }
}

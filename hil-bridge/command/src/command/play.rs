//! `play`: a board with a grid controller as its keys and lamps.

use std::io;
use std::thread;

use anyhow::ensure;
use hil_bridge::play::{PanelGame, PlayMessage, messages};
use touchboard_links::{At, Where};
use touchboard_panel_ports::PanelChoice;

use super::{CommandEnd, ExitKind, print};

#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    place: Where,
    /// The keys and lamps: a Novation Launchpad (launchpad) or a monome grid (monome),
    /// with :PORT after it to name its port
    #[arg(long, value_name = "PANEL[:PORT]")]
    panel: PanelChoice,
}

pub fn run(options: &Options) -> CommandEnd {
    super::set_up(&options.place)?;
    ensure!(
        !matches!(options.place.at, At::Pico(_)),
        "the emulated Pico is too slow to play on: leave --at pico out, or let `check` play on it"
    );
    let mut driver = options.place.open()?;
    let (sender, receiver) = messages();
    let end = sender.clone();
    ctrlc::set_handler(move || {
        // After the first signal, the receiver may be gone.
        let _ = end.send(PlayMessage::End);
    })?;
    let typed = sender.clone();
    // This thread is not joined, because reading the standard input may block forever.
    thread::spawn(move || {
        for line in io::stdin().lines().map_while(Result::ok) {
            if typed.send(PlayMessage::Typed(line)).is_err() {
                return;
            }
        }
    });
    let end = sender.clone();
    let mut tell = |sentence: &str| {
        if print(sentence).is_err() {
            // If the output is closed, the user has ended the game.
            let _ = end.send(PlayMessage::End);
        }
    };
    let choice = options.panel.clone();
    PanelGame::begin(&mut *driver, choice, sender, receiver, &mut tell)?.run();
    Ok(ExitKind::Done)
}

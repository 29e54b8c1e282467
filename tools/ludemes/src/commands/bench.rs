//! `ludemes bench`: plays random games for a given time and reports the rate.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cartridge_plan::{Plan, Playout};
use clap::Args;
use firmware_core::cartridge::{Cartridge, Machine, Scratch, verify};
use firmware_core::word::Word;
use firmware_core::{Rng, Wide};

/// What to play.
#[derive(Args)]
pub struct Options {
    /// The texts.
    files: Vec<PathBuf>,
    /// The time for each text, in ms.
    #[arg(long, default_value_t = 2_000)]
    time_ms: u64,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The number of games and moves, and the time that they took.
struct Played {
    games: u64,
    moves: u64,
    took: Duration,
}

/// Plays random games of each text, to their ends.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    println!(
        "{:<28} {:>12} {:>12} {:>8}",
        "game", "games/s", "moves/s", "moves"
    );
    for file in &options.files {
        let (_, compiled) = super::compiled(file, &[])?;
        let mut scratch = Box::new(Scratch::new());
        let game = verify(&compiled.bytes, &mut scratch);
        let game = game.map_err(|refused| format!("{}: {refused:?}", file.display()))?;
        let time = Duration::from_millis(options.time_ms);
        let played = match game.sites() {
            0..=64 => play::<u64>(&game, time, options.seed),
            65..=128 => play::<u128>(&game, time, options.seed),
            _ => play::<Wide>(&game, time, options.seed),
        };
        let seconds = played.took.as_secs_f64();
        println!(
            "{:<28} {:>12.0} {:>12.0} {:>8.1}",
            game.name(),
            played.games as f64 / seconds,
            played.moves as f64 / seconds,
            played.moves as f64 / played.games as f64
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn play<W: Word>(game: &Cartridge<'_>, time: Duration, seed: u64) -> Played {
    let mut played = Played {
        games: 0,
        moves: 0,
        took: Duration::ZERO,
    };
    let Some(machine) = Machine::<W>::new(game) else {
        return played;
    };
    let mut machine = Box::new(machine);
    let Some(plan) = Plan::of(game).map(Box::new) else {
        return played;
    };
    let mut playout = Box::new(Playout::of(&plan));
    let mut rng = Rng::new(seed);
    let (start, begun) = (Instant::now(), on_processor());
    while start.elapsed() < time {
        playout.start(&mut machine);
        played.moves += playout.play_on(&mut machine, &mut rng);
        if machine.gave_up() {
            eprintln!(
                "the machine gave up after {} games: a move takes more than there is",
                played.games
            );
            break;
        }
        played.games += 1;
    }
    // If the system reports the processor time, time used by other processes does not
    // count.
    played.took = match (begun, on_processor()) {
        (Some(begun), Some(now)) => now.saturating_sub(begun),
        _ => start.elapsed(),
    };
    played
}

/// The processor time of this thread, if the system reports it.
fn on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let first = text.split_whitespace().next()?;
    Some(Duration::from_nanos(first.parse().ok()?))
}

//! `arena`: the board's players against each other, and how fast they think.

mod contest;
mod table;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use firmware_core::games::{self, reversi::Reversi};
use firmware_core::{Context, Game, Grid, Rng, Word};
use protocol::Layout;
use serde_json::json;

use crate::contest::Contest;

/// Levels against levels, move counts, and speed.
#[derive(Parser)]
#[command(version)]
struct Arena {
    #[command(subcommand)]
    command: Command,
    /// One JSON object a line instead of a table.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Each level against the one below it, or two levels of your choice.
    Match(Match),
    /// Positions of Reversi after so many plies: 4, 12, 56, 244, 1396, ...
    Perft {
        /// Plies.
        #[arg(default_value_t = 9)]
        depth: u8,
        /// The board.
        #[arg(long, default_value = "8x8", value_parser = layout)]
        layout: Layout,
    },
}

#[derive(Args)]
struct Match {
    /// The game, by name or number.
    #[arg(long, default_value = "reversi", value_parser = game)]
    game: u8,
    /// Its mode.
    #[arg(long, default_value_t = 0)]
    mode: u8,
    /// Its speed.
    #[arg(long, default_value_t = 5)]
    speed: u8,
    /// The board.
    #[arg(long, default_value = "9x9", value_parser = layout)]
    layout: Layout,
    /// One level against another instead of all neighbours: `4,1`.
    #[arg(long, value_delimiter = ',', num_args = 2)]
    levels: Option<Vec<u8>>,
    /// Games of each pair.
    #[arg(long, default_value_t = 200)]
    games: u64,
    /// Random moves at the beginning of each game.
    #[arg(long, default_value_t = 4)]
    random_moves: u8,
    /// What chance follows from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads.
    #[arg(long, default_value_t = default_jobs())]
    jobs: usize,
}

fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn game(text: &str) -> Result<u8, String> {
    let number = games::NUMBERS.iter().copied().find(|number| {
        text.parse() == Ok(*number)
            || games::about(*number).is_some_and(|about| about.name.eq_ignore_ascii_case(text))
    });
    number.ok_or_else(|| "there is no such game: give its name or its number".to_owned())
}

fn layout(text: &str) -> Result<Layout, String> {
    let (columns, rows) = text
        .split_once('x')
        .ok_or("write a layout as COLUMNSxROWS, such as 9x9")?;
    let side = |text: &str| {
        text.parse()
            .map_err(|_| format!("`{text}` is no number of points"))
    };
    Layout::grid(side(columns)?, side(rows)?).map_err(|error| error.to_string())
}

fn main() -> ExitCode {
    let arena = Arena::parse();
    let done = match &arena.command {
        Command::Match(options) => matches(options, arena.json),
        Command::Perft { depth, layout } => perft(*depth, *layout, arena.json),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::from(2)
        }
    }
}

fn matches(options: &Match, as_json: bool) -> Result<(), String> {
    let about = games::about(options.game).ok_or("there is no such game")?;
    if !about.plays {
        return Err(format!(
            "the board does not play {}: there is nobody to match",
            about.name
        ));
    }
    if options.mode >= about.modes {
        return Err(format!("{} has modes 0 to {}", about.name, about.modes - 1));
    }
    let pairs = match options.levels.as_deref() {
        Some(&[first, second]) if (1..=4).contains(&first) && (1..=4).contains(&second) => {
            vec![[first, second]]
        }
        Some(_) => return Err("levels go from 1 to 4: write two of them, such as 4,1".to_owned()),
        None => vec![[2, 1], [3, 2], [4, 3]],
    };
    let contest = Contest {
        game: options.game,
        mode: options.mode,
        speed: options.speed,
        layout: options.layout,
        random_moves: options.random_moves,
    };
    if !as_json {
        println!("{} mode {} on {}", about.name, options.mode, options.layout);
        println!("level  against    won  drawn   lost   share     95 %            points");
    }
    for levels in pairs {
        let series = table::play(contest, levels, options.games, options.seed, options.jobs)
            .ok_or_else(|| format!("{} does not fit {}", about.name, options.layout))?;
        let (low, high) = series.interval();
        if as_json {
            let line = json!({
                "game": about.name, "mode": options.mode, "layout": options.layout.to_string(),
                "series": series, "share": series.share(), "low": low, "high": high,
            });
            println!("{line}");
        } else {
            println!(
                "{:>5}  {:>7}  {:>5}  {:>5}  {:>5}  {:>5.1} %  {:>4.1}-{:>4.1} %  {:>7} : {}",
                series.level,
                series.against,
                series.won,
                series.drawn,
                series.lost,
                100.0 * series.share(),
                100.0 * low,
                100.0 * high,
                series.points,
                series.points_against,
            );
            if series.endless > 0 {
                println!(
                    "       {} games did not end within ten hours",
                    series.endless
                );
            }
        }
    }
    Ok(())
}

fn perft(depth: u8, layout: Layout, as_json: bool) -> Result<(), String> {
    match layout.points() {
        0..=64 => perft_on::<u64>(depth, layout, as_json),
        65..=128 => perft_on::<u128>(depth, layout, as_json),
        _ => perft_on::<firmware_core::Wide>(depth, layout, as_json),
    }
}

fn perft_on<W: Word>(depth: u8, layout: Layout, as_json: bool) -> Result<(), String> {
    let grid = Grid::<W>::new(layout).ok_or("the layout is too large")?;
    let start = Reversi::start(
        0,
        &mut Context {
            grid: &grid,
            rng: &mut Rng::new(0),
            now: 0,
            speed: 5,
            events: &mut heapless::Vec::new(),
        },
    );
    let start = start.ok_or("the layout is too small")?;
    for depth in 1..=depth {
        let begun = std::time::Instant::now();
        let leaves = start.perft(&grid, depth);
        let seconds = begun.elapsed().as_secs_f64();
        if as_json {
            println!(
                "{}",
                json!({ "depth": depth, "leaves": leaves, "seconds": seconds })
            );
        } else {
            println!(
                "{depth:>3} {leaves:>16} {:>10.1} M/s",
                leaves as f64 / seconds / 1e6
            );
        }
    }
    Ok(())
}

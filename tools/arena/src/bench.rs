//! `arena bench`: the speed of the players on this machine, and of their building blocks.
//!
//! A player is measured in games of a level against itself. A call is the work that the
//! board does in one tick while it thinks; on a 50 MHz microcontroller it takes at most a
//! millisecond.

use std::hint::black_box;
use std::time::{Duration, Instant};

use clap::Args;
use firmware_core::games::countlines::CountLines;
use firmware_core::games::fillit::FillIt;
use firmware_core::games::reversi::Reversi;
use firmware_core::games::speedgo::playout::{MOVES_PER_POINT, PlayoutBoard, SMALL, Style};
use firmware_core::games::speedgo::stones::Stones;
use firmware_core::games::visiput::Visiput;
use firmware_core::minds::alphabeta::AlphaBeta;
use firmware_core::minds::thinker::Thoughtful;
use firmware_core::table::Table;
use firmware_core::{Ground, Rng, Rules, games};
use protocol::{Layout, Side};
use serde_json::json;

use crate::error::ArenaError;
use crate::form::ArenaForm;
use crate::names::{self, Which};
use crate::perft;
use crate::played_game::{MatchSetup, usual_random_moves};

/// Options of `arena bench`.
#[derive(Args)]
pub struct Options {
    /// The game by name or number, or `all`.
    #[arg(long, default_value = "all", value_parser = names::games)]
    game: Which,
    /// The mode of the game.
    #[arg(long, default_value_t = 0)]
    mode: u8,
    /// The layout [default: the one for which the game is made].
    #[arg(long, value_parser = names::layout)]
    layout: Option<Layout>,
    /// How many seconds each figure is measured.
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,
    /// Measure the players only, without their building blocks.
    #[arg(long)]
    players_only: bool,
}

/// The word is not a time for a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write seconds as a number from 0.001 to 600")]
struct NoSeconds;

fn seconds(text: &str) -> Result<f64, NoSeconds> {
    let seconds = text.parse().ok().filter(|s| (0.001..=600.0).contains(s));
    seconds.ok_or(NoSeconds)
}

/// Measures, and prints each figure as soon as it is available.
///
/// # Errors
/// If the board has no player for the game, or not in this mode on this layout.
pub fn run(options: &Options, form: ArenaForm) -> Result<(), ArenaError> {
    let time = Duration::from_secs_f64(options.seconds);
    let games: Vec<u8> = match options.game {
        Which::One(game) => vec![game],
        Which::All => games::NUMBERS.to_vec(),
    };
    if !form.is_json() {
        println!("player      mode  level      calls/s  calls a move      moves/s    games/s");
    }
    for game in games {
        let Some(about) = games::about(game) else {
            continue;
        };
        match (about.board_can_play, options.game) {
            (true, _) => players(options, game, about.name, time, form)?,
            (false, Which::All) => {}
            (false, Which::One(_)) => {
                return Err(ArenaError::NotPlayed(about.name));
            }
        }
    }
    if !options.players_only {
        kernels(time, form);
    }
    Ok(())
}

/// Measures each level of a game against itself.
fn players(
    options: &Options,
    game: u8,
    name: &str,
    time: Duration,
    form: ArenaForm,
) -> Result<(), ArenaError> {
    let setup = MatchSetup {
        game,
        mode: options.mode,
        speed: 5,
        layout: names::layout_for(options.layout, game, options.mode),
        random_moves: usual_random_moves(game),
    };
    for level in 1..=4 {
        let (mut games, mut moves, mut calls) = (0_u64, 0_u64, 0_u64);
        let begun = Instant::now();
        while begun.elapsed() < time || games == 0 {
            let played = setup.play(games, [level; 2]);
            let played = played.ok_or_else(|| ArenaError::NoMode {
                name: name.to_owned(),
                mode: options.mode,
                layout: setup.layout,
            })?;
            games += 1;
            moves += u64::from(played.moves);
            calls += played.wakes;
        }
        let seconds = begun.elapsed().as_secs_f64();
        let rate = |count: u64| count as f64 / seconds;
        let calls_a_move = calls as f64 / moves.max(1) as f64;
        if form.is_json() {
            let line = json!({
                "player": name, "mode": options.mode, "layout": setup.layout.to_string(),
                "level": level, "games": games, "moves": moves, "calls": calls,
                "seconds": seconds, "calls_per_s": rate(calls), "moves_per_s": rate(moves),
                "games_per_s": rate(games), "calls_a_move": calls_a_move,
            });
            println!("{line}");
        } else {
            println!(
                "{name:<10}  {:>4}  {level:>5}  {:>11.0}  {calls_a_move:>12.1}  {:>11.1}  {:>9.2}",
                options.mode,
                rate(calls),
                rate(moves),
                rate(games),
            );
        }
    }
    Ok(())
}

/// Measures the speed of the building blocks of players: positions and random games
/// per second.
fn kernels(time: Duration, form: ArenaForm) {
    if !form.is_json() {
        println!("\nwhat                                          a second");
    }
    let print = |what: &str, unit: &str, rate: Option<f64>| match rate {
        Some(rate) if form.is_json() => {
            println!("{}", json!({ "kernel": what, "unit": unit, "per_s": rate }))
        }
        Some(rate) => println!("{what:<34}  {rate:>16.0}  {unit}"),
        None => {}
    };
    let eight = Layout::grid(8, 8).unwrap_or(Layout::MALDOO);
    print("Reversi 8x8, perft 9", "leaves", reversi_perft(eight, time));
    print(
        "Reversi 8x8, random games",
        "games",
        reversi_games(eight, time),
    );
    print(
        "Reversi 9x9, search",
        "positions",
        search::<Reversi<u128>>(time),
    );
    print(
        "CountLines 9x9, search",
        "positions",
        search::<CountLines<u128>>(time),
    );
    print(
        "FillIt 9x9, search",
        "positions",
        search::<FillIt<u128>>(time),
    );
    print(
        "Visiput 9x9, search",
        "positions",
        search::<Visiput<u128>>(time),
    );
    print(
        "Go 9x9, light random games",
        "games",
        go_games(Style::Light, time),
    );
    print(
        "Go 9x9, answering random games",
        "games",
        go_games(Style::Answering, time),
    );
}

/// Calls `step` for a while and returns its rate per second; `step` returns the amount of
/// work that it did.
fn rate(time: Duration, mut step: impl FnMut() -> u64) -> f64 {
    // The first call is not measured, because it fills caches and touches new memory
    // pages.
    step();
    let begun = Instant::now();
    let mut done = 0;
    while begun.elapsed() < time {
        done += step();
    }
    done as f64 / begun.elapsed().as_secs_f64()
}

fn reversi_perft(layout: Layout, time: Duration) -> Option<f64> {
    let (grid, start) = perft::start::<u64>(layout)?;
    Some(rate(time, || black_box(&start).perft(&grid, 9)))
}

fn reversi_games(layout: Layout, time: Duration) -> Option<f64> {
    const GAMES: u64 = 1_000;
    let (grid, start) = perft::start::<u64>(layout)?;
    let mut rng = Rng::new(1);
    Some(rate(time, || {
        for _ in 0..GAMES {
            black_box(black_box(&start).playout(&grid, &mut rng));
        }
        GAMES
    }))
}

/// The number of positions in one slice of a search that does nothing else.
const POSITIONS: u32 = 1_000;
/// The number of random moves before a search, so that the position is not the empty
/// start.
const OPENING: usize = 10;

fn search<G: Thoughtful<u128> + Rules<u128>>(time: Duration) -> Option<f64> {
    let table = Table::<u128>::new(Layout::MALDOO, 5)?;
    let grid = table.ground.grid();
    let (mut rng, mut chance) = (Rng::new(1), Rng::new(2));
    let mut game = table.with(&mut rng, |context| G::start(0, context))?;
    for _ in 0..OPENING {
        let point = chance.pick(game.legal(&table.ground))?;
        table.with(&mut rng, |context| game.touch(point, context));
    }
    let mut trail = G::Trail::default();
    let mut alphabeta = AlphaBeta::<u128, G::Favourites>::default();
    let mut line = game.line(&mut trail, grid)?;
    let mut search = alphabeta.on(&mut line, 0, &mut chance);
    Some(rate(time, || {
        if !search.is_under_way() {
            search.begin_iteration(search.deepest() as u8);
        }
        u64::from(POSITIONS - search.run(POSITIONS))
    }))
}

fn go_games(style: Style, time: Duration) -> Option<f64> {
    const GAMES: u64 = 100;
    let ground = Ground::<u128>::new(Layout::MALDOO)?;
    let grid = ground.grid();
    let moves = MOVES_PER_POINT * grid.layout().points() as u16;
    let mut rng = Rng::new(1);
    let empty = PlayoutBoard::<SMALL>::new(grid, &Stones::default(), Side::Green, None);
    Some(rate(time, || {
        for _ in 0..GAMES {
            black_box(empty.clone().finish(style, moves, &mut rng));
        }
        GAMES
    }))
}

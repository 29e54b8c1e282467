//! `contest check`: tells a bot's author whether the bot follows the interface.

use std::process::ExitCode;

use clap::Args;
use protocol::Side;

use crate::bot::folder::bot;
use crate::bot::{Bot, mark};
use crate::error::ContestError;
use crate::game::{Played, play};
use crate::limits::Limits;
use crate::sandbox;

/// Options of `contest check`.
#[derive(Args)]
pub struct Options {
    /// The bot: a file
    bot: String,
    /// Games against random moves, half of them with x
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    games: u64,
    /// The seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    limits: Limits,
}

/// The behaviour of a bot over some games.
#[derive(Default)]
struct Shown {
    games: u64,
    won: u64,
    moves: usize,
    slowest_ms: u64,
    fuel: u64,
    memory_bytes: usize,
}

/// Plays some games and reports the results. The exit code is 0 if the bot follows the
/// interface, and 1 if it does not.
///
/// # Errors
/// If the bot cannot be read, or bots that are programs cannot be run here.
pub fn run(options: &Options) -> Result<ExitCode, ContestError> {
    let (checked, random) = (bot(&options.bot)?, Bot::random());
    if checked.is_process() {
        sandbox::prepare()?;
    }
    let mut shown = Shown::default();
    for number in 0..options.games {
        let side = Side::BOTH[usize::from(number % 2 == 1)];
        let pair = match side {
            Side::Green => [&checked, &random],
            Side::Red => [&random, &checked],
        };
        let seed = options.seed.wrapping_add(number);
        let played = play(pair, seed, &options.limits, &mut |_, _, _| {});
        if let Some(lost) = &played.lost {
            tell_fault(&checked.name, side, &played, &lost.fault.to_string());
            return Ok(ExitCode::FAILURE);
        }
        shown.add(side, &played);
    }
    shown.print(&checked.name, &options.limits);
    Ok(ExitCode::SUCCESS)
}

fn tell_fault(name: &str, side: Side, played: &Played, why: &str) {
    let moves = played.moves.len() / 2;
    crate::print(&format!(
        "{name} does not keep the interface. In its move {} with {}, {why}.\n",
        moves + 1,
        mark(side)
    ));
    for line in &played.words[side.index()] {
        crate::print(&format!("It wrote: {line}\n"));
    }
}

impl Shown {
    fn add(&mut self, side: Side, played: &Played) {
        let own = side.index();
        let (_, points) = played.result();
        self.games += 1;
        self.won += u64::from(points[own] > points[1 - own]);
        self.moves += (played.moves.len() + 1 - own) / 2;
        self.slowest_ms = self.slowest_ms.max(played.slowest_ms[own]);
        self.fuel = self.fuel.max(played.usage[own].fuel);
        self.memory_bytes = self.memory_bytes.max(played.usage[own].memory_bytes);
    }

    fn print(&self, name: &str, limits: &Limits) {
        let Shown {
            games, won, moves, ..
        } = self;
        crate::print(&format!(
            "{name} keeps the interface: it made {moves} moves in {games} games against random moves, and won {won} of them.\n\
             Its slowest move took {} ms; it may take {}.\n",
            self.slowest_ms, limits.move_ms
        ));
        if self.memory_bytes > 0 {
            crate::print(&format!(
                "It used at most {} KiB of memory, and may use {}; and {} units of fuel in a move, and may use {}.\n",
                self.memory_bytes >> 10,
                limits.wasm_mib << 10,
                self.fuel,
                limits.fuel
            ));
        }
    }
}

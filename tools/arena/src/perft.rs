//! `arena perft`: counts the lines of play of Reversi.
//!
//! For each depth, it prints the number of lines of exactly that many plies, and the
//! rate: that number divided by the time that this depth took after the previous one.
//! Lines that meet in a position are merged, unless `--walk` is given; then the rate
//! measures the core's kernel. In both cases the last ply is counted and not played, as
//! in the `perft` of other programs.

use std::hash::Hash;
use std::time::Instant;

use clap::Args;
use firmware_core::games::reversi::Reversi;
use firmware_core::table::Table;
use firmware_core::{Grid, Rng, Rules, Wide, Word};
use protocol::Layout;
use serde_json::json;

use crate::form::ArenaForm;
use crate::merged_lines::MergedLines;
use crate::names::{self, NotFitting};

/// Options of `arena perft`.
#[derive(Args)]
pub struct Options {
    /// The depth, in plies.
    #[arg(default_value_t = 9)]
    depth: u8,
    /// The layout.
    #[arg(long, default_value = "8x8", value_parser = names::layout)]
    layout: Layout,
    /// Walk every line separately, even if lines meet in a position.
    #[arg(long)]
    walk: bool,
}

/// Counts, and prints each depth as soon as it is finished.
///
/// # Errors
/// If Reversi does not fit the layout.
pub fn run(options: &Options, form: ArenaForm) -> Result<(), NotFitting> {
    match options.layout.points() {
        0..=64 => run_on::<u64>(options, form),
        65..=128 => run_on::<u128>(options, form),
        _ => run_on::<Wide>(options, form),
    }
}

/// The start of mode 0 on this layout. `None` if it is too small for the game or too
/// large for the word.
#[must_use]
pub fn start<W: Word>(layout: Layout) -> Option<(Grid<W>, Reversi<W>)> {
    let table = Table::<W>::new(layout, 5)?;
    let game = table.with(&mut Rng::new(0), |context| Reversi::start(0, context))?;
    Some((*table.ground.grid(), game))
}

fn run_on<W: Word + Hash>(options: &Options, form: ArenaForm) -> Result<(), NotFitting> {
    let layout = options.layout;
    let (grid, start) = start::<W>(layout).ok_or_else(|| NotFitting::new("Reversi", layout))?;
    if !form.is_json() {
        println!("{}", how_it_counts(options.walk));
        println!("plies           leaves      leaves/s");
    }
    let mut lines = MergedLines::from(&start, &grid);
    for depth in 1..=options.depth {
        let begun = Instant::now();
        let leaves = match options.walk {
            true => start.perft(&grid, depth),
            false => lines.count(depth),
        };
        let seconds = begun.elapsed().as_secs_f64();
        if form.is_json() {
            let line = json!({
                "depth": depth, "leaves": leaves, "seconds": seconds, "walked": options.walk,
            });
            println!("{line}");
        } else {
            let millions = leaves as f64 / seconds / 1e6;
            println!("{depth:>5} {leaves:>16} {millions:>11.1} M");
        }
    }
    Ok(())
}

fn how_it_counts(walk: bool) -> &'static str {
    match walk {
        true => "Each line is walked to its last ply but one, whose moves are counted.",
        false => {
            "Lines that meet in a position or its mirror image are counted together; \
             --walk walks each."
        }
    }
}

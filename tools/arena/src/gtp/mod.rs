//! `arena gtp`: the board's player against any program that speaks the Go Text Protocol
//! over its standard streams.

mod duel;
mod engine;
mod error;
pub mod serve;
mod sgf;
mod words;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use firmware_core::{Wide, games};
use protocol::{Layout, Side};
use serde::Serialize;
use serde_json::json;

use self::duel::{DuelRecord, Ending, Terms};
use self::engine::{Engine, EngineProcess, StartError};
pub use self::error::GtpError;
use self::words::Notation;
use crate::form::ArenaForm;
use crate::names::{self, ChoiceError};
use crate::parallel::{play_all, seed_of, side_of};
use crate::played_game::{MatchSetup, usual_random_moves};
use crate::tally::Tally;

/// Options of `arena gtp`.
#[derive(Args)]
pub struct Options {
    /// The engine's command line, such as "gnugo --mode gtp --chinese-rules
    /// --capture-all-dead --play-out-aftermath".
    #[arg(long)]
    engine: String,
    /// The game: SpeedGo, or Reversi against a program that knows it.
    #[arg(long, default_value = "SpeedGo", value_parser = names::game)]
    game: u8,
    /// The mode [default: SpeedGo's mode with an empty board; 0 in Reversi].
    #[arg(long)]
    mode: Option<u8>,
    /// The layout [default: 9x9, and 8x8 in Reversi].
    #[arg(long, value_parser = names::layout)]
    layout: Option<Layout>,
    /// The board's level, 1-4.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=4))]
    level: u8,
    /// The number of games; the sides change with each.
    #[arg(long, default_value_t = 20)]
    games: u64,
    /// Points for the side that moves second. The manual has none.
    #[arg(long, default_value_t = 0.0)]
    komi: f32,
    /// Random moves at the beginning, the same ones in two games with exchanged sides
    /// [default: 0, and 4 in Reversi].
    #[arg(long)]
    random_moves: Option<u8>,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The longest time for an answer of the engine, in seconds.
    #[arg(long, default_value_t = 60)]
    timeout_s: u64,
    /// The number of simultaneous games, each with its own engine.
    #[arg(long, alias = "jobs", default_value_t = 1)]
    threads: usize,
    /// A folder to which each game is written as an SGF file.
    #[arg(long)]
    sgf: Option<PathBuf>,
}

/// SpeedGo's mode with an empty board at the start.
const EMPTY_BOARD: u8 = 1;

/// The outcomes of all games.
#[derive(Clone, Debug, Default, Serialize)]
struct Outcomes {
    /// The results by the board's count, `[as green, as red]`.
    by_side: [Tally; 2],
    /// The results without the stones that the engine considers dead.
    living: Tally,
    /// The number of games whose result differs between the two counts.
    disputed: u32,
    /// The number of games in which the engine resigned.
    resigned: u32,
    /// The number of the engine's moves that the board's rules forbid.
    refused: u32,
    /// The reasons for which games were broken off, one per game.
    broken_off: Vec<String>,
    /// The sum of the board's leads in points, over the games that were played to the
    /// end.
    lead: f64,
    /// The number of games in that sum.
    counted: u32,
}

impl Outcomes {
    fn add(&mut self, record: &DuelRecord) {
        self.refused += record.refused;
        let side = record.side;
        let outcome = match (&record.ending, record.outcome()) {
            (Ending::BrokenOff(why), _) => return self.broken_off.push(why.to_string()),
            (_, None) => return,
            (_, Some(outcome)) => outcome,
        };
        self.by_side[side.index()].add(side, outcome);
        let living = record.outcome_of_living().unwrap_or(outcome);
        self.living.add(side, living);
        self.disputed += u32::from(living != outcome);
        if record.ending == Ending::Resigned {
            self.resigned += 1;
        } else {
            let lead = f64::from(record.lead);
            self.lead += if side == Side::Green { lead } else { -lead };
            self.counted += 1;
        }
    }

    fn all(&self) -> Tally {
        let [green, red] = self.by_side;
        Tally {
            won: green.won + red.won,
            drawn: green.drawn + red.drawn,
            lost: green.lost + red.lost,
        }
    }
}

/// Plays the match and prints the results.
///
/// # Errors
/// If the engine or the protocol does not play the game, or a file cannot be written.
pub fn run(options: &Options, form: ArenaForm) -> Result<(), GtpError> {
    let terms = terms(options)?;
    let name = engine_name(options)?;
    if let Some(folder) = &options.sgf {
        std::fs::create_dir_all(folder).map_err(GtpError::file(folder))?;
    }
    let what = format!("level {} against {name}", options.level);
    let mut result = Outcomes::default();
    let one = |engine: &mut Option<EngineProcess>, number| one(options, &terms, number, engine);
    play_all(
        options.games,
        options.threads,
        what,
        one,
        |number, record| {
            keep(options, &terms, &name, number, &record)?;
            result.add(&record);
            Ok(())
        },
    )?;
    print(options, &terms, &name, &result, form);
    Ok(())
}

/// How points are written in this game, and the default mode and layout.
fn usual(game: u8) -> Result<(Notation, u8, Layout), GtpError> {
    let about = names::about(game).map_err(ChoiceError::from)?;
    let (notation, mode, side) = match about.name {
        "SpeedGo" => (Notation::Go, EMPTY_BOARD, 9),
        "Reversi" => (Notation::Othello, 0, 8),
        name => return Err(GtpError::NoWords(name)),
    };
    Ok((notation, mode, Layout::grid(side, side)?))
}

fn terms(options: &Options) -> Result<Terms, GtpError> {
    let about = names::about(options.game).map_err(ChoiceError::from)?;
    let (notation, usual_mode, usual_layout) = usual(options.game)?;
    let layout = options.layout.unwrap_or(usual_layout);
    if layout.columns() != layout.rows() {
        return Err(GtpError::NotSquare(layout));
    }
    let mode = options.mode.unwrap_or(usual_mode);
    if mode >= about.modes {
        return Err(ChoiceError::modes(about).into());
    }
    let usual_moves = match notation {
        Notation::Go => 0,
        Notation::Othello => usual_random_moves(options.game),
    };
    Ok(Terms {
        setup: MatchSetup {
            game: options.game,
            mode,
            speed: 5,
            layout,
            random_moves: options.random_moves.unwrap_or(usual_moves),
        },
        level: options.level,
        komi: options.komi,
        notation,
    })
}

fn start(options: &Options) -> Result<EngineProcess, StartError> {
    EngineProcess::start(&options.engine, Duration::from_secs(options.timeout_s))
}

/// Asks the engine for its name.
fn engine_name(options: &Options) -> Result<String, GtpError> {
    let mut engine = start(options)?;
    let name = engine.command("name")?;
    let version = engine.command("version").unwrap_or_default();
    Ok(format!("{name} {version}").trim().to_owned())
}

/// Plays game `number`. An engine that failed is restarted for the next game.
fn one(
    options: &Options,
    terms: &Terms,
    number: u64,
    kept: &mut Option<EngineProcess>,
) -> Result<DuelRecord, GtpError> {
    let mut engine = match kept.take() {
        Some(engine) => engine,
        None => start(options)?,
    };
    let (side, seed) = (side_of(number), seed_of(options.seed, number));
    let record = match terms.setup.layout.points() {
        0..=64 => duel::play::<u64, _>(terms, side, seed, &mut engine),
        65..=128 => duel::play::<u128, _>(terms, side, seed, &mut engine),
        _ => duel::play::<Wide, _>(terms, side, seed, &mut engine),
    }?;
    if !matches!(record.ending, Ending::BrokenOff(_)) {
        *kept = Some(engine);
    }
    Ok(record)
}

fn keep(
    options: &Options,
    terms: &Terms,
    name: &str,
    number: u64,
    record: &DuelRecord,
) -> Result<(), GtpError> {
    let Some(folder) = &options.sgf else {
        return Ok(());
    };
    let path = folder.join(format!("{:03}.sgf", number + 1));
    let text = sgf::write(terms, name, record);
    touchboard_files::whole_file::write(&path, text.as_bytes()).map_err(GtpError::file(&path))
}

fn print(options: &Options, terms: &Terms, name: &str, result: &Outcomes, form: ArenaForm) {
    let all = result.all();
    let [low, high] = all.interval();
    let game = games::about(terms.setup.game).map_or("", |about| about.name);
    let lead = result.lead / f64::from(result.counted.max(1));
    if form.is_json() {
        let line = json!({
            "game": game, "mode": terms.setup.mode, "layout": terms.setup.layout.to_string(),
            "level": terms.level, "engine": name, "command": options.engine, "komi": terms.komi,
            "result": result, "share": all.share(), "low": low, "high": high, "lead": lead,
        });
        println!("{line}");
        return;
    }
    println!(
        "{game} mode {} on {}, komi {}: level {} against {name}",
        terms.setup.mode, terms.setup.layout, terms.komi, terms.level
    );
    println!("             won  drawn   lost   share     95 %");
    let row = |label: &str, tally: Tally| {
        let [low, high] = tally.interval();
        println!(
            "{label:<9}  {:>5}  {:>5}  {:>5}  {:>5.1} %  {:>4.1}-{:>4.1} %",
            tally.won,
            tally.drawn,
            tally.lost,
            100.0 * tally.share(),
            100.0 * low,
            100.0 * high
        );
    };
    let [green, red] = result.by_side;
    row("as green", green);
    row("as red", red);
    row("together", all);
    println!("{lead:+.1} points a game, where both played on to the end");
    if terms.notation == Notation::Go {
        row("living", result.living);
        println!(
            "living: without the stones that the engine calls dead at the end; it decides {} games otherwise",
            result.disputed
        );
    }
    print_incidents(result);
}

fn print_incidents(result: &Outcomes) {
    if result.resigned > 0 {
        println!("{} games were given up by the engine", result.resigned);
    }
    if result.refused > 0 {
        println!(
            "{} moves of the engine are against the rules of the board: it passed instead",
            result.refused
        );
    }
    for why in &result.broken_off {
        println!("a game was broken off and not counted: {why}");
    }
}

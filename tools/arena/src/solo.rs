//! `arena solo`: many games for one, played by the board's levels and by simple
//! strategies.
//!
//! A level plays through the board's own player, slice by slice; a strategy decides at
//! once. All of them play the same games: the order of the stones in the pouch depends
//! only on the number of the game.

use clap::{Args, ValueEnum};
use firmware_core::games::ishido::outlook::Outlook;
use firmware_core::games::ishido::player::{Policy, PolicyView};
use firmware_core::games::ishido::{Ishido, MODES, Players, field};
use firmware_core::games::{Playing, number};
use firmware_core::table::Table;
use firmware_core::{BoardTurn, Game, Rng, Rules};
use protocol::{Layout, Side, Tick};
use serde_json::json;

use crate::form::ArenaForm;
use crate::names;
use crate::parallel::play_all;
use crate::played_game::MatchSetup;
use crate::seats::Seats;

/// Options of `arena solo`.
#[derive(Args)]
pub struct Options {
    /// The game: ishido.
    #[arg(default_value = "ishido", value_parser = ["ishido"])]
    game: String,
    /// The mode, one of those for one player: 0 or 1.
    #[arg(long, default_value_t = 0)]
    mode: u8,
    /// The layout.
    #[arg(long, default_value = "12x8", value_parser = names::layout)]
    layout: Layout,
    /// The number of games of each player.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The players [default: all].
    #[arg(long, value_enum, value_delimiter = ',')]
    by: Vec<By>,
    /// Threads [default: one for each core].
    #[arg(long, alias = "jobs", default_value_t = shards::usual_threads())]
    threads: usize,
}

/// The player of a game for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// A random square.
    Chance,
    /// The square with most points, as the help button shows it.
    Points,
    /// The square with most neighbours.
    Neighbours,
    /// The square after which the remaining stones fit most squares.
    Wide,
    /// The same, without wasting a square.
    Close,
    /// The board at level 1.
    Level1,
    /// The board at level 2.
    Level2,
    /// The board at level 3.
    Level3,
    /// The board at level 4.
    Level4,
}

/// How a player decides.
enum Way {
    Looks(Policy),
    Thinks { level: u8 },
}

impl By {
    fn way(self) -> Way {
        match self {
            By::Chance => Way::Looks(Policy::Chance),
            By::Points => Way::Looks(Policy::Points),
            By::Neighbours => Way::Looks(Policy::Neighbours),
            By::Wide => Way::Looks(Policy::Wide),
            By::Close => Way::Looks(Policy::Close),
            By::Level1 => Way::Thinks { level: 1 },
            By::Level2 => Way::Thinks { level: 2 },
            By::Level3 => Way::Thinks { level: 3 },
            By::Level4 => Way::Thinks { level: 4 },
        }
    }

    fn name(self) -> &'static str {
        match self.way() {
            Way::Looks(policy) => policy.name(),
            Way::Thinks { level } => {
                ["", "level 1", "level 2", "level 3", "level 4"][usize::from(level)]
            }
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct End {
    /// The number of stones left.
    left: u8,
    four_ways: u8,
    points: u32,
    /// The time of the longest move, in ms.
    longest_ms: Tick,
}

/// The summed results of many games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    games: u64,
    emptied: u64,
    few_left: u64,
    left: u64,
    four_ways: u64,
    points: u64,
    longest_ms: Tick,
}

impl Sum {
    /// The largest number of remaining stones that counts as few.
    const FEW: u8 = 2;

    fn add(&mut self, end: End) {
        self.games += 1;
        self.emptied += u64::from(end.left == 0);
        self.few_left += u64::from(end.left <= Self::FEW);
        self.left += u64::from(end.left);
        self.four_ways += u64::from(end.four_ways);
        self.points += u64::from(end.points);
        self.longest_ms = self.longest_ms.max(end.longest_ms);
    }

    fn each(&self, sum: u64) -> f64 {
        sum as f64 / self.games.max(1) as f64
    }
}

/// Why Ishido for one cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SoloError {
    /// The mode is for two.
    #[error("the modes for one are 0, the seed's rules, and 1, the official ones")]
    Mode,
    /// The layout is too small.
    #[error("Ishido does not fit {0}: choose 12x8 or more")]
    TooSmall(Layout),
    /// A game does not begin on the layout.
    #[error("Ishido does not fit {0}")]
    NotFitting(Layout),
}

/// Plays, and prints each row as soon as it is available.
///
/// # Errors
/// If the mode is not one for one, or the layout too small.
pub fn run(options: &Options, form: ArenaForm) -> Result<(), SoloError> {
    check(options)?;
    if !form.is_json() {
        let (mode, layout, games) = (options.mode, options.layout, options.games);
        println!("\nIshido mode {mode} on {layout}, {games} games each\n");
        println!(
            "| who | pouch emptied | stones left | two or fewer left | four-ways | points | longest move |"
        );
        println!("| --- | --- | --- | --- | --- | --- | --- |");
    }
    let all = By::value_variants();
    let who = if options.by.is_empty() {
        all
    } else {
        &options.by
    };
    for by in who {
        let sum = play(options, *by)?;
        match form.is_json() {
            true => print_json(options, *by, &sum),
            false => print_row(*by, &sum),
        }
    }
    Ok(())
}

fn check(options: &Options) -> Result<(), SoloError> {
    let rule = MODES.get(usize::from(options.mode));
    if rule.is_none_or(|rule| rule.players != Players::One) {
        return Err(SoloError::Mode);
    }
    if !options.layout.sides().is_some_and(field::fits) {
        return Err(SoloError::TooSmall(options.layout));
    }
    Ok(())
}

fn play(options: &Options, by: By) -> Result<Sum, SoloError> {
    let mut sum = Sum::default();
    let what = format!("Ishido, {}", by.name());
    let one = |_: &mut (), number| {
        let seed = options.seed.wrapping_add(number);
        let end = match by.way() {
            Way::Looks(policy) => play_game(options, seed, policy),
            Way::Thinks { level } => think(options, seed, level),
        };
        end.ok_or(SoloError::NotFitting(options.layout))
    };
    play_all(options.games, options.threads, what, one, |_, end| {
        sum.add(end);
        Ok(())
    })?;
    Ok(sum)
}

/// Plays a game in which each stone is placed after one look.
fn play_game(options: &Options, seed: u64, policy: Policy) -> Option<End> {
    let sides = options.layout.sides()?;
    // At this speed, moves cannot be taken back.
    let table = Table::<firmware_core::Wide>::new(options.layout, 9)?;
    let mut rng = Rng::new(seed);
    // As in the games of the levels, whose players have random numbers of their own.
    let mut chance = [rng.split(), rng.split()];
    let mut game = table.with(&mut rng, |context| Ishido::start(options.mode, context))?;
    while game.outcome().is_none() {
        let outlook = Outlook::of(game.field(), game.rule().four);
        let look = PolicyView {
            outlook: &outlook,
            stone: game.hand()?,
            left: game.pouch(),
            rule: game.rule(),
            made: game.four_ways(),
        };
        let place = look.best(policy, &mut chance[0])?;
        let point = field::point_of(place, sides)?;
        table.with(&mut rng, |context| game.touch(point, context));
    }
    Some(end(&game, 0))
}

/// Plays a game with the board's own player.
fn think(options: &Options, seed: u64, level: u8) -> Option<End> {
    let setup = MatchSetup {
        game: number::ISHIDO,
        mode: options.mode,
        speed: 9,
        layout: options.layout,
        random_moves: 0,
    };
    let mut seats = Seats::<firmware_core::Wide>::new(&setup, seed)?;
    let mut longest_ms = 0;
    while seats.outcome().is_none() {
        let began = seats.now();
        let act = seats.move_of(Side::Green, level)?;
        longest_ms = longest_ms.max(seats.now() - began);
        if act == BoardTurn::Wait {
            return None;
        }
    }
    match seats.playing() {
        Playing::Ishido(round) => Some(end(&round.game, longest_ms)),
        _ => None,
    }
}

fn end<W: firmware_core::Word>(game: &Ishido<W>, longest_ms: Tick) -> End {
    End {
        left: game.left(),
        four_ways: game.four_ways()[0],
        points: game.points()[0],
        longest_ms,
    }
}

fn print_row(by: By, sum: &Sum) {
    let percent = |part| 100.0 * sum.each(part);
    println!(
        "| {} | {:.2} % | {:.2} | {:.1} % | {:.3} | {:.1} | {} ms |",
        by.name(),
        percent(sum.emptied),
        sum.each(sum.left),
        percent(sum.few_left),
        sum.each(sum.four_ways),
        sum.each(sum.points),
        sum.longest_ms
    );
}

fn print_json(options: &Options, by: By, sum: &Sum) {
    let line = json!({
        "game": "Ishido", "mode": options.mode, "layout": options.layout.to_string(),
        "seed": options.seed, "who": by.name(), "games": sum.games, "emptied": sum.emptied,
        "left": sum.each(sum.left), "few_left": sum.few_left,
        "four_ways": sum.each(sum.four_ways), "points": sum.each(sum.points),
        "longest_ms": sum.longest_ms,
    });
    println!("{line}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::options;

    #[test]
    fn modes_for_two_and_small_boards_are_refused() {
        assert_eq!(check(&options("x ishido --mode 1 --layout 16x16")), Ok(()));
        assert!(check(&options("x --mode 2")).is_err());
        let sentence = check(&options("x --layout 9x9")).unwrap_err().to_string();
        assert!(sentence.contains("12x8"), "{sentence}");
    }

    #[test]
    fn equal_seeds_give_equal_games_that_all_end() {
        let options = options("x --games 6 --seed 3");
        for by in By::value_variants() {
            if *by == By::Level4 {
                continue;
            }
            let sum = play(&options, *by).unwrap();
            assert_eq!(sum.games, 6);
            assert_eq!(Ok(sum), play(&options, *by), "{}", by.name());
        }
    }

    #[test]
    fn level_4_empties_the_pouch_within_three_seconds_a_move() {
        let sum = play(&options("x --games 2"), By::Level4).unwrap();
        assert_eq!((sum.games, sum.emptied), (2, 2));
        assert!(sum.longest_ms <= 3_000, "{} ms", sum.longest_ms);
    }
}

//! `arena people`: how difficult the levels are for people.
//!
//! Simulated people play green in the games of reaction. FindThem, in which the board
//! itself models a human memory, is not included.

use clap::Args;
use firmware_core::games;
use protocol::{Layout, Side};
use serde_json::json;

use crate::error::ArenaError;
use crate::form::ArenaForm;
use crate::names::{self, ChoiceError, NotFitting, Which};
use crate::parallel::{play_all, seed_of};
use crate::person::{PEOPLE, Person};
use crate::played_game::MatchSetup;
use crate::tally::Tally;

/// The games in which the quicker side wins.
const GAMES: [&str; 3] = ["Ghost", "Life", "TouchIt"];
/// The Speeds of a table.
const SPEEDS: [u8; 5] = [0, 3, 5, 7, 9];
const LEVELS: [u8; 4] = [1, 2, 3, 4];

/// Options of `arena people`.
#[derive(Args)]
pub struct Options {
    /// The game by name or number, or `all`: Ghost, Life, TouchIt.
    #[arg(long, default_value = "all", value_parser = names::games)]
    game: Which,
    /// Its mode.
    #[arg(long, default_value_t = 0)]
    mode: u8,
    /// The layout [default: the one for which the game is made].
    #[arg(long, value_parser = names::layout)]
    layout: Option<Layout>,
    /// The number of games of each person at each level and Speed.
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads [default: one for each core].
    #[arg(long, alias = "jobs", default_value_t = shards::usual_threads())]
    threads: usize,
    /// A Markdown table for each game.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

/// The results of a person's games at a level.
#[derive(Clone, Copy, Debug, Default)]
struct Hardness {
    tally: Tally,
    /// The points `[of the person, of the board]`, summed over all games.
    points: [u64; 2],
}

impl Hardness {
    /// The average points per game.
    fn average(&self) -> [f64; 2] {
        let games = f64::from(self.tally.games().max(1));
        self.points.map(|points| points as f64 / games)
    }

    fn cell(&self) -> String {
        let [own, red] = self.average();
        format!("{:.0} %, {own:.0} : {red:.0}", 100.0 * self.tally.share())
    }
}

/// Plays, and prints each row as soon as it is available.
///
/// # Errors
/// If the game is not won by being quick, or does not fit the layout.
pub fn run(options: &Options, form: ArenaForm) -> Result<(), ArenaError> {
    for game in chosen(options)? {
        let name = games::about(game).map_or("", |about| about.name);
        let layout = names::layout_for(options.layout, game, options.mode);
        if !form.is_json() {
            print_heading(name, layout, options);
        }
        for person in PEOPLE {
            for speed in SPEEDS {
                let mut row = Vec::new();
                for level in LEVELS {
                    let setup = MatchSetup {
                        game,
                        mode: options.mode,
                        speed,
                        layout,
                        random_moves: 0,
                    };
                    let hardness = play(options, setup, name, person, level)?;
                    if form.is_json() {
                        print_json(name, person, setup, level, &hardness);
                    }
                    row.push(hardness);
                }
                if !form.is_json() {
                    print_row(options, person, speed, &row);
                }
            }
        }
    }
    Ok(())
}

/// The numbers of the games to play.
fn chosen(options: &Options) -> Result<Vec<u8>, ChoiceError> {
    let about = |number: &u8| games::about(*number);
    let is_quick = |number: &u8| about(number).is_some_and(|about| GAMES.contains(&about.name));
    let all = games::NUMBERS.iter().copied().filter(is_quick);
    let chosen: Vec<u8> = match options.game {
        Which::All => all.collect(),
        Which::One(game) => all.filter(|number| *number == game).collect(),
    };
    if chosen.is_empty() {
        return Err(ChoiceError::NotQuick(&GAMES));
    }
    for number in &chosen {
        match about(number) {
            Some(about) if options.mode >= about.modes => {
                return Err(ChoiceError::modes(about));
            }
            Some(about) if about.name == "Life" && options.mode > 0 => {
                return Err(ChoiceError::LifeOfThought);
            }
            _ => {}
        }
    }
    Ok(chosen)
}

fn play(
    options: &Options,
    setup: MatchSetup,
    name: &str,
    person: Person,
    level: u8,
) -> Result<Hardness, NotFitting> {
    let speed = setup.speed;
    let what = format!("{name}, {}, Speed {speed}, level {level}", person.name);
    let mut hardness = Hardness::default();
    let one = |_: &mut (), number| {
        let played = setup.play_with(person, seed_of(options.seed, 2 * number), level);
        played.ok_or_else(|| NotFitting::new(name, setup.layout))
    };
    play_all(options.games, options.threads, what, one, |_, played| {
        if let Some(outcome) = played.outcome {
            hardness.tally.add(Side::Green, outcome);
        }
        for (sum, score) in hardness.points.iter_mut().zip(played.score) {
            *sum += u64::from(score);
        }
        Ok(())
    })?;
    Ok(hardness)
}

fn print_heading(name: &str, layout: Layout, options: &Options) {
    let (mode, games) = (options.mode, options.games);
    println!("\n{name} mode {mode} on {layout}, {games} games each\n");
    if options.markdown {
        let level = |level: &u8| format!(" level {level} |");
        println!(
            "| who | Speed |{}",
            LEVELS.iter().map(level).collect::<String>()
        );
        println!("| --- | --- |{}", " --- |".repeat(LEVELS.len()));
    } else {
        let level = |level: &u8| format!("  {:<18}", format!("level {level}"));
        let levels = LEVELS.iter().map(level).collect::<String>();
        println!("who    Speed{}", levels.trim_end());
    }
}

fn print_row(options: &Options, person: Person, speed: u8, row: &[Hardness]) {
    let who = person.name;
    if options.markdown {
        let cells = row.iter().map(|hardness| format!(" {} |", hardness.cell()));
        println!("| {who} | {speed} |{}", cells.collect::<String>());
    } else {
        let cells = row
            .iter()
            .map(|hardness| format!("  {:<18}", hardness.cell()));
        let cells = cells.collect::<String>();
        println!("{who:<6} {speed:>5}{}", cells.trim_end());
    }
}

fn print_json(name: &str, person: Person, setup: MatchSetup, level: u8, hardness: &Hardness) {
    let line = json!({
        "game": name, "mode": setup.mode, "layout": setup.layout.to_string(),
        "speed": setup.speed, "who": person.name, "level": level,
        "won": hardness.tally.won, "drawn": hardness.tally.drawn, "lost": hardness.tally.lost,
        "share": hardness.tally.share(), "points": hardness.points,
    });
    println!("{line}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::options;

    /// The share of games that this person wins at Speed 5, in per cent.
    fn share(game: &str, who: &str, level: u8) -> u32 {
        let options = options("x --games 100");
        let setup = MatchSetup {
            game: names::game(game).unwrap(),
            mode: 0,
            speed: 5,
            layout: Layout::MALDOO,
            random_moves: 0,
        };
        let person = PEOPLE.into_iter().find(|person| person.name == who);
        let hardness = play(&options, setup, game, person.unwrap(), level).unwrap();
        assert_eq!(hardness.tally.games(), 100);
        (100.0 * hardness.tally.share()) as u32
    }

    #[test]
    fn board_games_and_missing_modes_are_refused() {
        assert_eq!(chosen(&options("x")), Ok(vec![1, 2, 3]));
        let sentence = chosen(&options("x --game reversi"))
            .unwrap_err()
            .to_string();
        assert!(sentence.contains("Ghost, Life, TouchIt"), "{sentence}");
        let sentence = chosen(&options("x --game ghost --mode 4"))
            .unwrap_err()
            .to_string();
        assert_eq!(sentence, "Ghost has modes 0 to 3");
        assert!(chosen(&options("x --game life --mode 1")).is_err());
    }

    #[test]
    fn the_same_seed_gives_the_same_games() {
        let share = || share("ghost", "child", 1);
        assert_eq!(share(), share());
    }

    #[test]
    fn a_child_beats_level_1_and_hardly_anyone_level_4() {
        for game in GAMES {
            let child = share(game, "child", 1);
            assert!((30..=90).contains(&child), "{game}: {child} %");
            let adult = share(game, "adult", 2);
            assert!((30..=70).contains(&adult), "{game}: {adult} %");
            let quick = share(game, "quick", 3);
            assert!((25..=70).contains(&quick), "{game}: {quick} %");
            for Person { name, .. } in PEOPLE {
                let any = share(game, name, 4);
                assert!(any <= 25, "{game}, {name}: {any} %");
            }
        }
    }
}

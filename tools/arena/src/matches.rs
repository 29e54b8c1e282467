//! `arena match`: each level against the one below it.

use clap::Args;
use firmware_core::games;
use protocol::{KnownLayout, Layout};
use serde::{Deserialize, Serialize};
use serde_json::json;
use shards::{MergeOptions, ShardFile, ShardHeading, ShardOptions, ShardResult, TableForm, merged};

use crate::error::ArenaError;
use crate::form::ArenaForm;
use crate::names::{self, ChoiceError, Which};
use crate::played_game::{MatchSetup, PlayedGame, usual_random_moves};
use crate::series::{self, Series, SeriesPlan};

/// The command in the files of shards.
const COMMAND: &str = "arena match";

/// Options of `arena match`.
#[derive(Args)]
pub struct Options {
    /// The game by name or number, or `all` of the manual [default: Reversi, or the
    /// layout's own game].
    #[arg(long, value_parser = names::games)]
    game: Option<Which>,
    /// Its mode, or `all` [default: 0; all with `--game all`].
    #[arg(long, value_parser = names::modes)]
    mode: Option<Which>,
    /// Its speed.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(0..=9))]
    speed: u8,
    /// The layout, such as 9x9 [default: the one for which the game is made], or the text
    /// of a game, FILE.lud.
    #[arg(long, value_parser = names::layout_or_text)]
    layout: Option<KnownLayout>,
    /// Two levels, such as `4,1`, instead of all neighbouring levels.
    #[arg(long, value_parser = names::levels)]
    levels: Option<[u8; 2]>,
    /// The number of games of each pair.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    games: u64,
    /// Random moves at the beginning of each game [default: 4 where the board looks
    /// ahead, 2 in SpeedGo, else 0].
    #[arg(long)]
    random_moves: Option<u8>,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads [default: one for each core].
    #[arg(long, alias = "jobs", default_value_t = shards::usual_threads())]
    threads: usize,
    /// A Markdown table for each game.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    #[command(flatten)]
    shards: ShardOptions,
}

/// Options of `arena merge`.
#[derive(Args)]
pub struct MergedOptions {
    #[command(flatten)]
    files: MergeOptions,
    /// A Markdown table for each game.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

impl Options {
    fn layout(&self) -> Option<Layout> {
        self.layout.as_ref().map(KnownLayout::layout)
    }
}

/// Everything that the games of a match depend on, apart from their numbers. Job number
/// `n` is game `n % games` of series `n / games`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct MatchPlan {
    series: Vec<SeriesPlan>,
    /// The number of games of each series.
    games: u64,
    seed: u64,
    speed: u8,
}

impl MatchPlan {
    /// The number of games of all series.
    ///
    /// # Errors
    /// [`ArenaError::TooMany`].
    fn all_games(&self) -> Result<u64, ArenaError> {
        let (games, series) = (self.games, self.series.len() as u64);
        let all = games.checked_mul(series);
        all.ok_or(ArenaError::TooMany { series, games })
    }
}

/// The games that were played, and the plan to which they belong.
type MatchResult = ShardResult<MatchPlan, PlayedGame>;

/// Plays, and prints each result as soon as it is available. Of a shard that is not the
/// only one, only the games are written.
///
/// # Errors
/// If the games cannot be played, or the file of the shard not be used.
pub fn run(options: &Options, form: ArenaForm) -> Result<(), ArenaError> {
    let (plan, setups) = plan_of(options)?;
    let heading = ShardHeading {
        command: COMMAND.to_owned(),
        jobs: plan.all_games()?,
        plan: plan.clone(),
        shard: options.shards.shard,
    };
    let mut file = ShardFile::open(options.shards.out.as_deref(), heading)?;
    let mut series_of = |at: usize| {
        let (from, to) = (at as u64 * plan.games, (at as u64 + 1) * plan.games);
        let left = file.contents().left().take_while(|job| *job < to);
        let numbers: Vec<u64> = left.map(|job| job - from).collect();
        let (setup, series) = (&setups[at], &plan.series[at]);
        series::play(
            setup,
            series,
            &numbers,
            plan.seed,
            options.threads,
            |number, played| Ok(file.add(from + number, played)?),
        )?;
        Ok(result_of(file.contents(), at))
    };
    if options.shards.shard.is_whole() {
        print_all(
            TableForm::chosen(form.is_json(), options.markdown),
            &plan,
            series_of,
        )?;
    } else {
        (0..plan.series.len()).try_for_each(|at| series_of(at).map(drop))?;
    }
    file.finish()?;
    Ok(())
}

/// Prints the results of the shards of a match, as one machine would have.
///
/// # Errors
/// If a file cannot be used or a game is missing.
pub fn merge(options: &MergedOptions, form: ArenaForm) -> Result<(), ArenaError> {
    let whole: MatchResult = merged(&options.files, COMMAND)?;
    let heading = &whole.heading;
    let all = heading.plan.all_games()?;
    if all != heading.jobs {
        return Err(ArenaError::Heading {
            plan: all,
            heading: heading.jobs,
        });
    }
    let form = TableForm::chosen(form.is_json(), options.markdown);
    print_all(form, &heading.plan, |at| Ok(result_of(&whole, at)))
}

/// The result of a series, of the games that were played.
fn result_of(contents: &MatchResult, at: usize) -> Series {
    let plan = &contents.heading.plan;
    let from = at as u64 * plan.games;
    let games = contents.results.range(from..from + plan.games);
    Series::of(
        &plan.series[at],
        games.map(|(job, played)| (job - from, played)),
    )
}

/// Prints the result of each series, as soon as `series_of` has it.
fn print_all(
    form: TableForm,
    plan: &MatchPlan,
    mut series_of: impl FnMut(usize) -> Result<Series, ArenaError>,
) -> Result<(), ArenaError> {
    let mut heading = None;
    let mut at = 0;
    let same = |one: &SeriesPlan, other: &SeriesPlan| {
        (one.game, one.mode, &one.layout) == (other.game, other.mode, &other.layout)
    };
    for row in plan.series.chunk_by(same) {
        // A mode with its own layout starts a new table.
        let first = &row[0];
        let table = Some((first.game, &first.layout));
        if heading != table {
            heading = table;
            print_heading(form, plan, row);
        }
        let mut results = Vec::new();
        for series in row {
            let result = series_of(at)?;
            print_series(form, series, &result);
            results.push(result);
            at += 1;
        }
        if form == TableForm::Markdown {
            println!("{}", markdown_row(first.mode, &results));
        }
    }
    Ok(())
}

/// The series to play, and how each is set up.
fn plan_of(options: &Options) -> Result<(MatchPlan, Vec<MatchSetup>), ChoiceError> {
    let pairs = match options.levels {
        Some(levels) => vec![levels],
        None => vec![[2, 1], [3, 2], [4, 3]],
    };
    let (mut series, mut setups) = (Vec::new(), Vec::new());
    for (game, modes) in chosen(options)? {
        for mode in modes {
            let layout = names::layout_for(options.layout(), game, mode);
            let usual = || usual_random_moves(game);
            let random_moves = options.random_moves.unwrap_or_else(usual);
            for levels in &pairs {
                series.push(SeriesPlan {
                    game,
                    name: names::called(game, layout),
                    mode,
                    layout: layout.to_string(),
                    random_moves,
                    levels: *levels,
                });
                setups.push(MatchSetup {
                    game,
                    mode,
                    speed: options.speed,
                    layout,
                    random_moves,
                });
            }
        }
    }
    let plan = MatchPlan {
        series,
        games: options.games,
        seed: options.seed,
        speed: options.speed,
    };
    Ok((plan, setups))
}

/// The games to play, and the modes of each.
fn chosen(options: &Options) -> Result<Vec<(u8, Vec<u8>)>, ChoiceError> {
    let own = options.layout().and_then(names::own_game).is_some();
    let usual = Which::One(if own { games::LAYOUTS_OWN } else { 0 });
    let (games, usual) = match options.game.unwrap_or(usual) {
        Which::One(game) => (vec![game], Which::One(0)),
        Which::All => {
            let plays = |game: &u8| games::about(*game).is_some_and(|about| about.board_can_play);
            (
                games::NUMBERS.iter().copied().filter(plays).collect(),
                Which::All,
            )
        }
    };
    let with_modes = |game| {
        let about = names::about(game)?;
        if !about.board_can_play {
            return Err(ChoiceError::NobodyToMatch(about.name));
        }
        match options.mode.unwrap_or(usual) {
            Which::All => Ok((game, (0..about.modes).collect())),
            Which::One(mode) if mode < about.modes => Ok((game, vec![mode])),
            Which::One(_) => Err(ChoiceError::modes(about)),
        }
    };
    games.into_iter().map(with_modes).collect()
}

/// Prints the heading of a table, whose first row this is.
fn print_heading(form: TableForm, plan: &MatchPlan, row: &[SeriesPlan]) {
    let SeriesPlan { name, layout, .. } = &row[0];
    match form {
        TableForm::Json => {}
        TableForm::Text => {
            println!("{name} on {layout}");
            println!(
                "mode  level  against    won  drawn   lost   share     95 %          lead  green : red"
            );
        }
        TableForm::Markdown => {
            println!("\n{name} on {layout}, {} games a pair\n", plan.games);
            let column =
                |SeriesPlan {
                     levels: [one, other],
                     ..
                 }: &SeriesPlan| { format!(" {one} against {other} |") };
            println!("| mode |{}", row.iter().map(column).collect::<String>());
            println!("| --- |{}", " --- |".repeat(row.len()));
        }
    }
}

fn print_series(form: TableForm, plan: &SeriesPlan, series: &Series) {
    let SeriesPlan {
        name, mode, layout, ..
    } = plan;
    let [low, high] = series.tally.interval();
    match form {
        TableForm::Json => {
            let line = json!({
                "game": name, "mode": mode, "layout": layout,
                "series": series, "share": series.tally.share(), "low": low, "high": high,
                "lead": series.lead(),
            });
            println!("{line}");
        }
        TableForm::Text => {
            println!(
                "{mode:>4}  {:>5}  {:>7}  {:>5}  {:>5}  {:>5}  {:>5.1} %  {:>4.1}-{:>5.1} %  {:>+6.1}  {:>5} : {}",
                series.level,
                series.against,
                series.tally.won,
                series.tally.drawn,
                series.tally.lost,
                100.0 * series.tally.share(),
                100.0 * low,
                100.0 * high,
                series.lead(),
                series.won_by_green,
                series.won_by_red,
            );
            if series.endless > 0 {
                println!(
                    "      {} games did not end within ten hours",
                    series.endless
                );
            }
        }
        TableForm::Markdown => {}
    }
}

/// A row of a table. For each pair: won - drawn - lost, the confidence interval of the
/// share in per cent, and the lead in points per game.
fn markdown_row(mode: u8, row: &[Series]) -> String {
    let cell = |series: &Series| {
        let [low, high] = series.tally.interval();
        format!(
            " {} - {} - {}, {:.0}-{:.0} %, {:+.1} |",
            series.tally.won,
            series.tally.drawn,
            series.tally.lost,
            100.0 * low,
            100.0 * high,
            series.lead(),
        )
    };
    format!("| {mode} |{}", row.iter().map(cell).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Tally;
    use crate::testing::options;

    #[test]
    fn all_games_means_every_mode_that_the_board_plays() {
        let chosen = chosen(&options("x --game all")).unwrap();
        let games: Vec<u8> = chosen.iter().map(|(game, _)| *game).collect();
        assert_eq!(games, [0, 1, 2, 3, 5, 6, 7, 8, 9]);
        let modes: usize = chosen.iter().map(|(_, modes)| modes.len()).sum();
        assert_eq!(modes, 41);
    }

    #[test]
    fn a_game_is_played_in_mode_0_the_given_one_or_all() {
        assert_eq!(chosen(&options("x --game 1")), Ok(vec![(1, vec![0])]));
        assert_eq!(
            chosen(&options("x --game 1 --mode 3")),
            Ok(vec![(1, vec![3])])
        );
        assert_eq!(
            chosen(&options("x --game 1 --mode all")),
            Ok(vec![(1, vec![0, 1, 2, 3])])
        );
    }

    #[test]
    fn a_layout_with_a_game_selects_that_game() {
        let teeko = "../../hil-bridge/ludemes/games/teeko.lud";
        let chosen = chosen(&options(&format!("x --layout {teeko}"))).unwrap();
        assert_eq!(chosen, [(games::LAYOUTS_OWN, vec![0])]);
        let layout = names::layout_or_text(teeko).unwrap();
        assert_eq!(names::called(games::LAYOUTS_OWN, *layout), "Teeko");
        assert_eq!(names::called(0, *layout), "Reversi");
        let missing = names::layout_or_text("none.lud").unwrap_err().to_string();
        let sentence = "none.lud cannot be read: there is no such file or folder: check the name";
        assert_eq!(missing, sentence);
    }

    #[test]
    fn games_for_one_and_missing_modes_are_refused() {
        let symmetry = chosen(&options("x --game symmetry"))
            .unwrap_err()
            .to_string();
        assert!(symmetry.contains("does not play"), "{symmetry}");
        let mode = chosen(&options("x --game life --mode 2"))
            .unwrap_err()
            .to_string();
        assert_eq!(mode, "Life has modes 0 to 1");
    }

    #[test]
    fn a_markdown_row_has_a_cell_for_each_pair() {
        let series = Series {
            tally: Tally {
                won: 8,
                drawn: 0,
                lost: 2,
            },
            points: 30,
            points_against: 10,
            ..Series::default()
        };
        let row = markdown_row(3, &[series, series]);
        assert_eq!(
            row,
            "| 3 | 8 - 0 - 2, 49-94 %, +2.0 | 8 - 0 - 2, 49-94 %, +2.0 |"
        );
    }
}

//! `arena match`: each level against the one below it.

use clap::Args;
use firmware_core::{About, games};
use protocol::{KnownLayout, Layout};
use serde_json::json;

use crate::contest::{Contest, usual_random_moves};
use crate::names::{self, Which};
use crate::series::{self, Series};

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
    #[arg(long, default_value_t = 200)]
    games: u64,
    /// Random moves at the beginning of each game [default: 4 where the board looks
    /// ahead, 2 in SpeedGo, else 0].
    #[arg(long)]
    random_moves: Option<u8>,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads [default: one for each core].
    #[arg(long, default_value_t = crate::jobs::usual())]
    jobs: usize,
    /// A Markdown table for each game.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

impl Options {
    fn layout(&self) -> Option<Layout> {
        self.layout.as_ref().map(KnownLayout::layout)
    }
}

/// The form in which results are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Table,
    Markdown,
    Json,
}

/// Plays, and prints each result as soon as it is available.
///
/// # Errors
///
/// A sentence that says what to do.
pub fn run(options: &Options, as_json: bool) -> Result<(), String> {
    let look = match (as_json, options.markdown) {
        (true, _) => Look::Json,
        (_, true) => Look::Markdown,
        _ => Look::Table,
    };
    let pairs = match options.levels {
        Some(levels) => vec![levels],
        None => vec![[2, 1], [3, 2], [4, 3]],
    };
    for (game, modes) in chosen(options)? {
        let mut heading = None;
        for mode in modes {
            // A mode with its own layout starts a new table.
            let layout = names::layout_for(options.layout(), game, mode);
            let name = names::called(game, layout);
            if heading.replace(layout) != Some(layout) {
                print_heading(look, &name, layout, options.games, &pairs);
            }
            let mut row = Vec::new();
            for levels in &pairs {
                let series = play(options, game, mode, *levels)?;
                print_series(look, &name, mode, layout, &series);
                row.push(series);
            }
            if look == Look::Markdown {
                println!("{}", markdown_row(mode, &row));
            }
        }
    }
    Ok(())
}

fn about(game: u8) -> Result<&'static About<'static>, String> {
    games::about(game).ok_or_else(|| "there is no such game".to_owned())
}

/// The games to play, and the modes of each.
fn chosen(options: &Options) -> Result<Vec<(u8, Vec<u8>)>, String> {
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
        let about = about(game)?;
        if !about.board_can_play {
            let name = about.name;
            return Err(format!(
                "the board does not play {name}: there is nobody to match"
            ));
        }
        match options.mode.unwrap_or(usual) {
            Which::All => Ok((game, (0..about.modes).collect())),
            Which::One(mode) if mode < about.modes => Ok((game, vec![mode])),
            Which::One(_) => Err(format!("{} has modes 0 to {}", about.name, about.modes - 1)),
        }
    };
    games.into_iter().map(with_modes).collect()
}

fn play(options: &Options, game: u8, mode: u8, levels: [u8; 2]) -> Result<Series, String> {
    let contest = Contest {
        game,
        mode,
        speed: options.speed,
        layout: names::layout_for(options.layout(), game, mode),
        random_moves: options
            .random_moves
            .unwrap_or_else(|| usual_random_moves(game)),
    };
    series::play(contest, levels, options.games, options.seed, options.jobs).ok_or_else(|| {
        let name = names::called(game, contest.layout);
        format!("{name} does not fit {}", contest.layout)
    })
}

fn print_heading(look: Look, name: &str, layout: Layout, games: u64, pairs: &[[u8; 2]]) {
    match look {
        Look::Json => {}
        Look::Table => {
            println!("{name} on {layout}");
            println!(
                "mode  level  against    won  drawn   lost   share     95 %          lead  green : red"
            );
        }
        Look::Markdown => {
            println!("\n{name} on {layout}, {games} games a pair\n");
            let column = |[one, other]: &[u8; 2]| format!(" {one} against {other} |");
            println!("| mode |{}", pairs.iter().map(column).collect::<String>());
            println!("| --- |{}", " --- |".repeat(pairs.len()));
        }
    }
}

fn print_series(look: Look, name: &str, mode: u8, layout: Layout, series: &Series) {
    let [low, high] = series.tally.interval();
    match look {
        Look::Json => {
            let line = json!({
                "game": name, "mode": mode, "layout": layout.to_string(),
                "series": series, "share": series.tally.share(), "low": low, "high": high,
                "lead": series.lead(),
            });
            println!("{line}");
        }
        Look::Table => {
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
        Look::Markdown => {}
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
        let missing = names::layout_or_text("none.lud").unwrap_err();
        assert!(missing.starts_with("none.lud: "), "{missing}");
    }

    #[test]
    fn games_for_one_and_missing_modes_are_refused() {
        let symmetry = chosen(&options("x --game symmetry")).unwrap_err();
        assert!(symmetry.contains("does not play"), "{symmetry}");
        let mode = chosen(&options("x --game life --mode 2")).unwrap_err();
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

//! `contest run`: plays the contest of the bots in a folder, and prints a table.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use shards::{Shard, TableForm, do_all, usual_threads};
use touchboard_files::whole_file;

use crate::bot::Bot;
use crate::bot::folder::{Found, bots_in};
use crate::error::ContestError;
use crate::game::{self, result};
use crate::journal::{Contest, Contestant, FinishedGame, Journal, Opened};
use crate::limits::Limits;
use crate::record::{self, Title};
use crate::sandbox;
use crate::schedule::{Form, Game, Plan, Round};
use crate::standing::Standing;
use crate::table::Table;

/// The most bots. A table with more would suggest an error of the program.
const MOST_BOTS: usize = 1_000;

/// Options of `contest run`.
#[derive(Args)]
pub struct Options {
    /// The folder of the bots: .wasm files and executable files
    folder: PathBuf,
    /// The seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The form of the contest
    #[arg(long, value_enum, default_value = "round-robin")]
    format: Form,
    /// The number of rounds [default: 1 for a round robin; for Swiss, as many as it takes
    /// to find a single winner]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    rounds: Option<u32>,
    /// One game per meeting, in which a coin decides who begins; otherwise each bot
    /// begins once
    #[arg(long)]
    once: bool,
    /// Add the board's own players: level1 to level4
    #[arg(long)]
    with_levels: bool,
    /// The folder for the journal, the games and the table
    #[arg(long, value_name = "FOLDER", default_value = "contest-results")]
    out: PathBuf,
    /// Play only every N-th game of a round robin, from the K-th on: 2/5 is the second of
    /// five shards. `contest merge` puts the folders of all shards together
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Do not write a session file for each game; `contest game` can do that later
    #[arg(long)]
    no_games: bool,
    /// Threads [default: one for each core]
    #[arg(long, alias = "workers", default_value_t = usual_threads(), value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1_024))]
    threads: usize,
    #[command(flatten)]
    look: LookOptions,
    #[command(flatten)]
    limits: Limits,
}

/// The paths of a contest's files.
pub struct Places {
    out: PathBuf,
}

impl Places {
    /// Makes the folders.
    ///
    /// # Errors
    /// If that is impossible.
    pub fn make(&self) -> Result<(), ContestError> {
        let path = self.games();
        fs::create_dir_all(&path).map_err(|error| ContestError::Folder { path, error })
    }

    /// The paths of a contest with this output folder.
    #[must_use]
    pub fn new(out: &Path) -> Places {
        let out = out.to_owned();
        Places { out }
    }

    /// The journal, which holds the finished games.
    #[must_use]
    pub fn journal(&self) -> PathBuf {
        self.out.join("journal")
    }

    fn games(&self) -> PathBuf {
        self.out.join("games")
    }

    fn tables(&self) -> [PathBuf; 3] {
        ["table.txt", "table.md", "table.json"].map(|name| self.out.join(name))
    }

    /// Everything that is hidden from bots: the output folder and its contents.
    fn all(&self) -> Vec<PathBuf> {
        let own = Places::new(&fs::canonicalize(&self.out).unwrap_or_else(|_| self.out.clone()));
        let [text, markdown, json] = own.tables();
        vec![own.journal(), own.games(), text, markdown, json, own.out]
    }

    /// Removes unfinished files of a contest that was killed. The journal is locked, so
    /// no other process is writing here.
    fn remove_parts(&self) {
        let entries = fs::read_dir(self.games()).into_iter().flatten();
        for path in entries.flatten().map(|entry| entry.path()) {
            if path
                .extension()
                .is_some_and(|extension| extension == "part")
            {
                let _ = fs::remove_file(path);
            }
        }
    }

    fn session(&self, record: &FinishedGame) -> PathBuf {
        let [x, o] = &record.names;
        let name = format!("{:05}-{x}-{o}.session", record.game);
        self.games().join(name)
    }
}

/// Runs a contest to its end, and prints the table.
///
/// # Errors
/// If the options do not fit the bots, a file cannot be used, or a game did not end.
pub fn run(options: &Options) -> Result<(), ContestError> {
    if options.format == Form::Swiss && !options.shard.is_whole() {
        return Err(ContestError::SwissShards);
    }
    let mut bots = bots(options)?;
    let contest = contest(options, &bots);
    let games = contest.plan.games(bots.len());
    let places = Places::new(&options.out);
    places.make()?;
    let results = places.all();
    bots.iter_mut().for_each(|bot| bot.hide(&results));
    let Opened {
        journal,
        records,
        lost,
    } = Journal::open(&places.journal(), &contest)?;
    places.remove_parts();
    lost.iter().for_each(|line| crate::print_error(line));
    if !records.is_empty() {
        crate::print_error(&format!(
            "Going on: {} of {games} games were played before.",
            records.len()
        ));
    }
    let mut running = Running {
        bots: &bots,
        contest: &contest,
        places: &places,
        with_games: !options.no_games,
        threads: options.threads,
        journal,
        records,
        bar: bar(games),
    };
    let standing = running.play(options.shard)?;
    running.journal.sync()?;
    running.bar.finish_and_clear();
    let records = &running.records;
    if let Some(standing) = standing {
        return publish(&places, &contest, &standing, records, options.look.form());
    }
    crate::print_error(&format!(
        "Shard {} is played: {} of {games} games are in {}.",
        options.shard,
        records.len(),
        options.out.display()
    ));
    Ok(())
}

/// The options that choose the form of a printed table.
#[derive(Args)]
pub struct LookOptions {
    /// The table as JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// The table as Markdown
    #[arg(long)]
    markdown: bool,
}

impl LookOptions {
    /// The form that these options choose.
    #[must_use]
    pub fn form(&self) -> TableForm {
        TableForm::chosen(self.json, self.markdown)
    }
}

/// Writes the table in all forms, and prints one.
///
/// # Errors
/// If a file cannot be written.
pub fn publish(
    places: &Places,
    contest: &Contest,
    standing: &Standing,
    records: &BTreeMap<u32, FinishedGame>,
    form: TableForm,
) -> Result<(), ContestError> {
    let table = Table::new(contest, standing, records.values());
    let json = format!("{:#}\n", table.json());
    let forms = [table.text(), table.markdown(), json.clone()];
    for (path, text) in places.tables().iter().zip(forms) {
        write(path, &text)?;
    }
    crate::print(&match form {
        TableForm::Json => json,
        TableForm::Markdown => table.markdown(),
        TableForm::Text => table.text(),
    });
    Ok(())
}

/// Adds the results of a round to the standing.
///
/// # Errors
/// [`ContestError::NotEnded`].
pub fn count(
    standing: &mut Standing,
    plan: &Plan,
    round: &Round,
    records: &BTreeMap<u32, FinishedGame>,
) -> Result<(), ContestError> {
    for game in &round.games {
        let record = records.get(&game.number);
        let ended = record.and_then(|record| {
            let lost = record.lost.as_ref();
            Some((result(&record.moves()?, lost)?, lost))
        });
        let ((outcome, points), lost) = ended.ok_or(ContestError::NotEnded(game.number))?;
        standing.add(game.bots, outcome, points, lost);
    }
    if let Some(bot) = round.bye {
        standing.add_bye(bot, plan.points_of_a_bye());
    }
    Ok(())
}

/// The bots of the folder, after printing the messages about them.
fn bots(options: &Options) -> Result<Vec<Bot>, ContestError> {
    let levels = (1..=4).filter(|_| options.with_levels);
    let levels = levels.filter_map(|level| Bot::built_in(&format!("level{level}")));
    let levels: Vec<Bot> = levels.collect();
    let Found {
        mut bots,
        left_out,
        renamed,
    } = bots_in(&options.folder, &levels)?;
    bots.extend(levels);
    if bots.len() < 2 || bots.len() > MOST_BOTS {
        return Err(ContestError::Bots {
            count: bots.len(),
            most: MOST_BOTS,
            folder: options.folder.clone(),
            left_out,
        });
    }
    // Otherwise a bot that its author forgot to make executable would just be missing in
    // the table.
    for error in &left_out {
        crate::print_error(&format!("Note: {error}."));
    }
    for sentence in &renamed {
        crate::print_error(&format!("Note: {sentence}."));
    }
    for bot in &bots {
        if let Some(fault) = bot.fault() {
            crate::print_error(&format!("{} will lose every game: {fault}", bot.name));
        }
    }
    if bots.iter().any(Bot::is_process) {
        sandbox::prepare()?;
    }
    Ok(bots)
}

fn contest(options: &Options, bots: &[Bot]) -> Contest {
    let usual = || Plan::usual_rounds(options.format, bots.len());
    let plan = Plan {
        form: options.format,
        rounds: options.rounds.unwrap_or_else(usual),
        once: options.once,
        seed: options.seed,
    };
    let bots = bots.iter().map(|bot| Contestant {
        name: bot.name.clone(),
        digest: bot.digest.clone(),
    });
    Contest::new(plan, options.limits, bots.collect())
}

/// A progress bar on the standard error stream; nothing is drawn if that is not a
/// terminal.
fn bar(games: u64) -> ProgressBar {
    let style = "{msg} {bar:30} {pos}/{len}  {elapsed} of about {duration}";
    let style = ProgressStyle::with_template(style);
    ProgressBar::new(games)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_message("games")
}

/// A contest in progress.
struct Running<'a> {
    bots: &'a [Bot],
    contest: &'a Contest,
    places: &'a Places,
    with_games: bool,
    threads: usize,
    journal: Journal,
    records: BTreeMap<u32, FinishedGame>,
    bar: ProgressBar,
}

impl Running<'_> {
    /// Plays the missing games of a shard, round by round. The standing is only known if
    /// the shard is the whole contest; the games of a part, which is one of a round robin,
    /// do not depend on it.
    fn play(&mut self, shard: Shard) -> Result<Option<Standing>, ContestError> {
        let plan = self.contest.plan;
        let mut standing = Standing::new(self.bots.len());
        let mut rounds = plan.rounds();
        while let Some(round) = rounds.next(&standing) {
            let games = round.games.iter().copied();
            self.play_games(games.filter(|game| shard.has(u64::from(game.number - 1))))?;
            if shard.is_whole() {
                count(&mut standing, &plan, &round, &self.records)?;
            }
        }
        Ok(shard.is_whole().then_some(standing))
    }

    /// Plays those of these games that are missing.
    fn play_games(&mut self, games: impl Iterator<Item = Game>) -> Result<(), ContestError> {
        let mut missing = Vec::new();
        for game in games {
            match self.records.get(&game.number) {
                Some(record) if self.is_of(record, &game) => {
                    self.save_session(record, false)?;
                    self.bar.inc(1);
                }
                _ => missing.push(game),
            }
        }
        let (bots, limits) = (self.bots, self.contest.limits);
        let play = |_: &mut (), game: Game| {
            let pair = game.bots.map(|bot| &bots[bot]);
            let played = game::play(pair, game.seed, &limits, &mut |_, _, _| {});
            (game, played)
        };
        do_all(missing, self.threads, play, |(game, played)| {
            let names = game.bots.map(|bot| &*bots[bot].name);
            let record = FinishedGame::new(game.number, names, game.seed, played);
            tracing::info!("{}", ending(&record));
            self.journal.add(&record)?;
            self.save_session(&record, true)?;
            self.records.insert(game.number, record);
            self.bar.inc(1);
            Ok(())
        })
    }

    /// True if this is the record of this game. A different one was written by a program
    /// with another schedule.
    fn is_of(&self, record: &FinishedGame, game: &Game) -> bool {
        is_of(record, game, self.bots.iter().map(|bot| &*bot.name))
    }

    fn save_session(&self, record: &FinishedGame, is_new: bool) -> Result<(), ContestError> {
        let path = self.places.session(record);
        if !self.with_games || (!is_new && path.exists()) {
            return Ok(());
        }
        save_session(self.places, self.contest, record)
    }
}

/// Writes a game of a contest as a session file.
///
/// # Errors
/// If it cannot be written.
pub fn save_session(
    places: &Places,
    contest: &Contest,
    record: &FinishedGame,
) -> Result<(), ContestError> {
    let session = session_of(record, contest.plan.seed)?;
    write(&places.session(record), &session)
}

/// True if this is the record of this game between bots with these names.
pub fn is_of<'n>(
    record: &FinishedGame,
    game: &Game,
    names: impl Iterator<Item = &'n str> + Clone,
) -> bool {
    let names = game.bots.map(|bot| names.clone().nth(bot));
    let moves = record.moves();
    let has_ended = moves.is_some_and(|moves| result(&moves, record.lost.as_ref()).is_some());
    let own = record.names.each_ref().map(|name| Some(name.as_str()));
    own == names && record.seed == game.seed && has_ended
}

fn write(path: &Path, text: &str) -> Result<(), ContestError> {
    whole_file::write(path, text.as_bytes()).map_err(ContestError::file(path))
}

fn ending(record: &FinishedGame) -> String {
    let what = format!("game {}", record.game);
    let title = title(record, &what);
    let moves = record.moves().unwrap_or_default();
    format!(
        "{what}: {}",
        record::ending(&title, &moves, record.lost.as_ref())
    )
}

fn title<'a>(record: &'a FinishedGame, what: &'a str) -> Title<'a> {
    Title {
        what,
        names: [&record.names[0], &record.names[1]],
        seed: record.seed,
    }
}

/// A game of a contest as the text of a session file.
///
/// # Errors
/// [`ContestError::NoBoard`].
pub fn session_of(record: &FinishedGame, contest_seed: u64) -> Result<String, ContestError> {
    let game = record.game;
    let what = format!("game {game} of the contest with seed {contest_seed}");
    let moves = record.moves().unwrap_or_default();
    record::session(&title(record, &what), &moves, record.lost.as_ref())
        .map(|session| session.to_text())
        .map_err(|error| ContestError::NoBoard { game, error })
}

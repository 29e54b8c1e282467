//! `contest run`: plays the contest of the bots in a folder, and prints a table.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use shards::{Shard, TableForm, do_all, usual_threads};
use touchboard_files::whole_file;

use crate::bot::Bot;
use crate::bot::folder::bots_in;
use crate::game::{self, result};
use crate::journal::{Contest, Contestant, FinishedGame, Journal};
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
    /// A sentence, if that is impossible.
    pub fn make(&self) -> Result<(), String> {
        fs::create_dir_all(self.games()).map_err(|error| {
            let why = touchboard_files::why_no_file(&error);
            format!(
                "the folder {} cannot be made: {why}",
                self.games().display()
            )
        })
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
/// A sentence that says what to do.
pub fn run(options: &Options) -> Result<(), String> {
    if options.format == Form::Swiss && !options.shard.is_whole() {
        return Err(
            "in Swiss rounds, results decide who meets next, so shards cannot share them: leave out --shard, or choose --format round-robin"
                .to_owned(),
        );
    }
    let mut bots = bots(options)?;
    let contest = contest(options, &bots);
    let places = Places::new(&options.out);
    places.make()?;
    let results = places.all();
    bots.iter_mut().for_each(|bot| bot.hide(&results));
    let opened = Journal::open(&places.journal(), &contest)?;
    places.remove_parts();
    opened
        .told
        .iter()
        .for_each(|sentence| crate::print_error(sentence));
    if !opened.records.is_empty() {
        let all = contest.plan.games(bots.len());
        crate::print_error(&format!(
            "Going on: {} of {all} games were played before.",
            opened.records.len()
        ));
    }
    let mut running = Running {
        bots: &bots,
        contest: &contest,
        places: &places,
        with_games: !options.no_games,
        journal: opened.journal,
        records: opened.records,
        bar: bar(contest.plan.games(bots.len())),
    };
    let shard = options.shard;
    if !shard.is_whole() {
        running.play_shard(shard, options.threads)?;
        running.journal.sync()?;
        running.bar.finish_and_clear();
        crate::print_error(&format!(
            "Shard {shard} is played: {} of {} games are in {}.",
            running.records.len(),
            contest.plan.games(bots.len()),
            options.out.display()
        ));
        return Ok(());
    }
    let standing = running.play(options.threads)?;
    running.journal.sync()?;
    running.bar.finish_and_clear();
    let form = options.look.form();
    publish(&places, &contest, &standing, &running.records, form)
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
/// A sentence, if a file cannot be written.
pub fn publish(
    places: &Places,
    contest: &Contest,
    standing: &Standing,
    records: &BTreeMap<u32, FinishedGame>,
    form: TableForm,
) -> Result<(), String> {
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
/// A sentence, if a game of the round has no result.
pub fn count(
    standing: &mut Standing,
    plan: &Plan,
    round: &Round,
    records: &BTreeMap<u32, FinishedGame>,
) -> Result<(), String> {
    for game in &round.games {
        let record = records.get(&game.number);
        let ended = record.and_then(|record| {
            let lost = record.lost.as_ref();
            Some((result(&record.moves()?, lost)?, lost))
        });
        let ((outcome, points), lost) = ended.ok_or_else(|| {
            format!(
                "game {} did not end: run the contest again, and it is played",
                game.number
            )
        })?;
        standing.add(game.bots, outcome, points, lost);
    }
    if let Some(bot) = round.bye {
        standing.add_bye(bot, plan.points_of_a_bye());
    }
    Ok(())
}

/// The bots of the folder, after printing the messages about them.
fn bots(options: &Options) -> Result<Vec<Bot>, String> {
    let levels = (1..=4).filter(|_| options.with_levels);
    let levels = levels.filter_map(|level| Bot::built_in(&format!("level{level}")));
    let levels: Vec<Bot> = levels.collect();
    let found = bots_in(&options.folder, &levels)?;
    let mut bots = found.bots;
    bots.extend(levels);
    if bots.len() < 2 || bots.len() > MOST_BOTS {
        let left_out = found.left_out.join("; ");
        return Err(format!(
            "a contest takes 2 to {MOST_BOTS} bots, and there are {} in {}{}",
            bots.len(),
            options.folder.display(),
            match left_out.is_empty() {
                true => String::new(),
                false => format!(": {left_out}"),
            }
        ));
    }
    // Otherwise a bot that its author forgot to make executable would just be missing in
    // the table.
    let told = found.left_out.iter().chain(&found.renamed);
    told.for_each(|sentence| crate::print_error(&format!("Note: {sentence}.")));
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
    journal: Journal,
    records: BTreeMap<u32, FinishedGame>,
    bar: ProgressBar,
}

impl Running<'_> {
    /// Plays the missing games, round by round.
    fn play(&mut self, threads: usize) -> Result<Standing, String> {
        let plan = self.contest.plan;
        let mut standing = Standing::new(self.bots.len());
        let mut played = 0;
        for number in 0..plan.rounds {
            let round = plan.round(number, played, &standing);
            self.play_round(&round.games, threads)?;
            count(&mut standing, &plan, &round, &self.records)?;
            played += u32::try_from(round.games.len()).unwrap_or(u32::MAX);
        }
        Ok(standing)
    }

    /// Plays the missing games of a shard of a round robin, which do not depend on
    /// results.
    fn play_shard(&mut self, shard: Shard, threads: usize) -> Result<(), String> {
        let plan = self.contest.plan;
        let standing = Standing::new(self.bots.len());
        let mut played = 0;
        for number in 0..plan.rounds {
            let games = plan.round(number, played, &standing).games;
            played += u32::try_from(games.len()).unwrap_or(u32::MAX);
            let is_own = |game: &&Game| shard.has(u64::from(game.number - 1));
            let own: Vec<Game> = games.iter().filter(is_own).copied().collect();
            self.play_round(&own, threads)?;
        }
        Ok(())
    }

    fn play_round(&mut self, games: &[Game], threads: usize) -> Result<(), String> {
        let mut missing = Vec::new();
        for game in games {
            match self.records.get(&game.number) {
                Some(record) if self.is_of(record, game) => {
                    self.save_session(record, false)?;
                    self.bar.inc(1);
                }
                _ => missing.push(*game),
            }
        }
        let (bots, limits) = (self.bots, self.contest.limits);
        let play = |_: &mut (), game: Game| {
            let pair = game.bots.map(|bot| &bots[bot]);
            let played = game::play(pair, game.seed, &limits, &mut |_, _, _| {});
            (game, played)
        };
        do_all(missing, threads, play, |(game, played)| {
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

    fn save_session(&self, record: &FinishedGame, is_new: bool) -> Result<(), String> {
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
/// A sentence, if it cannot be written.
pub fn save_session(
    places: &Places,
    contest: &Contest,
    record: &FinishedGame,
) -> Result<(), String> {
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

fn write(path: &Path, text: &str) -> Result<(), String> {
    whole_file::write(path, text.as_bytes()).map_err(|error| {
        let why = touchboard_files::why_no_file(&error);
        format!("{} cannot be written: {why}", path.display())
    })
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
/// A sentence, if no board of this build can play it.
pub fn session_of(record: &FinishedGame, contest_seed: u64) -> Result<String, String> {
    let what = format!(
        "game {} of the contest with seed {contest_seed}",
        record.game
    );
    let moves = record.moves().unwrap_or_default();
    record::session(&title(record, &what), &moves, record.lost.as_ref())
        .map(|session| session.to_text())
        .map_err(|error| format!("game {} cannot be put on a board: {error}", record.game))
}

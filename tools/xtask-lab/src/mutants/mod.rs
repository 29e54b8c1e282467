//! Mutants: the rules with one mistake each, and whether a test detects it.
//!
//! cargo-mutants generates the mistakes. All of them are built at once, each behind a
//! switch (`tools/switches`), so a mutant costs a few test runs and no build. Each is
//! tested only by the tests that reach it, beginning with the one that detected it
//! last time. The results are kept beside the builds, and an interrupted run
//! continues from there.
//!
//! Some mistakes make no visible difference. Those are listed with the reason in
//! `tests/mutants.md`, which this reads: a mutant that survives and is not in the
//! list fails the run, and so does one that is in it and was detected.

mod kept;
mod programs;
mod results;
mod run;
mod tree;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use shards::{MergeOptions, ShardOptions, merged};
use xtask::cargo::{cargo, root, succeeds};

use kept::{COMMAND, TestedMutants, results_in};
use results::Results;

/// The list of mutants that are known to survive.
const KNOWN: &str = "tests/mutants.md";
const GAMES: &str = "firmware-core/src/games";

/// Files of a game that contain no rules: its players, and its tests.
const NO_RULES: [&str; 11] = [
    "player.rs",
    "evaluate.rs",
    "outlook.rs",
    "line.rs",
    "rollout.rs",
    "search.rs",
    "tree.rs",
    "playout/**",
    "tests.rs",
    "laws.rs",
    "matches.rs",
];

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Options {
    #[command(subcommand)]
    work: Option<MutantsWork>,
    /// What to mutate: `protocol`, a game by the name of its module, `games` for all of
    /// them in one build, or a source file; by default `protocol` and `games`.
    what: Vec<String>,
    /// The time limit in minutes, without building; by default until all mutants have
    /// been tested. The next run continues with the rest, unless the source has changed.
    #[arg(long)]
    minutes: Option<u64>,
    /// Test all mutants, including those that have a result.
    #[arg(long)]
    anew: bool,
    /// The number of mutants to test at a time.
    #[arg(long, alias = "jobs", default_value_t = 1)]
    threads: usize,
    /// Do not run tests that take more seconds of processor time. Mutants that only such
    /// tests would detect then count as survivors.
    #[arg(long)]
    longest: Option<u64>,
    #[command(flatten)]
    shards: ShardOptions,
}

#[derive(clap::Subcommand)]
enum MutantsWork {
    /// Put the files of all shards together, and judge the results.
    Merge(MergeOptions),
}

/// Tests the mutants of each part of the tree.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let known = known(&fs::read_to_string(root().join(KNOWN)).context(KNOWN)?);
    if let Some(MutantsWork::Merge(files)) = &options.work {
        let whole: TestedMutants = merged(files, COMMAND)?;
        let results = results_in(&whole);
        println!("{}: {results}", whole.heading.plan.part);
        return settle(&judge(&results, &known));
    }
    anyhow::ensure!(
        options.shards.out.is_none() || options.what.len() == 1,
        "a file of shards is of one part: name `protocol`, `games`, a game or a source file"
    );
    anyhow::ensure!(
        succeeds(cargo().args(["mutants", "--version"])),
        "cargo-mutants is missing: install it with `cargo install cargo-mutants --locked`"
    );
    let whats = if options.what.is_empty() {
        ["protocol", "games"].map(str::to_owned).to_vec()
    } else {
        options.what.clone()
    };
    let minutes = options.minutes;
    let mut left = minutes.map(|minutes| Duration::from_secs(60 * minutes));
    let mut wrong = Vec::new();
    for name in &whats {
        if left == Some(Duration::ZERO) {
            println!("no time is left for {name}");
            continue;
        }
        let results = run::run(&MutatedPart::named(name)?, &mut left, options, &known)?;
        println!("{name}: {results}");
        // The same mistake may be in another shard at another position.
        if options.shards.shard.is_whole() {
            wrong.extend(judge(&results, &known));
        }
    }
    settle(&wrong)
}

/// Fails with these sentences, if there are any.
fn settle(wrong: &[String]) -> anyhow::Result<()> {
    anyhow::ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// The part of the tree that is mutated.
#[derive(Debug, PartialEq, Eq)]
struct MutatedPart {
    name: String,
    package: String,
    /// The path of the package, from the top of the project.
    folder: String,
    /// The arguments for cargo-mutants.
    mutants: Vec<String>,
    /// The arguments for building the test programs.
    build: Vec<String>,
    /// The tests that should detect a mutant have names that begin with this; if it is
    /// empty, all tests of the package should.
    tests: String,
    /// The module of the game, if it is a game.
    game: Option<String>,
}

impl MutatedPart {
    fn named(name: &str) -> anyhow::Result<MutatedPart> {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        if name == "games" {
            let mut what = MutatedPart::of_game(name, "*", rules("*"));
            // Test support for games is not a game; layout games are tested elsewhere.
            for other in ["testing", "written"] {
                what.mutants
                    .extend(["-e".into(), format!("{GAMES}/{other}/**")]);
            }
            what.build.truncate(1);
            what.tests = "games::".to_owned();
            what.game = None;
            return Ok(what);
        }
        if root().join(GAMES).join(name).is_dir() {
            return Ok(MutatedPart::of_game(name, name, rules(name)));
        }
        if name == "protocol" {
            return MutatedPart::of_package(name, "protocol", Vec::new());
        }
        anyhow::ensure!(
            root().join(name).is_file(),
            "{name} is neither `protocol` nor a game nor a source file, from the top of the project"
        );
        let mutants = words(&["-f", name]);
        if let Some(game) = game_of(name) {
            return Ok(MutatedPart::of_game(name, game, mutants));
        }
        let folder = Path::new(name)
            .ancestors()
            .skip(1)
            .find(|folder| root().join(folder).join("Cargo.toml").is_file());
        let folder = folder.and_then(Path::to_str).unwrap_or_default();
        MutatedPart::of_package(name, folder, mutants)
    }

    /// For a build with only this game, as `cargo xtask test GAME` makes it.
    fn of_game(name: &str, game: &str, mutants: Vec<String>) -> MutatedPart {
        // For layout games, the feature is not named like the game.
        let feature = if game == "written" { "cartridge" } else { game };
        let build = ["--lib", "--no-default-features", "--features", feature];
        MutatedPart {
            name: name.to_owned(),
            package: "firmware-core".to_owned(),
            folder: "firmware-core".to_owned(),
            mutants,
            build: build.map(str::to_owned).to_vec(),
            tests: format!("games::{game}::"),
            game: Some(game.to_owned()),
        }
    }

    fn of_package(name: &str, folder: &str, mutants: Vec<String>) -> anyhow::Result<MutatedPart> {
        anyhow::ensure!(
            root().join(folder).join("src/lib.rs").is_file(),
            "{name} is of no library: mutants of programs are not tried"
        );
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml"))?;
        let package = manifest.lines().find_map(|line| {
            let value = line.strip_prefix("name = \"")?;
            value.strip_suffix('"')
        });
        Ok(MutatedPart {
            name: name.to_owned(),
            package: package.context("a package without a name")?.to_owned(),
            folder: folder.to_owned(),
            mutants,
            build: vec!["--lib".to_owned(), "--tests".to_owned()],
            tests: String::new(),
            game: None,
        })
    }
}

/// The arguments that limit cargo-mutants to the files with the rules of a game.
fn rules(game: &str) -> Vec<String> {
    let folder = format!("{GAMES}/{game}");
    let mut words = vec!["-f".to_owned(), format!("{folder}/**")];
    for file in NO_RULES {
        words.extend(["-e".into(), format!("{folder}/{file}")]);
    }
    words
}

/// The game to which a file belongs.
fn game_of(path: &str) -> Option<&str> {
    let inside = path.strip_prefix(GAMES)?.strip_prefix('/')?;
    let (game, _) = inside.split_once('/')?;
    (game != "testing").then_some(game)
}

/// The deviations of the results from the list, one sentence each.
fn judge(results: &Results, known: &BTreeSet<String>) -> Vec<String> {
    let survived = results.survived();
    let unknown = survived.difference(known).map(|mutant| {
        format!("{mutant}\n  no test finds it: write one, or say in {KNOWN} why none can")
    });
    // The same mutation at two positions of a function has the same name.
    let caught = results.caught();
    let stale = caught
        .difference(&survived)
        .filter(|mutant| known.contains(*mutant))
        .map(|mutant| format!("{mutant}\n  a test finds it: take it out of {KNOWN}"));
    unknown.chain(stale).collect()
}

/// `protocol/src/frame.rs:34:41: replace / with %` without the line and the column, which
/// change when the file is edited.
fn without_place(line: &str) -> String {
    let Some((path, rest)) = line.split_once(".rs:") else {
        return line.to_owned();
    };
    let what = rest.splitn(3, ':').nth(2).unwrap_or(rest);
    format!("{path}.rs:{what}")
}

/// The mutants in the list: each line with a dash and a name in backticks.
fn known(list: &str) -> BTreeSet<String> {
    let lines = list.lines().filter(|line| line.starts_with("- "));
    let name = |line: &str| line.split('`').nth(1).map(str::to_owned);
    lines.filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::results::Outcome;
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_mutant_is_identified_by_its_file_and_mistake() {
        let line = "protocol/src/frame.rs:34:41: replace / with % in Packed::get";
        let name = "protocol/src/frame.rs: replace / with % in Packed::get";
        assert_eq!(without_place(line), name);
        let list = format!("# Those\n\nWhy `this`.\n\n- `{name}`: it is the same\n");
        assert_eq!(known(&list), set(&[name]));
    }

    #[test]
    fn unknown_survivors_and_caught_known_ones_are_errors() {
        let mut results = Results::new(7);
        let outcomes = [
            ("a.rs:1:1: a", Outcome::Caught),
            ("a.rs:2:1: b", Outcome::TimedOut),
            ("a.rs:3:1: twice", Outcome::Caught),
            ("a.rs:4:1: twice", Outcome::Survived),
            ("a.rs:5:1: c", Outcome::Survived),
            ("a.rs:6:1: d", Outcome::Unreached),
            ("a.rs:7:1: e", Outcome::Unbuilt),
        ];
        for (name, outcome) in outcomes {
            results.record(name, outcome);
        }
        let known = ["a.rs: b", "a.rs: c", "a.rs: twice", "elsewhere", "a.rs: e"];
        let wrong = judge(&results, &set(&known));
        assert_eq!(wrong.len(), 2);
        assert!(
            wrong[0].starts_with("a.rs: d\n  no test finds it"),
            "{wrong:?}"
        );
        assert!(
            wrong[1].starts_with("a.rs: b\n  a test finds it"),
            "{wrong:?}"
        );
    }

    #[test]
    fn a_mutant_of_a_game_must_be_found_by_its_own_tests() {
        let tests = |name| MutatedPart::named(name).unwrap().tests;
        assert_eq!(tests("reversi"), "games::reversi::");
        let path = "firmware-core/src/games/reversi/mod.rs";
        assert_eq!(tests(path), "games::reversi::");
        assert_eq!(tests("firmware-core/src/games/rings.rs"), "");
        let games = MutatedPart::named("games").unwrap();
        assert_eq!((&*games.tests, games.game), ("games::", None));
        assert_eq!(games.build, ["--lib"]);
        let panel = MutatedPart::named("firmware-core/src/panel.rs").unwrap();
        assert_eq!(panel.package, "firmware-core");
        assert_eq!(panel.folder, "firmware-core");
        let law = MutatedPart::named("tests/law/src/lib.rs").unwrap();
        assert_eq!((&*law.package, &*law.folder), ("law", "tests/law"));
        assert!(MutatedPart::named("chess").is_err());
        assert!(MutatedPart::named("tools/xtask-lab/src/mutants/mod.rs").is_err());
    }

    #[test]
    fn every_known_survivor_has_a_file_and_a_reason() {
        let list = fs::read_to_string(root().join(KNOWN)).expect("the list is there");
        for name in known(&list) {
            let path = name.split(':').next().unwrap_or_default();
            assert!(root().join(path).is_file(), "{name}");
        }
        for line in list.lines().filter(|line| line.starts_with("- ")) {
            let reason = line.rsplit('`').next().unwrap_or_default();
            assert!(reason.len() > 12, "{line}");
        }
    }
}

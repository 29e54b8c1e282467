//! Mutants: the rules with one mistake each, and whether a test finds it.
//!
//! Some mistakes make no difference that can be seen. Those are listed with the
//! reason in `tests/mutants.md`, which this reads: a mutant that survives and is
//! not in the list fails the run, and so does one that is in it and was caught.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::cargo::{cargo, root, succeeds, target_dir};

/// The list of those that are known to survive.
const KNOWN: &str = "tests/mutants.md";
const GAMES: &str = "firmware-core/src/games";

/// The optimiser is left out where it takes longer than it gains.
const QUICK_TO_BUILD: &str = "profile.dev.package.firmware-core.opt-level=1";

/// Files of a game that hold no rules: who plays it, and its tests.
const NO_RULES: [&str; 9] = [
    "player.rs",
    "player_tests.rs",
    "evaluate.rs",
    "search.rs",
    "tree.rs",
    "playout/**",
    "tests.rs",
    "laws.rs",
    "matches.rs",
];

#[derive(clap::Args)]
pub struct Options {
    /// What gets mistakes: `protocol`, a game by the name of its module, or a
    /// source file; `protocol` and the rules of all games if nothing is named.
    what: Vec<String>,
    /// How long, in minutes; until all mutants were tried if it is left out.
    #[arg(long)]
    minutes: Option<u64>,
}

/// Tries the mutants of each, with the tests of what they are in.
pub fn run(options: &Options) -> anyhow::Result<()> {
    anyhow::ensure!(
        succeeds(cargo().args(["mutants", "--version"])),
        "cargo-mutants is missing: install it with `cargo install cargo-mutants --locked`"
    );
    let whats = if options.what.is_empty() {
        everything()?
    } else {
        options.what.clone()
    };
    let ends = options
        .minutes
        .map(|minutes| Instant::now() + Duration::from_secs(60 * minutes));
    let known = known(&fs::read_to_string(root().join(KNOWN)).context(KNOWN)?);
    let mut wrong = Vec::new();
    for what in &whats {
        if ends.is_some_and(|ends| Instant::now() >= ends) {
            println!("no time is left for {what}");
            continue;
        }
        let found = try_one(what, ends)?;
        println!(
            "{what}: {} caught, {} survived",
            found.caught.len(),
            found.survived.len()
        );
        if found.caught.is_empty() && found.survived.is_empty() {
            wrong.push(format!("no mutant of {what} was tried: give it more time"));
        }
        wrong.extend(found.judge(&known));
    }
    anyhow::ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// `protocol`, and every game.
fn everything() -> anyhow::Result<Vec<String>> {
    let mut whats = vec!["protocol".to_owned()];
    for entry in root().join(GAMES).read_dir()? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && name != "testing" {
            whats.push(name.into_owned());
        }
    }
    whats.sort();
    Ok(whats)
}

/// What cargo-mutants has to be told, and which tests are to be asked.
fn arguments(what: &str) -> anyhow::Result<(Vec<String>, Option<String>)> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    if what == "protocol" {
        return Ok((words(&["-p", "protocol"]), None));
    }
    let folder = format!("{GAMES}/{what}");
    if root().join(&folder).is_dir() {
        let mut mutants = vec!["-p".into(), "firmware-core".into()];
        mutants.extend(["-f".into(), format!("{folder}/**")]);
        for file in NO_RULES {
            mutants.extend(["-e".into(), format!("{folder}/{file}")]);
        }
        return Ok((mutants, tests_of(&folder)));
    }
    anyhow::ensure!(
        root().join(what).is_file(),
        "{what} is neither `protocol` nor a game nor a source file, from the top of the project"
    );
    Ok((words(&["-f", what]), tests_of(what)))
}

/// The tests that have to find a mistake there, by the beginning of their names:
/// those of the game, or all of the package.
fn tests_of(path: &str) -> Option<String> {
    let inside = path
        .strip_prefix(GAMES)
        .and_then(|rest| rest.strip_prefix('/'));
    let game = inside.and_then(|rest| rest.split('/').next());
    let filter = game.filter(|game| !game.ends_with(".rs"));
    filter.map(|game| format!("games::{game}::"))
}

/// What came of the mutants of one place.
#[derive(Debug, Default)]
struct Found {
    caught: BTreeSet<String>,
    survived: BTreeSet<String>,
}

impl Found {
    /// What is not as the list says, a sentence each.
    fn judge(&self, known: &BTreeSet<String>) -> Vec<String> {
        let unknown = self.survived.difference(known).map(|mutant| {
            format!("{mutant}\n  no test finds it: write one, or say in {KNOWN} why none can")
        });
        // The same mistake at two places of a function has one name.
        let caught = self.caught.difference(&self.survived);
        let stale = caught
            .filter(|mutant| known.contains(*mutant))
            .map(|mutant| format!("{mutant}\n  a test finds it: take it out of {KNOWN}"));
        unknown.chain(stale).collect()
    }
}

fn try_one(what: &str, ends: Option<Instant>) -> anyhow::Result<Found> {
    let (mutants, tests) = arguments(what)?;
    let own = target_dir()?.join("mutants");
    let results = own.join("mutants.out");
    if results.exists() {
        fs::remove_dir_all(&results)?;
    }
    fs::create_dir_all(&own)?;
    let mut command = cargo();
    command
        .args(["mutants", "--jobs", "1", "--output"])
        .arg(&own);
    if ends.is_some() {
        // Who stops before the end has tried some of each.
        command.arg("--shuffle");
    }
    // A mutant is built once and tested for seconds: to build it takes longest.
    command.args(["--cargo-arg", "--config", "--cargo-arg", QUICK_TO_BUILD]);
    command.args(mutants);
    if let Some(tests) = tests {
        // Nothing else has to be built for the tests of a game.
        command.args(["--cargo-arg", "--lib", "--"]).arg(tests);
    }
    // What others wrote is built once for all mutants.
    command.env("CARGO_TARGET_DIR", own.join("build"));
    let child = command.spawn().context("cargo mutants cannot be run")?;
    let code = wait(child, ends)?;
    // 2: some survived; 3: some took too long; neither: stopped.
    anyhow::ensure!(
        matches!(code, Some(0 | 2 | 3)) || ends.is_some_and(|ends| Instant::now() >= ends),
        "cargo mutants failed: what it says is above"
    );
    Ok(Found {
        caught: names(&results, &["caught.txt", "timeout.txt"])?,
        survived: names(&results, &["missed.txt"])?,
    })
}

/// Waits for it, until it is to stop.
fn wait(mut child: Child, ends: Option<Instant>) -> anyhow::Result<Option<i32>> {
    const POLL: Duration = Duration::from_millis(200);
    /// It takes its copy of the project away.
    const TO_CLEAR_UP: Duration = Duration::from_secs(30);
    let mut asked = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        let over = ends.map_or(Duration::ZERO, |ends| ends.elapsed());
        if over > Duration::ZERO && !asked {
            asked = true;
            let interrupt = ["-INT", &child.id().to_string()];
            // Where there is no such program it is killed below.
            let _ = Command::new("kill").args(interrupt).status();
        }
        if over > TO_CLEAR_UP {
            child.kill()?;
        }
        sleep(POLL);
    }
}

/// The mutants in these files, without their lines.
fn names(folder: &Path, files: &[&str]) -> anyhow::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for file in files {
        let path = folder.join(file);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        names.extend(text.lines().map(without_place));
    }
    Ok(names)
}

/// `protocol/src/frame.rs:34:41: replace / with %` without the line and the
/// column, which move.
fn without_place(line: &str) -> String {
    let Some((path, rest)) = line.split_once(".rs:") else {
        return line.to_owned();
    };
    let what = rest.splitn(3, ':').nth(2).unwrap_or(rest);
    format!("{path}.rs:{what}")
}

/// The mutants that a list names: each line that begins with a dash, between
/// two backticks.
fn known(list: &str) -> BTreeSet<String> {
    let lines = list.lines().filter(|line| line.starts_with("- "));
    let name = |line: &str| line.split('`').nth(1).map(str::to_owned);
    lines.filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_mutant_is_known_by_its_file_and_its_mistake() {
        let line = "protocol/src/frame.rs:34:41: replace / with % in Packed::get";
        let name = "protocol/src/frame.rs: replace / with % in Packed::get";
        assert_eq!(without_place(line), name);
        let list = format!("# Those\n\nWhy `this`.\n\n- `{name}`: it is the same\n");
        assert_eq!(known(&list), set(&[name]));
    }

    #[test]
    fn what_survives_unknown_and_what_is_known_and_caught_is_wrong() {
        let found = Found {
            caught: set(&["a", "b", "twice"]),
            survived: set(&["c", "d", "twice"]),
        };
        let wrong = found.judge(&set(&["b", "c", "twice", "elsewhere"]));
        assert_eq!(wrong.len(), 2);
        assert!(wrong[0].starts_with("d\n  no test finds it"), "{wrong:?}");
        assert!(wrong[1].starts_with("b\n  a test finds it"), "{wrong:?}");
    }

    #[test]
    fn a_mistake_in_a_game_has_to_be_found_by_the_tests_of_the_game() {
        let path = "firmware-core/src/games/reversi/mod.rs";
        assert_eq!(tests_of(path).as_deref(), Some("games::reversi::"));
        assert_eq!(tests_of("firmware-core/src/games/rings.rs"), None);
        assert_eq!(tests_of("firmware-core/src/panel.rs"), None);
        assert!(arguments("reversi").is_ok());
        assert!(arguments("chess").is_err());
    }

    #[test]
    fn every_known_survivor_is_of_a_file_that_is_there_and_has_a_reason() {
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

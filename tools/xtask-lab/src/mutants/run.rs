//! A run: the mutants of one part of the tree, from their list to their results.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;
use parking_lot::Mutex;
use serde_json::Value;
use shards::Shard;
use xtask::cargo::{cargo, root, target_dir};
use xtask::scratch::write;
use xtask::switches::SWITCHES;

use super::kept::{Kept, MutantsPlan};
use super::programs::Programs;
use super::results::{Found, Outcome, Results};
use super::tree::Tree;
use super::{MutatedPart, Options, without_place};

/// The most builds that may fail because of mutants that are not valid programs.
const MAX_BUILDS: usize = 40;
/// For mutants that are known to survive, longer tests are not run.
const BRIEF: Duration = Duration::from_secs(2);
/// How often progress is reported.
const TELL: Duration = Duration::from_secs(20);

/// A place in a text, as cargo-mutants names it: both numbers count from one, the column
/// in letters.
#[derive(Clone, Copy, Debug)]
struct TextPlace {
    line: usize,
    column: usize,
}

/// A mutant, as cargo-mutants describes it.
#[derive(Debug)]
struct Mutant {
    name: String,
    file: String,
    /// The start and the end of the replaced text.
    from: TextPlace,
    to: TextPlace,
    replacement: String,
}

struct MutantRun<'w> {
    what: &'w MutatedPart,
    tree: Tree,
    list: PathBuf,
    /// The mutants; the first one has number 1.
    mutants: Vec<Mutant>,
    /// The files with mutants as they were at the start, by name, so that a user may edit
    /// them during the run.
    sources: BTreeMap<String, String>,
    build: PathBuf,
    /// The number of mutants to test at a time.
    threads: usize,
    /// The mutants that are known to survive, without their positions.
    known: &'w BTreeSet<String>,
    /// Longer tests are not run.
    longest: Option<Duration>,
}

/// Tests the mutants without a result, within the given time, and reports how many are
/// left then.
pub fn run(
    what: &MutatedPart,
    left: &mut Option<Duration>,
    options: &Options,
    known: &BTreeSet<String>,
) -> anyhow::Result<Results> {
    let own = target_dir()?.join("mutants");
    let _only_one = lock(&own)?;
    let file = format!("{}.json", what.name.replace('/', "-"));
    let kept = own.join("results").join(&file);
    let list = own.join("lists").join(&file);
    for path in [&kept, &list] {
        fs::create_dir_all(path.parent().context("a file without a folder")?)?;
    }
    let mutants = listed(what, &list)?;
    anyhow::ensure!(!mutants.is_empty(), "{} has no mutants", what.name);
    let mut changed: BTreeSet<String> = mutants.iter().map(|mutant| mutant.file.clone()).collect();
    changed.insert(format!("{}/src/lib.rs", what.folder));
    let tree = Tree::copy_to(own.join("tree"), &changed)?;
    let read = |file: String| Ok((file.clone(), fs::read_to_string(root().join(&file))?));
    let sources: anyhow::Result<_> = changed.into_iter().map(read).collect();
    let digest = tree.digest(what)?;
    let (mut kept, mut results) = match options.shards.out {
        Some(_) => {
            let plan = MutantsPlan {
                part: what.name.clone(),
                digest,
                longest: options.longest,
            };
            Kept::shard(plan, mutants.len(), &options.shards)?
        }
        None => {
            let mut results = match options.anew {
                true => Results::new(digest),
                false => Results::load(&kept, digest),
            };
            results.count = mutants.len();
            (Kept::Beside(kept), results)
        }
    };
    let run = MutantRun {
        what,
        tree,
        list,
        mutants,
        sources: sources?,
        build: own.join("build"),
        threads: options.threads.max(1),
        known,
        longest: options.longest.map(Duration::from_secs),
    };
    if !run.in_order(&results, kept.own()).is_empty() {
        run.test_all(&mut results, &mut kept, left)?;
    }
    kept.finish()?;
    Ok(results)
}

/// Two runs at a time would write to the same tree.
fn lock(own: &Path) -> anyhow::Result<File> {
    fs::create_dir_all(own)?;
    let file = File::create(own.join("lock"))?;
    let is_free = file.try_lock().is_ok();
    anyhow::ensure!(
        is_free,
        "mutants are being tested with these builds: wait for the end, or set CARGO_TARGET_DIR"
    );
    Ok(file)
}

/// The mutants that cargo-mutants lists.
fn listed(what: &MutatedPart, list: &Path) -> anyhow::Result<Vec<Mutant>> {
    let mut command = cargo();
    command.args(["mutants", "--list", "--json", "-p", &what.package]);
    let output = command.args(&what.mutants).output()?;
    anyhow::ensure!(
        output.status.success(),
        "cargo mutants failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    write(list, &output.stdout)?;
    let all: Vec<Value> = serde_json::from_slice(&output.stdout)
        .context("the output of cargo mutants is not valid JSON")?;
    let read = |value: &Value| {
        let place = |end: &str| {
            let number = |name: &str| usize::try_from(value["span"][end][name].as_u64()?).ok();
            Some(TextPlace {
                line: number("line")?,
                column: number("column")?,
            })
        };
        Some(Mutant {
            name: value["name"].as_str()?.to_owned(),
            file: value["file"].as_str()?.to_owned(),
            from: place("start")?,
            to: place("end")?,
            replacement: value["replacement"].as_str()?.to_owned(),
        })
    };
    let mutants: Option<Vec<Mutant>> = all.iter().map(read).collect();
    mutants.context("cargo mutants lists its mutants in an unknown format")
}

impl MutantRun<'_> {
    /// Tests all mutants without a result, until the time is over.
    fn test_all(
        &self,
        results: &mut Results,
        kept: &mut Kept,
        left: &mut Option<Duration>,
    ) -> anyhow::Result<()> {
        let begin = Instant::now();
        let built = self.build_all(results)?;
        let own = kept.own();
        let is_own = |number: &&u32| own.has(u64::from(**number) - 1);
        for &number in built.no_programs.iter().filter(is_own) {
            let name = &self.of(number).name;
            results.record(name, Outcome::Unbuilt);
            kept.keep(results, number, name)?;
        }
        let folder = self.tree.folder.join(&self.what.folder);
        let programs = Programs::look_at(folder, &built.programs, &self.what.tests, self.longest)?;
        anyhow::ensure!(!programs.tests.is_empty(), "no test program was built");
        println!(
            "{}: {} mutants, {} of them behind switches, and {} tests, built and run in {} s",
            self.what.name,
            self.mutants.len(),
            built.switched.len(),
            programs.tests.len(),
            begin.elapsed().as_secs()
        );
        let ends = left.map(|left| Instant::now() + left);
        let over = || ends.is_some_and(|ends| Instant::now() >= ends);
        let numbers = self.in_order(results, own);
        let (switched, alone): (Vec<u32>, Vec<u32>) = numbers.into_iter().partition(|number| {
            let is_computed = built.constant.contains(number) && !programs.reach(*number);
            !is_computed && built.switched.contains(number)
        });
        let asked = Asked {
            numbers: Mutex::new(switched.into_iter()),
            progress: Mutex::new(Progress {
                results,
                kept,
                told: Instant::now(),
            }),
        };
        thread::scope(|scope| {
            let ask = || scope.spawn(|| self.ask_each(&asked, &programs, over));
            let workers: Vec<_> = (0..self.threads).map(|_| ask()).collect();
            let joined = workers.into_iter().map(ScopedJoinHandle::join);
            let mut said = joined.map(|came| came.map_err(|_| anyhow::anyhow!("it panicked"))?);
            said.find(Result::is_err).unwrap_or(Ok(()))
        })?;
        let Progress { results, kept, .. } = asked.progress.into_inner();
        for number in alone {
            if over() {
                break;
            }
            let found = self.ask_alone(results, &programs, number)?;
            self.record(results, kept, number, found)?;
        }
        *left = ends.map(|ends| ends.saturating_duration_since(Instant::now()));
        Ok(())
    }

    /// The mutants of a shard that are left. Those that survived last time come first, since
    /// the author of a new test is waiting for them. Known survivors come last.
    fn in_order(&self, results: &Results, own: Shard) -> Vec<u32> {
        let mut numbers: Vec<u32> = (1..).take(self.mutants.len()).collect();
        numbers.retain(|&number| own.has(u64::from(number) - 1));
        numbers.retain(|&number| results.of(&self.of(number).name).is_none());
        numbers.sort_by_key(|&number| {
            let is_suspect = results.suspects(&self.of(number).name);
            (self.is_known(number), !is_suspect)
        });
        numbers
    }

    /// Asks about a mutant in a build of its own.
    fn ask_alone(
        &self,
        results: &Results,
        programs: &Programs,
        number: u32,
    ) -> anyhow::Result<Found> {
        let name = &self.of(number).name;
        let Some(built) = self.build_one(number)? else {
            return Ok(Outcome::Unbuilt.into());
        };
        let game = super::game_of(&self.of(number).file);
        let own = game.map(|game| format!("games::{game}::"));
        let begin = own.as_deref().unwrap_or(&self.what.tests);
        let finds = |test: &str| results.is_finder(test, name);
        programs.as_in(&built, begin).ask_all(finds)
    }

    /// Tests one mutant after the other; several threads do this.
    fn ask_each(
        &self,
        asked: &Asked<'_>,
        programs: &Programs,
        over: impl Fn() -> bool,
    ) -> anyhow::Result<()> {
        while !over() {
            let next = asked.numbers.lock().next();
            let Some(number) = next else { break };
            let name = &self.of(number).name;
            // A longer test could only show that the mutant need not be in the list.
            let longest = self.is_known(number).then_some(BRIEF);
            let found = programs.test(number, longest, |test| {
                asked.progress.lock().results.is_finder(test, name)
            })?;
            let mut progress = asked.progress.lock();
            let Progress {
                results,
                kept,
                told,
            } = &mut *progress;
            self.record(results, kept, number, found)?;
            if told.elapsed() > TELL {
                println!("{}: {results}", self.what.name);
                *told = Instant::now();
            }
        }
        Ok(())
    }

    fn is_known(&self, number: u32) -> bool {
        self.known.contains(&without_place(&self.of(number).name))
    }

    fn of(&self, number: u32) -> &Mutant {
        &self.mutants[number as usize - 1]
    }

    /// Records the result of a mutant, and reports one that no test caught.
    fn record(
        &self,
        results: &mut Results,
        kept: &mut Kept,
        number: u32,
        found: Found,
    ) -> anyhow::Result<()> {
        let name = &self.of(number).name;
        match found.outcome {
            Outcome::Survived => println!("survived: {name}"),
            Outcome::Unreached => println!("no test reaches: {name}"),
            Outcome::Caught | Outcome::TimedOut | Outcome::Unbuilt => {}
        }
        results.record(name, found);
        kept.keep(results, number, name)
    }

    /// Builds all mutants together. Those that turn out not to be valid programs are left
    /// out; some are already known.
    fn build_all(&self, results: &Results) -> anyhow::Result<Built> {
        let is_left_out =
            |number: &u32| results.of(&self.of(*number).name) == Some(Outcome::Unbuilt);
        let numbers = 1..=u32::try_from(self.mutants.len())?;
        let mut left_out: BTreeSet<u32> = numbers.filter(is_left_out).collect();
        let mut no_programs = BTreeSet::new();
        for _ in 0..MAX_BUILDS {
            let Switches {
                switched,
                constant,
                impossible,
            } = self.put_in(&left_out)?;
            no_programs.extend(impossible);
            let errors = match self.build()? {
                Ok(programs) => {
                    return Ok(Built {
                        programs,
                        switched,
                        constant,
                        no_programs,
                    });
                }
                Err(errors) => errors,
            };
            let before = left_out.len();
            for error in &errors.places {
                let path = self.tree.folder.join(&error.file);
                let text = fs::read_to_string(&path).unwrap_or_default();
                let Some((numbers, is_choice)) = around(&text, error.byte) else {
                    continue;
                };
                if is_choice {
                    no_programs.extend(&numbers);
                }
                left_out.extend(numbers);
            }
            anyhow::ensure!(
                left_out.len() > before,
                "the mutants cannot be built together:\n{}",
                errors.said
            );
        }
        anyhow::bail!("the mutants cannot be built together, whichever are left out")
    }

    /// Rewrites the files with mutants.
    fn put_in(&self, left_out: &BTreeSet<u32>) -> anyhow::Result<Switches> {
        let left_out: Vec<String> = left_out.iter().map(u32::to_string).collect();
        let mut switches = cargo();
        switches.args(["run", "--quiet", "--manifest-path", SWITCHES]);
        switches
            .arg("--target-dir")
            .arg(target_dir()?.join("mutants/switches"));
        switches
            .arg("--")
            .arg(&self.list)
            .arg(root())
            .arg(&self.tree.folder);
        switches.arg(format!("{}/src/lib.rs", self.what.folder));
        switches.arg(left_out.join(","));
        let output = switches.stderr(Stdio::inherit()).output()?;
        anyhow::ensure!(output.status.success(), "the mutants cannot be put in");
        let told: Value = serde_json::from_slice(&output.stdout)?;
        let numbers = |name: &str| -> BTreeSet<u32> {
            let list = told[name].as_array().into_iter().flatten();
            list.filter_map(|number| u32::try_from(number.as_u64()?).ok())
                .collect()
        };
        Ok(Switches {
            switched: numbers("switched"),
            constant: numbers("constant"),
            impossible: numbers("impossible"),
        })
    }

    /// Builds this mutant alone; `None` if it is not a valid program.
    fn build_one(&self, number: u32) -> anyhow::Result<Option<Vec<PathBuf>>> {
        let mutant = self.of(number);
        for (file, source) in &self.sources {
            let mut text = source.clone();
            if *file == mutant.file {
                let bytes = offset(&text, mutant.from)..offset(&text, mutant.to);
                text.replace_range(bytes, &mutant.replacement);
            }
            write(&self.tree.folder.join(file), text.as_bytes())?;
        }
        Ok(self.build()?.ok())
    }

    /// Builds the test programs, or returns the compiler's errors.
    fn build(&self) -> anyhow::Result<Result<Vec<PathBuf>, Errors>> {
        let mut command = Command::new(cargo().get_program());
        command.current_dir(&self.tree.folder);
        command.args(["test", "--no-run", "--quiet", "--message-format", "json"]);
        command
            .args(["--package", &self.what.package])
            .args(&self.what.build);
        command.env("CARGO_TARGET_DIR", &self.build);
        // The switches need a feature that stable compilers have but do not enable.
        // It is set for all packages, since their dependencies are rebuilt if it
        // changes.
        command.env("RUSTC_BOOTSTRAP", "1");
        command.env("RUSTFLAGS", "--cap-lints allow");
        command.stderr(Stdio::piped());
        let output = command.output().context("cargo cannot be run")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let messages = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let messages: Vec<Value> = messages.collect();
        if output.status.success() {
            let tests = messages
                .iter()
                .filter(|message| message["profile"]["test"] == true);
            let paths = tests.filter_map(|message| message["executable"].as_str());
            return Ok(Ok(paths.map(PathBuf::from).collect()));
        }
        let mut errors = Errors {
            places: Vec::new(),
            said: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        let of_compiler = messages.iter().map(|message| &message["message"]);
        for message in of_compiler.filter(|message| message["level"] == "error") {
            errors.said += message["rendered"].as_str().unwrap_or_default();
            for span in message["spans"].as_array().into_iter().flatten() {
                errors
                    .places
                    .extend(place(span).filter(|_| span["is_primary"] == true));
            }
        }
        Ok(Err(errors))
    }
}

/// The data shared by the parallel workers.
struct Asked<'a> {
    numbers: Mutex<std::vec::IntoIter<u32>>,
    progress: Mutex<Progress<'a>>,
}

/// The results so far, and where they are kept.
struct Progress<'a> {
    results: &'a mut Results,
    kept: &'a mut Kept,
    /// When progress was last reported.
    told: Instant,
}

/// The mutants of the rewritten files.
struct Switches {
    /// Those behind a switch.
    switched: BTreeSet<u32>,
    /// Those among them that the compiler may evaluate.
    constant: BTreeSet<u32>,
    /// Those that are left out, because they are not valid programs.
    impossible: BTreeSet<u32>,
}

/// The programs of one build.
struct Built {
    programs: Vec<PathBuf>,
    /// The mutants behind a switch.
    switched: BTreeSet<u32>,
    /// The mutants that constant evaluation may have ignored.
    constant: BTreeSet<u32>,
    /// The mutants that are not valid programs.
    no_programs: BTreeSet<u32>,
}

/// The compiler's errors.
struct Errors {
    places: Vec<ErrorAt>,
    said: String,
}

struct ErrorAt {
    /// The path from the top of the project.
    file: String,
    byte: usize,
}

/// The position of an error; in a macro, the position of its invocation.
fn place(span: &Value) -> Option<ErrorAt> {
    let written = &span["expansion"]["span"];
    if written.is_object() {
        return place(written);
    }
    Some(ErrorAt {
        file: span["file_name"].as_str()?.to_owned(),
        byte: usize::try_from(span["byte_start"].as_u64()?).ok()?,
    })
}

/// The mutants of the innermost rewritten code around this byte, and whether it is the
/// code of a single mutant.
fn around(text: &str, byte: usize) -> Option<(Vec<u32>, bool)> {
    let mut open: Vec<(&str, bool)> = Vec::new();
    let head = text.get(..byte)?;
    for (at, _) in head.match_indices("/*") {
        let comment = &text[at + 2..];
        let Some((comment, _)) = comment.split_once("*/") else {
            continue;
        };
        let (kind, numbers) = comment.split_at_checked(1).unwrap_or_default();
        match kind {
            "<" | "(" => open.push((numbers, kind == "<")),
            ">" | ")" => {
                open.pop();
            }
            _ => {}
        }
    }
    let (numbers, is_choice) = open.pop()?;
    let numbers: Option<Vec<u32>> = numbers.split(',').map(|n| n.parse().ok()).collect();
    Some((numbers?, is_choice))
}

/// The offset in bytes of this place.
fn offset(text: &str, TextPlace { line, column }: TextPlace) -> usize {
    let lines = text.split_inclusive('\n').take(line - 1);
    let before: usize = lines.map(str::len).sum();
    let place = text[before..].char_indices().nth(column - 1);
    place.map_or(text.len(), |(at, _)| before + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_belongs_to_the_mutant_around_it() {
        let text = "a /*(1,2*/( /*<1*/b/*>1*/ c )/*)1,2*/ d /* e */ f";
        let at = |what: &str| around(text, text.find(what).unwrap());
        assert_eq!(at("b"), Some((vec![1], true)));
        assert_eq!(at("c"), Some((vec![1, 2], false)));
        assert_eq!(at("a "), None);
        assert_eq!(at("f"), None);
    }

    #[test]
    fn a_second_run_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("run");
        let first = lock(&own).unwrap();
        let refused = lock(&own).unwrap_err().to_string();
        assert!(refused.starts_with("mutants are being tested"), "{refused}");
        drop(first);
        // A program that another test starts also holds the lock, until it executes its
        // own code.
        let is_free = (0..1_000).any(|_| {
            thread::sleep(Duration::from_millis(5));
            lock(&own).is_ok()
        });
        assert!(is_free);
    }

    #[test]
    fn a_place_is_a_line_and_a_column_of_letters() {
        assert_eq!(
            offset("one\nzwölf and\n", TextPlace { line: 2, column: 7 }),
            11
        );
        assert_eq!(offset("one", TextPlace { line: 1, column: 4 }), 3);
    }
}

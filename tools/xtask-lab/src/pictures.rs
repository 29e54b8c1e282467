//! The pictures of the README and the book, made by the window itself: a film of each
//! session in `tests/demos`, and what the commands in the scenario files say.
//!
//! A scenario of a picture begins with a comment that has the command, so whoever changes
//! the window makes all its pictures again with one command. Those for which somebody has to
//! type, and those beside another program, are named at the end.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use xtask::cargo::{cargo, root, run};
use xtask::setup::{self, Purpose};

/// The length of each film, in seconds.
const LENGTH_S: u32 = 12;
/// Large enough to see the light of a point, small enough for a page with ten films.
const SIZE: &str = "320x320";

/// The folders with scenarios of pictures.
const SCENARIOS: [&str; 2] = ["emulator/assets", "tools/ludemes/docs/tutorial"];

/// Which pictures are made.
#[derive(clap::Args)]
pub struct Options {
    /// Only the pictures whose file name has this in it.
    name: Option<String>,
}

/// Films each session in `tests/demos` into `emulator/assets`, and runs the commands of the
/// scenario files.
pub fn make(options: &Options) -> anyhow::Result<()> {
    setup::install(&[Purpose::Window])?;
    let is_wanted = |file: &Path| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        options.name.as_ref().is_none_or(|part| name.contains(part))
    };
    let (mut by_hand, mut failed) = (Vec::new(), Vec::new());
    for folder in SCENARIOS {
        for scenario in files(&root().join(folder), "txt")? {
            let text = fs::read_to_string(&scenario)?;
            let commands = commands(&text);
            if commands.is_empty() && is_wanted(&scenario) {
                by_hand.push(scenario.display().to_string());
            }
            for command in commands
                .iter()
                .filter(|command| is_wanted(&command.picture))
            {
                let mut program = cargo();
                program.args(["run", "--quiet"]);
                let is_made = run(program.args(&command.arguments)).is_ok();
                println!("{}", command.picture.display());
                if !is_made {
                    failed.push(scenario.display().to_string());
                }
            }
        }
    }
    for scenario in by_hand {
        println!("by hand, as it says: {scenario}");
    }
    films(&is_wanted)?;
    anyhow::ensure!(
        failed.is_empty(),
        "the commands of these failed: {}",
        failed.join(", ")
    );
    Ok(())
}

/// A command that makes a picture.
#[derive(Debug, PartialEq, Eq)]
struct PictureCommand {
    /// The arguments of `cargo run`.
    arguments: Vec<String>,
    /// The picture's file.
    picture: PathBuf,
}

/// The commands in the comments of a scenario that make a picture without a display.
fn commands(scenario: &str) -> Vec<PictureCommand> {
    let lines = scenario
        .lines()
        .filter_map(|line| line.strip_prefix("#   cargo run "));
    lines
        .filter_map(|line| {
            let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let at = arguments.iter().position(|word| word == "--screenshot")?;
            let picture = PathBuf::from(arguments.get(at + 1)?);
            arguments
                .iter()
                .any(|word| word == "--headless")
                .then_some(PictureCommand { arguments, picture })
        })
        .collect()
}

fn films(is_wanted: &dyn Fn(&Path) -> bool) -> anyhow::Result<()> {
    for session in sessions(&root().join("tests/demos"))? {
        let name = session.file_stem().context("a session has a name")?;
        let film = root()
            .join("emulator/assets")
            .join(name)
            .with_extension("gif");
        if !is_wanted(&film) {
            continue;
        }
        let mut emulator = cargo();
        emulator.args([
            "run", "--quiet", "-p", "emulator", "--bin", "emulator", "--",
        ]);
        emulator.args(["--headless", "--mute", "--no-panel", "--size", SIZE]);
        emulator.args(["--film-s", &LENGTH_S.to_string(), "--film"]);
        run(emulator.arg(&film).arg(&session))?;
        let bytes = film.metadata().context("the film is there")?.len();
        println!("{} {} KB", film.display(), bytes / 1024);
    }
    Ok(())
}

/// The session files in a folder, by name.
pub fn sessions(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    files(folder, "session")
}

/// The files in a folder that end so, by name.
fn files(folder: &Path, end: &str) -> anyhow::Result<Vec<PathBuf>> {
    let entries = folder
        .read_dir()
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == end) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_of_a_scenario_are_those_that_need_no_display() {
        let scenario = "# A game:\n#   cargo run -p emulator -- a.lud --headless --screenshot a/b.png\n#   cargo run -p emulator -- --fresh\nstart\n";
        let [command] = &commands(scenario)[..] else {
            panic!("one command makes a picture without a display");
        };
        let words = [
            "-p",
            "emulator",
            "--",
            "a.lud",
            "--headless",
            "--screenshot",
            "a/b.png",
        ];
        assert_eq!(command.arguments, words);
        assert_eq!(command.picture, Path::new("a/b.png"));
    }

    /// Each scenario beside the pictures says how its picture is made.
    #[test]
    fn each_scenario_of_a_picture_has_its_command() {
        for folder in SCENARIOS {
            for scenario in files(&root().join(folder), "txt").unwrap() {
                let text = fs::read_to_string(&scenario).unwrap();
                assert!(text.contains("#   cargo run "), "{}", scenario.display());
            }
        }
    }
}

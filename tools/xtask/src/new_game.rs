//! `cargo xtask new-game NAME`: creates a game that can be played and obeys every law,
//! and adds it to every table of games. Its rules can then be changed one by one.
//!
//! Invariants: all edits are made or none. An edit searches for the lines around it, so a
//! table with an unexpected form is reported and not damaged; a test creates a game in a
//! copy of the tree.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;

use crate::board::BoardImage;
use crate::cargo::{cargo, root, run as run_to_its_end};
use crate::lab;

/// The initial files of a game's folder.
const TEMPLATE: [(&str, &str); 3] = [
    ("mod.rs", include_str!("new_game/template/mod.rs.txt")),
    ("tests.rs", include_str!("new_game/template/tests.rs.txt")),
    ("RULES.md", include_str!("new_game/template/RULES.md.txt")),
];

const GAMES: &str = "firmware-core/src/games";

/// The host's folder of information about games, and the lines for a new game in it.
const GUIDES: &str = "hil-bridge/host/src/games";
const GUIDE: &str = include_str!("new_game/template/guide.rs.txt");

/// Numbers from this one on are reserved for tests.
const FIRST_OF_TESTS: u32 = 30;

/// The number of characters of the display.
const MOST_LETTERS: usize = 12;

/// Words that cannot be the name of a module.
const KEYWORDS: [&str; 30] = [
    "as", "async", "await", "box", "break", "const", "crate", "dyn", "else", "enum", "extern",
    "false", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut",
    "pub", "ref", "self", "super", "true", "use",
];

#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The name of the game for players: one word such as FillIt. Its module has the same
    /// name in lower case.
    name: String,
    /// Do not record its golden session, nor build the program that records it.
    #[arg(long)]
    no_session: bool,
}

/// Creates the game in this tree, records its session, and prints the remaining steps.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let game = make(&root(), &options.name)?;
    let mut format = cargo();
    format.arg("fmt");
    for package in ["firmware-core", "touchboard-host", "touchboard-tests"] {
        format.args(["--package", package]);
    }
    run_to_its_end(&mut format)?;
    if !options.no_session {
        println!("Its golden session is recorded: what records it is built first.");
        record()?;
    }
    println!("{}", game.what_is_left());
    Ok(())
}

/// Records the sessions of all games, and prints them; those of the other games do not
/// change.
fn record() -> anyhow::Result<()> {
    let mut record = cargo();
    record.env("UPDATE_SESSIONS", "1");
    record.args(["test", "--package", "touchboard-tests", "--test"]);
    record.args(["golden_sessions", "recorded_in_process"]);
    run_to_its_end(&mut record)?;
    lab::run(&["transcripts".into()])?;
    Ok(())
}

/// A game that was made.
#[derive(Debug)]
pub struct NewGame {
    /// The name for players.
    pub name: String,
    /// The name of its folder, its feature, and its module.
    pub module: String,
    pub number: u32,
}

impl NewGame {
    /// The name of its number in the core.
    fn constant(&self) -> String {
        self.module.to_uppercase()
    }

    /// Its number as one character.
    fn letter(&self) -> char {
        let digit = char::from_digit(self.number, 36).unwrap_or('?');
        digit.to_ascii_uppercase()
    }

    /// The remaining steps, which only the author can do.
    fn what_is_left(&self) -> String {
        let NewGame { name, module, .. } = self;
        let letter = self.letter();
        format!(
            "\
{name} is game {letter}: it plays, `cargo xtask test {module}` runs its laws, and
`cargo run -p hil-bridge -- mirror --games {letter}` shows it. What is left, in this order:

[ ] {GAMES}/{module}/mod.rs: its own rules, and what always holds
[ ] {GAMES}/{module}/tests.rs: one test per rule; `impossible_states_are_refused`
[ ] {GAMES}/{module}/RULES.md: how it is played, and each decision; firmware-core/RULES.md: what it is
[ ] {GUIDES}/{module}.rs: the same for a player, and what is special about its status; tests/numbers.rs: the numbers in it
[ ] who plays red, if the board does: `type Player`, `board_can_play: true`, a match of the levels
[ ] the board that it is made for, if that is not the manual's: `made_for`
[ ] tests/tests/random_games.rs: how long a game of it may last
[ ] UPDATE_SESSIONS=1 cargo test -p touchboard-tests --test golden_sessions, and cargo xtask transcripts
[ ] UPDATE_SESSIONS=1 cargo test -p emulator --test window games::: its picture in the window's list
[ ] cargo xtask instructions netduinoplus2 --games {letter}: its worst tick; the book's table of games
[ ] cargo xtask mutants {module}: which mistakes no test finds
[ ] CHANGELOG.md"
        )
    }

    /// The template with the name of this game.
    fn filled(&self, text: &str) -> String {
        text.replace("@Name@", &self.name)
            .replace("@NAME@", &self.constant())
    }
}

/// Creates the game in a tree: its folder, and its lines in the tables.
///
/// # Errors
///
/// If the name is not valid for a game, or if a table does not have the expected
/// form: then nothing was written.
pub fn make(root: &Path, name: &str) -> anyhow::Result<NewGame> {
    let mut tree = Tree::of(root);
    let game = named(&mut tree, name)?;
    let NewGame { name, module, .. } = &game;
    for (file, text) in TEMPLATE {
        let path = format!("{GAMES}/{module}/{file}");
        tree.files.insert(path.into(), game.filled(text));
    }
    in_core(&mut tree, &game)?;
    in_images(&mut tree, module)?;
    in_documents(&mut tree, &game)?;
    in_host(&mut tree, &game)?;
    tree.edit("tests/src/record.rs", |text| {
        let (start, end) = between(text, "pub const ALONE: &[u8] = &[", "]")?;
        Some(format!(
            "{}{}, number::{}{}",
            &text[..start],
            &text[start..end],
            game.constant(),
            &text[end..]
        ))
    })?;
    tree.edit("tests/tests/random_games.rs", |text| {
        let arm = format!(
            "        // A point is lit in each move.\n        (\"{name}\", _) => Length {{\n            moves: points,\n            ms: 0,\n        }},\n"
        );
        before(text, "        _ => panic!(\"say here how long", &arm)
    })?;
    tree.write()?;
    Ok(game)
}

/// A game of this name with the next free number, if the name is valid.
fn named(tree: &mut Tree, name: &str) -> anyhow::Result<NewGame> {
    let is_word = name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric())
        && name.len() <= MOST_LETTERS;
    ensure!(
        is_word,
        "{name:?} is not a name for a game: write one word that begins with a capital letter, like FillIt"
    );
    let module = name.to_lowercase();
    ensure!(
        !KEYWORDS.contains(&module.as_str()),
        "no module can be named {module}: it is a word of the language"
    );
    let games = tree.root.join(GAMES);
    let table = tree.text(&format!("{GAMES}/mod.rs"))?.to_owned();
    let rows = table.lines().filter_map(row);
    let (mut last, mut is_there) = (0, false);
    for (number, other) in rows {
        is_there |= other == module;
        if number < FIRST_OF_TESTS {
            last = last.max(number);
        }
    }
    let file = games.join(&module).with_extension("rs");
    ensure!(
        !is_there && !file.exists() && !games.join(&module).exists(),
        "there is a module {module} already"
    );
    let number = last + 1;
    ensure!(number < FIRST_OF_TESTS, "all numbers are taken");
    let name = name.to_owned();
    Ok(NewGame {
        name,
        module,
        number,
    })
}

/// The number and the module in a row of the table of games.
fn row(line: &str) -> Option<(u32, &str)> {
    let (_, row) = line.strip_prefix("    #[cfg(")?.split_once(")] ")?;
    let mut words = row.strip_suffix(';')?.split(' ').skip(1);
    Some((words.next()?.parse().ok()?, words.next()?))
}

fn in_core(tree: &mut Tree, game: &NewGame) -> anyhow::Result<()> {
    let NewGame {
        name,
        module,
        number,
    } = game;
    let feature = format!("#[cfg(feature = \"{module}\")]");
    let constant = game.constant();
    tree.edit(&format!("{GAMES}/mod.rs"), |text| {
        let modules: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
            .collect();
        let next = modules.iter().find(|other| **other > module.as_str());
        let own = format!("{feature}\npub mod {module};\n");
        let named = match next {
            Some(next) => {
                let at = text.find(&format!("\npub mod {next};\n"))?;
                // Its condition is on the line before.
                let at = text[..at].rfind('\n')? + 1;
                format!("{}{own}{}", &text[..at], &text[at..])
            }
            None => {
                let last = format!("pub mod {};\n", modules.last()?);
                let at = text.find(&last)? + last.len();
                format!("{}{own}{}", &text[..at], &text[at..])
            }
        };
        let nobody = ")]\npub mod nobody;";
        let named = named.replacen(
            &format!("){nobody}"),
            &format!(", feature = \"{module}\"){nobody}"),
            1,
        );
        before(
            &named,
            "    #[cfg(test)] PARTS 30 parts Parts;",
            &format!("    {feature} {constant} {number} {module} {name};\n"),
        )
    })?;
    tree.edit("firmware-core/Cargo.toml", |text| {
        let (start, end) = between(text, "\nall-games = [", "]")?;
        let mut features: Vec<&str> = text[start..end].split(", ").collect();
        let quoted = format!("\"{module}\"");
        features.push(&quoted);
        features.sort_unstable();
        let all = features.join(", ");
        let text = format!("{}{all}{}", &text[..start], &text[end..]);
        in_order(&text, &format!("{module} = []"), |line| {
            line.ends_with(" = []")
        })
    })
}

fn in_images(tree: &mut Tree, module: &str) -> anyhow::Result<()> {
    for board in BoardImage::all() {
        let manifest = format!("firmware-core/boards/{}/Cargo.toml", board.name());
        let line = format!("{module} = [\"firmware-core/{module}\"]");
        tree.edit(&manifest, |text| {
            in_order(text, &line, |line| line.contains(" = [\"firmware-core/"))
        })?;
    }
    Ok(())
}

fn in_documents(tree: &mut Tree, game: &NewGame) -> anyhow::Result<()> {
    let NewGame { name, module, .. } = game;
    let letter = game.letter();
    tree.edit("firmware-core/RULES.md", |text| {
        let last = text.rfind("/RULES.md) |")?;
        let end = last + text[last..].find('\n')? + 1;
        let row = format!(
            "| {letter} | [{name}](src/games/{module}/RULES.md) | two | be the first with three points that touch |\n"
        );
        Some(format!("{}{row}{}", &text[..end], &text[end..]))
    })?;
    let chapter = format!("{{{{#include ../../../../{GAMES}/{module}/RULES.md}}}}\n");
    let path = format!("tools/book/src/rules/{module}.md");
    tree.files.insert(path.into(), chapter);
    tree.edit("tools/book/src/SUMMARY.md", |text| {
        let line = format!("- [{name}](rules/{module}.md)\n");
        before(text, "- [Written games]", &line)
    })
}

/// Adds the host's information about the game.
fn in_host(tree: &mut Tree, game: &NewGame) -> anyhow::Result<()> {
    let NewGame { name, module, .. } = game;
    tree.files
        .insert(format!("{GUIDES}/{module}.rs").into(), game.filled(GUIDE));
    tree.edit(&format!("{GUIDES}/mod.rs"), |text| {
        // The attribute of the test module is on the line before.
        let is_module =
            |line: &str| line.starts_with("mod ") && line.ends_with(';') && line != "mod tests;";
        let text = in_order(text, &format!("mod {module};"), is_module)?;
        let (_, end) = between(&text, "const GUIDES: &[&dyn Guide] = &[", "];")?;
        Some(format!(
            "{}    &{module}::{name},\n{}",
            &text[..end],
            &text[end..]
        ))
    })?;
    tree.edit(&format!("{GUIDES}/tests/numbers.rs"), |text| {
        let beside = format!("firmware_core::games::{module}::BESIDE");
        let arm = format!(
            "        \"{name}\" => vec![
            time(),
            \"a game for two\".into(),
            format!(\"{{}} points that touch\", word({beside} + 1)),
            format!(\"touches {{}} more\", word({beside})),
        ],\n"
        );
        before(text, "        other => panic!(\"say here what", &arm)
    })
}

/// The range between `head` and the next `tail`.
fn between(text: &str, head: &str, tail: &str) -> Option<(usize, usize)> {
    let start = text.find(head)? + head.len();
    Some((start, start + text[start..].find(tail)?))
}

/// The text with `new` inserted before these words.
fn before(text: &str, words: &str, new: &str) -> Option<String> {
    let at = text.find(words)?;
    Some(format!("{}{new}{}", &text[..at], &text[at..]))
}

/// The text with a line inserted into those of its kind, which are in alphabetical order.
fn in_order(text: &str, new: &str, is_of_kind: impl Fn(&str) -> bool) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let next = lines
        .iter()
        .position(|line| is_of_kind(line) && *line > new);
    let at = next.or_else(|| Some(lines.iter().rposition(|line| is_of_kind(line))? + 1))?;
    let mut all = lines;
    all.insert(at, new);
    Some(all.join("\n") + "\n")
}

/// The files of a tree, with edits that have not been written yet.
struct Tree {
    root: PathBuf,
    files: BTreeMap<PathBuf, String>,
}

impl Tree {
    fn of(root: &Path) -> Tree {
        Tree {
            root: root.to_owned(),
            files: BTreeMap::new(),
        }
    }

    /// The text of a file, with the edits.
    fn text(&mut self, path: &str) -> anyhow::Result<&mut String> {
        let whole = self.root.join(path);
        if !self.files.contains_key(Path::new(path)) {
            let text = fs::read_to_string(&whole);
            let text = text.with_context(|| format!("{} cannot be read", whole.display()))?;
            self.files.insert(path.into(), text);
        }
        self.files.get_mut(Path::new(path)).context("it was read")
    }

    fn edit(
        &mut self,
        path: &str,
        edit: impl FnOnce(&str) -> Option<String>,
    ) -> anyhow::Result<()> {
        let text = self.text(path)?;
        let edited = edit(text);
        *text = edited.with_context(|| {
            format!(
                "{path} is not as `new-game` knows it: mend the edit in tools/xtask/src/new_game.rs"
            )
        })?;
        Ok(())
    }

    fn write(&self) -> anyhow::Result<()> {
        for (path, text) in &self.files {
            let path = self.root.join(path);
            let folder = path.parent().context("a file lies in a folder")?;
            fs::create_dir_all(folder)
                .and_then(|()| fs::write(&path, text))
                .with_context(|| format!("{} cannot be written", path.display()))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_or_taken_name_is_refused_without_writing() {
        for (name, words) in [
            ("hive", "not a name for a game"),
            ("Hive!", "not a name for a game"),
            ("AVeryLongNameOfAGame", "not a name for a game"),
            ("Match", "a word of the language"),
            ("Col", "there is a module col already"),
            ("Rings", "there is a module rings already"),
            ("Parts", "there is a module parts already"),
        ] {
            let error = make(&root(), name).unwrap_err().to_string();
            assert!(error.contains(words), "{name}: {error}");
        }
    }

    #[test]
    fn lines_are_inserted_in_alphabetical_order() {
        let text = "[features]\na = []\nc = []\n\n[other]\n";
        let put = |line: &str| in_order(text, line, |line| line.ends_with(" = []")).unwrap();
        assert_eq!(
            put("b = []"),
            "[features]\na = []\nb = []\nc = []\n\n[other]\n"
        );
        assert_eq!(
            put("d = []"),
            "[features]\na = []\nc = []\nd = []\n\n[other]\n"
        );
    }
}
